//! One row of the action table, and the words to write it with.
//!
//! A row begins with [`act`], says for each place what the keys are (`on`) and, where it differs there, what it is called
//! (`says`) and how it stands in the footer (`hint`); then which command line does the same (`same_as`, or `screen_only`).
//! Each view says when an action can be done. The tests of the table find what was left out.

use std::borrow::Cow;

use crate::desk::intent::OnEntry;
use crate::tui::keymap::{Context, ViewId};

/// What a key means. One command is one row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Command {
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
    Views,
    NextWanting,
    PreviousWanting,
    JumpBack,
    Entry(OnEntry),
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
    CopyHash,
    /// Copies what is told as Markdown.
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
    /// Puts entries into the plan.
    Add,
    /// Plans to have versions tried again at once that wait for it.
    ClearErrors,
    /// Plans to keep a version out, for a reason.
    Block,
    /// Ignores versions until a date, for this maintainer alone.
    Ignore,
    /// Drafts a message to the author of versions.
    Message,
    Reject,
    /// Takes an approval or a rejection back.
    TakeBack,
    Note,
    Drop,
    /// Makes a pull request of the plan ready; there, opens the field for the digits that send it.
    Publish,
    /// Asks for a verdict on somebody else's pull request.
    Judge,
    /// Writes to a file what would be sent.
    WriteOut,
    /// Allows writing to GitHub for a while.
    Arm,
    Disarm,
    /// Compares what is stored with what upstream serves.
    Verify,
    /// Fills in h1 and size of what lacks them.
    Backfill,
    /// Makes the same ready for GitHub's machines.
    Dispatch,
    MoreWorkers,
    FewerWorkers,
    StopAtBad,
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
    Quit,
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
    DropView,
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

/// The command line that does the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Twin {
    /// With `ADDRESS` for the entry that is meant, `Q` for a filter, `NAME` for a name.
    Line(&'static str),
    /// Scrolling, folds, marks: nothing that a command could do.
    ScreenOnly,
}

/// How an action stands in the footer. Lower ranks stay longer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hint {
    pub(crate) rank: u8,
    pub(crate) word: &'static str,
    pub(crate) keys: HintKeys,
}

/// Which keys a hint shows.
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
    /// What it does here, if that needs words of its own.
    label: Option<&'static str>,
    pub(crate) hint: Option<Hint>,
    /// The command that does the same here, if it is another one.
    twin: Option<Twin>,
    /// What it does here, no command does, whatever the row says.
    only_here: bool,
    /// It opens a field here, into which letters are typed.
    pub(crate) opens_field: bool,
}

impl Place {
    const fn at(contexts: &'static [Context], keys: &'static [&'static str]) -> Self {
        Self { contexts, keys, label: None, hint: None, twin: None, only_here: false, opens_field: false }
    }
}

const PLACES: usize = 20;

/// One row of the table.
#[derive(Debug)]
pub(crate) struct Action {
    /// Kebab case, for the key file and the palette.
    pub(crate) name: &'static str,
    pub(crate) command: Command,
    /// What it does.
    pub(crate) label: &'static str,
    places: [Place; PLACES],
    count: usize,
    /// `None` only in a row that is not finished.
    pub(crate) twin: Option<Twin>,
}

/// Begins a row.
pub(crate) const fn act(name: &'static str, command: Command, label: &'static str) -> Action {
    let nowhere = Place::at(&[], &[]);
    Action { name, command, label, places: [nowhere; PLACES], count: 0, twin: None }
}

impl Action {
    /// Its keys in these contexts.
    pub(crate) const fn on(mut self, contexts: &'static [Context], keys: &'static [&'static str]) -> Self {
        self.places[self.count] = Place::at(contexts, keys);
        self.count += 1;
        self
    }

    /// What it does in the contexts said last.
    pub(crate) const fn says(mut self, label: &'static str) -> Self {
        self.places[self.count - 1].label = Some(label);
        self
    }

    /// Which command does the same in the contexts said last.
    pub(crate) const fn like(mut self, line: &'static str) -> Self {
        self.places[self.count - 1].twin = Some(Twin::Line(line));
        self
    }

    /// How it stands in the footer, in the contexts said last.
    pub(crate) const fn hint(self, rank: u8, word: &'static str) -> Self {
        self.hinted(rank, word, HintKeys::First)
    }

    pub(crate) const fn hinted(mut self, rank: u8, word: &'static str, keys: HintKeys) -> Self {
        self.places[self.count - 1].hint = Some(Hint { rank, word, keys });
        self
    }

    /// No command does what it does in the contexts said last.
    pub(crate) const fn only_here(mut self) -> Self {
        self.places[self.count - 1].only_here = true;
        self
    }

    /// It opens a field in the contexts said last.
    pub(crate) const fn opens_field(mut self) -> Self {
        self.places[self.count - 1].opens_field = true;
        self
    }

    pub(crate) const fn same_as(mut self, line: &'static str) -> Self {
        self.twin = Some(Twin::Line(line));
        self
    }

    pub(crate) const fn screen_only(mut self) -> Self {
        self.twin = Some(Twin::ScreenOnly);
        self
    }

    pub(crate) fn places(&self) -> &[Place] {
        &self.places[..self.count]
    }

    pub(crate) fn contexts(&self) -> impl Iterator<Item = Context> {
        self.places().iter().flat_map(|place| place.contexts).copied()
    }

    pub(crate) fn place_in(&self, context: Context) -> Option<&Place> {
        self.places().iter().find(|place| place.contexts.contains(&context))
    }

    /// The command line that does what it does in one context.
    pub(crate) fn line_at(&self, place: &Place) -> Option<&'static str> {
        match place.twin.or(self.twin) {
            Some(Twin::Line(line)) if !place.only_here => Some(line),
            _ => None,
        }
    }

    /// What it does in one context.
    pub(crate) fn label_at(&self, place: &Place) -> &'static str {
        place.label.unwrap_or(self.label)
    }
}

impl Command {
    /// It opens a field wherever it has a key, into which letters are typed.
    pub(crate) fn opens_field(self) -> bool {
        matches!(
            self,
            Self::Note
                | Self::Block
                | Self::Ignore
                | Self::Backfill
                | Self::Judge
                | Self::Dispatch
                | Self::SaveView
                | Self::Arm
                | Self::Palette
                | Self::Help
                | Self::Filter
        )
    }

    /// It marks, says, begins or ends something: more than a look. Leaving is none of it: nothing is lost, and what runs is
    /// asked about.
    pub(crate) fn changes(self) -> bool {
        let marks = matches!(self, Self::Mark | Self::MarkShown | Self::Invert | Self::Range);
        let decides = matches!(
            self,
            Self::Add | Self::ClearErrors | Self::Reject | Self::TakeBack | Self::Drop | Self::DropView
        );
        marks || decides || matches!(self, Self::SurveyThis | Self::CancelJob | Self::Publish)
    }

    /// It only moves to another row, change, file or view. Nobody scrolls sideways on the way to what is to be done.
    pub(crate) fn moves(self) -> bool {
        let over_changes =
            matches!(self, Self::NextHunk | Self::PreviousHunk | Self::NextFile | Self::PreviousFile);
        let context = matches!(self, Self::MoreContext | Self::LessContext);
        let on = matches!(self, Self::NextWanting | Self::PreviousWanting | Self::Show(_));
        let other_pane = matches!(self, Self::OtherDown | Self::OtherUp);
        self.motion(1).is_some() || over_changes || context || on || other_pane
    }

    /// It changes something, begins what takes time, or goes out of the console: nothing that a letter of a text may do.
    pub(crate) fn acts(self) -> bool {
        let begins = matches!(
            self,
            Self::SurveyShown
                | Self::Verify
                | Self::Backfill
                | Self::Reload
                | Self::Note
                | Self::Block
                | Self::Ignore
                | Self::Judge
                | Self::Dispatch
                | Self::SaveView
                | Self::Arm
        );
        let steers =
            matches!(self, Self::MoreWorkers | Self::FewerWorkers | Self::StopAtBad | Self::ClearDone);
        let shows = matches!(self, Self::Browse | Self::Edit | Self::Page | Self::Theme | Self::Quit);
        let copies = matches!(
            self,
            Self::CopyAddress
                | Self::CopyUrl
                | Self::CopyPath
                | Self::CopyLine
                | Self::CopyHash
                | Self::CopyMarkdown
                | Self::CopyJson
                | Self::Message
        );
        self.changes() || begins || steers || shows || copies
    }

    /// How many lines it moves where so many are seen; the first and the last one are as far as can be. `None`: it moves none.
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
