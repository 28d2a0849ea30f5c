//! What is told of a row of the list: what a column holds of it, and the sentence that holds the same.

use std::fmt::{Display, Write};

use jiff::Timestamp;

use crate::registry::Row;
use crate::rules::Verdict;
use crate::rules::amount::{Form, age, counted};

/// Missing versions: `+2`; `?` where nobody knows, and nothing where none is.
pub(crate) fn lacks(verdict: &Verdict) -> String {
    match verdict.missing {
        _ if verdict.status.is_unknown() => "?".into(),
        0 => String::new(),
        missing => format!("+{missing}"),
    }
}

/// `3. BEHIND newrelic/newrelic, provider, 2 versions missing, 6 hours`. The address as it is to be written.
pub(crate) fn sentence(
    number: usize,
    address: impl Display,
    row: &Row,
    verdict: &Verdict,
    now: Timestamp,
) -> String {
    let mut sentence = format!("{number}. {} {address}, {}", verdict.word(), row.kind().word());
    // Written into: whole lists are told this way.
    if verdict.missing > 0 {
        let _never_fails = write!(sentence, ", {} missing", counted(verdict.missing, "version"));
    }
    if let Some(since) = verdict.since {
        let _never_fails = write!(sentence, ", {}", age(since, now, Form::Spoken));
    }
    sentence
}
