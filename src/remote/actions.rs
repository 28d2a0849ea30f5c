//! GitHub Actions as far as a backfill needs it: a workflow, its runs with jobs, logs and artifacts (`github.md#actions`).
//!
//! Reads alone; what starts something is a [`ConfirmedRequest`](crate::rules::sending::ConfirmedRequest). Logs and artifacts lie on
//! other hosts, behind links that are good for a minute: they are fetched at once, and no token goes there.

use bytes::Bytes;
use jiff::Timestamp;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::registry::Repository;
use crate::remote::Remote;
use crate::remote::hosted::{API, is_commit_id, route};
use crate::remote::http::{Call, Error, Http, clean, encode_path, encode_query};
use crate::rules::actions::{ArtifactRead, Builds, RunJob, RunRead, RunState};
use crate::settings::Lane;

/// A log of more is not shown; a share says one line a target.
const LOG_LIMIT_BYTES: u64 = 32 << 20;
/// A filtered list ends at a thousand by GitHub's word.
const MOST_PAGES: u32 = 10;

/// The state of a workflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WorkflowRead {
    /// No file of that name makes one.
    Absent,
    Active,
    /// It cannot be started. The text is GitHub's word for the reason: `disabled_manually`.
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

impl Remote {
    /// Reads the state of the workflow with this file on the default branch.
    pub(crate) async fn workflow(&self, repository: &Repository, file: &str) -> Result<WorkflowRead, Error> {
        let route = below(repository, &format!("workflows/{}", encode_path(file)));
        match self.get::<Workflow>(&route).await {
            Ok(read) if read.state == "active" => Ok(WorkflowRead::Active),
            Ok(read) => Ok(WorkflowRead::Off(clean(&read.state))),
            Err(Error::NotFound { .. }) => Ok(WorkflowRead::Absent),
            Err(error) => Err(error),
        }
    }

    /// Reads the runs of a workflow that were started by hand, newest first, from `since` on.
    pub(crate) async fn workflow_runs(
        &self,
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
        let runs: Vec<Run> = counted(self, &route).await?;
        Ok(runs.into_iter().map(RunRead::from).collect())
    }

    /// Reads the last runs of a repository's own workflows. Runs on pull requests belong to the authors of those.
    pub(crate) async fn builds(&self, repository: &Repository) -> Result<Builds, Error> {
        let (newest, scheduled) =
            tokio::join!(newest_runs(self, repository, ""), newest_runs(self, repository, "event=schedule&"));
        let is_own = |run: &RunRead| !run.event.starts_with("pull_request");
        Ok(Builds { newest: newest?.into_iter().find(is_own), scheduled: scheduled?.into_iter().next() })
    }

    pub(crate) async fn workflow_run(&self, repository: &Repository, id: u64) -> Result<RunRead, Error> {
        let run: Run = self.get(&below(repository, &format!("runs/{id}"))).await?;
        if run.id != id || !is_commit_id(&run.head_sha) {
            return Err(Error::unreadable("the answer is of another run"));
        }
        Ok(run.into())
    }

    /// Reads the jobs of a run's newest attempt, with those that succeeded in an earlier attempt.
    pub(crate) async fn run_jobs(&self, repository: &Repository, id: u64) -> Result<Vec<RunJob>, Error> {
        let route = below(repository, &format!("runs/{id}/jobs?filter=latest&per_page=100"));
        let jobs: Vec<Job> = counted(self, &route).await?;
        Ok(jobs.into_iter().map(RunJob::from).collect())
    }

    /// Reads the log of a job; `None` before the job has ended.
    pub(crate) async fn job_log(&self, repository: &Repository, job: u64) -> Result<Option<String>, Error> {
        let route = below(repository, &format!("jobs/{job}/logs"));
        match behind_link(&self.http, &route, LOG_LIMIT_BYTES).await {
            Ok(body) => Ok(Some(String::from_utf8_lossy(&body).trim_start_matches('\u{feff}').to_owned())),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(crate) async fn run_artifacts(
        &self,
        repository: &Repository,
        id: u64,
    ) -> Result<Vec<ArtifactRead>, Error> {
        let artifacts: Vec<Artifact> =
            counted(self, &below(repository, &format!("runs/{id}/artifacts?per_page=100"))).await?;
        Ok(artifacts.into_iter().map(ArtifactRead::from).collect())
    }

    /// Reads the zip of an artifact. A zip that reaches the limit is too large, whatever size was listed.
    pub(crate) async fn artifact(
        &self,
        repository: &Repository,
        id: u64,
        limit_bytes: u64,
    ) -> Result<Bytes, Error> {
        behind_link(&self.http, &below(repository, &format!("artifacts/{id}/zip")), limit_bytes).await
    }
}

async fn newest_runs(remote: &Remote, repository: &Repository, of: &str) -> Result<Vec<RunRead>, Error> {
    let page: Page<Run> = remote.get(&below(repository, &format!("runs?{of}per_page=20"))).await?;
    Ok(page.items.into_iter().map(RunRead::from).collect())
}

/// Reads the file that a redirect of the API leads to.
async fn behind_link(http: &Http, route: &str, limit_bytes: u64) -> Result<Bytes, Error> {
    let call = Call { resource: Some("core"), ..Call::get(Lane::Api, format!("{API}{route}"), limit_bytes) };
    Ok(http.call(&call).await?.body)
}

/// Reads all pages of a list that is counted. Fewer items than the count would be a wrong list.
async fn counted<T: DeserializeOwned>(remote: &Remote, first: &str) -> Result<Vec<T>, Error> {
    let mut items = Vec::new();
    for page in 1..=MOST_PAGES {
        let route = if page == 1 { first.to_owned() } else { format!("{first}&page={page}") };
        let read: Page<T> = remote.get(&route).await?;
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
