//! A long value in full: the old one above the new one, with each differing character marked.
//!
//! Differences also stand in brackets, `[-old-]` and `{+new+}`, so that they are seen without colours.

use ratatui::buffer::Buffer;
use ratatui::text::Line;

use crate::rules::diff::{LineMark, Lines};
use crate::tui::base::layout::Size;
use crate::tui::base::theme::Role;
use crate::tui::base::{layout, text};
use crate::tui::widgets::diff::folds::Seen;
use crate::tui::widgets::diff::pane::Pane;
use crate::tui::widgets::popup;
use crate::tui::widgets::strip::{Paint, Strip};

/// The longest value that is compared, in bytes.
const MOST: usize = 10_000;
/// The distance within which the other side of a changed line is looked for.
const NEAR: usize = 200;
/// Parts of a value that are compared one by one; longer values are compared from both ends.
const PARTS: usize = 300;

/// A value on the card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ValueCard {
    path: String,
    old: Option<String>,
    new: Option<String>,
    /// Lines that are scrolled away.
    pub(crate) from: usize,
}

impl ValueCard {
    /// The value of the line under the cursor; `None` on a line without a value, such as a brace or a fold.
    pub(crate) fn of(pane: &Pane) -> Option<Self> {
        let lines = pane.lines()?;
        let (old, new) = match *pane.folds.rows.get(pane.cursor)? {
            Seen::Pair(old, new) if key(lines, old) == key(lines, new) => (Some(old), Some(new)),
            Seen::Line(at) | Seen::Pair(_, at) => match lines.lines[at as usize].mark {
                LineMark::Same => (None, Some(at)),
                LineMark::Removed => (Some(at), partner(lines, at)),
                LineMark::Added => (partner(lines, at), Some(at)),
            },
            Seen::Fold(_) | Seen::Head(_) | Seen::Summary(..) => return None,
        };
        let value = |at: Option<u32>| at.and_then(|at| value_of(line(lines, at))).map(cut);
        let card = Self { path: pane.path().to_owned(), old: value(old), new: value(new), from: 0 };
        (card.old.is_some() || card.new.is_some()).then_some(card)
    }
}

fn line(lines: &Lines, at: u32) -> &str {
    lines.text(&lines.lines[at as usize])
}

fn cut(value: &str) -> String {
    text::start(value, MOST).to_owned()
}

/// `"shasum": "b6…",` gives its key with the indent.
fn key(lines: &Lines, at: u32) -> Option<&str> {
    line(lines, at).split_once("\": ").map(|(key, _)| key)
}

/// The value of `"key": value,`, without quotes.
fn value_of(line: &str) -> Option<&str> {
    let (_, value) = line.split_once("\": ")?;
    let value = value.strip_suffix(',').unwrap_or(value);
    if matches!(value, "[" | "{") {
        return None;
    }
    Some(value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value))
}

/// The line with the same key on the other side of the change.
pub(super) fn partner(lines: &Lines, at: u32) -> Option<u32> {
    let own = &lines.lines[at as usize];
    let wanted = if own.mark == LineMark::Added { LineMark::Removed } else { LineMark::Added };
    let is_it =
        |other: &u32| lines.lines[*other as usize].mark == wanted && key(lines, *other) == key(lines, at);
    let in_change = |other: &u32| lines.lines[*other as usize].mark != LineMark::Same;
    key(lines, at)?;
    let found = if own.mark == LineMark::Added {
        (0..at).rev().take(NEAR).take_while(in_change).find(is_it)
    } else {
        (at + 1..lines.lines.len() as u32).take(NEAR).take_while(in_change).find(is_it)
    };
    found.filter(|other| lines.lines[*other as usize].block == own.block)
}

/// Pieces of a value; true marks a piece that the other value lacks.
type Pieces = Vec<(bool, String)>;

/// Splits both values into equal and different pieces.
fn compare(old: &str, new: &str) -> (Pieces, Pieces) {
    let (a, b) = (parts(old), parts(new));
    if a.len() > PARTS || b.len() > PARTS {
        return from_both_ends(old, new);
    }
    // The longest common run of parts, by the usual table.
    let mut table = vec![vec![0u16; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            table[i][j] =
                if a[i] == b[j] { table[i + 1][j + 1] + 1 } else { table[i + 1][j].max(table[i][j + 1]) };
        }
    }
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            push(&mut left, false, a[i]);
            push(&mut right, false, b[j]);
            (i, j) = (i + 1, j + 1);
        } else if j == b.len() || (i < a.len() && table[i + 1][j] >= table[i][j + 1]) {
            push(&mut left, true, a[i]);
            i += 1;
        } else {
            push(&mut right, true, b[j]);
            j += 1;
        }
    }
    (left, right)
}

fn push(pieces: &mut Pieces, differs: bool, part: &str) {
    match pieces.last_mut() {
        Some((last, text)) if *last == differs => text.push_str(part),
        _ => pieces.push((differs, part.to_owned())),
    }
}

/// The single characters of a value.
fn parts(value: &str) -> Vec<&str> {
    value.char_indices().map(|(at, sign)| &value[at..at + sign.len_utf8()]).collect()
}

fn from_both_ends(old: &str, new: &str) -> (Pieces, Pieces) {
    let start: usize =
        old.chars().zip(new.chars()).take_while(|(a, b)| a == b).map(|(sign, _)| sign.len_utf8()).sum();
    let (rest_old, rest_new) = (&old[start..], &new[start..]);
    let end: usize = rest_old
        .chars()
        .rev()
        .zip(rest_new.chars().rev())
        .take_while(|(a, b)| a == b)
        .map(|(sign, _)| sign.len_utf8())
        .sum();
    let side = |whole: &str| {
        let mut pieces = Vec::new();
        for (differs, part) in [
            (false, &whole[..start]),
            (true, &whole[start..whole.len() - end]),
            (false, &whole[whole.len() - end..]),
        ] {
            if !part.is_empty() {
                push(&mut pieces, differs, part);
            }
        }
        pieces
    };
    (side(old), side(new))
}

/// All lines of the card.
fn lines(paint: &Paint<'_>, card: &ValueCard, width: u16) -> Vec<Line<'static>> {
    let mut lines = paint.wrapped(width, Role::Path, &card.path);
    lines.push(Line::default());
    let (old, new) = match (&card.old, &card.new) {
        (Some(old), Some(new)) => {
            let (old, new) = compare(old, new);
            (Some(old), Some(new))
        }
        (old, new) => {
            let whole = |value: &Option<String>| value.as_ref().map(|text| vec![(false, text.clone())]);
            (whole(old), whole(new))
        }
    };
    let alone = old.is_none() || new.is_none();
    for (label, role, pieces, open, close) in
        [("before", Role::Removed, old, "[-", "-]"), ("after", Role::Added, new, "{+", "+}")]
    {
        let Some(pieces) = pieces else { continue };
        lines.push(paint.line(width, Role::Title, if alone { "value" } else { label }));
        let marked: Vec<(Role, String)> = pieces
            .into_iter()
            .map(
                |(differs, text)| {
                    if differs { (role, format!("{open}{text}{close}")) } else { (Role::Text, text) }
                },
            )
            .collect();
        lines.extend(flow(paint, width, &marked));
        lines.push(Line::default());
    }
    lines.pop();
    lines
}

/// Lays pieces out over as many lines as they need.
fn flow(paint: &Paint<'_>, width: u16, pieces: &[(Role, String)]) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let mut strip = Strip::new(paint, width);
    for (role, piece) in pieces {
        let clean = text::clean(piece, paint.glyphs).into_owned();
        let mut rest = clean.as_str();
        while !rest.is_empty() {
            if strip.room() == 0 {
                lines.push(strip.line());
                strip = Strip::new(paint, width);
            }
            let part = text::start(rest, strip.room());
            if part.is_empty() {
                break;
            }
            strip.put(*role, part);
            rest = &rest[part.len()..];
        }
    }
    lines.push(strip.line());
    lines
}

/// Draws the card, and returns the number of lines that it can be scrolled.
pub(crate) fn view(paint: &Paint<'_>, size: Size, card: &ValueCard, buffer: &mut Buffer) {
    let columns = size.columns.saturating_sub(4).min(100);
    let inner = columns.saturating_sub(4);
    let all = lines(paint, card, inner);
    let area = layout::popup(size, columns, (all.len() as u16 + 2).min(size.rows.saturating_sub(4)).max(3));
    let rows = usize::from(popup::inside(area).height);
    let (from, _) = layout::scrolled(card.from, rows, all.len());
    popup::view(paint, area, "Value", &all[from..], buffer);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differences(old: &str, new: &str) -> (String, String) {
        let show = |pieces: Vec<(bool, String)>| {
            pieces
                .into_iter()
                .map(|(differs, text)| if differs { format!("[{text}]") } else { text })
                .collect()
        };
        let (old, new) = compare(old, new);
        (show(old), show(new))
    }

    #[test]
    fn what_differs_is_marked_sign_by_sign() {
        for (old, new, wanted) in [
            ("abc", "abc", ("abc", "abc")),
            (
                "v1.2.3/x_1.2.3.zip",
                "v1.2.4/x_1.2.4.zip",
                ("v1.2.[3]/x_1.2.[3].zip", "v1.2.[4]/x_1.2.[4].zip"),
            ),
            ("", "new", ("", "[new]")),
            ("gone", "", ("[gone]", "")),
        ] {
            assert_eq!(differences(old, new), (wanted.0.to_owned(), wanted.1.to_owned()));
        }
        let long = "x".repeat(400);
        let (old, new) = differences(&format!("{long}1{long}"), &format!("{long}2{long}"));
        assert_eq!((old, new), (format!("{long}[1]{long}"), format!("{long}[2]{long}")));
    }

    #[test]
    fn values_are_taken_out_of_their_lines() {
        for (line, value) in [
            ("  \"shasum\": \"ab\",", Some("ab")),
            ("  \"size\": 12", Some("12")),
            ("  \"targets\": [", None),
            ("  }", None),
            ("  \"5.0\"", None),
        ] {
            assert_eq!(value_of(line), value, "{line}");
        }
    }
}
