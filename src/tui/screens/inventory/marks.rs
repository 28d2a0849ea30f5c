//! Marks and ranges. A mark belongs to an address; it survives filters, sorting and refreshes, and only rows that stand as
//! lines of the list are ever marked.

use std::collections::BTreeSet;

use crate::registry::Address;
use crate::rules::Status;
use crate::tui::screens::inventory::lines::{Anchor, Line};
use crate::tui::screens::inventory::state::Inventory;

/// What marking did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marked {
    pub(super) count: usize,
    /// Rows of folded groups, which were left alone.
    pub(super) folded: usize,
}

impl Inventory {
    pub(crate) fn marked(&self) -> Vec<Address> {
        let rows = self.catalog.rows.iter().zip(&self.marks);
        rows.filter(|(_, marked)| **marked).map(|(row, _)| row.address.clone()).collect()
    }

    pub(crate) fn mark_count(&self) -> usize {
        self.marks.iter().filter(|marked| **marked).count()
    }

    /// Marked rows that are no line of the list: the filter hides them, or a fold.
    pub(crate) fn hidden_marks(&self) -> usize {
        self.mark_count() - self.lines.rows().filter(|at| self.marks[*at as usize]).count()
    }

    /// How many marked rows have which status, in the ladder's order.
    pub(super) fn marks_by_status(&self) -> Vec<(Status, usize)> {
        let mut counts = [0; Status::COUNT];
        for (verdict, _) in self.verdicts.iter().zip(&self.marks).filter(|(_, marked)| **marked) {
            counts[verdict.status as usize] += 1;
        }
        Status::words()
            .map(|word| (word, Status::of_word(word.word()).map(|status| counts[status as usize]).sum()))
            .filter(|(_, count)| *count > 0)
            .collect()
    }

    /// Marks these addresses; says how many the registry does not have.
    pub(super) fn mark_all(&mut self, addresses: &BTreeSet<Address>) -> usize {
        let mut lost = 0;
        for address in addresses {
            match self.find(address) {
                Some(at) => self.marks[at] = true,
                None => lost += 1,
            }
        }
        lost
    }

    /// Marks the row under the cursor, or takes its mark; whether there is a row.
    pub(super) fn toggle_mark(&mut self) -> bool {
        let Some(Line::Row(at)) = self.lines.list.get(self.cursor) else { return false };
        self.marks[*at as usize] ^= true;
        self.keeping.touch();
        true
    }

    /// Marks every row that is a line.
    pub(super) fn mark_shown(&mut self) -> Marked {
        let before = self.mark_count();
        for at in self.lines.rows() {
            self.marks[at as usize] = true;
        }
        self.keeping.touch();
        Marked { count: self.mark_count() - before, folded: self.lines.folded_rows() }
    }

    /// Turns the marks of every row that is a line.
    pub(super) fn invert_shown(&mut self) -> Marked {
        for at in self.lines.rows() {
            self.marks[at as usize] ^= true;
        }
        self.keeping.touch();
        Marked { count: self.mark_count(), folded: self.lines.folded_rows() }
    }

    pub(super) fn clear_marks(&mut self) {
        self.marks.fill(false);
        self.keeping.touch();
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
    pub(crate) fn take_range(&mut self) -> Option<usize> {
        let (from, to) = self.range_lines()?;
        self.range = None;
        let mut count = 0;
        for line in &self.lines.list[from..=to] {
            if let Line::Row(at) = line {
                self.marks[*at as usize] = true;
                count += 1;
            }
        }
        self.keeping.touch();
        Some(count)
    }
}
