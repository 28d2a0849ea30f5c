//! The jobs of this run and of earlier runs, running or finished, each once, and the jobs that can run again.

use std::cmp::Reverse;
use std::time::Duration;

use jiff::Timestamp;

use crate::desk::board::{Board, Running};
use crate::desk::filling;
use crate::desk::list::List;
use crate::desk::run::{self, End};
use crate::jobs::data::{
    ActionsTask, BackfillTask, Failure, Gate, Job, JobId, Judgement, MAX_AGE, Outcome, PastJob, PastState,
    PlanTask, Progress, Scope, Summary, SurveyPlan, Unit, WatchPlan,
};
use crate::registry::Address;
use crate::rules::edit::Edit;
use crate::rules::plain_text::shell_word;
use crate::rules::{Depth, Mode, Verdict};
use crate::settings::words;

/// The number of finished jobs that are remembered.
const MOST: usize = 200;
/// The number of entries that are kept for another try.
const MOST_FAILED: usize = 50_000;
/// The seconds by which the journal and this run may disagree about a job's start.
const NEAR_SECONDS: i64 = 10;

words! {
    /// The state of a job.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum JobState: [word] {
        /// Nothing moves; the progress has the reason.
        Waiting = "WAITING",
        Running = "RUNNING",
        /// The maintainer paused the job: running downloads finish, and no new ones begin.
        Paused = "PAUSED",
        Done = "DONE",
        /// The job ended, but some entries could not be checked in full: neither failed nor fine.
        DoneWithGaps = "DONE, GAPS",
        Failed = "FAILED",
        Cancelled = "CANCELLED",
        /// The process ended before the job did.
        CutOff = "CUT OFF",
    }
}

impl JobState {
    /// The state of a job that ran to its end. Following a run that failed counts as failed, although the job
    /// itself succeeded.
    fn done(counts: &Summary) -> Self {
        if counts.unit == Unit::Job && counts.findings > 0 {
            return Self::Failed;
        }
        Self::of(&End::Done { has_gaps: counts.gaps() > 0 })
    }

    /// The state after an end.
    pub(crate) fn of(end: &End) -> Self {
        match end {
            End::Done { has_gaps: false } => Self::Done,
            End::Done { has_gaps: true } => Self::DoneWithGaps,
            End::Cancelled => Self::Cancelled,
            End::Failed(_) => Self::Failed,
        }
    }
}

/// The key of a row: a job of this run, or a job of the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobKey {
    Here(JobId),
    Past(i64),
}

/// One job, borrowed from the place that keeps it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JobRow<'a> {
    pub(crate) key: JobKey,
    pub(crate) state: JobState,
    /// The number in the journal, if it is known.
    pub(crate) number: Option<i64>,
    pub(crate) kind: &'a str,
    pub(crate) what: &'a str,
    pub(crate) started: Timestamp,
    pub(crate) ended: Option<Timestamp>,
    pub(crate) progress: Option<&'a Progress>,
    /// The counts of its results; `None` while it runs, and if it failed.
    pub(crate) counts: Option<&'a Summary>,
    /// The reason of a failure; while the job runs, the reason why it waits or stops.
    pub(crate) why: &'a str,
    /// The job itself, if it is known.
    pub(crate) job: Option<&'a Job>,
    /// Entries without a verdict.
    pub(crate) failed: &'a [Address],
}

/// A finished job of this run.
#[derive(Debug)]
struct Finished {
    /// The job as the board had it.
    job: Running,
    state: JobState,
    ended: Timestamp,
    counts: Option<Summary>,
    why: String,
}

/// The finished jobs; the board has the running ones.
#[derive(Debug, Default)]
pub(crate) struct History {
    /// `None` until the journal was read.
    pub(crate) journal: Option<Vec<PastJob>>,
    /// The finished jobs of this run, the newest last.
    finished: Vec<Finished>,
    /// Finished jobs that began before this time are hidden.
    pub(crate) cleared: Option<Timestamp>,
}

impl History {
    /// Keeps a job of this run that ended. Returns false for a job that the journal leaves out.
    pub(crate) fn keep(&mut self, running: &Running, outcome: &Outcome, now: Timestamp) -> bool {
        if running.journal_line.is_none() {
            return false;
        }
        let (state, counts, why) = match outcome {
            Outcome::Done(summary) => (JobState::done(summary), Some(summary.clone()), String::new()),
            Outcome::Cancelled(summary) => (JobState::Cancelled, Some(summary.clone()), String::new()),
            Outcome::Failed(failure) => (JobState::Failed, None, why(failure)),
        };
        if self.finished.len() == MOST {
            self.finished.remove(0);
        }
        self.finished.push(Finished { job: running.clone(), state, ended: now, counts, why });
        true
    }

    /// All rows: running jobs, then finished ones, the newest first.
    pub(crate) fn rows<'a>(&'a self, board: &'a Board) -> Vec<JobRow<'a>> {
        let journal: &[PastJob] = self.journal.as_deref().unwrap_or_default();
        let mut running: Vec<JobRow<'_>> = board.journalled().filter_map(running_row).collect();
        let mut over: Vec<JobRow<'_>> = self.finished.iter().filter_map(finished_row).collect();
        let is_ours = |past: &&PastJob| !running.iter().chain(&over).any(|ours| is_same(past, ours));
        let others: Vec<JobRow<'_>> = journal.iter().filter(is_ours).map(past_row).collect();
        for ours in running.iter_mut().chain(&mut over) {
            ours.number =
                ours.number.or_else(|| journal.iter().find(|past| is_same(past, ours)).map(|past| past.id));
        }
        for row in others {
            if row.state == JobState::Running { running.push(row) } else { over.push(row) }
        }
        over.retain(|row| self.is_shown(row.started));
        over.sort_by_key(|row| Reverse((row.started, row.number)));
        running.append(&mut over);
        running
    }

    /// Returns true if a finished job was not cleared away.
    fn is_shown(&self, started: Timestamp) -> bool {
        self.cleared.is_none_or(|at| started > at)
    }

    /// Returns true if a finished job has a row.
    pub(crate) fn has_done(&self) -> bool {
        self.over().any(|at| self.is_shown(at))
    }

    /// Returns true if a finished job was cleared away.
    pub(crate) fn has_hidden(&self) -> bool {
        self.over().any(|at| !self.is_shown(at))
    }

    /// The start times of the finished jobs.
    fn over(&self) -> impl Iterator<Item = Timestamp> {
        let journal = self.journal.iter().flatten().filter(|job| job.state != PastState::Running);
        self.finished.iter().map(|over| over.job.since).chain(journal.map(|job| job.started_at))
    }
}

/// Keeps the entries that a survey could not judge.
pub(crate) fn keep_failed(running: &mut Running, batch: &[Judgement]) {
    let failed = batch.iter().filter(|judgement| is_failed(&judgement.verdict));
    let room = MOST_FAILED.saturating_sub(running.failed.len());
    running.failed.extend(failed.map(|judgement| judgement.address.clone()).take(room));
}

/// Returns true if the entry was checked in vain.
fn is_failed(verdict: &Verdict) -> bool {
    verdict.status.is_unknown() && verdict.because.at.is_some()
}

fn why(failure: &Failure) -> String {
    let hint = failure.hint.as_ref().map(|hint| format!(". {hint}")).unwrap_or_default();
    format!("{}: {}{hint}", failure.doing, failure.causes.join(": "))
}

/// Returns true if a job of the journal is one of ours. The number decides; without one, the kind, the label
/// and the start time do.
fn is_same(past: &PastJob, ours: &JobRow<'_>) -> bool {
    if let Some(number) = ours.number {
        return past.id == number;
    }
    let apart = past.started_at.as_second() - ours.started.as_second();
    past.kind == ours.kind && past.what == ours.what && apart.abs() <= NEAR_SECONDS
}

fn running_row(running: &Running) -> Option<JobRow<'_>> {
    let (kind, what) = running.journal_line.as_ref()?;
    let waits = running.progress.as_ref().and_then(|progress| progress.waiting.as_deref());
    let (state, why) = match waits {
        _ if running.cancelling => (JobState::Running, "stopping; what it found is kept"),
        _ if running.is_paused => (JobState::Paused, "running downloads finish, no new ones begin"),
        Some(waits) => (JobState::Waiting, waits),
        None => (JobState::Running, ""),
    };
    Some(JobRow {
        key: JobKey::Here(running.id),
        state,
        number: running.number,
        kind,
        what,
        started: running.since,
        ended: None,
        progress: running.progress.as_ref(),
        counts: None,
        why,
        job: Some(&running.job),
        failed: &running.failed,
    })
}

fn finished_row(over: &Finished) -> Option<JobRow<'_>> {
    Some(JobRow {
        state: over.state,
        ended: Some(over.ended),
        progress: None,
        counts: over.counts.as_ref(),
        why: &over.why,
        ..running_row(&over.job)?
    })
}

/// A job of the journal.
pub(crate) fn past_row(past: &PastJob) -> JobRow<'_> {
    let (state, why) = match &past.state {
        PastState::Running => (JobState::Running, "in another bumpdesk"),
        PastState::Done => (JobState::done(&past.counts), ""),
        PastState::Cancelled => (JobState::Cancelled, ""),
        PastState::Failed(why) => (JobState::Failed, why.as_str()),
        PastState::CutOff => (JobState::CutOff, "its program ended before it did"),
    };
    JobRow {
        key: JobKey::Past(past.id),
        state,
        number: Some(past.id),
        kind: &past.kind,
        what: &past.what,
        started: past.started_at,
        ended: past.ended_at,
        progress: None,
        counts: Some(&past.counts),
        why,
        job: past.job.as_ref(),
        failed: &[],
    }
}

/// The job that runs a finished job again, in full or its rest. The error is the reason why there is none.
pub(crate) fn again(row: &JobRow<'_>, list: &List) -> Result<Job, String> {
    match row.state {
        JobState::Running | JobState::Waiting => return Err("it is still running".into()),
        JobState::Paused => return Err("it is paused, and can be resumed".into()),
        _ => {}
    }
    if row.state == JobState::Done {
        return Err("it is done, nothing is left".into());
    }
    match row.job.and_then(Job::again) {
        Some(Job::Survey(plan)) => again_survey(row, plan, list),
        Some(job) => Ok(job),
        None if ["survey", "plan add", "plan rebuild", "verify", "backfill"].contains(&row.kind) => {
            Err("which entries it was about is no longer known; mark them in the Inventory".into())
        }
        None if ["pr open", "pr resume", "pr undo"].contains(&row.kind) => {
            Err("resume or undo its pull request instead".into())
        }
        None => Err(format!("that was a command: `bumpdesk {}` runs it again", row.kind)),
    }
}

/// The command line of a job. The error is the reason why there is none: the job's task is unknown, or names
/// too many entries.
pub(crate) fn command_line(row: &JobRow<'_>) -> Result<String, &'static str> {
    let words = match row.job {
        Some(Job::Survey(plan)) => survey_line(plan),
        Some(Job::Verify(plan)) => run::command_line(plan),
        Some(Job::Backfill(BackfillTask::Run(run))) => filling::command_line(run),
        Some(Job::Watch(WatchPlan { number: Some(number), .. })) => {
            Some(format!("bumpdesk pr watch {number}"))
        }
        Some(Job::Watch(_)) => Some("bumpdesk pr list".into()),
        Some(Job::Reviews) => Some("bumpdesk review".into()),
        Some(Job::Review(plan)) => Some(plan.command_line()),
        Some(Job::Actions(ActionsTask::Look { run: Some(run), .. })) => {
            Some(format!("bumpdesk backfill status --run {run} --follow"))
        }
        Some(Job::Actions(ActionsTask::Look { run: None, .. })) => {
            Some("bumpdesk backfill status --follow".into())
        }
        Some(Job::Actions(ActionsTask::Merge { run, .. })) => {
            Some(format!("bumpdesk backfill merge --run {run}"))
        }
        Some(Job::Plan(PlanTask::Add(add))) => match add.edit() {
            // A command finds by itself what else has the version.
            Some((address, edit @ Edit::Remove(..))) => Some(edit.command(address)),
            Some(_) => edits(&add.files),
            None => names(&add.addresses()).map(|names| format!("bumpdesk plan add{names}")),
        },
        Some(Job::Plan(PlanTask::Rebuild { .. })) => Some("bumpdesk plan rebuild".into()),
        // For a command that was run elsewhere, only its label may be known.
        _ => return line_from_label(row).ok_or("the command line of this job is not known"),
    };
    words.ok_or("this job is about too many entries for one command line")
}

/// One command for each entry, since a command edits a single entry.
fn edits(files: &[(Address, Mode)]) -> Option<String> {
    let lines = files.iter().filter_map(|(address, mode)| Some(mode.edit()?.command(address)));
    (files.len() <= run::MOST_NAMED).then(|| lines.collect::<Vec<_>>().join(" && "))
}

fn line_from_label(row: &JobRow<'_>) -> Option<String> {
    match (row.kind, row.what) {
        ("survey", "everything") => Some("bumpdesk survey".into()),
        ("survey" | "plan add", what) if !what.contains(' ') => Some(format!("bumpdesk {} {what}", row.kind)),
        ("plan rebuild", _) => Some("bumpdesk plan rebuild".into()),
        _ => None,
    }
}

fn survey_line(plan: &SurveyPlan) -> Option<String> {
    let scope = match &plan.scope {
        Scope::Everything => String::new(),
        Scope::Addresses(addresses) => names(addresses)?,
        Scope::Prefix(prefix) => format!(" --prefix {}", shell_word(prefix)),
    };
    let depth = if plan.depth == Depth::Sums { " --depth sums" } else { "" };
    let gate = if plan.gate == Gate::Feed { " --gate feed" } else { "" };
    let age = if plan.max_age.is_zero() { " --max-age 0" } else { "" };
    Some(format!("bumpdesk survey{scope}{depth}{gate}{age}"))
}

/// Addresses as words of a command line, each with a blank before it.
fn names(addresses: &[Address]) -> Option<String> {
    let name = |address: &Address| format!(" {}", shell_word(&address.to_string()));
    (addresses.len() <= run::MOST_NAMED).then(|| addresses.iter().map(name).collect())
}

fn again_survey(row: &JobRow<'_>, plan: SurveyPlan, list: &List) -> Result<Job, String> {
    let (scope, max_age) = if row.state == JobState::DoneWithGaps
        && row.counts.is_some_and(|counts| counts.failed > 0)
    {
        let failed = if row.failed.is_empty() { failed_now(&plan.scope, list) } else { row.failed.to_vec() };
        if failed.is_empty() {
            return Err("no entry is UNKNOWN any more".into());
        }
        (Scope::Addresses(failed), Duration::ZERO)
    } else {
        // The results so far are kept and fresh, so this survey continues where it stopped.
        (plan.scope.clone(), MAX_AGE)
    };
    Ok(Job::Survey(SurveyPlan { scope, max_age, ..plan }))
}

/// The entries of a scope that have no verdict, as far as is known now.
fn failed_now(scope: &Scope, list: &List) -> Vec<Address> {
    let rows = list.catalog.rows.iter().zip(&list.verdicts);
    let failed = rows.filter(|(_, verdict)| is_failed(verdict)).map(|(row, _)| &row.address);
    failed.filter(|address| scope.has(address)).cloned().collect()
}
