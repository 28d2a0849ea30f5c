//! The commands that look at what is known: `list`, `show`, `lint`.

use std::time::Duration;

use crate::cli::args::commands::{LintArgs, ListArgs, ShowArgs};
use crate::cli::{views, wire};
use crate::desk::naming;
use crate::jobs::{Failure, FailureKind, Job, JobEvent, LintPlan, Loaded, OpenPlan, Outcome, Scope, Summary};
use crate::print::exit::Exit;
use crate::print::output::Line;
use crate::print::runner::Runner;
use crate::print::text;
use crate::registry::{Address, Row};
use crate::rules::amount::grouped;
use crate::rules::filter::Filter;
use crate::rules::mistake::nearest;
use crate::rules::order::{Sort, gather};
use crate::rules::view::View;
use crate::rules::{Depth, Verdict, lint};

/// What was read since then is not asked again for a key that is tried.
const RECENT: Duration = Duration::from_mins(15);

/// The filter of a list.
fn filter(args: &ListArgs, view: Option<&View>) -> Result<Filter, Failure> {
    let of_view = view.map(|view| parse_filter(&view.filter)).transpose()?.unwrap_or_default();
    let filter = of_view
        .and(parse_filter(&args.filter)?)
        .and_status(args.status.iter().flat_map(|word| word.0.clone()).collect());
    Ok(match args.kind {
        Some(kind) => filter.and_kind(kind.into()),
        None => filter,
    })
}

/// Reads a filter from the command line.
pub(crate) fn parse_filter(text: &str) -> Result<Filter, Failure> {
    Filter::parse(text).map_err(|error| {
        Failure::new(FailureKind::Usage, "reading the filter")
            .cause(error.to_string())
            .hint("See the terms in `bumpdesk help list`.")
    })
}

/// All rows in the order that is asked for: as said, as the view has it, or by address.
fn in_order(loaded: &Loaded, args: &ListArgs, view: Option<&View>) -> Vec<u32> {
    let sort = args.sort.or(view.map(|view| view.sort)).unwrap_or(Sort::Address);
    let group = args.group.or(view.map(|view| view.group)).unwrap_or_default();
    let (rows, verdicts) = (&loaded.catalog.rows, &loaded.verdicts);
    let mut order = sort.arrange(rows, verdicts);
    gather(&mut order, &group.ranks(rows, verdicts));
    order
}

/// `bumpdesk list`.
pub(crate) async fn list(runner: &mut Runner<'_>, args: &ListArgs) -> Exit {
    let view = match views::named(runner, args.view.as_deref()).await {
        Ok(view) => view,
        Err(exit) => return exit,
    };
    let filter = match filter(args, view.as_ref()) {
        Ok(filter) => filter,
        Err(failure) => return runner.fail(failure),
    };
    let loaded = match runner.load().await {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let now = runner.settings.clock.now();
    let chosen = match views::chosen(runner, &loaded, &filter).await {
        Ok(chosen) => chosen,
        Err(exit) => return exit,
    };
    let order = in_order(&loaded, args, view.as_ref());
    let rows: Vec<(&Row, &Verdict)> = order
        .into_iter()
        .map(|at| at as usize)
        .filter(|at| chosen[*at])
        .map(|at| (&loaded.catalog.rows[at], &loaded.verdicts[at]))
        .collect();
    let output = &mut runner.output;
    if output.json {
        for (row, verdict) in &rows {
            output.object("row", &wire::RowLine::new(row, verdict));
        }
    } else {
        let lines =
            if args.csv { text::csv(&rows) } else { text::rows(&output.ui, now, &rows, output.to_terminal) };
        output.lines(&lines);
        output.flush();
        output.talk(&told(&loaded, &rows));
    }
    let summary = Summary { entries: rows.len() as u64, ..Summary::default() };
    let statuses = wire::statuses(rows.iter().map(|(_, verdict)| verdict.status));
    if runner.output.json {
        runner.finish(Ok(Outcome::Done(summary)), false, &statuses)
    } else {
        runner.done()
    }
}

/// `27,463 rows, 412 need attention; main@f00f6d5`.
fn told(loaded: &Loaded, rows: &[(&Row, &Verdict)]) -> String {
    let attention = rows.iter().filter(|(_, verdict)| verdict.status.needs_attention()).count() as u64;
    let of = match loaded.catalog.rows.len() {
        all if all == rows.len() => String::new(),
        all => format!(" of {}", grouped(all)),
    };
    let entries = if rows.len() == 1 && of.is_empty() { "entry" } else { "entries" };
    let need = if attention == 1 { "needs" } else { "need" };
    let (rows, attention) = (grouped(rows.len()), grouped(attention));
    let Loaded { name, revision, .. } = loaded;
    format!("bumpdesk: {rows}{of} {entries}, {attention} {need} attention; {name} {revision}")
}

/// `bumpdesk show`.
pub(crate) async fn show(runner: &mut Runner<'_>, args: &ShowArgs) -> Exit {
    let loaded = match runner.load().await {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let address = match naming::address(&args.words.join(" "), &loaded.catalog) {
        Ok(address) => address,
        Err(failure) => return runner.fail(failure),
    };
    let with_key = args.with_key.clone();
    // Without signatures there is nothing to try a key on.
    let (max_age, depth) = match with_key {
        Some(_) => (args.max_age.or(Some(RECENT)), Depth::Sums),
        None => (args.max_age, args.depth.into()),
    };
    let plan = OpenPlan { address, rebuild: None, max_age, depth, with_key };
    let now = runner.settings.clock.now();
    let outcome = runner
        .run(Job::Open(plan), &mut |output, event| {
            let JobEvent::Opened(opened) = event else { return };
            if output.json {
                output.object("entry", &wire::Entry::new(&opened));
            } else {
                output.lines(&text::entry(&output.ui, now, &opened));
            }
        })
        .await;
    // What the job could not see for lack of a token means nothing where it was told to ask nobody.
    let outcome = match outcome {
        Ok(Outcome::Done(summary)) if max_age.is_none() => {
            Ok(Outcome::Done(Summary { limits: Vec::new(), ..summary }))
        }
        outcome => outcome,
    };
    runner.finish(outcome, false, &())
}

/// `bumpdesk lint`.
pub(crate) async fn lint(runner: &mut Runner<'_>, args: &LintArgs) -> Exit {
    if let Some(rule) = args.rules.iter().find(|rule| !lint::RULES.contains(&rule.as_str())) {
        let near = nearest(rule, lint::RULES).map(|near| format!("Write `{near}` instead."));
        return runner.fail(
            Failure::new(FailureKind::Usage, "choosing the rules")
                .cause(format!("there is no rule `{rule}`"))
                .hint(near.unwrap_or_else(|| format!("Known rules: {}.", lint::RULES.join(", ")))),
        );
    }
    let scope = match named(runner, &args.addresses).await {
        Ok(scope) => scope.unwrap_or(Scope::Everything),
        Err(exit) => return exit,
    };
    let mut found = false;
    let plan = LintPlan { scope, rules: args.rules.clone() };
    let outcome = runner
        .run(Job::Lint(plan), &mut |output, event| {
            let JobEvent::Found(path, finding) = event else { return };
            found = true;
            if output.json {
                output.object("finding", &wire::Found::new(&path, &finding));
            } else {
                output.line(&text::finding(Line::of(format!("{path}: ")), &finding));
            }
        })
        .await;
    runner.finish(outcome, found, &())
}

/// The scope that addresses give; `None` if there are none.
pub(crate) async fn named(runner: &mut Runner<'_>, words: &[String]) -> Result<Option<Scope>, Exit> {
    if words.is_empty() {
        return Ok(None);
    }
    Ok(Some(Scope::Addresses(entries(runner, words).await?)))
}

/// The entries that words name in the registry.
pub(crate) async fn entries(runner: &mut Runner<'_>, words: &[String]) -> Result<Vec<Address>, Exit> {
    let loaded = runner.load().await?;
    naming::addresses(words, &loaded.catalog).map_err(|failure| runner.fail(failure))
}
