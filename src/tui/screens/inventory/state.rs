//! What the Inventory holds: rows and verdicts, the rows shown, the cursor, the marks.

use std::sync::Arc;

use jiff::Timestamp;

use crate::jobs::Judgement;
use crate::jobs::Loaded;
use crate::registry::Address;
use crate::registry::Catalog;
use crate::registry::Row;
use crate::rules::Status;
use crate::rules::Verdict;
use crate::tui::screens::inventory::filter::Filter;
use crate::tui::screens::inventory::filter::Haystack;
use crate::tui::screens::inventory::order::Sort;
use crate::tui::screens::inventory::order::is_unasked;

/// How many rows have which status, and when they were checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub counts: [u32; Status::COUNT],
    /// Of the UNKNOWN ones: never checked.
    pub unasked: u32,
    pub oldest: Option<Timestamp>,
    pub newest: Option<Timestamp>,
}

impl Tally {
    fn of(rows: &[Row], verdicts: &[Verdict]) -> Self {
        let mut tally = Self::default();
        for (row, verdict) in rows.iter().zip(verdicts) {
            tally.counts[verdict.status as usize] += 1;
            tally.unasked += u32::from(is_unasked(row, verdict));
            if let Some(at) = verdict.checked_at {
                tally.oldest = Some(tally.oldest.map_or(at, |old| old.min(at)));
                tally.newest = Some(tally.newest.map_or(at, |new| new.max(at)));
            }
        }
        tally
    }

    /// Rows that somebody should look at, those never checked left out.
    pub fn attention(&self) -> u32 {
        let wanting: u32 =
            Status::all().filter(|s| s.needs_attention()).map(|s| self.counts[s as usize]).sum();
        wanting - self.unasked
    }
}

/// The Inventory's state.
#[derive(Debug)]
pub struct Inventory {
    pub catalog: Arc<Catalog>,
    /// One a row.
    pub verdicts: Vec<Verdict>,
    pub filter: Filter,
    pub sort: Sort,
    pub tally: Tally,
    /// Index into the rows shown.
    pub cursor: usize,
    /// The first row on screen.
    pub top: usize,
    pub preview: bool,
    pub preview_scroll: usize,
    hay: Haystack,
    order: Vec<u32>,
    shown: Vec<u32>,
    marks: Vec<bool>,
    /// Until the cursor was moved it stays on the first row, whichever that is.
    touched: bool,
    /// Verdicts came since the rows were sorted, and when that was.
    unsorted: bool,
    sorted_at: Option<Timestamp>,
}

impl Default for Inventory {
    fn default() -> Self {
        Self {
            catalog: Arc::default(),
            verdicts: Vec::new(),
            filter: Filter::default(),
            sort: Sort::default(),
            tally: Tally::default(),
            cursor: 0,
            top: 0,
            preview: true,
            preview_scroll: 0,
            hay: Haystack::default(),
            order: Vec::new(),
            shown: Vec::new(),
            marks: Vec::new(),
            touched: false,
            unsorted: false,
            sorted_at: None,
        }
    }
}

impl Inventory {
    /// Takes a registry as read; selection and marks stay on their addresses.
    pub fn load(&mut self, loaded: Loaded, page: usize) {
        let selected = self.selected().map(|row| row.address.clone());
        let marked = self.marked();
        self.catalog = loaded.catalog;
        self.verdicts = loaded.verdicts;
        debug_assert_eq!(self.verdicts.len(), self.catalog.rows.len(), "one verdict a row");
        self.hay = Haystack::new(&self.catalog);
        self.marks = vec![false; self.catalog.rows.len()];
        for address in marked {
            if let Some(at) = self.find(&address) {
                self.marks[at] = true;
            }
        }
        self.shown.clear();
        self.arrange(page);
        if let Some(at) = selected.filter(|_| self.touched).and_then(|address| self.find(&address)) {
            self.select_row(at as u32, page);
        }
    }

    /// Takes verdicts. Rows keep their places until [`Inventory::arrange`] is called, so that nothing jumps.
    pub fn judge(&mut self, judgements: Vec<Judgement>) {
        for Judgement { address, verdict } in judgements {
            if let Some(at) = self.find(&address) {
                self.verdicts[at] = verdict;
                self.unsorted = true;
            }
        }
        self.tally = Tally::of(&self.catalog.rows, &self.verdicts);
    }

    /// Sorts again if verdicts came, at most once in two seconds.
    pub fn arrange_in_time(&mut self, now: Timestamp, page: usize) {
        let due = self.sorted_at.is_none_or(|at| (now.as_second() - at.as_second()).abs() >= 2);
        if self.unsorted && due {
            self.sorted_at = Some(now);
            self.arrange(page);
        }
    }

    /// Sorts and filters all rows anew. The cursor stays on its address and its line of the screen.
    pub fn arrange(&mut self, page: usize) {
        self.order = self.sort.arrange(&self.catalog.rows, &self.verdicts);
        self.unsorted = false;
        self.tally = Tally::of(&self.catalog.rows, &self.verdicts);
        self.select_shown(page);
    }

    /// Filters the rows in their order.
    pub fn select_shown(&mut self, page: usize) {
        let selected = self.shown.get(self.cursor).copied();
        let line = self.cursor.saturating_sub(self.top);
        self.shown.clear();
        if self.filter.is_empty() {
            self.shown.extend_from_slice(&self.order);
        } else {
            let pass = self.filter.pass(&self.catalog.rows, &self.verdicts, &self.hay);
            self.shown.extend(self.order.iter().filter(|at| pass[**at as usize]));
        }
        let place =
            selected.filter(|_| self.touched).and_then(|row| self.shown.iter().position(|at| *at == row));
        self.cursor = place.unwrap_or(0);
        self.top = self.cursor.saturating_sub(line);
        self.settle(page);
    }

    fn select_row(&mut self, row: u32, page: usize) {
        if let Some(place) = self.shown.iter().position(|at| *at == row) {
            let line = self.cursor.saturating_sub(self.top);
            self.cursor = place;
            self.top = place.saturating_sub(line);
            self.settle(page);
        }
    }

    /// Keeps the cursor inside the rows, and the window around the cursor.
    pub fn settle(&mut self, page: usize) {
        let page = page.max(1);
        self.cursor = self.cursor.min(self.shown.len().saturating_sub(1));
        self.top = self.top.min(self.shown.len().saturating_sub(page)).min(self.cursor);
        self.top = self.top.max((self.cursor + 1).saturating_sub(page));
    }

    /// Moves the cursor by so many rows.
    pub fn step(&mut self, by: isize, page: usize) {
        self.go(self.cursor.saturating_add_signed(by), page);
    }

    pub fn go(&mut self, place: usize, page: usize) {
        self.touched = true;
        self.preview_scroll = 0;
        self.cursor = place;
        self.settle(page);
    }

    pub fn find(&self, address: &Address) -> Option<usize> {
        self.catalog.rows.binary_search_by(|row| row.address.cmp(address)).ok()
    }

    pub fn verdict_of(&self, address: &Address) -> Option<&Verdict> {
        self.find(address).and_then(|at| self.verdicts.get(at))
    }

    pub fn shown_count(&self) -> usize {
        self.shown.len()
    }

    /// The row at a place of the list, its verdict, and whether it is marked.
    pub fn row(&self, place: usize) -> Option<(&Row, &Verdict, bool)> {
        let at = *self.shown.get(place)? as usize;
        Some((&self.catalog.rows[at], &self.verdicts[at], self.marks[at]))
    }

    pub fn selected(&self) -> Option<&Row> {
        self.row(self.cursor).map(|(row, _, _)| row)
    }

    /// All addresses shown, in their order.
    pub fn shown_addresses(&self) -> Vec<Address> {
        self.shown.iter().map(|at| self.catalog.rows[*at as usize].address.clone()).collect()
    }

    pub fn marked(&self) -> Vec<Address> {
        let rows = self.catalog.rows.iter().zip(&self.marks);
        rows.filter(|(_, marked)| **marked).map(|(row, _)| row.address.clone()).collect()
    }

    pub fn mark_count(&self) -> usize {
        self.marks.iter().filter(|marked| **marked).count()
    }

    /// Marked rows that the filter hides.
    pub fn hidden_marks(&self) -> usize {
        self.mark_count() - self.shown.iter().filter(|at| self.marks[**at as usize]).count()
    }

    /// Marks the row under the cursor, or takes its mark.
    pub fn toggle_mark(&mut self) {
        if let Some(at) = self.shown.get(self.cursor) {
            self.marks[*at as usize] ^= true;
        }
    }

    /// Marks every row shown; says how many were added.
    pub fn mark_shown(&mut self) -> usize {
        let before = self.mark_count();
        for at in &self.shown {
            self.marks[*at as usize] = true;
        }
        self.mark_count() - before
    }

    pub fn invert_shown(&mut self) {
        for at in &self.shown {
            self.marks[*at as usize] ^= true;
        }
    }

    pub fn clear_marks(&mut self) {
        self.marks.fill(false);
    }
}
