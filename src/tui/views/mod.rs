//! One folder a view: its state, what keys do to it, and how it is drawn. Views are values and hold no hands: they start
//! nothing, know no channel, no other view and not the model; what they want done elsewhere they wish for.

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
use crate::desk::intent::Intent;
use crate::registry::Address;
use crate::tui::base::layout::Area;
use crate::tui::keymap::Command;
use crate::tui::widgets::card::TextCard;
use crate::tui::widgets::diff::ValueCard;
use crate::tui::widgets::legend::Legend;
use crate::tui::widgets::note::NoteCard;
use crate::tui::widgets::search::{Search, Typed};
use crate::tui::widgets::strip::Paint;

/// What a view wants the shell to do.
pub(crate) enum Wish {
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

/// What the shell lends a view while a key is taken.
pub(crate) struct Scene<'a> {
    pub(crate) desk: &'a mut Desk,
    pub(crate) paint: Paint<'a>,
    pub(crate) wishes: Vec<Wish>,
}

impl Scene<'_> {
    pub(crate) fn wish(&mut self, wish: Wish) {
        self.wishes.push(wish);
    }

    pub(crate) fn reply(&mut self, text: impl Into<String>) {
        self.wish(Wish::Say(text.into()));
    }
}

/// What the shell asks of a view.
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
    fn enter(&mut self, _scene: &mut Scene<'_>) {}

    /// Puts the cursor on an entry that one comes back to, if it is still there.
    fn select(&mut self, _scene: &mut Scene<'_>, _address: &Address) {}

    /// Does what a key says, if that only concerns this view; whether it did.
    fn act(&mut self, scene: &mut Scene<'_>, command: Command) -> bool;

    /// Puts the cursor on what stands in a cell, if something does.
    fn click(&mut self, scene: &mut Scene<'_>, cell: Position);

    /// Keeps the window around the cursor.
    fn settle(&mut self, desk: &Desk, paint: &Paint<'_>);

    fn search(&self) -> Option<&Search> {
        None
    }

    /// Changes its search and takes the hits of the text.
    fn edit_search(&mut self, _scene: &mut Scene<'_>, _change: &mut dyn FnMut(&mut Search) -> Typed) {}
}
