//! Stranded: what no bump brings by itself, in columns by what would have to happen, and the story of one beneath.
//!
//! What is on the board is `desk::stranded`. Nothing here starts a job; the desk does, by intents.

mod availability;
mod detail;
mod legend;
mod parts;
mod selection;
mod state;
mod update;
mod view;

pub(crate) use state::Stranded;
