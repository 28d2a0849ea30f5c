//! The commands and their own options.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};

use crate::cli::args::lock::LockArgs;
use crate::cli::args::plan::{JobsArgs, LogArgs, PlanArgs};
use crate::cli::args::verify::VerifyArgs;
use crate::cli::args::view::ViewArgs;
use crate::registry::Kind;
use crate::rules::order::{Group, Sort};
use crate::rules::{Depth, Mode, Status, amount};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List entries with the status that the last survey gave them.
    #[command(after_long_help = "Examples:\n  bumpdesk list --filter 'ns:hashicorp behind:>1'\n  \
        bumpdesk list --status stranded --csv > stranded.csv\n  \
        bumpdesk list --view attention --sort oldest\n\n\
        Filter terms (all must hold, ! turns one round): text  ~letters  status:WORD,WORD  kind:provider|module\n  \
        ns:NAMESPACE (or ns:START*)  behind:>2  age:>1d  has:h1|errors|warnings|findings|dirty|broken\n  \
        is:attention|new|unchecked|marked  why:WORD  \"words of the reason\"\n\n\
        Views are those of the console; `bumpdesk view list` names them.")]
    List(ListArgs),
    /// List, save or delete views: a filter, an order and a grouping under a name.
    #[command(after_long_help = "Examples:\n  bumpdesk view list\n  \
        bumpdesk view save mine --filter 'ns:acme status:behind' --group kind\n  bumpdesk list --view mine")]
    View(ViewArgs),
    /// Show one entry: what its status is, why, what happens if nothing is done, and what can be done.
    #[command(after_long_help = "Examples:\n  bumpdesk show newrelic/newrelic\n  \
        bumpdesk show provider newrelic/newrelic --json\n  bumpdesk show terraform-aws-modules/vpc/aws --max-age 15m\n  \
        bumpdesk show namecheap/namecheap --with-key new.asc")]
    Show(ShowArgs),
    /// Read upstream and judge: the whole registry, a part, or single entries. Goes on where it was stopped.
    #[command(after_long_help = "Examples:\n  bumpdesk survey\n  bumpdesk survey --prefix a --json\n  \
        bumpdesk survey --filter 'ns:hashicorp kind:provider' --depth sums\n  bumpdesk survey hashicorp/aws --check\n\n\
        With --check it exits 1 if any entry is neither OK nor PENDING nor NOHASH.")]
    Survey(SurveyArgs),
    /// Build the proposed rebuild of entries and show how the data files would change. Writes nothing.
    #[command(after_long_help = "Examples:\n  bumpdesk diff newrelic/newrelic\n  \
        bumpdesk diff newrelic/newrelic --patch > newrelic.patch\n  \
        bumpdesk diff coralogix/coralogix --mode refresh=3.14.1 --json\n\n\
        With --check it exits 1 if any file would change.")]
    Diff(DiffArgs),
    /// Do what the registry's own process does: find missing versions, add them, write the data files.
    #[command(after_long_help = "Examples:\n  bumpdesk bump --dry-run\n  bumpdesk bump --prefix a\n  \
        bumpdesk bump newrelic/newrelic\n\nReads everything afresh unless --max-age says otherwise.")]
    Bump(BumpArgs),
    /// Compare what is stored with what upstream serves today: checksums, archives, h1, signatures. Exits 1 if anything differs.
    #[command(after_long_help = "Examples:\n  bumpdesk verify newrelic/newrelic@3.70.1\n  \
        bumpdesk verify coralogix/coralogix --targets linux_amd64,darwin_arm64 --report coralogix.jsonl\n  \
        bumpdesk verify --filter 'ns:hashicorp status:drifted' --no-download\n\n\
        Archives are hashed while they arrive and are not kept. The report grows as targets finish; after a kill or Ctrl-C the \
        same command goes on with it and downloads no finished target again. Exits 1 if something differs or is gone, 5 if \
        something could not be read.")]
    Verify(VerifyArgs),
    /// Print the lock file's block of a version from verified hashes, and tell what `tofu init` does; or check a lock file.
    #[command(
        after_long_help = "Examples:\n  bumpdesk lock newrelic/newrelic@3.70.1 >> .terraform.lock.hcl\n  \
        bumpdesk lock newrelic/newrelic@3.70.1 --steps --constraints '~> 3.70'\n  \
        bumpdesk lock --check .terraform.lock.hcl\n\n\
        Every archive is downloaded and hashed. Nothing is printed unless all of it is verified and installs: it exits 4 \
        if something is wrong and 5 if something could not be read, and names the targets. --check exits 1 if a hash belongs \
        to nothing, a version is not there or a platform cannot be installed."
    )]
    Lock(LockArgs),
    /// The plan: proposed rebuilds that wait for review. Add, show, approve, reject, rebuild, drop.
    #[command(after_long_help = "Examples:\n  bumpdesk plan add newrelic/newrelic\n  \
        bumpdesk plan show newrelic/newrelic\n  bumpdesk plan approve newrelic/newrelic\n\n\
        Nothing is written to the registry. What was not printed by `plan show ADDRESS`, or looked at in the console, \
        cannot be approved.")]
    Plan(PlanArgs),
    /// List the last jobs, those of earlier runs included.
    #[command(after_long_help = "Example:\n  bumpdesk jobs --json")]
    Jobs(JobsArgs),
    /// Print the log: what was asked of whom, what jobs did, and errors.
    #[command(after_long_help = "Examples:\n  bumpdesk log --since 15m\n  bumpdesk log --errors --json")]
    Log(LogArgs),
    /// Check the data files themselves, without network. Exits 1 if there are findings.
    #[command(
        after_long_help = "Examples:\n  bumpdesk lint\n  bumpdesk lint --rule bytes\n  bumpdesk lint hashicorp/aws --json"
    )]
    Lint(LintArgs),
    /// Start an invented GitHub on this machine and open the console on it: no network, no token.
    #[command(after_long_help = "Examples:\n  bumpdesk demo\n  bumpdesk demo --serve\n  \
        bumpdesk demo --serve --from ../registry --ref HEAD~1 --latency-ms 50")]
    Demo(DemoArgs),
    /// Get the registry's data with git.
    #[command(after_long_help = "Examples:\n  bumpdesk clone\n  bumpdesk clone ~/registry\n  \
        bumpdesk clone https://github.com/opentofu/registry.git data/registry")]
    Clone(CloneArgs),
    /// Check the surroundings: terminal, git, registry, token, far sides, folders. Asks no far side unless told.
    #[command(after_long_help = "Examples:\n  bumpdesk doctor\n  bumpdesk doctor --online --json")]
    Doctor(DoctorArgs),
    /// List the console's actions and keys, as keys.toml has them.
    #[command(after_long_help = "Example:\n  bumpdesk keys --json")]
    Keys,
    /// Look at the files of the configuration.
    #[command(after_long_help = "Example:\n  bumpdesk config check")]
    Config {
        #[command(subcommand)]
        what: ConfigCommand,
    },
    /// Print the completion script of a shell.
    #[command(
        after_long_help = "Example:\n  bumpdesk completions bash > ~/.local/share/bash-completion/completions/bumpdesk"
    )]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    #[command(after_long_help = "Example:\n  bumpdesk man | man -l -")]
    Man,
    /// Print a topic of the manual, or the help of a command; alone it lists both.
    #[command(
        after_long_help = "Examples:\n  bumpdesk help\n  bumpdesk help statuses\n  bumpdesk help plan add\n\n\
        On a terminal a long page is shown in your pager ($PAGER), unless --plain is given."
    )]
    Help {
        /// A topic, or a command's name.
        #[arg(value_name = "TOPIC")]
        words: Vec<String>,
    },
}

impl Command {
    /// The command's word, as the outcome object names it.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::List(_) => "list",
            Self::View(_) => "view",
            Self::Show(_) => "show",
            Self::Survey(_) => "survey",
            Self::Diff(_) => "diff",
            Self::Bump(_) => "bump",
            Self::Lint(_) => "lint",
            Self::Verify(_) => "verify",
            Self::Lock(_) => "lock",
            Self::Plan(_) => "plan",
            Self::Jobs(_) => "jobs",
            Self::Log(_) => "log",
            Self::Demo(_) => "demo",
            Self::Clone(_) => "clone",
            Self::Doctor(_) => "doctor",
            Self::Keys => "keys",
            Self::Config { .. } => "config",
            Self::Completions { .. } => "completions",
            Self::Man => "man",
            Self::Help { .. } => "help",
        }
    }
}

/// What to do about the configuration.
#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Check config.toml and keys.toml and tell every mistake with its place. Exits 2 if there is one.
    #[command(after_long_help = "Examples:\n  bumpdesk config check\n  bumpdesk config check --json")]
    Check,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KindWord {
    Provider,
    Module,
}

impl From<KindWord> for Kind {
    fn from(word: KindWord) -> Self {
        match word {
            KindWord::Provider => Self::Provider,
            KindWord::Module => Self::Module,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DepthWord {
    /// Tags, and the feed of providers.
    Versions,
    /// Also checksums, asset times and digests of the indexed versions.
    Sums,
}

impl From<DepthWord> for Depth {
    fn from(word: DepthWord) -> Self {
        match word {
            DepthWord::Versions => Self::Versions,
            DepthWord::Sums => Self::Sums,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GateWord {
    /// All tags against all indexed versions.
    Tags,
    /// Look closely only if the newest tag of the feed is not indexed: fewest requests, blind to old lines.
    Feed,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Only entries that match; see below for the terms.
    #[arg(long, value_name = "Q", default_value = "", hide_default_value = true)]
    pub(crate) filter: String,
    /// The entries of a view, in its order; the other options narrow it down.
    #[arg(long, value_name = "NAME")]
    pub(crate) view: Option<String>,
    /// The order: status, newest, oldest, address or behind; by default the view's, or address.
    #[arg(long, value_name = "WORD", value_parser = sort)]
    pub(crate) sort: Option<Sort>,
    /// Keep together what has the same status, namespace or kind.
    #[arg(long, value_name = "WORD", value_parser = group)]
    pub(crate) group: Option<Group>,
    /// Only these statuses: words such as behind or stranded. Repeatable, or separated by commas.
    #[arg(long, value_name = "WORD", value_delimiter = ',', value_parser = status)]
    pub(crate) status: Vec<StatusWord>,
    /// Only providers or only modules.
    #[arg(long, value_enum)]
    pub(crate) kind: Option<KindWord>,
    /// Print comma-separated values with a header line.
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The address, namespace/name or namespace/name/target; `provider` or `module` before it is understood.
    #[arg(required = true, num_args = 1..=2, value_name = "ADDRESS")]
    pub(crate) words: Vec<String>,
    /// Ask upstream if what is known is older than this; without it nothing is asked.
    #[arg(long, value_name = "AGE", value_parser = length)]
    pub(crate) max_age: Option<Duration>,
    /// How deep to read, if upstream is asked.
    #[arg(long, value_enum, default_value_t = DepthWord::Versions)]
    pub(crate) depth: DepthWord,
    /// Tell what adding this key file would change: which versions it verifies, which would stop installing. Asks upstream.
    #[arg(long, value_name = "FILE")]
    pub(crate) with_key: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct SurveyArgs {
    /// Only these entries.
    #[arg(value_name = "ADDRESS", conflicts_with_all = ["prefix", "filter"])]
    pub(crate) addresses: Vec<String>,
    /// Only namespaces that start with this: the registry runs its bump one letter at a time.
    #[arg(long, value_name = "START", conflicts_with = "filter")]
    pub(crate) prefix: Option<String>,
    /// Only entries that match; the terms are those of `list`.
    #[arg(long, value_name = "Q")]
    pub(crate) filter: Option<String>,
    /// How deep to read.
    #[arg(long, value_enum, default_value_t = DepthWord::Versions)]
    pub(crate) depth: DepthWord,
    /// Do not ask again what is known and younger than this.
    #[arg(long, value_name = "AGE", default_value = "15m", value_parser = length)]
    pub(crate) max_age: Duration,
    /// Which providers are looked at closely.
    #[arg(long, value_enum, default_value_t = GateWord::Tags)]
    pub(crate) gate: GateWord,
    /// Exit 1 if any entry needs something.
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The entries.
    #[arg(value_name = "ADDRESS", required = true)]
    pub(crate) addresses: Vec<String>,
    /// add: missing versions, as production does; scratch: everything again; refresh=V,V: these versions again.
    #[arg(long, value_name = "MODE", default_value = "add", value_parser = mode)]
    pub(crate) mode: Mode,
    /// Print a patch that `git apply` takes.
    #[arg(long)]
    pub(crate) patch: bool,
    /// Do not ask again what is known and younger than this.
    #[arg(long, value_name = "AGE", default_value = "15m", value_parser = length)]
    pub(crate) max_age: Duration,
    /// Exit 1 if any file would change.
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BumpArgs {
    /// Only these entries.
    #[arg(value_name = "ADDRESS", conflicts_with = "prefix")]
    pub(crate) addresses: Vec<String>,
    /// Only namespaces that start with this: the registry runs its bump one letter at a time.
    #[arg(long, value_name = "START")]
    pub(crate) prefix: Option<String>,
    /// Say which files would be written, write none.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Do not ask again what is known and younger than this; by default everything is asked.
    #[arg(long, value_name = "AGE", default_value = "0", value_parser = length)]
    pub(crate) max_age: Duration,
}

#[derive(Debug, Args)]
pub(crate) struct LintArgs {
    /// Only these entries.
    #[arg(value_name = "ADDRESS")]
    pub(crate) addresses: Vec<String>,
    /// Only these rules. Repeatable, or separated by commas.
    #[arg(long = "rule", value_name = "RULE", value_delimiter = ',')]
    pub(crate) rules: Vec<String>,
}

/// Options of the demo world.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct DemoArgs {
    /// Only serve, and print the addresses.
    #[arg(long)]
    pub(crate) serve: bool,
    /// Derive the world from a registry checkout instead of inventing one.
    #[arg(long, value_name = "PATH")]
    pub(crate) from: Option<PathBuf>,
    /// Serve plain HTTP instead of TLS.
    #[arg(long)]
    pub(crate) http: bool,
    /// Answer every request this much later.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) latency_ms: u64,
    /// A world of your own, in TOML.
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    pub(crate) world: Option<PathBuf>,
    /// Run one command in that world instead of opening the console, such as `-- verify stonewharf/sundial`.
    #[arg(last = true, value_name = "COMMAND", conflicts_with = "serve")]
    pub(crate) command: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CloneArgs {
    /// The repository's URL and the new folder, or one of them; by default the public registry, into `registry`.
    #[arg(value_name = "URL|FOLDER", num_args = 0..=2)]
    pub(crate) words: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Also try to reach the far sides.
    #[arg(long)]
    pub(crate) online: bool,
}

pub(crate) fn sort(text: &str) -> Result<Sort, String> {
    Sort::from_name(text).ok_or_else(|| {
        let known = Sort::ALL.map(Sort::name);
        format!("known orders: {}", known.join(", "))
    })
}

pub(crate) fn group(text: &str) -> Result<Group, String> {
    Group::from_name(text).ok_or_else(|| {
        let known = Group::ALL.map(Group::name);
        format!("known groups: {}", known.join(", "))
    })
}

/// The statuses that one word names: `keys` names three.
#[derive(Clone, Debug)]
pub(crate) struct StatusWord(pub(crate) Vec<Status>);

fn status(text: &str) -> Result<StatusWord, String> {
    let of_word: Vec<Status> = Status::of_word(text).collect();
    if !of_word.is_empty() {
        return Ok(StatusWord(of_word));
    }
    Status::from_name(text).map(|status| StatusWord(vec![status])).ok_or_else(|| {
        let known: Vec<&str> = Status::all().map(Status::name).collect();
        format!("known statuses: {}", known.join(", "))
    })
}

pub(crate) fn length(text: &str) -> Result<Duration, String> {
    amount::parse_length(text).ok_or_else(|| "write 0, 90s, 15m, 2h or 1d".into())
}

pub(crate) fn mode(text: &str) -> Result<Mode, String> {
    match text.split_once('=') {
        None if text == "add" => Ok(Mode::Add),
        None if text == "scratch" => Ok(Mode::Scratch),
        Some(("refresh", versions)) if versions.split(',').all(|version| !version.is_empty()) => {
            Ok(Mode::Refresh(versions.split(',').map(Into::into).collect()))
        }
        _ => Err("write add, scratch or refresh=VERSION,VERSION".into()),
    }
}
