//! `backfill workflow|dispatch|status|rerun`: backfills on GitHub's machines.

use std::sync::Arc;

use clap::Args;
use jiff::Timestamp;
use serde::Serialize;

use crate::cli::backfill::selection::SelectionArgs;
use crate::cli::pr;
use crate::desk::intent::Intent;
use crate::desk::machines::JobLog;
use crate::desk::telling::machines::{log_lines, log_title, next};
use crate::jobs::data::{
    ActionsNews, ActionsTask, Failure, FailureKind, Job, JobEvent, Outcome, RunShown, SendTask,
};
use crate::print::exit::Exit;
use crate::print::output::{Line, Output};
use crate::print::runner::Runner;
use crate::print::text;
use crate::rules::actions::{PATH, RunState, Source, workflow};
use crate::rules::sending::{ActionsPlan, Purpose};

#[derive(Debug, Args)]
pub(crate) struct WorkflowArgs {
    /// Where the machines get bumpdesk from: the address of its git repository.
    #[arg(long, value_name = "URL")]
    git: String,
    /// Which commit of it: all forty digits.
    #[arg(long, value_name = "COMMIT")]
    rev: String,
}

impl WorkflowArgs {
    pub(super) fn print(&self, runner: &mut Runner<'_>) -> Result<Exit, Exit> {
        let source = Source::new(&self.git, &self.rev).map_err(|why| {
            runner.fail(Failure::new(FailureKind::Usage, "printing the workflow").cause(why).hint(
                "Name a repository and one whole commit of it: `--git https://HOST/PATH --rev COMMIT`.",
            ))
        })?;
        runner.output.exact(&workflow(&source));
        runner.output.note(&format!(
            "bumpdesk: next: keep it as {PATH}, and open a pull request of it by hand; from the default branch it can be dispatched"
        ));
        Ok(runner.done())
    }
}

/// Looks at what would be sent, or sends it.
#[derive(Debug, Args)]
#[group(id = "how", required = true, multiple = false)]
pub(crate) struct HowArgs {
    /// Show the gates and what would be sent, and send nothing.
    #[arg(long, group = "how")]
    dry_run: bool,
    /// Send it: the six digits of the sending, as --dry-run prints them. Needs --write.
    #[arg(long, group = "how", value_name = "DIGITS")]
    confirm: Option<String>,
}

impl HowArgs {
    fn intent(&self, plan: ActionsPlan) -> Intent {
        match &self.confirm {
            None => Intent::prepare(plan),
            Some(digits) => {
                Intent::Send(SendTask::Open { asked: Purpose::Actions(plan), digits: digits.clone() })
            }
        }
    }

    async fn follow(&self, runner: &mut Runner<'_>, intent: &Intent) -> Result<Exit, Exit> {
        match intent {
            Intent::Send(_) => pr::send(runner, intent, false).await,
            _ => pr::look(runner, intent, None, false).await,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct DispatchArgs {
    #[command(flatten)]
    selection: SelectionArgs,
    /// Share it out over so many machines.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    shards: u16,
    #[command(flatten)]
    how: HowArgs,
}

impl DispatchArgs {
    pub(super) async fn run(&self, runner: &mut Runner<'_>) -> Result<Exit, Exit> {
        let selection = self.selection.read(runner).await?;
        let plan = ActionsPlan::Dispatch { selection, shares: usize::from(self.shards) };
        self.how.follow(runner, &self.how.intent(plan)).await
    }
}

#[derive(Debug, Args)]
pub(crate) struct RerunArgs {
    /// The number of the run, as `backfill status` says it.
    #[arg(value_name = "RUN")]
    run: u64,
    #[command(flatten)]
    how: HowArgs,
}

impl RerunArgs {
    pub(crate) fn intent(&self) -> Intent {
        self.how.intent(ActionsPlan::Rerun { run: self.run })
    }

    pub(super) async fn run(&self, runner: &mut Runner<'_>) -> Result<Exit, Exit> {
        self.how.follow(runner, &self.intent()).await
    }
}

#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// Which run; the newest one where none is named.
    #[arg(long, value_name = "RUN")]
    run: Option<u64>,
    /// Look again until it is over.
    #[arg(long)]
    follow: bool,
    /// Show the last lines of the log of each job that failed, so many of them.
    #[arg(long, value_name = "N", default_value_t = 0)]
    log: usize,
    /// Exit 1 if it ended badly.
    #[arg(long)]
    check: bool,
}

impl StatusArgs {
    pub(super) async fn run(&self, runner: &mut Runner<'_>) -> Result<Exit, Exit> {
        let task = ActionsTask::Look { run: self.run, follow: self.follow, log_lines: self.log };
        let mut last = None;
        let outcome = runner
            .run(Job::Actions(task), &mut |output, event| match event {
                JobEvent::Actions(ActionsNews::Run(shown)) => {
                    tell(output, &shown);
                    last = Some(shown);
                }
                JobEvent::Actions(ActionsNews::Log { job, name, lines, left_out }) => {
                    tell_log(output, &JobLog { job, name, lines, left_out });
                }
                _ => {}
            })
            .await;
        if let (Some(next), false, Ok(Outcome::Done(_))) =
            (last.as_deref().and_then(next), runner.output.json, &outcome)
        {
            runner.output.flush();
            let text = next.text_with(|step| step.command_line().map(|line| format!("`{line}`")));
            runner.output.note(&format!("bumpdesk: next: {text}"));
        }
        let found = self.check && matches!(&outcome, Ok(Outcome::Done(summary)) if summary.findings > 0);
        Ok(runner.finish(outcome, found, &()))
    }
}

/// One run with its jobs.
pub(super) fn tell(output: &mut Output<'_>, shown: &Arc<RunShown>) {
    if output.json {
        output.object("run", &RunObject::new(shown));
        return;
    }
    let lines = text::run(&output.ui.clone(), shown);
    output.lines(&lines);
}

fn tell_log(output: &mut Output<'_>, log: &JobLog) {
    if output.json {
        let JobLog { job, name, lines, left_out } = log;
        output.object("job-log", &LogObject { job: *job, name, lines, left_out: *left_out });
        return;
    }
    let head = std::iter::once(Line::of(format!("{}:", log_title(log))));
    let lines = log_lines(log).into_iter().map(|line| Line::of(format!("  {line}")));
    output.lines(&head.chain(lines).collect::<Vec<_>>());
}

/// Type `run`.
#[derive(Serialize)]
struct RunObject<'a> {
    id: u64,
    attempt: u32,
    title: &'a str,
    /// The digest of the backfill's plan; null for what bumpdesk did not start.
    plan: Option<&'a str>,
    state: &'a RunState,
    url: &'a str,
    actor: &'a str,
    created: Timestamp,
    updated: Timestamp,
    jobs: Vec<JobObject<'a>>,
    artifacts: Vec<ArtifactObject<'a>>,
}

#[derive(Serialize)]
struct JobObject<'a> {
    id: u64,
    name: &'a str,
    attempt: u32,
    state: &'a RunState,
    started: Option<Timestamp>,
    ended: Option<Timestamp>,
}

#[derive(Serialize)]
struct ArtifactObject<'a> {
    name: &'a str,
    size_bytes: u64,
    expired: bool,
}

/// Type `job-log`.
#[derive(Serialize)]
struct LogObject<'a> {
    job: u64,
    name: &'a str,
    lines: &'a [String],
    /// Lines above them that are left out.
    left_out: usize,
}

impl<'a> RunObject<'a> {
    fn new(shown: &'a RunShown) -> Self {
        let run = &shown.run;
        let jobs = shown.jobs.iter().map(|job| JobObject {
            id: job.id,
            name: &job.name,
            attempt: job.attempt,
            state: &job.state,
            started: job.started,
            ended: job.ended,
        });
        let artifacts = shown.artifacts.iter().map(|one| ArtifactObject {
            name: &one.name,
            size_bytes: one.size_bytes,
            expired: one.is_expired,
        });
        Self {
            id: run.id,
            attempt: run.attempt,
            title: &run.title,
            plan: run.dispatched().map(|named| named.plan),
            state: &run.state,
            url: &run.url,
            actor: &run.actor,
            created: run.created,
            updated: run.updated,
            jobs: jobs.collect(),
            artifacts: artifacts.collect(),
        }
    }
}
