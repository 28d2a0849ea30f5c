//! What a job is told, what it says on the way, and how it ends.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::jobs::{
    ActionsNews, ActionsTask, BackfillNews, BackfillOutput, BackfillTask, DecideTask, Inquiry, LockNews,
    LockPlan, LogLine, LogQuery, NewFile, PastJob, PlanOpened, PlanTask, Prepared, ReplyPlan, ReviewPlan,
    SendTask, TriagePlan, Triaged, VerifyNews, VerifyPlan, WatchPlan,
};
use crate::registry::{Address, Catalog, Entry};
use crate::rules::plan::{Plan, PlannedFile, Verb};
use crate::rules::policy::Reply;
use crate::rules::review::{OpenPull, Review};
use crate::rules::sending::{Course, Purpose};
use crate::rules::stranded::Board;
use crate::rules::suggestion::Suggestions;
use crate::rules::watch::WatchedPull;
use crate::rules::{Depth, Finding, KeySheet, Mode, Proposal, Verdict};
use crate::settings::words;

/// A job of the model's numbering; unknown ids are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId(pub u64);

/// What to do. The journal stores what can be asked again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Job {
    /// Read the registry and what earlier surveys kept: the list.
    #[serde(skip)]
    Load,
    /// Read upstream and judge.
    Survey(SurveyPlan),
    /// Read one entry for looking at, with the proposed rebuild if one is asked for.
    #[serde(skip)]
    Open(OpenPlan),
    /// Read one data file as it is, whole or broken: [`JobEvent::Read`].
    #[serde(skip)]
    Read(Address),
    /// Survey, add what is missing, write the files: the registry's own process.
    #[serde(skip)]
    Bump(BumpPlan),
    /// Check the data files themselves, without any network.
    #[serde(skip)]
    Lint(LintPlan),
    /// Compare what is stored with what upstream serves: [`JobEvent::Verify`].
    Verify(VerifyPlan),
    /// Look at a backfill on GitHub's machines, or put together what it found: [`JobEvent::Actions`].
    Actions(ActionsTask),
    /// Compute h1 and size of what lacks them: [`JobEvent::Backfill`].
    Backfill(BackfillTask),
    /// What a client makes of a version, and of a lock file: [`JobEvent::Lock`].
    #[serde(skip)]
    Lock(LockPlan),
    /// Look at the plan or change it.
    Plan(PlanTask),
    /// Make a pull request of the plan ready, or a verdict, and send nothing: [`JobEvent::Prepared`].
    #[serde(skip)]
    Prepare(Purpose),
    /// Send what was made ready and confirmed, or take it back: [`JobEvent::Sending`]. Never asked again by itself.
    #[serde(skip)]
    Send(SendTask),
    /// Look at pull requests, or follow one until it is over: [`JobEvent::Watched`].
    Watch(WatchPlan),
    /// Make what a pull request claims again: [`JobEvent::Reviewed`].
    Review(ReviewPlan),
    /// List the open pull requests and make each again: [`JobEvent::OpenPulls`], then [`JobEvent::Reviewed`].
    Reviews,
    /// Write the reply to what the policy refuses: [`JobEvent::Replied`].
    #[serde(skip)]
    Reply(ReplyPlan),
    /// Say why versions are not available: [`JobEvent::Triaged`].
    #[serde(skip)]
    Triage(TriagePlan),
    /// Say which versions no bump brings by itself, from what is known: [`JobEvent::Stranded`].
    #[serde(skip)]
    Stranded,
    /// Ignore versions for a while, or take that back: [`JobEvent::Judged`].
    #[serde(skip)]
    Decide(DecideTask),
    /// Write a text into a file that somebody named, and that is not there yet.
    #[serde(skip)]
    WriteOut(NewFile),
    /// Read the log: [`JobEvent::LogRead`].
    #[serde(skip)]
    ReadLog(LogQuery),
    /// Read the last jobs of this and earlier runs, newest first: [`JobEvent::PastJobs`].
    #[serde(skip)]
    ListJobs {
        most: usize,
        /// True for the jobs of all registries instead of the open one.
        everywhere: bool,
    },
    /// Ask the API about us: [`JobEvent::Inquired`].
    #[serde(skip)]
    Inquire,
    /// Read what the console remembers between runs: [`JobEvent::Recalled`].
    #[serde(skip)]
    Recall,
    /// Remember values by name, as JSON texts; an empty one forgets its name.
    #[serde(skip)]
    Remember(BTreeMap<String, String>),
}

/// What a job writes, besides what it observed. A face asks before it starts one that writes what is not
/// its own memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Writes {
    /// Or a file that did not exist, and was named for it.
    Nothing,
    /// What the console remembers: its views, what was seen.
    Memory,
    /// The plan: files, approvals, rejections, notes.
    Plan,
    /// The registry's data files.
    Files,
    /// Branches and pull requests on GitHub.
    GitHub,
}

impl Job {
    /// Returns true if a job has no use once its reader is gone, because it writes only what it observed.
    pub(crate) fn only_prints(&self) -> bool {
        match self {
            Self::WriteOut(_)
            | Self::Backfill(BackfillTask::Run(_) | BackfillTask::Merge(_))
            | Self::Actions(ActionsTask::Merge { .. }) => false,
            Self::Verify(plan) => plan.report.is_none(),
            job => job.writes() == Writes::Nothing,
        }
    }

    pub fn writes(&self) -> Writes {
        match self {
            Self::Bump(plan) if !plan.dry_run => Writes::Files,
            Self::Plan(PlanTask::Mark(marks)) => {
                let only_seen = marks.iter().all(|mark| mark.verb == Verb::See);
                if only_seen { Writes::Memory } else { Writes::Plan }
            }
            Self::Plan(PlanTask::Add(_) | PlanTask::Rebuild { .. } | PlanTask::Drop(_))
            | Self::Actions(ActionsTask::Merge { output: BackfillOutput::Plan, .. }) => Writes::Plan,
            Self::Remember(_) | Self::Decide(_) => Writes::Memory,
            Self::Backfill(task) if task.plans() => Writes::Plan,
            Self::Send(SendTask::Open { .. } | SendTask::Resume { .. } | SendTask::Undo { .. }) => {
                Writes::GitHub
            }
            Self::Plan(PlanTask::Show | PlanTask::Open(_))
            | Self::Bump(_)
            | Self::Load
            | Self::Survey(_)
            | Self::Open(_)
            | Self::Read(_)
            | Self::Lint(_)
            | Self::Verify(_)
            | Self::Backfill(_)
            | Self::Actions(_)
            | Self::Lock(_)
            | Self::Prepare(_)
            | Self::Send(SendTask::LookAtUndo { .. })
            | Self::Watch(_)
            | Self::Review(_)
            | Self::Reviews
            | Self::Reply(_)
            | Self::Triage(_)
            | Self::Stranded
            | Self::WriteOut(_)
            | Self::ReadLog(_)
            | Self::ListJobs { .. }
            | Self::Inquire
            | Self::Recall => Writes::Nothing,
        }
    }
}

/// Which entries a job is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Scope {
    Everything,
    Addresses(Vec<Address>),
    /// The shards that the registry's workflow runs: namespaces that start with this, in any case.
    Prefix(String),
}

impl Scope {
    /// Whether an entry is in it.
    pub(crate) fn has(&self, address: &Address) -> bool {
        match self {
            Self::Everything => true,
            Self::Addresses(addresses) => addresses.contains(address),
            Self::Prefix(prefix) => {
                address.namespace().to_ascii_lowercase().starts_with(&prefix.to_ascii_lowercase())
            }
        }
    }
}

/// A survey.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurveyPlan {
    pub scope: Scope,
    pub depth: Depth,
    /// Facts younger than this are not asked again.
    pub max_age: Duration,
    pub gate: Gate,
    /// Purpose before the others: what somebody looks at. A repetition has eyes of its own, so this is not kept.
    #[serde(skip)]
    pub first: Vec<Address>,
}

impl SurveyPlan {
    /// Nobody looks at any of it.
    pub fn new(scope: Scope, depth: Depth, max_age: Duration, gate: Gate) -> Self {
        Self { scope, depth, max_age, gate, first: Vec::new() }
    }
}

/// Which provider entries are looked at closely.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Gate {
    /// All tags against all indexed versions.
    #[default]
    Tags,
    /// The gate of `registry.md#the-first-design`: a provider whose newest semver feed tag is indexed is not looked at any further.
    Feed,
}

/// A headless bump.
#[derive(Clone, Debug, PartialEq)]
pub struct BumpPlan {
    pub scope: Scope,
    /// Facts younger than this are not asked again.
    pub max_age: Duration,
    /// Build everything, write nothing.
    pub dry_run: bool,
}

/// A check of the data files.
#[derive(Clone, Debug, PartialEq)]
pub struct LintPlan {
    pub scope: Scope,
    /// Only these rules; all of them if empty.
    pub rules: Vec<String>,
}

/// One entry, opened.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenPlan {
    pub address: Address,
    /// Build the rebuild in this mode; `None` only reads.
    pub rebuild: Option<Mode>,
    /// Facts younger than this are not asked again; `None` asks nothing and takes what is kept.
    pub max_age: Option<Duration>,
    /// How deep the facts are read, if they are.
    pub depth: Depth,
    /// A key file that is not on file: what it would change is told. Signatures are then read without any key too.
    pub with_key: Option<std::path::PathBuf>,
}

/// What happened.
#[derive(Clone, Debug)]
pub enum JobEvent {
    /// Its number in the journal: the first event of a job that has one.
    Numbered(i64),
    Progress(Progress),
    Loaded(Arc<Loaded>),
    /// What was loaded from the last run's index is still so; and what git says besides.
    Confirmed(Confirmed),
    /// Verdicts, in batches; never dropped.
    Judged(Vec<Judgement>),
    Opened(Arc<Opened>),
    /// A data file's own bytes.
    Read(Address, Arc<[u8]>),
    /// One file was rewritten, or would be in a dry run.
    Applied(Applied),
    /// A finding of a lint, with the path of the file.
    Found(String, Finding),
    /// A verification, row by row.
    Verify(VerifyNews),
    /// A backfill, row by row.
    Backfill(BackfillNews),
    Actions(ActionsNews),
    /// A lock, once everything about it is known.
    Lock(LockNews),
    /// The plan as it is now.
    Planned(Arc<Plan>),
    /// One file of the plan as it is now; the others are as they were.
    PlannedFile(Arc<PlannedFile>),
    /// One planned file with its lines.
    PlanOpened(Arc<PlanOpened>),
    /// A write as it would be sent.
    Prepared(Arc<Prepared>),
    /// How far a sending came: after every step, at the start of one that an earlier run left, and what one would send that takes another back.
    Sending(Arc<Course>),
    /// A pull request as it is now, whenever that is news.
    Watched(Arc<WatchedPull>),
    /// Those that wait, those with the newest news first.
    OpenPulls(Arc<Vec<OpenPull>>),
    /// A pull request beside what upstream gives.
    Reviewed(Arc<Review>),
    /// What is answered to a request that the policy refuses.
    Replied(Arc<Reply>),
    /// What came of a line.
    Triaged(Arc<Triaged>),
    Stranded(Arc<Board>),
    LogRead(Arc<Vec<LogLine>>),
    PastJobs(Vec<PastJob>),
    Inquired(Inquiry),
    /// Everything that is remembered, by name.
    Recalled(BTreeMap<String, String>),
    /// A line for the log and the last-message place.
    Note(String),
    /// The last event of every job, exactly once.
    Ended(Outcome),
}

/// The verdict of one entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    pub address: Address,
    pub verdict: Verdict,
}

/// The registry as it was read at the start.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub catalog: Arc<Catalog>,
    /// One verdict per catalog row, from what earlier surveys kept.
    pub verdicts: Vec<Verdict>,
    /// `main@f00f6d5`, or the folder's name where there is no git.
    pub revision: String,
    /// The registry's folder or name, for the header.
    pub name: String,
    /// When the newest bump commit was made, if the history tells.
    pub last_bump: Option<Timestamp>,
    /// Lasting notices: a read-only second console, a database that was moved aside.
    pub notices: Vec<String>,
    /// What earlier runs sent in part, with the commands that continue it and take it back.
    pub half_done: Vec<String>,
    /// Whether an API token was found; without it, GraphQL is off.
    pub has_token: bool,
    /// How many requests a second go to git; `None`: as fast as it can.
    pub git_per_second: Option<f64>,
    /// Whether views, marks and plans are kept: not in a second console, nor without a state folder.
    pub keeps: bool,
    /// Whether it was allowed at the start to write to GitHub.
    pub may_write: bool,
}

/// What is known of the registry once its files and its log were looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmed {
    /// As in [`Loaded`].
    pub(crate) revision: String,
    pub(crate) last_bump: Option<Timestamp>,
    pub(crate) notices: Vec<String>,
}

/// One entry with everything that a screen shows of it.
#[derive(Clone, Debug)]
pub struct Opened {
    pub address: Address,
    pub entry: Entry,
    pub verdict: Verdict,
    pub proposal: Option<Proposal>,
    /// The lines of the proposal's difference.
    pub lines: Option<Arc<crate::rules::diff::Lines>>,
    pub findings: Vec<Finding>,
    /// The keys on file and how versions fare with them; `None` for a module, or where nobody looked that deep.
    pub keys: Option<Arc<KeySheet>>,
    /// What this maintainer keeps of its versions.
    pub notices: Vec<crate::rules::notice::Known>,
}

/// How far a job is. Counts never run backwards, and are never complete before the last check.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    pub(crate) phase: Phase,
    pub(crate) done: u64,
    pub(crate) total: u64,
    pub(crate) failed: u64,
    pub(crate) requests: u64,
    /// Requests a second over the last seconds.
    pub(crate) rate: f64,
    /// Time left, from and to; `None` while it cannot be told.
    pub(crate) left: Option<(Duration, Duration)>,
    /// Why nothing moves: `git requests wait 58 s, as GitHub asked`. Of what is watched, how it stands.
    pub(crate) waiting: Option<String>,
}

words! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) enum Phase: [word] {
        Reading = "reading the registry",
        Tags = "reading tags and feeds",
        Probing = "looking at missing versions",
        Sums = "reading checksums",
        Hashing = "downloading and hashing",
        Watching = "watching",
        Reviewing = "reviewing",
    }
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Done(Summary),
    Cancelled(Summary),
    Failed(Failure),
}

/// The end of a job whose work is not done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stop {
    Cancelled(Summary),
    Failed(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<Result<Summary, Stop>> for Outcome {
    fn from(end: Result<Summary, Stop>) -> Self {
        match end {
            Ok(summary) => Self::Done(summary),
            Err(Stop::Cancelled(summary)) => Self::Cancelled(summary),
            Err(Stop::Failed(failure)) => Self::Failed(failure),
        }
    }
}

words! {
    /// What a job goes over one by one.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub(crate) enum Unit: [word] {
        #[default]
        Entry = "entry",
        Target = "target",
        Pull = "pull request",
        File = "file",
        Job = "job",
    }
}

impl Unit {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
    fn is_entry(&self) -> bool {
        *self == Self::Entry
    }
}

/// What a job did, in figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Summary {
    /// Those that the job went over.
    pub entries: u64,
    /// What `entries` counts.
    #[serde(skip_serializing_if = "Unit::is_entry")]
    pub(crate) unit: Unit,
    /// Entries whose facts were younger than the limit.
    pub fresh: u64,
    pub requests: u64,
    /// Requests that were answered with 304.
    pub not_modified: u64,
    /// Entries that upstream was asked about in vain.
    pub failed: u64,
    /// Those of them whose turn had not come when the job ended.
    #[serde(skip_serializing_if = "is_nil")]
    pub unreached: u64,
    /// Targets that were read but for the tag that they were indexed from.
    #[serde(skip_serializing_if = "is_nil")]
    pub(crate) tag_unread: u64,
    /// Entries whose data file cannot be read, so that nobody was asked about them.
    pub broken: u64,
    /// Repositories that were read and could not be kept, so that the next survey asks again.
    #[serde(skip_serializing_if = "is_nil")]
    pub unkept: u64,
    /// Files written or, in a dry run, that would be written.
    pub applied: u64,
    pub findings: u64,
    /// What the job could not see, in words: `no token: asset times were not read`.
    pub limits: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands the field over like that")]
fn is_nil(count: &u64) -> bool {
    *count == 0
}

/// One file that was rewritten.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Applied {
    pub address: Address,
    pub path: String,
    /// Versions that were added, as stored.
    pub added: Vec<String>,
    /// Versions whose failed try was recorded.
    pub recorded: Vec<String>,
    /// False in a dry run.
    pub written: bool,
}

/// What stopped a whole job. One entry's trouble is a finding, never this.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failure {
    pub kind: FailureKind,
    /// What was being done: `reading the registry`.
    pub doing: String,
    pub causes: Vec<String>,
    /// A sentence that starts with a verb.
    pub hint: Option<String>,
}

impl Failure {
    pub(crate) fn new(kind: FailureKind, doing: impl Into<String>) -> Self {
        Self { kind, doing: doing.into(), causes: Vec::new(), hint: None }
    }

    /// The failure for an address that the registry does not have. It names the entries that the user may mean.
    pub(crate) fn unregistered(doing: impl Into<String>, address: &Address, catalog: &Catalog) -> Self {
        let suggestions = Suggestions::of(address, catalog);
        let missing = match suggestions.copy_of {
            Some(_) => format!("the registry has no data file for `{address}`"),
            None => format!("the registry has no {} `{address}`", address.kind().word()),
        };
        Self::new(FailureKind::Usage, doing)
            .cause(missing)
            .causes(suggestions.sentence(address))
            .hint(suggestions.hint())
    }

    /// One more cause, behind those that are named already.
    pub(crate) fn cause(mut self, cause: impl Into<String>) -> Self {
        self.causes.push(cause.into());
        self
    }

    pub(crate) fn causes(mut self, causes: impl IntoIterator<Item = String>) -> Self {
        self.causes.extend(causes);
        self
    }

    /// What can be done: a sentence that starts with a verb.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What failed and why: `reading the registry failed: no such folder`.
    pub(crate) fn reason(&self) -> String {
        format!("{} failed: {}", self.doing, self.causes.join(": "))
    }

    /// The whole failure in one line: `reading the registry failed: no such folder. Name another one.`
    pub(crate) fn sentence(&self) -> String {
        let hint = self.hint.as_ref().map(|hint| format!(". {hint}")).unwrap_or_default();
        format!("{}{hint}", self.reason())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    Usage,
    Config,
    Auth,
    RateLimited,
    Network,
    Conflict,
    Data,
    Internal,
}
