//! Backfill: what becomes of each target whose h1 or size is filled in, while it happens.
//!
//! What is bad stands on top and stays there; the cursor stays on its row wherever that goes. Nothing here starts, stops or steers a job;
//! the shell does.

mod asking;
mod availability;
mod detail;
mod form;
mod gauges;
mod legend;
mod parts;
mod state;
mod steering;
mod table;
mod update;
mod view;

pub(crate) use state::Backfill;
