//! Draws the Inventory.
//!
//! ```text
//! view: rows, need attention, marks    |  preview
//! filter> ...        sort: level, age  |  what is wrong
//! counts of the statuses, or an error  |  why
//! S STATUS  K ADDRESS ...              |  if left
//! rows, heads of groups                |  you can, next key
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::list::List;
use crate::desk::{Desk, telling};
use crate::rules::Status;
use crate::rules::amount::grouped;
use crate::tui::base::layout::{Area, Class, InventoryParts, scrolled};
use crate::tui::base::text::width;
use crate::tui::base::theme::Role;
use crate::tui::keymap::Command;
use crate::tui::views::inventory::list::{Columns, head, heads, row};
use crate::tui::views::inventory::state::{Inventory, parts};
use crate::tui::views::inventory::{note, preview, title};
use crate::tui::widgets::story;
use crate::tui::widgets::strip::{Paint, ground, lay, wall};

/// Draws the screen, and returns the cell of the cursor.
pub(super) fn view(
    inventory: &Inventory,
    desk: &Desk,
    paint: &Paint<'_>,
    buffer: &mut Buffer,
) -> Option<Position> {
    let list = &desk.list;
    let class = paint.size.class();
    let parts = parts(list, paint.size);
    let field = titles(inventory, list, paint, &parts, buffer);
    for (place, role, text) in counts(list, paint, parts.counts) {
        lay(buffer, place, &[paint.line(place.width, role, &text)]);
    }
    if let Some(error) = note::of(list) {
        let lines = note::lines(&error, list, parts.note.width);
        // A term that is still being typed is not wrong yet.
        let is_begun = inventory.typing.is_open() && list.filter.ends_with(':');
        let role = if is_begun { Role::Notice } else { Role::Error };
        let lines: Vec<Line<'_>> =
            lines.iter().map(|line| paint.line(parts.note.width, role, line)).collect();
        lay(buffer, parts.note, &lines);
    }
    let columns = columns(list, paint, &parts);
    let at = position(inventory, usize::from(parts.list.height));
    let heads = [heads(paint, columns, parts.heads.width), paint.rule_with(parts.heads.width, &at)];
    lay(buffer, parts.heads, &heads);
    let reads = inventory.reads(list, paint.size);
    let cursor = rows(inventory, list, paint, columns, parts.list, buffer);
    if class == Class::Wide {
        wall(buffer, parts.wall, paint);
    } else {
        lay(buffer, parts.wall, &[paint.rule_with(parts.wall.width, &at)]);
    }
    let hidden = preview_of(inventory, desk, paint, parts.preview, buffer);
    // Without a preview and without heads this is the only rule.
    let floor = match class {
        Class::Narrow => paint.rule_with(parts.floor.width, &at),
        _ => paint.rule_over(parts.floor.width, hidden),
    };
    lay(buffer, parts.floor, &[floor]);
    if reads {
        ground(buffer, parts.wall, paint.style(Role::Cursor));
        return Some(parts.preview.as_position());
    }
    field.or(cursor)
}

/// The columns that fit.
pub(super) fn columns(list: &List, paint: &Paint<'_>, parts: &InventoryParts) -> Columns {
    // One cell stays free at the right edge; beside the wall one is free already.
    let spare = u16::from(paint.size.class() != Class::Wide || list.no_preview);
    Columns::fit(parts.list.width.saturating_sub(spare), paint.size.columns, list.longest_address)
}

/// The visible lines of the list; empty if all are visible.
fn position(inventory: &Inventory, rows: usize) -> String {
    let all = inventory.line_count();
    if all <= rows {
        return String::new();
    }
    let last = (inventory.top + rows).min(all);
    format!("{}-{} of {}", grouped(inventory.top as u64 + 1), grouped(last), grouped(all))
}

/// Draws the preview, and returns the number of lines that found no room.
fn preview_of(
    inventory: &Inventory,
    desk: &Desk,
    paint: &Paint<'_>,
    area: Area,
    buffer: &mut Buffer,
) -> usize {
    if area.is_empty() {
        return 0;
    }
    let is_scrolled = inventory.preview_scroll > 0 || inventory.reads(&desk.list, paint.size);
    if let Some((row, verdict, _)) = inventory.row(&desk.list, inventory.cursor)
        && paint.size.class() != Class::Wide
        && !is_scrolled
    {
        let (lines, is_cut) = preview::flat(paint, (row, verdict), (area.width, area.height));
        lay(buffer, area, &lines);
        let all = preview_lines(inventory, desk, paint, area.width).len();
        return if is_cut { all.saturating_sub(usize::from(area.height)).max(1) } else { 0 };
    }
    let lines = preview_lines(inventory, desk, paint, area.width);
    let (from, hidden) = scrolled(inventory.preview_scroll, usize::from(area.height), lines.len());
    lay(buffer, area, &story::seen(&lines, from, (area.width, area.height)));
    hidden
}

fn preview_lines(inventory: &Inventory, desk: &Desk, paint: &Paint<'_>, width: u16) -> Vec<Line<'static>> {
    match inventory.row(&desk.list, inventory.cursor) {
        Some((row, verdict, _)) => preview::tall(paint, desk, (row, verdict), width),
        None => title::group_lines(inventory, &desk.list, paint, width),
    }
}

/// The number of lines by which the preview can be scrolled.
pub(super) fn most_scrolled(inventory: &Inventory, desk: &Desk, paint: &Paint<'_>) -> usize {
    let area = parts(&desk.list, paint.size).preview;
    if area.is_empty() {
        return 0;
    }
    let lines = preview_lines(inventory, desk, paint, area.width);
    lines.len().saturating_sub(usize::from(area.height))
}

/// The title and, below it or in its place, filter and sort.
fn titles(
    inventory: &Inventory,
    list: &List,
    paint: &Paint<'_>,
    parts: &InventoryParts,
    buffer: &mut Buffer,
) -> Option<Position> {
    let filtering = inventory.typing.is_open() || !list.filter.is_empty();
    let width = parts.title.width;
    if !parts.filter.is_empty() {
        lay(buffer, parts.title, &[title::title(inventory, list, paint, width)]);
        let (line, at) = title::filter_line(inventory, list, paint, width);
        lay(buffer, parts.filter, &[line]);
        return at.map(|x| Position::new(parts.filter.x + x, parts.filter.y));
    }
    if filtering {
        let (line, at) = title::filter_line(inventory, list, paint, width);
        lay(buffer, parts.title, &[line]);
        return at.map(|x| Position::new(parts.title.x + x, parts.title.y));
    }
    lay(buffer, parts.title, &[title::title(inventory, list, paint, width)]);
    None
}

/// The number of rows with each status, the gravest first; statuses without room are counted together.
fn counts(list: &List, paint: &Paint<'_>, area: Area) -> Vec<(Area, Role, String)> {
    let chips = chips(list, paint, area);
    let drawn = chips
        .iter()
        .map(|(place, status)| (*place, Role::of(status.row().level), chip(list, paint, *status)));
    let mut drawn: Vec<_> = drawn.collect();
    let rest = present(list).count() - chips.len();
    if rest > 0 && area.height > 0 {
        let left = chips.last().map_or(area.x + 1, |(place, _)| place.right() + 2);
        let place =
            Area { x: left, y: area.bottom() - 1, width: area.right().saturating_sub(left), height: 1 };
        drawn.push((place, Role::Dim, format!("+{rest} more")));
    }
    drawn
}

/// The statuses that occur in the list.
fn present(list: &List) -> impl Iterator<Item = Status> {
    Status::words().filter(|status| list.tally.of_word(*status) > 0)
}

fn chip(list: &List, paint: &Paint<'_>, status: Status) -> String {
    let count = grouped(list.tally.of_word(status));
    format!("{} {} {count}", paint.glyphs.status(status), status.word())
}

/// The statuses that fit, each with its place.
pub(super) fn chips(list: &List, paint: &Paint<'_>, area: Area) -> Vec<(Area, Status)> {
    let mut chips = Vec::new();
    if area.is_empty() {
        return chips;
    }
    let (mut x, mut y) = (area.x + 1, area.y);
    let all: Vec<Status> = present(list).collect();
    for (place, status) in all.iter().enumerate() {
        let cells = width(&chip(list, paint, *status)) as u16;
        let is_last = y + 1 >= area.bottom();
        let reserve = if place + 1 < all.len() && is_last { 9 } else { 0 };
        if x + cells + 2 + reserve > area.right() {
            if is_last {
                break;
            }
            (x, y) = (area.x + 1, y + 1);
        }
        chips.push((Area { x, y, width: cells, height: 1 }, *status));
        x += cells + 2;
    }
    chips
}

/// Draws the lines in the window, and returns the cell of the selected line.
fn rows(
    inventory: &Inventory,
    list: &List,
    paint: &Paint<'_>,
    columns: Columns,
    area: Area,
    buffer: &mut Buffer,
) -> Option<Position> {
    let mut cursor = None;
    for (y, place) in (area.y..area.bottom()).zip(inventory.top..inventory.line_count()) {
        let line = Area { y, height: 1, ..area };
        let selected = place == inventory.cursor;
        let drawn = match (inventory.row(list, place), inventory.head(list, place)) {
            (Some(found), _) => row(paint, columns, found, selected, area.width),
            (None, Some((found, title))) => head(paint, found, &title, selected, area.width),
            (None, None) => break,
        };
        lay(buffer, line, &[drawn]);
        if selected {
            if !inventory.reads(list, paint.size) {
                ground(buffer, line, paint.style(Role::Cursor));
            }
            cursor = Some(Position::new(area.x, y));
        }
    }
    if list.shown.is_empty() && area.height > 1 {
        let lines = nothing(list, paint, area.width.saturating_sub(2));
        lay(
            buffer,
            Area { x: area.x + 2.min(area.width), y: area.y + 1, height: area.height - 1, ..area },
            &lines,
        );
    }
    cursor
}

/// Explains why no row is shown.
fn nothing(list: &List, paint: &Paint<'_>, cells: u16) -> Vec<Line<'static>> {
    if list.verdicts.is_empty() {
        return vec![paint.line(cells, Role::Dim, "the registry has no entries")];
    }
    let cells = cells.saturating_sub(1);
    let back = paint.key(Command::Back);
    let mut lines = paint.wrapped(cells, Role::Text, &format!("No row passes the filter; {back} clears it."));
    for why in telling::list::nothing(&list.dead_terms) {
        lines.extend(paint.wrapped(cells, Role::Dim, &why));
    }
    lines
}
