//! What Changes holds: the plan, the cursor in its tree, and the file that is looked at.

use std::sync::Arc;

use crate::desk::planning::Planning;
use crate::jobs::{Failure, PlanOpened};
use crate::registry::Address;
use crate::rules::plan::{FileState, Piece, PieceId, Plan, PlannedFile};
use crate::tui::views::changes::review::Review;

/// Which pane takes the keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Focus {
    #[default]
    Files,
    Lines,
}

/// A place in the tree: a file, or a change of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct At {
    pub(crate) file: usize,
    pub(crate) piece: Option<usize>,
}

/// A note that could not be kept after its field was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LostNote {
    pub(super) address: Address,
    pub(super) piece: PieceId,
    pub(super) text: String,
    pub(super) why: String,
}

/// The view's state.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub(crate) at: At,
    /// Lines of the tree that are scrolled away.
    pub(crate) top: usize,
    pub(crate) focus: Focus,
    pub(crate) review: Option<Review>,
    pub(crate) evidence_scroll: usize,
    /// A note that could not be kept, for the next time that its field is opened.
    pub(crate) lost_note: Option<LostNote>,
}

/// Whether two builds of a file propose the same changes.
fn same_pieces(one: &PlannedFile, other: &PlannedFile) -> bool {
    one.pieces.iter().map(|piece| &piece.id).eq(other.pieces.iter().map(|piece| &piece.id))
}

impl Changes {
    /// The file under the cursor.
    pub(crate) fn file<'a>(&self, planning: &'a Planning) -> Option<&'a PlannedFile> {
        planning.files().get(self.at.file)
    }

    /// What is to be done next with a file. One whose lines are not shown here can be looked at elsewhere alone.
    pub(crate) fn next_step(&self, file: &PlannedFile) -> String {
        let review = self.review.as_ref().filter(|review| review.address == file.address);
        let is_hidden = review.is_some_and(|review| review.pane.limit.is_some());
        if is_hidden && file.state == FileState::Open && file.left_to_see() > 0 {
            return format!(
                "too large to be looked at here: `bumpdesk plan show {}` prints it",
                file.address
            );
        }
        file.next_step()
    }

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

    /// The lines of the file under the cursor are here.
    pub(crate) fn has_lines(&self, planning: &Planning) -> bool {
        self.open_review(planning).is_some_and(|review| review.pane.has_lines())
    }

    /// The review of the file under the cursor.
    pub(crate) fn open_review(&self, planning: &Planning) -> Option<&Review> {
        self.review
            .as_ref()
            .filter(|review| self.file(planning).is_some_and(|file| file.address == review.address))
    }

    /// Takes one file of it as it is now. A plan that was never read stays unread.
    pub(crate) fn take_file(&mut self, planning: &mut Planning, file: PlannedFile) {
        if let Some(mut plan) = planning.plan.take() {
            let here = self.here_in(&plan);
            plan.put(file);
            self.renew(planning, plan, here);
        }
    }

    /// Takes the plan. The cursor stays on its file and change; what waits to be said stays said.
    pub(crate) fn take(&mut self, planning: &mut Planning, plan: Plan) {
        let here = planning.plan.as_ref().map(|known| self.here_in(known)).unwrap_or_default();
        self.renew(planning, plan, here);
    }

    /// The file and the change under the cursor.
    fn here_in(&self, plan: &Plan) -> (Option<Address>, Option<PieceId>) {
        let file = plan.files.get(self.at.file);
        let piece = file.and_then(|file| file.pieces.get(self.at.piece?));
        (file.map(|file| file.address.clone()), piece.map(|piece| piece.id.clone()))
    }

    fn renew(
        &mut self,
        planning: &mut Planning,
        plan: Plan,
        (address, piece): (Option<Address>, Option<PieceId>),
    ) {
        planning.take(plan);
        let files = planning.files();
        let file = address.and_then(|address| files.iter().position(|file| file.address == address));
        let at = file.unwrap_or(self.at.file).min(files.len().saturating_sub(1));
        let pieces = files.get(at).map_or(&[][..], |file| &file.pieces);
        let piece = piece.and_then(|id| pieces.iter().position(|piece| piece.id == id));
        self.at = At { file: at, piece };
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

    /// Begins to look at a file; false if that is under way.
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

    /// Takes the lines of the file that is looked at. Lines of a newer build than the plan's bring their file with them;
    /// those of an older one are left, and looking at the file has to begin again.
    pub(crate) fn fill(&mut self, planning: &mut Planning, opened: &PlanOpened) {
        if !self.is_reviewed(&opened.file.address) {
            return;
        }
        let known = planning.files().iter().find(|file| file.address == opened.file.address);
        if known.is_some_and(|known| !same_pieces(known, &opened.file)) {
            if known.is_some_and(|known| opened.file.built_at < known.built_at) {
                self.review = None;
                return;
            }
            let others = planning.files().iter().filter(|file| file.address != opened.file.address);
            let plan = Plan::new(others.chain([&opened.file]).cloned().collect());
            self.take(planning, plan);
        }
        let piece = self.at.piece;
        if let Some(review) = self.review.as_mut().filter(|review| review.address == opened.file.address) {
            review.fill(Arc::clone(&opened.lines), &opened.file);
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
