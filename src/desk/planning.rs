//! The known plan, and the decisions that wait to be written: one job at a time writes the plan.

use std::cmp::{Ordering, Reverse};

use crate::desk::board::Board;
use crate::desk::table::{TableOrder, TableSort};
use crate::desk::telling::planned;
use crate::jobs::data::{Failure, PlanMark, PlanTask};
use crate::registry::Address;
use crate::rules::plan::{Answer, FileState, PieceId, Plan, PlannedFile, Verb, Which};
use crate::settings::words;

words! {
    /// The orders of the files of a plan.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub(crate) enum PlanSort: [ALL, label] {
        #[default]
        Path = "path",
        State = "state, held ones first",
        Changes = "most changes",
    }
}

/// Decisions that are not written into the plan yet.
#[derive(Debug, Default)]
pub(crate) struct PendingMarks {
    pub(crate) marks: Vec<PlanMark>,
    /// The marks that a job is writing.
    pub(crate) sent: Vec<PlanMark>,
    pub(crate) drops: Vec<Address>,
    /// The entries of the running build, for the message at its end.
    pub(crate) wanted: Vec<Address>,
    /// The message for when the waiting marks are kept; below it the message for the marks that a job is
    /// writing.
    pub(crate) words: Option<String>,
    pub(crate) sent_words: Option<String>,
    /// True if nothing can be kept, because another console holds the state.
    pub(crate) unkept: bool,
}

/// The plan with all decisions, including those that are not kept yet.
#[derive(Debug, Default)]
pub(crate) struct Planning {
    /// `None` until the plan was read.
    pub(crate) plan: Option<Plan>,
    /// The files that are shown. They keep their places until the choice changes, or the number of files.
    order: TableOrder<PlanSort>,
    pub(crate) failure: Option<Failure>,
    pub(crate) pending: PendingMarks,
}

impl Planning {
    pub(crate) fn files(&self) -> &[PlannedFile] {
        self.plan.as_ref().map_or(&[], |plan| &plan.files)
    }

    /// The files that are shown, in their order, by their indexes.
    pub(crate) fn shown(&self) -> &[usize] {
        self.order.shown()
    }

    pub(crate) fn sort(&self) -> TableSort<PlanSort> {
        self.order.sort
    }

    /// Chooses an order; the present one is reversed.
    pub(crate) fn sort_by(&mut self, sort: PlanSort) {
        self.order.sort.choose(sort);
        self.arrange();
    }

    /// Shows only the files that have these words.
    pub(crate) fn filter(&mut self, words: &str) {
        words.clone_into(&mut self.order.filter);
        self.arrange();
    }

    fn arrange(&mut self) {
        let files = self.plan.as_ref().map_or(&[][..], |plan| &plan.files);
        let compare = |sort, a: usize, b: usize| compare(sort, &files[a], &files[b]);
        self.order.arrange(0..files.len(), compare, |at| planned::words(&files[at]));
    }

    pub(crate) fn find(&self, address: &Address) -> Option<&PlannedFile> {
        self.plan.as_ref()?.find(address)
    }

    /// Returns true if the known plan has this change.
    pub(crate) fn has_piece(&self, address: &Address, id: &PieceId) -> bool {
        self.find(address).is_some_and(|file| file.pieces.iter().any(|piece| piece.id == *id))
    }

    /// Takes the plan that was read. Waiting marks stay applied to it.
    pub(crate) fn take(&mut self, plan: Plan) {
        self.plan = Some(plan);
        self.failure = None;
        let marks = std::mem::take(&mut self.pending.marks);
        for mark in &marks {
            self.show_mark(mark);
        }
        self.pending.marks = marks;
        // An answer changes the state of a file, and moves it nowhere.
        if self.order.count() != self.files().len() {
            self.arrange();
        }
    }

    /// Takes the current version of one file. A plan that was never read stays unread.
    pub(crate) fn take_file(&mut self, file: PlannedFile) {
        if let Some(mut plan) = self.plan.take() {
            plan.put(file);
            self.take(plan);
        }
    }

    /// Takes an opened file, if it was built again since the plan was read. Returns true if the plan has a
    /// newer build.
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

    /// Records a decision about a change. It shows at once, and is written when the plan is free.
    pub(crate) fn say(&mut self, mark: PlanMark) {
        self.show_mark(&mark);
        self.pending.marks.push(mark);
    }

    fn show_mark(&mut self, mark: &PlanMark) {
        let Some(plan) = &mut self.plan else { return };
        let Some(file) = plan.files.iter_mut().find(|file| file.address == mark.address) else { return };
        let Which::Piece(id) = &mark.which else { return };
        let Some(piece) = file.pieces.iter_mut().find(|piece| piece.id == *id) else { return };
        match &mark.verb {
            Verb::See => piece.mark.seen = true,
            Verb::Approve => piece.mark.answer = Answer::Approved,
            Verb::Reject => piece.mark.answer = Answer::Rejected,
            Verb::Reopen => piece.mark.answer = Answer::Open,
            Verb::Note(text) => piece.mark.note.clone_from(text),
        }
    }

    /// The next decisions to write, unless another job writes the plan.
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

    /// All tasks that still wait, for the end of the program, even while another job writes the plan. Marks
    /// that a job is writing are written again first, so that an approval never overtakes the look that it
    /// needs. Writing them twice changes nothing.
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

    /// Gives up marks that only record a look, because they cannot be kept.
    pub(crate) fn give_up_looks(&mut self) {
        self.pending.unkept = true;
        self.drop_looks();
    }

    /// Drops marks that only record a look, if they cannot be kept.
    pub(crate) fn drop_looks(&mut self) {
        if self.pending.unkept {
            self.pending.marks.retain(|mark| !only_sees(mark));
        }
    }
}

/// Returns true if the mark only records a look.
pub(crate) fn only_sees(mark: &PlanMark) -> bool {
    mark.verb == Verb::See
}

/// The message for a failed save: `not saved: another bumpdesk holds the state. Close the other bumpdesk.`
pub(crate) fn unsaved(failure: &Failure) -> String {
    let hint = failure.hint.as_ref().map(|hint| format!(". {hint}")).unwrap_or_default();
    format!("not saved: {}{hint}", failure.causes.join(": "))
}

fn compare(sort: PlanSort, a: &PlannedFile, b: &PlannedFile) -> Ordering {
    let rank = |file: &PlannedFile| match file.state {
        FileState::Held(_) => 0,
        FileState::Open => 1,
        FileState::Approved => 2,
        FileState::Nothing(_) => 3,
    };
    match sort {
        PlanSort::Path => Ordering::Equal,
        PlanSort::State => rank(a).cmp(&rank(b)),
        PlanSort::Changes => Reverse(a.pieces.len()).cmp(&Reverse(b.pieces.len())),
    }
}
