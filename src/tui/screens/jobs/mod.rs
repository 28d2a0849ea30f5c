//! Jobs: what runs, what ran in this and earlier runs, and the log beneath.
//!
//! Rows of this run know more than the journal: how far they are, which entries failed, what was asked. Nothing here
//! starts a job; `tui::past` does.

mod log;
mod parts;
mod row;
mod state;
mod update;
mod view;

pub(crate) use parts::parts;
pub(crate) use row::{JobRow, State, rows, selected};
pub(crate) use state::{Finished, Jobs, running_here};
pub(crate) use update::{act, is_own, point_at, settle, typed};
pub(crate) use view::view;
