//! One planned file under review: its lines, the change that each line belongs to, and the lines that were on
//! the screen.

use std::sync::Arc;

use crate::desk::telling::evidence::Evidence;
use crate::desk::telling::summary::VersionSummary;
use crate::jobs::data::Failure;
use crate::registry::{Address, BLACKLIST};
use crate::rules::diff::{BlockKind, Lines, Row, SummaryPart};
use crate::rules::plan::{Arrivals, Part, Piece, PieceId, PlannedFile, Sight, Unseen};
use crate::tui::widgets::diff::Pane;

/// The lines of one change: the first, and the one behind the last.
#[derive(Clone, Debug)]
struct Stretch {
    first: u32,
    end: u32,
    /// The place among the changes of the file.
    piece: usize,
}

/// A file under review.
#[derive(Debug)]
pub(crate) struct Review {
    pub(crate) address: Address,
    pub(crate) pane: Pane,
    pub(crate) failure: Option<Failure>,
    /// The evidence of each change, taken from its lines.
    pub(crate) evidence: Vec<Evidence>,
    sight: Sight,
    /// The number of arrivals at the last look.
    arrivals: usize,
    /// The lines of each version and of the blacklist, in their order.
    stretches: Vec<Stretch>,
    /// The ids of the changes that the lines show.
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
            arrivals: 0,
            stretches: Vec::new(),
            ids: Vec::new(),
        }
    }

    /// Takes the lines of the file, with the summaries of its versions.
    pub(crate) fn fill(&mut self, lines: Arc<Lines>, file: &PlannedFile, summaries: Vec<VersionSummary>) {
        self.failure = None;
        (self.sight, self.arrivals) = (Sight::default(), 0);
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
        self.pane.fill(lines, summaries);
    }

    /// Returns true if the lines belong to this build of the file, or have not arrived yet.
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

    /// The number of folded targets that differ from the others in a change.
    pub(crate) fn folded_odd(&self, piece: usize) -> usize {
        let stretch = self.stretches.iter().find(|stretch| stretch.piece == piece);
        stretch.map_or(0, |at| self.pane.folded(at.first, at.end, |target| target.odd))
    }

    /// The number of all folded targets of a change.
    pub(crate) fn folded(&self, piece: usize) -> usize {
        let stretch = self.stretches.iter().find(|stretch| stretch.piece == piece);
        stretch.map_or(0, |at| self.pane.folded(at.first, at.end, |_| true))
    }

    /// Takes the rows on the screen, and returns the changes that count as looked at from now on. Only
    /// changes near these rows are checked, so that the cost of a frame does not depend on the size of the
    /// file.
    pub(crate) fn look(
        &mut self,
        (rows, summaries): (&[Row], &[SummaryPart]),
        pieces: &[Piece],
        arrivals: &Arrivals,
    ) -> Vec<PieceId> {
        let Some(lines) = self.pane.lines() else { return Vec::new() };
        let has_arrived = std::mem::replace(&mut self.arrivals, arrivals.len()) != arrivals.len();
        if self.pane.limit.is_some() || !(self.sight.look(rows, summaries) || has_arrived) {
            return Vec::new();
        }
        let first_of = |block: u32| lines.blocks.get(block as usize).map_or(0, |block| block.first);
        let line_of = |row: &Row| match row {
            Row::Line(line) => *line,
            Row::Fold(block) => first_of(*block),
        };
        let firsts = rows.iter().map(line_of).chain(summaries.iter().map(|part| first_of(part.block)));
        let mut near: Vec<usize> = firsts.filter_map(|line| self.piece_at(line)).collect();
        near.sort_unstable();
        near.dedup();
        let rest = pieces.iter().position(|piece| piece.part == Part::Rest);
        near.extend(rest);
        let unseen = near.into_iter().filter_map(|at| pieces.get(at)).filter(|piece| !piece.mark.seen);
        unseen.flat_map(|piece| self.sight.newly_seen(lines, std::slice::from_ref(piece), arrivals)).collect()
    }

    /// The part of a change that is left to show; `None` if there is none, or if the view cannot show it.
    pub(crate) fn unseen(&self, piece: &Piece, arrivals: &Arrivals) -> Option<Unseen> {
        let lines = self.pane.lines().filter(|_| self.pane.limit.is_none())?;
        self.sight.unseen(lines, piece, arrivals)
    }
}
