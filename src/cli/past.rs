//! `jobs` and `log`: what was done, in this and earlier runs.

use crate::cli::args::plan::{JobsArgs, LogArgs};
use crate::cli::desk::Desk;
use crate::cli::exit::Exit;
use crate::cli::{text, wire};
use crate::jobs::{Job, JobEvent, LogQuery};

/// `bumpdesk jobs`.
pub(crate) async fn jobs(desk: &mut Desk<'_>, args: &JobsArgs) -> Exit {
    let now = desk.settings.clock.now();
    let outcome = desk
        .run(Job::ListJobs { most: args.last }, &mut |output, event| {
            let JobEvent::PastJobs(jobs) = event else { return };
            if output.json {
                for job in &jobs {
                    output.object("job", &wire::JobLine::new(job));
                }
            } else if jobs.is_empty() {
                output.talk("bumpdesk: no job was started yet; `bumpdesk survey` is the usual first one");
            } else {
                output.lines(&text::past_jobs(&output.ui.clone(), &jobs, now));
            }
        })
        .await;
    desk.finish(outcome, false, &())
}

/// `bumpdesk log`.
pub(crate) async fn log(desk: &mut Desk<'_>, args: &LogArgs) -> Exit {
    let query = LogQuery { since: args.since, errors: args.errors, most: args.last };
    let outcome = desk
        .run(Job::ReadLog(query), &mut |output, event| {
            let JobEvent::LogRead(lines) = event else { return };
            for line in lines.iter() {
                if output.json {
                    output.object("log", &wire::LogEntry::new(line));
                } else {
                    output.line(&text::log_line(line));
                }
            }
        })
        .await;
    desk.finish(outcome, false, &())
}
