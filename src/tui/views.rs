//! The numbered views besides the Inventory, and the way between them. Each keeps its state while another one is seen.

use crate::jobs::JobId;
use crate::registry::Address;
use crate::tui::model::{Model, Screen};
use crate::tui::msg::Effect;
use crate::tui::outside::Viewer;
use crate::tui::screens::changes::Changes;
use crate::tui::screens::jobs::Jobs;
use crate::tui::screens::verify::Verify;
use crate::tui::{past, places, planning};

/// What the numbered views hold.
#[derive(Debug)]
pub struct Views {
    pub(crate) changes: Changes,
    pub(crate) verify: Verify,
    pub(crate) jobs: Jobs,
    /// What is seen of the Inventory: its list, an entry, a rebuild.
    pub(crate) home: Screen,
    /// The file that is read to be shown outside, and with which program.
    pub(crate) showing: Option<(JobId, Viewer)>,
}

impl Default for Views {
    fn default() -> Self {
        Self {
            changes: Changes::default(),
            verify: Verify::default(),
            jobs: Jobs::default(),
            home: Screen::Inventory,
            showing: None,
        }
    }
}

/// A view of the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tab {
    pub(crate) number: char,
    pub(crate) name: &'static str,
    /// How many things stand there; none are not said.
    pub(crate) count: usize,
    pub(crate) is_open: bool,
}

/// The views that there are. Views that are not built yet are not shown; their numbers stay reserved.
pub(crate) fn tabs(model: &Model) -> [Tab; 4] {
    let files = model.views.changes.planned.files().len();
    let bad = model.views.verify.run.as_ref().map_or(0, |run| run.order.bad());
    let tab = |number, name, count, is_open| Tab { number, name, count, is_open };
    [
        tab('1', "Inventory", 0, model.screen.is_home()),
        tab('2', "Changes", files, model.screen == Screen::Changes),
        tab('4', "Verify", bad, model.screen == Screen::Verify),
        tab('8', "Jobs", model.board.journalled().count(), model.screen == Screen::Jobs),
    ]
}

/// To Changes; what was seen of the Inventory stays.
pub(super) fn show_changes(model: &mut Model) -> Vec<Effect> {
    if model.screen != Screen::Changes {
        places::note(model);
    }
    leave_home(model);
    model.screen = Screen::Changes;
    planning::enter(model)
}

/// To Verify.
pub(super) fn show_verify(model: &mut Model) -> Vec<Effect> {
    if model.screen != Screen::Verify {
        places::note(model);
    }
    enter_verify(model);
    Vec::new()
}

/// To Verify without a note of where one was: on the way back.
pub(super) fn enter_verify(model: &mut Model) {
    leave_home(model);
    model.screen = Screen::Verify;
}

/// To Jobs.
pub(super) fn show_jobs(model: &mut Model) -> Vec<Effect> {
    places::note(model);
    leave_home(model);
    model.screen = Screen::Jobs;
    past::read(model)
}

/// Back to what was seen of the Inventory.
pub(super) fn go_home(model: &mut Model) -> Vec<Effect> {
    places::note(model);
    model.screen = model.views.home;
    Vec::new()
}

/// To one file in Changes, if it is still planned.
pub(super) fn show_file(model: &mut Model, address: &Address) -> Vec<Effect> {
    leave_home(model);
    model.screen = Screen::Changes;
    if !model.views.changes.go_to(address) {
        model.reply(format!("`{address}` is not in the plan any more"));
    }
    planning::enter(model)
}

fn leave_home(model: &mut Model) {
    if model.screen.is_home() {
        model.views.home = model.screen;
    }
}
