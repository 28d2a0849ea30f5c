//! What the console asks of the journal and the log, and what is run again.
//!
//! Journal and log are read when Jobs is seen and, while a job runs there, at most once a second.

use std::sync::Arc;
use std::time::Duration;

use crate::desk::history::command_line;
use crate::desk::intent::{Cancel, Intent};
use crate::jobs::data::{Job, LogLine, LogQuery};
use crate::tui::keymap::ViewId;
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Effect;
use crate::tui::shell::work;
use crate::tui::shell::work::start;

/// Jobs of earlier runs, and lines of the log, that are looked at.
const MOST_JOBS: usize = 200;
const MOST_LINES: usize = 1_000;
const FOLLOW: Duration = Duration::from_secs(1);

/// Reads journal and log, unless that is under way.
pub(crate) fn read(model: &mut Model) -> Vec<Effect> {
    model.views.jobs.read_at = Some(model.uptime);
    let mut effects = Vec::new();
    let query =
        LogQuery { since: None, errors: false, most: MOST_LINES, requests_apart: true, everywhere: false };
    for job in [Job::ListJobs { most: MOST_JOBS, everywhere: false }, Job::ReadLog(query)] {
        if model.desk.board.running(|running| *running == job).is_none() {
            effects.push(start(model, job));
        }
    }
    effects
}

/// A job goes on: what Jobs shows of it is read anew, if anybody looks.
pub(crate) fn follow(model: &mut Model) -> Vec<Effect> {
    let is_due = model.views.jobs.read_at.is_none_or(|at| model.uptime.saturating_sub(at) >= FOLLOW);
    if model.screen == ViewId::Jobs && is_due { read(model) } else { Vec::new() }
}

pub(crate) fn take_log(model: &mut Model, lines: Arc<Vec<LogLine>>) {
    model.views.jobs.take_log(lines);
    if !model.views.jobs.search.text().is_empty() {
        model.views.jobs.find(&model.desk);
    }
    model.settle(ViewId::Jobs);
}

/// To run the job under the cursor again.
pub(crate) fn again(model: &Model) -> Option<Intent> {
    model.views.jobs.selected(&model.desk).map(|row| Intent::RunAgain(row.key))
}

/// Runs it again.
pub(crate) fn run_again(model: &mut Model) -> Vec<Effect> {
    let effects = again(model).map(|intent| work::act(model, intent)).unwrap_or_default();
    // What would run once more is shown before it is sent.
    if effects.iter().any(|effect| matches!(effect, Effect::Start(_, Job::Prepare(_)))) {
        model.go_to(ViewId::Pull);
        model.settle(ViewId::Pull);
    }
    effects
}

/// The command line of the job under the cursor, or why there is none.
pub(crate) fn line(model: &Model) -> Result<String, &'static str> {
    model.views.jobs.selected(&model.desk).map_or(Err("no job is selected"), |row| command_line(&row))
}

/// Copies it.
pub(crate) fn copy_line(model: &mut Model) -> Vec<Effect> {
    let Ok(line) = line(model) else { return Vec::new() };
    work::copy_text(model, line)
}

/// Cancels the job under the cursor; asks first if it writes more than what the console remembers.
pub(crate) fn cancel(model: &mut Model) -> Vec<Effect> {
    let Some(id) = model.views.jobs.running_here(&model.desk).map(|job| job.id) else { return Vec::new() };
    let effects = work::act(model, Intent::Cancel(Cancel::This(id)));
    if !effects.is_empty() {
        model.reply(work::STOPPING_JOB);
    }
    effects
}
