//! What commands did and found: types `applied`, `finding`, `check`.

use serde::Serialize;

use crate::cli::wire::verdict::Finding;
use crate::jobs::Applied;

/// One file of `bump`, type `applied`.
#[derive(Serialize)]
pub(crate) struct AppliedLine<'a> {
    address: String,
    path: &'a str,
    added: &'a [String],
    recorded: &'a [String],
    written: bool,
}

/// One finding of `lint`, type `finding`.
#[derive(Serialize)]
pub(crate) struct Found<'a> {
    path: &'a str,
    #[serde(flatten)]
    finding: Finding<'a>,
}

/// One line of `doctor`, type `check`.
#[derive(Serialize)]
pub(crate) struct Check<'a> {
    pub(crate) topic: &'a str,
    pub(crate) state: &'static str,
    pub(crate) text: &'a str,
    /// What to do about it; null where nothing is bad.
    pub(crate) remedy: Option<&'a str>,
}

impl<'a> AppliedLine<'a> {
    pub(crate) fn new(applied: &'a Applied) -> Self {
        Self {
            address: applied.address.to_string(),
            path: &applied.path,
            added: &applied.added,
            recorded: &applied.recorded,
            written: applied.written,
        }
    }
}

impl<'a> Found<'a> {
    pub(crate) fn new(path: &'a str, finding: &'a crate::rules::Finding) -> Self {
        Self { path, finding: Finding::new(finding) }
    }
}
