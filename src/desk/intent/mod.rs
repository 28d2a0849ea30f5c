//! The intents: actions on the desk and their answers, which are started, asked back, or refused with the reason.
//!
//! Abilities that share a gate share a file here, with the question that is asked first and how they begin; one that needs
//! neither is an arm in this file. A gate stands once, whichever face asks; faces differ in what counts as consent. The console
//! alone knows whether there is a row under a cursor, and what was seen of it.

mod again;
mod arm;
mod backfill;
mod block;
mod build;
mod cancel;
mod drop;
mod edit;
mod gates;
mod leave;
mod machine_run;
mod mark;
mod operands;
mod publish;
mod read;
mod review;
mod selection;
mod steer;
mod survey;
#[cfg(test)]
mod tests;
mod verify;
mod watch;

use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;

use crate::desk::filling::Filling;
use crate::desk::history::JobKey;
use crate::desk::launch::{Estimating, FillHow};
use crate::desk::machines::LOG_LINES;
use crate::desk::run::Run;
use crate::desk::sending::Write;
use crate::desk::telling::{self, Message, machines};
use crate::desk::triage::Lookup;
use crate::desk::{Consent, Desk, Registry};
use crate::jobs::data::{
    ActionsTask, BackfillTask, DecideTask, Gate, Job, JobId, OpenPlan, PlanMark, PlanTask, ReplyPlan,
    ReviewPlan, SendTask, Steer, TriagePlan, VerifyPlan, WatchPlan, Writes,
};
use crate::registry::Address;
use crate::rules::edit::Edit;
use crate::rules::sending::Purpose;
use crate::rules::{Depth, Mode};

pub(crate) use cancel::Cancel;
pub(crate) use operands::Operands;
pub(crate) use selection::EntrySelection;
pub(crate) use steer::Steered;
pub(crate) use verify::Stored;

/// An action on the desk. Its subjects are data: nothing here knows a cursor.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Intent {
    Reload,
    /// Look at an entry, or at the rebuild of it.
    Open(OpenPlan),
    /// Ask upstream, and judge.
    Survey {
        selection: EntrySelection,
        depth: Depth,
        /// `None`: the age that fits the selection.
        max_age: Option<Duration>,
        gate: Gate,
    },
    Verify {
        plan: VerifyPlan,
        stored: Option<Stored>,
        hidden: usize,
    },
    VerifyMarked {
        hidden: usize,
    },
    VerifyAgain,
    /// Fill in missing h1 and sizes; `hidden` marked entries cannot be seen.
    Backfill {
        selection: EntrySelection,
        hidden: usize,
        how: FillHow,
    },
    /// Count the cost of a backfill without requests.
    EstimateBackfill {
        selection: EntrySelection,
        how: FillHow,
    },
    /// Continue the last backfill.
    BackfillAgain,
    Pause(Steered, bool),
    Workers(Steered, usize),
    StopAtBad(bool),
    /// Put the rebuild of entries into the plan, over earlier builds; `hidden` of them cannot be seen.
    Add {
        selection: EntrySelection,
        hidden: usize,
        /// `None` is that of a file that is planned already.
        mode: Option<Mode>,
        max_age: Duration,
    },
    /// Add edits of one kind to the plan, one for each entry. They replace planned changes of these entries.
    Edit(Vec<(Address, Edit)>),
    /// Answer a request that the policy refuses: nothing is planned.
    Reply(ReplyPlan),
    /// Say why versions are not available.
    Triage(TriagePlan),
    /// List the versions that no bump adds by itself.
    ListStranded,
    /// Ignore versions for a while, or take that back.
    Decide(DecideTask),
    /// Build the whole plan again.
    Rebuild {
        max_age: Duration,
    },
    /// Remove files from the plan; all of them if none is named.
    Drop(Vec<Address>),
    /// Approve, reject, reopen, or write a note.
    Say(Vec<PlanMark>),
    /// Look at pull requests, or follow one.
    Watch(WatchPlan),
    /// List the open pull requests and rebuild each of them.
    ListReviews,
    /// Rebuild one pull request.
    Review(ReviewPlan),
    /// Allow writing to GitHub for a while, for this reason.
    Arm(String),
    Disarm,
    /// Prepare a write: the pull request of the current plan, a review of a pull request, which is rebuilt and
    /// compared with the earlier result, or a run on GitHub's machines.
    Prepare(Purpose),
    /// Follow such a run to its end; the newest one where none is named.
    FollowRun(Option<u64>),
    /// Put together what it found, into the plan.
    MergeRun(u64),
    /// Read the end of the log of one of its jobs.
    ReadRunLog {
        job: u64,
        name: String,
    },
    /// Write to this new file what it would send.
    WriteOut(PathBuf),
    /// Send it, resume it or undo it, by these digits.
    Confirm(Write, String),
    /// Read what undoing it would send.
    LookAtUndo,
    /// Send, continue or take back what a command line names whole, the digits among it.
    Send(SendTask),
    /// Forget a view of one's own.
    DeleteView(String),
    Cancel(Cancel),
    RunAgain(JobKey),
    Leave,
}

impl Intent {
    /// Returns true if it cannot begin before the registry is read.
    fn needs_registry(&self) -> bool {
        match self {
            Self::Reload
            | Self::Pause(..)
            | Self::Workers(..)
            | Self::StopAtBad(_)
            | Self::Watch(_)
            | Self::DeleteView(_)
            | Self::Cancel(_)
            | Self::Disarm
            | Self::Leave => false,
            Self::Open(_)
            | Self::Survey { .. }
            | Self::Verify { .. }
            | Self::VerifyMarked { .. }
            | Self::VerifyAgain
            | Self::Backfill { .. }
            | Self::EstimateBackfill { .. }
            | Self::BackfillAgain
            | Self::Add { .. }
            | Self::Edit(_)
            | Self::Reply(_)
            | Self::Triage(_)
            | Self::ListStranded
            | Self::Decide(_)
            | Self::Rebuild { .. }
            | Self::Drop(_)
            | Self::Say(_)
            | Self::ListReviews
            | Self::Review(_)
            | Self::Arm(_)
            | Self::Prepare(_)
            | Self::FollowRun(_)
            | Self::MergeRun(_)
            | Self::ReadRunLog { .. }
            | Self::WriteOut(_)
            | Self::Confirm(..)
            | Self::LookAtUndo
            | Self::Send(_)
            | Self::RunAgain(_) => true,
        }
    }
}

/// The answer to an intent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    Started(Begun),
    Question(Question),
    Refused(Message),
}

/// The work for the engine: cancels come first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Begun {
    pub(crate) cancel: Vec<JobId>,
    pub(crate) start: Vec<(JobId, Job)>,
    pub(crate) steer: Option<(JobId, Steer)>,
    pub(crate) leave: bool,
}

/// A question before something is done that cannot be taken back, or is more than what was pointed at.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Question {
    pub(crate) title: &'static str,
    /// The consequences of a yes, in whole sentences.
    pub(crate) says: Vec<String>,
    /// The name of `yes` here.
    pub(crate) yes: &'static str,
    /// The intent that a yes agrees to.
    pub(crate) intent: Intent,
    /// The job of the intent in words, and the most that it writes.
    pub(crate) doing: String,
    pub(crate) writes: Writes,
}

/// The step that an intent leads to, once no gate refuses it.
#[derive(Clone, Debug)]
enum Step {
    Start(Job),
    /// Starts a task of the plan once no other job writes the plan.
    Queue(PlanTask),
    Steer(JobId, Steer),
    Cancel(Vec<JobId>),
    DeleteView(String),
    Arm(String),
    Disarm,
    Leave,
}

/// A question's title, its sentences, and the name of `yes`.
type Prompt = (&'static str, Vec<String>, &'static str);

impl Desk {
    /// Begins an intent, refuses it with the reason, or asks first.
    pub(crate) fn act(&mut self, intent: Intent, now: Timestamp) -> Answer {
        self.arming.tell(now);
        match self.step(&intent) {
            Err(why) => Answer::Refused(why),
            Ok(step) => match self.question(intent, &step, now) {
                Some(question) => Answer::Question(question),
                None => Answer::Started(self.perform(step, now)),
            },
        }
    }

    /// Begins an intent that was agreed to, unless something stands against it by now.
    pub(crate) fn agree(&mut self, intent: &Intent, now: Timestamp) -> Result<Begun, Message> {
        self.arming.tell(now);
        let step = self.step(intent)?;
        Ok(self.perform(step, now))
    }

    /// Returns why an intent cannot begin now, if it cannot. Every frame calls this for each hint, so it never iterates over the list.
    pub(crate) fn may(&self, intent: &Intent) -> Result<(), Message> {
        match intent {
            Intent::Survey { selection, .. } => {
                self.ready()?;
                self.has(selection)?;
                self.no_survey()
            }
            Intent::Add { selection, .. } => {
                self.ready()?;
                self.has(selection)?;
                self.no_building()
            }
            Intent::Edit(_) => {
                self.ready()?;
                self.no_building()
            }
            Intent::VerifyMarked { .. } => {
                self.ready()?;
                self.has(&EntrySelection::Marked)?;
                self.no_verification()
            }
            // Its reason is typed after this.
            Intent::Arm(_) => {
                self.ready()?;
                self.writing_allowed()
            }
            // Its text is long.
            Intent::WriteOut(_) => self.may_write_out().map(drop),
            intent => self.step(intent).map(drop),
        }
    }

    fn step(&self, intent: &Intent) -> Result<Step, Message> {
        let step = self.gate(intent)?;
        match &step {
            Step::Start(job) if job.is_long() => self.free()?,
            _ => {}
        }
        Ok(step)
    }

    /// The step that an intent leads to by itself, or the reason that stands against it.
    fn gate(&self, intent: &Intent) -> Result<Step, Message> {
        if intent.needs_registry() {
            self.ready()?;
        }
        match intent {
            Intent::Reload => self.reload(),
            Intent::Open(plan) => Ok(Step::Start(Job::Open(plan.clone()))),
            Intent::Survey { selection, depth, max_age, gate } => {
                self.survey(selection, *depth, *max_age, *gate)
            }
            Intent::Verify { plan, stored, .. } => self.verify(plan, stored.as_ref()),
            Intent::VerifyMarked { .. } => self.verify_marked(),
            Intent::VerifyAgain => self.verify_again(),
            Intent::Backfill { selection, how, .. } => self.backfill(selection, how),
            Intent::EstimateBackfill { selection, how } => self.estimate_backfill(selection, how),
            Intent::BackfillAgain => self.backfill_again(),
            Intent::Pause(which, is_paused) => self.pause(*which, *is_paused),
            Intent::Workers(which, workers) => self.set_workers(*which, *workers),
            Intent::StopAtBad(stops) => self.stop_at_bad(*stops),
            Intent::Add { selection, mode, max_age, .. } => self.add(selection, mode.as_ref(), *max_age),
            Intent::Edit(edits) => self.edit(edits),
            Intent::Reply(plan) => self.reply(plan),
            Intent::Triage(plan) => read::triage(plan),
            Intent::ListStranded => Ok(Step::Start(Job::Stranded)),
            Intent::Decide(task) => Ok(Step::Start(Job::Decide(task.clone()))),
            Intent::Rebuild { max_age } => self.rebuild(*max_age),
            Intent::Drop(addresses) => self.drop_files(addresses),
            Intent::Say(marks) => self.mark(marks),
            Intent::Watch(plan) => self.watch(*plan),
            Intent::ListReviews => self.review(Job::Reviews),
            Intent::Review(plan) => self.review(Job::Review(*plan)),
            Intent::Arm(reason) => self.arm(reason),
            Intent::Disarm => self.disarm(),
            Intent::Prepare(purpose) => self.prepare(purpose),
            Intent::FollowRun(run) => Ok(Step::Start(self.following(*run)?)),
            Intent::MergeRun(run) => self.merge_run(*run),
            Intent::ReadRunLog { job, name } => {
                let (job, name) = (*job, name.clone());
                Ok(Step::Start(Job::Actions(ActionsTask::Log { job, name, lines: LOG_LINES })))
            }
            Intent::WriteOut(file) => self.write_out(file),
            Intent::Confirm(write, digits) => self.confirm(*write, digits),
            Intent::LookAtUndo => self.look_at_undo(),
            Intent::Send(task) => self.send(task),
            Intent::DeleteView(name) => self.delete_view(name),
            Intent::Cancel(cancel) => self.cancel(*cancel),
            Intent::RunAgain(key) => self.run_again(*key),
            Intent::Leave => Ok(Step::Leave),
        }
    }

    /// The question before a step, if there is one.
    fn question(&self, intent: Intent, step: &Step, now: Timestamp) -> Option<Question> {
        let job = match step {
            Step::Start(job) => Some(job.clone()),
            Step::Queue(task) => Some(Job::Plan(task.clone())),
            Step::Steer(..)
            | Step::Cancel(_)
            | Step::DeleteView(_)
            | Step::Arm(_)
            | Step::Disarm
            | Step::Leave => None,
        };
        let writes = job.as_ref().map_or(Writes::Nothing, Job::writes);
        let always = self.consent == Consent::Spoken && writes > Writes::Memory;
        let (title, says, yes) =
            self.prompt(&intent, step, now).or(always.then(|| ("Do it?", Vec::new(), "do it")))?;
        let doing = job.as_ref().map(Job::sentence).unwrap_or_default();
        Some(Question { title, says, yes, intent, doing, writes })
    }

    /// The question that every face asks before a step.
    fn prompt(&self, intent: &Intent, step: &Step, now: Timestamp) -> Option<Prompt> {
        let unseen = match intent {
            Intent::Add { hidden, .. }
            | Intent::Verify { hidden, .. }
            | Intent::VerifyMarked { hidden }
            | Intent::Backfill { hidden, .. } => *hidden,
            _ => 0,
        };
        let hidden = telling::hidden(unseen);
        match (intent, step) {
            (Intent::Edit(edits), _) => self.edit_prompt(edits),
            (_, Step::Start(Job::Plan(PlanTask::Add(add)))) => {
                self.add_prompt(add, unseen, matches!(intent, Intent::RunAgain(_)))
            }
            (_, Step::Start(Job::Plan(PlanTask::Rebuild { .. }))) => Some(self.rebuild_prompt()),
            (Intent::Drop(addresses), _) => Some(self.drop_prompt(addresses)),
            // It was asked about when it was begun, and is still on the screen.
            (Intent::VerifyAgain | Intent::BackfillAgain, _) => None,
            (Intent::Verify { stored, .. }, Step::Start(Job::Verify(plan))) => {
                self.verify_prompt(plan, stored.as_ref(), hidden)
            }
            (_, Step::Start(Job::Verify(plan))) => self.verify_prompt(plan, None, hidden),
            (_, Step::Start(Job::Backfill(BackfillTask::Run(run)))) => {
                Some(self.backfill_prompt(run, hidden))
            }
            (_, Step::Start(Job::Actions(ActionsTask::Merge { run, .. }))) => {
                Some(("Put it together?", machines::merges(*run), "put together"))
            }
            (_, Step::Start(Job::Survey(plan))) => self.survey_prompt(plan, now),
            (Intent::Cancel(cancel), Step::Cancel(ids)) => self.cancel_prompt(*cancel, ids),
            (Intent::DeleteView(name), _) => Some(drop::delete_view_prompt(name)),
            (Intent::Leave, _) => self.leave_prompt(),
            _ => None,
        }
    }

    fn perform(&mut self, step: Step, now: Timestamp) -> Begun {
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
        // Of entries that are opened one after the other only the last is wanted, and so of writes that are made ready.
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
            Job::Verify(plan) => self.run = Some(Run::new(id, plan.clone(), now)),
            Job::Backfill(BackfillTask::Run(run)) => self.filling = Some(Filling::new(id, run.clone(), now)),
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
