//! `show`: one entry, with why it stands as it does and what can be done.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::cli::Run;
use crate::cli::console::Console;
use crate::cli::selection::{entries, open_each};
use crate::cli::values::{DepthWord, length};
use crate::desk::ability::NextStep;
use crate::desk::intent::Intent;
use crate::desk::objects::EntryObject;
use crate::desk::telling::markdown;
use crate::jobs::data::{OpenPlan, Opened, Outcome};
use crate::print::exit::Exit;
use crate::print::output::{Line, Output};
use crate::print::runner::Runner;
use crate::print::text;
use crate::registry::Address;
use crate::rules::Depth;

/// Facts that were read since then are not asked again for a key that is tried.
const RECENT: Duration = Duration::from_mins(15);

/// Show one entry: what its status is, why, what happens if nothing is done, and what can be done.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  bumpdesk show newrelic/newrelic\n  \
    bumpdesk show newrelic/newrelic hashicorp/aws --json\n  \
    bumpdesk show https://github.com/newrelic/terraform-provider-newrelic\n  bumpdesk show terraform-aws-modules/vpc/aws --max-age 15m\n  \
    bumpdesk show newrelic/newrelic --markdown\n  \
    bumpdesk show namecheap/namecheap --with-key new.asc")]
pub(crate) struct ShowArgs {
    /// The addresses: namespace/name, namespace/name/target, or a URL on GitHub or in the registry.
    #[arg(required = true, value_name = "ADDRESS")]
    pub(super) addresses: Vec<String>,
    /// Ask upstream if what is known is older than this; without it nothing is asked.
    #[arg(long, value_name = "AGE", value_parser = length)]
    max_age: Option<Duration>,
    /// How deep to read, if upstream is asked.
    #[arg(long, value_enum, default_value_t = DepthWord::Versions)]
    depth: DepthWord,
    /// Tell what adding this key file would change: which versions it verifies, which would stop installing. Asks upstream.
    #[arg(long, value_name = "FILE")]
    with_key: Option<PathBuf>,
    /// Print it as Markdown for an issue or a comment, and nothing else.
    #[arg(long)]
    markdown: bool,
}

impl Run for ShowArgs {
    fn asks_upstream(&self) -> bool {
        self.max_age.is_some() || self.with_key.is_some()
    }

    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        let addresses = entries(runner, &self.addresses).await?;
        let now = runner.settings.clock.now();
        let mut count = 0;
        let mut tell = |output: &mut Output<'_>, opened: &Opened| {
            if output.json {
                return output.object("entry", &EntryObject::new(opened));
            }
            if count > 0 {
                output.line(&Line::default());
            }
            count += 1;
            if self.markdown {
                return output.exact(&markdown::entry(&opened.address, &opened.verdict, Some(opened), now));
            }
            let address = opened.address.to_string();
            let name =
                |step: &NextStep| Some(format!("`{}`", step.command_line()?.replace("ADDRESS", &address)));
            output.lines(&text::entry(&output.ui, now, opened, name));
        };
        let intents = addresses.into_iter().map(|address| self.intent(address)).collect();
        let mut sum = open_each(runner, "opening an entry", intents, &mut tell).await?;
        // What the job could not see for lack of a token means nothing where it was told to ask nobody.
        if !self.asks_upstream() {
            sum.limits.clear();
        }
        Ok(runner.finish(Ok(Outcome::Done(sum)), false, &()))
    }
}

impl ShowArgs {
    pub(super) fn intent(&self, address: Address) -> Intent {
        let with_key = self.with_key.clone();
        // Without signatures there is nothing to try a key on.
        let (max_age, depth) = match with_key {
            Some(_) => (self.max_age.or(Some(RECENT)), Depth::Sums),
            None => (self.max_age, self.depth.into()),
        };
        Intent::Open(OpenPlan { address, rebuild: None, max_age, depth, with_key })
    }
}
