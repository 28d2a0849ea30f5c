//! Reviews: the open pull requests of others, each beside what upstream gives, and all of one beneath.
//!
//! What was found is `desk::reviews`. Nothing here starts a job; the desk does, by intents.

mod availability;
mod detail;
mod legend;
mod parts;
mod state;
mod update;
mod view;

pub(crate) use state::Reviews;
