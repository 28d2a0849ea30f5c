//! `jobs`: the last jobs of a registry, including those of earlier runs.

use clap::Args;
use jiff::Timestamp;
use serde::Serialize;

use crate::cli::Run;
use crate::cli::console::Console;
use crate::jobs::data::{Job, JobEvent, PastJob, PastState};
use crate::print::exit::Exit;
use crate::print::runner::Runner;
use crate::print::text;

/// List the last jobs of this registry, those of earlier runs included.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  bumpdesk jobs --json\n  bumpdesk jobs --all --last 200")]
pub(crate) struct JobsArgs {
    /// List at most this many jobs, the latest ones.
    #[arg(long, value_name = "N", default_value_t = 50)]
    last: usize,
    /// List the jobs of all registries, and jobs whose registry was not noted.
    #[arg(long)]
    all: bool,
}

impl Run for JobsArgs {
    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        let now = runner.settings.clock.now();
        let list = Job::ListJobs { most: self.last, everywhere: self.all };
        let outcome = runner
            .run(list, &mut |output, event| {
                let JobEvent::PastJobs(jobs) = event else { return };
                if output.json {
                    for job in &jobs {
                        output.object("job", &JobObject::new(job));
                    }
                } else if jobs.is_empty() {
                    output.note(
                        "bumpdesk: no job has been started yet; `bumpdesk survey` is the usual first one",
                    );
                } else {
                    output.lines(&text::jobs(&output.ui.clone(), &jobs, now, self.all));
                }
            })
            .await;
        Ok(runner.finish(outcome, false, &()))
    }
}

/// Type `job`.
#[derive(Serialize)]
struct JobObject<'a> {
    id: i64,
    kind: &'a str,
    what: &'a str,
    /// The folder of the job's registry; null if it was not recorded.
    registry: Option<&'a str>,
    state: &'static str,
    /// The number of items that could not be looked at in full; a job that is done with any is `DONE, GAPS` in text.
    gaps: u64,
    /// Why it failed.
    why: Option<&'a str>,
    started_at: Timestamp,
    ended_at: Option<Timestamp>,
    entries: u64,
    failed: u64,
    unreached: u64,
    tag_unread: u64,
    broken: u64,
    applied: u64,
    requests: u64,
}

impl<'a> JobObject<'a> {
    fn new(job: &'a PastJob) -> Self {
        Self {
            id: job.id,
            kind: &job.kind,
            what: &job.what,
            registry: job.registry.as_deref(),
            state: job.state.name(),
            gaps: job.counts.gaps(),
            why: match &job.state {
                PastState::Failed(why) => Some(why),
                _ => None,
            },
            started_at: job.started_at,
            ended_at: job.ended_at,
            entries: job.counts.entries,
            failed: job.counts.failed,
            unreached: job.counts.unreached,
            tag_unread: job.counts.tag_unread,
            broken: job.counts.broken,
            applied: job.counts.applied,
            requests: job.counts.requests,
        }
    }
}
