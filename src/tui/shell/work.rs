//! Starts and cancels the jobs of the console; `events` takes their results.

use crate::desk::ability::{Ability, Needs};
use crate::desk::intent::{Answer, Begun, Cancel, EntrySelection, Intent, Question};
use crate::desk::telling::Message;
use crate::jobs::data::{Job, PlanTask, Wanted};
use crate::rules::amount::{counted, grouped};
use crate::tui::keymap::{Command, HOME, VIEWS, line_about};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::Effect;

pub(crate) fn start(model: &mut Model, job: Job) -> Effect {
    Effect::Start(model.desk.board.begin(job.clone(), model.now), job)
}

/// Forgets the entry that is being opened.
fn stop_opening(model: &mut Model) -> Vec<Effect> {
    let Some(id) = model.desk.board.opening().map(|job| job.id) else { return Vec::new() };
    model.desk.board.end(id);
    vec![Effect::Cancel(id)]
}

/// Shows the rebuild of the selected entry.
pub(crate) fn build(model: &mut Model) -> Vec<Effect> {
    let Some(address) = model.subject().cloned() else { return Vec::new() };
    model.note_place();
    act(model, Intent::build(address))
}

/// Back to the screen before.
pub(crate) fn step_back(model: &mut Model) -> Vec<Effect> {
    if !model.screen.is_home() {
        model.go_home();
        return Vec::new();
    }
    let mut effects = stop_opening(model);
    model.screen = model.views.back_from(model.screen);
    if let Some(address) = model.views.unread_entry().cloned() {
        effects.extend(act(model, Intent::look(address)));
    }
    effects
}

/// To the Inventory's list, wherever one is. What was seen of an entry is left.
pub(crate) fn show_inventory(model: &mut Model) -> Vec<Effect> {
    if model.screen == HOME {
        return Vec::new();
    }
    model.views.close_entry();
    model.screen = HOME;
    stop_opening(model)
}

/// The selection of the view that is seen.
pub(crate) fn selection(model: &Model) -> EntrySelection {
    model.seen().map_or_else(|| EntrySelection::These(Vec::new()), |view| view.selection(&model.desk))
}

/// The selection with the range, if there is one; and how many entries of it cannot be seen.
pub(crate) fn take_selection(model: &mut Model) -> (EntrySelection, usize) {
    let hidden = end_selection(model);
    (selection(model), hidden)
}

/// Ends a motion that selects; returns the number of selected entries that cannot be seen.
fn end_selection(model: &mut Model) -> usize {
    let screen = model.screen;
    let (context, views) = model.action_context();
    views.get_mut(screen).map_or(0, |view| view.end_selection(context.desk))
}

/// Has the desk do what is meant: begins it, asks about it, or says why not.
pub(crate) fn act(model: &mut Model, intent: Intent) -> Vec<Effect> {
    let answer = model.desk.act(intent, model.now);
    take(model, answer)
}

/// Takes an answer of the desk.
pub(crate) fn take(model: &mut Model, answer: Answer) -> Vec<Effect> {
    match answer {
        Answer::Started(begun) => begin(model, begun),
        Answer::Question(Question { intent: Intent::Leave, .. }) => {
            model.popup = Some(Popup::Leave);
            Vec::new()
        }
        Answer::Question(question @ Question { intent: Intent::DeleteView(_), .. }) => {
            model.popup = Some(Popup::DropView(question));
            Vec::new()
        }
        Answer::Question(mut question) => {
            let note = model.seen().and_then(|view| view.question_note(&model.paint(), &question.intent));
            question.says.extend(note);
            model.popup = Some(Popup::Ask(question));
            Vec::new()
        }
        Answer::Refused(why) => refuse(model, &why),
    }
}

/// Does what somebody said yes to.
pub(crate) fn agree(model: &mut Model, intent: &Intent) -> Vec<Effect> {
    match model.desk.agree(intent, model.now) {
        Ok(begun) => begin(model, begun),
        Err(why) => refuse(model, &why),
    }
}

/// Shows what was begun, and has it done.
pub(crate) fn begin(model: &mut Model, begun: Begun) -> Vec<Effect> {
    let mut effects: Vec<Effect> = begun.cancel.into_iter().map(Effect::Cancel).collect();
    for (id, mut job) in begun.start {
        match &job {
            Job::Survey(_) => model.message = None,
            Job::Open(plan) => {
                model.screen = model.views.open(plan, &model.desk.list, model.screen);
            }
            Job::Load => model.reply("reading the registry again"),
            Job::Plan(PlanTask::Add(add)) => {
                let what = match &add.files[..] {
                    [(one, _)] => one.to_string(),
                    many => counted(many.len(), "entry"),
                };
                model.reply(format!(
                    "adding {what} to the plan: reading upstream and building, no data file is written"
                ));
            }
            Job::Plan(PlanTask::Rebuild { .. }) => model.reply("building the whole plan again"),
            _ => {}
        }
        show_begun(model, &mut job);
        effects.push(Effect::Start(id, job));
    }
    effects.extend(begun.steer.map(|(id, steer)| Effect::Steer(id, steer)));
    if begun.leave {
        effects.push(Effect::Quit);
    }
    effects
}

/// Shows the view that a job belongs to.
fn show_begun(model: &mut Model, job: &mut Job) {
    for row in &VIEWS {
        let (context, views) = model.action_context();
        let view = views.get_mut(row.id);
        if view.is_some_and(|view| view.begins(context.desk, &context.paint, job)) {
            model.go_to(row.id);
            model.settle(row.id);
        }
    }
}

/// The intent of an ability in the view that is seen. One that is about the selection ends a range, and knows how many entries
/// cannot be seen.
fn intent(model: &mut Model, ability: Ability) -> Option<Result<Intent, Message>> {
    let hidden = if ability.row().needs == Needs::Entries { end_selection(model) } else { 0 };
    let intent = model.seen()?.intent(&model.desk, ability)?;
    Some(intent.map(|intent| intent.hiding(hidden)))
}

/// Has the desk do an ability in the view that is seen.
pub(crate) fn perform(model: &mut Model, ability: Ability) -> Vec<Effect> {
    match intent(model, ability) {
        Some(Ok(intent)) => act(model, intent),
        Some(Err(why)) => refuse(model, &why),
        None => Vec::new(),
    }
}

/// Says why the desk refuses.
fn refuse(model: &mut Model, why: &Message) -> Vec<Effect> {
    let text = model.text_of(why);
    model.reply(text);
    Vec::new()
}

/// Verifies the selection, or the last verification again; asks first if it is much.
pub(crate) fn verify(model: &mut Model, ability: Ability) -> Vec<Effect> {
    let Some(Ok(intent)) = intent(model, ability) else { return Vec::new() };
    let was_cut = model.desk.was_cut();
    let stored = match &intent {
        Intent::Verify { stored, .. } => stored.clone(),
        _ => None,
    };
    let effects = act(model, intent);
    let Some(Effect::Start(_, Job::Verify(plan))) = effects.first() else { return effects };
    if ability == Ability::VerifyRest {
        model.reply(if was_cut {
            "resumed: what is finished is not downloaded again"
        } else {
            "verifying it again"
        });
    } else if let Some(amount) = model.desk.amount(plan, stored.as_ref()) {
        let what = Wanted::summary(&plan.wanted);
        model.reply(format!("verifying {what}: {}; it only reads", amount.words()));
    }
    effects
}

/// Surveys the marked rows, or the one that is seen.
pub(crate) fn survey_this(model: &mut Model) -> Vec<Effect> {
    let (selection, hidden) = take_selection(model);
    let count = if selection == EntrySelection::Marked { model.desk.list.mark_count() } else { 0 };
    let effects = act(model, Intent::survey(selection));
    if count > 0 && !effects.is_empty() {
        let entries = counted(count, "marked entry");
        let hidden = if hidden > 0 { format!(", {} of them hidden", grouped(hidden)) } else { String::new() };
        model.reply(format!("surveying {entries}{hidden}"));
    }
    effects
}

pub(crate) fn cancel_survey(model: &mut Model) -> Vec<Effect> {
    let effects = act(model, Intent::Cancel(Cancel::Survey));
    if !effects.is_empty() {
        model.reply("stopping the survey; what it found is kept");
    }
    effects
}

/// Opens the page that the view is about in the browser; where none can be started its URL is copied.
pub(crate) fn browse(model: &mut Model) -> Vec<Effect> {
    let Some(url) = model.seen().and_then(|view| view.page_url(&model.desk)) else { return Vec::new() };
    if model.options.has_browser {
        model.reply(format!("opening {url}"));
        return vec![Effect::Browse(url)];
    }
    model.reply(format!("no browser here; copying {url}"));
    vec![Effect::Copy(url)]
}

/// Copies the command line of what the console does not do itself.
pub(crate) fn copy_line(model: &mut Model, line: &str) -> Vec<Effect> {
    let line = line_about(line, model.subject_of_lines());
    model.reply(format!("copying {line}, for a shell"));
    vec![Effect::Copy(line)]
}

/// Copies something of what the view is about: an address, a URL, a path or a command line.
pub(crate) fn copy(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some(view) = model.seen() else { return Vec::new() };
    let text = match command {
        Command::CopyUrl => view.page_url(&model.desk),
        Command::Do(Ability::CopyPath) => view.path_to_copy(&model.desk),
        Command::CopyLine => view.command_line(&model.desk),
        _ => view.subject(&model.desk).map(ToString::to_string),
    };
    let Some(text) = text else { return Vec::new() };
    model.reply(format!("copying {text}"));
    vec![Effect::Copy(text)]
}
