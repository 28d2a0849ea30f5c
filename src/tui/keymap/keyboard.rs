//! The state of the keyboard: the keys that count, the keys of a sequence that is not complete, whether letters are
//! swallowed, and what was wrong with the key file.

use crate::tui::keymap::chord::{Chord, Key};
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
    /// A field was asked for and none opened: letters may be meant for it, and do nothing until Esc.
    pub(crate) swallows: bool,
    /// With any mistake in the key file all keys are the table's own.
    pub(crate) mistakes: Vec<Mistake>,
    /// Keys of the file that other actions had.
    pub(crate) taken: Vec<Mistake>,
    /// They were not the same when the console ran last.
    pub(crate) has_new_notes: bool,
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
            Ok((bindings, taken)) => Self { bindings, taken, ..Self::default() },
            Err(mistakes) => Self { mistakes, ..Self::default() },
        }
    }
}

/// The number of different printable characters that make keys of one read a pasted text. A held key is one.
const PASTED: usize = 3;

/// Returns true if these keys, which came in one read, are a text that was pasted where the terminal does not mark pastes.
pub(crate) fn is_pasted(chords: &[Chord]) -> bool {
    let mut letters: Vec<Chord> = Vec::new();
    for chord in chords.iter().filter(|chord| is_letter(**chord)) {
        if !letters.contains(chord) {
            letters.push(*chord);
        }
        if letters.len() == PASTED {
            return true;
        }
    }
    false
}

/// Returns true for the keys of a text: letters, and those that edit or end it.
pub(crate) fn is_text(chord: Chord) -> bool {
    let edits = !chord.ctrl && matches!(chord.key, Key::Enter | Key::Backspace | Key::Delete);
    edits || is_letter(chord)
}

fn is_letter(chord: Chord) -> bool {
    !chord.ctrl && matches!(chord.key, Key::Char(_))
}
