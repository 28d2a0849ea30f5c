//! A write to GitHub: the task, and the request as it was prepared, with its gates.

use std::sync::Arc;

use crate::registry::short_id;
use crate::rules::backfill::Share;
use crate::rules::review::Review;
use crate::rules::sending::{
    Gate, GateState, Patch, PullText, Purpose, Sending, SentFile, digits, failed_gate,
};

/// A write as it would be sent, and the results of the gates.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared {
    pub(crate) subject: Subject,
    pub(crate) gates: Vec<Gate>,
    pub(crate) sending: Sending,
    /// The digest of the whole sending. It is kept since computing it takes a while.
    pub(crate) digest: String,
}

/// The subject of a write.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Subject {
    Plan(Box<PlannedPull>),
    /// The review as it was made again.
    Review(Arc<Review>),
    Run(StartedRun),
}

/// A run on GitHub's machines that is to be started, or the failed jobs of a run that are to run again.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StartedRun {
    /// The digest of the backfill's plan, hex.
    pub(crate) plan: String,
    /// The commit that it is of.
    pub(crate) base: String,
    /// The run whose failed jobs run again; `None`: a new one.
    pub(crate) run: Option<u64>,
    /// The shares of a new run.
    pub(crate) shares: Vec<Share>,
}

/// A pull request of the plan.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlannedPull {
    pub(crate) plan: String,
    /// Branch and commit that it is built on.
    pub(crate) base: (String, String),
    pub(crate) files: Vec<SentFile>,
    pub(crate) text: PullText,
    pub(crate) patch: Patch,
}

impl Subject {
    /// The subject with its label: `plan` and `7c1e9a`, `review` and `#5631`.
    pub(crate) fn labelled(&self) -> (&'static str, String) {
        match self {
            Self::Plan(planned) => ("plan", planned.plan.clone()),
            Self::Review(review) => ("review", format!("#{}", review.pull.number)),
            Self::Run(run) => ("backfill", run.plan.clone()),
        }
    }

    /// The subject in a title: `plan 7c1e9a`, `#5631`, `backfill 5f0c1e2`.
    pub(crate) fn title(&self) -> String {
        match self {
            Self::Plan(planned) => format!("plan {}", planned.plan),
            Self::Review(review) => format!("#{}", review.pull.number),
            Self::Run(StartedRun { run: Some(id), .. }) => format!("what failed in run {id}"),
            Self::Run(StartedRun { plan, .. }) => format!("backfill {}", short_id(plan)),
        }
    }

    /// The commit that it is on.
    pub(crate) fn commit(&self) -> &str {
        match self {
            Self::Plan(planned) => &planned.base.1,
            Self::Review(review) => &review.pull.head,
            Self::Run(run) => &run.base,
        }
    }

    /// The number of the pull request of another author.
    pub(crate) fn pull(&self) -> Option<u64> {
        if let Self::Review(review) = self { Some(review.pull.number) } else { None }
    }
}

impl Prepared {
    pub(crate) fn planned(&self) -> Option<&PlannedPull> {
        if let Subject::Plan(planned) = &self.subject { Some(planned) } else { None }
    }

    /// The digits that are typed to confirm it.
    pub(crate) fn digits(&self) -> &str {
        digits(&self.digest)
    }

    /// The gates that fail, with their numbers.
    pub(crate) fn failing(&self) -> impl Iterator<Item = (usize, &Gate)> {
        (1..).zip(&self.gates).filter(|(_, gate)| gate.state == GateState::Fail)
    }

    /// The failing gates in words.
    pub(crate) fn failed_gates(&self) -> Vec<String> {
        self.failing().map(|(number, gate)| failed_gate(number, gate)).collect()
    }
}

/// A task on a write to GitHub.
#[derive(Clone, Debug, PartialEq)]
pub enum SendTask {
    /// Prepare the write again and send it, if its digits are the same and all gates pass.
    Open { asked: Purpose, digits: String },
    /// Continue a sending that was cut off.
    Resume { digits: String },
    /// Say what taking a sending back would send.
    LookAtUndo { of: String },
    /// Take a sending back, as far as that can be done.
    Undo { of: String, digits: String },
}
