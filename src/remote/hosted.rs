//! The registry's own repository as GitHub has it: who may write, what its branches hold at a commit, which changes wait.
//!
//! Every request that changes something is a [`ConfirmedRequest`]. Paths and names from answers are data: nothing here follows
//! them.

use std::collections::BTreeMap;
use std::ops::Range;

use bytes::Bytes;
use http::HeaderValue;
use http::header::ACCEPT;
use jiff::Timestamp;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::registry::Repository;
use crate::remote::Remote;
use crate::remote::http::{Call, Error, Http, clean, encode_path, encode_query};
use crate::rules::plain_text::shortened;
use crate::rules::review::{Leaf, Tree};
use crate::rules::sending::{Author, BumpRead, ConfirmedRequest, Made, Request};
use crate::rules::watch::BumpRun;
use crate::settings::Lane;

pub(super) const API: &str = "https://api.github.com";
/// The limit of a file: GitHub gives no larger one.
const FILE_LIMIT_BYTES: u64 = 100 << 20;
/// The most files that GitHub lists for a pull request.
const MOST_FILES: usize = 3_000;
/// The page of a pull request shows the difference of so many files.
const MOST_SHOWN: usize = 300;
/// The most characters that are read of an issue's text. GitHub allows 65,536, but another server may have no limit.
const MOST_ISSUE_CHARACTERS: usize = 1 << 18;
/// A list that continues after so many pages of a hundred is a fault.
const MOST_PAGES: usize = 30;
/// The files of the registry's bump workflows begin with this.
const BUMP: &str = "bump-versions";

/// The registry's repository, as this account sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HostedRepository {
    /// Under its name of today.
    pub(crate) repository: Repository,
    /// GraphQL's name of it.
    pub(crate) id: String,
    /// `owner/name` of the one that it was forked from.
    pub(crate) parent: Option<String>,
    pub(crate) default_branch: String,
    /// True if the account may push. The API does not say what its token may do.
    pub(crate) may_push: bool,
}

/// A pull request in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedPull {
    pub(crate) number: u64,
    pub(crate) author: String,
    pub(crate) is_open: bool,
    pub(crate) is_merged: bool,
    /// The branch that it brings, without its owner.
    pub(crate) branch: String,
    /// The newest commit of that.
    pub(crate) head: String,
}

/// A commit, as far as it tells whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommitRead {
    pub(crate) message: String,
    pub(crate) parents: Vec<String>,
    /// The paths that it changes.
    pub(crate) paths: Vec<String>,
}

#[derive(PartialEq, Eq, Deserialize)]
struct Login {
    login: String,
}

#[derive(PartialEq, Eq, Deserialize)]
struct About {
    node_id: String,
    name: String,
    owner: Login,
    parent: Option<Parent>,
    default_branch: String,
    #[serde(default)]
    permissions: Permissions,
}

#[derive(PartialEq, Eq, Deserialize)]
struct Parent {
    full_name: String,
}

#[derive(Default, PartialEq, Eq, Deserialize)]
struct Permissions {
    #[serde(default)]
    push: bool,
}

#[derive(Deserialize)]
struct Reference {
    #[serde(rename = "ref")]
    name: String,
    object: Object,
}

#[derive(Deserialize)]
struct Object {
    sha: String,
}

#[derive(Deserialize)]
struct Pull {
    number: u64,
    state: String,
    user: Option<Login>,
    merged_at: Option<String>,
    head: Head,
}

#[derive(Deserialize)]
struct Head {
    #[serde(rename = "ref")]
    branch: String,
    sha: String,
}

#[derive(Deserialize)]
struct Comment {
    user: Option<Login>,
    #[serde(default)]
    body: String,
}

#[derive(Deserialize)]
struct Issue {
    title: String,
    body: Option<String>,
}

#[derive(Deserialize)]
struct WholeCommit {
    sha: String,
    commit: CommitText,
    parents: Vec<Object>,
    #[serde(default)]
    files: Vec<ChangedFile>,
}

#[derive(Deserialize)]
struct CommitText {
    message: String,
}

#[derive(Deserialize)]
struct ChangedFile {
    filename: String,
    previous_filename: Option<String>,
    /// Not of what is binary or long.
    patch: Option<String>,
}

#[derive(Deserialize)]
struct Runs {
    workflow_runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    /// The workflow's file.
    path: String,
    status: String,
    conclusion: Option<String>,
    head_sha: String,
    created_at: Timestamp,
    updated_at: Timestamp,
}

#[derive(Deserialize)]
struct TreeRead {
    tree: Vec<TreeLine>,
    #[serde(default)]
    truncated: bool,
}

#[derive(Deserialize)]
struct TreeLine {
    path: String,
    mode: String,
    sha: String,
}

#[derive(Deserialize)]
struct Listed {
    path: String,
    #[serde(rename = "type")]
    kind: String,
}

impl From<Pull> for ListedPull {
    fn from(pull: Pull) -> Self {
        // An account that was deleted is none.
        let author = pull.user.map_or_else(|| "ghost".to_owned(), |user| user.login);
        Self {
            number: pull.number,
            author,
            is_open: pull.state == "open",
            is_merged: pull.merged_at.is_some(),
            branch: pull.head.branch,
            head: pull.head.sha,
        }
    }
}

pub(super) fn route(repository: &Repository, rest: &str) -> String {
    format!("/repos/{}/{}{rest}", encode_path(&repository.owner), encode_path(&repository.name))
}

impl Remote {
    /// Reads the account of the token.
    pub(crate) async fn owner(&self) -> Result<Author, Error> {
        if !self.has_token() {
            return Err(Error::NoToken);
        }
        self.get("/user").await
    }

    /// Reads a repository, under its name of today.
    pub(crate) async fn hosted(&self, repository: &Repository) -> Result<HostedRepository, Error> {
        let ask = async || self.get::<About>(&route(repository, "")).await;
        let about = ask().await?;
        let is_asked = |login: &str, name: &str| {
            login.eq_ignore_ascii_case(&repository.owner) && name.eq_ignore_ascii_case(&repository.name)
        };
        // A renamed repository answers with its new name every time, so ask again: an answer that belongs to another
        // request does not come twice.
        if !is_asked(&about.owner.login, &about.name) && ask().await? != about {
            let other = format!("the repository {}/{}", about.owner.login, about.name);
            return Err(self.wrong_subject(&format!("{}/{}", repository.owner, repository.name), &other));
        }
        Ok(HostedRepository {
            repository: Repository::new(&about.owner.login, &about.name),
            id: about.node_id,
            parent: about.parent.map(|parent| parent.full_name),
            default_branch: about.default_branch,
            may_push: about.permissions.push,
        })
    }

    /// Reads the commit that a branch points to; `None`: there is no such branch.
    pub(crate) async fn tip(&self, repository: &Repository, branch: &str) -> Result<Option<String>, Error> {
        let route = route(repository, &format!("/git/ref/heads/{}", encode_path(branch)));
        let sha = match self.get::<Reference>(&route).await {
            Ok(reference) if reference.name != format!("refs/heads/{branch}") => {
                return Err(self.wrong_subject(&format!("the branch {branch}"), &reference.name));
            }
            Ok(reference) => reference.object.sha,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        if is_commit_id(&sha) {
            Ok(Some(sha))
        } else {
            Err(Error::unreadable("a branch points to something that is not a commit id"))
        }
    }

    /// Reads a file at a commit; `None`: it is not there.
    pub(crate) async fn file_at(
        &self,
        repository: &Repository,
        path: &str,
        commit: &str,
    ) -> Result<Option<Bytes>, Error> {
        self.file_within(repository, (path, commit), FILE_LIMIT_BYTES).await
    }

    /// Reads a file at a commit, below a limit; `None`: it is not there.
    pub(crate) async fn file_within(
        &self,
        repository: &Repository,
        (path, commit): (&str, &str),
        most_bytes: u64,
    ) -> Result<Option<Bytes>, Error> {
        let path = format!("/contents/{}?ref={}", encode_path(path), encode_query(commit));
        raw(&self.http, &route(repository, &path), most_bytes).await
    }

    /// Reads bytes by their git object id, without checking them against the id; `None`: they are not there.
    pub(crate) async fn blob_within(
        &self,
        repository: &Repository,
        id: &str,
        most_bytes: u64,
    ) -> Result<Option<Bytes>, Error> {
        raw(&self.http, &route(repository, &format!("/git/blobs/{}", encode_path(id))), most_bytes).await
    }

    /// Lists the paths in a folder at a commit: files, then folders. It returns nothing if there is no such folder.
    pub(crate) async fn folder_at(
        &self,
        repository: &Repository,
        path: &str,
        commit: &str,
    ) -> Result<(Vec<String>, Vec<String>), Error> {
        let path = format!("/contents/{}?ref={}", encode_path(path), encode_query(commit));
        let listed: Vec<Listed> = match self.get(&route(repository, &path)).await {
            Ok(listed) => listed,
            Err(Error::NotFound { .. }) => Vec::new(),
            Err(error) => return Err(error),
        };
        let of = |kind: &str| {
            let listed = listed.iter().filter(|one| one.kind == kind);
            listed.map(|one| one.path.clone()).collect()
        };
        Ok((of("file"), of("dir")))
    }

    /// Reads a folder by the id of its tree or of a commit, without checking it against the id: names, with modes and ids.
    pub(crate) async fn tree(&self, repository: &Repository, id: &str) -> Result<Tree, Error> {
        let read: TreeRead = self.get(&route(repository, &format!("/git/trees/{}", encode_path(id)))).await?;
        if read.truncated {
            return Err(Error::unreadable("a folder has more in it than GitHub lists"));
        }
        let line = |TreeLine { path, mode, sha }: TreeLine| {
            let mode = u32::from_str_radix(&mode, 8).ok().filter(|_| is_commit_id(&sha));
            let mode = mode.ok_or_else(|| Error::unreadable("a line of a tree cannot be read"))?;
            Ok((path, Leaf { mode, id: sha }))
        };
        let lines: Result<_, Error> = read.tree.into_iter().map(line).collect();
        Ok(Tree { lines: lines? })
    }

    pub(crate) async fn open_pulls(&self, repository: &Repository) -> Result<Vec<ListedPull>, Error> {
        let pulls: Vec<Pull> = self.all(route(repository, "/pulls?state=open&per_page=100")).await?;
        Ok(pulls.into_iter().map(ListedPull::from).collect())
    }

    /// Reads the state of the registry's own bump: it runs or waits, it is quiet, or this account cannot see it.
    pub(crate) async fn bump(&self, repository: &Repository, branch: &str) -> Result<BumpRead, Error> {
        let Some(runs) = bumps(self, repository, branch).await? else { return Ok(BumpRead::Hidden) };
        let running = runs.iter().find(|run| run.status != "completed");
        Ok(running.map_or(BumpRead::Quiet, |run| BumpRead::Runs { since: run.created_at }))
    }

    /// Reads the bumps of the last hours; `None` if this account may not see them.
    pub(crate) async fn bump_runs(
        &self,
        repository: &Repository,
        branch: &str,
    ) -> Result<Option<Vec<BumpRun>>, Error> {
        let read = |run: Run| BumpRun {
            ended: (run.status == "completed").then_some(run.updated_at),
            is_well: run.conclusion.as_deref() == Some("success"),
            began: run.created_at,
            head: run.head_sha,
        };
        let runs = bumps(self, repository, branch).await?;
        Ok(runs.map(|runs| runs.into_iter().map(read).collect()))
    }

    /// Reads the newest pull request of an owner's branch, open or not.
    pub(crate) async fn pull_of(
        &self,
        repository: &Repository,
        owner: &str,
        branch: &str,
    ) -> Result<Option<ListedPull>, Error> {
        let head = encode_query(&format!("{owner}:{branch}"));
        let pulls: Vec<Pull> =
            self.all(route(repository, &format!("/pulls?state=all&head={head}&per_page=100"))).await?;
        match pulls.into_iter().map(ListedPull::from).next() {
            Some(pull) if pull.branch != branch => {
                let other = format!("the branch {}", pull.branch);
                Err(self.wrong_subject(&format!("the branch {branch}"), &other))
            }
            pull => Ok(pull),
        }
    }

    /// Lists the paths that a pull request changes, with those that it moves files from; `None` if there are more than
    /// GitHub lists.
    pub(crate) async fn changed_paths(
        &self,
        repository: &Repository,
        number: u64,
    ) -> Result<Option<Vec<String>>, Error> {
        let files: Vec<ChangedFile> =
            self.all(route(repository, &format!("/pulls/{number}/files?per_page=100"))).await?;
        let is_whole = files.len() < MOST_FILES;
        let paths =
            files.into_iter().flat_map(|file| [Some(file.filename), file.previous_filename]).flatten();
        Ok(is_whole.then(|| paths.collect()))
    }

    /// Lists the lines of the changed files that the difference of a pull request shows, by path. A review only remarks on
    /// these lines.
    pub(crate) async fn shown_lines(
        &self,
        repository: &Repository,
        number: u64,
    ) -> Result<BTreeMap<String, Vec<Range<u64>>>, Error> {
        let files: Vec<ChangedFile> =
            self.all(route(repository, &format!("/pulls/{number}/files?per_page=100"))).await?;
        let shown = files.into_iter().take(MOST_SHOWN);
        let lines = |file: ChangedFile| (file.filename, hunks(file.patch.as_deref().unwrap_or_default()));
        Ok(shown.map(lines).collect())
    }

    pub(crate) async fn pull(&self, repository: &Repository, number: u64) -> Result<ListedPull, Error> {
        let pull: Pull = self.get(&route(repository, &format!("/pulls/{number}"))).await?;
        self.check_number(number, pull.number)?;
        Ok(pull.into())
    }

    /// Reads the comments below a pull request, in order: login and text.
    pub(crate) async fn comments(
        &self,
        repository: &Repository,
        number: u64,
    ) -> Result<Vec<(String, String)>, Error> {
        let comments: Vec<Comment> =
            self.all(route(repository, &format!("/issues/{number}/comments?per_page=100"))).await?;
        let read = |one: Comment| (one.user.map_or_else(String::new, |user| user.login), one.body);
        Ok(comments.into_iter().map(read).collect())
    }

    /// Reads the title and text of an issue.
    pub(crate) async fn issue(
        &self,
        repository: &Repository,
        number: u64,
    ) -> Result<(String, String), Error> {
        let issue: Issue = self.get(&route(repository, &format!("/issues/{number}"))).await?;
        let body = issue.body.unwrap_or_default();
        Ok((clean(&issue.title), shortened(&body, MOST_ISSUE_CHARACTERS).into_owned()))
    }

    pub(crate) async fn commit(&self, repository: &Repository, id: &str) -> Result<CommitRead, Error> {
        let commit: WholeCommit =
            self.get(&route(repository, &format!("/commits/{}", encode_path(id)))).await?;
        if commit.sha != id {
            let other = format!("the commit {}", commit.sha);
            return Err(self.wrong_subject(&format!("the commit {id}"), &other));
        }
        Ok(CommitRead {
            message: commit.commit.message,
            parents: commit.parents.into_iter().map(|parent| parent.sha).collect(),
            paths: commit.files.into_iter().map(|file| file.filename).collect(),
        })
    }

    /// Sends one change, once, and returns what it created. Nothing else changes anything on GitHub.
    pub(crate) async fn send(&self, request: ConfirmedRequest<'_>, pull: Option<u64>) -> Result<Made, Error> {
        let posted = self.change(request, pull).await?;
        let answer: Value =
            if posted.body.is_empty() { Value::Null } else { self.http.json(&posted.body)? };
        // GraphQL answers 200 to what it refuses.
        if let Some(error) = answer.pointer("/errors/0").filter(|_| request.get().is_graphql()) {
            let text = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
            if text("type").is_empty() {
                // A fault of GitHub's own: whether it was made is not known.
                return Err(self.unreadable(text("message")));
            }
            let message = self.http.scrub(format!("{} {}", text("type"), text("message")));
            return Err(Error::Refused { status: posted.status, message });
        }
        let missing = || Error::unreadable("the answer does not say what was made");
        match request.get() {
            Request::Commit { .. } => {
                let id = answer.pointer("/data/createCommitOnBranch/commit/oid").and_then(Value::as_str);
                let id = id.filter(|id| is_commit_id(id)).ok_or_else(missing)?;
                Ok(Made { commit: Some(id.to_owned()), ..Made::default() })
            }
            // The answer may belong to another request, so check what was created.
            Request::CreateBranch { branch, at, .. } => {
                let is_it =
                    answer["ref"] == format!("refs/heads/{branch}") && answer["object"]["sha"] == **at;
                if is_it { Ok(Made::default()) } else { Err(missing()) }
            }
            Request::OpenPull { head, .. } => {
                let branch = head.split_once(':').map_or(&**head, |(_, branch)| branch);
                let is_it = answer["head"]["ref"] == *branch;
                let number = answer["number"].as_u64().filter(|_| is_it).ok_or_else(missing)?;
                Ok(Made { pull: Some(number), ..Made::default() })
            }
            Request::Review { commit, .. } => {
                let is_of_it = answer["commit_id"].as_str() == Some(commit);
                let id = answer["id"].as_u64().filter(|_| is_of_it).ok_or_else(missing)?;
                Ok(Made { review: Some(id), ..Made::default() })
            }
            // Older servers answer without it: the run is found by its title.
            Request::Dispatch { .. } => {
                Ok(Made { run: answer["workflow_run_id"].as_u64(), ..Made::default() })
            }
            Request::RerunFailed { run, .. } => Ok(Made { run: Some(*run), ..Made::default() }),
            Request::ClosePull { pull, .. } if answer["number"].as_u64() != Some(*pull) => Err(missing()),
            // A fork may get another name where the account has a repository of that one.
            Request::Fork { repository } => match answer["name"].as_str() {
                Some(name) if *name == *repository.name => Ok(Made::default()),
                _ => Err(Error::unreadable("the fork does not have the repository's name")),
            },
            _ => Ok(Made::default()),
        }
    }

    /// Reads all pages of a list.
    pub(super) async fn all<T: DeserializeOwned>(&self, first: String) -> Result<Vec<T>, Error> {
        self.pages(first, MOST_PAGES).await
    }

    /// Refuses an answer about another pull request. Issues are not checked, because a moved issue has a new number.
    pub(super) fn check_number(&self, requested: u64, answered: u64) -> Result<(), Error> {
        if requested == answered {
            Ok(())
        } else {
            Err(self.wrong_subject(&format!("#{requested}"), &format!("#{answered}")))
        }
    }

    /// The error for an answer that does not belong to the request.
    pub(super) fn wrong_subject(&self, requested: &str, answered: &str) -> Error {
        self.unreadable(format!("it is about {answered}, and {requested} was asked for"))
    }
}

async fn raw(http: &Http, route: &str, most_bytes: u64) -> Result<Option<Bytes>, Error> {
    let call = Call {
        resource: Some("core"),
        headers: vec![(ACCEPT, HeaderValue::from_static("application/vnd.github.raw+json"))],
        ..Call::get(Lane::Api, format!("{API}{route}"), most_bytes)
    };
    match http.call(&call).await {
        Ok(answer) => Ok(Some(answer.body)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads the newest runs of the registry's own bump on the branch, which cover some hours. `None`: this account may not
/// read them.
async fn bumps(remote: &Remote, repository: &Repository, branch: &str) -> Result<Option<Vec<Run>>, Error> {
    let runs = route(repository, &format!("/actions/runs?branch={}&per_page=100", encode_query(branch)));
    let mut runs: Runs = match remote.get(&runs).await {
        Ok(runs) => runs,
        Err(Error::NotFound { .. } | Error::Unauthorized { status: 403, .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    runs.workflow_runs.retain(|run| run.path.rsplit('/').next().is_some_and(|file| file.starts_with(BUMP)));
    Ok(Some(runs.workflow_runs))
}

/// The lines of the new side, out of heads like `@@ -1,4 +1,5 @@`.
fn hunks(patch: &str) -> Vec<Range<u64>> {
    let range = |head: &str| {
        let new = head.strip_prefix("@@ -")?.split(' ').nth(1)?.strip_prefix('+')?;
        let (from, count) = new.split_once(',').unwrap_or((new, "1"));
        let (from, count): (u64, u64) = (from.parse().ok()?, count.parse().ok()?);
        Some(from..from.saturating_add(count))
    };
    patch.lines().filter_map(range).collect()
}

pub(super) fn is_commit_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_name_the_lines_of_the_new_side() {
        let patch = "@@ -1,4 +1,5 @@\n a\n+@@ -9 +9 @@\n@@ -20 +21 @@ text\n@@ -30,2 +31,0 @@\n@@ odd @@";
        assert_eq!(hunks(patch), [1..6, 21..22, 31..31]);
        assert_eq!(hunks(""), []);
    }
}
