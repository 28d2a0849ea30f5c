//! `backfill`: h1 and size of indexed targets that lack them; planned, run, shared out over machines, and put together.

mod machines;
mod objects;
mod selection;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::cli::Run;
use crate::cli::backfill::objects::{EndObject, EstimateObject};
use crate::cli::backfill::selection::SelectionArgs;
use crate::cli::console::Console;
use crate::cli::values::{bundle, digest, length, share, size, workers};
use crate::desk::filling::{limit_options, line};
use crate::desk::machines::SAMPLE;
use crate::desk::objects::FillObject;
use crate::desk::telling::backfill::{estimated, kept, nothing, planned, reason, sign, steps, tallied};
use crate::desk::telling::markdown;
use crate::jobs::data::{
    ActionsNews, ActionsTask, BackfillLimits, BackfillMerge, BackfillNews, BackfillOutput, BackfillPart,
    BackfillRun, BackfillTask, Bundle, Estimated, Job, JobEvent, Outcome, WORKERS,
};
use crate::print::exit::Exit;
use crate::print::output::{Line, Output};
use crate::print::runner::Runner;
use crate::print::text;
use crate::rules::amount::bytes;
use crate::rules::backfill::{Row, State, Tally, states};
use crate::rules::plain_text::shell_word;
use crate::rules::sending::arguments;

/// Fill in h1 and size of indexed targets that lack them: plan, run, or share out over machines.
#[derive(Debug, Args)]
#[command(
    after_long_help = "Examples:\n  bumpdesk backfill plan hashicorp/aws\n  bumpdesk backfill run hashicorp/aws\n  \
    bumpdesk backfill plan --filter 'ns:hashicorp' --shards 4\n\n\
    Each archive is downloaded and its SHA-256 compared with the stored one before anything is taken from it; of a version with an \
    archive that is another one by now nothing is filled in. Nothing is written to the registry: what was found goes into the plan, or \
    into patches."
)]
pub(crate) struct BackfillArgs {
    #[command(subcommand)]
    pub(super) action: BackfillAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BackfillAction {
    /// Say what a backfill would cost, without any network: targets, bytes, time, and what of it is guessed.
    #[command(after_long_help = "Examples:\n  bumpdesk backfill plan hashicorp/aws@'>= 5.0.0'\n  \
        bumpdesk backfill plan --all --json\n  bumpdesk backfill plan --filter ns:hashicorp --shards 4\n\n\
        With --shards it prints one command for each machine. A plan is of one commit, and its digest tells it from every other.")]
    Plan {
        #[command(flatten)]
        selection: SelectionArgs,
        #[command(flatten)]
        limits: LimitArgs,
        /// Cut it into so many shares of about the same size.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
        shards: Option<u16>,
    },
    /// Download, hash, and put what was found into the plan or into patches. The same command continues where it stopped.
    #[command(after_long_help = "Examples:\n  bumpdesk backfill run acme/rocket@1.0.0\n  \
        bumpdesk backfill run --filter ns:hashicorp --max-bytes 50GB --max-time 1h\n  \
        bumpdesk backfill run acme/rocket --out ./patches --bundle letter\n\n\
        After a kill, Ctrl-C or a limit the same command downloads no finished target again. It exits 5 if something is left or could not be \
        read; with --check it exits 1 if a target cannot be filled in.")]
    Run {
        #[command(flatten)]
        selection: SelectionArgs,
        #[command(flatten)]
        limits: LimitArgs,
        #[command(flatten)]
        output: OutputArgs,
        /// Download and hash, keep what was found for the next run, and make nothing of it.
        #[arg(long, conflicts_with = "out")]
        dry_run: bool,
        /// Show each target, those that were filled in too. JSON always does.
        #[arg(long)]
        each: bool,
        /// As Markdown, for an issue or a comment: what was not filled in, with its checksums.
        #[arg(long, conflicts_with = "each")]
        markdown: bool,
        /// Exit 1 if a target cannot be filled in.
        #[arg(long)]
        check: bool,
    },
    /// Do the share of one machine, and write it into a file. Refused where the plan made here is another one.
    #[command(
        after_long_help = "Example:\n  bumpdesk backfill shard 2/4 --plan 5f0c… --filter ns:hashicorp --out shard-2.jsonl\n\n\
        `bumpdesk backfill plan --shards N` prints the whole command for each machine. The same command continues with its file."
    )]
    Shard {
        /// Which share of how many, such as 2/4.
        #[arg(value_name = "K/N", value_parser = share)]
        share: (usize, usize),
        /// The digest of the plan, whole, as `backfill plan` prints it.
        #[arg(long, value_name = "DIGEST", value_parser = digest)]
        plan: String,
        #[command(flatten)]
        selection: SelectionArgs,
        #[command(flatten)]
        limits: LimitArgs,
        /// The file for its results.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Print the workflow with which GitHub's machines do the shares, for `.github/workflows/backfill.yml`.
    #[command(
        after_long_help = "Example:\n  bumpdesk backfill workflow --git URL --rev COMMIT > .github/workflows/backfill.yml\n\n\
        It is started by hand alone, may only read, and has every action and bumpdesk itself pinned by a commit. bumpdesk sends no such \
        file: open its pull request by hand."
    )]
    Workflow(machines::WorkflowArgs),
    /// Start a backfill on GitHub's machines. Nothing is sent without --confirm.
    #[command(
        after_long_help = "Examples:\n  bumpdesk backfill dispatch acme/rocket --shards 4 --dry-run\n  \
        bumpdesk backfill dispatch acme/rocket --shards 4 --confirm 4f21c0 --write\n\n\
        --dry-run shows the gates and the request, and names it; with --confirm and its digits the plan is made once more, and the run \
        started if it is the same and no gate fails. It exits 4 if one does. What was cut off is asked about and never started twice: \
        `bumpdesk pr resume` continues it."
    )]
    Dispatch(machines::DispatchArgs),
    /// Show how a run on GitHub's machines stands: its jobs, what failed and why.
    #[command(
        after_long_help = "Examples:\n  bumpdesk backfill status\n  bumpdesk backfill status --follow\n  \
        bumpdesk backfill status --run 4711 --log 20 --json"
    )]
    Status(machines::StatusArgs),
    /// Run once more what failed of a run. Nothing is sent without --confirm.
    #[command(
        after_long_help = "Examples:\n  bumpdesk backfill rerun 4711 --dry-run\n  bumpdesk backfill rerun 4711 --confirm 4f21c0 --write"
    )]
    Rerun(machines::RerunArgs),
    /// Put the shares of all machines together, checked against each other, the plan and the registry.
    #[command(
        after_long_help = "Example:\n  bumpdesk backfill merge shard-*.jsonl --plan 5f0c… --sample 20\n\n\
        A share that is cut off, of another plan, there twice, or missing is named, and nothing is written. An h1 of the right form that is \
        not that of its archive cannot be seen without the archive: some are downloaded again, drawn by lot, and compared. Each \
        archive that a share calls drifted, gone or too large is read again."
    )]
    Merge {
        /// The files of all shares.
        #[arg(value_name = "FILE", required_unless_present = "run")]
        files: Vec<PathBuf>,
        /// Fetch them from this run on GitHub's machines.
        #[arg(long, value_name = "RUN", conflicts_with_all = ["files", "plan"])]
        run: Option<u64>,
        /// The digest of the plan that was shared out; without it the files are held against each other alone.
        #[arg(long, value_name = "DIGEST", value_parser = digest)]
        plan: Option<String>,
        /// Download so many archives again, drawn by lot and of each share at least one, and compare; with 0 every h1 is believed.
        #[arg(long, value_name = "N", default_value_t = SAMPLE)]
        sample: usize,
        #[command(flatten)]
        output: OutputArgs,
    },
}

#[derive(Debug, Args)]
pub(crate) struct LimitArgs {
    /// Stop after so many bytes of downloads.
    #[arg(long, value_name = "SIZE", default_value = "200GB", value_parser = size)]
    max_bytes: u64,
    /// Stop after so long.
    #[arg(long, value_name = "LENGTH", default_value = "4h", value_parser = length)]
    max_time: Duration,
    /// Downloads at once; fewer after a host asked to slow down.
    #[arg(long, value_name = "N", default_value_t = WORKERS, value_parser = workers)]
    jobs: usize,
}

impl LimitArgs {
    fn limits(&self) -> BackfillLimits {
        BackfillLimits {
            bytes: self.max_bytes,
            time: self.max_time,
            workers: self.jobs,
            ..BackfillLimits::default()
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// Write patches into this folder, for `git am`, and leave the plan as it is.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// What goes into one patch: `provider`, `letter`, or a number of files.
    #[arg(long, value_name = "WHAT", default_value = "provider", value_parser = bundle, requires = "out")]
    bundle: Bundle,
}

impl OutputArgs {
    fn output(&self) -> BackfillOutput {
        match &self.out {
            Some(folder) => BackfillOutput::Patches { folder: folder.clone(), bundle: self.bundle },
            None => BackfillOutput::Plan,
        }
    }
}

impl Run for BackfillArgs {
    fn asks_upstream(&self) -> bool {
        // The others download what anybody may.
        matches!(
            self.action,
            BackfillAction::Dispatch(_)
                | BackfillAction::Status(_)
                | BackfillAction::Rerun(_)
                | BackfillAction::Merge { run: Some(_), .. }
        )
    }

    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        match &self.action {
            BackfillAction::Plan { selection, limits, shards } => {
                let limits = limits.limits();
                let shards = usize::from(shards.unwrap_or(1));
                let selection = selection.read(runner).await?;
                // What a filter or marks come to here, they may not come to on another machine.
                let words =
                    arguments(&selection).iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ");
                let task = BackfillTask::Estimate { selection, workers: limits.workers, shards };
                let mut found = None;
                let outcome = runner
                    .run(Job::Backfill(task), &mut |_, event| {
                        if let JobEvent::Backfill(BackfillNews::Estimated(estimated)) = event {
                            found = Some(estimated);
                        }
                    })
                    .await;
                if let Some(found) = found {
                    tell_estimate(&mut runner.output, &found, &limits, (&words, shards));
                }
                Ok(runner.finish(outcome, false, &()))
            }
            BackfillAction::Run { selection, limits, output, dry_run, each, markdown, check } => {
                let output = if *dry_run { BackfillOutput::Nothing } else { output.output() };
                let run = BackfillRun {
                    selection: selection.read(runner).await?,
                    limits: limits.limits(),
                    part: BackfillPart::Whole(output),
                };
                let markdown = markdown.then(|| run.selection.summary());
                let telling = Telling { each: *each, check: *check, markdown };
                follow(runner, Job::Backfill(BackfillTask::Run(run)), telling).await
            }
            BackfillAction::Shard { share: (number, of), plan, selection, limits, out } => {
                let part =
                    BackfillPart::Shard { number: *number, of: *of, plan: plan.clone(), out: out.clone() };
                let run =
                    BackfillRun { selection: selection.read(runner).await?, limits: limits.limits(), part };
                follow(runner, Job::Backfill(BackfillTask::Run(run)), Telling::default()).await
            }
            BackfillAction::Workflow(args) => args.print(runner),
            BackfillAction::Dispatch(args) => args.run(runner).await,
            BackfillAction::Status(args) => args.run(runner).await,
            BackfillAction::Rerun(args) => args.run(runner).await,
            BackfillAction::Merge { run: Some(run), sample, output, .. } => {
                let task = ActionsTask::Merge { run: *run, sample: *sample, output: output.output() };
                follow(runner, Job::Actions(task), Telling::default()).await
            }
            BackfillAction::Merge { files, plan, sample, output, run: None } => {
                let merge = BackfillMerge {
                    files: files.clone(),
                    plan: plan.clone(),
                    sample: *sample,
                    output: output.output(),
                };
                follow(runner, Job::Backfill(BackfillTask::Merge(merge)), Telling::default()).await
            }
        }
    }
}

fn tell_estimate(
    output: &mut Output<'_>,
    found: &Estimated,
    limits: &BackfillLimits,
    (words, shards): (&str, usize),
) {
    if output.json {
        output.object("estimate", &EstimateObject::new(found, limits));
        return;
    }
    let ui = output.ui.clone();
    for fact in estimated(found, limits, &found.digest, text::form(&ui)) {
        output.lines(text::fact(&ui, 11, &fact, |_| None).as_slice());
    }
    if found.estimate.targets == 0 {
        output.note(&format!("bumpdesk: {}", nothing(found.broken)));
        return;
    }
    if shards < 2 {
        output.note(&format!("bumpdesk: next: {}", line(words, limits, &BackfillOutput::Plan)));
        return;
    }
    let options = limit_options(limits);
    for (number, share) in (1..).zip(&found.shares) {
        let what = format!("{} targets, {}", share.targets, bytes(share.bytes));
        let command = format!(
            "bumpdesk backfill shard {number}/{shards} --plan {} {words}{options} --out shard-{number}-of-{shards}.jsonl",
            found.digest
        );
        output.line(&Line::of(format!("{number}/{shards}  {what}: {command}")));
    }
    output.note(&format!(
        "bumpdesk: next: run each on a machine, then bumpdesk backfill merge --plan {} FILE…",
        found.digest
    ));
}

/// The events of a run about its rows.
#[derive(Default)]
struct Results {
    rows: Vec<Row>,
    plan: String,
    journal: String,
    kept: usize,
    stopped: Option<String>,
    files: u64,
}

impl Results {
    fn take(&mut self, output: &mut Output<'_>, news: BackfillNews) {
        match news {
            BackfillNews::Begun { rows, plan, journal, kept: count } => {
                self.rows = Arc::unwrap_or_clone(rows);
                if count > 0 && !journal.is_empty() && !output.json {
                    output.note(&format!("bumpdesk: {}", kept(count, &journal)));
                }
                (self.plan, self.journal, self.kept) = (plan, journal, count);
            }
            BackfillNews::Row(place, row) => {
                if let Some(slot) = self.rows.get_mut(place) {
                    *slot = Arc::unwrap_or_clone(row);
                }
            }
            BackfillNews::Stopped(why) => self.stopped = Some(why),
            BackfillNews::Wrote(path) => {
                self.files += 1;
                if output.json {
                    output.object("patch", &objects::PatchObject { path: path.display().to_string() });
                } else {
                    output.line(&Line::of(format!("wrote {}", path.display())));
                }
            }
            BackfillNews::Planned(files) if !output.json && !self.rows.is_empty() => {
                output.note(&format!("bumpdesk: {}", planned(files)));
            }
            BackfillNews::NotWritten(why) => output.note(&format!("bumpdesk: not written: {why}")),
            BackfillNews::Planned(_)
            | BackfillNews::Estimated(_)
            | BackfillNews::Active(..)
            | BackfillNews::Meter(_) => {}
        }
    }
}

/// The options for printing the end of a run.
#[derive(Default)]
struct Telling {
    each: bool,
    check: bool,
    /// As Markdown: what it was about.
    markdown: Option<String>,
}

/// Runs it, and tells each target that was not filled in, or each of them.
async fn follow(runner: &mut Runner<'_>, job: Job, telling: Telling) -> Result<Exit, Exit> {
    let mut results = Results::default();
    let outcome = runner
        .run(job, &mut |output, event| match event {
            JobEvent::Backfill(news) => results.take(output, news),
            JobEvent::Actions(ActionsNews::Run(shown)) => machines::tell(output, &shown),
            _ => {}
        })
        .await;
    // Of shares that are refused nothing is taken, whatever they say; a run's own rows are kept.
    if results.journal.is_empty() && matches!(outcome, Ok(Outcome::Failed(_))) {
        results.rows.clear();
    }
    let mut states: Vec<(&Row, State)> = states(&results.rows).collect();
    let tally = Tally::of(&results.rows);
    if runner.output.json {
        for (row, state) in &states {
            runner.output.object("fill", &FillObject::new(row, *state));
        }
    } else if states.is_empty() {
        if let Ok(Outcome::Done(summary)) = &outcome {
            runner.output.note(&format!("bumpdesk: {}", nothing(summary.broken)));
        }
    } else if let Some(what) = &telling.markdown {
        runner.output.exact(&markdown::backfill(what, &results.rows));
    } else {
        // What asks for somebody stands on top.
        states.sort_by_key(|(_, state)| *state);
        let ui = runner.output.ui.clone();
        let is_told = |state: State| telling.each || !matches!(state, State::Filled | State::Waiting);
        for (row, state) in states.iter().filter(|(_, state)| is_told(*state)) {
            let line = text::sign(Line::default(), &ui, &sign(*state));
            runner
                .output
                .line(&line.text(format!(" {}: {}", row.item.name(), reason(row, *state))).hanging(4));
        }
        runner.output.line(&Line::of(tallied(&tally)).hanging(2));
        runner.output.flush();
        if !matches!(outcome, Ok(Outcome::Failed(_)) | Err(_)) {
            for step in steps(&tally) {
                runner.output.note(&format!("bumpdesk: next: {step}"));
            }
        }
    }
    let end = EndObject {
        plan: Some(&*results.plan).filter(|digest| !digest.is_empty()),
        journal: Some(&*results.journal).filter(|path| !path.is_empty()),
        kept: results.kept,
        stopped: results.stopped.as_deref(),
        tally,
    };
    // A limit that was reached before anything was is no failure of upstream.
    if let (Ok(done @ Outcome::Done(_)), true) = (&outcome, results.stopped.is_some()) {
        return Ok(runner.finish_as(Exit::Incomplete, done, &end));
    }
    let found = telling.check && matches!(&outcome, Ok(Outcome::Done(summary)) if summary.findings > 0);
    Ok(runner.finish(outcome, found, &end))
}
