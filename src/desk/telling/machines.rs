//! Texts about a backfill on GitHub's machines: the state of its run, its jobs, and the next step.

use crate::desk::ability::Ability;
use crate::desk::machines::{JobLog, SAMPLE};
use crate::desk::telling::{Glyph, Message, Sign, Tone};
use crate::jobs::data::RunShown;
use crate::rules::actions::{Ending, RunState};
use crate::rules::amount::{bytes, counted};
use crate::rules::plain_text::visible;

/// The sign of a run or a job.
pub(crate) fn sign(state: &RunState) -> Sign {
    let (glyph, tone) = match state {
        RunState::Ended(Ending::Success) => (Glyph::FINE, Tone::Fine),
        RunState::Ended(Ending::Failure | Ending::TimedOut | Ending::Cancelled) => {
            (Glyph::WRONG, Tone::Wrong)
        }
        RunState::Ended(Ending::Skipped) => (Glyph::NOTE, Tone::Warning),
        RunState::Running => (Glyph::UNDER_WAY, Tone::Late),
        RunState::Queued | RunState::WaitsForApproval => (Glyph::WAITS, Tone::Quiet),
        RunState::Other(_) | RunState::Ended(Ending::Otherwise) => (Glyph::UNKNOWN, Tone::Error),
    };
    let word = match state {
        RunState::Queued => "QUEUED",
        RunState::WaitsForApproval => "WAITS",
        RunState::Running => "RUNNING",
        RunState::Ended(Ending::Success) => "DONE",
        RunState::Ended(Ending::Failure) => "FAILED",
        RunState::Ended(Ending::TimedOut) => "TIMED OUT",
        RunState::Ended(Ending::Cancelled) => "CANCELLED",
        RunState::Ended(Ending::Skipped) => "SKIPPED",
        RunState::Other(_) | RunState::Ended(Ending::Otherwise) => "UNKNOWN",
    };
    glyph.sign(word, tone)
}

/// `run 7, attempt 2, by ann: 3 of 5 jobs are over, 1 failed`.
pub(crate) fn run(shown: &RunShown) -> String {
    let (over, bad) = shown.counts();
    let bad = if bad > 0 { format!(", {bad} failed") } else { String::new() };
    let run = &shown.run;
    let is = if over == 1 || shown.jobs.len() == 1 { "is" } else { "are" };
    format!(
        "run {}, attempt {}, by {}: {over} of {} {is} over{bad}",
        run.id,
        run.attempt,
        visible(&run.actor),
        counted(shown.jobs.len(), "job")
    )
}

/// The heading of the jobs: `run 7 on GitHub's machines, attempt 2: 3 jobs`.
pub(crate) fn heading(shown: &RunShown) -> String {
    let run = &shown.run;
    let attempt = if run.attempt > 1 { format!(", attempt {}", run.attempt) } else { String::new() };
    format!("run {} on GitHub's machines{attempt}: {}", run.id, counted(shown.jobs.len(), "job"))
}

/// The number and size of the artifacts: `2 artifacts, 3.1 KB`.
pub(crate) fn kept(shown: &RunShown) -> Option<String> {
    let size: u64 = shown.artifacts.iter().map(|one| one.size_bytes).sum();
    let count = shown.artifacts.len();
    (count > 0).then(|| format!("{}, {}", counted(count, "artifact"), bytes(size)))
}

/// The artifacts of a run, by name.
pub(crate) fn artifacts(shown: &RunShown) -> Option<String> {
    let mut names: Vec<String> = shown.artifacts.iter().map(|one| visible(&one.name).into_owned()).collect();
    // GitHub lists what was kept first before the others.
    names.sort();
    kept(shown).map(|kept| format!("kept {kept}: {}", names.join(", ")))
}

/// The next step for a run.
pub(crate) fn next(shown: &RunShown) -> Option<Message> {
    let run = &shown.run;
    let id = run.id;
    match &run.state {
        RunState::WaitsForApproval => {
            Some(Message::of(format!("it needs an approval on GitHub: {}", visible(&run.url))))
        }
        RunState::Other(word) => Some(Message::of(format!(
            "what GitHub says of it is not known here ({}): look at {}",
            visible(word),
            visible(&run.url)
        ))),
        RunState::Queued | RunState::Running => {
            Some(Message::default().step(Ability::FollowRun.number(id), "waits for its end"))
        }
        RunState::Ended(Ending::Success) => Some(
            Message::default()
                .step(Ability::MergeRun.number(id), "checks what it found and puts it into the plan"),
        ),
        RunState::Ended(_) => {
            let again = Message::default()
                .step(Ability::RerunRun.number(id), "shows what would run what failed once more")
                .step(Ability::ReadRunLogs.number(id), "says why");
            shown.failed().next().is_some().then_some(again)
        }
    }
}

/// The question before the results of a run are merged into the plan.
pub(crate) fn merges(run: u64) -> Vec<String> {
    vec![
        format!(
            "What run {run} found is fetched, share by share; each is checked against the plan that the run was started with, and against the registry here."
        ),
        format!(
            "The archives of {SAMPLE} of its targets, drawn by lot, are downloaded, and their h1 is computed again here."
        ),
        "What holds goes into the plan. No data file is written.".into(),
    ]
}

/// The text that [`read_shares`] takes.
pub(crate) const MANY: &str = "how many share it, as a number";

/// Parses the number of machines.
pub(crate) fn read_shares(text: &str) -> Result<usize, String> {
    text.trim().parse().map_err(|_| format!("write {MANY}"))
}

/// `log of share 2 of 2, 12 lines above are left out`.
pub(crate) fn log_title(log: &JobLog) -> String {
    let left =
        if log.left_out > 0 { format!(", {} lines above are left out", log.left_out) } else { String::new() };
    format!("log of {}{left}", visible(&log.name))
}

/// The lines of a log, or a line that explains why there are none.
pub(crate) fn log_lines(log: &JobLog) -> Vec<String> {
    if log.lines.is_empty() {
        return vec!["GitHub has no log of it: a job has one once it has ended".to_owned()];
    }
    log.lines.iter().map(|line| visible(line).into_owned()).collect()
}

/// The run in short: `run 7 is done, 3 jobs`, `run 7 failed, 1 of 3 jobs`.
pub(crate) fn short(shown: &RunShown) -> String {
    let (id, word) = (shown.run.id, shown.run.state.word());
    let (over, bad) = shown.counts();
    let jobs = counted(shown.jobs.len(), "job");
    match &shown.run.state {
        RunState::Ended(Ending::Failure) => format!("run {id} failed, {bad} of {jobs}"),
        RunState::Ended(Ending::TimedOut) => format!("run {id} timed out, {bad} of {jobs}"),
        RunState::Ended(_) => format!("run {id} is {word}, {jobs}"),
        _ => format!("run {id}: {word}, {over} of {jobs} over"),
    }
}
