//! The rows: jobs that run, then those that are over, the newest first; each job once.

use jiff::Timestamp;

use crate::desk::board::Running;
use crate::jobs::{Job, PastJob, PastState, Progress, Summary};
use crate::registry::Address;
use crate::tui::model::Model;
use crate::tui::screens::jobs::state::{Finished, Jobs, RowKey};
use crate::tui::theme::Role;

/// How a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Nothing moves; the reason stands in its progress.
    Waiting,
    Running,
    Done,
    /// Over, but some entries could not be looked at in full: not failed, and not fine either.
    DoneWithGaps,
    Failed,
    Canceled,
    /// Its process ended before it did.
    CutOff,
}

impl State {
    /// Done, with or without gaps.
    pub(crate) fn of_done(counts: &Summary) -> Self {
        if counts.gaps() > 0 { Self::DoneWithGaps } else { Self::Done }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Waiting => "WAITING",
            Self::Running => "RUNNING",
            Self::Done => "DONE",
            Self::DoneWithGaps => "DONE, GAPS",
            Self::Failed => "FAILED",
            Self::Canceled => "CANCELED",
            Self::CutOff => "CUT OFF",
        }
    }

    pub(crate) fn sign(self) -> (&'static str, Role) {
        match self {
            Self::Waiting => ("-", Role::Waits),
            Self::Running => ("~", Role::Late),
            Self::Done => ("v", Role::Fine),
            Self::DoneWithGaps => ("?", Role::Warning),
            Self::Failed => ("X", Role::Error),
            Self::Canceled => ("x", Role::Dim),
            Self::CutOff => ("!", Role::Warning),
        }
    }
}

/// One row.
#[derive(Clone, Debug)]
pub(crate) struct JobRow {
    pub(crate) key: RowKey,
    pub(crate) state: State,
    /// Its number in the journal, once that is known.
    pub(crate) number: Option<i64>,
    pub(crate) kind: String,
    pub(crate) what: String,
    pub(crate) started: Timestamp,
    pub(crate) ended: Option<Timestamp>,
    pub(crate) progress: Option<Progress>,
    pub(crate) counts: Summary,
    /// Why it failed, where it runs, that it stops.
    pub(crate) why: String,
    /// What was asked, for a job of this run.
    pub(crate) job: Option<Job>,
    pub(crate) failed: Vec<Address>,
}

/// Seconds by which the journal and we may disagree about a beginning.
const NEAR_SECONDS: i64 = 10;

/// Whether a job of the journal is one of ours. Its number tells; before it is known, what it is and when it began.
fn is_same(past: &PastJob, ours: &JobRow) -> bool {
    if let Some(number) = ours.number {
        return past.id == number;
    }
    let apart = past.started_at.as_second() - ours.started.as_second();
    past.kind == ours.kind && past.what == ours.what && apart.abs() <= NEAR_SECONDS
}

/// Whether a job that is over was not cleared away.
pub(super) fn is_shown(jobs: &Jobs, started: Timestamp) -> bool {
    jobs.cleared.is_none_or(|at| started > at)
}

/// All rows.
pub(crate) fn rows(model: &Model) -> Vec<JobRow> {
    let jobs = &model.views.jobs;
    let journal: &[PastJob] = jobs.journal.as_deref().unwrap_or_default();
    let mut running: Vec<JobRow> = model.board.journalled().filter_map(running).collect();
    let mut over: Vec<JobRow> = jobs.finished.iter().map(over_here).collect();
    let is_ours = |past: &&PastJob| !running.iter().chain(&over).any(|ours| is_same(past, ours));
    let others: Vec<JobRow> = journal.iter().filter(is_ours).map(past_row).collect();
    for ours in running.iter_mut().chain(&mut over) {
        ours.number =
            ours.number.or_else(|| journal.iter().find(|past| is_same(past, ours)).map(|past| past.id));
    }
    for row in others {
        if row.state == State::Running { running.push(row) } else { over.push(row) }
    }
    over.retain(|row| is_shown(jobs, row.started));
    over.sort_by_key(|row| std::cmp::Reverse((row.started, row.number)));
    running.append(&mut over);
    running
}

/// The row under the cursor; the first one until it was moved.
pub(crate) fn selected(model: &Model) -> Option<JobRow> {
    let mut rows = rows(model);
    let at = place(model, &rows);
    (at < rows.len()).then(|| rows.swap_remove(at))
}

/// The place of the cursor among the rows.
pub(super) fn place(model: &Model, rows: &[JobRow]) -> usize {
    let at = model.views.jobs.at;
    at.and_then(|key| rows.iter().position(|row| row.key == key)).unwrap_or(0)
}

fn running(running: &Running) -> Option<JobRow> {
    let (kind, what) = running.job.told()?;
    let waits = running.progress.as_ref().and_then(|progress| progress.waiting.clone());
    let state = if waits.is_some() { State::Waiting } else { State::Running };
    let why =
        if running.cancelling { "stopping; what it found is kept".into() } else { waits.unwrap_or_default() };
    Some(JobRow {
        key: RowKey::Here(running.id),
        state,
        number: running.number,
        kind: kind.to_owned(),
        what,
        started: running.since,
        ended: None,
        progress: running.progress.clone(),
        counts: Summary::default(),
        why,
        job: Some(running.job.clone()),
        failed: Vec::new(),
    })
}

fn over_here(finished: &Finished) -> JobRow {
    JobRow {
        key: RowKey::Here(finished.id),
        state: finished.state,
        number: finished.number,
        kind: finished.kind.to_owned(),
        what: finished.what.clone(),
        started: finished.since,
        ended: Some(finished.ended),
        progress: None,
        counts: finished.counts.clone(),
        why: finished.why.clone(),
        job: Some(finished.job.clone()),
        failed: finished.failed.clone(),
    }
}

fn past_row(past: &PastJob) -> JobRow {
    let (state, why) = match &past.state {
        PastState::Running => (State::Running, "in another bumpdesk".to_owned()),
        PastState::Done => (State::of_done(&past.counts), String::new()),
        PastState::Cancelled => (State::Canceled, String::new()),
        PastState::Failed(why) => (State::Failed, why.clone()),
        PastState::CutOff => (State::CutOff, "its program ended before it did".to_owned()),
    };
    JobRow {
        key: RowKey::Past(past.id),
        state,
        number: Some(past.id),
        kind: past.kind.clone(),
        what: past.what.clone(),
        started: past.started_at,
        ended: past.ended_at,
        progress: None,
        counts: past.counts.clone(),
        why,
        job: None,
        failed: Vec::new(),
    }
}
