//! Rows, lengths and outcomes the way that they are read aloud: one fact a line, signs as words.

use jiff::Timestamp;

use crate::jobs::{Failure, Progress, Summary};
use crate::print::output::Line;
use crate::print::text;
use crate::registry::{Address, Row};
use crate::rules::Verdict;
use crate::rules::amount::{Form, age, between, counted, grouped, percent};
use crate::rules::plan::{FileState, PlannedFile};

/// `newrelic slash newrelic`.
pub(crate) fn address(address: &Address) -> String {
    slashes(&address.to_string())
}

/// Addresses in a text the way that they are read aloud.
pub(crate) fn slashes(text: &str) -> String {
    text.replace('/', " slash ")
}

/// What [`address`] made, back in its own form.
pub(crate) fn unspoken(text: &str) -> String {
    text.replace(" slash ", "/")
}

/// `3. BEHIND newrelic slash newrelic, provider, 2 versions missing, 6 hours`.
pub(crate) fn row(number: usize, now: Timestamp, row: &Row, verdict: &Verdict, marked: bool) -> Line {
    let mut facts =
        vec![format!("{number}. {} {}", verdict.word(), address(&row.address)), row.kind().word().to_owned()];
    if verdict.missing > 0 {
        facts.push(format!("{} missing", counted(verdict.missing, "version")));
    }
    if let Some(since) = verdict.since {
        facts.push(age(since, now, Form::Spoken));
    }
    if marked {
        facts.push("marked".into());
    }
    Line::of(facts.join(", "))
}

/// `1. TO REVIEW newrelic slash newrelic, ADDITIVE, 2 changes, 0 looked at`, and what is to be done next.
pub(crate) fn planned(number: usize, file: &PlannedFile) -> Vec<Line> {
    let facts = format!(
        "{number}. {} {}, {}, {}, {} looked at",
        file.state.word(),
        address(&file.address),
        file.class.word(),
        counted(file.pieces.len(), "change"),
        file.seen()
    );
    let mut lines = vec![Line::of(facts)];
    if file.state != FileState::Approved {
        lines.push(Line::of(format!("file {number}, next: {}", file.next_step())));
    }
    lines
}

/// A failure with its causes and the way out.
pub(crate) fn failure(failure: &Failure) -> Vec<Line> {
    let first = failure.causes.first().map(|cause| format!(": {cause}")).unwrap_or_default();
    let mut lines = vec![error(&format!("{}{first}", failure.doing))];
    lines.extend(failure.causes.iter().skip(1).map(|cause| Line::of(format!("because: {cause}"))));
    lines.extend(failure.hint.iter().map(|hint| Line::of(format!("you can: {hint}"))));
    lines
}

/// What went wrong, or cannot be done.
pub(crate) fn error(text: &str) -> Line {
    Line::of(format!("error: {text}"))
}

/// What begins or goes on.
pub(crate) fn now(text: &str) -> Line {
    Line::of(format!("now: {text}"))
}

/// What is over.
pub(crate) fn done(text: &str) -> Line {
    Line::of(format!("done: {text}"))
}

/// `reading tags and feeds, 20 of 61, 32 percent`.
pub(crate) fn progress(progress: &Progress) -> Line {
    let mut facts = vec![progress.phase.word().to_owned()];
    if progress.total > 0 {
        facts.push(format!("{} of {}", grouped(progress.done), grouped(progress.total)));
        facts.push(format!("{} percent", percent(progress.done, progress.total)));
    } else if progress.done > 0 {
        facts.push(grouped(progress.done));
    }
    if progress.failed > 0 {
        facts.push(format!("{} not read", grouped(progress.failed)));
    }
    if let Some(left) = progress.left {
        facts.push(format!("{} left", between(left, Form::Spoken)));
    }
    if let Some(waiting) = &progress.waiting {
        facts.push(format!("waiting, {waiting}"));
    }
    now(&facts.join(", "))
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
