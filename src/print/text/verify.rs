//! Verified targets: a table, what is bad on top and explained below its line; sentences in plain mode. Targets of a version
//! that say the same are told as one, unless each is wanted.

use std::fmt::Write;
use std::sync::Arc;

use unicode_width::UnicodeWidthStr;

use crate::boot::Ui;
use crate::desk::folding::fold;
use crate::desk::table::Cut;
use crate::desk::telling::Label;
use crate::desk::telling::target::{COLUMNS, NOTE, TargetLine, gist, notes, sign};
use crate::desk::telling::verification::{facts, sentence, tallied};
use crate::print::output::{Color, Line};
use crate::print::text;
use crate::rules::plain_text::visible;
use crate::rules::verify::{Row, Tally};

/// The rows as lines, the bad ones first, then how many there are of each kind.
pub(crate) fn verified(ui: &Ui, rows: &[Arc<Row>], each: bool) -> Vec<Line> {
    if rows.is_empty() {
        return Vec::new();
    }
    let mut groups = fold(rows);
    if each {
        groups = groups.concat().into_iter().map(|row| vec![row]).collect();
    }
    let mut lines = if ui.plain { sentences(&groups) } else { table(ui, &groups) };
    lines.push(Line::of(tallied(&Tally::of(rows.iter().map(Arc::as_ref)))).hanging(2));
    if !each
        && groups.len() < rows.len()
        && groups.iter().any(|rows| rows.len() > 1 && rows[0].state().is_bad())
    {
        let note = "targets of a version with the same result are told as one; --each tells each";
        lines.push(Line::of(note).hanging(2));
    }
    lines
}

fn table(ui: &Ui, groups: &[Vec<&Row>]) -> Vec<Line> {
    let cells: Vec<Cells> = groups.iter().map(|rows| cells(rows)).collect();
    let names: Cells = std::array::from_fn(|column| COLUMNS[column].label.short.to_owned());
    let mut widths = [0; NOTE];
    for row in cells.iter().chain([&names]) {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.width());
        }
    }
    let head = Line::default().color(Color::Bold, format!("  {}", padded(&names[0], widths[0])));
    // What a narrow terminal has no room for stands below the second column.
    let below = 2 + widths[0] + 2;
    let mut lines =
        vec![columns(head, &names, &widths).text(format!("  {}", COLUMNS[NOTE].label.short)).hanging(below)];
    for (rows, cells) in groups.iter().zip(&cells) {
        let state = rows[0].state();
        let mut sign = sign(state);
        sign.word = padded(&cells[0], widths[0]);
        let line = columns(text::sign(Line::default(), ui, &sign), cells, &widths).hanging(below);
        if state.is_bad() {
            // The whole reading stands below.
            lines.push(gist(rows[0]).map_or(line.clone(), |gist| line.text(format!("  {gist}"))));
            lines.extend(block(rows));
        } else {
            lines.push(line.text(format!("  {}", notes(rows[0]).join("; "))));
        }
    }
    lines
}

fn sentences(groups: &[Vec<&Row>]) -> Vec<Line> {
    let mut lines = Vec::new();
    for (place, rows) in groups.iter().enumerate() {
        lines.push(Line::of(format!("{}. {}", place + 1, sentence(rows, ToOwned::to_owned))));
        if rows[0].state().is_bad() {
            lines.extend(verified_facts(rows));
        }
    }
    lines
}

/// The facts that explain rows that are reported as one, read aloud.
pub(crate) fn verified_facts(rows: &[&Row]) -> Vec<Line> {
    let line = |label: Label, text| Line::of(format!("  {}: {text}", label.spoken));
    facts(rows).into_iter().map(|fact| line(fact.label, fact.text)).collect()
}

/// The texts before the notes.
type Cells = [String; NOTE];

fn cells(rows: &[&Row]) -> Cells {
    let line = TargetLine::of(rows.to_vec(), rows[0].state());
    std::array::from_fn(|column| visible(&line.cell(column).text).into_owned())
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{:blanks$}", "", blanks = width.saturating_sub(text.width()))
}

/// Everything behind the state; the size stands to the right.
fn columns(line: Line, cells: &Cells, widths: &[usize; NOTE]) -> Line {
    let mut text = String::new();
    for (place, (cell, width)) in cells.iter().zip(widths).enumerate().skip(1) {
        let blanks = width.saturating_sub(cell.width());
        let _ = match COLUMNS[place].cut {
            Cut::Right => write!(text, "  {:blanks$}{cell}", ""),
            _ => write!(text, "  {cell}{:blanks$}", ""),
        };
    }
    line.text(text)
}

/// The lines that explain bad rows.
fn block(rows: &[&Row]) -> Vec<Line> {
    facts(rows)
        .into_iter()
        .map(|fact| {
            let label = format!("{:<17}", fact.label.short);
            Line::of("    ")
                .color(Color::of_tone(fact.tone).unwrap_or(Color::Grey), label)
                .text(format!(" {}", fact.text))
                .hanging(4 + 17 + 1)
        })
        .collect()
}
