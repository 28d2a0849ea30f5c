//! Which changes were seen, from the lines that were on a screen.
//!
//! A version is seen when its own lines and, of every kind of target that it holds, at least one were on the screen unfolded;
//! a target unlike its siblings must have been unfolded itself. So a fold can never hide a difference from a review.

use std::collections::HashSet;

use crate::rules::diff::BlockKind;
use crate::rules::diff::Line;
use crate::rules::diff::LineMark;
use crate::rules::diff::Lines;
use crate::rules::diff::Row;
use crate::rules::plan::Part;
use crate::rules::plan::Piece;
use crate::rules::plan::PieceId;

/// The lines of one line view that were on the screen so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sight {
    shown: HashSet<u32>,
}

impl Sight {
    /// Takes in the rows that are on the screen; true if a line among them is new.
    pub fn look(&mut self, rows: &[Row]) -> bool {
        let before = self.shown.len();
        self.shown.extend(rows.iter().filter_map(|row| match row {
            Row::Line(line) => Some(*line),
            Row::Fold(_) => None,
        }));
        self.shown.len() > before
    }

    /// The pieces that were seen and are not marked so yet.
    pub fn newly_seen(&self, lines: &Lines, pieces: &[Piece]) -> Vec<PieceId> {
        let seen = pieces.iter().filter(|piece| !piece.mark.seen && self.saw(lines, piece));
        seen.map(|piece| piece.id.clone()).collect()
    }

    fn saw(&self, lines: &Lines, piece: &Piece) -> bool {
        if piece.part == Part::Rest {
            return self.saw_rest(lines);
        }
        let is_it =
            |block: &crate::rules::diff::Block| block.kind == BlockKind::Version && block.path == piece.block;
        // Without lines of its own nothing can show it.
        let Some(at) = lines.blocks.iter().position(is_it) else { return false };
        self.saw_version(lines, at as u32)
    }

    fn saw_version(&self, lines: &Lines, version: u32) -> bool {
        let block = &lines.blocks[version as usize];
        let inside = (block.first..block.end).zip(&lines.lines[block.first as usize..block.end as usize]);
        let own: Vec<(u32, &Line)> = inside.filter(|(_, line)| line.block == version).collect();
        let leaves = leaf_targets(lines, version);
        if leaves.is_empty() {
            let mut changed = own.iter().filter(|(_, line)| line.mark != LineMark::Same).peekable();
            if changed.peek().is_some() {
                return changed.all(|(at, _)| self.shown.contains(at));
            }
        }
        let saw_own = own.iter().any(|(at, _)| self.shown.contains(at));
        let saw = |leaf: &u32| {
            let block = &lines.blocks[*leaf as usize];
            (block.first..block.end).any(|at| self.shown.contains(&at))
        };
        let must = |leaf: &&u32| {
            let block = &lines.blocks[**leaf as usize];
            block.odd || !block.folded
        };
        saw_own && (leaves.is_empty() || leaves.iter().any(saw)) && leaves.iter().filter(must).all(saw)
    }

    /// What is outside the versions: a changed line of every block there.
    fn saw_rest(&self, lines: &Lines) -> bool {
        let mut waiting: HashSet<u32> = HashSet::new();
        let mut met: HashSet<u32> = HashSet::new();
        for (at, line) in lines.lines.iter().enumerate() {
            let kind = lines.blocks.get(line.block as usize).map(|block| block.kind);
            if line.mark == LineMark::Same || kind != Some(BlockKind::Other) {
                continue;
            }
            let side = if self.shown.contains(&(at as u32)) { &mut met } else { &mut waiting };
            side.insert(line.block);
        }
        !self.shown.is_empty() && waiting.is_subset(&met)
    }
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
