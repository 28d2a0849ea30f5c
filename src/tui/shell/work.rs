//! What the console asks jobs to do; what they answer is `events`.

use crate::desk::intent::{Answer, Begun, Cancel, Intent, Meant, OnEntry, Question, Steered};
use crate::jobs::data::{BackfillTask, Job, MOST_WORKERS, OpenPlan, PlanTask};
use crate::registry::version::trim_v;
use crate::rules::amount::{counted, grouped};
use crate::rules::plain_text::shell_word;
use crate::tui::keymap::{Command, ViewId, line_about};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::Effect;
use crate::tui::views::diff::DiffScreen;
use crate::tui::views::entry::EntryScreen;

pub(crate) fn start(model: &mut Model, job: Job) -> Effect {
    Effect::Start(model.desk.board.begin(job.clone(), model.now), job)
}

/// Forgets the entry that is being opened.
fn stop_opening(model: &mut Model) -> Vec<Effect> {
    let Some(id) = model.desk.board.opening().map(|job| job.id) else { return Vec::new() };
    model.desk.board.end(id);
    vec![Effect::Cancel(id)]
}

/// Does something with the selected entry.
pub(crate) fn on_entry(model: &mut Model, on: OnEntry) -> Vec<Effect> {
    let Some(address) = model.subject().cloned() else { return Vec::new() };
    model.note_place();
    act(model, on.intent(address))
}

/// Shows the entry that is being opened, or the rebuild of it. One that is read again stays as it is until then.
fn show_opening(model: &mut Model, plan: &OpenPlan) {
    let address = plan.address.clone();
    if plan.rebuild.is_some() {
        model.views.diff = Some(DiffScreen::new(address, model.screen));
        model.screen = ViewId::Diff;
        return;
    }
    if model.views.entry.as_ref().is_none_or(|entry| entry.address != address) {
        let verdict = model.desk.list.verdict_of(&address).cloned();
        model.views.entry = Some(EntryScreen::new(address, verdict));
    }
    model.screen = ViewId::Entry;
}

/// Back to the screen before.
pub(crate) fn step_back(model: &mut Model) -> Vec<Effect> {
    if !model.screen.is_home() {
        model.go_home();
        return Vec::new();
    }
    let mut effects = stop_opening(model);
    let to = match model.screen {
        ViewId::Diff => model.views.diff.take().map_or(ViewId::Inventory, |diff| diff.from),
        _ => ViewId::Inventory,
    };
    model.screen = to;
    if to == ViewId::Inventory {
        model.views.entry = None;
    } else if let Some(entry) = model.views.entry.as_ref().filter(|entry| entry.opened.is_none()) {
        let again = Intent::look(entry.address.clone());
        effects.extend(act(model, again));
    }
    effects
}

/// To the Inventory's list, wherever one is. What was seen of an entry is left.
pub(crate) fn show_inventory(model: &mut Model) -> Vec<Effect> {
    if model.screen == ViewId::Inventory {
        return Vec::new();
    }
    model.views.diff = None;
    model.views.entry = None;
    model.screen = ViewId::Inventory;
    model.views.home = ViewId::Inventory;
    stop_opening(model)
}

/// What stopping a job means.
pub(crate) const STOPPING_JOB: &str = "stopping the job; what it found is kept";

/// The selection of the view that is seen.
pub(crate) fn selection(model: &Model) -> Meant {
    model.seen().map_or_else(|| Meant::These(Vec::new()), |view| view.selection(&model.desk))
}

/// The same after the range, if there is one; and how many of it cannot be seen.
pub(crate) fn take_meant(model: &mut Model) -> (Meant, usize) {
    if model.screen == ViewId::Inventory {
        model.views.inventory.take_range(&mut model.desk.list);
    }
    let meant = selection(model);
    let hidden =
        if meant == Meant::Marked { model.views.inventory.hidden_marks(&model.desk.list) } else { 0 };
    (meant, hidden)
}

/// Has the desk do what is meant: begins it, asks about it, or says why not.
pub(crate) fn act(model: &mut Model, intent: Intent) -> Vec<Effect> {
    match model.desk.act(intent, model.now) {
        Answer::Started(begun) => begin(model, begun),
        Answer::Asked(Question { intent: Intent::Leave, .. }) => {
            model.popup = Some(Popup::Leave);
            Vec::new()
        }
        Answer::Asked(question @ Question { intent: Intent::DeleteView(_), .. }) => {
            model.popup = Some(Popup::DropView(question));
            Vec::new()
        }
        Answer::Asked(mut question) => {
            let is_verify = matches!(question.intent, Intent::Verify { .. } | Intent::VerifyMarked { .. });
            if is_verify && model.screen == ViewId::Inventory {
                let (open, key) = (model.key(Command::Open), model.key(Command::Verify));
                question.says.push(format!(
                    "For one version: {open} opens the entry, {key} there verifies a version."
                ));
            }
            model.popup = Some(Popup::Ask(question));
            Vec::new()
        }
        Answer::Refused(why) => {
            let text = model.told(&why);
            model.reply(text);
            Vec::new()
        }
    }
}

/// Does what somebody said yes to.
pub(crate) fn agree(model: &mut Model, intent: &Intent) -> Vec<Effect> {
    match model.desk.agree(intent, model.now) {
        Ok(begun) => begin(model, begun),
        Err(why) => {
            let text = model.told(&why);
            model.reply(text);
            Vec::new()
        }
    }
}

/// Shows what was begun, and has it done.
pub(crate) fn begin(model: &mut Model, begun: Begun) -> Vec<Effect> {
    let mut effects: Vec<Effect> = begun.cancel.into_iter().map(Effect::Cancel).collect();
    for (id, mut job) in begun.start {
        match &mut job {
            Job::Survey(plan) => {
                model.message = None;
                plan.first = model.views.inventory.seen(&model.desk.list, model.inventory_page());
            }
            Job::Open(plan) => show_opening(model, plan),
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
            Job::Verify(_) => {
                model.views.verify.begin();
                effects.push(Effect::Start(id, job));
                model.go_to(ViewId::Verify);
                continue;
            }
            Job::Backfill(BackfillTask::Run(_)) => {
                model.views.backfill.begin();
                model.go_to(ViewId::Backfill);
            }
            _ => {}
        }
        effects.push(Effect::Start(id, job));
    }
    effects.extend(begun.steer.map(|(id, steer)| Effect::Steer(id, steer)));
    if begun.leave {
        effects.push(Effect::Quit);
    }
    effects
}

/// Surveys the marked rows, or the one that is seen.
pub(crate) fn survey_this(model: &mut Model) -> Vec<Effect> {
    let (meant, hidden) = take_meant(model);
    let count = if meant == Meant::Marked { model.desk.list.mark_count() } else { 0 };
    let effects = act(model, Intent::survey(meant));
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

/// Opens the upstream repository in the browser; where none can be started its URL is copied.
pub(crate) fn browse(model: &mut Model) -> Vec<Effect> {
    let Some(url) = model.subject().map(|address| address.repository().url()) else { return Vec::new() };
    open_url(model, url)
}

/// Opens a URL in the browser; where none can be started it is copied.
pub(crate) fn open_url(model: &mut Model, url: String) -> Vec<Effect> {
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

pub(crate) fn copy(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some(address) = model.subject().cloned() else { return Vec::new() };
    let text = match command {
        Command::CopyUrl => address.repository().url(),
        Command::CopyPath if model.screen == ViewId::Changes => {
            model.views.changes.path().unwrap_or_else(|| address.path())
        }
        Command::CopyPath => {
            let path =
                model.views.diff.as_ref().filter(|_| model.screen == ViewId::Diff).map(DiffScreen::path);
            path.filter(|path| !path.is_empty()).unwrap_or_else(|| address.path())
        }
        Command::CopyLine if model.screen == ViewId::Diff => {
            format!("bumpdesk diff {}", shell_word(&address.to_string()))
        }
        Command::CopyLine if model.screen == ViewId::Changes => {
            format!("bumpdesk plan show {}", shell_word(&address.to_string()))
        }
        Command::CopyLine if model.screen == ViewId::Stranded => {
            let version = model.seen().and_then(|view| view.version(&model.desk)).unwrap_or_default();
            format!("bumpdesk stranded {}", shell_word(&format!("{address}@{}", trim_v(version))))
        }
        Command::CopyLine => format!("bumpdesk show {}", shell_word(&address.to_string())),
        _ => address.to_string(),
    };
    copy_text(model, text)
}

pub(crate) fn copy_text(model: &mut Model, text: String) -> Vec<Effect> {
    model.reply(format!("copying {text}"));
    vec![Effect::Copy(text)]
}

/// Begins nothing new of what runs, or resumes it.
pub(crate) fn pause(model: &mut Model, steered: Steered, is_paused: bool) -> Vec<Effect> {
    let effects = act(model, Intent::Pause(steered, is_paused));
    if !effects.is_empty() {
        let key = model.key(Command::Mark);
        model.reply(if is_paused {
            format!("paused; running downloads finish; {key} resumes")
        } else {
            "resumed".into()
        });
    }
    effects
}

/// More downloads at once than now, or fewer.
pub(crate) fn work_more(model: &mut Model, steered: Steered, now: usize, by: isize) -> Vec<Effect> {
    let to = now.saturating_add_signed(by).clamp(1, MOST_WORKERS);
    let effects = act(model, Intent::Workers(steered, to));
    if !effects.is_empty() {
        let limit = match to {
            _ if to != now => "",
            1 => ", the fewest",
            _ => ", the most",
        };
        model.reply(format!("{} at once{limit}", counted(to, "download")));
    }
    effects
}
