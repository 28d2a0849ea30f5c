//! One line of text that is being typed: the filter, the palette, the search of the help page.
//!
//! It takes keys and pasted text and keeps the cursor on a character boundary; it never holds a control or a line break,
//! nor more characters than it may. What the text means is its owner's.

use crate::tui::base::glyphs::Glyphs;
use crate::tui::base::text;
use crate::tui::keymap::chord::{Chord, Key};

/// The longest text of a field that was not given another, in characters.
pub(crate) const MOST: usize = 200;

/// Fields of so few cells have no room for a mark.
const MARKED: usize = 8;

/// A text and a cursor in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    text: String,
    /// The byte before which is typed.
    cursor: usize,
    /// The longest text, in characters.
    most: usize,
    /// It keeps line breaks, as a text area does.
    keeps_lines: bool,
}

impl Default for Field {
    fn default() -> Self {
        Self { text: String::new(), cursor: 0, most: MOST, keeps_lines: false }
    }
}

/// The part of a field that is seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) text: String,
    /// The cell of the cursor, from the start of the text.
    pub(crate) cursor: usize,
}

impl Field {
    /// A field with the cursor at its end.
    pub(crate) fn of(text: &str) -> Self {
        Self::of_at_most(text, MOST)
    }

    /// The same for a text of another length.
    pub(crate) fn of_at_most(text: &str, most: usize) -> Self {
        let mut field = Self { most, ..Self::default() };
        field.paste(text);
        field
    }

    /// A field of several lines.
    pub(super) fn of_lines(text: &str, most: usize) -> Self {
        let mut field = Self { most, keeps_lines: true, ..Self::default() };
        field.paste(text);
        field
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Takes a key that types, deletes or moves in the text. `false` if it means nothing to a field.
    pub(crate) fn take(&mut self, chord: Chord) -> bool {
        match (chord.ctrl, chord.key) {
            (false, Key::Backspace) => self.cut(self.before(), self.cursor),
            (false, Key::Delete) => self.cut(self.cursor, self.after()),
            (false, Key::Left) => self.cursor = self.before(),
            (false, Key::Right) => self.cursor = self.after(),
            (false, Key::Home) | (true, Key::Char('a')) => {
                self.cursor = self.text[..self.cursor].rfind('\n').map_or(0, |at| at + 1);
            }
            (false, Key::End) | (true, Key::Char('e')) => {
                self.cursor += self.text[self.cursor..].find('\n').unwrap_or(self.text.len() - self.cursor);
            }
            (false, Key::Enter) if self.keeps_lines => self.paste("\n"),
            _ => match chord.typed() {
                Some(letter) => self.paste(letter.encode_utf8(&mut [0; 4])),
                None => return false,
            },
        }
        true
    }

    /// Takes a text at the cursor: blanks of any kind become one space each, controls are left out. Line breaks stay where the
    /// field has several lines.
    pub(crate) fn paste(&mut self, pasted: &str) {
        let room = self.most.saturating_sub(self.text.chars().count());
        let is_break = |c: char| c == '\n' && self.keeps_lines;
        let unified =
            if self.keeps_lines { &*pasted.replace("\r\n", "\n").replace('\r', "\n") } else { pasted };
        let plain: String = unified
            .chars()
            .map(|c| if c.is_whitespace() && !is_break(c) { ' ' } else { c })
            .filter(|c| !c.is_control() || is_break(*c))
            .take(room)
            .collect();
        self.text.insert_str(self.cursor, &plain);
        self.cursor += plain.len();
    }

    /// What stands before the cursor.
    pub(crate) fn before_cursor(&self) -> &str {
        &self.text[..self.cursor]
    }

    /// Puts a text in the place of so many bytes before the cursor.
    pub(crate) fn replace_before(&mut self, bytes: usize, text: &str) {
        self.cut(self.cursor.saturating_sub(bytes), self.cursor);
        self.paste(text);
    }

    pub(crate) fn clear(&mut self) {
        *self = Self { most: self.most, keeps_lines: self.keeps_lines, ..Self::default() };
    }

    /// Deletes the word before the cursor.
    pub(crate) fn drop_word(&mut self) {
        let before = self.text[..self.cursor].trim_end();
        let start = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        self.cut(start, self.cursor);
    }

    /// The byte before which is typed.
    pub(super) fn cursor(&self) -> usize {
        self.cursor
    }

    /// Puts the cursor before a byte, which begins a character.
    pub(super) fn go_to(&mut self, byte: usize) {
        debug_assert!(self.text.is_char_boundary(byte), "a cursor stands between characters");
        self.cursor = byte;
    }

    fn before(&self) -> usize {
        self.text[..self.cursor].char_indices().next_back().map_or(0, |(at, _)| at)
    }

    fn after(&self) -> usize {
        self.text[self.cursor..].chars().next().map_or(self.cursor, |c| self.cursor + c.len_utf8())
    }

    fn cut(&mut self, from: usize, to: usize) {
        self.text.drain(from..to);
        self.cursor = from;
    }

    /// What fits into so many cells, with the cursor in sight. Cleaned like every text that is drawn.
    pub(crate) fn seen(&self, glyphs: Glyphs, cells: usize) -> Seen {
        let (left, right) = self.text.split_at(self.cursor);
        let (left, right) = (text::clean(left, glyphs), text::clean(right, glyphs));
        // One cell is kept for the cursor behind the last letter.
        let room = cells.saturating_sub(1);
        let left = if text::width(&left) > room && room > MARKED {
            // The start is out of sight: the mark says so.
            format!("<{}", text::ending(&left, room - 1))
        } else {
            text::ending(&left, room).to_owned()
        };
        let cursor = text::width(&left);
        let right = text::elide_end(&right, cells.saturating_sub(cursor), glyphs);
        Seen { text: format!("{left}{right}"), cursor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(keys: &str) -> Field {
        let mut field = Field::default();
        for key in keys.split(' ') {
            match key {
                "<clear>" => field.clear(),
                "<word>" => field.drop_word(),
                key => assert!(field.take(Chord::parse(key).unwrap()), "{key}"),
            }
        }
        field
    }

    #[test]
    fn keys_type_delete_and_move() {
        for (keys, text, cursor) in [
            ("a b c", "abc", 3),
            ("a b left left x", "xab", 1),
            ("a ü c left backspace", "ac", 1),
            ("a ü c left left delete", "ac", 1),
            ("home a end b left right right", "ab", 2),
            ("backspace delete left right", "", 0),
            ("a space b c <word>", "a ", 2),
            ("a space b space space <word>", "a ", 2),
            ("a b space c left <word>", "c", 0),
            ("a b <clear> c", "c", 1),
            ("日 a left left b", "b日a", 1),
            ("a ctrl-a b ctrl-e c", "bac", 3),
        ] {
            let field = typed(keys);
            assert_eq!((field.text(), field.cursor), (text, cursor), "{keys}");
        }
        let mut field = Field::default();
        assert!(!field.take(Chord::parse("pgup").unwrap()) && !field.take(Chord::parse("ctrl-x").unwrap()));
    }

    #[test]
    fn pasted_text_is_one_plain_line_of_bounded_length() {
        let mut field = Field::of("ab");
        field.take(Chord::parse("left").unwrap());
        field.paste("1\n2\u{1b}[31m\t3");
        assert_eq!(field.text(), "a1 2[31m 3b");
        field.paste(&"x".repeat(1000));
        assert_eq!(field.text().chars().count(), MOST);
        assert!(field.text().ends_with('b'));
        let mut long = Field::of_at_most(&"x".repeat(1000), 900);
        assert_eq!(long.text().len(), 900);
        long.clear();
        long.paste(&"x".repeat(1000));
        assert_eq!(long.text().len(), 900);
    }

    #[test]
    fn the_cursor_stays_in_sight() {
        for text in ["", "short", "a rather long text that does not fit", "日本語のとても長い名前"]
        {
            for cells in 1..20 {
                let mut field = Field::of(text);
                for _ in 0..50 {
                    let seen = field.seen(Glyphs::Unicode, cells);
                    assert!(seen.cursor < cells, "{text} {cells} {seen:?}");
                    assert!(text::width(&seen.text) <= cells, "{text} {cells} {seen:?}");
                    field.take(Chord::parse("left").unwrap());
                }
                assert_eq!(field.seen(Glyphs::Unicode, cells).cursor, 0);
            }
        }
    }
}
