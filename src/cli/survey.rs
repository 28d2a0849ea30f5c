//! `survey`: reads upstream and judges.

use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::cli::console::Console;
use crate::cli::selection::{chosen, parse_filter, scope};
use crate::cli::values::{DepthWord, length};
use crate::cli::{Run, wire};
use crate::desk::intent::{EntrySelection, Intent};
use crate::desk::objects::VerdictObject;
use crate::jobs::data::{Gate, JobEvent, Judgement, Scope};
use crate::print::exit::Exit;
use crate::print::output::Output;
use crate::print::runner::Runner;
use crate::print::text;
use crate::rules::Status;

/// Read upstream and judge: the whole registry, a part, or single entries. Continues where it stopped.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  bumpdesk survey\n  bumpdesk survey --prefix a --json\n  \
    bumpdesk survey --filter 'ns:hashicorp kind:provider' --depth sums\n  bumpdesk survey hashicorp/aws --check\n\n\
    With --check it exits 1 if any entry is neither OK nor PENDING nor NOHASH with its size.")]
pub(crate) struct SurveyArgs {
    /// Only these entries.
    #[arg(value_name = "ADDRESS", conflicts_with_all = ["prefix", "filter"])]
    pub(super) addresses: Vec<String>,
    /// Only namespaces that start with this: the registry runs its bump one letter at a time.
    #[arg(long, value_name = "START", conflicts_with = "filter")]
    prefix: Option<String>,
    /// Only entries that match; the terms are those of `list`.
    #[arg(long, value_name = "Q")]
    filter: Option<String>,
    /// How deep to read.
    #[arg(long, value_enum, default_value_t = DepthWord::Versions)]
    pub(super) depth: DepthWord,
    /// Reuse answers younger than this instead of asking again.
    #[arg(long, value_name = "AGE", default_value = "15m", value_parser = length)]
    pub(super) max_age: Duration,
    /// Which providers are looked at closely.
    #[arg(long, value_enum, default_value_t = GateWord::Tags)]
    gate: GateWord,
    /// Exit 1 if any entry needs something.
    #[arg(long)]
    check: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GateWord {
    /// All tags against all indexed versions.
    Tags,
    /// Look closely only if the newest tag of the feed is not indexed: fewest requests, but it misses old lines.
    Feed,
}

impl Run for SurveyArgs {
    fn asks_upstream(&self) -> bool {
        true
    }

    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        let scope = self.scope(runner).await?;
        let shows_all = matches!(scope, Scope::Addresses(_)) && self.filter.is_none();
        let is_shown = |one: &Judgement| shows_all || one.verdict.status.needs_something();
        // The verdicts of the whole registry would take most of the memory, so only those that are shown are kept.
        let (mut statuses, mut shown) = (Vec::new(), Vec::new());
        let outcome = runner
            .act("asking for a survey", &self.intent(scope), &mut |output, event| {
                let JobEvent::Judged(batch) = event else { return };
                statuses.extend(batch.iter().map(|one| one.verdict.status));
                if output.json {
                    for one in &batch {
                        output.object("verdict", &VerdictObject::new(&one.address, &one.verdict));
                    }
                } else {
                    shown.extend(batch.into_iter().filter(is_shown));
                }
            })
            .await;
        if !runner.output.json {
            // As the console's list has them.
            shown.sort_by(|a, b| {
                (a.verdict.status.rank(), &a.address).cmp(&(b.verdict.status.rank(), &b.address))
            });
            print_judged(&mut runner.output, &shown, &statuses);
        }
        let found = self.check && statuses.iter().any(|status| status.needs_something());
        Ok(runner.finish(outcome, found, &wire::statuses(statuses.into_iter())))
    }
}

impl SurveyArgs {
    pub(super) fn intent(&self, scope: Scope) -> Intent {
        let gate = match self.gate {
            GateWord::Tags => Gate::Tags,
            GateWord::Feed => Gate::Feed,
        };
        let (selection, depth, max_age) =
            (EntrySelection::Within(scope), self.depth.into(), Some(self.max_age));
        Intent::Survey { selection, depth, max_age, gate }
    }

    async fn scope(&self, runner: &mut Runner<'_>) -> Result<Scope, Exit> {
        if let Some(prefix) = &self.prefix {
            return Ok(Scope::Prefix(prefix.clone()));
        }
        let Some(text) = &self.filter else {
            return Ok(scope(runner, &self.addresses).await?.unwrap_or(Scope::Everything));
        };
        let filter = parse_filter(text).map_err(|failure| runner.fail(failure))?;
        let loaded = runner.load().await?;
        let chosen = chosen(runner, &loaded, &filter).await?;
        let rows = loaded.catalog.rows.iter().zip(chosen).filter(|(_, chosen)| *chosen);
        Ok(Scope::Addresses(rows.map(|(row, _)| row.address.clone()).collect()))
    }
}

/// Prints a line for each entry that is shown, then how many entries have which status.
fn print_judged(output: &mut Output<'_>, shown: &[Judgement], statuses: &[Status]) {
    let ui = output.ui.clone();
    for one in shown {
        output.line(&text::judged(&ui, one));
    }
    if statuses.len() > 1 {
        output.lines(&text::counts(&ui, statuses));
    }
    output.flush();
}
