//! The purpose of a write to GitHub: its kind, which is one row here, and its plan, as it was requested.
//!
//! Pure. A purpose has its kind before anything is prepared; it is kept, so that the gates can be checked again before the write
//! continues. A sending has its kind by its requests, because a journal may not say for which purpose they were made.

use serde::{Deserialize, Serialize};

use crate::rules::sending::{ActionsPlan, Request, Sending, VerdictPlan};

/// A pull request to be made ready.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PullPlan {
    /// The digits of the plan, as the maintainer saw it.
    pub plan: String,
    /// Open it as a draft.
    pub draft: bool,
    pub labels: Vec<String>,
    pub reviewers: Vec<String>,
    /// Send it from a fork that the account owns.
    pub fork: bool,
    /// Only the files that are sent with this letter, which their namespaces begin with.
    pub letter: Option<char>,
    /// Issues that it closes.
    pub fixes: Vec<u64>,
    /// True if the maintainer knows that archives changed of versions that it does not touch.
    pub acknowledged_drift: bool,
}

/// The purpose of a write. Its gates are checked again by it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Purpose {
    /// A pull request of the plan.
    Pull(PullPlan),
    /// A verdict on a pull request of another author.
    Verdict(VerdictPlan),
    /// A backfill on GitHub's machines.
    Actions(ActionsPlan),
}

/// A kind of write, with its words that do not depend on the plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WriteKind {
    /// Its name as the head of a title: `Pull request`.
    pub(crate) title: &'static str,
    pub(crate) origin: WriteOrigin,
    /// Its place below the view of its origin, for the header: `> verdict`.
    pub(crate) crumb: &'static str,
    /// Its name with an article: `a pull request`.
    pub(crate) noun: &'static str,
    /// The object on GitHub, where its number is not known: `the pull request`.
    pub(crate) object: &'static str,
    /// The state of the object once all was sent: `is open`.
    pub(crate) state: &'static str,
    /// The command that prepares it, as the journal and the log name the job.
    pub(crate) prepare_command: &'static str,
    /// The command that sends it, as the journal and the log name the job.
    pub(crate) send_command: &'static str,
    /// The job that prepares it, in short.
    pub(crate) brief: &'static str,
    /// The work of that job, as a sentence.
    pub(crate) preparing: &'static str,
    /// `None` if a sent one can be undone.
    pub(crate) permanent: Option<PermanentWrite>,
}

/// The list from which a write is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriteOrigin {
    /// The changes of the plan.
    Plan,
    /// The pull requests of other authors.
    Reviews,
    /// The jobs, with the runs on GitHub's machines.
    Jobs,
}

/// The words about a write that cannot be taken back once it took effect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PermanentWrite {
    /// The limit, with the way out that GitHub offers.
    pub(crate) limit: &'static str,
    /// The reason why undoing is refused; it follows the state.
    pub(crate) refusal: &'static str,
    /// The remedy beside that reason.
    pub(crate) remedy: &'static str,
}

const PULL_REQUEST: WriteKind = WriteKind {
    title: "Pull request",
    origin: WriteOrigin::Plan,
    crumb: "> pull request",
    noun: "a pull request",
    object: "the pull request",
    state: "is open",
    prepare_command: "pr prepare",
    send_command: "pr open",
    brief: "making the pull request ready",
    preparing: "building its files on the registry's branch from what upstream says now, and checking the gates; nothing is sent",
    permanent: None,
};

const REVIEW: WriteKind = WriteKind {
    title: "Review",
    origin: WriteOrigin::Reviews,
    crumb: "> verdict",
    noun: "a review",
    object: "the review",
    state: "is submitted",
    prepare_command: "review",
    send_command: "review",
    brief: "making the review ready",
    preparing: "making it again from upstream, and checking the gates; nothing is sent",
    permanent: Some(PermanentWrite {
        limit: "a submitted review cannot be taken back; on GitHub it can be dismissed",
        refusal: "and GitHub takes no review back",
        remedy: "Dismiss it on GitHub, or submit another one.",
    }),
};

const DISPATCH: WriteKind = WriteKind {
    title: "Dispatch",
    origin: WriteOrigin::Jobs,
    crumb: "> run",
    noun: "a run on GitHub's machines",
    object: "the run",
    state: "was started",
    prepare_command: "backfill dispatch",
    send_command: "backfill dispatch",
    brief: "making the run ready",
    preparing: "making its plan from the registry's files, and checking the gates; nothing is sent",
    permanent: Some(PermanentWrite {
        limit: "what was started cannot be taken back, and changes nothing of the registry; on GitHub it can be cancelled",
        refusal: "and nothing of the registry is changed by it",
        remedy: "Cancel it on GitHub if it is not wanted.",
    }),
};

const RERUN: WriteKind = WriteKind {
    title: "Re-run",
    prepare_command: "backfill rerun",
    send_command: "backfill rerun",
    ..DISPATCH
};

impl Default for Purpose {
    /// A draft without a plan.
    fn default() -> Self {
        Self::Pull(PullPlan { draft: true, ..PullPlan::default() })
    }
}

impl From<PullPlan> for Purpose {
    fn from(plan: PullPlan) -> Self {
        Self::Pull(plan)
    }
}

impl From<VerdictPlan> for Purpose {
    fn from(plan: VerdictPlan) -> Self {
        Self::Verdict(plan)
    }
}

impl From<ActionsPlan> for Purpose {
    fn from(plan: ActionsPlan) -> Self {
        Self::Actions(plan)
    }
}

impl Purpose {
    pub(crate) fn kind(&self) -> &'static WriteKind {
        match self {
            Self::Pull(_) => &PULL_REQUEST,
            Self::Verdict(_) => &REVIEW,
            Self::Actions(ActionsPlan::Dispatch { .. }) => &DISPATCH,
            Self::Actions(ActionsPlan::Rerun { .. }) => &RERUN,
        }
    }

    /// The options of a pull request of the plan; those of a new draft for any other purpose.
    pub(crate) fn pull(&self) -> PullPlan {
        if let Self::Pull(plan) = self { plan.clone() } else { Self::default().pull() }
    }

    /// The key by which a sending is found: the digits of the plan, the number of the pull request (`#5631`), or the
    /// run.
    pub(crate) fn of(&self) -> String {
        match self {
            Self::Pull(plan) => plan.plan.clone(),
            Self::Verdict(plan) => format!("#{}", plan.number),
            Self::Actions(plan) => plan.of(),
        }
    }

    /// The write in a sentence: `the pull request`, `the review of #5631`.
    pub(crate) fn noun(&self) -> String {
        match self {
            Self::Pull(_) => "the pull request".to_owned(),
            Self::Verdict(plan) => format!("the review of #{}", plan.number),
            Self::Actions(plan) => plan.noun(),
        }
    }

    /// The subject of the job that sends it, in the journal: `plan 7c1e9a`, `#5631`.
    pub(crate) fn subject(&self) -> String {
        match self {
            Self::Pull(plan) => format!("plan {}", plan.plan),
            Self::Verdict(_) => self.of(),
            Self::Actions(plan) => plan.noun(),
        }
    }

    /// The subject in a title, before anything is prepared: `plan 7c1e9a`, `#5631`, `run 7`.
    pub(crate) fn title(&self) -> String {
        match self {
            Self::Pull(_) | Self::Verdict(_) => self.subject(),
            Self::Actions(ActionsPlan::Dispatch { .. }) => "of a backfill".to_owned(),
            Self::Actions(ActionsPlan::Rerun { run }) => format!("run {run}"),
        }
    }

    /// The command that makes it ready.
    pub(crate) fn command(&self) -> String {
        match self {
            Self::Pull(plan) => format!("bumpdesk pr open --plan {}", plan.plan),
            Self::Verdict(plan) => plan.command(),
            Self::Actions(plan) => plan.command(),
        }
    }
}

impl Sending {
    /// The kind that its requests make. Undoing is a part of the kind of the pull request.
    pub(crate) fn kind(&self) -> &'static WriteKind {
        match self.requests[..] {
            [Request::Review { .. }] => &REVIEW,
            [Request::Dispatch { .. }] => &DISPATCH,
            [Request::RerunFailed { .. }] => &RERUN,
            _ => &PULL_REQUEST,
        }
    }
}
