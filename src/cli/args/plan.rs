//! `plan` and its own commands; `jobs` and `log`.

use std::time::Duration;

use clap::{Args, Subcommand};

use crate::cli::args::commands::{length, mode};
use crate::rules::Mode;

#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    #[command(subcommand)]
    pub(crate) action: PlanAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PlanAction {
    /// Build the rebuild of entries and put it into the plan. Marks of changes that are the same as before stay.
    #[command(after_long_help = "Example:\n  bumpdesk plan add newrelic/newrelic auth0/auth0")]
    Add(PlanAddArgs),
    /// Show the plan; with addresses, show all that would change there. What was printed in full counts as looked at.
    #[command(
        after_long_help = "Examples:\n  bumpdesk plan show\n  bumpdesk plan show newrelic/newrelic --json"
    )]
    Show {
        /// Only these entries, in full.
        #[arg(value_name = "ADDRESS")]
        addresses: Vec<String>,
    },
    /// Approve changes that were looked at: a whole file, or one version of it.
    #[command(after_long_help = "Examples:\n  bumpdesk plan approve newrelic/newrelic\n  \
        bumpdesk plan approve newrelic/newrelic@3.70.1 newrelic/newrelic@rest\n\n\
        `rest` is what changes outside the versions.")]
    Approve(MarkArgs),
    /// Reject changes: they stay out of what would be sent.
    #[command(
        after_long_help = "Example:\n  bumpdesk plan reject newrelic/newrelic@3.70.1 --note 'wrong signature'"
    )]
    Reject(MarkArgs),
    /// Take an approval or a rejection back.
    #[command(after_long_help = "Example:\n  bumpdesk plan reopen newrelic/newrelic@3.70.1")]
    Reopen(MarkArgs),
    /// Write a note on changes; an empty text takes it away.
    #[command(
        after_long_help = "Example:\n  bumpdesk plan note newrelic/newrelic@3.70.1 --note 'asked the author'"
    )]
    Note(MarkArgs),
    /// Build the whole plan again, on the registry and upstream as they are now. Marks of unchanged changes stay.
    #[command(after_long_help = "Example:\n  bumpdesk plan rebuild --max-age 0")]
    Rebuild {
        /// Do not ask again what is known and younger than this.
        #[arg(long, value_name = "AGE", default_value = "0", value_parser = length)]
        max_age: Duration,
    },
    /// Take entries out of the plan, with their marks.
    #[command(
        after_long_help = "Examples:\n  bumpdesk plan drop newrelic/newrelic\n  bumpdesk plan drop --all"
    )]
    Drop {
        /// The entries.
        #[arg(value_name = "ADDRESS", required_unless_present = "all")]
        addresses: Vec<String>,
        /// All of them.
        #[arg(long, conflicts_with = "addresses")]
        all: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct PlanAddArgs {
    /// The entries.
    #[arg(value_name = "ADDRESS", required = true)]
    pub(crate) addresses: Vec<String>,
    /// add: missing versions, as production does; scratch: everything again; refresh=V,V: these versions again.
    #[arg(long, value_name = "MODE", default_value = "add", value_parser = mode)]
    pub(crate) mode: Mode,
    /// Do not ask again what is known and younger than this.
    #[arg(long, value_name = "AGE", default_value = "15m", value_parser = length)]
    pub(crate) max_age: Duration,
}

#[derive(Debug, Args)]
pub(crate) struct MarkArgs {
    /// The changes: a planned entry, or one version of it.
    #[arg(value_name = "ADDRESS[@VERSION]", required = true)]
    pub(crate) changes: Vec<String>,
    /// A note on each of them.
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct LogArgs {
    /// Only what is younger than this.
    #[arg(long, value_name = "AGE", value_parser = length)]
    pub(crate) since: Option<Duration>,
    /// Only errors, warnings and failed requests.
    #[arg(long)]
    pub(crate) errors: bool,
    /// At most so many lines, the last ones.
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub(crate) last: usize,
}

#[derive(Debug, Args)]
pub(crate) struct JobsArgs {
    /// At most so many jobs, the last ones.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) last: usize,
}
