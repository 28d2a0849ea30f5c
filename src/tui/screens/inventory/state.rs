//! What the Inventory holds: rows and verdicts, the lines shown, the cursor. Marks are in `marks`, what outlives a run in
//! `keeping`.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;

use crate::jobs::{Judgement, Loaded};
use crate::registry::{Address, Catalog, Row};
use crate::rules::Verdict;
use crate::rules::filter::{Field, Haystack};
use crate::rules::memory::Look;
use crate::rules::order::{Group, Sort, gather, needs_attention};
use crate::rules::view::View;
use crate::tui::layout::InventoryWish;
use crate::tui::screens::inventory::filter::Filter;
use crate::tui::screens::inventory::jumps::Jumps;
use crate::tui::screens::inventory::keeping::Keeping;
use crate::tui::screens::inventory::lines::{Anchor, Head, Line, Lines};
use crate::tui::screens::inventory::tally::Tally;

/// The Inventory's state.
#[derive(Debug)]
pub struct Inventory {
    pub(crate) catalog: Arc<Catalog>,
    /// One a row.
    pub(crate) verdicts: Vec<Verdict>,
    pub(crate) filter: Filter,
    pub(crate) sort: Sort,
    pub(crate) group: Group,
    /// The maintainer's own views.
    pub(crate) views: Vec<View>,
    pub(crate) tally: Tally,
    /// Index into the lines shown.
    pub(crate) cursor: usize,
    /// The first line on screen.
    pub(crate) top: usize,
    pub(crate) preview: bool,
    pub(crate) preview_scroll: usize,
    /// Filter terms that no row passes, where nothing is left.
    pub(crate) dead_terms: Vec<String>,
    pub(super) hay: Haystack,
    pub(super) now: Timestamp,
    order: Vec<u32>,
    pub(super) ranks: Vec<u32>,
    /// Rows that pass the filter, in their order.
    shown: Vec<u32>,
    pub(super) lines: Lines,
    /// Titles of folded groups.
    pub(super) folded: BTreeSet<String>,
    pub(super) marks: Vec<bool>,
    /// The row that a range began on.
    pub(super) range: Option<u32>,
    /// What needed attention at the last look, and the rows that are new since then.
    pub(super) look: Option<Look>,
    pub(super) news: Vec<bool>,
    pub(crate) jumps: Jumps,
    pub(super) keeping: Keeping,
    /// Until the cursor was moved it stays on the first line, whichever that is.
    pub(super) touched: bool,
    /// What the cursor goes back to when the filter shows it again.
    wanted: Option<Anchor>,
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
            group: Group::default(),
            views: Vec::new(),
            tally: Tally::default(),
            cursor: 0,
            top: 0,
            preview: true,
            preview_scroll: 0,
            dead_terms: Vec::new(),
            hay: Haystack::default(),
            now: Timestamp::UNIX_EPOCH,
            order: Vec::new(),
            ranks: Vec::new(),
            shown: Vec::new(),
            lines: Lines::default(),
            folded: BTreeSet::new(),
            marks: Vec::new(),
            range: None,
            look: None,
            news: Vec::new(),
            jumps: Jumps::default(),
            keeping: Keeping::default(),
            touched: false,
            wanted: None,
            unsorted: false,
            sorted_at: None,
        }
    }
}

impl Inventory {
    /// What it wants to show besides the list.
    pub(in crate::tui) fn wish(&self) -> InventoryWish {
        InventoryWish { preview: self.preview, note: !self.filter.errors.is_empty() }
    }

    /// An empty one, at a time.
    pub(crate) fn at(now: Timestamp) -> Self {
        Self { now, ..Self::default() }
    }

    /// Takes a registry as read; selection and marks stay on their addresses. Says how many marks went with their entries.
    pub(crate) fn load(&mut self, loaded: Loaded, page: usize) -> usize {
        let selected = self.selected().map(|row| row.address.clone());
        let range =
            self.range.and_then(|at| self.catalog.rows.get(at as usize)).map(|row| row.address.clone());
        let marked: BTreeSet<Address> = self.marked().into_iter().collect();
        self.catalog = loaded.catalog;
        self.verdicts = loaded.verdicts;
        debug_assert_eq!(self.verdicts.len(), self.catalog.rows.len(), "one verdict a row");
        self.hay = Haystack::new(&self.catalog);
        self.marks = vec![false; self.catalog.rows.len()];
        let lost = self.mark_all(&marked);
        self.range = range.and_then(|address| self.find(&address)).map(|at| at as u32);
        self.find_news();
        self.shown.clear();
        self.lines = Lines::default();
        self.wanted = None;
        self.arrange(page);
        self.recall_when_loaded(page);
        if let Some(address) = selected.filter(|_| self.touched) {
            self.select(&address, page);
        }
        lost
    }

    /// Which rows need attention and did not at the last look.
    pub(super) fn find_news(&mut self) {
        let Some(look) = &self.look else {
            self.news.clear();
            return;
        };
        let rows = self.catalog.rows.iter().zip(&self.verdicts);
        self.news =
            rows.map(|(row, verdict)| needs_attention(row, verdict) && !look.has(&row.address)).collect();
    }

    /// Takes verdicts. Rows keep their places until [`Inventory::arrange`] is called, so that nothing jumps.
    pub(crate) fn judge(&mut self, judgements: Vec<Judgement>) {
        for Judgement { address, verdict } in judgements {
            if let Some(at) = self.find(&address) {
                if let (Some(new), Some(look)) = (self.news.get_mut(at), &self.look) {
                    *new = needs_attention(&self.catalog.rows[at], &verdict) && !look.has(&address);
                }
                self.verdicts[at] = verdict;
                self.unsorted = true;
            }
        }
        self.tally = Tally::of(&self.catalog.rows, &self.verdicts);
    }

    /// Sorts again if verdicts came, at most once in two seconds.
    pub(crate) fn arrange_in_time(&mut self, now: Timestamp, page: usize) {
        self.now = now;
        let due = self.sorted_at.is_none_or(|at| (now.as_second() - at.as_second()).abs() >= 2);
        if self.unsorted && due {
            self.sorted_at = Some(now);
            self.arrange(page);
        }
    }

    /// Sorts, groups and filters all rows anew. The cursor stays on its address and its line of the screen.
    pub(crate) fn arrange(&mut self, page: usize) {
        self.order = self.sort.arrange(&self.catalog.rows, &self.verdicts);
        let ranks = self.group.ranks(&self.catalog.rows, &self.verdicts);
        gather(&mut self.order, &ranks);
        // A group of before is nothing to go back to: its number may mean another one now.
        let anchor = self.take_anchor();
        self.ranks = ranks;
        self.unsorted = false;
        self.tally = Tally::of(&self.catalog.rows, &self.verdicts);
        self.show(anchor, page);
    }

    /// Filters the rows in their order.
    pub(crate) fn select_shown(&mut self, page: usize) {
        let anchor = self.take_anchor();
        self.show(anchor, page);
    }

    /// What the cursor stands on, or would if the filter showed it.
    fn take_anchor(&mut self) -> Option<Anchor> {
        let here = self.lines.anchor(self.cursor).filter(|_| self.touched);
        self.wanted.take().or(here)
    }

    fn show(&mut self, anchor: Option<Anchor>, page: usize) {
        let line = self.cursor.saturating_sub(self.top);
        self.shown.clear();
        self.dead_terms.clear();
        if self.filter.is_empty() {
            self.shown.extend_from_slice(&self.order);
        } else {
            let pass = self.filter.terms.select(&self.field());
            self.shown.extend(self.order.iter().filter(|at| pass[**at as usize]));
            if self.shown.is_empty() {
                let dead = self.filter.terms.dead_terms(&self.field());
                self.dead_terms = dead.into_iter().map(str::to_owned).collect();
            }
        }
        // A verdict that came may have put the selected row into a folded group.
        if let Some(Anchor::Row(at)) = anchor {
            self.reveal(at);
        }
        let (rows, verdicts, group) = (&self.catalog.rows, &self.verdicts, self.group);
        let title = |at: u32| group.title(&rows[at as usize], &verdicts[at as usize]);
        self.lines.build(&self.shown, &self.ranks, &self.folded, title);
        if self.range.is_some_and(|at| self.lines.find(Anchor::Row(at), &[]).is_none()) {
            self.range = None;
        }
        let place = anchor.and_then(|anchor| self.lines.find(anchor, &self.ranks));
        if place.is_none() {
            self.wanted = anchor;
        }
        self.cursor = place.unwrap_or(0);
        self.top = self.cursor.saturating_sub(line);
        self.settle(page);
    }

    /// What the filter is asked about.
    pub(super) fn field(&self) -> Field<'_> {
        Field {
            rows: &self.catalog.rows,
            verdicts: &self.verdicts,
            haystack: &self.hay,
            marked: &self.marks,
            new: &self.news,
            now: self.now,
        }
    }

    /// Puts the cursor on an address; whether it is shown.
    pub(crate) fn select(&mut self, address: &Address, page: usize) -> bool {
        let Some(at) = self.find(address) else { return false };
        if self.reveal(at as u32) {
            self.select_shown(page);
        }
        let Some(place) = self.lines.find(Anchor::Row(at as u32), &self.ranks) else { return false };
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

    pub(crate) fn find(&self, address: &Address) -> Option<usize> {
        self.catalog.rows.binary_search_by(|row| row.address.cmp(address)).ok()
    }

    pub(crate) fn verdict_of(&self, address: &Address) -> Option<&Verdict> {
        self.find(address).and_then(|at| self.verdicts.get(at))
    }

    /// Rows that pass the filter, folded ones with them.
    pub(crate) fn shown_count(&self) -> usize {
        self.shown.len()
    }

    /// Lines of the list: rows and heads.
    pub(crate) fn line_count(&self) -> usize {
        self.lines.list.len()
    }

    /// The row at a line of the list, its verdict, and whether it is marked. A head is no row.
    pub(crate) fn row(&self, place: usize) -> Option<(&Row, &Verdict, bool)> {
        let Line::Row(at) = *self.lines.list.get(place)? else { return None };
        let at = at as usize;
        Some((&self.catalog.rows[at], &self.verdicts[at], self.marks[at] || self.is_in_range(place)))
    }

    /// The head at a line of the list, and its title.
    pub(crate) fn head(&self, place: usize) -> Option<(&Head, String)> {
        let Line::Head(head) = *self.lines.list.get(place)? else { return None };
        let head = self.lines.heads.get(head as usize)?;
        Some((head, self.title_of(head)))
    }

    pub(super) fn title_of(&self, head: &Head) -> String {
        let at = head.first as usize;
        self.group.title(&self.catalog.rows[at], &self.verdicts[at])
    }

    pub(crate) fn selected(&self) -> Option<&Row> {
        self.row(self.cursor).map(|(row, _, _)| row)
    }

    /// The addresses of all rows that pass the filter, in their order.
    pub(crate) fn shown_addresses(&self) -> Vec<Address> {
        self.shown.iter().map(|at| self.catalog.rows[*at as usize].address.clone()).collect()
    }
}
