//! `pr watch` and `pr list`: what became of pull requests that were opened.

use clap::Args;
use jiff::Timestamp;
use serde::Serialize;

use crate::desk::intent::Intent;
use crate::desk::telling::watch::NONE_OPEN;
use crate::jobs::data::{JobEvent, Outcome, WatchPlan};
use crate::print::exit::Exit;
use crate::print::output::{Line, Output};
use crate::print::runner::{Left, Runner};
use crate::print::text;
use crate::rules::pull_steps::pull_steps;
use crate::rules::watch::{PullState, Wait, WatchedPull};

#[derive(Debug, Args)]
pub(super) struct WatchArgs {
    /// The pull request's number.
    #[arg(value_name = "NUMBER")]
    number: u64,
    /// Look once, and end.
    #[arg(long)]
    once: bool,
}

impl WatchArgs {
    pub(super) fn intent(&self) -> Intent {
        Intent::Watch(WatchPlan { number: Some(self.number), once: self.once })
    }

    pub(super) async fn run(&self, runner: &mut Runner<'_>) -> Result<Exit, Exit> {
        let mut text = String::new();
        let outcome = runner
            .act("watching it", &self.intent(), &mut |output, event| {
                if let JobEvent::Watched(pull) = event {
                    tell_news(output, &pull, &mut text);
                }
            })
            .await;
        Ok(end(runner, outcome))
    }
}

/// A look at the open ones that bumpdesk made.
pub(super) fn every_one() -> Intent {
    Intent::Watch(WatchPlan { number: None, once: true })
}

pub(super) async fn list(runner: &mut Runner<'_>) -> Result<Exit, Exit> {
    let mut is_empty = true;
    let outcome = runner
        .act("reading them", &every_one(), &mut |output, event| {
            if let JobEvent::Watched(pull) = event {
                is_empty = false;
                if output.json {
                    output.object("pull", &PullObject::of(&pull));
                } else {
                    let ui = output.ui.clone();
                    output.lines(&text::listed(&ui, &pull));
                }
            }
        })
        .await;
    if is_empty && matches!(outcome, Ok(Outcome::Done(_))) {
        runner.output.note(&format!("bumpdesk: {NONE_OPEN}"));
    }
    Ok(end(runner, outcome))
}

/// Prints everything at the first and the last look, and a line for the news between them. `text` is the text that was printed
/// last.
fn tell_news(output: &mut Output<'_>, pull: &WatchedPull, text: &mut String) {
    let last = std::mem::replace(text, pull.told());
    if output.json {
        output.object("pull", &PullObject::of(pull));
    } else if last.is_empty() || pull.is_over() {
        let ui = output.ui.clone();
        output.lines(&text::watched(&ui, pull));
    } else if last != *text {
        output.lines(&[Line::of(format!("#{}: {text}", pull.number)).hanging(2)]);
    }
}

fn end(runner: &mut Runner<'_>, outcome: Result<Outcome, Left>) -> Exit {
    match &outcome {
        Ok(done @ Outcome::Done(summary)) if summary.failed > 0 => {
            runner.finish_as(Exit::Incomplete, done, &())
        }
        _ => runner.finish(outcome, false, &()),
    }
}

/// A pull request as it is now, type `pull`. Null values are not known, or do not exist yet.
#[derive(Serialize)]
struct PullObject<'a> {
    number: u64,
    title: &'a str,
    author: &'a str,
    branch: &'a str,
    head: &'a str,
    opened: Timestamp,
    state: &'static str,
    merged: Option<MergedObject<'a>>,
    /// GitHub's word for a merge: `free`, `conflicts`, `behind`, `blocked`, `unknown`.
    merge: &'static str,
    labels: &'a [String],
    requested: &'a [String],
    checks: Vec<CheckObject<'a>>,
    checks_read: Vec<&'static str>,
    reviews: Option<Vec<ReviewObject<'a>>>,
    approvals: Option<u64>,
    approvals_needed: Option<u64>,
    needs_two: bool,
    steps: Vec<StepObject>,
    waits: Vec<String>,
    unknown: Vec<String>,
    over: bool,
    after: Option<AfterObject<'a>>,
}

#[derive(Serialize)]
struct MergedObject<'a> {
    by: &'a str,
    commit: &'a str,
    at: Option<Timestamp>,
}

#[derive(Serialize)]
struct StepObject {
    name: &'static str,
    /// `done`, `waiting`, `failed`, `to come`, `not done`, `unknown`.
    state: &'static str,
    at: Option<Timestamp>,
}

#[derive(Serialize)]
struct CheckObject<'a> {
    name: &'a str,
    from: &'static str,
    state: &'static str,
    said: &'a str,
}

#[derive(Serialize)]
struct ReviewObject<'a> {
    author: &'a str,
    state: &'static str,
    counts: bool,
    of_head: bool,
}

#[derive(Serialize)]
struct AfterObject<'a> {
    main: &'a str,
    bump: Option<&'a str>,
    /// The letters of the bumps since the merge.
    letters: Vec<&'a str>,
    /// A run over all letters, which began after the merge, has ended well.
    run_ended: bool,
    /// Else all commits of bumps count, whenever their run began.
    runs_read: bool,
    /// Null before the bump, and where it is not known.
    kept: Option<bool>,
    files: Vec<FileObject<'a>>,
}

#[derive(Serialize)]
struct FileObject<'a> {
    path: &'a str,
    kept: Option<bool>,
}

impl<'a> PullObject<'a> {
    fn of(pull: &'a WatchedPull) -> Self {
        let (unknown, waits): (Vec<Wait>, Vec<Wait>) =
            pull.waits().into_iter().partition(|wait| matches!(wait, Wait::Unknown(_)));
        let texts = |waits: Vec<Wait>| waits.iter().map(Wait::text).collect();
        let (have, need) = pull.approvals();
        let merged = match &pull.state {
            PullState::Merged(merged) => {
                Some(MergedObject { by: &merged.by, commit: &merged.commit, at: merged.at })
            }
            _ => None,
        };
        let checks = pull.checks.list.iter().map(|check| CheckObject {
            name: &check.name,
            from: check.source.word(),
            state: check.state.word(),
            said: &check.said,
        });
        let steps = pull_steps(pull).into_iter().map(|step| StepObject {
            name: step.name,
            state: step.state.word(),
            at: step.at,
        });
        let reviews = pull.reviews.iter().next().map(|reviews| {
            let object = |review: &'a crate::rules::watch::Review| ReviewObject {
                author: &review.author,
                state: review.opinion.word(),
                counts: review.counts,
                of_head: review.is_of_head,
            };
            reviews.iter().map(object).collect()
        });
        let after = pull.after.as_ref().and_then(|after| after.as_ref().ok()).map(|after| AfterObject {
            main: &after.main,
            bump: after.bumps.list.last().map(|bump| &*bump.commit),
            letters: after.bumps.list.iter().filter_map(|bump| bump.letter.as_deref()).collect(),
            run_ended: after.bumps.run_ended,
            runs_read: after.bumps.runs_read,
            kept: if after.waits_for().is_some() { None } else { after.is_kept().ok() },
            files: after
                .files
                .iter()
                .map(|file| FileObject { path: &file.path, kept: file.is_kept.as_ref().ok().copied() })
                .collect(),
        });
        Self {
            number: pull.number,
            title: &pull.title,
            author: &pull.author,
            branch: &pull.branch,
            head: &pull.head,
            opened: pull.opened,
            state: pull.state.word(),
            merged,
            merge: pull.merge.word(),
            labels: &pull.labels,
            requested: &pull.requested,
            checks: checks.collect(),
            checks_read: pull.checks.read.iter().map(|source| source.word()).collect(),
            reviews,
            approvals: have.ok(),
            approvals_needed: need.ok(),
            needs_two: pull.needs_two(),
            steps: steps.collect(),
            waits: texts(waits),
            unknown: texts(unknown),
            over: pull.is_over(),
            after,
        }
    }
}
