//! `view` and its own commands.

use clap::{Args, Subcommand};

use crate::cli::args::commands::{group, sort};
use crate::rules::order::{Group, Sort};

#[derive(Debug, Args)]
pub(crate) struct ViewArgs {
    #[command(subcommand)]
    pub(crate) action: ViewAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ViewAction {
    /// List the views: the built-in ones, then your own.
    #[command(after_long_help = "Example:\n  bumpdesk view list --json")]
    List,
    /// Save a view, over one of the same name.
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
    pub(crate) name: String,
    /// What it shows; the terms are those of `list`.
    #[arg(long, value_name = "Q", default_value = "", hide_default_value = true)]
    pub(crate) filter: String,
    /// The order: status, newest, oldest, address or behind.
    #[arg(long, value_name = "WORD", value_parser = sort, default_value = "status")]
    pub(crate) sort: Sort,
    /// Keep together what has the same status, namespace or kind.
    #[arg(long, value_name = "WORD", value_parser = group, default_value = "none")]
    pub(crate) group: Group,
}
