//! The state of Verify besides the desk's verification: the cursor, and the visible part of the rows.

use std::sync::Arc;

use crate::desk::folding::{Group, GroupId};
use crate::desk::run::Run;
use crate::rules::verify::Row;
use crate::tui::base::layout::{Window, first_visible};
use crate::tui::views::verify::lines::{Line, Shows};
use crate::tui::views::verify::parts::{Parts, parts};
use crate::tui::widgets::search::Search;
use crate::tui::widgets::table::TableWindow;

/// The position of the cursor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    /// The first line of the table, until the cursor is moved.
    #[default]
    First,
    /// This row, wherever it moves.
    Row(usize),
    /// The line of this group; once the group is gone, the new place of this row.
    Group(GroupId, usize),
}

/// The state of the view.
#[derive(Debug, Default)]
pub(crate) struct Verify {
    at: At,
    pub(crate) top: usize,
    pub(crate) shows: Shows,
    /// The filter while it is typed.
    pub(super) filter: Search,
    /// The details of the row or group under the cursor take the whole view.
    pub(crate) is_expanded: bool,
    /// Lines of the details above their window.
    pub(crate) from: usize,
    /// Lines between the top of the window and the cursor, before the last event.
    pub(super) lines_above: usize,
}

impl Verify {
    /// Starts over for another verification.
    pub(crate) fn begin(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn line_count(&self, run: Option<&Run>) -> usize {
        run.map_or(0, |run| self.shows.line_count(&run.groups))
    }

    /// The places of the parts. During a run the table has all the room that it may need, so that nothing
    /// jumps.
    pub(crate) fn parts(&self, run: Option<&Run>, window: Window) -> Parts {
        let is_over = run.is_some_and(|run| !run.is_running());
        parts(window, if is_over { self.line_count(run) } else { usize::MAX })
    }

    /// The number of visible rows of the table.
    pub(crate) fn page(&self, run: Option<&Run>, window: Window) -> usize {
        usize::from(self.parts(run, window).list.height).max(1)
    }

    pub(crate) fn line<'a>(&self, run: Option<&'a Run>, number: usize) -> Option<Line<'a>> {
        self.shows.line(number, &run?.groups)
    }

    /// The line of the cursor.
    pub(crate) fn cursor(&self, run: Option<&Run>) -> usize {
        let Some(run) = run else { return 0 };
        let of_row = |place| self.shows.line_of(place, &run.groups);
        let line = match self.at {
            At::First => None,
            At::Row(place) => of_row(place),
            At::Group(id, place) => {
                self.shows.line_of_group(id, place, &run.groups).or_else(|| of_row(place))
            }
        };
        line.unwrap_or(0)
    }

    /// The place of the row under the cursor. A row that is shown in full stays, even if it is folded into a
    /// group.
    pub(crate) fn place(&self, run: Option<&Run>) -> Option<usize> {
        match self.at {
            At::Row(place) if self.is_expanded => Some(place),
            _ => self.line(run, self.cursor(run))?.place(),
        }
    }

    pub(crate) fn row<'a>(&self, run: Option<&'a Run>) -> Option<&'a Arc<Row>> {
        run?.rows.get(self.place(run)?)
    }

    /// The rows under the cursor: one, or those of a group.
    pub(crate) fn rows<'a>(&self, run: Option<&'a Run>) -> Vec<&'a Row> {
        match (self.group(run), self.row(run), run) {
            (Some(group), _, Some(run)) => run.rows_of(group),
            (None, Some(row), _) => vec![row],
            _ => Vec::new(),
        }
    }

    /// The group whose line is under the cursor.
    pub(crate) fn group<'a>(&self, run: Option<&'a Run>) -> Option<&'a Group> {
        match self.line(run, self.cursor(run))? {
            // A row that is shown in full stays one, even if it is folded into a group.
            Line::Head(_) if self.is_expanded && matches!(self.at, At::Row(_)) => None,
            Line::Head(group) => Some(group),
            _ => None,
        }
    }

    /// Holds the cursor on its row or group, wherever that moves, while it is read.
    pub(crate) fn pin(&mut self, run: Option<&Run>) {
        if let Some(group) = self.group(run) {
            self.at = At::Group(group.id, group.first());
        } else if let Some(place) = self.place(run) {
            self.at = At::Row(place);
        }
    }

    /// The row under the cursor, or the first row of the group there. Its state stands for the group.
    pub(crate) fn first(&self, run: Option<&Run>) -> Option<usize> {
        self.group(run).map(Group::first).or_else(|| self.place(run))
    }

    /// Shows the details under the cursor on the whole view, or returns to the table.
    pub(crate) fn turn_whole(&mut self, run: Option<&Run>) {
        self.pin(run);
        self.is_expanded = !self.is_expanded && self.first(run).is_some();
        self.from = 0;
    }

    /// Puts the cursor on a line. On the first line it stays there and not on a row, unless a row is shown in
    /// full.
    pub(crate) fn go(&mut self, run: Option<&Run>, line: usize, page: usize) {
        let line = line.min(self.line_count(run).saturating_sub(1));
        self.at = match self.line(run, line) {
            _ if line == 0 && !self.is_expanded => At::First,
            Some(Line::Row(place) | Line::Inside(place)) => At::Row(place),
            Some(Line::Head(group)) => At::Group(group.id, group.first()),
            None => At::First,
        };
        self.from = 0;
        self.settle_in(run, page);
    }

    /// Opens or closes the group of the cursor; the cursor goes to the group's line.
    pub(crate) fn turn(&mut self, run: Option<&Run>, page: usize) {
        let Some(groups) = run.map(|run| &run.groups) else { return };
        let group = self.group(run).or_else(|| groups.shown_at(groups.shown_around(self.place(run)?)?));
        let Some(group) = group.filter(|group| group.places.len() > 1) else { return };
        let below = self.below(run);
        self.shows.turn(group.id);
        self.at = At::Group(group.id, group.first());
        self.hold(run, below, page);
    }

    /// Moves to the next or previous group of bad rows, and round the ends. Returns false if none is shown.
    pub(crate) fn go_to_bad(&mut self, run: Option<&Run>, page: usize, forward: bool) -> bool {
        let lines = run.map(|run| self.shows.bad_lines(&run.groups)).unwrap_or_default();
        let at = self.cursor(run);
        let found = if forward {
            lines.iter().find(|line| **line > at).or(lines.first())
        } else {
            lines.iter().rev().find(|line| **line < at).or(lines.last())
        };
        if let Some(line) = found {
            self.go(run, *line, page);
        }
        found.is_some()
    }

    pub(super) fn window(&self, run: &Run) -> TableWindow {
        TableWindow {
            count: self.line_count(Some(run)),
            cursor: self.cursor(Some(run)),
            top: self.top,
            is_focused: true,
        }
    }

    /// Opens or closes all groups; the cursor stays on its row, or on the group with that row.
    pub(crate) fn turn_all(&mut self, run: Option<&Run>, page: usize, are_open: bool) {
        let below = self.below(run);
        self.shows.turn_all(are_open);
        self.hold(run, below, page);
    }

    /// The number of lines between the top of the window and the cursor.
    pub(crate) fn below(&self, run: Option<&Run>) -> usize {
        self.cursor(run).saturating_sub(self.top)
    }

    /// Keeps the cursor `below` lines under the top of the window, if there is room.
    pub(crate) fn hold(&mut self, run: Option<&Run>, below: usize, page: usize) {
        if self.at != At::First {
            self.top = self.cursor(run).saturating_sub(below);
        }
        self.settle_in(run, page);
    }

    /// Keeps the cursor and the window inside the table.
    pub(super) fn settle_in(&mut self, run: Option<&Run>, page: usize) {
        self.top = first_visible(self.top, self.cursor(run), page, self.line_count(run));
        self.is_expanded &= self.first(run).is_some();
    }
}
