//! Everything that is shown, and nothing else: plain values, changed by `update` alone, drawn by `view`.
//!
//! Each screen owns its own state; the model only says which one is seen and what stands above it.

use std::path::PathBuf;

use jiff::Timestamp;

use crate::desk::board::Board;
use crate::jobs::{Failure, Job};
use crate::registry::Address;
use crate::rules::Depth;
use crate::settings::Ground;
use crate::tui::glyphs::Glyphs;
use crate::tui::keymap::{Command, Context, Keyboard, KeysFile};
use crate::tui::layout;
use crate::tui::layout::{Class, Size};
use crate::tui::msg::Effect;
use crate::tui::outside::Outside;
use crate::tui::screens::diff::DiffScreen;
use crate::tui::screens::entry::EntryScreen;
use crate::tui::screens::inventory::{Inventory, NameField, ViewList};
use crate::tui::screens::{changes, jobs, verify};
use crate::tui::theme::{Shelf, Theme};
use crate::tui::views::Views;
use crate::tui::widgets::ask::Ask;
use crate::tui::widgets::diff::ValueCard;
use crate::tui::widgets::help::HelpPage;
use crate::tui::widgets::note::NoteCard;
use crate::tui::widgets::palette::Palette;
use crate::tui::widgets::search::Search;
use crate::tui::widgets::story;
use crate::tui::widgets::strip::Paint;

/// What the console is started with.
#[derive(Clone, Debug)]
pub struct Options {
    pub glyphs: Glyphs,
    /// All themes, in the colours that the terminal has.
    pub themes: Shelf,
    /// The theme's name; without one it goes by the terminal's background.
    pub theme: Option<String>,
    /// What the background is taken for until the terminal says.
    pub ground: Ground,
    /// The theme goes with the terminal's background; ends when somebody chooses one.
    pub follow: bool,
    /// The mouse is ours.
    pub mouse: bool,
    /// No bars that move; figures only.
    pub no_motion: bool,
    pub now: Timestamp,
    pub size: Size,
    /// The folder or name of the registry that will be read; `None` if none was found: the first-run screen.
    pub registry_hint: Option<String>,
    /// What the header calls the registry, where its folder says nothing.
    pub registry_name: Option<String>,
    /// Survey everything to this depth once the list is there.
    pub survey: Option<Depth>,
    /// Programs outside; without a browser URLs are copied instead.
    pub outside: Outside,
    /// The log's path, for the last words of a panic.
    pub log: Option<PathBuf>,
    /// The user's own keys, if there is a file of them.
    pub keys_file: Option<KeysFile>,
}

impl Options {
    /// What counts where nobody said anything: no registry, nothing outside.
    pub fn new(now: Timestamp, size: Size) -> Self {
        Self {
            glyphs: Glyphs::Unicode,
            themes: Shelf::default(),
            theme: None,
            ground: Ground::Dark,
            follow: false,
            mouse: false,
            no_motion: false,
            now,
            size,
            registry_hint: None,
            registry_name: None,
            survey: None,
            outside: Outside::default(),
            log: None,
            keys_file: None,
        }
    }
}

/// What is seen. The popup stands above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    Inventory,
    Entry,
    Diff,
    Changes,
    Verify,
    Jobs,
}

impl Screen {
    /// Whether it belongs to the Inventory, the first view; the others are views of their own.
    pub(crate) fn is_home(self) -> bool {
        matches!(self, Self::Inventory | Self::Entry | Self::Diff)
    }
}

/// What stands above the screen; one at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Popup {
    /// The `?` page of a view.
    Help(HelpPage),
    Palette(Palette),
    /// The sort menu, on one of its lines.
    Sort(usize),
    /// The views.
    Views(ViewList),
    /// The name under which a view is saved.
    NameView(NameField),
    /// The question before a view is deleted.
    DropView(String),
    Leave,
    /// A question before something is done.
    Ask(Ask),
    /// A note that is being written.
    Note(NoteCard),
    /// A long value whole.
    Value(ValueCard),
}

impl Popup {
    /// It waits for what is typed into it to be saved.
    pub(crate) fn is_saving(&self) -> bool {
        match self {
            Self::NameView(asked) => asked.saving,
            Self::Note(note) => note.saving,
            _ => false,
        }
    }
}

/// The registry, as far as it is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Registry {
    /// No registry was found: the first-run screen.
    Missing,
    Loading,
    Failed(Failure),
    Loaded(Facts),
}

/// What the header says of a loaded registry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    pub(crate) name: String,
    pub(crate) revision: String,
    pub(crate) last_bump: Option<Timestamp>,
    pub(crate) has_token: bool,
    pub(crate) keeps: bool,
}

/// How a message is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// The answer to a key; gone with the next one.
    Reply,
    Notice,
    Warning,
    Error,
}

/// The last message. While a survey runs it gives way to the progress after four seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub(crate) tone: Tone,
    pub(crate) text: String,
    pub(crate) at: Timestamp,
}

/// The whole state of the console.
#[derive(Debug)]
pub struct Model {
    pub options: Options,
    pub theme: Theme,
    pub size: Size,
    pub now: Timestamp,
    pub screen: Screen,
    pub popup: Option<Popup>,
    pub keys: Keyboard,
    pub registry: Registry,
    pub inventory: Inventory,
    pub entry: Option<EntryScreen>,
    pub diff: Option<DiffScreen>,
    /// Boxed: it is large, and the whole model lies in the future of the loop.
    pub views: Box<Views>,
    pub(crate) board: Board,
    pub message: Option<Message>,
}

const MESSAGE_SECONDS: i64 = 4;

impl Model {
    pub fn new(options: Options) -> Self {
        let named = options.theme.as_deref().and_then(|name| options.themes.find(name));
        let mut model = Self {
            theme: named.unwrap_or_else(|| options.themes.of_ground(options.ground)),
            size: options.size,
            now: options.now,
            screen: Screen::Inventory,
            popup: None,
            keys: Keyboard::read(options.keys_file.as_ref()),
            registry: if options.registry_hint.is_some() { Registry::Loading } else { Registry::Missing },
            inventory: Inventory::at(options.now),
            entry: None,
            diff: None,
            views: Box::default(),
            board: Board::default(),
            message: None,
            options,
        };
        if !model.options.themes.problems.is_empty() {
            let problems = model.options.themes.problems.join("; ");
            model.say(Tone::Warning, format!("theme left out: {problems}"));
        }
        model
    }

    /// What to do first: read the registry, and what earlier runs kept.
    pub fn begin(&mut self) -> Vec<Effect> {
        if self.registry == Registry::Missing {
            return Vec::new();
        }
        [Job::Load, Job::Recall].map(|job| Effect::Start(self.board.begin(job.clone(), self.now), job)).into()
    }

    /// Whether time has to be told: only while a job runs.
    pub(crate) fn is_moving(&self) -> bool {
        !self.board.is_empty()
    }

    pub(crate) fn glyphs(&self) -> Glyphs {
        self.options.glyphs
    }

    /// Where keys go.
    pub(crate) fn context(&self) -> Context {
        match &self.popup {
            Some(Popup::Help(_)) => Context::Help,
            Some(Popup::Palette(_)) => Context::Palette,
            Some(Popup::Sort(_)) => Context::Sort,
            Some(Popup::Views(_)) => Context::Views,
            Some(Popup::NameView(_)) => Context::NameView,
            Some(Popup::DropView(_)) => Context::DropView,
            Some(Popup::Leave) => Context::Leave,
            Some(Popup::Ask(_)) => Context::Ask,
            Some(Popup::Note(_)) => Context::Note,
            Some(Popup::Value(_)) => Context::Value,
            None if self.search().is_some_and(|search| search.typing) => Context::Search,
            None if self.screen == Screen::Inventory && self.inventory.typing.is_open() => Context::Filter,
            None => self.view_context(),
        }
    }

    /// The view under popups and fields.
    pub(crate) fn view_context(&self) -> Context {
        match self.screen {
            Screen::Inventory => Context::Inventory,
            Screen::Entry => Context::Entry,
            Screen::Diff => Context::Diff,
            Screen::Changes => Context::Changes,
            Screen::Verify => Context::Verify,
            Screen::Jobs => Context::Jobs,
        }
    }

    /// The search of the pane that is seen.
    pub(crate) fn search(&self) -> Option<&Search> {
        match self.screen {
            Screen::Diff => self.diff.as_ref().map(|diff| &diff.pane.search),
            Screen::Changes => self.views.changes.review.as_ref().map(|review| &review.pane.search),
            Screen::Jobs => Some(&self.views.jobs.search),
            Screen::Inventory | Screen::Entry | Screen::Verify => None,
        }
    }

    /// The key of a command in this view, for sentences: `x`.
    pub(crate) fn key(&self, command: Command) -> String {
        self.keys.bindings.first(self.view_context(), command)
    }

    pub(crate) fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.message = Some(Message { tone, text: text.into(), at: self.now });
    }

    pub(crate) fn reply(&mut self, text: impl Into<String>) {
        self.say(Tone::Reply, text);
    }

    /// Whether how far a job is stands somewhere on the screen.
    pub(crate) fn shows_progress(&self) -> bool {
        matches!(self.screen, Screen::Jobs | Screen::Verify) || self.message_shown().is_none()
    }

    /// The message, unless a running survey has more to say by now.
    pub(crate) fn message_shown(&self) -> Option<&Message> {
        let message = self.message.as_ref()?;
        let fresh = self.now.as_second() - message.at.as_second() < MESSAGE_SECONDS;
        (fresh || self.board.survey().is_none()).then_some(message)
    }

    /// The entry that keys act on.
    pub(crate) fn subject(&self) -> Option<&Address> {
        match self.screen {
            Screen::Inventory => self.inventory.selected().map(|row| &row.address),
            Screen::Entry => self.entry.as_ref().map(|entry| &entry.address),
            Screen::Diff => self.diff.as_ref().map(|diff| &diff.address),
            Screen::Changes => self.views.changes.file().map(|file| &file.address),
            Screen::Verify => self.views.verify.row().map(|row| &row.address),
            Screen::Jobs => None,
        }
    }

    pub(crate) fn is_loaded(&self) -> bool {
        matches!(self.registry, Registry::Loaded(_))
    }

    pub(crate) fn has_rows(&self) -> bool {
        match self.screen {
            Screen::Inventory => self.inventory.line_count() > 0,
            Screen::Entry => self.entry.as_ref().is_some_and(|entry| !entry.rows.is_empty()),
            Screen::Diff => self.diff.as_ref().is_some_and(DiffScreen::has_lines),
            Screen::Changes => self.views.changes.file().is_some(),
            Screen::Verify => self.views.verify.line_count() > 0,
            Screen::Jobs => !jobs::rows(self).is_empty(),
        }
    }

    pub(crate) fn has_subject(&self) -> bool {
        self.subject().is_some()
    }

    pub(crate) fn has_preview(&self) -> bool {
        self.is_loaded() && matches!(self.size.class(), Class::Wide | Class::Medium)
    }

    pub(crate) fn can_step_back(&self) -> bool {
        self.screen != Screen::Inventory
            || self.inventory.has_range()
            || self.inventory.list.mark_count() > 0
            || !self.inventory.list.filter.is_empty()
    }

    /// Rows of the list that is seen.
    pub(crate) fn page(&self) -> usize {
        let area = match self.screen {
            Screen::Inventory => layout::inventory(self.size, self.inventory.wish()).list,
            Screen::Entry => layout::entry(self.size).list,
            Screen::Diff => self.diff_parts().lines,
            Screen::Changes => changes::parts(self).lines,
            Screen::Verify => verify::parts(self.size).list,
            Screen::Jobs => jobs::parts(self.size).list,
        };
        usize::from(area.height).max(1)
    }

    pub(crate) fn diff_parts(&self) -> layout::DiffParts {
        let findings = self.diff.as_ref().map_or(&[][..], |diff| &diff.findings);
        let lines = story::findings(&Paint::of(self), findings, self.size.columns).len();
        layout::diff(self.size, lines)
    }
}
