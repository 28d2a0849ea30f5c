//! What keys do to the diff.

use crate::tui::keymap::Command;
use crate::tui::model::{Model, Popup};
use crate::tui::widgets::diff::{Room, ValueCard};

/// Does what only concerns this screen.
pub(crate) fn act(model: &mut Model, command: Command) {
    let room = Room::of(model.size, model.diff_parts().lines);
    let Some(diff) = &mut model.diff else { return };
    match command {
        Command::OtherDown => diff.findings_scroll = (diff.findings_scroll + 1).min(500),
        Command::OtherUp => diff.findings_scroll = diff.findings_scroll.saturating_sub(1),
        // Enter looks closer: at the value, or into the fold.
        Command::Open => match ValueCard::of(&diff.pane) {
            Some(card) => model.popup = Some(Popup::Value(card)),
            None => {
                diff.pane.act(command, room);
            }
        },
        _ => {
            if let Some(said) = diff.pane.act(command, room) {
                model.reply(said);
            }
        }
    }
}

/// Puts the cursor on the row that is drawn so many lines below the first one, if there is one.
pub(crate) fn point_at(model: &mut Model, below: usize) {
    let room = Room::of(model.size, model.diff_parts().lines);
    if let Some(diff) = &mut model.diff {
        diff.pane.point_at(below, room);
    }
}
