//! Runs a job again that is over.

use crate::desk::Desk;
use crate::desk::history::{self, JobKey};
use crate::desk::intent::Step;
use crate::desk::telling::{Message, refuse};
use crate::jobs::data::{ActionsTask, Job};

impl Desk {
    pub(super) fn run_again(&self, key: JobKey) -> Result<Step, Message> {
        let rows = self.job_rows();
        let Some(row) = rows.iter().find(|row| row.key == key) else { return refuse("no job is selected") };
        let is_look = matches!(row.job, Some(Job::Actions(ActionsTask::Look { .. })));
        if let Some(run) = self.machines.of(row).filter(|_| is_look && row.ended.is_some()) {
            return Ok(Step::Start(self.continue_run(run.shown.run.id)?));
        }
        let job = history::again(row, &self.list)?;
        match &job {
            Job::Survey(_) => self.no_survey()?,
            Job::Verify(_) => self.no_verification()?,
            Job::Watch(plan) => self.not_watched(*plan)?,
            Job::Review(_) | Job::Reviews => self.not_reviewing()?,
            Job::Backfill(_) => self.may_begin_backfill()?,
            Job::Actions(ActionsTask::Look { run, .. }) => return Ok(Step::Start(self.following(*run)?)),
            Job::Actions(ActionsTask::Merge { run, .. }) => drop(self.merging(*run)?),
            _ => self.no_building()?,
        }
        Ok(Step::Start(job))
    }
}
