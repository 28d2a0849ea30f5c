//! Jobs: what runs, what ran in this and earlier runs, and the log beneath.
//!
//! The rows are `desk::history`. Nothing here starts a job; the shell does.

mod legend;
mod log;
mod parts;
mod state;
mod update;
mod view;

pub(crate) use state::Jobs;
