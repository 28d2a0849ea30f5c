//! A verified target.

use serde::Serialize;

use crate::rules::verify::{Answers, Row, State};

/// Type `target`: what was observed, and what follows from it.
#[derive(Serialize)]
pub(crate) struct TargetObject<'a> {
    state: State,
    answers: Answers,
    /// `equal`, `re-uploaded`, `upstream-broken` or `unknown`.
    case: &'static str,
    /// In words; null where everything is as it should be.
    reading: Option<String>,
    /// `uploaded 2 h 20 min after it was indexed`.
    newer_by: Option<String>,
    steps: Vec<&'static str>,
    #[serde(flatten)]
    row: &'a Row,
}

impl<'a> TargetObject<'a> {
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
