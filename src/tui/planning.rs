//! What the console asks of the plan, and what the answers change.
//!
//! One job at a time writes the plan; what is said meanwhile waits for it. Nothing is said about a change but by a key that
//! means it, or after a yes where something is built anew or taken out.

use std::sync::Arc;

use crate::desk::MAX_AGE;
use crate::desk::planning::only_sees;
use crate::jobs::{
    Failure, FailureKind, Job, JobId, Outcome, PlanAdd, PlanMark, PlanOpened, PlanTask, Summary,
};
use crate::registry::Address;
use crate::rules::Mode;
use crate::rules::amount::{counted, grouped};
use crate::rules::plan::{Plan, PlannedFile, Which};
use crate::tui::keymap::{Command, Context};
use crate::tui::model::{Model, Popup, Screen, Tone};
use crate::tui::msg::Effect;
use crate::tui::screens::changes;
use crate::tui::verifying;
use crate::tui::widgets::ask::{Ask, Then};
use crate::tui::work::start;

fn ask(model: &mut Model, task: PlanTask) -> Vec<Effect> {
    vec![start(model, Job::Plan(task))]
}

/// Reads the plan, unless that is under way.
pub(super) fn read(model: &mut Model) -> Vec<Effect> {
    if !model.is_loaded() || model.board.running(|job| *job == Job::Plan(PlanTask::Show)).is_some() {
        return Vec::new();
    }
    ask(model, PlanTask::Show)
}

/// The view is seen: the plan is read if it is not known, and the file under the cursor opened.
pub(super) fn enter(model: &mut Model) -> Vec<Effect> {
    let mut effects = if model.views.changes.planned.plan.is_none() { read(model) } else { open_file(model) };
    changes::settle(model);
    effects.extend(flush(model));
    effects
}

/// Opens the lines of the file under the cursor; what was on its way for another file is forgotten.
pub(super) fn open_file(model: &mut Model) -> Vec<Effect> {
    let Some(address) = model.views.changes.file().map(|file| file.address.clone()) else {
        model.views.changes.review = None;
        return Vec::new();
    };
    if !model.views.changes.begin_review(&address) {
        return Vec::new();
    }
    let before = model.board.running(|job| matches!(job, Job::Plan(PlanTask::Open(_)))).map(|job| job.id);
    let mut effects = Vec::new();
    if let Some(id) = before {
        model.board.end(id);
        effects.push(Effect::Cancel(id));
    }
    effects.extend(ask(model, PlanTask::Open(address)));
    effects
}

/// Adds what is meant to the plan: the marked rows of the Inventory, or the entry that is seen.
pub(super) fn add(model: &mut Model) -> Vec<Effect> {
    let mut marked = Vec::new();
    if model.screen == Screen::Inventory {
        model.inventory.take_range();
        marked = model.inventory.list.marked();
    }
    let hidden = if marked.is_empty() { 0 } else { model.inventory.hidden_marks() };
    let wanted = if marked.is_empty() { model.subject().cloned().into_iter().collect() } else { marked };
    // One row that is seen, and a key that means it, is consent to what can be taken out again. A build in place of an
    // earlier one cannot: what was said about changes that are another now is forgotten.
    let is_planned = wanted.iter().any(|address| model.views.changes.planned.find(address).is_some());
    if wanted.len() > 1 || hidden > 0 {
        ask_to_add(model, wanted, hidden);
        return Vec::new();
    }
    match &wanted[..] {
        [one] if is_planned => {
            changes::ask_to_build_again(model, one.clone());
            Vec::new()
        }
        _ => add_these(model, wanted),
    }
}

/// Asks before more is built than the row under the cursor.
fn ask_to_add(model: &mut Model, addresses: Vec<Address>, hidden: usize) {
    let count = counted(addresses.len(), "marked entry");
    let mut says =
        vec![format!("{count}: upstream is read and a file built for each. No data file is written.")];
    if hidden > 0 {
        says.push(format!("{} of them hidden by the filter or a folded group.", grouped(hidden)));
    }
    let ask = Ask { title: "Add to the plan?".into(), says, yes: "add", then: Then::Add(addresses) };
    model.popup = Some(Popup::Ask(ask));
}

pub(super) fn add_these(model: &mut Model, addresses: Vec<Address>) -> Vec<Effect> {
    let what = match &addresses[..] {
        [one] => one.to_string(),
        many => counted(many.len(), "entry"),
    };
    model.reply(format!("adding {what} to the plan: reading upstream and building, no data file is written"));
    build(model, addresses, Mode::Add)
}

fn build(model: &mut Model, addresses: Vec<Address>, mode: Mode) -> Vec<Effect> {
    if addresses.is_empty() || model.board.building().is_some() {
        return Vec::new();
    }
    model.views.changes.planned.pending.wanted.clone_from(&addresses);
    let add = PlanAdd { addresses, mode, max_age: MAX_AGE };
    vec![start(model, Job::Plan(PlanTask::Add(add)))]
}

/// Does what was asked about.
pub(super) fn confirmed(model: &mut Model, then: Then) -> Vec<Effect> {
    match then {
        Then::Drop(addresses) => {
            model.views.changes.planned.pending.drops.extend(addresses);
            flush(model)
        }
        Then::Add(addresses) => add_these(model, addresses),
        Then::BuildAgain(address) => {
            let mode = model.views.changes.planned.find(&address);
            let mode = mode.map_or(Mode::Add, |file| file.mode.clone());
            model.reply(format!("building {address} again"));
            build(model, vec![address], mode)
        }
        Then::BuildAll if model.board.building().is_none() => {
            model.reply("building the whole plan again");
            model.views.changes.planned.pending.wanted.clear();
            vec![start(model, Job::Plan(PlanTask::Rebuild { max_age: MAX_AGE }))]
        }
        Then::BuildAll => Vec::new(),
        Then::Cancel(id) => stop(model, id),
        Then::Verify(plan, what) => verifying::begin(model, plan, what),
    }
}

/// Asks a job to stop.
pub(super) fn stop(model: &mut Model, id: JobId) -> Vec<Effect> {
    let Some(job) = model.board.find(id).filter(|job| !job.cancelling) else { return Vec::new() };
    job.cancelling = true;
    model.reply("stopping the job; what it found is kept");
    vec![Effect::Cancel(id)]
}

/// The lines follow the cursor, and what waits to be said is said.
pub(super) fn follow(model: &mut Model) -> Vec<Effect> {
    let is_seen = model.screen == Screen::Changes && model.views.changes.planned.plan.is_some();
    let mut effects = if is_seen { open_file(model) } else { Vec::new() };
    effects.extend(flush(model));
    effects
}

/// What stands on the screen counts as looked at. Only a frame says what does: keys that come faster than frames pass
/// over lines that nobody saw.
pub(super) fn look(model: &mut Model) -> Vec<Effect> {
    if model.screen != Screen::Changes || model.popup.is_some() || !changes::look(model) {
        return Vec::new();
    }
    let mut effects = flush(model);
    effects.push(Effect::Frame);
    effects
}

/// Says what waits to be said about the plan, if nobody else writes it at this moment.
pub(super) fn flush(model: &mut Model) -> Vec<Effect> {
    let task = model.views.changes.planned.next_task(&model.board);
    task.map(|task| ask(model, task)).unwrap_or_default()
}

/// Says what still waits: nothing comes after it.
pub(super) fn leave(model: &mut Model) -> Vec<Effect> {
    let tasks = model.views.changes.planned.last_tasks();
    tasks.into_iter().flat_map(|task| ask(model, task)).collect()
}

/// Takes the plan as it is now.
pub(super) fn take_plan(model: &mut Model, plan: Arc<Plan>) -> Vec<Effect> {
    model.views.changes.take(Arc::unwrap_or_clone(plan));
    changes::settle(model);
    if model.screen == Screen::Changes { open_file(model) } else { Vec::new() }
}

/// Takes one file of the plan as it is now.
pub(super) fn take_file(model: &mut Model, file: &Arc<PlannedFile>) -> Vec<Effect> {
    model.views.changes.take_file(PlannedFile::clone(file));
    changes::settle(model);
    if model.screen == Screen::Changes { open_file(model) } else { Vec::new() }
}

pub(super) fn take_opened(model: &mut Model, opened: &PlanOpened) {
    model.views.changes.fill(opened);
    changes::settle(model);
}

/// Takes the end of a job of the plan.
pub(super) fn end(model: &mut Model, task: &PlanTask, outcome: Outcome) -> Vec<Effect> {
    match (task, outcome) {
        (PlanTask::Add(_) | PlanTask::Rebuild { .. }, outcome) => end_build(model, outcome),
        (PlanTask::Mark(_), outcome) => {
            end_marks(model, &outcome);
            if let Outcome::Failed(failure) = outcome {
                return fail(model, task, failure);
            }
        }
        (task, Outcome::Failed(failure)) => return fail(model, task, failure),
        (PlanTask::Drop(_), _) => model.reply("taken out of the plan"),
        (PlanTask::Show | PlanTask::Open(_), _) => {}
    }
    flush(model)
}

/// Says of what was said about changes that it is kept now. Where some of it was about what is gone, the job said so.
fn end_marks(model: &mut Model, outcome: &Outcome) {
    let pending = &mut model.views.changes.planned.pending;
    let (sent, words) = (std::mem::take(&mut pending.sent), pending.sent_words.take());
    let failure = match outcome {
        Outcome::Failed(failure) => Some(failure),
        Outcome::Done(_) | Outcome::Cancelled(_) => None,
    };
    let is_there = |mark: &PlanMark| match &mark.which {
        Which::Piece(id) => model.views.changes.planned.has_piece(&mark.address, id),
        Which::Whole | Which::Version(_) => true,
    };
    if let Some(words) = words.filter(|_| failure.is_none() && sent.iter().all(is_there)) {
        model.reply(words);
    }
    changes::notes_answered(model, &sent, failure);
}

fn end_build(model: &mut Model, outcome: Outcome) {
    let wanted = std::mem::take(&mut model.views.changes.planned.pending.wanted);
    match outcome {
        Outcome::Failed(failure) => say_failure(model, &failure),
        Outcome::Cancelled(summary) => {
            model.say(Tone::Warning, format!("building stopped; {} done", files(summary.applied)));
        }
        Outcome::Done(summary) => {
            let text = built(model, &wanted, &summary);
            let tone = if summary.failed > 0 { Tone::Warning } else { Tone::Notice };
            model.say(tone, text);
        }
    }
}

fn files(count: u64) -> String {
    counted(count, "file")
}

/// `auth0/auth0 is in the plan: ADDITIVE, 1 version to look at; 2 shows it`.
fn built(model: &Model, wanted: &[Address], summary: &Summary) -> String {
    let key = model.key(Command::ShowChanges);
    let failed = match summary.failed {
        0 => String::new(),
        count => format!("; {} could not be built", counted(count, "entry")),
    };
    let plan = model.views.changes.planned.plan.as_ref();
    if let ([one], Some(plan)) = (wanted, plan) {
        return match plan.find(one) {
            Some(file) => {
                let out = model.keys.bindings.first(Context::Changes, Command::Drop);
                let (class, next) = (file.class.word(), file.next_step());
                format!("{one} is in the plan: {class}, {next}; {key} shows it, and {out} there takes it out")
            }
            None if summary.failed > 0 => {
                let build = model.key(Command::Build);
                format!("{one} was not added: its rebuild could not be built; {build} says why")
            }
            None => format!("{one} was not added: there is nothing to change"),
        };
    }
    let in_plan =
        wanted.iter().filter(|address| plan.is_some_and(|plan| plan.find(address).is_some())).count();
    let all = plan.map_or(0, |plan| plan.files.len());
    if wanted.is_empty() {
        return format!("the plan was built again: {}{failed}", files(all as u64));
    }
    format!(
        "{in_plan} of {} are in the plan now, {} in all{failed}; {key} shows it",
        wanted.len(),
        files(all as u64)
    )
}

pub(super) fn say_failure(model: &mut Model, failure: &Failure) {
    model.say(Tone::Error, failure.sentence());
}

fn fail(model: &mut Model, task: &PlanTask, failure: Failure) -> Vec<Effect> {
    match task {
        PlanTask::Show => {
            model.views.changes.planned.failure = Some(failure);
            return Vec::new();
        }
        PlanTask::Open(address) => {
            model.views.changes.fail_review(address, failure);
            return Vec::new();
        }
        PlanTask::Mark(marks) if failure.kind == FailureKind::Conflict && marks.iter().all(only_sees) => {
            let why = failure.causes.join("; ");
            model.views.changes.planned.give_up_looks();
            model.say(Tone::Warning, format!("what you look at is not kept: {why}"));
        }
        _ => say_failure(model, &failure),
    }
    // What was shown as said was not. What was said since is another batch, and waits for its turn.
    read(model)
}

/// What is to be done next with what is seen; empty where nothing waits.
pub(super) fn standing(model: &Model) -> String {
    if model.screen != Screen::Changes || !model.is_loaded() {
        return String::new();
    }
    let changes = &model.views.changes;
    changes.file().map(|file| changes.next_step(file)).unwrap_or_default()
}

/// The path in the document under the cursor of the lines.
pub(super) fn path(model: &Model) -> Option<String> {
    let changes = &model.views.changes;
    let path = changes.review.as_ref().filter(|_| changes.in_lines()).map(|review| review.pane.path());
    path.filter(|path| !path.is_empty()).map(ToOwned::to_owned)
}

/// Closes a question whose job is over.
pub(super) fn close_question(model: &mut Model, id: JobId) {
    let is_over = match &model.popup {
        Some(Popup::Leave) => model.board.journalled().next().is_none(),
        Some(Popup::Ask(ask)) => ask.then == Then::Cancel(id),
        _ => false,
    };
    if is_over {
        model.popup = None;
    }
}
