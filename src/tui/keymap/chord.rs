//! One key press as plain data, and the text form that the key table, key files and tests use: `j`, `G`, `ctrl-d`,
//! `enter`, `f2`.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// A key without its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    Char(char),
    Enter,
    Esc,
    Tab,
    BackTab,
    Backspace,
    /// Edits text; nothing is bound to it.
    Delete,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    /// `F1` to `F12`.
    F(u8),
}

/// The keys that are written as words.
pub(crate) const NAMES: [(Key, &str); 15] = [
    (Key::Char(' '), "space"),
    (Key::Enter, "enter"),
    (Key::Esc, "esc"),
    (Key::Tab, "tab"),
    (Key::BackTab, "shift-tab"),
    (Key::Backspace, "backspace"),
    (Key::Delete, "delete"),
    (Key::Up, "up"),
    (Key::Down, "down"),
    (Key::Left, "left"),
    (Key::Right, "right"),
    (Key::Home, "home"),
    (Key::End, "end"),
    (Key::PageUp, "pgup"),
    (Key::PageDown, "pgdn"),
];

/// A key press. Shift is part of the character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chord {
    pub key: Key,
    pub ctrl: bool,
}

impl Chord {
    pub(crate) const fn plain(key: Key) -> Self {
        Self { key, ctrl: false }
    }

    /// Reads `j`, `space`, `ctrl-d`, `enter` or `<enter>`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('<').and_then(|text| text.strip_suffix('>')).unwrap_or(text);
        let (ctrl, text) = text.strip_prefix("ctrl-").map_or((false, text), |rest| (true, rest));
        let mut letters = text.chars();
        let key = match (letters.next(), letters.next()) {
            (Some(letter), None) => Key::Char(letter),
            _ => word(text)?,
        };
        Some(Self { key, ctrl })
    }

    /// Reads keys separated by blanks: `g g`.
    pub(crate) fn sequence(text: &str) -> Option<Vec<Self>> {
        text.split(' ').map(Self::parse).collect()
    }

    /// The character that the key types into a field.
    pub(crate) fn typed(self) -> Option<char> {
        match self.key {
            Key::Char(letter) if !self.ctrl && !letter.is_control() => Some(letter),
            _ => None,
        }
    }
}

fn word(text: &str) -> Option<Key> {
    let named = NAMES.iter().find(|(_, name)| *name == text).map(|(key, _)| *key);
    let function = || text.strip_prefix('f')?.parse().ok().filter(|number| (1..=12).contains(number));
    named.or_else(|| function().map(Key::F))
}

/// A key event of the terminal; `None` for releases, Alt and keys that nothing is bound to.
pub(crate) fn pressed(event: KeyEvent) -> Option<Chord> {
    if event.kind == KeyEventKind::Release || event.modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    let key = match event.code {
        KeyCode::Char(letter) => Key::Char(letter),
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Esc,
        KeyCode::Tab => Key::Tab,
        KeyCode::BackTab => Key::BackTab,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Delete => Key::Delete,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::F(number) => Key::F(number),
        _ => return None,
    };
    Some(Chord { key, ctrl: event.modifiers.contains(KeyModifiers::CONTROL) })
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("Ctrl-")?;
        }
        match self.key {
            Key::Char(' ') => f.write_str("Space"),
            Key::Char(letter) => write!(f, "{letter}"),
            Key::PageUp => f.write_str("PgUp"),
            Key::PageDown => f.write_str("PgDn"),
            Key::BackTab => f.write_str("Shift-Tab"),
            Key::F(number) => write!(f, "F{number}"),
            key => write!(f, "{key:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_and_printed() {
        for (text, shown) in [
            ("j", "j"),
            ("ctrl-d", "Ctrl-d"),
            ("<enter>", "Enter"),
            ("space", "Space"),
            ("pgdn", "PgDn"),
            ("]", "]"),
            ("f2", "F2"),
            ("delete", "Delete"),
        ] {
            assert_eq!(Chord::parse(text).unwrap().to_string(), shown);
        }
        for text in ["enterr", "f0", "f13", "f1x", "", "ctrl-"] {
            assert_eq!(Chord::parse(text), None, "{text}");
        }
        assert_eq!(Chord::sequence("g g").unwrap().len(), 2);
    }

    #[test]
    fn events_of_the_terminal_become_chords() {
        assert_eq!(pressed(KeyEvent::new(KeyCode::Char('x'), KeyModifiers::ALT)), None);
        assert_eq!(pressed(KeyEvent::new(KeyCode::Char('G'), KeyModifiers::SHIFT)), Chord::parse("G"));
        assert_eq!(pressed(KeyEvent::new(KeyCode::F(2), KeyModifiers::NONE)), Chord::parse("f2"));
        assert_eq!(pressed(KeyEvent::new(KeyCode::Char('d'), KeyModifiers::CONTROL)), Chord::parse("ctrl-d"));
    }
}
