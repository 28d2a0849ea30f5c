//! `bump`: what the registry's own process does.

use std::time::Duration;

use clap::Args;

use crate::cli::console::Console;
use crate::cli::selection::scope;
use crate::cli::values::length;
use crate::cli::{Run, wire};
use crate::jobs::data::{BumpPlan, Job, JobEvent, Scope};
use crate::print::exit::Exit;
use crate::print::runner::Runner;
use crate::print::text;

/// Do what the registry's own process does: find missing versions, add them, write the data files.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  bumpdesk bump --dry-run\n  bumpdesk bump --prefix a\n  \
    bumpdesk bump newrelic/newrelic\n\nReads everything afresh unless --max-age says otherwise.")]
pub(crate) struct BumpArgs {
    /// Only these entries.
    #[arg(value_name = "ADDRESS", conflicts_with = "prefix")]
    addresses: Vec<String>,
    /// Only namespaces that start with this: the registry runs its bump one letter at a time.
    #[arg(long, value_name = "START")]
    pub(super) prefix: Option<String>,
    /// Say which files would be written; write none.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Reuse answers younger than this instead of asking again; by default everything is asked.
    #[arg(long, value_name = "AGE", default_value = "0", value_parser = length)]
    pub(super) max_age: Duration,
}

impl Run for BumpArgs {
    fn asks_upstream(&self) -> bool {
        true
    }

    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        let scope = match &self.prefix {
            Some(prefix) => Scope::Prefix(prefix.clone()),
            None => scope(runner, &self.addresses).await?.unwrap_or(Scope::Everything),
        };
        let plan = BumpPlan { scope, max_age: self.max_age, dry_run: self.dry_run };
        let mut statuses = Vec::new();
        let outcome = runner
            .run(Job::Bump(plan), &mut |output, event| match event {
                JobEvent::Applied(applied) if output.json => {
                    output.object("applied", &applied);
                }
                JobEvent::Applied(applied) => output.line(&text::applied(&applied)),
                JobEvent::Found(path, finding) => wire::tell_finding(output, &path, &finding),
                JobEvent::Judged(batch) => statuses.extend(batch.iter().map(|one| one.verdict.status)),
                _ => {}
            })
            .await;
        Ok(runner.finish(outcome, false, &wire::statuses(statuses.into_iter())))
    }
}
