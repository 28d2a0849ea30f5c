//! GitHub Actions as far as workflows that are started by hand need it: a file on the served branch makes a workflow, a dispatch
//! a run, and its jobs wait for a machine.
//!
//! State and rules only. `machine` carries the jobs out as real processes, `wire` draws what is here.

pub mod spoil;
pub(crate) mod workflow;
mod yaml;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value};

use crate::digest::small_id;
use crate::forge::actions::spoil::{Served, Spoil};
use crate::forge::actions::workflow::{PlannedJob, Step, Values, Workflow};
use crate::forge::{Forge, Hosted, MAIN, Refusal, Role};
use crate::world::Oid;

/// Where workflows are kept.
const FOLDER: &str = ".github/workflows/";
/// GitHub takes no more inputs.
const MOST_INPUTS: usize = 25;
/// How long a signed link to a log or an artifact is good.
const LINK_LASTS: SignedDuration = SignedDuration::from_secs(60);

/// Workflows that run by hand, with all that they left.
#[derive(Clone, Debug, Default)]
pub struct Actions {
    /// Paths of workflows that somebody switched off.
    pub disabled: BTreeSet<String>,
    /// As Enterprise Servers of before 2026: a dispatch is answered without the run that it made.
    pub without_details: bool,
    /// So many looks at a new run find it queued before a machine takes its jobs.
    pub queue_looks: u32,
    /// What becomes of jobs that are not just carried out.
    pub fates: Vec<Fate>,
    /// What becomes of artifacts, once a job has left them.
    pub spoils: Vec<Spoil>,
    /// Oldest first.
    pub(crate) runs: Vec<ActionsRun>,
}

/// What becomes of a job instead of being carried out.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fate {
    /// In the job's name.
    pub name: String,
    pub ends: Ending,
    /// Only in attempts up to this one.
    #[serde(default = "every_attempt")]
    pub until_attempt: u32,
}

fn every_attempt() -> u32 {
    u32::MAX
}

/// How a job ends that is not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    Success,
    /// Its machine is lost.
    Failure,
    TimedOut,
    /// No machine ever takes it.
    NeverStarts,
    /// Somebody has to approve it first.
    WaitsForApproval,
}

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobState {
    WaitsForApproval,
    Queued,
    Running,
    Ended(Conclusion),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conclusion {
    Success,
    Failure,
    TimedOut,
    Cancelled,
    Skipped,
}

impl Conclusion {
    /// GitHub's word.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::TimedOut => "timed_out",
            Self::Cancelled => "cancelled",
            Self::Skipped => "skipped",
        }
    }
}

impl JobState {
    /// GitHub's words: status and conclusion.
    pub(crate) fn words(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::WaitsForApproval => ("waiting", None),
            Self::Queued => ("queued", None),
            Self::Running => ("in_progress", None),
            Self::Ended(conclusion) => ("completed", Some(conclusion.word())),
        }
    }
}

/// One run of a workflow.
#[derive(Clone, Debug)]
pub(crate) struct ActionsRun {
    pub(crate) id: u64,
    /// Counts up for each workflow.
    pub(crate) number: u64,
    /// The key of the repository.
    pub(crate) repository: String,
    /// The workflow's file and name.
    pub(crate) path: String,
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) head: Oid,
    pub(crate) branch: String,
    pub(crate) actor: Box<str>,
    pub(crate) created: Timestamp,
    pub(crate) updated: Timestamp,
    /// When the newest attempt began.
    pub(crate) started: Timestamp,
    pub(crate) attempt: u32,
    group: Option<String>,
    is_cancelled: bool,
    /// Looks that find it queued.
    looks: u32,
    planned: Vec<PlannedJob>,
    /// Places of the planned jobs that the newest attempt runs once more.
    due: BTreeSet<usize>,
    /// Of all attempts, oldest first.
    pub(crate) jobs: Vec<Job>,
    pub(crate) artifacts: Vec<Artifact>,
}

#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) id: u64,
    /// Its place among the planned ones.
    place: usize,
    pub(crate) name: String,
    pub(crate) attempt: u32,
    pub(crate) state: JobState,
    pub(crate) created: Timestamp,
    pub(crate) started: Option<Timestamp>,
    pub(crate) ended: Option<Timestamp>,
    /// No machine takes it.
    is_left: bool,
    /// Each line with its moment.
    pub(crate) log: String,
}

#[derive(Clone, Debug)]
pub(crate) struct Artifact {
    pub(crate) id: u64,
    pub(crate) name: String,
    /// The whole zip.
    pub(crate) zip: Bytes,
    pub(crate) created: Timestamp,
}

/// A job that a machine takes.
#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    pub(crate) run: u64,
    pub(crate) job: u64,
    pub(crate) head: Oid,
    pub(crate) steps: Vec<Step>,
}

/// A file that makes a workflow.
#[derive(Clone, Debug)]
pub(crate) struct WorkflowFile {
    pub(crate) path: String,
    pub(crate) id: u64,
    pub(crate) is_disabled: bool,
    pub(crate) name: String,
}

/// The end of a signed link that is good for a minute.
pub(crate) fn link_end(now: Timestamp) -> String {
    format!("sig=signed&se={}", (now + LINK_LASTS).as_second())
}

/// Whether a signed link still is good.
pub(crate) fn is_good(until: Option<&str>, now: Timestamp) -> bool {
    until.and_then(|text| text.parse().ok()).is_some_and(|until: i64| now.as_second() < until)
}

impl ActionsRun {
    /// The jobs of an attempt: those that it ran, and those that an earlier one ended well.
    pub(crate) fn jobs_of(&self, attempt: u32) -> Vec<&Job> {
        let newest = |place: usize| {
            let job = self.jobs.iter().rev().find(|job| job.place == place && job.attempt <= attempt)?;
            let is_due = attempt == self.attempt && job.attempt < attempt && self.due.contains(&place);
            Some(job).filter(|_| !is_due)
        };
        (0..self.planned.len()).filter_map(newest).collect()
    }

    pub(crate) fn job(&self, id: u64) -> Option<&Job> {
        self.jobs.iter().find(|job| job.id == id)
    }

    /// Status and conclusion of an attempt.
    pub(crate) fn words(&self, attempt: u32) -> (&'static str, Option<&'static str>) {
        let jobs = self.jobs_of(attempt);
        let has = |state: JobState| jobs.iter().any(|job| job.state == state);
        let ended = |conclusion| has(JobState::Ended(conclusion));
        match () {
            () if has(JobState::Running) => ("in_progress", None),
            () if has(JobState::WaitsForApproval) => ("waiting", None),
            // Between two jobs a run is under way.
            () if has(JobState::Queued) || jobs.len() < self.planned.len() => {
                let is_begun = jobs.iter().any(|job| job.started.is_some());
                (if is_begun { "in_progress" } else { "queued" }, None)
            }
            () if ended(Conclusion::Cancelled) => ("completed", Some("cancelled")),
            () if ended(Conclusion::Failure) || ended(Conclusion::TimedOut) => ("completed", Some("failure")),
            () => ("completed", Some("success")),
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.words(self.attempt).0 == "completed"
    }

    /// Lets jobs begin whose predecessors are over, and skips those behind a failure.
    fn advance(&mut self, now: Timestamp) {
        loop {
            let (mut new, attempt) = (Vec::new(), self.attempt);
            let jobs = self.jobs_of(attempt);
            for (place, planned) in self.planned.iter().enumerate() {
                if jobs.iter().any(|job| job.place == place) {
                    continue;
                }
                let all = self.planned.iter().enumerate();
                let needed: Vec<usize> =
                    all.filter(|(_, one)| planned.needs.contains(&one.id)).map(|(place, _)| place).collect();
                let states: Vec<JobState> = needed
                    .iter()
                    .filter_map(|place| jobs.iter().find(|job| job.place == *place))
                    .map(|job| job.state)
                    .collect();
                if states.len() < needed.len() || !states.iter().all(|one| matches!(one, JobState::Ended(_)))
                {
                    continue;
                }
                let goes_on =
                    planned.always || states.iter().all(|one| *one == JobState::Ended(Conclusion::Success));
                let state = if goes_on && !self.is_cancelled {
                    JobState::Queued
                } else {
                    JobState::Ended(Conclusion::Skipped)
                };
                new.push(self.new_job(place, state, now));
            }
            if new.is_empty() {
                return;
            }
            self.jobs.extend(new);
        }
    }

    fn new_job(&self, place: usize, state: JobState, now: Timestamp) -> Job {
        let words = ["job", &self.id.to_string(), &place.to_string(), &self.attempt.to_string()];
        Job {
            id: small_id(&words),
            place,
            name: self.planned[place].name.clone(),
            attempt: self.attempt,
            state,
            created: now,
            started: None,
            ended: matches!(state, JobState::Ended(_)).then_some(now),
            is_left: false,
            log: String::new(),
        }
    }
}

impl Forge {
    /// The workflows of a repository: the files on its served branch.
    pub(crate) fn workflows(&self, hosted: &Hosted) -> Vec<WorkflowFile> {
        let Some(tip) = hosted.branches.get(MAIN) else { return Vec::new() };
        let files = self.objects.files(tip);
        let is_one = |path: &&String| {
            let name = path.strip_prefix(FOLDER).filter(|name| !name.contains('/'));
            name.and_then(|name| name.rsplit_once('.')).is_some_and(|(_, end)| ["yml", "yaml"].contains(&end))
        };
        files
            .keys()
            .filter(is_one)
            .map(|path| WorkflowFile {
                id: small_id(&["workflow", &hosted.key(), path]),
                is_disabled: self.actions.disabled.contains(path),
                name: self.read_workflow(tip, path).map_or_else(|_| path.clone(), |read| read.name),
                path: path.clone(),
            })
            .collect()
    }

    /// The workflow of that number or file name.
    pub(crate) fn workflow(&self, hosted: &Hosted, named: &str) -> Option<WorkflowFile> {
        let is_it = |one: &WorkflowFile| {
            named.parse() == Ok(one.id) || one.path.strip_prefix(FOLDER) == Some(named) || one.path == named
        };
        self.workflows(hosted).into_iter().find(is_it)
    }

    fn read_workflow(&self, commit: &Oid, path: &str) -> Result<Workflow, String> {
        let leaf = self.objects.files(commit).get(path).copied().ok_or("it is not there")?;
        let bytes = self.objects.blob(&leaf.blob).ok_or("it is not there")?;
        Workflow::read(std::str::from_utf8(bytes).map_err(|_| "it is not a text")?)
    }

    /// Starts a workflow by hand and gives back the number of its run.
    pub(crate) fn dispatch(
        &mut self,
        now: Timestamp,
        (repository, login): (&str, &str),
        named: &str,
        (reference, inputs): (&str, &Map<String, Value>),
    ) -> Result<u64, Refusal> {
        let invalid = |message: String| Refusal::invalid("Workflow", "", message);
        let hosted = self.repositories.get(repository).ok_or(Refusal::NotFound)?;
        let file = self.workflow(hosted, named).ok_or(Refusal::NotFound)?;
        if hosted.role(login) < Role::Write {
            return Err(Refusal::Forbidden("actions=write"));
        }
        if file.is_disabled {
            return Err(Refusal::NotNow("Cannot trigger a 'workflow_dispatch' on a disabled workflow."));
        }
        let branch = reference.strip_prefix("refs/heads/").unwrap_or(reference);
        let Some(head) = hosted.branches.get(branch).copied() else {
            return Err(invalid(format!("No ref found for: {reference}")));
        };
        let workflow = self.read_workflow(&head, &file.path).map_err(|why| invalid(why.clone()))?;
        let Some(declared) = &workflow.dispatch else {
            return Err(invalid("Workflow does not have 'workflow_dispatch' trigger".to_owned()));
        };
        if inputs.len() > MOST_INPUTS {
            return Err(invalid(format!(
                "inputs has {} properties, and {MOST_INPUTS} are the most",
                inputs.len()
            )));
        }
        let unexpected: Vec<&String> =
            inputs.keys().filter(|name| !declared.iter().any(|one| one.name == **name)).collect();
        if !unexpected.is_empty() {
            return Err(invalid(format!("Unexpected inputs provided: {unexpected:?}")));
        }
        let mut values = Values::new();
        for input in declared {
            let given = inputs.get(&input.name).map(|value| match value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            });
            match given.or_else(|| input.default.clone()) {
                None if input.is_required => {
                    return Err(invalid(format!("Required input '{}' not provided", input.name)));
                }
                value => values.insert(format!("inputs.{}", input.name), value.unwrap_or_default()),
            };
        }
        values.insert("github.repository".into(), hosted.full_name());
        values.insert("github.sha".into(), hex::encode(head));
        values.insert("github.ref".into(), format!("refs/heads/{branch}"));
        values.insert("github.workflow".into(), workflow.name.clone());
        let title = workflow.title(&values).map_err(invalid)?.unwrap_or_else(|| workflow.name.clone());
        let group = workflow.group(&values).map_err(invalid)?;
        let planned = workflow.jobs(&values).map_err(invalid)?;
        let number = 1 + self.actions.runs.iter().filter(|run| run.path == file.path).count() as u64;
        let actor = self.account(login).map_or_else(|| login.into(), |account| account.login.clone());
        // Of one group one waits at most: a newer one takes the place of the one that waits.
        for waiting in &mut self.actions.runs {
            let is_waiting = waiting.jobs.iter().all(|job| job.started.is_none()) && !waiting.is_over();
            if group.is_some() && waiting.group == group && is_waiting {
                waiting.end_all(now);
            }
        }
        let mut run = ActionsRun {
            id: small_id(&["actions run", repository, &file.path, &number.to_string()]),
            number,
            repository: repository.to_owned(),
            path: file.path,
            name: workflow.name,
            title,
            head,
            branch: branch.to_owned(),
            actor,
            created: now,
            updated: now,
            started: now,
            attempt: 1,
            group,
            is_cancelled: false,
            looks: self.actions.queue_looks,
            planned,
            due: BTreeSet::new(),
            jobs: Vec::new(),
            artifacts: Vec::new(),
        };
        run.advance(now);
        let id = run.id;
        self.actions.runs.push(run);
        Ok(id)
    }

    fn run_for(&mut self, (repository, login): (&str, &str), id: u64) -> Result<&mut ActionsRun, Refusal> {
        let hosted = self.repositories.get(repository).ok_or(Refusal::NotFound)?;
        let may = hosted.role(login) >= Role::Write;
        let found = self.actions.runs.iter_mut().find(|run| run.id == id && run.repository == repository);
        let run = found.ok_or(Refusal::NotFound)?;
        if may { Ok(run) } else { Err(Refusal::Forbidden("actions=write")) }
    }

    /// Asks a run to stop.
    pub(crate) fn cancel_run(&mut self, now: Timestamp, place: (&str, &str), id: u64) -> Result<(), Refusal> {
        let run = self.run_for(place, id)?;
        if run.is_over() {
            return Err(Refusal::Conflict("Cannot cancel a workflow run that is completed.".to_owned()));
        }
        run.end_all(now);
        Ok(())
    }

    /// Runs the jobs once more that did not end well, with all that waited for them.
    pub(crate) fn rerun_failed(
        &mut self,
        now: Timestamp,
        place: (&str, &str),
        id: u64,
    ) -> Result<(), Refusal> {
        let run = self.run_for(place, id)?;
        if !run.is_over() {
            return Err(Refusal::NotNow("This workflow run is still in progress."));
        }
        let is_bad = |job: &&Job| job.state != JobState::Ended(Conclusion::Success);
        let due: BTreeSet<usize> =
            run.jobs_of(run.attempt).into_iter().filter(is_bad).map(|job| job.place).collect();
        if due.is_empty() {
            return Err(Refusal::NotNow("This workflow run has no failed jobs to re-run."));
        }
        run.attempt += 1;
        run.due = due;
        run.is_cancelled = false;
        (run.started, run.updated) = (now, now);
        run.advance(now);
        Ok(())
    }
}

impl ActionsRun {
    /// Ends whatever has not ended.
    fn end_all(&mut self, now: Timestamp) {
        for job in self.jobs.iter_mut().filter(|job| !matches!(job.state, JobState::Ended(_))) {
            job.state = JobState::Ended(Conclusion::Cancelled);
            job.ended = Some(now);
        }
        // What waited for them does not follow.
        self.is_cancelled = true;
        self.updated = now;
        self.advance(now);
    }
}

impl Actions {
    /// How many runs there are.
    pub fn count(&self) -> usize {
        self.runs.len()
    }

    /// Whether there is nothing that a machine could take.
    pub(crate) fn is_idle(&self) -> bool {
        self.runs.iter().all(ActionsRun::is_over)
    }

    /// An artifact of any run as it is served, with its run.
    pub(crate) fn served(&self, id: u64) -> Option<(&ActionsRun, Served)> {
        let of_run = |run: &ActionsRun| run.served(&self.spoils).into_iter().find(|one| one.id == id);
        self.runs.iter().find_map(|run| Some((run, of_run(run)?)))
    }

    pub(crate) fn is_running(&self, run: u64, job: u64) -> bool {
        let of_run = self.runs.iter().find(|one| one.id == run).and_then(|run| run.job(job));
        of_run.is_some_and(|job| job.state == JobState::Running)
    }

    /// Somebody looks at a run, or at lists of them.
    pub(crate) fn looked_at(&mut self) {
        for run in &mut self.runs {
            run.looks = run.looks.saturating_sub(1);
        }
    }

    /// The jobs that a machine takes now; they run from now on. What is not carried out ends here.
    pub(crate) fn take(&mut self, now: Timestamp, has_machine: bool) -> Vec<Assignment> {
        let mut taken = Vec::new();
        for at in 0..self.runs.len() {
            let (earlier, rest) = self.runs.split_at_mut(at);
            let run = &mut rest[0];
            let blocks = |other: &ActionsRun| !other.is_over() && other.group == run.group;
            if run.looks > 0 || run.group.is_some() && earlier.iter().any(blocks) {
                continue;
            }
            let is_next = |job: &Job| job.state == JobState::Queued && !job.is_left;
            while let Some(place) = run.jobs.iter().position(is_next) {
                let job = &mut run.jobs[place];
                let is_its =
                    |fate: &&Fate| job.name.contains(&fate.name) && job.attempt <= fate.until_attempt;
                let ends = match self.fates.iter().find(is_its).map(|fate| fate.ends) {
                    Some(Ending::NeverStarts) => {
                        job.is_left = true;
                        continue;
                    }
                    Some(Ending::WaitsForApproval) => {
                        job.state = JobState::WaitsForApproval;
                        continue;
                    }
                    Some(Ending::Success) => Conclusion::Success,
                    Some(Ending::Failure) => Conclusion::Failure,
                    Some(Ending::TimedOut) => Conclusion::TimedOut,
                    None if !has_machine => {
                        job.is_left = true;
                        continue;
                    }
                    None => {
                        job.state = JobState::Running;
                        job.started = Some(now);
                        let steps = run.planned[job.place].steps.clone();
                        taken.push(Assignment { run: run.id, job: job.id, head: run.head, steps });
                        continue;
                    }
                };
                job.started = Some(now);
                job.say(now, "##[error]The operation was ended by the world's scenario.");
                job.end(now, ends);
                run.updated = now;
                run.advance(now);
            }
        }
        taken
    }

    fn running(&mut self, run: u64, job: u64) -> Option<(&mut ActionsRun, usize)> {
        let run = self.runs.iter_mut().find(|one| one.id == run)?;
        let at = run.jobs.iter().position(|one| one.id == job && one.state == JobState::Running)?;
        Some((run, at))
    }

    /// A line for a job's log; false once it runs no more.
    pub(crate) fn say(&mut self, (run, job): (u64, u64), now: Timestamp, line: &str) -> bool {
        match self.running(run, job) {
            Some((run, at)) => {
                run.jobs[at].say(now, line);
                true
            }
            None => false,
        }
    }

    /// An artifact of a run: of a name that is there, only over it.
    pub(crate) fn keep(
        &mut self,
        run: u64,
        artifact: (String, Bytes),
        overwrite: bool,
        now: Timestamp,
    ) -> bool {
        let Some(run) = self.runs.iter_mut().find(|one| one.id == run) else { return false };
        let (name, zip) = artifact;
        let is_there = run.artifacts.iter().any(|one| one.name == name);
        if is_there && !overwrite {
            return false;
        }
        run.artifacts.retain(|one| one.name != name);
        let words = ["artifact", &run.id.to_string(), &name, &run.attempt.to_string()];
        run.artifacts.push(Artifact { id: small_id(&words), name, zip, created: now });
        true
    }

    /// A job ended as it did.
    pub(crate) fn end(&mut self, (run, job): (u64, u64), now: Timestamp, is_good: bool) {
        let Some((run, at)) = self.running(run, job) else { return };
        run.jobs[at].end(now, if is_good { Conclusion::Success } else { Conclusion::Failure });
        run.updated = now;
        run.advance(now);
    }

    /// The names and contents of a run's artifacts that fit a pattern with one `*` at its end.
    pub(crate) fn artifacts(&self, run: u64, pattern: &str) -> Vec<Artifact> {
        let run = self.runs.iter().find(|one| one.id == run);
        let fits = |one: &&Artifact| match pattern.strip_suffix('*') {
            Some(start) => one.name.starts_with(start),
            None => one.name == pattern,
        };
        run.into_iter().flat_map(|run| &run.artifacts).filter(fits).cloned().collect()
    }
}

impl Job {
    fn say(&mut self, now: Timestamp, line: &str) {
        let _ = writeln!(self.log, "{}Z {line}", now.strftime("%Y-%m-%dT%H:%M:%S%.7f"));
    }

    fn end(&mut self, now: Timestamp, conclusion: Conclusion) {
        self.state = JobState::Ended(conclusion);
        self.ended = Some(now);
    }
}
