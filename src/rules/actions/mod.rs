//! Backfills on GitHub Actions: the workflow that is printed, what a dispatch gives it, and how far its runs are.
//!
//! Runs, jobs and artifacts are what GitHub says of them, and a word that is not known stays one that is not known. Pure;
//! `remote::actions` reads and `jobs::actions` walks it.

mod run;
mod workflow;

pub(crate) use run::{ArtifactRead, Builds, Ending, RunJob, RunRead, RunState};
#[cfg(test)]
pub(crate) use workflow::title_of;
pub(crate) use workflow::{
    Dispatched, FILE, MOST_SHARE_BYTES, MOST_SHARES, PATH, Source, inputs, nonce_of, share_of, source_of,
    workflow,
};
