//! The commands that ask upstream: `survey`, `diff`, `bump`.

use crate::cli::args::commands::{BumpArgs, DiffArgs, GateWord, SurveyArgs};
use crate::cli::looking::{entries, named, parse_filter};
use crate::cli::views::chosen;
use crate::cli::wire;
use crate::jobs::{
    BumpPlan, FailureKind, Gate, Job, JobEvent, Judgement, OpenPlan, Opened, Outcome, Scope, Summary,
    SurveyPlan,
};
use crate::print::exit::Exit;
use crate::print::output::{Line, Output};
use crate::print::runner::{Runner, add};
use crate::print::text;
use crate::rules::diff::CONTEXT_LINES;
use crate::rules::{Class, Depth, Status};

/// `bumpdesk survey`.
pub(crate) async fn survey(runner: &mut Runner<'_>, args: &SurveyArgs) -> Exit {
    let scope = match survey_scope(runner, args).await {
        Ok(scope) => scope,
        Err(exit) => return exit,
    };
    let gate = match args.gate {
        GateWord::Tags => Gate::Tags,
        GateWord::Feed => Gate::Feed,
    };
    let tell_all = matches!(scope, Scope::Addresses(_)) && args.filter.is_none();
    let plan = SurveyPlan { scope, depth: args.depth.into(), max_age: args.max_age, gate };
    let mut judged: Vec<Judgement> = Vec::new();
    let outcome = runner
        .run(Job::Survey(plan), &mut |output, event| {
            let JobEvent::Judged(batch) = event else { return };
            if output.json {
                for one in &batch {
                    output.object("verdict", &wire::VerdictLine::new(&one.address, &one.verdict));
                }
            }
            judged.extend(batch);
        })
        .await;
    judged.sort_by(|a, b| a.address.cmp(&b.address));
    if !runner.output.json {
        tell_judged(&mut runner.output, &judged, tell_all);
    }
    let found = args.check && judged.iter().any(|one| needs_something(one.verdict.status));
    let statuses = wire::statuses(judged.iter().map(|one| one.verdict.status));
    runner.finish(outcome, found, &statuses)
}

/// What `--check` counts: everything but what is fine, cures itself within minutes, or waits for a backfill.
fn needs_something(status: Status) -> bool {
    !matches!(status, Status::Current | Status::Pending | Status::H1Missing)
}

async fn survey_scope(runner: &mut Runner<'_>, args: &SurveyArgs) -> Result<Scope, Exit> {
    if let Some(prefix) = &args.prefix {
        return Ok(Scope::Prefix(prefix.clone()));
    }
    let Some(text) = &args.filter else {
        return Ok(named(runner, &args.addresses).await?.unwrap_or(Scope::Everything));
    };
    let filter = parse_filter(text).map_err(|failure| runner.fail(failure))?;
    let loaded = runner.load().await?;
    let chosen = chosen(runner, &loaded, &filter).await?;
    let rows = loaded.catalog.rows.iter().zip(chosen).filter(|(_, chosen)| *chosen);
    Ok(Scope::Addresses(rows.map(|(row, _)| row.address.clone()).collect()))
}

/// The entries worth a line, then how many have which status.
fn tell_judged(output: &mut Output<'_>, judged: &[Judgement], all: bool) {
    let worth = |one: &&Judgement| all || needs_something(one.verdict.status);
    let ui = output.ui.clone();
    for one in judged.iter().filter(worth) {
        output.line(&text::judged(&ui, one));
    }
    if judged.len() > 1 {
        output.lines(&text::counts(&ui, judged));
    }
    output.flush();
}

/// `bumpdesk diff`.
pub(crate) async fn diff(runner: &mut Runner<'_>, args: &DiffArgs) -> Exit {
    let addresses = match entries(runner, &args.addresses).await {
        Ok(addresses) => addresses,
        Err(exit) => return exit,
    };
    let (mut sum, mut changes) = (Summary::default(), false);
    for address in addresses {
        let plan = OpenPlan {
            address,
            rebuild: Some(args.mode.clone()),
            max_age: Some(args.max_age),
            depth: Depth::Versions,
            with_key: None,
        };
        let outcome = runner
            .run(Job::Open(plan), &mut |output, event| {
                if let JobEvent::Opened(opened) = event {
                    changes |= tell_proposal(output, &opened, args.patch);
                }
            })
            .await;
        match outcome {
            Ok(Outcome::Done(summary)) => add(&mut sum, &summary),
            // One broken file is that entry's trouble; the others are still told.
            Ok(Outcome::Failed(failure)) if failure.kind == FailureKind::Data && args.addresses.len() > 1 => {
                text::tell_failure(&mut runner.output, &failure);
                add(&mut sum, &Summary { entries: 1, broken: 1, ..Summary::default() });
            }
            ended => return runner.finish(ended, false, &()),
        }
    }
    runner.finish(Ok(Outcome::Done(sum)), args.check && changes, &())
}

/// Tells a proposal; true if the file would change.
fn tell_proposal(output: &mut Output<'_>, opened: &Opened, patch: bool) -> bool {
    let Some(proposal) = &opened.proposal else {
        let findings = opened.findings.iter().chain(&opened.verdict.findings);
        if output.json {
            output.object("entry", &wire::Entry::new(opened));
        } else {
            output.line(&Line::of(format!(
                "{}  nothing is proposed: {}",
                opened.address, opened.verdict.because.text
            )));
            for finding in findings {
                output.line(&text::finding(Line::of("  "), finding));
            }
        }
        return false;
    };
    let lines = opened.lines.as_ref().filter(|_| patch);
    let text_patch = lines.map(|lines| lines.unified(&proposal.path, CONTEXT_LINES));
    let verdict = &opened.verdict;
    match (output.json, &text_patch) {
        (true, patch) => {
            output.object("proposal", &wire::ProposalLine::new(proposal, verdict, patch.as_deref()));
        }
        (false, Some(patch)) if patch.is_empty() => {
            let (word, why) = (verdict.word(), &verdict.because.text);
            output.talk(&format!("bumpdesk: {} would not change; {word}: {why}", proposal.path));
        }
        (false, Some(patch)) => output.exact(patch),
        (false, None) => output.lines(&text::proposal(&output.ui, proposal, verdict)),
    }
    proposal.diff.class != Class::Noop
}

/// `bumpdesk bump`.
pub(crate) async fn bump(runner: &mut Runner<'_>, args: &BumpArgs) -> Exit {
    let scope = match &args.prefix {
        Some(prefix) => Scope::Prefix(prefix.clone()),
        None => match named(runner, &args.addresses).await {
            Ok(scope) => scope.unwrap_or(Scope::Everything),
            Err(exit) => return exit,
        },
    };
    let plan = BumpPlan { scope, max_age: args.max_age, dry_run: args.dry_run };
    let mut statuses = Vec::new();
    let outcome = runner
        .run(Job::Bump(plan), &mut |output, event| match event {
            JobEvent::Applied(applied) if output.json => {
                output.object("applied", &wire::AppliedLine::new(&applied));
            }
            JobEvent::Applied(applied) => output.line(&text::applied(&applied)),
            JobEvent::Found(path, finding) if output.json => {
                output.object("finding", &wire::Found::new(&path, &finding));
            }
            JobEvent::Found(path, finding) => {
                output.line(&text::finding(Line::of(format!("{path}: ")), &finding));
            }
            JobEvent::Judged(batch) => statuses.extend(batch.iter().map(|one| one.verdict.status)),
            _ => {}
        })
        .await;
    runner.finish(outcome, false, &wire::statuses(statuses.into_iter()))
}
