//! One verified target, and what a verification came to. The shape of a row is that of a report's line.

use serde::Serialize;

use crate::rules::verify::{Answers, Row, State, Tally};

/// Type `target`: what was observed, and what follows from it.
#[derive(Serialize)]
pub(crate) struct TargetLine<'a> {
    state: State,
    answers: Answers,
    /// `equal`, `re-uploaded`, `upstream-broken` or `unknown`.
    case: &'static str,
    /// In words; null where everything is as it should be.
    reading: Option<String>,
    /// `assets are newer than the index entry by 2 h 20 min`.
    newer_by: Option<String>,
    steps: Vec<&'static str>,
    #[serde(flatten)]
    row: &'a Row,
}

impl<'a> TargetLine<'a> {
    pub(crate) fn new(row: &'a Row) -> Self {
        Self {
            state: row.state(),
            answers: row.answers(),
            case: row.case().word(),
            reading: row.reading(),
            newer_by: row.newer_by(),
            steps: row.steps(),
            row,
        }
    }
}

/// Further fields of the outcome.
#[derive(Serialize)]
pub(crate) struct Verified<'a> {
    /// Where the report is; null if the run ended before there was one.
    pub(crate) report: Option<&'a str>,
    /// Archives that an earlier run of the same question had hashed.
    pub(crate) kept: usize,
    pub(crate) tally: Tally,
}
