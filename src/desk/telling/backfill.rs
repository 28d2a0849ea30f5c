//! What is told of a backfill: what it will cost, what became of each target, what follows.

use crate::desk::telling::{Fact, Glyph, Label, Sign, Tone};
use crate::jobs::{BackfillLimits, Estimated};
use crate::rules::amount::{Form, between, bytes, counted, grouped, length};
use crate::rules::backfill::{Row, SHORT, State, Tally};

const PROVIDERS: Label = Label::of("providers");
const LACKING: Label = Label::of("lacking");
const DOWNLOAD: Label = Label::of("download");
const TIME: Label = Label::of("time");
const LIMITS: Label = Label::of("limits");
const COMMIT: Label = Label::of("commit");
const DIGEST: Label = Label::of("digest");

/// An estimate, fact by fact. Nothing was fetched for it.
pub(crate) fn estimated(estimated: &Estimated, limits: &BackfillLimits, form: Form) -> Vec<Fact> {
    let estimate = &estimated.estimate;
    let mut facts = vec![
        Fact::of(PROVIDERS, grouped(estimate.providers)),
        Fact::of(
            LACKING,
            format!(
                "h1 or size of {} in {}",
                counted(estimate.targets, "target"),
                counted(estimate.versions, "version")
            ),
        ),
    ];
    if estimate.targets == 0 {
        return facts;
    }
    let guessed = estimate.guessed.iter().map(|guess| {
        format!("{} of {} guessed by {}", bytes(guess.bytes), counted(guess.targets, "target"), guess.by)
    });
    let known = (estimate.known > 0).then(|| format!("{} known", counted(estimate.known, "size")));
    let parts: Vec<String> = known.into_iter().chain(guessed).collect();
    facts.push(Fact::of(DOWNLOAD, format!("{}: {}", bytes(estimate.bytes), parts.join(", "))));
    facts.push(Fact::of(
        TIME,
        format!(
            "{} with {}, at 8 to 40 MB/s; hashing goes beside it",
            between(estimate.time(), form),
            counted(limits.workers, "worker")
        ),
    ));
    let mut told = format!("{} or {}, whichever comes first", bytes(limits.bytes), length(limits.time, form));
    let is_over = estimate.bytes > limits.bytes || estimate.time().0 > limits.time;
    if is_over {
        told.push_str("; it stops there, and the same command continues");
    }
    let tone = if is_over { Tone::Warning } else { Tone::Plain };
    facts.push(Fact::of(LIMITS, told).tone(tone));
    let base = estimated.base.get(..SHORT).unwrap_or("no commit: this folder is not a git checkout");
    facts.push(Fact::of(COMMIT, base));
    facts.push(Fact::of(DIGEST, &estimated.digest[..SHORT]));
    facts
}

/// Nothing is known to be lacking. `broken`: files that could not be read.
pub(crate) fn nothing(broken: u64) -> String {
    let whole = "every target of what was named has its h1 and its size";
    match broken {
        0 => whole.to_owned(),
        _ => format!(
            "every target that could be read has its h1 and its size; {} cannot be read, and what {} lacks is not known",
            counted(broken, "file"),
            if broken == 1 { "it" } else { "each of them" },
        ),
    }
}

/// The state of a target, as it stands in tables.
pub(crate) fn sign(state: State) -> Sign {
    let (glyph, tone) = match state {
        State::Filled => (Glyph::FINE, Tone::Fine),
        State::Drifted | State::Otherwise => (Glyph::WRONG, Tone::Wrong),
        State::Gone => (Glyph::LOST, Tone::Lost),
        State::TooLarge | State::NoHash => (Glyph::NOTE, Tone::Warning),
        State::Failed => (Glyph::UNKNOWN, Tone::Error),
        State::Held | State::Waiting => (Glyph::WAITS, Tone::Quiet),
    };
    glyph.sign(state.word(), tone)
}

/// What is said of a target beside its state.
pub(crate) fn reason(row: &Row, state: State) -> String {
    match state {
        State::Held => "another target of this version has drifted, so nothing of it is filled in".to_owned(),
        _ => row.reason(),
    }
}

/// How many there are of each kind: `300 targets: 296 filled in, 3 drifted, 1 could not be read`.
pub(crate) fn tallied(tally: &Tally) -> String {
    let parts = [
        (tally.filled, "filled in"),
        (tally.held, "held back with their version"),
        (tally.drifted, "drifted"),
        (tally.bad, "that cannot be filled in"),
        (tally.failed, "could not be read"),
        (tally.left, "not reached"),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", grouped(*count)))
        .collect();
    let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    format!("{}{parts}", counted(tally.targets, "target"))
}

/// What to do about what was not filled in.
pub(crate) fn steps(tally: &Tally) -> Vec<&'static str> {
    let mut steps = Vec::new();
    if tally.drifted > 0 {
        steps.push(
            "what drifted was released again: `bumpdesk verify ADDRESS@VERSION` says what is another one now",
        );
    }
    if tally.failed + tally.left > 0 {
        steps.push("the same command continues with what is left, and downloads nothing twice");
    }
    steps
}

/// What is in the plan now.
pub(crate) fn in_plan(files: u64) -> String {
    match files {
        0 => "nothing new for the plan".to_owned(),
        files => format!("{} in the plan now", counted(files, "file")),
    }
}

/// The same, with the commands that go on from there.
pub(crate) fn planned(files: u64) -> String {
    let next = ": look at them with `bumpdesk plan show`, then `bumpdesk pr open` sends them";
    format!("{}{}", in_plan(files), if files > 0 { next } else { "" })
}

/// What is read back of an earlier run.
pub(crate) fn kept(count: usize, journal: &str) -> String {
    format!("reused from an earlier run: {}, in {journal}", counted(count, "target"))
}
