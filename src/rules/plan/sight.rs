//! The changes that were seen, from the rows that were on a screen and the changes that a hand moved to.
//!
//! A version is seen once a key or a click led to it and its summary, with the grid of all its platforms, was on the screen.
//! The grid stands for the lines of a new version whose platforms are alike, and come from where those of the indexed version
//! below it come from. A platform unlike the others must have been there with its own lines. Of any other change all own
//! changed lines and, of every kind of target that it holds, all lines of at least one must have been on the screen.
//! Brackets alone do not count. So neither a fold nor the end of a screen can hide a difference from a review.

use std::collections::{HashMap, HashSet};

use crate::rules::amount::list_names;
use crate::rules::diff::{Block, BlockKind, LineMark, Lines, Origin, Row, SummaryPart};
use crate::rules::plan::{Part, Piece, PieceId};

/// The changes that a key or a click led to.
pub(crate) type Arrivals = HashSet<PieceId>;

/// The parts of one line view that were on the screen so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sight {
    shown: HashSet<u32>,
    /// The lines of summaries, by block and by the width that they were laid out for.
    parts: HashMap<(u32, u16), HashSet<u16>>,
    /// Blocks whose summary was shown to its end.
    summaries: HashSet<u32>,
}

/// The part of a change that is left to show before the change counts as seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unseen {
    /// Neither a key nor a click led to it.
    NotReached,
    Summary,
    /// Its lines outside of targets.
    OwnLines,
    /// The lines of these platforms, and the blocks that hold them.
    Platforms(Vec<String>, Vec<u32>),
}

impl Unseen {
    /// A sentence without a subject and a full stop.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::NotReached => "the cursor has not moved to it".to_owned(),
            Self::Summary => "its summary was not shown to the end".to_owned(),
            Self::OwnLines => "not all of its own lines were shown".to_owned(),
            Self::Platforms(names, _) => format!("the lines of {} were not shown", list_names(names)),
        }
    }
}

impl Sight {
    /// Takes in the rows and the lines of summaries that are on the screen; true if one among them is new.
    pub(crate) fn look(&mut self, rows: &[Row], summaries: &[SummaryPart]) -> bool {
        let before = self.shown.len();
        self.shown.extend(rows.iter().filter_map(|row| match row {
            Row::Line(line) => Some(*line),
            Row::Fold(_) => None,
        }));
        let mut is_new = self.shown.len() > before;
        for SummaryPart { block, part, parts, width } in summaries {
            let shown = self.parts.entry((*block, *width)).or_default();
            is_new |= shown.insert(*part);
            if shown.len() >= usize::from(*parts) {
                self.summaries.insert(*block);
            }
        }
        is_new
    }

    /// The pieces that were seen and are not marked so yet.
    pub(crate) fn newly_seen(&self, lines: &Lines, pieces: &[Piece], arrivals: &Arrivals) -> Vec<PieceId> {
        let seen =
            pieces.iter().filter(|piece| !piece.mark.seen && self.unseen(lines, piece, arrivals).is_none());
        seen.map(|piece| piece.id.clone()).collect()
    }

    /// The part of a change that is left to show; `None` once the change was seen.
    pub(crate) fn unseen(&self, lines: &Lines, piece: &Piece, arrivals: &Arrivals) -> Option<Unseen> {
        if !arrivals.contains(&piece.id) {
            return Some(Unseen::NotReached);
        }
        let own = |saw: bool| (!saw).then_some(Unseen::OwnLines);
        match piece.part {
            Part::Rest => return own(self.saw_rest(lines)),
            Part::Blacklist | Part::Key => return own(self.saw_all(lines, lines.second())),
            Part::Version(_) => {}
        }
        let is_it = |block: &Block| block.kind == BlockKind::Version && block.path == piece.block;
        // Without lines of its own nothing can show it.
        let Some(at) = lines.blocks.iter().position(is_it) else { return Some(Unseen::OwnLines) };
        self.unseen_of_version(lines, at as u32)
    }

    fn unseen_of_version(&self, lines: &Lines, version: u32) -> Option<Unseen> {
        let block = &lines.blocks[version as usize];
        if block.grid.is_some() && !self.summaries.contains(&version) {
            return Some(Unseen::Summary);
        }
        let is_summarised = block.mark == LineMark::Added
            && block.grid.as_ref().is_some_and(|grid| grid.origin == Origin::AsBelow);
        let is_own = |at: &u32| lines.lines[*at as usize].block == version;
        if !is_summarised && !self.saw_all(lines, (block.first..block.end).filter(is_own)) {
            return Some(Unseen::OwnLines);
        }
        let leaves = leaf_targets(lines, version);
        let saw = |leaf: &u32| {
            let block = &lines.blocks[*leaf as usize];
            self.saw_all(lines, block.first..block.end)
        };
        // The first of each kind is not folded.
        let must = |leaf: &&u32| {
            let block = &lines.blocks[**leaf as usize];
            block.odd || (!is_summarised && !block.folded)
        };
        let mut left: Vec<u32> = leaves.iter().filter(must).filter(|leaf| !saw(leaf)).copied().collect();
        if left.is_empty() && !is_summarised && !leaves.iter().any(saw) {
            left.extend(leaves.first());
        }
        let name = |leaf: &u32| {
            let path = &lines.blocks[*leaf as usize].path;
            path.rsplit_once("] ").map_or(path.as_str(), |(_, name)| name).to_owned()
        };
        (!left.is_empty()).then(|| Unseen::Platforms(left.iter().map(name).collect(), left))
    }

    /// Every changed line that says something; where none is changed, as in a version that only moved, any line.
    fn saw_all(&self, lines: &Lines, mut range: impl Iterator<Item = u32> + Clone) -> bool {
        let mut telling = range.clone().filter(|at| is_telling(lines, *at)).peekable();
        if telling.peek().is_some() {
            return telling.all(|at| self.shown.contains(&at));
        }
        range.any(|at| self.shown.contains(&at))
    }

    /// The part outside the versions: every changed line that says something, and one such line of each run of versions that
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

/// The targets of a version; runs of targets that fold together are looked into. Blocks inside of a block come after it.
fn leaf_targets(lines: &Lines, version: u32) -> Vec<u32> {
    let end = lines.blocks[version as usize].end;
    let behind = (version + 1..).zip(&lines.blocks[version as usize + 1..]);
    let inside: Vec<(u32, &Block)> = behind.take_while(|(_, block)| block.first < end).collect();
    let parents: HashSet<u32> = inside.iter().map(|(_, block)| block.parent).collect();
    let is_leaf = |(at, block): &&(u32, &Block)| block.kind == BlockKind::Target && !parents.contains(at);
    inside.iter().filter(is_leaf).map(|(at, _)| *at).collect()
}
