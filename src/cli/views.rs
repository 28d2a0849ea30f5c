//! `view`, and what lists take from the console's memory: its views, its marks, its last look. Reads and keeps the memory
//! through jobs; what a view is, is `rules`' part.

use crate::cli::args::view::{SaveArgs, ViewAction, ViewArgs};
use crate::cli::looking::parse_filter;
use crate::cli::wire;
use crate::jobs::{Failure, FailureKind, Job, JobEvent, Loaded, Outcome};
use crate::print::exit::Exit;
use crate::print::output::Line;
use crate::print::runner::Runner;
use crate::rules::filter::{Field, Filter, Haystack};
use crate::rules::memory::Memory;
use crate::rules::order::{Group, needs_attention};
use crate::rules::view::View;
use crate::rules::{memory, view};

/// `bumpdesk view`.
pub(crate) async fn view(runner: &mut Runner<'_>, args: &ViewArgs) -> Exit {
    match change(runner, args).await {
        Ok(exit) | Err(exit) => exit,
    }
}

async fn change(runner: &mut Runner<'_>, args: &ViewArgs) -> Result<Exit, Exit> {
    let mut saved = memory::views(&recall(runner).await?);
    let told = match &args.action {
        ViewAction::List => {
            tell(runner, &saved);
            return Ok(runner.done());
        }
        ViewAction::Save(args) => save(&mut saved, args),
        ViewAction::Delete { name } => view::delete(&mut saved, name)
            .map(|view| format!("view `{}` deleted", view.name))
            .map_err(|cause| usage("deleting a view", cause)),
    };
    let told = told.map_err(|failure| runner.fail(failure))?;
    keep(runner, &saved).await?;
    if !runner.output.json {
        runner.output.talk(&format!("bumpdesk: {told}"));
    }
    Ok(runner.done())
}

fn save(saved: &mut Vec<View>, args: &SaveArgs) -> Result<String, Failure> {
    parse_filter(&args.filter)?;
    let view = View {
        name: args.name.clone(),
        filter: args.filter.trim().to_owned(),
        sort: args.sort,
        group: args.group,
    };
    let replaced = view::save(saved, view).map_err(|cause| usage("saving a view", cause))?;
    let old = if replaced { ", in place of the old one" } else { "" };
    Ok(format!("view `{}` saved{old}", args.name.trim()))
}

fn usage(doing: &str, cause: String) -> Failure {
    Failure::new(FailureKind::Usage, doing)
        .cause(cause)
        .hint("Run `bumpdesk view list` for the views that there are.")
}

/// Keeps the views, and makes sure that they are kept: while a console holds the state they are not.
async fn keep(runner: &mut Runner<'_>, saved: &[View]) -> Result<(), Exit> {
    let mut memory = Memory::new();
    memory::put_views(&mut memory, saved);
    match runner.run(Job::Remember(memory), &mut |_, _| {}).await {
        Ok(Outcome::Done(_)) => {}
        outcome => return Err(runner.finish(outcome, false, &())),
    }
    if memory::views(&recall(runner).await?) == saved {
        return Ok(());
    }
    Err(runner.fail(
        Failure::new(FailureKind::Conflict, "keeping the views")
            .cause("another bumpdesk holds the state, or it cannot be written")
            .hint("Leave the other one, or change the views in its console."),
    ))
}

fn tell(runner: &mut Runner<'_>, saved: &[View]) {
    let built_in = view::built_in();
    let all: Vec<(&View, bool)> =
        built_in.iter().map(|view| (view, true)).chain(saved.iter().map(|view| (view, false))).collect();
    if runner.output.json {
        for (view, is_built_in) in all {
            runner.output.object("view", &wire::ViewLine::new(view, is_built_in));
        }
        return;
    }
    let names = all.iter().map(|(view, _)| view.name.chars().count()).max().unwrap_or(0);
    let filters = all.iter().map(|(view, _)| view.filter.chars().count()).max().unwrap_or(0).min(60);
    let lines: Vec<Line> = all
        .into_iter()
        .map(|(view, is_built_in)| {
            let about = match view::purpose(&view.name).filter(|_| is_built_in) {
                Some(purpose) => purpose.to_owned(),
                None if view.group == Group::None => format!("sort: {}", view.sort.label()),
                None => format!("sort: {}  group: {}", view.sort.label(), view.group.name()),
            };
            Line::of(format!("{:<names$}  {:<filters$}  {about}", view.name, view.filter))
        })
        .collect();
    runner.output.lines(&lines);
    runner.output.flush();
}

/// What the console kept. The error is the command's exit, already told.
async fn recall(runner: &mut Runner<'_>) -> Result<Memory, Exit> {
    let mut memory = Memory::new();
    let outcome = runner
        .run(Job::Recall, &mut |_, event| {
            if let JobEvent::Recalled(kept) = event {
                memory = kept;
            }
        })
        .await;
    match outcome {
        Ok(Outcome::Done(_)) => Ok(memory),
        outcome => Err(runner.finish(outcome, false, &())),
    }
}

/// The view of this name, if one is named.
pub(crate) async fn named(runner: &mut Runner<'_>, name: Option<&str>) -> Result<Option<View>, Exit> {
    let Some(name) = name else { return Ok(None) };
    let saved = memory::views(&recall(runner).await?);
    view::find(name, &saved).map(Some).map_err(|cause| runner.fail(usage("choosing a view", cause)))
}

/// Which rows a filter lets through. Marks and the last look are the console's.
pub(crate) async fn chosen(
    runner: &mut Runner<'_>,
    loaded: &Loaded,
    filter: &Filter,
) -> Result<Vec<bool>, Exit> {
    let memory = if filter.asks_for_memory() { recall(runner).await? } else { Memory::new() };
    let (marks, look) = (memory::marks(&memory), memory::look(&memory));
    let rows = loaded.catalog.rows.iter().zip(&loaded.verdicts);
    let new: Vec<bool> = match &look {
        Some(look) => {
            rows.map(|(row, verdict)| needs_attention(row, verdict) && !look.has(&row.address)).collect()
        }
        None => Vec::new(),
    };
    let marked: Vec<bool> = loaded.catalog.rows.iter().map(|row| marks.contains(&row.address)).collect();
    Ok(filter.select(&Field {
        rows: &loaded.catalog.rows,
        verdicts: &loaded.verdicts,
        haystack: &Haystack::new(&loaded.catalog),
        marked: &marked,
        new: &new,
        now: runner.settings.clock.now(),
    }))
}
