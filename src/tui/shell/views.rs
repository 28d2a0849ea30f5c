//! The views that there are: one of each, found by its id, and the screens of the Inventory above one another.
//!
//! No other file of the shell names the id of a view, or reaches into its state.

use crate::desk::Desk;
use crate::desk::intent::{EntrySelection, Intent};
use crate::desk::list::List;
use crate::jobs::data::{JobId, OpenPlan, Opened};
use crate::registry::Address;
use crate::tui::keymap::{Command, HOME, ViewId};
use crate::tui::shell::outside::Viewer;
use crate::tui::views::backfill::Backfill;
use crate::tui::views::changes::Changes;
use crate::tui::views::diff::DiffScreen;
use crate::tui::views::entry::EntryScreen;
use crate::tui::views::inventory::{Inventory, Listed, ViewList};
use crate::tui::views::jobs::Jobs;
use crate::tui::views::pull::Pull;
use crate::tui::views::review_diff::ReviewDiff;
use crate::tui::views::reviews::Reviews;
use crate::tui::views::stranded::Stranded;
use crate::tui::views::verify::Verify;
use crate::tui::views::{ActionContext, View, inventory};

/// The views. Each keeps its state while another one is seen.
#[derive(Debug)]
pub(crate) struct Views {
    pub(crate) inventory: Inventory,
    pub(crate) entry: Option<EntryScreen>,
    pub(crate) diff: Option<DiffScreen>,
    pub(crate) changes: Changes,
    pub(crate) pull: Pull,
    pub(crate) reviews: Reviews,
    pub(crate) review_diff: ReviewDiff,
    pub(crate) verify: Verify,
    pub(crate) backfill: Backfill,
    pub(crate) stranded: Stranded,
    pub(crate) jobs: Jobs,
    /// The screen of the Inventory that is shown there: its list, an entry, a rebuild.
    pub(crate) home: ViewId,
    /// The file that is read to be shown outside, and with which program.
    pub(crate) showing: Option<(JobId, Viewer)>,
}

impl Default for Views {
    fn default() -> Self {
        Self {
            inventory: Inventory::default(),
            entry: None,
            diff: None,
            changes: Changes::default(),
            pull: Pull::default(),
            reviews: Reviews::default(),
            review_diff: ReviewDiff::default(),
            verify: Verify::default(),
            backfill: Backfill::default(),
            stranded: Stranded::default(),
            jobs: Jobs::default(),
            home: HOME,
            showing: None,
        }
    }
}

impl Views {
    /// The view of what would be sent to GitHub.
    pub(crate) const SENDING: ViewId = ViewId::Pull;
    /// The view that has the form of a new backfill.
    pub(crate) const BACKFILL: ViewId = ViewId::Backfill;

    /// The view of an id; entry and rebuild are there once something was opened.
    pub(crate) fn get(&self, id: ViewId) -> Option<&dyn View> {
        match id {
            ViewId::Inventory => Some(&self.inventory),
            ViewId::Entry => self.entry.as_ref().map(|view| view as &dyn View),
            ViewId::Diff => self.diff.as_ref().map(|view| view as &dyn View),
            ViewId::Changes => Some(&self.changes),
            ViewId::Pull => Some(&self.pull),
            ViewId::Reviews => Some(&self.reviews),
            ViewId::ReviewDiff => Some(&self.review_diff),
            ViewId::Verify => Some(&self.verify),
            ViewId::Backfill => Some(&self.backfill),
            ViewId::Stranded => Some(&self.stranded),
            ViewId::Jobs => Some(&self.jobs),
        }
    }

    pub(crate) fn get_mut(&mut self, id: ViewId) -> Option<&mut dyn View> {
        match id {
            ViewId::Inventory => Some(&mut self.inventory),
            ViewId::Entry => self.entry.as_mut().map(|view| view as &mut dyn View),
            ViewId::Diff => self.diff.as_mut().map(|view| view as &mut dyn View),
            ViewId::Changes => Some(&mut self.changes),
            ViewId::Pull => Some(&mut self.pull),
            ViewId::Reviews => Some(&mut self.reviews),
            ViewId::ReviewDiff => Some(&mut self.review_diff),
            ViewId::Verify => Some(&mut self.verify),
            ViewId::Backfill => Some(&mut self.backfill),
            ViewId::Stranded => Some(&mut self.stranded),
            ViewId::Jobs => Some(&mut self.jobs),
        }
    }

    /// Puts the screen of an entry in place, or that of its rebuild, above the view `from`; returns its id. An entry that is
    /// read again stays as it is until then.
    pub(crate) fn open(&mut self, plan: &OpenPlan, list: &List, from: ViewId) -> ViewId {
        let address = plan.address.clone();
        if plan.rebuild.is_some() {
            self.diff = Some(DiffScreen::new(address, from));
            return ViewId::Diff;
        }
        if self.entry.as_ref().is_none_or(|entry| entry.address != address) {
            let verdict = list.verdict_of(&address).cloned();
            self.entry = Some(EntryScreen::new(address, verdict));
        }
        ViewId::Entry
    }

    /// Puts the lines of a pull request in place; returns the id of their view.
    pub(crate) fn show_differences(&mut self, desk: &Desk, number: u64) -> ViewId {
        self.review_diff.open(desk, number);
        ViewId::ReviewDiff
    }

    /// Leaves a screen of the Inventory; returns the one below it.
    pub(crate) fn back_from(&mut self, screen: ViewId) -> ViewId {
        let to = match screen {
            ViewId::Diff => self.diff.take().map_or(HOME, |diff| diff.from),
            _ => HOME,
        };
        if to == HOME {
            self.entry = None;
        }
        to
    }

    /// Opens the form of a new backfill, above the view `from`.
    pub(crate) fn ask_backfill(
        &mut self,
        context: &mut ActionContext<'_>,
        selected: (EntrySelection, usize),
        from: ViewId,
    ) {
        self.backfill.ask(context, selected, from);
    }

    /// Does a command of the list of saved views.
    pub(crate) fn view_list(
        &mut self,
        context: &mut ActionContext<'_>,
        list: ViewList,
        command: Command,
    ) -> Listed {
        inventory::view_list(&mut self.inventory, context, list, command)
    }

    /// The entry that is open, as it was read.
    pub(crate) fn open_entry(&self) -> Option<&Opened> {
        self.entry.as_ref().and_then(|entry| entry.opened.as_deref())
    }

    /// The entry that is open and was not read.
    pub(crate) fn unread_entry(&self) -> Option<&Address> {
        self.entry.as_ref().filter(|entry| entry.opened.is_none()).map(|entry| &entry.address)
    }

    /// Leaves what is seen of an entry for the list.
    pub(crate) fn close_entry(&mut self) {
        (self.diff, self.entry, self.home) = (None, None, HOME);
    }

    /// The intent that shows an entry again on a screen of the Inventory; the list itself needs none.
    pub(crate) fn reopening(screen: ViewId, address: Address) -> Option<Intent> {
        match screen {
            ViewId::Entry => Some(Intent::look(address)),
            ViewId::Diff => Some(Intent::build(address)),
            _ => None,
        }
    }
}
