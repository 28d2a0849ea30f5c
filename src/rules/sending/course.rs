//! The progress of a sending: requests that were made, their answers, and requests whose answer is not known.
//!
//! It is journalled before each request and after each answer, so that whatever cuts a sending off, the next run knows what may
//! exist. Pure; `jobs::publish` walks it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::registry::Repository;
use crate::rules::review::OwnVerdict;
use crate::rules::sending::{Made, Purpose, Request, Sending};

/// The progress of one request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Step {
    #[default]
    Waiting,
    /// It was sent or was about to be, and no answer is known: GitHub is asked before it is sent again.
    Begun,
    Done(Made),
    /// GitHub said no; nothing was changed by it.
    Refused(String),
}

impl Step {
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Begun => "unknown",
            Self::Done(_) => "done",
            Self::Refused(_) => "refused",
        }
    }
}

/// A sending and its progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Course {
    pub(crate) sending: Sending,
    /// The subject of the sending: the text of [`Purpose::of`], or the six digits of the sending that it takes back.
    pub(crate) of: String,
    /// It takes back what another one made.
    pub(crate) undoes: bool,
    /// The purpose of a sending that takes nothing back. A sending that is resumed passes the gates of this purpose again.
    #[serde(rename = "asked", default, skip_serializing_if = "Option::is_none")]
    pub(crate) purpose: Option<Purpose>,
    /// Another one took it back.
    #[serde(default)]
    pub(crate) is_undone: bool,
    /// Objects and effects that an undo leaves in place, in words.
    #[serde(default)]
    pub(crate) stays: Vec<String>,
    /// One for each request.
    pub(crate) steps: Vec<Step>,
    /// When each request was sent, the repeated ones too.
    pub(crate) sent_at: Vec<Timestamp>,
}

impl Course {
    /// One of which nothing was sent.
    pub(crate) fn of_purpose(sending: Sending, purpose: Purpose) -> Self {
        let of = purpose.of();
        Self { purpose: Some(purpose), ..Self::new(sending, of, false) }
    }

    /// One that takes another one back, of which nothing was sent.
    pub(crate) fn of_undo(sending: Sending, of: String, stays: Vec<String>) -> Self {
        Self { stays, ..Self::new(sending, of, true) }
    }

    fn new(sending: Sending, of: String, undoes: bool) -> Self {
        let steps = vec![Step::Waiting; sending.requests.len()];
        let (stays, sent_at) = (Vec::new(), Vec::new());
        Self { sending, of, undoes, purpose: None, is_undone: false, stays, steps, sent_at }
    }

    /// Names the sending by its purpose: `the pull request of plan 7c1e9a`, `the review of #5631`.
    pub(crate) fn what(&self) -> String {
        match &self.purpose {
            _ if self.undoes => format!("taking back sending {}", self.of),
            Some(Purpose::Pull(_)) | None => format!("the pull request of plan {}", self.of),
            Some(purpose) => purpose.noun(),
        }
    }

    /// The object that it made on GitHub: `pull request #12`, `the approval of pull request #12`, `run 7`.
    pub(crate) fn object(&self) -> String {
        match (&self.sending.requests[..], self.pull(), self.run()) {
            ([Request::Review { pull, opinion, .. }], ..) => {
                format!("the {} of pull request #{pull}", opinion.noun())
            }
            (_, Some(number), _) => format!("pull request #{number}"),
            (_, None, Some(run)) => format!("run {run}"),
            (_, None, None) => self.sending.kind().object.to_owned(),
        }
    }

    /// Reports that all of it was sent: `pull request #12 is open`.
    pub(crate) fn success(&self) -> String {
        // GitHub may list a new run late, so that its number is not known yet.
        let object = if self.starts() { "it".to_owned() } else { self.object() };
        format!("{object} {}", self.sending.kind().state)
    }

    /// Returns true if it starts a run on GitHub's machines. A request that took effect is never sent again.
    pub(crate) fn starts(&self) -> bool {
        matches!(self.sending.requests[..], [Request::Dispatch { .. } | Request::RerunFailed { .. }])
    }

    /// The review that it submitted to this repository, unless that was dropped.
    pub(crate) fn own_verdict(&self, home: &Repository) -> Option<OwnVerdict> {
        let [Request::Review { repository, pull, commit, opinion, .. }] = &self.sending.requests[..] else {
            return None;
        };
        let is_there = repository == home && self.is_done() && !self.is_undone;
        let at = *self.sent_at.last().filter(|_| is_there)?;
        Some(OwnVerdict { pull: *pull, opinion: *opinion, commit: commit.clone(), at })
    }

    /// The plan that it dispatched.
    pub(crate) fn dispatched(&self) -> Option<&str> {
        match &self.sending.requests[..] {
            [Request::Dispatch { inputs, .. }] => inputs.get("plan").map(String::as_str),
            _ => None,
        }
    }

    /// The run that it started.
    pub(crate) fn run(&self) -> Option<u64> {
        self.made().find_map(|made| made.run)
    }

    /// The first request that is still to be done.
    pub(crate) fn next(&self) -> Option<usize> {
        (0..self.steps.len()).find(|at| match &self.steps[*at] {
            Step::Done(_) => false,
            Step::Refused(_) => self.sending.requests[*at].is_needed(),
            Step::Waiting | Step::Begun => true,
        })
    }

    /// Requests that were refused, and that it does without.
    pub(crate) fn left_out(&self) -> impl Iterator<Item = usize> {
        let is_left = |at: &usize| {
            matches!(self.steps[*at], Step::Refused(_)) && !self.sending.requests[*at].is_needed()
        };
        (0..self.steps.len()).filter(is_left)
    }

    /// Returns true if the sending left the branch that it made at this commit.
    pub(crate) fn left_branch_at(&self, tip: &str) -> bool {
        let made = self.sending.requests.iter().zip(&self.steps).find_map(|(request, step)| match request {
            Request::CreateBranch { at, .. } if matches!(step, Step::Begun | Step::Done(_)) => {
                Some(at.as_str())
            }
            _ => None,
        });
        made.is_some_and(|base| self.commit().unwrap_or(base) == tip)
    }

    pub(crate) fn is_done(&self) -> bool {
        self.next().is_none()
    }

    /// Returns true if any request may have had an effect.
    pub(crate) fn is_begun(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Begun | Step::Done(_)))
    }

    /// Returns true if the sending was cut off half-way, and neither continued nor taken back.
    pub(crate) fn is_half_done(&self) -> bool {
        self.is_begun() && !self.is_done() && !self.is_undone
    }

    /// Returns true if nothing of the sending is left, nor anything to be done: it was taken back, or has taken another one back.
    pub(crate) fn is_over(&self) -> bool {
        self.is_undone || self.undoes && self.is_done()
    }

    /// The objects that all requests made.
    fn all_made(&self) -> Made {
        self.made().cloned().fold(Made::default(), Made::or)
    }

    fn made(&self) -> impl Iterator<Item = &Made> {
        self.steps.iter().filter_map(|step| match step {
            Step::Done(made) => Some(made),
            _ => None,
        })
    }

    /// The pull request that it opened.
    pub(crate) fn pull(&self) -> Option<u64> {
        self.made().find_map(|made| made.pull)
    }

    /// GitHub's id of the review that it submitted.
    pub(crate) fn review_id(&self) -> Option<u64> {
        self.made().find_map(|made| made.review)
    }

    /// The commit that it made.
    pub(crate) fn commit(&self) -> Option<&str> {
        self.made().find_map(|made| made.commit.as_deref())
    }

    /// The address of the pull request that it opened, or of the review that it submitted.
    pub(crate) fn url(&self) -> Option<String> {
        let made = self.all_made();
        self.sending.requests.iter().find_map(|request| request.page(&made))
    }

    /// The objects that the sending made, in words, and those that it perhaps made, because no answer is known.
    pub(crate) fn exists(&self) -> Vec<String> {
        let made = self.all_made();
        let steps = (1..).zip(self.sending.requests.iter().zip(&self.steps));
        steps
            .filter_map(|(number, (request, step))| match step {
                Step::Done(_) => request.object(&made),
                Step::Begun => Some(format!("perhaps what request {number} asked for")),
                Step::Waiting | Step::Refused(_) => None,
            })
            .collect()
    }
}

/// The sending that takes another one back: it closes the pull request with a comment. `branch` deletes the branch if that is
/// still where the other sending left it.
pub(crate) fn undo_of(course: &Course, pull: Option<u64>, branch: Option<Request>) -> Sending {
    let Sending { account, servers, requests } = &course.sending;
    let mut undo = Vec::new();
    let opened = requests.iter().find_map(|request| match request {
        Request::OpenPull { repository, .. } => Some(repository),
        _ => None,
    });
    if let (Some(repository), Some(pull)) = (opened, pull) {
        let with = if branch.is_some() { " Its branch is deleted with it." } else { "" };
        let body = format!(
            "Taken back by {account}, who opened it, with bumpdesk (sending {}).{with}",
            course.sending.name()
        );
        undo.push(Request::Comment { repository: repository.clone(), pull, body });
        undo.push(Request::ClosePull { repository: repository.clone(), pull });
    }
    undo.extend(branch);
    Sending { account: account.clone(), servers: servers.clone(), requests: undo }
}
