//! All that the console knows: the desk, the views and what stands above them, the keys, how it looks. Plain values, changed by
//! `update` alone, drawn by `draw`.
//!
//! Each screen owns its own state; the model only says which one is seen and what stands above it.

use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use ratatui::layout::Position;

use crate::desk::ability::NextStep;
use crate::desk::form::{FormSubject, InputForm};
use crate::desk::intent::Question;
use crate::desk::telling::Message as DeskMessage;
use crate::desk::telling::shell::in_console;
use crate::desk::{Desk, Registry};
use crate::jobs::data::{Failure, Job};
use crate::registry::Address;
use crate::rules::Depth;
use crate::rules::memory::Divider;
use crate::settings::Ground;
use crate::tui::base::glyphs::Glyphs;
use crate::tui::base::layout::Size;
use crate::tui::base::theme::{Theme, Themes};
use crate::tui::keymap::{Command, Context, HOME, Keyboard, KeysFile, Subject, ViewId, ViewPlace};
use crate::tui::shell::jumps::Jumps;
use crate::tui::shell::msg::Effect;
use crate::tui::shell::views::Views;
use crate::tui::views::inventory::ViewList;
use crate::tui::views::{ActionContext, Jump, View, ViewContext};
use crate::tui::widgets::card::TextCard;
use crate::tui::widgets::diff::ValueCard;
use crate::tui::widgets::form::FormCard;
use crate::tui::widgets::help::HelpPage;
use crate::tui::widgets::message::{MESSAGE_STAYS, Message, Tone};
use crate::tui::widgets::palette::Palette;
use crate::tui::widgets::strip::Paint;

/// The options that the console starts with.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about the surroundings, no modes")]
pub struct Options {
    pub glyphs: Glyphs,
    /// All themes, in the colours that the terminal has.
    pub themes: Themes,
    /// The theme's name; without one it goes by the terminal's background.
    pub theme: Option<String>,
    /// The background that is assumed until the terminal reports its own.
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
    /// The name of the registry in the header, if its folder gives none.
    pub registry_name: Option<String>,
    /// Survey everything to this depth once the list is there.
    pub survey: Option<Depth>,
    /// A browser can be started; without one URLs are copied instead.
    pub has_browser: bool,
    /// An editor or a pager can be started.
    pub has_viewer: bool,
    /// A text can be written in an editor.
    pub has_editor: bool,
    /// The log's path, for the last words of a panic.
    pub log: Option<PathBuf>,
    /// The user's own keys, if there is a file of them.
    pub keys_file: Option<KeysFile>,
}

impl Options {
    /// The defaults: no registry, no program outside.
    pub fn new(now: Timestamp, size: Size) -> Self {
        Self {
            glyphs: Glyphs::Unicode,
            themes: Themes::default(),
            theme: None,
            ground: Ground::Dark,
            follow: false,
            mouse: true,
            no_motion: false,
            now,
            size,
            registry_hint: None,
            registry_name: None,
            survey: None,
            has_browser: false,
            has_viewer: false,
            has_editor: false,
            log: None,
            keys_file: None,
        }
    }
}

/// A window above the screen; one at most is open.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Popup {
    /// The `?` page of a view.
    Help(HelpPage),
    Palette(Palette),
    /// The sort menu, on one of its lines.
    Sort(usize),
    /// The views.
    Views(ViewList),
    /// The question before a view is deleted, above their list.
    DropView(Question),
    Leave,
    /// A question before something is done.
    Ask(Question),
    /// A long value whole.
    Value(ValueCard),
    /// A gate or a request whole.
    Text(TextCard),
    /// The triage question of one line and its answers, with the number of lines that are scrolled off.
    Triage(usize),
    /// A form that is filled in; boxed, for it is large.
    Form(Box<FormCard>),
}

impl Popup {
    /// The form of a note.
    pub(crate) fn note(&mut self) -> Option<&mut FormCard> {
        match self {
            Self::Form(card) if matches!(card.form.subject, FormSubject::Note { .. }) => Some(card),
            _ => None,
        }
    }
}

/// The whole state of the console.
#[derive(Debug)]
pub struct Model {
    pub options: Options,
    pub theme: Theme,
    pub size: Size,
    pub now: Timestamp,
    /// The time since the start, by a monotonic clock.
    pub(crate) uptime: Duration,
    pub(crate) screen: ViewId,
    pub(crate) popup: Option<Popup>,
    /// A form with a text of several lines that was left, for the next time that it opens.
    pub(crate) left_form: Option<FormCard>,
    pub keys: Keyboard,
    /// Boxed, as is `views`: they are large, and the whole model lies in the future of the loop.
    pub(crate) desk: Box<Desk>,
    pub(crate) views: Box<Views>,
    /// The way back, over all views.
    pub(crate) jumps: Jumps,
    pub(crate) message: Option<Message>,
    /// The last click, when and where.
    pub(crate) clicked: Option<(Duration, Position)>,
}

impl Model {
    pub fn new(options: Options) -> Self {
        let named = options.theme.as_deref().and_then(|name| options.themes.find(name));
        let mut model = Self {
            theme: named.unwrap_or_else(|| options.themes.of_ground(options.ground)),
            size: options.size,
            now: options.now,
            uptime: Duration::ZERO,
            screen: HOME,
            popup: None,
            left_form: None,
            keys: Keyboard::read(options.keys_file.as_ref()),
            desk: Box::new(Desk {
                registry: if options.registry_hint.is_some() { Registry::Loading } else { Registry::Missing },
                name: options.registry_name.clone(),
                ..Desk::at(options.now)
            }),
            views: Box::default(),
            jumps: Jumps::default(),
            message: None,
            clicked: None,
            options,
        };
        if !model.options.themes.problems.is_empty() {
            let problems = model.options.themes.problems.join("; ");
            model.say(Tone::Warning, format!("theme left out: {problems}"));
        }
        model
    }

    /// The first effects: they read the registry, and the memory of earlier runs.
    pub fn begin(&mut self) -> Vec<Effect> {
        if self.desk.registry == Registry::Missing {
            return Vec::new();
        }
        [Job::Load, Job::Recall]
            .map(|job| Effect::Start(self.desk.board.begin(job.clone(), self.now), job))
            .into()
    }

    /// Returns true if the model needs ticks of the clock: only while a job runs.
    pub(crate) fn is_moving(&self) -> bool {
        !self.desk.board.is_empty()
    }

    /// The divider between the panes of a view.
    pub(crate) fn divider(&self, id: ViewId) -> Divider {
        self.desk.list.divider(id.row().name)
    }

    /// The context that views and widgets are drawn with.
    pub(crate) fn paint(&self) -> Paint<'_> {
        Paint {
            theme: &self.theme,
            glyphs: self.options.glyphs,
            now: self.now,
            size: self.size,
            divider: self.divider(self.screen),
            motion: !self.options.no_motion,
            bindings: &self.keys.bindings,
            view: self.view_context(),
        }
    }

    /// The facts that a view is lent for a question.
    pub(crate) fn question_context(&self) -> ViewContext<'_> {
        ViewContext {
            desk: &self.desk,
            paint: self.paint(),
            has_viewer: self.options.has_viewer,
            open_entry: self.views.open_entry(),
            is_covered: self.popup.is_some(),
        }
    }

    /// Opens a form, with the text of several lines that was left in it before.
    pub(crate) fn open_form(&mut self, form: InputForm) {
        let left = self.left_form.take_if(|left| left.form.subject == form.subject);
        let card = match left {
            Some(left) => left.with(form),
            None => FormCard::new(form),
        };
        self.popup = Some(Popup::Form(Box::new(card)));
    }

    /// The form that waits for a job, if it has this subject.
    pub(crate) fn waiting_form(&mut self, subject: &FormSubject) -> Option<&mut FormCard> {
        match &mut self.popup {
            Some(Popup::Form(card)) if card.form.subject == *subject && card.waits => Some(card),
            _ => None,
        }
    }

    /// Ends the wait of a form: it closes, or it shows why its job failed.
    pub(crate) fn end_form(&mut self, subject: &FormSubject, failure: Option<&Failure>) {
        let Some(failure) = failure else {
            self.popup.take_if(|popup| matches!(popup, Popup::Form(card) if card.form.subject == *subject));
            return;
        };
        let why = self.in_keys(&failure.sentence());
        match self.waiting_form(subject) {
            Some(card) => card.refuse_whole(why),
            None => self.say(Tone::Error, why),
        }
    }

    /// The context that takes the keys.
    pub(crate) fn context(&self) -> Context {
        match &self.popup {
            Some(Popup::Help(_)) => Context::Help,
            Some(Popup::Palette(_)) => Context::Palette,
            Some(Popup::Sort(_)) => Context::Sort,
            Some(Popup::Views(_)) => Context::Views,
            Some(Popup::DropView(_)) => Context::DropView,
            Some(Popup::Leave) => Context::Leave,
            Some(Popup::Ask(_)) => Context::Ask,
            Some(Popup::Value(_) | Popup::Text(_)) => Context::Value,
            Some(Popup::Triage(_)) => Context::Triage,
            Some(Popup::Form(_)) => Context::Form,
            None => self.seen().and_then(View::field).unwrap_or_else(|| self.view_context()),
        }
    }

    /// The view under popups and fields.
    pub(crate) fn view_context(&self) -> Context {
        Context::View(self.screen)
    }

    /// The view that is seen.
    pub(crate) fn seen(&self) -> Option<&dyn View> {
        self.views.get(self.screen)
    }

    /// The present view, entry and filter, to come back to; `None` without an entry.
    pub(crate) fn here(&self) -> Option<Jump> {
        let address = self.subject()?.clone();
        Some(Jump { screen: self.screen, address, filter: self.desk.list.filter.clone() })
    }

    /// Notes where one is before going away from it.
    pub(crate) fn note_place(&mut self) {
        if let Some(place) = self.here() {
            self.jumps.push(place);
        }
    }

    /// Shows a view, with a note of where one was.
    pub(crate) fn go_to(&mut self, id: ViewId) {
        if self.screen != id {
            self.note_place();
        }
        self.leave_for(id);
    }

    /// Shows a view; what was seen of the Inventory stays.
    pub(crate) fn leave_for(&mut self, id: ViewId) {
        if self.screen.is_home() {
            self.views.home = self.screen;
        }
        self.screen = id;
    }

    /// Back to what was seen of the Inventory.
    pub(crate) fn go_home(&mut self) {
        self.note_place();
        self.screen = self.views.home;
    }

    /// The facts that a view is lent while it changes something, and the views beside them.
    pub(crate) fn action_context(&mut self) -> (ActionContext<'_>, &mut Views) {
        let paint = Paint {
            theme: &self.theme,
            glyphs: self.options.glyphs,
            now: self.now,
            size: self.size,
            divider: self.divider(self.screen),
            motion: !self.options.no_motion,
            bindings: &self.keys.bindings,
            view: Context::View(self.screen),
        };
        let context = ActionContext {
            desk: &mut self.desk,
            paint,
            uptime: self.uptime,
            is_seen: true,
            is_covered: self.popup.is_some(),
            note: self.popup.as_mut().and_then(Popup::note),
            requests: Vec::new(),
        };
        (context, &mut self.views)
    }

    /// Keeps the window of a view around its cursor.
    pub(crate) fn settle(&mut self, id: ViewId) {
        let divider = self.divider(id);
        let (mut context, views) = self.action_context();
        context.paint.divider = divider;
        if let Some(view) = views.get_mut(id) {
            view.settle(context.desk, &context.paint);
        }
    }

    /// The place in the header of what is seen.
    fn place(&self) -> ViewPlace {
        let place = self.seen().and_then(|view| view.header_place(&self.desk));
        place.unwrap_or(self.screen.row().place)
    }

    /// The numbered view of which something is seen.
    pub(crate) fn tab(&self) -> ViewId {
        match self.place() {
            ViewPlace::Inside(whole, _) => whole,
            ViewPlace::Numbered(_) => self.screen,
        }
    }

    /// The part of the numbered view that is seen, where that is not all.
    pub(crate) fn inside(&self) -> Option<&'static str> {
        match self.place() {
            ViewPlace::Inside(_, part) => Some(part),
            ViewPlace::Numbered(_) => None,
        }
    }

    /// The key of a command in this view, for sentences: `x`.
    pub(crate) fn key(&self, command: impl Into<Command>) -> String {
        self.keys.bindings.first(self.view_context(), command)
    }

    /// A message of the desk as text, with the keys of its next steps.
    pub(crate) fn text_of(&self, message: &DeskMessage) -> String {
        message.text_with(|step| self.key_of(step))
    }

    /// Returns a sentence of a job with its command lines replaced by keys.
    pub(crate) fn in_keys(&self, text: &str) -> String {
        in_console(text, |step| self.key_of(step))
    }

    /// The key of a next step, as the view that is seen names it.
    fn key_of(&self, step: &NextStep) -> Option<String> {
        self.seen()?.step_key(&self.paint(), step)
    }

    /// Takes the theme that was chosen by key in an earlier run, unless the settings name one.
    pub(crate) fn recall_theme(&mut self) {
        let kept = self.desk.list.theme.as_deref().filter(|_| self.options.theme.is_none());
        if let Some(theme) = kept.and_then(|name| self.options.themes.find(name)) {
            self.theme = theme;
            self.options.follow = false;
        }
    }

    pub(crate) fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.message = Some(Message { tone, text: text.into(), aside: None, at: self.uptime });
    }

    /// Says something of the whole list: in short where neither the list nor the jobs are seen.
    pub(crate) fn say_of_list(&mut self, tone: Tone, text: String, aside: String) {
        self.message = Some(Message { tone, text, aside: Some(aside), at: self.uptime });
    }

    /// The text of a message for the last line: the short form if neither the list nor the jobs are seen.
    pub(crate) fn words<'a>(&self, message: &'a Message) -> &'a str {
        let is_beside = self.popup.is_none() && self.seen().is_some_and(View::shows_list);
        message.aside.as_deref().filter(|_| !is_beside).unwrap_or(&message.text)
    }

    pub(crate) fn reply(&mut self, text: impl Into<String>) {
        self.say(Tone::Reply, text);
    }

    /// Reports why a job failed.
    pub(crate) fn fail(&mut self, failure: &Failure) {
        self.say(Tone::Error, self.in_keys(&failure.sentence()));
    }

    /// Returns true if the screen shows the progress of a job.
    pub(crate) fn shows_progress(&self) -> bool {
        self.seen().is_some_and(View::shows_progress) || self.message_shown().is_none()
    }

    /// The message, unless a running survey has more to say by now.
    pub(crate) fn message_shown(&self) -> Option<&Message> {
        let message = self.message.as_ref()?;
        let fresh = self.uptime.saturating_sub(message.at) < MESSAGE_STAYS;
        (fresh || self.desk.board.survey().is_none()).then_some(message)
    }

    /// The entry that keys act on.
    pub(crate) fn subject(&self) -> Option<&Address> {
        self.seen()?.subject(&self.desk)
    }

    /// The subject of command lines: the version that the view names, else the newest that is indexed.
    pub(crate) fn subject_of_lines(&self) -> Option<Subject<'_>> {
        let (view, address) = (self.seen()?, self.subject()?);
        let newest = || self.desk.list.verdict_of(address)?.highest_indexed.as_deref();
        Some(Subject { address, version: view.line_version(&self.desk).or_else(newest) })
    }

    pub(crate) fn is_loaded(&self) -> bool {
        matches!(self.desk.registry, Registry::Loaded(_))
    }
}
