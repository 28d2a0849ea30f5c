//! Requests of the console about the plan, and the effects of their results.
//!
//! One job at a time writes the plan; what is said meanwhile waits for it. Nothing is said about a change but by a key that
//! means it, or after a yes where something is built anew or taken out.

use crate::desk::intent::{Cancel, Intent};
use crate::desk::planning::only_sees;
use crate::jobs::data::{Failure, FailureKind, Job, JobId, Outcome, PlanTask};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::Effect;
use crate::tui::shell::requests;
use crate::tui::shell::work::start;
use crate::tui::widgets::message::Tone;

fn ask(model: &mut Model, task: PlanTask) -> Vec<Effect> {
    vec![start(model, Job::Plan(task))]
}

/// Reads the plan, unless that is under way.
pub(crate) fn read(model: &mut Model) -> Vec<Effect> {
    if !model.is_loaded() || model.desk.board.running(|job| *job == Job::Plan(PlanTask::Show)).is_some() {
        return Vec::new();
    }
    ask(model, PlanTask::Show)
}

/// The view that is seen follows what happened, and what waits to be said is said.
pub(crate) fn follow(model: &mut Model) -> Vec<Effect> {
    let mut effects = requests::with_view(model, |view, context| view.follow(context));
    effects.extend(flush(model));
    effects
}

/// Marks the changes on the screen as looked at. Only a drawn frame counts: keys that come faster than frames pass over
/// lines that were never shown.
pub(crate) fn look(model: &mut Model) -> Vec<Effect> {
    if model.popup.is_some() || !model.is_loaded() {
        return Vec::new();
    }
    let mut is_new = false;
    let mut effects = requests::with_view(model, |view, context| is_new = view.look(context));
    if is_new {
        effects.extend(flush(model));
        effects.push(Effect::Frame);
    }
    effects
}

/// Says what waits to be said about the plan, if nobody else writes it at this moment.
pub(crate) fn flush(model: &mut Model) -> Vec<Effect> {
    let next = model.desk.say_next(model.now);
    next.map(|(id, job)| Effect::Start(id, job)).into_iter().collect()
}

/// Says what still waits: nothing comes after it.
pub(crate) fn leave(model: &mut Model) -> Vec<Effect> {
    let tasks = model.desk.planning.last_tasks();
    tasks.into_iter().flat_map(|task| ask(model, task)).collect()
}

/// Takes the end of a job of the plan.
pub(crate) fn end(model: &mut Model, task: &PlanTask, outcome: Outcome) -> Vec<Effect> {
    match (task, outcome) {
        // Changes reports it.
        (PlanTask::Add(_) | PlanTask::Rebuild { .. }, _) => {}
        (task, Outcome::Failed(failure)) => return fail(model, task, failure),
        _ => {}
    }
    flush(model)
}

fn fail(model: &mut Model, task: &PlanTask, failure: Failure) -> Vec<Effect> {
    match task {
        PlanTask::Show => {
            model.desk.planning.failure = Some(failure);
            return Vec::new();
        }
        // Changes shows it in place of the lines.
        PlanTask::Open(_) => return Vec::new(),
        PlanTask::Mark(marks) if failure.kind == FailureKind::Conflict && marks.iter().all(only_sees) => {
            let why = failure.causes.join("; ");
            model.desk.planning.give_up_looks();
            model.say(Tone::Warning, format!("what you look at is not kept: {why}"));
        }
        _ => model.fail(&failure),
    }
    // What was shown as said was not. What was said since is another batch, and waits for its turn.
    read(model)
}

/// Closes a question whose job is over.
pub(crate) fn close_question(model: &mut Model, id: JobId) {
    let is_over = match &model.popup {
        Some(Popup::Leave) => model.desk.leaving().is_empty(),
        Some(Popup::Ask(ask)) => ask.intent == Intent::Cancel(Cancel::This(id)),
        _ => false,
    };
    if is_over {
        model.popup = None;
    }
}
