//! `completions`: the completion script of a shell.

use clap::{Args, CommandFactory};

use crate::cli::{CommandLine, Invocation, RunEarly};
use crate::print::exit::Exit;

/// Print the completion script of a shell.
#[derive(Debug, Args)]
#[command(
    after_long_help = "Example:\n  bumpdesk completions bash > ~/.local/share/bash-completion/completions/bumpdesk"
)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    shell: clap_complete::Shell,
}

impl RunEarly for CompletionsArgs {
    async fn run(&self, invocation: Invocation<'_>) -> Exit {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut CommandLine::command(), "bumpdesk", &mut script);
        invocation.print(&script)
    }
}
