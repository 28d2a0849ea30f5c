//! What the console asks to be verified, how it steers that, and what the answers change. Nothing of
//! the registry is written: only the report, and what was learned about upstream.
//!
//! One verification runs at a time: two would share the same few downloads and the screen.

use crate::desk::history::JobState;
use crate::desk::intent::{Cancel, Intent, Steered};
use crate::desk::run::{End, Run};
use crate::desk::telling::verification;
use crate::jobs::data::{Job, Outcome, Summary, Wanted};
use crate::rules::amount::{counted, grouped};
use crate::rules::plain_text::shell_word;
use crate::rules::verify::{Listed, Row, State, Zip};
use crate::tui::keymap::{Command, ViewId};
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Effect;
use crate::tui::shell::work;
use crate::tui::widgets::message::Tone;

/// What stopping means, while it lasts.
const STOPPING: &str = "stopping: what is finished stays in the report";

/// Verifies what is meant; asks first if it is much.
pub(crate) fn ask(model: &mut Model) -> Vec<Effect> {
    if model.screen == ViewId::Inventory {
        model.views.inventory.take_range(&mut model.desk.list);
    }
    let intent = model.seen().and_then(|view| view.verification(&model.desk));
    let Some(intent) = intent else { return Vec::new() };
    let (is_again, was_cut) = (intent == Intent::VerifyAgain, model.desk.was_cut());
    let stored = match &intent {
        Intent::Verify { stored, .. } => stored.clone(),
        _ => None,
    };
    let effects = work::act(model, intent);
    let Some(Effect::Start(_, Job::Verify(plan))) = effects.first() else { return effects };
    if is_again {
        model.reply(if was_cut {
            "resumed: what is finished is not downloaded again"
        } else {
            "verifying it again"
        });
    } else if let Some(amount) = model.desk.amount(plan, stored.as_ref()) {
        let what = Wanted::summary(&plan.wanted);
        model.reply(format!("verifying {what}: {}; it only reads", amount.words()));
    }
    effects
}

/// Tells how a verification ended.
pub(crate) fn end(model: &mut Model, outcome: Outcome) {
    let end = End::of(&outcome);
    let summary = match outcome {
        Outcome::Done(summary) | Outcome::Cancelled(summary) => summary,
        Outcome::Failed(_) => Summary::default(),
    };
    let Some(run) = &model.desk.run else { return };
    let next = verification::next(run, &model.desk.list).map(|next| model.told(&next));
    let next = match next {
        // Each has its own below the table, which a long message would cover.
        Some(_)
            if matches!(end, End::Done { .. })
                && model.screen == ViewId::Verify
                && run.groups.all_bad().count() > 1 =>
        {
            "; next: below each bad one stands what you can do".into()
        }
        next => next.map(|next| format!("; {next}")).unwrap_or_default(),
    };
    let show = match model.screen {
        ViewId::Verify => String::new(),
        _ => format!(" ({} shows it)", model.key(Command::Show(ViewId::Verify))),
    };
    let found = found(run);
    let (tone, text) = match end {
        End::Done { .. } => {
            let is_whole = run.groups.bad() == 0 && summary.gaps() == 0;
            let tone = if is_whole { Tone::Notice } else { Tone::Warning };
            // There the title says what was verified.
            let what = match model.screen {
                ViewId::Verify => JobState::of(&end).word().to_lowercase(),
                _ => format!("verified {}", run.what()),
            };
            (tone, format!("{what}: {found}{show}{next}"))
        }
        End::Cancelled => {
            let (over, all) = (grouped(run.over()), counted(run.rows.len(), "archive"));
            (Tone::Warning, format!("stopped at {over} of {all}{show}{next}"))
        }
        End::Failed(failure) => (Tone::Error, model.in_keys(&failure.sentence())),
    };
    model.say(tone, summary.limited(text));
}

/// `66 OK, 1 MISMATCH, 2 SKIPPED`: what was found, the bad first.
pub(crate) fn found(run: &Run) -> String {
    let states = [
        State::Mismatch,
        State::BadSignature,
        State::Missing,
        State::Error,
        State::Ok,
        State::Skipped,
        State::Cancelled,
        State::Queued,
    ];
    let counts = states.into_iter().filter(|state| run.groups.count(*state) > 0);
    let parts: Vec<String> =
        counts.map(|state| format!("{} {}", grouped(run.groups.count(state)), state.word())).collect();
    if parts.is_empty() { "no targets".into() } else { parts.join(", ") }
}

/// Asks the verification to stop.
pub(crate) fn cancel(model: &mut Model) -> Vec<Effect> {
    let effects = work::act(model, Intent::Cancel(Cancel::Verification));
    if !effects.is_empty() {
        model.reply(STOPPING);
    }
    effects
}

pub(crate) fn pause(model: &mut Model) -> Vec<Effect> {
    let Some(run) = &model.desk.run else { return Vec::new() };
    let is_paused = !run.steer.is_paused;
    work::pause(model, Steered::Verification, is_paused)
}

/// Stops at the next bad row, or goes on through all of them.
pub(crate) fn stop_at_bad(model: &mut Model) -> Vec<Effect> {
    let Some(run) = &model.desk.run else { return Vec::new() };
    let stops = !run.stops_at_bad();
    let effects = work::act(model, Intent::StopAtBad(stops));
    if !effects.is_empty() {
        let key = model.key(Command::StopAtBad);
        model.reply(if stops {
            format!("it stops at the next bad target; {key} lets it continue")
        } else {
            "it continues past bad targets".into()
        });
    }
    effects
}

pub(crate) fn work_more(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(run) = &model.desk.run else { return Vec::new() };
    let now = run.steer.workers.unwrap_or(run.plan.workers);
    work::work_more(model, Steered::Verification, now, by)
}

/// Copies something of the row under the cursor; of rows that are told as one, what they have in common.
pub(crate) fn copy(model: &mut Model, command: Command) -> Vec<Effect> {
    let rows = model.views.verify.rows(model.desk.run.as_ref());
    let Some((row, others)) = rows.split_first() else { return Vec::new() };
    let (what, text) = match command {
        Command::CopyUrl | Command::CopyHash if !others.is_empty() => {
            let open = model.key(Command::Open);
            let rows = counted(rows.len(), "target");
            model.reply(format!("{rows} are folded here, each with its own; {open} opens them"));
            return Vec::new();
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
    model.reply(format!("copying {what}{text}"));
    vec![Effect::Copy(text)]
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

/// Copies where the report is, which is written as rows finish.
pub(crate) fn copy_report(model: &mut Model) -> Vec<Effect> {
    let report = model.desk.run.as_ref().and_then(|run| run.report.clone());
    let Some(report) = report else { return Vec::new() };
    model.reply(format!("copying the path of the report, {report}"));
    vec![Effect::Copy(report)]
}

/// What stands in the last line of Verify while there is no message.
pub(crate) fn standing(model: &Model) -> (Tone, String) {
    let Some(run) = &model.desk.run else { return (Tone::Reply, String::new()) };
    let bad = run.groups.bad();
    let rows = counted(bad, "bad target");
    let next = || verification::next(run, &model.desk.list).map(|next| model.told(&next)).unwrap_or_default();
    let bad_tone = if bad > 0 { Tone::Warning } else { Tone::Notice };
    match &run.end {
        None if model.desk.board.verifying().is_some_and(|job| job.cancelling) => {
            (Tone::Warning, STOPPING.into())
        }
        None if run.steer.is_paused => {
            (Tone::Warning, format!("paused; {} resumes", model.key(Command::Mark)))
        }
        None if bad > 0 && run.stops_at_bad() => {
            (Tone::Warning, format!("{rows} found; it stops at the next"))
        }
        None if bad > 0 => {
            let key = model.key(Command::StopAtBad);
            (Tone::Warning, format!("{rows} found; the run continues; {key} stops at the next"))
        }
        None => (Tone::Notice, run.meter.slowed.clone().unwrap_or_default()),
        Some(End::Failed(failure)) => (Tone::Error, model.in_keys(&failure.sentence())),
        Some(End::Cancelled) => (Tone::Warning, format!("stopped: {}", next())),
        Some(end) => {
            let how = JobState::of(end).word().to_lowercase();
            (bad_tone, format!("{how}: {}; {}", found(run), next()))
        }
    }
}
