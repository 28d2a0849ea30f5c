//! Draws a pane.
//!
//! ```text
//! version 3.70.0 > target linux_amd64 > shasum             unified  change 4/9
//! +>   17           "shasum": "b6f7add03c464f43..",
//! + ..20   11 more targets of the same shape                           folded
//! ```

use std::num::NonZero;
use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::rules::amount::counted;
use crate::rules::compare::align;
use crate::rules::diff::{LineMark, Lines};
use crate::tui::base::glyphs::Glyphs;
use crate::tui::base::layout::Area;
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::widgets::diff::folds::{Layout, Seen};
use crate::tui::widgets::diff::json;
use crate::tui::widgets::diff::json::Part;
use crate::tui::widgets::diff::pane::{LONGEST_LINE, Pane, Room};
use crate::tui::widgets::diff::value::partner;
use crate::tui::widgets::search;
use crate::tui::widgets::strip::{Cut, Paint, Strip, ground, lay};

/// What every row is drawn with.
struct Drawing<'a> {
    paint: &'a Paint<'a>,
    pane: &'a Pane,
    lines: &'a Lines,
    room: Room,
}

/// Where the cursor is in the document, layout and change; or the search field. Gives the cell of its text cursor.
pub(crate) fn headline(
    paint: &Paint<'_>,
    pane: &Pane,
    area: Area,
    narrow: bool,
    buffer: &mut Buffer,
) -> Option<Position> {
    if pane.search.typing {
        let (line, cursor) = pane.search.line(paint, area);
        lay(buffer, area, &[line]);
        return Some(cursor);
    }
    let mut strip = Strip::new(paint, area.width);
    let (at, all) = pane.hunk();
    let mut tail = if all == 0 { String::new() } else { format!("change {at}/{all} ") };
    if !narrow && all > 0 {
        tail = format!("{}  {tail}", pane.folds.layout.word());
    }
    let room = usize::from(area.width).saturating_sub(text::width(&tail) + 3);
    let path = spoken(pane.path());
    let clean = text::clean(&path, paint.glyphs);
    // The end of a path says more than its start.
    let shown = if text::width(&clean) > room {
        format!("{}{}", paint.glyphs.pick("…", ".."), text::ending(&clean, room.saturating_sub(2)))
    } else {
        clean.into_owned()
    };
    strip.gap(1).put(Role::Path, &shown);
    lay(buffer, area, &[strip.right(Role::Dim, &tail).line()]);
    None
}

/// A JSON path for people: `versions[1] 3.70.0 > shasum` is `version 3.70.0 > shasum`. The path itself can be copied.
fn spoken(path: &str) -> String {
    let mut text = path.to_owned();
    for (list, one) in [("versions[", "version"), ("targets[", "target")] {
        while let Some(at) = text.find(list) {
            let Some(end) = text[at..].find("] ").map(|end| at + end + 1) else { break };
            text.replace_range(at..end, one);
        }
    }
    text
}

/// The rows in the window; gives the cell of the cursor. Only a pane that has the keys marks the row of its cursor.
pub(crate) fn view(
    paint: &Paint<'_>,
    pane: &Pane,
    area: Area,
    (narrow, takes_keys): (bool, bool),
    buffer: &mut Buffer,
) -> Option<Position> {
    let lines = pane.lines()?;
    let mut area = area;
    if let Some(limit) = &pane.limit {
        let notice = format!("{limit}; the commands and your pager show all of it");
        let notice = paint.wrapped(area.width.saturating_sub(2), Role::Warning, &notice);
        let height = (notice.len() as u16 + 1).min(area.height);
        lay(buffer, Area { x: area.x + 1, height, width: area.width.saturating_sub(2), ..area }, &notice);
        area = Area { y: area.y + height, height: area.height - height, ..area };
    }
    let room = Room { rows: usize::from(area.height), width: area.width, narrow };
    let drawing = Drawing { paint, pane, lines, room };
    let mut cursor = None;
    let mut y = area.y;
    for row in pane.top..pane.folds.rows.len() {
        if y >= area.bottom() {
            break;
        }
        let under = row == pane.cursor;
        let drawn = drawing.row(pane.folds.rows[row], under && takes_keys);
        let place = Area { y, height: (drawn.len() as u16).min(area.bottom() - y), ..area };
        lay(buffer, place, &drawn);
        if under {
            if takes_keys {
                ground(buffer, place, paint.style(Role::Cursor));
            }
            cursor = Some(Position::new(area.x + 1.min(area.width), y));
        }
        y += place.height;
    }
    cursor
}

fn mark(mark: LineMark) -> (Role, &'static str) {
    match mark {
        LineMark::Same => (Role::Dim, " "),
        LineMark::Added => (Role::Added, "+"),
        LineMark::Removed => (Role::Removed, "-"),
    }
}

impl Drawing<'_> {
    fn row(&self, seen: Seen, under: bool) -> Vec<Line<'static>> {
        match seen {
            Seen::Line(_) | Seen::Pair(..) if self.pane.folds.layout == Layout::Side => {
                vec![halves(self, seen, under)]
            }
            Seen::Line(at) | Seen::Pair(_, at) => self.file_line(at, under),
            Seen::Fold(block) => vec![self.fold_line(block, under)],
            Seen::Head(block) => vec![self.head_line(block, under)],
            Seen::Summary(block, part) => {
                let line = self.pane.summary_line(block, part);
                vec![line.map(|line| line.draw(self.paint, self.room.width, under)).unwrap_or_default()]
            }
        }
    }

    /// Mark, cursor and number.
    fn margin(&self, (role, sign): (Role, &str), number: &str, under: bool) -> Strip<'_> {
        let mut strip = Strip::new(self.paint, self.room.width);
        strip.cell(role, sign, 1, Cut::End);
        strip.cell(Role::Key, if under { self.paint.glyphs.cursor() } else { "" }, 1, Cut::End);
        if self.room.narrow {
            strip.gap(1);
        } else {
            strip.cell(Role::Dim, number, 6, Cut::Right).gap(2);
        }
        strip
    }

    /// A line's text, cleaned and cut where it is beyond measure.
    pub(super) fn content(&self, at: u32) -> String {
        let raw = self.lines.text(&self.lines.lines[at as usize]);
        let cut = text::start(raw, LONGEST_LINE);
        let mut content = text::clean(cut, self.paint.glyphs).into_owned();
        if cut.len() < raw.len() {
            content.push_str(" (cut)");
        }
        if self.room.narrow {
            let trimmed = content.trim_start();
            let steps = (content.len() - trimmed.len()) / 2;
            content = format!("{}{trimmed}", " ".repeat(steps.saturating_sub(1)));
        }
        content
    }

    /// The part of a line that is seen in so many cells, and the places that differ from the line on the other side. A place
    /// that differs never gives way to the room.
    fn cut(&self, at: u32, content: &str, room: usize) -> (String, Vec<Range<usize>>) {
        let marks = self.differing(at, content);
        if self.pane.left > 0 {
            let shown = text::skip(content, self.pane.left).to_owned();
            let marks = behind(&marks, content.len() - shown.len());
            return (shown, marks);
        }
        if text::width(content) <= room {
            return (content.to_owned(), marks);
        }
        let aligned = if marks.is_empty() { None } else { self.aligned(at, content, room) };
        aligned.unwrap_or_else(|| (elide_value(content, room, self.paint.glyphs), Vec::new()))
    }

    /// The places where a line differs from the one with its key on the other side of the change. A value that is mostly another
    /// one has none: marks all over it say nothing.
    fn differing(&self, at: u32, content: &str) -> Vec<Range<usize>> {
        let Some(other) = partner(self.lines, at) else { return Vec::new() };
        let places = differing(content, &self.content(other));
        let letters: usize = places.iter().map(|place| content[place.clone()].chars().count()).sum();
        if letters * 2 > value_of(content).chars().count() { Vec::new() } else { places }
    }

    /// A line that is too long for the room: its key, and its value with the equal parts shortened beside what differs.
    fn aligned(&self, at: u32, content: &str, room: usize) -> Option<(String, Vec<Range<usize>>)> {
        let other = self.content(partner(self.lines, at)?);
        let (key, value) = content.split_at(content.len() - value_of(content).len());
        let room = room.checked_sub(text::width(key))?;
        let rows = align([value, value_of(&other)], room, self.paint.glyphs.pick("…", ".."));
        let [row] = &rows[..] else { return None };
        let (mut shown, mut marks) = (key.to_owned(), Vec::new());
        for (differs, part) in row.parts(0) {
            let start = shown.len();
            shown.push_str(&part);
            if differs {
                marks.push(start..shown.len());
            }
        }
        Some((shown, marks))
    }

    fn file_line(&self, at: u32, under: bool) -> Vec<Line<'static>> {
        let line = &self.lines.lines[at as usize];
        let sign = mark(line.mark);
        let content = self.content(at);
        let number = line.number.to_string();
        if !self.pane.wrap {
            let (shown, marks) = self.cut(at, &content, self.room.columns());
            let mut strip = self.margin(sign, &number, under);
            // A value that is cut keeps its quotes; what is scrolled away does not.
            let parts = if self.pane.left > 0 {
                from(self.parts(at, &content), content.len() - shown.len())
            } else {
                self.parts(at, &shown)
            };
            self.put(&mut strip, (parts, &marks), &shown);
            return vec![strip.line()];
        }
        let parts = self.parts(at, &content);
        let marks = self.differing(at, &content);
        let mut drawn = Vec::new();
        let mut rest = content.as_str();
        loop {
            let part = text::start(rest, self.room.columns().max(1));
            let first = drawn.is_empty();
            let mut strip = self.margin(sign, if first { &number } else { "" }, under && first);
            let start = content.len() - rest.len();
            self.put(&mut strip, (from(parts.clone(), start), &behind(&marks, start)), part);
            drawn.push(strip.line());
            rest = &rest[part.len()..];
            if rest.is_empty() || part.is_empty() {
                return drawn;
            }
        }
    }

    /// The parts of a line, each with its role. A line of something new has those of JSON; another one that changes is one part, so that
    /// the change stands out.
    fn parts(&self, at: u32, shown: &str) -> Vec<Part> {
        let line = &self.lines.lines[at as usize];
        let is_new = [line.mark, self.lines.blocks[line.block as usize].mark] == [LineMark::Added; 2];
        if is_new {
            json::parts(shown, self.shared_url(at))
        } else {
            vec![(mark(line.mark).0, 0..shown.len())]
        }
    }

    /// The number of bytes that the URL of a line shares with the one before it in its version, up to a slash.
    fn shared_url(&self, at: u32) -> usize {
        let url = |at: u32| json::url(self.lines.text(self.lines.lines.get(at as usize)?));
        let Some(own) = url(at) else { return 0 };
        let before = (at.saturating_sub(json::URL_LINES)..at).rev().find_map(url);
        before.map_or(0, |before| json::shared(before, own))
    }

    /// Puts down the parts of a text, with the places that are searched for, and those that differ, told apart.
    fn put(&self, strip: &mut Strip<'_>, (parts, marks): (Vec<Part>, &[Range<usize>]), shown: &str) {
        let hits: Vec<Range<usize>> = search::places(shown, self.pane.search.text());
        let is_in = |places: &[Range<usize>], at: usize| places.iter().any(|place| place.contains(&at));
        for (role, part) in parts {
            let end = part.end.min(shown.len());
            let edges = hits.iter().chain(marks).flat_map(|place| [place.start, place.end]);
            let mut edges: Vec<usize> = edges.filter(|at| (part.start + 1..end).contains(at)).collect();
            edges.push(end);
            edges.sort_unstable();
            let mut from = part.start;
            for to in edges {
                let text = shown.get(from..to).unwrap_or_default();
                match () {
                    () if is_in(&hits, from) => strip.put(Role::Prompt, text),
                    () if is_in(marks, from) => strip.put(Role::Differs, text),
                    () => strip.put(role, text),
                };
                from = to;
            }
        }
    }

    fn fold_line(&self, block: u32, under: bool) -> Line<'static> {
        let found = &self.lines.blocks[block as usize];
        let sign = mark(found.mark);
        let first = self.lines.lines.get(found.first as usize).map_or(0, |line| line.number);
        let mut strip = self.margin(sign, &format!("..{first}"), under);
        let changes = self.pane.folds.changes(found.first, found.end);
        let mut notes = Vec::new();
        if found.odd {
            notes.push("differs in shape".to_owned());
        }
        if found.mark == LineMark::Same && changes > 0 {
            notes.push(counted(changes, "changed line"));
        }
        notes.push("folded ".into());
        let tail = notes.join("  ");
        let indent = if self.room.narrow { 0 } else { self.indent_of(found.first) };
        let room = strip.room().saturating_sub(text::width(&tail) + 1);
        let role = if found.mark == LineMark::Same { Role::Fold } else { sign.0 };
        let title = format!("{}{}", " ".repeat(indent), found.title);
        strip.put(role, &text::elide_end(&text::clean(&title, self.paint.glyphs), room, self.paint.glyphs));
        strip.right(if found.odd { Role::Warning } else { Role::Dim }, &tail).line()
    }

    /// The name of a block, deeper ones further in.
    fn head_line(&self, block: u32, under: bool) -> Line<'static> {
        let found = &self.lines.blocks[block as usize];
        let sign = mark(found.mark);
        let first = self.lines.lines.get(found.first as usize).map_or(0, |line| line.number);
        let mut strip = self.margin(sign, &first.to_string(), under);
        let mut depth = 0;
        let mut at = found.parent;
        while at != 0 && depth < 8 {
            at = self.lines.blocks[at as usize].parent;
            depth += 1;
        }
        let tail = if found.odd { "differs in shape " } else { "" };
        let room = strip.room().saturating_sub(text::width(tail) + 1);
        let title = format!("{}{}", "  ".repeat(depth), found.title);
        let role = if found.mark == LineMark::Same { Role::Text } else { sign.0 };
        strip.put(role, &text::elide_end(&text::clean(&title, self.paint.glyphs), room, self.paint.glyphs));
        strip.right(Role::Warning, tail).line()
    }

    fn indent_of(&self, first: u32) -> usize {
        let text = self.lines.lines.get(first as usize).map_or("", |line| self.lines.text(line));
        (text.len() - text.trim_start().len()).min(12)
    }
}

/// The parts of a text from a byte on, as parts of the rest.
fn from(parts: Vec<Part>, start: usize) -> Vec<Part> {
    let rest = parts.into_iter().filter(|(_, part)| part.end > start);
    rest.map(|(role, part)| (role, part.start.saturating_sub(start)..part.end - start)).collect()
}

/// The places behind a byte, as places of the rest.
fn behind(places: &[Range<usize>], start: usize) -> Vec<Range<usize>> {
    let rest = places.iter().filter(|place| place.end > start);
    rest.map(|place| place.start.saturating_sub(start)..place.end - start).collect()
}

/// The value of `"key": value,` with its quotes; the whole line where it has no key.
fn value_of(line: &str) -> &str {
    line.split_once("\": ").map_or(line, |(_, value)| value)
}

/// The places of a text that the other one does not have: character by character where both are equally long, else between the
/// ends that are equal.
fn differing(own: &str, other: &str) -> Vec<Range<usize>> {
    let of = |text: &str| {
        let letters = text.char_indices().map(|(at, letter)| (at..at + letter.len_utf8(), letter));
        letters.collect::<Vec<(Range<usize>, char)>>()
    };
    let (own, other) = (of(own), of(other));
    let mut places: Vec<Range<usize>> = Vec::new();
    let mut mark = |place: &Range<usize>| match places.last_mut() {
        Some(last) if last.end == place.start => last.end = place.end,
        _ => places.push(place.clone()),
    };
    if own.len() == other.len() {
        own.iter().zip(&other).filter(|(own, other)| own.1 != other.1).for_each(|(own, _)| mark(&own.0));
        return places;
    }
    let before = own.iter().zip(&other).take_while(|(own, other)| own.1 == other.1).count();
    let rest = own[before..].iter().rev().zip(other[before..].iter().rev());
    let after = rest.take_while(|(own, other)| own.1 == other.1).count();
    own[before..own.len() - after].iter().for_each(|(place, _)| mark(place));
    places
}

/// Keeps key and punctuation and cuts the value in its middle: `"download_url": "https://gith..amd64.zip",`.
fn elide_value(line: &str, room: usize, glyphs: Glyphs) -> String {
    if text::width(line) <= room {
        return line.to_owned();
    }
    let Some((key, value)) = line.split_once("\": ") else {
        return text::elide_middle(line, room, glyphs).into_owned();
    };
    let head = text::width(key) + 3;
    if head + 12 > room {
        return text::elide_middle(line, room, glyphs).into_owned();
    }
    format!("{key}\": {}", text::elide_middle(value, room - head, glyphs))
}

/// One row: the line before, the wall, the line after.
fn halves(drawing: &Drawing<'_>, seen: Seen, under: bool) -> Line<'static> {
    let (left, right) = match seen {
        Seen::Pair(old, new) => (Some(old), Some(new)),
        Seen::Line(at) => match drawing.lines.lines[at as usize].mark {
            LineMark::Same => (Some(at), Some(at)),
            LineMark::Removed => (Some(at), None),
            LineMark::Added => (None, Some(at)),
        },
        Seen::Fold(_) | Seen::Head(_) | Seen::Summary(..) => (None, None),
    };
    let paint = drawing.paint;
    let mut strip = Strip::new(paint, drawing.room.width);
    let cells = (usize::from(drawing.room.width) - 1) / 2;
    half(&mut strip, drawing, left, cells, under, true);
    strip.put(Role::Rule, paint.glyphs.wall());
    half(&mut strip, drawing, right, cells, false, false);
    strip.line()
}

fn half(
    strip: &mut Strip<'_>,
    drawing: &Drawing<'_>,
    line: Option<u32>,
    cells: usize,
    under: bool,
    is_left: bool,
) {
    let cursor = if under { drawing.paint.glyphs.cursor() } else { "" };
    let Some(at) = line else {
        strip.gap(1).cell(Role::Key, cursor, 1, Cut::End).gap(cells - 2);
        return;
    };
    let line = &drawing.lines.lines[at as usize];
    let (role, sign) = mark(line.mark);
    strip.cell(role, sign, 1, Cut::End).cell(Role::Key, cursor, 1, Cut::End);
    let number = line.before.filter(|_| is_left).map_or(line.number, NonZero::get);
    strip.cell(Role::Dim, &number.to_string(), 5, Cut::Right).gap(1);
    let room = cells - 8;
    let content = drawing.content(at);
    let (shown, marks) = drawing.cut(at, &content, room);
    let shown = text::elide_end(&shown, room, drawing.paint.glyphs);
    drawing.put(strip, (vec![(role, 0..shown.len())], &marks), &shown);
    strip.gap(room - text::width(&shown));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_characters_that_differ_are_marked() {
        let marked = |own: &str, other: &str| {
            let places = differing(own, other).into_iter();
            places.map(|place| own[place].to_owned()).collect::<Vec<_>>()
        };
        for (own, other, wanted) in [
            ("\"shasum\": \"9ee8\",", "\"shasum\": \"9ee0\",", &["8"][..]),
            ("\"shasum\": \"9ee8\",", "\"shasum\": \"9ee8\",", &[]),
            ("abcd", "xbcy", &["a", "d"]),
            ("1.32.0", "1.3.0", &["2"]),
            ("1.3.0", "1.32.0", &[]),
            ("aéb", "aèb", &["é"]),
            ("", "ab", &[]),
        ] {
            assert_eq!(marked(own, other), wanted, "{own} {other}");
        }
        assert_eq!(behind(&[1..3, 5..8], 2), [0..1, 3..6]);
        assert_eq!(behind(&[1..3, 5..8, 9..10], 3), [2..5, 6..7]);
    }
}
