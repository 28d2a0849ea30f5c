//! Draws Reviews.
//!
//! ```text
//!  Reviews  10 open pull requests  2 DIFFERS  1 REFUSED  1 UNKNOWN  6 SAME, NOT HASHED  listed 10:31Z
//!  RESULT                 #  WHY                      UPDATED | X DIFFERS  #5638 Manual bump of acme/rocket
//! --------------------------- worst first, 1-10 of 10 ------- | by ann, the commit 1a2b3c4 on 5d6e7f8
//! >X DIFFERS           5638  linux_amd64: shasum is >      2m | X DIFFERS  providers/a/acme/rocket.json: 1.9.0
//!  ! SAME, NOT HASHED  5637  acme/satellite 1.2.0          1h |    1.9.0 linux_amd64: shasum is "a...", and ...
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::Desk;
use crate::desk::table::ColumnPlace;
use crate::desk::telling::review;
use crate::rules::amount::grouped;
use crate::tui::base::layout::{Area, Class};
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::views::reviews::detail;
use crate::tui::views::reviews::state::Reviews;
use crate::tui::widgets::strip::{Paint, Strip, lay, wall};
use crate::tui::widgets::table;

/// Draws the view, and returns the cell of the cursor.
pub(super) fn view(state: &Reviews, desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
    let parts = state.parts(desk, paint);
    let (reviews, window) = (&desk.reviews, state.window(desk));
    let seen = table::seen(paint, window, parts.list.height);
    let typed =
        title(state, desk, paint, (parts.title, parts.heads.is_empty() && !state.is_expanded), &seen, buffer);
    let places = places(desk, parts.list.width);
    let order = [reviews.order_label(), seen].join(", ");
    let heads = table::heads(paint, &review::COLUMNS, &places, parts.heads.width);
    let order = if window.count == 0 { "" } else { &order };
    lay(buffer, parts.heads, &[heads, paint.rule_with(parts.heads.width, order)]);
    wall(buffer, parts.wall, paint);
    let cell = |row: usize, column: usize| {
        let row = reviews.row(row).expect("a table draws rows that it has");
        review::cell(row, column, paint.now)
    };
    let cursor = table::rows(paint, (&review::COLUMNS, &places), window, cell, parts.list, buffer);
    let whole = reviews.row(window.cursor);
    let whole = whole.map(|row| detail::lines(desk, paint, &row, parts.whole.width)).unwrap_or_default();
    let below = whole.len().saturating_sub(state.down + usize::from(parts.whole.height));
    lay(buffer, parts.rule, &[paint.rule_over(parts.rule.width, below)]);
    if window.count == 0 {
        let area = Area { x: parts.list.x + 1, width: parts.list.width.saturating_sub(2), ..parts.list };
        lay(buffer, area, &paint.wrapped(area.width, Role::Text, &state.nothing(desk, paint)));
        return typed;
    }
    lay(buffer, parts.whole, whole.get(state.down..).unwrap_or_default());
    typed.or(cursor).or(Some(Position::new(parts.whole.x, parts.whole.y)))
}

/// The columns that fit into a list of this width.
pub(super) fn places(desk: &Desk, width: u16) -> Vec<ColumnPlace> {
    table::places(&review::COLUMNS, &review::longest(&desk.reviews), width)
}

/// The counts, or the filter in their place. `is_alone`: the window has no other line for the visible rows. Returns the cell of
/// the text cursor while the filter is typed.
fn title(
    state: &Reviews,
    desk: &Desk,
    paint: &Paint<'_>,
    (area, is_alone): (Area, bool),
    seen: &str,
    buffer: &mut Buffer,
) -> Option<Position> {
    let order = desk.reviews.order();
    let seen = if is_alone { seen } else { "" };
    if state.filter.typing || !state.filter.text().is_empty() {
        let (shown, all) = (grouped(order.shown().len()), grouped(order.count()));
        let tail =
            if seen.is_empty() { format!("{shown} of {all}") } else { format!("{seen}, {all} in all") };
        let (line, x) = table::filter_line(paint, &state.filter, &tail, area.width);
        lay(buffer, area, &[line]);
        return x.map(|x| Position::new(area.x + x, area.y));
    }
    lay(buffer, area, &[counts(desk, paint, area.width, seen)]);
    None
}

fn counts(desk: &Desk, paint: &Paint<'_>, width: u16, seen: &str) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    strip.gap(1).put(Role::Title, "Reviews");
    // The visible rows, and the mark of a count that is left out.
    let reserve = if seen.is_empty() { 0 } else { text::width(seen) + 6 };
    // The number of all of them stands in the header too.
    let before = usize::from(paint.size.class() == Class::Narrow);
    for part in review::counts(&desk.reviews, paint.now).iter().skip(before) {
        // A count that is left out would make the others look like all of them.
        if text::width(part) + 2 + reserve > strip.room() {
            strip.put(Role::Dim, " ...");
            break;
        }
        strip.gap(2).put(Role::Text, part);
    }
    if !seen.is_empty() {
        strip.right(Role::Dim, &format!("{seen} "));
    }
    strip.line()
}
