//! `lock`: the lock file's block of one version, from verified hashes alone; and `lock --check`, a lock file against registry and
//! archives, which always acts as with `--check`.

use crate::cli::args::lock::LockArgs;
use crate::cli::verifying::{apart, tell_kept};
use crate::cli::wire;
use crate::desk::naming;
use crate::jobs::{
    CheckedFile, Failure, FailureKind, Job, JobEvent, LockNews, LockPlan, LockWhat, LockedVersion, Outcome,
    VerifyNews, Wanted,
};
use crate::print::exit::Exit;
use crate::print::output::Output;
use crate::print::runner::{Left, Runner};
use crate::print::text;
use crate::rules::Severity;
use crate::rules::client::Policy;
use crate::rules::lock::{HEADER, Refusal, block};

/// `bumpdesk lock`.
pub(crate) async fn lock(runner: &mut Runner<'_>, args: &LockArgs) -> Exit {
    let what = match what(runner, args).await {
        Ok(what) => what,
        Err(exit) => return exit,
    };
    let plan = LockPlan {
        what,
        targets: args.targets.clone(),
        workers: args.jobs,
        limit_bytes: args.max_size,
        downloads: !args.no_download,
        policy: Policy {
            enforces_validation: args.enforce_gpg_validation,
            enforces_expiration: args.enforce_gpg_expiration,
        },
    };
    let mut news = None;
    let outcome = runner
        .run(Job::Lock(plan), &mut |output, event| match event {
            JobEvent::Lock(told) => news = Some(told),
            JobEvent::Verify(VerifyNews::Begun { kept, report, .. }) => tell_kept(output, kept, &report),
            _ => {}
        })
        .await;
    match news {
        None => runner.finish(outcome, false, &()),
        Some(LockNews::Version(locked)) => version(runner, args, &locked, outcome),
        Some(LockNews::File(checked)) => {
            tell_file(&mut runner.output, &checked);
            let outcome = match outcome {
                Ok(outcome @ Outcome::Done(_)) => outcome,
                outcome => return runner.finish(outcome, false, &()),
            };
            let has = |severity: Severity| checked.found.iter().any(|at| at.finding.severity == severity);
            let exit = match Exit::of_outcome(&outcome, false) {
                // What is known to be wrong stays so, whatever was not read.
                _ if has(Severity::Error) => Exit::Findings,
                // What could not be matched was not read, though the far side may not have failed.
                Exit::Done if has(Severity::Warning) => Exit::Incomplete,
                exit => exit,
            };
            runner.finish_as(exit, &outcome, &())
        }
    }
}

async fn what(runner: &mut Runner<'_>, args: &LockArgs) -> Result<LockWhat, Exit> {
    if let Some(path) = &args.check {
        return Ok(LockWhat::File(path.clone()));
    }
    let loaded = runner.load().await?;
    let wanted = || -> Result<Wanted, Failure> {
        let word = args.version.as_deref().unwrap_or_default();
        let (address, version) = apart(word)?;
        let address = naming::address(address, &loaded.catalog)?;
        let Some(version) = version else { return Err(no_version(word)) };
        Ok(Wanted { address, version: Some(version.to_owned()) })
    };
    wanted().map(LockWhat::Version).map_err(|failure| runner.fail(failure))
}

fn no_version(word: &str) -> Failure {
    Failure::new(FailureKind::Usage, format!("looking for `{word}`"))
        .cause("it names no version, and a lock is about one")
        .hint(format!("Write `{word}@VERSION`."))
}

/// Prints the block if it may be printed, and tells what a client does.
fn version(
    runner: &mut Runner<'_>,
    args: &LockArgs,
    locked: &LockedVersion,
    outcome: Result<Outcome, Left>,
) -> Exit {
    let refused: Vec<(&str, &Refusal)> = locked
        .offers
        .iter()
        .filter_map(|offer| Some((offer.target.as_str(), offer.hashes.as_ref().err()?)))
        .collect();
    let hashes = || locked.offers.iter().filter_map(|offer| offer.hashes.as_ref().ok()).flatten();
    let is_printed = (refused.is_empty() || args.partial) && hashes().next().is_some();
    let text = is_printed.then(|| {
        let hashes = hashes().map(String::as_str);
        block(&locked.address, &locked.normal, args.constraints.as_deref(), hashes)
    });
    let output = &mut runner.output;
    if output.json {
        output.object("lock", &wire::LockLine::new(locked, text.as_deref()));
    } else {
        for line in text::steps(locked, args.steps) {
            output.talk(&line);
        }
        if let Some(text) = &text {
            let head = if args.whole_file { format!("{HEADER}\n") } else { String::new() };
            output.exact(&format!("{head}{text}"));
            output.flush();
        }
    }
    let outcome = match outcome {
        Ok(outcome @ Outcome::Done(_)) if !refused.is_empty() => outcome,
        outcome => return runner.finish(outcome, false, &()),
    };
    let exit = exit(&outcome, &refused, text.is_some());
    let causes = causes(&refused, locked.offers.len());
    if exit == Exit::Refused {
        let has_part = hashes().next().is_some();
        return runner.finish_as(exit, &Outcome::Failed(failure(locked, causes, has_part)), &());
    }
    if !runner.output.json {
        for cause in causes {
            runner.output.talk(&format!("bumpdesk: left out: {cause}"));
        }
    }
    runner.finish_as(exit, &outcome, &())
}

/// What is wrong weighs more than what was not read, and a part that was printed is a part.
fn exit(outcome: &Outcome, refused: &[(&str, &Refusal)], is_printed: bool) -> Exit {
    let is_wrong = refused.iter().any(|(_, refusal)| matches!(refusal, Refusal::Wrong(_)));
    match (is_printed, is_wrong) {
        (false, true) => Exit::Refused,
        (false, false) if Exit::of_outcome(outcome, false) == Exit::Upstream => Exit::Upstream,
        (true, _) | (false, false) => Exit::Incomplete,
    }
}

/// Every target that is not in the block, and why. Those of one reason share a line.
fn causes(refused: &[(&str, &Refusal)], all: usize) -> Vec<String> {
    let mut causes: Vec<(&str, Vec<&str>)> = Vec::new();
    for (target, refusal) in refused {
        match causes.iter_mut().find(|(why, _)| *why == refusal.text()) {
            Some((_, targets)) => targets.push(target),
            None => causes.push((refusal.text(), vec![target])),
        }
    }
    causes.into_iter().map(|(why, targets)| format!("{}: {why}", text::whom(&targets, all))).collect()
}

fn failure(locked: &LockedVersion, causes: Vec<String>, has_part: bool) -> Failure {
    let part = if has_part { "; --partial prints what is verified" } else { "" };
    let hint = format!("Run `bumpdesk verify {}@{}` for the evidence{part}.", locked.address, locked.version);
    Failure::new(FailureKind::Conflict, format!("locking {} {}", locked.address, locked.version))
        .causes(causes)
        .hint(hint)
}

fn tell_file(output: &mut Output<'_>, checked: &CheckedFile) {
    if output.json {
        for block in &checked.blocks {
            output.object("lock-block", &wire::BlockLine::new(block));
        }
        for found in &checked.found {
            output.object("finding", &wire::LockFinding::new(&checked.path, found));
        }
    } else {
        let ui = output.ui.clone();
        output.lines(&text::checked(&ui, checked));
        output.flush();
    }
}
