//! One folder a view: its state, the effects of its keys, and its drawing.
//!
//! Views are values. They start no jobs, and see neither the model nor other views. They return requests to the shell.

pub(super) mod backfill;
pub(super) mod changes;
pub(super) mod diff;
pub(super) mod entry;
pub(super) mod inventory;
pub(super) mod jobs;
pub(super) mod pull;
pub(super) mod review_diff;
pub(super) mod reviews;
pub(super) mod stranded;
pub(super) mod verify;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::ability::{Ability, Needs, NextStep};
use crate::desk::form::{FormSubject, InputForm};
use crate::desk::hear::Changed;
use crate::desk::intent::{Begun, EntrySelection, Intent, Operands, Steered};
use crate::desk::objects::{EntryObject, VerdictObject};
use crate::desk::targets::TargetSort;
use crate::desk::telling::shell::in_console;
use crate::desk::telling::{Message, markdown};
use crate::desk::{Desk, objects};
use crate::jobs::data::{Failure, Job, JobId, MOST_WORKERS, Opened, Steer};
use crate::registry::Address;
use crate::rules::amount::counted;
use crate::rules::diff::Lines;
use crate::rules::plain_text::shell_word;
use crate::tui::base::layout::Area;
use crate::tui::keymap::chord::Chord;
use crate::tui::keymap::{Availability, Command, Context, Reason, ViewId, ViewPlace, next_step, refuse};
use crate::tui::widgets::card::TextCard;
use crate::tui::widgets::diff::ValueCard;
use crate::tui::widgets::form::FormCard;
use crate::tui::widgets::legend::Legend;
use crate::tui::widgets::message::Tone;
use crate::tui::widgets::search::{Search, Typed};
use crate::tui::widgets::strip::Paint;
use crate::tui::widgets::table::SortMenu;

/// A place to come back to: a screen, an entry, and the filter that showed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Jump {
    pub(crate) screen: ViewId,
    pub(crate) address: Address,
    pub(crate) filter: String,
}

/// Input for the field that is open in a view.
#[derive(Clone, Copy)]
pub(crate) enum FieldInput<'a> {
    /// A key that is text, as far as the field takes it.
    Key(Chord),
    Paste(&'a str),
    Command(Command),
}

/// The effect of an input on a filter of plain words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FilterEdit {
    Changed,
    /// The wheel moves over the rows that are found.
    Moved(isize),
    Nothing,
}

impl FieldInput<'_> {
    /// Types into a search.
    pub(crate) fn search(self, search: &mut Search) -> Typed {
        match self {
            Self::Key(chord) => search.type_key(chord),
            Self::Paste(text) => search.edit(|field| field.paste(text)),
            Self::Command(command) => search.act(command),
        }
    }

    /// Types into a filter of plain words.
    pub(crate) fn type_into(self, filter: &mut Search) -> FilterEdit {
        if let Self::Command(command) = self
            && let Some(by) = command.motion(1)
        {
            return FilterEdit::Moved(by);
        }
        if self.search(filter) == Typed::Changed { FilterEdit::Changed } else { FilterEdit::Nothing }
    }
}

/// The orders of the targets of a run, each with the command whose key chooses it.
const TARGET_SORTS: [(TargetSort, &str, Option<Command>); 2] = [
    (TargetSort::Worst, TargetSort::Worst.label(), Some(Command::SortStatus)),
    (TargetSort::Address, TargetSort::Address.label(), Some(Command::SortAddress)),
];

/// Something that a view requests of the shell.
pub(crate) enum ViewRequest {
    /// Say something about the key that was pressed.
    Say(String),
    /// Report something that no key asked for, such as the end of a job.
    Report(Tone, String),
    /// Report why a job failed.
    Fail(Failure),
    /// End the wait of the form with this subject. If its job failed, the form can be changed.
    EndForm(FormSubject, Option<Failure>),
    /// Have the desk do something.
    Act(Intent),
    /// Have the desk do something, and say this if it begins.
    ActAndSay(Intent, String),
    /// Show what the desk has begun, and have it done.
    Begin(Begun),
    /// Start a job that only reads, unless it is running already.
    Start(Job),
    /// Forget a job whose answer is no longer wanted.
    Abandon(JobId),
    /// Copy a text, and say this.
    Copy {
        text: String,
        says: String,
    },
    /// Show a long value whole.
    Value(ValueCard),
    /// Show a text whole.
    Text(TextCard),
    /// Open a form.
    Form(InputForm),
    /// Close the form of a note: it is kept.
    CloseNote,
    /// Note a place that the cursor jumps away from.
    NotePlace(Jump),
    /// Show what would be sent to GitHub.
    ShowSending,
    /// Show the lines of a pull request, by its number.
    ShowDifferences(u64),
    /// Back to the view that this one is a part of. `reads`: that view begins as it does when its key shows it.
    ToWhole {
        reads: bool,
    },
    /// Back to a view that was seen before.
    Leave(ViewId),
    /// Back to what was seen of the Inventory.
    Home,
    OpenSortMenu,
    OpenViewList,
}

/// The facts that the shell lends a view for a question.
pub(crate) struct ViewContext<'a> {
    pub(crate) desk: &'a Desk,
    pub(crate) paint: Paint<'a>,
    /// An editor or a pager can be started.
    pub(crate) has_viewer: bool,
    /// The entry that is open, as it was read.
    pub(crate) open_entry: Option<&'a Opened>,
    /// Something stands above the view.
    pub(crate) is_covered: bool,
}

impl ViewContext<'_> {
    /// The key of a command in the view that is seen.
    pub(crate) fn key(&self, command: impl Into<Command>) -> String {
        self.paint.key(command)
    }
}

/// The facts that the shell lends a view while it changes something: a key is taken, or there is news.
pub(crate) struct ActionContext<'a> {
    pub(crate) desk: &'a mut Desk,
    pub(crate) paint: Paint<'a>,
    /// The time since the console started.
    pub(crate) uptime: Duration,
    /// The view is on the screen.
    pub(crate) is_seen: bool,
    /// Something stands above the view that is on the screen.
    pub(crate) is_covered: bool,
    /// The form of a note that is open above the view.
    pub(crate) note: Option<&'a mut FormCard>,
    pub(crate) requests: Vec<ViewRequest>,
}

impl ActionContext<'_> {
    pub(crate) fn request(&mut self, request: ViewRequest) {
        self.requests.push(request);
    }

    pub(crate) fn reply(&mut self, text: impl Into<String>) {
        self.request(ViewRequest::Say(text.into()));
    }

    pub(crate) fn report(&mut self, tone: Tone, text: String) {
        self.request(ViewRequest::Report(tone, text));
    }

    pub(crate) fn fail(&mut self, failure: &Failure) {
        self.request(ViewRequest::Fail(failure.clone()));
    }

    /// Copies a text that the message line shows after these words.
    pub(crate) fn copy(&mut self, words: &str, text: String) {
        self.request(ViewRequest::Copy { says: format!("copying {words}{text}"), text });
    }

    /// Pauses a job that downloads, or resumes it; `ability` is the key that does.
    pub(crate) fn pause(&mut self, ability: Ability, steered: Steered) {
        let Some((steer, _)) = self.steer(steered) else { return };
        let says = if steer.is_paused {
            "resumed".to_owned()
        } else {
            format!("paused; running downloads finish; {} resumes", self.paint.key(ability))
        };
        self.request(ViewRequest::ActAndSay(Intent::Pause(steered, !steer.is_paused), says));
    }

    /// Changes how many downloads run at once.
    pub(crate) fn change_workers(&mut self, steered: Steered, by: isize) {
        let Some((_, now)) = self.steer(steered) else { return };
        let to = now.saturating_add_signed(by).clamp(1, MOST_WORKERS);
        let limit = match to {
            _ if to != now => "",
            1 => ", the fewest",
            _ => ", the most",
        };
        let says = format!("{} at once{limit}", counted(to, "download"));
        self.request(ViewRequest::ActAndSay(Intent::Workers(steered, to), says));
    }

    /// The way a job was steered so far, and the number of its downloads at once.
    fn steer(&self, steered: Steered) -> Option<(Steer, usize)> {
        let (steer, planned) = match steered {
            Steered::Verification => self.desk.run.as_ref().map(|run| (run.steer, run.plan.workers))?,
            Steered::Backfill => self.desk.filling.as_ref().map(|one| (one.steer, one.run.limits.workers))?,
        };
        Some((steer, steer.workers.unwrap_or(planned)))
    }
}

/// A text for the clipboard, and what it is called.
pub(crate) struct CopyText {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl CopyText {
    /// The Markdown, or the JSON objects that a command prints, whichever `command` copies.
    pub(crate) fn new(
        name: String,
        command: Command,
        markdown: impl FnOnce() -> String,
        json: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
    ) -> Self {
        let text = if command == Command::CopyJson {
            let mut out = Vec::new();
            json(&mut out).expect("memory takes it, and our objects are JSON");
            String::from_utf8(out).expect("JSON is text")
        } else {
            markdown()
        };
        Self { name, text }
    }
}

/// The interface of a view to the shell.
///
/// A view answers for its own commands: when one is available, its word in the footer, its copied text. Behaviour that most views
/// share is a default here, about the entry that keys act on.
pub(crate) trait View {
    /// Draws it between header and footer; gives the cell where the terminal's cursor belongs.
    fn draw(&self, desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position>;

    /// The meaning of its columns, signs and figures, for the page of `?`.
    fn legend(&self) -> Legend;

    /// The area of the rows that keys move over.
    fn list(&self, desk: &Desk, paint: &Paint<'_>) -> Area;

    /// The area of the pane that does not have the keys; the wheel scrolls it.
    fn other(&self, _desk: &Desk, _paint: &Paint<'_>) -> Area {
        Area::default()
    }

    /// Returns true if it shows two panes, whose divider can be moved.
    fn has_panes(&self, desk: &Desk, paint: &Paint<'_>) -> bool {
        !self.other(desk, paint).is_empty()
    }

    /// Returns true if there are rows to move over.
    fn has_rows(&self, desk: &Desk) -> bool;

    /// The entry that keys act on.
    fn subject<'a>(&'a self, desk: &'a Desk) -> Option<&'a Address>;

    /// The number of items in the view, for the header, which leaves out a zero.
    fn count(&self, _desk: &Desk) -> usize {
        0
    }

    /// It is shown now; `back` is the place that one comes back to, and the cursor goes there if its entry is still there.
    fn enter(&mut self, _context: &mut ActionContext<'_>, _back: Option<&Jump>) {}

    /// Runs a command that only concerns this view. Returns true if it did.
    fn act(&mut self, context: &mut ActionContext<'_>, command: Command) -> bool;

    /// Puts the cursor on what stands in a cell, if something does.
    fn click(&mut self, context: &mut ActionContext<'_>, cell: Position);

    /// Keeps the window around the cursor.
    fn settle(&mut self, desk: &Desk, paint: &Paint<'_>);

    /// The orders of its table, for the menu that is open above it.
    fn sort_menu(&self, _desk: &Desk) -> SortMenu {
        SortMenu::default()
    }

    /// Does what a line of that menu says.
    fn sort_by(&mut self, _context: &mut ActionContext<'_>, _line: usize) {}

    fn search(&self) -> Option<&Search> {
        None
    }

    /// Its filter of plain words, which hides rows of the table.
    fn filter(&self) -> Option<&Search> {
        None
    }

    /// The filter that Esc goes back to while another is typed; empty if Esc leaves none.
    fn filter_before(&self) -> &str {
        self.filter().map_or("", Search::before)
    }

    /// Changes its search and takes the hits of the text.
    fn edit_search(
        &mut self,
        _context: &mut ActionContext<'_>,
        _change: &mut dyn FnMut(&mut Search) -> Typed,
    ) {
    }

    /// The reason why a command cannot be done now, with the way out. A view overrides this for the commands in which it
    /// differs, and leaves the others to `common_availability`.
    fn availability(&self, context: &ViewContext<'_>, command: Command) -> Availability {
        self.common_availability(context, command)
    }

    /// The reason why there is nothing to move over; asked where `has_rows` is false.
    fn why_empty(&self, context: &ViewContext<'_>) -> Availability;

    /// The key of a next step, for sentences; `None` if no key takes it, or it leads to this view.
    fn step_key(&self, paint: &Paint<'_>, step: &NextStep) -> Option<String> {
        next_step::key(paint.bindings, paint.view, step)
    }

    /// The word of a command in the footer, where `word` is that of the key table; `None` hides the hint.
    fn hint(
        &self,
        _context: &ViewContext<'_>,
        _command: Command,
        word: &'static str,
    ) -> Option<&'static str> {
        Some(word)
    }

    /// The commands that the sentence about the next step names: the footer shows their keys before all others.
    fn named_steps(&self, _context: &ViewContext<'_>) -> Vec<Command> {
        Vec::new()
    }

    /// The text that is copied as Markdown or as JSON.
    fn copy_text(&self, context: &ViewContext<'_>, command: Command) -> Option<CopyText> {
        let address = self.subject(context.desk)?;
        let verdict = context.desk.list.verdict_of(address)?;
        let opened = context.open_entry.filter(|opened| opened.address == *address);
        let now = context.paint.now;
        Some(CopyText::new(
            address.to_string(),
            command,
            || markdown::entry(address, verdict, opened, now),
            |out| match opened {
                Some(opened) => objects::write(out, "entry", &EntryObject::new(opened)),
                None => objects::write(out, "verdict", &VerdictObject::new(address, verdict)),
            },
        ))
    }

    /// The command line that does the same as the view, or shows it.
    fn command_line(&self, desk: &Desk) -> Option<String> {
        self.subject(desk).map(|address| format!("bumpdesk show {}", shell_word(&address.to_string())))
    }

    /// The path that is copied: of the data file, or of a place in it.
    fn path_to_copy(&self, desk: &Desk) -> Option<String> {
        self.subject(desk).map(Address::path)
    }

    /// The page that the browser opens.
    fn page_url(&self, desk: &Desk) -> Option<String> {
        self.subject(desk).map(|address| address.repository().url())
    }

    /// The lines of a difference, which a pager shows instead of the file.
    fn patch(&self, _desk: &Desk) -> Option<(Address, Arc<Lines>)> {
        None
    }

    /// The entries that are selected: marked ones, or the one under the cursor.
    fn selection(&self, desk: &Desk) -> EntrySelection {
        EntrySelection::These(self.subject(desk).cloned().into_iter().collect())
    }

    /// The version under the cursor, where versions are rows.
    fn version<'a>(&'a self, _desk: &'a Desk) -> Option<&'a str> {
        None
    }

    /// The version that command lines are about; without one they are about the newest that is indexed.
    fn line_version<'a>(&'a self, _desk: &'a Desk) -> Option<&'a str> {
        None
    }

    /// Adds to the selection what a motion has selected, and returns the number of selected entries that cannot be seen.
    fn end_selection(&mut self, _desk: &mut Desk) -> usize {
        0
    }

    /// The versions of each entry that would be blocked.
    fn versions_to_block(&self, desk: &Desk) -> Vec<(Address, Vec<String>)> {
        let Some(address) = self.subject(desk) else { return Vec::new() };
        let version = desk.blockable(address, self.version(desk)).ok();
        version.map(|version| (address.clone(), vec![version])).into_iter().collect()
    }

    /// The things under the cursor and the selection, for the desk to make an intent of.
    fn operands<'a>(&'a self, desk: &'a Desk) -> Operands<'a> {
        Operands {
            selection: self.selection(desk),
            address: self.subject(desk),
            version: self.version(desk),
            ..Operands::default()
        }
    }

    /// The intent of an ability here, or why there is none; `None` if it is about nothing here, or the console does it by itself.
    fn intent(&self, desk: &Desk, ability: Ability) -> Option<Result<Intent, Message>> {
        desk.intent_of(ability, &self.operands(desk))
    }

    /// A sentence that the view adds to the question before an intent.
    fn question_note(&self, _paint: &Paint<'_>, _intent: &Intent) -> Option<String> {
        None
    }

    /// The field that is open in the view, by the context of its keys.
    fn field(&self) -> Option<Context> {
        let typed = |field: Option<&Search>| field.is_some_and(|field| field.typing);
        match (typed(self.filter()), typed(self.search())) {
            (true, _) => Some(Context::Filter),
            (_, true) => Some(Context::Search),
            _ => None,
        }
    }

    /// Changes the open field; returns false for a command that means nothing there.
    fn edit_field(&mut self, context: &mut ActionContext<'_>, input: FieldInput<'_>) -> bool {
        self.edit_search(context, &mut |search| input.search(search));
        true
    }

    /// The answer to a key that is bound to nothing here, where the view has one. Letters after it mean nothing.
    fn stray_key(&self, _paint: &Paint<'_>, _chord: Chord) -> Option<String> {
        None
    }

    /// The place of the view in the header, if that depends on what it shows.
    fn header_place(&self, _desk: &Desk) -> Option<ViewPlace> {
        None
    }

    /// The last line in place of what runs.
    fn status(&self, _context: &ViewContext<'_>) -> Option<(Tone, String)> {
        None
    }

    /// The last line while nothing runs.
    fn rest_text(&self, _context: &ViewContext<'_>) -> Option<String> {
        None
    }

    /// The last line while nothing runs and there is no text.
    fn rest_line(&self, _context: &ViewContext<'_>, _width: u16) -> Option<Line<'static>> {
        None
    }

    /// News at the right end of the last line.
    fn news(&self, _desk: &Desk) -> Option<String> {
        None
    }

    /// The view shows how far running jobs are.
    fn shows_progress(&self) -> bool {
        false
    }

    /// The view shows the whole list or its jobs, so news of the list are told there in full.
    fn shows_list(&self) -> bool {
        false
    }

    /// A job begins, and the view may tell it what it shows. Returns true if the view shows the job, and is to be seen now.
    fn begins(&mut self, _desk: &Desk, _paint: &Paint<'_>, _job: &mut Job) -> bool {
        false
    }

    /// Notes what is to stay under the cursor, before the desk hears of something.
    fn before_news(&mut self, _desk: &Desk, _paint: &Paint<'_>) {}

    /// Follows what the desk has heard.
    fn on(&mut self, _context: &mut ActionContext<'_>, _id: JobId, _changed: &Changed) {}

    /// Follows each message while the view is seen.
    fn follow(&mut self, _context: &mut ActionContext<'_>) {}

    /// Counts what stands on the screen as looked at; returns true if some of it is new. Asked after a frame was drawn.
    fn look(&mut self, _context: &mut ActionContext<'_>) -> bool {
        false
    }

    /// Time has passed.
    fn tick(&mut self, _context: &mut ActionContext<'_>) {}

    /// Checks that an entry is under the cursor, or something else that has a page of its own.
    fn check_subject(&self, context: &ViewContext<'_>) -> Availability {
        if self.subject(context.desk).is_some() {
            return Ok(());
        }
        self.check_rows(context)?;
        refuse("no entry is selected")
    }

    /// Checks that entries are selected.
    fn check_selection(&self, context: &ViewContext<'_>) -> Availability {
        self.check_subject(context)
    }

    /// Checks that the registry is read.
    fn check_loaded(&self, context: &ViewContext<'_>) -> Availability {
        self.allow(context, context.desk.ready())
    }

    /// Checks that there is something to move over.
    fn check_rows(&self, context: &ViewContext<'_>) -> Availability {
        self.check_loaded(context)?;
        if self.has_rows(context.desk) { Ok(()) } else { self.why_empty(context) }
    }

    /// Checks that the plan has files.
    fn check_plan(&self, context: &ViewContext<'_>) -> Availability {
        self.allow(context, context.desk.has_plan())
    }

    /// A message of the desk as text, with the keys of its next steps.
    fn text_of(&self, paint: &Paint<'_>, message: &Message) -> String {
        message.text_with(|step| self.step_key(paint, step))
    }

    /// A sentence of a job, with its command lines replaced by keys.
    fn in_keys(&self, paint: &Paint<'_>, text: &str) -> String {
        in_console(text, |step| self.step_key(paint, step))
    }

    /// An answer of the desk, with its message as the reason.
    fn allow(&self, context: &ViewContext<'_>, answer: Result<(), Message>) -> Availability {
        answer.map_err(|why| Reason::from(self.text_of(&context.paint, &why)))
    }

    /// Checks that the desk accepts an intent now.
    fn may(&self, context: &ViewContext<'_>, intent: &Intent) -> Availability {
        self.allow(context, context.desk.may(intent))
    }

    /// Checks that the thing is there which an ability is about, and that the desk accepts its intent now.
    fn may_do(&self, context: &ViewContext<'_>, ability: Ability) -> Availability {
        let is_there = match ability.row().needs {
            Needs::Nothing => Ok(()),
            Needs::Registry => self.check_loaded(context),
            Needs::Rows => self.check_rows(context),
            Needs::Entry => self.check_subject(context),
            Needs::Entries => self.check_selection(context),
            Needs::Plan => self.check_plan(context),
        };
        is_there?;
        match self.intent(context.desk, ability) {
            Some(intent) => self.allow(context, intent.and_then(|intent| context.desk.may(&intent))),
            None => Ok(()),
        }
    }

    /// The availability of commands that do the same in most views.
    fn common_availability(&self, context: &ViewContext<'_>, command: Command) -> Availability {
        match command {
            Command::Down
            | Command::Up
            | Command::Top
            | Command::Bottom
            | Command::HalfDown
            | Command::HalfUp
            | Command::PageDown
            | Command::PageUp
            | Command::OtherDown
            | Command::OtherUp
            | Command::Left
            | Command::Right
            | Command::Wrap
            | Command::NextHunk
            | Command::PreviousHunk
            | Command::MoreContext
            | Command::LessContext
            | Command::Layout
            | Command::Filter
            | Command::Fold
            | Command::OpenFolds
            | Command::CloseFolds
            | Command::OtherPane
            | Command::Mark
            | Command::MarkShown
            | Command::Open => self.check_rows(context),
            Command::Zoom if context.paint.divider.is_zoomed => Ok(()),
            Command::DividerBack | Command::DividerOn if context.paint.divider.is_zoomed => {
                refuse(format!("one pane has the whole view; {} shows both", context.key(Command::Zoom)))
            }
            Command::DividerBack | Command::DividerOn | Command::Zoom => {
                if self.has_panes(context.desk, &context.paint) {
                    return Ok(());
                }
                refuse("there is no divider here")
            }
            Command::NextWanting | Command::PreviousWanting => {
                if self.search().is_some_and(|search| !search.text().is_empty()) {
                    return Ok(());
                }
                refuse(format!("nothing is searched for; {} begins a search", context.key(Command::Filter)))
            }
            Command::Complete if self.filter().is_some() => {
                refuse("a filter of plain words has nothing to complete")
            }
            Command::NextLine | Command::PreviousLine
                if self.filter().is_some_and(|filter| filter.typing) =>
            {
                refuse("earlier filters are kept in the Inventory alone")
            }
            Command::CopyAddress
            | Command::CopyUrl
            | Command::CopyLine
            | Command::CopyHash
            | Command::CopyMarkdown
            | Command::CopyJson => self.check_subject(context),
            Command::Edit | Command::Page => {
                self.check_subject(context)?;
                if context.has_viewer {
                    return Ok(());
                }
                refuse("no program that shows a file was found; set EDITOR and PAGER and start again")
            }
            Command::Do(ability) => self.may_do(context, ability),
            _ => Ok(()),
        }
    }
}
