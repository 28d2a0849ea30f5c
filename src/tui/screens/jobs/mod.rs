//! Jobs: what runs, what ran in this and earlier runs, and the log beneath.
//!
//! The rows are `desk::history`. Nothing here starts a job; `tui::past` does.

mod log;
mod parts;
mod state;
mod update;
mod view;

pub(crate) use parts::parts;
#[cfg(test)]
pub(crate) use state::sign;
pub(crate) use state::{Jobs, rows, running_here, selected};
pub(crate) use update::{act, is_own, point_at, settle, typed};
pub(crate) use view::view;
