//! The content of one write to GitHub: requests in their order, each with its whole body, the account, and the servers.
//!
//! All of it is decided before the first request goes out, and what is typed to confirm it are six digits of its SHA-256: a
//! changed title is another sending. Pure; `jobs::publish` gathers what it is made of.

mod actions;
mod course;
mod edit_text;
mod evidence;
mod gate;
mod patch;
mod prediction;
mod pull_text;
mod purpose;
mod request;
#[cfg(test)]
mod tests;
mod verdict;

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::registry::{Repository, digest};

pub(crate) use actions::{ActionsPlan, WorkflowThere, arguments};
pub(crate) use course::{Course, Step, undo_of};
pub(crate) use evidence::{Evidence, SentBlacklist, SentFile, SentVersion, names_of, versions_of};
pub(crate) use gate::{
    BranchRead, BumpRead, Competitor, Gate, GateName, GateState, HashesRead, Limits, Otherwise, failed_gate,
};
pub(crate) use patch::Patch;
pub(crate) use prediction::{Prediction, Reason};
pub(crate) use pull_text::{Author, PullText};
pub(crate) use purpose::{PullPlan, Purpose, WriteOrigin};
pub(crate) use request::{CommittedFile, Made, Request};
#[cfg(test)]
pub(crate) use verdict::tests as verdicts;
pub(crate) use verdict::{PullState, Seen, VerdictPlan, all_remarks, remarks, verdict_text};

/// Digits of a digest that are shown and typed.
const SHORT: usize = 6;

/// Everything that one write would send.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sending {
    /// The login whose token sends it.
    pub(crate) account: String,
    /// The servers that it is sent to: the bases of the API and of its GraphQL.
    pub(crate) servers: [String; 2],
    pub(crate) requests: Vec<Request>,
}

impl Sending {
    /// The requests that bring one commit on a branch of its own and open a pull request of it; `home` is where the branch is
    /// made, which is a fork where it is not the repository itself.
    pub(crate) fn of_pull(
        (account, servers): (&str, &[String; 2]),
        (repository, base, at): (&Repository, &str, &str),
        (home, branch): (&Repository, &str),
        text: &PullText,
        files: Vec<CommittedFile>,
    ) -> Self {
        let (repository, branch) = (repository.clone(), branch.to_owned());
        let mut requests = Vec::new();
        if *home != repository {
            requests.push(Request::Fork { repository: repository.clone() });
            requests.push(Request::SyncFork { fork: home.clone(), branch: base.to_owned() });
        }
        requests.extend([
            Request::CreateBranch { repository: home.clone(), branch: branch.clone(), at: at.to_owned() },
            Request::Commit {
                repository: home.clone(),
                branch: branch.clone(),
                expected: at.to_owned(),
                headline: text.title.clone(),
                body: text.message.clone(),
                files,
            },
            Request::OpenPull {
                head: format!("{}:{branch}", home.owner),
                repository: repository.clone(),
                title: text.title.clone(),
                base: base.to_owned(),
                body: text.body.clone(),
                draft: text.draft,
            },
        ]);
        if !text.labels.is_empty() {
            requests.push(Request::Label { repository: repository.clone(), labels: text.labels.clone() });
        }
        if !text.reviewers.is_empty() {
            requests.push(Request::AskReviewers { repository, reviewers: text.reviewers.clone() });
        }
        Self { account: account.to_owned(), servers: servers.clone(), requests }
    }

    /// A sending of one request alone, as a review is.
    pub(crate) fn of_one((account, servers): (&str, &[String; 2]), request: Request) -> Self {
        Self { account: account.to_owned(), servers: servers.clone(), requests: vec![request] }
    }

    /// SHA-256 over every request with its body, as whom, and where, hex; of a review over the branch that it was for as well.
    pub(crate) fn digest(&self) -> String {
        let mut text = String::from("bumpdesk sending 1\n");
        // Each part with its length, so that no two sendings have the same text.
        let mut put = |part: &str| {
            let _ = writeln!(text, "{} {part}", part.len());
        };
        for part in std::iter::once(&self.account).chain(&self.servers) {
            put(part);
        }
        for request in &self.requests {
            put(request.method());
            put(&request.path());
            put(&digest(request.body().to_string().as_bytes()));
            if let Some(content) = request.unsent_part() {
                put(&content);
            }
        }
        digest(text.as_bytes())
    }

    /// The digits that are typed to confirm it.
    pub(crate) fn name(&self) -> String {
        digits(&self.digest()).to_owned()
    }

    /// Returns true if these digits name the sending: the first six of its digest, or more of them.
    pub(crate) fn is_named_by(&self, digits: &str) -> bool {
        digits.len() >= SHORT && self.digest().starts_with(digits)
    }

    /// The files that it commits.
    pub(crate) fn committed(&self) -> &[CommittedFile] {
        let files = self.requests.iter().find_map(|request| match request {
            Request::Commit { files, .. } => Some(files.as_slice()),
            _ => None,
        });
        files.unwrap_or_default()
    }

    pub(crate) fn commits(&self, path: &str) -> bool {
        self.committed().iter().any(|file| file.path == path)
    }

    /// The only way to what may be sent: by the digits that somebody typed who saw it.
    pub(crate) fn confirm(&self, digits: &str) -> Option<ConfirmedSending<'_>> {
        self.is_named_by(digits).then_some(ConfirmedSending { sending: self })
    }
}

/// The digits that are typed, of a whole digest.
pub(crate) fn digits(digest: &str) -> &str {
    digest.get(..SHORT).unwrap_or(digest)
}

/// A sending that was confirmed by its digits. Nothing else can be sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConfirmedSending<'a> {
    sending: &'a Sending,
}

/// One request of a confirmed sending: what `remote` takes for a change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConfirmedRequest<'a> {
    request: &'a Request,
}

impl<'a> ConfirmedSending<'a> {
    pub(crate) fn request(self, number: usize) -> Option<ConfirmedRequest<'a>> {
        self.sending.requests.get(number).map(|request| ConfirmedRequest { request })
    }
}

impl<'a> ConfirmedRequest<'a> {
    pub(crate) fn get(self) -> &'a Request {
        self.request
    }
}

/// Digits of a plan's digest in the name of its branch, which stays for long.
const BRANCH_DIGITS: usize = 12;

/// The prefix of the names of our branches.
pub(crate) const BRANCHES: &str = "bumpdesk/";

/// The branch of what is sent: one for each content, so that the same finds its branch again, whoever sends it.
pub(crate) fn branch_of(plan_digest: &str) -> String {
    format!("{BRANCHES}bump-{}", plan_digest.get(..BRANCH_DIGITS).unwrap_or(plan_digest))
}
