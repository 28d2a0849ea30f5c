//! The state of Changes: the cursor in the tree, and the file under review.

use std::sync::Arc;

use crate::desk::planning::Planning;
use crate::desk::telling::summary::VersionSummary;
use crate::jobs::data::{Failure, PlanOpened};
use crate::registry::Address;
use crate::rules::plan::{Arrivals, Piece, PieceId, Which};
use crate::tui::views::changes::review::Review;
use crate::tui::widgets::search::Search;

/// The pane that takes the keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Focus {
    #[default]
    Files,
    Lines,
}

/// A place in the tree: a file, or one of its changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct At {
    pub(crate) file: usize,
    pub(crate) piece: Option<usize>,
}

/// A note that could not be kept after its field was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LostNote {
    pub(super) address: Address,
    pub(super) which: Which,
    pub(super) text: String,
    pub(super) why: String,
}

/// The state of the view.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub(crate) at: At,
    /// Lines of the tree above its window.
    pub(crate) top: usize,
    pub(crate) focus: Focus,
    /// The filter of the tree.
    pub(super) filter: Search,
    pub(crate) review: Option<Review>,
    pub(crate) evidence_scroll: usize,
    /// The changes that a key or a click led to. They are named by their content, so that no other build of a file has them.
    pub(super) arrivals: Arrivals,
    /// The place that stays under the cursor when the plan changes.
    pub(super) kept: Held,
    /// A note that could not be kept, for the next time that its field opens.
    pub(crate) lost_note: Option<LostNote>,
}

/// The file and the change that stay under the cursor when the plan changes.
#[derive(Debug, Default)]
pub(crate) struct Held {
    file: Option<Address>,
    piece: Option<PieceId>,
}

impl Changes {
    /// The change under the cursor.
    pub(crate) fn piece<'a>(&self, planning: &'a Planning) -> Option<&'a Piece> {
        self.file(planning)?.pieces.get(self.at.piece?)
    }

    pub(crate) fn in_lines(&self) -> bool {
        self.focus == Focus::Lines
    }

    /// The path in the document under the cursor of the lines.
    pub(crate) fn path(&self) -> Option<String> {
        let path = self.review.as_ref().filter(|_| self.in_lines()).map(|review| review.pane.path());
        path.filter(|path| !path.is_empty()).map(ToOwned::to_owned)
    }

    /// Returns true if the lines of the file under the cursor have arrived.
    pub(crate) fn has_lines(&self, planning: &Planning) -> bool {
        self.open_review(planning).is_some_and(|review| review.pane.has_lines())
    }

    /// The review of the file under the cursor.
    pub(crate) fn open_review(&self, planning: &Planning) -> Option<&Review> {
        self.review
            .as_ref()
            .filter(|review| self.file(planning).is_some_and(|file| file.address == review.address))
    }

    /// The file and the change under the cursor.
    pub(crate) fn held(&self, planning: &Planning) -> Held {
        let file = self.file(planning);
        let piece = file.and_then(|file| file.pieces.get(self.at.piece?));
        Held { file: file.map(|file| file.address.clone()), piece: piece.map(|piece| piece.id.clone()) }
    }

    /// Takes a changed plan. The cursor stays on its file and change.
    pub(crate) fn renew(&mut self, planning: &Planning, held: Held) {
        let Held { file: address, piece } = held;
        let files = planning.files();
        let file = address.and_then(|address| files.iter().position(|file| file.address == address));
        let at = file.unwrap_or(self.at.file).min(files.len().saturating_sub(1));
        let pieces = files.get(at).map_or(&[][..], |file| &file.pieces);
        let piece = piece.and_then(|id| pieces.iter().position(|piece| piece.id == id));
        self.at = At { file: at, piece };
        self.keep_shown(planning);
        if planning.files().is_empty() {
            self.focus = Focus::Files;
        }
        let stale = match (&self.review, self.file(planning)) {
            (Some(review), Some(file)) => review.address == file.address && !review.is_of(file),
            (Some(_), None) => true,
            (None, _) => false,
        };
        if stale {
            self.review = None;
        }
    }

    /// Begins to review a file; false if this file is under review already.
    pub(crate) fn begin_review(&mut self, address: &Address) -> bool {
        if self.review.as_ref().is_some_and(|review| review.address == *address) {
            return false;
        }
        let wrap = self.review.as_ref().is_some_and(|review| review.pane.wrap);
        let mut review = Review::new(address.clone());
        review.pane.wrap = wrap;
        self.review = Some(review);
        self.evidence_scroll = 0;
        true
    }

    fn is_reviewed(&self, address: &Address) -> bool {
        self.review.as_ref().is_some_and(|review| review.address == *address)
    }

    /// Takes the lines of the file under review. Lines of an older build than the plan's are dropped, and the
    /// review begins again.
    pub(crate) fn fill(&mut self, opened: &PlanOpened, summaries: Vec<VersionSummary>, is_old: bool) {
        if !self.is_reviewed(&opened.file.address) {
            return;
        }
        if is_old {
            self.review = None;
            return;
        }
        let piece = self.at.piece;
        if let Some(review) = self.review.as_mut().filter(|review| review.address == opened.file.address) {
            review.fill(Arc::clone(&opened.lines), &opened.file, summaries);
            if let Some(first) = piece.and_then(|piece| review.first_line(piece)) {
                review.pane.cursor = review.pane.folds.row_of(&opened.lines, first);
                review.pane.top = review.pane.cursor.saturating_sub(3);
            }
        }
    }

    pub(crate) fn fail_review(&mut self, address: &Address, failure: Failure) {
        if let Some(review) = self.review.as_mut().filter(|review| review.address == *address) {
            review.failure = Some(failure);
        }
    }
}
