//! The list: a table with aligned columns, numbered lines in plain mode, or comma-separated values.

use std::fmt::Write;

use jiff::Timestamp;
use unicode_width::UnicodeWidthStr;

use crate::boot::Ui;
use crate::desk::telling::Label;
use crate::desk::telling::column::{ADDRESS, AGE, INDEXED, LACKS, STATUS, UPSTREAM};
use crate::desk::telling::list::{lacks, sentence};
use crate::print::output::{Color, Line};
use crate::print::text;
use crate::registry::Row;
use crate::rules::Verdict;
use crate::rules::amount::{Form, age};
use crate::rules::plain_text::visible;

const COLUMNS: [Label; 6] = [STATUS, ADDRESS, INDEXED, UPSTREAM, LACKS, AGE];

/// The rows as lines; `header` puts the names of the columns before them.
pub(crate) fn rows(ui: &Ui, now: Timestamp, rows: &[(&Row, &Verdict)], header: bool) -> Vec<Line> {
    if ui.plain {
        let told = rows.iter().enumerate().map(|(place, (row, verdict))| {
            Line::of(sentence(place + 1, &row.address.to_string(), row, verdict, now))
        });
        return told.collect();
    }
    let cells: Vec<[String; 6]> = rows.iter().map(|(row, verdict)| cells(now, row, verdict)).collect();
    let names = COLUMNS.map(|column| column.short.to_owned());
    let mut widths = [0; 6];
    for row in cells.iter().chain(header.then_some(&names)) {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.width());
        }
    }
    let mut lines = Vec::with_capacity(rows.len() + 1);
    if header {
        lines.push(columns(
            Line::default().color(Color::Bold, pad("  ", &names[0], widths[0])),
            &names,
            widths,
        ));
    }
    for ((_, verdict), row) in rows.iter().zip(&cells) {
        let status = text::status(Line::default(), ui, verdict.status, &pad("", &row[0], widths[0]));
        lines.push(columns(status, row, widths));
    }
    lines
}

/// The cells of a row, made visible here so that their widths are those that will be seen.
fn cells(now: Timestamp, row: &Row, verdict: &Verdict) -> [String; 6] {
    let version =
        |version: Option<&str>| version.map_or_else(|| "-".to_owned(), |text| visible(text).into_owned());
    [
        verdict.word(),
        visible(&row.address.to_string()).into_owned(),
        version(verdict.highest_indexed.as_deref()),
        version(verdict.highest_upstream.as_deref()),
        Some(lacks(verdict)).filter(|lacks| !lacks.is_empty()).unwrap_or_else(|| "-".into()),
        verdict.since.map_or_else(|| "-".into(), |since| age(since, now, Form::Short)),
    ]
}

fn pad(before: &str, text: &str, width: usize) -> String {
    format!("{before}{text}{:blanks$}", "", blanks = width.saturating_sub(text.width()))
}

/// Everything behind the status: texts to the left, figures to the right.
fn columns(line: Line, cells: &[String; 6], widths: [usize; 6]) -> Line {
    let mut text = String::new();
    for (cell, width) in cells.iter().zip(widths).take(4).skip(1) {
        text.push_str("  ");
        text.push_str(&pad("", cell, width));
    }
    for (cell, width) in cells.iter().zip(widths).skip(4) {
        let _ = write!(text, "  {:blanks$}{cell}", "", blanks = width.saturating_sub(cell.width()));
    }
    line.text(text)
}

/// The header and one record for each row.
pub(crate) fn csv(rows: &[(&Row, &Verdict)]) -> Vec<Line> {
    let header = "kind,address,status,depth,indexed,upstream,missing,since,checked_at,because";
    let mut lines = vec![Line::of(header)];
    for (row, verdict) in rows {
        let time = |at: Option<Timestamp>| at.map(|at| at.to_string()).unwrap_or_default();
        let record = [
            row.kind().word().to_owned(),
            row.address.to_string(),
            verdict.status.name().to_owned(),
            verdict.depth.name().to_owned(),
            verdict.highest_indexed.as_deref().unwrap_or_default().to_owned(),
            verdict.highest_upstream.as_deref().unwrap_or_default().to_owned(),
            verdict.missing.to_string(),
            time(verdict.since),
            time(verdict.checked_at),
            verdict.because.text.clone(),
        ];
        lines.push(Line::of(record.map(|field| quote(&field)).join(",")));
    }
    lines
}

/// A field that a spreadsheet takes for text: quoted where needed, and never the start of a formula.
fn quote(field: &str) -> String {
    let guarded =
        if field.starts_with(['=', '+', '-', '@']) { format!("'{field}") } else { field.to_owned() };
    if guarded.contains(['"', ',', ' ', '\n', '\r']) {
        format!("\"{}\"", guarded.replace('"', "\"\""))
    } else {
        guarded
    }
}
