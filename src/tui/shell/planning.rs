//! Requests of the console about the plan, and the effects of their results.
//!
//! One job at a time writes the plan; what is said meanwhile waits for it. Nothing is said about a change but by a key that
//! means it, or after a yes where something is built anew or taken out.

use crate::desk::intent::{Cancel, Intent};
use crate::desk::planning::only_sees;
use crate::desk::telling::planned;
use crate::jobs::data::{Failure, FailureKind, Job, JobId, Outcome, PlanTask};
use crate::registry::Address;
use crate::rules::amount::counted;
use crate::rules::edit::{Edit, LONGEST_REASON};
use crate::tui::keymap::Command;
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::Effect;
use crate::tui::shell::work::start;
use crate::tui::shell::{requests, work};
use crate::tui::widgets::field::Field;
use crate::tui::widgets::line_card::LineCard;
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

/// Asks why the version that is meant is to be kept out.
pub(crate) fn ask_reason(model: &mut Model) {
    let of = model.seen().map(|view| view.versions_to_block(&model.desk)).unwrap_or_default();
    let named = match &of[..] {
        [] => return,
        [(address, versions)] => format!("{} of {address}", versions.join(", ")),
        many => {
            let versions = many.iter().map(|(_, versions)| versions.len()).sum::<usize>();
            format!("{} of {}", counted(versions, "version"), counted(many.len(), "entry"))
        }
    };
    let field = Field::of_at_most("", LONGEST_REASON);
    let card = LineCard::new(&planned::BLOCKING, format!("{named}. {}", planned::BLOCKING.about), field);
    model.popup = Some(Popup::Block(of, card));
}

/// Handles the commands of the field for that reason. A refused text stays in the field, so that it can be changed.
pub(crate) fn block(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some(Popup::Block(of, mut card)) = model.popup.take() else { return Vec::new() };
    match command {
        Command::Accept => {
            let edit = |(address, versions): &(Address, Vec<String>)| {
                Ok((address.clone(), Edit::blocking(versions.clone(), card.field.text())?))
            };
            match of.iter().map(edit).collect() {
                Ok(edits) => return work::act(model, Intent::Edit(edits)),
                Err(why) => card.error = Some(why),
            }
        }
        Command::ClearField => card.field.clear(),
        Command::DropWord => card.field.drop_word(),
        _ => return Vec::new(),
    }
    model.popup = Some(Popup::Block(of, card));
    Vec::new()
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
        Some(Popup::Leave) => model.desk.board.journalled().next().is_none(),
        Some(Popup::Ask(ask)) => ask.intent == Intent::Cancel(Cancel::This(id)),
        _ => false,
    };
    if is_over {
        model.popup = None;
    }
}
