//! The plan as it is known, and what waits to be said about it: one job at a time writes the plan.

use crate::desk::board::Board;
use crate::jobs::data::{Failure, PlanMark, PlanTask};
use crate::registry::Address;
use crate::rules::plan::{Answer, PieceId, Plan, PlannedFile, Verb, Which};

/// What waits to be said about the plan.
#[derive(Debug, Default)]
pub(crate) struct PendingMarks {
    pub(crate) marks: Vec<PlanMark>,
    /// What is being said at this moment.
    pub(crate) sent: Vec<PlanMark>,
    pub(crate) drops: Vec<Address>,
    /// What the running build was asked for, for its last word.
    pub(crate) wanted: Vec<Address>,
    /// What is said once the marks that wait are kept, and once those are that are on their way.
    pub(crate) words: Option<String>,
    pub(crate) sent_words: Option<String>,
    /// Nothing can be kept: another console holds the state.
    pub(crate) unkept: bool,
}

/// The plan, with what was said about it whether that is kept already or not.
#[derive(Debug, Default)]
pub(crate) struct Planning {
    /// `None` until it was read.
    pub(crate) plan: Option<Plan>,
    pub(crate) failure: Option<Failure>,
    pub(crate) pending: PendingMarks,
}

impl Planning {
    pub(crate) fn files(&self) -> &[PlannedFile] {
        self.plan.as_ref().map_or(&[], |plan| &plan.files)
    }

    pub(crate) fn find(&self, address: &Address) -> Option<&PlannedFile> {
        self.plan.as_ref()?.find(address)
    }

    /// Whether the plan has this change, as far as it is known.
    pub(crate) fn has_piece(&self, address: &Address, id: &PieceId) -> bool {
        self.find(address).is_some_and(|file| file.pieces.iter().any(|piece| piece.id == *id))
    }

    /// Takes the plan as it was read. What waits to be said stays said.
    pub(crate) fn take(&mut self, plan: Plan) {
        self.plan = Some(plan);
        self.failure = None;
        let marks = std::mem::take(&mut self.pending.marks);
        for mark in &marks {
            self.show_as_said(mark);
        }
        self.pending.marks = marks;
    }

    /// Takes one file of it as it is now. A plan that was never read stays unread.
    pub(crate) fn take_file(&mut self, file: PlannedFile) {
        if let Some(mut plan) = self.plan.take() {
            plan.put(file);
            self.take(plan);
        }
    }

    /// Takes a file that was opened, if it was built anew since the plan was read. Whether the plan knows a newer build of it.
    pub(crate) fn take_opened(&mut self, file: &PlannedFile) -> bool {
        let ids = |file: &PlannedFile| -> Vec<PieceId> {
            file.pieces.iter().map(|piece| piece.id.clone()).collect()
        };
        match self.find(&file.address) {
            Some(known) if ids(known) == ids(file) => false,
            Some(known) if file.built_at < known.built_at => true,
            Some(_) => {
                self.take_file(file.clone());
                false
            }
            None => false,
        }
    }

    /// Notes what is said about a change: shown at once, told to the plan when it can be.
    pub(crate) fn say(&mut self, mark: PlanMark) {
        self.show_as_said(&mark);
        self.pending.marks.push(mark);
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

    /// What is to be said next, if nobody else writes the plan at this moment.
    pub(crate) fn next_task(&mut self, board: &Board) -> Option<PlanTask> {
        if board.building().is_some() || board.marking().is_some() {
            return None;
        }
        let PendingMarks { marks, sent, drops, words, sent_words, .. } = &mut self.pending;
        if !marks.is_empty() {
            *sent = std::mem::take(marks);
            *sent_words = words.take();
            return Some(PlanTask::Mark(sent.clone()));
        }
        (!drops.is_empty()).then(|| PlanTask::Drop(std::mem::take(drops)))
    }

    /// All that still waits, whoever writes the plan at this moment: nothing comes after it. What is on its way is said again
    /// before it, so that an approval never overtakes the look that it needs; saying it twice changes nothing.
    pub(crate) fn last_tasks(&mut self) -> Vec<PlanTask> {
        let PendingMarks { marks, sent, drops, .. } = &mut self.pending;
        let (late, drops) = (std::mem::take(marks), std::mem::take(drops));
        let mut words = std::mem::take(sent);
        words.extend(late.iter().cloned());
        words.retain(|mark| !drops.contains(&mark.address));
        let mut tasks = Vec::new();
        if !late.is_empty() && !words.is_empty() {
            tasks.push(PlanTask::Mark(words));
        }
        if !drops.is_empty() {
            tasks.push(PlanTask::Drop(drops));
        }
        tasks
    }

    /// Only what was looked at is not kept, and will not be: nothing waits for it any more.
    pub(crate) fn give_up_looks(&mut self) {
        self.pending.unkept = true;
        self.drop_looks();
    }

    /// Looks are not said where they cannot be kept.
    pub(crate) fn drop_looks(&mut self) {
        if self.pending.unkept {
            self.pending.marks.retain(|mark| !only_sees(mark));
        }
    }
}

/// Whether a mark only says that something was looked at.
pub(crate) fn only_sees(mark: &PlanMark) -> bool {
    mark.verb == Verb::See
}

/// `not saved: another bumpdesk holds the state. Close the other bumpdesk.`
pub(crate) fn unsaved(failure: &Failure) -> String {
    let hint = failure.hint.as_ref().map(|hint| format!(". {hint}")).unwrap_or_default();
    format!("not saved: {}{hint}", failure.causes.join(": "))
}
