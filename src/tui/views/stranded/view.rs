//! Draws Stranded.
//!
//! ```text
//!  Stranded  30 stranded versions in 23 repositories; 2 new since the last visit
//!  each survey costs 32 files and 16 look-ups in the releases API for them; most: quillfeather/inkwell
//!  WILL RETRY BY ITSELF     10 | FIXED UPSTREAM, STUCK     6 | BROKEN UPSTREAM   4 | POLICY OR DECIDED 10
//! -----------------------------------------------------------------------------------------------------
//! >  ^ fernhollow/lanternfish 3h |    % kestrel-yard/gate.. 4d | a tag without a release 2 | ...
//!      0.15.0 the next bump      |      1.58.0 try 9 in 40h    |    _ quillfeather/ink.. 18d |
//! -----------------------------------------------------------------------------------------------------
//!  ^ BEHIND  fernhollow/lanternfish@0.15.0
//!  needs     will retry by itself: the next bump takes it
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::Desk;
use crate::desk::telling::stranded::{brief, figures, none, short_sweep, sign, title};
use crate::registry::version::trim_v;
use crate::rules::amount::{Form, age, grouped};
use crate::rules::stranded::{Board, Card, Column};
use crate::tui::base::layout::{Area, Class, first_visible};
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::views::stranded::detail;
use crate::tui::views::stranded::parts::{self, BETWEEN};
use crate::tui::views::stranded::state::{Row, Stranded, columns, rows};
use crate::tui::widgets::strip::{Cut, Paint, Strip, ground, lay};

/// Cells before a card's address: the cursor, a mark, the sign.
const LEAD: usize = 5;
const AGE: usize = 5;

/// The height of a row in a column.
pub(super) fn height(paint: &Paint<'_>, row: Row) -> u16 {
    match row {
        Row::Cause(..) => 1,
        Row::Card(_) if paint.size.class() == Class::Narrow => 1,
        Row::Card(_) => 2,
    }
}

/// The lines for the cards of a column: below its head and the rule, or between the folded columns.
pub(super) fn room(paint: &Paint<'_>, board: &Board, area: Area) -> u16 {
    let heads = match paint.size.class() {
        Class::Narrow | Class::Tiny => columns(board).len() as u16,
        Class::Wide | Class::Medium => 2,
    };
    area.height.saturating_sub(heads).max(1)
}

/// The visible columns, the cursor's among them: the place of the first, and their number.
pub(super) fn window(paint: &Paint<'_>, all: &[Column], at: Column) -> (usize, usize) {
    let seen = parts::columns_seen(paint.size).min(all.len());
    let place = all.iter().position(|column| *column == at).unwrap_or(0);
    (first_visible(0, place, seen, all.len()), seen)
}

/// Draws the view, and returns the cell of the cursor.
pub(super) fn view(
    state: &Stranded,
    desk: &Desk,
    paint: &Paint<'_>,
    buffer: &mut Buffer,
) -> Option<Position> {
    let parts = parts::parts(paint.window(), state.is_expanded);
    let board = desk.stranded.board().filter(|board| !board.cards.is_empty());
    let Some(board) = board else {
        let title = paint.named_rule(parts.title.width, true, &[], "Stranded");
        lay(buffer, parts.title, &[title]);
        let text = paint.text_of(&none(desk));
        let area = Area { x: parts.board.x + 1, width: parts.board.width.saturating_sub(2), ..parts.board };
        lay(buffer, area, &paint.wrapped(area.width, Role::Text, &text));
        return None;
    };
    let (at, place) = state.cursor(board);
    lay(buffer, parts.title, &[title_line(state, desk, board, paint, parts.title.width)]);
    lay(buffer, parts.cost, &[paint.line(parts.cost.width, Role::Dim, &format!(" {}", short_sweep(board)))]);
    let mut cursor = None;
    if paint.size.class() == Class::Narrow && !parts.board.is_empty() {
        cursor = folded(state, desk, board, paint, (at, place), parts.board, buffer);
    } else if !parts.board.is_empty() {
        let all = columns(board);
        let (first, seen) = window(paint, &all, at);
        for (beside, column) in all[first..first + seen].iter().enumerate() {
            let area = parts::column(parts.board, beside, seen);
            let under = (*column == at).then_some(place);
            let found = drawn_column(state, desk, board, paint, (*column, under), area, buffer);
            cursor = cursor.or(found);
            if beside + 1 < seen {
                between(paint, area, buffer);
            }
        }
    }
    let card = board.of_column(at).get(place);
    let story = card.map(|card| detail::lines(paint, card, parts.story.width)).unwrap_or_default();
    let below = story.len().saturating_sub(state.down + usize::from(parts.story.height));
    let subject = card.map(Card::subject).unwrap_or_default();
    let rule = paint.named_rule(parts.rule.width, state.is_expanded, &[&paint.hidden(below)], &subject);
    lay(buffer, parts.rule, &[rule]);
    lay(buffer, parts.story, story.get(state.down..).unwrap_or_default());
    cursor.or(Some(Position::new(parts.story.x, parts.story.y)))
}

fn title_line(state: &Stranded, desk: &Desk, board: &Board, paint: &Paint<'_>, width: u16) -> Line<'static> {
    let all = columns(board);
    let (first, seen) = window(paint, &all, state.cursor(board).0);
    paint.pane_rule(width, !state.is_expanded, &[], |strip, name| {
        strip.put(name, "Stranded").gap(2);
        if !state.marks.is_empty() {
            strip.put(Role::Notice, &format!("{} marked", grouped(state.marks.len()))).gap(2);
        }
        if seen > 1 && seen < all.len() {
            strip
                .put(Role::Dim, &format!("columns {} to {} of {}", first + 1, first + seen, all.len()))
                .gap(2);
        }
        let text = figures(board, desk.stranded.new);
        let room = strip.room();
        strip.put(Role::Text, &text::elide_end(&text, room, paint.glyphs));
    })
}

/// A wall between a column and the next.
fn between(paint: &Paint<'_>, area: Area, buffer: &mut Buffer) {
    let line = Line::styled(paint.glyphs.wall(), paint.style(Role::Rule));
    for y in area.y..area.bottom() {
        let cell = Area { x: area.right() + BETWEEN / 2, y, width: 1, height: 1 };
        lay(buffer, cell, std::slice::from_ref(&line));
    }
}

fn head(paint: &Paint<'_>, board: &Board, column: Column, is_at: bool, width: u16) -> Line<'static> {
    let role = if is_at { Role::Title } else { Role::Dim };
    let count = grouped(board.of_column(column).len());
    let mut strip = Strip::new(paint, width);
    strip.gap(1).put(role, title(column).short).right(role, &count).line()
}

/// Draws a column with its head, and returns the cell of the cursor if it is there.
fn drawn_column(
    state: &Stranded,
    desk: &Desk,
    board: &Board,
    paint: &Paint<'_>,
    (column, under): (Column, Option<usize>),
    area: Area,
    buffer: &mut Buffer,
) -> Option<Position> {
    let heads = [head(paint, board, column, under.is_some(), area.width), paint.rule(area.width)];
    lay(buffer, area, &heads);
    let cut = area.height.min(2);
    let cards = Area { y: area.y + cut, height: area.height - cut, ..area };
    drawn_cards(state, desk, board, paint, (column, under), cards, buffer)
}

/// Draws the cards of a column from its scroll position.
fn drawn_cards(
    state: &Stranded,
    desk: &Desk,
    board: &Board,
    paint: &Paint<'_>,
    (column, under): (Column, Option<usize>),
    area: Area,
    buffer: &mut Buffer,
) -> Option<Position> {
    let (all, cards) = (rows(board, column), board.of_column(column));
    let top = state.tops[column as usize];
    let (mut y, mut last_y, mut cursor, mut drawn) = (area.y, area.y, None, 0);
    for row in all.iter().skip(top) {
        let height = height(paint, *row).min(area.bottom().saturating_sub(y));
        if height == 0 {
            break;
        }
        let place = Area { y, height, ..area };
        match row {
            Row::Cause(cause, count) => {
                let mut strip = Strip::new(paint, area.width);
                strip.gap(1).put(Role::Notice, cause.words()).right(Role::Dim, &grouped(*count));
                lay(buffer, place, &[strip.line()]);
            }
            Row::Card(at) => {
                let Some(card) = cards.get(*at) else { break };
                let is_under = under == Some(*at);
                let lead = if is_under { paint.glyphs.cursor() } else { "" };
                let mark = match (state.is_marked(card), desk.stranded.is_new(card)) {
                    (true, _) => "*",
                    (false, true) => "+",
                    (false, false) => "",
                };
                lay(buffer, place, &card_lines(paint, card, (lead, mark), area.width));
                if is_under {
                    ground(buffer, place, paint.style(Role::Cursor));
                    cursor = Some(Position::new(place.x, y));
                }
            }
        }
        (last_y, y, drawn) = (y, y + height, drawn + 1);
    }
    // One that begins in the last line gives way to the count.
    let is_covered = drawn > 0 && last_y + 1 >= area.bottom();
    let left = all.len().saturating_sub(top + drawn);
    if left > 0 && area.height > 2 {
        // Cards without room are counted in the last line, unless the cursor is on it.
        let last = Area { y: area.bottom() - 1, height: 1, ..area };
        if cursor.is_none_or(|cursor| cursor.y + 1 < last.y) {
            let more = format!("  +{} more", grouped(left + usize::from(is_covered)));
            let room = usize::from(area.width);
            let mut strip = Strip::new(paint, area.width);
            lay(buffer, last, &[strip.cell(Role::Dim, &more, room, Cut::End).line()]);
        }
    }
    cursor
}

fn card_lines(paint: &Paint<'_>, card: &Card, (lead, mark): (&str, &str), width: u16) -> Vec<Line<'static>> {
    let sign = sign(card);
    let (role, glyph) = (Role::meant(sign.tone), paint.glyphs.pick(sign.glyph, sign.ascii));
    let old = card.published.map(|at| age(at, paint.now, Form::Short)).unwrap_or_default();
    let mut first = Strip::new(paint, width);
    first.cell(Role::Key, lead, 1, Cut::End).cell(Role::Notice, mark, 1, Cut::End).gap(1);
    first.cell(role, glyph, 1, Cut::End).gap(1);
    let version = trim_v(&card.version);
    if paint.size.class() == Class::Narrow {
        let room = first.room();
        first.cell(Role::Text, &card.address.to_string(), room * 2 / 5, Cut::Middle).gap(1);
        first.cell(Role::Text, version, room / 5, Cut::End).gap(1);
        let rest = first.room().saturating_sub(AGE);
        first.cell(Role::Dim, &brief(card, paint.now), rest, Cut::End);
        return vec![first.cell(Role::Dim, &old, AGE, Cut::Right).line()];
    }
    let room = first.room().saturating_sub(AGE);
    first.cell(Role::Text, &card.address.to_string(), room, Cut::Middle);
    first.cell(Role::Dim, &old, AGE, Cut::Right);
    let mut second = Strip::new(paint, width);
    second.gap(LEAD).put(Role::Text, version).gap(1).put(Role::Dim, &brief(card, paint.now));
    vec![first.line(), second.line()]
}

/// Draws a single list on a narrow window: the column of the cursor is open, the others are folded.
fn folded(
    state: &Stranded,
    desk: &Desk,
    board: &Board,
    paint: &Paint<'_>,
    (at, place): (Column, usize),
    area: Area,
    buffer: &mut Buffer,
) -> Option<Position> {
    let all = columns(board);
    let room = room(paint, board, area);
    let (mut y, mut cursor) = (area.y, None);
    for column in all {
        if y >= area.bottom() {
            break;
        }
        let is_at = column == at;
        let line = Area { y, height: 1, ..area };
        let mut strip = Strip::new(paint, area.width);
        let role = if is_at { Role::Title } else { Role::Dim };
        let cards = board.of_column(column).len();
        let fold = if is_at || cards == 0 { "" } else { " (folded)" };
        strip.gap(1).put(role, title(column).short).right(role, &format!("{}{fold}", grouped(cards)));
        lay(buffer, line, &[strip.line()]);
        y += 1;
        if is_at {
            let open = Area { y, height: room.min(area.bottom().saturating_sub(y)), ..area };
            cursor = drawn_cards(state, desk, board, paint, (column, Some(place)), open, buffer);
            let lines: u16 = rows(board, column).iter().map(|row| height(paint, *row)).sum();
            y += lines.min(open.height);
        }
    }
    cursor
}
