//! Writes a text into a file that the user names.

use crate::jobs::data::{Failure, FailureKind, NewFile, Summary};
use crate::store;

/// Whole or not at all.
pub(crate) fn write_out(file: &NewFile) -> Result<Summary, Failure> {
    store::write_new(&file.path, file.text.as_bytes()).map_err(|error| {
        Failure::new(FailureKind::Usage, format!("writing `{}`", file.path.display()))
            .cause(error.to_string())
            .hint("Name another file. Nothing was written.")
    })?;
    Ok(Summary::default())
}
