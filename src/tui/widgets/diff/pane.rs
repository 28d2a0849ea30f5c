//! What a pane of lines holds: the lines, the folds, the window, the layout, the search.

use std::sync::Arc;

use crate::desk::telling::summary::VersionSummary;
use crate::rules::amount::{self, counted, grouped};
use crate::rules::diff::{Block, BlockKind, LineMark, Lines, Row, SummaryPart};
use crate::tui::base::layout::{Area, Class, Size};
use crate::tui::base::text;
use crate::tui::widgets::diff::folds::{Folds, Layout, Seen};
use crate::tui::widgets::grid::{self, SummaryLine};
use crate::tui::widgets::search;
use crate::tui::widgets::search::Search;

/// A file above this, or with a line above that, is shown by its structure alone.
const MOST_BYTES: usize = 8 << 20;
pub(super) const LONGEST_LINE: usize = 10_000;
/// Mark, cursor and line number.
const NUMBERED: usize = 10;
const UNNUMBERED: usize = 3;

/// The room that a pane is drawn in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    pub(crate) rows: usize,
    pub(crate) width: u16,
    /// No line numbers, and less indented.
    pub(crate) narrow: bool,
}

impl Room {
    pub(crate) fn of(size: Size, area: Area) -> Self {
        Self {
            rows: usize::from(area.height).max(1),
            width: area.width,
            narrow: size.class() == Class::Narrow,
        }
    }

    /// Columns in which before and after fit beside each other: each half has its room, never a silent half-width.
    pub(super) const HALVES: u16 = 100;

    pub(super) fn holds_halves(self) -> bool {
        self.width >= Self::HALVES
    }

    /// Cells of a line's text.
    pub(crate) fn columns(self) -> usize {
        usize::from(self.width).saturating_sub(self.margin())
    }

    fn margin(self) -> usize {
        if self.narrow { UNNUMBERED } else { NUMBERED }
    }
}

/// The lines of one difference, as somebody looks at them.
#[derive(Debug, Default)]
pub(crate) struct Pane {
    lines: Option<Arc<Lines>>,
    /// The summaries above the versions, by block, each with its lines in a pane of that width.
    summaries: Vec<(VersionSummary, Vec<SummaryLine>)>,
    summary_width: u16,
    pub(crate) folds: Folds,
    pub(crate) cursor: usize,
    pub(crate) top: usize,
    /// Columns scrolled away on the left.
    pub(crate) left: usize,
    pub(crate) wrap: bool,
    pub(crate) search: Search,
    /// The line of the hit that was visited last.
    pub(super) visited: Option<u32>,
    /// Why only the structure is shown.
    pub(crate) limit: Option<String>,
    /// What was asked for; side by side is shown only where there is room.
    pub(super) wanted: Layout,
    /// Where the cursor is in the document.
    path: String,
}

impl Pane {
    /// Takes lines and the summaries of their versions. The cursor goes to the first change.
    pub(crate) fn fill(&mut self, lines: Arc<Lines>, summaries: Vec<VersionSummary>) {
        self.limit = limit(&lines);
        self.summaries = summaries.into_iter().map(|summary| (summary, Vec::new())).collect();
        self.summary_width = 0;
        self.folds = Folds::new(&lines, self.limit.is_some());
        self.wanted = self.folds.layout;
        self.search = Search::default();
        self.visited = None;
        self.left = 0;
        self.cursor = self.folds.hunks.first().map_or(0, |first| self.folds.row_of(&lines, *first));
        self.top = self.cursor.saturating_sub(3);
        self.lines = Some(lines);
        self.find_path();
    }

    /// Forgets the lines.
    pub(crate) fn clear(&mut self) {
        *self = Self { wrap: self.wrap, ..Self::default() };
    }

    pub(crate) fn lines(&self) -> Option<&Lines> {
        self.lines.as_deref()
    }

    pub(crate) fn shared(&self) -> Option<Arc<Lines>> {
        self.lines.clone()
    }

    pub(crate) fn has_lines(&self) -> bool {
        !self.folds.rows.is_empty()
    }

    /// The change at or before the cursor, counted from 1, and how many there are.
    pub(crate) fn hunk(&self) -> (usize, usize) {
        let Some(lines) = self.lines() else { return (0, 0) };
        let end = match self.folds.rows.get(self.cursor) {
            Some(Seen::Fold(block)) => lines.blocks[*block as usize].end.saturating_sub(1),
            Some(Seen::Line(at) | Seen::Pair(_, at)) => *at,
            Some(Seen::Head(block) | Seen::Summary(block, _)) => lines.blocks[*block as usize].first,
            None => 0,
        };
        (self.folds.hunks.partition_point(|first| *first <= end), self.folds.hunks.len())
    }

    /// The path in the document: `versions[1] 3.70.0 > targets[2] linux_amd64 > shasum`.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// The first line of the row under the cursor.
    pub(crate) fn line(&self) -> u32 {
        self.lines().map_or(0, |lines| self.folds.line_of(lines, self.cursor))
    }

    pub(super) fn find_path(&mut self) {
        let Some(lines) = self.lines() else { return self.path.clear() };
        let path = match self.folds.rows.get(self.cursor) {
            Some(Seen::Line(at) | Seen::Pair(_, at)) => lines.breadcrumb(*at),
            Some(Seen::Fold(block) | Seen::Head(block) | Seen::Summary(block, _)) => {
                lines.blocks[*block as usize].path.clone()
            }
            None => String::new(),
        };
        self.path = path;
    }

    /// Screen lines that a row takes: one, or more when long lines wrap.
    pub(crate) fn height_of(&self, row: usize, columns: usize) -> usize {
        let (Some(lines), Some(Seen::Line(at)), true) = (self.lines(), self.folds.rows.get(row), self.wrap)
        else {
            return 1;
        };
        if self.folds.layout == Layout::Side {
            return 1;
        }
        let line = lines.text(&lines.lines[*at as usize]);
        text::width(text::start(line, LONGEST_LINE)).div_ceil(columns.max(1)).max(1)
    }

    /// Keeps the cursor inside the rows and the window around the cursor, in the layout that there is room for.
    pub(crate) fn settle(&mut self, room: Room) {
        self.fit(room);
        let rows = self.folds.rows.len();
        let columns = room.columns();
        self.cursor = self.cursor.min(rows.saturating_sub(1));
        self.top = self.top.min(rows.saturating_sub(room.rows)).min(self.cursor);
        let mut used = self.height_of(self.cursor, columns);
        let mut first = self.cursor;
        while first > self.top {
            used += self.height_of(first - 1, columns);
            if used > room.rows {
                break;
            }
            first -= 1;
        }
        self.top = self.top.max(first);
        self.find_path();
    }

    fn fit(&mut self, room: Room) {
        let Some(lines) = self.shared() else { return };
        if self.summary_width != room.width && room.width > 0 {
            self.lay_summaries(&lines, room.width);
        }
        let wanted = match self.wanted {
            Layout::Side if !room.holds_halves() => Layout::Unified,
            wanted => wanted,
        };
        if self.folds.layout != wanted {
            self.cursor = self.folds.set_layout(&lines, wanted, self.cursor);
        }
    }

    /// Whether the last row is in the window.
    pub(crate) fn is_at_end(&self, room: Room) -> bool {
        let rest = self.top..self.folds.rows.len();
        rest.len() <= room.rows
            && rest.map(|row| self.height_of(row, room.columns())).sum::<usize>() <= room.rows
    }

    /// The lines of the file that stand in the window.
    pub(crate) fn on_screen(&self, room: Room) -> (Vec<Row>, Vec<SummaryPart>) {
        let (mut rows, mut summaries) = (Vec::new(), Vec::new());
        let mut left = room.rows;
        for row in self.top..self.folds.rows.len() {
            let height = self.height_of(row, room.columns());
            // A row that does not fit whole was not seen whole, unless nothing else fits.
            if height > left && row > self.top {
                break;
            }
            match self.folds.rows[row] {
                Seen::Line(at) => rows.push(Row::Line(at)),
                Seen::Pair(old, new) => rows.extend([Row::Line(old), Row::Line(new)]),
                Seen::Fold(block) => rows.push(Row::Fold(block)),
                // Laid out for another width it may be cut.
                Seen::Summary(block, part) if self.summary_width == room.width => {
                    // The rule below a summary says nothing.
                    let parts =
                        self.summary(block).map_or(u16::MAX, |lines| lines.len().saturating_sub(1) as u16);
                    if part < parts {
                        summaries.push(SummaryPart { block, part, parts, width: room.width });
                    }
                }
                Seen::Head(_) | Seen::Summary(..) => {}
            }
            left = left.saturating_sub(height);
            if left == 0 {
                break;
            }
        }
        (rows, summaries)
    }

    /// Lays the summaries out for a width; the cursor stays on its line, or goes to the summary above it.
    fn lay_summaries(&mut self, lines: &Lines, width: u16) {
        self.summary_width = width;
        for (summary, laid) in &mut self.summaries {
            *laid = grid::lay_out(summary, &lines.blocks[summary.block as usize], width);
        }
        let (line, above) = (self.line(), self.cursor.saturating_sub(self.top));
        let heights = self.summaries.iter().map(|(summary, laid)| (summary.block, laid.len() as u16));
        self.folds.set_summaries(lines, heights.collect());
        self.cursor = self.folds.start_of(lines, line);
        self.top = self.cursor.saturating_sub(above);
        self.bring_up();
    }

    /// The lines of the summary of a version.
    fn summary(&self, block: u32) -> Option<&[SummaryLine]> {
        let at = self.summaries.binary_search_by_key(&block, |(summary, _)| summary.block).ok()?;
        Some(&self.summaries[at].1)
    }

    pub(super) fn summary_line(&self, block: u32, part: u16) -> Option<&SummaryLine> {
        self.summary(block)?.get(usize::from(part))
    }

    /// Moves the window so that it begins with the summary under the cursor.
    pub(super) fn bring_up(&mut self) {
        if self.folds.summary_at(self.cursor) > 0 {
            self.top = self.cursor;
        }
    }

    /// Puts the cursor on a line, or on the fold that hides it, near the top of the window. A summary above the line is
    /// brought on the screen with it.
    pub(crate) fn go_to_line(&mut self, line: u32, room: Room) {
        let Some(lines) = self.lines() else { return };
        self.cursor = self.folds.start_of(lines, line);
        let needed = self.folds.summary_at(self.cursor).max(2);
        if self.cursor < self.top || self.cursor + needed >= self.top + room.rows {
            self.top = self.cursor.saturating_sub(3);
            self.bring_up();
        }
        self.settle(room);
    }

    /// Puts the cursor on the row that is drawn so many lines below the first one, if there is one.
    pub(crate) fn point_at(&mut self, below: usize, room: Room) {
        let mut left = below;
        for row in self.top..self.folds.rows.len() {
            let height = self.height_of(row, room.columns());
            if left < height {
                self.cursor = row;
                return self.settle(room);
            }
            left -= height;
        }
    }

    /// Searches all lines, folded ones too.
    pub(crate) fn find(&mut self) {
        let Some(lines) = self.shared() else { return };
        let wanted = self.search.text();
        let has = |(at, line): (usize, &crate::rules::diff::Line)| {
            search::has(lines.text(line), wanted).then_some(at as u32)
        };
        self.search.hits = lines.lines.iter().enumerate().filter_map(has).collect();
        self.visited = None;
        self.search.told = self.told(&lines);
    }

    /// `12 found, 3 in 2 folded versions`.
    pub(super) fn told(&self, lines: &Lines) -> String {
        let all = self.search.hits.len();
        if all == 0 {
            return "not found".into();
        }
        let (mut hidden, mut blocks) = (0usize, Vec::new());
        for hit in &self.search.hits {
            if let Some(Seen::Fold(block)) = self.folds.rows.get(self.folds.row_of(lines, *hit)) {
                hidden += 1;
                if blocks.last() != Some(block) {
                    blocks.push(*block);
                }
            }
        }
        if hidden == 0 {
            return format!("{} found", grouped(all));
        }
        let are_versions =
            blocks.iter().all(|block| lines.blocks[*block as usize].kind == BlockKind::Version);
        let folds = counted(blocks.len(), if are_versions { "folded version" } else { "fold" });
        format!("{} found, {} in {folds}", grouped(all), grouped(hidden))
    }

    /// Returns true if a fold hides a block at this moment.
    pub(crate) fn is_hidden(&self, block: u32) -> bool {
        let Some(lines) = self.lines() else { return false };
        let mut at = block;
        while at != 0 {
            if self.folds.is_folded(at) {
                return true;
            }
            at = lines.blocks[at as usize].parent;
        }
        false
    }

    /// Targets within these lines that are folded at this moment; of those that are asked about.
    pub(crate) fn folded(&self, first: u32, end: u32, is_meant: fn(&Block) -> bool) -> usize {
        let Some(lines) = self.lines() else { return 0 };
        // A run of alike targets is a block of its own, right before those of its targets.
        let is_run = |at: usize| {
            lines
                .blocks
                .get(at + 1)
                .is_some_and(|next| next.kind == BlockKind::Target && next.parent == at as u32)
        };
        let leaves = lines.blocks.iter().enumerate().filter(|(at, block)| {
            block.kind == BlockKind::Target
                && is_meant(block)
                && block.first >= first
                && block.end <= end
                && !is_run(*at)
        });
        leaves.filter(|(at, _)| self.is_hidden(*at as u32)).count()
    }
}

fn limit(lines: &Lines) -> Option<String> {
    let bytes = lines.new_text.len().max(lines.old_text.len());
    if bytes > MOST_BYTES {
        return Some(format!("the file has {}: only its structure is shown", amount::bytes(bytes as u64)));
    }
    let longest = lines.lines.iter().map(|line| line.end - line.start).max().unwrap_or(0) as usize;
    let is_long = longest > LONGEST_LINE && lines.lines.iter().any(|line| line.mark != LineMark::Same);
    is_long.then(|| format!("a line has {} bytes: only the structure is shown", grouped(longest)))
}
