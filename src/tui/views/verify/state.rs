//! What Verify holds besides the desk's verification: the cursor, and what is shown of the rows.

use std::sync::Arc;

use crate::desk::run::Run;
use crate::rules::verify::Row;
use crate::tui::views::verify::order::{Line, Shows};

/// Where the cursor stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    /// On the first line, whichever that is: it was not moved.
    #[default]
    First,
    /// On this row, wherever it goes.
    Row(usize),
    /// On the fold's line.
    Fold,
}

/// The view's state.
#[derive(Debug, Default)]
pub(crate) struct Verify {
    at: At,
    pub(crate) top: usize,
    pub(crate) only_bad: bool,
    pub(crate) is_open: bool,
    /// The row under the cursor takes the whole view.
    pub(crate) is_whole: bool,
    /// Lines of the row's text above its window.
    pub(crate) from: usize,
}

impl Verify {
    /// Another verification takes the view.
    pub(crate) fn begin(&mut self) {
        *self = Self { only_bad: self.only_bad, ..Self::default() };
    }

    pub(crate) fn shows(&self) -> Shows {
        let keeps = match self.at {
            At::Row(place) => Some(place),
            At::First | At::Fold => None,
        };
        Shows { only_bad: self.only_bad, is_open: self.is_open, keeps }
    }

    pub(crate) fn line_count(&self, run: Option<&Run>) -> usize {
        run.map_or(0, |run| self.shows().line_count(&run.order))
    }

    pub(crate) fn line(&self, run: Option<&Run>, number: usize) -> Option<Line> {
        self.shows().line(number, &run?.order)
    }

    /// The line of the cursor.
    pub(crate) fn cursor(&self, run: Option<&Run>) -> usize {
        let last = self.line_count(run).saturating_sub(1);
        let Some(run) = run else { return 0 };
        match self.at {
            At::First => 0,
            At::Row(place) => self.shows().line_of(place, run.state(place), &run.order).unwrap_or(0),
            At::Fold => last,
        }
    }

    /// The row under the cursor, by its place.
    pub(crate) fn place(&self, run: Option<&Run>) -> Option<usize> {
        match self.line(run, self.cursor(run))? {
            Line::Row(place) => Some(place),
            Line::Fold(_) => None,
        }
    }

    pub(crate) fn row<'a>(&self, run: Option<&'a Run>) -> Option<&'a Arc<Row>> {
        run?.rows.get(self.place(run)?)
    }

    /// Holds the cursor on its row wherever that goes: it is being read.
    pub(crate) fn pin(&mut self, run: Option<&Run>) {
        if let Some(place) = self.place(run) {
            self.at = At::Row(place);
        }
    }

    /// Puts the cursor on a line. The first one is kept whatever comes to stand there, unless its row is read whole.
    pub(crate) fn go(&mut self, run: Option<&Run>, line: usize, page: usize) {
        let line = line.min(self.line_count(run).saturating_sub(1));
        self.at = match self.line(run, line) {
            _ if line == 0 && !self.is_whole => At::First,
            Some(Line::Row(place)) => At::Row(place),
            Some(Line::Fold(_)) => At::Fold,
            None => At::First,
        };
        self.from = 0;
        self.settle_in(run, page);
    }

    /// Keeps the cursor's line so many lines below the window's first one, where there is room.
    /// Lines between the window's first and the cursor.
    pub(crate) fn below(&self, run: Option<&Run>) -> usize {
        self.cursor(run).saturating_sub(self.top)
    }

    pub(crate) fn hold(&mut self, run: Option<&Run>, below: usize, page: usize) {
        if self.at != At::First {
            self.top = self.cursor(run).saturating_sub(below);
        }
        self.settle_in(run, page);
    }

    /// Keeps cursor and window inside what there is.
    pub(super) fn settle_in(&mut self, run: Option<&Run>, page: usize) {
        let (count, cursor) = (self.line_count(run), self.cursor(run));
        let page = page.max(1);
        self.top =
            self.top.min(count.saturating_sub(page)).min(cursor).max((cursor + 1).saturating_sub(page));
        self.is_whole &= match self.at {
            At::Row(place) => self.place(run) == Some(place),
            At::First | At::Fold => self.place(run).is_some(),
        };
    }
}
