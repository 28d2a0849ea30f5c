//! What keys do to the Inventory. Jobs are started in `tui::work`.

use crate::tui::chord::Chord;
use crate::tui::field::Field;
use crate::tui::keymap::Command;
use crate::tui::model::Model;
use crate::tui::model::Popup;
use crate::tui::text::counted;

/// Does what only concerns the list.
pub(crate) fn act(model: &mut Model, command: Command) {
    let page = model.page();
    let list = &mut model.inventory;
    let half = (page / 2).max(1) as isize;
    match command {
        Command::Down => list.step(1, page),
        Command::Up => list.step(-1, page),
        Command::Top => list.go(0, page),
        Command::Bottom => list.go(usize::MAX, page),
        Command::HalfDown => list.step(half, page),
        Command::HalfUp => list.step(-half, page),
        Command::PageDown => list.step(page as isize, page),
        Command::PageUp => list.step(-(page as isize), page),
        Command::OtherDown => list.preview_scroll = (list.preview_scroll + 1).min(200),
        Command::OtherUp => list.preview_scroll = list.preview_scroll.saturating_sub(1),
        Command::Filter => list.filter.open(),
        Command::Sort => model.popup = Some(Popup::Sort(list.sort)),
        Command::Mark => {
            list.toggle_mark();
            list.step(1, page);
        }
        Command::MarkShown => {
            let added = list.mark_shown() as u64;
            model.reply(format!("{} marked", counted(added, "row", "rows")));
        }
        Command::Invert => list.invert_shown(),
        Command::Preview => {
            list.preview = !list.preview;
            let page = model.page();
            model.inventory.settle(page);
        }
        Command::Back => step_back(model, page),
        _ => {}
    }
}

/// Marks first, then the filter; with neither there is nothing to step back from.
fn step_back(model: &mut Model, page: usize) {
    let list = &mut model.inventory;
    if list.mark_count() > 0 {
        list.clear_marks();
        model.reply("marks cleared");
    } else if !list.filter.text.is_empty() {
        list.filter.set(String::new());
        list.select_shown(page);
        model.reply("filter cleared");
    }
}

/// Does what the filter field is told.
pub(crate) fn edit_filter(model: &mut Model, command: Command) {
    let page = model.page();
    let list = &mut model.inventory;
    match command {
        Command::Accept => list.filter.close(),
        Command::Close | Command::Interrupt => {
            list.filter.undo();
            list.filter.close();
            list.select_shown(page);
        }
        Command::ClearField => change_filter(model, Field::clear),
        Command::DropWord => change_filter(model, Field::drop_word),
        Command::NextLine => list.step(1, page),
        Command::PreviousLine => list.step(-1, page),
        _ => {}
    }
}

/// Takes a key as text of the filter field.
pub(crate) fn type_into_filter(model: &mut Model, chord: Chord) {
    change_filter(model, |field| {
        field.take(chord);
    });
}

/// Takes pasted text.
pub(crate) fn paste_into_filter(model: &mut Model, pasted: &str) {
    change_filter(model, |field| field.paste(pasted));
}

/// Changes the field, and filters anew if its text is another one.
fn change_filter(model: &mut Model, change: impl FnOnce(&mut Field)) {
    let page = model.page();
    let list = &mut model.inventory;
    change(&mut list.filter.field);
    let text = list.filter.field.text().to_owned();
    if text != list.filter.text {
        list.filter.set(text);
        list.select_shown(page);
    }
}
