//! One key of the console.

use serde::Serialize;

use crate::cli::faces::KeyRow;

/// Type `key`.
#[derive(Serialize)]
pub(crate) struct KeyLine<'a> {
    place: &'a str,
    keys: &'a str,
    name: &'static str,
    label: &'static str,
}

impl<'a> KeyLine<'a> {
    pub(crate) fn new(row: &'a KeyRow) -> Self {
        Self { place: &row.place, keys: &row.keys, name: row.name, label: row.label }
    }
}
