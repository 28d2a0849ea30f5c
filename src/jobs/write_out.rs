//! Writes a text that somebody wants to keep into a file of theirs.

use std::path::PathBuf;
use std::sync::Arc;

use crate::jobs::{Failure, FailureKind, Summary};
use crate::store;

/// A file that is not there yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFile {
    pub(crate) path: PathBuf,
    pub(crate) text: Arc<str>,
}

/// Whole or not at all.
pub(crate) fn write_out(file: &NewFile) -> Result<Summary, Failure> {
    store::write_new(&file.path, file.text.as_bytes()).map_err(|error| {
        Failure::new(FailureKind::Usage, format!("writing `{}`", file.path.display()))
            .cause(error.to_string())
            .hint("Name another file. Nothing was written.")
    })?;
    Ok(Summary::default())
}
