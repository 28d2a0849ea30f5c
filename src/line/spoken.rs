//! Rows, lengths and outcomes the way that they are read aloud: one fact a line, signs as words.

use jiff::Timestamp;

use crate::desk::telling::entry::YOU_CAN;
use crate::desk::telling::job::Gauge;
use crate::desk::telling::list::sentence;
use crate::desk::telling::planned::{next, seen};
use crate::jobs::data::{Failure, Progress, Summary};
use crate::line::words;
use crate::print::output::Line;
use crate::print::text;
use crate::registry::{Address, Row};
use crate::rules::Verdict;
use crate::rules::amount::Form;
use crate::rules::plan::PlannedFile;

/// `newrelic slash newrelic`.
pub(crate) fn address(address: &Address) -> String {
    slashes(&address.to_string())
}

/// Addresses in a text the way that they are read aloud.
pub(crate) fn slashes(text: &str) -> String {
    text.replace('/', " slash ")
}

/// Turns an address that [`address`] made back into its own form.
pub(crate) fn unspoken(text: &str) -> String {
    text.replace(" slash ", "/")
}

/// `3. BEHIND newrelic slash newrelic, provider, 2 versions missing, 6 hours, marked`.
pub(crate) fn row(number: usize, now: Timestamp, row: &Row, verdict: &Verdict, marked: bool) -> Line {
    let text = sentence(number, address(&row.address), row, verdict, now);
    Line::of(if marked { format!("{text}, marked") } else { text })
}

/// `1. TO REVIEW newrelic slash newrelic, ADDITIVE, 0 of 2 changes looked at`, and what is to be done next.
pub(crate) fn planned(number: usize, file: &PlannedFile) -> Vec<Line> {
    let facts = format!(
        "{number}. {} {}, {}, {}",
        file.state.word(),
        address(&file.address),
        file.class.word(),
        seen(file, Form::Spoken)
    );
    let next = next(file);
    vec![Line::of(facts), Line::of(format!("file {number}, {}: {}", next.label.spoken, next.text))]
}

/// A failure with its causes and the way out.
pub(crate) fn failure(failure: &Failure) -> Vec<Line> {
    let first = failure.causes.first().map(|cause| format!(": {cause}")).unwrap_or_default();
    let mut lines = vec![error(&format!("{}{first}", failure.doing))];
    lines.extend(failure.causes.iter().skip(1).map(|cause| Line::of(format!("because: {cause}"))));
    let hint = failure.hint.as_ref().map(|hint| words::in_words(hint));
    lines.extend(hint.map(|hint| Line::of(format!("{}: {hint}", YOU_CAN.spoken))));
    lines
}

/// A line about an error, or about an action that is not possible.
pub(crate) fn error(text: &str) -> Line {
    Line::of(format!("error: {text}"))
}

/// A line about work that begins or continues.
pub(crate) fn now(text: &str) -> Line {
    Line::of(format!("now: {text}"))
}

/// A line about work that is over.
pub(crate) fn done(text: &str) -> Line {
    Line::of(format!("done: {text}"))
}

/// The progress of a job.
pub(crate) fn progress(progress: &Progress) -> Line {
    now(&Gauge::sentence(progress))
}

/// The end of a job with its figures.
pub(crate) fn summary(what: &str, summary: &Summary) -> Vec<Line> {
    let figures = text::figures(summary).join(", ");
    let figures = if figures.is_empty() { figures } else { format!(": {figures}") };
    let mut lines = vec![done(&format!("{what}{figures}"))];
    lines.extend(summary.limits.iter().map(|limit| Line::of(format!("limit: {limit}"))));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_words() {
        let module = Address::parse("a/vpc/aws").unwrap();
        assert_eq!(address(&module), "a slash vpc slash aws");
        assert_eq!(unspoken(&address(&module)), "a/vpc/aws");
    }
}
