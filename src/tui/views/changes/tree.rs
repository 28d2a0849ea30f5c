//! The tree of the plan: every file with all of its changes, one row each. Rows and places are counted file by file, so that a plan
//! of many changes costs no more than one of many files.

use crate::desk::planning::Planning;
use crate::registry::Address;
use crate::tui::base::layout::first_visible;
use crate::tui::views::changes::state::{At, Changes};
use crate::tui::widgets::table::TableWindow;

/// The number of rows.
pub(super) fn row_count(planning: &Planning) -> usize {
    planning.files().iter().map(|file| 1 + file.pieces.len()).sum()
}

/// The file, or the change of it, in a row.
pub(super) fn at_row(planning: &Planning, row: usize) -> Option<At> {
    let mut left = row;
    for (place, file) in planning.files().iter().enumerate() {
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
    let before: usize = planning.files().iter().take(at.file).map(|file| 1 + file.pieces.len()).sum();
    before + at.piece.map_or(0, |piece| piece + 1)
}

impl Changes {
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
        let place = planning.files().iter().position(|file| file.address == *address);
        if let Some(file) = place.filter(|file| *file != self.at.file) {
            self.at = At { file, piece: None };
        }
        place.is_some()
    }

    /// To what stands on a line of the window.
    pub(crate) fn point_at(&mut self, planning: &Planning, below: usize) {
        self.at = at_row(planning, self.top + below).unwrap_or(self.at);
    }

    /// To another file, by its place beside this one; false at the end.
    pub(crate) fn step_file(&mut self, planning: &Planning, by: isize) -> bool {
        let Some(to) = self.at.file.checked_add_signed(by).filter(|to| *to < planning.files().len()) else {
            return false;
        };
        self.at = At { file: to, piece: None };
        true
    }

    /// Keeps the window around the cursor.
    pub(crate) fn settle_tree(&mut self, planning: &Planning, page: usize) {
        let TableWindow { count, cursor, .. } = self.window(planning);
        self.top = first_visible(self.top, cursor, page, count);
    }
}
