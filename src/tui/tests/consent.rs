//! The changes that may be written, and when. Consent is a key that means the change, or a click on its hint,
//! on a screen that shows the subject; or the yes to a question that was on the screen. Every other write is
//! a fault. Only frames count as looks, and no change is approved without one.

use std::collections::BTreeSet;

use crate::desk::ability::Ability;
use crate::desk::form::FormSubject;
use crate::desk::history::again;
use crate::desk::intent::{EntrySelection, Intent, Question};
use crate::jobs::data::{Job, PlanMark, PlanTask, Writes};
use crate::registry::Address;
use crate::rules::plan::{PieceId, Verb, Which};
use crate::tui::base::layout;
use crate::tui::base::layout::Class;
use crate::tui::keymap::mouse::Mouse;
use crate::tui::keymap::{Command, Context, Meaning, ViewId};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::{availability, footer};
use crate::tui::tests::screen;

/// A change that is written, or waits to be written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Written {
    /// An answer or a note about a change of the plan; a look is not one.
    Says(Address),
    Drops(Address),
    Adds(Vec<Address>),
    Rebuilds,
    /// Files of the registry, or a write that this module does not know.
    Other(String),
}

/// The state before a message.
pub(super) struct Before {
    waiting: Vec<Written>,
    intended: Vec<Written>,
    /// Changes that count as looked at; below it true if the message is a drawn frame.
    seen: BTreeSet<PieceId>,
    /// Changes that were under the cursor of Changes after a key or a click.
    reached: BTreeSet<PieceId>,
    is_frame: bool,
    /// The keys and the context, for the report.
    what: String,
}

impl Before {
    pub(super) fn of(model: &Model, msg: &Msg, reached: &BTreeSet<PieceId>) -> Self {
        let what = format!("{msg:?} in {:?}", model.context());
        let is_frame = matches!(msg, Msg::Drawn);
        Self {
            waiting: waiting(model),
            intended: intended(model, msg),
            seen: seen(model),
            reached: reached.clone(),
            is_frame,
            what,
        }
    }

    /// Returns the fault of a mark on a change that was not looked at before.
    fn unseen(&self, mark: &PlanMark) -> Option<String> {
        let Which::Piece(id) = &mark.which else { return None };
        if self.seen.contains(id) {
            return None;
        }
        match mark.verb {
            Verb::See if !self.is_frame => Some(format!("{} looks at {id:?} without a frame", self.what)),
            Verb::See if !self.reached.contains(id) => {
                Some(format!("{} looks at {id:?}, which no hand led to", self.what))
            }
            Verb::Approve => Some(format!("{} approves {id:?} unseen", self.what)),
            _ => None,
        }
    }

    /// Returns the fault of a write without consent.
    pub(super) fn fault(mut self, model: &Model, effects: &[Effect]) -> Option<String> {
        let sent = effects.iter().filter_map(|effect| match effect {
            Effect::Start(_, Job::Plan(PlanTask::Mark(marks))) => Some(marks),
            _ => None,
        });
        let mut marks = model.desk.planning.pending.marks.iter().chain(sent.flatten());
        if let Some(fault) = marks.find_map(|mark| self.unseen(mark)) {
            return Some(fault);
        }
        let started = effects.iter().flat_map(written);
        for new in waiting(model).into_iter().chain(started) {
            if let Some(at) = self.waiting.iter().position(|old| *old == new) {
                self.waiting.swap_remove(at);
            } else if !self.intended.contains(&new) {
                return Some(format!("{} writes {new:?}; what was meant: {:?}", self.what, self.intended));
            }
        }
        None
    }
}

fn says(marks: &[PlanMark]) -> impl Iterator<Item = Written> {
    marks.iter().filter(|mark| mark.verb != Verb::See).map(|mark| Written::Says(mark.address.clone()))
}

/// The decisions that wait until the plan is free.
fn waiting(model: &Model) -> Vec<Written> {
    let desk = &model.desk.planning.pending;
    says(&desk.marks).chain(desk.drops.iter().cloned().map(Written::Drops)).collect()
}

/// Changes that count as looked at, on the console or among the decisions that wait.
fn seen(model: &Model) -> BTreeSet<PieceId> {
    let planning = &model.desk.planning;
    let pieces = planning.files().iter().flat_map(|file| &file.pieces).filter(|piece| piece.mark.seen);
    let waiting = planning.pending.marks.iter().chain(&planning.pending.sent);
    let waiting = waiting.filter(|mark| mark.verb == Verb::See);
    let ids = waiting.filter_map(|mark| match &mark.which {
        Which::Piece(id) => Some(id.clone()),
        Which::Whole | Which::Version(_) => None,
    });
    pieces.map(|piece| piece.id.clone()).chain(ids).collect()
}

/// The writes of an effect.
fn written(effect: &Effect) -> Vec<Written> {
    let Effect::Start(_, job) = effect else { return Vec::new() };
    if job.writes() <= Writes::Memory {
        return Vec::new();
    }
    match job {
        // `sends` checks these jobs, because more than a key is needed for them.
        Job::Send(_) => Vec::new(),
        Job::Plan(PlanTask::Mark(marks)) => says(marks).collect(),
        Job::Plan(PlanTask::Drop(addresses)) => addresses.iter().cloned().map(Written::Drops).collect(),
        Job::Plan(PlanTask::Add(add)) => vec![Written::Adds(add.addresses())],
        Job::Plan(PlanTask::Rebuild { .. }) => vec![Written::Rebuilds],
        other => vec![Written::Other(format!("{other:?}"))],
    }
}

/// The writes that a message consents to. Only keys and hints count, and only in a window with room for their
/// subject.
fn intended(model: &Model, msg: &Msg) -> Vec<Written> {
    if model.size.class() == Class::Tiny {
        return Vec::new();
    }
    if let Msg::Mouse(Mouse::Click(column, row)) = msg
        && layout::frame(model.size).hints.contains((*column, *row).into())
    {
        let hints = footer::hints_that_fit(model);
        let hint = hints.iter().find(|hint| hint.cells.contains(&usize::from(*column)));
        return hint
            .map(|hint| by_command(model, model.context(), hint.bound.place.command))
            .unwrap_or_default();
    }
    let Msg::Key(chord) = msg else { return Vec::new() };
    let mut pressed = model.keys.pending.clone();
    pressed.push(*chord);
    match model.keys.bindings.lookup(
        &|command| availability::check(model, command),
        model.context(),
        &pressed,
    ) {
        Meaning::Does(command) => by_command(model, model.context(), command),
        _ => Vec::new(),
    }
}

fn by_command(model: &Model, context: Context, command: Command) -> Vec<Written> {
    match (context, command, &model.popup) {
        // The palette showed the name of the action.
        (Context::Palette, Command::Accept, _) => {
            let view = model.view_context();
            [Ability::Approve, Ability::Add, Ability::ClearErrors]
                .into_iter()
                .flat_map(|each| by_command(model, view, Command::Do(each)))
                .collect()
        }
        (
            Context::View(ViewId::Changes),
            Command::Do(Ability::Approve | Ability::Reject | Ability::Reopen),
            _,
        ) => model.subject().cloned().map(Written::Says).into_iter().collect(),
        (Context::Form, Command::Accept, Some(Popup::Form(card))) => formed(model, &card.form.subject),
        (Context::Ask, Command::Accept, Some(Popup::Ask(ask))) if was_seen(model, ask) => agreed(model, ask),
        (Context::View(ViewId::Inventory | ViewId::Entry | ViewId::Diff), Command::Do(Ability::Add), _) => {
            let marked = if context == Context::View(ViewId::Inventory) {
                model.desk.list.marked()
            } else {
                Vec::new()
            };
            let subject = || model.subject().cloned().into_iter().collect();
            let wanted: Vec<Address> = if marked.is_empty() { subject() } else { marked };
            let plan = model.desk.planning.plan.as_ref();
            let is_planned = wanted.iter().any(|one| plan.is_some_and(|plan| plan.find(one).is_some()));
            // A visible row and a key that means it are consent to an addition that `-` can remove. Several
            // rows need a confirmation first, and so does a build in place of an earlier one, since its
            // decisions may be lost.
            if wanted.len() == 1 && !is_planned { vec![Written::Adds(wanted)] } else { Vec::new() }
        }
        (
            Context::View(ViewId::Inventory | ViewId::Entry | ViewId::Diff),
            Command::Do(Ability::ClearErrors),
            _,
        ) => {
            let plan = model.desk.planning.plan.as_ref();
            let subject = model.subject().filter(|one| plan.is_none_or(|plan| plan.find(one).is_none()));
            subject.map(|one| Written::Adds(vec![one.clone()])).into_iter().collect()
        }
        // Runs an earlier job again.
        (Context::View(ViewId::Jobs), Command::Do(Ability::RunAgain), _) => {
            match model.views.jobs.selected(&model.desk).map(|row| again(&row, &model.desk.list)) {
                Some(Ok(Job::Plan(PlanTask::Add(add)))) => vec![Written::Adds(add.addresses())],
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// The writes of a form that is accepted.
fn formed(model: &Model, subject: &FormSubject) -> Vec<Written> {
    match subject {
        FormSubject::Note { address, .. } => vec![Written::Says(address.clone())],
        FormSubject::Block(of) => {
            let plan = model.desk.planning.plan.as_ref();
            match &of[..] {
                [(one, _)] if plan.is_none_or(|plan| plan.find(one).is_none()) => {
                    vec![Written::Adds(vec![one.clone()])]
                }
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// Returns true if the question is on the screen: its title, its subject, and the word for yes.
fn was_seen(model: &Model, ask: &Question) -> bool {
    let screen = screen(model);
    let first = ask.says.first().and_then(|says| says.split(' ').next()).unwrap_or_default();
    // Nothing hostile reaches a cell.
    let about: String = first.chars().take(12).take_while(|c| !c.is_control()).collect();
    [ask.title, ask.yes, &about].iter().all(|part| screen.contains(part))
}

fn agreed(model: &Model, ask: &Question) -> Vec<Written> {
    match &ask.intent {
        Intent::Add { selection: EntrySelection::Marked, .. } => {
            vec![Written::Adds(model.desk.list.marked())]
        }
        Intent::Add { selection: EntrySelection::These(addresses), .. } => {
            vec![Written::Adds(addresses.clone())]
        }
        Intent::Edit(edits) => {
            vec![Written::Adds(edits.iter().map(|(address, _)| address.clone()).collect())]
        }
        Intent::Drop(addresses) => addresses.iter().cloned().map(Written::Drops).collect(),
        Intent::Rebuild { .. } if model.desk.board.building().is_none() => vec![Written::Rebuilds],
        Intent::RunAgain(key) if model.desk.board.building().is_none() => {
            let rows = model.desk.job_rows();
            let row = rows.iter().find(|row| row.key == *key);
            match row.map(|row| again(row, &model.desk.list)) {
                Some(Ok(Job::Plan(PlanTask::Add(add)))) => vec![Written::Adds(add.addresses())],
                Some(Ok(Job::Plan(PlanTask::Rebuild { .. }))) => vec![Written::Rebuilds],
                _ => Vec::new(),
            }
        }
        // A verification only reads.
        _ => Vec::new(),
    }
}
