//! The requests that a write is made of. Closed: what has no variant here cannot be sent.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::registry::Repository;
use crate::rules::amount;

/// One file of a commit, whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommittedFile {
    /// Below the repository's root.
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
}

/// One request that changes something on GitHub (`github.md#commits`, `github.md#pull-requests`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// Makes a branch that is not there yet.
    CreateBranch { repository: Repository, branch: String, at: String },
    /// Puts one commit, signed by GitHub, on a branch that still is where it is expected.
    Commit {
        repository: Repository,
        branch: String,
        expected: String,
        headline: String,
        body: String,
        files: Vec<CommittedFile>,
    },
    OpenPull {
        repository: Repository,
        title: String,
        /// `owner:branch`.
        head: String,
        base: String,
        body: String,
        draft: bool,
    },
    /// Of the pull request that was opened before.
    Label { repository: Repository, labels: Vec<String> },
    /// Of the pull request that was opened before.
    AskReviewers { repository: Repository, reviewers: Vec<String> },
}

/// Stands in a path for the number of the pull request, which nobody knows before it is opened.
const PULL: &str = "{pull}";

const COMMIT: &str =
    "mutation($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { oid } } }";

impl Request {
    /// Each makes something new.
    pub(crate) const METHOD: &'static str = "POST";

    /// Below the API's base.
    pub(crate) fn path(&self) -> String {
        let of = |repository: &Repository, what: &str| {
            format!("/repos/{}/{}/{what}", repository.owner, repository.name)
        };
        match self {
            Self::CreateBranch { repository, .. } => of(repository, "git/refs"),
            Self::Commit { .. } => "/graphql".to_owned(),
            Self::OpenPull { repository, .. } => of(repository, "pulls"),
            Self::Label { repository, .. } => of(repository, &format!("issues/{PULL}/labels")),
            Self::AskReviewers { repository, .. } => {
                of(repository, &format!("pulls/{PULL}/requested_reviewers"))
            }
        }
    }

    pub(crate) fn body(&self) -> Value {
        match self {
            Self::CreateBranch { branch, at, .. } => {
                json!({ "ref": format!("refs/heads/{branch}"), "sha": at })
            }
            Self::Commit { repository, branch, expected, headline, body, files } => {
                let addition = |file: &CommittedFile| json!({ "path": file.path, "contents": BASE64_STANDARD.encode(&file.bytes) });
                json!({
                    "query": COMMIT,
                    "variables": { "input": {
                        "branch": {
                            "repositoryNameWithOwner": format!("{}/{}", repository.owner, repository.name),
                            "branchName": branch,
                        },
                        "expectedHeadOid": expected,
                        "message": { "headline": headline, "body": body },
                        "fileChanges": { "additions": files.iter().map(addition).collect::<Vec<_>>() },
                    } },
                })
            }
            Self::OpenPull { title, head, base, body, draft, .. } => json!({
                "title": title, "head": head, "base": base, "body": body, "draft": draft,
                "maintainer_can_modify": true,
            }),
            Self::Label { labels, .. } => json!({ "labels": labels }),
            Self::AskReviewers { reviewers, .. } => json!({ "reviewers": reviewers }),
        }
    }

    /// What it does, in words.
    pub(crate) fn purpose(&self) -> String {
        match self {
            Self::CreateBranch { branch, at, .. } => {
                format!("make the branch {branch} at {}", at.get(..7).unwrap_or(at))
            }
            Self::Commit { branch, files, .. } => {
                format!("commit {} on {branch}", amount::counted(files.len(), "file"))
            }
            Self::OpenPull { base, draft, .. } => {
                let draft = if *draft { "draft " } else { "" };
                format!("open the {draft}pull request into {base}")
            }
            Self::Label { labels, .. } => format!("label it {}", labels.join(", ")),
            Self::AskReviewers { reviewers, .. } => format!("ask {} to review it", reviewers.join(", ")),
        }
    }
}
