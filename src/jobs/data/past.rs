//! Jobs of this and of earlier runs, as the journal lists them.

use jiff::Timestamp;

use crate::jobs::data::{Job, Summary};

/// A job of this or an earlier run.
#[derive(Clone, Debug, PartialEq)]
pub struct PastJob {
    /// Counts up over all runs.
    pub(crate) id: i64,
    /// `survey`, `bump`, `lint`, `verify`, `lock`, `plan add`, `plan clear-errors`, `plan rebuild`.
    pub(crate) kind: String,
    /// `hashicorp/aws and 3 more`.
    pub(crate) what: String,
    /// The job; `None` if only a command starts it, if it names very many entries, or if an older bumpdesk noted it.
    pub(crate) job: Option<Job>,
    pub(crate) state: PastState,
    /// The folder of the job's registry; `None` if it was not recorded.
    pub(crate) registry: Option<String>,
    pub(crate) started_at: Timestamp,
    /// `None` while it runs, and where it is not known.
    pub(crate) ended_at: Option<Timestamp>,
    pub(crate) counts: Summary,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PastState {
    /// In this process or in the other one that holds the state.
    Running,
    Done,
    Cancelled,
    /// Why, in one line.
    Failed(String),
    /// Its process ended without a word.
    CutOff,
}

impl PastState {
    /// The word as scripts read it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Done => "done",
            Self::Cancelled => "cancelled",
            Self::Failed(_) => "failed",
            Self::CutOff => "cut-off",
        }
    }
}
