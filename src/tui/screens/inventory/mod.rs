//! The Inventory: every provider and module with its bump status, filtered, sorted and marked.
//!
//! Selection and marks belong to addresses and survive filters, sorting and a new reading of the registry. Nothing here
//! starts a job; `tui::work` does.

mod filter;
mod list;
mod order;
mod preview;
mod state;
mod update;
mod view;

pub(crate) use order::Sort;
pub(crate) use state::Inventory;
pub(crate) use update::act;
pub(crate) use update::edit_filter;
pub(crate) use update::paste_into_filter;
pub(crate) use update::type_into_filter;
pub(crate) use view::view;
