//! Verified targets: a table, what is bad on top and explained below its row; sentences in plain mode.

use std::fmt::Write;

use unicode_width::UnicodeWidthStr;

use crate::boot::Ui;
use crate::desk::telling::Label;
use crate::desk::telling::column::{ADDRESS, H1, NOTE, SIG, SIZE, STATE, TARGET, VERSION, ZH_SUMS, ZH_ZIP};
use crate::desk::telling::verification::{answer, facts, notes, sentence, sign, signed, tallied};
use crate::print::output::{Color, Line};
use crate::print::text;
use crate::rules::amount::{Form, bytes};
use crate::rules::plain_text::visible;
use crate::rules::verify::{Row, Tally};

const COLUMNS: [Label; 9] = [STATE, ADDRESS, VERSION, TARGET, SIZE, ZH_SUMS, ZH_ZIP, H1, SIG];

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
    let names = COLUMNS.map(|column| column.short.to_owned());
    let mut widths = [0; 9];
    for row in cells.iter().chain([&names]) {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.width());
        }
    }
    let head = Line::default().color(Color::Bold, format!("  {}", padded(&names[0], widths[0])));
    let mut lines = vec![columns(head, &names, &widths).text(format!("  {}", NOTE.short))];
    for (row, cells) in rows.iter().zip(&cells) {
        let state = row.state();
        let mut sign = sign(state);
        sign.word = padded(&cells[0], widths[0]);
        let line = columns(text::sign(Line::default(), ui, &sign), cells, &widths);
        if state.is_bad() {
            lines.push(line);
            lines.extend(block(row));
        } else {
            lines.push(line.text(format!("  {}", notes(row).join("; "))));
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

/// What explains a row, read aloud.
pub(crate) fn verified_facts(row: &Row) -> Vec<Line> {
    let line = |label: Label, text| Line::of(format!("  {}: {text}", label.spoken));
    facts(row).into_iter().map(|fact| line(fact.label, fact.text)).collect()
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
        answer(answers.zh_sums, Form::Short).into(),
        answer(answers.zh_zip, Form::Short).into(),
        answer(answers.h1, Form::Short).into(),
        signed(answers.signature, Form::Short).into(),
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

/// The lines that explain a bad row.
fn block(row: &Row) -> Vec<Line> {
    facts(row)
        .into_iter()
        .map(|fact| {
            let label = format!("{:<17}", fact.label.short);
            Line::of("    ")
                .color(Color::meant(fact.tone).unwrap_or(Color::Grey), label)
                .text(format!(" {}", fact.text))
        })
        .collect()
}
