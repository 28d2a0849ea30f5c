//! The list as it is read out: which rows, in which order, under which numbers. Numbers stay with their rows until the list is
//! made anew, whatever a survey finds meanwhile.

use std::fmt::Write;

use jiff::Timestamp;

use crate::desk::list::List;
use crate::desk::naming;
use crate::jobs::{Failure, FailureKind, Loaded};
use crate::line::spoken;
use crate::print::output::Line;
use crate::registry::Address;
use crate::rules::amount::{counted, grouped};
use crate::rules::filter::{Filter, FilterError};
use crate::rules::memory::Memory;
use crate::rules::order::Group;
use crate::rules::view::View;

/// The list under its numbers.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(crate) list: List,
    /// What the registry is called, where its folder says nothing.
    name: Option<String>,
    /// The registry's name and revision.
    registry: String,
    /// The view that was chosen by its name; empty if none was.
    view: String,
}

impl Listing {
    /// Everything, in the order that the console was left in. `name` counts where the folder says nothing.
    pub(crate) fn new(loaded: Loaded, name: Option<String>, memory: Memory, now: Timestamp) -> Self {
        let mut list = List::at(now);
        list.recall(memory);
        let mut listing = Self { list, name, registry: String::new(), view: String::new() };
        listing.renew(loaded, now);
        listing
    }

    /// The same list of a registry that was read again.
    pub(crate) fn renew(&mut self, loaded: Loaded, now: Timestamp) {
        let name = self.name.as_ref().unwrap_or(&loaded.name);
        // A plain folder has no revision.
        format!("{name} {}", loaded.revision).trim_end().clone_into(&mut self.registry);
        self.list.now = now;
        self.list.load(loaded);
    }

    /// Lists what a view says.
    ///
    /// # Errors
    /// Its filter has a bad term; the list stays as it is.
    pub(crate) fn choose(&mut self, view: View, now: Timestamp) -> Result<(), FilterError> {
        Filter::parse(&view.filter)?;
        self.view.clone_from(&view.name);
        self.list.take_view(view);
        self.arrange(now);
        Ok(())
    }

    /// The view as it is listed now.
    pub(crate) fn as_view(&self) -> View {
        self.list.as_view(&self.view)
    }

    /// Makes the list anew.
    pub(crate) fn arrange(&mut self, now: Timestamp) {
        self.list.now = now;
        self.list.arrange();
    }

    /// How many rows are listed.
    pub(crate) fn len(&self) -> usize {
        self.list.shown.len()
    }

    /// `61 entries`, all of them.
    pub(crate) fn count(&self) -> String {
        counted(self.list.verdicts.len(), "entry")
    }

    /// `list: 3 of 61 entries, filter status:drift, sorted by status, age`.
    pub(crate) fn title(&self) -> String {
        let (shown, all) = (self.list.shown.len() as u64, self.list.verdicts.len() as u64);
        let mut text = if shown == all {
            format!("list: {}", counted(all, "entry"))
        } else {
            format!("list: {} of {}", grouped(shown), counted(all, "entry"))
        };
        if !self.view.is_empty() {
            let _ = write!(text, ", view {}", self.view);
        }
        if !self.list.filter.is_empty() {
            let _ = write!(text, ", filter {}", self.list.filter);
        }
        let _ = write!(text, ", sorted by {}", self.list.sort.label());
        let marks = self.list.mark_count();
        if marks > 0 {
            let hidden = marks - self.list.shown.iter().filter(|at| self.list.marks[**at as usize]).count();
            let _ = write!(text, ", {} marked", grouped(marks as u64));
            if hidden > 0 {
                let _ = write!(text, ", {} of them not in this list", grouped(hidden));
            }
        }
        text
    }

    /// `24 entries need attention`.
    pub(crate) fn attention(&self) -> String {
        let count = u64::from(self.list.tally.attention());
        format!("{} {} attention", counted(count, "entry"), if count == 1 { "needs" } else { "need" })
    }

    /// The registry's name and revision.
    pub(crate) fn registry(&self) -> &str {
        &self.registry
    }

    /// The lines of some rows, by their places from 0; a group is named before its first row and at the start.
    pub(crate) fn rows(&self, from: usize, to: usize, now: Timestamp) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut group = String::new();
        for place in from..to.min(self.list.shown.len()) {
            let at = self.list.shown[place];
            if self.list.group != Group::None {
                let title = self.list.group_of(at);
                if title != group {
                    lines.push(Line::of(format!("group: {title}")));
                    group = title;
                }
            }
            let (row, verdict, marked) = self.list.row(at);
            lines.push(spoken::row(place + 1, now, row, verdict, marked));
        }
        lines
    }

    /// The entry under a number, or of an address that is written out.
    ///
    /// # Errors
    /// There is none; the failure names the nearest.
    pub(crate) fn entry(&self, text: &str) -> Result<Address, Failure> {
        let text = spoken::unspoken(text.trim());
        match text.trim_end_matches('.').parse::<usize>() {
            Ok(number) => self.numbered(number),
            Err(_) => naming::address(&text, &self.list.catalog),
        }
    }

    /// The entry under a number.
    ///
    /// # Errors
    /// The list has no such number.
    pub(crate) fn numbered(&self, number: usize) -> Result<Address, Failure> {
        let at = number.checked_sub(1).and_then(|place| self.list.shown.get(place));
        at.map(|at| self.list.row(*at).0.address.clone()).ok_or_else(|| {
            let cause = match self.list.shown.len() {
                0 => "the list is empty".to_owned(),
                many => format!("the list has the numbers 1 to {many}"),
            };
            Failure::new(FailureKind::Usage, format!("looking for number {number}"))
                .cause(cause)
                .hint("Write list to hear them, or name an entry as namespace/name.")
        })
    }
}
