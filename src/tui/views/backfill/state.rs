//! The state of Backfill besides the desk's backfill: the cursor, and the visible part of the rows.

use crate::desk::filling::Filling;
use crate::rules::backfill::Row;
use crate::tui::base::layout::{Window, first_visible};
use crate::tui::views::backfill::form::Form;
use crate::tui::views::backfill::parts::{Parts, parts};
use crate::tui::widgets::search::Search;
use crate::tui::widgets::table::TableWindow;

/// The view's state.
#[derive(Debug, Default)]
pub(crate) struct Backfill {
    /// The place of the row under the cursor; `None` is the first line of the table, until the cursor is
    /// moved.
    at: Option<usize>,
    pub(crate) top: usize,
    /// The filter while it is typed.
    pub(super) filter: Search,
    /// The details of the row under the cursor take the whole view.
    pub(crate) is_expanded: bool,
    /// Lines of the details above their window.
    pub(crate) from: usize,
    /// The form of a new backfill, while it is open.
    pub(crate) form: Option<Form>,
    /// Lines between the top of the window and the cursor, before the last event.
    pub(super) lines_above: usize,
}

impl Backfill {
    /// Starts over for another backfill.
    pub(crate) fn begin(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn line_count(filling: Option<&Filling>) -> usize {
        filling.map_or(0, Filling::line_count)
    }

    pub(crate) fn parts(filling: Option<&Filling>, window: Window) -> Parts {
        parts(window, filling.map_or(0, |filling| filling.rows.len()))
    }

    /// The number of visible rows of the table.
    pub(crate) fn page(filling: Option<&Filling>, window: Window) -> usize {
        usize::from(Self::parts(filling, window).list.height).max(1)
    }

    /// The line of the cursor.
    pub(crate) fn cursor(&self, filling: Option<&Filling>) -> usize {
        let line = self.at.and_then(|place| filling?.line_of(place));
        line.unwrap_or(0)
    }

    /// The place of the row under the cursor. A row that is shown in full stays, even if the filter hides it.
    pub(crate) fn place(&self, filling: Option<&Filling>) -> Option<usize> {
        let filling = filling?;
        if self.is_expanded && self.at.is_some_and(|place| place < filling.rows.len()) {
            return self.at;
        }
        filling.place_at(self.cursor(Some(filling)))
    }

    pub(crate) fn row<'a>(&self, filling: Option<&'a Filling>) -> Option<&'a Row> {
        filling?.rows.get(self.place(filling)?)
    }

    /// Holds the cursor on its row, wherever the row moves, while the row is read.
    pub(crate) fn pin(&mut self, filling: Option<&Filling>) {
        self.at = self.place(filling);
    }

    /// Shows the details of the row under the cursor on the whole view, or returns to the table.
    pub(crate) fn turn_whole(&mut self, filling: Option<&Filling>) {
        self.pin(filling);
        self.is_expanded = !self.is_expanded && self.at.is_some();
        self.from = 0;
    }

    /// Puts the cursor on a line. On the first line it stays there and not on a row, unless a row is shown in
    /// full.
    pub(crate) fn go(&mut self, filling: Option<&Filling>, line: usize, page: usize) {
        let line = line.min(Self::line_count(filling).saturating_sub(1));
        self.at =
            if line == 0 && !self.is_expanded { None } else { filling.and_then(|one| one.place_at(line)) };
        self.from = 0;
        self.settle_in(filling, page);
    }

    /// Moves to the next bad row, and round the ends. Returns false if no bad row is shown.
    pub(crate) fn go_to_bad(&mut self, filling: Option<&Filling>, page: usize, forward: bool) -> bool {
        let line = filling.and_then(|filling| filling.next_bad(self.cursor(Some(filling)), forward));
        if let Some(line) = line {
            self.go(filling, line, page);
        }
        line.is_some()
    }

    pub(super) fn window(&self, filling: &Filling) -> TableWindow {
        TableWindow {
            count: filling.line_count(),
            cursor: self.cursor(Some(filling)),
            top: self.top,
            is_focused: true,
        }
    }

    /// The number of lines between the top of the window and the cursor.
    pub(crate) fn below(&self, filling: Option<&Filling>) -> usize {
        self.cursor(filling).saturating_sub(self.top)
    }

    /// Keeps the cursor `below` lines under the top of the window, if there is room.
    pub(crate) fn hold(&mut self, filling: Option<&Filling>, below: usize, page: usize) {
        if self.at.is_some() {
            self.top = self.cursor(filling).saturating_sub(below);
        }
        self.settle_in(filling, page);
    }

    /// Keeps the cursor and the window inside the table.
    pub(super) fn settle_in(&mut self, filling: Option<&Filling>, page: usize) {
        self.top = first_visible(self.top, self.cursor(filling), page, Self::line_count(filling));
        self.is_expanded &= self.place(filling).is_some();
    }
}
