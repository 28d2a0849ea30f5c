//! `demo`: an invented GitHub on this machine, and the console or one command on it.

#[cfg(feature = "demo")]
mod serving;
#[cfg(feature = "demo")]
mod tour;

use std::path::PathBuf;

use clap::Args;

use crate::cli::Run;
use crate::cli::command_line::CommandLine;
use crate::cli::console::Console;
#[cfg(not(feature = "demo"))]
use crate::jobs::data::{Failure, FailureKind};
use crate::print::exit::Exit;
use crate::print::runner::Runner;

/// Start an invented GitHub on this machine and open the console on it: no network, no token.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  bumpdesk demo\n  bumpdesk demo --serve --self-urls\n  \
    bumpdesk demo --serve --from ../registry --ref HEAD~1 --latency-ms 50")]
pub(crate) struct DemoArgs {
    /// Only serve: print the addresses, the registry's folder and how to use them, and serve until Ctrl-C.
    #[arg(long)]
    serve: bool,
    /// Have the served registry name this world in its URLs, so that a real tofu or terraform installs from it.
    #[arg(long, requires = "serve", conflicts_with_all = ["http", "from"])]
    self_urls: bool,
    /// Derive the world from a registry checkout instead of inventing one.
    #[arg(long, value_name = "PATH")]
    from: Option<PathBuf>,
    /// Serve plain HTTP instead of TLS.
    #[arg(long)]
    http: bool,
    /// Answer every request this much later.
    #[arg(long, value_name = "N", default_value_t = 0)]
    latency_ms: u64,
    /// A world of your own, in TOML.
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    world: Option<PathBuf>,
    /// Run one command in that world instead of opening the console, such as `-- verify stonewharf/sundial`.
    #[arg(last = true, value_name = "COMMAND", conflicts_with = "serve")]
    command: Vec<String>,
}

impl DemoArgs {
    /// The words after `--`, as a command line of its own.
    pub(super) fn inner_line(&self) -> Result<CommandLine, clap::Error> {
        let words = self.command.iter().map(String::as_str);
        CommandLine::read(std::iter::once("bumpdesk").chain(words))
    }
}

impl Run for DemoArgs {
    #[cfg(feature = "demo")]
    async fn run(&self, runner: &mut Runner<'_>, console: Console) -> Result<Exit, Exit> {
        let exit = if self.serve {
            tour::serve(runner, self).await
        } else {
            tour::open(runner, console, self).await
        };
        exit.map_err(|failure| runner.fail(failure))
    }

    #[cfg(not(feature = "demo"))]
    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        Err(runner.fail(
            Failure::new(FailureKind::Usage, "opening the demo world")
                .cause("this bumpdesk was built without it")
                .hint("Build it with `--features demo`, which a plain `cargo build` has."),
        ))
    }
}
