//! Controls of the running verification, the texts to copy, the status line, and the message at its end.

use crate::desk::ability::Ability;
use crate::desk::intent::{Cancel, Intent};
use crate::desk::run::End;
use crate::desk::telling::verification;
use crate::jobs::data::Outcome;
use crate::rules::amount::{counted, grouped};
use crate::rules::plain_text::shell_word;
use crate::rules::verify::{Listed, Row, Zip};
use crate::tui::keymap::{Command, next_step};
use crate::tui::views::verify::state::Verify;
use crate::tui::views::{ActionContext, View, ViewContext, ViewRequest};
use crate::tui::widgets::message::Tone;

/// The message while the verification stops.
const STOPPING: &str = "stopping: what is finished stays in the report";

/// Lets the verification stop at the next bad row, or continue past it.
pub(super) fn stop_at_bad(context: &mut ActionContext<'_>) {
    let Some(run) = &context.desk.run else { return };
    let stops = !run.stops_at_bad();
    let says = if stops {
        let key = context.paint.key(Ability::StopAtBad);
        format!("it stops at the next bad target; {key} lets it continue")
    } else {
        "it continues past bad targets".to_owned()
    };
    context.request(ViewRequest::ActAndSay(Intent::StopAtBad(stops), says));
}

/// Asks the verification to stop.
pub(super) fn cancel(context: &mut ActionContext<'_>) {
    context.request(ViewRequest::ActAndSay(Intent::Cancel(Cancel::Verification), STOPPING.to_owned()));
}

/// Copies the path of the report, which is written as rows finish.
pub(super) fn copy_report(context: &mut ActionContext<'_>) {
    let report = context.desk.run.as_ref().and_then(|run| run.report.clone());
    if let Some(report) = report {
        context.copy("the path of the report, ", report);
    }
}

/// Copies a text about the row under the cursor; for a group, a text that its rows share.
pub(super) fn copy(verify: &Verify, context: &mut ActionContext<'_>, command: Command) {
    let rows = verify.rows(context.desk.run.as_ref());
    let Some((row, others)) = rows.split_first() else { return };
    let (words, text) = match command {
        Command::CopyUrl | Command::CopyHash if !others.is_empty() => {
            let open = context.paint.key(Command::Open);
            let rows = counted(rows.len(), "target");
            return context.reply(format!("{rows} are folded here, each with its own; {open} opens them"));
        }
        Command::CopyUrl => ("", row.url.clone()),
        Command::CopyHash => match (&row.zip, &row.listed) {
            (Zip::Hashed(computed), _) => ("the zip's checksum today, ", computed.sha256.clone()),
            (_, Listed::Sum { sum }) => ("the checksum that SHA256SUMS lists today, ", sum.clone()),
            _ => ("the stored checksum, ", row.stored.shasum.clone()),
        },
        Command::CopyLine => ("", command_line(&rows)),
        _ => ("", row.address.to_string()),
    };
    context.copy(words, text);
}

/// The command that verifies rows of one entry.
fn command_line(rows: &[&Row]) -> String {
    let mut versions: Vec<&Row> = rows.to_vec();
    versions.dedup_by_key(|row| &row.version);
    let versions = versions.iter().map(|row| shell_word(&format!("{}@{}", row.address, row.version)));
    let versions = versions.collect::<Vec<_>>().join(" ");
    let mut targets: Vec<&str> = rows.iter().map(|row| row.target.as_str()).collect();
    targets.sort_unstable();
    targets.dedup();
    format!("bumpdesk verify {versions} --targets {}", shell_word(&targets.join(",")))
}

/// The last line while there is no message.
pub(super) fn status(verify: &Verify, context: &ViewContext<'_>) -> (Tone, String) {
    let desk = context.desk;
    let Some(run) = &desk.run else { return (Tone::Reply, String::new()) };
    let bad = run.groups.bad();
    let rows = counted(bad, "bad target");
    let next = || {
        let next = verification::next(run, &desk.list);
        next.map(|next| verify.text_of(&context.paint, &next)).unwrap_or_default()
    };
    let bad_tone = if bad > 0 { Tone::Warning } else { Tone::Notice };
    match &run.end {
        None if desk.board.verifying().is_some_and(|job| job.cancelling) => (Tone::Warning, STOPPING.into()),
        None if run.steer.is_paused => {
            (Tone::Warning, format!("paused; {} resumes", context.key(Ability::PauseVerification)))
        }
        None if bad > 0 && run.stops_at_bad() => {
            (Tone::Warning, format!("{rows} found; it stops at the next"))
        }
        None if bad > 0 => {
            let key = context.key(Ability::StopAtBad);
            (Tone::Warning, format!("{rows} found; the run continues; {key} stops at the next"))
        }
        None => (Tone::Notice, run.meter.slowed.clone().unwrap_or_default()),
        Some(End::Failed(failure)) => (Tone::Error, verify.in_keys(&context.paint, &failure.sentence())),
        Some(End::Cancelled) => (Tone::Warning, format!("stopped: {}", next())),
        // The title and the counts say the rest.
        Some(_) => (bad_tone, next()),
    }
}

/// Reports how the verification ended.
pub(super) fn report_end(verify: &Verify, context: &mut ActionContext<'_>, outcome: &Outcome) {
    let Some(run) = &context.desk.run else { return };
    let (summary, is_done) = match outcome {
        Outcome::Done(summary) => (summary, true),
        Outcome::Cancelled(summary) => (summary, false),
        Outcome::Failed(failure) => return context.fail(failure),
    };
    let next = verification::next(run, &context.desk.list);
    let next = match next.map(|next| verify.text_of(&context.paint, &next)) {
        // Each has its own below the table, which a long message would cover.
        Some(_) if is_done && context.is_seen && run.groups.all_bad().count() > 1 => {
            format!("{} shows what to do about each bad line", context.paint.key(Command::OtherPane))
        }
        next => next.unwrap_or_default(),
    };
    let show = if context.is_seen {
        String::new()
    } else {
        format!(" ({} shows it)", context.paint.key(next_step::SHOW_VERIFY))
    };
    let (tone, text) = if is_done {
        let is_whole = run.groups.bad() == 0 && summary.gaps() == 0;
        let tone = if is_whole { Tone::Notice } else { Tone::Warning };
        // The view says what was verified, and what was found.
        let text = if context.is_seen {
            next
        } else {
            format!("verified {}: {}{show}; {next}", run.what(), verification::found(run))
        };
        (tone, text)
    } else {
        let (over, all) = (grouped(run.over()), counted(run.rows.len(), "archive"));
        (Tone::Warning, format!("stopped at {over} of {all}{show}; {next}"))
    };
    context.report(tone, summary.limited(text));
}
