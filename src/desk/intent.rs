//! What can be done with the desk, and what comes of it: started, asked back, or refused with the reason.
//!
//! Every gate stands here once, whichever face it is asked from. What differs between faces is what counts as consent. Whether
//! there is a row under a cursor, and what was seen of it, the console alone knows.

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;

use crate::desk::arming::Arming;
use crate::desk::board::Running;
use crate::desk::filling::Filling;
use crate::desk::history::JobKey;
use crate::desk::launch::{Estimating, FillHow};
use crate::desk::machines::LOG_LINES;
use crate::desk::run::{End, Run};
use crate::desk::sending::Write;
use crate::desk::telling::{Message, Way, Why, machines};
use crate::desk::triage::Lookup;
use crate::desk::{Consent, Desk, Header, Registry, history, telling};
use crate::jobs::data::{
    ActionsTask, BackfillOutput, BackfillPart, BackfillRun, BackfillTask, DecideTask, Gate, Job, JobId,
    MAX_AGE, MOST_WORKERS, OpenPlan, PlanAdd, PlanMark, PlanTask, ReplyPlan, ReviewPlan, Scope, SendTask,
    Steer, SurveyPlan, TriagePlan, VerifyPlan, Wanted, WatchPlan, Writes,
};
use crate::registry::version::trim_v;
use crate::registry::{Address, Kind, Shape};
use crate::rules::actions::MOST_SHARES;
use crate::rules::amount::{Form, bytes, counted, grouped, length, since};
use crate::rules::backfill::{Selected, Selection};
use crate::rules::edit::{Edit, twins};
use crate::rules::plan::{Mark, Plan, PlannedFile, Refusal, Verb, Which};
use crate::rules::policy::{Permit, Reason, Refusal as PolicyRefusal};
use crate::rules::sending::{ActionsPlan, PullPlan, Purpose, VerdictPlan};
use crate::rules::{Depth, Mode, Remedy, Verdict, VersionMark, VersionState};

/// More targets than this are asked about first.
const MANY_TARGETS: u64 = 200;
/// Surveys that read more rows than this are asked about first.
const MANY_ROWS: usize = 200;
/// So many whose size nobody knows are asked about first: about one version of a provider is begun without a question.
const MANY_UNKNOWN: u64 = 20;

/// Which entries are meant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Meant {
    Everything,
    Shown,
    Marked,
    These(Vec<Address>),
    /// What a command line said, be it none.
    Within(Scope),
}

/// What an opened entry knows of the version that is to be verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) is_indexed: bool,
    pub(crate) targets: Option<u32>,
    pub(crate) hashed: Option<u32>,
}

/// Which of the running jobs is to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cancel {
    This(JobId),
    Survey,
    Verification,
    Backfill,
    /// Whatever reviews.
    Review,
    /// The pull request that is made ready or sent.
    Pull,
    /// The line that is being answered.
    Triage,
    All,
}

/// Which of the jobs that download archives is steered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Steered {
    Verification,
    Backfill,
}

/// What is done with one entry that is pointed at or named, by a row of the keys and of the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OnEntry {
    Look,
    Build,
}

impl OnEntry {
    pub(crate) fn intent(self, address: Address) -> Intent {
        match self {
            Self::Look => Intent::look(address),
            Self::Build => Intent::build(address),
        }
    }
}

/// Something to be done. Subjects are data: nothing here knows a cursor.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Intent {
    Reload,
    /// Look at an entry, or at the rebuild of it.
    Open(OpenPlan),
    /// Ask upstream, and judge.
    Survey {
        meant: Meant,
        depth: Depth,
        /// `None` is what fits what is meant.
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
    /// Fill in h1 and size where they are lacking; `hidden` of what is marked cannot be seen.
    Backfill {
        meant: Meant,
        hidden: usize,
        how: FillHow,
    },
    /// Count what that would cost, asking nobody.
    EstimateBackfill {
        meant: Meant,
        how: FillHow,
    },
    /// The last backfill once more: what is left of it.
    BackfillAgain,
    Pause(Steered, bool),
    Workers(Steered, usize),
    StopAtBad(bool),
    /// Put the rebuild of entries into the plan, over earlier builds; `hidden` of them cannot be seen.
    Add {
        meant: Meant,
        hidden: usize,
        /// `None` is that of a file that is planned already.
        mode: Option<Mode>,
        max_age: Duration,
    },
    /// Put edits into the plan, all of one kind and each of another entry, over what is planned of it.
    Edit(Vec<(Address, Edit)>),
    /// Answer a request that the policy refuses: nothing is planned.
    Reply(ReplyPlan),
    /// Say why versions are not available.
    Triage(TriagePlan),
    /// Say which versions no bump brings by itself.
    ListStranded,
    /// Ignore versions for a while, or take that back.
    Decide(DecideTask),
    /// Build the whole plan again.
    Rebuild {
        max_age: Duration,
    },
    /// Take files out of the plan; all of them if none is named.
    Drop(Vec<Address>),
    /// Approve, reject, reopen, or write a note.
    Say(Vec<PlanMark>),
    /// Look at pull requests, or follow one.
    Watch(WatchPlan),
    /// List the open pull requests and make each again.
    ListReviews,
    /// Make one of them again.
    Review(ReviewPlan),
    /// Allow writing to GitHub for a while, for this reason.
    Arm(String),
    Disarm,
    /// Make the pull request of the plan ready, as it is asked for; the plan is that of now.
    PreparePull(PullPlan),
    /// Make a verdict on a pull request that was reviewed ready: it is made again, and held against what was found of it.
    PrepareVerdict(VerdictPlan),
    /// Makes a run on GitHub's machines ready.
    PrepareRun(ActionsPlan),
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
    pub(crate) fn look(address: Address) -> Self {
        Self::Open(OpenPlan { address, rebuild: None, max_age: None, depth: Depth::Versions, with_key: None })
    }

    /// Builds the rebuild of an entry, to look at it: made from what upstream says now.
    pub(crate) fn build(address: Address) -> Self {
        Self::Open(OpenPlan {
            address,
            rebuild: Some(Mode::Add),
            max_age: Some(MAX_AGE),
            depth: Depth::Versions,
            with_key: None,
        })
    }

    pub(crate) fn survey(meant: Meant) -> Self {
        Self::Survey { meant, depth: Depth::Versions, max_age: None, gate: Gate::Tags }
    }

    pub(crate) fn verify(address: Address, version: Option<String>, stored: Option<Stored>) -> Self {
        Self::Verify { plan: VerifyPlan::new(vec![Wanted { address, version }]), stored, hidden: 0 }
    }

    pub(crate) fn edit(address: Address, edit: Edit) -> Self {
        Self::Edit(vec![(address, edit)])
    }

    pub(crate) fn add(meant: Meant, hidden: usize) -> Self {
        Self::Add { meant, hidden, mode: None, max_age: MAX_AGE }
    }

    /// Removes versions, or answers why they are not removed, by the registry's policy.
    ///
    /// # Errors
    /// The reason is an exceptional one, and what it needs is missing: what, as a part of a sentence.
    pub(crate) fn remove(
        (address, versions): (Address, Vec<String>),
        reason: Reason,
        (announcement, issue): (Option<&str>, Option<u64>),
    ) -> Result<Self, String> {
        match Permit::new(reason, announcement, issue) {
            Ok(permit) => Ok(Self::edit(address, Edit::Remove(versions, permit))),
            Err(PolicyRefusal::Ordinary(reason)) => Ok(Self::Reply(ReplyPlan { address, versions, reason })),
            Err(PolicyRefusal::Incomplete(why)) => Err(why),
        }
    }

    /// Plans the removal of whole entries, or returns the reasons why the registry's policy does not allow it.
    ///
    /// # Errors
    /// Returns the same errors as [`Self::remove`].
    pub(crate) fn remove_entries(
        addresses: Vec<Address>,
        reason: Reason,
        (announcement, issue): (Option<&str>, Option<u64>),
    ) -> Result<Self, String> {
        match Permit::new(reason, announcement, issue) {
            Ok(permit) => {
                let edit = |address| (address, Edit::RemoveEntry(permit.clone()));
                Ok(Self::Edit(addresses.into_iter().map(edit).collect()))
            }
            Err(PolicyRefusal::Ordinary(reason)) => {
                let address = addresses.into_iter().next().ok_or("no entry is named")?;
                Ok(Self::Reply(ReplyPlan { address, versions: Vec::new(), reason }))
            }
            Err(PolicyRefusal::Incomplete(why)) => Err(why),
        }
    }

    /// Makes ready what is asked for.
    pub(crate) fn prepare(asked: Purpose) -> Self {
        match asked {
            Purpose::Pull(plan) => Self::PreparePull(plan),
            Purpose::Verdict(plan) => Self::PrepareVerdict(plan),
            Purpose::Actions(plan) => Self::PrepareRun(plan),
        }
    }

    pub(crate) fn rebuild() -> Self {
        Self::Rebuild { max_age: MAX_AGE }
    }
}

/// What comes of an intent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    Started(Begun),
    Asked(Question),
    Refused(Message),
}

/// What is to be done outside; cancels come first.
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
    /// What will be done, in whole sentences.
    pub(crate) says: Vec<String>,
    /// What `yes` is called here.
    pub(crate) yes: &'static str,
    /// What a yes agrees to.
    pub(crate) intent: Intent,
    /// What that is called, and what it writes.
    pub(crate) doing: String,
    pub(crate) writes: Writes,
}

/// What an intent leads to, once nothing stands against it.
#[derive(Clone, Debug)]
enum Step {
    Start(Job),
    /// The same, but it writes the plan when nobody else does.
    Queue(PlanTask),
    Steer(JobId, Steer),
    Cancel(Vec<JobId>),
    DeleteView(String),
    Arm(String),
    Disarm,
    Leave,
}

fn no<T>(message: impl Into<Message>) -> Result<T, Message> {
    Err(message.into())
}

impl Desk {
    /// Does what is meant, or says what stands against it, or asks first.
    pub(crate) fn act(&mut self, intent: Intent, now: Timestamp) -> Answer {
        self.arming.tell(now);
        match self.step(&intent) {
            Err(why) => Answer::Refused(why),
            Ok(step) => match self.question(intent, &step, now) {
                Some(question) => Answer::Asked(question),
                None => Answer::Started(self.perform(step, now)),
            },
        }
    }

    /// Does what was agreed to, unless something stands against it by now.
    pub(crate) fn agree(&mut self, intent: &Intent, now: Timestamp) -> Result<Begun, Message> {
        self.arming.tell(now);
        let step = self.step(intent)?;
        Ok(self.perform(step, now))
    }

    /// Whether something can be done now, or why not. Asked for each hint of a frame, so that no list is gone over.
    pub(crate) fn may(&self, intent: &Intent) -> Result<(), Message> {
        match intent {
            Intent::Survey { meant, .. } => {
                self.ready()?;
                self.has(meant)?;
                self.no_survey()
            }
            Intent::Add { meant, .. } => {
                self.ready()?;
                self.has(meant)?;
                self.no_building()
            }
            Intent::Edit(_) => {
                self.ready()?;
                self.no_building()
            }
            Intent::VerifyMarked { .. } => {
                self.ready()?;
                self.has(&Meant::Marked)?;
                self.no_verification()
            }
            // Its text is long.
            Intent::WriteOut(_) => self.may_write_out().map(drop),
            intent => self.step(intent).map(drop),
        }
    }

    /// Whether any entry is meant.
    fn has(&self, meant: &Meant) -> Result<(), Message> {
        let (is_any, none) = match meant {
            Meant::Everything | Meant::Within(_) => (true, ""),
            Meant::Shown => (!self.list.shown.is_empty(), "nothing is shown"),
            Meant::Marked => (self.list.marks.contains(&true), "nothing is marked"),
            Meant::These(addresses) => (!addresses.is_empty(), "no entry is named"),
        };
        if is_any { Ok(()) } else { no(none) }
    }

    /// The entries that are meant.
    fn meant(&self, meant: &Meant) -> Result<Scope, Message> {
        self.has(meant)?;
        Ok(match meant {
            Meant::Everything => Scope::Everything,
            Meant::Shown if self.list.shown.len() == self.list.verdicts.len() => Scope::Everything,
            Meant::Shown => Scope::Addresses(self.list.shown_addresses()),
            Meant::Marked => Scope::Addresses(self.list.marked()),
            Meant::These(addresses) => Scope::Addresses(addresses.clone()),
            Meant::Within(scope) => scope.clone(),
        })
    }

    fn named(&self, meant: &Meant) -> Result<Vec<Address>, Message> {
        match self.meant(meant)? {
            Scope::Addresses(addresses) => Ok(addresses),
            _ => Ok(self.list.catalog.rows.iter().map(|row| row.address.clone()).collect()),
        }
    }

    fn step(&self, intent: &Intent) -> Result<Step, Message> {
        let step = self.leads_to(intent)?;
        match &step {
            Step::Start(job) if job.is_long() => self.free()?,
            _ => {}
        }
        Ok(step)
    }

    /// What an intent leads to by itself. All but a few need the registry.
    fn leads_to(&self, intent: &Intent) -> Result<Step, Message> {
        match intent {
            Intent::Reload
            | Intent::Pause(..)
            | Intent::Workers(..)
            | Intent::StopAtBad(_)
            | Intent::Watch(_)
            | Intent::DeleteView(_)
            | Intent::Cancel(_)
            | Intent::Disarm
            | Intent::Leave => {}
            Intent::Open(_)
            | Intent::Survey { .. }
            | Intent::Verify { .. }
            | Intent::VerifyMarked { .. }
            | Intent::VerifyAgain
            | Intent::Backfill { .. }
            | Intent::BackfillAgain
            | Intent::EstimateBackfill { .. }
            | Intent::Add { .. }
            | Intent::Edit(_)
            | Intent::Reply(_)
            | Intent::Triage(_)
            | Intent::ListStranded
            | Intent::Decide(_)
            | Intent::Rebuild { .. }
            | Intent::Drop(_)
            | Intent::Say(_)
            | Intent::ListReviews
            | Intent::Review(_)
            | Intent::Arm(_)
            | Intent::PreparePull(_)
            | Intent::PrepareVerdict(_)
            | Intent::PrepareRun(_)
            | Intent::FollowRun(_)
            | Intent::MergeRun(_)
            | Intent::ReadRunLog { .. }
            | Intent::WriteOut(_)
            | Intent::Confirm(..)
            | Intent::LookAtUndo
            | Intent::Send(_)
            | Intent::RunAgain(_) => self.ready()?,
        }
        match intent {
            Intent::Reload => self.reload(),
            Intent::Leave => Ok(Step::Leave),
            Intent::DeleteView(name) => {
                self.list.may_delete(name).map_err(|why| Message::of(why).wrong())?;
                Ok(Step::DeleteView(name.clone()))
            }
            Intent::Cancel(cancel) => Ok(Step::Cancel(self.cancel(*cancel)?)),
            Intent::Pause(which, is_paused) => {
                let (id, steer) = self.steered(*which)?;
                match (steer.is_paused, *is_paused) {
                    (true, true) => no("it is already paused"),
                    (false, false) => no("it is not paused"),
                    _ => Ok(Step::Steer(id, Steer { is_paused: *is_paused, ..steer })),
                }
            }
            Intent::Workers(which, workers) => {
                let (id, steer) = self.steered(*which)?;
                if !(1..=MOST_WORKERS).contains(workers) {
                    return no(format!("the number of downloads at once is from 1 to {MOST_WORKERS}"));
                }
                Ok(Step::Steer(id, Steer { workers: Some(*workers), ..steer }))
            }
            Intent::StopAtBad(stops) => {
                let (id, steer) = self.steered(Steered::Verification)?;
                Ok(Step::Steer(id, Steer { stops_at_bad: Some(*stops), ..steer }))
            }
            Intent::Open(plan) => Ok(Step::Start(Job::Open(plan.clone()))),
            Intent::Survey { meant, depth, max_age, gate } => {
                let scope = self.meant(meant)?;
                self.no_survey()?;
                // Who names entries asks for what they say now; a long list goes on where the last survey ended.
                let is_named = matches!(meant, Meant::These(_) | Meant::Marked);
                let max_age = max_age.unwrap_or(if is_named { Duration::ZERO } else { MAX_AGE });
                Ok(Step::Start(Job::Survey(SurveyPlan::new(scope, *depth, max_age, *gate))))
            }
            Intent::Verify { plan, stored, .. } => self.verify(plan, stored.as_ref()),
            Intent::VerifyMarked { .. } => {
                // The question says how many modules are left out.
                let marked = self.named(&Meant::Marked)?;
                let providers = marked.into_iter().filter(|address| address.kind() == Kind::Provider);
                let wanted: Vec<Wanted> =
                    providers.map(|address| Wanted { address, version: None }).collect();
                if wanted.is_empty() {
                    return no("only modules are marked: they have no archives, checksums or signatures");
                }
                self.verify(&VerifyPlan::new(wanted), None)
            }
            Intent::VerifyAgain => {
                self.no_verification()?;
                match &self.run {
                    Some(run) => Ok(Step::Start(Job::Verify(run.plan.clone()))),
                    None => {
                        no(Message::of("nothing has been verified yet").way(Way::Verify, "verifies an entry"))
                    }
                }
            }
            Intent::Backfill { meant, how, .. } => self.backfill(meant, how),
            Intent::EstimateBackfill { meant, how } => {
                let selection = self.selection(meant, how.versions.as_deref())?;
                let task = BackfillTask::Estimate { selection, workers: how.limits.workers, shards: 1 };
                Ok(Step::Start(Job::Backfill(task)))
            }
            Intent::BackfillAgain => self.backfill_again(),
            Intent::Add { meant, mode, max_age, .. } => {
                let addresses = self.named(meant)?;
                self.no_building()?;
                Ok(self.add(addresses, mode.clone(), *max_age))
            }
            Intent::Edit(edits) => {
                self.no_building()?;
                let files = edits.iter().flat_map(|(address, edit)| {
                    let all = self.edited(address, edit).into_iter();
                    all.map(|address| (address, Mode::Edit(edit.clone())))
                });
                let add = PlanAdd { files: files.collect(), max_age: MAX_AGE };
                Ok(Step::Start(Job::Plan(PlanTask::Add(add))))
            }
            Intent::Reply(plan) => {
                self.no_verification()?;
                Ok(Step::Start(Job::Reply(plan.clone())))
            }
            Intent::Triage(plan) if plan.lines.is_empty() && plan.list.is_none() => {
                Err(Message::of("no line is asked about").wrong())
            }
            Intent::Triage(plan) => Ok(Step::Start(Job::Triage(plan.clone()))),
            Intent::ListStranded => Ok(Step::Start(Job::Stranded)),
            Intent::Decide(task) => Ok(Step::Start(Job::Decide(task.clone()))),
            Intent::Rebuild { max_age } => {
                self.has_files()?;
                self.no_building()?;
                Ok(Step::Start(Job::Plan(PlanTask::Rebuild { max_age: *max_age })))
            }
            Intent::Drop(addresses) if addresses.is_empty() => {
                self.has_files()?;
                Ok(self.queue(PlanTask::Drop(Vec::new())))
            }
            Intent::Drop(addresses) => {
                self.has_plan()?;
                for address in addresses {
                    self.planned(address)?;
                }
                Ok(self.queue(PlanTask::Drop(addresses.clone())))
            }
            Intent::Say(marks) => self.say(marks),
            Intent::Watch(plan) => {
                self.not_watched(plan)?;
                Ok(Step::Start(Job::Watch(*plan)))
            }
            Intent::ListReviews => {
                self.not_reviewing()?;
                Ok(Step::Start(Job::Reviews))
            }
            Intent::Review(plan) => {
                self.not_reviewing()?;
                Ok(Step::Start(Job::Review(*plan)))
            }
            Intent::Arm(reason) => self.arm(reason),
            Intent::Disarm if self.arming == Arming::ReadOnly => {
                Err(Message::of("writing is not armed").needless())
            }
            Intent::Disarm => Ok(Step::Disarm),
            Intent::PreparePull(asked) => {
                self.has_files()?;
                self.may_prepare()?;
                let plan = match (&self.planning.plan, self.consent) {
                    // The job says what the plan is, where that is another than was named.
                    (_, Consent::Typed) => asked.plan.clone(),
                    (known, _) => known.as_ref().map(Plan::name).unwrap_or_default(),
                };
                if plan.is_empty() {
                    return no("nothing of the plan would be sent");
                }
                Ok(Step::Start(Job::Prepare(PullPlan { plan, ..asked.clone() }.into())))
            }
            Intent::PrepareVerdict(plan) => {
                Ok(Step::Start(Job::Prepare(Purpose::Verdict(self.judging(plan)?))))
            }
            Intent::PrepareRun(plan) => {
                self.may_prepare()?;
                Ok(Step::Start(Job::Prepare(Purpose::Actions(plan.clone()))))
            }
            Intent::FollowRun(run) => Ok(Step::Start(self.following(*run)?)),
            Intent::MergeRun(run) => {
                self.no_building()?;
                Ok(Step::Start(self.merging(*run)?))
            }
            Intent::ReadRunLog { job, name } => {
                let (job, name) = (*job, name.clone());
                Ok(Step::Start(Job::Actions(ActionsTask::Log { job, name, lines: LOG_LINES })))
            }
            Intent::WriteOut(file) => Ok(Step::Start(Job::WriteOut(self.write_out(file)?))),
            Intent::Confirm(write, digits) => Ok(Step::Start(Job::Send(self.confirm(*write, digits)?))),
            Intent::LookAtUndo => Ok(Step::Start(Job::Send(self.look_at_undo()?))),
            Intent::Send(task) => Ok(Step::Start(Job::Send(self.named_whole(task)?))),
            Intent::RunAgain(key) => self.run_again(*key),
        }
    }

    /// What clears the recorded failures of all versions of an entry that wait for their next try.
    pub(crate) fn clearing(&self, address: &Address) -> Result<Intent, Message> {
        let verdict = self.list.find(address).and_then(|at| self.list.verdicts.get(at));
        let waits = |state: &&VersionState| match state.mark {
            VersionMark::Is(status) => status.row().remedy == Remedy::Wait,
            _ => false,
        };
        let versions: Vec<String> = verdict
            .into_iter()
            .flat_map(|verdict| &verdict.versions)
            .filter(waits)
            .map(|state| state.version.clone())
            .collect();
        if versions.is_empty() {
            return no(format!("no version of {address} waits for its next try"));
        }
        Ok(Intent::edit(address.clone(), Edit::ClearErrors(versions)))
    }

    /// The version that can be kept out of an entry: the one that is pointed at, else the only one that is known and not indexed.
    pub(crate) fn blockable(&self, address: &Address, at: Option<&str>) -> Result<String, Message> {
        let verdict = self.list.find(address).and_then(|at| self.list.verdicts.get(at));
        let states = || verdict.into_iter().flat_map(|verdict| &verdict.versions);
        let is_indexed = |version: &str| self.is_indexed(address, version) == Some(true);
        if let Some(version) = at {
            if is_indexed(version) {
                let why = "is indexed, and the blacklist only keeps versions from being added";
                return no(format!("{version} of {address} {why}"));
            }
            if states().any(|state| state.version == version && state.mark == VersionMark::Blocked) {
                let text = format!("{version} of {address} is on the blacklist already");
                return Err(Message::of(text).needless());
            }
            return Ok(version.to_owned());
        }
        let is_new =
            |state: &&VersionState| state.mark != VersionMark::Blocked && !is_indexed(&state.version);
        let new: Vec<&VersionState> = states().filter(is_new).collect();
        match new[..] {
            [] => no(format!(
                "{address} has nothing to block: every version that is known of it is indexed or blocked"
            )),
            [one] => Ok(one.version.clone()),
            ref all => {
                let text = format!(
                    "{} of {address} are not indexed, and one is blocked at a time",
                    counted(all.len(), "version")
                );
                no(Message::of(text).way(Way::Open, "opens the entry, to choose one"))
            }
        }
    }

    /// A removal is from all entries of the repository that have the version; other edits are of the one that is named.
    fn edited(&self, address: &Address, edit: &Edit) -> Vec<Address> {
        let Edit::Remove(versions, _) = edit else { return vec![address.clone()] };
        let has_one =
            |twin: &Address| versions.iter().any(|version| self.is_indexed(twin, version) != Some(false));
        let mut twins = twins(address, &|twin| self.list.find(twin).is_some());
        twins.retain(|twin| twin == address || (self.list.find(twin).is_some() && has_one(twin)));
        twins
    }

    fn arm(&self, reason: &str) -> Result<Step, Message> {
        self.writing_allowed()?;
        if reason.trim().is_empty() {
            return Err(Message::of("a reason is needed: what is sent, and why").wrong());
        }
        if matches!(self.arming, Arming::Asking { .. }) {
            return no("it is being read whose token it is");
        }
        Ok(Step::Arm(reason.to_owned()))
    }

    /// A file that is built again keeps its mode.
    fn add(&self, addresses: Vec<Address>, mode: Option<Mode>, max_age: Duration) -> Step {
        let planned = match &addresses[..] {
            [one] => self.planning.find(one).map(|file| file.mode.clone()),
            _ => None,
        };
        let mode = mode.or(planned).unwrap_or(Mode::Add);
        let files = addresses.into_iter().map(|address| (address, mode.clone())).collect();
        Step::Start(Job::Plan(PlanTask::Add(PlanAdd { files, max_age })))
    }

    fn verify(&self, plan: &VerifyPlan, stored: Option<&Stored>) -> Result<Step, Message> {
        self.no_verification()?;
        if let Some(module) = plan.wanted.iter().find(|wanted| wanted.address.kind() == Kind::Module) {
            let found = self.list.find(&module.address).and_then(|at| self.list.verdicts.get(at));
            // The list already has the result of comparing the module's tags, and a module has nothing else to
            // verify.
            let moved = found.filter(|verdict| verdict.status.is_drift());
            let moved = moved.map(|verdict| format!("; {}", verdict.because.text)).unwrap_or_default();
            let text =
                format!("{} is a module: it has no archives, checksums or signatures{moved}", module.address);
            return Err(Message::of(text).wrong());
        }
        let unindexed = plan.wanted.iter().find_map(|wanted| {
            let version = wanted.version.as_deref()?;
            let is_indexed = stored
                .map_or_else(|| self.is_indexed(&wanted.address, version), |known| Some(known.is_indexed));
            (is_indexed == Some(false)).then(|| format!("{version} of {}", wanted.address))
        });
        if let Some(what) = unindexed {
            let text = format!("{what} is not indexed: nothing is stored to compare with");
            return Err(Message::of(text).wrong());
        }
        if self.amount(plan, stored).is_some_and(|amount| amount.targets == 0) {
            let what = Wanted::summary(&plan.wanted);
            return Err(
                Message::of(format!("nothing to verify: {what} has no targets in the registry")).wrong()
            );
        }
        Ok(Step::Start(Job::Verify(plan.clone())))
    }

    /// Whether an entry's file has a version; `None` where nobody read it, or it has none at all.
    fn is_indexed(&self, address: &Address, version: &str) -> Option<bool> {
        let shape = &self.list.catalog.rows[self.list.find(address)?].shape;
        let is_it = |stored: &str| trim_v(stored) == trim_v(version);
        (!shape.versions.is_empty()).then(|| shape.version_list().any(is_it))
    }

    /// How much a verification is; `None` where nobody knows before it was begun.
    pub(crate) fn amount(&self, plan: &VerifyPlan, stored: Option<&Stored>) -> Option<Amount> {
        if let (Some(stored), [_]) = (stored, &plan.wanted[..]) {
            let targets = u64::from(stored.targets?);
            let unknown = targets - u64::from(stored.hashed.unwrap_or(0)).min(targets);
            return Some(Amount { versions: 1, targets, unknown });
        }
        if plan.wanted.iter().any(|wanted| wanted.version.is_some()) || self.list.catalog.rows.is_empty() {
            return None;
        }
        let mut amount = Amount::default();
        for wanted in &plan.wanted {
            let shape = &self.list.catalog.rows[self.list.find(&wanted.address)?].shape;
            // Of a file that is broken, or not read yet, nobody knows how much it has.
            if shape.broken.is_some() || *shape == Shape::default() {
                return None;
            }
            amount.versions += u64::from(shape.version_count);
            amount.targets += u64::from(shape.target_count);
            amount.unknown += u64::from(shape.unhashed_targets);
        }
        Some(amount)
    }

    /// Several words about one file build on each other, which the job sees: here the first of each file is looked at.
    fn say(&self, marks: &[PlanMark]) -> Result<Step, Message> {
        self.has_plan()?;
        let (mut changed, mut same, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        let firsts = marks
            .iter()
            .enumerate()
            .filter(|(at, mark)| marks[..*at].iter().all(|before| before.address != mark.address));
        for (_, mark) in firsts {
            match self.said(mark)? {
                Said::Changes(pieces) => changed.extend(pieces),
                Said::IsSo(why) => same.push(why),
                Said::Refused(why) => refused.push(why),
            }
        }
        if let Some(why) = refused.into_iter().reduce(Message::and) {
            return Err(why);
        }
        if same.len() == marks.len() {
            return Err(same.into_iter().reduce(Message::and).unwrap_or_default());
        }
        // Where it is not drawn, what is meant is told by its name, also to the job.
        let marks = if self.consent == Consent::Drawn { changed } else { marks.to_vec() };
        Ok(self.queue(PlanTask::Mark(marks)))
    }

    /// Keys may come faster than the plan is written, and wait for it; a word or a command waits for its end.
    fn queue(&self, task: PlanTask) -> Step {
        match self.consent {
            Consent::Drawn => Step::Queue(task),
            Consent::Spoken | Consent::Typed => Step::Start(Job::Plan(task)),
        }
    }

    /// What saying something about a planned file leads to.
    fn said(&self, mark: &PlanMark) -> Result<Said, Message> {
        let Some(file) = self.planned(&mark.address)? else {
            // The job knows the plan, and looks again.
            return Ok(Said::Changes(vec![mark.clone()]));
        };
        let name = said_about(file, &mark.which);
        let changed = match file.answer(&mark.which, &mark.verb) {
            Ok(changed) => changed,
            Err(refusal) => {
                let message = Message::of(format!("{name}: {}", refusal.text()));
                return Ok(Said::Refused(match refusal {
                    Refusal::NotSeen { .. } => {
                        message.way(Way::ShowFile(file.address.clone()), "shows what is left")
                    }
                    Refusal::NoSuchChange { .. } => message.wrong(),
                    Refusal::Held { .. } => message,
                }));
            }
        };
        if changed.is_empty() {
            let word = match mark.verb {
                Verb::Approve => "already approved",
                Verb::Reject => "already rejected",
                Verb::Reopen => "there is no answer to undo",
                Verb::Note(_) => "the note is as it was",
                Verb::See => "already looked at",
            };
            return Ok(Said::IsSo(Message::of(format!("{name}: {word}")).needless()));
        }
        let mark_of = |(id, _): (_, Mark)| PlanMark {
            address: mark.address.clone(),
            which: Which::Piece(id),
            verb: mark.verb.clone(),
        };
        Ok(Said::Changes(changed.into_iter().map(mark_of).collect()))
    }

    fn run_again(&self, key: JobKey) -> Result<Step, Message> {
        let rows = self.job_rows();
        let Some(row) = rows.iter().find(|row| row.key == key) else { return no("no job is selected") };
        let is_look = matches!(row.job, Some(Job::Actions(ActionsTask::Look { .. })));
        if let Some(run) = self.machines.of(row).filter(|_| is_look && row.ended.is_some()) {
            return Ok(Step::Start(self.going_on(run.shown.run.id)?));
        }
        let job = history::again(row, &self.list)?;
        match &job {
            Job::Survey(_) => self.no_survey()?,
            Job::Verify(_) => self.no_verification()?,
            Job::Watch(plan) => self.not_watched(plan)?,
            Job::Review(_) | Job::Reviews => self.not_reviewing()?,
            Job::Backfill(_) => self.may_begin_backfill()?,
            Job::Actions(ActionsTask::Look { run, .. }) => return Ok(Step::Start(self.following(*run)?)),
            Job::Actions(ActionsTask::Merge { run, .. }) => drop(self.merging(*run)?),
            _ => self.no_building()?,
        }
        Ok(Step::Start(job))
    }

    /// The registry is read. A command's job reads it by itself.
    pub(crate) fn ready(&self) -> Result<(), Message> {
        let is_on_its_way =
            || self.board.loading().is_some() || self.board.running(|job| *job == Job::Recall).is_some();
        match &self.registry {
            _ if self.consent == Consent::Typed => Ok(()),
            Registry::Loaded(_) => Ok(()),
            Registry::Missing => {
                no(Message::of("no registry is open").way(Way::Leave, "leaves").way(Way::Clone, "gets one"))
            }
            Registry::Loading if is_on_its_way() => no("the registry is still being read"),
            Registry::Loading => no(Message::of("the registry was not read").way(Way::Reload, "reads it")),
            Registry::Failed(_) => {
                no(Message::of("the registry could not be read").way(Way::Reload, "tries again"))
            }
        }
    }

    /// There is a plan, as far as is known: where nobody read it yet, the job that is started will.
    pub(crate) fn has_plan(&self) -> Result<(), Message> {
        self.ready()?;
        match &self.planning.plan {
            Some(plan) if plan.is_empty() && plan.unreadable.is_empty() => {
                Err(Message::of("the plan is empty").wrong().way(Way::Add(None), "adds an entry"))
            }
            None if self.planning.failure.is_some() => no("the plan could not be read"),
            None if self.consent == Consent::Drawn => no("the plan is still being read"),
            Some(_) | None => Ok(()),
        }
    }

    /// The same for what is about all of it: of nothing, nothing is to be done.
    fn has_files(&self) -> Result<(), Message> {
        self.has_plan().map_err(|why| if why.why == Why::Wrong { why.needless() } else { why })
    }

    /// The planned file of an entry; `None` where the plan is not known.
    fn planned(&self, address: &Address) -> Result<Option<&PlannedFile>, Message> {
        match (&self.planning.plan, self.planning.find(address)) {
            (None, _) => Ok(None),
            (_, Some(file)) => Ok(Some(file)),
            // The job says what is wrong with it, and can drop it.
            (Some(plan), None) if plan.unreadable.contains(&address.to_string()) => Ok(None),
            (Some(_), None) => {
                let message = Message::of(format!("{address} is not in the plan")).wrong();
                Err(message.way(Way::Add(Some(address.clone())), "adds it"))
            }
        }
    }

    fn no_survey(&self) -> Result<(), Message> {
        match self.board.survey() {
            None => Ok(()),
            Some(job) if job.cancelling => no("the survey is stopping"),
            Some(_) => no(Message::of("a survey is running").way(Way::CancelSurvey, "cancels it")),
        }
    }

    /// One job at a time builds.
    fn no_building(&self) -> Result<(), Message> {
        match self.board.building() {
            None => Ok(()),
            Some(_) => {
                no(Message::of("files of the plan are being built").way(Way::CancelBuild, "cancels that"))
            }
        }
    }

    fn no_verification(&self) -> Result<(), Message> {
        match self.board.verifying() {
            None => Ok(()),
            Some(job) if job.cancelling => no("the verification is stopping"),
            Some(_) => no(Message::of("one verification at a time, and one is running")
                .way(Way::ShowVerification, "shows it")
                .way(Way::CancelVerification, "stops it")),
        }
    }

    /// Each pull request is followed once.
    fn not_watched(&self, plan: &WatchPlan) -> Result<(), Message> {
        let is_it = |job: &Job| matches!(job, Job::Watch(other) if other.number == plan.number);
        match (plan.number, self.board.running(is_it)) {
            (Some(number), Some(_)) => no(format!("#{number} is watched already")),
            (None, Some(_)) => no("they are being read"),
            (_, None) => Ok(()),
        }
    }

    /// One job at a time reviews.
    fn not_reviewing(&self) -> Result<(), Message> {
        match self.board.running(is_review) {
            None => Ok(()),
            Some(running) => {
                let text = format!("{} is running already", running.job.sentence());
                no(Message::of(text).way(Way::CancelReview, "cancels it"))
            }
        }
    }

    /// Where jobs are heard, a long one waits for the other.
    fn free(&self) -> Result<(), Message> {
        match self.board.running(Job::is_long) {
            Some(running) if self.consent == Consent::Spoken => {
                let text = format!("{} is still running", running.job.sentence());
                no(Message::of(text).way(Way::CancelAll, "stops it"))
            }
            _ => Ok(()),
        }
    }

    fn reload(&self) -> Result<Step, Message> {
        if self.registry == Registry::Missing {
            self.ready()?;
        }
        if self.board.loading().is_some() {
            return no("the registry is already being read");
        }
        self.no_survey()?;
        Ok(Step::Start(Job::Load))
    }

    /// The job that downloads and is not about to end, and how it was steered so far.
    fn steered(&self, which: Steered) -> Result<(JobId, Steer), Message> {
        let (known, job, none) = match which {
            Steered::Verification => (
                self.run.as_ref().filter(|run| run.is_running()).map(|run| (run.job, run.steer)),
                self.board.verifying(),
                "no verification is running",
            ),
            Steered::Backfill => (
                self.filling.as_ref().filter(|one| one.is_running()).map(|one| (one.job, one.steer)),
                self.board.filling(),
                "no backfill is running",
            ),
        };
        match (known, job) {
            (None, _) => no(none),
            (Some(_), Some(job)) if job.cancelling => no("it is already stopping"),
            (Some(known), _) => Ok(known),
        }
    }

    /// What is steered where nobody points at it: the backfill, if one runs.
    pub(crate) fn steered_now(&self) -> Steered {
        if self.board.filling().is_some() { Steered::Backfill } else { Steered::Verification }
    }

    fn cancel(&self, cancel: Cancel) -> Result<Vec<JobId>, Message> {
        let one = |job: Option<&Running>, none: &str, stopping: &str| match job {
            None => no(none),
            Some(job) if job.cancelling => no(stopping),
            Some(job) => Ok(vec![job.id]),
        };
        match cancel {
            Cancel::This(id) => {
                let job = self.board.journalled().find(|job| job.id == id);
                one(job, "this job is not running here", "it is already stopping")
            }
            Cancel::Survey => {
                one(self.board.survey(), "no survey is running", "the survey is already stopping")
            }
            Cancel::Verification => {
                one(self.board.verifying(), "no verification is running", "it is already stopping")
            }
            Cancel::Backfill => one(self.board.filling(), "no backfill is running", "it is already stopping"),
            Cancel::Review => {
                one(self.board.running(is_review), "nothing is being reviewed", "it is already stopping")
            }
            Cancel::Pull => {
                let job = self.board.sending().or_else(|| self.board.preparing());
                one(job, "nothing of the pull request is running", "it is already stopping")
            }
            Cancel::Triage => {
                let running = self.triage.as_ref().and_then(Lookup::running);
                let job = self.board.all().iter().find(|job| Some(job.id) == running);
                one(job, "nothing is being looked up", "it is already stopping")
            }
            Cancel::All => {
                let all = self.board.all();
                if all.is_empty() {
                    return no("nothing is running");
                }
                Ok(all.iter().filter(|job| !job.cancelling).map(|job| job.id).collect())
            }
        }
    }

    /// What is asked before a step is done.
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
            self.asked(&intent, step, now).or(always.then(|| ("Do it?", Vec::new(), "do it")))?;
        let doing = job.as_ref().map(Job::sentence).unwrap_or_default();
        Some(Question { title, says, yes, intent, doing, writes })
    }

    /// An edit of one entry that is not planned is what the key says, and asks nothing.
    fn asked_of_edits(&self, edits: &[(Address, Edit)]) -> Option<Asked> {
        const UNTOUCHED: &str = "No data file is written.";
        let (_, edit) = edits.first()?;
        let planned: Vec<&PlannedFile> =
            edits.iter().filter_map(|(address, _)| self.planning.find(address)).collect();
        match (edits.len(), &planned[..]) {
            (1, []) => None,
            (1, [planned, ..]) => {
                let says = format!(
                    "The plan already {}. This replaces that with a change that {}.",
                    planned.mode.sentence(),
                    edit.sentence()
                );
                Some(("Replace what is planned?", vec![says, UNTOUCHED.into()], "replace it"))
            }
            (count, planned) => {
                let count = counted(count, "entry");
                let mut says = vec![format!(
                    "{count}: upstream is read, and what {} is made for each. {UNTOUCHED}",
                    edit.words()
                )];
                if !planned.is_empty() {
                    says.push(format!(
                        "{} of them are planned already: that is replaced.",
                        grouped(planned.len())
                    ));
                }
                Some(("Add to the plan?", says, "add"))
            }
        }
    }

    /// What is asked whoever hears it.
    fn asked(&self, intent: &Intent, step: &Step, now: Timestamp) -> Option<Asked> {
        let unseen = match intent {
            Intent::Add { hidden, .. }
            | Intent::Verify { hidden, .. }
            | Intent::VerifyMarked { hidden }
            | Intent::Backfill { hidden, .. } => *hidden,
            _ => 0,
        };
        match (intent, step) {
            (Intent::Edit(edits), _) => self.asked_of_edits(edits),
            (_, Step::Start(Job::Plan(PlanTask::Add(add)))) => match &add.files[..] {
                [(one, _)] if unseen == 0 => self.planning.find(one).map(|_| {
                    let says = vec![
                        format!("{one} is built again on the registry and upstream as they are now."),
                        STAYS.into(),
                    ];
                    ("Build again?", says, "build it")
                }),
                many => {
                    let is_again = matches!(intent, Intent::RunAgain(_));
                    let count = counted(many.len(), if is_again { "entry" } else { "marked entry" });
                    let mut says = vec![format!(
                        "{count}: upstream is read and a file built for each. No data file is written."
                    )];
                    says.extend(telling::hidden(unseen));
                    Some(("Add to the plan?", says, "add"))
                }
            },
            (_, Step::Start(Job::Plan(PlanTask::Rebuild { .. }))) => {
                let count = counted(self.planning.files().len(), "file");
                let says = vec![
                    format!(
                        "All of the plan, {count}, is built again on the registry and upstream as they are now."
                    ),
                    STAYS.into(),
                ];
                Some(("Build the plan again?", says, "build all"))
            }
            (Intent::Drop(addresses), _) => {
                Some(("Remove from the plan?", self.lost(addresses), "remove it"))
            }
            // It was asked about when it was begun, and is still on the screen.
            (Intent::VerifyAgain | Intent::BackfillAgain, _) => None,
            (Intent::Verify { stored, .. }, Step::Start(Job::Verify(plan))) => {
                self.verifies_much(plan, stored.as_ref(), telling::hidden(unseen))
            }
            (_, Step::Start(Job::Verify(plan))) => self.verifies_much(plan, None, telling::hidden(unseen)),
            (_, Step::Start(Job::Backfill(BackfillTask::Run(run)))) => {
                Some(self.backfills(run, telling::hidden(unseen)))
            }
            (_, Step::Start(Job::Actions(ActionsTask::Merge { run, .. }))) => {
                Some(("Put it together?", machines::merges(*run), "put together"))
            }
            (_, Step::Start(Job::Survey(plan))) => self.surveys_much(plan, now),
            (Intent::Cancel(Cancel::This(_) | Cancel::Backfill), Step::Cancel(ids)) => {
                let id = ids.first()?;
                let job = self.board.journalled().find(|job| job.id == *id)?;
                (job.job.writes() > Writes::Memory).then(|| {
                    let line = job.journal_line.as_ref();
                    let name = line.map(|(kind, label)| format!("{kind} {label}")).unwrap_or_default();
                    let says =
                        format!("{name} writes. It stops at the next safe point; what it wrote stays.");
                    ("Cancel the job?", vec![says], "cancel it")
                })
            }
            (Intent::Cancel(Cancel::Pull), _) => self.board.sending().map(|_| {
                let says =
                    "It stops before the next request; what was sent stays, and can be resumed or undone.";
                ("Stop sending?", vec![says.to_owned()], "stop")
            }),
            (Intent::DeleteView(name), _) => {
                let says =
                    format!("The view `{name}` is deleted. The entries that it shows are not touched.");
                Some(("Delete?", vec![says], "delete the view"))
            }
            (Intent::Leave, _) => {
                let says = self.leaving();
                (!says.is_empty()).then_some(("Leave?", says, "stop and leave"))
            }
            _ => None,
        }
    }

    /// What was checked a short while ago is not read again.
    fn surveys_much(&self, plan: &SurveyPlan, now: Timestamp) -> Option<Asked> {
        let named: Option<HashSet<&Address>> = match &plan.scope {
            Scope::Addresses(addresses) => Some(addresses.iter().collect()),
            Scope::Everything | Scope::Prefix(_) => None,
        };
        let is_meant = |address: &Address| match &named {
            Some(named) => named.contains(address),
            None => plan.scope.has(address),
        };
        let is_due = |verdict: &Verdict| {
            verdict.depth < Some(plan.depth)
                || verdict.checked_at.is_none_or(|at| since(at, now) >= plan.max_age)
        };
        let rows = self.list.catalog.rows.iter().zip(&self.list.verdicts);
        let due = rows.filter(|(row, verdict)| is_meant(&row.address) && is_due(verdict));
        let due: Vec<&Address> = due.map(|(row, _)| &row.address).collect();
        if due.len() <= MANY_ROWS {
            return None;
        }
        let repositories: HashSet<String> = due.iter().map(|address| address.repository().url()).collect();
        let requests = repositories.len();
        let mut says = vec![format!(
            "{}: at least {}, one for each repository, and more where something is new.",
            counted(due.len(), "row"),
            counted(requests, "request")
        )];
        if let Registry::Loaded(Header { git_per_second: Some(rate), .. }) = self.registry {
            let least = length(Duration::from_secs_f64(requests as f64 / rate), Form::Spoken);
            says.push(format!("At {rate} requests a second that takes {least} or more."));
        }
        says.push("It only reads; cancelled, it keeps what it found.".into());
        Some(("Survey all of it?", says, "survey"))
    }

    /// Fills in what the files of these entries lack, as far as the list knows.
    fn backfill(&self, meant: &Meant, how: &FillHow) -> Result<Step, Message> {
        self.may_begin_backfill()?;
        let run = BackfillRun {
            selection: self.selection(meant, how.versions.as_deref())?,
            limits: how.limits.clone(),
            part: BackfillPart::Whole(how.output.clone()),
        };
        Ok(Step::Start(Job::Backfill(BackfillTask::Run(run))))
    }

    /// What starts a backfill of what is meant on so many of GitHub's machines.
    pub(crate) fn dispatching(&self, meant: &Meant, shares: usize) -> Result<ActionsPlan, Message> {
        if !(1..=MOST_SHARES).contains(&shares) {
            return Err(Message::of(format!("it is shared out over 1 to {MOST_SHARES} machines")).wrong());
        }
        Ok(ActionsPlan::Dispatch { selection: self.selection(meant, None)?, shares })
    }

    /// Those of the entries that are meant which lack something, as far as the list knows.
    pub(crate) fn selection(&self, meant: &Meant, versions: Option<&str>) -> Result<Selection, Message> {
        if (meant, versions) == (&Meant::Everything, None) {
            return Ok(Selection::Everything);
        }
        let named = self.named(meant)?;
        let lacks = |address: &&Address| self.unhashed(address) > 0;
        let these: Result<Vec<Selected>, String> =
            named.iter().filter(lacks).map(|address| Selected::new(address.clone(), versions)).collect();
        let these = these.map_err(|why| Message::of(why).wrong())?;
        if these.is_empty() {
            let text = match &named[..] {
                [one] if one.kind() == Kind::Module => {
                    format!("nothing to fill in: {one} is a module, and those have no archives")
                }
                [one] => format!("nothing to fill in: every target of {one} has its h1 and its size"),
                many => format!(
                    "nothing to fill in: every target of {} has its h1 and its size",
                    counted(many.len(), "entry")
                ),
            };
            return Err(Message::of(text).needless());
        }
        // One that has no such version is left out; the job would refuse all of them.
        let has = |one: &Selected| {
            let shape = self.list.find(&one.address).map(|at| &self.list.catalog.rows[at].shape);
            one.versions.is_none()
                || shape.is_some_and(|shape| {
                    shape.versions.is_empty() || shape.version_list().any(|version| one.admits(version))
                })
        };
        let these: Vec<Selected> = these.into_iter().filter(has).collect();
        match versions {
            Some(versions) if these.is_empty() => {
                no(format!("nothing that is meant has a version {versions} with targets that lack something"))
            }
            _ => Ok(Selection::These(these)),
        }
    }

    /// What is left of the last one.
    fn backfill_again(&self) -> Result<Step, Message> {
        self.may_begin_backfill()?;
        match &self.filling {
            Some(filling) if filling.has_rest() => {
                Ok(Step::Start(Job::Backfill(BackfillTask::Run(filling.asked.clone()))))
            }
            Some(_) => Err(Message::of("nothing is left of it: every target was read").needless()),
            None => no(Message::of("nothing has been filled in yet").way(Way::Backfill, "begins one")),
        }
    }

    /// Nothing stands in the way of one, whatever it is about.
    pub(crate) fn may_begin_backfill(&self) -> Result<(), Message> {
        self.no_backfill()?;
        self.no_building()
    }

    fn no_backfill(&self) -> Result<(), Message> {
        match self.board.filling() {
            None => Ok(()),
            Some(job) if job.cancelling => no("the backfill is stopping"),
            Some(_) => no(Message::of("one backfill at a time, and one is running")
                .way(Way::ShowBackfill, "shows it")
                .way(Way::CancelBackfill, "stops it")),
        }
    }

    /// Targets of an entry that lack h1 or size.
    fn unhashed(&self, address: &Address) -> u64 {
        self.list.find(address).map_or(0, |at| u64::from(self.list.catalog.rows[at].shape.unhashed_targets))
    }

    fn backfills(&self, run: &BackfillRun, hidden: Option<String>) -> Asked {
        let what = run.selection.summary();
        let counted_now = self.estimate.as_ref().filter(|estimate| estimate.selection == run.selection);
        let first = match (counted_now.and_then(|estimate| estimate.found.as_ref()), &run.selection) {
            (Some(found), _) => format!(
                "{what}: {} without h1 or size, {} to download.",
                counted(found.estimate.targets, "target"),
                bytes(found.estimate.bytes)
            ),
            (None, Selection::These(these)) if these.iter().all(|one| one.versions.is_none()) => {
                let lacking: u64 = these.iter().map(|one| self.unhashed(&one.address)).sum();
                format!("{what}: {} without h1 or size.", counted(lacking, "target"))
            }
            (None, _) => format!("{what}: every target without h1 or size."),
        };
        let mut says = vec![first];
        says.extend(hidden);
        let goes = match &run.part {
            BackfillPart::Whole(BackfillOutput::Plan) => "goes into the plan".to_owned(),
            BackfillPart::Whole(BackfillOutput::Patches { folder, .. }) => {
                format!("is written as patches into {}", folder.display())
            }
            BackfillPart::Whole(BackfillOutput::Nothing) | BackfillPart::Shard { .. } => {
                "is kept for the next run".to_owned()
            }
        };
        says.push(format!(
            "Each archive is downloaded, and its SHA-256 compared with the stored one; what was found {goes}. No data file is written."
        ));
        says.push(format!(
            "It stops at {} or after {}; what was found is kept, and the next run continues.",
            bytes(run.limits.bytes),
            length(run.limits.time, Form::Spoken)
        ));
        ("Fill in h1 and size?", says, "fill in")
    }

    fn verifies_much(
        &self,
        plan: &VerifyPlan,
        stored: Option<&Stored>,
        hidden: Option<String>,
    ) -> Option<Asked> {
        let amount = self.amount(plan, stored)?;
        if amount.targets <= MANY_TARGETS && amount.unknown <= MANY_UNKNOWN {
            return None;
        }
        let mut says = vec![format!("{}: {}.", Wanted::summary(&plan.wanted), amount.words())];
        if amount.unknown > 0 {
            says.push(if amount.unknown == amount.targets {
                "Total size unknown.".to_owned()
            } else {
                format!("Total size unknown: {} of them say none.", grouped(amount.unknown))
            });
        }
        let marked = self.list.mark_count();
        if plan.wanted.len() > 1 && marked > plan.wanted.len() {
            let modules = counted(marked - plan.wanted.len(), "module");
            says.push(format!("{modules} left out: they have no archives."));
        }
        says.extend(hidden);
        says.push(
            "Each archive is downloaded and hashed. It only reads; what is finished is kept in a report."
                .into(),
        );
        Some(("Verify all of it?", says, "verify"))
    }

    /// What is lost when files are taken out of the plan.
    fn lost(&self, addresses: &[Address]) -> Vec<String> {
        let all = addresses.is_empty();
        let files = self.planning.files().iter().filter(|file| all || addresses.contains(&file.address));
        let answered =
            files.flat_map(|file| &file.pieces).filter(|piece| piece.mark != Mark::default()).count();
        let what = match addresses {
            [] => "All files are".to_owned(),
            [one] => format!("{one} is"),
            many => format!("{} are", counted(many.len(), "file")),
        };
        let mut says = vec![format!("{what} removed from the plan. No data file changes.")];
        if answered > 0 {
            let marks = counted(answered, "change");
            says.push(format!("Your answers to {marks} are deleted with it."));
        }
        says
    }

    /// What leaving stops; nothing where nothing runs that the journal tells of.
    pub(crate) fn leaving(&self) -> Vec<String> {
        let jobs = || self.board.journalled().filter_map(|job| Some((job, job.journal_line.as_ref()?)));
        let all_paused = jobs().all(|(job, _)| job.is_paused);
        let name = |(job, (kind, label)): (&Running, &(&str, String))| {
            let paused = if job.is_paused && !all_paused { " (paused)" } else { "" };
            format!("{kind} {label}{paused}")
        };
        let mut says: Vec<String> = jobs().map(name).take(6).collect();
        let (these, it, found) = match says.len() {
            0 => return says,
            1 => ("This job is", "it", "it"),
            _ => ("These jobs are", "them", "they"),
        };
        says.insert(0, format!("{these} {}:", if all_paused { "paused" } else { "running" }));
        says.push(format!("Leaving stops {it}; what {found} found is kept."));
        says.extend(self.plan_after().map(|after| format!("The plan {after}.")));
        says
    }

    /// What becomes of the plan when the program is left, behind its name: `(2 files) is kept: …`; `None` without one.
    pub(crate) fn plan_after(&self) -> Option<String> {
        let count = self.planning.files().len();
        if count == 0 || self.planning.pending.unkept {
            return None;
        }
        let files = counted(count, "file");
        Some(match self.name {
            // Only the demo has a name of its own, and its folder goes.
            Some(_) => format!("({files}) is deleted with the demo"),
            None => format!("({files}) is kept: `bumpdesk plan show`, or Changes at the next start"),
        })
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
                for kept in [
                    self.run.as_mut().map(|run| (run.job, &mut run.steer)),
                    self.filling.as_mut().map(|filling| (filling.job, &mut filling.steer)),
                ] {
                    if let Some((_, kept)) = kept.filter(|(job, _)| *job == id) {
                        *kept = steer;
                    }
                }
                begun.steer = Some((id, steer));
                if let Some(job) = self.board.find(id) {
                    job.is_paused = steer.is_paused;
                }
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

    fn begin(&mut self, begun: &mut Begun, job: Job, now: Timestamp) {
        // Of entries that are opened one after the other the last is meant, and so of pull requests that are made ready.
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
        match &job {
            Job::Prepare(asked) => self.pull.begin(asked.clone()),
            Job::Send(task) => self.pull.begin_sending(task),
            Job::Load if !matches!(self.registry, Registry::Loaded(_)) => self.registry = Registry::Loading,
            Job::Plan(PlanTask::Add(add)) => self.planning.pending.wanted = add.addresses(),
            Job::Plan(PlanTask::Rebuild { .. }) => self.planning.pending.wanted.clear(),
            _ => {}
        }
        let id = self.board.begin(job.clone(), now);
        match &job {
            Job::Verify(plan) => self.run = Some(Run::new(id, plan.clone(), now)),
            Job::Backfill(BackfillTask::Run(run)) => self.filling = Some(Filling::new(id, run.clone(), now)),
            Job::Backfill(BackfillTask::Estimate { selection, .. }) => {
                let selection = selection.clone();
                self.estimate = Some(Estimating { job: id, selection, found: None, failure: None });
            }
            _ => {}
        }
        if let Job::Triage(TriagePlan { lines, list: None }) = &job
            && let [line] = &lines[..]
        {
            self.triage = Some(Lookup::new(id, line.clone()));
        }
        begun.start.push((id, job));
    }

    /// What is to outlive this run and is not kept yet, as the job that keeps it. One job at a time does, so that no older state
    /// is written over a newer one; `leaving`: nothing comes after this one, and it does not wait.
    pub(crate) fn keep(&mut self, leaving: bool, now: Timestamp) -> Option<(JobId, Job)> {
        if !leaving && !self.list.is_to_keep() {
            return None;
        }
        let news = self.list.take_unkept(leaving);
        if news.is_empty() {
            return None;
        }
        let job = Job::Remember(news.clone());
        let id = self.board.begin(job.clone(), now);
        self.list.is_sent(id, news);
        Some((id, job))
    }

    /// Says what waits to be said about the plan, if nobody else writes it at this moment.
    pub(crate) fn say_next(&mut self, now: Timestamp) -> Option<(JobId, Job)> {
        let job = Job::Plan(self.planning.next_task(&self.board)?);
        Some((self.board.begin(job.clone(), now), job))
    }

    /// Whether the last verification was over before all of it was looked at.
    pub(crate) fn was_cut(&self) -> bool {
        let end = self.run.as_ref().and_then(|run| run.end.as_ref());
        end.is_some_and(|end| !matches!(end, End::Done { .. }))
    }
}

const STAYS: &str = "Changes that stay the same keep their marks; others are looked at again.";

/// A question's title, what it says, and what yes is called.
type Asked = (&'static str, Vec<String>, &'static str);

/// How much a verification is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Amount {
    versions: u64,
    targets: u64,
    /// Targets whose size is not stored.
    unknown: u64,
}

impl Amount {
    /// `8 versions, 112 targets`.
    pub(crate) fn words(self) -> String {
        format!("{}, {}", counted(self.versions, "version"), counted(self.targets, "target"))
    }
}

/// Returns true if a job reads pull requests of others.
fn is_review(job: &Job) -> bool {
    matches!(job, Job::Review(_) | Job::Reviews)
}

/// `acme/rocket`, `1.2.0 of acme/rocket`.
fn said_about(file: &PlannedFile, which: &Which) -> String {
    let part = match which {
        Which::Whole => None,
        Which::Version(name) => Some(name.as_str()),
        Which::Piece(id) => file.pieces.iter().find(|piece| piece.id == *id).map(|piece| piece.part.name()),
    };
    part.map_or_else(|| file.address.to_string(), |part| format!("{part} of {}", file.address))
}

/// What saying something leads to.
enum Said {
    /// Of a plan that is not known, the mark itself.
    Changes(Vec<PlanMark>),
    IsSo(Message),
    Refused(Message),
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::jobs::data::BumpPlan;
    use crate::registry::{Catalog, Row};
    use crate::rules::plan::{Kept, Marks, Plan, made_with};
    use crate::rules::{Because, Source, Status};
    use crate::settings::Features;

    /// The rule itself, with a planted job of another kind.
    #[test]
    fn a_job_that_writes_files_is_asked_about_where_each_write_is() {
        let plan = BumpPlan { scope: Scope::Everything, max_age: Duration::ZERO, dry_run: false };
        let step = Step::Start(Job::Bump(plan));
        for (consent, is_asked) in [(Consent::Spoken, true), (Consent::Typed, false)] {
            let desk = Desk { consent, ..Desk::default() };
            let asked = desk.question(Intent::Reload, &step, Timestamp::UNIX_EPOCH);
            assert_eq!(asked.map(|asked| asked.writes), is_asked.then_some(Writes::Files));
        }
    }

    fn typed() -> Desk {
        Desk { consent: Consent::Typed, ..Desk::default() }
    }

    /// The job says what is wrong with it, and drops it.
    #[test]
    fn a_planned_file_that_cannot_be_read_can_be_named() {
        let mut desk = typed();
        let rocket = Address::provider("acme", "rocket");
        desk.planning.take(Plan { unreadable: vec![rocket.to_string()], ..Plan::default() });
        let mark = PlanMark { address: rocket.clone(), which: Which::Whole, verb: Verb::Approve };
        for intent in [Intent::Drop(vec![rocket]), Intent::Drop(Vec::new()), Intent::Say(vec![mark])] {
            assert!(desk.may(&intent).is_ok(), "{intent:?}");
        }
        let other = Intent::Drop(vec![Address::provider("acme", "quiet")]);
        assert_eq!(desk.may(&other).unwrap_err().text, "acme/quiet is not in the plan");
    }

    /// A desk with so many rows, none of them checked, and a pace.
    fn surveyed(rows: usize, consent: Consent) -> Desk {
        let row = |at| Row::new(Address::provider("acme", &format!("p{at}")), Shape::default());
        let mut desk = Desk { consent, ..Desk::default() };
        desk.registry = Registry::Loaded(Header { git_per_second: Some(2.0), ..Header::default() });
        desk.list.catalog = Arc::new(Catalog::new((0..rows).map(row).collect(), Vec::new()));
        let because = Because { text: "not checked yet".into(), source: Source::Tags, at: None };
        let verdict = Verdict::new(Status::Unknown, because);
        desk.list.verdicts = vec![verdict; rows];
        desk.list.marks = vec![false; rows];
        desk.list.shown = (0..rows as u32).collect();
        desk
    }

    /// Rows, requests and time are said before one key sends thousands of requests; what was just checked is not counted.
    #[test]
    fn a_large_survey_says_what_it_costs_and_asks() {
        let now: Timestamp = "2026-09-22T12:05:00Z".parse().unwrap();
        for consent in [Consent::Drawn, Consent::Spoken] {
            let mut desk = surveyed(201, consent);
            let Answer::Asked(asked) = desk.act(Intent::survey(Meant::Shown), now) else {
                panic!("not asked")
            };
            let says = asked.says.join(" ");
            for part in [
                "201 rows",
                "201 requests",
                "At 2 requests a second",
                "1 minute or more",
                "keeps what it found",
            ] {
                assert!(says.contains(part), "no `{part}`: {says}");
            }
            assert!(desk.agree(&asked.intent, now).is_ok());
            let mut desk = surveyed(201, consent);
            (desk.list.verdicts[0].checked_at, desk.list.verdicts[0].depth) =
                (Some(now), Some(Depth::Versions));
            assert!(matches!(desk.act(Intent::survey(Meant::Shown), now), Answer::Started(_)));
        }
        let mut desk = surveyed(200, Consent::Drawn);
        assert!(matches!(desk.act(Intent::survey(Meant::Everything), now), Answer::Started(_)));
    }

    /// Only what waits for its next try is cleared; what is stranded would fail again.
    #[test]
    fn clearing_is_about_the_versions_that_wait() {
        let mut desk = surveyed(1, Consent::Drawn);
        let address = Address::provider("acme", "p0");
        let state = |version: &str, status: Status| VersionState {
            version: version.into(),
            tag: None,
            mark: VersionMark::Is(status),
            reason: String::new(),
            published: None,
            published_by: None,
            targets: None,
            attempts: 8,
            next_try: None,
        };
        assert!(desk.clearing(&address).is_err());
        desk.list.verdicts[0].versions =
            vec![state("1.2.0", Status::Stranded), state("1.1.0", Status::RetryWait)];
        let edit = Edit::ClearErrors(vec!["1.1.0".into()]);
        assert_eq!(desk.clearing(&address), Ok(Intent::edit(address, edit)));
    }

    /// A removal is from all entries of one repository that have the version; every other edit is of the one that is named.
    #[test]
    fn twins_are_edited_together_where_both_have_the_version() {
        let row = |namespace: &str, versions: &[&str]| {
            let versions: Vec<String> =
                versions.iter().map(|one| format!("{{\"version\":\"{one}\"}}")).collect();
            let text = format!("{{\"versions\":[{}]}}", versions.join(","));
            Row::new(Address::provider(namespace, "aws"), Shape::parse(Kind::Provider, text.as_bytes()))
        };
        let mut desk = surveyed(0, Consent::Typed);
        let rows = vec![row("hashicorp", &["6.57.0", "6.56.0"]), row("opentofu", &["6.57.0"])];
        desk.list.catalog = Arc::new(Catalog::new(rows, Vec::new()));
        let (hashicorp, opentofu) =
            (Address::provider("hashicorp", "aws"), Address::provider("opentofu", "aws"));
        let removed = |address: &Address, version: &str| {
            let of = (address.clone(), vec![version.to_owned()]);
            let said = (Some("https://a.b/c"), Some(7));
            match desk.leads_to(&Intent::remove(of, Reason::LegalDuty, said).unwrap()) {
                Ok(Step::Start(Job::Plan(PlanTask::Add(add)))) => add.addresses(),
                other => panic!("{other:?}"),
            }
        };
        let both = vec![hashicorp.clone(), opentofu.clone()];
        assert_eq!(removed(&hashicorp, "6.57.0"), both);
        assert_eq!(removed(&opentofu, "v6.57.0"), both);
        assert_eq!(removed(&hashicorp, "6.56.0"), std::slice::from_ref(&hashicorp));
        let refused = Intent::remove((hashicorp, vec!["6.57.0".into()]), Reason::Bug, (None, None));
        assert!(matches!(refused, Ok(Intent::Reply(_))), "{refused:?}");
    }

    fn planned() -> PlannedFile {
        let text = |versions: &str| format!("{{\"versions\":[{versions}]}}").into_bytes();
        let kept = Kept {
            address: Address::module("acme", "net", "aws"),
            mode: Mode::Add,
            revision: "main@f00f6d5".into(),
            built_at: Timestamp::UNIX_EPOCH,
            made_with: made_with(Features::none()),
            base: text(r#"{"version":"v1.0.0"}"#),
            proposed: text(r#"{"version":"v1.1.0"},{"version":"v1.0.0"}"#),
            blocks: Vec::new(),
            remarks: Vec::new(),
        };
        PlannedFile::read(&kept, &Marks::new(), Some(&kept.base), Features::none()).unwrap()
    }

    /// What is paused is not called running, and where the plan is found again is said.
    #[test]
    fn leaving_says_what_stops_and_what_becomes_of_the_plan() {
        let mut desk = surveyed(2, Consent::Drawn);
        assert_eq!((desk.leaving(), desk.plan_after()), (Vec::new(), None));
        let now = Timestamp::UNIX_EPOCH;
        let Answer::Started(_) = desk.act(Intent::survey(Meant::Everything), now) else {
            panic!("not started")
        };
        desk.planning.take(Plan::new(vec![planned()]));
        let kept = "(1 file) is kept: `bumpdesk plan show`, or Changes at the next start";
        let ends = ["Leaving stops it; what it found is kept.".to_owned(), format!("The plan {kept}.")];
        for (is_paused, word) in [(false, "running"), (true, "paused")] {
            let survey = desk.board.survey().map(|job| job.id).and_then(|id| desk.board.find(id));
            survey.expect("a job").is_paused = is_paused;
            let says = desk.leaving();
            assert_eq!(says[0], format!("This job is {word}:"));
            assert_eq!(says[2..], ends);
        }
        assert_eq!(desk.plan_after().as_deref(), Some(kept));
        desk.name = Some("demo registry".into());
        assert_eq!(desk.plan_after().as_deref(), Some("(1 file) is deleted with the demo"));
    }

    /// Nobody knows how much a broken file has; the job names the place that is broken.
    #[test]
    fn a_broken_file_is_not_called_without_targets() {
        let shapes = [
            (Shape { broken: Some("at 1:1".into()), ..Shape::default() }, true),
            (Shape::default(), true),
            (Shape { version_count: 1, ..Shape::default() }, false),
        ];
        for (shape, may_be) in shapes {
            let mut desk = typed();
            let address = Address::provider("acme", "rocket");
            let row = Row::new(address.clone(), shape);
            desk.list.catalog = Arc::new(Catalog::new(vec![row], Vec::new()));
            assert_eq!(desk.may(&Intent::verify(address, None, None)).is_ok(), may_be);
        }
    }
}
