//! What a command line is made of: the global options here, and one of the commands.
//!
//! Says what was said and nothing more; what it means is `boot`'s (settings) and the commands' own.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ContextKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, ValueEnum};

use crate::boot::Flags;
use crate::cli::Command;

/// A console for the maintainers of the OpenTofu registry.
///
/// Shows the true bump status of every provider and module, and why; builds and shows proposed rebuilds; runs the
/// registry's own bump process. Without a command it opens the console.
#[derive(Debug, Parser)]
#[command(name = "bumpdesk", version, max_term_width = 110, disable_help_subcommand = true, after_long_help = EXAMPLES)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) global: Global,
}

const EXAMPLES: &str = "\
Examples:
  bumpdesk demo                           look around in an invented world, without network or token
  bumpdesk clone && cd registry           get the registry's data
  bumpdesk survey --prefix n              read upstream for every namespace that starts with n
  bumpdesk list --status behind,stranded  the entries that a survey found wanting
  bumpdesk show newrelic/newrelic         what is wrong with one entry, and why
  bumpdesk diff newrelic/newrelic         the rebuild that would repair it
  bumpdesk help                           the topics of the manual

Exit codes:
  0 done   1 findings (with --check, or lint)   2 wrong use or configuration   3 upstream or network failed
  4 refused (gate, policy, lock)   5 incomplete, can be resumed   130 cancelled";

/// What the help of a command ends with, in place of the options that all of them have.
const OF_ALL: &str = "Options of every command, such as --registry, --json and --color: bumpdesk --help";

impl CommandLine {
    /// Reads a command line, the program's name first.
    pub(crate) fn read<I: IntoIterator<Item: Into<OsString>>>(words: I) -> Result<Self, clap::Error> {
        let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
        // The whole definition takes longer to make than some commands take to run, and only help and mistakes need it.
        if let Ok(read) = Self::try_parse_from(&words) {
            return Ok(read);
        }
        let mut definition = Self::definition();
        let read = definition.try_get_matches_from_mut(words).and_then(|mut matches| {
            Self::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut definition))
        });
        read.map_err(|mut error| {
            let suggested = error.get(ContextKind::SuggestedArg).map(ToString::to_string);
            if suggested.is_some_and(|option| option.trim_start_matches("--") == HIDDEN) {
                error.remove(ContextKind::SuggestedArg);
            }
            error
        })
    }

    /// All commands and options. The options of every command are told in the program's own help alone.
    pub(crate) fn definition() -> clap::Command {
        fn briefly(command: clap::Command) -> clap::Command {
            let long = match command.get_after_long_help() {
                Some(own) => format!("{own}\n\n{OF_ALL}"),
                None => OF_ALL.to_owned(),
            };
            let hidden = |argument: clap::Arg| {
                let is_hidden = argument.is_hide_set() || argument.is_global_set();
                argument.hide(is_hidden)
            };
            command.mut_args(hidden).after_help(OF_ALL).after_long_help(long).mut_subcommands(briefly)
        }
        let mut command = Self::command();
        // Puts the options of every command into each.
        command.build();
        command.mut_subcommands(briefly)
    }
}

/// The option that no help lists.
const HIDDEN: &str = "now";

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ColorWhen {
    /// On a terminal, unless NO_COLOR or a dumb terminal says otherwise.
    Auto,
    /// In pipes and files too, for `| less -R`. JSON never has any.
    Always,
    Never,
}

/// Options of every command.
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
#[derive(Debug, Default, Args)]
pub(crate) struct Global {
    /// The registry checkout; by default $BUMPDESK_REGISTRY, the configuration, or the current folder and its parents.
    #[arg(long, value_name = "PATH", global = true, help_heading = "Registry")]
    registry: Option<PathBuf>,
    /// Read the data from this commit, tag or branch instead of the work tree.
    #[arg(long = "ref", value_name = "REF", global = true, help_heading = "Registry")]
    reference: Option<String>,
    /// Switch a format feature: target-hashes, discovered-timestamps, versions-errors, module-commits. Repeatable.
    #[arg(long = "feature", value_name = "NAME=on|off", global = true, help_heading = "Registry")]
    features: Vec<String>,

    /// Print JSON: one object a line, each with "v" and "type", the last of type "outcome".
    #[arg(long, global = true, help_heading = "Output")]
    pub(crate) json: bool,
    /// One fact a line, numbered, without cursor movement: for screen readers and logs ($BUMPDESK_PLAIN, $ACCESSIBLE).
    #[arg(long, global = true, help_heading = "Output")]
    plain: bool,
    /// When to use colour.
    #[arg(long, value_name = "WHEN", value_enum, global = true, help_heading = "Output")]
    color: Option<ColorWhen>,
    /// Draw with ASCII only.
    #[arg(long, global = true, help_heading = "Output")]
    ascii: bool,
    /// The console's theme: auto, dark, light, high-contrast, colour-blind, dusk, paper, mono, or one of your own.
    #[arg(long, value_name = "NAME", global = true, help_heading = "Output")]
    theme: Option<String>,

    /// The base of GitHub's REST API; on Enterprise Server `https://HOST/api/v3` ($BUMPDESK_API_URL).
    #[arg(long, value_name = "URL", global = true, help_heading = "Servers")]
    api_url: Option<String>,
    /// GitHub's GraphQL endpoint; follows from the API's base if it is not given ($BUMPDESK_GRAPHQL_URL).
    #[arg(long, value_name = "URL", global = true, help_heading = "Servers")]
    graphql_url: Option<String>,
    /// The base of feeds, git and downloads, `https://github.com` ($BUMPDESK_WEB_URL).
    #[arg(long, value_name = "URL", global = true, help_heading = "Servers")]
    web_url: Option<String>,
    /// The base of the registry's own API ($BUMPDESK_SERVED_URL).
    #[arg(long, value_name = "URL", global = true, help_heading = "Servers")]
    served_url: Option<String>,
    /// The base of the registry's search data ($BUMPDESK_SEARCH_URL).
    #[arg(long, value_name = "URL", global = true, help_heading = "Servers")]
    search_url: Option<String>,
    /// Trust the certificate authorities in this PEM file too ($BUMPDESK_CA_FILE).
    #[arg(long, value_name = "FILE", global = true, help_heading = "Servers")]
    ca_file: Option<PathBuf>,
    /// Ask without limits; only if every server is on this machine.
    #[arg(long, global = true, help_heading = "Servers")]
    no_throttle: bool,
    /// Use no GitHub token, even if there is one.
    #[arg(long, global = true, help_heading = "Servers")]
    no_token: bool,
    /// Allow writing to GitHub; each pull request still has its gates and its digits. In the demo this is always allowed.
    #[arg(long, global = true, help_heading = "Servers")]
    write: bool,

    /// The configuration file, instead of the user's own.
    #[arg(long, value_name = "FILE", global = true, help_heading = "Folders")]
    config: Option<PathBuf>,
    /// The folder of the state database ($BUMPDESK_STATE_DIR).
    #[arg(long, value_name = "PATH", global = true, help_heading = "Folders")]
    state_dir: Option<PathBuf>,
    /// The folder of the start-up index and of downloads ($BUMPDESK_CACHE_DIR).
    #[arg(long, value_name = "PATH", global = true, help_heading = "Folders")]
    cache_dir: Option<PathBuf>,
    /// The moment that counts as now, for simulated worlds ($BUMPDESK_NOW).
    #[arg(long, value_name = "RFC3339", global = true, hide = true)]
    now: Option<String>,
}

impl Global {
    /// The options as `boot` takes them.
    pub(crate) fn flags(&self) -> Flags {
        let mut values: Vec<(&'static str, OsString)> = Vec::new();
        let paths = [
            ("registry", &self.registry),
            ("state-dir", &self.state_dir),
            ("cache-dir", &self.cache_dir),
            ("endpoints.ca-file", &self.ca_file),
        ];
        values.extend(paths.into_iter().filter_map(|(key, path)| Some((key, path.as_ref()?.into()))));
        let texts = [
            ("endpoints.api", &self.api_url),
            ("endpoints.graphql", &self.graphql_url),
            ("endpoints.web", &self.web_url),
            ("endpoints.served", &self.served_url),
            ("endpoints.search", &self.search_url),
            ("ui.theme", &self.theme),
            ("now", &self.now),
        ];
        values.extend(texts.into_iter().filter_map(|(key, text)| Some((key, text.as_ref()?.into()))));
        let switches = [("ui.plain", self.plain), ("ui.ascii", self.ascii)];
        values.extend(switches.into_iter().filter(|(_, on)| *on).map(|(key, _)| (key, "true".into())));
        if let Some(color) = self.color {
            let word = match color {
                ColorWhen::Auto => "auto",
                ColorWhen::Always => "always",
                ColorWhen::Never => "never",
            };
            values.push(("ui.color", word.into()));
        }
        Flags {
            values,
            features: self.features.clone(),
            config: self.config.clone(),
            reference: self.reference.clone(),
            no_throttle: self.no_throttle,
            no_token: self.no_token,
            may_write: self.write,
        }
    }

    /// The options that a command in the demo world may have; the error is one that the world decides. Nothing is throttled
    /// there anyway.
    pub(crate) fn in_world(&self) -> Result<Flags, &'static str> {
        let decided = [
            ("--registry", self.registry.is_some()),
            ("--ref", self.reference.is_some()),
            ("--api-url", self.api_url.is_some()),
            ("--graphql-url", self.graphql_url.is_some()),
            ("--web-url", self.web_url.is_some()),
            ("--served-url", self.served_url.is_some()),
            ("--search-url", self.search_url.is_some()),
            ("--ca-file", self.ca_file.is_some()),
            ("--no-token", self.no_token),
            ("--config", self.config.is_some()),
            ("--state-dir", self.state_dir.is_some()),
            ("--cache-dir", self.cache_dir.is_some()),
        ];
        match decided.into_iter().find(|(_, is_said)| *is_said) {
            Some((option, _)) => Err(option),
            None => Ok(Flags { no_throttle: false, ..self.flags() }),
        }
    }
}

#[cfg(test)]
mod tests;
