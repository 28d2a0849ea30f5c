//! Verified targets: a table, what is bad on top and explained below its row; sentences in plain mode.

use std::fmt::Write;

use unicode_width::UnicodeWidthStr;

use crate::boot::Ui;
use crate::print::output::{Line, Tone};
use crate::rules::amount::{bytes, counted, grouped, moment};
use crate::rules::plain_text::visible;
use crate::rules::verify::{Answer, Computed, Listed, Row, SignatureSays, State, Tally, Zip};

const NAMES: [&str; 9] = ["STATE", "ADDRESS", "VERSION", "TARGET", "SIZE", "ZH=SUMS", "ZH=ZIP", "H1", "SIG"];

/// The rows as lines, the bad ones first, then how many there are of each kind.
pub(crate) fn verified(ui: &Ui, rows: &[&Row]) -> Vec<Line> {
    let mut rows = rows.to_vec();
    // Stable: within a state they stay in the order of the data files.
    rows.sort_by_key(|row| row.state());
    if rows.is_empty() {
        return Vec::new();
    }
    let mut lines = if ui.plain { sentences(&rows) } else { table(ui, &rows) };
    lines.push(Line::of(tallied(&Tally::of(rows.iter().copied()))));
    lines
}

fn table(ui: &Ui, rows: &[&Row]) -> Vec<Line> {
    let cells: Vec<[String; 9]> = rows.iter().map(|row| cells(row)).collect();
    let names = NAMES.map(String::from);
    let mut widths = [0; 9];
    for row in cells.iter().chain([&names]) {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.width());
        }
    }
    let head = Line::default().tone(Tone::Bold, format!("  {}", padded(&names[0], widths[0])));
    let mut lines = vec![columns(head, &names, &widths).text("  NOTE")];
    for (row, cells) in rows.iter().zip(&cells) {
        let state = row.state();
        let word = format!("{} {}", glyph(state), padded(&cells[0], widths[0]));
        let line = columns(Line::default().tone(tone(state), word), cells, &widths);
        if state.is_bad() {
            lines.push(line);
            lines.extend(block(ui, row));
        } else {
            lines.push(line.text(format!("  {}", note(row))));
        }
    }
    lines
}

fn sentences(rows: &[&Row]) -> Vec<Line> {
    let mut lines = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        lines.push(Line::of(format!("{}. {}", place + 1, sentence(row, &row.address.to_string()))));
        if row.state().is_bad() {
            lines.extend(verified_facts(row));
        }
    }
    lines
}

/// `MISMATCH acme/rocket 1.0.0 linux_amd64: checksums file differs, archive differs, h1 differs, signature none`, and what else
/// is worth knowing of a row that is not bad. The address as it is to be written.
pub(crate) fn sentence(row: &Row, address: &str) -> String {
    let answers = row.answers();
    let mut text = format!(
        "{} {address} {} {}: checksums file {}, archive {}, h1 {}, signature {}",
        row.state().word(),
        row.version,
        row.target,
        spoken(answers.zh_sums),
        spoken(answers.zh_zip),
        spoken(answers.h1),
        if answers.signature == Answer::Same { "good" } else { spoken(answers.signature) }
    );
    let note = if row.state().is_bad() { String::new() } else { note(row) };
    if !note.is_empty() {
        let _ = write!(text, "; {note}");
    }
    text
}

/// What explains a row, a fact a line.
pub(crate) fn verified_facts(row: &Row) -> Vec<Line> {
    facts(row).into_iter().map(|(label, fact)| Line::of(format!("  {label}: {fact}"))).collect()
}

fn cells(row: &Row) -> [String; 9] {
    let answers = row.answers();
    let shown = |text: &str| visible(text).into_owned();
    [
        row.state().word().to_owned(),
        shown(&row.address.to_string()),
        shown(&row.version),
        shown(&row.target),
        row.size_bytes().map_or_else(|| "-".into(), bytes),
        answers.zh_sums.word().into(),
        answers.zh_zip.word().into(),
        answers.h1.word().into(),
        signature_word(answers.signature).into(),
    ]
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{:blanks$}", "", blanks = width.saturating_sub(text.width()))
}

/// Everything behind the state; the size stands to the right.
fn columns(line: Line, cells: &[String; 9], widths: &[usize; 9]) -> Line {
    let mut text = String::new();
    for (place, (cell, width)) in cells.iter().zip(widths).enumerate().skip(1) {
        let blanks = width.saturating_sub(cell.width());
        let _ = match place {
            4 => write!(text, "  {:blanks$}{cell}", ""),
            _ => write!(text, "  {cell}{:blanks$}", ""),
        };
    }
    line.text(text)
}

fn glyph(state: State) -> &'static str {
    match state {
        State::Mismatch | State::Error => "X",
        State::Missing => "0",
        State::Hashing | State::Fetching => "~",
        State::Queued => "-",
        State::Skipped => "?",
        State::Cancelled => "x",
        State::Ok => "v",
    }
}

fn tone(state: State) -> Tone {
    match state {
        State::Mismatch | State::Error => Tone::Red,
        State::Missing => Tone::Magenta,
        State::Hashing | State::Fetching | State::Queued => Tone::Blue,
        State::Skipped => Tone::Yellow,
        State::Cancelled => Tone::Grey,
        State::Ok => Tone::Green,
    }
}

/// The words of the answers without signs, for who hears them.
fn spoken(answer: Answer) -> &'static str {
    match answer {
        Answer::Differ => "differs",
        Answer::Unknown => "not known",
        Answer::NotDone => "not done",
        Answer::Same | Answer::New | Answer::Gone | Answer::NotNeeded => answer.word(),
    }
}

fn signature_word(answer: Answer) -> &'static str {
    if answer == Answer::Same { "ok" } else { answer.word() }
}

/// What is worth knowing of a row that is not bad.
fn note(row: &Row) -> String {
    let answers = row.answers();
    let mut notes: Vec<String> = row.reading().into_iter().collect();
    if let Zip::Hashed(Computed { spooled: Some(why), .. }) = &row.zip {
        notes.push(format!("read from a copy: {why}"));
    }
    if answers.h1 == Answer::New {
        notes.push("no h1 stored before".into());
    }
    if answers.signature == Answer::NotNeeded {
        notes.push("no key on file".into());
    }
    notes.join("; ")
}

/// The lines that explain a bad row.
fn block(ui: &Ui, row: &Row) -> Vec<Line> {
    let tone = |label: &str| if label == "reading" { Tone::Yellow } else { Tone::Grey };
    debug_assert!(!ui.plain, "plain mode has sentences");
    facts(row)
        .into_iter()
        .map(|(label, fact)| {
            Line::of("    ").tone(tone(label), format!("{label:<17}")).text(format!(" {fact}"))
        })
        .collect()
}

/// What is stored, what is there today, how that reads and what can be done.
fn facts(row: &Row) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("stored shasum", format!("{}{}", or_none(&row.stored.shasum), indexed(row))),
        ("SHA256SUMS today", format!("{}{}", listed(&row.listed), signed(&row.signature))),
    ];
    if let Some(asset) = &row.asset {
        let at = asset.updated_at.map(|at| format!("   uploaded {}", moment(at))).unwrap_or_default();
        let digest = asset.sha256.as_deref().unwrap_or("not known, as of all files from before June 2025");
        facts.push(("GitHub's digest", format!("{digest}{at}")));
        facts.extend(asset.id.as_ref().map(|id| ("GitHub's id", id.clone())));
    }
    facts.extend(released(row).map(|text| ("release", text)));
    facts.extend(row.tag.as_ref().map(|tag| ("tag", tag.text())));
    facts.push(("zip today", zip(&row.zip)));
    if let Zip::Hashed(computed) = &row.zip {
        facts.push(("h1 stored", or_none(&row.stored.h1).to_owned()));
        facts.push(("h1 today", computed.h1.clone().unwrap_or_else(|| "cannot be computed".into())));
        facts.extend(computed.spooled.iter().map(|why| ("read twice", why.clone())));
    }
    facts.extend(row.reading().map(|reading| ("reading", reading)));
    let steps = row.steps();
    if !steps.is_empty() {
        facts.push(("you can", steps.join("; ")));
    }
    facts
}

fn or_none(text: &str) -> &str {
    if text.is_empty() { "none" } else { text }
}

fn indexed(row: &Row) -> String {
    let Some(at) = row.times.indexed_at else { return String::new() };
    let by = if row.times.indexed_by == "commit" { "added by the commit of" } else { "discovered" };
    format!("   {by} {}", moment(at))
}

/// `created 2026-09-01 12:00:00Z, published 2026-09-01 12:20:00Z`; `None` where neither is known.
fn released(row: &Row) -> Option<String> {
    let dates = [("created", row.times.release_created_at), ("published", row.times.release_published_at)];
    let dates: Vec<String> =
        dates.into_iter().filter_map(|(word, at)| Some(format!("{word} {}", moment(at?)))).collect();
    (!dates.is_empty()).then(|| dates.join(", "))
}

fn listed(listed: &Listed) -> String {
    match listed {
        Listed::Sum { sum } => sum.clone(),
        Listed::Omitted => "does not name the file".into(),
        Listed::SumsGone => "gone".into(),
        Listed::Unread { .. } => "not read".into(),
        Listed::NotAsked => "not asked".into(),
    }
}

fn signed(signature: &SignatureSays) -> String {
    match signature {
        SignatureSays::Good { by, .. } => format!("   signed by {by} (on file)"),
        SignatureSays::OtherKey { .. } => "   signed by a key that is not on file".into(),
        SignatureSays::Bad { .. } => "   its signature is not good".into(),
        SignatureSays::Gone => "   its signature is gone".into(),
        SignatureSays::Unread { .. } => "   its signature was not checked".into(),
        SignatureSays::NoKeys => "   no key is on file".into(),
        SignatureSays::NotAsked => String::new(),
    }
}

fn zip(zip: &Zip) -> String {
    match zip {
        Zip::Hashed(computed) => format!("{}   {} bytes", computed.sha256, grouped(computed.size_bytes)),
        Zip::Gone => "gone".into(),
        Zip::Skipped { .. } => "left out".into(),
        Zip::Failed { .. } => "not read to its end".into(),
        Zip::Cancelled | Zip::NotDone => "not downloaded".into(),
    }
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
