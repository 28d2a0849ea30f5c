//! `view`: the saved views of the list. Reads and keeps them through jobs; what a view is, is `rules`' part.

use clap::{Args, Subcommand};
use serde::Serialize;

use crate::cli::Run;
use crate::cli::console::Console;
use crate::cli::selection::{parse_filter, recall};
use crate::cli::values::{group, sort};
use crate::jobs::data::{Failure, FailureKind, Job, Outcome};
use crate::print::exit::Exit;
use crate::print::output::Line;
use crate::print::runner::Runner;
use crate::rules::memory::Memory;
use crate::rules::order::{Group, Sort};
use crate::rules::view::View;
use crate::rules::{memory, view};

/// List, save or delete views: a filter, an order and a grouping under a name.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  bumpdesk view list\n  \
    bumpdesk view save mine --filter 'ns:acme status:behind' --group kind\n  bumpdesk list --view mine")]
pub(crate) struct ViewArgs {
    #[command(subcommand)]
    action: ViewAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ViewAction {
    /// List the views: the built-in ones, then your own.
    #[command(after_long_help = "Example:\n  bumpdesk view list --json")]
    List,
    /// Save a view, replacing one of the same name.
    #[command(
        after_long_help = "Example:\n  bumpdesk view save 'our providers' --filter 'kind:provider ns:acme' --sort behind"
    )]
    Save(SaveArgs),
    /// Delete a view of your own.
    #[command(after_long_help = "Example:\n  bumpdesk view delete 'our providers'")]
    Delete {
        /// Its name.
        name: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct SaveArgs {
    /// Its name.
    name: String,
    /// What it shows; the terms are those of `list`.
    #[arg(long, value_name = "Q", default_value = "", hide_default_value = true)]
    filter: String,
    /// The order: status, newest, oldest, address or behind.
    #[arg(long, value_name = "WORD", value_parser = sort, default_value = "status")]
    sort: Sort,
    /// Group rows by status, namespace or kind.
    #[arg(long, value_name = "WORD", value_parser = group, default_value = "none")]
    group: Group,
}

impl Run for ViewArgs {
    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        let mut saved = memory::views(&recall(runner).await?);
        let done = match &self.action {
            ViewAction::List => {
                tell(runner, &saved);
                return Ok(runner.done());
            }
            ViewAction::Save(args) => save(&mut saved, args),
            ViewAction::Delete { name } => view::delete(&mut saved, name)
                .map(|view| format!("view `{}` deleted", view.name))
                .map_err(|cause| usage("deleting a view", cause)),
        };
        let done = done.map_err(|failure| runner.fail(failure))?;
        keep(runner, &saved).await?;
        if !runner.output.json {
            runner.output.note(&format!("bumpdesk: {done}"));
        }
        Ok(runner.done())
    }
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
    let old = if replaced { ", replacing the old one" } else { "" };
    Ok(format!("view `{}` saved{old}", args.name.trim()))
}

fn usage(doing: &str, cause: String) -> Failure {
    Failure::new(FailureKind::Usage, doing).cause(cause).hint("Run `bumpdesk view list` for the views.")
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
            .hint("Quit the other one, or change the views in its console."),
    ))
}

fn tell(runner: &mut Runner<'_>, saved: &[View]) {
    let built_in = view::built_in();
    let all: Vec<(&View, bool)> =
        built_in.iter().map(|view| (view, true)).chain(saved.iter().map(|view| (view, false))).collect();
    if runner.output.json {
        for (view, is_built_in) in all {
            runner.output.object("view", &ViewObject { view, built_in: is_built_in });
        }
        return;
    }
    runner.output.lines(&lines(&all));
    runner.output.flush();
}

/// A line for each view: its name, its filter, and its purpose or its order. Text without room goes below the filter.
fn lines(all: &[(&View, bool)]) -> Vec<Line> {
    let names = all.iter().map(|(view, _)| view.name.chars().count()).max().unwrap_or(0);
    let filters = all.iter().map(|(view, _)| view.filter.chars().count()).max().unwrap_or(0).min(60);
    let line = |(view, is_built_in): &(&View, bool)| {
        let about = match view::purpose(&view.name).filter(|_| *is_built_in) {
            Some(purpose) => purpose.to_owned(),
            None if view.group == Group::None => format!("sort: {}", view.sort.label()),
            None => format!("sort: {}  group: {}", view.sort.label(), view.group.name()),
        };
        Line::of(format!("{:<names$}  {:<filters$}  {about}", view.name, view.filter))
            .hanging(names.min(20) + 2)
    };
    all.iter().map(line).collect()
}

/// The view of this name, if one is named.
pub(crate) async fn named(runner: &mut Runner<'_>, name: Option<&str>) -> Result<Option<View>, Exit> {
    let Some(name) = name else { return Ok(None) };
    let saved = memory::views(&recall(runner).await?);
    view::find(name, &saved).map(Some).map_err(|cause| runner.fail(usage("choosing a view", cause)))
}

/// Type `view`.
#[derive(Serialize)]
struct ViewObject<'a> {
    #[serde(flatten)]
    view: &'a View,
    built_in: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::output::tests::fitted;
    use crate::rules::order::Sort;

    #[test]
    fn views_fit_the_terminal() {
        let own = |name: &str, filter: &str| View {
            name: name.into(),
            filter: filter.into(),
            sort: Sort::Oldest,
            group: Group::Status,
        };
        let long =
            own(&"long name ".repeat(3), &"ns:hashicorp|integrations status:behind,stranded ".repeat(3));
        let short = own("mine", "ns:acme");
        let built_in = view::built_in();
        let all: Vec<(&View, bool)> =
            built_in.iter().map(|view| (view, true)).chain([(&long, false), (&short, false)]).collect();
        for columns in 40..200 {
            let text = fitted(&lines(&all), columns);
            assert!(text.contains("mine") && text.contains("ns:acme"), "{text}");
        }
    }
}
