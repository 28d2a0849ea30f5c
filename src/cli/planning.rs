//! `plan`: what would be proposed, and what was said about it. Approves nothing that was not printed first.

use crate::cli::args::plan::{MarkArgs, PlanAction, PlanAddArgs, PlanArgs};
use crate::cli::looking::entries;
use crate::cli::wire;
use crate::desk::naming;
use crate::jobs::{
    Failure, FailureKind, Job, JobEvent, Outcome, PlanAdd, PlanMark, PlanOpened, PlanTask, Summary,
};
use crate::print::exit::Exit;
use crate::print::output::{Line, Output};
use crate::print::runner::Runner;
use crate::print::text;
use crate::registry::Address;
use crate::rules::diff::CONTEXT_LINES;
use crate::rules::plan::{Piece, Plan, Verb, Which};

/// `bumpdesk plan`.
pub(crate) async fn plan(runner: &mut Runner<'_>, args: &PlanArgs) -> Exit {
    match &args.action {
        PlanAction::Add(args) => add(runner, args).await,
        PlanAction::Show { addresses } if addresses.is_empty() => task(runner, PlanTask::Show, None).await,
        PlanAction::Show { addresses } => match parse(addresses) {
            Ok(addresses) => show(runner, addresses).await,
            Err(failure) => runner.fail(failure),
        },
        PlanAction::Approve(args) => mark(runner, args, Some(&Verb::Approve)).await,
        PlanAction::Reject(args) => mark(runner, args, Some(&Verb::Reject)).await,
        PlanAction::Reopen(args) => mark(runner, args, Some(&Verb::Reopen)).await,
        PlanAction::Note(args) if args.note.is_none() => runner.fail(
            Failure::new(FailureKind::Usage, "writing a note")
                .cause("there is no text")
                .hint("Give it with --note TEXT; an empty one takes the note away."),
        ),
        PlanAction::Note(args) => mark(runner, args, None).await,
        PlanAction::Rebuild { max_age } => task(runner, PlanTask::Rebuild { max_age: *max_age }, None).await,
        PlanAction::Drop { addresses, .. } => match parse(addresses) {
            Ok(addresses) => task(runner, PlanTask::Drop(addresses), None).await,
            Err(failure) => runner.fail(failure),
        },
    }
}

async fn add(runner: &mut Runner<'_>, args: &PlanAddArgs) -> Exit {
    let addresses = match entries(runner, &args.addresses).await {
        Ok(addresses) => addresses,
        Err(exit) => return exit,
    };
    let add = PlanAdd { addresses: addresses.clone(), mode: args.mode.clone(), max_age: args.max_age };
    task(runner, PlanTask::Add(add), Some(&addresses)).await
}

/// Runs one task and tells the plan that it leads to, or the named files of it.
async fn task(runner: &mut Runner<'_>, task: PlanTask, only: Option<&[Address]>) -> Exit {
    let outcome = runner.run(Job::Plan(task), &mut |output, event| tell(output, event, only)).await;
    runner.finish(outcome, false, &())
}

fn tell(output: &mut Output<'_>, event: JobEvent, only: Option<&[Address]>) {
    match event {
        JobEvent::Planned(plan) => tell_plan(output, &plan, only),
        JobEvent::Found(path, finding) if output.json => {
            output.object("finding", &wire::Found::new(&path, &finding));
        }
        JobEvent::Found(path, finding) => {
            output.line(&text::finding(Line::of(format!("{path}: ")), &finding));
        }
        _ => {}
    }
}

fn tell_plan(output: &mut Output<'_>, plan: &Plan, only: Option<&[Address]>) {
    let files = plan.files.iter().filter(|file| only.is_none_or(|only| only.contains(&file.address)));
    if output.json {
        for file in files {
            output.object("planned", &wire::PlannedLine::new(file, None));
        }
        output.object("plan", &wire::PlanLine::new(plan));
        return;
    }
    output.line(&text::plan_head(plan));
    for file in files {
        output.lines(&text::planned(&output.ui.clone(), file));
    }
}

/// Prints files in full, and marks them as looked at if all of it could be written.
async fn show(runner: &mut Runner<'_>, addresses: Vec<Address>) -> Exit {
    let mut printed = 0;
    for address in addresses {
        let mut seen = Vec::new();
        let outcome = runner
            .run(Job::Plan(PlanTask::Open(address.clone())), &mut |output, event| {
                if let JobEvent::PlanOpened(opened) = event {
                    tell_opened(output, &opened);
                    seen = see(&opened);
                }
            })
            .await;
        if !matches!(outcome, Ok(Outcome::Done(_))) {
            return runner.finish(outcome, false, &());
        }
        if runner.output.is_closed() {
            // Nobody can have looked at what nobody took.
            break;
        }
        let outcome = runner.run(Job::Plan(PlanTask::Mark(seen)), &mut |_, _| {}).await;
        match outcome {
            Ok(Outcome::Done(_)) => {
                printed += 1;
                runner
                    .output
                    .talk(&format!("bumpdesk: {address} was printed in full and counts as looked at"));
            }
            // A second console may look all the same.
            Ok(Outcome::Failed(failure)) if failure.kind == FailureKind::Conflict => {
                runner.output.talk(&format!(
                    "bumpdesk: {address} does not count as looked at: {}",
                    failure.causes.join("; ")
                ));
            }
            outcome => return runner.finish(outcome, false, &()),
        }
    }
    let summary = Summary { entries: printed, ..Summary::default() };
    runner.finish(Ok(Outcome::Done(summary)), false, &())
}

/// Marks of exactly what was printed.
fn see(opened: &PlanOpened) -> Vec<PlanMark> {
    let see = |piece: &Piece| PlanMark {
        address: opened.file.address.clone(),
        which: Which::Piece(piece.id.clone()),
        verb: Verb::See,
    };
    opened.file.pieces.iter().map(see).collect()
}

fn tell_opened(output: &mut Output<'_>, opened: &PlanOpened) {
    let patch = opened.lines.unified(&opened.file.path, CONTEXT_LINES);
    if output.json {
        output.object("planned", &wire::PlannedLine::new(&opened.file, Some(&patch)));
        return;
    }
    output.lines(&text::planned(&output.ui.clone(), &opened.file));
    output.exact(&patch);
}

async fn mark(runner: &mut Runner<'_>, args: &MarkArgs, verb: Option<&Verb>) -> Exit {
    let mut marks = Vec::new();
    let note = args.note.as_ref().map(|note| Verb::Note(note.clone()));
    for word in &args.changes {
        let (address, which) = match naming::change(word) {
            Ok(change) => change,
            Err(failure) => return runner.fail(failure),
        };
        for verb in verb.into_iter().chain(&note) {
            marks.push(PlanMark { address: address.clone(), which: which.clone(), verb: verb.clone() });
        }
    }
    let addresses: Vec<Address> = marks.iter().map(|mark| mark.address.clone()).collect();
    match runner.run(Job::Plan(PlanTask::Mark(marks)), &mut |_, _| {}).await {
        Ok(Outcome::Done(_)) => task(runner, PlanTask::Show, Some(&addresses)).await,
        outcome => runner.finish(outcome, false, &()),
    }
}

fn parse(words: &[String]) -> Result<Vec<Address>, Failure> {
    words.iter().map(|word| naming::parse(word)).collect()
}
