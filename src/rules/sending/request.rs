//! The requests that a write is made of. Closed: what has no variant here cannot be sent.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use crate::registry::{Repository, short_id};
use crate::rules::amount;
use crate::rules::review::{Opinion, Remark};
use crate::rules::watch::TWO_APPROVALS;

/// One whole file of a commit. Empty content stands for a deleted file, because no file of the registry is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CommittedFile {
    /// Below the repository's root.
    pub(crate) path: String,
    #[serde(serialize_with = "to_base64", deserialize_with = "from_base64")]
    pub(crate) bytes: Vec<u8>,
}

impl CommittedFile {
    /// The content; `None` if the file is deleted.
    pub(crate) fn contents(&self) -> Option<&[u8]> {
        (!self.bytes.is_empty()).then_some(&*self.bytes)
    }
}

fn to_base64<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&BASE64_STANDARD.encode(bytes))
}

fn from_base64<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(deserializer)?;
    BASE64_STANDARD.decode(text).map_err(serde::de::Error::custom)
}

/// One request that changes something on GitHub (`github.md#commits`, `github.md#pull-requests`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Request {
    /// Makes the account's own copy of a repository, or finds the one that it has.
    Fork {
        repository: Repository,
    },
    /// Brings a branch of a fork to where its parent's is.
    SyncFork {
        fork: Repository,
        branch: String,
    },
    /// Makes a branch that is not there yet.
    CreateBranch {
        repository: Repository,
        branch: String,
        at: String,
    },
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
    /// Labels the pull request that was opened before.
    Label {
        repository: Repository,
        labels: Vec<String>,
    },
    /// Asks accounts to review the pull request that was opened before.
    AskReviewers {
        repository: Repository,
        reviewers: Vec<String>,
    },
    /// Says what was found of a pull request, of this very commit: nobody takes it back.
    Review {
        repository: Repository,
        pull: u64,
        commit: String,
        /// The branch that it was for; empty in what was written down before this was.
        #[serde(default)]
        base: String,
        opinion: Opinion,
        body: String,
        remarks: Vec<Remark>,
    },
    /// Says something below a pull request.
    Comment {
        repository: Repository,
        pull: u64,
        body: String,
    },
    ClosePull {
        repository: Repository,
        pull: u64,
    },
    /// Starts a workflow by hand; what it works on is in its inputs.
    Dispatch {
        repository: Repository,
        /// The name of its file.
        workflow: String,
        branch: String,
        inputs: BTreeMap<String, String>,
    },
    /// Runs once more what failed of a run, with all that waited for it.
    RerunFailed {
        repository: Repository,
        run: u64,
        /// The attempt that failed: the next one is another sending.
        attempt: u32,
    },
    /// Takes a branch away that still is where it is expected, which REST cannot say.
    DeleteBranch {
        repository: Repository,
        /// GraphQL's name of it.
        repository_id: String,
        branch: String,
        at: String,
    },
}

/// The objects that a request made, as far as later requests need them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Made {
    /// The id of the commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) commit: Option<String>,
    /// The number of the pull request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pull: Option<u64>,
    /// GitHub's id of the review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) review: Option<u64>,
    /// GitHub's id of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<u64>,
}

impl Made {
    /// Adds the objects of another request; of two of a kind the first stays.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            commit: self.commit.or(other.commit),
            pull: self.pull.or(other.pull),
            review: self.review.or(other.review),
            run: self.run.or(other.run),
        }
    }
}

/// Stands in a path for the number of the pull request, which nobody knows before it is opened.
const PULL: &str = "{pull}";

const COMMIT: &str =
    "mutation($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { oid } } }";

const MOVE_REFS: &str =
    "mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }";

/// The commit id that stands for no branch in `updateRefs`.
const NOWHERE: &str = "0000000000000000000000000000000000000000";

impl Request {
    pub(crate) fn method(&self) -> &'static str {
        match self {
            Self::ClosePull { .. } => "PATCH",
            _ => "POST",
        }
    }

    /// Returns true if a sending is worth nothing without it. Labels and reviewers are added to a pull request that is open
    /// already, and GitHub refuses them from an account that may not push, or for a reviewer who may not read. But only its
    /// label shows that a pull request needs two approvals.
    pub(crate) fn is_needed(&self) -> bool {
        match self {
            Self::Label { labels, .. } => labels.iter().any(|label| label == TWO_APPROVALS),
            Self::AskReviewers { .. } => false,
            _ => true,
        }
    }

    /// Returns true if it goes to GraphQL, which answers 200 to a request that it refuses.
    pub(crate) fn is_graphql(&self) -> bool {
        matches!(self, Self::Commit { .. } | Self::DeleteBranch { .. })
    }

    /// The repository that it changes; the parent of a fork that it makes.
    pub(crate) fn repository(&self) -> &Repository {
        match self {
            Self::SyncFork { fork: repository, .. }
            | Self::Fork { repository }
            | Self::CreateBranch { repository, .. }
            | Self::Commit { repository, .. }
            | Self::OpenPull { repository, .. }
            | Self::Label { repository, .. }
            | Self::AskReviewers { repository, .. }
            | Self::Review { repository, .. }
            | Self::Comment { repository, .. }
            | Self::ClosePull { repository, .. }
            | Self::Dispatch { repository, .. }
            | Self::RerunFailed { repository, .. }
            | Self::DeleteBranch { repository, .. } => repository,
        }
    }

    /// Below the API's base.
    pub(crate) fn path(&self) -> String {
        let below = match self {
            Self::Commit { .. } | Self::DeleteBranch { .. } => return "/graphql".to_owned(),
            Self::Fork { .. } => "forks".to_owned(),
            Self::SyncFork { .. } => "merge-upstream".to_owned(),
            Self::Comment { pull, .. } => format!("issues/{pull}/comments"),
            Self::ClosePull { pull, .. } => format!("pulls/{pull}"),
            Self::Review { pull, .. } => format!("pulls/{pull}/reviews"),
            Self::Dispatch { workflow, .. } => format!("actions/workflows/{workflow}/dispatches"),
            Self::RerunFailed { run, .. } => format!("actions/runs/{run}/rerun-failed-jobs"),
            Self::CreateBranch { .. } => "git/refs".to_owned(),
            Self::OpenPull { .. } => "pulls".to_owned(),
            Self::Label { .. } => format!("issues/{PULL}/labels"),
            Self::AskReviewers { .. } => format!("pulls/{PULL}/requested_reviewers"),
        };
        let Repository { owner, name } = self.repository();
        format!("/repos/{owner}/{name}/{below}")
    }

    /// The path with the number of the pull request, if that is known by now.
    pub(crate) fn path_of(&self, pull: Option<u64>) -> String {
        let path = self.path();
        pull.map_or(path.clone(), |number| path.replace(PULL, &number.to_string()))
    }

    pub(crate) fn body(&self) -> Value {
        match self {
            Self::Fork { .. } => json!({ "default_branch_only": true }),
            Self::SyncFork { branch, .. } => json!({ "branch": branch }),
            Self::Comment { body, .. } => json!({ "body": body }),
            Self::Review { commit, opinion, body, remarks, .. } => {
                let remark = |one: &Remark| json!({ "path": one.path, "line": one.line, "side": "RIGHT", "body": one.body });
                json!({
                    "commit_id": commit, "event": opinion.word(), "body": body,
                    "comments": remarks.iter().map(remark).collect::<Vec<_>>(),
                })
            }
            Self::Dispatch { branch, inputs, .. } => {
                json!({ "ref": branch, "inputs": inputs, "return_run_details": true })
            }
            Self::RerunFailed { .. } => json!({}),
            Self::ClosePull { .. } => json!({ "state": "closed" }),
            Self::DeleteBranch { repository_id, branch, at, .. } => json!({
                "query": MOVE_REFS,
                "variables": { "input": {
                    "repositoryId": repository_id,
                    "refUpdates": [{
                        "name": format!("refs/heads/{branch}"), "beforeOid": at, "afterOid": NOWHERE, "force": false,
                    }],
                } },
            }),
            Self::CreateBranch { branch, at, .. } => {
                json!({ "ref": format!("refs/heads/{branch}"), "sha": at })
            }
            Self::Commit { repository, branch, expected, headline, body, files } => {
                let addition = |file: &CommittedFile| {
                    Some(json!({ "path": file.path, "contents": BASE64_STANDARD.encode(file.contents()?) }))
                };
                let mut changes =
                    json!({ "additions": files.iter().filter_map(addition).collect::<Vec<_>>() });
                let deleted = files.iter().filter(|file| file.contents().is_none());
                let deleted: Vec<Value> = deleted.map(|file| json!({ "path": file.path })).collect();
                if !deleted.is_empty() {
                    changes["deletions"] = deleted.into();
                }
                json!({
                    "query": COMMIT,
                    "variables": { "input": {
                        "branch": {
                            "repositoryNameWithOwner": format!("{}/{}", repository.owner, repository.name),
                            "branchName": branch,
                        },
                        "expectedHeadOid": expected,
                        "message": { "headline": headline, "body": body },
                        "fileChanges": changes,
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

    /// The part that the digits confirm although GitHub does not receive it: the branch of a review, the attempt of a run.
    pub(crate) fn unsent_part(&self) -> Option<String> {
        match self {
            // The pull request may be for another branch when the digits are typed.
            Self::Review { base, .. } if !base.is_empty() => Some(base.clone()),
            Self::RerunFailed { attempt, .. } => Some(format!("attempt {attempt}")),
            _ => None,
        }
    }

    /// The page on GitHub of the object that it made, if a maintainer looks at that object.
    pub(crate) fn page(&self, made: &Made) -> Option<String> {
        let below = match self {
            Self::OpenPull { .. } => format!("pull/{}", made.pull?),
            Self::Review { pull, .. } => format!("pull/{pull}#pullrequestreview-{}", made.review?),
            Self::Dispatch { .. } | Self::RerunFailed { .. } => format!("actions/runs/{}", made.run?),
            _ => return None,
        };
        let Repository { owner, name } = self.repository();
        Some(format!("https://github.com/{owner}/{name}/{below}"))
    }

    /// The object that it made, in words.
    pub(crate) fn object(&self, made: &Made) -> Option<String> {
        match self {
            Self::Fork { repository } => Some(format!("a fork of {}/{}", repository.owner, repository.name)),
            Self::CreateBranch { branch, .. } => Some(format!("the branch {branch}")),
            Self::Commit { .. } => {
                let commit = made.commit.as_deref().unwrap_or_default();
                Some(format!("its commit {}", short_id(commit)))
            }
            Self::OpenPull { .. } => made.pull.map(|number| format!("pull request #{number}")),
            Self::Dispatch { workflow, .. } => Some(match made.run {
                Some(run) => format!("run {run} of {workflow}"),
                None => format!("a run of {workflow}"),
            }),
            Self::RerunFailed { run, attempt, .. } => Some(format!("attempt {} of run {run}", attempt + 1)),
            Self::Review { pull, opinion, .. } => {
                Some(format!("the {} of pull request #{pull}", opinion.noun()))
            }
            _ => None,
        }
    }

    /// Its effect that no other request takes back.
    pub(crate) fn lasting_effect(&self) -> Option<String> {
        match self {
            Self::Fork { repository } => {
                Some(format!("the fork of {}/{}", repository.owner, repository.name))
            }
            Self::OpenPull { .. } => Some("notifications that GitHub has sent".to_owned()),
            _ => None,
        }
    }

    /// Its text in Markdown, with the remarks on lines, if it shows a text on GitHub.
    pub(crate) fn markdown(&self) -> Option<(&str, &[Remark])> {
        match self {
            Self::OpenPull { body, .. } | Self::Comment { body, .. } => Some((body.as_str(), &[][..])),
            Self::Review { body, remarks, .. } => Some((body.as_str(), &remarks[..])),
            _ => None,
        }
    }

    /// The effect of the request, in words.
    pub(crate) fn purpose(&self) -> String {
        match self {
            Self::Fork { repository } => format!("fork {}/{}", repository.owner, repository.name),
            Self::SyncFork { fork, branch } => {
                format!("bring {branch} of {}/{} up to date", fork.owner, fork.name)
            }
            Self::Comment { pull, .. } => format!("comment on pull request #{pull}"),
            Self::Review { pull, commit, opinion, .. } => {
                format!("{} pull request #{pull} at {}", opinion.doing(), short_id(commit))
            }
            Self::Dispatch { workflow, branch, .. } => format!("start {workflow} of {branch}"),
            Self::RerunFailed { run, attempt, .. } => {
                format!("run once more what failed in attempt {attempt} of run {run}")
            }
            Self::ClosePull { pull, .. } => format!("close pull request #{pull}"),
            Self::DeleteBranch { branch, at, .. } => {
                format!("delete the branch {branch} if it still is at {}", short_id(at))
            }
            Self::CreateBranch { branch, at, .. } => {
                format!("make the branch {branch} at {}", short_id(at))
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
