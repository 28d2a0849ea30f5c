//! The beginning of a step: its job on the board, and what the desk keeps beside it.

use jiff::Timestamp;

use crate::desk::filling::Filling;
use crate::desk::intent::{Begun, Step};
use crate::desk::launch::Estimating;
use crate::desk::run::Run;
use crate::desk::triage::Lookup;
use crate::desk::{Desk, Registry};
use crate::jobs::data::{BackfillTask, Job, PlanTask, TriagePlan};

impl Desk {
    pub(super) fn perform(&mut self, step: Step, now: Timestamp) -> Begun {
        let mut begun = Begun::default();
        match step {
            Step::Start(job) => self.begin(&mut begun, job, now),
            Step::Queue(PlanTask::Mark(marks)) => {
                for mark in marks {
                    self.planning.say(mark);
                }
                begun.start.extend(self.say_next(now));
            }
            Step::Queue(PlanTask::Drop(addresses)) => {
                let all = self.planning.files().iter().map(|file| file.address.clone());
                let drops = if addresses.is_empty() { all.collect() } else { addresses };
                self.planning.pending.drops.extend(drops);
                begun.start.extend(self.say_next(now));
            }
            Step::Queue(task) => self.begin(&mut begun, Job::Plan(task), now),
            Step::Steer(id, steer) => {
                self.keep_steer(id, steer);
                begun.steer = Some((id, steer));
            }
            Step::Cancel(ids) => {
                for id in ids {
                    if let Some(job) = self.board.find(id) {
                        job.cancelling = true;
                    }
                    begun.cancel.push(id);
                }
            }
            Step::DeleteView(name) => {
                self.list.delete_view(&name);
            }
            Step::Arm(reason) => {
                self.arming.begin(&reason);
                self.begin(&mut begun, Job::Inquire, now);
            }
            Step::Disarm => {
                self.arming.end();
            }
            Step::Leave => begun.leave = true,
        }
        begun
    }

    /// Puts a job on the board, and what the desk keeps of its kind beside it.
    fn begin(&mut self, begun: &mut Begun, job: Job, now: Timestamp) {
        // Only the entry that was opened last is wanted, and only the write that was prepared last.
        let before = match &job {
            Job::Open(_) => self.board.opening(),
            Job::Prepare(_) => self.board.preparing(),
            Job::Backfill(BackfillTask::Estimate { .. }) => self.board.estimating(),
            _ => None,
        };
        if let Some(before) = before.map(|job| job.id) {
            self.board.end(before);
            begun.cancel.push(before);
        }
        let id = self.board.begin(job.clone(), now);
        match &job {
            Job::Load if !matches!(self.registry, Registry::Loaded(_)) => self.registry = Registry::Loading,
            Job::Plan(PlanTask::Add(add)) => self.planning.pending.wanted = add.addresses(),
            Job::Plan(PlanTask::Rebuild { .. }) => self.planning.pending.wanted.clear(),
            Job::Prepare(purpose) => self.pull.begin(purpose.clone()),
            Job::Send(task) => self.pull.begin_sending(task),
            Job::Verify(plan) => {
                let order = self.run.as_ref().map(|run| run.order).unwrap_or_default();
                self.run = Some(Run::new(id, plan.clone(), now, order));
            }
            Job::Backfill(BackfillTask::Run(run)) => {
                let order = self.filling.as_ref().map(|filling| filling.order).unwrap_or_default();
                self.filling = Some(Filling::new(id, run.clone(), now, order));
            }
            Job::Backfill(BackfillTask::Estimate { selection, .. }) => {
                let selection = selection.clone();
                self.estimate = Some(Estimating { job: id, selection, found: None, failure: None });
            }
            Job::Triage(TriagePlan { lines, list: None }) if lines.len() == 1 => {
                self.triage = Some(Lookup::new(id, lines[0].clone()));
            }
            // The desk keeps nothing of the other jobs but their place on the board.
            _ => {}
        }
        begun.start.push((id, job));
    }
}
