//! A search in what a pane shows: the field, the hits, and where they are. It searches nothing itself; its owner knows the
//! lines.

use ratatui::layout::Position;
use ratatui::text::Line;

use crate::tui::base::layout::Area;
use crate::tui::base::theme::Role;
use crate::tui::keymap::Command;
use crate::tui::keymap::chord::Chord;
use crate::tui::widgets::field::Field;
use crate::tui::widgets::strip::{Paint, Strip};

/// What is searched for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    pub(crate) field: Field,
    /// Keys go into the field.
    pub(crate) typing: bool,
    /// Places that have the text, rising.
    pub(crate) hits: Vec<u32>,
    /// How many there are, in words, for the field.
    pub(crate) told: String,
    before: String,
}

/// What a key of the field comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Typed {
    /// The text is another one.
    Changed,
    /// The field is closed, and the next hit is wanted.
    Kept,
    Nothing,
}

impl Search {
    pub(crate) fn open(&mut self) {
        self.before = self.field.text().to_owned();
        self.typing = true;
    }

    /// The text that Esc goes back to while another is typed.
    pub(crate) fn before(&self) -> &str {
        &self.before
    }

    /// What is searched for; empty for nothing.
    pub(crate) fn text(&self) -> &str {
        self.field.text()
    }

    /// Returns true while it is typed, and as long as it has a text.
    pub(crate) fn is_shown(&self) -> bool {
        self.typing || !self.text().is_empty()
    }

    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut Field)) -> Typed {
        let before = self.field.text().to_owned();
        change(&mut self.field);
        if self.field.text() == before { Typed::Nothing } else { Typed::Changed }
    }

    pub(crate) fn type_key(&mut self, chord: Chord) -> Typed {
        self.edit(|field| {
            field.take(chord);
        })
    }

    /// Does what the keys of the field say.
    pub(crate) fn act(&mut self, command: Command) -> Typed {
        match command {
            Command::ClearField => self.edit(Field::clear),
            Command::DropWord => self.edit(Field::drop_word),
            Command::Accept => {
                self.typing = false;
                Typed::Kept
            }
            Command::Close | Command::Interrupt => {
                self.typing = false;
                self.field = Field::of(&std::mem::take(&mut self.before));
                Typed::Changed
            }
            _ => Typed::Nothing,
        }
    }

    /// The hit behind or before a place, going round.
    pub(crate) fn next(&self, place: u32, forward: bool) -> Option<u32> {
        if forward {
            self.hits.iter().find(|hit| **hit > place).or(self.hits.first()).copied()
        } else {
            self.hits.iter().rev().find(|hit| **hit < place).or(self.hits.last()).copied()
        }
    }

    /// The field in a line of an area, and the cell of its cursor.
    pub(crate) fn line(&self, paint: &Paint<'_>, area: Area) -> (Line<'static>, Position) {
        let mut strip = Strip::new(paint, area.width);
        strip.gap(1).put(Role::Key, "search>").gap(1);
        let told = if self.text().is_empty() { "" } else { self.told.as_str() };
        let room = strip.room().saturating_sub(told.len() + 3).max(8);
        let seen = self.field.seen(paint.glyphs, room);
        let column = (usize::from(area.width) - strip.room() + seen.cursor) as u16;
        strip.put(Role::Prompt, &seen.text);
        strip.right(Role::Dim, &format!("{told} "));
        (strip.line(), Position::new(area.x + column.min(area.width.saturating_sub(1)), area.y))
    }
}

/// Where the text stands in a line, capitals or not; byte ranges of the line.
pub(crate) fn places(line: &str, wanted: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    if wanted.is_empty() {
        return found;
    }
    let (line, wanted) = (line.as_bytes(), wanted.as_bytes());
    let mut at = 0;
    while at + wanted.len() <= line.len() {
        if line[at..at + wanted.len()].eq_ignore_ascii_case(wanted) {
            found.push(at..at + wanted.len());
            at += wanted.len();
        } else {
            at += 1;
        }
    }
    found
}

/// Whether a line has the text, capitals or not.
pub(crate) fn has(line: &str, wanted: &str) -> bool {
    let (line, wanted) = (line.as_bytes(), wanted.as_bytes());
    let Some(first) = wanted.first() else { return false };
    let both = [first.to_ascii_lowercase(), first.to_ascii_uppercase()];
    let ends = line.len().saturating_sub(wanted.len() - 1);
    (0..ends.min(line.len()))
        .any(|at| both.contains(&line[at]) && line[at..at + wanted.len()].eq_ignore_ascii_case(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_whatever_their_capitals() {
        for (line, wanted, count) in [
            ("Linux linux LINUX", "linux", 3),
            ("aaaa", "aa", 2),
            ("grün", "ü", 1),
            ("abc", "", 0),
            ("ab", "abc", 0),
            ("", "a", 0),
        ] {
            assert_eq!(places(line, wanted).len(), count, "{line} {wanted}");
            assert_eq!(has(line, wanted), count > 0, "{line} {wanted}");
        }
    }

    #[test]
    fn hits_go_round_and_esc_takes_the_old_text_back() {
        let mut search = Search { hits: vec![3, 8], ..Search::default() };
        assert_eq!([0, 3, 8, 9].map(|at| search.next(at, true)), [Some(3), Some(8), Some(3), Some(3)]);
        assert_eq!([0, 3, 8, 9].map(|at| search.next(at, false)), [Some(8), Some(8), Some(3), Some(8)]);
        search.open();
        for key in ["a", "b"] {
            assert_eq!(search.type_key(Chord::parse(key).unwrap()), Typed::Changed);
        }
        assert_eq!((search.act(Command::Accept), search.text(), search.typing), (Typed::Kept, "ab", false));
        search.open();
        search.act(Command::ClearField);
        assert_eq!((search.act(Command::Close), search.text()), (Typed::Changed, "ab"));
    }
}
