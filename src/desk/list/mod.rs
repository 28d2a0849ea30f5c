//! The registry's rows with their verdicts, and the selection on screen: filter, order, groups, marks, views.
//!
//! Rows keep their places during a survey, until the list is arranged again: a number that was read aloud,
//! and the line under a cursor, stay the same. `keeping` holds the part that outlives a run.

mod keeping;
mod tally;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;

use crate::jobs::data::{Judgement, Loaded};
use crate::registry::{Address, Catalog, Kind, Row};
use crate::rules::filter::{Completion, DeadTerm, Field, Filter, FilterError, Haystack, complete};
use crate::rules::memory::{Divider, HISTORY_LIMIT, Look};
use crate::rules::order::{Group, Sort, gather};
use crate::rules::view::View;
use crate::rules::{Status, Verdict, view};

pub(crate) use tally::Tally;

/// The list of entries.
#[derive(Clone, Debug, Default)]
pub(crate) struct List {
    pub(crate) catalog: Arc<Catalog>,
    /// One for each row.
    pub(crate) verdicts: Vec<Verdict>,
    pub(crate) now: Timestamp,
    pub(crate) sort: Sort,
    pub(crate) group: Group,
    /// Titles of folded groups.
    pub(crate) folded: BTreeSet<String>,
    pub(crate) no_preview: bool,
    /// The theme that was chosen with its key, in this run or an earlier one.
    pub(crate) theme: Option<String>,
    /// The dividers that were moved, by the names of their views.
    pub(crate) dividers: BTreeMap<String, Divider>,
    /// The notes on keys of the key file that other actions had, as they were shown.
    pub(crate) key_notes: BTreeSet<String>,
    /// The maintainer's own views.
    pub(crate) views: Vec<View>,
    /// The view that was chosen or saved last. Among views with equal contents, this name wins.
    called: String,
    pub(crate) tally: Tally,
    /// Filter terms that match no row, if the list is empty.
    pub(crate) dead_terms: Vec<DeadTerm>,
    /// The filter as typed; below it the terms that are left out, with the reasons.
    pub(crate) filter: String,
    pub(crate) filter_errors: Vec<FilterError>,
    /// Filters that were used, the newest last.
    pub(crate) history: Vec<String>,
    /// The group of each row of the catalog; empty without grouping.
    pub(crate) ranks: Vec<u32>,
    /// Rows that pass the filter, in their order.
    pub(crate) shown: Vec<u32>,
    /// The registry has providers and modules. A filter does not change it, so that the columns keep their places.
    pub(crate) has_both_kinds: bool,
    /// The row whose full address stands in the filter.
    pub(crate) named: Option<u32>,
    /// The length of the longest address, in bytes.
    pub(crate) longest_address: usize,
    /// One for each row.
    pub(crate) marks: Vec<bool>,
    /// The entries that needed attention at the last look, and the rows that are new since then.
    look: Option<Look>,
    pub(crate) news: Vec<bool>,
    terms: Filter,
    hay: Haystack,
    order: Vec<u32>,
    pub(crate) keeping: keeping::Keeping,
}

impl List {
    /// An empty list at this time.
    pub(crate) fn at(now: Timestamp) -> Self {
        Self { now, ..Self::default() }
    }

    /// Takes a registry; marks stay on their addresses. Returns the number of marks whose entries are gone.
    pub(crate) fn load(&mut self, loaded: Loaded) -> usize {
        let marked: BTreeSet<Address> = self.marked().into_iter().collect();
        self.catalog = loaded.catalog;
        self.verdicts = loaded.verdicts;
        debug_assert_eq!(self.verdicts.len(), self.catalog.rows.len(), "one verdict a row");
        self.hay = Haystack::new(&self.catalog);
        self.longest_address = self.hay.longest();
        let has = |kind| self.catalog.rows.iter().any(|row| row.kind() == kind);
        self.has_both_kinds = has(Kind::Provider) && has(Kind::Module);
        self.marks = vec![false; self.catalog.rows.len()];
        let lost = self.mark_all(&marked, true);
        self.find_news();
        self.shown.clear();
        self.recall_marks();
        self.arrange();
        lost
    }

    /// Finds the rows that need attention and did not at the last look.
    fn find_news(&mut self) {
        let Some(look) = &self.look else {
            self.news.clear();
            return;
        };
        let rows = self.catalog.rows.iter().zip(&self.verdicts);
        self.news = rows.map(|(row, verdict)| verdict.needs_attention() && !look.has(&row.address)).collect();
    }

    /// Takes verdicts; the rows keep their places. Returns true if the registry has at least one of them.
    pub(crate) fn judge(&mut self, judgements: Vec<Judgement>) -> bool {
        let mut any = false;
        for Judgement { address, verdict } in judgements {
            if let Some(at) = self.find(&address) {
                if let (Some(new), Some(look)) = (self.news.get_mut(at), &self.look) {
                    *new = verdict.needs_attention() && !look.has(&address);
                }
                self.verdicts[at] = verdict;
                any = true;
            }
        }
        self.tally = Tally::of(&self.verdicts);
        any
    }

    /// Sorts, groups and filters all rows again.
    pub(crate) fn arrange(&mut self) {
        self.order = self.sort.arrange(&self.verdicts);
        self.ranks = self.group.ranks(&self.catalog.rows, &self.verdicts);
        gather(&mut self.order, &self.ranks);
        self.tally = Tally::of(&self.verdicts);
        self.select();
    }

    /// Filters the rows in their order; an address that is typed in full stands first.
    pub(crate) fn select(&mut self) {
        let mut shown = std::mem::take(&mut self.shown);
        shown.clear();
        self.dead_terms.clear();
        self.named = None;
        if self.terms.is_empty() {
            shown.extend_from_slice(&self.order);
        } else {
            let pass = self.terms.select(&self.field());
            shown.extend(self.order.iter().filter(|at| pass[**at as usize]));
            self.named = self.terms.name_first(&self.field(), &mut shown, &self.ranks);
            if shown.is_empty() {
                self.dead_terms = self.terms.dead_terms(&self.field());
            }
        }
        self.shown = shown;
    }

    /// Completes the last word of a filter text.
    pub(crate) fn complete(&self, typed: &str) -> Completion {
        complete(typed, &self.catalog.rows)
    }

    /// The rows and the facts that a filter reads.
    fn field(&self) -> Field<'_> {
        Field {
            rows: &self.catalog.rows,
            verdicts: &self.verdicts,
            haystack: &self.hay,
            marked: &self.marks,
            new: &self.news,
            now: self.now,
        }
    }

    /// Sets the filter; bad terms are left out and listed in [`List::filter_errors`].
    pub(crate) fn set_filter(&mut self, text: String) {
        (self.terms, self.filter_errors) = Filter::read(&text);
        self.filter = text;
    }

    /// The parts of an address that the filter looks for.
    pub(crate) fn wanted_parts(&self) -> impl Iterator<Item = &str> {
        self.terms.address_parts()
    }

    /// Returns true if the filter depends on marks.
    pub(crate) fn asks_for_marks(&self) -> bool {
        self.terms.asks_for_marks()
    }

    /// Remembers the filter as used.
    pub(crate) fn note_filter(&mut self) {
        let text = self.filter.trim().to_owned();
        if !text.is_empty() && self.history.last() != Some(&text) {
            self.history.retain(|old| *old != text);
            self.history.push(text);
            let over = self.history.len().saturating_sub(HISTORY_LIMIT);
            self.history.drain(..over);
        }
    }

    /// Takes filter, order and groups of a view. The caller arranges the rows.
    pub(crate) fn take_view(&mut self, view: View) {
        self.called = view.name;
        self.set_filter(view.filter);
        (self.sort, self.group) = (view.sort, view.group);
        self.keeping.touch();
    }

    /// The current filter, order and groups as a view with this name.
    pub(crate) fn as_view(&self, name: &str) -> View {
        View {
            name: name.trim().into(),
            filter: self.filter.trim().into(),
            sort: self.sort,
            group: self.group,
        }
    }

    /// The name of the view that the list shows, if one fits.
    pub(crate) fn view_name(&self) -> Option<String> {
        let filter = self.filter.trim();
        let same = |view: &&View| view.filter.trim() == filter;
        let all: Vec<View> = view::built_in().into_iter().chain(self.views.iter().cloned()).collect();
        let exact =
            || all.iter().filter(|view| same(view) && view.sort == self.sort && view.group == self.group);
        let best = exact().find(|view| view.name == self.called).or_else(|| exact().next());
        best.or_else(|| all.iter().find(same)).map(|view| view.name.clone())
    }

    /// All views, the built-in ones first, each with its number of rows.
    pub(crate) fn counted_views(&self) -> Vec<(View, u64)> {
        let count = |view: View| {
            let (filter, _) = Filter::read(&view.filter);
            let rows = filter.select(&self.field()).into_iter().filter(|pass| *pass).count();
            (view, rows as u64)
        };
        view::built_in().into_iter().chain(self.views.iter().cloned()).map(count).collect()
    }

    pub(crate) fn find(&self, address: &Address) -> Option<usize> {
        self.catalog.place(address)
    }

    pub(crate) fn verdict_of(&self, address: &Address) -> Option<&Verdict> {
        self.find(address).and_then(|at| self.verdicts.get(at))
    }

    /// A row of the catalog with its verdict, and whether it is marked.
    pub(crate) fn row(&self, at: u32) -> (&Row, &Verdict, bool) {
        let at = at as usize;
        (&self.catalog.rows[at], &self.verdicts[at], self.marks[at])
    }

    /// Returns true if a row of the catalog needs attention.
    pub(crate) fn wants(&self, at: u32) -> bool {
        self.verdicts[at as usize].needs_attention()
    }

    /// The title of a catalog row's group.
    pub(crate) fn group_of(&self, at: u32) -> String {
        let (row, verdict, _) = self.row(at);
        self.group.title(row, verdict)
    }

    /// The addresses of all rows that pass the filter, in their order.
    pub(crate) fn shown_addresses(&self) -> Vec<Address> {
        self.shown.iter().map(|at| self.catalog.rows[*at as usize].address.clone()).collect()
    }

    pub(crate) fn marked(&self) -> Vec<Address> {
        let rows = self.catalog.rows.iter().zip(&self.marks);
        rows.filter(|(_, marked)| **marked).map(|(row, _)| row.address.clone()).collect()
    }

    pub(crate) fn clear_marks(&mut self) {
        self.marks.fill(false);
        self.keeping.touch();
    }

    pub(crate) fn mark_count(&self) -> usize {
        self.marks.iter().filter(|marked| **marked).count()
    }

    /// Returns true if any row is marked.
    pub(crate) fn has_marks(&self) -> bool {
        // Each hint of a frame asks. A count is many times faster than a search that stops at the first mark.
        self.mark_count() > 0
    }

    /// The number of marked rows with each status, in the order of lists.
    pub(crate) fn marks_by_status(&self) -> Vec<(Status, usize)> {
        let mut counts = [0; Status::COUNT];
        for (verdict, _) in self.verdicts.iter().zip(&self.marks).filter(|(_, marked)| **marked) {
            counts[verdict.status as usize] += 1;
        }
        Status::words()
            .map(|word| (word, Status::of_word(word.word()).map(|status| counts[status as usize]).sum()))
            .filter(|(_, count)| *count > 0)
            .collect()
    }

    /// Sets or removes the marks of these addresses. Returns the number of addresses that the registry does
    /// not have.
    pub(crate) fn mark_all<'a>(
        &mut self,
        addresses: impl IntoIterator<Item = &'a Address>,
        on: bool,
    ) -> usize {
        let mut lost = 0;
        for address in addresses {
            match self.find(address) {
                Some(at) => self.marks[at] = on,
                None => lost += 1,
            }
        }
        lost
    }

    /// The number of rows that need attention now and did not at the last look.
    pub(crate) fn new_count(&self) -> usize {
        self.news.iter().filter(|new| **new).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn used_filters_are_remembered_once() {
        let mut list = List::default();
        for text in ["aws", "null", "aws", "  "] {
            list.set_filter(text.into());
            list.note_filter();
        }
        assert_eq!(list.history, ["null", "aws"]);
    }

    #[test]
    fn bad_terms_are_named_and_the_good_ones_hold() {
        let mut list = List::default();
        list.set_filter("aws status:zz".into());
        assert_eq!((list.filter_errors.len(), list.terms.is_empty()), (1, false));
        list.set_filter("aws".into());
        assert!(list.filter_errors.is_empty());
    }
}
