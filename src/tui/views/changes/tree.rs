//! The tree of the plan: files, and the changes of the one under the cursor. Heights and places for moving, one walk.

use crate::desk::planning::Planning;
use crate::registry::Address;
use crate::tui::views::changes::state::{At, Changes};

/// A row of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TreeRow {
    pub(crate) at: At,
    /// Lines that it takes: path and figures.
    pub(crate) height: usize,
}

/// All rows, in order.
pub(crate) fn entries(changes: &Changes, planning: &Planning) -> Vec<TreeRow> {
    let mut entries = Vec::new();
    for (place, file) in planning.files().iter().enumerate() {
        entries.push(TreeRow { at: At { file: place, piece: None }, height: 2 });
        if place == changes.at.file {
            let pieces = 0..file.pieces.len();
            entries.extend(
                pieces.map(|piece| TreeRow { at: At { file: place, piece: Some(piece) }, height: 1 }),
            );
        }
    }
    entries
}

impl Changes {
    /// Moves the cursor by rows of the tree. A file that the cursor comes to from below is entered at its name.
    pub(crate) fn step(&mut self, planning: &Planning, by: isize) {
        let entries = entries(self, planning);
        let here = entries.iter().position(|entry| entry.at == self.at).unwrap_or(0);
        let to = here.saturating_add_signed(by).min(entries.len().saturating_sub(1));
        if let Some(entry) = entries.get(to) {
            self.at = entry.at;
        }
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
        let mut end = 0;
        let found = entries(self, planning).into_iter().find(|entry| {
            end += entry.height;
            end > self.top + below
        });
        if let Some(entry) = found {
            self.at = entry.at;
        }
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
        let entries = entries(self, planning);
        let mut start = 0;
        let mut height = 0;
        for entry in &entries {
            if entry.at == self.at {
                height = entry.height;
                break;
            }
            start += entry.height;
        }
        let all: usize = entries.iter().map(|entry| entry.height).sum();
        self.top = self.top.min(all.saturating_sub(page)).min(start);
        self.top = self.top.max((start + height.min(page)).saturating_sub(page));
    }
}
