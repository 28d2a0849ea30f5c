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

use crate::desk::table::{ColumnPlace, ColumnWidth, Cut, TableCell, TableColumn};
use crate::desk::telling::Tone;
use crate::desk::telling::column::{DISCOVERED, H1, STATE, TARGETS, VERSION, WHY};
use crate::desk::telling::entry::{Place, YOU_CAN, mark, one_version, whereabouts};
use crate::rules::Level;
use crate::rules::amount::{clock, counted, grouped};
use crate::rules::diff::PlatformTable;
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
        lines.extend(story::lines(paint, (entry.address.kind(), verdict), Place::Entry, width));
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

/// The facts about the version under the cursor, and its platforms.
fn version_lines(paint: &Paint<'_>, entry: &EntryScreen, width: u16) -> Vec<Line<'static>> {
    let Some((row, verdict)) = entry.selected().zip(entry.verdict.as_ref()) else { return Vec::new() };
    let found = (verdict, &entry.findings[..]);
    let facts = one_version(&row.version, found, entry.opened.as_deref(), paint.now);
    let mut lines: Vec<Line<'_>> =
        facts.iter().flat_map(|fact| story::labelled(paint, fact.label.short, &fact.text, width)).collect();
    let provider = entry.opened.as_deref().and_then(|opened| opened.entry.as_provider());
    let stored = provider.and_then(|file| file.versions.iter().find(|one| one.version == row.version));
    if let Some(table) = stored.and_then(|stored| PlatformTable::of_stored(&stored.targets)) {
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

/// The columns that fit. A name takes no more than the longest one needs, since the reason gets the rest.
pub(super) fn places(entry: &EntryScreen, width: u16) -> Vec<ColumnPlace> {
    let name = entry.rows.iter().map(|row| text::width(&row.version)).max().unwrap_or(0).min(24);
    table::places(&COLUMNS, &[name, 10, 0, 6, 17, 0], width)
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
