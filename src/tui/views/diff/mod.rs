//! The proposed rebuild of one entry, as the structural difference: real file lines, folds, and the path in the document.
//!
//! The lines themselves are `widgets::diff`. Nothing here starts a job or writes a file.

mod state;
mod update;
mod view;

pub(crate) use state::DiffScreen;
