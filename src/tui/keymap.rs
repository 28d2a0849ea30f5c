//! The one table of actions: which key does what, where, what it is called, and when it is legal.
//!
//! Hints, the `?` page, which-key lines and the clash test are all made from it. Outside of overlays a key stands in
//! one row only, so the same letter means the same in every view. Called by `update` (a key) and by the footer and help.

use crossterm::event::KeyCode;
use crossterm::event::KeyEvent;
use crossterm::event::KeyEventKind;
use crossterm::event::KeyModifiers;

use crate::tui::chord::Chord;
use crate::tui::chord::Key;
use crate::tui::model::Model;

/// Where keys go: a screen, or the overlay or field above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Context {
    Inventory,
    Entry,
    Diff,
    /// The filter field.
    Filter,
    Help,
    Sort,
    /// The question before leaving with a survey running.
    Leave,
}

impl Context {
    /// Overlays list their own keys; what they bind is theirs alone.
    pub fn is_overlay(self) -> bool {
        !matches!(self, Self::Inventory | Self::Entry | Self::Diff)
    }

    pub fn title(self) -> &'static str {
        match self {
            Self::Inventory => "Inventory",
            Self::Entry => "one entry",
            Self::Diff => "the proposed rebuild",
            Self::Filter => "the filter",
            Self::Help => "this page",
            Self::Sort => "the sort menu",
            Self::Leave => "leaving",
        }
    }
}

/// What a key means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Command {
    Down,
    Up,
    Top,
    Bottom,
    HalfDown,
    HalfUp,
    PageDown,
    PageUp,
    OtherDown,
    OtherUp,
    Left,
    Right,
    Open,
    Back,
    Filter,
    Sort,
    Mark,
    MarkShown,
    Invert,
    Build,
    SurveyThis,
    SurveyShown,
    CancelJob,
    Reload,
    Preview,
    Browse,
    Edit,
    Page,
    CopyAddress,
    CopyUrl,
    CopyPath,
    CopyLine,
    NextHunk,
    PreviousHunk,
    Fold,
    OpenFolds,
    CloseFolds,
    Wrap,
    ShowInventory,
    Help,
    Theme,
    Redraw,
    Suspend,
    Mouse,
    Quit,
    Interrupt,
    Accept,
    Cancel,
    ClearField,
    DropWord,
    SortStatus,
    SortNewest,
    SortOldest,
    SortAddress,
}

/// One row of the table.
#[derive(Clone, Copy)]
pub(super) struct Action {
    pub contexts: &'static [Context],
    /// Each a key or a sequence: `g g`.
    pub chords: &'static [&'static str],
    pub command: Command,
    /// Kebab case, for the configuration and the palette.
    pub name: &'static str,
    /// What it does, for `?`.
    pub label: &'static str,
    pub hint: Hint,
    pub legal: fn(&Model) -> bool,
}

/// How an action stands in the footer. Rank 0: only on the `?` page; lower ranks stay longer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hint {
    pub rank: u8,
    pub keys: &'static str,
    pub word: &'static str,
}

type Row = (
    &'static [Context],
    &'static [&'static str],
    Command,
    &'static str,
    &'static str,
    (u8, &'static str, &'static str),
    fn(&Model) -> bool,
);

const ALL: &[Context] = &[Context::Inventory, Context::Entry, Context::Diff];
const LIST: &[Context] = &[Context::Inventory];
const ONE: &[Context] = &[Context::Inventory, Context::Entry];
const DIFF: &[Context] = &[Context::Diff];
const FILTER: &[Context] = &[Context::Filter];
const HELP: &[Context] = &[Context::Help];
const SORT: &[Context] = &[Context::Sort];
const LEAVE: &[Context] = &[Context::Leave];
const ANYWHERE: &[Context] = &[
    Context::Inventory,
    Context::Entry,
    Context::Diff,
    Context::Filter,
    Context::Help,
    Context::Sort,
    Context::Leave,
];

const NONE: (u8, &str, &str) = (0, "", "");

fn always(_: &Model) -> bool {
    true
}

#[rustfmt::skip]
const TABLE: &[Row] = &[
    // moving
    (ALL, &["j", "down"], Command::Down, "down", "down one row", (4, "j/k", "move"), Model::has_rows),
    (ALL, &["k", "up"], Command::Up, "up", "up one row", NONE, Model::has_rows),
    (ALL, &["g g", "home"], Command::Top, "top", "to the first row", NONE, Model::has_rows),
    (ALL, &["G", "end"], Command::Bottom, "bottom", "to the last row", NONE, Model::has_rows),
    (ALL, &["ctrl-d"], Command::HalfDown, "half-down", "down half a page", NONE, Model::has_rows),
    (ALL, &["ctrl-u"], Command::HalfUp, "half-up", "up half a page", NONE, Model::has_rows),
    (ALL, &["pgdn"], Command::PageDown, "page-down", "down a page", NONE, Model::has_rows),
    (ALL, &["pgup"], Command::PageUp, "page-up", "up a page", NONE, Model::has_rows),
    (ALL, &["J"], Command::OtherDown, "other-down", "scroll the other pane down", NONE, Model::has_rows),
    (ALL, &["K"], Command::OtherUp, "other-up", "scroll the other pane up", NONE, Model::has_rows),
    // the diff
    (DIFF, &["]"], Command::NextHunk, "next-hunk", "to the next change", (2, "]/[", "hunk"), Model::has_rows),
    (DIFF, &["["], Command::PreviousHunk, "previous-hunk", "to the previous change", NONE, Model::has_rows),
    (DIFF, &["z a", "enter"], Command::Fold, "fold", "open or close the fold under the cursor", (3, "za", "fold"), Model::has_rows),
    (DIFF, &["z R"], Command::OpenFolds, "open-folds", "open all folds", NONE, Model::has_rows),
    (DIFF, &["z M"], Command::CloseFolds, "close-folds", "close all folds", NONE, Model::has_rows),
    (DIFF, &["h", "left"], Command::Left, "left", "scroll to the left", (9, "h/l", "scroll"), Model::has_rows),
    (DIFF, &["l", "right"], Command::Right, "right", "scroll to the right", NONE, Model::has_rows),
    (DIFF, &["w"], Command::Wrap, "wrap", "wrap long lines, or cut them", (7, "w", "wrap"), Model::has_rows),
    // looking
    (LIST, &["enter"], Command::Open, "open", "open the entry: all versions, why, what next", (3, "Enter", "open"), Model::has_rows),
    (ONE, &["d"], Command::Build, "build", "build the proposed rebuild and show what it changes (writes nothing)", (2, "d", "diff"), Model::has_subject),
    (ONE, &["r"], Command::SurveyThis, "survey-this", "survey this entry, or the marked ones, now", (5, "r", "survey this"), Model::can_survey),
    (LIST, &["R"], Command::SurveyShown, "survey-shown", "survey all rows that the filter shows", (3, "R", "survey shown"), Model::can_survey_shown),
    (ALL, &["x"], Command::CancelJob, "cancel-job", "cancel the running survey; what it found is kept", (1, "x", "cancel survey"), Model::has_survey),
    (LIST, &["L"], Command::Reload, "reload", "read the registry from disk again", NONE, Model::can_reload),
    (LIST, &["p"], Command::Preview, "preview", "show or hide the preview", (11, "p", "preview"), Model::has_preview),
    (ALL, &["o"], Command::Browse, "browse", "open the upstream repository in the browser, or copy its URL", (10, "o", "upstream"), Model::has_subject),
    (ALL, &["e"], Command::Edit, "edit", "look at a copy of the data file in your editor (changes nothing)", NONE, Model::can_show),
    (ALL, &["|"], Command::Page, "pager", "look at the data file, or at the patch, in your pager", NONE, Model::can_show),
    // finding and choosing
    (LIST, &["/"], Command::Filter, "filter", "filter: words, status:WORD, kind:provider, ns:NAME, !term", (4, "/", "filter"), Model::is_loaded),
    (LIST, &["s"], Command::Sort, "sort", "choose the order of the rows", (7, "s", "sort"), Model::has_rows),
    (LIST, &["space"], Command::Mark, "mark", "mark the row and move on", (6, "Space", "mark"), Model::has_rows),
    (LIST, &["A"], Command::MarkShown, "mark-shown", "mark all rows that the filter shows", NONE, Model::has_rows),
    (LIST, &["I"], Command::Invert, "invert", "turn the marks of the shown rows round", NONE, Model::has_rows),
    (ALL, &["esc"], Command::Back, "back", "step back: clear marks, then the filter; leave a screen", (8, "Esc", "back"), Model::can_step_back),
    // copying
    (ALL, &["y a"], Command::CopyAddress, "copy-address", "copy the address", (10, "y", "copy"), Model::has_subject),
    (ALL, &["y u"], Command::CopyUrl, "copy-url", "copy the upstream URL", NONE, Model::has_subject),
    (ALL, &["y p"], Command::CopyPath, "copy-path", "copy the JSON path (diff) or the file's path", NONE, Model::has_subject),
    (ALL, &["y c"], Command::CopyLine, "copy-command", "copy the command line that does the same", NONE, Model::has_subject),
    // the program
    (ALL, &["1"], Command::ShowInventory, "show-inventory", "to the Inventory", NONE, always),
    (ALL, &["?"], Command::Help, "help", "this page", (1, "?", "help"), always),
    (ALL, &["T"], Command::Theme, "theme", "next theme", NONE, always),
    (ALL, &["q"], Command::Quit, "quit", "leave the program", (6, "q", "quit"), always),
    (ANYWHERE, &["f2"], Command::Mouse, "mouse", "mouse on or off: the wheel scrolls, a click selects a row", NONE, always),
    (ANYWHERE, &["ctrl-l"], Command::Redraw, "redraw", "draw the screen anew", NONE, always),
    (ANYWHERE, &["ctrl-z"], Command::Suspend, "suspend", "suspend the program", NONE, always),
    (ANYWHERE, &["ctrl-c"], Command::Interrupt, "interrupt", "leave a field or an overlay; never quits", NONE, always),
    // fields and overlays
    (FILTER, &["enter"], Command::Accept, "accept", "keep the filter", (1, "Enter", "keep"), always),
    (FILTER, &["esc"], Command::Cancel, "cancel", "back to the filter before", (2, "Esc", "undo"), always),
    (FILTER, &["ctrl-u"], Command::ClearField, "clear-field", "empty the field", (3, "Ctrl-u", "clear"), always),
    (FILTER, &["ctrl-w"], Command::DropWord, "drop-word", "delete the last word", NONE, always),
    (FILTER, &["down"], Command::Down, "down", "down one row", NONE, always),
    (FILTER, &["up"], Command::Up, "up", "up one row", NONE, always),
    (HELP, &["esc", "q", "?", "enter"], Command::Cancel, "close", "close", (1, "Esc", "close"), always),
    (HELP, &["j", "down", "J"], Command::Down, "down", "scroll down", (2, "j/k", "scroll"), always),
    (HELP, &["k", "up", "K"], Command::Up, "up", "scroll up", NONE, always),
    (HELP, &["pgdn", "ctrl-d", "space"], Command::PageDown, "page-down", "a page down", NONE, always),
    (HELP, &["pgup", "ctrl-u"], Command::PageUp, "page-up", "a page up", NONE, always),
    (SORT, &["esc", "q"], Command::Cancel, "close", "close, keep the order", (2, "Esc", "keep"), always),
    (SORT, &["enter"], Command::Accept, "accept", "sort like the row under the cursor", (1, "Enter", "sort"), always),
    (SORT, &["j", "down"], Command::Down, "down", "down", (3, "j/k", "move"), always),
    (SORT, &["k", "up"], Command::Up, "up", "up", NONE, always),
    (SORT, &["s"], Command::SortStatus, "sort-status", "status, then newest first", NONE, always),
    (SORT, &["n"], Command::SortNewest, "sort-newest", "newest first", NONE, always),
    (SORT, &["o"], Command::SortOldest, "sort-oldest", "oldest first", NONE, always),
    (SORT, &["a"], Command::SortAddress, "sort-address", "address", NONE, always),
    (LEAVE, &["enter", "q"], Command::Accept, "accept", "stop the survey and leave", (1, "q", "stop the survey and leave"), always),
    (LEAVE, &["esc", "n"], Command::Cancel, "cancel", "stay", (2, "Esc", "stay"), always),
];

/// All actions, in the order of the `?` page.
pub(super) fn actions() -> impl Iterator<Item = Action> {
    TABLE.iter().map(|&(contexts, chords, command, name, label, (rank, keys, word), legal)| Action {
        contexts,
        chords,
        command,
        name,
        label,
        hint: Hint { rank, keys, word },
        legal,
    })
}

/// The actions of one context, legal or not.
pub(super) fn actions_in(context: Context) -> impl Iterator<Item = Action> {
    actions().filter(move |action| action.contexts.contains(&context))
}

/// One row of the key table for people: the README, `bumpdesk keys`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRow {
    /// Where the key counts: `Inventory, one entry`.
    pub place: String,
    /// `g g, Home`.
    pub keys: String,
    /// Kebab case.
    pub name: &'static str,
    pub label: &'static str,
}

/// The whole key table, for people.
pub fn keys() -> Vec<KeyRow> {
    let join = |parts: Vec<&str>| parts.join(", ");
    actions()
        .map(|action| KeyRow {
            place: if action.contexts.len() == ANYWHERE.len() {
                "everywhere".into()
            } else {
                join(action.contexts.iter().map(|context| context.title()).collect())
            },
            keys: shown(&action),
            name: action.name,
            label: action.label,
        })
        .collect()
}

/// The keys of an action as they are printed: `g g, Home`.
pub(crate) fn shown(action: &Action) -> String {
    let keys: Vec<String> = action
        .chords
        .iter()
        .filter_map(|text| Chord::sequence(text))
        .map(|keys| keys.iter().map(Chord::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    keys.join(", ")
}

/// What the keys pressed so far mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Does(Command),
    /// The start of a sequence.
    Begins,
    /// Known here, but not legal now.
    Refused(&'static str),
    Nothing,
}

/// Looks the keys up in a context.
pub(super) fn lookup(model: &Model, context: Context, pressed: &[Chord]) -> Meaning {
    let mut meaning = Meaning::Nothing;
    for action in actions_in(context) {
        for text in action.chords {
            let Some(sequence) = Chord::sequence(text) else { continue };
            if sequence == pressed {
                let legal = (action.legal)(model);
                return if legal { Meaning::Does(action.command) } else { Meaning::Refused(action.label) };
            }
            if sequence.starts_with(pressed) && (action.legal)(model) {
                meaning = Meaning::Begins;
            }
        }
    }
    meaning
}

/// A crossterm key event as a chord; `None` for releases, Alt and keys that nothing is bound to.
pub(super) fn chord(event: KeyEvent) -> Option<Chord> {
    if event.kind == KeyEventKind::Release || event.modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    let key = match event.code {
        KeyCode::Char(letter) => Key::Char(letter),
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Esc,
        KeyCode::Tab => Key::Tab,
        KeyCode::BackTab => Key::BackTab,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::F(number) => Key::F(number),
        _ => return None,
    };
    Some(Chord { key, ctrl: event.modifiers.contains(KeyModifiers::CONTROL) })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn sequences(action: &Action) -> Vec<Vec<Chord>> {
        action
            .chords
            .iter()
            .map(|text| Chord::sequence(text).expect("every chord of the table can be read"))
            .collect()
    }

    #[test]
    fn no_key_has_two_meanings_in_a_context_and_none_begins_another() {
        for context in ANYWHERE {
            let all: Vec<(Vec<Chord>, Command)> = actions_in(*context)
                .flat_map(|action| sequences(&action).into_iter().map(move |keys| (keys, action.command)))
                .collect();
            for (place, (keys, command)) in all.iter().enumerate() {
                for (other, second) in &all[place + 1..] {
                    let clash = keys.starts_with(other) || other.starts_with(keys);
                    assert!(!clash, "{context:?}: {command:?} and {second:?} share {keys:?}");
                }
            }
        }
    }

    /// Enter opens a row of a list and a fold of a diff: both look closer. No letter has two meanings.
    #[test]
    fn the_same_key_means_the_same_in_every_screen() {
        let mut meanings: BTreeMap<String, Command> = BTreeMap::new();
        for action in actions().filter(|action| action.contexts.iter().any(|context| !context.is_overlay())) {
            for text in action.chords.iter().filter(|text| **text != "enter") {
                let known = meanings.insert((*text).to_owned(), action.command);
                assert!(known.is_none_or(|known| known == action.command), "{text} means two things");
            }
        }
    }

    #[test]
    fn names_are_kebab_case_and_labels_are_there() {
        for action in actions() {
            assert!(
                action.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'),
                "{}",
                action.name
            );
            assert!(!action.label.is_empty() && !action.contexts.is_empty() && !action.chords.is_empty());
            assert_eq!(action.hint.rank == 0, action.hint.keys.is_empty(), "{}", action.name);
        }
    }

    #[test]
    fn nothing_is_bound_to_backspace_or_alt() {
        assert!(actions().all(|action| action.chords.iter().all(|text| !text.contains("backspace"))));
        assert_eq!(chord(KeyEvent::new(KeyCode::Char('x'), KeyModifiers::ALT)), None);
        assert_eq!(chord(KeyEvent::new(KeyCode::Char('G'), KeyModifiers::SHIFT)), Chord::parse("G"));
    }
}
