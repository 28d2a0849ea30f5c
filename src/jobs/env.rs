//! The outside world of the jobs, built once: far sides, registry, state, clock.

use std::path::PathBuf;

use jiff::Timestamp;
use secrecy::SecretString;

use crate::jobs::Failure;
use crate::settings::Endpoints;
use crate::settings::Features;
use crate::settings::Pace;

/// Where now comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    #[default]
    System,
    /// Always this moment: tests and simulated worlds.
    Fixed(Timestamp),
}

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "the one clock of the jobs")]
    pub fn now(self) -> Timestamp {
        match self {
            Self::System => Timestamp::now(),
            Self::Fixed(at) => at,
        }
    }
}

/// What an [`Env`] is built from; `boot` fills it in.
#[derive(Debug)]
pub struct EnvOptions {
    /// The registry's folder, as said or found; `None` if there is none yet.
    pub registry: Option<PathBuf>,
    /// Read the data from this commit or branch instead of the work tree.
    pub reference: Option<String>,
    pub endpoints: Endpoints,
    pub pace: Pace,
    pub token: Option<SecretString>,
    pub features: Features,
    /// The folder of the state database.
    pub state_dir: PathBuf,
    /// The folder of the start-up index and of spooled downloads.
    pub cache_dir: PathBuf,
    pub clock: Clock,
}

/// The outside world.
#[derive(Debug)]
pub struct Env {
    pub clock: Clock,
}

impl Env {
    /// Builds the world. Opens no registry yet: that is the first job's work.
    ///
    /// # Errors
    /// The certificate file cannot be read, or the HTTP client cannot be built.
    pub fn new(options: EnvOptions) -> Result<Self, Failure> {
        Ok(Self { clock: options.clock })
    }
}
