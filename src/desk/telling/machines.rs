//! A backfill on GitHub's machines, told: how its run stands, its jobs, and what comes next.

use crate::desk::telling::{Glyph, Sign, Tone};
use crate::jobs::RunShown;
use crate::rules::actions::{Ending, RunState};
use crate::rules::amount::{bytes, counted};
use crate::rules::plain_text::visible;

/// How a run or a job stands.
pub(crate) fn sign(state: &RunState) -> Sign {
    let (glyph, tone) = match state {
        RunState::Ended(Ending::Success) => (Glyph::FINE, Tone::Fine),
        RunState::Ended(Ending::Failure | Ending::TimedOut | Ending::Cancelled) => {
            (Glyph::WRONG, Tone::Wrong)
        }
        RunState::Ended(Ending::Skipped) => (Glyph::NOTE, Tone::Warning),
        RunState::Queued | RunState::WaitsForApproval | RunState::Running => (Glyph::WAITS, Tone::Quiet),
        RunState::Other(_) => (Glyph::UNKNOWN, Tone::Error),
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
        RunState::Other(_) => "UNKNOWN",
    };
    glyph.sign(word, tone)
}

/// `run 7, attempt 2, by ann: 3 of 5 jobs are over, 1 failed`.
pub(crate) fn run(shown: &RunShown) -> String {
    let (over, bad) = shown.counts();
    let bad = if bad > 0 { format!(", {bad} failed") } else { String::new() };
    let run = &shown.run;
    let is = if over == 1 { "is" } else { "are" };
    format!(
        "run {}, attempt {}, by {}: {over} of {} {is} over{bad}",
        run.id,
        run.attempt,
        visible(&run.actor),
        counted(shown.jobs.len(), "job")
    )
}

/// What it has kept: `2 artifacts, 3.1 KB`.
pub(crate) fn kept(shown: &RunShown) -> Option<String> {
    let size: u64 = shown.artifacts.iter().map(|one| one.size_bytes).sum();
    let count = shown.artifacts.len();
    (count > 0).then(|| format!("{}, {}", counted(count, "artifact"), bytes(size)))
}

/// What to do about it.
pub(crate) fn next(shown: &RunShown) -> Option<String> {
    let run = &shown.run;
    let id = run.id;
    match &run.state {
        RunState::WaitsForApproval => Some(format!("it needs an approval: {}", visible(&run.url))),
        RunState::Other(word) => Some(format!(
            "what GitHub says of it is not known here ({}): look at {}",
            visible(word),
            visible(&run.url)
        )),
        RunState::Queued | RunState::Running => {
            Some(format!("`bumpdesk backfill status --run {id} --follow` waits for its end"))
        }
        RunState::Ended(Ending::Success) => Some(format!(
            "`bumpdesk backfill merge --run {id}` checks what it found and puts it into the plan"
        )),
        RunState::Ended(_) if shown.failed().next().is_some() => Some(format!(
            "`bumpdesk backfill rerun {id} --dry-run` shows what would run what failed once more; `bumpdesk backfill status --run {id} --log 20` says why"
        )),
        RunState::Ended(_) => None,
    }
}
