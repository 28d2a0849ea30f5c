//! What is: addresses, versions, documents, recorded facts. Pure data, parsed and printed.
//!
//! Nothing here opens a file, reads a clock or knows a network. Everything above may name these types.
//!
#![doc = include_str!("registry.md")]

mod address;
mod blacklist;
mod catalog;
mod copies;
mod decision;
mod document;
mod entry;
mod facts;
pub(crate) mod keys;
mod object;
mod reading;
mod served;
mod shape;
mod sorting;
pub(crate) mod version;

pub use address::{Address, Kind};
pub(crate) use address::{ModuleAddress, ProviderAddress, Repository};
pub(crate) use blacklist::{BLACKLIST, Blacklist, BlacklistEntry};
pub use catalog::{Catalog, Row, Shape};
pub(crate) use copies::copy_source;
pub(crate) use decision::{Decision, DecisionKind};
pub(crate) use document::Key;
pub use document::{Document, Json, digest};
pub(crate) use entry::{
    Entry, ModuleEntry, ModuleVersion, ProviderEntry, ProviderVersion, RecordedError, Target,
};
pub(crate) use facts::{
    ArchiveFault, Asset, BrokenArchive, Facts, Feed, FeedEntry, Moved, Observed, Protocols, ReleaseFacts,
    ReleaseInfo, SeenZip, Served, Sums, Tag, Tags, Why,
};
pub(crate) use object::{object_id, short_id};
pub(crate) use served::{ServedDocument, ServedPackage};
pub(crate) use shape::SHAPE_FORMAT;
pub(crate) use sorting::sort_like_go;
pub(crate) use version::Version;
