//! The jobs that the line mode started: what each is for, how far it is, and which may run beside which.

use crate::jobs::{JobId, Progress};
use crate::print::progress::Steps;
use crate::registry::Address;

/// What a job was started for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    Recall,
    Remember,
    /// The views were changed by hand.
    KeepViews,
    Load,
    Survey,
    /// The one that the line mode begins with: the list is read out after it.
    FirstSurvey,
    Verify,
    Show,
    Diff,
    /// The plan as it is.
    PlanList,
    /// A change of the plan, and the file that it is about.
    PlanChange(Option<Address>),
    /// One planned file in full.
    Review,
    /// This planned file was looked at.
    See(Address),
    PastJobs,
    Log,
}

impl Doing {
    /// Whether it may take long: two such jobs never run side by side, and its begin and end are told.
    pub(crate) fn is_long(&self) -> bool {
        matches!(
            self,
            Self::Load | Self::Survey | Self::FirstSurvey | Self::Verify | Self::Diff | Self::PlanChange(_)
        )
    }
}

/// A job under way.
#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) id: JobId,
    pub(crate) doing: Doing,
    /// `survey of everything`.
    pub(crate) what: String,
    steps: Steps,
    pub(crate) stopping: bool,
}

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct Work {
    last: u64,
    running: Vec<Running>,
}

impl Work {
    /// Gives a job its id.
    pub(crate) fn add(&mut self, doing: Doing, what: String) -> JobId {
        self.last += 1;
        let id = JobId(self.last);
        self.running.push(Running { id, doing, what, steps: Steps::default(), stopping: false });
        id
    }

    pub(crate) fn find(&self, id: JobId) -> Option<&Running> {
        self.running.iter().find(|running| running.id == id)
    }

    /// The job is over.
    pub(crate) fn take(&mut self, id: JobId) -> Option<Running> {
        let at = self.running.iter().position(|running| running.id == id)?;
        Some(self.running.remove(at))
    }

    /// The job that stands in the way of another long one.
    pub(crate) fn long(&self) -> Option<&Running> {
        self.running.iter().find(|running| running.doing.is_long())
    }

    pub(crate) fn is_at_rest(&self) -> bool {
        self.running.is_empty()
    }

    /// Marks all as stopping; gives back those that were not.
    pub(crate) fn stop(&mut self) -> Vec<JobId> {
        let going = self.running.iter_mut().filter(|running| !running.stopping);
        going
            .map(|running| {
                running.stopping = true;
                running.id
            })
            .collect()
    }

    /// What runs, for people: `survey of everything`.
    pub(crate) fn told(&self) -> String {
        self.running.iter().map(|running| running.what.as_str()).collect::<Vec<_>>().join(" and ")
    }

    /// How far a job is, if that is worth a line.
    pub(crate) fn progress(&mut self, id: JobId, progress: Progress) -> Option<Progress> {
        let running = self.running.iter_mut().find(|running| running.id == id)?;
        match running.doing {
            // Rows are counted instead: a few large archives would be told one by one.
            Doing::Verify => running.steps.keep(progress),
            _ if running.doing.is_long() => return running.steps.on(progress),
            _ => {}
        }
        None
    }

    /// Ten seconds went by.
    pub(crate) fn tick(&mut self) -> Vec<Progress> {
        self.running.iter_mut().filter_map(|running| running.steps.tick()).collect()
    }
}
