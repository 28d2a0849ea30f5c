//! What is: addresses, versions, documents, recorded facts. Pure data, parsed and printed.
//!
//! Nothing here opens a file, reads a clock or knows a network. Everything above may name these types.

mod address;
mod catalog;
mod decision;
mod facts;

pub use address::{Address, AddressError, Kind, ModuleAddress, ProviderAddress, Repository};
pub use catalog::{Catalog, Row, Shape};
pub use decision::{Decision, DecisionKind};
pub use facts::{
    Asset, Facts, Feed, FeedEntry, Moved, Observed, Protocols, ReleaseFacts, ReleaseInfo, Sums, Tag, Tags,
    Why,
};
