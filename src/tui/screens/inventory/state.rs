//! What the Inventory holds besides the list: the lines shown, the cursor, a range. Marks are in `marks`.

use jiff::Timestamp;

use crate::desk::list::List;
use crate::jobs::{Judgement, Loaded};
use crate::registry::{Address, Row};
use crate::rules::Verdict;
use crate::rules::memory::Memory;
use crate::tui::layout::InventoryWish;
use crate::tui::screens::inventory::filter::Typing;
use crate::tui::screens::inventory::jumps::Jumps;
use crate::tui::screens::inventory::lines::{Anchor, Head, Line, Lines};

/// The Inventory's state.
#[derive(Debug, Default)]
pub struct Inventory {
    pub(crate) list: List,
    /// The filter while it is being typed.
    pub(crate) typing: Typing,
    /// Index into the lines shown.
    pub(crate) cursor: usize,
    /// The first line on screen.
    pub(crate) top: usize,
    pub(crate) preview_scroll: usize,
    pub(super) lines: Lines,
    /// The row that a range began on.
    pub(super) range: Option<u32>,
    pub(crate) jumps: Jumps,
    /// Until the cursor was moved it stays on the first line, whichever that is.
    pub(super) touched: bool,
    /// What the cursor goes back to when the filter shows it again.
    wanted: Option<Anchor>,
    /// Verdicts came since the rows were sorted, and when that was.
    unsorted: bool,
    sorted_at: Option<Timestamp>,
}

impl Inventory {
    /// What it wants to show besides the list.
    pub(in crate::tui) fn wish(&self) -> InventoryWish {
        InventoryWish { preview: !self.list.no_preview, note: !self.list.filter_errors.is_empty() }
    }

    /// An empty one, at a time.
    pub(crate) fn at(now: Timestamp) -> Self {
        Self { list: List::at(now), ..Self::default() }
    }

    /// Takes a registry as read; selection and marks stay on their addresses. Says how many marks went with their entries.
    pub(crate) fn load(&mut self, loaded: Loaded, page: usize) -> usize {
        let selected = self.selected().map(|row| row.address.clone());
        let rows = &self.list.catalog.rows;
        let range = self.range.and_then(|at| rows.get(at as usize)).map(|row| row.address.clone());
        self.lines = Lines::default();
        self.wanted = None;
        let lost = self.list.load(loaded);
        self.range = range.and_then(|address| self.list.find(&address)).map(|at| at as u32);
        self.show(None, page);
        if let Some(address) = selected.filter(|_| self.touched) {
            self.select(&address, page);
        }
        lost
    }

    /// Takes what earlier runs kept.
    pub(crate) fn recall(&mut self, memory: Memory, page: usize) {
        let anchor = self.take_anchor();
        self.list.recall(memory);
        if !self.list.catalog.rows.is_empty() {
            self.show(anchor, page);
        }
    }

    /// Takes verdicts. Rows keep their places until [`Inventory::arrange`] is called, so that nothing jumps.
    pub(crate) fn judge(&mut self, judgements: Vec<Judgement>) {
        self.unsorted |= self.list.judge(judgements);
    }

    /// Sorts again if verdicts came, at most once in two seconds.
    pub(crate) fn arrange_in_time(&mut self, now: Timestamp, page: usize) {
        self.list.now = now;
        let due = self.sorted_at.is_none_or(|at| (now.as_second() - at.as_second()).abs() >= 2);
        if self.unsorted && due {
            self.sorted_at = Some(now);
            self.arrange(page);
        }
    }

    /// Sorts, groups and filters all rows anew. The cursor stays on its address and its line of the screen.
    pub(crate) fn arrange(&mut self, page: usize) {
        // A group of before is nothing to go back to: its number may mean another one now.
        let anchor = self.take_anchor();
        self.unsorted = false;
        self.list.arrange();
        self.show(anchor, page);
    }

    /// Filters the rows in their order.
    pub(crate) fn select_shown(&mut self, page: usize) {
        let anchor = self.take_anchor();
        self.list.select();
        self.show(anchor, page);
    }

    /// What the cursor stands on, or would if the filter showed it.
    fn take_anchor(&mut self) -> Option<Anchor> {
        let here = self.lines.anchor(self.cursor).filter(|_| self.touched);
        self.wanted.take().or(here)
    }

    /// Makes the lines of the rows that the list shows.
    fn show(&mut self, anchor: Option<Anchor>, page: usize) {
        let line = self.cursor.saturating_sub(self.top);
        // A verdict that came may have put the selected row into a folded group.
        if let Some(Anchor::Row(at)) = anchor {
            self.reveal(at);
        }
        let list = &self.list;
        self.lines.build(&list.shown, &list.ranks, &list.folded, |at| list.group_of(at));
        if self.range.is_some_and(|at| self.lines.find(Anchor::Row(at), &[]).is_none()) {
            self.range = None;
        }
        let place = anchor.and_then(|anchor| self.lines.find(anchor, &self.list.ranks));
        if place.is_none() {
            self.wanted = anchor;
        }
        self.cursor = place.unwrap_or(0);
        self.top = self.cursor.saturating_sub(line);
        self.settle(page);
    }

    /// Puts the cursor on an address; whether it is shown.
    pub(crate) fn select(&mut self, address: &Address, page: usize) -> bool {
        let Some(at) = self.list.find(address) else { return false };
        if self.reveal(at as u32) {
            self.select_shown(page);
        }
        let Some(place) = self.lines.find(Anchor::Row(at as u32), &self.list.ranks) else { return false };
        let line = self.cursor.saturating_sub(self.top);
        self.touched = true;
        self.wanted = None;
        self.cursor = place;
        self.top = place.saturating_sub(line);
        self.settle(page);
        true
    }

    /// Keeps the cursor inside the lines, and the window around the cursor.
    pub(crate) fn settle(&mut self, page: usize) {
        let page = page.max(1);
        let count = self.lines.list.len();
        self.cursor = self.cursor.min(count.saturating_sub(1));
        self.top = self.top.min(count.saturating_sub(page)).min(self.cursor);
        self.top = self.top.max((self.cursor + 1).saturating_sub(page));
    }

    /// Moves the cursor by so many lines.
    pub(crate) fn step(&mut self, by: isize, page: usize) {
        self.go(self.cursor.saturating_add_signed(by), page);
    }

    pub(crate) fn go(&mut self, place: usize, page: usize) {
        self.touched = true;
        self.wanted = None;
        self.preview_scroll = 0;
        self.cursor = place;
        self.settle(page);
    }

    /// Lines of the list: rows and heads.
    pub(crate) fn line_count(&self) -> usize {
        self.lines.list.len()
    }

    /// The row at a line of the list, its verdict, and whether it is marked. A head is no row.
    pub(crate) fn row(&self, place: usize) -> Option<(&Row, &Verdict, bool)> {
        let Line::Row(at) = *self.lines.list.get(place)? else { return None };
        let (row, verdict, marked) = self.list.row(at);
        Some((row, verdict, marked || self.is_in_range(place)))
    }

    /// The head at a line of the list, and its title.
    pub(crate) fn head(&self, place: usize) -> Option<(&Head, String)> {
        let Line::Head(head) = *self.lines.list.get(place)? else { return None };
        let head = self.lines.heads.get(head as usize)?;
        Some((head, self.title_of(head)))
    }

    pub(super) fn title_of(&self, head: &Head) -> String {
        self.list.group_of(head.first)
    }

    pub(crate) fn selected(&self) -> Option<&Row> {
        self.row(self.cursor).map(|(row, _, _)| row)
    }
}
