//! The list: a table with aligned columns, numbered lines in plain mode, or comma-separated values.

use std::borrow::Cow;

use jiff::Timestamp;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::boot::Ui;
use crate::desk::telling::column::{ADDRESS, AGE, INDEXED, LACKS, STATUS, UPSTREAM, WHY};
use crate::desk::telling::list::{lacks, sentence};
use crate::desk::telling::{Label, Sign};
use crate::print::output::{Color, Line};
use crate::print::text;
use crate::registry::Row;
use crate::rules::amount::{Form, age};
use crate::rules::plain_text::visible;
use crate::rules::{Depth, Verdict};

const COLUMNS: [Label; 6] = [STATUS, ADDRESS, INDEXED, UPSTREAM, LACKS, AGE];

/// The columns that give way on a narrow terminal, the first first, and the narrowest that each is still of use.
const GIVING_WAY: [(usize, usize); 3] = [(3, 8), (2, 8), (1, 11)];
/// The narrowest that a reason is still of use.
const NARROWEST_REASON: usize = 24;

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
    let names = COLUMNS.map(|column| Cell::of(column.short));
    let cells: Vec<[Cell<'_>; 6]> = rows.iter().map(|(row, verdict)| cells(now, row, verdict)).collect();
    let mut widths = [0; 6];
    for row in cells.iter().chain(header.then_some(&names)) {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.width);
        }
    }
    let room = terminal.map_or(usize::MAX, |columns| fit(&mut widths, columns));
    let reason =
        |text: &str| if room == 0 { String::new() } else { format!("  {}", cut(&visible(text), room)) };
    let header = header.then(|| {
        let name = format!("  {}", names[0].padded(widths[0]));
        Line::default().color(Color::Bold, name).text(columns(&names, widths)).text(reason(WHY.short))
    });
    let rows = rows.iter().zip(&cells).map(|((_, verdict), row)| {
        let status = Sign { word: row[0].padded(widths[0]), ..Sign::verdict(verdict) };
        let status = text::sign(Line::default(), ui, &status);
        status.text(columns(row, widths)).text(reason(&verdict.because.text))
    });
    header.into_iter().chain(rows).collect()
}

/// Makes a table no wider than the terminal; what is left is the reason's, or 0 if that is too little.
fn fit(widths: &mut [usize; 6], terminal: usize) -> usize {
    let used = |widths: &[usize; 6]| widths.iter().map(|width| 2 + width).sum::<usize>();
    for (column, narrowest) in GIVING_WAY {
        let excess = used(widths).saturating_sub(terminal);
        widths[column] = widths[column].saturating_sub(excess).max(narrowest.min(widths[column]));
    }
    let room = terminal.saturating_sub(used(widths) + 2);
    if room < NARROWEST_REASON { 0 } else { room }
}

/// A text with two dots for what does not fit.
fn cut(text: &str, room: usize) -> Cow<'_, str> {
    // Bytes are never fewer than cells.
    if text.len() <= room || text.width() <= room {
        return Cow::Borrowed(text);
    }
    let mut cells = 2;
    let fits = |letter: &char| {
        cells += letter.width().unwrap_or(0);
        cells <= room
    };
    Cow::Owned(text.chars().take_while(fits).chain("..".chars()).collect())
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

    /// What of it stands in a column.
    fn shown(&self, width: usize) -> Cow<'_, str> {
        if self.width <= width { Cow::Borrowed(&self.text) } else { cut(&self.text, width) }
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
            text.push_str(&cell.shown(width));
            text.extend(cell.blanks(width));
        } else {
            text.extend(cell.blanks(width));
            text.push_str(&cell.shown(width));
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
