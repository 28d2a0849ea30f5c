//! Follows backfill runs on GitHub's machines, puts together what they found, and says what is left to do of one.

use crate::desk::ability::Ability;
use crate::desk::intent::Step;
use crate::desk::machines::{LOG_LINES, SAMPLE};
use crate::desk::telling::{Message, refuse};
use crate::desk::{Consent, Desk};
use crate::jobs::data::{ActionsTask, BackfillOutput, Job};
use crate::rules::sending::ActionsPlan;

impl Desk {
    /// The job that follows a run to its end; the newest run if none is named.
    pub(super) fn following(&self, run: Option<u64>) -> Result<Job, Message> {
        if self.is_followed(run) {
            return refuse(match run {
                Some(run) => format!("run {run} is followed already"),
                None => "the newest run is followed already".to_owned(),
            });
        }
        // A screen has a log read once somebody looks at it: a run of many jobs may fail in all of them.
        let log_lines = if self.consent == Consent::Drawn { 0 } else { LOG_LINES };
        Ok(Job::Actions(ActionsTask::Look { run, follow: true, log_lines }))
    }

    pub(super) fn merge_run(&self, run: u64) -> Result<Step, Message> {
        self.no_building()?;
        Ok(Step::Start(self.merging(run)?))
    }

    /// The job that puts together what a run found.
    pub(super) fn merging(&self, run: u64) -> Result<Job, Message> {
        if let Some(known) = self.machines.find(run).filter(|known| !known.shown.run.state.is_over()) {
            return refuse(format!("run {run} is {}", known.shown.run.state.word()));
        }
        self.may_begin_backfill()?;
        Ok(Job::Actions(ActionsTask::Merge { run, sample: SAMPLE, output: BackfillOutput::Plan }))
    }

    /// The job that is left to do of a run that is over: it runs the failed jobs again, or looks at the run again.
    pub(super) fn continue_run(&self, run: u64) -> Result<Job, Message> {
        let Some(known) = self.machines.find(run) else { return self.following(Some(run)) };
        let shown = &known.shown;
        if !shown.run.state.is_over() {
            return self.following(Some(run));
        }
        if shown.failed().next().is_none() && shown.run.state.is_bad() {
            return refuse(format!(
                "run {run} is {}, and no job of it can be run again",
                shown.run.state.word()
            ));
        }
        if shown.failed().next().is_none() {
            let message = Message::of(format!("nothing of run {run} failed"));
            return Err(message.step(Ability::MergeRun.number(run), "puts what it found into the plan"));
        }
        self.may_prepare()?;
        Ok(Job::Prepare(ActionsPlan::Rerun { run }.into()))
    }
}
