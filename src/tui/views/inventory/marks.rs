//! Marks and ranges. A mark belongs to an address; it survives filters, sorting and refreshes, and only rows that stand as
//! lines of the list are ever marked.

use crate::desk::list::List;
use crate::tui::views::inventory::lines::{Anchor, Line};
use crate::tui::views::inventory::state::Inventory;

/// What marking did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marked {
    pub(super) count: usize,
    /// Rows of folded groups, which were left alone.
    pub(super) folded: usize,
}

impl Inventory {
    /// Marked rows that are no line of the list: the filter hides them, or a fold.
    pub(crate) fn hidden_marks(&self, list: &List) -> usize {
        list.mark_count() - self.lines.rows().filter(|at| list.marks[*at as usize]).count()
    }

    /// Marks the row under the cursor, or takes its mark; whether there is a row.
    pub(super) fn toggle_mark(&mut self, list: &mut List) -> bool {
        let Some(Line::Row(at)) = self.lines.list.get(self.cursor) else { return false };
        list.marks[*at as usize] ^= true;
        list.keeping.touch();
        true
    }

    /// Marks every row that is a line.
    pub(super) fn mark_shown(&mut self, list: &mut List) -> Marked {
        let before = list.mark_count();
        for at in self.lines.rows() {
            list.marks[at as usize] = true;
        }
        list.keeping.touch();
        Marked { count: list.mark_count() - before, folded: self.lines.folded_rows() }
    }

    /// Turns the marks of every row that is a line.
    pub(super) fn invert_shown(&mut self, list: &mut List) -> Marked {
        for at in self.lines.rows() {
            list.marks[at as usize] ^= true;
        }
        list.keeping.touch();
        Marked { count: list.mark_count(), folded: self.lines.folded_rows() }
    }

    pub(crate) fn has_range(&self) -> bool {
        self.range.is_some()
    }

    /// Begins a range on the row under the cursor; whether there is a row.
    pub(super) fn begin_range(&mut self) -> bool {
        let Some(Line::Row(at)) = self.lines.list.get(self.cursor) else { return false };
        self.range = Some(*at);
        self.touched = true;
        true
    }

    /// The first and the last line of the range.
    pub(super) fn range_lines(&self) -> Option<(usize, usize)> {
        let from = self.lines.find(Anchor::Row(self.range?), &[])?;
        Some((from.min(self.cursor), from.max(self.cursor)))
    }

    pub(super) fn is_in_range(&self, place: usize) -> bool {
        self.range_lines().is_some_and(|(from, to)| (from..=to).contains(&place))
    }

    /// Ends the range and marks its rows; says how many it had.
    pub(crate) fn take_range(&mut self, list: &mut List) -> Option<usize> {
        let (from, to) = self.range_lines()?;
        self.range = None;
        let mut count = 0;
        for line in &self.lines.list[from..=to] {
            if let Line::Row(at) = line {
                list.marks[*at as usize] = true;
                count += 1;
            }
        }
        list.keeping.touch();
        Some(count)
    }
}
