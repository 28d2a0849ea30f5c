//! What is told of a row of a verification: its four answers, what is stored, what upstream has today, how to read that, and
//! what can be done.

use crate::desk::telling::column::{H1, SIG, ZH_SUMS, ZH_ZIP};
use crate::desk::telling::entry::{FILE, YOU_CAN};
use crate::desk::telling::{Fact, Label, Sign, Tone};
use crate::rules::amount::{Form, bytes, counted, grouped, moment};
use crate::rules::verify::{Answer, Case, Listed, Row, SignatureSays, State, Tally, Zip};

const STORED_SHASUM: Label = Label::of("stored shasum");
const SUMS_TODAY: Label = Label::of("SHA256SUMS today");
const ZIP_TODAY: Label = Label::of("zip today");
const H1_STORED_TODAY: Label = Label::of("h1 stored, today");
const READING: Label = Label::of("reading");
const SIGNATURE: Label = Label::of("signature");
const ANSWERS: Label = Label::of("the answers");
const DIGEST: Label = Label::of("GitHub's digest");
const ASSET_ID: Label = Label::of("GitHub's id");
const UPLOADED: Label = Label::of("uploaded");
const RELEASE: Label = Label::of("release");
const TAG: Label = Label::of("tag");
const READ_TWICE: Label = Label::of("read twice");
const URL: Label = Label::of("URL");

/// The sign of a state.
pub(crate) fn sign(state: State) -> Sign {
    let (glyph, tone) = match state {
        State::Mismatch => ("X", Tone::Wrong),
        State::Missing => ("0", Tone::Lost),
        State::Error => ("X", Tone::Error),
        State::Hashing | State::Fetching => ("~", Tone::Late),
        State::Queued => ("-", Tone::Quiet),
        State::Skipped => ("?", Tone::Warning),
        State::Cancelled => ("x", Tone::Quiet),
        State::Ok => ("v", Tone::Fine),
    };
    Sign { glyph, ascii: glyph, word: state.word().to_owned(), tone }
}

/// An answer; signs are words where they are read aloud.
pub(crate) fn answer(answer: Answer, form: Form) -> &'static str {
    match (form, answer) {
        (Form::Spoken, Answer::Differ) => "differs",
        (Form::Spoken, Answer::Unknown) => "not known",
        (Form::Spoken, Answer::NotDone) => "not done",
        _ => answer.word(),
    }
}

/// The answer of the signature: what is the same is good.
pub(crate) fn signed(is: Answer, form: Form) -> &'static str {
    match (form, is) {
        (Form::Short, Answer::Same) => "ok",
        (Form::Spoken, Answer::Same) => "good",
        _ => answer(is, form),
    }
}

/// `MISMATCH acme/rocket 1.0.0 linux_amd64: checksums file differs, archive differs, h1 differs, signature none`, and what else
/// is worth knowing of a row that is not bad. The address as it is to be written.
pub(crate) fn sentence(row: &Row, address: &str) -> String {
    let answers = row.answers();
    let told = [
        (ZH_SUMS, answer(answers.zh_sums, Form::Spoken)),
        (ZH_ZIP, answer(answers.zh_zip, Form::Spoken)),
        (H1, answer(answers.h1, Form::Spoken)),
        (SIG, signed(answers.signature, Form::Spoken)),
    ];
    let told = told.map(|(label, answer)| format!("{} {answer}", label.spoken)).join(", ");
    let mut text = format!("{} {address} {} {}: {told}", row.state().word(), row.version, row.target);
    if !row.state().is_bad() {
        for note in notes(row) {
            text.push_str("; ");
            text.push_str(&note);
        }
    }
    text
}

/// What is worth knowing of a row in a few words, the weightiest first.
pub(crate) fn notes(row: &Row) -> Vec<String> {
    let answers = row.answers();
    let mut notes = Vec::new();
    // The short of it; the whole stands among the facts.
    notes.extend(match row.case() {
        Case::Misrecorded => Some("the registry's checksum is wrong".into()),
        Case::Reuploaded => Some("uploaded again".into()),
        Case::UpstreamBroken | Case::Equal | Case::Unknown => row.reading(),
    });
    if let Zip::Hashed(computed) = &row.zip {
        notes.extend(computed.spooled.iter().map(|why| format!("read from a copy: {why}")));
    }
    if answers.h1 == Answer::New {
        notes.push("no h1 stored before".into());
    }
    if answers.signature == Answer::NotNeeded {
        notes.push("no key on file".into());
    }
    notes
}

/// What explains a row; what a pane shows first stands first.
pub(crate) fn facts(row: &Row) -> Vec<Fact> {
    let mut facts = vec![
        Fact::of(STORED_SHASUM, format!("{}{}", or_none(&row.stored.shasum), indexed(row))),
        Fact::of(SUMS_TODAY, listed(row)),
        Fact::of(ZIP_TODAY, zip(&row.zip)),
        Fact::of(H1_STORED_TODAY, h1(row)),
    ];
    let tone = if row.state().is_bad() { Tone::Warning } else { Tone::Plain };
    facts.extend(row.reading().map(|reading| Fact::of(READING, reading).tone(tone)));
    facts.extend(row.steps().into_iter().map(|step| Fact::of(YOU_CAN, step).tone(Tone::Notice)));
    facts.push(Fact::of(SIGNATURE, signature(&row.signature)));
    if let Some(asset) = &row.asset {
        let digest = asset.sha256.as_deref().unwrap_or("not known, as of all files from before June 2025");
        facts.push(Fact::of(DIGEST, digest));
        facts.extend(asset.id.as_ref().map(|id| Fact::of(ASSET_ID, id.as_str())));
        facts.extend(asset.updated_at.map(|at| Fact::of(UPLOADED, moment(at))));
    }
    facts.extend(released(row).map(|text| Fact::of(RELEASE, text)));
    facts.extend(row.tag.as_ref().map(|tag| Fact::of(TAG, tag.text())));
    if let Zip::Hashed(computed) = &row.zip {
        facts.extend(computed.spooled.iter().map(|why| Fact::of(READ_TWICE, why.as_str())));
    }
    facts.push(Fact::of(URL, row.url.as_str()));
    facts.push(Fact::of(FILE, row.address.path()));
    facts
}

/// All answers in one fact, where no columns hold them.
pub(crate) fn answers(row: &Row) -> Fact {
    let answers = row.answers();
    let short = |label: Label, answer: &str| format!("{} {answer}", label.short);
    let text = [
        short(ZH_SUMS, answers.zh_sums.word()),
        short(ZH_ZIP, answers.zh_zip.word()),
        short(H1, answers.h1.word()),
        short(SIG, signed(answers.signature, Form::Short)),
        format!("size {}", answers.size.word()),
        short(DIGEST, answers.digest.word()),
    ];
    Fact::of(ANSWERS, text.join(", "))
}

fn or_none(text: &str) -> &str {
    if text.is_empty() { "none" } else { text }
}

fn indexed(row: &Row) -> String {
    let Some(at) = row.times.indexed_at else { return String::new() };
    let by = if row.times.indexed_by == "commit" { "added by the commit of" } else { "discovered" };
    format!("   {by} {}", moment(at))
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
    if stored == today { format!("{stored}, the same") } else { format!("{stored}, {today}") }
}

/// Who signed SHA256SUMS, in full.
pub(crate) fn signature(says: &SignatureSays) -> String {
    match says {
        SignatureSays::NotAsked => "not read yet".into(),
        SignatureSays::NoKeys => "no key is on file, so nobody asks for one".into(),
        SignatureSays::Good { by, file, .. } => format!("by {by}, on file in {file}"),
        SignatureSays::OtherKey { signed_by, on_file } => {
            format!("by {}; only {} is on file", signed_by.join(", "), on_file.join(", "))
        }
        SignatureSays::Bad { why } => format!("not good: {why}"),
        SignatureSays::Gone => "gone upstream, and keys are on file".into(),
        SignatureSays::Unread { why } => format!("could not be checked: {why}"),
    }
}

/// `created 2026-09-01 12:00:00Z, published 2026-09-01 12:20:00Z`; `None` where neither is known.
fn released(row: &Row) -> Option<String> {
    let dates = [("created", row.times.release_created_at), ("published", row.times.release_published_at)];
    let dates: Vec<String> =
        dates.into_iter().filter_map(|(word, at)| Some(format!("{word} {}", moment(at?)))).collect();
    (!dates.is_empty()).then(|| dates.join(", "))
}

/// `13 targets: 12 MISMATCH, 1 OK; 1.3 MB hashed: 13 while they arrived, 0 from a copy`.
pub(crate) fn tallied(tally: &Tally) -> String {
    let states = [
        (State::Mismatch, tally.mismatch),
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

/// What a lock file made from the installed package would not have in common with the registry.
fn forms(tally: &Tally) -> String {
    match tally.forms_differ {
        0 => String::new(),
        1 => "; 1 package has another h1 once installed".into(),
        count => format!("; {} packages have another h1 once installed", grouped(count)),
    }
}
