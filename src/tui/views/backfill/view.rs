//! Draws Backfill.
//!
//! ```text
//! Backfill  acme/rocket   into the plan   job 41   started 12:04Z
//! targets   [##########....] 69/112  drifted 1  failed 1  held 2  filled 65  left 43
//! archives  [######........] 1.31/2.26 GB  18.4 MB/s  50s-70s left  6 workers
//! each      vvvvXvv--vvvvv~~~----
//! ------------------------------------------------------- 1-18 of 112 ---
//!  STATE      ADDRESS    VERSION  TARGET    SIZE  NOTE
//! > X DRIFT   ...
//! ----------------------------------------------------------------------
//! what the row under the cursor says
//! kept  .../backfill/7c1e.jsonl, written as rows finish
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line as Drawn;

use crate::desk::Desk;
use crate::desk::filling::{Filling, Widths};
use crate::desk::table::ColumnPlace;
use crate::desk::telling::backfill::{COLUMNS, cell, journal, longest, none};
use crate::tui::base::layout::{Area, Class};
use crate::tui::base::theme::Role;
use crate::tui::base::{layout, text};
use crate::tui::keymap::Command;
use crate::tui::views::backfill::parts::Parts;
use crate::tui::views::backfill::state::Backfill;
use crate::tui::views::backfill::{detail, form, gauges};
use crate::tui::widgets::strip::{Paint, Strip, lay};
use crate::tui::widgets::table;

/// The height from which the pane below the table shows all facts about the row.
const WHOLE: u16 = 7;

/// Draws the view, and returns the cell of the cursor.
pub(super) fn view(
    state: &Backfill,
    desk: &Desk,
    paint: &Paint<'_>,
    buffer: &mut Buffer,
) -> Option<Position> {
    if let Some(form) = &state.form {
        return Some(form::view(form, desk, paint, buffer));
    }
    let filling = desk.filling.as_ref();
    let parts = Backfill::parts(filling, paint.window());
    let Some(filling) = filling else {
        let title = paint.named_rule(parts.title.width, true, &[], "Backfill");
        lay(buffer, parts.title, &[title]);
        words(paint, &[(Role::Text, paint.text_of(&none(desk))), (Role::Dim, WHAT.into())], buffer);
        return None;
    };
    if let Some(place) = state.place(Some(filling)).filter(|_| state.is_expanded) {
        let lines = detail::whole(paint, filling, place, paint.size.columns);
        return Some(whole(state, paint, &lines, buffer));
    }
    let typed = title(state, desk, paint, filling, &parts, buffer);
    if filling.rows.is_empty() {
        words(paint, &[(Role::Text, paint.text_of(&none(desk)))], buffer);
        return None;
    }
    lay(buffer, parts.gauges, &gauges::lines(paint, filling, parts.gauges));
    lay(buffer, parts.picture, &gauges::picture(paint, filling, parts.picture));
    let places = places(filling.widths, parts.heads.width);
    lay(buffer, parts.heads, &[table::heads(paint, &COLUMNS, &places, parts.heads.width)]);
    lay(buffer, parts.floor, &[paint.rule(parts.floor.width)]);
    let place = |line| filling.place_at(line).expect("a table draws rows that it has");
    let cells = |line, column| cell(filling, place(line), column);
    let window = state.window(filling);
    let cursor = table::rows(paint, (&COLUMNS, &places), window, cells, parts.list, buffer);
    if window.count == 0 {
        let text = no_row(state, |command| paint.key(command));
        lay(buffer, parts.list, &[paint.line(parts.list.width, Role::Dim, &format!(" {text}"))]);
    }
    below(state, paint, filling, &parts, buffer);
    typed.or(cursor)
}

/// The columns that fit into a table of this width.
pub(super) fn places(widths: Widths, width: u16) -> Vec<ColumnPlace> {
    table::places(&COLUMNS, &longest(widths), width)
}

/// The name of the run, or the filter in its place; and the visible rows. Returns the cell of the text cursor while the filter is
/// typed.
fn title(
    state: &Backfill,
    desk: &Desk,
    paint: &Paint<'_>,
    filling: &Filling,
    parts: &Parts,
    buffer: &mut Buffer,
) -> Option<Position> {
    let (area, window) = (parts.title, state.window(filling));
    if state.filter.typing || !filling.filter().is_empty() {
        let tail = table::found(paint, window, parts.list.height, filling.rows.len());
        return table::filter(paint, &state.filter, &tail, area, buffer);
    }
    let order = filling.order;
    let only_bad = if order.only_bad { "only bad rows" } else { "" };
    let seen = table::seen(paint, window, parts.list.height);
    let place: &[&str] = if filling.rows.is_empty() { &[] } else { &[only_bad, &order.label(), &seen] };
    lay(buffer, area, &[gauges::title(desk, paint, filling, place, area.width)]);
    None
}

/// Explains why no row is shown, and names the key that shows some.
pub(super) fn no_row(state: &Backfill, key: impl Fn(Command) -> String) -> String {
    if state.filter.text().is_empty() {
        return format!("no row is bad; {} shows all rows", key(Command::OnlyErrors));
    }
    table::all_hidden(&key(Command::Back))
}

const WHAT: &str = "Each archive that lacks h1 or size is downloaded, and its SHA-256 compared with the stored one. What was found goes into the plan, or into patches; no data file is written.";

/// Sentences two lines below the top.
fn words(paint: &Paint<'_>, sentences: &[(Role, String)], buffer: &mut Buffer) {
    let body = layout::frame(paint.size).body;
    let area = Area {
        x: body.x + 2.min(body.width),
        y: body.y + 2.min(body.height),
        width: body.width.saturating_sub(4),
        height: body.height.saturating_sub(2),
    };
    let lines: Vec<Drawn<'static>> =
        sentences.iter().flat_map(|(role, text)| paint.wrapped(area.width, *role, text)).collect();
    lay(buffer, area, &lines);
}

/// Draws the details of the row under the cursor, and the path of the journal.
fn below(state: &Backfill, paint: &Paint<'_>, filling: &Filling, parts: &Parts, buffer: &mut Buffer) {
    let lines = under_cursor(state, paint, filling, parts.detail);
    let (from, hidden) = layout::scrolled(state.from, usize::from(parts.detail.height), lines.len());
    lay(buffer, parts.detail, &lines[from..]);
    lay(
        buffer,
        parts.rule,
        &[paint.named_rule(parts.rule.width, false, &[&paint.hidden(hidden)], "Details")],
    );
    let Some(path) = journal(filling) else { return };
    let mut strip = Strip::new(paint, parts.journal.width);
    strip.gap(1).put(Role::Dim, "kept  ");
    let room = strip.room().saturating_sub(1);
    lay(
        buffer,
        parts.journal,
        &[strip.put(Role::Dim, &text::elide_middle(&path, room, paint.glyphs)).line()],
    );
}

/// All lines of the pane below the table.
fn under_cursor(state: &Backfill, paint: &Paint<'_>, filling: &Filling, area: Area) -> Vec<Drawn<'static>> {
    let Some(place) = state.place(Some(filling)) else { return Vec::new() };
    if area.height >= WHOLE && paint.size.class() != Class::Narrow {
        return detail::whole(paint, filling, place, area.width);
    }
    detail::short(paint, filling, place, (area.width, area.height))
}

/// The number of lines by which the details can be scrolled.
pub(super) fn most_scrolled(state: &Backfill, filling: Option<&Filling>, paint: &Paint<'_>) -> usize {
    let Some(filling) = filling else { return 0 };
    if let Some(place) = state.place(Some(filling)).filter(|_| state.is_expanded) {
        let body = layout::frame(paint.size).body;
        let lines = detail::whole(paint, filling, place, paint.size.columns);
        return lines.len().saturating_sub(usize::from(body.height.saturating_sub(1)));
    }
    let area = Backfill::parts(Some(filling), paint.window()).detail;
    under_cursor(state, paint, filling, area).len().saturating_sub(usize::from(area.height))
}

/// Draws the details on the whole view.
fn whole(state: &Backfill, paint: &Paint<'_>, lines: &[Drawn<'static>], buffer: &mut Buffer) -> Position {
    let mut body = layout::frame(paint.size).body;
    let rule = layout::cut_top(&mut body, 1);
    let (from, hidden) = layout::scrolled(state.from, usize::from(body.height), lines.len());
    lay(buffer, body, &lines[from..]);
    lay(buffer, rule, &[paint.named_rule(rule.width, true, &[&paint.hidden(hidden)], "Details")]);
    Position::new(body.x, body.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_comes_before_a_reason_that_is_shown_below() {
        let widths = Widths { address: 25, version: 10, target: 13 };
        for (width, wanted) in [(120, [25, 40]), (80, [22, 14]), (60, [18, 0])] {
            let places = places(widths, width);
            let cells =
                |column| places.iter().find(|place| place.column == column).map_or(0, |place| place.cells);
            assert_eq!([1, 5].map(cells), wanted, "{width}");
        }
    }
}
