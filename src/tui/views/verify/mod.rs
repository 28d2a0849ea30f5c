//! Verify: what a verification finds, target by target, while it happens.
//!
//! The bad rows stand on top and stay there; the cursor stays on its row wherever that goes. Nothing here starts, stops or
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
