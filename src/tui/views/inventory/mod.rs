//! The Inventory: every provider and module with its bump status, filtered, sorted, grouped and marked.
//!
//! Selection and marks belong to addresses. They survive filters, sorting and reading the registry again.
//! Nothing here starts a job; the shell does.

mod attention;
mod availability;
mod filter;
mod folds;
mod legend;
mod lines;
mod list;
mod marks;
mod menu;
mod note;
mod preview;
mod state;
mod title;
mod update;
mod view;
mod views;
mod views_view;

pub(crate) use state::Inventory;
pub(crate) use views::{Listed, ViewList, act as view_list};
pub(crate) use views_view::{drop_view as draw_drop_view, list as draw_views};
