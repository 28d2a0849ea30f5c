//! The one home of files, of the git program and of the database.
//!
//! Reads a registry from a work tree, from git objects or from a plain folder, keeps its start-up index and the state of
//! the console, and spools bodies. It produces and consumes `registry` types and never decides; it never talks to a
//! network and never sees `remote`. Called by `jobs`.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the one home of files, of the git program and of the database"
)]

mod atomic;
mod cache_file;
mod checkout;
mod error;
mod files;
mod folder_size;
mod git;
mod index;
mod log_file;
mod newest;
mod report;
mod spool;
mod state;

pub(crate) use atomic::{files_ending, make_folder, sweep, write_new, write_over};
pub(crate) use cache_file::{CacheFile, CacheFormat, CachePayload};
pub(crate) use checkout::{Checkout, FolderStamp, Source};
pub(crate) use error::Error;
pub(crate) use files::{read_input, read_small};
pub(crate) use folder_size::folder_size;
pub(crate) use git::on_path;
pub(crate) use index::{Early, Extent, blob_name, load_catalog, load_early};
pub(crate) use log_file::{LogFile, read_log};
pub(crate) use newest::{Most, keep_newest};
pub(crate) use report::Report;
pub use spool::Spool;
pub(crate) use spool::SpoolFile;
pub(crate) use state::{
    FactStamps, JobRecord, RegistryKey, State, StateSize, StoredFacts, StoredPlanFile, state_size,
};
