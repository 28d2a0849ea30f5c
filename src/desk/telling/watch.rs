//! A pull request after it was opened: its state, its steps, its checks, its reviews, the parts that could not be read, and its files
//! after the merge.

use crate::desk::telling::{Fact, Glyph, Label, Sign, Tone};
use crate::registry::short_id;
use crate::rules::amount::minute;
use crate::rules::pull_steps::{PullStep, StepState, pull_steps};
use crate::rules::watch::{CheckState, Checks, Opinion, PullState, Read, Review, Source, Wait, WatchedPull};

const STEPS: Label = Label::of("steps");
const STATE: Label = Label::of("state");
const BRANCH: Label = Label::of("branch");
pub(super) const CHECKS: Label = Label::of("checks");
const READ: Label = Label::two("read from", "checks read from");
const REVIEWS: Label = Label::of("reviews");
const APPROVALS: Label = Label::of("approvals");
const REQUESTED: Label = Label::two("asked", "asked to review");
const WAITS: Label = Label::two("waits", "waits for");
pub(super) const UNREAD: Label = Label::two("unread", "could not be read");
const MAIN: Label = Label::two("main now", "main since");
const CHANGED: Label = Label::two("changed", "changed since");

/// Replaces an empty list of pull requests.
pub(crate) const NONE_OPEN: &str = "no open pull request has a branch that begins with `bumpdesk/`";

/// `#12 Manual bump of acme/rocket`.
pub(crate) fn subject(pull: &WatchedPull) -> String {
    format!("#{} {}", pull.number, pull.title)
}

/// `#12 merged by sol`, `#12 draft`.
pub(crate) fn heading(pull: &WatchedPull) -> String {
    match &pull.state {
        PullState::Merged(merged) => format!("#{} merged by {}", pull.number, merged.by),
        state => format!("#{} {}", pull.number, state.word()),
    }
}

/// The sign of a step, whose word is its name.
pub(crate) fn step_sign(step: &PullStep) -> Sign {
    let (glyph, tone) = match step.state {
        StepState::Done => (Glyph::FINE, Tone::Fine),
        StepState::Waiting => (Glyph::UNDER_WAY, Tone::Late),
        StepState::Failed => (Glyph::WRONG, Tone::Wrong),
        StepState::ToCome => (Glyph::WAITS, Tone::Quiet),
        StepState::NotDone => (Glyph::CANCELLED, Tone::Quiet),
        StepState::Unknown => (Glyph::UNKNOWN, Tone::Warning),
    };
    glyph.sign(step.name, tone)
}

/// The steps in words: `opened: done 2026-11-21 12:03Z; checks: waiting`.
pub(crate) fn steps(pull: &WatchedPull) -> Fact {
    let text = |step: PullStep| {
        let at = step.at.map(|at| format!(" {}", minute(at))).unwrap_or_default();
        format!("{}: {}{at}", step.name, step.state.word())
    };
    Fact::of(STEPS, pull_steps(pull).map(text).join("; "))
}

/// The state as a sign.
pub(crate) fn sign(pull: &WatchedPull) -> Sign {
    let (glyph, tone) = match &pull.state {
        PullState::Draft | PullState::Open => (Glyph::UNDER_WAY, Tone::Late),
        PullState::Closed => (Glyph::CANCELLED, Tone::Quiet),
        PullState::Merged(_) => (Glyph::FINE, Tone::Fine),
    };
    glyph.sign(pull.state.word(), tone)
}

/// Everything that was read of a pull request, and what was not. What is not there yet is left out.
pub(crate) fn facts(pull: &WatchedPull) -> Vec<Fact> {
    let mut facts = vec![
        Fact::of(STATE, pull.told()),
        Fact::of(BRANCH, format!("{}@{}, by {}", pull.branch, short_id(&pull.head), pull.author)),
    ];
    let is_open = pull.state.is_open();
    facts.extend((!pull.checks.list.is_empty()).then(|| Fact::of(CHECKS, checks(&pull.checks))));
    if let Ok(reviews) = &pull.reviews
        && !reviews.is_empty()
    {
        facts.push(Fact::of(REVIEWS, reviews.iter().map(review).collect::<Vec<_>>().join(", ")));
    }
    if is_open {
        facts.push(Fact::of(APPROVALS, approvals(pull)));
        facts.extend((!pull.requested.is_empty()).then(|| Fact::of(REQUESTED, pull.requested.join(", "))));
        // The first is told with the state.
        let waits = pull.waits().into_iter().filter(|wait| !matches!(wait, Wait::Unknown(_)));
        let waits: Vec<String> = waits.map(|wait| wait.text()).collect();
        facts.extend((waits.len() > 1).then(|| Fact::of(WAITS, waits.join("; "))));
    }
    for wait in pull.waits() {
        if let Wait::Unknown(what) = wait {
            facts.push(Fact::of(UNREAD, what));
        }
    }
    facts.extend((!pull.checks.read.is_empty()).then(|| Fact::of(READ, sources(&pull.checks))));
    if let Some(Ok(after)) = &pull.after {
        let bump = after.bumps.list.last().map(|bump| match short_id(&bump.commit) {
            bump if bump == short_id(&after.main) => ", which is a bump".to_owned(),
            bump => format!(", with the bump {bump}"),
        });
        facts.push(Fact::of(MAIN, format!("{}{}", short_id(&after.main), bump.unwrap_or_default())));
        for file in after.files.iter().filter(|file| file.is_kept != Ok(true)) {
            facts.push(match &file.is_kept {
                Err(why) => Fact::of(UNREAD, format!("{} ({why})", file.path)),
                Ok(_) => Fact::of(CHANGED, file.path.as_str()),
            });
        }
    }
    facts
}

/// `Verify PR JSON passed, DCO failed (action_required)`.
fn checks(checks: &Checks) -> String {
    let texts = checks.list.iter().map(|check| of_check(&check.name, check.state, &check.said));
    texts.collect::<Vec<_>>().join(", ")
}

pub(super) fn of_check(name: &str, state: CheckState, said: &str) -> String {
    match state {
        CheckState::Failed if said != "failure" => format!("{name} {} ({said})", state.word()),
        _ => format!("{name} {}", state.word()),
    }
}

/// `check runs, commit statuses`, and what is missing there.
fn sources(checks: &Checks) -> String {
    let read: Vec<&str> = checks.read.iter().map(|source| source.word()).collect();
    let missing = if checks.read.contains(&Source::Jobs) {
        "; check runs may not be read with this token, so those of other programs are not among them"
    } else {
        ""
    };
    format!("{}{missing}", read.join(", "))
}

/// `sol approved`, `ann approved an earlier commit`.
fn review(review: &Review) -> String {
    let earlier = match review.opinion {
        Opinion::Approved if !review.is_of_head => " an earlier commit",
        _ => "",
    };
    let counts = if review.counts { "" } else { " (not a member: it does not count)" };
    format!("{} {}{earlier}{counts}", review.author, review.opinion.word())
}

/// `0 of 1`, `1, and how many are needed is not known`.
pub(crate) fn approvals(pull: &WatchedPull) -> String {
    let (have, need): (Read<u64>, Read<u64>) = pull.approvals();
    let two = if pull.needs_two() { ", two maintainers must approve it" } else { "" };
    match (have, need) {
        (Ok(have), Ok(need)) => format!("{have} of {need}{two}"),
        (Ok(have), Err(_)) => format!("{have}, and how many are needed is not known{two}"),
        (Err(_), Ok(need)) => format!("not known, {need} needed{two}"),
        (Err(_), Err(_)) => format!("not known{two}"),
    }
}
