//! The list as it is read out: which rows, in which order, under which numbers. Numbers stay with their rows until the list is
//! made anew, whatever a survey finds meanwhile.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use jiff::Timestamp;

use crate::desk::naming;
use crate::jobs::{Failure, FailureKind, Judgement, Loaded};
use crate::line::spoken;
use crate::print::output::Line;
use crate::registry::Address;
use crate::rules::amount::{counted, grouped};
use crate::rules::filter::{Field, Filter, FilterError, Haystack};
use crate::rules::memory::{Look, Memory};
use crate::rules::order::{Group, gather, needs_attention};
use crate::rules::view::View;
use crate::rules::{Verdict, memory};

/// The registry's rows, and those of them that are listed.
#[derive(Debug)]
pub(crate) struct Listing {
    loaded: Arc<Loaded>,
    /// What the registry is called, where its folder says nothing.
    name: Option<String>,
    verdicts: Vec<Verdict>,
    haystack: Haystack,
    look: Option<Look>,
    filter: Filter,
    /// What is listed and how; its name is empty unless a view was chosen.
    pub(crate) view: View,
    pub(crate) marks: BTreeSet<Address>,
    /// Row numbers of the catalog as they are read out.
    order: Vec<u32>,
}

impl Listing {
    /// Everything, in the order that the console was left in.
    pub(crate) fn new(loaded: Arc<Loaded>, name: Option<String>, memory: &Memory, now: Timestamp) -> Self {
        let state = memory::list(memory);
        let mut listing = Self {
            verdicts: loaded.verdicts.clone(),
            haystack: Haystack::new(&loaded.catalog),
            loaded,
            name,
            look: memory::look(memory),
            filter: Filter::default(),
            view: View { sort: state.sort, group: state.group, ..View::default() },
            marks: memory::marks(memory),
            order: Vec::new(),
        };
        listing.arrange(now);
        listing
    }

    /// The same list of a registry that was read again.
    pub(crate) fn renew(&mut self, loaded: Arc<Loaded>, now: Timestamp) {
        self.verdicts.clone_from(&loaded.verdicts);
        self.haystack = Haystack::new(&loaded.catalog);
        self.loaded = loaded;
        self.arrange(now);
    }

    /// Takes verdicts in; the rows keep their numbers.
    pub(crate) fn judge(&mut self, batch: Vec<Judgement>) {
        let rows = &self.loaded.catalog.rows;
        for one in batch {
            if let Ok(at) = rows.binary_search_by(|row| row.address.cmp(&one.address)) {
                self.verdicts[at] = one.verdict;
            }
        }
    }

    /// Lists what a view says.
    ///
    /// # Errors
    /// Its filter has a bad term; the list stays as it is.
    pub(crate) fn choose(&mut self, view: View, now: Timestamp) -> Result<(), FilterError> {
        self.filter = Filter::parse(&view.filter)?;
        self.view = view;
        self.arrange(now);
        Ok(())
    }

    /// Makes the list anew.
    pub(crate) fn arrange(&mut self, now: Timestamp) {
        let rows = &self.loaded.catalog.rows;
        let marked: Vec<bool> = rows.iter().map(|row| self.marks.contains(&row.address)).collect();
        let all = rows.iter().zip(&self.verdicts);
        let new: Vec<bool> = match &self.look {
            Some(look) => {
                all.map(|(row, verdict)| needs_attention(row, verdict) && !look.has(&row.address)).collect()
            }
            None => Vec::new(),
        };
        let kept = self.filter.select(&Field {
            rows,
            verdicts: &self.verdicts,
            haystack: &self.haystack,
            marked: &marked,
            new: &new,
            now,
        });
        let mut order = self.view.sort.arrange(rows, &self.verdicts);
        gather(&mut order, &self.view.group.ranks(rows, &self.verdicts));
        order.retain(|at| kept[*at as usize]);
        self.order = order;
    }

    /// How many rows are listed.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// `61 entries`, all of them.
    pub(crate) fn count(&self) -> String {
        counted(self.verdicts.len(), "entry")
    }

    /// `list: 3 of 61 entries, filter status:drift, sorted by status, age`.
    pub(crate) fn title(&self) -> String {
        let (shown, all) = (self.order.len(), self.verdicts.len());
        let mut text = if shown == all {
            format!("list: {}", counted(all, "entry"))
        } else {
            format!("list: {} of {}", grouped(shown), counted(all, "entry"))
        };
        if !self.view.name.is_empty() {
            let _ = write!(text, ", view {}", self.view.name);
        }
        if !self.view.filter.is_empty() {
            let _ = write!(text, ", filter {}", self.view.filter);
        }
        let _ = write!(text, ", sorted by {}", self.view.sort.label());
        if !self.marks.is_empty() {
            let hidden = self.marks.len() - self.shown().filter(|at| self.marks.contains(at)).count();
            let _ = write!(text, ", {} marked", grouped(self.marks.len()));
            if hidden > 0 {
                let _ = write!(text, ", {} of them not in this list", grouped(hidden));
            }
        }
        text
    }

    /// `24 entries need attention`.
    pub(crate) fn attention(&self) -> String {
        let all = self.loaded.catalog.rows.iter().zip(&self.verdicts);
        let count = all.filter(|(row, verdict)| needs_attention(row, verdict)).count() as u64;
        format!("{} {} attention", counted(count, "entry"), if count == 1 { "needs" } else { "need" })
    }

    /// The registry's name and revision.
    pub(crate) fn registry(&self) -> String {
        let name = self.name.as_deref().unwrap_or(&self.loaded.name);
        format!("{name} {}", self.loaded.revision).trim_end().to_owned()
    }

    /// The lines of some rows, by their places from 0; a group is named before its first row and at the start.
    pub(crate) fn rows(&self, from: usize, to: usize, now: Timestamp) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut group = String::new();
        for place in from..to.min(self.order.len()) {
            let at = self.order[place] as usize;
            let (row, verdict) = (&self.loaded.catalog.rows[at], &self.verdicts[at]);
            if self.view.group != Group::None {
                let title = self.view.group.title(row, verdict);
                if title != group {
                    lines.push(Line::of(format!("group: {title}")));
                    group = title;
                }
            }
            lines.push(spoken::row(place + 1, now, row, verdict, self.marks.contains(&row.address)));
        }
        lines
    }

    /// The addresses that are listed.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &Address> {
        self.order.iter().map(|at| &self.loaded.catalog.rows[*at as usize].address)
    }

    /// The entry under a number, or of an address that is written out.
    ///
    /// # Errors
    /// There is none; the failure names the nearest.
    pub(crate) fn entry(&self, text: &str) -> Result<Address, Failure> {
        let text = spoken::unspoken(text.trim());
        match text.trim_end_matches('.').parse::<usize>() {
            Ok(number) => self.numbered(number),
            Err(_) => naming::address(&text, &self.loaded.catalog),
        }
    }

    /// The entry under a number.
    ///
    /// # Errors
    /// The list has no such number.
    pub(crate) fn numbered(&self, number: usize) -> Result<Address, Failure> {
        let at = number.checked_sub(1).and_then(|place| self.order.get(place));
        at.map(|at| self.loaded.catalog.rows[*at as usize].address.clone()).ok_or_else(|| {
            let cause = match self.order.len() {
                0 => "the list is empty".to_owned(),
                many => format!("the list has the numbers 1 to {many}"),
            };
            Failure::new(FailureKind::Usage, format!("looking for number {number}"))
                .cause(cause)
                .hint("Write list to hear them, or name an entry as namespace/name.")
        })
    }
}
