//! `plan`: what would be proposed, and what was said about it. Approves nothing that was not printed first.

use crate::cli::args::plan::{MarkArgs, PlanAction, PlanAddArgs, PlanArgs};
use crate::cli::desk::Desk;
use crate::cli::exit::Exit;
use crate::cli::looking::entries;
use crate::cli::output::{Line, Output};
use crate::cli::{text, wire};
use crate::jobs::{
    Failure, FailureKind, Job, JobEvent, Outcome, PlanAdd, PlanMark, PlanOpened, PlanTask, Summary,
};
use crate::registry::Address;
use crate::rules::plan::{Piece, Plan, Verb, Which};

/// Lines of context around a change.
pub(crate) const CONTEXT: usize = 3;

/// `bumpdesk plan`.
pub(crate) async fn plan(desk: &mut Desk<'_>, args: &PlanArgs) -> Exit {
    match &args.action {
        PlanAction::Add(args) => add(desk, args).await,
        PlanAction::Show { addresses } if addresses.is_empty() => task(desk, PlanTask::Show, None).await,
        PlanAction::Show { addresses } => match parse(addresses) {
            Ok(addresses) => show(desk, addresses).await,
            Err(failure) => desk.fail(failure),
        },
        PlanAction::Approve(args) => mark(desk, args, Some(&Verb::Approve)).await,
        PlanAction::Reject(args) => mark(desk, args, Some(&Verb::Reject)).await,
        PlanAction::Reopen(args) => mark(desk, args, Some(&Verb::Reopen)).await,
        PlanAction::Note(args) if args.note.is_none() => desk.fail(Failure {
            kind: FailureKind::Usage,
            doing: "writing a note".into(),
            causes: vec!["there is no text".into()],
            hint: Some("Give it with --note TEXT; an empty one takes the note away.".into()),
        }),
        PlanAction::Note(args) => mark(desk, args, None).await,
        PlanAction::Rebuild { max_age } => task(desk, PlanTask::Rebuild { max_age: *max_age }, None).await,
        PlanAction::Drop { addresses, .. } => match parse(addresses) {
            Ok(addresses) => task(desk, PlanTask::Drop(addresses), None).await,
            Err(failure) => desk.fail(failure),
        },
    }
}

async fn add(desk: &mut Desk<'_>, args: &PlanAddArgs) -> Exit {
    let addresses = match entries(desk, &args.addresses).await {
        Ok(addresses) => addresses,
        Err(exit) => return exit,
    };
    let add = PlanAdd { addresses: addresses.clone(), mode: args.mode.clone(), max_age: args.max_age };
    task(desk, PlanTask::Add(add), Some(&addresses)).await
}

/// Runs one task and tells the plan that it leads to, or the named files of it.
async fn task(desk: &mut Desk<'_>, task: PlanTask, only: Option<&[Address]>) -> Exit {
    let outcome = desk.run(Job::Plan(task), &mut |output, event| tell(output, event, only)).await;
    desk.finish(outcome, false, &())
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
async fn show(desk: &mut Desk<'_>, addresses: Vec<Address>) -> Exit {
    let mut printed = 0;
    for address in addresses {
        let mut seen = Vec::new();
        let outcome = desk
            .run(Job::Plan(PlanTask::Open(address.clone())), &mut |output, event| {
                if let JobEvent::PlanOpened(opened) = event {
                    tell_opened(output, &opened);
                    seen = see(&opened);
                }
            })
            .await;
        if !matches!(outcome, Ok(Outcome::Done(_))) {
            return desk.finish(outcome, false, &());
        }
        if desk.output.is_closed() {
            // Nobody can have looked at what nobody took.
            break;
        }
        let outcome = desk.run(Job::Plan(PlanTask::Mark(seen)), &mut |_, _| {}).await;
        match outcome {
            Ok(Outcome::Done(_)) => {
                printed += 1;
                desk.output.talk(&format!("bumpdesk: {address} was printed in full and counts as looked at"));
            }
            // A second console may look all the same.
            Ok(Outcome::Failed(failure)) if failure.kind == FailureKind::Conflict => {
                desk.output.talk(&format!(
                    "bumpdesk: {address} does not count as looked at: {}",
                    failure.causes.join("; ")
                ));
            }
            outcome => return desk.finish(outcome, false, &()),
        }
    }
    let summary = Summary { entries: printed, ..Summary::default() };
    desk.finish(Ok(Outcome::Done(summary)), false, &())
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
    let patch = opened.lines.unified(&opened.file.path, CONTEXT);
    if output.json {
        output.object("planned", &wire::PlannedLine::new(&opened.file, Some(&patch)));
        return;
    }
    output.lines(&text::planned(&output.ui.clone(), &opened.file));
    output.exact(&patch);
}

async fn mark(desk: &mut Desk<'_>, args: &MarkArgs, verb: Option<&Verb>) -> Exit {
    let mut marks = Vec::new();
    let note = args.note.as_ref().map(|note| Verb::Note(note.clone()));
    for word in &args.changes {
        let (address, which) = match change(word) {
            Ok(change) => change,
            Err(failure) => return desk.fail(failure),
        };
        for verb in verb.into_iter().chain(&note) {
            marks.push(PlanMark { address: address.clone(), which: which.clone(), verb: verb.clone() });
        }
    }
    let addresses: Vec<Address> = marks.iter().map(|mark| mark.address.clone()).collect();
    match desk.run(Job::Plan(PlanTask::Mark(marks)), &mut |_, _| {}).await {
        Ok(Outcome::Done(_)) => task(desk, PlanTask::Show, Some(&addresses)).await,
        outcome => desk.finish(outcome, false, &()),
    }
}

/// `newrelic/newrelic@3.70.1`.
pub(crate) fn change(word: &str) -> Result<(Address, Which), Failure> {
    let (address, which) = match word.split_once('@') {
        // An unset variable in a script must not approve everything.
        Some((_, version)) if version.trim().is_empty() => return Err(no_version(word)),
        Some((address, version)) => (address, Which::Version(version.to_owned())),
        None => (word, Which::Whole),
    };
    Ok((parse_one(address)?, which))
}

fn no_version(word: &str) -> Failure {
    Failure {
        kind: FailureKind::Usage,
        doing: format!("looking for `{word}`"),
        causes: vec!["there is no version after the `@`".into()],
        hint: Some("Write ADDRESS@VERSION for one version, or ADDRESS alone for the whole file.".into()),
    }
}

fn parse(words: &[String]) -> Result<Vec<Address>, Failure> {
    words.iter().map(|word| parse_one(word)).collect()
}

fn parse_one(word: &str) -> Result<Address, Failure> {
    Address::parse(word).map_err(|error| Failure {
        kind: FailureKind::Usage,
        doing: format!("looking for `{word}`"),
        causes: vec![error.to_string()],
        hint: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_an_address_and_perhaps_a_version() {
        let address = Address::provider("acme", "rocket");
        for (word, which) in [
            ("acme/rocket", Which::Whole),
            ("Acme/Rocket@v1.1.0", Which::Version("v1.1.0".into())),
            ("acme/rocket@rest", Which::Version("rest".into())),
        ] {
            assert_eq!(change(word).unwrap(), (address.clone(), which), "{word}");
        }
        for word in ["acme/rocket@", "acme/rocket@ ", "@"] {
            let failure = change(word).unwrap_err();
            assert_eq!(failure.kind, FailureKind::Usage, "{word}");
            assert_eq!(failure.causes, ["there is no version after the `@`"], "{word}");
        }
        assert_eq!(change("acme@1.0.0").unwrap_err().kind, FailureKind::Usage);
    }
}
