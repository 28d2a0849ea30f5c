//! Which lines are seen: every block is open or folded, and a folded one is a single row.

use crate::rules::diff::BlockKind;
use crate::rules::diff::LineMark;
use crate::rules::diff::Lines;

/// One row of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// A line of the file.
    Line(u32),
    /// A folded block.
    Fold(u32),
}

/// The folds of one difference, and the rows that they leave.
#[derive(Debug, Default)]
pub struct Folds {
    folded: Vec<bool>,
    /// Blocks by first line, outer ones first.
    starts: Vec<u32>,
    /// How many changed lines stand before each line.
    changed: Vec<u32>,
    /// First lines of the runs of changed lines.
    pub hunks: Vec<u32>,
    pub rows: Vec<Seen>,
}

impl Folds {
    pub fn new(lines: &Lines) -> Self {
        let mut starts: Vec<u32> = (1..lines.blocks.len() as u32).collect();
        starts.sort_by_key(|at| {
            let block = &lines.blocks[*at as usize];
            (block.first, std::cmp::Reverse(block.end), *at)
        });
        let mut changed = vec![0];
        let mut hunks = Vec::new();
        let mut before = LineMark::Same;
        for (at, line) in lines.lines.iter().enumerate() {
            let is_changed = line.mark != LineMark::Same;
            changed.push(changed[at] + u32::from(is_changed));
            if is_changed && before == LineMark::Same {
                hunks.push(at as u32);
            }
            before = line.mark;
        }
        let folded = lines.blocks.iter().map(|block| block.folded && block.kind != BlockKind::File).collect();
        let mut folds = Self { folded, starts, changed, hunks, rows: Vec::new() };
        folds.lay_out(lines);
        folds
    }

    /// Makes the rows anew: one walk over what is seen.
    fn lay_out(&mut self, lines: &Lines) {
        self.rows.clear();
        let (mut at, mut next) = (0u32, 0usize);
        while (at as usize) < lines.lines.len() {
            let mut folded = None;
            while let Some(block) = self.starts.get(next).filter(|b| lines.blocks[**b as usize].first <= at) {
                let found = &lines.blocks[*block as usize];
                let opens_here = found.first == at && found.end > at;
                next += 1;
                if opens_here && self.folded[*block as usize] {
                    folded = Some((*block, found.end));
                    break;
                }
            }
            if let Some((block, end)) = folded {
                self.rows.push(Seen::Fold(block));
                at = end;
                next = self.starts.partition_point(|b| lines.blocks[*b as usize].first < end);
            } else {
                self.rows.push(Seen::Line(at));
                at += 1;
            }
        }
    }

    /// The first line of a row.
    pub fn line_of(&self, lines: &Lines, row: usize) -> u32 {
        match self.rows.get(row) {
            Some(Seen::Line(at)) => *at,
            Some(Seen::Fold(block)) => lines.blocks[*block as usize].first,
            None => 0,
        }
    }

    /// The row that shows a line, or the fold that hides it.
    pub fn row_of(&self, lines: &Lines, line: u32) -> usize {
        let after = self.rows.partition_point(|row| {
            let first = match row {
                Seen::Line(at) => *at,
                Seen::Fold(block) => lines.blocks[*block as usize].first,
            };
            first <= line
        });
        after.saturating_sub(1)
    }

    /// Changed lines in a range.
    pub fn changes(&self, first: u32, end: u32) -> u32 {
        let last = self.changed.len() - 1;
        self.changed[(end as usize).min(last)] - self.changed[(first as usize).min(last)]
    }

    /// The innermost block around a row; 0 is the file.
    pub fn block_at(&self, lines: &Lines, row: usize) -> u32 {
        match self.rows.get(row) {
            Some(Seen::Line(at)) => lines.lines[*at as usize].block,
            Some(Seen::Fold(block)) => *block,
            None => 0,
        }
    }

    /// Opens the fold of a row, or folds the innermost block around it. Gives the row where the cursor belongs.
    pub fn toggle(&mut self, lines: &Lines, row: usize) -> usize {
        let block = self.block_at(lines, row);
        if block == 0 {
            return row;
        }
        let first = lines.blocks[block as usize].first;
        self.folded[block as usize] ^= true;
        self.lay_out(lines);
        self.row_of(lines, first)
    }

    /// Opens or folds every block. Gives the row where the cursor belongs.
    pub fn set_all(&mut self, lines: &Lines, fold: bool, row: usize) -> usize {
        let line = self.line_of(lines, row);
        for (folded, block) in self.folded.iter_mut().zip(&lines.blocks) {
            *folded = fold && block.kind != BlockKind::File;
        }
        self.lay_out(lines);
        self.row_of(lines, line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::tests::world;

    #[test]
    fn folded_blocks_are_one_row_and_every_line_is_seen_once() {
        let lines = world::diff_lines(3, 40);
        let mut folds = Folds::new(&lines);
        let hidden: u32 = folds
            .rows
            .iter()
            .map(|row| match row {
                Seen::Line(_) => 1,
                Seen::Fold(block) => lines.blocks[*block as usize].end - lines.blocks[*block as usize].first,
            })
            .sum();
        assert_eq!(hidden as usize, lines.lines.len());
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
        for (row, seen) in folds.rows.iter().enumerate() {
            assert_eq!(folds.row_of(&lines, folds.line_of(&lines, row)), row, "{seen:?}");
        }
    }
}
