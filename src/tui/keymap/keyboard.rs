//! What the model keeps of the keyboard: the keys that count, the keys of a sequence that is not complete, what may be text
//! that nothing takes, and what was wrong with the key file.

use std::time::Duration;

use crate::tui::keymap::chord::{Chord, Key};
use crate::tui::keymap::{Bindings, Mistake, file};

/// The key file as it was found: where, and its text or why it could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeysFile {
    /// For messages.
    pub(crate) path: String,
    pub(crate) text: Result<String, String>,
}

/// No key for so long, and what is typed counts as keys again.
const PAUSE: Duration = Duration::from_secs(1);

/// Letters that may be the rest of a sentence, and no commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Typing {
    /// A field was asked for and none opened: no letter means anything.
    IntoNothing,
    /// Enter was pressed, which ends a text or opens something: one may look on, but nothing is changed.
    AfterEnter,
}

/// Keys and what was pressed.
#[derive(Clone, Debug, Default)]
pub struct Keyboard {
    pub(crate) bindings: Bindings,
    /// Keys of a sequence that is not complete.
    pub(crate) pending: Vec<Chord>,
    /// What is being typed, and when its last key came.
    typing: Option<(Typing, Duration)>,
    /// With any mistake in the key file all keys are the table's own.
    pub(crate) mistakes: Vec<Mistake>,
}

impl Keyboard {
    /// The keys that a file asks for, or the table's own where there is none or it has mistakes.
    pub(crate) fn read(file: Option<&KeysFile>) -> Self {
        let Some(file) = file else { return Self::default() };
        let read = match &file.text {
            Ok(text) => file::read(text),
            Err(why) => Err(vec![Mistake::whole(why)]),
        };
        match read {
            Ok(bindings) => Self { bindings, ..Self::default() },
            Err(mistakes) => Self { mistakes, ..Self::default() },
        }
    }

    /// What is being typed at this moment; nothing after a pause.
    pub(crate) fn typing(&self, uptime: Duration) -> Option<Typing> {
        let (typing, last) = self.typing?;
        (uptime.saturating_sub(last) < PAUSE).then_some(typing)
    }

    pub(crate) fn begin_typing(&mut self, typing: Typing, uptime: Duration) {
        self.typing = Some((typing, uptime));
    }

    pub(crate) fn end_typing(&mut self) {
        self.typing = None;
    }

    /// Whether a key belongs to what is being typed; if so, the pause begins anew.
    pub(crate) fn types_on(&mut self, chord: Chord, uptime: Duration) -> bool {
        let is_text =
            !chord.ctrl && matches!(chord.key, Key::Char(_) | Key::Enter | Key::Backspace | Key::Delete);
        match self.typing(uptime).filter(|_| is_text) {
            Some(typing) => self.begin_typing(typing, uptime),
            None => self.end_typing(),
        }
        self.typing.is_some()
    }
}
