//! One folder a view: its state, what keys do to it, and how it is drawn. Views are values and hold no hands: they start
//! nothing, know no channel, no other view and not the model; what is to happen elsewhere they request.

pub(super) mod backfill;
pub(super) mod changes;
pub(super) mod diff;
pub(super) mod entry;
pub(super) mod inventory;
pub(super) mod jobs;
pub(super) mod pull;
pub(super) mod reviews;
pub(super) mod stranded;
pub(super) mod verify;

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::desk::Desk;
use crate::desk::intent::{Cancel, Intent, Meant};
use crate::desk::launch::FillHow;
use crate::desk::telling::{Message, Way};
use crate::jobs::data::Opened;
use crate::registry::Address;
use crate::rules::edit::Edit;
use crate::tui::base::layout::Area;
use crate::tui::keymap::{Availability, Command, Reason, next_step, refuse};
use crate::tui::widgets::card::TextCard;
use crate::tui::widgets::diff::ValueCard;
use crate::tui::widgets::legend::Legend;
use crate::tui::widgets::note::NoteCard;
use crate::tui::widgets::search::{Search, Typed};
use crate::tui::widgets::strip::Paint;

/// Something that a view requests of the shell.
pub(crate) enum ViewRequest {
    /// Say something about the key that was pressed.
    Say(String),
    /// Show a long value whole.
    Value(ValueCard),
    /// Have the desk do something.
    Act(Intent),
    /// Show a text whole.
    Text(TextCard),
    /// Open the field for how a pull request is opened.
    AskFor,
    /// Open the field for the name of a file that it is written to.
    NameFile,
    /// From the pull request back to the plan, from a verdict to the reviews.
    ToPlan,
    /// Open the field of a note.
    Note(NoteCard),
    /// Back to what was seen of the Inventory.
    Home,
    /// Read the plan, if it is not known, and say what waits to be said.
    ReadPlan,
    /// Read journal and log.
    ReadJobs,
    OpenSortMenu,
    OpenViewList,
    /// Ask for a name under which what is shown is saved.
    NameView,
    /// Bring the lines of the planned file under the cursor.
    OpenFile,
    RunAgain,
    CancelJob,
    /// Tell the running verification something, or copy what it found.
    Verify(Command),
    /// The same of the backfill.
    Backfill(Command),
}

/// What the shell lends a view for a question.
pub(crate) struct ViewContext<'a> {
    pub(crate) desk: &'a Desk,
    pub(crate) paint: Paint<'a>,
    /// An editor or a pager can be started.
    pub(crate) has_viewer: bool,
    /// The entry that is open, as it was read.
    pub(crate) open_entry: Option<&'a Opened>,
}

impl ViewContext<'_> {
    /// The key of a command in the view that is seen.
    pub(crate) fn key(&self, command: Command) -> String {
        self.paint.key(command)
    }
}

/// What the shell lends a view while a key is taken.
pub(crate) struct ActionContext<'a> {
    pub(crate) desk: &'a mut Desk,
    pub(crate) paint: Paint<'a>,
    pub(crate) requests: Vec<ViewRequest>,
}

impl ActionContext<'_> {
    pub(crate) fn request(&mut self, request: ViewRequest) {
        self.requests.push(request);
    }

    pub(crate) fn reply(&mut self, text: impl Into<String>) {
        self.request(ViewRequest::Say(text.into()));
    }
}

/// What the shell asks of a view.
///
/// A view answers for its own commands: when one can be done, what the footer calls it, what it copies. What most views do is
/// a default here, about the entry that keys act on.
pub(crate) trait View {
    /// Draws it between header and footer; gives the cell where the terminal's cursor belongs.
    fn draw(&self, desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position>;

    /// What its columns, signs and figures say, for the page of `?`.
    fn legend(&self) -> Legend;

    /// Where the rows stand that keys move over.
    fn list(&self, desk: &Desk, paint: &Paint<'_>) -> Area;

    /// Where the pane stands that does not have the keys, and that the wheel scrolls over it.
    fn other(&self, _desk: &Desk, _paint: &Paint<'_>) -> Area {
        Area::default()
    }

    /// Whether there is something to move over.
    fn has_rows(&self, desk: &Desk) -> bool;

    /// The entry that keys act on.
    fn subject<'a>(&'a self, desk: &'a Desk) -> Option<&'a Address>;

    /// How many things stand in it, for the header; none are not said.
    fn count(&self, _desk: &Desk) -> usize {
        0
    }

    /// It is shown now.
    fn enter(&mut self, _scene: &mut ActionContext<'_>) {}

    /// Puts the cursor on an entry that one comes back to, if it is still there.
    fn select(&mut self, _scene: &mut ActionContext<'_>, _address: &Address) {}

    /// Does what a key says, if that only concerns this view; whether it did.
    fn act(&mut self, context: &mut ActionContext<'_>, command: Command) -> bool;

    /// Puts the cursor on what stands in a cell, if something does.
    fn click(&mut self, context: &mut ActionContext<'_>, cell: Position);

    /// Keeps the window around the cursor.
    fn settle(&mut self, desk: &Desk, paint: &Paint<'_>);

    fn search(&self) -> Option<&Search> {
        None
    }

    /// Changes its search and takes the hits of the text.
    fn edit_search(&mut self, _scene: &mut ActionContext<'_>, _change: &mut dyn FnMut(&mut Search) -> Typed) {}

    /// The reason why a command cannot be done now, with the way out. A view overrides this for the commands in which it
    /// differs, and leaves the others to `common_availability`.
    fn availability(&self, context: &ViewContext<'_>, command: Command) -> Availability {
        self.common_availability(context, command)
    }

    /// The reason why there is nothing to move over; asked where `has_rows` is false.
    fn why_empty(&self, context: &ViewContext<'_>) -> Availability;

    /// The key of a next step, for sentences; `None` if no key takes it, or it leads to this view.
    fn step_key(&self, paint: &Paint<'_>, way: &Way) -> Option<String> {
        next_step::key(paint.bindings, paint.view, way)
    }

    /// The entries that are selected: marked ones, or the one under the cursor.
    fn selection(&self, desk: &Desk) -> Meant {
        Meant::These(self.subject(desk).cloned().into_iter().collect())
    }

    /// The version under the cursor, where versions are rows.
    fn version<'a>(&'a self, _desk: &'a Desk) -> Option<&'a str> {
        None
    }

    /// The verification of the selection; in Verify, of what was verified last.
    fn verification(&self, desk: &Desk) -> Option<Intent> {
        self.subject(desk).map(|address| Intent::verify(address.clone(), None, None))
    }

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
        message.told(|way| self.step_key(paint, way))
    }

    /// An answer of the desk, with its message as the reason.
    fn allow(&self, context: &ViewContext<'_>, answer: Result<(), Message>) -> Availability {
        answer.map_err(|why| Reason::from(self.text_of(&context.paint, &why)))
    }

    /// Checks that the desk accepts an intent now.
    fn may(&self, context: &ViewContext<'_>, intent: &Intent) -> Availability {
        self.allow(context, context.desk.may(intent))
    }

    /// The availability of commands that do the same in most views.
    fn common_availability(&self, context: &ViewContext<'_>, command: Command) -> Availability {
        let desk = context.desk;
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
            Command::NextWanting | Command::PreviousWanting => {
                if self.search().is_some_and(|search| !search.text().is_empty()) {
                    return Ok(());
                }
                refuse(format!("nothing is searched for; {} begins a search", context.key(Command::Filter)))
            }
            Command::Entry(_)
            | Command::Browse
            | Command::CopyAddress
            | Command::CopyUrl
            | Command::CopyPath
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
            Command::Add => {
                self.check_selection(context)?;
                self.may(context, &Intent::add(self.selection(desk), 0))
            }
            Command::ClearErrors => {
                self.check_subject(context)?;
                let Some(address) = self.subject(desk) else { return Ok(()) };
                self.allow(context, desk.clearing(address).and_then(|intent| desk.may(&intent)))
            }
            Command::Block => {
                self.check_subject(context)?;
                let Some(address) = self.subject(desk) else { return Ok(()) };
                let blocking = |version| Intent::edit(address.clone(), Edit::Block(vec![version], String::new()));
                let version = desk.blockable(address, self.version(desk));
                self.allow(context, version.and_then(|version| desk.may(&blocking(version))))
            }
            Command::Verify => {
                self.check_loaded(context)?;
                match self.verification(desk) {
                    Some(intent) => self.may(context, &intent),
                    None => self.check_subject(context),
                }
            }
            Command::Backfill => {
                self.check_selection(context)?;
                let (meant, how) = (self.selection(desk), FillHow::default());
                self.may(context, &Intent::Backfill { meant, hidden: 0, how })
            }
            Command::Dispatch => {
                self.check_selection(context)?;
                let plan = desk.dispatching(&self.selection(desk), 1);
                self.allow(context, plan.and_then(|plan| desk.may(&Intent::PrepareRun(plan))))
            }
            Command::SurveyThis => {
                self.check_selection(context)?;
                self.may(context, &Intent::survey(self.selection(desk)))
            }
            Command::CancelJob => self.may(context, &Intent::Cancel(Cancel::Survey)),
            _ => Ok(()),
        }
    }
}
