//! What keys do to the diff.

use crate::tui::keymap::Command;
use crate::tui::model::Model;
use crate::tui::screens::diff::state::DiffScreen;
use crate::tui::screens::diff::view::text_columns;

const SIDEWAYS: usize = 8;

/// Does what only concerns this screen.
pub(crate) fn act(model: &mut Model, command: Command) {
    let page = model.page();
    let columns = text_columns(model.size, model.diff_parts().lines.width);
    let Some(diff) = &mut model.diff else { return };
    let half = (page / 2).max(1) as isize;
    match command {
        Command::Down => step(diff, 1),
        Command::Up => step(diff, -1),
        Command::Top => diff.cursor = 0,
        Command::Bottom => diff.cursor = usize::MAX,
        Command::HalfDown => step(diff, half),
        Command::HalfUp => step(diff, -half),
        Command::PageDown => step(diff, page as isize),
        Command::PageUp => step(diff, -(page as isize)),
        Command::OtherDown => {
            diff.findings_scroll = (diff.findings_scroll + 1).min(500);
        }
        Command::OtherUp => diff.findings_scroll = diff.findings_scroll.saturating_sub(1),
        Command::Left => diff.left = diff.left.saturating_sub(SIDEWAYS),
        Command::Right if !diff.wrap => diff.left = (diff.left + SIDEWAYS).min(4096),
        Command::Wrap => {
            diff.wrap = !diff.wrap;
            diff.left = 0;
        }
        Command::NextHunk | Command::PreviousHunk => to_hunk(model, command),
        // Enter looks closer: here, into the fold.
        Command::Fold | Command::Open | Command::OpenFolds | Command::CloseFolds => fold(diff, command),
        _ => {}
    }
    if let Some(diff) = &mut model.diff {
        diff.settle(page, columns);
    }
}

fn step(diff: &mut DiffScreen, by: isize) {
    diff.cursor = diff.cursor.saturating_add_signed(by);
}

fn fold(diff: &mut DiffScreen, command: Command) {
    let Some(opened) = diff.opened.clone() else { return };
    let Some(lines) = opened.lines.as_deref() else { return };
    diff.cursor = match command {
        Command::Fold | Command::Open => diff.folds.toggle(lines, diff.cursor),
        Command::OpenFolds => diff.folds.set_all(lines, false, diff.cursor),
        _ => diff.folds.set_all(lines, true, diff.cursor),
    };
}

/// To the next or previous run of changed lines; a fold that hides it counts as its place.
fn to_hunk(model: &mut Model, command: Command) {
    let Some(diff) = &mut model.diff else { return };
    let Some(lines) = diff.lines() else { return };
    let rows: Vec<usize> = diff.folds.hunks.iter().map(|first| diff.folds.row_of(lines, *first)).collect();
    let found = if command == Command::NextHunk {
        rows.iter().find(|row| **row > diff.cursor)
    } else {
        rows.iter().rev().find(|row| **row < diff.cursor)
    };
    match found.copied() {
        Some(row) => {
            diff.cursor = row;
            diff.top = row.saturating_sub(3);
        }
        None => model.reply("no more changes in this direction"),
    }
}

/// Puts the cursor on the row that is drawn so many lines below the first one, if there is one.
pub(crate) fn point_at(model: &mut Model, below: usize) {
    let page = model.page();
    let columns = text_columns(model.size, model.diff_parts().lines.width);
    let Some(diff) = &mut model.diff else { return };
    let mut left = below;
    for row in diff.top..diff.folds.rows.len() {
        let height = diff.height_of(row, columns);
        if left < height {
            diff.cursor = row;
            return diff.settle(page, columns);
        }
        left -= height;
    }
}
