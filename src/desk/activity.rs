//! The files that bumps changed lately, and when they are counted again.

use std::sync::Arc;

use jiff::Timestamp;

use crate::desk::{Desk, Registry};
use crate::jobs::data::{Job, JobId};
use crate::rules::activity::{Activity, day_of};
use crate::rules::memory::{self, Memory};

/// The activity of the open registry.
#[derive(Clone, Debug, Default)]
pub(crate) struct CountedActivity {
    /// The last count, of this run or an earlier one.
    pub(crate) counted: Option<Arc<Activity>>,
    /// The revision and the day of the last job that was begun. A count that fails is not tried again.
    begun: Option<(String, i64)>,
}

impl Desk {
    /// Begins to count if the registry is at another commit than at the last count, or it is another day. Waits until the
    /// registry and the memory were read.
    pub(crate) fn count_activity(&mut self, now: Timestamp) -> Option<(JobId, Job)> {
        let Registry::Loaded(header) = &self.registry else { return None };
        let CountedActivity { counted, begun } = &mut self.activity;
        let (revision, today) = (&header.revision, day_of(now));
        // A plain folder has no revision.
        let is_known = revision.is_empty()
            || counted.as_ref().is_some_and(|counted| counted.is_of(revision, now))
            || begun.as_ref().is_some_and(|(begun, day)| begun == revision && *day == today);
        let is_busy = |job: &Job| matches!(job, Job::Load | Job::Recall | Job::Activity(_));
        if is_known || self.board.running(is_busy).is_some() {
            return None;
        }
        *begun = Some((revision.clone(), today));
        let job = Job::Activity(counted.clone());
        Some((self.board.begin(job.clone(), now), job))
    }

    /// Takes a count, and has it kept. That of a shallow clone is not: its history may be fetched without a new commit.
    pub(super) fn take_activity(&mut self, activity: Arc<Activity>) {
        if activity.files.is_some() {
            let mut memory = Memory::new();
            memory::put_activity(&mut memory, &activity);
            self.list.also_keep(memory);
        }
        self.activity.counted = Some(activity);
    }

    /// Takes the count of an earlier run.
    pub(super) fn recall_activity(&mut self, memory: &Memory) {
        self.activity.counted = memory::activity(memory).map(Arc::new);
    }
}
