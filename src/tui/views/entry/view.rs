//! Draws one entry.
//!
//! ```text
//! - Versions  204 indexed ----------- 1-32 -+- address ---------------- kind -
//! VERSION STATE TARGETS H1 DISCOVERED WHY | why, next, what, impact, you can
//! every version, windowed                 | repository, file; keys; findings
//! - 1.9.0 --------------------------------+
//! why, platforms, dates, signature        |
//! ```

use jiff::Timestamp;
use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::table::{ColumnPlace, ColumnWidth, Cut, GAP, TableCell, TableColumn, fit};
use crate::desk::telling::Tone;
use crate::desk::telling::column::{DISCOVERED, H1, STATE, TARGETS, VERSION, WHY};
use crate::desk::telling::entry::{
    Place, YOU_CAN, lost_platforms, mark, one_version, platforms, whereabouts,
};
use crate::registry::Kind;
use crate::rules::Level;
use crate::rules::amount::{clock, counted, grouped};
use crate::tui::base::layout::{Area, Class, EntryParts};
use crate::tui::base::theme::Role;
use crate::tui::base::{layout, text};
use crate::tui::keymap::Command;
use crate::tui::views::entry::state::{EntryScreen, VersionRow, VersionSort};
use crate::tui::widgets::strip::{Paint, Strip, lay, wall};
use crate::tui::widgets::table::TableWindow;
use crate::tui::widgets::{grid, keys, story, table};

/// Draws the screen, and returns the cell of the cursor.
pub(super) fn view(paint: &Paint<'_>, entry: &EntryScreen, buffer: &mut Buffer) -> Option<Position> {
    let (parts, facts) = laid_out(paint, entry);
    let class = paint.size.class();
    let story = story_lines(paint, entry, class, parts.story.width);
    let (from, hidden) = layout::scrolled(entry.story_scroll, usize::from(parts.story.height), story.len());
    let hidden = paint.hidden(hidden);
    let address = entry.address.to_string();
    let title = if parts.wall.is_empty() {
        // Above the list stands the address.
        paint.rule_with(parts.title.width, &hidden)
    } else {
        paint.pane_rule(parts.title.width, false, &[entry.address.kind().word(), &hidden], |strip, name| {
            let room = strip.room();
            strip.put(name, &text::elide_middle(&address, room, paint.glyphs));
        })
    };
    lay(buffer, parts.title, &[title]);
    lay(buffer, parts.story, &story::seen(paint, &story, from, (parts.story.width, parts.story.height)));
    wall(buffer, parts.wall, paint);
    let typed = list_title(paint, entry, &parts, buffer);
    lay(buffer, parts.floor, &[paint.rule(parts.floor.width)]);
    let places = places(entry, parts.list.width);
    lay(buffer, parts.heads, &[table::heads(paint, &COLUMNS, &places, parts.heads.width)]);
    let cursor = rows(paint, entry, &places, parts.list, buffer);
    version(paint, entry, (&parts, &facts), buffer);
    typed.or(cursor)
}

/// The places of the parts.
pub(super) fn parts(paint: &Paint<'_>, entry: &EntryScreen) -> EntryParts {
    laid_out(paint, entry).0
}

/// The places of the parts, and the lines about the version under the cursor, by whose number they are divided.
fn laid_out(paint: &Paint<'_>, entry: &EntryScreen) -> (EntryParts, Vec<Line<'static>>) {
    let of = |facts| layout::entry(paint.window(), entry.rows.len(), facts);
    let parts = of(0);
    if parts.version.is_empty() {
        return (parts, Vec::new());
    }
    let facts = version_lines(paint, entry, parts.version.width);
    (of(facts.len()), facts)
}

/// The version under the cursor, below the list.
fn version(
    paint: &Paint<'_>,
    entry: &EntryScreen,
    (parts, lines): (&EntryParts, &[Line<'static>]),
    buffer: &mut Buffer,
) {
    let Some(row) = entry.selected() else { return };
    let area = parts.version;
    let hidden = lines.len().saturating_sub(usize::from(area.height));
    let hidden = if hidden > 0 { counted(hidden, "more line") } else { String::new() };
    lay(buffer, parts.rule, &[paint.named_rule(parts.rule.width, false, &[&hidden], &row.version)]);
    lay(buffer, area, &story::seen(paint, lines, 0, (area.width, area.height)));
}

/// The number of lines by which the answer can be scrolled.
pub(super) fn most_scrolled(paint: &Paint<'_>, entry: &EntryScreen) -> usize {
    let area = parts(paint, entry).story;
    let lines = story_lines(paint, entry, paint.size.class(), area.width);
    lines.len().saturating_sub(usize::from(area.height))
}

/// The number of indexed versions or the filter in its place, and the visible rows. The list alone names the entry. Gives the cell of
/// the text cursor while the filter is typed.
fn list_title(
    paint: &Paint<'_>,
    entry: &EntryScreen,
    parts: &EntryParts,
    buffer: &mut Buffer,
) -> Option<Position> {
    let (window, height, side) = (window(entry), parts.list.height, parts.side);
    if entry.filter.is_shown() {
        let found = table::found(paint, window, height, entry.order.count());
        return table::filter(paint, &entry.filter, &found, side, buffer);
    }
    let order = entry.order.sort.unusual(entry.order.sort.by.label());
    let seen = table::seen(paint, window, height);
    let line = paint.pane_rule(side.width, true, &[&order, &seen], |strip, name| {
        if parts.wall.is_empty() {
            let room = strip.room().saturating_sub(24).max(12);
            strip.put(name, &text::elide_middle(&entry.address.to_string(), room, paint.glyphs));
        } else {
            strip.put(name, "Versions");
        }
        if entry.opened.is_some() {
            let indexed = entry.rows.iter().filter(|row| row.indexed).count();
            strip.gap(2).put(Role::Text, &format!("{} indexed", grouped(indexed)));
        }
    });
    lay(buffer, side, &[line]);
    None
}

fn story_lines(paint: &Paint<'_>, entry: &EntryScreen, class: Class, width: u16) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    if let Some(failure) = &entry.failure {
        lines.extend(story::labelled(paint, "error", &failure.reason(), width));
        if let Some(hint) = &failure.hint {
            lines.extend(story::labelled(paint, YOU_CAN.short, &story::in_keys(paint, hint), width));
        }
    }
    if let Some(verdict) = &entry.verdict {
        let evidence = if class == Class::Wide { Vec::new() } else { lost_lines(paint, entry, width) };
        let about = (entry.address.kind(), verdict);
        lines.extend(story::lines(paint, about, Place::Entry, evidence, width));
        if class == Class::Wide {
            lines.push(paint.rule(width));
            for fact in whereabouts(&entry.address, entry.address.repository().to_string()) {
                lines.extend(story::labelled(paint, fact.label.short, &fact.text, width));
            }
        }
        if let Some(sheet) = entry.opened.as_ref().and_then(|opened| opened.keys.as_ref()) {
            if class == Class::Wide {
                lines.push(paint.rule(width));
            }
            lines.extend(keys::lines(paint, &entry.address, sheet, width));
        }
    }
    if !entry.findings.is_empty() {
        if class == Class::Wide {
            lines.push(paint.rule(width));
        }
        lines.extend(story::findings(paint, &entry.findings, width));
    }
    lines
}

/// The fewest rows of a window whose story has room for a grid.
const ROWS_OF_GRID: u16 = 24;

/// The platforms that the version under the cursor lost, where something is wrong with it and it has no pane of its own: their grid, or
/// their names in a low window.
fn lost_lines(paint: &Paint<'_>, entry: &EntryScreen, width: u16) -> Vec<Line<'static>> {
    let row = entry.selected().filter(|row| entry.state(row).is_some());
    let Some((row, opened)) = row.zip(entry.opened.as_deref()) else { return Vec::new() };
    let has_grid = paint.size.rows >= ROWS_OF_GRID;
    let Some(fact) = lost_platforms(&opened.entry, &row.version, !has_grid) else { return Vec::new() };
    let mut lines = story::labelled(paint, fact.label.short, &fact.text, width);
    if let Some(table) = platforms(&opened.entry, &row.version).filter(|_| has_grid) {
        lines.extend(grid::stored(paint, &table, width));
    }
    lines
}

/// The facts about the version under the cursor, and its platforms.
fn version_lines(paint: &Paint<'_>, entry: &EntryScreen, width: u16) -> Vec<Line<'static>> {
    let Some((row, verdict)) = entry.selected().zip(entry.verdict.as_ref()) else { return Vec::new() };
    let found = (verdict, &entry.findings[..]);
    let facts = one_version(&row.version, found, entry.opened.as_deref(), paint.now);
    let mut lines: Vec<Line<'_>> =
        facts.iter().flat_map(|fact| story::labelled(paint, fact.label.short, &fact.text, width)).collect();
    let opened = entry.opened.as_deref();
    if let Some(table) = opened.and_then(|opened| platforms(&opened.entry, &row.version)) {
        lines.push(Line::default());
        lines.extend(grid::stored(paint, &table, width));
    }
    lines
}

const COLUMNS: [TableColumn; 6] = [
    TableColumn::new(VERSION, ColumnWidth::Content { least: 8 }, Cut::End, 2),
    TableColumn::new(STATE, ColumnWidth::Content { least: 10 }, Cut::End, 1),
    TableColumn::new(TARGETS, ColumnWidth::Content { least: 0 }, Cut::Right, 0),
    TableColumn::new(H1, ColumnWidth::Content { least: 0 }, Cut::Right, 0),
    TableColumn::new(DISCOVERED, ColumnWidth::Content { least: 0 }, Cut::End, 4),
    // The pane beside the list, or the line below it, has the whole reason.
    TableColumn::new(WHY, ColumnWidth::Rest { wants: 14, least: 0 }, Cut::End, 3),
];

/// The order that a column sorts by.
pub(super) const SORTS: [Option<VersionSort>; COLUMNS.len()] = [
    Some(VersionSort::Version),
    Some(VersionSort::State),
    Some(VersionSort::Targets),
    Some(VersionSort::Hashes),
    Some(VersionSort::Discovered),
    None,
];

/// The columns that fit. A name takes no more than the longest one needs, since the reason gets the rest. A module has no targets.
pub(super) fn places(entry: &EntryScreen, width: u16) -> Vec<ColumnPlace> {
    let name = entry.rows.iter().map(|row| text::width(&row.version)).max().unwrap_or(0).min(24);
    let (targets, hashes) = match entry.address.kind() {
        Kind::Provider => (TARGETS.short.len(), 6),
        Kind::Module => (0, 0),
    };
    let longest = [name.max(VERSION.short.len()), 10, targets, hashes, 17, 0];
    fit(&COLUMNS, &longest, table::room(width), GAP)
}

pub(super) fn window(entry: &EntryScreen) -> TableWindow {
    TableWindow { count: entry.order.shown().len(), cursor: entry.cursor, top: entry.top, is_focused: true }
}

fn rows(
    paint: &Paint<'_>,
    entry: &EntryScreen,
    places: &[ColumnPlace],
    area: Area,
    buffer: &mut Buffer,
) -> Option<Position> {
    if entry.order.shown().is_empty() {
        let text = match (&entry.opened, &entry.failure) {
            _ if !entry.rows.is_empty() => &*table::all_hidden(&paint.key(Command::Back)),
            (_, Some(_)) => "the file could not be read",
            (Some(_), _) => "no versions",
            (None, None) => "reading the file ...",
        };
        lay(buffer, area, &[Strip::new(paint, area.width).gap(1).put(Role::Dim, text).line()]);
    }
    let shown = entry.order.shown();
    let cell = |row: usize, column: usize| cell(entry, &entry.rows[shown[row]], column, paint.now);
    table::rows(paint, (&COLUMNS, places), window(entry), cell, area, buffer)
}

fn cell<'a>(entry: &'a EntryScreen, row: &'a VersionRow, column: usize, now: Timestamp) -> TableCell<'a> {
    let state = entry.state(row);
    match column {
        0 => TableCell::of(&*row.version, Tone::Plain),
        1 => state.map_or(TableCell::of("  indexed", Tone::Quiet), |state| mark(state.mark).into()),
        2 => TableCell::of(row.targets.map_or("-".into(), |targets| targets.to_string()), Tone::Plain),
        3 => match (row.hashed, row.targets) {
            (Some(hashed), Some(all)) if hashed == all => TableCell::of("all", Tone::Plain),
            (Some(0), _) => TableCell::of("none", Tone::Quiet),
            (Some(hashed), Some(all)) => TableCell::of(format!("{hashed}/{all}"), Tone::Of(Level::Wait)),
            _ => TableCell::of("-", Tone::Quiet),
        },
        4 => TableCell::of(row.discovered.map_or("-".into(), |at| clock(at, now)), Tone::Quiet),
        _ => TableCell::of(state.map_or("", |state| &state.reason), Tone::Quiet),
    }
}
