//! One key press as plain data, and the text form that the key table and tests use: `j`, `G`, `ctrl-d`, `enter`.

use std::fmt;

/// A key without its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    Char(char),
    Enter,
    Esc,
    Tab,
    BackTab,
    Backspace,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    /// F1 to F12.
    F(u8),
}

const NAMES: [(Key, &str); 14] = [
    (Key::Char(' '), "space"),
    (Key::Enter, "enter"),
    (Key::Esc, "esc"),
    (Key::Tab, "tab"),
    (Key::BackTab, "shift-tab"),
    (Key::Backspace, "backspace"),
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
    pub fn plain(key: Key) -> Self {
        Self { key, ctrl: false }
    }

    /// Reads `j`, `space`, `ctrl-d`, `enter` or `<enter>`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('<').and_then(|text| text.strip_suffix('>')).unwrap_or(text);
        let (ctrl, text) = text.strip_prefix("ctrl-").map_or((false, text), |rest| (true, rest));
        let mut letters = text.chars();
        let key = match (letters.next(), letters.next()) {
            (Some(letter), None) => Key::Char(letter),
            _ => NAMES
                .iter()
                .find(|(_, name)| *name == text)
                .map(|(key, _)| *key)
                .or_else(|| function(text))?,
        };
        Some(Self { key, ctrl })
    }

    /// Reads keys separated by blanks: `g g`.
    pub fn sequence(text: &str) -> Option<Vec<Self>> {
        text.split(' ').map(Self::parse).collect()
    }

    /// The character that the key types into a field.
    pub fn typed(self) -> Option<char> {
        match self.key {
            Key::Char(letter) if !self.ctrl && !letter.is_control() => Some(letter),
            _ => None,
        }
    }
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

/// `f2`, up to `f12`.
fn function(text: &str) -> Option<Key> {
    let number = text.strip_prefix('f')?.parse().ok()?;
    (1..=12).contains(&number).then_some(Key::F(number))
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
        ] {
            assert_eq!(Chord::parse(text).unwrap().to_string(), shown);
        }
        assert_eq!(Chord::parse("enterr"), None);
        assert_eq!(Chord::parse("f13"), None);
        assert_eq!(Chord::sequence("g g").unwrap().len(), 2);
    }
}
