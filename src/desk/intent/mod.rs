//! The intents: actions on the desk and their answers, which are started, asked back, or refused with the reason.
//!
//! Abilities that share a gate share a file here, with the question that is asked first and how they begin; one that needs
//! neither is an arm in this file. A gate stands once, whichever face asks; faces differ in what counts as consent. The console
//! alone knows whether there is a row under a cursor, and what was seen of it. All matches of the desk on abilities and intents
//! stand in this file, so that one more of them touches no other file of the desk.

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
mod perform;
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

use crate::desk::ability::Ability;
use crate::desk::history::JobKey;
use crate::desk::launch::FillHow;
use crate::desk::machines::LOG_LINES;
use crate::desk::sending::Write;
use crate::desk::telling::{self, Message, machines};
use crate::desk::{Consent, Desk};
use crate::jobs::data::{
    ActionsTask, BackfillTask, DecideTask, Gate, Job, JobId, OpenPlan, PlanMark, PlanTask, ReplyPlan,
    ReviewPlan, SendTask, Steer, TriagePlan, VerifyPlan, WatchPlan, Writes,
};
use crate::registry::Address;
use crate::rules::edit::Edit;
use crate::rules::plan::{Verb, Which};
use crate::rules::sending::{ActionsPlan, Purpose};
use crate::rules::{Depth, Mode};

pub(crate) use cancel::Cancel;
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
    /// Notes how many of the selected entries cannot be seen, for the question before the intent.
    pub(crate) fn hiding(mut self, count: usize) -> Self {
        if let Self::Add { hidden, .. }
        | Self::Verify { hidden, .. }
        | Self::VerifyMarked { hidden }
        | Self::Backfill { hidden, .. } = &mut self
        {
            *hidden = count;
        }
        self
    }

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

/// The things that a face points at: rows, a number, a line that was typed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Operands<'a> {
    /// The selected entries.
    pub(crate) selection: EntrySelection,
    /// The one entry that is pointed at.
    pub(crate) address: Option<&'a Address>,
    pub(crate) version: Option<&'a str>,
    /// A pull request, a run on GitHub's machines, or a number of machines.
    pub(crate) number: Option<u64>,
    /// A change of the plan.
    pub(crate) change: Option<(Address, Which)>,
    /// The line of a field, or the rest of a line.
    pub(crate) text: &'a str,
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

    /// Returns the intent of an ability for these operands, or why there is none. `None` if nothing that it is about is pointed
    /// at, or if only a face can make the intent or does it all by itself.
    pub(crate) fn intent_of(&self, ability: Ability, on: &Operands<'_>) -> Option<Result<Intent, Message>> {
        let entry = || on.address.cloned();
        let selection = || on.selection.clone();
        let text = || on.text.to_owned();
        let mark = |verb| {
            let (address, which) = on.change.clone()?;
            Some(Intent::Say(vec![PlanMark { address, which, verb }]))
        };
        Some(Ok(match ability {
            Ability::Look => Intent::look(entry()?),
            Ability::Build => Intent::build(entry()?),
            Ability::Survey => Intent::survey(selection()),
            Ability::SurveyShown => Intent::survey(EntrySelection::Shown),
            Ability::CancelSurvey => Intent::Cancel(Cancel::Survey),
            Ability::Verify if on.selection == EntrySelection::Marked => Intent::VerifyMarked { hidden: 0 },
            Ability::Verify => Intent::verify(entry()?, on.version.map(str::to_owned), None),
            Ability::VerifyRest => Intent::VerifyAgain,
            Ability::CancelVerification => Intent::Cancel(Cancel::Verification),
            Ability::Backfill => {
                Intent::Backfill { selection: selection(), hidden: 0, how: FillHow::default() }
            }
            Ability::BackfillRest => Intent::BackfillAgain,
            Ability::CancelBackfill => Intent::Cancel(Cancel::Backfill),
            Ability::Dispatch => {
                let shares = on.number.map_or(1, |shares| usize::try_from(shares).unwrap_or(usize::MAX));
                return Some(self.dispatching(&on.selection, shares).map(Intent::prepare));
            }
            Ability::FollowRun => Intent::FollowRun(on.number),
            Ability::RerunRun => Intent::prepare(ActionsPlan::Rerun { run: on.number? }),
            Ability::MergeRun => Intent::MergeRun(on.number?),
            Ability::Reload => Intent::Reload,
            Ability::Add => Intent::add(selection(), 0),
            Ability::ClearErrors => return Some(self.clearing(on.address?)),
            Ability::Block => {
                let address = on.address?;
                let block = |version| Intent::edit(address.clone(), Edit::Block(vec![version], text()));
                return Some(self.blockable(address, on.version).map(block));
            }
            Ability::RebuildFile => Intent::add(EntrySelection::These(vec![entry()?]), 0),
            Ability::RebuildPlan => Intent::rebuild(),
            Ability::DropFile => Intent::Drop(vec![entry()?]),
            Ability::Approve => mark(Verb::Approve)?,
            Ability::Reject => mark(Verb::Reject)?,
            Ability::Reopen => mark(Verb::Reopen)?,
            Ability::Note => mark(Verb::Note(text()))?,
            Ability::Watch => Intent::Watch(WatchPlan { number: on.number, once: on.number.is_none() }),
            Ability::ListReviews => Intent::ListReviews,
            Ability::Review | Ability::ReviewDiff => {
                Intent::Review(ReviewPlan { number: on.number?, hashes: false })
            }
            Ability::HashReview => Intent::Review(ReviewPlan { number: on.number?, hashes: true }),
            Ability::CancelReview => Intent::Cancel(Cancel::Review),
            Ability::ShowStranded => Intent::ListStranded,
            Ability::Triage => Intent::Triage(TriagePlan::of(on.text)),
            Ability::Recheck | Ability::EditPull => Intent::prepare(self.pull.purpose.clone()),
            Ability::Arm => Intent::Arm(text()),
            Ability::Disarm => Intent::Disarm,
            Ability::WriteOut => Intent::WriteOut(on.text.into()),
            Ability::TypeDigits => Intent::Confirm(Write::Open, text()),
            Ability::Resume => Intent::Confirm(Write::Resume, text()),
            Ability::Undo if on.text.is_empty() => Intent::LookAtUndo,
            Ability::Undo => Intent::Confirm(Write::Undo, text()),
            Ability::CancelPull => Intent::Cancel(Cancel::Pull),
            Ability::CancelAll => Intent::Cancel(Cancel::All),
            Ability::Leave => Intent::Leave,
            // A face takes these apart, or does them by itself. A face that does neither is silent: a test of line mode finds
            // that, and none of the console does.
            #[rustfmt::skip]
            Ability::DeleteView | Ability::Views | Ability::Browse | Ability::CopyPath | Ability::SurveyBoard
            | Ability::ReadRunLogs | Ability::PauseVerification | Ability::PauseBackfill | Ability::PauseJob
            | Ability::MoreWorkers | Ability::FewerWorkers | Ability::StopAtBad | Ability::ShowVerification
            | Ability::ShowBackfill | Ability::Warn | Ability::Remove | Ability::Submit | Ability::ShowPlan
            | Ability::ShowFile | Ability::CancelBuild | Ability::Judge | Ability::Ignore | Ability::Unignore
            | Ability::DraftMessage | Ability::ShowPull | Ability::NextPull | Ability::ShowGate
            | Ability::ShowJobs | Ability::RunAgain | Ability::CancelJob | Ability::Clone => return None,
        }))
    }
}
