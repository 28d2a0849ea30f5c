//! One key of the console, and what is wrong with the files that people write.

use serde::Serialize;

use crate::cli::console::{KeyMistake, KeyRow};

/// Type `key`: an action, and where which keys do it.
#[derive(Serialize)]
pub(crate) struct KeyLine<'a> {
    /// For people: `Inventory, one entry`.
    place: &'a str,
    /// For people: `g g, Home`.
    keys: String,
    name: &'static str,
    label: &'static str,
    /// The tables of the key file.
    contexts: &'a [&'static str],
    /// The same keys one by one.
    chords: &'a [String],
    /// What finds it in the palette.
    palette: String,
    /// The command that does the same; null where only the screen can.
    command: Option<&'static str>,
    screen_only: bool,
    /// How it is said with --plain: `open N`; null where lines have nothing like it.
    plain: Option<&'static str>,
    /// Why lines have nothing like it although a command does.
    only_drawn: Option<&'static str>,
}

impl<'a> KeyLine<'a> {
    pub(crate) fn new(row: &'a KeyRow) -> Self {
        Self {
            place: &row.place,
            keys: row.shown(),
            name: row.name,
            label: row.label,
            contexts: &row.contexts,
            chords: &row.keys,
            palette: format!(":{}", row.name),
            command: row.twin,
            screen_only: row.twin.is_none(),
            plain: row.line,
            only_drawn: row.only_drawn,
        }
    }
}

/// Type `file`: a file of the configuration that was checked.
#[derive(Serialize)]
pub(crate) struct CheckedFile<'a> {
    pub(crate) name: &'static str,
    pub(crate) path: Option<&'a str>,
    /// `fine`, `absent` or `wrong`.
    pub(crate) state: &'static str,
}

/// Type `mistake`: something that is wrong in such a file. Line and column are null where it is the file as a whole.
#[derive(Serialize)]
pub(crate) struct MistakeLine<'a> {
    path: &'a str,
    line: Option<usize>,
    column: Option<usize>,
    text: &'a str,
    hint: Option<&'a str>,
}

impl<'a> MistakeLine<'a> {
    pub(crate) fn new(path: &'a str, mistake: &'a KeyMistake) -> Self {
        let placed = |number| (number > 0).then_some(number);
        Self {
            path,
            line: placed(mistake.line),
            column: placed(mistake.column),
            text: &mistake.text,
            hint: mistake.hint.as_deref(),
        }
    }
}
