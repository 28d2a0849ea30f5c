//! What the console asks of the journal and the log, what it keeps of its own jobs, and what is run again.
//!
//! Journal and log are read when Jobs is seen and, while a job runs there, at most once a second.

use std::sync::Arc;
use std::time::Duration;

use crate::desk::board::Running;
use crate::jobs::{Job, Judgement, LogLine, LogQuery, Outcome, PastJob, PlanTask, Scope, VerifyPlan, Writes};
use crate::registry::Address;
use crate::rules::{Depth, Status, Verdict};
use crate::tui::model::{Model, Popup, Screen};
use crate::tui::msg::Effect;
use crate::tui::screens::jobs;
use crate::tui::screens::jobs::{Finished, JobRow, State};
use crate::tui::widgets::ask::{Ask, Then};
use crate::tui::work::start;
use crate::tui::{planning, verifying, work};

/// Jobs of earlier runs, and lines of the log, that are looked at.
const MOST_JOBS: usize = 200;
const MOST_LINES: usize = 1_000;
/// Entries that are kept for another try.
const MOST_FAILED: usize = 50_000;
const FOLLOW_SECONDS: i64 = 1;

/// Reads journal and log, unless that is under way.
pub(super) fn read(model: &mut Model) -> Vec<Effect> {
    model.views.jobs.read_at = Some(model.now);
    let mut effects = Vec::new();
    let query = LogQuery { since: None, errors: false, most: MOST_LINES };
    for job in [Job::ListJobs { most: MOST_JOBS }, Job::ReadLog(query)] {
        if model.board.running(|running| *running == job).is_none() {
            effects.push(start(model, job));
        }
    }
    effects
}

/// A job goes on: what Jobs shows of it is read anew, if anybody looks.
pub(super) fn follow(model: &mut Model) -> Vec<Effect> {
    let is_due =
        model.views.jobs.read_at.is_none_or(|at| model.now.as_second() - at.as_second() >= FOLLOW_SECONDS);
    if model.screen == Screen::Jobs && is_due { read(model) } else { Vec::new() }
}

pub(super) fn take_journal(model: &mut Model, list: Vec<PastJob>) {
    model.views.jobs.journal = Some(list);
    jobs::settle(model);
}

pub(super) fn take_log(model: &mut Model, lines: Arc<Vec<LogLine>>) {
    model.views.jobs.take_log(lines);
    jobs::typed(model, crate::tui::widgets::search::Typed::Changed);
    jobs::settle(model);
}

/// Keeps which entries a survey could not judge.
pub(super) fn keep_failed(job: &mut Running, batch: &[Judgement]) {
    let failed = batch.iter().filter(|judgement| is_failed(&judgement.verdict));
    let room = MOST_FAILED.saturating_sub(job.failed.len());
    job.failed.extend(failed.map(|judgement| judgement.address.clone()).take(room));
}

/// It was asked about, in vain.
fn is_failed(verdict: &Verdict) -> bool {
    verdict.status == Status::Unknown && verdict.checked_at.is_some()
}

/// Keeps how a job of this run ended.
pub(super) fn keep_end(model: &mut Model, job: &Running, outcome: &Outcome) -> Vec<Effect> {
    planning::close_question(model, job.id);
    let Some(finished) = Finished::new(job, outcome, model.now) else { return Vec::new() };
    model.views.jobs.keep(finished);
    if model.screen == Screen::Jobs { read(model) } else { Vec::new() }
}

/// What would be run again.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Again {
    Survey { scope: Scope, max_age: Duration },
    Add(Vec<Address>),
    Rebuild,
    Verify(VerifyPlan, String),
}

/// What of the job under the cursor can be run again, or why nothing of it can.
pub(crate) fn again(model: &Model) -> Result<Again, String> {
    let Some(row) = jobs::selected(model) else { return Err("no job is selected".into()) };
    if matches!(row.state, State::Running | State::Waiting) {
        return Err("it runs still".into());
    }
    if row.state == State::Done {
        return Err("it is done, nothing is left".into());
    }
    match row.kind.as_str() {
        "survey" if model.board.survey().is_some() => Err("a survey runs; wait, or cancel it".into()),
        "survey" => again_survey(model, &row),
        "plan add" | "plan rebuild" if model.board.building().is_some() => {
            Err("files of the plan are being built; wait, or cancel that".into())
        }
        "plan add" => again_add(&row),
        "plan rebuild" => Ok(Again::Rebuild),
        "verify" if model.board.verifying().is_some() => {
            Err("a verification runs; wait, or cancel it".into())
        }
        "verify" if let Some(Job::Verify(plan)) = &row.job => {
            Ok(Again::Verify(plan.clone(), row.what.clone()))
        }
        kind => Err(format!("that was a command: `bumpdesk {kind}` runs it again")),
    }
}

fn again_survey(model: &Model, row: &JobRow) -> Result<Again, String> {
    let forgotten =
        || Err("which entries it was about is not known any more; mark them in the Inventory".to_owned());
    if row.state == State::DoneWithGaps && row.counts.failed > 0 {
        let failed = if row.failed.is_empty() { failed_now(model) } else { row.failed.clone() };
        if failed.is_empty() {
            return Err("no entry is UNKNOWN any more".into());
        }
        return Ok(Again::Survey { scope: Scope::Addresses(failed), max_age: Duration::ZERO });
    }
    // What was found is kept and fresh, so the same survey goes on where it stopped.
    let scope = match (&row.job, row.what.as_str()) {
        (Some(Job::Survey(plan)), _) => plan.scope.clone(),
        (_, what) if what.starts_with("everything") => Scope::Everything,
        (_, what) => match Address::parse(what) {
            Ok(address) => Scope::Addresses(vec![address]),
            Err(_) => return forgotten(),
        },
    };
    Ok(Again::Survey { scope, max_age: work::MAX_AGE })
}

fn failed_now(model: &Model) -> Vec<Address> {
    let inventory = &model.inventory;
    let rows = inventory.list.catalog.rows.iter().zip(&inventory.list.verdicts);
    rows.filter(|(_, verdict)| is_failed(verdict)).map(|(row, _)| row.address.clone()).collect()
}

fn again_add(row: &JobRow) -> Result<Again, String> {
    match (&row.job, Address::parse(&row.what)) {
        (Some(Job::Plan(PlanTask::Add(add))), _) => Ok(Again::Add(add.addresses.clone())),
        (_, Ok(address)) => Ok(Again::Add(vec![address])),
        _ => Err("which entries it was about is not known any more; mark them in the Inventory".into()),
    }
}

/// Runs it again.
pub(super) fn run_again(model: &mut Model) -> Vec<Effect> {
    match again(model) {
        Ok(Again::Survey { scope, max_age }) => work::survey(model, scope, Depth::Versions, max_age),
        Ok(Again::Add(addresses)) => planning::add_these(model, addresses),
        Ok(Again::Verify(plan, what)) => verifying::begin(model, plan, what),
        Ok(Again::Rebuild) => {
            let says =
                vec!["The whole plan is built again on the registry and upstream as they are now.".into()];
            model.popup = Some(Popup::Ask(Ask {
                title: "Build the plan again?".into(),
                says,
                yes: "build all",
                then: Then::BuildAll,
            }));
            Vec::new()
        }
        Err(why) => {
            model.reply(why);
            Vec::new()
        }
    }
}

/// Cancels the job under the cursor; asks first if it writes more than what the console remembers.
pub(super) fn cancel(model: &mut Model) -> Vec<Effect> {
    let Some(running) = jobs::running_here(model) else { return Vec::new() };
    let id = running.id;
    if running.job.writes() <= Writes::Memory {
        return planning::stop(model, id);
    }
    let name = running.job.told().map(|(kind, what)| format!("{kind} {what}")).unwrap_or_default();
    model.popup = Some(Popup::Ask(Ask {
        title: "Cancel the job?".into(),
        says: vec![format!("{name} writes. It stops at the next safe point; what it wrote stays.")],
        yes: "cancel it",
        then: Then::Cancel(id),
    }));
    Vec::new()
}
