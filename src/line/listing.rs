//! The list as it is read out: which rows, in which order, under which numbers. Numbers stay with their rows until the list is
//! made anew, whatever a survey finds meanwhile.

use std::fmt::Write;

use jiff::Timestamp;

use crate::desk::list::List;
use crate::desk::telling::list::nothing;
use crate::desk::{Desk, Registry, naming};
use crate::jobs::data::{Failure, FailureKind};
use crate::line::spoken;
use crate::print::output::Line;
use crate::registry::Address;
use crate::rules::amount::{counted, grouped};
use crate::rules::order::Group;

/// The list under its numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listing<'a> {
    list: &'a List,
    /// The view that was chosen by its name; empty if none was.
    view: &'a str,
}

impl<'a> Listing<'a> {
    /// The list of a registry that was read.
    pub(crate) fn of(desk: &'a Desk, view: &'a str) -> Option<Self> {
        matches!(desk.registry, Registry::Loaded(_)).then_some(Self { list: &desk.list, view })
    }

    /// The number of listed rows.
    pub(crate) fn len(&self) -> usize {
        self.list.shown.len()
    }

    /// `list: 3 of 61 entries, filter status:drift, sorted by level, age`.
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

    /// The lines of some rows, by their places from 0; a group is named before its first row and at the start.
    pub(crate) fn rows(&self, from: usize, to: usize, now: Timestamp) -> Vec<Line> {
        let mut lines = Vec::new();
        if self.list.shown.is_empty() && !self.list.filter.is_empty() {
            lines.extend(nothing(&self.list.dead_terms).into_iter().map(Line::of));
        }
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
