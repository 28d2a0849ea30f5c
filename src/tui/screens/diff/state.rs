//! What the diff holds: the opened entry, the folds, the window, and the counts of the banner.

use std::sync::Arc;

use crate::jobs::Failure;
use crate::jobs::Opened;
use crate::registry::Address;
use crate::rules::Finding;
use crate::rules::Proposal;
use crate::rules::Severity;
use crate::rules::diff::ChangeKind;
use crate::rules::diff::Diff;
use crate::rules::diff::Lines;
use crate::tui::model::Screen;
use crate::tui::screens::diff::folds::Folds;
use crate::tui::screens::diff::folds::Seen;
use crate::tui::text;

/// The figures of the banner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub added: u32,
    pub added_targets: u32,
    pub changed: u32,
    pub removed: u32,
    pub moved: u32,
}

impl Counts {
    fn of(diff: &Diff) -> Self {
        let mut counts = Self::default();
        for change in &diff.versions {
            match change.kind {
                ChangeKind::Added => {
                    counts.added += 1;
                    counts.added_targets += change.targets.len() as u32;
                }
                ChangeKind::Removed => counts.removed += 1,
                ChangeKind::Changed => counts.changed += 1,
                ChangeKind::Moved => counts.moved += 1,
            }
        }
        counts
    }
}

/// The screen of one proposal.
#[derive(Debug)]
pub struct DiffScreen {
    pub address: Address,
    /// Where Esc goes.
    pub from: Screen,
    pub opened: Option<Arc<Opened>>,
    pub failure: Option<Failure>,
    /// Left-out versions and what a reviewer should know, the gravest first.
    pub findings: Vec<Finding>,
    pub findings_scroll: usize,
    pub counts: Counts,
    pub folds: Folds,
    pub cursor: usize,
    pub top: usize,
    /// Columns scrolled away on the left.
    pub left: usize,
    pub wrap: bool,
}

impl DiffScreen {
    pub fn new(address: Address, from: Screen) -> Self {
        Self {
            address,
            from,
            opened: None,
            failure: None,
            findings: Vec::new(),
            findings_scroll: 0,
            counts: Counts::default(),
            folds: Folds::default(),
            cursor: 0,
            top: 0,
            left: 0,
            wrap: false,
        }
    }

    /// Takes the proposal. The cursor goes to the first change.
    pub fn fill(&mut self, opened: Arc<Opened>) {
        self.failure = None;
        self.counts = opened.proposal.as_ref().map(|proposal| Counts::of(&proposal.diff)).unwrap_or_default();
        self.findings = opened.proposal.as_ref().map(|p| p.findings.clone()).unwrap_or_default();
        for finding in opened.findings.iter().filter(|finding| finding.severity > Severity::Note) {
            if !self.findings.contains(finding) {
                self.findings.push(finding.clone());
            }
        }
        self.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        self.folds = opened.lines.as_ref().map(|lines| Folds::new(lines)).unwrap_or_default();
        self.opened = Some(opened);
        self.cursor = 0;
        self.top = 0;
        if let (Some(lines), Some(first)) = (self.lines(), self.folds.hunks.first()) {
            self.cursor = self.folds.row_of(lines, *first);
            self.top = self.cursor.saturating_sub(3);
        }
    }

    pub fn lines(&self) -> Option<&Lines> {
        self.opened.as_ref()?.lines.as_deref()
    }

    pub fn proposal(&self) -> Option<&Proposal> {
        self.opened.as_ref()?.proposal.as_ref()
    }

    pub fn has_lines(&self) -> bool {
        !self.folds.rows.is_empty()
    }

    /// The hunk at or before the cursor, counted from 1, and how many there are.
    pub fn hunk(&self) -> (usize, usize) {
        let Some(lines) = self.lines() else { return (0, 0) };
        let end = match self.folds.rows.get(self.cursor) {
            Some(Seen::Fold(block)) => lines.blocks[*block as usize].end.saturating_sub(1),
            Some(Seen::Line(at)) => *at,
            None => 0,
        };
        (self.folds.hunks.partition_point(|first| *first <= end), self.folds.hunks.len())
    }

    /// The path in the document: the block's, and the key of the line.
    pub fn path(&self) -> String {
        let Some(lines) = self.lines() else { return String::new() };
        let block = &lines.blocks[self.folds.block_at(lines, self.cursor) as usize];
        let key = match self.folds.rows.get(self.cursor) {
            Some(Seen::Line(at)) => key_of(lines.text(&lines.lines[*at as usize])),
            _ => None,
        };
        match (block.path.is_empty(), key) {
            (true, Some(key)) => key.to_owned(),
            (false, Some(key)) => format!("{} > {key}", block.path),
            (_, None) => block.path.clone(),
        }
    }

    /// Screen lines that a row takes: one, or more when long lines wrap.
    pub fn height_of(&self, row: usize, columns: usize) -> usize {
        let (Some(lines), Some(Seen::Line(at)), true) = (self.lines(), self.folds.rows.get(row), self.wrap)
        else {
            return 1;
        };
        let line = lines.text(&lines.lines[*at as usize]);
        let cut = text::start(line, LONGEST);
        text::width(cut).div_ceil(columns.max(1)).max(1)
    }

    /// Keeps the cursor inside the rows and the window around the cursor.
    pub fn settle(&mut self, page: usize, columns: usize) {
        let rows = self.folds.rows.len();
        self.cursor = self.cursor.min(rows.saturating_sub(1));
        self.top = self.top.min(rows.saturating_sub(page)).min(self.cursor);
        let mut used = self.height_of(self.cursor, columns);
        let mut first = self.cursor;
        while first > self.top {
            used += self.height_of(first - 1, columns);
            if used > page {
                break;
            }
            first -= 1;
        }
        self.top = self.top.max(first);
    }
}

/// Longer lines are cut, with a mark; the whole line is in the file.
pub(super) const LONGEST: usize = 10_000;

/// `"shasum": "b6…"` gives `shasum`.
fn key_of(line: &str) -> Option<&str> {
    let (key, rest) = line.trim_start().strip_prefix('"')?.split_once('"')?;
    rest.starts_with(':').then_some(key)
}
