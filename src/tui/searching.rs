//! The search of whichever pane is seen: keys into its field, then on to the next hit.

use crate::tui::model::{Model, Screen};
use crate::tui::screens::{changes, jobs};
use crate::tui::widgets::diff::{Pane, Room};
use crate::tui::widgets::search::{Search, Typed};

/// Changes the search and takes the hits of its text.
pub(super) fn edit(model: &mut Model, change: impl FnOnce(&mut Search) -> Typed) {
    let said = match model.screen {
        Screen::Diff => {
            let room = Room::of(model.size, model.diff_parts().lines);
            model.diff.as_mut().and_then(|diff| in_pane(&mut diff.pane, room, change))
        }
        Screen::Changes => {
            let room = Room::of(model.size, changes::parts(model).lines);
            let review = model.views.changes.review.as_mut();
            review.and_then(|review| in_pane(&mut review.pane, room, change))
        }
        Screen::Jobs => {
            let typed = change(&mut model.views.jobs.search);
            jobs::typed(model, typed)
        }
        Screen::Inventory | Screen::Entry | Screen::Verify => None,
    };
    if let Some(said) = said {
        model.reply(said);
    }
}

fn in_pane(pane: &mut Pane, room: Room, change: impl FnOnce(&mut Search) -> Typed) -> Option<String> {
    let typed = change(&mut pane.search);
    pane.typed(typed, room)
}
