//! What Changes holds: the plan, the cursor in its tree, the file that is looked at, and what waits to be said.

use std::sync::Arc;

use crate::jobs::{Failure, PlanMark, PlanOpened};
use crate::registry::Address;
use crate::rules::plan::{Answer, FileState, Piece, PieceId, Plan, PlannedFile, Verb, Which};
use crate::tui::screens::changes::notes::LostNote;
use crate::tui::screens::changes::review::Review;

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

/// What waits to be said about the plan: one job at a time writes it.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    pub(crate) marks: Vec<PlanMark>,
    /// What is being said at this moment.
    pub(crate) sent: Vec<PlanMark>,
    pub(crate) drops: Vec<Address>,
    /// What the running build was asked for, for its last word.
    pub(crate) wanted: Vec<Address>,
    /// What is said once the marks that wait are kept, and once those are that are on their way.
    pub(crate) words: Option<String>,
    pub(crate) sent_words: Option<String>,
    /// A note that could not be kept, for the next time that its field is opened.
    pub(crate) lost_note: Option<LostNote>,
    /// Nothing can be kept: another console holds the state.
    pub(crate) unkept: bool,
}

/// The view's state.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// `None` until it was read.
    pub(crate) plan: Option<Plan>,
    pub(crate) failure: Option<Failure>,
    pub(crate) at: At,
    /// Lines of the tree that are scrolled away.
    pub(crate) top: usize,
    pub(crate) focus: Focus,
    pub(crate) review: Option<Review>,
    pub(crate) evidence_scroll: usize,
    pub(crate) desk: Desk,
}

/// Whether two builds of a file propose the same changes.
fn same_pieces(one: &PlannedFile, other: &PlannedFile) -> bool {
    one.pieces.iter().map(|piece| &piece.id).eq(other.pieces.iter().map(|piece| &piece.id))
}

/// Whether a mark only says that something was looked at.
pub(crate) fn only_sees(mark: &PlanMark) -> bool {
    mark.verb == Verb::See
}

impl Changes {
    pub(crate) fn files(&self) -> &[PlannedFile] {
        self.plan.as_ref().map_or(&[], |plan| &plan.files)
    }

    /// The file under the cursor.
    pub(crate) fn file(&self) -> Option<&PlannedFile> {
        self.files().get(self.at.file)
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
    pub(crate) fn piece(&self) -> Option<&Piece> {
        self.file()?.pieces.get(self.at.piece?)
    }

    /// Whether the plan has this change, as far as it is known.
    pub(crate) fn has_piece(&self, address: &Address, id: &PieceId) -> bool {
        let file = self.plan.as_ref().and_then(|plan| plan.find(address));
        file.is_some_and(|file| file.pieces.iter().any(|piece| piece.id == *id))
    }

    pub(crate) fn in_lines(&self) -> bool {
        self.focus == Focus::Lines
    }

    /// The lines of the file under the cursor are here.
    pub(crate) fn has_lines(&self) -> bool {
        self.open_review().is_some_and(|review| review.pane.has_lines())
    }

    /// The review of the file under the cursor.
    pub(crate) fn open_review(&self) -> Option<&Review> {
        self.review.as_ref().filter(|review| self.file().is_some_and(|file| file.address == review.address))
    }

    /// Takes the plan. The cursor stays on its file and change; what waits to be said stays said.
    pub(crate) fn take(&mut self, plan: Plan) {
        self.renew(|known| *known = Some(plan));
    }

    /// Takes one file of it as it is now. A plan that was never read stays unread.
    pub(crate) fn take_file(&mut self, file: PlannedFile) {
        if self.plan.is_some() {
            self.renew(|known| {
                if let Some(plan) = known {
                    plan.put(file);
                }
            });
        }
    }

    fn renew(&mut self, change: impl FnOnce(&mut Option<Plan>)) {
        let address = self.file().map(|file| file.address.clone());
        let piece = self.piece().map(|piece| piece.id.clone());
        change(&mut self.plan);
        self.failure = None;
        let marks = self.desk.marks.clone();
        for mark in &marks {
            self.show_as_said(mark);
        }
        let files = self.files();
        let file = address.and_then(|address| files.iter().position(|file| file.address == address));
        let at = file.unwrap_or(self.at.file).min(files.len().saturating_sub(1));
        let pieces = files.get(at).map_or(&[][..], |file| &file.pieces);
        let piece = piece.and_then(|id| pieces.iter().position(|piece| piece.id == id));
        self.at = At { file: at, piece };
        if self.files().is_empty() {
            self.focus = Focus::Files;
        }
        let stale = match (&self.review, self.file()) {
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
    pub(crate) fn fill(&mut self, opened: &PlanOpened) {
        if !self.is_reviewed(&opened.file.address) {
            return;
        }
        let known = self.files().iter().find(|file| file.address == opened.file.address);
        if known.is_some_and(|known| !same_pieces(known, &opened.file)) {
            if known.is_some_and(|known| opened.file.built_at < known.built_at) {
                self.review = None;
                return;
            }
            let others = self.files().iter().filter(|file| file.address != opened.file.address);
            self.take(Plan::new(others.chain([&opened.file]).cloned().collect()));
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

    /// Notes what is said about a change: shown at once, told to the plan when it can be.
    pub(crate) fn say(&mut self, mark: PlanMark) {
        self.show_as_said(&mark);
        self.desk.marks.push(mark);
    }

    fn show_as_said(&mut self, said: &PlanMark) {
        let Some(plan) = &mut self.plan else { return };
        let Some(file) = plan.files.iter_mut().find(|file| file.address == said.address) else { return };
        let Which::Piece(id) = &said.which else { return };
        let Some(piece) = file.pieces.iter_mut().find(|piece| piece.id == *id) else { return };
        match &said.verb {
            Verb::See => piece.mark.seen = true,
            Verb::Approve => piece.mark.answer = Answer::Approved,
            Verb::Reject => piece.mark.answer = Answer::Rejected,
            Verb::Reopen => piece.mark.answer = Answer::Open,
            Verb::Note(text) => piece.mark.note.clone_from(text),
        }
    }
}
