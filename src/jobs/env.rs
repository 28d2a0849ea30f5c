//! The outside world of the jobs, built once: servers, registry, state, clock.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use secrecy::SecretString;
use tracing::Dispatch;

use crate::jobs::clock::Clock;
use crate::jobs::data::{Failure, FailureKind, Stop, Summary};
use crate::jobs::hash::Cores;
use crate::jobs::log;
use crate::jobs::session::Session;
use crate::registry::{Repository, digest};
use crate::remote::{LaneCounts, Remote, RemoteOptions};
use crate::rules::amount::{Form, length};
use crate::settings::{Endpoints, Features, Pace};
use crate::store;
use crate::store::{Checkout, Error, Spool, State, StateSize, read_small};

/// A certificate file is never larger.
const CA_LIMIT_BYTES: u64 = 4 << 20;
/// The most bytes that lie spooled at once.
const SPOOL_LIMIT_BYTES: u64 = 8 << 30;

/// The outcome in the journal of a job that its process did not end.
pub(crate) const CUT_OFF: &str = "cut off";

/// A smaller difference may be the time that GitHub's answer took to arrive.
const CLOCK_IS_OFF: Duration = Duration::from_secs(5);

/// The sentence `this machine's clock is 7 minutes ahead of GitHub's: …`.
fn clock_is_off(ahead: SignedDuration) -> String {
    let way = if ahead.is_negative() { "behind" } else { "ahead of" };
    let by = length(ahead.unsigned_abs(), Form::Spoken);
    format!(
        "this machine's clock is {by} {way} GitHub's: ages, waits and the times that it writes are off by that"
    )
}

/// The values that an [`Env`] is built from; `boot` fills them in.
#[derive(Debug)]
pub struct EnvOptions {
    /// The registry's folder, as said or found; `None` if there is none yet.
    pub registry: Option<PathBuf>,
    /// Read the data from this commit or branch instead of the work tree.
    pub reference: Option<String>,
    pub endpoints: Endpoints,
    pub pace: Pace,
    pub token: Option<SecretString>,
    /// The source of the token, for messages: `GH_TOKEN`.
    pub token_name: String,
    /// True if a limit of a server holds its whole lane; off only for loopback worlds.
    pub throttle: bool,
    /// True if writing to GitHub was allowed.
    pub may_write: bool,
    /// The longest pause that a request sits out; before a longer one it is given up, and its fact is unknown.
    pub patience: Duration,
    /// A download of which no piece comes for that long is dead.
    pub silence: Duration,
    pub features: Features,
    /// Say the list as the last run left it before any file is looked at: for a screen, never for a command.
    pub early_list: bool,
    /// The folder of the state database.
    pub state_dir: PathBuf,
    /// The folder of the start-up index and of spooled files.
    pub cache_dir: PathBuf,
    pub clock: Clock,
}

/// The outside world.
#[derive(Debug)]
pub struct Env {
    pub clock: Clock,
    pub(crate) features: Features,
    pub(crate) early_list: bool,
    pub(crate) token_name: String,
    pub(crate) remote: Remote,
    /// The number of requests a second to git; `None`: no limit.
    pub(crate) git_per_second: Option<f64>,
    /// The least time between two requests that change something.
    pub(crate) write_spacing: Duration,
    pub(crate) may_write: bool,
    /// Between two looks at a pull request.
    pub(crate) watch_every: Duration,
    /// Names the server that facts came from: facts of one are never read as another's.
    pub(crate) world: String,
    /// The API and its GraphQL, as they are configured.
    pub(crate) servers: [String; 2],
    /// The repository that has the registry itself.
    pub(crate) repository: Repository,
    pub(crate) registry: Option<PathBuf>,
    pub(crate) reference: Option<String>,
    pub(crate) cache_dir: PathBuf,
    /// `None` where no state can be kept; the reason is in `state_notice`.
    state: Mutex<Option<State>>,
    pub(crate) state_notice: Option<String>,
    pub(crate) log_path: PathBuf,
    /// The folder for reports without a name from the user.
    pub(crate) reports_dir: PathBuf,
    /// The log of the jobs; `None` if no log can be kept. Then the messages go to the listener of the process.
    pub(crate) log: Option<Dispatch>,
    /// Held from the reading of a plan's marks to their writing, so that no two jobs write over each other's.
    plan_gate: Mutex<()>,
    spool: OnceLock<Spool>,
    /// Shared by all downloads that are hashed.
    pub(crate) hashing: Cores,
    /// The session's notices were said.
    noticed: AtomicBool,
    /// True once the note about this machine's clock was shown.
    clock_noted: AtomicBool,
    pub(super) session: tokio::sync::Mutex<Option<Arc<Session>>>,
}

impl Env {
    /// Builds the world. Opens no registry yet: that is the first job's work.
    ///
    /// # Errors
    /// The certificate file cannot be read, or the HTTP client cannot be built.
    pub fn new(options: EnvOptions) -> Result<Self, Failure> {
        let ca_pem = read_ca(&options.endpoints)?;
        let world = format!("{} {}", options.endpoints.web, options.endpoints.graphql);
        let servers = [options.endpoints.api.clone(), options.endpoints.graphql.clone()];
        let repository = Repository::parse(&options.endpoints.repository).ok_or_else(|| {
            Failure::new(FailureKind::Config, "reading `endpoints.repository`")
                .cause(format!("`{}` is not a repository", options.endpoints.repository))
                .hint("Write it as OWNER/NAME.")
        })?;
        let git_per_second = options.pace.git.per_second;
        let write_spacing = options
            .pace
            .writes_per_second
            .and_then(|rate| Duration::try_from_secs_f64(1.0 / rate).ok())
            .unwrap_or_default();
        let watch_every = options.pace.watch;
        let remote = Remote::new(RemoteOptions {
            endpoints: options.endpoints,
            pace: options.pace,
            token: options.token,
            ca_pem,
            version: env!("CARGO_PKG_VERSION"),
            patience: options.patience,
            hold: options.throttle,
            silence: options.silence,
            ..RemoteOptions::default()
        })
        .map_err(|error| no_client(&error))?;
        let (mut state, state_notice) = open_state(&options.state_dir);
        if let Some(state) = state.as_mut().filter(|state| !state.is_read_only())
            && let Err(error) = state.end_cut_off_jobs(CUT_OFF)
        {
            tracing::warn!(%error, "jobs that were cut off stay open");
        }
        let log_path = log::path(&options.state_dir);
        let (log, log_notice) = match log::open(&log_path, options.clock) {
            Ok(log) => (Some(log), None),
            Err(error) => (None, Some(format!("no log is kept: {error}"))),
        };
        Ok(Self {
            clock: options.clock,
            features: options.features,
            early_list: options.early_list,
            token_name: options.token_name,
            remote,
            git_per_second,
            write_spacing,
            may_write: options.may_write,
            watch_every,
            world,
            servers,
            repository,
            registry: options.registry,
            reference: options.reference,
            cache_dir: options.cache_dir,
            state: Mutex::new(state),
            // Where no state can be kept, no log can: once is enough.
            state_notice: state_notice.or(log_notice),
            log_path,
            reports_dir: options.state_dir.join("reports"),
            log,
            plan_gate: Mutex::new(()),
            spool: OnceLock::new(),
            hashing: Cores::of_machine(),
            noticed: AtomicBool::new(false),
            clock_noted: AtomicBool::new(false),
            session: tokio::sync::Mutex::new(None),
        })
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The time by which this machine's clock is ahead of GitHub's, accurate to a second or two. `None` before the
    /// first answer of GitHub, and for a clock that is set by hand.
    pub(crate) fn ahead_of_github(&self) -> Option<SignedDuration> {
        let github_time = self.remote.api_time().filter(|_| self.clock == Clock::System)?;
        Some(self.now().duration_since(github_time))
    }

    /// Returns the note about this machine's clock once, if the clock differs by more than an answer takes to arrive.
    pub(crate) fn clock_note(&self) -> Option<String> {
        let ahead = self.ahead_of_github().filter(|ahead| ahead.unsigned_abs() >= CLOCK_IS_OFF)?;
        (!self.clock_noted.swap(true, Ordering::Relaxed)).then(|| clock_is_off(ahead))
    }

    /// Adds the number of requests since `before` to the summary of a job.
    pub(crate) fn counted(
        &self,
        before: &LaneCounts,
        mut end: Result<Summary, Stop>,
    ) -> Result<Summary, Stop> {
        if let Ok(summary) | Err(Stop::Cancelled(summary)) = &mut end {
            let now = self.remote.counts().total();
            summary.requests = now.sent.saturating_sub(before.sent);
            summary.not_modified = now.not_modified.saturating_sub(before.not_modified);
        }
        end
    }

    /// The state database, for short reads and writes.
    pub(crate) fn state(&self) -> MutexGuard<'_, Option<State>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The name under which the state stores the registry: its folder. It is known before the registry is opened;
    /// `None` if there is no registry.
    pub(crate) fn registry_name(&self) -> Option<String> {
        Some(Checkout::root_of(self.registry.as_deref()?)?.display().to_string())
    }

    /// Returns true if this process keeps data between runs.
    pub(crate) fn keeps(&self) -> bool {
        self.state().as_ref().is_some_and(|state| !state.is_read_only())
    }

    /// The turn to change the plan; short, and taken before the state is.
    pub(crate) fn plan_turn(&self) -> MutexGuard<'_, ()> {
        self.plan_gate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The spool for downloads and for the verdicts of a survey.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub(crate) fn spool(&self) -> Result<Spool, Error> {
        if let Some(spool) = self.spool.get() {
            return Ok(spool.clone());
        }
        let spool = Spool::new(&self.cache_dir.join("spool"), SPOOL_LIMIT_BYTES)?;
        Ok(self.spool.get_or_init(|| spool).clone())
    }

    /// Returns true at the first call alone: the session's notices are to be shown once.
    pub(crate) fn takes_notice(&self) -> bool {
        !self.noticed.swap(true, Ordering::Relaxed)
    }

    /// The file in the cache folder for this registry and reference, and for whatever else tells one from another.
    pub(crate) fn cache_file(&self, root: &Path, (begin, end): (&str, &str), more: &str) -> PathBuf {
        let key = format!("{}\n{}{more}", root.display(), self.reference.as_deref().unwrap_or(""));
        let name = digest(key.as_bytes());
        self.cache_dir.join(format!("{begin}{}{end}", &name[..16]))
    }
}

/// Checks the configured servers in the way that jobs do when they begin. Sends no request.
///
/// # Errors
/// The certificate file cannot be read, or the HTTP client cannot be built.
pub(crate) fn check_servers(endpoints: &Endpoints) -> Result<(), Failure> {
    let ca_pem = read_ca(endpoints)?;
    let version = env!("CARGO_PKG_VERSION");
    let options = RemoteOptions { endpoints: endpoints.clone(), ca_pem, version, ..RemoteOptions::default() };
    Remote::new(options).map(drop).map_err(|error| no_client(&error))
}

fn no_client(error: &crate::remote::Error) -> Failure {
    Failure::new(FailureKind::Config, "preparing the HTTP client")
        .cause(error.to_string())
        .hint("Check the servers and the certificate file of the configuration.")
}

fn read_ca(endpoints: &Endpoints) -> Result<Option<Vec<u8>>, Failure> {
    let Some(path) = endpoints.ca_file.as_deref() else { return Ok(None) };
    let read = read_small(path, CA_LIMIT_BYTES).map_err(|error| {
        Failure::new(FailureKind::Config, format!("reading the certificate file `{}`", path.display()))
            .cause(error.to_string())
            .hint("Name a PEM file with --ca-file.")
    });
    read.map(Some)
}

fn database(folder: &Path) -> PathBuf {
    folder.join("state.sqlite3")
}

/// The size of a folder's state, read without holding it; `None` if there is none that can be read.
pub(crate) fn state_size(folder: &Path) -> Option<StateSize> {
    store::state_size(&database(folder))
}

/// A console without a state folder still works; it only forgets.
fn open_state(folder: &Path) -> (Option<State>, Option<String>) {
    match State::open(&database(folder)) {
        Ok(state) => {
            let notice = state.notice().map(ToOwned::to_owned);
            (Some(state), notice)
        }
        Err(error) => (None, Some(format!("nothing is kept between runs: {error}"))),
    }
}
