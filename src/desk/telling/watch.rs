//! What is told of a pull request after it was opened: how it stands, its checks, its reviews, what is not known of it, and what
//! came after its merge.

use crate::desk::telling::{Fact, Glyph, Label, Sign, Tone};
use crate::registry::short_id;
use crate::rules::watch::{CheckState, Checks, Opinion, PullState, Read, Review, Source, Wait, WatchedPull};

const STATE: Label = Label::of("state");
const BRANCH: Label = Label::of("branch");
pub(super) const CHECKS: Label = Label::of("checks");
const READ: Label = Label::two("read", "checks read from");
const REVIEWS: Label = Label::of("reviews");
const APPROVALS: Label = Label::of("approvals");
const ASKED: Label = Label::two("asked", "asked to review");
const WAITS: Label = Label::two("waits", "waits for");
pub(super) const UNREAD: Label = Label::two("unread", "could not be read");
const MAIN: Label = Label::two("main", "main since");
const CHANGED: Label = Label::two("changed", "changed since");

/// Of a list of them.
pub(crate) const NONE_OPEN: &str = "no open pull request has a branch that begins with `bumpdesk/`";

/// `#12 Manual bump of acme/rocket`.
pub(crate) fn subject(pull: &WatchedPull) -> String {
    format!("#{} {}", pull.number, pull.title)
}

/// How far it is.
pub(crate) fn sign(pull: &WatchedPull) -> Sign {
    let (glyph, tone) = match &pull.state {
        PullState::Draft | PullState::Open => (Glyph::UNDER_WAY, Tone::Late),
        PullState::Closed => (Glyph::CANCELLED, Tone::Quiet),
        PullState::Merged { .. } => (Glyph::FINE, Tone::Fine),
    };
    glyph.sign(pull.state.word(), tone)
}

/// Everything that was read of it, and what was not. What is not there yet is left out.
pub(crate) fn facts(pull: &WatchedPull) -> Vec<Fact> {
    let mut facts = vec![
        Fact::of(STATE, pull.told()),
        Fact::of(BRANCH, format!("{}@{}, by {}", pull.branch, short_id(&pull.head), pull.author)),
    ];
    let is_open = matches!(pull.state, PullState::Draft | PullState::Open);
    facts.extend((!pull.checks.list.is_empty()).then(|| Fact::of(CHECKS, checks(&pull.checks))));
    facts.extend((!pull.checks.read.is_empty()).then(|| Fact::of(READ, sources(&pull.checks))));
    if let Ok(reviews) = &pull.reviews
        && !reviews.is_empty()
    {
        facts.push(Fact::of(REVIEWS, reviews.iter().map(review).collect::<Vec<_>>().join(", ")));
    }
    if is_open {
        facts.push(Fact::of(APPROVALS, approvals(pull)));
        facts.extend((!pull.requested.is_empty()).then(|| Fact::of(ASKED, pull.requested.join(", "))));
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
    if let Some(Ok(after)) = &pull.after {
        let bump = after.bumps.list.last().map(|bump| format!(", with the bump {}", short_id(&bump.commit)));
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
    let told = checks.list.iter().map(|check| of_check(&check.name, check.state, &check.said));
    told.collect::<Vec<_>>().join(", ")
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
    let two = if pull.needs_two() { ", two maintainers are to approve it" } else { "" };
    match (have, need) {
        (Ok(have), Ok(need)) => format!("{have} of {need}{two}"),
        (Ok(have), Err(_)) => format!("{have}, and how many are needed is not known{two}"),
        (Err(_), Ok(need)) => format!("not known, {need} needed{two}"),
        (Err(_), Err(_)) => format!("not known{two}"),
    }
}
