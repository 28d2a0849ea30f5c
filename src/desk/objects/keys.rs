//! The keys on file for an entry, inside of it.

use serde::Serialize;

use crate::rules::signature::{Fares, Mark, Matrix};
use crate::rules::{KeyLine, KeyPreview, KeySheet};

/// The field `keys`.
#[derive(Serialize)]
pub(crate) struct Keys<'a> {
    on_file: &'a [KeyLine],
    /// The result for all versions in sentences; null if no signature was read.
    summary: Option<Vec<String>>,
    /// Versions against keys, newest first; null if no signature was read.
    versions: Option<Vec<VersionKeys<'a>>>,
    /// What a key that is not on file would change.
    with_key: Option<WithKey<'a>>,
}

#[derive(Serialize)]
struct VersionKeys<'a> {
    version: &'a str,
    /// What a client does.
    fares: Fares,
    text: String,
    /// The keys that have to do with it.
    keys: Vec<Cell<'a>>,
}

#[derive(Serialize)]
struct Cell<'a> {
    key_id: &'a str,
    on_file: bool,
    mark: Mark,
}

#[derive(Serialize)]
struct WithKey<'a> {
    key_ids: &'a [String],
    text: String,
    verifies: &'a [String],
    stops: Vec<&'a str>,
    starts: &'a [String],
    unknown: Vec<&'a str>,
}

impl<'a> Keys<'a> {
    pub(crate) fn new(sheet: &'a KeySheet) -> Self {
        let matrix = sheet.matrix.as_ref();
        Self {
            on_file: &sheet.keys,
            summary: matrix.map(Matrix::text),
            versions: matrix.map(versions),
            with_key: sheet.preview.as_ref().map(WithKey::new),
        }
    }
}

impl<'a> WithKey<'a> {
    fn new(preview: &'a KeyPreview) -> Self {
        let changes = &preview.preview;
        Self {
            key_ids: &preview.key_ids,
            text: preview.text(),
            verifies: &changes.verified_by_it,
            stops: changes.stops.iter().map(|stop| stop.version.as_str()).collect(),
            starts: &changes.starts,
            unknown: changes.unknown.iter().map(|one| one.version.as_str()).collect(),
        }
    }
}

fn versions(matrix: &Matrix) -> Vec<VersionKeys<'_>> {
    let rows = matrix.rows.iter().map(|row| VersionKeys {
        version: &row.version,
        fares: row.fares(),
        text: row.text(),
        keys: matrix
            .columns
            .iter()
            .zip(&row.cells)
            .filter_map(|(column, cell)| {
                let on_file = column.file.is_some();
                Some(Cell { key_id: &column.key_id, on_file, mark: (*cell)? })
            })
            .collect(),
    });
    rows.collect()
}
