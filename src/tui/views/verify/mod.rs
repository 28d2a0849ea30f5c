//! Verify: the results of a verification, target by target, while it runs.
//!
//! The bad rows stand at the top and stay there; the cursor follows its row. Nothing here starts, stops or
//! steers a job; the shell does.

mod availability;
mod detail;
mod gauges;
mod legend;
mod lines;
mod parts;
mod state;
mod steering;
mod table;
mod update;
mod view;

pub(crate) use state::Verify;
