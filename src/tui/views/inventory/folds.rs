//! Folding of groups in the list.

use crate::desk::list::List;
use crate::tui::views::inventory::state::Inventory;

impl Inventory {
    /// Folds the group under the cursor, or opens it. The cursor goes to its head.
    pub(super) fn toggle_fold(&mut self, list: &mut List, page: usize) {
        let Some(head) = self.lines.head_of(self.cursor).copied() else { return };
        let title = list.group_of(head.first);
        if !list.folded.remove(&title) {
            self.go_to_head(page);
            list.folded.insert(title);
        }
        list.keeping.touch();
        self.select_shown(list, page);
    }

    /// Folds all groups that are shown.
    pub(super) fn fold_all(&mut self, list: &mut List, page: usize) {
        self.go_to_head(page);
        let titles: Vec<String> = self.lines.heads.iter().map(|head| list.group_of(head.first)).collect();
        list.folded.extend(titles);
        list.keeping.touch();
        self.select_shown(list, page);
    }

    pub(super) fn open_all(&mut self, list: &mut List, page: usize) {
        list.folded.clear();
        list.keeping.touch();
        self.select_shown(list, page);
    }

    fn go_to_head(&mut self, page: usize) {
        if let Some(place) = self.lines.place_of_head(self.cursor) {
            self.go(place, page);
        }
    }
}
