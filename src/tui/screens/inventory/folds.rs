//! Folding of groups in the list.

use crate::tui::screens::inventory::state::Inventory;

impl Inventory {
    /// Folds the group under the cursor, or opens it.
    pub(super) fn toggle_fold(&mut self, page: usize) {
        let Some(head) = self.lines.head_of(self.cursor).copied() else { return };
        let title = self.title_of(&head);
        if !self.folded.remove(&title) {
            self.folded.insert(title);
        }
        self.touched = true;
        self.keeping.touch();
        self.select_shown(page);
    }

    /// Folds all groups that are shown.
    pub(super) fn fold_all(&mut self, page: usize) {
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
}
