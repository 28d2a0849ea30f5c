//! A proposed rebuild: what changes, in words; and the file with its changes marked.

use std::collections::HashSet;
use std::fmt::Write;

use crate::boot::Ui;
use crate::desk::telling::planned::class_tone;
use crate::desk::telling::{Sign, Tone, planned};
use crate::print::output::{Color, Line};
use crate::print::text;
use crate::rules::amount::counted;
use crate::rules::diff::{
    ChangeKind, FieldChange, LineMark, Lines, Normalises, Row, TargetChange, VersionChange,
};
use crate::rules::{Class, Proposal, Verdict};

/// Longest value of a field that is shown whole.
const LONGEST: usize = 100;

/// The lines about a proposal.
pub(crate) fn proposal(ui: &Ui, proposal: &Proposal, verdict: &Verdict) -> Vec<Line> {
    let diff = &proposal.diff;
    let between = if ui.plain { ", " } else { "  " };
    let head = Line::default().color(Color::Bold, proposal.address.to_string()).text(between);
    // A file that would not change because nobody knows must not look like a file that is fine.
    let head = match planned::blocked(proposal) {
        Some(why) => head.toned(Tone::Warning, why),
        None => head.toned(class_tone(diff.class), text::class(ui, diff.class)).text(format!(
            "{between}mode {}{between}{}",
            proposal.mode.name(),
            proposal.path
        )),
    };
    let mut lines = vec![head];
    lines.push(
        text::sign(label(ui, "status"), ui, &Sign::verdict(verdict))
            .text(format!(": {}", verdict.because.text))
            .hanging(13),
    );
    lines.extend(diff.versions.iter().flat_map(|change| version(ui, change)));
    lines.extend(diff.fields.iter().map(|change| field(ui, "  ", change)));
    if !diff.normalises.is_none() {
        lines.push(label(ui, "normalises").text(normalises(diff.normalises)));
    }
    lines.push(label(ui, "unchanged").text(counted(diff.unchanged_versions, "version")));
    lines.extend(proposal.findings.iter().map(|finding| text::finding(Line::of("  "), finding)));
    if diff.class != Class::Noop {
        lines.push(label(ui, "base").text(format!("sha256 {}", proposal.base_digest)));
        lines.push(label(ui, "proposed").text(format!("sha256 {}", proposal.digest)));
    }
    lines
}

/// The file as it would be, changes marked, as the console first shows it: what is alike is folded. Plain mode has the words
/// before it alone.
pub(crate) fn structure(ui: &Ui, lines: &Lines) -> Vec<Line> {
    if ui.plain {
        return Vec::new();
    }
    let line = |mark: LineMark, number: &str, text: &str| {
        let (sign, tone) = match mark {
            LineMark::Same => (" ", Tone::Plain),
            LineMark::Added => ("+", Tone::Fine),
            LineMark::Removed => ("-", Tone::Lost),
        };
        Line::default().toned(tone, format!("{sign} {number:>7}  {text}"))
    };
    let rows = lines.visible(&HashSet::new()).into_iter().map(|row| match row {
        Row::Line(at) => {
            let one = &lines.lines[at as usize];
            line(one.mark, &one.number.to_string(), lines.text(one))
        }
        Row::Fold(block) => {
            let block = &lines.blocks[block as usize];
            let first = &lines.lines[block.first as usize];
            let text = lines.text(first);
            let indent = &text[..text.len() - text.trim_start().len()];
            let odd = if block.odd { ", differs in shape" } else { "" };
            let count = counted(block.end - block.first, "line");
            line(
                block.mark,
                &format!("..{}", first.number),
                &format!("{indent}{} [{count}{odd}]", block.title),
            )
        }
    });
    rows.collect()
}

fn sign(kind: ChangeKind) -> (&'static str, Color) {
    match kind {
        ChangeKind::Added => ("+", Color::Green),
        ChangeKind::Removed => ("-", Color::Red),
        ChangeKind::Changed => ("!", Color::Red),
        ChangeKind::Moved => ("~", Color::Cyan),
    }
}

/// The label of a line: in a column of its own, or with a colon in plain mode.
fn label(ui: &Ui, name: &str) -> Line {
    Line::of(if ui.plain { format!("{name}: ") } else { format!("  {name:<11}") })
}

/// A sign before words that say the same; plain mode has the words alone.
fn signed(ui: &Ui, sign: &str, words: &str) -> String {
    if ui.plain { words.to_owned() } else { format!("{sign} {words}") }
}

fn version(ui: &Ui, change: &VersionChange) -> Vec<Line> {
    let (glyph, color) = sign(change.kind);
    let mut what = format!("{} {}", change.version, change.kind.word());
    if !change.targets.is_empty() {
        let _ = write!(what, ", {}", counted(change.targets.len(), "target"));
    }
    if let (ChangeKind::Moved, Some(old), Some(new)) = (change.kind, change.old_place, change.new_place) {
        let _ = write!(what, " from place {} to {}", old + 1, new + 1);
    }
    let mut lines = vec![Line::default().color(color, signed(ui, glyph, &what))];
    if change.kind == ChangeKind::Changed {
        lines.extend(change.fields.iter().map(|change| field(ui, "    ", change)));
        lines.extend(change.targets.iter().flat_map(|change| target(ui, change)));
    }
    lines
}

fn target(ui: &Ui, change: &TargetChange) -> Vec<Line> {
    let (glyph, color) = sign(change.kind);
    let mut lines = vec![
        Line::of("    ")
            .color(color, signed(ui, glyph, &format!("{} {}", change.platform, change.kind.word()))),
    ];
    if change.kind == ChangeKind::Changed {
        lines.extend(change.fields.iter().map(|change| field(ui, "        ", change)));
    }
    lines
}

fn field(ui: &Ui, indent: &str, change: &FieldChange) -> Line {
    let value = |value: &Option<String>| value.as_deref().map_or_else(|| "nothing".to_owned(), shorten);
    let (old, new) = (value(&change.old), value(&change.new));
    Line::of(if ui.plain {
        format!("{indent}{}: was {old}, becomes {new}", change.field)
    } else {
        format!("{indent}{}: {old} -> {new}", change.field)
    })
}

fn shorten(value: &str) -> String {
    match value.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}..", &value[..end]),
        None => value.to_owned(),
    }
}

fn normalises(side: Normalises) -> String {
    let mut parts = Vec::new();
    for (figure, noun) in [
        (side.key_orders, "key order"),
        (side.empty_fields, "empty field"),
        (side.moved_versions, "moved version"),
    ] {
        if figure > 0 {
            parts.push(counted(figure, noun));
        }
    }
    if side.layout {
        parts.push("line ends or spacing".into());
    }
    format!("{} (the registry's own writer does so on every rewrite)", parts.join(", "))
}
