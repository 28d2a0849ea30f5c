//! What keys do to the Inventory. Jobs are started in `tui::work`.

use crate::rules::amount::{counted, grouped};
use crate::tui::chord::Chord;
use crate::tui::field::Field;
use crate::tui::keymap::Command;
use crate::tui::model::Model;
use crate::tui::places;
use crate::tui::screens::inventory::marks::Marked;
use crate::tui::screens::inventory::{menu, views};

/// Does what only concerns the list.
pub(crate) fn act(model: &mut Model, command: Command) {
    let page = model.page();
    match command {
        Command::Down
        | Command::Up
        | Command::Top
        | Command::Bottom
        | Command::HalfDown
        | Command::HalfUp
        | Command::PageDown
        | Command::PageUp => move_by(model, command, page),
        Command::OtherDown => {
            model.inventory.preview_scroll = (model.inventory.preview_scroll + 1).min(200);
        }
        Command::OtherUp => {
            model.inventory.preview_scroll = model.inventory.preview_scroll.saturating_sub(1);
        }
        Command::Filter => {
            places::note(model);
            model.inventory.typing.open(&model.inventory.list);
        }
        Command::Sort => menu::open(model),
        Command::Views => views::open_list(model),
        Command::SaveView => views::open_name(model),
        Command::Mark | Command::Range | Command::MarkShown | Command::Invert => mark(model, command, page),
        Command::NextWanting => go_to_wanting(model, true, page),
        Command::PreviousWanting => go_to_wanting(model, false, page),
        // Enter on a group's head: a row is opened by `work`.
        Command::Fold | Command::Open => model.inventory.toggle_fold(page),
        Command::OpenFolds => model.inventory.open_all(page),
        Command::CloseFolds => model.inventory.fold_all(page),
        Command::Preview => {
            model.inventory.list.no_preview ^= true;
            model.inventory.list.keeping.touch();
            let page = model.page();
            model.inventory.settle(page);
        }
        Command::Back => step_back(model, page),
        _ => {}
    }
}

fn move_by(model: &mut Model, command: Command, page: usize) {
    if matches!(command, Command::Top | Command::Bottom) {
        places::note(model);
    }
    let inventory = &mut model.inventory;
    let half = (page / 2).max(1) as isize;
    match command {
        Command::Down => inventory.step(1, page),
        Command::Up => inventory.step(-1, page),
        Command::Top => inventory.go(0, page),
        Command::Bottom => inventory.go(usize::MAX, page),
        Command::HalfDown => inventory.step(half, page),
        Command::HalfUp => inventory.step(-half, page),
        Command::PageDown => inventory.step(page as isize, page),
        _ => inventory.step(-(page as isize), page),
    }
}

fn mark(model: &mut Model, command: Command, page: usize) {
    let inventory = &mut model.inventory;
    let told = match command {
        Command::Mark | Command::Range if inventory.has_range() => {
            let count = inventory.take_range().unwrap_or(0) as u64;
            Some(format!("{} of the range marked", counted(count, "row")))
        }
        Command::Mark => {
            let told = (!inventory.toggle_mark())
                .then(|| "a group has no mark of its own; A marks all rows shown".into());
            inventory.step(1, page);
            told
        }
        Command::Range if inventory.begin_range() => None,
        Command::Range => Some("a range begins on a row, not on a group".into()),
        Command::MarkShown => {
            let marked = inventory.mark_shown();
            Some(format!("{} marked{}", counted(marked.count, "row"), left_out(marked)))
        }
        _ => {
            let marked = inventory.invert_shown();
            Some(format!(
                "marks turned round: {} marked now{}",
                grouped(marked.count as u64),
                left_out(marked)
            ))
        }
    };
    // A filter that asks for marks shows other rows now.
    if inventory.list.asks_for_marks() {
        inventory.select_shown(page);
    }
    if let Some(told) = told {
        model.reply(told);
    }
}

fn left_out(marked: Marked) -> String {
    match marked.folded as u64 {
        0 => String::new(),
        folded => format!("; {} in folded groups left as they were", counted(folded, "row")),
    }
}

fn go_to_wanting(model: &mut Model, forward: bool, page: usize) {
    let here = places::here(model);
    let Some(found) = model.inventory.go_to_wanting(forward, page) else {
        return model.reply("none of the rows shown needs attention");
    };
    if let Some(here) = here {
        model.inventory.jumps.push(here);
    }
    let what = if found.new { "new since the last look" } else { "that need attention" };
    model.reply(format!("{} of {} {what}", grouped(found.number), grouped(found.of)));
}

/// The range first, then the marks, then the filter; with none of them there is nothing to step back from.
fn step_back(model: &mut Model, page: usize) {
    let inventory = &mut model.inventory;
    if inventory.range.take().is_some() {
        model.reply("range left; nothing was marked");
    } else if inventory.list.mark_count() > 0 {
        let count = inventory.list.mark_count() as u64;
        inventory.clear_marks();
        if inventory.list.asks_for_marks() {
            inventory.select_shown(page);
        }
        model.reply(format!("{} cleared", counted(count, "mark")));
    } else if !inventory.list.filter.is_empty() {
        inventory.list.set_filter(String::new());
        inventory.select_shown(page);
        model.reply("filter cleared");
    }
}

/// Does what the filter field is told.
pub(crate) fn edit_filter(model: &mut Model, command: Command) {
    let page = model.page();
    let inventory = &mut model.inventory;
    match command {
        Command::Accept => {
            inventory.typing.close(&mut inventory.list);
            inventory.list.keeping.touch();
        }
        Command::Close | Command::Interrupt => {
            inventory.typing.undo(&mut inventory.list);
            inventory.select_shown(page);
        }
        Command::ClearField => change_filter(model, Field::clear),
        Command::DropWord => change_filter(model, Field::drop_word),
        Command::PreviousLine => recall(model, true),
        Command::NextLine => recall(model, false),
        // The wheel.
        Command::Down => inventory.step(1, page),
        Command::Up => inventory.step(-1, page),
        Command::NextPage => inventory.step(page as isize, page),
        Command::PreviousPage => inventory.step(-(page as isize), page),
        _ => {}
    }
}

fn recall(model: &mut Model, older: bool) {
    model.inventory.typing.recall(&model.inventory.list, older);
    change_filter(model, |_| {});
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
    let inventory = &mut model.inventory;
    change(&mut inventory.typing.field);
    let text = inventory.typing.field.text().to_owned();
    if text != inventory.list.filter {
        inventory.list.set_filter(text);
        // An error under the field takes a line of the list where there is little room.
        let page = model.page();
        model.inventory.select_shown(page);
    }
}
