//! The last line when a job ends, and the jobs that are started then.

use crate::desk::history::{JobKey, JobRow, JobState};
use crate::desk::intent::Intent;
use crate::desk::run::End;
use crate::desk::sending::Stage;
use crate::desk::telling::machines::{next, short};
use crate::desk::telling::stranded::decided as decided_text;
use crate::desk::telling::{backfill, verification};
use crate::jobs::data::{BackfillTask, DecideTask, Job, JobId, Outcome, SendTask, Summary, WatchPlan};
use crate::rules::actions::{Ending, RunState};
use crate::rules::amount::{counted, grouped};
use crate::tui::keymap::next_step;
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Effect;
use crate::tui::shell::work;
use crate::tui::widgets::message::Tone;

/// Tells how a verification ended. `is_shown`: the view that is seen shows it.
pub(crate) fn verified(model: &mut Model, outcome: Outcome, is_shown: bool) {
    let end = End::of(&outcome);
    let summary = match outcome {
        Outcome::Done(summary) | Outcome::Cancelled(summary) => summary,
        Outcome::Failed(_) => Summary::default(),
    };
    let Some(run) = &model.desk.run else { return };
    let next = verification::next(run, &model.desk.list).map(|next| model.text_of(&next));
    let next = match next {
        // Each has its own below the table, which a long message would cover.
        Some(_) if matches!(end, End::Done { .. }) && is_shown && run.groups.all_bad().count() > 1 => {
            "; next: below each bad one stands what you can do".into()
        }
        next => next.map(|next| format!("; {next}")).unwrap_or_default(),
    };
    let show =
        if is_shown { String::new() } else { format!(" ({} shows it)", model.key(next_step::SHOW_VERIFY)) };
    let found = verification::found(run);
    let (tone, text) = match end {
        End::Done { .. } => {
            let is_whole = run.groups.bad() == 0 && summary.gaps() == 0;
            let tone = if is_whole { Tone::Notice } else { Tone::Warning };
            // There the title says what was verified.
            let what = if is_shown {
                JobState::of(&end).word().to_lowercase()
            } else {
                format!("verified {}", run.what())
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

/// Tells how a backfill ended. `is_shown`: the view that is seen shows it.
pub(crate) fn backfilled(model: &mut Model, task: &BackfillTask, outcome: Outcome, is_shown: bool) {
    let summary = match outcome {
        Outcome::Done(summary) | Outcome::Cancelled(summary) => summary,
        Outcome::Failed(failure) => {
            return model.say(Tone::Error, model.in_keys(&failure.sentence()));
        }
    };
    let (BackfillTask::Run(_), Some(filling)) = (task, &model.desk.filling) else { return };
    let text = model.text_of(&backfill::ended(filling));
    let is_whole = summary.gaps() == 0 && filling.bad() == 0 && filling.stopped.is_none();
    let tone = if is_whole && filling.end == Some(End::Done { has_gaps: false }) {
        Tone::Notice
    } else {
        Tone::Warning
    };
    // Its limit is in the sentence already.
    let summary = Summary { limits: Vec::new(), ..summary };
    let text = if is_shown {
        text
    } else {
        format!("backfill {text}; {} shows it", model.key(next_step::SHOW_BACKFILL))
    };
    model.say(tone, summary.limited(text));
}

/// Tells that a decision is kept, or is not.
pub(crate) fn decided(model: &mut Model, task: &DecideTask, outcome: Outcome) {
    match outcome {
        Outcome::Failed(failure) => model.say(Tone::Error, model.in_keys(&failure.sentence())),
        Outcome::Done(_) | Outcome::Cancelled(_) => model.reply(decided_text(task)),
    }
}

/// Tells how a run on GitHub's machines ended that was followed.
pub(crate) fn followed(model: &mut Model, id: JobId) {
    let rows = model.desk.job_rows();
    let is_it = |row: &&JobRow<'_>| row.key == JobKey::Here(id);
    let Some(run) = rows.iter().find(is_it).and_then(|row| model.desk.machines.of(row)) else { return };
    let is_fine = run.shown.run.state == RunState::Ended(Ending::Success);
    let next = next(&run.shown).map(|message| model.text_of(&message));
    let text = [Some(short(&run.shown)), next].into_iter().flatten().collect::<Vec<_>>().join("; ");
    model.say(if is_fine { Tone::Notice } else { Tone::Warning }, text);
}

/// Tells what was put together: `put together: 1 file in the plan now; 2 shows it; 12 targets`.
pub(crate) fn merged(model: &mut Model, summary: &Summary) {
    let changes = model.key(next_step::SHOW_CHANGES);
    let shows = if summary.applied > 0 { format!("; {changes} shows it") } else { String::new() };
    let is_whole = summary.gaps() == 0 && summary.findings == 0;
    let bad = match &model.desk.machines.bad[..] {
        [] => String::new(),
        [one] => format!("; {one}"),
        [first, others @ ..] => format!("; {first} (and {} more)", others.len()),
    };
    let text = format!(
        "put together: {}{shows}{bad}; {}",
        backfill::in_plan(summary.applied),
        summary.words().join(", ")
    );
    model.say(if is_whole { Tone::Notice } else { Tone::Warning }, summary.limited(text));
}

/// Follows a pull request that was opened until it is merged and the bump after it was seen, and a run that was started.
pub(crate) fn follow_sent(model: &mut Model, job: &Job, outcome: &Outcome) -> Vec<Effect> {
    let is_sent = matches!(job, Job::Send(SendTask::Open { .. } | SendTask::Resume { .. }));
    let started = match model.desk.pull.stage(&model.desk.board) {
        // Where GitHub does not say which run it made, the newest one may be another.
        Stage::Done(sent) if is_sent => sent.course.run(),
        _ => None,
    };
    if let Some(run) = started.filter(|_| matches!(outcome, Outcome::Done(_))) {
        let intent = Intent::FollowRun(Some(run));
        return if model.desk.may(&intent).is_ok() { work::act(model, intent) } else { Vec::new() };
    }
    let number = match model.desk.pull.stage(&model.desk.board) {
        Stage::Done(sent) if is_sent && matches!(outcome, Outcome::Done(_)) => sent.course.pull(),
        _ => None,
    };
    if number.is_none() || model.desk.board.watching().is_some() {
        return Vec::new();
    }
    vec![work::start(model, Job::Watch(WatchPlan { number, once: false }))]
}
