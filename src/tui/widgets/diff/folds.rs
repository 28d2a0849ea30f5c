//! Which lines are seen: every block is open or folded, and a folded one is a single row.

use std::collections::HashMap;

use crate::rules::diff::{BlockKind, LineMark, Lines};
use crate::settings::words;

/// One row of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// A line of the file.
    Line(u32),
    /// A removed line and the added one beside it.
    Pair(u32, u32),
    /// A folded block.
    Fold(u32),
    /// The name of a block, in the structure.
    Head(u32),
    /// A line of the summary above a version: its block, and the place of the line.
    Summary(u32, u16),
}

words! {
    /// How the difference is laid out.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub(crate) enum Layout: [word] {
        #[default]
        Unified = "unified",
        /// Before on the left, after on the right.
        Side = "side by side",
        /// The names of the blocks, and the changed lines of those that changed in part.
        Structure = "structure",
    }
}

/// The folds of one difference, and the rows that they leave.
#[derive(Debug, Default)]
pub(crate) struct Folds {
    folded: Vec<bool>,
    /// Blocks by first line, outer ones first.
    starts: Vec<u32>,
    /// How many changed lines stand before each line.
    changed: Vec<u32>,
    /// First lines of the changes.
    pub(crate) hunks: Vec<u32>,
    pub(crate) rows: Vec<Seen>,
    pub(crate) layout: Layout,
    /// Unchanged lines that are shown around changes besides those that always are.
    pub(crate) context: u32,
    /// No line of the file is shown, only names of blocks.
    heads_only: bool,
    /// The lines of the summary of each version that has one.
    summaries: HashMap<u32, u16>,
}

impl Folds {
    pub(crate) fn new(lines: &Lines, heads_only: bool) -> Self {
        let mut starts: Vec<u32> = (1..lines.blocks.len() as u32).collect();
        starts.sort_by_key(|at| {
            let block = &lines.blocks[*at as usize];
            (block.first, std::cmp::Reverse(block.end), *at)
        });
        let mut changed = Vec::with_capacity(lines.lines.len() + 1);
        changed.push(0);
        for (at, line) in lines.lines.iter().enumerate() {
            changed.push(changed[at] + u32::from(line.mark != LineMark::Same));
        }
        let folded = lines.blocks.iter().map(|block| block.folded && block.kind != BlockKind::File).collect();
        let layout = if heads_only { Layout::Structure } else { Layout::Unified };
        let mut folds =
            Self { folded, starts, changed, hunks: lines.hunks(), layout, heads_only, ..Self::default() };
        folds.lay_out(lines);
        folds
    }

    /// Makes the rows anew: one walk over what is seen.
    fn lay_out(&mut self, lines: &Lines) {
        self.rows.clear();
        match self.layout {
            Layout::Structure => self.lay_heads(lines),
            Layout::Unified => self.lay_lines(lines),
            Layout::Side => {
                self.lay_lines(lines);
                self.pair_up(lines);
            }
        }
    }

    fn lay_lines(&mut self, lines: &Lines) {
        let (mut at, mut next) = (0u32, 0usize);
        while (at as usize) < lines.lines.len() {
            let mut folded = None;
            while let Some(block) = self.starts.get(next).filter(|b| lines.blocks[**b as usize].first <= at) {
                let found = &lines.blocks[*block as usize];
                let opens_here = found.first == at && found.end > at;
                next += 1;
                if opens_here && let Some(height) = self.summaries.get(block) {
                    self.rows.extend((0..*height).map(|part| Seen::Summary(*block, part)));
                }
                if opens_here && self.folded[*block as usize] {
                    folded = Some((*block, found.end));
                    break;
                }
            }
            if let Some((block, end)) = folded {
                let (lead, tail) = self.edges(lines, block);
                self.rows.extend((at..at + lead).map(Seen::Line));
                if at + lead + tail < end {
                    self.rows.push(Seen::Fold(block));
                }
                self.rows.extend((end - tail..end).map(Seen::Line));
                at = end;
                next = self.starts.partition_point(|b| lines.blocks[*b as usize].first < end);
            } else {
                self.rows.push(Seen::Line(at));
                at += 1;
            }
        }
    }

    /// Lines of a folded block that context shows at its beginning and at its end.
    fn edges(&self, lines: &Lines, block: u32) -> (u32, u32) {
        let found = &lines.blocks[block as usize];
        if self.context == 0 || self.changes(found.first, found.end) > 0 {
            return (0, 0);
        }
        let length = found.end - found.first;
        let lead = if found.first > 0 { self.context } else { 0 };
        let tail = if (found.end as usize) < lines.lines.len() { self.context } else { 0 };
        if lead + tail >= length { (length, 0) } else { (lead, tail) }
    }

    /// Puts removed lines beside the added ones that follow them.
    fn pair_up(&mut self, lines: &Lines) {
        let rows = std::mem::take(&mut self.rows);
        let line_of = |row: &Seen, mark: LineMark| match row {
            Seen::Line(at) if lines.lines[*at as usize].mark == mark => Some(*at),
            _ => None,
        };
        let run = |from: usize, mark: LineMark| {
            rows[from..].iter().map_while(|row| line_of(row, mark)).collect::<Vec<u32>>()
        };
        let mut at = 0;
        while at < rows.len() {
            if line_of(&rows[at], LineMark::Removed).is_none() {
                self.rows.push(rows[at]);
                at += 1;
                continue;
            }
            let removed = run(at, LineMark::Removed);
            let added = run(at + removed.len(), LineMark::Added);
            at += removed.len() + added.len();
            for place in 0..removed.len().max(added.len()) {
                self.rows.push(match (removed.get(place), added.get(place)) {
                    (Some(old), Some(new)) => Seen::Pair(*old, *new),
                    (Some(one), None) | (None, Some(one)) => Seen::Line(*one),
                    (None, None) => continue,
                });
            }
        }
    }

    fn lay_heads(&mut self, lines: &Lines) {
        let mut next = 0usize;
        for at in 0..lines.lines.len() as u32 {
            while let Some(id) = self.starts.get(next).filter(|b| lines.blocks[**b as usize].first <= at) {
                let block = &lines.blocks[*id as usize];
                let parent = lines.blocks[block.parent as usize].kind;
                // Targets of one shape are one name.
                let is_told = block.kind == BlockKind::Target && parent == BlockKind::Target && !block.odd;
                if block.end > block.first && !is_told {
                    self.rows.push(Seen::Head(*id));
                }
                next += 1;
            }
            let line = &lines.lines[at as usize];
            let around = &lines.blocks[line.block as usize];
            let in_part = line.mark != LineMark::Same && around.mark == LineMark::Same;
            if in_part && around.kind != BlockKind::Unchanged && !self.heads_only {
                self.rows.push(Seen::Line(at));
            }
        }
    }

    /// The first line of a row.
    pub(crate) fn line_of(&self, lines: &Lines, row: usize) -> u32 {
        self.rows.get(row).map_or(0, |seen| self.first_line(lines, *seen))
    }

    fn first_line(&self, lines: &Lines, seen: Seen) -> u32 {
        match seen {
            Seen::Line(at) | Seen::Pair(at, _) => at,
            Seen::Fold(block) => lines.blocks[block as usize].first + self.edges(lines, block).0,
            Seen::Head(block) | Seen::Summary(block, _) => lines.blocks[block as usize].first,
        }
    }

    /// The row where a line begins for a reader: the first row of the summary above it.
    pub(crate) fn start_of(&self, lines: &Lines, line: u32) -> usize {
        let row = self.row_of(lines, line);
        row - self.rows[..row].iter().rev().take_while(|seen| matches!(seen, Seen::Summary(..))).count()
    }

    /// The lines of a summary from a row on.
    pub(crate) fn summary_at(&self, row: usize) -> usize {
        self.rows.iter().skip(row).take_while(|seen| matches!(seen, Seen::Summary(..))).count()
    }

    /// The row that shows a line, or the fold that hides it.
    pub(crate) fn row_of(&self, lines: &Lines, line: u32) -> usize {
        let after = self.rows.partition_point(|row| self.first_line(lines, *row) <= line);
        let last = after.saturating_sub(1);
        let is_beside = |row: &&usize| matches!(self.rows[**row], Seen::Pair(_, new) if new == line);
        let in_run = (0..=last).rev().take_while(|row| matches!(self.rows.get(*row), Some(Seen::Pair(..))));
        let run: Vec<usize> = in_run.collect();
        run.iter().find(is_beside).copied().unwrap_or(last)
    }

    /// Whether a line of the file itself stands in a row.
    pub(crate) fn shows(&self, row: usize, line: u32) -> bool {
        match self.rows.get(row) {
            Some(Seen::Line(at)) => *at == line,
            Some(Seen::Pair(old, new)) => [*old, *new].contains(&line),
            Some(Seen::Fold(_) | Seen::Head(_) | Seen::Summary(..)) | None => false,
        }
    }

    /// Changed lines in a range.
    pub(crate) fn changes(&self, first: u32, end: u32) -> u32 {
        let last = self.changed.len() - 1;
        self.changed[(end as usize).min(last)] - self.changed[(first as usize).min(last)]
    }

    /// The innermost block around a row; 0 is the file.
    pub(crate) fn block_at(&self, lines: &Lines, row: usize) -> u32 {
        match self.rows.get(row) {
            Some(Seen::Line(at) | Seen::Pair(_, at)) => lines.lines[*at as usize].block,
            Some(Seen::Fold(block) | Seen::Head(block) | Seen::Summary(block, _)) => *block,
            None => 0,
        }
    }

    /// Whether a row is a fold with this block in it, or is inside one.
    pub(crate) fn is_folded(&self, block: u32) -> bool {
        self.folded.get(block as usize).copied().unwrap_or(false)
    }

    /// Opens the fold of a row, or folds the innermost block around it. Gives the row where the cursor belongs.
    pub(crate) fn toggle(&mut self, lines: &Lines, row: usize) -> usize {
        let block = self.block_at(lines, row);
        if block == 0 {
            return row;
        }
        let first = lines.blocks[block as usize].first;
        self.folded[block as usize] ^= true;
        self.lay_out(lines);
        self.row_of(lines, first)
    }

    /// Opens a block and those around it.
    pub(crate) fn reveal(&mut self, lines: &Lines, block: u32) {
        let mut at = block;
        while at != 0 {
            self.folded[at as usize] = false;
            at = lines.blocks[at as usize].parent;
        }
        self.lay_out(lines);
    }

    /// Opens or folds every block. Gives the row where the cursor belongs.
    pub(crate) fn set_all(&mut self, lines: &Lines, fold: bool, row: usize) -> usize {
        for (folded, block) in self.folded.iter_mut().zip(&lines.blocks) {
            *folded = fold && block.kind != BlockKind::File;
        }
        self.anew(lines, row, |_| {})
    }

    pub(crate) fn set_layout(&mut self, lines: &Lines, layout: Layout, row: usize) -> usize {
        self.anew(lines, row, |folds| folds.layout = layout)
    }

    pub(crate) fn set_context(&mut self, lines: &Lines, context: u32, row: usize) -> usize {
        self.anew(lines, row, |folds| folds.context = context)
    }

    /// Takes the number of lines of each summary.
    pub(crate) fn set_summaries(&mut self, lines: &Lines, summaries: HashMap<u32, u16>) {
        self.summaries = summaries;
        self.lay_out(lines);
    }

    /// Lays out after a change; the cursor stays on its line.
    fn anew(&mut self, lines: &Lines, row: usize, change: impl FnOnce(&mut Self)) -> usize {
        let line = self.line_of(lines, row);
        change(self);
        self.lay_out(lines);
        self.row_of(lines, line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::tests::{fake_plan, world};

    fn hidden(folds: &Folds, lines: &Lines) -> usize {
        let one = |row: &Seen| match row {
            Seen::Line(_) => 1,
            Seen::Pair(..) => 2,
            Seen::Fold(block) => {
                let (lead, tail) = folds.edges(lines, *block);
                lines.blocks[*block as usize].end - lines.blocks[*block as usize].first - lead - tail
            }
            Seen::Head(_) | Seen::Summary(..) => 0,
        };
        folds.rows.iter().map(one).sum::<u32>() as usize
    }

    #[test]
    fn folded_blocks_are_one_row_and_every_line_is_seen_once() {
        let lines = world::diff_lines(3, 40);
        let mut folds = Folds::new(&lines, false);
        assert_eq!(hidden(&folds, &lines), lines.lines.len());
        assert!(folds.rows.len() < lines.lines.len());
        let row = folds.rows.iter().position(|row| matches!(row, Seen::Fold(_))).unwrap();
        let before = folds.rows.len();
        let back = folds.toggle(&lines, row);
        assert_eq!(back, row);
        assert!(folds.rows.len() > before);
        folds.set_all(&lines, false, 0);
        assert_eq!(folds.rows.len(), lines.lines.len());
        folds.set_all(&lines, true, 0);
        assert!(folds.rows.len() < before);
        for layout in [Layout::Unified, Layout::Side] {
            folds.set_layout(&lines, layout, 0);
            for context in [0, 3, 18, 19, 20, 60] {
                folds.set_context(&lines, context, 0);
                assert_eq!(hidden(&folds, &lines), lines.lines.len(), "{layout:?} {context}");
                for (row, seen) in folds.rows.iter().enumerate() {
                    assert_eq!(folds.row_of(&lines, folds.line_of(&lines, row)), row, "{seen:?}");
                }
            }
        }
        assert!(!folds.rows.iter().any(|row| matches!(row, Seen::Fold(at) if !folds.is_folded(*at))));
    }

    #[test]
    fn changed_lines_stand_beside_each_other_and_the_structure_names_the_blocks() {
        let lines = fake_plan::changed_lines();
        let mut folds = Folds::new(&lines, false);
        folds.set_layout(&lines, Layout::Side, 0);
        let pairs: Vec<(&str, &str)> = folds
            .rows
            .iter()
            .filter_map(|row| match row {
                Seen::Pair(old, new) => {
                    let text = |at: &u32| lines.text(&lines.lines[*at as usize]).trim();
                    Some((text(old), text(new)))
                }
                _ => None,
            })
            .collect();
        assert!(!pairs.is_empty());
        assert!(
            pairs.iter().all(|(old, new)| old.starts_with("\"shasum\"") && new.starts_with("\"shasum\""))
        );
        for (row, seen) in folds.rows.iter().enumerate() {
            if let Seen::Pair(old, new) = seen {
                assert_eq!((folds.row_of(&lines, *old), folds.row_of(&lines, *new)), (row, row));
            }
        }
        folds.set_layout(&lines, Layout::Structure, 0);
        assert!(folds.rows.iter().any(|row| matches!(row, Seen::Head(_))));
        assert!(folds.rows.iter().any(|row| matches!(row, Seen::Line(_))), "what changed in part is told");
        let summary = Folds::new(&lines, true);
        assert!(summary.rows.iter().all(|row| matches!(row, Seen::Head(_))));
    }
}
