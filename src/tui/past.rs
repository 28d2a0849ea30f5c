//! What the console asks of the journal and the log, what it keeps of its own jobs, and what is run again.
//!
//! Journal and log are read when Jobs is seen and, while a job runs there, at most once a second.

use std::sync::Arc;

use crate::desk::board::Running;
use crate::desk::history;
use crate::desk::history::Again;
use crate::jobs::{Job, LogLine, LogQuery, Outcome, PastJob, Writes};
use crate::rules::Depth;
use crate::tui::model::{Model, Popup, Screen};
use crate::tui::msg::Effect;
use crate::tui::screens::jobs;
use crate::tui::widgets::ask::{Ask, Then};
use crate::tui::work::start;
use crate::tui::{planning, verifying, work};

/// Jobs of earlier runs, and lines of the log, that are looked at.
const MOST_JOBS: usize = 200;
const MOST_LINES: usize = 1_000;
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
    model.views.jobs.history.journal = Some(list);
    jobs::settle(model);
}

pub(super) fn take_log(model: &mut Model, lines: Arc<Vec<LogLine>>) {
    model.views.jobs.take_log(lines);
    jobs::typed(model, crate::tui::widgets::search::Typed::Changed);
    jobs::settle(model);
}

/// Keeps how a job of this run ended.
pub(super) fn keep_end(model: &mut Model, job: &Running, outcome: &Outcome) -> Vec<Effect> {
    planning::close_question(model, job.id);
    let is_kept = model.views.jobs.history.keep(job, outcome, model.now);
    if is_kept && model.screen == Screen::Jobs { read(model) } else { Vec::new() }
}

/// What of the job under the cursor can be run again, or why nothing of it can.
pub(crate) fn again(model: &Model) -> Result<Again, String> {
    let Some(row) = jobs::selected(model) else { return Err("no job is selected".into()) };
    history::again(&row, &model.board, &model.inventory.list)
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
    let name = running.told.as_ref().map(|(kind, what)| format!("{kind} {what}")).unwrap_or_default();
    model.popup = Some(Popup::Ask(Ask {
        title: "Cancel the job?".into(),
        says: vec![format!("{name} writes. It stops at the next safe point; what it wrote stays.")],
        yes: "cancel it",
        then: Then::Cancel(id),
    }));
    Vec::new()
}
