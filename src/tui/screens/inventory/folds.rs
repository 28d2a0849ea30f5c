//! Folding of groups in the list.

use crate::tui::screens::inventory::state::Inventory;

impl Inventory {
    /// Folds the group under the cursor, or opens it. The cursor goes to its head.
    pub(super) fn toggle_fold(&mut self, page: usize) {
        let Some(head) = self.lines.head_of(self.cursor).copied() else { return };
        let title = self.title_of(&head);
        if !self.folded.remove(&title) {
            self.go_to_head(page);
            self.folded.insert(title);
        }
        self.keeping.touch();
        self.select_shown(page);
    }

    /// Folds all groups that are shown.
    pub(super) fn fold_all(&mut self, page: usize) {
        self.go_to_head(page);
        let titles: Vec<String> = self.lines.heads.iter().map(|head| self.title_of(head)).collect();
        self.folded.extend(titles);
        self.keeping.touch();
        self.select_shown(page);
    }

    pub(super) fn open_all(&mut self, page: usize) {
        self.folded.clear();
        self.keeping.touch();
        self.select_shown(page);
    }

    fn go_to_head(&mut self, page: usize) {
        if let Some(place) = self.lines.place_of_head(self.cursor) {
            self.go(place, page);
        }
    }

    /// Opens the group of a row; whether it was folded.
    pub(super) fn reveal(&mut self, row: u32) -> bool {
        let (Some(kept), Some(verdict)) =
            (self.catalog.rows.get(row as usize), self.verdicts.get(row as usize))
        else {
            return false;
        };
        self.folded.remove(&self.group.title(kept, verdict))
    }
}
