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
pub(crate) use row::JobRow;
pub(crate) use row::State;
pub(crate) use row::rows;
pub(crate) use row::selected;
pub(crate) use state::Finished;
pub(crate) use state::Jobs;
pub(crate) use state::running_here;
pub(crate) use update::act;
pub(crate) use update::is_own;
pub(crate) use update::point_at;
pub(crate) use update::settle;
pub(crate) use update::typed;
pub(crate) use view::view;
