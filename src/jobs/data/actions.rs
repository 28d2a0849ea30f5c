//! Backfills on GitHub's machines: the task, and the run, its jobs and its logs as they are read.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::jobs::data::{BackfillOutput, Summary, Unit};
use crate::rules::actions::{ArtifactRead, Ending, RunJob, RunRead, RunState};

/// The run or log to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ActionsTask {
    /// One run, or the newest one; until it is over, if it is followed. `log_lines`: of each job that failed.
    Look { run: Option<u64>, follow: bool, log_lines: usize },
    /// The end of one job's log.
    #[serde(skip)]
    Log { job: u64, name: String, lines: usize },
    /// Fetch what a run found, check it, and put it together.
    #[serde(skip)]
    Merge { run: u64, sample: usize, output: BackfillOutput },
}

/// A run as it is at the moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunShown {
    pub(crate) run: RunRead,
    pub(crate) jobs: Vec<RunJob>,
    pub(crate) artifacts: Vec<ArtifactRead>,
}

/// An event about runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActionsNews {
    /// Whenever that is news.
    Run(Arc<RunShown>),
    /// The end of a job's log, behind the run that it belongs to.
    Log { job: u64, name: String, lines: Vec<String>, left_out: usize },
}

impl RunShown {
    /// Jobs that are over, and those of them that did not end well.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let over = self.jobs.iter().filter(|job| job.state.is_over()).count();
        (over, self.failed().count())
    }

    /// The figures of a look. A run can end badly though none of its jobs did.
    pub(crate) fn summary(&self) -> Summary {
        let (_, bad) = self.counts();
        let is_fine = !self.run.state.is_over() || self.run.state == RunState::Ended(Ending::Success);
        let findings = bad.max(usize::from(!is_fine)) as u64;
        Summary { unit: Unit::Job, entries: self.jobs.len() as u64, findings, ..Summary::default() }
    }

    pub(crate) fn failed(&self) -> impl Iterator<Item = &RunJob> {
        self.jobs.iter().filter(|job| job.state.is_bad())
    }
}
