//! What the console asks jobs to do; what they answer is `heard`.

use crate::desk::MAX_AGE;
use crate::jobs::{Gate, Job, OpenPlan, Scope, SurveyPlan};
use crate::registry::Address;
use crate::rules::amount::{counted, grouped};
use crate::rules::plain_text::shell_word;
use crate::rules::{Depth, Mode};
use crate::tui::keymap::Command;
use crate::tui::model::{Model, Registry, Screen};
use crate::tui::msg::Effect;
use crate::tui::screens::diff::DiffScreen;
use crate::tui::screens::entry::EntryScreen;
use crate::tui::{places, planning, views};
use std::time::Duration;

pub(super) fn start(model: &mut Model, job: Job) -> Effect {
    Effect::Start(model.board.begin(job.clone(), model.now), job)
}

/// Starts a job that opens an entry; the one before is cancelled.
pub(super) fn start_open(model: &mut Model, address: Address, rebuild: Option<Mode>) -> Vec<Effect> {
    let mut effects = stop_opening(model);
    // Looking takes what is known; a rebuild is made from what upstream says now.
    let max_age = rebuild.is_some().then_some(MAX_AGE);
    let plan = OpenPlan { address, rebuild, max_age, depth: Depth::Versions, with_key: None };
    effects.push(start(model, Job::Open(plan)));
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
    places::note(model);
    open_entry(model, address)
}

/// Opens an entry.
pub(super) fn open_entry(model: &mut Model, address: Address) -> Vec<Effect> {
    let verdict = model.inventory.list.verdict_of(&address).cloned();
    model.entry = Some(EntryScreen::new(address.clone(), verdict));
    model.screen = Screen::Entry;
    start_open(model, address, None)
}

/// Builds the rebuild of the selected entry and shows what it changes.
pub(super) fn build(model: &mut Model) -> Vec<Effect> {
    let Some(address) = model.subject().cloned() else { return Vec::new() };
    places::note(model);
    build_entry(model, address)
}

/// Builds the rebuild of an entry.
pub(super) fn build_entry(model: &mut Model, address: Address) -> Vec<Effect> {
    model.diff = Some(DiffScreen::new(address.clone(), model.screen));
    model.screen = Screen::Diff;
    start_open(model, address, Some(Mode::Add))
}

/// Back to the screen before.
pub(super) fn step_back(model: &mut Model) -> Vec<Effect> {
    if !model.screen.is_home() {
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

/// To the Inventory's list, wherever one is. What was seen of an entry is left.
pub(super) fn show_inventory(model: &mut Model) -> Vec<Effect> {
    if model.screen == Screen::Inventory {
        return Vec::new();
    }
    model.diff = None;
    model.entry = None;
    model.screen = Screen::Inventory;
    model.views.home = Screen::Inventory;
    stop_opening(model)
}

/// Surveys the marked rows, or the one that is seen. Facts are asked again however young they are.
pub(super) fn survey_this(model: &mut Model) -> Vec<Effect> {
    model.inventory.take_range();
    let marked = if model.screen == Screen::Inventory { model.inventory.list.marked() } else { Vec::new() };
    let (count, hidden) = (marked.len() as u64, model.inventory.hidden_marks() as u64);
    let addresses = if marked.is_empty() { model.subject().cloned().into_iter().collect() } else { marked };
    let effects = survey(model, Scope::Addresses(addresses), Depth::Versions, Duration::ZERO);
    if count > 0 {
        let entries = counted(count, "marked entry");
        let hidden = if hidden > 0 { format!(", {} of them hidden", grouped(hidden)) } else { String::new() };
        model.reply(format!("surveying {entries}{hidden}"));
    }
    effects
}

/// Surveys what the filter shows.
pub(super) fn survey_shown(model: &mut Model) -> Vec<Effect> {
    let everything = model.inventory.list.shown.len() == model.inventory.list.verdicts.len();
    let scope =
        if everything { Scope::Everything } else { Scope::Addresses(model.inventory.list.shown_addresses()) };
    survey(model, scope, Depth::Versions, MAX_AGE)
}

pub(super) fn survey(model: &mut Model, scope: Scope, depth: Depth, max_age: Duration) -> Vec<Effect> {
    model.message = None;
    let plan = SurveyPlan { scope, depth, max_age, gate: Gate::Tags };
    vec![start(model, Job::Survey(plan))]
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
    vec![start(model, Job::Load)]
}

/// Opens the upstream repository in the browser; where none can be started its URL is copied.
pub(super) fn browse(model: &mut Model) -> Vec<Effect> {
    let Some(url) = model.subject().map(|address| address.repository().url()) else { return Vec::new() };
    if model.options.outside.has_browser() {
        model.reply(format!("opening {url}"));
        return vec![Effect::Browse(url)];
    }
    model.reply(format!("no browser here; copying {url}"));
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
        Command::CopyLine if model.screen == Screen::Diff => {
            format!("bumpdesk diff {}", shell_word(&address.to_string()))
        }
        Command::CopyLine if model.screen == Screen::Changes => {
            format!("bumpdesk plan show {}", shell_word(&address.to_string()))
        }
        Command::CopyLine => format!("bumpdesk show {}", shell_word(&address.to_string())),
        _ => address.to_string(),
    };
    model.reply(format!("copying {text}"));
    vec![Effect::Copy(text)]
}
