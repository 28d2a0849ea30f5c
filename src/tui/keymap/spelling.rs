//! The written form of keys, and the keys that a key file may bind.

use crate::rules::spelling::nearest;
use crate::tui::keymap::Context;
use crate::tui::keymap::action::Action;
use crate::tui::keymap::bindings::Sequence;
use crate::tui::keymap::chord::{Chord, Key, NAMES};
use crate::tui::keymap::view_id::VIEW_NUMBERS;

/// A mistake, and its remedy.
pub(super) type Wrong = (String, Option<String>);

const LONGEST: usize = 3;

fn wrong<T>(text: String, hint: &str) -> Result<T, Wrong> {
    Err((text, (!hint.is_empty()).then(|| hint.to_owned())))
}

/// Reads keys separated by blanks: `g g`, `ctrl-d`, `PgDn`, `F2`.
pub(super) fn sequence(text: &str) -> Result<Sequence, Wrong> {
    let keys = text.split_whitespace().map(key).collect::<Result<Sequence, Wrong>>()?;
    match keys.len() {
        0 => wrong("the name of the key is empty".into(), "Write `space` for the space bar."),
        1..=LONGEST => Ok(keys),
        _ => wrong(format!("`{text}` is longer than {LONGEST} keys"), "Take fewer keys."),
    }
}

fn key(text: &str) -> Result<Chord, Wrong> {
    let small = text.to_lowercase();
    let single = text.chars().count() == 1;
    let chord = if single { Chord::parse(text) } else { Chord::parse(&small) };
    for modifier in ["alt-", "meta-", "super-", "cmd-"] {
        if small.starts_with(modifier) {
            let hint = "Use a letter, or one with `ctrl-`: terminals send other modifiers in different ways.";
            return wrong(format!("`{text}`: only `ctrl-` can come before a key"), hint);
        }
    }
    if let Some(chord) = chord {
        return same_key(text, chord);
    }
    if let Some(letter) = small.strip_prefix("shift-").filter(|rest| rest.chars().count() == 1) {
        return wrong(
            format!("`{text}` is not how a capital is written"),
            &format!("Write `{}` instead.", letter.to_uppercase()),
        );
    }
    let known = NAMES.iter().map(|(_, name)| *name).filter(|name| !matches!(*name, "backspace" | "delete"));
    let (prefix, rest) = small.strip_prefix("ctrl-").map_or(("", small.as_str()), |rest| ("ctrl-", rest));
    let hint = match nearest(rest, known) {
        Some(near) => format!("Write `{prefix}{near}` instead."),
        None if text.chars().count() <= LONGEST => {
            let apart: Vec<String> = text.chars().map(String::from).collect();
            format!("Write keys that are pressed one after the other apart: `{}`.", apart.join(" "))
        }
        None => {
            "Keys are single letters and signs, `space`, `enter`, `tab`, `up`, `pgdn`, `f2`, `ctrl-d`.".into()
        }
    };
    wrong(format!("there is no key `{text}`"), &hint)
}

/// Refuses what a terminal cannot tell from another key, and what edits text.
fn same_key(text: &str, chord: Chord) -> Result<Chord, Wrong> {
    let twin = match (chord.ctrl, chord.key) {
        (true, Key::Char('i')) => "tab",
        (true, Key::Char('m' | 'j')) => "enter",
        (true, Key::Char('[')) => "esc",
        (true, Key::Char('h')) => "backspace",
        (false, Key::Backspace | Key::Delete) => {
            return wrong(format!("`{text}` edits text and cannot be bound"), "Take another key.");
        }
        _ => return Ok(chord),
    };
    wrong(format!("`{text}`: terminals send the same for `{twin}`"), "Take another key.")
}

/// Refuses keys whose meaning is kept: `Esc` and `Ctrl-c` get out of everything, `1` to `8` are views.
pub(super) fn may_bind(action: &Action, context: Context, sequence: &Sequence) -> Result<(), Wrong> {
    let own = action.place_in(context).map_or(&[][..], |place| place.keys);
    for chord in sequence {
        if is_kept(*chord)
            && !(sequence.len() == 1 && own.iter().any(|key| Chord::parse(key) == Some(*chord)))
        {
            let text = format!("`{chord}` always steps back or gets out; it cannot mean `{}`", action.name);
            return wrong(text, "Take another key.");
        }
    }
    let number = |key: &Chord| matches!(key.key, Key::Char(c) if VIEW_NUMBERS.contains(&c)) && !key.ctrl;
    let is_view = own.iter().any(|key| Chord::parse(key).is_some_and(|key| number(&key)));
    match sequence.first() {
        Some(first) if number(first) && !is_view && !context.is_overlay() => {
            wrong(format!("`{first}` is kept for a view"), "`1` to `8` switch views; take another key.")
        }
        _ => Ok(()),
    }
}

/// Returns true if a key file cannot change the meaning of the key.
pub(super) fn is_kept(chord: Chord) -> bool {
    chord == Chord::plain(Key::Esc) || chord == Chord { key: Key::Char('c'), ctrl: true }
}
