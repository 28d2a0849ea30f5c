//! Which changes were seen, from the lines that were on a screen.
//!
//! A version is seen when all of its own changed lines and, of every kind of target that it holds, all of at least one were
//! on the screen; a target unlike its siblings must have been there itself. Brackets alone do not count. So a fold, or the end
//! of a screen, can never hide a difference from a review.

use std::collections::HashSet;

use crate::rules::diff::{BlockKind, LineMark, Lines, Row};
use crate::rules::plan::{Part, Piece, PieceId};

/// The lines of one line view that were on the screen so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sight {
    shown: HashSet<u32>,
}

impl Sight {
    /// Takes in the rows that are on the screen; true if a line among them is new.
    pub(crate) fn look(&mut self, rows: &[Row]) -> bool {
        let before = self.shown.len();
        self.shown.extend(rows.iter().filter_map(|row| match row {
            Row::Line(line) => Some(*line),
            Row::Fold(_) => None,
        }));
        self.shown.len() > before
    }

    /// The pieces that were seen and are not marked so yet.
    pub(crate) fn newly_seen(&self, lines: &Lines, pieces: &[Piece]) -> Vec<PieceId> {
        let seen = pieces.iter().filter(|piece| !piece.mark.seen && self.saw(lines, piece));
        seen.map(|piece| piece.id.clone()).collect()
    }

    fn saw(&self, lines: &Lines, piece: &Piece) -> bool {
        match piece.part {
            Part::Rest => return self.saw_rest(lines),
            Part::Blacklist | Part::Key => return self.saw_all(lines, lines.second()),
            Part::Version(_) => {}
        }
        let is_it =
            |block: &crate::rules::diff::Block| block.kind == BlockKind::Version && block.path == piece.block;
        // Without lines of its own nothing can show it.
        let Some(at) = lines.blocks.iter().position(is_it) else { return false };
        self.saw_version(lines, at as u32)
    }

    fn saw_version(&self, lines: &Lines, version: u32) -> bool {
        let block = &lines.blocks[version as usize];
        let is_own = |at: &u32| lines.lines[*at as usize].block == version;
        let leaves = leaf_targets(lines, version);
        let saw = |leaf: &u32| {
            let block = &lines.blocks[*leaf as usize];
            self.saw_all(lines, block.first..block.end)
        };
        // The first of each kind is not folded.
        let must = |leaf: &&u32| {
            let block = &lines.blocks[**leaf as usize];
            block.odd || !block.folded
        };
        self.saw_all(lines, (block.first..block.end).filter(is_own))
            && (leaves.is_empty() || leaves.iter().any(saw))
            && leaves.iter().filter(must).all(saw)
    }

    /// Every changed line that says something; where none is changed, as in a version that only moved, any line.
    fn saw_all(&self, lines: &Lines, mut range: impl Iterator<Item = u32> + Clone) -> bool {
        let mut telling = range.clone().filter(|at| is_telling(lines, *at)).peekable();
        if telling.peek().is_some() {
            return telling.all(|at| self.shown.contains(&at));
        }
        range.any(|at| self.shown.contains(&at))
    }

    /// What is outside the versions: every changed line that says something, and one such line of each run of versions that
    /// change in format alone.
    fn saw_rest(&self, lines: &Lines) -> bool {
        let mut waiting: HashSet<u32> = HashSet::new();
        let mut met: HashSet<u32> = HashSet::new();
        for (at, line) in (0..lines.second().start).zip(&lines.lines) {
            let Some(kind) = lines.blocks.get(line.block as usize).map(|block| block.kind) else { continue };
            if matches!(kind, BlockKind::Version | BlockKind::Target) || !is_telling(lines, at) {
                continue;
            }
            match (self.shown.contains(&at), kind) {
                (true, _) => {
                    met.insert(line.block);
                }
                (false, BlockKind::Unchanged) => {
                    waiting.insert(line.block);
                }
                (false, _) => return false,
            }
        }
        !self.shown.is_empty() && waiting.is_subset(&met)
    }
}

/// A changed line with a value or a key: not a bracket alone.
fn is_telling(lines: &Lines, at: u32) -> bool {
    let line = &lines.lines[at as usize];
    line.mark != LineMark::Same && lines.text(line).chars().any(char::is_alphanumeric)
}

/// The targets of a version; runs of targets that fold together are looked into.
fn leaf_targets(lines: &Lines, version: u32) -> Vec<u32> {
    let is_inside = |mut block: u32| {
        while block != 0 {
            block = lines.blocks[block as usize].parent;
            if block == version {
                return true;
            }
        }
        false
    };
    let parents: HashSet<u32> = lines.blocks.iter().map(|block| block.parent).collect();
    let targets = lines.blocks.iter().enumerate().filter(|(_, block)| block.kind == BlockKind::Target);
    let ids = targets.map(|(at, _)| at as u32);
    ids.filter(|id| !parents.contains(id) && is_inside(*id)).collect()
}
