//! The events of a running job, and the registry and entries that they carry.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use serde::Serialize;

use crate::jobs::data::{
    ActionsNews, BackfillNews, Inquiry, LimitLeft, LockNews, LogLine, Outcome, PastJob, PlanOpened, Prepared,
    Progress, Triaged, VerifyNews,
};
use crate::registry::{Address, Catalog, Entry};
use crate::rules::activity::Activity;
use crate::rules::plan::{Plan, PlannedFile};
use crate::rules::policy::Reply;
use crate::rules::review::{OpenPull, OwnVerdict, PullDifferences, Review};
use crate::rules::sending::Course;
use crate::rules::stranded::Board;
use crate::rules::watch::WatchedPull;
use crate::rules::{Finding, KeySheet, Proposal, Verdict};

/// An event of a job.
#[derive(Clone, Debug)]
pub enum JobEvent {
    /// Its number in the journal: the first event of a job that has one.
    Numbered(i64),
    Progress(Progress),
    Loaded(Arc<Loaded>),
    /// The entries loaded from the last run's index are still right; and what git says besides.
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
    /// The progress of a sending: after every step, and at the start of one that an earlier run left. Also the sending that
    /// would take another one back.
    Sending(Arc<Course>),
    /// A pull request as it is now, whenever that is news.
    Watched(Arc<WatchedPull>),
    /// Those that wait, those with the newest news first.
    OpenPulls(Arc<Vec<OpenPull>>),
    /// The reviews of others' pull requests that were submitted from here, the oldest first.
    OwnVerdicts(Vec<OwnVerdict>),
    /// Both differences of the pull request that is reviewed alone; comes before its review.
    Differences(Arc<PullDifferences>),
    /// A pull request beside what upstream gives.
    Reviewed(Arc<Review>),
    /// The answer to a request that the policy refuses.
    Replied(Arc<Reply>),
    /// The answer to a line.
    Triaged(Arc<Triaged>),
    Stranded(Arc<Board>),
    /// The data files that bumps changed lately.
    Activity(Arc<Activity>),
    LogRead(Arc<Vec<LogLine>>),
    PastJobs(Vec<PastJob>),
    Inquired(Inquiry),
    /// Everything that is remembered, by name.
    Recalled(BTreeMap<String, String>),
    /// A line for the log and the last-message place.
    Note(String),
    /// The hourly limit of the API after a job, once an answer has named it.
    LimitLeft(LimitLeft),
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
    /// Sendings that earlier runs left half done, with the commands that continue them and take them back.
    pub half_done: Vec<String>,
    /// True if an API token was found; without it, GraphQL is off.
    pub has_token: bool,
    /// The number of requests a second to git; `None`: no limit.
    pub git_per_second: Option<f64>,
    /// True if views, marks and plans are kept. A second console keeps none, nor does a run without a state folder.
    pub keeps: bool,
    /// True if writing to GitHub was allowed at the start.
    pub may_write: bool,
}

/// The state of the registry after its files and its log were looked at.
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
    /// The keys on file and how versions fare with them; `None` for a module, or where they were not read.
    pub keys: Option<Arc<KeySheet>>,
    /// The notices about its versions that this maintainer keeps.
    pub notices: Vec<crate::rules::notice::Known>,
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
