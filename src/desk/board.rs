//! The running jobs: their ids, their tasks and their progress.
//!
//! A job's own type says its purpose, so no purpose is kept beside it. The board makes the ids, so that the
//! caller knows the id of a job when it starts the job. Events with an id that is not on the board are
//! dropped.

use jiff::Timestamp;

use crate::jobs::data::{ActionsTask, BackfillTask, Job, JobId, JobLane, PlanTask, Progress};
use crate::registry::Address;

/// One running job.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Running {
    pub(crate) id: JobId,
    /// The job as it was started, for running it again.
    pub(crate) job: Job,
    /// Kind and label, made once, since each frame needs them. `None` for a job that the journal leaves out.
    pub(crate) journal_line: Option<(&'static str, String)>,
    pub(crate) since: Timestamp,
    /// The number in the journal, once the job has reported it.
    pub(crate) number: Option<i64>,
    pub(crate) progress: Option<Progress>,
    /// True after a request to cancel.
    pub(crate) cancelling: bool,
    /// True after a request to begin nothing new.
    pub(crate) is_paused: bool,
    /// Entries without a verdict, for another try.
    pub(crate) failed: Vec<Address>,
}

impl Running {
    /// The job as a line of progress names it.
    pub(crate) fn brief(&self) -> &'static str {
        self.job.brief()[usize::from(self.cancelling)]
    }
}

/// All running jobs, the oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Board {
    /// The number of jobs so far in each lane.
    begun: [u64; 3],
    running: Vec<Running>,
}

impl Board {
    /// Puts a job on the board under a new id.
    pub(crate) fn begin(&mut self, job: Job, now: Timestamp) -> JobId {
        let lane = job.lane();
        // Each lane has ids of its own, so that those of jobs that show have no gaps.
        let first = match lane {
            JobLane::Open => 1,
            JobLane::Quiet => 1 << 32,
            JobLane::Memory => 1 << 33,
        };
        let begun = &mut self.begun[lane as usize];
        let id = JobId(first + *begun);
        *begun += 1;
        self.running.push(Running {
            id,
            journal_line: job.label().map(|label| (job.kind(), label)),
            job,
            since: now,
            number: None,
            progress: None,
            cancelling: false,
            is_paused: false,
            failed: Vec::new(),
        });
        id
    }

    pub(crate) fn find(&mut self, id: JobId) -> Option<&mut Running> {
        self.running.iter_mut().find(|running| running.id == id)
    }

    /// Takes a job off the board.
    pub(crate) fn end(&mut self, id: JobId) -> Option<Running> {
        let at = self.running.iter().position(|running| running.id == id)?;
        Some(self.running.remove(at))
    }

    pub(crate) fn all(&self) -> &[Running] {
        &self.running
    }

    /// A running job that `is_it` accepts.
    pub(crate) fn running(&self, is_it: impl Fn(&Job) -> bool) -> Option<&Running> {
        self.running.iter().find(|running| is_it(&running.job))
    }

    pub(crate) fn survey(&self) -> Option<&Running> {
        self.running(|job| matches!(job, Job::Survey(_)))
    }

    pub(crate) fn loading(&self) -> Option<&Running> {
        self.running(|job| *job == Job::Load)
    }

    /// The job that opens an entry; there is one at most.
    pub(crate) fn opening(&self) -> Option<&Running> {
        self.running(|job| matches!(job, Job::Open(_)))
    }

    /// The job that builds files of the plan.
    pub(crate) fn building(&self) -> Option<&Running> {
        self.running(|job| matches!(job, Job::Plan(PlanTask::Add(_) | PlanTask::Rebuild { .. })))
    }

    /// The running job that is worth most words: those that take long come first.
    pub(crate) fn foremost(&self) -> Option<&Running> {
        let long = self.survey().or_else(|| self.verifying()).or_else(|| self.filling());
        long.or_else(|| self.building()).or_else(|| self.opening())
    }

    /// The verification that runs; there is one at most.
    pub(crate) fn verifying(&self) -> Option<&Running> {
        self.running(|job| matches!(job, Job::Verify(_)))
    }

    /// The running backfill, here or as a merge of a run on GitHub. There is one at most, since it writes the
    /// plan.
    pub(crate) fn filling(&self) -> Option<&Running> {
        self.running(|job| {
            let is_here = matches!(job, Job::Backfill(BackfillTask::Run(_) | BackfillTask::Merge(_)));
            is_here || matches!(job, Job::Actions(ActionsTask::Merge { .. }))
        })
    }

    /// The job that estimates a backfill; there is one at most.
    pub(crate) fn estimating(&self) -> Option<&Running> {
        self.running(|job| matches!(job, Job::Backfill(BackfillTask::Estimate { .. })))
    }

    /// The job that reviews pull requests of others; there is one at most.
    pub(crate) fn reviewing(&self) -> Option<&Running> {
        self.running(|job| matches!(job, Job::Review(_) | Job::Reviews))
    }

    /// The job that prepares a write to GitHub.
    pub(crate) fn preparing(&self) -> Option<&Running> {
        self.running(|job| matches!(job, Job::Prepare(_)))
    }

    /// The job that sends a pull request or undoes one; there is one at most.
    pub(crate) fn sending(&self) -> Option<&Running> {
        self.running(|job| matches!(job, Job::Send(_)))
    }

    /// The job that follows a pull request.
    pub(crate) fn watching(&self) -> Option<&Running> {
        self.running(|job| matches!(job, Job::Watch(_)))
    }

    /// A running job that only writes decisions into the plan.
    pub(crate) fn marking(&self) -> Option<&Running> {
        self.running(|job| matches!(job, Job::Plan(PlanTask::Mark(_) | PlanTask::Drop(_))))
    }

    /// The jobs that the journal lists, the newest first.
    pub(crate) fn journalled(&self) -> impl Iterator<Item = &Running> {
        self.running.iter().rev().filter(|running| running.journal_line.is_some())
    }

    /// Returns true if no visible job runs.
    pub(crate) fn is_empty(&self) -> bool {
        self.running.iter().all(|running| running.job.lane() != JobLane::Open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_that_show_are_numbered_without_gaps() {
        let mut board = Board::default();
        let now = Timestamp::UNIX_EPOCH;
        let ids = [Job::Load, Job::Recall, Job::Plan(PlanTask::Show), Job::Inquire]
            .map(|job| board.begin(job, now));
        assert_eq!((ids[0], ids[3]), (JobId(1), JobId(2)));
        assert_eq!(board.loading().map(|running| running.id), Some(ids[0]));
        assert!(board.end(ids[0]).is_some() && board.end(ids[0]).is_none() && !board.is_empty());
        board.end(ids[3]);
        assert!(board.is_empty() && board.find(ids[1]).is_some(), "the others still run, in silence");
        assert_eq!(board.begin(Job::Load, now), JobId(3));
    }
}
