//! The list: a table with aligned columns, numbered lines in plain mode, or comma-separated values.

use std::borrow::Cow;

use jiff::Timestamp;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::boot::Ui;
use crate::desk::table::{ColumnPlace, ColumnWidth, Cut, GAP, TableColumn, fit};
use crate::desk::telling::Sign;
use crate::desk::telling::column::{ADDRESS, AGE, INDEXED, LACKS, STATUS, UPSTREAM, WHY};
use crate::desk::telling::list::{lacks, sentence};
use crate::print::output::{Color, Line};
use crate::print::text;
use crate::registry::Row;
use crate::rules::amount::{Form, age};
use crate::rules::plain_text::visible;
use crate::rules::{Depth, Verdict};

const COLUMNS: [TableColumn; 7] = [
    TableColumn::new(STATUS, ColumnWidth::Content { least: 0 }, Cut::End, 0),
    TableColumn::new(ADDRESS, ColumnWidth::Content { least: 11 }, Cut::End, 1),
    TableColumn::new(INDEXED, ColumnWidth::Content { least: 8 }, Cut::End, 2),
    TableColumn::new(UPSTREAM, ColumnWidth::Content { least: 8 }, Cut::End, 3),
    TableColumn::new(LACKS, ColumnWidth::Content { least: 0 }, Cut::Right, 0),
    TableColumn::new(AGE, ColumnWidth::Content { least: 0 }, Cut::Right, 0),
    // Less of a reason says nothing.
    TableColumn::new(WHY, ColumnWidth::Rest { wants: 24, least: 0 }, Cut::End, 4),
];

/// Cells of a status glyph and the blank behind it.
const GLYPH: usize = 2;

/// The rows as lines, as wide as the terminal where it has so many columns; `header` puts the names before them.
pub(crate) fn rows(
    ui: &Ui,
    now: Timestamp,
    rows: &[(&Row, &Verdict)],
    header: bool,
    terminal: Option<usize>,
) -> Vec<Line> {
    if ui.plain {
        let told = rows
            .iter()
            .enumerate()
            .map(|(place, (row, verdict))| Line::of(sentence(place + 1, &row.address, row, verdict, now)));
        return told.collect();
    }
    let names = COLUMNS.map(|column| Cell::of(column.label.short));
    let cells: Vec<[Cell<'_>; 7]> = rows.iter().map(|(row, verdict)| cells(now, row, verdict)).collect();
    let mut longest = [0; 7];
    for row in cells.iter().chain(header.then_some(&names)) {
        for (longest, cell) in longest.iter_mut().zip(row) {
            *longest = (*longest).max(cell.width);
        }
    }
    longest[0] += GLYPH;
    let places = fit(&COLUMNS, &longest, terminal.unwrap_or(usize::MAX), GAP);
    let status = longest[0] - GLYPH;
    let dots = if ui.ascii { ".." } else { "…" };
    let header = header.then(|| {
        let name = format!("{:GLYPH$}{}", "", names[0].padded(status));
        Line::default().color(Color::Bold, name).text(columns(&names, &places, dots))
    });
    let rows = rows.iter().zip(&cells).map(|((_, verdict), row)| {
        let status = Sign { word: row[0].padded(status), ..Sign::verdict(verdict) };
        text::sign(Line::default(), ui, &status).text(columns(row, &places, dots))
    });
    header.into_iter().chain(rows).collect()
}

/// A text with `dots` in place of the end that does not fit.
fn cut<'a>(text: &'a str, room: usize, dots: &str) -> Cow<'a, str> {
    // Bytes are never fewer than cells.
    if text.len() <= room || text.width() <= room {
        return Cow::Borrowed(text);
    }
    let mut cells = dots.width();
    let fits = |letter: &char| {
        cells += letter.width().unwrap_or(0);
        cells <= room
    };
    Cow::Owned(text.chars().take_while(fits).chain(dots.chars()).collect())
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

    /// The part of it that a column shows.
    fn shown(&self, width: usize, dots: &str) -> Cow<'_, str> {
        if self.width <= width { Cow::Borrowed(&self.text) } else { cut(&self.text, width, dots) }
    }

    fn padded(&self, width: usize) -> String {
        self.text.chars().chain(self.blanks(width)).collect()
    }
}

fn cells<'a>(now: Timestamp, row: &Row, verdict: &'a Verdict) -> [Cell<'a>; 7] {
    let lacks = lacks(verdict);
    [
        Cell::of(verdict.word()),
        Cell::of(row.address.to_string()),
        Cell::of(verdict.highest_indexed.as_deref().unwrap_or("-")),
        Cell::of(verdict.highest_upstream.as_deref().unwrap_or("-")),
        if lacks.is_empty() { Cell::of("-") } else { Cell::of(lacks) },
        verdict.since.map_or_else(|| Cell::of("-"), |since| Cell::of(age(since, now, Form::Short))),
        Cell::of(verdict.because.text.as_str()),
    ]
}

/// Everything behind the status. Nothing stands behind the last text of a line.
fn columns(cells: &[Cell<'_>; 7], places: &[ColumnPlace], dots: &str) -> String {
    let mut text = String::new();
    for place in places.iter().skip(1) {
        let (cell, TableColumn { width, cut, .. }) = (&cells[place.column], &COLUMNS[place.column]);
        text.push_str("  ");
        if *cut == Cut::Right {
            text.extend(cell.blanks(place.cells));
        }
        text.push_str(&cell.shown(place.cells, dots));
        if *cut != Cut::Right && matches!(width, ColumnWidth::Content { .. }) {
            text.extend(cell.blanks(place.cells));
        }
    }
    text
}

/// The header and one record for each row. Unknown fields are empty.
pub(crate) fn csv(rows: &[(&Row, &Verdict)]) -> Vec<Line> {
    let header = "kind,address,status,depth,indexed,upstream,missing,since,checked_at,because";
    let mut lines = vec![Line::of(header)];
    for (row, verdict) in rows {
        let time = |at: Option<Timestamp>| at.map(|at| at.to_string()).unwrap_or_default();
        let record = [
            row.kind().word().to_owned(),
            row.address.to_string(),
            verdict.status.name().to_owned(),
            verdict.depth.map_or("", Depth::name).to_owned(),
            verdict.highest_indexed.as_deref().unwrap_or_default().to_owned(),
            verdict.highest_upstream.as_deref().unwrap_or_default().to_owned(),
            verdict.missing.map(|missing| missing.to_string()).unwrap_or_default(),
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
