//! One row of the table of keys, and the words to write it with.
//!
//! A row is a role: a name in the key file, and one letter with one meaning. It begins with [`act`] if the console does it, or
//! with [`role`] if each place of it is an ability of the desk. Then come the places: the keys (`on`, or `to` an ability) and,
//! where a place differs, its label (`says`), its hint in the footer (`hint`), its command line (`like`, `only_here`) and the
//! next steps that its keys take besides (`also`).
//! Each view says when an action can be done. A row or a place that leaves something out does not compile.

use std::borrow::Cow;

use crate::desk::ability::Ability;
use crate::tui::keymap::section::Section;
use crate::tui::keymap::{Context, ViewId};

/// The meaning of a key in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Command {
    /// Does an ability of the desk, with what is selected in the view.
    Do(Ability),
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
    Range,
    SaveView,
    NextWanting,
    PreviousWanting,
    JumpBack,
    Preview,
    /// The divider between two panes to the left, or up.
    DividerBack,
    /// The divider to the right, or down.
    DividerOn,
    /// The pane with the keys alone, and back.
    Zoom,
    Edit,
    Page,
    CopyAddress,
    CopyUrl,
    CopyLine,
    CopyHash,
    /// Copies the text as Markdown.
    CopyMarkdown,
    /// Copies the objects that its command prints.
    CopyJson,
    NextHunk,
    PreviousHunk,
    Fold,
    OpenFolds,
    CloseFolds,
    Wrap,
    NextFile,
    PreviousFile,
    MoreContext,
    LessContext,
    Layout,
    OtherPane,
    OnlyErrors,
    ClearDone,
    /// Shows a numbered view.
    Show(ViewId),
    Palette,
    Help,
    Theme,
    Redraw,
    Suspend,
    Mouse,
    Interrupt,
    /// In overlays and fields: take what is chosen.
    Accept,
    /// In overlays and fields: leave without it.
    Close,
    /// In the filter: complete what was typed.
    Complete,
    NextLine,
    PreviousLine,
    NextPage,
    PreviousPage,
    /// In a form: to the next field.
    NextField,
    PreviousField,
    /// In a text of several lines: write it in an editor.
    EditText,
    ClearField,
    DropWord,
    SortStatus,
    SortNewest,
    SortOldest,
    SortAddress,
    SortBehind,
    GroupNone,
    GroupStatus,
    GroupNamespace,
    GroupKind,
}

/// Why an action cannot be done now: plain words that can stand alone on the message line.
pub(crate) type Reason = Cow<'static, str>;

/// `Ok` if a command can be done now, or the reason why it cannot.
pub(crate) type Availability = Result<(), Reason>;

/// The shell's check of a command.
pub(crate) type Check<'a> = &'a dyn Fn(Command) -> Availability;

/// The answer that a command cannot be done, with the reason.
pub(crate) fn refuse<T>(reason: impl Into<Reason>) -> Result<T, Reason> {
    Err(reason.into())
}

/// The hint of a place in the footer. Lower ranks stay longer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hint {
    pub(crate) rank: u8,
    pub(crate) word: &'static str,
    pub(crate) keys: HintKeys,
}

/// The keys that a hint shows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum HintKeys {
    /// The action's first key.
    First,
    /// Its first key and that of its counterpart: `j/k`.
    With(Command),
    /// The key that begins its sequence, which begins those of its neighbours as well: `y`.
    Begin,
}

/// The keys of an action in some contexts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) contexts: &'static [Context],
    /// Each a key or a sequence: `g g`.
    pub(crate) keys: &'static [&'static str],
    pub(crate) command: Command,
    /// The effect of the keys here, for key lists and the palette.
    pub(crate) label: &'static str,
    /// The command line that does the same here; `None` if only the screen does it.
    pub(crate) line: Option<&'static str>,
    pub(crate) hint: Option<Hint>,
    /// The next steps that the keys take besides the ability itself.
    also: &'static [Ability],
}

impl Place {
    /// Returns true if the keys do a command here, or take the step to its ability.
    pub(crate) fn takes(&self, command: Command) -> bool {
        let is_step = |ability| self.also.contains(&ability);
        self.command == command || matches!(command, Command::Do(ability) if is_step(ability))
    }
}

const PLACES: usize = 32;

/// The line of an action that no command does: scrolling, folds, marks.
pub(crate) const SCREEN_ONLY: Option<&'static str> = None;

/// One row of the table.
#[derive(Debug)]
pub(crate) struct Action {
    /// Kebab case, for the key file and the palette.
    pub(crate) name: &'static str,
    /// The group in which lists of keys show it.
    pub(crate) section: Section,
    /// The command of the places that name no ability.
    own: Option<Place>,
    places: [Option<Place>; PLACES],
    count: usize,
}

/// Begins a row of a command of the console. `line` is the command line that does the same, with `ADDRESS` for the entry under
/// the cursor, `Q` for a filter, `NAME` for a name.
pub(crate) const fn act(
    name: &'static str,
    section: Section,
    command: Command,
    label: &'static str,
    line: Option<&'static str>,
) -> Action {
    let own = Place { contexts: &[], keys: &[], command, label, line, hint: None, also: &[] };
    Action { own: Some(own), ..role(name, section) }
}

/// Begins a row whose places are abilities.
pub(crate) const fn role(name: &'static str, section: Section) -> Action {
    Action { name, section, own: None, places: [None; PLACES], count: 0 }
}

impl Action {
    /// The keys of its own command in these contexts.
    pub(crate) const fn on(self, contexts: &'static [Context], keys: &'static [&'static str]) -> Self {
        let own = self.own.expect("a role has no command of its own");
        self.with(Place { contexts, keys, ..own })
    }

    /// The keys of an ability in these contexts.
    pub(crate) const fn to(
        self,
        contexts: &'static [Context],
        keys: &'static [&'static str],
        ability: Ability,
    ) -> Self {
        let row = ability.row();
        let command = Command::Do(ability);
        self.with(Place {
            contexts,
            keys,
            command,
            label: row.does,
            line: row.command,
            hint: None,
            also: &[],
        })
    }

    const fn with(mut self, place: Place) -> Self {
        self.places[self.count] = Some(place);
        self.count += 1;
        self
    }

    /// Changes the last place.
    const fn last(mut self, place: Place) -> Self {
        self.places[self.count - 1] = Some(place);
        self
    }

    const fn place(&self) -> Place {
        self.places[self.count - 1].expect("a row begins with a place")
    }

    /// Gives the last place a label of its own.
    pub(crate) const fn says(self, label: &'static str) -> Self {
        let place = self.place();
        self.last(Place { label, ..place })
    }

    /// Gives the last place a command line of its own.
    pub(crate) const fn like(self, line: &'static str) -> Self {
        let place = self.place();
        self.last(Place { line: Some(line), ..place })
    }

    /// No command does the same in the last place.
    pub(crate) const fn only_here(self) -> Self {
        let place = self.place();
        self.last(Place { line: SCREEN_ONLY, ..place })
    }

    /// Puts the last place into the footer.
    pub(crate) const fn hint(self, rank: u8, word: &'static str) -> Self {
        self.hinted(rank, word, HintKeys::First)
    }

    pub(crate) const fn hinted(self, rank: u8, word: &'static str, keys: HintKeys) -> Self {
        let place = self.place();
        self.last(Place { hint: Some(Hint { rank, word, keys }), ..place })
    }

    /// The keys of the last place take these next steps as well.
    pub(crate) const fn also(self, also: &'static [Ability]) -> Self {
        let place = self.place();
        self.last(Place { also, ..place })
    }

    pub(crate) fn places(&self) -> impl Iterator<Item = &Place> {
        self.places.iter().flatten()
    }

    /// The ability of its first place that has one, or that its first place leads to.
    pub(crate) fn ability(&self) -> Option<Ability> {
        let done = self.places().find_map(|place| match place.command {
            Command::Do(ability) => Some(ability),
            _ => None,
        });
        done.or_else(|| self.places().next()?.also.first().copied())
    }

    pub(crate) fn contexts(&self) -> impl Iterator<Item = Context> {
        self.places().flat_map(|place| place.contexts).copied()
    }

    pub(crate) fn place_in(&self, context: Context) -> Option<&Place> {
        self.places().find(|place| place.contexts.contains(&context))
    }
}

impl From<Ability> for Command {
    fn from(ability: Ability) -> Self {
        Self::Do(ability)
    }
}

impl Command {
    /// It opens a field, into which letters are typed.
    pub(crate) fn opens_field(self) -> bool {
        match self {
            Self::Do(ability) => ability.row().opens_field,
            _ => matches!(self, Self::SaveView | Self::Palette | Self::Help | Self::Filter),
        }
    }

    /// The number of lines that it moves, where `page` lines are seen; the first and the last line are as far as can be. `None` if
    /// it moves none.
    pub(crate) fn motion(self, page: usize) -> Option<isize> {
        let (half, whole) = ((page / 2).max(1) as isize, page.max(1) as isize);
        Some(match self {
            Self::Down => 1,
            Self::Up => -1,
            Self::HalfDown => half,
            Self::HalfUp => -half,
            Self::PageDown => whole,
            Self::PageUp => -whole,
            Self::Top => isize::MIN,
            Self::Bottom => isize::MAX,
            _ => return None,
        })
    }
}
