//! Folding of groups in the list.

use crate::tui::screens::inventory::state::Inventory;

impl Inventory {
    /// Folds the group under the cursor, or opens it. The cursor goes to its head.
    pub(super) fn toggle_fold(&mut self, page: usize) {
        let Some(head) = self.lines.head_of(self.cursor).copied() else { return };
        let title = self.title_of(&head);
        if !self.list.folded.remove(&title) {
            self.go_to_head(page);
            self.list.folded.insert(title);
        }
        self.list.keeping.touch();
        self.select_shown(page);
    }

    /// Folds all groups that are shown.
    pub(super) fn fold_all(&mut self, page: usize) {
        self.go_to_head(page);
        let titles: Vec<String> = self.lines.heads.iter().map(|head| self.title_of(head)).collect();
        self.list.folded.extend(titles);
        self.list.keeping.touch();
        self.select_shown(page);
    }

    pub(super) fn open_all(&mut self, page: usize) {
        self.list.folded.clear();
        self.list.keeping.touch();
        self.select_shown(page);
    }

    fn go_to_head(&mut self, page: usize) {
        if let Some(place) = self.lines.place_of_head(self.cursor) {
            self.go(place, page);
        }
    }

    /// Opens the group of a row; whether it was folded.
    pub(super) fn reveal(&mut self, row: u32) -> bool {
        (row as usize) < self.list.catalog.rows.len() && self.list.folded.remove(&self.list.group_of(row))
    }
}
