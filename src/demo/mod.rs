//! The loopback world: one server that stands for GitHub and for the registry's own API, out of plain data.
//!
//! It answers feeds, git over HTTP, REST, GraphQL, downloads and the served registry, with limits, renames, deletions
//! and faults, and records every exchange. It never leaves the loopback interface and names nothing else of the crate:
//! zips, sums and expected bytes are made here, so that a wrong rule elsewhere cannot confirm itself.
//! `bumpdesk demo` and the integration tests call it.

pub mod archive;
pub mod bare;
pub mod checkout;
pub mod derive;
pub mod digest;
pub mod fault;
pub mod graphql;
pub mod moment;
pub mod object;
pub mod scenario;
pub mod signer;
pub mod stored;
pub mod wire;
pub mod world;
pub mod worlds;

pub use scenario::WorldError;
pub use wire::exchange::Exchange;
pub use wire::server::Server;
pub use wire::tally::Counts;
pub use wire::terms::{Addresses, Links, Options};
pub use world::World;
