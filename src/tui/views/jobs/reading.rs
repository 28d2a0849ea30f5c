//! Reads the journal and the log: when Jobs is shown and, while a job runs there, at most once a second.

use std::time::Duration;

use crate::desk::machines::JobLog;
use crate::desk::telling::machines::{log_lines, log_title};
use crate::jobs::data::{Job, LogQuery};
use crate::tui::views::jobs::state::Jobs;
use crate::tui::views::{ActionContext, ViewRequest};
use crate::tui::widgets::card::TextCard;

/// The largest number of earlier jobs that are read.
const MOST_JOBS: usize = 200;
/// The largest number of log lines that are read.
const MOST_LINES: usize = 1_000;
const FOLLOW: Duration = Duration::from_secs(1);

/// Reads the journal and the log, unless a reading is under way.
pub(super) fn read(jobs: &mut Jobs, context: &mut ActionContext<'_>) {
    jobs.read_at = Some(context.uptime);
    let query =
        LogQuery { since: None, errors: false, most: MOST_LINES, requests_apart: true, everywhere: false };
    for job in [Job::ListJobs { most: MOST_JOBS, everywhere: false }, Job::ReadLog(query)] {
        context.request(ViewRequest::Start(job));
    }
}

/// Reads the journal and the log again while a job continues, if Jobs is visible.
pub(super) fn follow(jobs: &mut Jobs, context: &mut ActionContext<'_>) {
    let is_due = jobs.read_at.is_none_or(|at| context.uptime.saturating_sub(at) >= FOLLOW);
    if context.is_seen && is_due {
        read(jobs, context);
    }
}

/// Takes the log of a job on GitHub's machines; it is shown if the maintainer waits for it.
pub(super) fn show_log(context: &mut ActionContext<'_>, log: &JobLog, is_asked: bool) {
    if is_asked && context.is_seen && !context.is_covered {
        context.request(ViewRequest::Text(TextCard::new(log_title(log), log_lines(log))));
    }
}
