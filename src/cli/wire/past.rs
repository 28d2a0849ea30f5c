//! What was done: types `job` and `log`.

use serde::Serialize;

use crate::jobs::{LogLine, PastJob, PastState};

/// One job of the journal, type `job`.
#[derive(Serialize)]
pub(crate) struct JobLine<'a> {
    id: i64,
    kind: &'a str,
    what: &'a str,
    state: &'static str,
    /// Why it failed.
    why: Option<&'a str>,
    started_at: String,
    ended_at: Option<String>,
    entries: u64,
    failed: u64,
    applied: u64,
    requests: u64,
}

/// One line of the log, type `log`.
#[derive(Serialize)]
pub(crate) struct LogEntry<'a> {
    at: Option<String>,
    level: &'static str,
    /// The number of the job that said it.
    job: Option<i64>,
    topic: &'a str,
    trouble: bool,
    text: &'a str,
}

impl<'a> JobLine<'a> {
    pub(crate) fn new(job: &'a PastJob) -> Self {
        Self {
            id: job.id,
            kind: &job.kind,
            what: &job.what,
            state: job.state.name(),
            why: match &job.state {
                PastState::Failed(why) => Some(why),
                _ => None,
            },
            started_at: job.started_at.to_string(),
            ended_at: job.ended_at.map(|at| at.to_string()),
            entries: job.counts.entries,
            failed: job.counts.failed,
            applied: job.counts.applied,
            requests: job.counts.requests,
        }
    }
}

impl<'a> LogEntry<'a> {
    pub(crate) fn new(line: &'a LogLine) -> Self {
        Self {
            at: line.at.map(|at| at.to_string()),
            level: line.level.name(),
            job: line.job,
            topic: &line.topic,
            trouble: line.is_trouble,
            text: &line.text,
        }
    }
}
