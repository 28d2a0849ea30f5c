//! Draws the Inventory.
//!
//! ```text
//! view: rows, need attention, marks    |  preview
//! filter> ...        sort: status, age |  what is wrong
//! counts of the statuses, or an error  |  why
//! S STATUS  K ADDRESS ...              |  if left
//! rows, heads of groups                |  you can, next key
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::list::List;
use crate::rules::Status;
use crate::rules::amount::grouped;
use crate::tui::base::layout;
use crate::tui::base::layout::{Area, Class, InventoryParts};
use crate::tui::base::text::width;
use crate::tui::base::theme::Role;
use crate::tui::keymap::Command;
use crate::tui::views::inventory::list::{Columns, head, heads, row};
use crate::tui::views::inventory::state::{Inventory, wish};
use crate::tui::views::inventory::{preview, title};
use crate::tui::widgets::strip::{Paint, Strip, ground, lay, wall};

/// Draws the screen; gives the cell where the cursor belongs.
pub(super) fn view(
    inventory: &Inventory,
    list: &List,
    paint: &Paint<'_>,
    buffer: &mut Buffer,
) -> Option<Position> {
    let class = paint.size.class();
    let parts = layout::inventory(paint.size, wish(list));
    let field = titles(inventory, list, paint, &parts, buffer);
    lay(buffer, parts.counts, &counts(list, paint, parts.counts));
    if let Some(error) = title::error_line(list, paint, parts.note.width) {
        ground(buffer, parts.note, paint.style(Role::Text));
        lay(buffer, parts.note, &[error]);
    }
    // One cell stays free at the right edge; beside the wall one is free already.
    let spare = u16::from(class != Class::Wide || list.no_preview);
    let columns = Columns::fit(parts.list.width.saturating_sub(spare), class);
    let at = position(inventory, usize::from(parts.list.height));
    let heads = [heads(paint, columns, parts.heads.width), paint.rule_with(parts.heads.width, &at)];
    lay(buffer, parts.heads, &heads);
    let cursor = rows(inventory, list, paint, columns, parts.list, buffer);
    if class == Class::Wide {
        wall(buffer, parts.wall, paint);
    } else {
        lay(buffer, parts.wall, &[paint.rule_with(parts.wall.width, &at)]);
    }
    let hidden = preview_of(inventory, list, paint, parts.preview, buffer);
    lay(buffer, parts.floor, &[paint.rule_over(parts.floor.width, hidden)]);
    field.or(cursor)
}

/// Which lines of the list are in its window; empty if all are.
fn position(inventory: &Inventory, rows: usize) -> String {
    let all = inventory.line_count();
    if all <= rows {
        return String::new();
    }
    let last = (inventory.top + rows).min(all);
    format!("{}-{} of {}", grouped(inventory.top as u64 + 1), grouped(last), grouped(all))
}

/// Draws the preview; says how many lines found no room.
fn preview_of(
    inventory: &Inventory,
    list: &List,
    paint: &Paint<'_>,
    area: Area,
    buffer: &mut Buffer,
) -> usize {
    if area.is_empty() {
        return 0;
    }
    let lines = match inventory.row(list, inventory.cursor) {
        Some((row, verdict, _)) if paint.size.class() == Class::Wide => {
            preview::tall(paint, row, verdict, area.width)
        }
        Some((row, verdict, _)) => preview::flat(paint, row, verdict, (area.width, area.height)),
        None => title::group_lines(inventory, list, paint, area.width),
    };
    let most = lines.len().saturating_sub(usize::from(area.height));
    let from = inventory.preview_scroll.min(most);
    lay(buffer, area, &lines[from..]);
    most - from
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

/// How many rows have which status, the gravest first; those that do not fit are counted together.
fn counts(list: &List, paint: &Paint<'_>, area: Area) -> Vec<Line<'static>> {
    let tally = &list.tally;
    let mut lines = Vec::new();
    let mut strip = Strip::new(paint, area.width);
    strip.gap(1);
    let present: Vec<Status> = Status::words().filter(|status| tally.of_word(*status) > 0).collect();
    for (place, status) in present.iter().enumerate() {
        let count = grouped(tally.of_word(*status));
        let text = format!("{} {} {count}", paint.glyphs.status(*status), status.word());
        let rest = present.len() - place - 1;
        let last_line = lines.len() + 1 >= usize::from(area.height);
        let reserve = if rest > 0 && last_line { 9 } else { 0 };
        if width(&text) + 2 + reserve > strip.room() {
            if last_line {
                strip.put(Role::Dim, &format!("+{} more", rest + 1));
                break;
            }
            lines.push(strip.line());
            strip = Strip::new(paint, area.width);
            strip.gap(1);
        }
        strip.put(Role::of(*status), &text).gap(2);
    }
    lines.push(strip.line());
    lines
}

/// The lines in the window; gives the cell of the selected one.
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
            ground(buffer, line, paint.style(Role::Cursor));
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

/// Why no row is shown.
fn nothing(list: &List, paint: &Paint<'_>, cells: u16) -> Vec<Line<'static>> {
    if list.verdicts.is_empty() {
        return vec![paint.line(cells, Role::Dim, "the registry has no entries")];
    }
    let cells = cells.saturating_sub(1);
    let back = paint.key(Command::Back);
    let mut lines = paint.wrapped(cells, Role::Text, &format!("No row passes the filter; {back} leaves it."));
    let said = match &list.dead_terms[..] {
        [] => "Each term alone passes some rows, but no row passes all of them.".to_owned(),
        [one] => format!("No row at all passes `{one}`.{}", advice(one)),
        terms => format!("No row at all passes any of {}.", terms.join(", ")),
    };
    lines.extend(paint.wrapped(cells, Role::Dim, &said));
    lines
}

/// What may have been meant by a term that nothing passes.
fn advice(term: &str) -> String {
    match term.split_once(':') {
        Some(("ns", name)) if !name.ends_with('*') => {
            format!(" `ns:` wants the whole name; `ns:{name}*` takes its start.")
        }
        None if !term.starts_with('~') => format!(" `~{term}` finds its letters in order."),
        _ => String::new(),
    }
}
