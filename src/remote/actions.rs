//! GitHub Actions as far as a backfill needs it: a workflow, its runs with jobs, logs and artifacts (`github.md#actions`).
//!
//! Reads alone; what starts something is a [`ConfirmedRequest`](crate::rules::sending::ConfirmedRequest). Logs and artifacts lie on
//! other hosts, behind links that are good for a minute: they are fetched at once, and no token goes there.

use std::sync::Arc;

use bytes::Bytes;
use jiff::Timestamp;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::registry::Repository;
use crate::remote::api;
use crate::remote::hosted::{API, is_commit_id, route};
use crate::remote::http::{Call, Error, Http, clean, encode_path, encode_query};
use crate::rules::actions::{ArtifactRead, Builds, RunJob, RunRead, RunState};
use crate::settings::Lane;

/// A log of more is not shown; a share says one line a target.
const LOG_LIMIT_BYTES: u64 = 32 << 20;
/// A filtered list ends at a thousand by GitHub's word.
const MOST_PAGES: u32 = 10;

/// Whether a workflow can be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WorkflowRead {
    /// No file of that name makes one.
    Absent,
    Active,
    /// GitHub's word for why not: `disabled_manually`.
    Off(String),
}

#[derive(Deserialize)]
struct Workflow {
    state: String,
}

#[derive(Deserialize)]
struct Actor {
    login: String,
}

#[derive(Deserialize)]
struct Run {
    id: u64,
    #[serde(default = "first", rename = "run_attempt")]
    attempt: u32,
    display_title: String,
    name: Option<String>,
    #[serde(default)]
    path: String,
    event: String,
    status: Option<String>,
    conclusion: Option<String>,
    html_url: String,
    actor: Option<Actor>,
    head_sha: String,
    created_at: Timestamp,
    updated_at: Timestamp,
}

fn first() -> u32 {
    1
}

#[derive(Deserialize)]
struct Job {
    id: u64,
    #[serde(default = "first")]
    run_attempt: u32,
    name: String,
    status: String,
    conclusion: Option<String>,
    started_at: Option<Timestamp>,
    completed_at: Option<Timestamp>,
    runner_id: Option<u64>,
}

#[derive(Deserialize)]
struct Artifact {
    id: u64,
    name: String,
    size_in_bytes: u64,
    expired: bool,
    digest: Option<String>,
}

/// A list that stands in an object, beside how long it is.
#[derive(Deserialize)]
struct Page<T> {
    total_count: usize,
    #[serde(alias = "workflow_runs", alias = "jobs", alias = "artifacts")]
    items: Vec<T>,
}

fn state(status: &str, conclusion: Option<&str>) -> RunState {
    match RunState::of(status, conclusion) {
        RunState::Other(word) => RunState::Other(clean(&word)),
        known => known,
    }
}

impl From<Run> for RunRead {
    fn from(run: Run) -> Self {
        Self {
            id: run.id,
            attempt: run.attempt,
            title: clean(&run.display_title),
            workflow: run.name.as_deref().map(clean).unwrap_or_default(),
            path: clean(&run.path),
            event: clean(&run.event),
            state: state(run.status.as_deref().unwrap_or("unknown"), run.conclusion.as_deref()),
            url: clean(&run.html_url),
            actor: run.actor.map_or_else(|| "ghost".to_owned(), |actor| clean(&actor.login)),
            head: run.head_sha,
            created: run.created_at,
            updated: run.updated_at,
        }
    }
}

impl From<Job> for RunJob {
    fn from(job: Job) -> Self {
        Self {
            id: job.id,
            name: clean(&job.name),
            attempt: job.run_attempt,
            state: state(&job.status, job.conclusion.as_deref()),
            // GitHub fills it in before a machine has the job.
            started: job.started_at.filter(|_| job.runner_id.is_some()),
            ended: job.completed_at,
        }
    }
}

impl From<Artifact> for ArtifactRead {
    fn from(artifact: Artifact) -> Self {
        let digest = artifact.digest.as_deref().and_then(|text| text.strip_prefix("sha256:"));
        Self {
            id: artifact.id,
            name: clean(&artifact.name),
            size_bytes: artifact.size_in_bytes,
            is_expired: artifact.expired,
            digest: digest.map(str::to_ascii_lowercase),
        }
    }
}

fn below(repository: &Repository, rest: &str) -> String {
    route(repository, &format!("/actions/{rest}"))
}

/// The workflow of that file on the default branch.
pub(super) async fn workflow(
    http: &Arc<Http>,
    repository: &Repository,
    file: &str,
) -> Result<WorkflowRead, Error> {
    let route = below(repository, &format!("workflows/{}", encode_path(file)));
    match api::get::<Workflow>(http, &route).await {
        Ok(read) if read.state == "active" => Ok(WorkflowRead::Active),
        Ok(read) => Ok(WorkflowRead::Off(clean(&read.state))),
        Err(Error::NotFound { .. }) => Ok(WorkflowRead::Absent),
        Err(error) => Err(error),
    }
}

/// Its runs that were started by hand, the newest first; from some moment on, if one is named.
pub(super) async fn runs(
    http: &Arc<Http>,
    repository: &Repository,
    file: &str,
    since: Option<Timestamp>,
) -> Result<Vec<RunRead>, Error> {
    let created = since.and_then(|at| Timestamp::from_second(at.as_second()).ok());
    let created = created.map(|at| format!("&created={}", encode_query(&format!(">={at}"))));
    let route = below(
        repository,
        &format!(
            "workflows/{}/runs?event=workflow_dispatch&per_page=100{}",
            encode_path(file),
            created.unwrap_or_default()
        ),
    );
    let runs: Vec<Run> = all(http, &route).await?;
    Ok(runs.into_iter().map(RunRead::from).collect())
}

/// What a repository's own workflows came to last. Runs on pull requests are those of whoever opened them.
pub(super) async fn builds(http: &Arc<Http>, repository: &Repository) -> Result<Builds, Error> {
    let (newest, scheduled) =
        tokio::join!(newest_runs(http, repository, ""), newest_runs(http, repository, "event=schedule&"));
    let is_own = |run: &RunRead| !run.event.starts_with("pull_request");
    Ok(Builds { newest: newest?.into_iter().find(is_own), scheduled: scheduled?.into_iter().next() })
}

async fn newest_runs(http: &Arc<Http>, repository: &Repository, of: &str) -> Result<Vec<RunRead>, Error> {
    let page: Page<Run> = api::get(http, &below(repository, &format!("runs?{of}per_page=20"))).await?;
    Ok(page.items.into_iter().map(RunRead::from).collect())
}

pub(super) async fn run(http: &Arc<Http>, repository: &Repository, id: u64) -> Result<RunRead, Error> {
    let run: Run = api::get(http, &below(repository, &format!("runs/{id}"))).await?;
    if run.id != id || !is_commit_id(&run.head_sha) {
        return Err(Error::unreadable("the answer is of another run"));
    }
    Ok(run.into())
}

/// The jobs of its newest attempt, those that an earlier one ended well included.
pub(super) async fn jobs(http: &Arc<Http>, repository: &Repository, id: u64) -> Result<Vec<RunJob>, Error> {
    let route = below(repository, &format!("runs/{id}/jobs?filter=latest&per_page=100"));
    let jobs: Vec<Job> = all(http, &route).await?;
    Ok(jobs.into_iter().map(RunJob::from).collect())
}

/// The log of a job; `None`: there is none before it has ended.
pub(super) async fn log(http: &Http, repository: &Repository, job: u64) -> Result<Option<String>, Error> {
    let route = below(repository, &format!("jobs/{job}/logs"));
    match behind_link(http, &route, LOG_LIMIT_BYTES).await {
        Ok(body) => Ok(Some(String::from_utf8_lossy(&body).trim_start_matches('\u{feff}').to_owned())),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

pub(super) async fn artifacts(
    http: &Arc<Http>,
    repository: &Repository,
    run: u64,
) -> Result<Vec<ArtifactRead>, Error> {
    let artifacts: Vec<Artifact> =
        all(http, &below(repository, &format!("runs/{run}/artifacts?per_page=100"))).await?;
    Ok(artifacts.into_iter().map(ArtifactRead::from).collect())
}

/// The zip of an artifact; one that reaches the limit is too large, whatever was said of its size.
pub(super) async fn artifact(
    http: &Http,
    repository: &Repository,
    id: u64,
    limit_bytes: u64,
) -> Result<Bytes, Error> {
    behind_link(http, &below(repository, &format!("artifacts/{id}/zip")), limit_bytes).await
}

/// What a redirect of the API leads to.
async fn behind_link(http: &Http, route: &str, limit_bytes: u64) -> Result<Bytes, Error> {
    let call = Call { resource: Some("core"), ..Call::get(Lane::Api, format!("{API}{route}"), limit_bytes) };
    Ok(http.call(&call).await?.body)
}

/// All pages of a list that is counted: less than what is counted would be a wrong list.
async fn all<T: DeserializeOwned>(http: &Arc<Http>, first: &str) -> Result<Vec<T>, Error> {
    let mut items = Vec::new();
    for page in 1..=MOST_PAGES {
        let route = if page == 1 { first.to_owned() } else { format!("{first}&page={page}") };
        let read: Page<T> = api::get(http, &route).await?;
        let is_last = read.items.is_empty();
        items.extend(read.items);
        if items.len() >= read.total_count {
            return Ok(items);
        }
        if is_last {
            return Err(Error::unreadable("a list that ends before its count"));
        }
    }
    Ok(items)
}
