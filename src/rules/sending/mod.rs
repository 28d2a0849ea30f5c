//! What one write to GitHub would send: requests in their order, each with its whole body, as whom, and where.
//!
//! All of it is decided before the first request goes out, and what is typed to confirm it are six digits of its SHA-256: a
//! changed title is another sending. Pure; `jobs::publish` gathers what it is made of.

mod evidence;
mod gate;
mod patch;
mod pull_text;
mod request;
#[cfg(test)]
mod tests;

use crate::registry::{Repository, digest};

pub(crate) use evidence::{Evidence, SentFile, SentVersion, versions_of};
pub(crate) use gate::{BranchRead, Competitor, Gate, GateName, GateState, Limits};
pub(crate) use patch::patch;
pub(crate) use pull_text::{Author, PullText};
pub(crate) use request::{CommittedFile, Request};

/// Digits of a digest that are shown and typed.
const SHORT: usize = 6;

/// Everything that one write would send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sending {
    /// The login whose token sends it.
    pub(crate) account: String,
    /// The API that it goes to: `https://api.github.com`.
    pub(crate) server: String,
    pub(crate) requests: Vec<Request>,
}

impl Sending {
    /// The requests that bring one commit on a branch of its own and open a pull request of it.
    pub(crate) fn of_pull(
        (account, server): (&str, &str),
        (repository, base, at): (&Repository, &str, &str),
        plan_name: &str,
        text: &PullText,
        files: Vec<CommittedFile>,
    ) -> Self {
        let branch = branch_of(plan_name);
        let repository = repository.clone();
        let mut requests = vec![
            Request::CreateBranch {
                repository: repository.clone(),
                branch: branch.clone(),
                at: at.to_owned(),
            },
            Request::Commit {
                repository: repository.clone(),
                branch: branch.clone(),
                expected: at.to_owned(),
                headline: text.title.clone(),
                body: text.message.clone(),
                files,
            },
            Request::OpenPull {
                head: format!("{}:{branch}", repository.owner),
                repository: repository.clone(),
                title: text.title.clone(),
                base: base.to_owned(),
                body: text.body.clone(),
                draft: text.draft,
            },
        ];
        if !text.labels.is_empty() {
            requests.push(Request::Label { repository: repository.clone(), labels: text.labels.clone() });
        }
        if !text.reviewers.is_empty() {
            requests.push(Request::AskReviewers { repository, reviewers: text.reviewers.clone() });
        }
        Self { account: account.to_owned(), server: server.to_owned(), requests }
    }

    /// SHA-256 over every request with its body, as whom, and where, hex.
    pub(crate) fn digest(&self) -> String {
        let mut text = format!("bumpdesk sending 1\n{}\n{}\n", self.account, self.server);
        for request in &self.requests {
            let body = digest(request.body().to_string().as_bytes());
            for part in [Request::METHOD, &request.path(), &body] {
                text.push_str(part);
                text.push('\n');
            }
        }
        digest(text.as_bytes())
    }

    /// The digits that are typed to confirm it.
    pub(crate) fn name(&self) -> String {
        self.digest()[..SHORT].to_owned()
    }
}

/// The branch of a plan: one for each content, so that the same plan finds its branch again, whoever sends it.
pub(crate) fn branch_of(plan_name: &str) -> String {
    format!("bumpdesk/bump-{plan_name}")
}
