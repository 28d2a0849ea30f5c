//! The state of the Inventory besides the desk's list: the visible lines, the cursor, a range. Marks are in
//! `marks`.

use std::time::Duration;

use crate::desk::list::List;
use crate::registry::{Address, Row};
use crate::rules::Verdict;
use crate::tui::base::layout;
use crate::tui::base::layout::{InventoryExtras, InventoryParts, Window};
use crate::tui::keymap::HOME;
use crate::tui::views::inventory::filter::Typing;
use crate::tui::views::inventory::lines::{Anchor, Head, Line, Lines};
use crate::tui::views::inventory::note;
use crate::tui::views::{Jump, ViewRequest};
use crate::tui::widgets::strip::Paint;

/// The interval of sorting while verdicts arrive.
const SORTED_EVERY: Duration = Duration::from_secs(2);

/// The state of the Inventory.
#[derive(Debug, Default)]
pub(crate) struct Inventory {
    /// The filter while it is being typed.
    pub(crate) typing: Typing,
    /// Index into the lines shown.
    pub(crate) cursor: usize,
    /// The first line on screen.
    pub(crate) top: usize,
    pub(crate) preview_scroll: usize,
    /// True if keys scroll the preview, where it is visible.
    pub(super) reading: bool,
    pub(super) lines: Lines,
    /// The row that a range began on.
    pub(super) range: Option<u32>,
    /// True once the cursor was moved; until then it stays on the first line.
    pub(super) touched: bool,
    /// The row that the cursor goes back to when the filter shows it again.
    wanted: Option<Anchor>,
    /// The places that survive reading the registry again, and the number of rows before that.
    pub(super) kept: (Held, usize),
    /// True if verdicts arrived since the last sorting; below it the time of the last sorting.
    unsorted: bool,
    sorted_at: Option<Duration>,
}

/// The places of the parts.
pub(super) fn parts(list: &List, window: Window) -> InventoryParts {
    let without = InventoryExtras { preview: !list.no_preview, note: 0 };
    let Some(error) = note::of(list) else { return layout::inventory(window, without) };
    let width = window.size.columns;
    let lines = note::lines(&error, list, width).len() as u16;
    layout::inventory(window, InventoryExtras { note: lines, ..without })
}

/// The number of visible rows of the list.
pub(super) fn page(list: &List, paint: &Paint<'_>) -> usize {
    usize::from(parts(list, paint.window()).list.height).max(1)
}

/// Entries by address, since places change with the registry.
#[derive(Debug, Default)]
pub(crate) struct Held {
    selected: Option<Address>,
    range: Option<Address>,
}

impl Inventory {
    /// The request to note the current place, before the cursor leaves it.
    pub(super) fn note_place(&self, list: &List) -> Option<ViewRequest> {
        let address = self.selected(list)?.address.clone();
        Some(ViewRequest::NotePlace(Jump { screen: HOME, address, filter: list.filter.clone() }))
    }

    /// The entries under the cursor and at the start of the range, by their addresses.
    pub(crate) fn held(&self, list: &List) -> Held {
        let range = self.range.and_then(|at| list.catalog.rows.get(at as usize));
        Held {
            selected: self.selected(list).map(|row| row.address.clone()),
            range: range.map(|row| row.address.clone()),
        }
    }

    /// Takes a registry that was read again.
    pub(crate) fn loaded(&mut self, list: &mut List, held: Held, page: usize) {
        self.lines = Lines::default();
        self.wanted = None;
        self.range = held.range.and_then(|address| list.find(&address)).map(|at| at as u32);
        self.show(list, None, page);
        if let Some(address) = held.selected.filter(|_| self.touched) {
            self.select(list, &address, page);
        }
    }

    /// Takes the state of earlier runs.
    pub(crate) fn recalled(&mut self, list: &mut List, page: usize) {
        let anchor = self.take_anchor();
        if !list.catalog.rows.is_empty() {
            self.show(list, anchor, page);
        }
    }

    /// Takes new verdicts. Rows keep their places until [`Inventory::arrange`] is called, so that nothing
    /// jumps.
    pub(crate) fn judged(&mut self) {
        self.unsorted = true;
    }

    /// Sorts again if verdicts arrived, at most once in two seconds.
    pub(crate) fn arrange_in_time(&mut self, list: &mut List, uptime: Duration, page: usize) {
        let due = self.sorted_at.is_none_or(|at| uptime.saturating_sub(at) >= SORTED_EVERY);
        if self.unsorted && due {
            self.sorted_at = Some(uptime);
            self.arrange(list, page);
        }
    }

    /// Sorts, groups and filters all rows again. The cursor stays on its address and its line of the screen.
    pub(crate) fn arrange(&mut self, list: &mut List, page: usize) {
        // A group of before is nothing to go back to: its number may mean another one now.
        let anchor = self.take_anchor();
        self.unsorted = false;
        list.arrange();
        self.show(list, anchor, page);
    }

    /// Filters the rows in their order.
    pub(crate) fn select_shown(&mut self, list: &mut List, page: usize) {
        let anchor = self.take_anchor();
        list.select();
        self.show(list, anchor, page);
    }

    /// The line under the cursor, or the one that it goes back to.
    fn take_anchor(&mut self) -> Option<Anchor> {
        let here = self.lines.anchor(self.cursor).filter(|_| self.touched);
        self.wanted.take().or(here)
    }

    /// Builds the lines for the rows of the list.
    fn show(&mut self, list: &mut List, anchor: Option<Anchor>, page: usize) {
        let line = self.cursor.saturating_sub(self.top);
        // A verdict that came may have put the selected row into a folded group.
        if let Some(Anchor::Row(at)) = anchor {
            reveal(list, at);
        }
        self.lines.build(&list.shown, &list.ranks, &list.folded, |at| list.group_of(at), |at| list.wants(at));
        if self.range.is_some_and(|at| self.lines.find(Anchor::Row(at), &[]).is_none()) {
            self.range = None;
        }
        let place = anchor.and_then(|anchor| self.lines.find(anchor, &list.ranks));
        // A typed address selects its entry; the place before returns when the address is typed over.
        let typed = list.named.filter(|_| self.typing.is_open());
        let named = typed.and_then(|at| self.lines.find(Anchor::Row(at), &list.ranks));
        if place.is_none() || named.is_some() {
            self.wanted = anchor;
        }
        self.cursor = named.or(place).unwrap_or(0);
        self.preview_scroll =
            if named.or(place) == place && place.is_some() { self.preview_scroll } else { 0 };
        self.top = self.cursor.saturating_sub(line);
        self.settle_in(page);
    }

    /// Puts the cursor on an address; returns false if the filter hides the address.
    pub(crate) fn select(&mut self, list: &mut List, address: &Address, page: usize) -> bool {
        let Some(at) = list.find(address) else { return false };
        if reveal(list, at as u32) {
            self.select_shown(list, page);
        }
        let Some(place) = self.lines.find(Anchor::Row(at as u32), &list.ranks) else { return false };
        let line = self.cursor.saturating_sub(self.top);
        self.touched = true;
        self.wanted = None;
        self.preview_scroll = 0;
        self.cursor = place;
        self.top = place.saturating_sub(line);
        self.settle_in(page);
        true
    }

    /// Keeps the cursor inside the lines, and the window around the cursor.
    pub(super) fn settle_in(&mut self, page: usize) {
        self.cursor = self.cursor.min(self.line_count().saturating_sub(1));
        self.top = layout::first_visible(self.top, self.cursor, page, self.line_count());
    }

    /// Returns true if keys scroll the preview.
    pub(crate) fn reads(&self, list: &List, window: Window) -> bool {
        self.reading && !parts(list, window).preview.is_empty()
    }

    /// Moves the cursor by this many lines.
    pub(crate) fn step(&mut self, by: isize, page: usize) {
        self.go(self.cursor.saturating_add_signed(by), page);
    }

    pub(crate) fn go(&mut self, place: usize, page: usize) {
        self.touched = true;
        self.wanted = None;
        self.preview_scroll = 0;
        self.cursor = place;
        self.settle_in(page);
    }

    /// The number of lines of the list: rows and heads.
    pub(crate) fn line_count(&self) -> usize {
        self.lines.list.len()
    }

    /// The row at a line of the list, its verdict, and true if it is marked. A head is no row.
    pub(crate) fn row<'a>(&self, list: &'a List, place: usize) -> Option<(&'a Row, &'a Verdict, bool)> {
        let Line::Row(at) = *self.lines.list.get(place)? else { return None };
        let (row, verdict, marked) = list.row(at);
        Some((row, verdict, marked || self.is_in_range(place)))
    }

    /// The head at a line of the list, and its title.
    pub(crate) fn head(&self, list: &List, place: usize) -> Option<(&Head, String)> {
        let Line::Head(head) = *self.lines.list.get(place)? else { return None };
        let head = self.lines.heads.get(head as usize)?;
        Some((head, list.group_of(head.first)))
    }

    /// The entries on the screen.
    pub(crate) fn seen(&self, list: &List, page: usize) -> Vec<Address> {
        let rows = (self.top..self.top + page).filter_map(|place| self.row(list, place));
        rows.map(|(row, ..)| row.address.clone()).collect()
    }

    pub(crate) fn selected<'a>(&self, list: &'a List) -> Option<&'a Row> {
        self.row(list, self.cursor).map(|(row, _, _)| row)
    }
}

/// Opens the group of a row; returns true if it was folded.
fn reveal(list: &mut List, row: u32) -> bool {
    (row as usize) < list.catalog.rows.len() && list.folded.remove(&list.group_of(row))
}
