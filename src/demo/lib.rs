//! The loopback world: one server that stands for GitHub and for the registry's own API, out of plain data.
//!
//! It answers feeds, git over HTTP, REST, GraphQL, downloads and the served registry, with limits, renames, deletions
//! and faults, and records every exchange. It never leaves the loopback interface and names nothing else of the crate:
//! zips, sums and expected bytes are made here, so that a wrong rule elsewhere cannot confirm itself. It is a package of its own,
//! so that the compiler keeps it apart; what is `pub` here is what bumpdesk, its tests and its benches name.
//! `bumpdesk demo` and the integration tests call it.

pub mod archive;
pub mod bare;
pub mod checkout;
pub(crate) mod derive;
pub(crate) mod digest;
pub mod fault;
pub mod forge;
pub(crate) mod graphql;
pub mod machine;
pub(crate) mod moment;
pub(crate) mod object;
pub(crate) mod scenario;
pub mod signer;
pub(crate) mod stored;
pub mod wire;
pub mod world;
pub mod worlds;

pub use wire::exchange::Exchange;
pub use wire::server::Server;
pub use wire::terms::{Addresses, Links, Options};
pub use world::World;
