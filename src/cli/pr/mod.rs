//! `pr`: a pull request of the plan: its requests and gates, sending, continuing and undoing it. `watch` follows pull requests
//! that are open.

mod watch;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{ArgGroup, Args, Subcommand};
use serde::Serialize;

use crate::cli::Run;
use crate::cli::console::Console;
use crate::cli::pr::watch::WatchArgs;
use crate::desk::intent::Intent;
use crate::desk::objects::{GateObject, SendingObject};
use crate::desk::telling::{pull, written};
use crate::jobs::data::{JobEvent, Outcome, Prepared, SendTask};
use crate::print::exit::Exit;
use crate::print::output::{Line, Output};
use crate::print::runner::Runner;
use crate::print::text;
use crate::rules::sending::{Course, PullPlan, Step};

/// A pull request of the plan: look at it, open it, continue what was cut off, take it back.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  bumpdesk pr open --plan 7c1e9a --dry-run\n  \
    bumpdesk pr open --plan 7c1e9a --confirm 4f21c0 --write\n  bumpdesk pr undo 4f21c0")]
pub(crate) struct PrArgs {
    #[command(subcommand)]
    action: PrAction,
}

#[derive(Debug, Subcommand)]
enum PrAction {
    /// Build the plan on the registry's branch, check the nine gates, and show every request of the pull request, or send them.
    #[command(after_long_help = "Examples:\n  bumpdesk pr open --plan 7c1e9a --dry-run\n  \
        bumpdesk pr open --plan 7c1e9a --dry-run --fixes 5550 --json\n  \
        bumpdesk pr open --plan 7c1e9a --dry-run --out 4f21c0.patch\n  \
        bumpdesk pr open --plan 7c1e9a --confirm 4f21c0 --write\n\n\
        --dry-run names the sending; with --confirm and its digits it is made once more, and sent if it is the same and \
        no gate fails. Run again, it continues what was cut off, and opens nothing twice. It exits 4 if a gate fails. \
        `plan show` names the plan.")]
    Open(OpenArgs),
    /// Continue a sending that was cut off: ask GitHub what exists of it, ask the gates again, then send the rest.
    #[command(after_long_help = "Example:\n  bumpdesk pr resume 4f21c0 --write")]
    Resume {
        /// The digits of the sending, as they were confirmed.
        digits: String,
    },
    /// Show what would take a sending back, or do it: close its pull request, delete its branch while that is ours.
    #[command(
        after_long_help = "Examples:\n  bumpdesk pr undo 4f21c0\n  bumpdesk pr undo 4f21c0 --confirm 90ab12 --write\n\n\
        A fork, notifications and comments stay. What was merged is not taken back."
    )]
    Undo {
        /// The digits of the sending that is taken back.
        sending: String,
        /// The digits of what takes it back; without them it is shown.
        #[arg(long, value_name = "DIGITS")]
        confirm: Option<String>,
    },
    /// Follow a pull request: its checks, its reviews, its merge, and the next bump.
    #[command(
        after_long_help = "Examples:\n  bumpdesk pr watch 5631\n  bumpdesk pr watch 5631 --once --json\n\n\
        It looks every 30 s (`pace.watch-seconds`), and ends once the pull request is closed, or a bump has followed its\n\
        merge; Ctrl-C ends it before. It exits 5 if a part could not be read."
    )]
    Watch(WatchArgs),
    /// List the open pull requests that bumpdesk made, with what each waits for.
    #[command(after_long_help = "Examples:\n  bumpdesk pr list\n  bumpdesk pr list --json\n\n\
        Those whose branch begins with `bumpdesk/`, whoever opened them. It exits 5 if a part could not be read.")]
    List,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("how").required(true).args(["dry_run", "confirm"]))]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
struct OpenArgs {
    /// The plan that was looked at: the six digits that `plan show` prints.
    #[arg(long, value_name = "DIGITS")]
    plan: String,
    /// Show what would be sent, and send nothing.
    #[arg(long)]
    dry_run: bool,
    /// Send it: the six digits of the sending, as --dry-run prints them. Needs --write.
    #[arg(long, value_name = "DIGITS")]
    confirm: Option<String>,
    /// Open it ready for review, not as a draft.
    #[arg(long)]
    ready: bool,
    /// A label for it.
    #[arg(long, value_name = "NAME")]
    label: Vec<String>,
    /// Send it from a fork of your own, which is made if there is none.
    #[arg(long)]
    fork: bool,
    /// Send only the files whose namespaces begin with this letter: a part of a plan that is too large for one.
    #[arg(long, value_name = "LETTER")]
    letter: Option<char>,
    /// A login that is asked to review it.
    #[arg(long, value_name = "LOGIN")]
    reviewer: Vec<String>,
    /// An issue that it closes.
    #[arg(long, value_name = "NUMBER")]
    fixes: Vec<u64>,
    /// Continue although archives of versions changed upstream that it does not touch.
    #[arg(long)]
    acknowledge_drift: bool,
    /// Print it as a patch that `git am` takes, and nothing else.
    #[arg(long, requires = "dry_run")]
    patch: bool,
    /// Write all of it to this new file as well: every request with its body, and the patch.
    #[arg(long, value_name = "FILE", requires = "dry_run", conflicts_with = "patch")]
    out: Option<PathBuf>,
}

impl Run for PrArgs {
    fn asks_upstream(&self) -> bool {
        true
    }

    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        match &self.action {
            PrAction::Watch(args) => args.run(runner).await,
            PrAction::List => watch::list(runner).await,
            PrAction::Open(args) if args.dry_run => {
                look(runner, &self.intent(), args.out.as_deref(), args.patch).await
            }
            PrAction::Open(_) | PrAction::Resume { .. } => send(runner, &self.intent(), false).await,
            PrAction::Undo { confirm, .. } => send(runner, &self.intent(), confirm.is_none()).await,
        }
    }
}

impl PrArgs {
    /// The intent for the desk.
    pub(super) fn intent(&self) -> Intent {
        match &self.action {
            PrAction::Watch(args) => args.intent(),
            PrAction::List => watch::every_one(),
            PrAction::Open(args) => match &args.confirm {
                None => Intent::prepare(args.pull_plan()),
                Some(digits) => {
                    Intent::Send(SendTask::Open { asked: args.pull_plan().into(), digits: digits.clone() })
                }
            },
            PrAction::Resume { digits } => Intent::Send(SendTask::Resume { digits: digits.clone() }),
            PrAction::Undo { sending: of, confirm } => Intent::Send(match confirm {
                None => SendTask::LookAtUndo { of: of.clone() },
                Some(digits) => SendTask::Undo { of: of.clone(), digits: digits.clone() },
            }),
        }
    }
}

/// Makes it ready and tells all that would be sent; writes it to a file where one is named.
pub(super) async fn look(
    runner: &mut Runner<'_>,
    intent: &Intent,
    out: Option<&Path>,
    patch: bool,
) -> Result<Exit, Exit> {
    let mut made = None;
    let outcome = runner
        .act("making it ready", intent, &mut |output, event| match event {
            JobEvent::Prepared(prepared) => {
                tell(output, &prepared, patch);
                made = Some(prepared);
            }
            JobEvent::Reviewed(review) if output.json => output.object("review", &*review),
            JobEvent::Reviewed(review) => {
                let ui = output.ui.clone();
                let cells = output.cells();
                output.lines(&text::reviewed(&ui, &review, cells));
            }
            _ => {}
        })
        .await;
    if let (Some(file), Some(prepared)) = (out, &made) {
        runner.desk.pull.take(Arc::clone(prepared));
        match runner.act("writing a file", &Intent::WriteOut(file.to_owned()), &mut |_, _| {}).await {
            Ok(Outcome::Done(_)) => {
                runner.output.note(&format!("bumpdesk: {}", written::written(file, prepared)));
            }
            other => return Ok(runner.finish(other, false, &())),
        }
    }
    let is_refused = made.is_some_and(|prepared| prepared.failing().next().is_some());
    match &outcome {
        Ok(done @ Outcome::Done(_)) if is_refused => Ok(runner.finish_as(Exit::Refused, done, &())),
        _ => Ok(runner.finish(outcome, false, &())),
    }
}

/// Sends, and prints each step when it is done; at the end, everything that exists.
pub(super) async fn send(runner: &mut Runner<'_>, intent: &Intent, only_looks: bool) -> Result<Exit, Exit> {
    let (mut next, mut last) = (0, None);
    let outcome = runner
        .act("sending to GitHub", intent, &mut |output, event| match event {
            JobEvent::Prepared(prepared) if output.json => gate_objects(output, &prepared),
            JobEvent::Sending(course) if !course.is_undone => {
                let done = course.next().unwrap_or(course.steps.len());
                for at in next..done {
                    if !output.json {
                        output.note(&format!("bumpdesk: {}", pull::step(&course, at)));
                    }
                }
                next = next.max(done);
                last = Some(course);
            }
            _ => {}
        })
        .await;
    if let Some(course) = &last {
        let output = &mut runner.output;
        if output.json {
            output.object("sent", &SentObject::new(course));
        } else if only_looks || course.is_done() {
            let lines: Vec<Line> =
                pull::course(course).into_iter().map(|line| Line::of(line).hanging(2)).collect();
            output.lines(&lines);
        }
    }
    match (&outcome, last) {
        (Ok(done @ Outcome::Done(_)), Some(course)) if course.left_out().next().is_some() => {
            Ok(runner.finish_as(Exit::Incomplete, done, &()))
        }
        _ => Ok(runner.finish(outcome, false, &())),
    }
}

fn gate_objects(output: &mut Output<'_>, prepared: &Prepared) {
    for gate in GateObject::all(prepared) {
        output.object("gate", &gate);
    }
}

impl OpenArgs {
    fn pull_plan(&self) -> PullPlan {
        PullPlan {
            plan: self.plan.clone(),
            draft: !self.ready,
            labels: self.label.clone(),
            reviewers: self.reviewer.clone(),
            fork: self.fork,
            letter: self.letter.map(|letter| letter.to_ascii_lowercase()),
            fixes: self.fixes.clone(),
            acknowledged_drift: self.acknowledge_drift,
        }
    }
}

fn tell(output: &mut Output<'_>, prepared: &Prepared, patch: bool) {
    if output.json {
        gate_objects(output, prepared);
        output.object("sending", &SendingObject::new(prepared, patch));
    } else if patch {
        tell_patch(output, prepared);
    } else {
        let ui = output.ui.clone();
        output.lines(&text::prepared(&ui, prepared, &|_| None));
        output.note("bumpdesk: nothing was sent");
    }
}

/// The patch alone, and none where a gate fails: what stands there is most likely a file.
fn tell_patch(output: &mut Output<'_>, prepared: &Prepared) {
    let failed = prepared.failed_gates();
    if failed.is_empty() {
        output.exact(&prepared.planned().map(|planned| planned.patch.mail()).unwrap_or_default());
    }
    for line in failed {
        output.note(&format!("bumpdesk: {line}"));
    }
}

/// The progress of a sending, type `sent`.
#[derive(Serialize)]
struct SentObject<'a> {
    digest: String,
    name: String,
    /// The plan that it sends, the sending that it takes back, or the pull request that it reviews.
    of: &'a str,
    undoes: bool,
    account: &'a str,
    steps: Vec<StepObject<'a>>,
    commit: Option<&'a str>,
    pull: Option<u64>,
    /// The run that was started.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<u64>,
    url: Option<String>,
    /// The effects that undoing it leaves there, in words.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    stays: &'a [String],
}

#[derive(Serialize)]
struct StepObject<'a> {
    purpose: String,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<&'a str>,
}

impl<'a> SentObject<'a> {
    fn new(course: &'a Course) -> Self {
        let steps = course.sending.requests.iter().zip(&course.steps).map(|(request, step)| StepObject {
            purpose: request.purpose(),
            state: step.word(),
            refused: match step {
                Step::Refused(why) => Some(why),
                _ => None,
            },
        });
        Self {
            digest: course.sending.digest(),
            name: course.sending.name(),
            of: &course.of,
            undoes: course.undoes,
            account: &course.sending.account,
            steps: steps.collect(),
            commit: course.commit(),
            pull: course.pull(),
            run: course.run(),
            url: course.url(),
            stays: &course.stays,
        }
    }
}
