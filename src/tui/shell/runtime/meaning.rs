//! What was heard from the terminal, as messages to the model. Called by the loop alone.

use std::io;

use crossterm::event::Event;

use crate::tui::base::layout::Size;
use crate::tui::keymap;
use crate::tui::keymap::chord::Chord;
use crate::tui::keymap::mouse;
use crate::tui::shell::msg::Msg;
use crate::tui::shell::runtime::Error;
use crate::tui::shell::runtime::sequence::Heard;

/// What was heard as a message; nothing if it means nothing to the model.
pub(super) fn read(heard: Heard) -> Result<Option<Msg>, Error> {
    Ok(match heard {
        Heard::Ground(ground) => Some(Msg::Ground(ground)),
        Heard::Event(Event::Key(key)) => keymap::chord(key).map(Msg::Key),
        Heard::Keys(keys) => {
            let chords: Vec<Chord> = keys.into_iter().filter_map(keymap::chord).collect();
            (!chords.is_empty()).then_some(Msg::Keys(chords))
        }
        Heard::Event(Event::Paste(text)) => Some(Msg::Paste(text)),
        Heard::Event(Event::Mouse(event)) => mouse::of(event).map(Msg::Mouse),
        Heard::Event(Event::Resize(..)) => Some(Msg::Resize(terminal_size()?)),
        Heard::Event(_) | Heard::Answered | Heard::Paused => None,
    })
}

/// Columns and rows as the terminal has them now.
pub(super) fn terminal_size() -> io::Result<Size> {
    let (columns, rows) = crossterm::terminal::size()?;
    Ok(Size::new(columns, rows))
}
