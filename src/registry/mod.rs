//! What is: addresses, versions, documents, recorded facts. Pure data, parsed and printed.
//!
//! Nothing here opens a file, reads a clock or knows a network. Everything above may name these types.

mod address;
mod blacklist;
mod catalog;
mod decision;
mod document;
mod entry;
mod facts;
pub mod keys;
mod reading;
mod shape;
mod sorting;
pub mod version;

pub use address::{Address, AddressError, Kind, ModuleAddress, ProviderAddress, Repository};
pub use blacklist::{Blacklist, BlacklistEntry, BlacklistError};
pub use catalog::{Catalog, Row, Shape};
pub use decision::{Decision, DecisionKind};
pub use document::{Document, DocumentError, Json, Key, Layout, digest, hex};
pub use entry::{Entry, ModuleEntry, ModuleVersion, ProviderEntry, ProviderVersion, RecordedError, Target};
pub use facts::{
    Asset, Facts, Feed, FeedEntry, Moved, Observed, Protocols, ReleaseFacts, ReleaseInfo, SeenZip, Sums, Tag,
    Tags, Why,
};
pub use shape::SHAPE_FORMAT;
pub use sorting::sort_like_go;
pub use version::{Version, VersionError};
