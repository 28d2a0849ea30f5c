//! The loopback world: one server that stands for GitHub and for the registry's own API, out of plain data.
//!
//! It answers feeds, git over HTTP, REST, GraphQL, downloads and the served registry, with limits, renames, deletions
//! and faults, and records every exchange. It never leaves the loopback interface and names nothing else of the crate:
//! zips, sums and expected bytes are made here, so that a wrong rule elsewhere cannot confirm itself.
//! `bumpdesk demo` and the integration tests call it.

pub(crate) mod archive;
pub mod bare;
pub mod checkout;
pub(crate) mod derive;
pub(crate) mod digest;
pub(crate) mod fault;
pub(crate) mod forge;
pub(crate) mod graphql;
pub(crate) mod machine;
pub(crate) mod moment;
pub(crate) mod object;
pub(crate) mod scenario;
pub(crate) mod signer;
pub(crate) mod stored;
pub(crate) mod wire;
pub(crate) mod world;
pub(crate) mod worlds;

pub use wire::exchange::Exchange;
pub use wire::server::Server;
pub(crate) use wire::terms::Addresses;
pub use wire::terms::{Links, Options};
pub use world::World;
