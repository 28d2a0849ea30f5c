//! Triage: the lines of a plan, and the answer to each line.

use std::path::PathBuf;

use crate::rules::triage::Triage;

/// Lines as they were typed, one question each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriagePlan {
    pub(crate) lines: Vec<String>,
    /// More of them, one a line.
    pub(crate) list: Option<TriageList>,
}

/// The place that a list is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TriageList {
    File(PathBuf),
    Input,
}

impl TriagePlan {
    /// One line.
    pub(crate) fn of(line: &str) -> Self {
        Self { lines: vec![line.to_owned()], list: None }
    }
}

/// The answer to a line. A line that names an issue may have several answers; the answers of a list come in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Triaged {
    /// The index of the line, from 0.
    pub(crate) line: usize,
    pub(crate) answer: TriageAnswer,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TriageAnswer {
    /// The part that the registry's files give, while the rest is being read. Only for a line that is alone.
    First(Triage),
    Whole(Triage),
    /// Why it is no question: it is no address, or its issue names none.
    NotUnderstood {
        typed: String,
        why: String,
    },
    /// Why the issue that it names could not be read.
    Unread {
        typed: String,
        why: String,
    },
}
