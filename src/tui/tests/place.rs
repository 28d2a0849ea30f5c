//! Where somebody is in the console: what has to stay through a refresh, and how far it is back to the first view.

use crate::registry::Address;
use crate::tui::keymap::{Context, ViewId};
use crate::tui::shell::model::Model;

/// How many things Esc may have to leave, one at a time.
pub(super) fn depth(model: &Model) -> usize {
    let above = usize::from(!model.keys.pending.is_empty())
        + usize::from(model.popup.is_some())
        + usize::from(matches!(model.context(), Context::DropView))
        + usize::from(matches!(model.context(), Context::Filter | Context::Search | Context::NewBackfill));
    let inside = |screen| match screen {
        ViewId::Entry => 1,
        // Search, the lines, the view they belong to, which may be expanded.
        ViewId::ReviewDiff => 4,
        // All of one, the view.
        ViewId::Backfill => 2,
        // The digits, the view, and the plan it belongs to.
        ViewId::Pull => 5,
        // All of one, filter, the view; search, lines or log, the view; search, rebuild, the entry under it; range, marks, filter; marks, story, the view.
        ViewId::Reviews
        | ViewId::Changes
        | ViewId::Verify
        | ViewId::Jobs
        | ViewId::Diff
        | ViewId::Inventory
        | ViewId::Stranded => 3,
    };
    let home = if model.screen.is_home() { 0 } else { inside(model.views.home) };
    above + inside(model.screen) + home + 3
}

/// What is selected, in the list and in the plan.
pub(super) struct Place {
    row: Option<Address>,
    file: Option<Address>,
    at_top: bool,
}

impl Place {
    pub(super) fn of(model: &Model) -> Self {
        Self {
            row: model.views.inventory.selected(&model.desk.list).map(|row| row.address.clone()),
            file: model.views.changes.file(&model.desk.planning).map(|file| file.address.clone()),
            at_top: model.views.inventory.cursor == 0,
        }
    }

    /// What did not stay on its address though that is still there. A cursor that was never moved stays on the first line.
    pub(super) fn moved(&self, model: &Model) -> Option<String> {
        let now = Self::of(model);
        let list = &model.views.inventory;
        let is_shown = |address: &Address| {
            (0..list.line_count())
                .any(|at| list.row(&model.desk.list, at).is_some_and(|(row, ..)| row.address == *address))
        };
        let row = self.row.as_ref().filter(|address| is_shown(address));
        if row.is_some() && row != now.row.as_ref() && !(self.at_top && now.at_top) {
            return Some(format!("the selection went from {row:?} to {:?}", now.row));
        }
        let files = model.desk.planning.files();
        let file = self.file.as_ref().filter(|address| files.iter().any(|file| file.address == **address));
        (file.is_some() && file != now.file.as_ref())
            .then(|| format!("the file under the cursor went from {file:?} to {:?}", now.file))
    }
}
