//! What one complete control sequence means. Pure; what is not known means nothing. Called by `decode` alone.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use crate::settings::Ground;

fn key(code: KeyCode, modifiers: KeyModifiers) -> Event {
    Event::Key(KeyEvent::new(code, modifiers))
}

/// What was heard from the terminal.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::tui) enum Heard {
    Event(Event),
    /// Keys of one read that may be a pasted text.
    Keys(Vec<KeyEvent>),
    /// The terminal's background is dark or light.
    Ground(Ground),
    /// It answered the question that stands after ours, so no further answer is under way.
    Answered,
    /// The reader has let go of the terminal.
    Paused,
}

/// A sequence of parameters and a last letter.
pub(super) fn control(parameters: &[u8], last: u8) -> Option<Heard> {
    match (parameters, last) {
        (b"?997;1", b'n') => Some(Heard::Ground(Ground::Dark)),
        (b"?997;2", b'n') => Some(Heard::Ground(Ground::Light)),
        ([b'?', ..], b'c') => Some(Heard::Answered),
        ([b'<', rest @ ..], b'M' | b'm') => mouse(&numbers(rest)?, last == b'M').map(Heard::Event),
        ([b'<'..=b'?', ..], _) => None,
        _ => pressed(&numbers(parameters)?, last).map(Heard::Event),
    }
}

/// `1;5` as numbers; of `97:65` the first counts. Missing ones are 0.
fn numbers(parameters: &[u8]) -> Option<Vec<u32>> {
    if parameters.is_empty() {
        return Some(Vec::new());
    }
    let text = std::str::from_utf8(parameters).ok()?;
    text.split(';')
        .map(|part| {
            let part = part.split(':').next().unwrap_or(part);
            if part.is_empty() { Some(0) } else { part.parse().ok() }
        })
        .collect()
}

/// The second number of a key: one more than the sum of its modifiers.
fn modifiers(numbers: &[u32]) -> KeyModifiers {
    let bits = numbers.get(1).copied().unwrap_or(1).saturating_sub(1);
    let mut modifiers = KeyModifiers::NONE;
    for (bit, modifier) in [(1, KeyModifiers::SHIFT), (2, KeyModifiers::ALT), (4, KeyModifiers::CONTROL)] {
        if bits & bit != 0 {
            modifiers |= modifier;
        }
    }
    modifiers
}

fn pressed(numbers: &[u32], last: u8) -> Option<Event> {
    let modifiers = modifiers(numbers);
    match (last, numbers) {
        (b'Z', _) => Some(key(KeyCode::BackTab, KeyModifiers::SHIFT)),
        // Keys that a terminal spells by their character.
        (b'u', [code, ..]) | (b'~', [27, _, code]) => coded(*code, modifiers),
        (b'~', [number, ..]) => numbered(*number).map(|code| key(code, modifiers)),
        // With another first number it is an answer about the cursor.
        (_, [] | [0 | 1, ..]) => letter(last, modifiers),
        _ => None,
    }
}

fn coded(code: u32, modifiers: KeyModifiers) -> Option<Event> {
    let code = match code {
        13 => KeyCode::Enter,
        27 => KeyCode::Esc,
        9 if modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
        9 => KeyCode::Tab,
        8 | 127 => KeyCode::Backspace,
        _ => KeyCode::Char(char::from_u32(code).filter(|letter| !letter.is_control())?),
    };
    Some(key(code, modifiers))
}

fn numbered(number: u32) -> Option<KeyCode> {
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => KeyCode::F(number as u8 - 10),
        17..=21 => KeyCode::F(number as u8 - 11),
        23 | 24 => KeyCode::F(number as u8 - 12),
        _ => return None,
    })
}

/// A key that a terminal spells by its last letter.
pub(super) fn letter(last: u8, modifiers: KeyModifiers) -> Option<Event> {
    let code = match last {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'H' => KeyCode::Home,
        b'F' => KeyCode::End,
        // The keypad's Enter.
        b'M' => KeyCode::Enter,
        b'P'..=b'S' => KeyCode::F(last - b'P' + 1),
        _ => return None,
    };
    Some(key(code, modifiers))
}

/// F1 to F5 of the Linux console.
pub(super) fn linux(letter: u8) -> Option<Event> {
    matches!(letter, b'A'..=b'E').then(|| key(KeyCode::F(letter - b'A' + 1), KeyModifiers::NONE))
}

/// Button, column and row, both from 1.
fn mouse(numbers: &[u32], down: bool) -> Option<Event> {
    let &[button, column, row] = numbers else { return None };
    let kind = match button & !0b1_1100 {
        64 => MouseEventKind::ScrollUp,
        65 => MouseEventKind::ScrollDown,
        0 if down => MouseEventKind::Down(MouseButton::Left),
        _ => return None,
    };
    let cell = |place: u32| u16::try_from(place.checked_sub(1)?).ok();
    let (column, row) = (cell(column)?, cell(row)?);
    Some(Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }))
}

/// The old form: three bytes, each 32 more than its number.
pub(super) fn old_mouse(button: u8, column: u8, row: u8) -> Option<Event> {
    let number = |byte: u8| u32::from(byte.saturating_sub(32));
    mouse(&[number(button), number(column), number(row)], true)
}

/// The answer to the question for the background: `11;rgb:ffff/ffff/ffff`.
pub(super) fn paper(text: &[u8]) -> Option<Ground> {
    let text = std::str::from_utf8(text).ok()?.strip_prefix("11;")?;
    let [red, green, blue] = if let Some(digits) = text.strip_prefix('#') {
        let cells = digits.len() / 3;
        if !digits.is_ascii() || cells * 3 != digits.len() {
            return None;
        }
        [0, 1, 2].map(|part| share(digits.get(part * cells..(part + 1) * cells).unwrap_or("")))
    } else {
        let mut parts = text.strip_prefix("rgb:").or_else(|| text.strip_prefix("rgba:"))?.split('/');
        [(); 3].map(|()| share(parts.next().unwrap_or("")))
    };
    Some(Ground::of(red?, green?, blue?))
}

/// One to four hexadecimal digits as a share of their most.
fn share(digits: &str) -> Option<f64> {
    if digits.is_empty() || digits.len() > 4 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let most = (1_u32 << (4 * digits.len())) - 1;
    Some(f64::from(u32::from_str_radix(digits, 16).ok()?) / f64::from(most))
}
