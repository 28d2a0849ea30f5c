//! The way of a pull request into the registry in five steps, of which each is done only if it was read to be so.

use jiff::Timestamp;

use crate::rules::watch::{CheckState, Opinion, PullState, Review, Wait, WatchedPull};
use crate::settings::words;

words! {
    /// The progress of one step.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum StepState: [word] {
        Done = "done",
        /// The pull request waits for it now.
        Waiting = "waiting",
        Failed = "failed",
        ToCome = "to come",
        /// The pull request went on, or ended, without it.
        NotDone = "not done",
        Unknown = "unknown",
    }
}

/// One step of a pull request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PullStep {
    pub(crate) name: &'static str,
    pub(crate) state: StepState,
    /// The time at which it was done, if GitHub gave it.
    pub(crate) at: Option<Timestamp>,
}

/// The steps from opening a pull request to the bump after its merge.
pub(crate) fn pull_steps(pull: &WatchedPull) -> [PullStep; 5] {
    let merged = if let PullState::Merged(merged) = &pull.state { Some(merged) } else { None };
    let (review, reviewed) = review(pull);
    let (arrival, bumped) = arrival(pull);
    let merge = match &pull.state {
        PullState::Merged(_) => StepState::Done,
        PullState::Closed => StepState::NotDone,
        PullState::Open if pull.waits().iter().all(waits_for_merge) => StepState::Waiting,
        PullState::Draft | PullState::Open => StepState::ToCome,
    };
    let step = |name, state, at| PullStep { name, state, at };
    [
        step("opened", StepState::Done, Some(pull.opened)),
        step("checks", checks(pull), None),
        step("review", review, reviewed),
        step("merged", merge, merged.and_then(|merged| merged.at)),
        step("in the registry", arrival, bumped),
    ]
}

fn waits_for_merge(wait: &Wait) -> bool {
    matches!(wait, Wait::Merge | Wait::Behind | Wait::GitHub | Wait::Blocked)
}

/// The state of a step that is not done: a pull request that is merged or closed has gone on without it.
fn pending(pull: &WatchedPull, state: StepState) -> StepState {
    if pull.state.is_open() { state } else { StepState::NotDone }
}

fn checks(pull: &WatchedPull) -> StepState {
    let checks = &pull.checks;
    let has = |state: CheckState| checks.list.iter().any(|check| check.state == state);
    let is_missing = |name: &String| checks.list.iter().all(|check| check.name != *name);
    match &pull.asked {
        _ if has(CheckState::Failed) => StepState::Failed,
        _ if !checks.is_whole() || checks.read.is_empty() => StepState::Unknown,
        _ if has(CheckState::Running) || has(CheckState::Waiting) => pending(pull, StepState::Waiting),
        Ok(asked) if asked.checks.iter().any(is_missing) => pending(pull, StepState::Waiting),
        _ if checks.list.is_empty() => pending(pull, StepState::ToCome),
        // A required check may still have to begin.
        Err(_) if pull.state.is_open() => StepState::Unknown,
        _ => StepState::Done,
    }
}

/// The state of the review, and the time of the newest approval once there are enough.
fn review(pull: &WatchedPull) -> (StepState, Option<Timestamp>) {
    let Ok(reviews) = &pull.reviews else { return (StepState::Unknown, None) };
    let approves = |review: &&Review| review.opinion == Opinion::Approved && review.counts;
    let approvals: Vec<&Review> = reviews.iter().filter(approves).collect();
    let state = match (approvals.len() as u64, pull.approvals().1.ok()) {
        _ if pull.state.is_open() && reviews.iter().any(|one| one.opinion == Opinion::ChangesRequested) => {
            StepState::Failed
        }
        (_, None) if pull.state.is_open() => StepState::Unknown,
        (0, Some(0)) => pending(pull, StepState::ToCome),
        (have, need) if have >= need.unwrap_or(1) => {
            return (StepState::Done, approvals.iter().filter_map(|review| review.at).max());
        }
        _ if pull.state == PullState::Draft => StepState::ToCome,
        _ => pending(pull, StepState::Waiting),
    };
    (state, None)
}

/// The state of the registry's bump after the merge, and the time of its last commit.
fn arrival(pull: &WatchedPull) -> (StepState, Option<Timestamp>) {
    let state = match (&pull.state, &pull.after) {
        (PullState::Closed, _) => StepState::NotDone,
        (PullState::Draft | PullState::Open, _) => StepState::ToCome,
        (PullState::Merged(_), None | Some(Err(_))) => StepState::Unknown,
        (PullState::Merged(_), Some(Ok(after))) => match after.is_kept() {
            _ if after.waits_for().is_some() => StepState::Waiting,
            Ok(true) => {
                let bump = after.bumps.list.last().filter(|_| after.unseen().is_empty());
                return (StepState::Done, bump.map(|bump| bump.made));
            }
            Ok(false) => StepState::Failed,
            Err(_) => StepState::Unknown,
        },
    };
    (state, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::watch::tests::{check, merged, pull};
    use crate::rules::watch::{
        After, Asked, Bump, BumpsSince, Checks, FileAfter, Merge, Source, TWO_APPROVALS,
    };

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).expect("a time")
    }

    fn steps(pull: &WatchedPull) -> String {
        let letter = |step: PullStep| match step.state {
            StepState::Done => 'v',
            StepState::Waiting => '~',
            StepState::Failed => 'X',
            StepState::ToCome => '-',
            StepState::NotDone => 'n',
            StepState::Unknown => '?',
        };
        pull_steps(pull).map(letter).iter().collect()
    }

    fn after(is_kept: Result<bool, String>) -> After {
        let path = "providers/a/x.json".to_owned();
        After { main: "ff".into(), bumps: BumpsSince::default(), files: vec![FileAfter { path, is_kept }] }
    }

    fn bump() -> Bump {
        Bump { commit: "1a2b3c4".into(), letter: Some("a".into()), made: at(90) }
    }

    fn bumped(is_kept: Result<bool, String>) -> After {
        let bumps = BumpsSince { list: vec![bump()], run_ended: false, runs_read: true };
        After { bumps, ..after(is_kept) }
    }

    fn no_answer() -> String {
        "no answer".to_owned()
    }

    fn approve_nothing(pull: &mut WatchedPull) {
        pull.reviews.as_mut().expect("reviews").clear();
    }

    /// The steps are opened, checks, review, merged, in the registry. A part that could not be read is never done.
    #[test]
    fn each_step_has_the_state_that_was_read() {
        type Change = fn(&mut WatchedPull);
        let cases: [(Change, &str); 27] = [
            (|_| {}, "vvv~-"),
            (|it| it.state = PullState::Draft, "vvv--"),
            (approve_nothing, "vv~--"),
            (|it| (it.state, it.reviews) = (PullState::Draft, Ok(Vec::new())), "vv---"),
            (|it| it.merge = Merge::Conflicts, "vvv--"),
            (|it| it.checks.list[0] = check("Verify PR JSON", "in_progress", None), "v~v--"),
            (|it| it.checks.list[0] = check("Verify PR JSON", "completed", Some("failure")), "vXv--"),
            // The required check has not begun.
            (|it| it.checks.list.clear(), "v~v--"),
            (|it| (it.checks.list, it.asked) = (Vec::new(), Ok(Asked::default())), "v-v~-"),
            (|it| it.checks = Checks::default(), "v?v--"),
            (|it| it.checks.unread.push((Source::Statuses, no_answer())), "v?v--"),
            (|it| it.reviews = Err(no_answer()), "vv?--"),
            (|it| it.asked = Err(no_answer()), "v??--"),
            (|it| it.reviews.as_mut().unwrap()[0].opinion = Opinion::ChangesRequested, "vvX--"),
            (|it| it.reviews.as_mut().unwrap()[0].counts = false, "vv~--"),
            (|it| it.labels = vec![TWO_APPROVALS.to_owned()], "vv~--"),
            (|it| it.state = PullState::Closed, "vvvnn"),
            (|it| (it.state, it.reviews) = (PullState::Closed, Ok(Vec::new())), "vvnnn"),
            (|it| it.state = PullState::Merged(merged()), "vvvv?"),
            (|it| (it.state, it.after) = (PullState::Merged(merged()), Some(Err(no_answer()))), "vvvv?"),
            (|it| (it.state, it.after) = (PullState::Merged(merged()), Some(Ok(after(Ok(true))))), "vvvv~"),
            (|it| (it.state, it.after) = (PullState::Merged(merged()), Some(Ok(bumped(Ok(true))))), "vvvvv"),
            (|it| (it.state, it.after) = (PullState::Merged(merged()), Some(Ok(bumped(Ok(false))))), "vvvvX"),
            (
                |it| (it.state, it.after) = (PullState::Merged(merged()), Some(Ok(bumped(Err(no_answer()))))),
                "vvvv?",
            ),
            (|it| (it.state, it.reviews) = (PullState::Merged(merged()), Err(no_answer())), "vv?v?"),
            (|it| (it.state, it.reviews) = (PullState::Merged(merged()), Ok(Vec::new())), "vvnv?"),
            (|it| (it.state, it.asked) = (PullState::Merged(merged()), Err(no_answer())), "vvvv?"),
        ];
        for (place, (change, wanted)) in cases.into_iter().enumerate() {
            let mut pull = pull();
            change(&mut pull);
            assert_eq!(steps(&pull), wanted, "case {place}: {pull:?}");
        }
    }

    #[test]
    fn steps_have_the_times_that_were_read() {
        let mut pull = pull();
        pull.opened = at(10);
        pull.reviews.as_mut().unwrap()[0].at = Some(at(40));
        pull.state = PullState::Merged(merged());
        pull.after = Some(Ok(bumped(Ok(true))));
        let times = pull_steps(&pull).map(|step| step.at);
        assert_eq!(times, [Some(at(10)), None, Some(at(40)), merged().at, Some(at(90))]);
        // A run over all letters made no commit that could be dated.
        let run = BumpsSince { list: Vec::new(), run_ended: true, runs_read: true };
        pull.after = Some(Ok(After { bumps: run, ..after(Ok(true)) }));
        assert_eq!((steps(&pull).as_str(), pull_steps(&pull)[4].at), ("vvvvv", None));
    }
}
