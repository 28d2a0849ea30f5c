//! Draws the Inventory.
//!
//! ```text
//! view: rows, need attention, marks
//! filter> ...        sort: level, age
//! a bar of the levels, files bumped, or an error
//! S STATUS  K ADDRESS ...              |  preview: what is wrong
//! rows, heads of groups                |  why, next key, the rest
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::list::List;
use crate::desk::table::ColumnPlace;
use crate::desk::telling::column::ADDRESS;
use crate::desk::telling::list::{COLUMNS, cell};
use crate::desk::{Desk, telling};
use crate::rules::Level;
use crate::tui::base::layout::{Area, Class, InventoryParts, scrolled};
use crate::tui::base::text::{elide_middle, width};
use crate::tui::base::theme::Role;
use crate::tui::keymap::Command;
use crate::tui::views::inventory::list::{head, places};
use crate::tui::views::inventory::state::{Inventory, parts};
use crate::tui::views::inventory::{note, preview, title};
use crate::tui::widgets::strip::{Paint, ground, lay, wall};
use crate::tui::widgets::table::TableWindow;
use crate::tui::widgets::{level_bar, search, sparkline, story, table};

/// Draws the screen, and returns the cell of the cursor.
pub(super) fn view(
    inventory: &Inventory,
    desk: &Desk,
    paint: &Paint<'_>,
    buffer: &mut Buffer,
) -> Option<Position> {
    let list = &desk.list;
    let parts = parts(list, paint.window());
    let reads = inventory.reads(list, paint.window());
    let window = TableWindow {
        count: inventory.line_count(),
        cursor: inventory.cursor,
        top: inventory.top,
        is_focused: true,
    };
    let at = table::seen(paint, window, parts.list.height);
    let field = titles(inventory, list, paint, &parts, &at, buffer);
    levels(desk, paint, &parts, buffer);
    if let Some(error) = note::of(list) {
        let lines = note::lines(&error, list, parts.note.width);
        // A term that is still being typed is not wrong yet.
        let is_begun = inventory.typing.is_open() && list.filter.ends_with(':');
        let role = if is_begun { Role::Notice } else { Role::Error };
        let lines: Vec<Line<'_>> =
            lines.iter().map(|line| paint.line(parts.note.width, role, line)).collect();
        lay(buffer, parts.note, &lines);
    }
    let places = columns(list, paint, &parts);
    lay(buffer, parts.heads, &[table::heads(paint, &COLUMNS, &places, parts.heads.width)]);
    let cursor = rows(inventory, list, paint, &places, parts.list, buffer);
    wall(buffer, parts.wall, paint);
    let hidden = paint.hidden(preview_of(inventory, desk, paint, parts.preview, buffer));
    let side = match inventory.row(list, inventory.cursor) {
        Some((row, ..)) => {
            let address = row.address.to_string();
            paint.pane_rule(parts.side.width, reads, &[row.kind().word(), &hidden], |strip, name| {
                let room = strip.room();
                strip.put(name, &elide_middle(&address, room, paint.glyphs));
            })
        }
        None if inventory.lines.list.is_empty() => paint.rule(parts.side.width),
        None => paint.named_rule(parts.side.width, reads, &[&hidden], "Group"),
    };
    lay(buffer, parts.side, &[side]);
    lay(buffer, parts.floor, &[paint.rule(parts.floor.width)]);
    if reads {
        return Some(parts.preview.as_position());
    }
    field.or(cursor)
}

/// The columns that fit.
pub(super) fn columns(list: &List, paint: &Paint<'_>, parts: &InventoryParts) -> Vec<ColumnPlace> {
    // One cell stays free at the right edge; beside the wall one is free already.
    let spare = u16::from(!parts.wall.is_empty());
    places(list, parts.list.width + spare, paint.size.columns)
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
    let is_scrolled = inventory.preview_scroll > 0 || inventory.reads(&desk.list, paint.window());
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
    lay(buffer, area, &story::seen(paint, &lines, from, (area.width, area.height)));
    hidden
}

fn preview_lines(inventory: &Inventory, desk: &Desk, paint: &Paint<'_>, width: u16) -> Vec<Line<'static>> {
    match inventory.row(&desk.list, inventory.cursor) {
        Some((row, verdict, _)) => preview::tall(paint, (row, verdict), width),
        None => title::group_lines(inventory, &desk.list, paint, width),
    }
}

/// The number of lines by which the preview can be scrolled.
pub(super) fn most_scrolled(inventory: &Inventory, desk: &Desk, paint: &Paint<'_>) -> usize {
    let area = parts(&desk.list, paint.window()).preview;
    if area.is_empty() {
        return 0;
    }
    let lines = preview_lines(inventory, desk, paint, area.width);
    lines.len().saturating_sub(usize::from(area.height))
}

/// Draws the levels of the rows, and the files that were bumped lately; before the first survey how to begin one.
fn levels(desk: &Desk, paint: &Paint<'_>, parts: &InventoryParts, buffer: &mut Buffer) {
    // The sentence takes the room of the activity too.
    let line = Area { width: paint.size.columns, ..parts.counts };
    let text = none_checked(desk, paint, line);
    match &text {
        Some(text) => lay(buffer, line, &[paint.line(line.width, Role::Text, &format!(" {text}"))]),
        None => level_bar::view(&desk.list.tally, paint, parts.counts, buffer),
    }
    let has_room = text.is_none_or(|text| width(&text) < usize::from(parts.counts.width));
    if let Some(activity) = desk.activity.counted.as_ref().filter(|_| has_room) {
        sparkline::view(activity, paint, parts.activity, buffer);
    }
}

/// The level whose part of the bar has this cell.
pub(super) fn level_at(
    desk: &Desk,
    paint: &Paint<'_>,
    parts: &InventoryParts,
    cell: Position,
) -> Option<Level> {
    let line = Area { width: paint.size.columns, ..parts.counts };
    let is_bar = none_checked(desk, paint, line).is_none();
    let levels = is_bar.then(|| level_bar::parts(&desk.list.tally, paint.glyphs, parts.counts));
    levels?.into_iter().find(|part| part.area.contains(cell)).map(|part| part.level)
}

/// The longest text that fits and says how to begin a survey; `None` once an entry was checked.
fn none_checked(desk: &Desk, paint: &Paint<'_>, line: Area) -> Option<String> {
    let texts = telling::list::none_checked(desk, |ability| paint.key(ability))?;
    texts.into_iter().find(|text| width(text) < usize::from(line.width))
}

/// The rule that names the list, and above it or in its place the filter.
fn titles(
    inventory: &Inventory,
    list: &List,
    paint: &Paint<'_>,
    parts: &InventoryParts,
    at: &str,
    buffer: &mut Buffer,
) -> Option<Position> {
    let filtering = inventory.typing.is_open() || !list.filter.is_empty();
    let is_apart = !parts.filter.is_empty();
    let line = if is_apart { parts.filter } else { parts.title };
    if is_apart || !filtering {
        lay(buffer, parts.title, &[title::title(inventory, list, paint, at, parts.title.width)]);
    }
    if !is_apart && !filtering {
        return None;
    }
    // The number of rows says enough where all of them are visible.
    let at = if inventory.line_count() > usize::from(parts.list.height) { at } else { "" };
    let (drawn, x) = title::filter_line(inventory, list, paint, at, line.width);
    lay(buffer, line, &[drawn]);
    x.map(|x| Position::new(line.x + x, line.y))
}

/// Draws the lines in the window, and returns the cell of the selected line.
fn rows(
    inventory: &Inventory,
    list: &List,
    paint: &Paint<'_>,
    places: &[ColumnPlace],
    area: Area,
    buffer: &mut Buffer,
) -> Option<Position> {
    let mut cursor = None;
    for (y, place) in (area.y..area.bottom()).zip(inventory.top..inventory.line_count()) {
        let line = Area { y, height: 1, ..area };
        let selected = place == inventory.cursor;
        let drawn = match (inventory.row(list, place), inventory.head(list, place)) {
            (Some((row, verdict, is_marked)), _) => {
                let cell = |column: usize| cell((row, verdict), column, paint.now);
                table::row(
                    paint,
                    (&COLUMNS, places),
                    if is_marked { "*" } else { "" },
                    selected,
                    cell,
                    area.width,
                )
            }
            (None, Some((found, title))) => head(paint, found, &title, selected, area.width),
            (None, None) => break,
        };
        lay(buffer, line, &[drawn]);
        mark_found(list, paint, places, line, buffer);
        if selected {
            if !inventory.reads(list, paint.window()) {
                ground(buffer, line, paint.style(Role::Cursor));
            }
            cursor = Some(Position::new(area.x, y));
        }
    }
    if list.shown.is_empty() && area.height > 1 {
        let lines = nothing(inventory, list, paint, area.width.saturating_sub(2));
        lay(
            buffer,
            Area { x: area.x + 2.min(area.width), y: area.y + 1, height: area.height - 1, ..area },
            &lines,
        );
    }
    cursor
}

/// Marks in the address of a drawn row what the filter looks for: every theme underlines it.
fn mark_found(list: &List, paint: &Paint<'_>, places: &[ColumnPlace], line: Area, buffer: &mut Buffer) {
    let Some(place) = places.iter().find(|place| COLUMNS[place.column].label == ADDRESS) else { return };
    // A window that became smaller a moment ago has fewer cells than the parts were made for.
    let line = line.intersection(buffer.area);
    if line.is_empty() {
        return;
    }
    let from = line.x + table::INDENT + place.from as u16;
    let cells = from..from.saturating_add(place.cells as u16).min(line.right());
    // A cell has one sign of one byte or more: the ends of the signs in the text of the address.
    let (mut address, mut ends) = (String::new(), Vec::new());
    for x in cells.clone() {
        address.push_str(buffer[(x, line.y)].symbol());
        ends.push(address.len());
    }
    let style = paint.style(Role::Prompt);
    for hit in list.wanted_parts().flat_map(|part| search::places(&address, part)) {
        for (x, end) in cells.clone().zip(&ends).filter(|(_, end)| **end > hit.start) {
            buffer[(x, line.y)].set_style(style);
            if *end >= hit.end {
                break;
            }
        }
    }
}

/// Explains why no row is shown.
fn nothing(inventory: &Inventory, list: &List, paint: &Paint<'_>, cells: u16) -> Vec<Line<'static>> {
    if list.verdicts.is_empty() {
        return vec![paint.line(cells, Role::Dim, "the registry has no entries")];
    }
    let cells = cells.saturating_sub(1);
    let back = paint.key(Command::Back);
    let does = match inventory.typing.before() {
        "" => "clears it".to_owned(),
        before => format!("goes back to `{before}`"),
    };
    let mut lines = paint.wrapped(cells, Role::Text, &format!("No row passes the filter; {back} {does}."));
    for why in telling::list::nothing(&list.dead_terms) {
        lines.extend(paint.wrapped(cells, Role::Dim, &why));
    }
    lines
}
