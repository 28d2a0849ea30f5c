//! One entry: every version with its state, targets and hashes, and the whole answer beside it.
//!
//! The answer is known at once from the list; the versions come with `Job::Open`. Nothing here starts a job.

mod legend;
mod state;
mod update;
mod view;

pub(crate) use state::EntryScreen;
