//! `jobs` and `log`: what was done, in this and earlier runs.

use crate::cli::args::plan::{JobsArgs, LogArgs};
use crate::cli::wire;
use crate::jobs::{Job, JobEvent, LogQuery};
use crate::print::exit::Exit;
use crate::print::runner::Runner;
use crate::print::text;

/// `bumpdesk jobs`.
pub(crate) async fn jobs(runner: &mut Runner<'_>, args: &JobsArgs) -> Exit {
    let now = runner.settings.clock.now();
    let outcome = runner
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
    runner.finish(outcome, false, &())
}

/// `bumpdesk log`.
pub(crate) async fn log(runner: &mut Runner<'_>, args: &LogArgs) -> Exit {
    let query = LogQuery { since: args.since, errors: args.errors, most: args.last };
    let outcome = runner
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
    runner.finish(outcome, false, &())
}
