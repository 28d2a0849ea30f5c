//! The targets that a backfill is asked for, from the command line.

use clap::Args;

use crate::cli::selection::{apart, chosen, parse_filter, recall};
use crate::desk::naming;
use crate::jobs::data::{Failure, FailureKind};
use crate::print::exit::Exit;
use crate::print::runner::Runner;
use crate::registry::{Address, Kind};
use crate::rules::backfill::{Selected, Selection};
use crate::rules::memory;

#[derive(Debug, Args)]
#[group(id = "what", required = true, multiple = false)]
pub(crate) struct SelectionArgs {
    /// The providers, single versions of them, or versions within bounds: acme/rocket@'>= 1.0.0, < 2.0.0'.
    #[arg(value_name = "ADDRESS[@VERSIONS]", group = "what")]
    addresses: Vec<String>,
    /// The providers that match; the terms are those of `list`.
    #[arg(long, value_name = "Q", group = "what")]
    filter: Option<String>,
    /// The providers that are marked in the console.
    #[arg(long, group = "what")]
    marked: bool,
    /// Every provider of the registry.
    #[arg(long, group = "what")]
    all: bool,
}

impl SelectionArgs {
    pub(super) async fn read(&self, runner: &mut Runner<'_>) -> Result<Selection, Exit> {
        if self.all {
            return Ok(Selection::Everything);
        }
        if let Some(text) = &self.filter {
            let filter = parse_filter(text).map_err(|failure| runner.fail(failure))?;
            let loaded = runner.load().await?;
            let chosen = chosen(runner, &loaded, &filter).await?;
            let rows = loaded.catalog.rows.iter().zip(chosen).filter(|(_, chosen)| *chosen);
            let addresses: Vec<Address> = rows.map(|(row, _)| row.address.clone()).collect();
            return providers(addresses, &format!("no provider matches `{text}`"))
                .map_err(|failure| runner.fail(failure));
        }
        if self.marked {
            let marked = memory::marks(&recall(runner).await?).into_iter().collect();
            return providers(marked, "no provider is marked").map_err(|failure| runner.fail(failure));
        }
        let loaded = runner.load().await?;
        let one = |text: &String| {
            let (address, versions) = apart(text)?;
            let address = naming::address(address, &loaded.catalog)?;
            Selected::new(address, versions).map_err(|why| {
                Failure::new(FailureKind::Usage, format!("reading `{text}`"))
                    .cause(why)
                    .hint("Write ADDRESS, ADDRESS@VERSION, or bounds such as ADDRESS@'>= 1.0.0, < 2.0.0'.")
            })
        };
        let these: Result<Vec<Selected>, Failure> = self.addresses.iter().map(one).collect();
        these.map(Selection::These).map_err(|failure| runner.fail(failure))
    }
}

/// Those among them that are providers: modules have no archives.
fn providers(mut addresses: Vec<Address>, none: &str) -> Result<Selection, Failure> {
    addresses.retain(|address| address.kind() == Kind::Provider);
    if addresses.is_empty() {
        return Err(Failure::new(FailureKind::Usage, "asking what to fill in")
            .cause(none)
            .hint("Run `bumpdesk list --filter Q` to see what a filter takes."));
    }
    let one = |address| Selected { address, versions: None };
    Ok(Selection::These(addresses.into_iter().map(one).collect()))
}
