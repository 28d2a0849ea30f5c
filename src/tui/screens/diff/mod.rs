//! The proposed rebuild of one entry, as the structural difference: real file lines, folds, and the path in the document.
//!
//! Only rows inside the window are drawn, so a 2.5 MB file costs what a small one costs. Nothing here starts a job or
//! writes a file.

mod folds;
mod state;
mod update;
mod view;

pub(crate) use state::DiffScreen;
pub(crate) use update::act;
pub(crate) use update::point_at;
pub(crate) use view::view;
