//! What the model keeps of the keyboard: the keys that count, the keys of a sequence that is not complete, and what was
//! wrong with the key file.

use crate::tui::keymap::chord::Chord;
use crate::tui::keymap::{Bindings, Mistake, file};

/// The key file as it was found: where, and its text or why it could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeysFile {
    /// For messages.
    pub(crate) path: String,
    pub(crate) text: Result<String, String>,
}

/// Keys and what was pressed.
#[derive(Clone, Debug, Default)]
pub struct Keyboard {
    pub(crate) bindings: Bindings,
    /// Keys of a sequence that is not complete.
    pub(crate) pending: Vec<Chord>,
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
}
