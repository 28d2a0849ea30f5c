//! Draws one entry.
//!
//! ```text
//! address                    kind and repository
//! VERSION STATE TARGETS H1 FOUND | what, why, if left, you can, next
//! every version, windowed    | the version under the cursor; keys, findings
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::telling::column;
use crate::desk::telling::entry::{Place, YOU_CAN, mark, one_version, whereabouts};
use crate::rules::Verdict;
use crate::rules::amount::{clock, counted};
use crate::tui::base::layout::{Area, Class};
use crate::tui::base::theme::Role;
use crate::tui::base::{layout, text};
use crate::tui::views::entry::state::{EntryScreen, VersionRow};
use crate::tui::widgets::strip::{Cut, Paint, Strip, ground, lay, wall};
use crate::tui::widgets::{keys, story};

/// Draws the screen; gives the cell where the cursor belongs.
pub(super) fn view(paint: &Paint<'_>, entry: &EntryScreen, buffer: &mut Buffer) -> Option<Position> {
    let parts = layout::entry(paint.size);
    let class = paint.size.class();
    lay(buffer, parts.title, &[title(paint, entry, parts.title.width)]);
    let story = story_lines(paint, entry, class, parts.story.width);
    let most = story.len().saturating_sub(usize::from(parts.story.height));
    let from = entry.story_scroll.min(most);
    lay(buffer, parts.story, &story[from..]);
    let hidden = (story.len() - from).saturating_sub(usize::from(parts.story.height));
    if class == Class::Wide {
        wall(buffer, parts.wall, paint);
        lay(buffer, parts.floor, &[paint.rule_over(parts.floor.width, hidden)]);
    } else {
        lay(buffer, parts.wall, &[paint.rule_over(parts.wall.width, hidden)]);
        lay(buffer, parts.floor, &[paint.rule(parts.floor.width)]);
    }
    let heads = [heads(paint, entry, class, parts.heads.width), paint.rule(parts.heads.width)];
    lay(buffer, parts.heads, &heads);
    rows(paint, entry, class, parts.list, buffer)
}

/// How many lines of the answer can be scrolled away.
pub(super) fn most_scrolled(paint: &Paint<'_>, entry: &EntryScreen) -> usize {
    let area = layout::entry(paint.size).story;
    let lines = story_lines(paint, entry, paint.size.class(), area.width);
    lines.len().saturating_sub(usize::from(area.height))
}

fn title(paint: &Paint<'_>, entry: &EntryScreen, width: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    let address = entry.address.to_string();
    strip.gap(1).put(Role::Title, &text::elide_middle(&address, usize::from(width).saturating_sub(12)));
    strip.gap(2).put(Role::Dim, entry.address.kind().word());
    if entry.opened.is_some() {
        let indexed = entry.rows.iter().filter(|row| row.indexed).count();
        strip.right(Role::Dim, &format!("{} indexed ", counted(indexed, "version")));
    }
    strip.line()
}

fn story_lines(paint: &Paint<'_>, entry: &EntryScreen, class: Class, width: u16) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    if class == Class::Wide {
        for fact in whereabouts(&entry.address, entry.address.repository().to_string()) {
            lines.extend(story::labelled(paint, fact.label.short, &fact.text, width));
        }
        lines.push(paint.rule(width));
    }
    if let Some(failure) = &entry.failure {
        lines.extend(story::labelled(paint, "error", &failure.reason(), width));
        if let Some(hint) = &failure.hint {
            lines.extend(story::labelled(paint, YOU_CAN.short, hint, width));
        }
    }
    if let Some(verdict) = &entry.verdict {
        lines.extend(story::lines(paint, verdict, Place::Entry, width));
        if class == Class::Wide {
            lines.extend(version_lines(paint, entry, verdict, width));
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

/// What is known of the version under the cursor.
fn version_lines(
    paint: &Paint<'_>,
    entry: &EntryScreen,
    verdict: &Verdict,
    width: u16,
) -> Vec<Line<'static>> {
    let Some(row) = entry.rows.get(entry.cursor) else { return Vec::new() };
    let mut head = Strip::new(paint, width);
    head.gap(1).put(Role::Title, &row.version).gap(2);
    if let Some(state) = row.state.and_then(|at| verdict.versions.get(at)) {
        let (role, word) = story::sign(&mark(state.mark), paint.glyphs);
        head.put(role, &word);
    }
    let mut lines = vec![paint.rule(width), head.line()];
    let found = (verdict, &entry.findings[..]);
    for fact in one_version(&row.version, found, entry.opened.as_deref(), paint.now) {
        lines.extend(story::labelled(paint, fact.label.short, &fact.text, width));
    }
    lines
}

const STATE: usize = 10;
const COUNT: usize = 8;
const HASHES: usize = 6;
const DATE: usize = 17;

/// Less of a reason says nothing; beside a pane that tells it whole, even more does not.
fn smallest_why(class: Class) -> usize {
    if class == Class::Wide { 20 } else { 8 }
}

/// Cells of the version name: no more than the longest needs, for the rest is the reason's.
fn name_width(entry: &EntryScreen, class: Class, width: u16) -> usize {
    let date = if class == Class::Narrow { 0 } else { DATE + 1 };
    let most = usize::from(width).saturating_sub(1 + STATE + 1 + COUNT + 1 + HASHES + date + 1).clamp(8, 24);
    entry.rows.iter().map(|row| text::width(&row.version)).max().unwrap_or(0).clamp(8, most)
}

fn heads(paint: &Paint<'_>, entry: &EntryScreen, class: Class, width: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    strip.gap(1).cell(Role::Title, column::VERSION.short, name_width(entry, class, width), Cut::End).gap(1);
    strip.cell(Role::Title, column::STATE.short, STATE, Cut::End);
    strip.cell(Role::Title, column::TARGETS.short, COUNT, Cut::Right).gap(1);
    strip.cell(Role::Title, column::H1.short, HASHES, Cut::Right);
    if class != Class::Narrow {
        strip.gap(1).cell(Role::Title, column::DISCOVERED.short, DATE, Cut::End);
    }
    if strip.room() > smallest_why(class) {
        strip.gap(1).put(Role::Title, column::WHY.short);
    }
    strip.line()
}

fn rows(
    paint: &Paint<'_>,
    entry: &EntryScreen,
    class: Class,
    area: Area,
    buffer: &mut Buffer,
) -> Option<Position> {
    let mut cursor = None;
    for (y, place) in (area.y..area.bottom()).zip(entry.top..) {
        let Some(row) = entry.rows.get(place) else { break };
        let line = Area { y, height: 1, ..area };
        lay(buffer, line, &[version_line(paint, entry, row, class, area.width, place == entry.cursor)]);
        if place == entry.cursor {
            ground(buffer, line, paint.style(Role::Cursor));
            cursor = Some(Position::new(area.x, y));
        }
    }
    if entry.rows.is_empty() {
        let text = match (&entry.opened, &entry.failure) {
            (_, Some(_)) => "the file could not be read",
            (Some(_), _) => "no versions",
            (None, None) => "reading the file ...",
        };
        lay(buffer, area, &[Strip::new(paint, area.width).gap(1).put(Role::Dim, text).line()]);
    }
    cursor
}

fn version_line(
    paint: &Paint<'_>,
    entry: &EntryScreen,
    row: &VersionRow,
    class: Class,
    width: u16,
    under_cursor: bool,
) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    strip.cell(Role::Key, if under_cursor { paint.glyphs.cursor() } else { "" }, 1, Cut::End);
    strip.cell(Role::Text, &row.version, name_width(entry, class, width), Cut::End).gap(1);
    let state = row.state.and_then(|at| entry.verdict.as_ref().and_then(|verdict| verdict.versions.get(at)));
    let (role, word) = match state {
        Some(state) => story::sign(&mark(state.mark), paint.glyphs),
        None => (Role::Dim, "  indexed".into()),
    };
    strip.cell(role, &word, STATE, Cut::End);
    let targets = row.targets.map_or("-".into(), |targets| targets.to_string());
    strip.cell(Role::Text, &targets, COUNT, Cut::Right).gap(1);
    let (role, hashes) = match (row.hashed, row.targets) {
        (Some(hashed), Some(all)) if hashed == all => (Role::Text, "all".to_owned()),
        (Some(0), _) => (Role::Dim, "none".into()),
        (Some(hashed), Some(all)) => (Role::Gap, format!("{hashed}/{all}")),
        _ => (Role::Dim, "-".into()),
    };
    strip.cell(role, &hashes, HASHES, Cut::Right);
    if class != Class::Narrow {
        let found = row.discovered.map_or("-".into(), |at| clock(at, paint.now));
        strip.gap(1).cell(Role::Dim, &found, DATE, Cut::End);
    }
    if let Some(state) = state.filter(|_| strip.room() > smallest_why(class)) {
        strip.gap(1).put(Role::Dim, &state.reason);
    }
    strip.line()
}
