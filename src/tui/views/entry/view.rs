//! Draws one entry.
//!
//! ```text
//! address                    kind and repository
//! VERSION STATE TARGETS H1 DISCOVERED WHY | why, next, what, impact, you can
//! every version, windowed                 | the version under the cursor; keys, findings
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::telling::column;
use crate::desk::telling::entry::{Place, YOU_CAN, mark, one_version, whereabouts};
use crate::rules::Verdict;
use crate::rules::amount::{clock, counted};
use crate::tui::base::layout::{Area, Class, EntryParts};
use crate::tui::base::theme::Role;
use crate::tui::base::{layout, text};
use crate::tui::views::entry::state::{EntryScreen, VersionRow};
use crate::tui::widgets::strip::{Cut, Paint, Strip, ground, lay, wall};
use crate::tui::widgets::{keys, story};

/// Draws the screen, and returns the cell of the cursor.
pub(super) fn view(paint: &Paint<'_>, entry: &EntryScreen, buffer: &mut Buffer) -> Option<Position> {
    let parts = parts(paint, entry);
    let class = paint.size.class();
    lay(buffer, parts.title, &[title(paint, entry, parts.title.width)]);
    let story = story_lines(paint, entry, class, parts.story.width);
    let (from, hidden) = layout::scrolled(entry.story_scroll, usize::from(parts.story.height), story.len());
    lay(buffer, parts.story, &story::seen(&story, from, (parts.story.width, parts.story.height)));
    if class == Class::Wide {
        wall(buffer, parts.wall, paint);
        lay(buffer, parts.floor, &[paint.rule_over(parts.floor.width, hidden)]);
    } else {
        lay(buffer, parts.wall, &[paint.rule_over(parts.wall.width, hidden)]);
        lay(buffer, parts.floor, &[paint.rule(parts.floor.width)]);
    }
    let columns = Columns::of(paint, entry, parts.list.width);
    let heads = [heads(paint, columns, parts.heads.width), paint.rule(parts.heads.width)];
    lay(buffer, parts.heads, &heads);
    rows(paint, entry, columns, parts.list, buffer)
}

/// The places of the parts.
pub(super) fn parts(paint: &Paint<'_>, entry: &EntryScreen) -> EntryParts {
    layout::entry(paint.size, entry.rows.len())
}

/// The number of lines by which the answer can be scrolled.
pub(super) fn most_scrolled(paint: &Paint<'_>, entry: &EntryScreen) -> usize {
    let area = parts(paint, entry).story;
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
            lines.extend(story::labelled(paint, YOU_CAN.short, &story::in_keys(paint, hint), width));
        }
    }
    if let Some(verdict) = &entry.verdict {
        lines.extend(story::lines(paint, (entry.address.kind(), verdict), Place::Entry, width));
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

/// The facts about the version under the cursor.
fn version_lines(
    paint: &Paint<'_>,
    entry: &EntryScreen,
    verdict: &Verdict,
    width: u16,
) -> Vec<Line<'static>> {
    let Some(row) = entry.rows.get(entry.cursor) else { return Vec::new() };
    let mut head = Strip::new(paint, width);
    head.gap(1).put(Role::Title, &row.version).gap(2);
    if let Some(state) = entry.state(row) {
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

/// The most lines of a reason in a row; the pane beside it has the whole reason.
const MOST_LINES: usize = 3;

/// The column widths, which depend on the window.
#[derive(Clone, Copy)]
struct Columns {
    class: Class,
    /// Cells of the version name. It has no more than the longest name needs, because the reason gets the
    /// rest.
    name: usize,
    /// Cells of the reason; 0 if too few are left to be useful.
    why: usize,
}

impl Columns {
    fn of(paint: &Paint<'_>, entry: &EntryScreen, width: u16) -> Self {
        let class = paint.size.class();
        let date = if class == Class::Narrow { 0 } else { DATE + 1 };
        let besides = 1 + 1 + STATE + COUNT + 1 + HASHES + date + 1;
        let room = usize::from(width).saturating_sub(besides);
        let longest = entry.rows.iter().map(|row| text::width(&row.version)).max().unwrap_or(0);
        let name = longest.clamp(8, room.clamp(8, 24));
        let why = room.saturating_sub(name);
        // Beside a pane with the whole reason, a short piece is of no use.
        let smallest = if class == Class::Wide { 20 } else { 8 };
        Self { class, name, why: if why < smallest { 0 } else { why } }
    }
}

/// The number of rows that fit from the top of the window.
pub(super) fn rows_seen(paint: &Paint<'_>, entry: &EntryScreen) -> usize {
    let area = parts(paint, entry).list;
    let columns = Columns::of(paint, entry, area.width);
    let rows = (entry.top..entry.rows.len()).map(|place| height(paint, entry, columns, place));
    fitting(rows, area.height)
}

/// The top of the window that ends with this row.
pub(super) fn top_above(paint: &Paint<'_>, entry: &EntryScreen, last: usize) -> usize {
    let area = parts(paint, entry).list;
    let columns = Columns::of(paint, entry, area.width);
    let rows = (0..=last).rev().map(|place| height(paint, entry, columns, place));
    (last + 1).saturating_sub(fitting(rows, area.height))
}

/// The number of these heights that fit; at least one.
fn fitting(heights: impl Iterator<Item = usize>, room: u16) -> usize {
    let mut left = usize::from(room);
    let fits = |height: &usize| left.checked_sub(*height).map(|rest| left = rest).is_some();
    heights.take_while(fits).count().max(1)
}

/// The row whose line is `down` lines below the top of the window.
pub(super) fn row_at(paint: &Paint<'_>, entry: &EntryScreen, down: usize) -> Option<usize> {
    let columns = Columns::of(paint, entry, parts(paint, entry).list.width);
    let mut below = 0;
    (entry.top..entry.rows.len()).find(|place| {
        below += height(paint, entry, columns, *place);
        down < below
    })
}

fn height(paint: &Paint<'_>, entry: &EntryScreen, columns: Columns, place: usize) -> usize {
    reason_lines(paint, entry, columns, place).len().max(1)
}

/// The reason of a row. With room beside the story it is whole, unless the row above has the same reason.
fn reason_lines(paint: &Paint<'_>, entry: &EntryScreen, columns: Columns, place: usize) -> Vec<String> {
    let reason = |place: usize| Some(entry.state(entry.rows.get(place)?)?.reason.as_str());
    let Some(text) = reason(place).filter(|_| columns.why > 0) else { return Vec::new() };
    let is_told = place.checked_sub(1).and_then(reason) == Some(text);
    if columns.class != Class::Wide || is_told {
        return vec![text.to_owned()];
    }
    let mut lines = text::wrap(&text::clean(text, paint.glyphs), columns.why);
    if lines.len() > MOST_LINES {
        let rest = lines.split_off(MOST_LINES - 1).join(" ");
        lines.push(rest);
    }
    lines
}

fn heads(paint: &Paint<'_>, columns: Columns, width: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    strip.gap(1).cell(Role::Title, column::VERSION.short, columns.name, Cut::End).gap(1);
    strip.cell(Role::Title, column::STATE.short, STATE, Cut::End);
    strip.cell(Role::Title, column::TARGETS.short, COUNT, Cut::Right).gap(1);
    strip.cell(Role::Title, column::H1.short, HASHES, Cut::Right);
    if columns.class != Class::Narrow {
        strip.gap(1).cell(Role::Title, column::DISCOVERED.short, DATE, Cut::End);
    }
    if columns.why > 0 {
        strip.gap(1).put(Role::Title, column::WHY.short);
    }
    strip.line()
}

fn rows(
    paint: &Paint<'_>,
    entry: &EntryScreen,
    columns: Columns,
    area: Area,
    buffer: &mut Buffer,
) -> Option<Position> {
    let mut cursor = None;
    let mut left = area;
    for place in entry.top..entry.rows.len() {
        if left.is_empty() {
            break;
        }
        let lines = row_lines(paint, entry, columns, place, area.width);
        let at = layout::cut_top(&mut left, lines.len() as u16);
        lay(buffer, at, &lines);
        if place == entry.cursor {
            ground(buffer, at, paint.style(Role::Cursor));
            cursor = Some(at.as_position());
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

/// A row, and below it the rest of its reason.
fn row_lines(
    paint: &Paint<'_>,
    entry: &EntryScreen,
    columns: Columns,
    place: usize,
    width: u16,
) -> Vec<Line<'static>> {
    let mut reason = reason_lines(paint, entry, columns, place).into_iter();
    let first = reason.next().unwrap_or_default();
    let row = version_line(paint, entry, &entry.rows[place], columns, (width, place == entry.cursor), &first);
    let before = usize::from(width).saturating_sub(columns.why);
    let below = |part: String| Strip::new(paint, width).gap(before).put(Role::Dim, &part).line();
    std::iter::once(row).chain(reason.map(below)).collect()
}

fn version_line(
    paint: &Paint<'_>,
    entry: &EntryScreen,
    row: &VersionRow,
    columns: Columns,
    (width, under_cursor): (u16, bool),
    reason: &str,
) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    strip.cell(Role::Key, if under_cursor { paint.glyphs.cursor() } else { "" }, 1, Cut::End);
    strip.cell(Role::Text, &row.version, columns.name, Cut::End).gap(1);
    let state = entry.state(row);
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
        (Some(hashed), Some(all)) => (Role::Wait, format!("{hashed}/{all}")),
        _ => (Role::Dim, "-".into()),
    };
    strip.cell(role, &hashes, HASHES, Cut::Right);
    if columns.class != Class::Narrow {
        let found = row.discovered.map_or("-".into(), |at| clock(at, paint.now));
        strip.gap(1).cell(Role::Dim, &found, DATE, Cut::End);
    }
    strip.gap(1).put(Role::Dim, reason).line()
}
