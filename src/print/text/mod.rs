//! The words for people: one fact a line, data to standard output, talk to standard error.
//!
//! Makes lines and leaves colour and the sanitiser to [`crate::print::output`]. Decides nothing: status words and what they
//! mean come from the ladder.

mod diff;
mod jobs;
mod list;
mod lock;
mod machines;
mod plan;
mod pull;
mod review;
mod show;
mod stranded;
mod triage;
mod verify;
mod watch;

use crate::boot::Ui;
use crate::desk::ability::NextStep;
use crate::desk::telling::entry::gravity;
use crate::desk::telling::{Fact, Sign};
use crate::jobs::data::{Applied, Failure, Judgement, Outcome, Summary};
use crate::print::output::{Line, Output};
use crate::rules::amount::{Form, grouped};
use crate::rules::{Class, Finding, Status};

pub(crate) use diff::{proposal, structure};
pub(crate) use jobs::{jobs, log_line};
pub(crate) use list::{csv, rows};
pub(crate) use lock::{checked, steps, whom};
pub(crate) use machines::run;
pub(crate) use plan::{plan_head, planned};
pub(crate) use pull::{gates, prepared};
pub(crate) use review::{differences, listed_review, patch, reviewed};
pub(crate) use show::entry;
pub(crate) use stranded::{card as stranded_card, cards as stranded};
pub(crate) use triage::{listed_triage, triaged};
pub(crate) use verify::{verified, verified_facts};
pub(crate) use watch::{listed, watched};

/// The form of amounts: plain mode is read aloud.
pub(crate) fn form(ui: &Ui) -> Form {
    if ui.plain { Form::Spoken } else { Form::Short }
}

/// Adds a sign of the desk: glyph and word, or the word alone in plain mode.
pub(crate) fn sign(line: Line, ui: &Ui, sign: &Sign) -> Line {
    let glyph = if ui.ascii { sign.ascii } else { sign.glyph };
    let text = if ui.plain { sign.word.clone() } else { format!("{glyph} {}", sign.word) };
    line.toned(sign.tone, text)
}

/// A fact: its label in so many cells, or before a colon where it is read aloud. `None` if it has no text, and no next step
/// that has a name here.
pub(crate) fn fact(
    ui: &Ui,
    cells: usize,
    fact: &Fact,
    name: impl Fn(&NextStep) -> Option<String>,
) -> Option<Line> {
    let told = fact.text_with(name)?;
    let label = fact.label.form(form(ui));
    let line = Line::of(if ui.plain { format!("{label}: ") } else { format!("{label:<cells$}") });
    let line = match &fact.sign {
        Some(sign) => self::sign(line, ui, sign).text(" "),
        None => line,
    };
    Some(line.text(told).hanging(if ui.plain { 0 } else { cells }))
}

/// Glyph and word of a class; plain mode has the word alone.
pub(crate) fn class(ui: &Ui, class: Class) -> String {
    if ui.plain { class.word().to_owned() } else { format!("{} {}", class.glyph(), class.word()) }
}

/// The line of one judged entry: status, address, why.
pub(crate) fn judged(ui: &Ui, judgement: &Judgement) -> Line {
    let verdict = &judgement.verdict;
    sign(Line::default(), ui, &Sign::verdict(verdict))
        .text(format!(" {}: {}", judgement.address, verdict.because.text))
        .hanging(2)
}

/// The number of entries with each status, in the order of lists.
pub(crate) fn counts(ui: &Ui, statuses: &[Status]) -> Vec<Line> {
    let line = |word: Status| {
        let of_word = || statuses.iter().filter(|one| one.word() == word.word());
        let gravest = of_word().min_by_key(|one| one.rank())?;
        let count = grouped(of_word().count() as u64);
        Some(sign(Line::default(), ui, &Sign::status(*gravest)).text(format!(" {count}")))
    };
    Status::words().filter_map(line).collect()
}

/// The line of one rewritten file.
pub(crate) fn applied(applied: &Applied) -> Line {
    let mut parts = Vec::new();
    if !applied.added.is_empty() {
        parts.push(format!("added {}", applied.added.join(", ")));
    }
    if !applied.recorded.is_empty() {
        parts.push(format!("recorded the failed try of {}", applied.recorded.join(", ")));
    }
    if parts.is_empty() {
        parts.push("rewritten as the registry's own writer would".into());
    }
    let verb = if applied.written { "wrote" } else { "would write" };
    Line::of(format!("{verb} {}: {}", applied.path, parts.join("; ")))
}

/// The line of one finding.
pub(crate) fn finding(line: Line, finding: &Finding) -> Line {
    let version = finding.version.as_ref().map(|version| format!("{version}: ")).unwrap_or_default();
    line.toned(gravity(finding.severity), finding.severity.name())
        .text(format!(" {} {version}{}", finding.rule, finding.text))
        .hanging(4)
}

/// The last words of a command, on standard error.
pub(crate) fn tell_outcome(output: &mut Output<'_>, command: &str, outcome: &Outcome) {
    match outcome {
        Outcome::Failed(failure) => tell_failure(output, failure),
        Outcome::Done(summary) => tell_summary(output, command, "done", summary),
        Outcome::Cancelled(summary) => {
            tell_summary(
                output,
                command,
                "cancelled; what was read is kept, and the same command continues",
                summary,
            );
        }
    }
}

/// A failure with all its causes and the way out.
pub(crate) fn tell_failure(output: &mut Output<'_>, failure: &Failure) {
    let plain = output.ui.plain;
    let first = failure.causes.first().map(|cause| format!(": {cause}")).unwrap_or_default();
    let prefix = if plain { "error:" } else { "bumpdesk:" };
    output.note(&format!("{prefix} {}{first}", failure.doing));
    for cause in failure.causes.iter().skip(1) {
        output.note(&format!("  because {cause}"));
    }
    if let Some(hint) = &failure.hint {
        output.note(&format!("  {hint}"));
    }
}

/// The figures of a job: `61 entries`, `120 requests`; figures that are zero are left out.
pub(crate) fn figures(summary: &Summary) -> Vec<String> {
    summary.words()
}

fn tell_summary(output: &mut Output<'_>, command: &str, end: &str, summary: &Summary) {
    let parts = figures(summary);
    if !parts.is_empty() || end != "done" {
        let prefix = if output.ui.plain { "done:" } else { "bumpdesk:" };
        let figures = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
        output.note(&format!("{prefix} {command} {end}{figures}"));
    }
    if summary.is_all_fresh() {
        output.note("  --max-age 0 asks all the same");
    }
    for limit in &summary.limits {
        output.note(&format!("  {limit}"));
    }
}

#[cfg(test)]
pub(crate) mod tests;
