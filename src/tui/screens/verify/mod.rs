//! Verify: what a verification finds, target by target, while it happens.
//!
//! The bad rows stand on top and stay there; the cursor stays on its row wherever that goes. Nothing here starts, stops or
//! steers a job; `tui::verifying` does.

mod detail;
mod gauges;
mod order;
mod parts;
mod state;
mod table;
mod update;
mod view;

pub(crate) use parts::page;
pub(crate) use parts::parts;
pub(crate) use state::End;
pub(crate) use state::Run;
pub(crate) use state::Verify;
pub(crate) use update::act;
pub(crate) use update::is_own;
pub(crate) use update::point_at;
pub(crate) use update::settle;
pub(crate) use view::view;
