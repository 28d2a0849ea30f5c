//! What Jobs holds: the jobs of this run that are over, the journal, the cursor, and the log as it was read last.

use std::sync::Arc;

use jiff::Timestamp;

use crate::desk::board::Running;
use crate::jobs::{Failure, Job, JobId, LogLine, Outcome, PastJob, Summary};
use crate::registry::Address;
use crate::tui::model::Model;
use crate::tui::screens::jobs::row::{State, is_shown, selected};
use crate::tui::widgets::search::Search;

/// Jobs of this run that are remembered.
const MOST: usize = 200;

/// A job of this run that is over.
#[derive(Clone, Debug)]
pub(crate) struct Finished {
    pub(crate) id: JobId,
    /// As it was asked.
    pub(crate) job: Job,
    pub(crate) kind: &'static str,
    pub(crate) what: String,
    pub(crate) since: Timestamp,
    /// In the journal, if it has a line there.
    pub(crate) number: Option<i64>,
    pub(crate) state: State,
    pub(crate) ended: Timestamp,
    pub(crate) counts: Summary,
    /// Why it failed, and the remedy.
    pub(crate) why: String,
    /// Entries that could not be judged.
    pub(crate) failed: Vec<Address>,
}

impl Finished {
    /// Nothing of a job of which the journal does not tell.
    pub(crate) fn new(job: &Running, outcome: &Outcome, now: Timestamp) -> Option<Self> {
        let (kind, what) = job.job.told()?;
        let (state, counts, why) = match outcome {
            Outcome::Done(summary) => (State::of_done(summary), summary.clone(), String::new()),
            Outcome::Cancelled(summary) => (State::Canceled, summary.clone(), String::new()),
            Outcome::Failed(failure) => (State::Failed, Summary::default(), why(failure)),
        };
        Some(Self {
            id: job.id,
            job: job.job.clone(),
            kind,
            what,
            since: job.since,
            number: job.number,
            state,
            ended: now,
            counts,
            why,
            failed: job.failed.clone(),
        })
    }
}

fn why(failure: &Failure) -> String {
    let hint = failure.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
    format!("{}: {}{hint}", failure.doing, failure.causes.join(": "))
}

/// Which row is meant: a job of this run, or one of the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowKey {
    Here(JobId),
    Past(i64),
}

/// The view's state.
#[derive(Debug, Default)]
pub(crate) struct Jobs {
    /// `None` until it was read.
    pub(crate) journal: Option<Vec<PastJob>>,
    pub(crate) read_at: Option<Timestamp>,
    /// The newest last.
    pub(crate) finished: Vec<Finished>,
    /// Jobs that were over then are hidden.
    pub(crate) cleared: Option<Timestamp>,
    pub(crate) at: Option<RowKey>,
    pub(crate) top: usize,
    /// Keys move in the log.
    pub(crate) in_log: bool,
    pub(crate) log: Arc<Vec<LogLine>>,
    /// Lines of the log below the window; 0 follows its end.
    pub(crate) back: usize,
    pub(crate) only_errors: bool,
    pub(crate) wrap: bool,
    pub(crate) left: usize,
    pub(crate) search: Search,
    /// The hit that was shown last.
    pub(crate) search_at: Option<u32>,
}

impl Jobs {
    pub(crate) fn keep(&mut self, finished: Finished) {
        if self.finished.len() == MOST {
            self.finished.remove(0);
        }
        self.finished.push(finished);
    }

    pub(crate) fn take_log(&mut self, lines: Arc<Vec<LogLine>>) {
        // Who looked back stays where the lines are.
        if self.back > 0 {
            self.back += lines.len().saturating_sub(self.log.len());
        }
        self.log = lines;
    }

    /// Whether a job that is over has a row.
    pub(crate) fn has_done(&self) -> bool {
        let journal = self.journal.iter().flatten();
        let mut started = self.finished.iter().map(|job| job.since).chain(journal.map(|job| job.started_at));
        started.any(|at| is_shown(self, at))
    }
}

/// The job under the cursor, if it runs here.
pub(crate) fn running_here(model: &Model) -> Option<&Running> {
    let key = selected(model)?.key;
    model.board.journalled().find(|job| key == RowKey::Here(job.id))
}
