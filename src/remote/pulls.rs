//! A pull request after it was opened, as GitHub has it: its state, its checks, its reviews, the rules of its branch, and the
//! commits after its merge (`github.md#pull-requests`).
//!
//! Reads alone. Titles, logins and names are data, cleaned here; their meaning is for `rules::watch`.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::registry::Repository;
use crate::remote::Remote;
use crate::remote::hosted::{API, is_commit_id, route};
use crate::remote::http::{Call, Error, Validator, clean, encode_path, encode_query};
use crate::rules::review::{ListedFile, OpenPull};
use crate::rules::watch::{CommitSince, Merged};
use crate::settings::Lane;

/// A list of checks or runs that goes on after so many pages of a hundred is a fault.
const MOST_PAGES: usize = 10;
/// Pull requests on a page of their list, and the most that it may have of bytes.
const A_PAGE: usize = 100;
const LIST_LIMIT_BYTES: u64 = 64 << 20;
/// GitHub takes 65536 characters of text, of at most four bytes each.
const MOST_BODY_BYTES: usize = 4 * 65_536;
/// The most bytes of all texts of the list together: several hundred times those of the registry.
const MOST_LISTED_TEXT_BYTES: usize = 16 << 20;
/// A comparison lists so many files, and ends there.
const MOST_COMPARED: usize = 300;

/// A pull request on its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PullRead {
    /// The part of it that a list of pull requests shows.
    pub(crate) listing: OpenPull,
    /// `owner:branch` of the fork, or the branch of the repository itself.
    pub(crate) branch: String,
    pub(crate) is_open: bool,
    pub(crate) merged: Option<Merged>,
    /// True if it could be merged; `None` while GitHub finds out.
    pub(crate) is_mergeable: Option<bool>,
    /// GitHub's word for what stands in the way: `clean`, `blocked`.
    pub(crate) merge_state: String,
    pub(crate) labels: Vec<String>,
    /// Who was asked for a review and gave none yet.
    pub(crate) requested: Vec<String>,
    /// Its text as it came, of which nothing is shown; `None` if it is longer than GitHub takes one, or had no room in the list.
    pub(crate) body: Option<String>,
}

/// A check run, or a status, of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CheckRead {
    pub(crate) name: String,
    /// `queued`, `in_progress`, `completed`; of a status `pending` or `completed`.
    pub(crate) status: String,
    /// The conclusion of a completed check: `success`, `failure`, `cancelled`.
    pub(crate) conclusion: Option<String>,
}

/// One review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReviewRead {
    pub(crate) id: u64,
    pub(crate) author: String,
    /// `APPROVED`, `CHANGES_REQUESTED`, `COMMENTED`, `DISMISSED`, `PENDING`.
    pub(crate) state: String,
    /// The association of its author with the repository: `MEMBER`, `CONTRIBUTOR`.
    pub(crate) association: String,
    /// The commit that was looked at, where it is still there.
    pub(crate) commit: Option<String>,
    /// `None`: it waits for its author.
    pub(crate) submitted: Option<Timestamp>,
    /// As it came: it is compared, and never shown.
    body: String,
}

impl ReviewRead {
    /// Returns true if it approves or asks for changes. The author's next review of that kind replaces it.
    pub(crate) fn judges(&self) -> bool {
        matches!(&*self.state, "APPROVED" | "CHANGES_REQUESTED")
    }

    /// Returns true if it does not count any more.
    pub(crate) fn is_dismissed(&self) -> bool {
        self.state == "DISMISSED"
    }

    /// Returns true if its text is this one, with either kind of line ends.
    pub(crate) fn says(&self, text: &str) -> bool {
        self.body.trim_end().lines().eq(text.trim_end().lines())
    }
}

/// The requirements that a branch has for a pull request, by its rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RulesRead {
    pub(crate) approvals: u64,
    /// Names of checks.
    pub(crate) checks: Vec<String>,
}

/// The commits and files between two commits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comparison {
    /// Those that the second has and the first has not, oldest first; the first 250.
    pub(crate) commits: Vec<CommitSince>,
    pub(crate) has_all_commits: bool,
    /// The files that differ; `None` if they are more than GitHub lists.
    pub(crate) files: Option<Vec<ListedFile>>,
    /// True if the second comes after the first in one line.
    pub(crate) is_ahead: bool,
    /// The newest commit that both have.
    pub(crate) merge_base: String,
    /// The ids of the topmost folders of that commit, and of the second where it is among those listed.
    pub(crate) trees: [Option<String>; 2],
    /// That of the first one.
    pub(crate) first_tree: Option<String>,
    /// Commits of the first's history that these come after, but for the newest that both have. With one that does not come before
    /// that, merging takes more in than what differs.
    pub(crate) joins: Vec<String>,
}

#[derive(Deserialize)]
struct Login {
    login: String,
}

fn login(user: Option<Login>) -> String {
    // An account that was deleted is none.
    user.map_or_else(|| "ghost".to_owned(), |user| clean(&user.login))
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Deserialize)]
struct Side {
    label: Option<String>,
    #[serde(rename = "ref")]
    branch: String,
    sha: String,
    user: Option<Login>,
}

#[derive(Deserialize)]
struct Pull {
    number: u64,
    title: String,
    body: Option<String>,
    user: Option<Login>,
    created_at: Timestamp,
    updated_at: Timestamp,
    state: String,
    #[serde(default)]
    draft: bool,
    #[serde(default)]
    merged: bool,
    merged_at: Option<Timestamp>,
    merged_by: Option<Login>,
    merge_commit_sha: Option<String>,
    mergeable: Option<bool>,
    #[serde(default)]
    mergeable_state: String,
    head: Side,
    base: Side,
    #[serde(default)]
    labels: Vec<Named>,
    #[serde(default)]
    requested_reviewers: Vec<Login>,
    #[serde(default)]
    requested_teams: Vec<Named>,
}

impl PullRead {
    fn of(pull: Pull, repository: &Repository) -> Self {
        let is_fork = pull.head.user.as_ref().map(|user| &user.login)
            != pull.base.user.as_ref().map(|user| &user.login);
        let label = pull.head.label.filter(|_| is_fork);
        let requested = pull.requested_reviewers.into_iter().map(|one| clean(&one.login));
        // Without the commit nothing can be said of what came after; merged it is all the same.
        let merged = pull.merged.then(|| Merged {
            by: login(pull.merged_by),
            commit: clean(&pull.merge_commit_sha.unwrap_or_default()),
            at: pull.merged_at,
        });
        let listing = OpenPull {
            number: pull.number,
            title: clean(&pull.title),
            author: login(pull.user),
            opened: pull.created_at,
            updated: pull.updated_at,
            draft: pull.draft,
            url: format!("{}/pull/{}", repository.url(), pull.number),
            head: clean(&pull.head.sha),
            base: pull.base.branch,
        };
        Self {
            listing,
            body: Some(pull.body.unwrap_or_default()).filter(|body| body.len() <= MOST_BODY_BYTES),
            branch: clean(label.as_ref().unwrap_or(&pull.head.branch)),
            is_open: pull.state == "open",
            merged,
            is_mergeable: pull.mergeable,
            merge_state: clean(&pull.mergeable_state),
            labels: pull.labels.into_iter().map(|label| clean(&label.name)).collect(),
            requested: requested.chain(pull.requested_teams.iter().map(|team| clean(&team.name))).collect(),
        }
    }
}

/// Pages of the list of open pull requests as they were last read, by their number: one that did not change is not sent again.
#[derive(Debug, Default)]
pub(super) struct Listed(Mutex<BTreeMap<usize, (Validator, Vec<PullRead>)>>);

#[derive(Deserialize)]
struct Review {
    id: u64,
    user: Option<Login>,
    state: String,
    #[serde(default)]
    author_association: String,
    commit_id: Option<String>,
    submitted_at: Option<Timestamp>,
    body: Option<String>,
}

impl From<Review> for ReviewRead {
    fn from(review: Review) -> Self {
        Self {
            id: review.id,
            submitted: review.submitted_at,
            body: review.body.unwrap_or_default(),
            author: login(review.user),
            state: clean(&review.state),
            association: clean(&review.author_association),
            commit: review.commit_id,
        }
    }
}

#[derive(Deserialize)]
struct Rule {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    parameters: Parameters,
}

#[derive(Default, Deserialize)]
struct Parameters {
    #[serde(default)]
    required_approving_review_count: u64,
    #[serde(default)]
    required_status_checks: Vec<Context>,
}

#[derive(Deserialize)]
struct Context {
    context: String,
}

#[derive(Deserialize)]
struct Ran {
    name: String,
    status: String,
    conclusion: Option<String>,
}

impl From<Ran> for CheckRead {
    fn from(ran: Ran) -> Self {
        let conclusion = ran.conclusion.map(|word| clean(&word));
        Self { name: clean(&ran.name), status: clean(&ran.status), conclusion }
    }
}

/// One page of a list that says how long it is.
#[derive(Deserialize)]
struct Counted<T> {
    total_count: usize,
    #[serde(alias = "check_runs", alias = "workflow_runs", alias = "jobs")]
    list: Vec<T>,
}

#[derive(Deserialize)]
struct Numbered {
    id: u64,
}

#[derive(Deserialize)]
struct Combined {
    total_count: usize,
    statuses: Vec<Status>,
}

#[derive(Deserialize)]
struct Status {
    context: String,
    state: String,
}

impl From<Status> for CheckRead {
    fn from(status: Status) -> Self {
        let is_pending = status.state == "pending";
        Self {
            name: clean(&status.context),
            status: if is_pending { status.state.clone() } else { "completed".to_owned() },
            conclusion: (!is_pending).then(|| clean(&status.state)),
        }
    }
}

#[derive(Deserialize)]
struct Compared {
    status: String,
    total_commits: u64,
    base_commit: ComparedCommit,
    merge_base_commit: ComparedCommit,
    commits: Vec<ComparedCommit>,
    #[serde(default)]
    files: Vec<ComparedFile>,
}

#[derive(Deserialize)]
struct ComparedCommit {
    sha: String,
    commit: InnerCommit,
    parents: Vec<Id>,
}

#[derive(Deserialize)]
struct InnerCommit {
    message: String,
    author: Signed,
    tree: Id,
}

#[derive(Deserialize)]
struct Signed {
    date: Timestamp,
}

#[derive(Deserialize)]
struct ComparedFile {
    filename: String,
    previous_filename: Option<String>,
    status: String,
    sha: Option<String>,
}

impl From<ComparedFile> for ListedFile {
    fn from(file: ComparedFile) -> Self {
        let (left, id) = match &*file.status {
            "removed" => (Some(file.filename.clone()), None),
            "renamed" => (file.previous_filename, file.sha),
            _ => (None, file.sha),
        };
        Self { path: file.filename, left, id: id.filter(|id| is_commit_id(id)) }
    }
}

#[derive(Deserialize)]
struct Id {
    sha: String,
}

impl Remote {
    /// Reads a pull request on its own, with the fields that lists leave out.
    pub(crate) async fn whole_pull(&self, repository: &Repository, number: u64) -> Result<PullRead, Error> {
        let pull: Pull = self.get(&route(repository, &format!("/pulls/{number}"))).await?;
        self.check_number(number, pull.number)?;
        Ok(PullRead::of(pull, repository))
    }

    /// Reads the open pull requests, last updated first. A later call transfers only the pages that changed.
    pub(crate) async fn waiting_pulls(&self, repository: &Repository) -> Result<Vec<PullRead>, Error> {
        let (mut all, mut room) = (Vec::new(), MOST_LISTED_TEXT_BYTES);
        for page in 1..=MOST_PAGES {
            let kept = self.listed.0.lock().unwrap_or_else(PoisonError::into_inner).get(&page).cloned();
            let query =
                format!("/pulls?state=open&sort=updated&direction=desc&per_page={A_PAGE}&page={page}");
            let call = Call {
                resource: Some("core"),
                validator: kept.as_ref().map(|(validator, _)| validator),
                ..Call::get(Lane::Api, format!("{API}{}", route(repository, &query)), LIST_LIMIT_BYTES)
            };
            let answer = self.http.call(&call).await?;
            let pulls = match kept {
                Some((_, pulls)) if answer.is_not_modified() => pulls,
                _ => {
                    let read: Vec<Pull> = self.http.json(&answer.body)?;
                    let mut pulls: Vec<PullRead> =
                        read.into_iter().map(|pull| PullRead::of(pull, repository)).collect();
                    let mut left = room;
                    for pull in &mut pulls {
                        pull.body = pull.body.take().filter(|body| body.len() <= left);
                        left -= pull.body.as_ref().map_or(0, String::len);
                    }
                    let mut listed = self.listed.0.lock().unwrap_or_else(PoisonError::into_inner);
                    match answer.validator() {
                        Some(validator) => listed.insert(page, (validator, pulls.clone())),
                        None => listed.remove(&page),
                    };
                    pulls
                }
            };
            let texts: usize = pulls.iter().flat_map(|pull| &pull.body).map(String::len).sum();
            room = room.saturating_sub(texts);
            let is_last = pulls.len() < A_PAGE;
            all.extend(pulls);
            if is_last {
                // What was put on another page meanwhile stands on both.
                let mut seen = BTreeSet::new();
                all.retain(|pull| seen.insert(pull.listing.number));
                return Ok(all);
            }
        }
        Err(Error::unreadable("a list without end"))
    }

    /// Reads all reviews of a pull request, oldest first.
    pub(crate) async fn reviews(
        &self,
        repository: &Repository,
        number: u64,
    ) -> Result<Vec<ReviewRead>, Error> {
        let reviews: Vec<Review> =
            self.all(route(repository, &format!("/pulls/{number}/reviews?per_page=100"))).await?;
        Ok(reviews.into_iter().map(ReviewRead::from).collect())
    }

    /// Reads what the rules of a branch require. Several rules of one kind add up to the strictest.
    pub(crate) async fn rules(&self, repository: &Repository, branch: &str) -> Result<RulesRead, Error> {
        let route = route(repository, &format!("/rules/branches/{}?per_page=100", encode_path(branch)));
        let rules: Vec<Rule> = self.all(route).await?;
        let mut read = RulesRead::default();
        for Rule { kind, parameters } in rules {
            match kind.as_str() {
                "pull_request" => {
                    read.approvals = read.approvals.max(parameters.required_approving_review_count);
                }
                "required_status_checks" => {
                    let names = parameters.required_status_checks.into_iter().map(|one| clean(&one.context));
                    read.checks.extend(names);
                }
                _ => {}
            }
        }
        read.checks.sort();
        read.checks.dedup();
        Ok(read)
    }

    /// Reads the check runs of a commit, of Actions and of other programs. Some tokens cannot have the right to read them.
    pub(crate) async fn check_runs(
        &self,
        repository: &Repository,
        commit: &str,
    ) -> Result<Vec<CheckRead>, Error> {
        let route = route(repository, &format!("/commits/{}/check-runs?filter=latest", encode_path(commit)));
        let runs: Vec<Ran> = counted(self, &route).await?;
        Ok(runs.into_iter().map(CheckRead::from).collect())
    }

    /// Reads the jobs of Actions on a commit, which a token without the right to read check runs may read.
    pub(crate) async fn jobs(&self, repository: &Repository, commit: &str) -> Result<Vec<CheckRead>, Error> {
        let runs = route(repository, &format!("/actions/runs?head_sha={}", encode_query(commit)));
        let runs: Vec<Numbered> = counted(self, &runs).await?;
        let mut jobs = Vec::new();
        for Numbered { id } in runs {
            let of_run = route(repository, &format!("/actions/runs/{id}/jobs?filter=latest"));
            let read: Vec<Ran> = counted(self, &of_run).await?;
            jobs.extend(read.into_iter().map(CheckRead::from));
        }
        Ok(jobs)
    }

    /// Reads the newest status that each program set on a commit. Statuses are a system beside check runs.
    pub(crate) async fn statuses(
        &self,
        repository: &Repository,
        commit: &str,
    ) -> Result<Vec<CheckRead>, Error> {
        let route = route(repository, &format!("/commits/{}/status?per_page=100", encode_path(commit)));
        let read: Combined = self.get(&route).await?;
        if read.statuses.len() < read.total_count {
            return Err(Error::unreadable("more statuses than one page holds"));
        }
        Ok(read.statuses.into_iter().map(CheckRead::from).collect())
    }

    /// Compares two commits, or a commit and a branch.
    pub(crate) async fn compare(
        &self,
        repository: &Repository,
        (from, to): (&str, &str),
    ) -> Result<Comparison, Error> {
        let route = route(repository, &format!("/compare/{}...{}", encode_path(from), encode_path(to)));
        let Compared { status, total_commits, base_commit, merge_base_commit, commits, files } =
            self.get(&route).await?;
        // A comparison names one side by its commit, so the answer must be about that commit.
        if is_commit_id(from) && base_commit.sha != from {
            let other = format!("the commit {}", base_commit.sha);
            return Err(self.wrong_subject(&format!("the commit {from}"), &other));
        }
        let has_second = || commits.iter().chain([&merge_base_commit]).any(|one| one.sha == to);
        if is_commit_id(to) && commits.len() as u64 >= total_commits && !has_second() {
            return Err(self.wrong_subject(&format!("the commit {to}"), "other commits"));
        }
        let is_whole = files.len() < MOST_COMPARED;
        let tree = |one: &ComparedCommit| Some(one.commit.tree.sha.clone()).filter(|id| is_commit_id(id));
        let second = if commits.is_empty() { Some(&merge_base_commit) } else { commits.last() };
        let second = second.filter(|one| one.sha == to).and_then(tree);
        let trees = [tree(&merge_base_commit), second];
        let ids: HashSet<&str> = commits.iter().map(|one| &*one.sha).collect();
        let parents = commits.iter().flat_map(|one| &one.parents).map(|parent| &*parent.sha);
        let joins: BTreeSet<&str> =
            parents.filter(|id| !ids.contains(id) && *id != merge_base_commit.sha).collect();
        let joins = joins.into_iter().map(clean).collect();
        let has_all_commits = commits.len() as u64 >= total_commits;
        let commits = commits.into_iter().map(|one| CommitSince {
            id: clean(&one.sha),
            subject: clean(one.commit.message.lines().next().unwrap_or_default()),
            made: one.commit.author.date,
        });
        Ok(Comparison {
            commits: commits.collect(),
            has_all_commits,
            files: is_whole.then(|| files.into_iter().map(ListedFile::from).collect()),
            is_ahead: matches!(status.as_str(), "ahead" | "identical"),
            merge_base: clean(&merge_base_commit.sha),
            trees,
            first_tree: tree(&base_commit),
            joins,
        })
    }
}

/// Reads all of a list that says how long it is; `route` ends with a query.
async fn counted<T: DeserializeOwned>(remote: &Remote, route: &str) -> Result<Vec<T>, Error> {
    let mut items: Vec<T> = Vec::new();
    for page in 1..=MOST_PAGES {
        let read: Counted<T> = remote.get(&format!("{route}&per_page=100&page={page}")).await?;
        let is_last = read.list.is_empty();
        items.extend(read.list);
        if is_last || items.len() >= read.total_count {
            return Ok(items);
        }
    }
    Err(Error::unreadable("a list without end"))
}
