//! Draws the Inventory.
//!
//! ```text
//! title: rows, need attention, marks   |  preview
//! filter> ...        sort: status, age |  what is wrong
//! counts of the statuses               |  why
//! S STATUS  K ADDRESS ...              |  if left
//! rows                                 |  you can, next key
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::rules::Status;
use crate::tui::field::Field;
use crate::tui::keymap::Command;
use crate::tui::layout;
use crate::tui::layout::Area;
use crate::tui::layout::Class;
use crate::tui::layout::InventoryParts;
use crate::tui::model::Model;
use crate::tui::screens::inventory::list;
use crate::tui::screens::inventory::list::Columns;
use crate::tui::screens::inventory::preview;
use crate::tui::screens::inventory::state::Inventory;
use crate::tui::text::grouped;
use crate::tui::text::width;
use crate::tui::theme::Role;
use crate::tui::widgets::strip::Paint;
use crate::tui::widgets::strip::Strip;
use crate::tui::widgets::strip::ground;
use crate::tui::widgets::strip::lay;
use crate::tui::widgets::strip::wall;

/// Draws the screen; gives the cell where the cursor belongs.
pub(crate) fn view(model: &Model, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
    let inventory = &model.inventory;
    let class = model.size.class();
    let parts = layout::inventory(model.size, inventory.preview);
    let field = titles(model, paint, &parts, buffer);
    lay(buffer, parts.counts, &counts(model, paint, parts.counts));
    // One cell stays free at the right edge; beside the wall one is free already.
    let spare = u16::from(class != Class::Wide || !inventory.preview);
    let columns = Columns::fit(parts.list.width.saturating_sub(spare), class);
    let heads = [list::heads(paint, columns, parts.heads.width), paint.rule(parts.heads.width)];
    lay(buffer, parts.heads, &heads);
    let cursor = rows(model, paint, columns, parts.list, buffer);
    if class == Class::Wide {
        wall(buffer, parts.wall, paint);
    } else {
        lay(buffer, parts.wall, &[paint.rule(parts.wall.width)]);
    }
    let mut hidden = 0;
    if let Some((row, verdict, _)) = inventory.row(inventory.cursor).filter(|_| !parts.preview.is_empty()) {
        let lines = if class == Class::Wide {
            preview::tall(paint, row, verdict, parts.preview.width)
        } else {
            preview::flat(paint, row, verdict, (parts.preview.width, parts.preview.height))
        };
        let most = lines.len().saturating_sub(usize::from(parts.preview.height));
        let from = inventory.preview_scroll.min(most);
        hidden = most - from;
        lay(buffer, parts.preview, &lines[from..]);
    }
    lay(buffer, parts.floor, &[paint.rule_over(parts.floor.width, hidden)]);
    field.or(cursor)
}

/// The title and, below it or in its place, filter and sort.
fn titles(model: &Model, paint: &Paint<'_>, parts: &InventoryParts, buffer: &mut Buffer) -> Option<Position> {
    let filtering = model.inventory.filter.is_open() || !model.inventory.filter.text.is_empty();
    let width = parts.title.width;
    if !parts.filter.is_empty() {
        lay(buffer, parts.title, &[title(model, paint, width)]);
        let (line, at) = filter_line(model, paint, width);
        lay(buffer, parts.filter, &[line]);
        return at.map(|x| Position::new(parts.filter.x + x, parts.filter.y));
    }
    if filtering {
        let (line, at) = filter_line(model, paint, width);
        lay(buffer, parts.title, &[line]);
        return at.map(|x| Position::new(parts.title.x + x, parts.title.y));
    }
    lay(buffer, parts.title, &[title(model, paint, width)]);
    None
}

/// `27,463 rows, 412 need attention, 3 not checked`, and the marks.
fn title(model: &Model, paint: &Paint<'_>, cells: u16) -> Line<'static> {
    let inventory = &model.inventory;
    let mut strip = Strip::new(paint, cells);
    strip.gap(1);
    if model.size.class() == Class::Wide {
        strip.put(Role::Title, "Inventory").gap(2);
    }
    let tally = &inventory.tally;
    strip.put(Role::Text, &format!("{} rows", grouped(inventory.verdicts.len() as u64)));
    if tally.unasked as usize == inventory.verdicts.len() && tally.unasked > 0 {
        strip.put(Role::Text, ", none checked yet");
    } else {
        attention(&mut strip, inventory);
    }
    let marks = marks(model);
    if !marks.is_empty() {
        strip.right(Role::Mark, &format!("{marks} "));
    } else if model.size.class() == Class::Medium {
        strip.right(Role::Dim, &format!("sort: {} ", inventory.sort.label()));
    }
    strip.line()
}

fn attention(strip: &mut Strip<'_>, inventory: &Inventory) {
    let tally = &inventory.tally;
    let verb = if tally.attention() == 1 { "needs" } else { "need" };
    let wanting = format!("{} {verb} attention", grouped(u64::from(tally.attention())));
    let role = if tally.attention() > 0 { Role::Warning } else { Role::Text };
    strip.put(Role::Text, ", ").put(role, &wanting);
    if tally.unasked > 0 {
        strip.put(Role::Text, &format!(", {} not checked", grouped(u64::from(tally.unasked))));
    }
}

/// `3 marked (1 hidden)`; empty if nothing is.
fn marks(model: &Model) -> String {
    match (model.inventory.mark_count(), model.inventory.hidden_marks()) {
        (0, _) => String::new(),
        (all, 0) => format!("{} marked", grouped(all as u64)),
        (all, hidden) => format!("{} marked ({} hidden)", grouped(all as u64), grouped(hidden as u64)),
    }
}

/// The filter field, how many rows pass, and the order; with the column of the text cursor while it is typed.
fn filter_line(model: &Model, paint: &Paint<'_>, cells: u16) -> (Line<'static>, Option<u16>) {
    let inventory = &model.inventory;
    let filter = &inventory.filter;
    let open = filter.is_open();
    let mut strip = Strip::new(paint, cells);
    strip.gap(1).put(if open { Role::Key } else { Role::Dim }, "filter>").gap(1);
    let mut tail = String::new();
    if open || !filter.text.is_empty() {
        tail = format!(
            "{} of {}",
            grouped(inventory.shown_count() as u64),
            grouped(inventory.verdicts.len() as u64)
        );
        let marks = marks(model);
        if parts_share_a_line(model) && !marks.is_empty() {
            tail = format!("{tail}, {marks}");
        }
    }
    if model.size.class() == Class::Wide {
        tail = format!("{tail}   sort: {}", inventory.sort.label());
    }
    let room = strip.room().saturating_sub(width(&tail) + 3);
    let field = if open { filter.field.clone() } else { Field::of(&filter.text) };
    let seen = field.seen(paint.glyphs, room);
    let at = (usize::from(cells) - strip.room() + seen.cursor) as u16;
    match (open, filter.text.is_empty()) {
        (false, true) => strip.put(Role::Dim, "(none)"),
        _ => strip.put(if open { Role::Prompt } else { Role::Text }, &seen.text),
    };
    strip.right(Role::Dim, &format!("{tail} "));
    (strip.line(), open.then_some(at.min(cells.saturating_sub(1))))
}

fn parts_share_a_line(model: &Model) -> bool {
    model.size.class() != Class::Wide
}

/// How many rows have which status, the gravest first; those that do not fit are counted together.
fn counts(model: &Model, paint: &Paint<'_>, area: Area) -> Vec<Line<'static>> {
    let tally = &model.inventory.tally;
    let mut lines = Vec::new();
    let mut strip = Strip::new(paint, area.width);
    strip.gap(1);
    let present: Vec<Status> = Status::all().filter(|status| tally.counts[*status as usize] > 0).collect();
    for (place, status) in present.iter().enumerate() {
        let count = grouped(u64::from(tally.counts[*status as usize]));
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

/// The rows in the window; gives the cell of the selected one.
fn rows(
    model: &Model,
    paint: &Paint<'_>,
    columns: Columns,
    area: Area,
    buffer: &mut Buffer,
) -> Option<Position> {
    let inventory = &model.inventory;
    let mut cursor = None;
    for (y, place) in (area.y..area.bottom()).zip(inventory.top..) {
        let Some(row) = inventory.row(place) else { break };
        let line = Area { y, height: 1, ..area };
        let selected = place == inventory.cursor;
        lay(buffer, line, &[list::row(paint, columns, row, selected, area.width)]);
        if selected {
            ground(buffer, line, paint.style(Role::Cursor));
            cursor = Some(Position::new(area.x, y));
        }
    }
    if inventory.shown_count() == 0 && area.height > 1 {
        let text = if inventory.verdicts.is_empty() {
            "the registry has no entries".to_owned()
        } else {
            let back = paint.key(Command::Back);
            format!("no row passes the filter `{}`; {back} clears it", inventory.filter.text)
        };
        let line = Strip::new(paint, area.width).gap(2).put(Role::Dim, &text).line();
        lay(buffer, Area { y: area.y + 1, height: 1, ..area }, &[line]);
    }
    cursor
}
