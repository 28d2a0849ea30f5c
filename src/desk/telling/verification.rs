//! Texts about rows of a verification: their four answers, the stored sums, the sums upstream has today, the
//! explanation, and the next steps. Rows with one result are shown as one group.

use jiff::Timestamp;

use crate::desk::ability::Ability;
use crate::desk::list::List;
use crate::desk::run::{End, Run};
use crate::desk::telling::column::{ARCHIVE, H1, SIGNED, SUMS};
use crate::desk::telling::entry::{FILE, YOU_CAN};
use crate::desk::telling::target::{answer, gist, notes, signed, subject};
use crate::desk::telling::{Fact, Label, Message, Tone};
use crate::jobs::data::Wanted;
use crate::rules::amount::{self, Form, bytes, counted, grouped, moment, to_the_minute};
use crate::rules::diff::PlatformMark;
use crate::rules::verify::{
    Answer, Answers, Compared, Coverage, Listed, Row, SignatureSays, State, Tally, Zip, add_targets,
};
use crate::rules::{Level, Source, Status};

const STORED_SHASUM: Label = Label::of("stored shasum");
const SUMS_TODAY: Label = Label::of("SHA256SUMS today");
const ZIP_TODAY: Label = Label::of("zip today");
const H1_STORED: Label = Label::of("h1 stored");
const SIZE_STORED: Label = Label::of("size stored");
const TARGETS: Label = Label::of("targets");
const VERSIONS: Label = Label::of("versions");
const INDEXED: Label = Label::of("indexed");
const READING: Label = Label::of("meaning");
const SIGNATURE: Label = Label::of("signature");
const SIGNED_BY: Label = Label::of("signed by");
const ON_FILE: Label = Label::of("keys on file");
const ANSWERS: Label = Label::of("the answers");
const DIGEST: Label = Label::of("GitHub's digest");
const ASSET_ID: Label = Label::of("GitHub's id");
const UPLOADED: Label = Label::of("uploaded");
const FIRST_UPLOADED: Label = Label::of("first uploaded");
const LAST_UPLOADED: Label = Label::of("last uploaded");
const CREATED: Label = Label::two("created", "release created");
const PUBLISHED: Label = Label::of("published");
const H1_TODAY: Label = Label::of("h1 today");
const TAG: Label = Label::of("tag");
const READ_TWICE: Label = Label::of("read twice");
const URL: Label = Label::of("URL");

/// Versions that are named where a group has rows of several.
const MOST_NAMED: usize = 20;

/// `66 OK, 1 MISMATCH, 2 SKIPPED`: the counts of a verification, the bad states first.
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

/// `17 targets:` and the number of those that are bad, fine, left out, stopped or undecided. Each target is counted once.
pub(crate) fn counts(run: &Run, form: Form) -> (String, Vec<(Tone, String)>) {
    let counts = [
        (Tone::Of(Level::Act), "bad", run.groups.bad(), true),
        (Tone::Fine, "ok", run.groups.count(State::Ok), true),
        (Tone::Warning, "skipped", run.groups.count(State::Skipped), false),
        (Tone::Warning, "stopped", run.groups.count(State::Cancelled), false),
        (Tone::Quiet, "undecided", run.undecided(), false),
    ];
    let parts = counts.into_iter().filter(|(_, _, count, always)| *always || *count > 0);
    let tone = |tone, count| if count == 0 { Tone::Quiet } else { tone };
    let parts = parts.map(|(of, word, count, _)| (tone(of, count), format!("{} {word}", grouped(count))));
    let targets = counted(run.rows.len(), "target");
    let lead = match form {
        Form::Short => format!("{targets}:"),
        Form::Spoken => format!("{targets} of {}:", counted(run.sums().1, "version")),
    };
    (lead, parts.collect())
}

/// `checked: SHA256SUMS, archive` and `not checked: h1 (none stored)`: the comparisons that a verification made, and those that it
/// did not make for some or all targets. The second is empty if it made all of them; it has the number of targets, and comes first
/// where there is no room for both.
pub(crate) fn coverage(coverage: &Coverage) -> [String; 2] {
    let Coverage { targets, sums, signature, archive, h1, size, tag_unread } = *coverage;
    let of = |count: usize| match count {
        count if count == targets => String::new(),
        count => format!(" of {}", counted(count, "target")),
    };
    let all = [
        ("SHA256SUMS", sums, "none stored"),
        ("signature", signature, "no key on file"),
        ("archive", archive, "none stored"),
        ("h1", h1, "none stored"),
        ("size", size, "none stored"),
    ];
    let done = all.iter().filter(|(_, Compared { done, .. }, _)| *done > 0);
    let done: Vec<String> = done.map(|(name, ..)| (*name).to_owned()).collect();
    let mut open = Vec::new();
    for (name, Compared { without, open: left, .. }, why) in all {
        if without > 0 {
            open.push(format!("{name}{} ({why})", of(without)));
        }
        // An archive that was not read has neither; of another one they could not be had.
        let is_of_archive = ["h1", "size"].contains(&name);
        let (left, reason) = if is_of_archive {
            (left.saturating_sub(archive.open), "not computed")
        } else {
            (left, "not read")
        };
        if left > 0 {
            open.push(format!("{name}{} ({reason})", of(left)));
        }
    }
    if tag_unread > 0 {
        open.push(format!("tag{} (not read)", of(tag_unread)));
    }
    let text = |label: &str, parts: &[String]| {
        if parts.is_empty() { String::new() } else { format!("{label}: {}", parts.join(", ")) }
    };
    [text("checked", &done), text("not checked", &open)]
}

/// `MISMATCH acme/rocket 1.0.0, 11 targets, re-uploaded: checksums file differs, archive differs, h1
/// differs, signature none`. Rows that are not bad get their notes too.
pub(crate) fn sentence(rows: &[&Row], address: impl Fn(&str) -> String) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let answers = first.answers();
    let parts = [
        (SUMS, answer(answers.zh_sums, Form::Spoken)),
        (ARCHIVE, answer(answers.zh_zip, Form::Spoken)),
        (H1, answer(answers.h1, Form::Spoken)),
        (SIGNED, signed(answers.signature, Form::Spoken)),
    ];
    let parts = parts.map(|(label, answer)| format!("{} {answer}", label.spoken)).join(", ");
    let about = subject(rows);
    let link = if rows.len() == 1 { " " } else { ", " };
    let gist = gist(first).map(|gist| format!(", {gist}")).unwrap_or_default();
    let mut text = format!(
        "{} {} {}{link}{}{gist}: {parts}",
        first.state().word(),
        address(&about.address),
        about.version,
        about.target
    );
    if !first.state().is_bad() {
        for note in notes(first) {
            text.push_str("; ");
            text.push_str(&note);
        }
    }
    text
}

/// The facts that explain a group of rows, in the order in which a pane shows them.
pub(crate) fn facts(rows: &[&Row]) -> Vec<Fact> {
    match rows {
        [] => Vec::new(),
        [row] => of_one(row),
        [first, ..] => of_many(first, rows),
    }
}

fn of_one(row: &Row) -> Vec<Fact> {
    let mut sums = vec![
        Fact::of(STORED_SHASUM, or_none(&row.stored.shasum)),
        Fact::of(SUMS_TODAY, listed(row)),
        Fact::of(ZIP_TODAY, zip(&row.zip)),
        Fact::of(H1_STORED, h1(row)),
    ];
    if row.answers().size == Answer::Differ {
        sums.push(Fact::of(SIZE_STORED, format!("{} bytes", grouped(row.stored.size_bytes))));
    }
    let why = why(row, row.reading());
    let signed = signature_facts(&row.signature);
    // The most useful facts come first.
    let mut facts = match row.state() {
        State::BadSignature => [signed, why, sums].concat(),
        _ => [why, sums, signed].concat(),
    };
    facts.extend(time_facts(&events(&[row])));
    facts.extend(row.tag.as_ref().map(|tag| Fact::of(TAG, tag.text())));
    if let Some(asset) = &row.asset {
        let digest = asset.sha256.as_deref().unwrap_or("not known, as for all files from before June 2025");
        facts.push(Fact::of(DIGEST, digest));
        facts.extend(asset.id.as_ref().map(|id| Fact::of(ASSET_ID, id.as_str())));
    }
    if let Zip::Hashed(computed) = &row.zip {
        facts.extend(computed.spooled.iter().map(|why| Fact::of(READ_TWICE, why.as_str())));
    }
    facts.push(Fact::of(URL, row.url.as_str()));
    facts.push(Fact::of(FILE, row.address.path()));
    facts
}

/// The facts that rows share. Checksums differ, so they appear only for a single row.
fn of_many(first: &Row, rows: &[&Row]) -> Vec<Fact> {
    let mut reading = first.reasons();
    let newer = first.newer_by().filter(|_| first.state() == State::Mismatch);
    reading.extend(newer.filter(|newer| rows.iter().all(|row| row.newer_by().as_ref() == Some(newer))));
    let why = why(first, (!reading.is_empty()).then(|| reading.join("; ")));
    if !is_of_one_version(rows) {
        return [why, vec![Fact::of(VERSIONS, versions(rows))]].concat();
    }
    let targets: Vec<&str> = rows.iter().map(|row| row.target.as_str()).collect();
    let targets = vec![Fact::of(TARGETS, targets.join(", "))];
    let signed = signature_facts(&first.signature);
    let mut facts = match first.state() {
        State::BadSignature => [signed, why, targets].concat(),
        _ => [why, targets, signed].concat(),
    };
    facts.extend(time_facts(&events(rows)));
    facts.extend(first.tag.as_ref().map(|tag| Fact::of(TAG, tag.text())));
    facts.push(Fact::of(FILE, first.address.path()));
    facts
}

/// Returns true if all rows are targets of one version.
pub(crate) fn is_of_one_version(rows: &[&Row]) -> bool {
    rows.windows(2).all(|pair| pair[0].version == pair[1].version && pair[0].address == pair[1].address)
}

/// A moment in the life of a version's archives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) label: Label,
    pub(crate) at: Timestamp,
    pub(crate) tone: Tone,
    /// The source of the time, where it is not GitHub's own record.
    source: &'static str,
}

/// The known times of a version, in their order. What was uploaded after it was indexed stands out where the archive differs.
pub(crate) fn events(rows: &[&Row]) -> Vec<Event> {
    let Some(first) = rows.first() else { return Vec::new() };
    let event =
        |label, at: Option<Timestamp>| at.map(|at| Event { label, at, tone: Tone::Plain, source: "" });
    let source = if first.times.indexed_by == "commit" { "the time of its commit" } else { "as discovered" };
    let indexed = event(INDEXED, first.times.indexed_at).map(|event| Event { source, ..event });
    let is_late = first.state() == State::Mismatch && rows.iter().any(|row| row.newer_by().is_some());
    let tone = if is_late { Tone::Wrong } else { Tone::Plain };
    let uploads = || rows.iter().filter_map(|row| row.asset.as_ref()?.updated_at);
    let uploads = match (uploads().min(), uploads().max()) {
        (Some(from), Some(to)) if from != to => {
            [event(FIRST_UPLOADED, Some(from)), event(LAST_UPLOADED, Some(to))]
        }
        (_, to) => [event(UPLOADED, to), None],
    };
    let uploads = uploads.into_iter().flatten().map(|event| Event { tone, ..event });
    let released =
        [event(CREATED, first.times.release_created_at), event(PUBLISHED, first.times.release_published_at)];
    let mut events: Vec<Event> = released.into_iter().chain([indexed]).flatten().chain(uploads).collect();
    events.sort_by_key(|event| event.at);
    events
}

/// The time between two events that follow each other: `20 min`.
pub(crate) fn between(earlier: &Event, later: &Event) -> String {
    to_the_minute(amount::apart(earlier.at, later.at))
}

/// `2026-11-26 09:47:56Z, 20 min later (as discovered)`.
pub(crate) fn time_facts(events: &[Event]) -> Vec<Fact> {
    let before = std::iter::once(None).chain(events.iter().map(Some));
    let fact = |(event, before): (&Event, Option<&Event>)| {
        let later = before.map(|before| format!(", {} later", between(before, event))).unwrap_or_default();
        let source = if event.source.is_empty() { String::new() } else { format!(" ({})", event.source) };
        Fact::of(event.label, format!("{}{later}{source}", moment(event.at))).tone(event.tone)
    };
    events.iter().zip(before).map(fact).collect()
}

/// Returns true if a fact with this label is one of the events.
pub(crate) fn is_time(label: Label) -> bool {
    [CREATED, PUBLISHED, INDEXED, UPLOADED, FIRST_UPLOADED, LAST_UPLOADED].contains(&label)
}

/// Returns true if a fact with this label explains rows, or says what can be done.
pub(crate) fn is_why(label: Label) -> bool {
    label == READING || label == YOU_CAN
}

/// The list of targets, which a grid of platforms can stand for.
pub(crate) fn is_list_of_targets(label: Label) -> bool {
    label == TARGETS
}

/// Two values of one thing that should be equal and are not, each with its label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) sides: [(Label, String); 2],
}

/// The stored values of a target that differ from those of today.
pub(crate) fn differences(row: &Row) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut add = |one: (Label, &str), other: (Label, &str)| {
        let sides = [one, other].map(|(label, value)| (label, value.to_owned()));
        found.push(Difference { sides });
    };
    let answers = row.answers();
    let stored = (STORED_SHASUM, row.stored.shasum.as_str());
    match (&row.listed, &row.zip) {
        (Listed::Sum { sum }, _) if answers.zh_sums == Answer::Differ => add(stored, (SUMS_TODAY, sum)),
        (_, Zip::Hashed(computed)) if answers.zh_zip == Answer::Differ => {
            add(stored, (ZIP_TODAY, &computed.sha256));
        }
        _ => {}
    }
    if let Zip::Hashed(computed) = &row.zip
        && let Some(h1) = computed.h1.as_deref().filter(|_| answers.h1 == Answer::Differ)
    {
        add((H1_STORED, &row.stored.h1), (H1_TODAY, h1));
    }
    found
}

/// The heads of the table of [`checksums`].
pub(crate) const CHECKSUM_HEADS: [Label; 3] =
    [Label::of("platform"), STORED_SHASUM, Label::of("upstream today")];

/// The target of a row, its stored checksum, and the checksum upstream today; `None` where they do not differ.
pub(crate) fn checksums(row: &Row) -> Option<[String; 3]> {
    let difference = differences(row).into_iter().find(|one| one.sides[0].0 == STORED_SHASUM)?;
    let [stored, today] = difference.sides.map(|(_, value)| value);
    Some([row.target.clone(), stored, today])
}

/// The mark of a verified target in a grid of platforms.
pub(crate) fn mark(state: State) -> PlatformMark {
    match state {
        State::Ok => PlatformMark::Hashed,
        State::Mismatch => PlatformMark::Changed,
        State::BadSignature => PlatformMark::Odd,
        State::Missing => PlatformMark::Lost,
        _ => PlatformMark::Listed,
    }
}

/// The legend of a mark in that grid: the state that the table has for it.
pub(crate) fn legend(mark: PlatformMark) -> &'static str {
    match mark {
        PlatformMark::Hashed => State::Ok.word(),
        PlatformMark::Changed => State::Mismatch.word(),
        PlatformMark::Odd => State::BadSignature.word(),
        PlatformMark::Lost => State::Missing.word(),
        _ => "not known",
    }
}

/// The explanation of a row, and the steps that can be taken.
fn why(row: &Row, reading: Option<String>) -> Vec<Fact> {
    let tone = if row.state().is_bad() { Tone::Warning } else { Tone::Plain };
    let reading = reading.map(|reading| Fact::of(READING, reading).tone(tone));
    let steps = row.steps().into_iter().map(|step| Fact::of(YOU_CAN, step).tone(Tone::Notice));
    reading.into_iter().chain(steps).collect()
}

/// `acme/rocket 1.0.0, 1.1.0, acme/sled 2.0.0 and 12 more`.
fn versions(rows: &[&Row]) -> String {
    let mut all: Vec<(&Row, String)> = Vec::new();
    for row in rows {
        let text = match all.last() {
            Some((last, _)) if last.address == row.address && last.version == row.version => continue,
            Some((last, _)) if last.address == row.address => row.version.clone(),
            _ => format!("{} {}", row.address, row.version),
        };
        all.push((row, text));
    }
    let named: Vec<&str> = all.iter().take(MOST_NAMED).map(|(_, text)| text.as_str()).collect();
    let more = all.len() - named.len();
    let more = if more > 0 { format!(" and {} more", grouped(more)) } else { String::new() };
    format!("{}{more}", named.join(", "))
}

/// The causes of bad rows, as far as they are known, each once and with its number of rows unless that is
/// all. `bad`: one row of each group, and the size of the group.
pub(crate) fn faults<'a>(bad: impl Iterator<Item = (&'a Row, usize)>) -> Option<String> {
    let bad: Vec<(&Row, usize)> = bad.collect();
    let all: usize = bad.iter().map(|(_, count)| count).sum();
    let known = bad.iter().filter_map(|(row, count)| Some((row.fault()?, *count)));
    let texts = each_once(known).into_iter().map(|(fault, count)| match count {
        count if count == all => fault.to_owned(),
        count => format!("{fault} ({})", counted(count, "target")),
    });
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// The steps that bad rows need, each once and with its number of rows. `bad`: one row of each group, and the
/// size of the group. `None` if no row is bad.
pub(crate) fn steps<'a>(bad: impl Iterator<Item = (&'a Row, usize)>) -> Option<String> {
    let bad: Vec<(&Row, usize)> = bad.collect();
    let steps = bad.iter().flat_map(|(row, count)| row.steps().into_iter().map(|step| (step, *count)));
    // The rows do not count the archives that are not indexed; `not_indexed` does.
    let steps = each_once(steps.filter(|(step, _)| *step != add_targets())).into_iter();
    let texts: Vec<String> =
        steps.map(|(step, count)| format!("{step} ({})", counted(count, "target"))).collect();
    (!bad.is_empty())
        .then(|| if texts.is_empty() { "see what each bad target says".to_owned() } else { texts.join("; ") })
}

/// Merges equal items in the order of their first appearance, and adds up their counts.
fn each_once<T: PartialEq>(items: impl Iterator<Item = (T, usize)>) -> Vec<(T, usize)> {
    let mut sums: Vec<(T, usize)> = Vec::new();
    for (it, count) in items {
        match sums.iter_mut().find(|(known, _)| *known == it) {
            Some((_, sum)) => *sum += count,
            None => sums.push((it, count)),
        }
    }
    sums
}

/// `10 archives of acme/rocket 1.0.0 are not indexed: …`, with the remedy. Rows of one version must stand
/// together.
pub(crate) fn not_indexed<'a>(rows: impl Iterator<Item = &'a Row>) -> Option<String> {
    let mut versions: Vec<&Row> = rows.filter(|row| !row.not_indexed.is_empty()).collect();
    versions.dedup_by(|one, other| one.version == other.version && one.address == other.address);
    let (first, others) = versions.split_first()?;
    let of = match others {
        [] => format!("{} {}", first.address, first.version),
        _ => counted(versions.len(), "version"),
    };
    let count: usize = versions.iter().map(|row| row.not_indexed.len()).sum();
    let are = if count == 1 { "is" } else { "are" };
    Some(format!("{} of {of} {are} not indexed: {}", counted(count, "archive"), add_targets()))
}

/// The next step after a verification; `None` while it runs, and after a failure, whose own message says
/// enough.
pub(crate) fn next(run: &Run, list: &List) -> Option<Message> {
    match run.end.as_ref()? {
        End::Failed(_) => None,
        End::Cancelled => Some(
            Message::of("what is finished stays in the report")
                .step(Ability::VerifyRest, "verifies the rest"),
        ),
        End::Done { .. } => {
            let bad =
                || run.groups.all_bad().map(|group| (run.rows[group.first()].as_ref(), group.places.len()));
            let fault = faults(bad()).map(|fault| format!("{fault}; ")).unwrap_or_default();
            let not_indexed = not_indexed(run.rows.iter().map(AsRef::as_ref));
            let steps = [steps(bad()), not_indexed].into_iter().flatten().collect::<Vec<_>>().join("; ");
            let steps = (!steps.is_empty()).then_some(steps);
            Some(match (steps, overtaken(run, list)) {
                (Some(steps), _) => Message::of(format!("{fault}next: {steps}")),
                (None, Some(status)) => Message::of(format!(
                    "nothing differs any more, but the list still says {}",
                    status.word()
                ))
                .step(Ability::Survey, "asks upstream again"),
                (None, None) if run.rows.iter().any(|row| row.has_unread_tag()) => {
                    Message::of("what was read does not differ, but tags could not be read")
                        .step(Ability::VerifyRest, "asks for them again and downloads nothing twice")
                }
                (None, None) if run.groups.count(State::Ok) < run.rows.len() => {
                    Message::of("nothing bad was found in what was checked")
                }
                (None, None) if !coverage(&run.coverage)[1].is_empty() => {
                    Message::of("nothing that was checked differs from what is stored")
                }
                (None, None) => Message::of("nothing differs from what is stored, so nothing has to be done"),
            })
        }
    }
}

/// The status of the only entry, if it rests on archives and every verified archive is fine.
fn overtaken(run: &Run, list: &List) -> Option<Status> {
    let [Wanted { address, version: None }] = &run.plan.wanted[..] else { return None };
    let status = list.verdict_of(address)?.status;
    (status.row().source == Source::Zips && run.groups.count(State::Ok) == run.rows.len()).then_some(status)
}

/// All answers in one fact, for faces without columns. Rows of a group have the first four answers in common.
pub(crate) fn answers(rows: &[&Row]) -> Fact {
    let answers = rows.first().map(|row| row.answers());
    let Some(answers) = answers else { return Fact::of(ANSWERS, "") };
    let each = |of: fn(Answers) -> Answer| {
        let words = each_once(rows.iter().map(|row| (of(row.answers()).word(), 1)));
        match &words[..] {
            [(word, _)] => (*word).to_owned(),
            several => {
                let words = several.iter().map(|(word, count)| format!("{word} ({})", grouped(*count)));
                words.collect::<Vec<_>>().join(" ")
            }
        }
    };
    let short = |label: Label, answer: &str| format!("{} {answer}", label.short);
    let text = [
        short(SUMS, answers.zh_sums.word()),
        short(ARCHIVE, answers.zh_zip.word()),
        short(H1, answers.h1.word()),
        short(SIGNED, signed(answers.signature, Form::Short)),
        format!("size {}", each(|answers| answers.size)),
        short(DIGEST, &each(|answers| answers.digest)),
    ];
    Fact::of(ANSWERS, text.join(", "))
}

fn or_none(text: &str) -> &str {
    if text.is_empty() { "none" } else { text }
}

fn listed(row: &Row) -> String {
    match &row.listed {
        Listed::NotAsked => "not read yet".into(),
        Listed::Sum { sum } => match &row.signature {
            SignatureSays::Good { by, .. } => format!("{sum}   signed by {by}, on file"),
            _ => sum.clone(),
        },
        Listed::Omitted => "it does not name this file".into(),
        Listed::SumsGone => "gone upstream".into(),
        Listed::Unread { why } => format!("could not be read: {why}"),
    }
}

fn zip(zip: &Zip) -> String {
    match zip {
        Zip::NotDone => "not downloaded yet".into(),
        Zip::Hashed(computed) => format!("{}   {} bytes", computed.sha256, grouped(computed.size_bytes)),
        Zip::Gone => "gone upstream".into(),
        Zip::Skipped { why } => format!("left out: {why}"),
        Zip::Failed { why } => format!("could not be hashed: {why}"),
        Zip::Cancelled => "stopped before it was downloaded".into(),
    }
}

fn h1(row: &Row) -> String {
    let stored = if row.stored.h1.is_empty() { "none stored" } else { row.stored.h1.as_str() };
    let today = match &row.zip {
        Zip::Hashed(computed) => computed.h1.as_deref().unwrap_or("cannot be computed"),
        _ => "not known",
    };
    if stored == today { format!("{stored}, the same today") } else { format!("{stored}, today {today}") }
}

/// The signer of SHA256SUMS. If its key is not on file, the signers and the keys on file get a line each.
fn signature_facts(says: &SignatureSays) -> Vec<Fact> {
    match says {
        SignatureSays::OtherKey { signed_by, on_file } => vec![
            Fact::of(SIGNATURE, "not by a key on file").tone(Tone::Warning),
            Fact::of(SIGNED_BY, signed_by.join(", ")),
            Fact::of(ON_FILE, on_file.join(", ")),
        ],
        says => vec![Fact::of(SIGNATURE, signature(says))],
    }
}

/// The result of the signature check in one line.
pub(crate) fn signature(says: &SignatureSays) -> String {
    match says {
        SignatureSays::NotAsked => "not read yet".into(),
        SignatureSays::NoKeys => "no key is on file, so clients ask for none".into(),
        SignatureSays::Good { by, file, .. } => format!("by {by}, on file in {file}"),
        SignatureSays::OtherKey { signed_by, on_file } => {
            format!("by {}; only {} is on file", signed_by.join(", "), on_file.join(", "))
        }
        SignatureSays::Bad { why } => why.clone(),
        SignatureSays::Gone => "gone upstream, and keys are on file".into(),
        SignatureSays::Unread { why } => format!("could not be checked: {why}"),
    }
}

/// `13 targets: 12 MISMATCH, 1 OK; 1.3 MB hashed: 13 while they arrived, 0 from a copy`.
pub(crate) fn tallied(tally: &Tally) -> String {
    let states = [
        (State::Mismatch, tally.mismatch),
        (State::BadSignature, tally.bad_signature),
        (State::Missing, tally.missing),
        (State::Error, tally.error),
        (State::Queued, tally.left),
        (State::Skipped, tally.skipped),
        (State::Cancelled, tally.cancelled),
        (State::Ok, tally.ok),
    ];
    let counts = states.into_iter().filter(|(_, count)| *count > 0);
    let counts: Vec<String> =
        counts.map(|(state, count)| format!("{} {}", grouped(count), state.word())).collect();
    let counts = format!("{}: {}", counted(tally.targets, "target"), counts.join(", "));
    if tally.streamed + tally.spooled == 0 {
        return counts;
    }
    format!(
        "{counts}; {} hashed: {} while they arrived, {} from a copy",
        bytes(tally.bytes),
        grouped(tally.streamed),
        grouped(tally.spooled)
    ) + &forms(tally)
}

/// Counts the packages whose h1 differs once they are installed: a lock file made from them would not match
/// the registry.
fn forms(tally: &Tally) -> String {
    match tally.forms_differ {
        0 => String::new(),
        1 => "; 1 package has a different h1 once installed".into(),
        count => format!("; {} packages have a different h1 once installed", grouped(count)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::telling::target::conclusion;
    use crate::rules::verify::tests::row;
    use crate::rules::verify::{AssetSays, Computed};

    fn at(second: i64) -> Option<Timestamp> {
        Timestamp::from_second(second).ok()
    }

    fn uploaded(mut row: Row, second: i64) -> Row {
        row.asset = Some(AssetSays { updated_at: at(second), ..AssetSays::default() });
        row
    }

    /// The four moments come from different places, and are read as one story.
    #[test]
    fn times_stand_in_their_order_with_the_time_between_them() {
        let mut row = uploaded(row(), 9_000);
        row.times.release_created_at = at(0);
        row.times.release_published_at = at(720);
        row.times.indexed_at = at(1_920);
        let labels = |rows: &[&Row]| events(rows).iter().map(|event| event.label.short).collect::<Vec<_>>();
        assert_eq!(labels(&[&row]), ["created", "published", "indexed", "uploaded"]);
        let facts = time_facts(&events(&[&row]));
        assert_eq!(facts[0].text, "1970-01-01 00:00:00Z");
        assert_eq!(facts[3].text, "1970-01-01 02:30:00Z, 1 h 58 min later");
        // One that was uploaded before it was indexed stands before it.
        let early = uploaded(row.clone(), 1_000);
        assert_eq!(labels(&[&early]), ["created", "published", "uploaded", "indexed"]);
        assert_eq!(
            labels(&[&row, &early]),
            ["created", "published", "first uploaded", "indexed", "last uploaded"]
        );
        row.times.release_created_at = None;
        assert_eq!(labels(&[&row]), ["published", "indexed", "uploaded"]);
    }

    /// Nothing that was not compared is said to be as stored.
    #[test]
    fn a_conclusion_names_only_what_was_compared() {
        let mut row = row();
        row.stored.shasum = "aa".into();
        (row.listed, row.zip) = (Listed::NotAsked, Zip::NotDone);
        assert_eq!(conclusion(&row), "");
        assert!(differences(&row).is_empty() && checksums(&row).is_none());
        row.listed = Listed::Sum { sum: "aa".into() };
        assert_eq!(conclusion(&row), "as stored: SHA256SUMS");
        row.listed = Listed::Sum { sum: "bb".into() };
        assert_eq!(conclusion(&row), "differs from what is stored: SHA256SUMS");
        assert_eq!(
            checksums(&row).map(|[_, stored, today]| (stored, today)),
            Some(("aa".into(), "bb".into()))
        );
        // Equal checksums do not make a bad row look fine.
        let refused = vec!["clients refuse a size of 0".to_owned()];
        assert_eq!(conclusion(&Row { refused, ..crate::rules::verify::tests::row() }), "clients refuse it");
        // Only the archive differs.
        row.listed = Listed::Unread { why: "no answer".into() };
        row.zip = Zip::Hashed(Computed { sha256: "cc".into(), ..Computed::default() });
        let sides = differences(&row).swap_remove(0).sides;
        assert_eq!(
            sides.map(|(label, value)| (label.short, value)),
            [("stored shasum", "aa".to_owned()), ("zip today", "cc".to_owned())]
        );
    }
}
