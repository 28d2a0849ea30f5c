//! Draws a table of the desk: its heads, and the rows in the window. Rows outside of the window cost nothing.

mod menu;

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::table::{ColumnPlace, Cut, GAP, TableCell, TableColumn, fit, position};
use crate::rules::amount::grouped;
use crate::tui::base::layout::Area;
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::widgets::search::Search;
use crate::tui::widgets::strip::{Paint, Strip, ground, lay};

pub(crate) use menu::{AGAIN, CURRENT, MenuReply, SortChoice, SortMenu};

/// Cells before the first column: those of the cursor.
pub(crate) const INDENT: u16 = 1;

/// The rows of a table, and the window over them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableWindow {
    pub(crate) count: usize,
    /// The row under the cursor.
    pub(crate) cursor: usize,
    /// The first visible row.
    pub(crate) top: usize,
    /// The table has the keys.
    pub(crate) is_focused: bool,
}

/// The columns that fit beside the cursor; one cell at the right edge stays free. `longest` is the longest text of each column.
pub(crate) fn places(columns: &[TableColumn], longest: &[usize], width: u16) -> Vec<ColumnPlace> {
    places_apart(GAP, columns, longest, width)
}

/// [`places`] with so many blank cells between two columns.
pub(crate) fn places_apart(
    gap: usize,
    columns: &[TableColumn],
    longest: &[usize],
    width: u16,
) -> Vec<ColumnPlace> {
    let heads = columns.iter().map(|column| column.label.short.len());
    let longest: Vec<usize> = heads.zip(longest).map(|(head, longest)| head.max(*longest)).collect();
    fit(columns, &longest, room(width), gap)
}

/// The cells of a line that columns can take.
pub(crate) fn room(width: u16) -> usize {
    usize::from(width.saturating_sub(INDENT + 1))
}

/// The line of the column heads.
pub(crate) fn heads(
    paint: &Paint<'_>,
    columns: &[TableColumn],
    places: &[ColumnPlace],
    width: u16,
) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    strip.gap(usize::from(INDENT));
    for (before, place) in with_gaps(places) {
        let column = &columns[place.column];
        strip.gap(before).cell(Role::Title, column.label.short, place.cells, column.cut);
    }
    strip.line()
}

/// Draws the rows in the window; `cell` gives the cell of a row in a column. Returns the cell of the cursor.
pub(crate) fn rows<'a>(
    paint: &Paint<'_>,
    (columns, places): (&[TableColumn], &[ColumnPlace]),
    window: TableWindow,
    cell: impl Fn(usize, usize) -> TableCell<'a>,
    area: Area,
    buffer: &mut Buffer,
) -> Option<Position> {
    let mut cursor = None;
    for (y, at) in (area.y..area.bottom()).zip(window.top..window.count) {
        let area = Area { y, height: 1, ..area };
        let is_under = at == window.cursor;
        let line = row(paint, (columns, places), "", is_under, |column| cell(at, column), area.width);
        lay(buffer, area, &[line]);
        if is_under {
            if window.is_focused {
                ground(buffer, area, paint.style(Role::Cursor));
            }
            cursor = Some(area.as_position());
        }
    }
    cursor
}

/// One row. A mark stands before its first column, where the places leave room for one.
pub(crate) fn row<'a>(
    paint: &Paint<'_>,
    (columns, places): (&[TableColumn], &[ColumnPlace]),
    mark: &str,
    is_under_cursor: bool,
    cell: impl Fn(usize) -> TableCell<'a>,
    width: u16,
) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    let sign = if is_under_cursor { paint.glyphs.cursor() } else { "" };
    strip.cell(Role::Key, sign, usize::from(INDENT), Cut::End);
    strip.put(Role::Mark, mark);
    let mut taken = text::width(mark);
    for (before, place) in with_gaps(places) {
        let TableCell { glyph, text, tone } = cell(place.column);
        let glyph = glyph.map(|glyph| paint.glyphs.pick(glyph.0, glyph.1));
        let text = match glyph {
            Some(glyph) if text.is_empty() => glyph.into(),
            Some(glyph) => format!("{glyph} {text}").into(),
            None => text,
        };
        strip.gap(before.saturating_sub(std::mem::take(&mut taken)));
        strip.cell(Role::meant(tone), &text, place.cells, columns[place.column].cut);
    }
    strip.line()
}

/// Each column with the blanks before it.
fn with_gaps(places: &[ColumnPlace]) -> impl Iterator<Item = (usize, &ColumnPlace)> {
    let ends = std::iter::once(0).chain(places.iter().map(|place| place.from + place.cells));
    ends.zip(places).map(|(end, place)| (place.from - end, place))
}

/// The column whose head stands in a cell.
pub(crate) fn column_at(places: &[ColumnPlace], heads: Area, cell: Position) -> Option<usize> {
    let head = Area { height: heads.height.min(1), ..heads };
    let x = usize::from(cell.x.checked_sub(heads.x + INDENT)?);
    let is_there = |place: &&ColumnPlace| (place.from..place.from + place.cells).contains(&x);
    head.contains(cell).then(|| places.iter().find(is_there))?.map(|place| place.column)
}

/// The visible rows in the glyphs of the screen: `1–29 of 61`.
pub(crate) fn seen(paint: &Paint<'_>, window: TableWindow, height: u16) -> String {
    position(window.top, usize::from(height), window.count, paint.glyphs.pick("–", "-"))
}

/// The rows that a filter shows, of `all` rows.
pub(crate) fn found(paint: &Paint<'_>, window: TableWindow, height: u16, all: usize) -> String {
    // The number of rows says enough where all of them are visible.
    if window.count > usize::from(height) {
        let seen = seen(paint, window, height);
        return if window.count == all { seen } else { format!("{seen}, {} in all", grouped(all)) };
    }
    format!("{} of {}", grouped(window.count), grouped(all))
}

/// Explains an empty table: there are rows, but the filter shows none. `clear` is the key that clears it.
pub(crate) fn all_hidden(clear: &str) -> String {
    format!("the filter hides every row; {clear} clears it")
}

/// Draws the filter, and at its right end what it shows. Returns the cell of the text cursor while it is typed.
pub(crate) fn filter(
    paint: &Paint<'_>,
    search: &Search,
    tail: &str,
    area: Area,
    buffer: &mut Buffer,
) -> Option<Position> {
    let mut strip = Strip::new(paint, area.width);
    let (label, text) = if search.typing { (Role::Key, Role::Prompt) } else { (Role::Dim, Role::Text) };
    strip.gap(1).put(label, "filter>").gap(1);
    let room = strip.room().saturating_sub(tail.chars().count() + 3).max(8);
    let field = search.field.seen(paint.glyphs, room);
    let x = (usize::from(area.width) - strip.room() + field.cursor) as u16;
    strip.put(text, &field.text).right(Role::Dim, &format!("{tail} "));
    lay(buffer, area, &[strip.line()]);
    let x = area.x + x.min(area.width.saturating_sub(1));
    search.typing.then(|| Position::new(x, area.y))
}
