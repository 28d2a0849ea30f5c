//! Backfill: the result of each target whose h1 or size is filled in, while the run goes on.
//!
//! Bad rows stand at the top and stay there; the cursor follows its row. Nothing here starts, stops or steers
//! a job; the shell does.

mod asking;
mod availability;
mod detail;
mod form;
mod gauges;
mod legend;
mod parts;
mod state;
mod steering;
mod update;
mod view;

pub(crate) use state::Backfill;
