//! A target that a backfill was about.

use serde::Serialize;

use crate::registry::Address;
use crate::rules::backfill::{FillResult, Row, State};

/// Type `fill`: what became of one target.
#[derive(Serialize)]
pub(crate) struct FillObject<'a> {
    address: &'a Address,
    version: &'a str,
    target: &'a str,
    url: &'a str,
    shasum: &'a str,
    /// `FILLED`, `DRIFT`, …, as it is shown.
    word: &'static str,
    #[serde(flatten)]
    result: &'a FillResult,
    reason: String,
}

impl<'a> FillObject<'a> {
    pub(crate) fn new(row: &'a Row, state: State) -> Self {
        Self {
            address: &row.item.address,
            version: &row.item.version,
            target: &row.item.target,
            url: &row.item.url,
            shasum: &row.item.shasum,
            word: state.word(),
            result: &row.result,
            reason: row.reason(),
        }
    }
}
