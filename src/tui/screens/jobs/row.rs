//! The rows: jobs that run, then those that are over, the newest first; each job once.

use jiff::Timestamp;

use crate::jobs::{Job, PastJob, PastState, Progress, Summary};
use crate::registry::Address;
use crate::tui::board::{Running, Told};
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
fn is_same(past: &PastJob, told: &Told, number: Option<i64>) -> bool {
    if let Some(number) = number {
        return past.id == number;
    }
    let apart = past.started_at.as_second() - told.since.as_second();
    past.kind == told.kind && past.what == told.what && apart.abs() <= NEAR_SECONDS
}

/// Whether a job that is over was not cleared away.
pub(super) fn is_shown(jobs: &Jobs, started: Timestamp) -> bool {
    jobs.cleared.is_none_or(|at| started > at)
}

/// All rows.
pub(crate) fn rows(model: &Model) -> Vec<JobRow> {
    let jobs = &model.views.jobs;
    let journal: &[PastJob] = jobs.journal.as_deref().unwrap_or_default();
    let number = |told: &Told, known: Option<i64>| {
        known.or_else(|| journal.iter().find(|past| is_same(past, told, None)).map(|past| past.id))
    };
    let mut running: Vec<JobRow> =
        model.board.told().map(|(job, told)| running(job, told, number(told, job.number))).collect();
    let is_ours = |past: &PastJob| {
        let here = model.board.told().map(|(job, told)| (told, job.number));
        let over = jobs.finished.iter().map(|finished| (&finished.told, finished.number));
        here.chain(over).any(|(told, number)| is_same(past, told, number))
    };
    let mut over: Vec<JobRow> = jobs
        .finished
        .iter()
        .filter(|finished| is_shown(jobs, finished.told.since))
        .map(|finished| over_here(finished, number(&finished.told, finished.number)))
        .collect();
    for past in journal.iter().filter(|past| !is_ours(past)) {
        let row = past_row(past);
        if row.state == State::Running {
            running.push(row);
        } else if is_shown(jobs, past.started_at) {
            over.push(row);
        }
    }
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

fn running(job: &Running, told: &Told, number: Option<i64>) -> JobRow {
    let waits = job.progress.as_ref().and_then(|progress| progress.waiting.clone());
    let state = if waits.is_some() { State::Waiting } else { State::Running };
    let why =
        if job.cancelling { "stopping; what it found is kept".into() } else { waits.unwrap_or_default() };
    JobRow {
        key: RowKey::Here(job.id),
        state,
        number,
        kind: told.kind.to_owned(),
        what: told.what.clone(),
        started: told.since,
        ended: None,
        progress: job.progress.clone(),
        counts: Summary::default(),
        why,
        job: Some(told.job.clone()),
        failed: Vec::new(),
    }
}

fn over_here(finished: &Finished, number: Option<i64>) -> JobRow {
    JobRow {
        key: RowKey::Here(finished.id),
        state: finished.state,
        number,
        kind: finished.told.kind.to_owned(),
        what: finished.told.what.clone(),
        started: finished.told.since,
        ended: Some(finished.ended),
        progress: None,
        counts: finished.counts.clone(),
        why: finished.why.clone(),
        job: Some(finished.job().clone()),
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
