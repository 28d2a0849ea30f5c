//! What is told of a row of the list: what a column holds of it, and the sentence that holds the same.

use std::fmt::{Display, Write};

use jiff::Timestamp;

use crate::desk::list::Tally;
use crate::desk::telling::Tone;
use crate::registry::Row;
use crate::rules::amount::{Form, age, counted, grouped};
use crate::rules::{Status, Verdict};

/// Missing versions: `+2`; `?` where nobody knows, and nothing where none is.
pub(crate) fn lacks(verdict: &Verdict) -> String {
    match verdict.missing {
        _ if verdict.status.is_unknown() => "?".into(),
        0 => String::new(),
        missing => format!("+{missing}"),
    }
}

/// How many need attention, how many can wait, are fine, and were not checked; they add up to all rows.
pub(crate) fn figures(tally: &Tally) -> Vec<(Tone, String)> {
    let all: u32 = tally.counts.iter().sum();
    if tally.unasked == all && all > 0 {
        return vec![(Tone::Plain, "none checked yet".into())];
    }
    let attention = tally.attention();
    let verb = if attention == 1 { "needs" } else { "need" };
    let tone = if attention > 0 { Tone::Warning } else { Tone::Plain };
    let fine = tally.counts[Status::Current as usize];
    let others = [(tally.waiting(), "can wait"), (fine, "OK"), (tally.unasked, "not checked")];
    let others = others.into_iter().filter(|(count, _)| *count > 0);
    std::iter::once((tone, format!("{} {verb} attention", grouped(attention))))
        .chain(others.map(|(count, word)| (Tone::Plain, format!("{} {word}", grouped(count)))))
        .collect()
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
