//! `pr`: a pull request of the plan. Says what would be sent and what stands in the way of it; sends nothing yet.

use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::Value;

use crate::cli::Run;
use crate::cli::console::Console;
use crate::desk::telling::pull::failed as failed_gate;
use crate::jobs::{Job, JobEvent, Outcome, Prepared, PullPlan};
use crate::print::exit::Exit;
use crate::print::output::Output;
use crate::print::runner::Runner;
use crate::print::text;
use crate::rules::sending::{GateState, Request, Sending};

/// A pull request of the plan: what it would say and send, and what stands in its way.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  bumpdesk pr open --plan 7c1e9a --dry-run\n  \
    bumpdesk pr open --plan 7c1e9a --dry-run --patch > plan.patch")]
pub(crate) struct PrArgs {
    #[command(subcommand)]
    action: PrAction,
}

#[derive(Debug, Subcommand)]
enum PrAction {
    /// Build the plan on the registry's branch, check the nine gates, and show every request of the pull request.
    #[command(after_long_help = "Examples:\n  bumpdesk pr open --plan 7c1e9a --dry-run\n  \
        bumpdesk pr open --plan 7c1e9a --dry-run --fixes 5550 --json\n\n\
        Nothing is sent: bumpdesk cannot send yet. It exits 4 if a gate fails. `plan show` names the plan.")]
    Open(OpenArgs),
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
struct OpenArgs {
    /// The plan that was looked at: the six digits that `plan show` prints.
    #[arg(long, value_name = "DIGITS")]
    plan: String,
    /// Show what would be sent, and send nothing.
    #[arg(long, required = true)]
    dry_run: bool,
    /// Open it ready for review, not as a draft.
    #[arg(long)]
    ready: bool,
    /// A label for it.
    #[arg(long, value_name = "NAME")]
    label: Vec<String>,
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
    #[arg(long)]
    patch: bool,
}

impl Run for PrArgs {
    fn asks_upstream(&self) -> bool {
        true
    }

    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        let PrAction::Open(args) = &self.action;
        let mut failed = 0;
        let outcome = runner
            .run(Job::Prepare(args.asked()), &mut |output, event| {
                if let JobEvent::Prepared(prepared) = event {
                    failed = prepared.gates.iter().filter(|gate| gate.state == GateState::Fail).count();
                    tell(output, &prepared, args.patch);
                }
            })
            .await;
        match &outcome {
            Ok(done @ Outcome::Done(_)) if failed > 0 => Ok(runner.finish_as(Exit::Refused, done, &())),
            _ => Ok(runner.finish(outcome, false, &())),
        }
    }
}

impl OpenArgs {
    fn asked(&self) -> PullPlan {
        PullPlan {
            plan: self.plan.clone(),
            draft: !self.ready,
            labels: self.label.clone(),
            reviewers: self.reviewer.clone(),
            fixes: self.fixes.clone(),
            acknowledged_drift: self.acknowledge_drift,
        }
    }
}

fn tell(output: &mut Output<'_>, prepared: &Prepared, patch: bool) {
    if output.json {
        for (number, gate) in (1..).zip(&prepared.gates) {
            let (name, state) = (gate.name.word(), gate.state);
            let object =
                GateObject { number, name, state, evidence: &gate.evidence, remedy: gate.remedy.as_deref() };
            output.object("gate", &object);
        }
        output.object("sending", &SendingObject::new(prepared, patch));
    } else if patch {
        tell_patch(output, prepared);
    } else {
        let ui = output.ui.clone();
        output.lines(&text::prepared(&ui, prepared));
        output.talk("bumpdesk: nothing was sent");
    }
}

/// The patch alone, and none where a gate fails: what stands there is most likely a file.
fn tell_patch(output: &mut Output<'_>, prepared: &Prepared) {
    let failed = (1..).zip(&prepared.gates).filter(|(_, gate)| gate.state == GateState::Fail);
    let failed: Vec<String> = failed.map(|(number, gate)| failed_gate(number, gate)).collect();
    if failed.is_empty() {
        output.exact(&prepared.patch);
    }
    for line in failed {
        output.talk(&format!("bumpdesk: {line}"));
    }
}

/// One gate, type `gate`.
#[derive(Serialize)]
struct GateObject<'a> {
    number: u64,
    name: &'static str,
    state: GateState,
    evidence: &'a str,
    remedy: Option<&'a str>,
}

/// All that would be sent, type `sending`.
#[derive(Serialize)]
struct SendingObject<'a> {
    /// Over every request with its body, as whom, and where.
    digest: String,
    name: String,
    plan: &'a str,
    account: &'a str,
    servers: &'a [String; 2],
    base: &'a str,
    commit: &'a str,
    requests: Vec<RequestObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch: Option<&'a str>,
}

#[derive(Serialize)]
struct RequestObject {
    method: &'static str,
    path: String,
    purpose: String,
    body: Value,
}

impl<'a> SendingObject<'a> {
    fn new(prepared: &'a Prepared, patch: bool) -> Self {
        let Sending { account, servers, requests } = &prepared.sending;
        let requests = requests.iter().map(|request| RequestObject {
            method: Request::METHOD,
            path: request.path(),
            purpose: request.purpose(),
            body: request.body(),
        });
        Self {
            digest: prepared.sending.digest(),
            name: prepared.sending.name(),
            plan: &prepared.plan,
            account,
            servers,
            base: &prepared.base.0,
            commit: &prepared.base.1,
            requests: requests.collect(),
            patch: patch.then_some(&*prepared.patch),
        }
    }
}
