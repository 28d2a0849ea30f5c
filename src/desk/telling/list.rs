//! What is told of a row of the list: what a column holds of it, and the sentence that holds the same.

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
pub(crate) fn sentence(number: usize, address: &str, row: &Row, verdict: &Verdict, now: Timestamp) -> String {
    let mut facts = vec![format!("{number}. {} {address}", verdict.word()), row.kind().word().to_owned()];
    if verdict.missing > 0 {
        facts.push(format!("{} missing", counted(verdict.missing, "version")));
    }
    facts.extend(verdict.since.map(|since| age(since, now, Form::Spoken)));
    facts.join(", ")
}
