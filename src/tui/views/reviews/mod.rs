//! Reviews: the open pull requests of others, each compared with upstream, and one of them in full below.
//!
//! The results are in `desk::reviews`. Nothing here starts a job; the desk does, by intents.

mod availability;
mod detail;
mod legend;
mod parts;
mod state;
mod update;
mod view;

#[cfg(test)]
pub(crate) use state::Focus;
pub(crate) use state::Reviews;
