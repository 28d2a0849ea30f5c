//! Draws Reviews.
//!
//! ```text
//!  Reviews  10 open pull requests  1 REFUSED  2 DIFFERS  1 UNKNOWN  6 SAME, NOT HASHED  listed 10:31Z
//!  RESULT                 #  BY           NEWS  TITLE                            WHY
//! -------------------------------------------------------------------------------------------------
//! > X DIFFERS          5638  ann            2m  Manual bump of acme/rocket       acme/rocket: 1.9.0 ...
//!   ! SAME, NOT HASHED 5637  wren-demo      1h  Manual bump of acme/satellite    acme/satellite 1.2.0
//! -------------------------------------------------------------------------------------------------
//!  X DIFFERS  #5638 Manual bump of acme/rocket
//!  by ann, the commit 1a2b3c4 on 5d6e7f8, reviewed 10:31Z
//!  X DIFFERS  providers/a/acme/rocket.json: 1.9.0
//!     1.9.0 linux_amd64: shasum is "a...", and upstream gives "b..."
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::Desk;
use crate::desk::reviews::Standing;
use crate::desk::telling::{column, review};
use crate::rules::amount::{Form, age};
use crate::rules::review::OpenPull;
use crate::tui::base::layout::{Area, Class};
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::views::reviews::detail;
use crate::tui::views::reviews::state::Reviews;
use crate::tui::widgets::story;
use crate::tui::widgets::strip::{Cut, Paint, Strip, ground, lay};

/// Cells of `SAME, NOT HASHED` with its sign.
const RESULT: usize = 18;
const NUMBER: usize = 6;
const BY: usize = 14;
const NEWS: usize = 5;
/// The most cells of a title that has the reason beside it.
const TITLE: usize = 38;

/// Draws the view, and returns the cell of the cursor.
pub(super) fn view(state: &Reviews, desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
    let parts = state.parts(desk, paint);
    let rows = desk.reviews.rows();
    let at = state.place(&rows);
    lay(buffer, parts.title, &[title(desk, paint, parts.title.width)]);
    lay(buffer, parts.heads, &[heads(paint, parts.heads.width), paint.rule(parts.heads.width)]);
    let mut cursor = None;
    for (y, (place, row)) in (parts.list.y..parts.list.bottom()).zip(rows.iter().enumerate().skip(state.top))
    {
        let line = Area { y, height: 1, ..parts.list };
        let under = place == at;
        lay(buffer, line, &[row_line(paint, row, line.width, under)]);
        if under {
            ground(buffer, line, paint.style(Role::Cursor));
            cursor = Some(Position::new(line.x, y));
        }
    }
    let whole =
        rows.get(at).map(|row| detail::lines(desk, paint, row, parts.whole.width)).unwrap_or_default();
    let below = whole.len().saturating_sub(state.down + usize::from(parts.whole.height));
    lay(buffer, parts.rule, &[paint.rule_over(parts.rule.width, below)]);
    if rows.is_empty() {
        let text = paint.text_of(&review::none(desk));
        let area = Area { x: parts.list.x + 1, width: parts.list.width.saturating_sub(2), ..parts.list };
        lay(buffer, area, &paint.wrapped(area.width, Role::Text, &text));
        return None;
    }
    lay(buffer, parts.whole, whole.get(state.down..).unwrap_or_default());
    cursor.or(Some(Position::new(parts.whole.x, parts.whole.y)))
}

fn title(desk: &Desk, paint: &Paint<'_>, width: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    strip.gap(1).put(Role::Title, "Reviews");
    // How many there are stands in the header too.
    let before = usize::from(paint.size.class() == Class::Narrow);
    for part in review::counts(&desk.reviews, paint.now).iter().skip(before) {
        // A count that is left out would make the others look like all of them.
        if text::width(part) + 2 > strip.room() {
            strip.put(Role::Dim, " ...");
            break;
        }
        strip.gap(2).put(Role::Text, part);
    }
    strip.line()
}

/// The cells of a title, and true if the reason stands beside it.
fn widths(paint: &Paint<'_>, width: u16) -> (usize, bool) {
    let is_wide = paint.size.class() == Class::Wide;
    let fixed = 1 + RESULT + NUMBER + 2 + if is_wide { BY + NEWS + 4 } else { NEWS + 2 };
    let rest = usize::from(width).saturating_sub(fixed + 1);
    if is_wide { (rest.min(TITLE), true) } else { (rest, false) }
}

fn heads(paint: &Paint<'_>, width: u16) -> Line<'static> {
    let (cells, has_why) = widths(paint, width);
    let mut strip = Strip::new(paint, width);
    strip.gap(1).cell(Role::Title, review::RESULT.short, RESULT, Cut::End);
    strip.cell(Role::Title, review::PULL.short, NUMBER, Cut::Right).gap(2);
    if has_why {
        strip.cell(Role::Title, review::BY.short, BY, Cut::End).gap(2);
    }
    strip.cell(Role::Title, review::NEWS.short, NEWS, Cut::Right).gap(2);
    strip.cell(Role::Title, review::TITLE.short, cells, Cut::End);
    if has_why {
        strip.gap(2).put(Role::Title, column::WHY.short);
    }
    strip.line()
}

fn row_line(
    paint: &Paint<'_>,
    &(pull, standing): &(&OpenPull, Standing<'_>),
    width: u16,
    under: bool,
) -> Line<'static> {
    let (cells, has_why) = widths(paint, width);
    let (role, word) = story::sign(&review::standing(standing), paint.glyphs);
    let mut strip = Strip::new(paint, width);
    strip.cell(Role::Key, if under { paint.glyphs.cursor() } else { "" }, 1, Cut::End);
    strip.cell(role, &word, RESULT, Cut::End);
    strip.cell(Role::Dim, &pull.number.to_string(), NUMBER, Cut::Right).gap(2);
    if has_why {
        strip.cell(Role::Text, &pull.author, BY, Cut::End).gap(2);
    }
    strip.cell(Role::Dim, &age(pull.updated, paint.now, Form::Short), NEWS, Cut::Right).gap(2);
    strip.cell(Role::Text, &pull.title, cells, Cut::End);
    if has_why {
        strip.gap(2).put(Role::Text, &review::because(pull, standing));
    }
    strip.line()
}
