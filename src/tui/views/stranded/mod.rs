//! Stranded: versions that no bump adds by itself, in columns by the missing step, and the story of one
//! version below.
//!
//! The board is in `desk::stranded`. Nothing here starts a job; the desk does, by intents.

mod availability;
mod detail;
mod legend;
mod parts;
mod selection;
mod state;
mod update;
mod view;

pub(crate) use state::Stranded;
