//! Jobs: the jobs of this run and of earlier runs, and the log below them.
//!
//! The rows are `desk::history`. A job that follows a run on GitHub's machines has the jobs of that run below
//! it, above the log. Nothing here starts a job; the shell does.

mod availability;
mod legend;
mod log;
mod machines;
mod parts;
mod reading;
mod state;
mod update;
mod view;

pub(crate) use state::Jobs;
#[cfg(test)]
pub(crate) use state::Pane;
