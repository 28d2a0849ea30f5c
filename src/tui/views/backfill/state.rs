//! What Backfill holds besides the desk's backfill: the cursor, and what is shown of the rows.

use crate::desk::filling::Filling;
use crate::rules::backfill::Row;
use crate::tui::base::layout::{Size, first_visible};
use crate::tui::views::backfill::form::Form;
use crate::tui::views::backfill::parts::{Parts, parts};

/// The view's state.
#[derive(Debug, Default)]
pub(crate) struct Backfill {
    /// The row of the cursor by its place; the first line, whichever that is, until it was moved.
    at: Option<usize>,
    pub(crate) top: usize,
    pub(crate) only_bad: bool,
    /// What is under the cursor takes the whole view.
    pub(crate) is_whole: bool,
    /// Lines of the row's text above its window.
    pub(crate) from: usize,
    /// A new one is asked for.
    pub(crate) form: Option<Form>,
    /// Lines between the window's first and the cursor, before the last news.
    pub(super) lines_above: usize,
}

impl Backfill {
    /// Another backfill takes the view.
    pub(crate) fn begin(&mut self) {
        *self = Self { only_bad: self.only_bad, ..Self::default() };
    }

    pub(crate) fn line_count(&self, filling: Option<&Filling>) -> usize {
        filling.map_or(0, |filling| if self.only_bad { filling.bad() } else { filling.rows.len() })
    }

    pub(crate) fn parts(filling: Option<&Filling>, size: Size) -> Parts {
        parts(size, filling.map_or(0, |filling| filling.rows.len()))
    }

    /// Rows of the table.
    pub(crate) fn page(filling: Option<&Filling>, size: Size) -> usize {
        usize::from(Self::parts(filling, size).list.height).max(1)
    }

    /// The line of the cursor.
    pub(crate) fn cursor(&self, filling: Option<&Filling>) -> usize {
        let line = self.at.and_then(|place| filling?.line_of(place));
        line.filter(|line| *line < self.line_count(filling)).unwrap_or(0)
    }

    /// The row under the cursor by its place; one that is read whole stays, whatever is shown of the others.
    pub(crate) fn place(&self, filling: Option<&Filling>) -> Option<usize> {
        let filling = filling?;
        if self.is_whole && self.at.is_some_and(|place| place < filling.rows.len()) {
            return self.at;
        }
        filling.place_at(self.cursor(Some(filling))).filter(|_| self.line_count(Some(filling)) > 0)
    }

    pub(crate) fn row<'a>(&self, filling: Option<&'a Filling>) -> Option<&'a Row> {
        filling?.rows.get(self.place(filling)?)
    }

    /// Holds the cursor on its row wherever that goes: it is being read.
    pub(crate) fn pin(&mut self, filling: Option<&Filling>) {
        self.at = self.place(filling);
    }

    /// Shows what is under the cursor on the whole view, or the table again.
    pub(crate) fn turn_whole(&mut self, filling: Option<&Filling>) {
        self.pin(filling);
        self.is_whole = !self.is_whole && self.at.is_some();
        self.from = 0;
    }

    /// Puts the cursor on a line. The first one is kept whatever comes to stand there, unless its row is read whole.
    pub(crate) fn go(&mut self, filling: Option<&Filling>, line: usize, page: usize) {
        let line = line.min(self.line_count(filling).saturating_sub(1));
        self.at = if line == 0 && !self.is_whole { None } else { filling.and_then(|one| one.place_at(line)) };
        self.from = 0;
        self.settle_in(filling, page);
    }

    /// To the next bad row, and around; what is bad stands first.
    pub(crate) fn go_to_bad(&mut self, filling: Option<&Filling>, page: usize, forward: bool) {
        let bad = filling.map_or(0, Filling::bad);
        let at = self.cursor(filling);
        if bad > 0 {
            let to = match forward {
                true if at + 1 < bad => at + 1,
                true => 0,
                false if at == 0 || at > bad => bad - 1,
                false => at - 1,
            };
            self.go(filling, to, page);
        }
    }

    /// Lines between the window's first and the cursor.
    pub(crate) fn below(&self, filling: Option<&Filling>) -> usize {
        self.cursor(filling).saturating_sub(self.top)
    }

    /// Keeps the cursor's line so many lines below the window's first one, where there is room.
    pub(crate) fn hold(&mut self, filling: Option<&Filling>, below: usize, page: usize) {
        if self.at.is_some() {
            self.top = self.cursor(filling).saturating_sub(below);
        }
        self.settle_in(filling, page);
    }

    /// Keeps cursor and window inside what there is.
    pub(super) fn settle_in(&mut self, filling: Option<&Filling>, page: usize) {
        self.top = first_visible(self.top, self.cursor(filling), page, self.line_count(filling));
        self.is_whole &= self.place(filling).is_some();
    }
}
