//! The jobs with their plans, and the part of the world that each of them writes.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::jobs::data::{
    ActionsTask, BackfillTask, LockPlan, LogQuery, PlanTask, SendTask, TriagePlan, VerifyPlan,
};
use crate::registry::{Address, Decision};
use crate::rules::activity::Activity;
use crate::rules::policy::Reason;
use crate::rules::sending::Purpose;
use crate::rules::{Depth, Mode};

/// A job of the model's numbering; unknown ids are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId(pub u64);

/// A job to start. The journal stores those that can be started again.
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
    /// Read one data file as it is, whole or broken: [`super::JobEvent::Read`].
    #[serde(skip)]
    Read(Address),
    /// Survey, add what is missing, write the files: the registry's own process.
    #[serde(skip)]
    Bump(BumpPlan),
    /// Check the data files themselves, without any network.
    #[serde(skip)]
    Lint(LintPlan),
    /// Compare what is stored with what upstream serves: [`super::JobEvent::Verify`].
    Verify(VerifyPlan),
    /// Look at a backfill on GitHub's machines, or put together what it found: [`super::JobEvent::Actions`].
    Actions(ActionsTask),
    /// Compute h1 and size of what lacks them: [`super::JobEvent::Backfill`].
    Backfill(BackfillTask),
    /// The way a client treats a version, or a lock file: [`super::JobEvent::Lock`].
    #[serde(skip)]
    Lock(LockPlan),
    /// Look at the plan or change it.
    Plan(PlanTask),
    /// Prepare a pull request of the plan, a verdict, or a run on GitHub's machines, and send nothing:
    /// [`super::JobEvent::Prepared`].
    #[serde(skip)]
    Prepare(Purpose),
    /// Send what was made ready and confirmed, or take it back: [`super::JobEvent::Sending`]. Never asked again by itself.
    #[serde(skip)]
    Send(SendTask),
    /// Look at pull requests, or follow one until it is over: [`super::JobEvent::Watched`].
    Watch(WatchPlan),
    /// Make what a pull request claims again: [`super::JobEvent::Reviewed`].
    Review(ReviewPlan),
    /// List the open pull requests and make each again: [`super::JobEvent::OpenPulls`], then [`super::JobEvent::Reviewed`].
    Reviews,
    /// Write the reply to what the policy refuses: [`super::JobEvent::Replied`].
    #[serde(skip)]
    Reply(ReplyPlan),
    /// Say why versions are not available: [`super::JobEvent::Triaged`].
    #[serde(skip)]
    Triage(TriagePlan),
    /// Say which versions no bump brings by itself, from what is known: [`super::JobEvent::Stranded`].
    #[serde(skip)]
    Stranded,
    /// Count the data files that bumps changed on each of the last 30 days, from an earlier count if there is one:
    /// [`super::JobEvent::Activity`].
    #[serde(skip)]
    Activity(Option<Arc<Activity>>),
    /// Ignore versions for a while, or take that back: [`super::JobEvent::Judged`].
    #[serde(skip)]
    Decide(DecideTask),
    /// Write a text into a new file that the user named.
    #[serde(skip)]
    WriteOut(NewFile),
    /// Read the log: [`super::JobEvent::LogRead`].
    #[serde(skip)]
    ReadLog(LogQuery),
    /// Read the last jobs of this and earlier runs, newest first: [`super::JobEvent::PastJobs`].
    #[serde(skip)]
    ListJobs {
        most: usize,
        /// True for the jobs of all registries instead of the open one.
        everywhere: bool,
    },
    /// Ask the API about us: [`super::JobEvent::Inquired`].
    #[serde(skip)]
    Inquire,
    /// Read what the console remembers between runs: [`super::JobEvent::Recalled`].
    #[serde(skip)]
    Recall,
    /// Remember values by name, as JSON texts; an empty one forgets its name.
    #[serde(skip)]
    Remember(BTreeMap<String, String>),
}

/// The data that a job writes, besides what it observed. A face asks before it starts a job that writes more than its own
/// memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Writes {
    /// Or a file that did not exist, and was named for it.
    Nothing,
    /// The memory of the console: its views, what was seen.
    Memory,
    /// The plan: files, approvals, rejections, notes.
    Plan,
    /// The registry's data files.
    Files,
    /// Branches, pull requests, reviews and workflow runs on GitHub.
    GitHub,
}

/// The entries that a job is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Scope {
    Everything,
    Addresses(Vec<Address>),
    /// The shards that the registry's workflow runs: namespaces that start with this, in any case.
    Prefix(String),
}

impl Scope {
    /// Returns true if an entry is in the scope.
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
    /// Entries to read before the others, since they are on the screen. A repeated job has its own, so this is not kept.
    #[serde(skip)]
    pub first: Vec<Address>,
}

impl SurveyPlan {
    /// A survey without entries that are read first.
    pub fn new(scope: Scope, depth: Depth, max_age: Duration, gate: Gate) -> Self {
        Self { scope, depth, max_age, gate, first: Vec::new() }
    }
}

/// The rule for the provider entries that are looked at closely.
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
    /// The depth at which facts are read, if they are read.
    pub depth: Depth,
    /// A key file that is not on file, to preview its effects. Signatures are then read without any key too.
    pub with_key: Option<std::path::PathBuf>,
}

/// A watch: its pull requests, and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchPlan {
    /// `None`: every open one whose branch bumpdesk made, one look at each.
    pub number: Option<u64>,
    /// One look, whatever it waits for.
    pub once: bool,
}

/// A review: its pull request, and its depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewPlan {
    pub(crate) number: u64,
    /// Every archive is downloaded and hashed.
    pub(crate) hashes: bool,
}

impl ReviewPlan {
    pub(crate) fn command_line(self) -> String {
        format!("bumpdesk review {}{}", self.number, if self.hashes { " --hash" } else { "" })
    }
}

/// A request to the registry, and the reason why it is refused.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplyPlan {
    pub(crate) address: Address,
    pub(crate) versions: Vec<String>,
    /// One that is refused.
    pub(crate) reason: Reason,
}

/// Versions that are ignored, or are no more.
#[derive(Clone, Debug, PartialEq)]
pub enum DecideTask {
    /// Ignore versions, each until its own end. Replaces earlier decisions about them.
    Ignore(Vec<Decision>),
    TakeBack(Vec<(Address, String)>),
}

impl DecideTask {
    pub(crate) fn addresses(&self) -> Vec<Address> {
        let mut addresses: Vec<Address> = match self {
            Self::Ignore(decisions) => {
                decisions.iter().filter_map(|decision| Address::parse(&decision.address).ok()).collect()
            }
            Self::TakeBack(versions) => versions.iter().map(|(address, _)| address.clone()).collect(),
        };
        addresses.sort();
        addresses.dedup();
        addresses
    }
}

/// A file that is not there yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFile {
    pub(crate) path: PathBuf,
    pub(crate) text: Arc<str>,
}
