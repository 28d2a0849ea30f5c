//! When the commands of Jobs can be done, why not, and what the footer calls them.

use crate::desk::ability::Ability;
use crate::desk::history::command_line;
use crate::desk::intent::{Intent, Steered};
use crate::jobs::data::{BackfillTask, Job};
use crate::tui::keymap::{Availability, Command, refuse};
use crate::tui::views::jobs::state::{Jobs, Pane};
use crate::tui::views::{View, ViewContext};

pub(super) const NO_RUN: &str = "this job follows no run on GitHub's machines";

pub(super) fn check(jobs: &Jobs, context: &ViewContext<'_>, command: Command) -> Availability {
    let desk = context.desk;
    match command {
        Command::OnlyErrors => Ok(()),
        Command::Filter | Command::OtherPane => jobs.check_loaded(context),
        Command::Do(Ability::PauseJob) => can_pause_here(jobs, context),
        Command::ClearDone if desk.history.has_done() || desk.history.has_hidden() => Ok(()),
        Command::ClearDone => refuse("no job is finished"),
        Command::CopyLine => {
            jobs.check_rows(context)?;
            match jobs.selected(desk).map(|row| command_line(&row)) {
                Some(Ok(_)) => Ok(()),
                Some(Err(why)) => refuse(why),
                None => refuse("no job is selected"),
            }
        }
        _ => jobs.common_availability(context, command),
    }
}

/// The word of a command in the footer.
pub(super) fn hint(
    jobs: &Jobs,
    context: &ViewContext<'_>,
    command: Command,
    word: &'static str,
) -> Option<&'static str> {
    let desk = context.desk;
    match command {
        Command::Back if !jobs.search.text().is_empty() => Some("clear search"),
        Command::Back if jobs.pane != Pane::Rows => Some(jobs.pane_above(desk).way()),
        Command::Do(Ability::ReadRunLogs) => (jobs.pane == Pane::Run).then_some(word),
        Command::OtherPane => Some(jobs.next_pane(desk).way()),
        Command::ClearDone if !desk.history.has_done() => Some("show done"),
        Command::Do(Ability::PauseJob) => {
            let is_paused = jobs.running_here(desk).is_some_and(|job| job.is_paused);
            Some(if is_paused { "resume" } else { "pause" })
        }
        _ => Some(word),
    }
}

/// The reason why there are no rows.
pub(super) fn why_empty(context: &ViewContext<'_>) -> Availability {
    if context.desk.history.has_hidden() {
        let key = context.key(Command::ClearDone);
        return refuse(format!("finished jobs are hidden; {key} shows them again"));
    }
    let key = context.key(Ability::SurveyShown);
    refuse(format!("no job has run yet; {key} in the Inventory surveys"))
}

/// The job under the cursor is about a run that has a page of its own.
pub(super) fn has_page(jobs: &Jobs, context: &ViewContext<'_>) -> Availability {
    let Some(run) = jobs.run(context.desk) else { return refuse(NO_RUN) };
    let run = &run.shown.run;
    match run.page() {
        Some(_) => Ok(()),
        None => refuse(format!("GitHub names no page of run {} that is its own", run.id)),
    }
}

/// The job under the cursor is a verification or a backfill that can be paused, or resumed.
fn can_pause_here(jobs: &Jobs, context: &ViewContext<'_>) -> Availability {
    jobs.check_rows(context)?;
    match jobs.running_here(context.desk) {
        Some(job) if matches!(job.job, Job::Verify(_)) => jobs.may(context, &Intent::StopAtBad(true)),
        Some(job) if matches!(job.job, Job::Backfill(BackfillTask::Run(_))) => {
            jobs.may(context, &Intent::Workers(Steered::Backfill, 1))
        }
        _ => refuse("only a verification or a backfill that is running here can be paused"),
    }
}
