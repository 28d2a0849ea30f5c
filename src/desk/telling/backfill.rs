//! Texts about a backfill: its estimated cost, the result for each target, and the next steps.

use crate::desk::Desk;
use crate::desk::ability::Ability;
use crate::desk::filling::{Filling, Shown, Widths};
use crate::desk::run::End;
use crate::desk::table::{ColumnWidth, Cut, TableCell, TableColumn};
use crate::desk::telling::entry::YOU_CAN;
use crate::desk::telling::{Fact, Glyph, Label, Message, Sign, Tone, column};
use crate::jobs::data::{BackfillLimits, BackfillOutput, Estimated};
use crate::rules::amount::{Form, between, bytes, counted, grouped, length};
use crate::rules::backfill::{FillResult, Row, SHORT, State, Tally};

const PROVIDERS: Label = Label::of("providers");
const LACKING: Label = Label::of("lacking");
const DOWNLOAD: Label = Label::of("download");
const TIME: Label = Label::of("time");
const LIMITS: Label = Label::of("limits");
const COMMIT: Label = Label::of("commit");
const DIGEST: Label = Label::of("digest");
const FOUND: Label = Label::of("found");
const STORED: Label = Label::of("on file");
const UPSTREAM: Label = Label::of("upstream");
const ARCHIVE: Label = Label::of("archive");
/// Label of the equivalent command line.
pub(crate) const SAME: Label = Label::of("the same");

/// Heading of the form for a new backfill.
pub(crate) const NEW: &str = "a new one: nothing is downloaded before you agreed";
/// Shown until the estimate is known.
pub(crate) const COUNTING: &str = "counting missing hashes; no requests are made";

/// The facts of an estimate, which needs no requests. `digest`: the part of the plan's digest that is shown.
pub(crate) fn estimated(
    estimated: &Estimated,
    limits: &BackfillLimits,
    digest: &str,
    form: Form,
) -> Vec<Fact> {
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
    let mut text = format!("{} or {}, whichever comes first", bytes(limits.bytes), length(limits.time, form));
    let is_over = estimate.bytes > limits.bytes || estimate.time().0 > limits.time;
    if is_over {
        text.push_str("; it stops there, and the same command continues");
    }
    let tone = if is_over { Tone::Warning } else { Tone::Plain };
    facts.push(Fact::of(LIMITS, text).tone(tone));
    let base = estimated.base.get(..SHORT).unwrap_or("no commit: this folder is not a git checkout");
    facts.push(Fact::of(COMMIT, base));
    facts.push(Fact::of(DIGEST, digest));
    facts
}

/// States that no target is known to lack anything. `broken`: files that could not be read.
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
        State::Held => (Glyph::HELD, Tone::Warning),
        State::Waiting => (Glyph::WAITS, Tone::Quiet),
    };
    glyph.sign(state.word(), tone)
}

/// Explains the state of a target.
pub(crate) fn reason(row: &Row, state: State) -> String {
    match state {
        State::Held => "another target of this version has drifted, so nothing of it is filled in".to_owned(),
        _ => row.reason(),
    }
}

/// A target that cannot be filled in: `DRIFT acme/rocket 0.9.0 linux_amd64: upstream has another archive`.
pub(crate) fn bad(row: &Row) -> String {
    let (item, state) = (&row.item, row.state());
    format!("{} {} {} {}: {}", state.word(), item.address, item.version, item.target, reason(row, state))
}

/// Counts the targets in each state: `300 targets: 296 filled in, 3 drifted, 1 could not be read`.
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

/// Next steps for the targets that were not filled in.
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

/// The number of files that are in the plan now.
pub(crate) fn in_plan(files: u64) -> String {
    match files {
        0 => "nothing new for the plan".to_owned(),
        files => format!("{} in the plan now", counted(files, "file")),
    }
}

/// [`in_plan`] with the commands that continue from there.
pub(crate) fn planned(files: u64) -> String {
    let next = ": look at them with `bumpdesk plan show`, then `bumpdesk pr open` sends them";
    format!("{}{}", in_plan(files), if files > 0 { next } else { "" })
}

/// The number of targets that were reused from an earlier run.
pub(crate) fn kept(count: usize, journal: &str) -> String {
    format!("reused from an earlier run: {}, in {journal}", counted(count, "target"))
}

/// The sign of a row on the screen.
pub(crate) fn shown(shown: Shown) -> Sign {
    match shown {
        Shown::Is(state) => sign(state),
        Shown::Active => Glyph::UNDER_WAY.sign(shown.word(), Tone::Late),
    }
}

/// The columns of the table. The address comes before notes that are shown whole elsewhere.
pub(crate) const COLUMNS: [TableColumn; 6] = [
    TableColumn::new(column::STATE, ColumnWidth::Content { least: 9 }, Cut::End, 1),
    TableColumn::new(column::ADDRESS, ColumnWidth::Content { least: 16 }, Cut::Middle, 5),
    TableColumn::new(column::VERSION, ColumnWidth::Content { least: 0 }, Cut::End, 3),
    TableColumn::new(column::TARGET, ColumnWidth::Content { least: 8 }, Cut::End, 2),
    TableColumn::new(column::SIZE, ColumnWidth::Content { least: 0 }, Cut::Right, 6),
    TableColumn::new(column::NOTE, ColumnWidth::Rest { wants: 14, least: 0 }, Cut::End, 4),
];

/// The longest text of each column: of states `X TOO LARGE`, of sizes `104.2 MB`.
pub(crate) fn longest(widths: Widths) -> [usize; COLUMNS.len()] {
    [11, widths.address, widths.version.min(12), widths.target.min(16), 9, 0]
}

/// The text of a row in one of the columns.
pub(crate) fn cell(filling: &Filling, place: usize, column: usize) -> TableCell<'_> {
    let (row, state) = (&filling.rows[place], filling.shown(place));
    match column {
        0 => shown(state).into(),
        1 => TableCell::of(row.item.address.to_string(), Tone::Plain),
        2 => TableCell::of(&*row.item.version, Tone::Plain),
        3 => TableCell::of(&*row.item.target, Tone::Plain),
        4 => {
            let size = match (&row.result, filling.read_bytes(place)) {
                (_, Some(read)) => Some(read),
                (FillResult::Filled { size, .. }, None) => Some(*size),
                (_, None) => Some(row.item.size).filter(|size| *size > 0),
            };
            TableCell::of(size.map_or_else(|| "-".to_owned(), bytes), Tone::Quiet)
        }
        // Its state says that nothing is known yet.
        _ if state == Shown::Is(State::Waiting) => TableCell::of("", Tone::Quiet),
        _ => TableCell::of(note(row, state), Tone::Quiet),
    }
}

/// The text beside a row's sign; empty while the row is read.
pub(crate) fn note(row: &Row, shown: Shown) -> String {
    match (shown, &row.result) {
        // Its size has a column of its own.
        (Shown::Is(State::Filled), FillResult::Filled { h1, .. }) => h1.clone(),
        (Shown::Is(state), _) => reason(row, state),
        (Shown::Active, _) => String::new(),
    }
}

/// All facts about one row. `is_running`: a failed row offers no retry, because the run reads it again at its
/// end.
pub(crate) fn sheet(row: &Row, shown: Shown, is_running: bool) -> Vec<Fact> {
    let item = &row.item;
    let found = match shown {
        Shown::Active => "its archive is read at this moment".to_owned(),
        Shown::Is(state) => reason(row, state),
    };
    let h1 = if item.h1.is_empty() { "no h1" } else { &item.h1 };
    let size = if item.size == 0 { "no size".to_owned() } else { bytes(item.size) };
    let mut facts =
        vec![Fact::of(FOUND, found), Fact::of(STORED, format!("SHA-256 {}, {h1}, {size}", item.shasum))];
    match &row.result {
        FillResult::Drifted { sha256 } => {
            facts.push(Fact::of(UPSTREAM, format!("SHA-256 {sha256}")).tone(Tone::Wrong));
        }
        FillResult::Filled { .. } => facts.push(Fact::of(UPSTREAM, "the same SHA-256")),
        _ => {}
    }
    facts.push(Fact::of(ARCHIVE, &item.url).tone(Tone::Quiet));
    let can = match shown {
        Shown::Is(State::Drifted | State::Otherwise | State::Held | State::Gone) => {
            Some((Ability::Verify.into(), "verifies this version: what is another one now, and since when"))
        }
        Shown::Is(State::Failed) if !is_running => {
            Some((Ability::BackfillRest.into(), "reads it once more, and nothing that is finished"))
        }
        _ => None,
    };
    facts.extend(can.map(|step| Fact { steps: vec![step], ..Fact::of(YOU_CAN, "") }));
    facts
}

/// The counts of the row states, one word each; together they cover all rows.
pub(crate) fn counts(tally: &Tally) -> Vec<(Tone, &'static str, u64)> {
    let all = [
        (Tone::Wrong, "drifted", tally.drifted),
        (Tone::Warning, "cannot", tally.bad),
        (Tone::Error, "failed", tally.failed),
        (Tone::Quiet, "held", tally.held),
        (Tone::Fine, "filled", tally.filled),
        (Tone::Quiet, "left", tally.left),
    ];
    all.into_iter().filter(|(_, word, count)| *count > 0 || *word == "filled").collect()
}

/// The destination of the results.
pub(crate) fn output(output: Option<&BackfillOutput>) -> String {
    match output {
        Some(BackfillOutput::Plan) => "into the plan".to_owned(),
        Some(BackfillOutput::Patches { folder, .. }) => format!("patches into {}", folder.display()),
        Some(BackfillOutput::Nothing) => "a dry run".to_owned(),
        None => "one share".to_owned(),
    }
}

/// The results so far; `None` if there are none.
pub(crate) fn made(filling: &Filling) -> Option<String> {
    let made = &filling.made;
    let result = match filling.output() {
        _ if filling.is_running() && made.patches.is_empty() => return None,
        Some(BackfillOutput::Plan) => made.planned.map(in_plan),
        Some(BackfillOutput::Patches { folder, .. }) => match made.patches.len() {
            0 => (made.not_written.is_empty() && matches!(filling.end, Some(End::Done { .. })))
                .then(|| "no patch was needed".to_owned()),
            count => {
                let patches =
                    if count == 1 { "1 patch".to_owned() } else { format!("{} patches", grouped(count)) };
                Some(format!("{patches} written into {}", folder.display()))
            }
        },
        Some(BackfillOutput::Nothing) => {
            Some("a dry run: what was found is kept for the next run".to_owned())
        }
        None => None,
    };
    let not = made.not_written.iter().map(|why| format!("not written: {why}"));
    let parts: Vec<String> = result.into_iter().chain(not).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The path of the journal that keeps the rows.
pub(crate) fn journal(filling: &Filling) -> Option<String> {
    let path = filling.journal.as_deref().filter(|path| !path.is_empty())?;
    Some(if filling.is_running() {
        format!("{path}, written as rows finish")
    } else {
        format!("{path}, for the next run")
    })
}

/// Explains why there are no rows.
pub(crate) fn none(desk: &Desk) -> Message {
    let Some(filling) = &desk.filling else {
        return Message::of("nothing has been filled in yet")
            .step(Ability::Backfill, "begins: it says what it would cost, and asks");
    };
    match &filling.end {
        None => Message::of("what lacks h1 or size is being read"),
        Some(End::Failed(failure)) => Message::of(failure.sentence()),
        Some(End::Cancelled) => {
            Message::of("stopped before it began").step(Ability::BackfillRest, "begins again")
        }
        Some(End::Done { .. }) => Message::of(nothing(filling.broken)),
    }
}

/// The state of the backfill and the next steps, for when there is no other message.
pub(crate) fn standing(filling: &Filling, is_stopping: bool) -> Message {
    let bad = |count: usize| counted(count, "target");
    match &filling.end {
        None if is_stopping => Message::of(STOPPING),
        None if filling.steer.is_paused => Message::of("paused").step(Ability::PauseBackfill, "resumes"),
        None => match (&filling.meter.slowed, filling.bad()) {
            (Some(why), _) => Message::of(why.clone()),
            (None, 0) => Message::default(),
            (None, count) => {
                Message::of(format!("{} cannot be filled in so far; the others continue", bad(count)))
            }
        },
        Some(End::Failed(failure)) => Message::of(failure.sentence()),
        Some(_) => ended(filling),
    }
}

/// Shown while a backfill stops.
pub(crate) const STOPPING: &str = "stopping: what is finished is kept, and is not downloaded again";

/// The end of a backfill, its results, and the next steps.
pub(crate) fn ended(filling: &Filling) -> Message {
    if filling.rows.is_empty() {
        let none = matches!(filling.end, Some(End::Done { .. }));
        return Message::of(if none {
            nothing(filling.broken)
        } else {
            "stopped before it began".to_owned()
        });
    }
    let how = match (&filling.end, &filling.stopped) {
        (Some(End::Cancelled), _) => "stopped",
        (_, Some(why)) => why,
        _ => "done",
    };
    let mut parts = vec![format!("{how}: {}", tallied(&filling.tally()))];
    parts.extend(made(filling));
    let message = Message::of(parts.join("; "));
    let message = if filling.made.planned.is_some_and(|files| files > 0) {
        message.step(Ability::ShowPlan, "shows it")
    } else {
        message
    };
    if filling.has_rest() {
        message.step(Ability::BackfillRest, "continues with what is left")
    } else {
        message
    }
}
