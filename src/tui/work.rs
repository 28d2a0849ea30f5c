//! What the console asks jobs to do, and what their events change. Events of unknown ids are dropped.

use std::sync::Arc;
use std::time::Duration;

use crate::jobs::Confirmed;
use crate::jobs::Failure;
use crate::jobs::Gate;
use crate::jobs::Job;
use crate::jobs::JobEvent;
use crate::jobs::JobId;
use crate::jobs::Judgement;
use crate::jobs::Loaded;
use crate::jobs::OpenPlan;
use crate::jobs::Opened;
use crate::jobs::Outcome;
use crate::jobs::Scope;
use crate::jobs::Summary;
use crate::jobs::SurveyPlan;
use crate::registry::Address;
use crate::rules::Depth;
use crate::rules::Mode;
use crate::tui::board::Running;
use crate::tui::board::Told;
use crate::tui::board::Work;
use crate::tui::keymap::Command;
use crate::tui::layout;
use crate::tui::model::Facts;
use crate::tui::model::Model;
use crate::tui::model::Registry;
use crate::tui::model::Screen;
use crate::tui::model::Tone;
use crate::tui::msg::Effect;
use crate::tui::past;
use crate::tui::planning;
use crate::tui::screens::diff;
use crate::tui::screens::diff::DiffScreen;
use crate::tui::screens::entry::EntryScreen;
use crate::tui::text::counted;
use crate::tui::text::grouped;
use crate::tui::update::inventory_page;
use crate::tui::views;

/// Facts younger than this are not asked again by a survey of many rows.
pub(super) const MAX_AGE: Duration = Duration::from_mins(15);

pub(super) fn start(model: &mut Model, work: Work, job: Job) -> Effect {
    let id = model.board.begin(work);
    if let Some(running) = model.board.find(id) {
        let told = job.told();
        running.told = told.map(|(kind, what)| Told { kind, what, since: model.now, job: job.clone() });
    }
    Effect::Start(id, job)
}

/// Starts a job that opens an entry; the one before is cancelled.
fn start_open(model: &mut Model, address: Address, rebuild: Option<Mode>) -> Vec<Effect> {
    let mut effects = stop_opening(model);
    // Looking takes what is known; a rebuild is made from what upstream says now.
    let max_age = rebuild.is_some().then_some(MAX_AGE);
    let plan = OpenPlan { address: address.clone(), rebuild, max_age, depth: Depth::Versions };
    effects.push(start(model, Work::Open(address), Job::Open(plan)));
    effects
}

/// Forgets the entry that is being opened.
fn stop_opening(model: &mut Model) -> Vec<Effect> {
    let Some(id) = model.board.opening().map(|job| job.id) else { return Vec::new() };
    model.board.end(id);
    vec![Effect::Cancel(id)]
}

/// Opens the selected entry.
pub(super) fn open(model: &mut Model) -> Vec<Effect> {
    let Some(address) = model.subject().cloned() else { return Vec::new() };
    let verdict = model.inventory.verdict_of(&address).cloned();
    model.entry = Some(EntryScreen::new(address.clone(), verdict));
    model.screen = Screen::Entry;
    start_open(model, address, None)
}

/// Builds the rebuild of the selected entry and shows what it changes.
pub(super) fn build(model: &mut Model) -> Vec<Effect> {
    let Some(address) = model.subject().cloned() else { return Vec::new() };
    model.diff = Some(DiffScreen::new(address.clone(), model.screen));
    model.screen = Screen::Diff;
    start_open(model, address, Some(Mode::Add))
}

/// Back to the screen before.
pub(super) fn step_back(model: &mut Model) -> Vec<Effect> {
    if matches!(model.screen, Screen::Changes | Screen::Jobs) {
        return views::go_home(model);
    }
    let mut effects = stop_opening(model);
    let to = match model.screen {
        Screen::Diff => model.diff.take().map_or(Screen::Inventory, |diff| diff.from),
        _ => Screen::Inventory,
    };
    model.screen = to;
    if to == Screen::Inventory {
        model.entry = None;
    } else if let Some(entry) = model.entry.as_ref().filter(|entry| entry.opened.is_none()) {
        effects.extend(start_open(model, entry.address.clone(), None));
    }
    effects
}

/// Back to the Inventory: to what was seen of it from another view, else to its list.
pub(super) fn show_inventory(model: &mut Model) -> Vec<Effect> {
    if matches!(model.screen, Screen::Changes | Screen::Jobs) {
        return views::go_home(model);
    }
    if model.screen == Screen::Inventory {
        return Vec::new();
    }
    model.diff = None;
    model.entry = None;
    model.screen = Screen::Inventory;
    stop_opening(model)
}

/// Surveys the marked rows, or the one that is seen. Facts are asked again however young they are.
pub(super) fn survey_this(model: &mut Model) -> Vec<Effect> {
    let marked = if model.screen == Screen::Inventory { model.inventory.marked() } else { Vec::new() };
    let addresses = if marked.is_empty() { model.subject().cloned().into_iter().collect() } else { marked };
    survey(model, Scope::Addresses(addresses), Depth::Versions, Duration::ZERO)
}

/// Surveys what the filter shows.
pub(super) fn survey_shown(model: &mut Model) -> Vec<Effect> {
    let everything = model.inventory.shown_count() == model.inventory.verdicts.len();
    let scope =
        if everything { Scope::Everything } else { Scope::Addresses(model.inventory.shown_addresses()) };
    survey(model, scope, Depth::Versions, MAX_AGE)
}

pub(super) fn survey(model: &mut Model, scope: Scope, depth: Depth, max_age: Duration) -> Vec<Effect> {
    let size = match &scope {
        Scope::Everything | Scope::Prefix(_) => None,
        Scope::Addresses(list) => Some(list.len()),
    };
    model.message = None;
    let plan = SurveyPlan { scope, depth, max_age, gate: Gate::Tags };
    vec![start(model, Work::Survey(size), Job::Survey(plan))]
}

pub(super) fn cancel_survey(model: &mut Model) -> Vec<Effect> {
    let Some(id) = model.board.survey().map(|job| job.id) else { return Vec::new() };
    if let Some(job) = model.board.find(id) {
        job.cancelling = true;
    }
    model.reply("stopping the survey; what it found is kept");
    vec![Effect::Cancel(id)]
}

/// Reads the registry from disk again.
pub(super) fn reload(model: &mut Model) -> Vec<Effect> {
    if !model.is_loaded() {
        model.registry = Registry::Loading;
    }
    model.reply("reading the registry again");
    vec![start(model, Work::Load, Job::Load)]
}

/// Opens the upstream repository in the browser; where none can be started its URL is copied.
pub(super) fn browse(model: &mut Model) -> Vec<Effect> {
    let Some(url) = model.subject().map(|address| address.repository().url()) else { return Vec::new() };
    if model.options.browse.is_some() {
        model.reply(format!("opening {url}"));
        return vec![Effect::Browse(url)];
    }
    model.reply(format!("no browser here; copied {url}"));
    vec![Effect::Copy(url)]
}

pub(super) fn copy(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some(address) = model.subject().cloned() else { return Vec::new() };
    let text = match command {
        Command::CopyUrl => address.repository().url(),
        Command::CopyPath if model.screen == Screen::Changes => {
            planning::path(model).unwrap_or_else(|| address.path())
        }
        Command::CopyPath => {
            let path = model.diff.as_ref().filter(|_| model.screen == Screen::Diff).map(DiffScreen::path);
            path.filter(|path| !path.is_empty()).unwrap_or_else(|| address.path())
        }
        Command::CopyLine if model.screen == Screen::Diff => format!("bumpdesk diff {address}"),
        Command::CopyLine if model.screen == Screen::Changes => format!("bumpdesk plan show {address}"),
        Command::CopyLine => format!("bumpdesk show {address}"),
        _ => address.to_string(),
    };
    model.reply(format!("copied {text}"));
    vec![Effect::Copy(text)]
}

/// Takes what a job says.
pub(super) fn happen(model: &mut Model, id: JobId, event: JobEvent) -> Vec<Effect> {
    let Some(job) = model.board.find(id) else { return Vec::new() };
    match event {
        JobEvent::Progress(progress) => {
            job.progress = Some(progress);
            return past::follow(model);
        }
        JobEvent::Note(text) => model.say(Tone::Notice, text),
        JobEvent::Loaded(loaded) => take_registry(model, loaded),
        JobEvent::Confirmed(confirmed) => take_header(model, confirmed),
        JobEvent::Judged(batch) => {
            past::keep_failed(job, &batch);
            take_verdicts(model, batch);
        }
        JobEvent::Opened(opened) => take_opened(model, &opened),
        JobEvent::Planned(plan) => return planning::take_plan(model, plan),
        JobEvent::PlanOpened(opened) => planning::take_opened(model, &opened),
        JobEvent::LogRead(lines) => past::take_log(model, lines),
        JobEvent::PastJobs(list) => past::take_journal(model, list),
        // Nothing here starts the jobs that say these, or they are told at the end.
        JobEvent::Applied(_) | JobEvent::Found(..) | JobEvent::Recalled(_) => {}
        JobEvent::Ended(outcome) => return end(model, id, outcome),
    }
    Vec::new()
}

fn take_registry(model: &mut Model, loaded: Arc<Loaded>) {
    let loaded = Arc::unwrap_or_clone(loaded);
    model.registry = Registry::Loaded(Facts {
        name: model.options.registry_name.clone().unwrap_or_else(|| loaded.name.clone()),
        revision: loaded.revision.clone(),
        last_bump: loaded.last_bump,
        has_token: loaded.has_token,
    });
    let notices = loaded.notices.join("; ");
    let page = inventory_page(model);
    model.inventory.load(loaded, page);
    if !notices.is_empty() {
        model.say(Tone::Warning, notices);
    } else if model.inventory.tally.newest.is_none() && !model.inventory.verdicts.is_empty() {
        model.say(
            Tone::Notice,
            "nothing is checked yet: R surveys the rows shown, r the one under the cursor",
        );
    }
}

/// The list stands; only the header was not known yet.
fn take_header(model: &mut Model, confirmed: Confirmed) {
    if let Registry::Loaded(facts) = &mut model.registry {
        facts.revision = confirmed.revision;
        facts.last_bump = confirmed.last_bump;
    }
    if !confirmed.notices.is_empty() {
        model.say(Tone::Warning, confirmed.notices.join("; "));
    }
}

fn take_verdicts(model: &mut Model, batch: Vec<Judgement>) {
    if let Some(entry) = &mut model.entry {
        for judgement in &batch {
            entry.judge(judgement);
        }
    }
    model.inventory.judge(batch);
}

fn take_opened(model: &mut Model, opened: &Arc<Opened>) {
    // What was read for one entry is news for the list too.
    let judgement = Judgement { address: opened.address.clone(), verdict: opened.verdict.clone() };
    model.inventory.judge(vec![judgement]);
    let rows = usize::from(layout::entry(model.size).list.height);
    if let Some(entry) = model.entry.as_mut().filter(|entry| entry.address == opened.address) {
        entry.fill(opened, rows);
    }
    if let Some(diff) = model.diff.as_mut().filter(|diff| diff.address == opened.address) {
        diff.fill(Arc::clone(opened));
        diff::act(model, Command::Redraw);
    }
}

fn end(model: &mut Model, id: JobId, outcome: Outcome) -> Vec<Effect> {
    let Some(job) = model.board.end(id) else { return Vec::new() };
    let mut effects = past::keep_end(model, &job, &outcome);
    effects.extend(match job.work {
        Work::Build | Work::Quiet(_) => planning::end(model, &job, outcome),
        Work::Load => {
            let mut effects = loud_end(model, &job, outcome);
            effects.extend(planning::read(model));
            effects
        }
        Work::Survey(_) | Work::Open(_) => loud_end(model, &job, outcome),
    });
    effects
}

fn loud_end(model: &mut Model, job: &Running, outcome: Outcome) -> Vec<Effect> {
    match outcome {
        Outcome::Failed(failure) => {
            fail(model, job, failure);
            finish_survey(model, job)
        }
        Outcome::Done(summary) => {
            match (&job.work, model.options.survey.take()) {
                (Work::Survey(_), _) => model.say(tone(&summary), sentence("survey done", &summary)),
                (Work::Load, Some(depth)) => return survey(model, Scope::Everything, depth, MAX_AGE),
                (_, later) => model.options.survey = later,
            }
            finish_survey(model, job)
        }
        Outcome::Cancelled(summary) => {
            match job.work {
                Work::Survey(_) => {
                    model.say(Tone::Warning, sentence("survey cancelled, kept what it found", &summary));
                }
                Work::Load if !model.is_loaded() => {
                    model.say(Tone::Warning, "reading was stopped; L reads again");
                }
                _ => {}
            }
            finish_survey(model, job)
        }
    }
}

pub(super) fn tone(summary: &Summary) -> Tone {
    if summary.failed + summary.broken > 0 { Tone::Warning } else { Tone::Notice }
}

/// `survey done: 60 entries, 2 failed (status:unknown), 12 still fresh, 78 requests; no token: …`: the news first.
pub(super) fn sentence(what: &str, summary: &Summary) -> String {
    let mut parts = vec![counted(summary.entries, "entry", "entries")];
    if summary.failed > 0 {
        parts.push(format!("{} failed (status:unknown)", grouped(summary.failed)));
    }
    if summary.fresh > 0 {
        parts.push(format!("{} still fresh", grouped(summary.fresh)));
    }
    parts.push(counted(summary.requests, "request", "requests"));
    if summary.not_modified > 0 {
        parts.push(format!("{} not modified", grouped(summary.not_modified)));
    }
    if summary.broken > 0 {
        parts.push(counted(summary.broken, "broken file", "broken files"));
    }
    let mut text = format!("{what}: {}", parts.join(", "));
    for limit in &summary.limits {
        text.push_str("; ");
        text.push_str(limit);
    }
    text
}

fn fail(model: &mut Model, job: &Running, failure: Failure) {
    let hint = failure.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
    model.say(Tone::Error, format!("{} failed: {}{hint}", failure.doing, failure.causes.join(": ")));
    match &job.work {
        Work::Load if !model.is_loaded() => model.registry = Registry::Failed(failure),
        Work::Open(address) => {
            if let Some(diff) = model.diff.as_mut().filter(|diff| diff.address == *address) {
                diff.failure = Some(failure.clone());
            }
            if let Some(entry) = model.entry.as_mut().filter(|entry| entry.address == *address) {
                entry.failure = Some(failure);
            }
        }
        _ => {}
    }
}

/// After a survey the rows are sorted anew, and an open entry is read again.
fn finish_survey(model: &mut Model, job: &Running) -> Vec<Effect> {
    if !matches!(job.work, Work::Survey(_)) {
        return Vec::new();
    }
    let page = inventory_page(model);
    model.inventory.arrange(page);
    match (&model.entry, model.screen) {
        (Some(entry), Screen::Entry) => {
            let address = entry.address.clone();
            start_open(model, address, None)
        }
        _ => Vec::new(),
    }
}
