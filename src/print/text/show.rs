//! One entry: what, why, what happens if nothing is done, what can be done; then what stands behind it.

use std::fmt::Write;

use jiff::Timestamp;

use crate::boot::Ui;
use crate::jobs::Opened;
use crate::print::output::{Line, Tone};
use crate::print::text;
use crate::rules::amount::{self, counted, grouped, moment};
use crate::rules::{PublishedBy, Status, VersionMark, VersionState};

/// Indexed versions that are named; the rest is counted.
const NEWEST: usize = 5;

/// All lines about an opened entry.
pub(crate) fn entry(ui: &Ui, now: Timestamp, opened: &Opened) -> Vec<Line> {
    let verdict = &opened.verdict;
    let row = verdict.status.row();
    let between = if ui.plain { ", " } else { "  " };
    let mut lines = vec![
        Line::default()
            .tone(Tone::Bold, opened.address.to_string())
            .text(format!("{between}{}", opened.address.kind().word())),
    ];
    lines.push(
        text::status(label(ui, "what"), ui, verdict.status, &verdict.word()).text(format!(": {}", row.means)),
    );
    lines.push(label(ui, "why").text(verdict.because.text.as_str()));
    let read = verdict.because.at.map_or_else(String::new, |at| format!(", read {}", ago(ui, at, now)));
    lines.push(label(ui, "source").text(format!("{}{read}", verdict.because.source.name())));
    lines.push(label(ui, if ui.plain { "if nothing is done" } else { "if left" }).text(row.if_left));
    lines.push(label(ui, if ui.plain { "you can" } else { "can do" }).text(row.can_do));
    lines.push(label(ui, "checked").text(match verdict.checked_at {
        Some(at) => {
            format!("to depth `{}`, {}; nothing is claimed beyond", verdict.depth.name(), ago(ui, at, now))
        }
        None => "never".into(),
    }));
    lines.push(label(ui, "file").text(opened.address.path()));
    lines.push(label(ui, "upstream").text(opened.address.repository().url()));
    lines.extend(indexed(ui, opened));
    lines.extend(verdict.versions.iter().map(|state| version(ui, now, state)));
    let errors = opened.entry.errors().iter();
    lines.extend(errors.map(|error| {
        label(ui, "failed try").text(format!(
            "{} at {}: {}",
            error.version,
            moment(error.utc_time),
            error.message
        ))
    }));
    lines.extend(keys(ui, opened));
    let findings = verdict.findings.iter().chain(&opened.findings);
    lines.extend(findings.map(|finding| text::finding(label(ui, "finding"), finding)));
    lines
}

/// What a line is about: in a column of its own, or with a colon in plain mode.
fn label(ui: &Ui, name: &str) -> Line {
    Line::of(if ui.plain { format!("{name}: ") } else { format!("{name:<11}") })
}

fn ago(ui: &Ui, at: Timestamp, now: Timestamp) -> String {
    format!("{} ({})", moment(at), amount::ago(at, now, text::form(ui)))
}

/// What is indexed, newest first.
fn indexed(ui: &Ui, opened: &Opened) -> Vec<Line> {
    let versions = opened.entry.versions();
    let targets: usize = opened
        .entry
        .as_provider()
        .map_or(0, |entry| entry.versions.iter().map(|one| one.targets.len()).sum());
    let mut what = counted(versions.len(), "version");
    if targets > 0 {
        let _ = write!(what, ", {}", counted(targets, "target"));
    }
    if !versions.is_empty() {
        let _ = write!(what, ": {}", versions[..versions.len().min(NEWEST)].join(", "));
    }
    if versions.len() > NEWEST {
        let _ = write!(what, " and {} more", grouped(versions.len() - NEWEST));
    }
    let warnings = opened.entry.as_provider().map_or(&[][..], |entry| &entry.warnings);
    let mut lines = vec![label(ui, "indexed").text(what)];
    lines.extend(warnings.iter().map(|warning| label(ui, "warning").text(warning.as_str())));
    lines
}

/// The keys on file, how versions fare with them, and what one more key would change.
fn keys(ui: &Ui, opened: &Opened) -> Vec<Line> {
    let Some(sheet) = &opened.keys else { return Vec::new() };
    let mut lines: Vec<Line> = sheet
        .keys
        .iter()
        .map(|key| label(ui, "key").text(format!("{} ({})", key.text(), key.path)))
        .collect();
    if sheet.keys.is_empty() {
        lines.push(label(ui, "key").text("none on file: clients look at no signature"));
    }
    if let Some(matrix) = &sheet.matrix {
        lines.extend(matrix.text().into_iter().map(|text| label(ui, "signatures").text(text)));
        let rows = matrix.rows.iter().filter(|row| !row.installs());
        lines.extend(rows.map(|row| label(ui, "signature").text(format!("{}: {}", row.version, row.text()))));
    }
    if let Some(preview) = &sheet.preview {
        lines.push(label(ui, "new key").text(preview.text()));
        let stops = preview.preview.stops.iter();
        lines.extend(stops.map(|stop| {
            label(ui, "would stop").text(format!(
                "{}: signed by {}",
                stop.version,
                stop.signed_by.join(" and ")
            ))
        }));
    }
    lines
}

/// A version worth a line.
fn version(ui: &Ui, now: Timestamp, state: &VersionState) -> Line {
    let line = match state.mark {
        VersionMark::Is(status) => text::status(label(ui, "version"), ui, status, status.word()),
        VersionMark::Blocked => mark(ui, "⊘", "/", "BLOCKED"),
        VersionMark::Ignored => mark(ui, "‣", "x", "IGNORED"),
    };
    let mut parts = vec![state.reason.clone()];
    if let Some(tag) = state.tag.as_ref().filter(|tag| **tag != state.version) {
        parts.push(format!("tag {tag}"));
    }
    if let Some(targets) = state.targets {
        parts.push(counted(targets, "target"));
    }
    if let (Some(at), Some(by)) = (state.published, state.published_by) {
        parts.push(match by {
            PublishedBy::Feed => format!("published {}, says the feed", ago(ui, at, now)),
            PublishedBy::Api => format!("published {}, says the API", ago(ui, at, now)),
            PublishedBy::FirstSeen => format!("first seen by us {}", ago(ui, at, now)),
        });
    }
    if state.attempts > 0 {
        parts.push(format!("tried {}", counted(state.attempts, "time")));
    }
    if let Some(next) = state.next_try {
        parts.push(format!("next try {}", moment(next)));
    }
    line.text(format!(" {}: {}", state.version, parts.join("; ")))
}

fn mark(ui: &Ui, glyph: &str, ascii: &str, word: &str) -> Line {
    let glyph = if ui.ascii { ascii } else { glyph };
    let text = if ui.plain { word.to_owned() } else { format!("{glyph} {word}") };
    label(ui, "version").tone(Tone::of(Status::Unknown), text)
}
