//! What a terminal sends, as events: keys, pastes, mouse buttons, and its answers about its own background.
//!
//! Pure: bytes in, events out; time comes in as [`Decoder::expire`]. Anything that is no key is swallowed whole, so that no
//! answer of a terminal, known to us or not, is ever taken for typing. Called by `input` on its thread.

use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

use crate::tui::shell::runtime::sequence;
use crate::tui::shell::runtime::sequence::Heard;

/// A lone Esc is the key when nothing follows it for so long.
const ESC_MS: u64 = 30;
/// The rest of a key's sequence comes at once, that of an answer may come over a slow line.
const KEY_MS: u64 = 100;
const STRING_MS: u64 = 1_000;
/// A paste ends with its mark and not with a line that stalls: what came after would be taken for keys.
const PASTE_MS: u64 = 60_000;
/// No sequence that means something is longer; what is beyond is dropped, not kept.
const MOST_KEY: usize = 64;
const MOST_STRING: usize = 4 << 10;
const MOST_PASTE: usize = 1 << 20;

const ESC: u8 = 0x1b;
const PASTE_END: &[u8] = b"\x1b[201~";

/// Bytes that are not an event yet.
#[derive(Debug, Default)]
pub(in crate::tui) struct Decoder {
    bytes: Vec<u8>,
    /// A paste that has begun.
    paste: Option<Vec<u8>>,
}

/// What the first bytes are.
enum Step {
    /// So many bytes, and what they mean; nothing if they are to be swallowed.
    Take(usize, Option<Heard>),
    /// So many bytes begin a paste.
    Paste(usize),
    /// The end has not come yet.
    Wait,
}

impl Decoder {
    /// Takes bytes and gives the events that are complete.
    pub(in crate::tui) fn feed(&mut self, bytes: &[u8]) -> Vec<Heard> {
        let mut heard = Vec::new();
        self.bytes.extend_from_slice(bytes);
        loop {
            if self.paste.is_some() && !self.go_on_pasting(&mut heard) {
                return heard;
            }
            match first(&self.bytes) {
                Step::Take(count, what) => {
                    self.bytes.drain(..count);
                    heard.extend(what);
                }
                Step::Paste(count) => {
                    self.bytes.drain(..count);
                    self.paste = Some(Vec::new());
                }
                Step::Wait => {
                    self.shorten();
                    return heard;
                }
            }
        }
    }

    /// How long to wait for the rest of what has begun; `None` if nothing has.
    pub(in crate::tui) fn patience(&self) -> Option<Duration> {
        let millis = match self.bytes.as_slice() {
            _ if self.paste.is_some() => PASTE_MS,
            [] => return None,
            [ESC] => ESC_MS,
            [ESC, b']' | b'P' | b'X' | b'^' | b'_', ..] | [ESC, b'[', b'?', ..] => STRING_MS,
            _ => KEY_MS,
        };
        Some(Duration::from_millis(millis))
    }

    /// The rest did not come: a lone Esc is the key, a paste ends here, anything else is dropped.
    pub(in crate::tui) fn expire(&mut self) -> Vec<Heard> {
        let rest = std::mem::take(&mut self.bytes);
        if let Some(mut paste) = self.paste.take() {
            keep_paste(&mut paste, &rest);
            return vec![pasted(&paste)];
        }
        if rest == [ESC] { vec![key(KeyCode::Esc, KeyModifiers::NONE)] } else { Vec::new() }
    }

    /// Moves what was pasted out of the bytes; whether the paste is over.
    fn go_on_pasting(&mut self, heard: &mut Vec<Heard>) -> bool {
        let Some(paste) = &mut self.paste else { return true };
        let end = self.bytes.windows(PASTE_END.len()).position(|part| part == PASTE_END);
        // The end may be half there.
        let certain = end.unwrap_or_else(|| self.bytes.len().saturating_sub(PASTE_END.len() - 1));
        keep_paste(paste, &self.bytes[..certain]);
        self.bytes.drain(..certain);
        if end.is_none() {
            return false;
        }
        self.bytes.drain(..PASTE_END.len());
        heard.push(pasted(paste));
        self.paste = None;
        true
    }

    /// An endless sequence keeps its beginning, which says what it is, and its last byte, which may begin its end.
    fn shorten(&mut self) {
        if self.bytes.len() > MOST_STRING {
            self.bytes.drain(2..self.bytes.len() - 1);
        }
    }
}

fn keep_paste(paste: &mut Vec<u8>, more: &[u8]) {
    let room = MOST_PASTE - paste.len();
    paste.extend_from_slice(&more[..more.len().min(room)]);
}

fn pasted(bytes: &[u8]) -> Heard {
    Heard::Event(Event::Paste(String::from_utf8_lossy(bytes).into_owned()))
}

fn key(code: KeyCode, modifiers: KeyModifiers) -> Heard {
    Heard::Event(Event::Key(KeyEvent::new(code, modifiers)))
}

fn first(bytes: &[u8]) -> Step {
    match bytes {
        [] | [ESC] | [ESC, b'O'] => Step::Wait,
        // The first of two is a key of its own.
        [ESC, ESC, ..] => Step::Take(1, Some(key(KeyCode::Esc, KeyModifiers::NONE))),
        [ESC, b'[', rest @ ..] => control(rest),
        [ESC, b'O', letter, ..] => {
            Step::Take(3, sequence::letter(*letter, KeyModifiers::NONE).map(Heard::Event))
        }
        [ESC, b']' | b'P' | b'X' | b'^' | b'_', rest @ ..] => string(bytes[1], rest),
        [ESC, rest @ ..] => match character(rest) {
            Step::Take(count, Some(Heard::Event(Event::Key(event)))) => {
                let event = KeyEvent::new(event.code, event.modifiers | KeyModifiers::ALT);
                Step::Take(count + 1, Some(Heard::Event(Event::Key(event))))
            }
            Step::Take(count, _) => Step::Take(count + 1, None),
            other => other,
        },
        _ => character(bytes),
    }
}

/// `ESC [`, parameters, a last letter.
fn control(rest: &[u8]) -> Step {
    // The Linux console's function keys, and mouse buttons of old: they have their letters after the last one.
    match rest {
        [b'[' | b'M'] | [b'M', _] | [b'M', _, _] => return Step::Wait,
        [b'[', letter, ..] => return Step::Take(4, sequence::linux(*letter).map(Heard::Event)),
        [b'M', button, column, row, ..] => {
            let event = sequence::old_mouse(*button, *column, *row);
            return Step::Take(6, event.map(Heard::Event));
        }
        _ => {}
    }
    let Some(length) = rest.iter().position(|byte| !(0x20..0x40).contains(byte)) else {
        return if rest.len() > MOST_KEY { Step::Take(rest.len() + 2, None) } else { Step::Wait };
    };
    let last = rest[length];
    if !(0x40..0x7f).contains(&last) {
        // Broken off by something else, which is looked at by itself.
        return Step::Take(length + 2, None);
    }
    if last == b'~' && &rest[..length] == b"200" {
        return Step::Paste(length + 3);
    }
    Step::Take(length + 3, sequence::control(&rest[..length], last))
}

/// A string of a terminal: until BEL or `ESC \`.
fn string(kind: u8, rest: &[u8]) -> Step {
    for (place, byte) in rest.iter().enumerate() {
        let (length, after) = match (byte, rest.get(place + 1)) {
            (0x07, _) => (place, 1),
            (0x18 | 0x1a, _) => return Step::Take(place + 3, None),
            (&ESC, Some(b'\\')) => (place, 2),
            (&ESC, None) => return Step::Wait,
            // Broken off by the next sequence.
            (&ESC, Some(_)) => return Step::Take(place + 2, None),
            _ => continue,
        };
        let ground = if kind == b']' { sequence::paper(&rest[..length]) } else { None };
        return Step::Take(length + 2 + after, ground.map(Heard::Ground));
    }
    Step::Wait
}

/// One character that was typed.
fn character(bytes: &[u8]) -> Step {
    let one = |code, modifiers| Step::Take(1, Some(key(code, modifiers)));
    let ctrl = |letter: u8| one(KeyCode::Char(char::from(letter)), KeyModifiers::CONTROL);
    match bytes[0] {
        b'\r' => one(KeyCode::Enter, KeyModifiers::NONE),
        b'\t' => one(KeyCode::Tab, KeyModifiers::NONE),
        0x7f => one(KeyCode::Backspace, KeyModifiers::NONE),
        0 => ctrl(b' '),
        byte @ 0x01..=0x1a => ctrl(byte - 1 + b'a'),
        byte @ 0x1c..=0x1f => ctrl(byte - 0x1c + b'4'),
        byte => {
            let length = match byte {
                0x00..=0x7f => 1,
                0xc2..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0..=0xf4 => 4,
                _ => return Step::Take(1, None),
            };
            let Some(bytes) = bytes.get(..length) else {
                let broken = bytes[1..].iter().position(|byte| byte & 0xc0 != 0x80);
                return broken.map_or(Step::Wait, |place| Step::Take(place + 1, None));
            };
            match std::str::from_utf8(bytes).ok().and_then(|text| text.chars().next()) {
                Some(letter) => Step::Take(length, Some(typed(letter))),
                None => Step::Take(1, None),
            }
        }
    }
}

fn typed(letter: char) -> Heard {
    let shift = if letter.is_uppercase() { KeyModifiers::SHIFT } else { KeyModifiers::NONE };
    key(KeyCode::Char(letter), shift)
}

#[cfg(test)]
mod tests;
