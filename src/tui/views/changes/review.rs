//! One planned file that is looked at: its lines, which changes they belong to, and what of them was on the screen.

use std::sync::Arc;

use crate::desk::telling::evidence::Evidence;
use crate::jobs::data::Failure;
use crate::registry::{Address, BLACKLIST};
use crate::rules::diff::{BlockKind, Lines, Row};
use crate::rules::plan::{Part, Piece, PieceId, PlannedFile, Sight};
use crate::tui::widgets::diff::Pane;

/// The lines of one change: first, and the one behind the last.
#[derive(Clone, Debug)]
struct Stretch {
    first: u32,
    end: u32,
    /// Place among the changes of the file.
    piece: usize,
}

/// A file under review.
#[derive(Debug)]
pub(crate) struct Review {
    pub(crate) address: Address,
    pub(crate) pane: Pane,
    pub(crate) failure: Option<Failure>,
    /// What the lines say of each change; one a change.
    pub(crate) evidence: Vec<Evidence>,
    sight: Sight,
    /// Versions, in the order of their lines.
    stretches: Vec<Stretch>,
    /// The contents that the lines show.
    ids: Vec<PieceId>,
}

impl Review {
    pub(crate) fn new(address: Address) -> Self {
        Self {
            address,
            pane: Pane::default(),
            failure: None,
            evidence: Vec::new(),
            sight: Sight::default(),
            stretches: Vec::new(),
            ids: Vec::new(),
        }
    }

    pub(crate) fn fill(&mut self, lines: Arc<Lines>, file: &PlannedFile) {
        self.failure = None;
        self.sight = Sight::default();
        self.ids = file.pieces.iter().map(|piece| piece.id.clone()).collect();
        let place_of =
            |path: &str| file.pieces.iter().position(|piece| piece.part != Part::Rest && piece.block == path);
        let has_piece =
            |block: &&crate::rules::diff::Block| block.kind == BlockKind::Version || block.path == BLACKLIST;
        let versions = lines.blocks.iter().filter(has_piece);
        let stretch = |block: &crate::rules::diff::Block| {
            Some(Stretch { first: block.first, end: block.end, piece: place_of(&block.path)? })
        };
        self.stretches = versions.filter_map(stretch).collect();
        self.stretches.sort_by_key(|stretch| stretch.first);
        self.evidence = (0..file.pieces.len())
            .map(|piece| {
                let stretch = self.stretches.iter().find(|stretch| stretch.piece == piece);
                stretch.map_or_else(Evidence::default, |at| Evidence::of(&lines, at.first, at.end))
            })
            .collect();
        self.pane.fill(lines);
    }

    /// Whether the lines are those of this build of the file. Lines on their way will be.
    pub(crate) fn is_of(&self, file: &PlannedFile) -> bool {
        let same = || self.ids.iter().eq(file.pieces.iter().map(|piece| &piece.id));
        !self.pane.has_lines() || same()
    }

    pub(crate) fn first_line(&self, piece: usize) -> Option<u32> {
        self.stretches.iter().find(|stretch| stretch.piece == piece).map(|stretch| stretch.first)
    }

    /// The change that a line belongs to; `None` for lines outside the versions.
    pub(crate) fn piece_at(&self, line: u32) -> Option<usize> {
        let after = self.stretches.partition_point(|stretch| stretch.first <= line);
        let stretch = self.stretches.get(after.checked_sub(1)?)?;
        (line < stretch.end).then_some(stretch.piece)
    }

    /// Targets of a change that are unlike the others and folded at this moment.
    pub(crate) fn folded_odd(&self, piece: usize) -> usize {
        let stretch = self.stretches.iter().find(|stretch| stretch.piece == piece);
        stretch.map_or(0, |at| self.pane.folded(at.first, at.end, |target| target.odd))
    }

    /// All targets of a change that are folded at this moment.
    pub(crate) fn folded(&self, piece: usize) -> usize {
        let stretch = self.stretches.iter().find(|stretch| stretch.piece == piece);
        stretch.map_or(0, |at| self.pane.folded(at.first, at.end, |_| true))
    }

    /// Takes in the rows that are on the screen; gives the changes that count as looked at from now on. Only changes
    /// with a row among them are asked, so that a frame never costs what the file does.
    pub(crate) fn look(&mut self, rows: &[Row], pieces: &[Piece]) -> Vec<PieceId> {
        let Some(lines) = self.pane.lines() else { return Vec::new() };
        if self.pane.limit.is_some() || !self.sight.look(rows) {
            return Vec::new();
        }
        let line_of = |row: &Row| match row {
            Row::Line(line) => *line,
            Row::Fold(block) => lines.blocks.get(*block as usize).map_or(0, |block| block.first),
        };
        let mut near: Vec<usize> = rows.iter().filter_map(|row| self.piece_at(line_of(row))).collect();
        near.dedup();
        let rest = pieces.iter().position(|piece| piece.part == Part::Rest);
        near.extend(rest);
        let unseen = near.into_iter().filter_map(|at| pieces.get(at)).filter(|piece| !piece.mark.seen);
        unseen.flat_map(|piece| self.sight.newly_seen(lines, std::slice::from_ref(piece))).collect()
    }
}
