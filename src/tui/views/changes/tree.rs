//! The tree of the plan: every file with all of its changes, one row each. Rows and places are counted file by file, so that a plan
//! of many changes costs no more than one of many files.

use crate::desk::planning::Planning;
use crate::registry::Address;
use crate::rules::plan::PlannedFile;
use crate::tui::base::layout::first_visible;
use crate::tui::views::changes::state::{At, Changes};
use crate::tui::widgets::table::TableWindow;

/// The files that are shown, each with its index in the plan.
fn shown(planning: &Planning) -> impl Iterator<Item = (usize, &PlannedFile)> {
    planning.shown().iter().filter_map(|at| Some((*at, planning.files().get(*at)?)))
}

/// The number of rows.
pub(super) fn row_count(planning: &Planning) -> usize {
    shown(planning).map(|(_, file)| 1 + file.pieces.len()).sum()
}

/// The file, or the change of it, in a row.
pub(super) fn at_row(planning: &Planning, row: usize) -> Option<At> {
    let mut left = row;
    for (place, file) in shown(planning) {
        let rows = 1 + file.pieces.len();
        if left < rows {
            return Some(At { file: place, piece: left.checked_sub(1) });
        }
        left -= rows;
    }
    None
}

/// The row of a file, or of a change of it.
fn row_of(planning: &Planning, at: At) -> usize {
    let above = shown(planning).take_while(|(place, _)| *place != at.file);
    above.map(|(_, file)| 1 + file.pieces.len()).sum::<usize>() + at.piece.map_or(0, |piece| piece + 1)
}

/// The place of a file among those shown.
pub(super) fn place_of(planning: &Planning, file: usize) -> Option<usize> {
    planning.shown().iter().position(|at| *at == file)
}

impl Changes {
    /// The file under the cursor. A file that the filter hides is never under it, so that no key acts on what nobody sees.
    pub(crate) fn file<'a>(&self, planning: &'a Planning) -> Option<&'a PlannedFile> {
        place_of(planning, self.at.file)?;
        planning.files().get(self.at.file)
    }

    pub(super) fn window(&self, planning: &Planning) -> TableWindow {
        TableWindow {
            count: row_count(planning),
            cursor: row_of(planning, self.at),
            top: self.top,
            is_focused: !self.in_lines(),
        }
    }

    /// Moves the cursor by rows of the tree.
    pub(crate) fn step(&mut self, planning: &Planning, by: isize) {
        let last = row_count(planning).saturating_sub(1);
        let to = row_of(planning, self.at).saturating_add_signed(by).min(last);
        self.at = at_row(planning, to).unwrap_or(self.at);
    }

    /// To a file by its address; false if it is not planned.
    pub(crate) fn go_to(&mut self, planning: &Planning, address: &Address) -> bool {
        let place = shown(planning).find(|(_, file)| file.address == *address).map(|(place, _)| place);
        if let Some(file) = place.filter(|file| *file != self.at.file) {
            self.at = At { file, piece: None };
        }
        place.is_some()
    }

    /// To what stands on a line of the window.
    pub(crate) fn point_at(&mut self, planning: &Planning, below: usize) {
        self.at = at_row(planning, self.top + below).unwrap_or(self.at);
    }

    /// To the first row, where the file under the cursor is not shown.
    pub(crate) fn keep_shown(&mut self, planning: &Planning) {
        if place_of(planning, self.at.file).is_none() {
            self.at = at_row(planning, 0).unwrap_or(self.at);
        }
    }

    /// To another file, by its place beside this one; false at the end.
    pub(crate) fn step_file(&mut self, planning: &Planning, by: isize) -> bool {
        let place = place_of(planning, self.at.file).and_then(|place| place.checked_add_signed(by));
        let Some(file) = place.and_then(|to| planning.shown().get(to)) else { return false };
        self.at = At { file: *file, piece: None };
        true
    }

    /// Keeps the window around the cursor.
    pub(crate) fn settle_tree(&mut self, planning: &Planning, page: usize) {
        let TableWindow { count, cursor, .. } = self.window(planning);
        self.top = first_visible(self.top, cursor, page, count);
    }
}
