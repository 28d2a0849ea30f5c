//! Looks at pull requests, or follows one.

use crate::desk::Desk;
use crate::desk::intent::Step;
use crate::desk::telling::{Message, refuse};
use crate::jobs::data::{Job, WatchPlan};

impl Desk {
    pub(super) fn watch(&self, plan: WatchPlan) -> Result<Step, Message> {
        self.not_watched(plan)?;
        Ok(Step::Start(Job::Watch(plan)))
    }

    /// Refuses to follow a pull request twice at the same time.
    pub(super) fn not_watched(&self, plan: WatchPlan) -> Result<(), Message> {
        let is_it = |job: &Job| matches!(job, Job::Watch(other) if other.number == plan.number);
        match (plan.number, self.board.running(is_it)) {
            (Some(number), Some(_)) => refuse(format!("#{number} is watched already")),
            (None, Some(_)) => refuse("they are being read"),
            (_, None) => Ok(()),
        }
    }
}
