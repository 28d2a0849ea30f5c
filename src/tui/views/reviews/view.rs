//! Draws Reviews.
//!
//! ```text
//! - Reviews  10 open ---------- worst first, 1-10 of 10 -----+- #5638 Manual bump of acme/rocket -------------
//!  RESULT                 #  WHY                      UPDATED | X DIFFERS  one checksum is not what upstream publishes
//! >X DIFFERS           5638  linux_amd64: shasum is >      2m | providers/a/acme/rocket.json: 1.9.0
//!  ! SAME, NOT HASHED  5637  acme/satellite 1.2.0          1h |    1.9.0 linux_amd64 shasum
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::desk::Desk;
use crate::desk::table::ColumnPlace;
use crate::desk::telling::review;
use crate::tui::base::layout::Area;
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::views::reviews::detail;
use crate::tui::views::reviews::state::{Focus, Reviews};
use crate::tui::widgets::strip::{Paint, Strip, lay, wall};
use crate::tui::widgets::table;

/// The width from which the order stands beside the visible rows.
const ROOMY: u16 = 60;

/// Draws the view, and returns the cell of the cursor.
pub(super) fn view(state: &Reviews, desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
    let parts = state.parts(desk, paint);
    let (reviews, window) = (&desk.reviews, state.window(desk));
    let seen = table::seen(paint, window, parts.list.height);
    let typed = title(state, desk, paint, parts.title, &seen, buffer);
    let places = places(desk, parts.list.width);
    lay(buffer, parts.heads, &[table::heads(paint, &review::COLUMNS, &places, parts.heads.width)]);
    wall(buffer, parts.wall, paint);
    let cell = |row: usize, column: usize| {
        let row = reviews.row(row).expect("a table draws rows that it has");
        review::cell(row, column, paint.now)
    };
    let cursor = table::rows(paint, (&review::COLUMNS, &places), window, cell, parts.list, buffer);
    let row = reviews.row(window.cursor);
    let whole = row.map(|row| detail::lines(desk, paint, &row, parts.whole.width)).unwrap_or_default();
    let below = whole.len().saturating_sub(state.down + usize::from(parts.whole.height));
    let subject = row.map(|(pull, _)| review::subject(pull)).unwrap_or_default();
    let rule =
        paint.named_rule(parts.rule.width, state.focus != Focus::List, &[&paint.hidden(below)], &subject);
    lay(buffer, parts.rule, &[rule]);
    lay(buffer, parts.floor, &[paint.rule(parts.floor.width)]);
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

/// The counts, or the filter in their place; and the visible rows. Returns the cell of the text cursor while the filter is typed.
fn title(
    state: &Reviews,
    desk: &Desk,
    paint: &Paint<'_>,
    area: Area,
    seen: &str,
    buffer: &mut Buffer,
) -> Option<Position> {
    if state.filter.is_shown() {
        let height = state.parts(desk, paint).list.height;
        let tail = table::found(paint, state.window(desk), height, desk.reviews.order().count());
        return table::filter(paint, &state.filter, &tail, area, buffer);
    }
    let label =
        if area.width < ROOMY || seen.is_empty() { String::new() } else { desk.reviews.order_label() };
    lay(
        buffer,
        area,
        &[paint.pane_rule(area.width, state.focus == Focus::List, &[&label, seen], |strip, name| {
            counts(desk, paint, name, strip);
        })],
    );
    None
}

fn counts(desk: &Desk, paint: &Paint<'_>, name: Role, strip: &mut Strip<'_>) {
    strip.put(name, "Reviews");
    for part in review::counts(&desk.reviews, paint.now) {
        if text::width(&part) + 2 > strip.room() {
            break;
        }
        strip.gap(2).put(Role::Text, &part);
    }
}
