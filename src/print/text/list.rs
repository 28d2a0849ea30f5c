//! The list: a table with aligned columns, numbered lines in plain mode, or comma-separated values.

use std::borrow::Cow;

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
        let told = rows
            .iter()
            .enumerate()
            .map(|(place, (row, verdict))| Line::of(sentence(place + 1, &row.address, row, verdict, now)));
        return told.collect();
    }
    let names = COLUMNS.map(|column| Cell::of(column.short));
    let cells: Vec<[Cell<'_>; 6]> = rows.iter().map(|(row, verdict)| cells(now, row, verdict)).collect();
    let mut widths = [0; 6];
    for row in cells.iter().chain(header.then_some(&names)) {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.width);
        }
    }
    let header = header.then(|| {
        let name = format!("  {}", names[0].padded(widths[0]));
        Line::default().color(Color::Bold, name).text(columns(&names, widths))
    });
    let rows = rows.iter().zip(&cells).map(|((_, verdict), row)| {
        let status = text::status(Line::default(), ui, verdict.status, &row[0].padded(widths[0]));
        status.text(columns(row, widths))
    });
    header.into_iter().chain(rows).collect()
}

/// A text made visible, and its width, which is that of what will be seen. Measured once: the list has 27,000 rows.
struct Cell<'a> {
    text: Cow<'a, str>,
    width: usize,
}

impl<'a> Cell<'a> {
    fn of(text: impl Into<Cow<'a, str>>) -> Self {
        let text = match text.into() {
            Cow::Borrowed(text) => visible(text),
            Cow::Owned(text) => Cow::Owned(visible(&text).into_owned()),
        };
        Self { width: text.width(), text }
    }

    fn blanks(&self, width: usize) -> impl Iterator<Item = char> {
        std::iter::repeat_n(' ', width.saturating_sub(self.width))
    }

    fn padded(&self, width: usize) -> String {
        self.text.chars().chain(self.blanks(width)).collect()
    }
}

fn cells<'a>(now: Timestamp, row: &Row, verdict: &'a Verdict) -> [Cell<'a>; 6] {
    let lacks = lacks(verdict);
    [
        Cell::of(verdict.word()),
        Cell::of(row.address.to_string()),
        Cell::of(verdict.highest_indexed.as_deref().unwrap_or("-")),
        Cell::of(verdict.highest_upstream.as_deref().unwrap_or("-")),
        if lacks.is_empty() { Cell::of("-") } else { Cell::of(lacks) },
        verdict.since.map_or_else(|| Cell::of("-"), |since| Cell::of(age(since, now, Form::Short))),
    ]
}

/// Everything behind the status: texts to the left, figures to the right.
fn columns(cells: &[Cell<'_>; 6], widths: [usize; 6]) -> String {
    let mut text = String::with_capacity(widths.iter().sum::<usize>() + 2 * widths.len());
    for (place, (cell, width)) in cells.iter().zip(widths).enumerate().skip(1) {
        text.push_str("  ");
        if place < 4 {
            text.push_str(&cell.text);
            text.extend(cell.blanks(width));
        } else {
            text.extend(cell.blanks(width));
            text.push_str(&cell.text);
        }
    }
    text
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
