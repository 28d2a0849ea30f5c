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

/// Keys that follow one another faster may be the letters of a text.
const BREATH: Duration = Duration::from_millis(300);

/// Letters that may be the rest of a sentence, and no commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Typing {
    /// A field was asked for and none opened, or a key was refused because it came too soon: no letter means anything.
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
    /// The letters of one breath that do more than move, each once.
    breath: Vec<Chord>,
    /// One of them is no key here.
    has_stray: bool,
    /// When the last key came.
    last: Duration,
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

    /// As after a pause.
    #[cfg(test)]
    pub(crate) fn end_typing(&mut self) {
        self.typing = None;
        self.forget_breath();
    }

    fn forget_breath(&mut self) {
        self.breath.clear();
        self.has_stray = false;
    }

    /// A key comes: after a moment, or where it is no letter outside a field, another breath begins.
    pub(crate) fn breathe(&mut self, chord: Chord, in_field: bool, uptime: Duration) {
        if uptime.saturating_sub(self.last) >= BREATH || in_field || !is_letter(chord) {
            self.forget_breath();
        }
        self.last = uptime;
    }

    /// Whether these keys come in one breath with others that make a text of them: two others, since whoever knows the console
    /// presses two keys as fast as a word is typed, or one that is no key here. The same key again is meant.
    pub(crate) fn is_rushed(&self, pressed: &[Chord]) -> bool {
        let others = self.breath.iter().filter(|key| !pressed.contains(key)).count();
        others >= 2 || (others == 1 && self.has_stray)
    }

    /// These keys may have been letters of a text; `is_stray`: they are no keys here.
    pub(crate) fn may_be_text(&mut self, pressed: &[Chord], is_stray: bool) {
        self.has_stray |= is_stray;
        for key in pressed.iter().filter(|key| is_letter(**key)) {
            if !self.breath.contains(key) {
                self.breath.push(*key);
            }
        }
    }

    /// Whether a key belongs to what is being typed; if so, the pause begins anew.
    pub(crate) fn types_on(&mut self, chord: Chord, uptime: Duration) -> bool {
        let edits = !chord.ctrl && matches!(chord.key, Key::Enter | Key::Backspace | Key::Delete);
        let is_text = edits || is_letter(chord);
        match self.typing(uptime).filter(|_| is_text) {
            Some(typing) => self.begin_typing(typing, uptime),
            None => self.typing = None,
        }
        self.typing.is_some()
    }
}

fn is_letter(chord: Chord) -> bool {
    !chord.ctrl && matches!(chord.key, Key::Char(_))
}
