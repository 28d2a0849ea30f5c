//! A field of several lines: wrapped at blanks, with a window around the cursor. What is typed is kept by [`Field`].

use std::ops::Range;

use crate::tui::base::glyphs::Glyphs;
use crate::tui::base::{layout, text};
use crate::tui::widgets::field::Field;

/// A text of several lines, and a cursor in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextArea {
    pub(super) field: Field,
}

/// The visible rows of a text area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SeenText {
    pub(super) rows: Vec<String>,
    /// The row and the cell of the cursor, from the first visible row.
    pub(super) cursor: (usize, usize),
    /// Rows above and below the window.
    pub(super) hidden: (usize, usize),
}

impl TextArea {
    pub(super) fn new(text: &str, most: usize) -> Self {
        Self { field: Field::of_lines(text, most) }
    }

    /// The rows of the text in so many cells, as ranges of bytes. Every character is drawn in one cell. A line break belongs to no
    /// row; the blank at which a line is broken belongs to the row before.
    fn rows(&self, cells: usize) -> Vec<Range<usize>> {
        // One cell is kept for the cursor behind the last letter.
        let room = cells.saturating_sub(1).max(1);
        let mut rows = Vec::new();
        let mut from = 0;
        for line in self.field.text().split('\n') {
            let end = from + line.len();
            let mut start = from;
            let (mut used, mut blank) = (0, None);
            for (at, c) in line.char_indices().map(|(at, c)| (from + at, c)) {
                if used == room {
                    let next = blank.unwrap_or(at);
                    rows.push(start..next);
                    used = self.field.text()[next..at].chars().count();
                    (start, blank) = (next, None);
                }
                used += 1;
                if c == ' ' {
                    blank = Some(at + 1);
                }
            }
            rows.push(start..end);
            from = end + 1;
        }
        rows
    }

    /// The row of the cursor.
    fn row(&self, rows: &[Range<usize>]) -> usize {
        let cursor = self.field.cursor();
        rows.iter().rposition(|row| row.start <= cursor).unwrap_or(0)
    }

    /// Moves the cursor by so many rows; returns false where there is none.
    pub(super) fn step(&mut self, by: isize, cells: usize) -> bool {
        let rows = self.rows(cells);
        let row = self.row(&rows);
        let Some(to) = row.checked_add_signed(by).and_then(|to| rows.get(to)) else { return false };
        let text = self.field.text();
        let column = text[rows[row].start..self.field.cursor()].chars().count();
        let line = &text[to.clone()];
        let mut byte = to.start + line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
        // Before the blank at which the row is broken, for behind it is the next row.
        let is_broken = rows.iter().any(|next| next.start == to.end);
        if is_broken && byte == to.end {
            byte = to.start + line.char_indices().next_back().map_or(0, |(at, _)| at);
        }
        self.field.go_to(byte);
        true
    }

    /// The rows that fit, with the cursor in sight.
    pub(super) fn seen(&self, glyphs: Glyphs, cells: usize, height: usize) -> SeenText {
        let rows = self.rows(cells);
        let row = self.row(&rows);
        let first =
            layout::first_visible(row.saturating_sub(height.saturating_sub(1)), row, height, rows.len());
        let text = self.field.text();
        let clean = |row: &Range<usize>| text::clean(&text[row.clone()], glyphs).into_owned();
        let before = text[rows[row].start..self.field.cursor()].chars().count();
        SeenText {
            cursor: (row - first, before.min(cells.saturating_sub(1))),
            hidden: (first, rows.len().saturating_sub(first + height)),
            rows: rows.iter().skip(first).take(height).map(clean).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::keymap::chord::Chord;

    fn area(text: &str) -> TextArea {
        TextArea::new(text, 1_000)
    }

    fn seen(area: &TextArea, cells: usize) -> Vec<String> {
        area.seen(Glyphs::Ascii, cells, 100).rows
    }

    #[test]
    fn lines_break_at_blanks_and_nothing_is_lost() {
        assert_eq!(seen(&area("one two three\n\nfour"), 9), ["one two ", "three", "", "four"]);
        assert_eq!(seen(&area("abcdefghij k"), 5), ["abcd", "efgh", "ij k"]);
        assert_eq!(seen(&area(""), 5), [""]);
        for text in ["a b", "a very long text of many words", "日本語 日本語\n\n x", "  \n  "] {
            for cells in 1..12 {
                let rows = seen(&area(text), cells);
                let wanted = text::clean(&text.replace('\n', ""), Glyphs::Ascii).into_owned();
                assert_eq!(rows.concat(), wanted, "{cells}");
                assert!(rows.iter().all(|row| text::width(row) < cells.max(2)), "{cells}: {rows:?}");
            }
        }
    }

    #[test]
    fn the_cursor_moves_by_rows_and_is_always_seen() {
        let mut area = area("one two three\nfour");
        assert_eq!(area.seen(Glyphs::Ascii, 9, 2).cursor, (1, 4));
        assert_eq!(area.seen(Glyphs::Ascii, 9, 2).hidden, (1, 0));
        assert!(area.step(-1, 9) && area.step(-1, 9) && !area.step(-1, 9));
        assert_eq!(area.seen(Glyphs::Ascii, 9, 2).cursor, (0, 4));
        area.field.take(Chord::parse("x").unwrap());
        assert_eq!(area.field.text(), "one xtwo three\nfour");
        assert!(area.step(1, 9) && area.step(1, 9) && !area.step(1, 9));
        // A line break is typed, and taken back.
        area.field.take(Chord::parse("enter").unwrap());
        assert_eq!(area.field.text().lines().count(), 3);
        area.field.take(Chord::parse("backspace").unwrap());
        assert_eq!(area.field.text().lines().count(), 2);
        for cells in 1..20 {
            for height in 1..4 {
                let seen = area.seen(Glyphs::Ascii, cells, height);
                assert!(seen.cursor.0 < height.min(seen.rows.len()) && seen.cursor.1 < cells, "{seen:?}");
            }
        }
    }

    #[test]
    fn pasted_lines_stay_lines() {
        let mut area = area("");
        area.field.paste("one\r\ntwo\rthree\u{1b}\tfour");
        assert_eq!(area.field.text(), "one\ntwo\nthree four");
    }
}
