//! The servers over HTTP: tags, feeds, releases and files of GitHub repositories. The only home of HTTP.
//!
//! Everything here takes and gives `registry` types and decides nothing. Each module adds the methods of its own subject to
//! [`Remote`]. Answers carry no time: the caller stamps them, with [`observed`]. Dropping a call's future ends the call. Jobs
//! are the callers.
//!
#![doc = include_str!("github.md")]

mod account;
mod actions;
mod api;
mod asset;
mod batch;
mod budget;
mod feed;
mod hosted;
mod http;
mod people;
mod pulls;
mod refs;
mod release;
mod served;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use secrecy::SecretString;

use crate::settings::{Endpoints, Pace};

pub(crate) use actions::WorkflowRead;
pub(crate) use asset::{Continued, Release, SMALL_LIMIT_BYTES, ZIP_LIMIT_BYTES};
pub(crate) use budget::Quota;
pub(crate) use hosted::{CommitRead, HostedRepository, ListedPull};
pub(crate) use http::{Down, Download, Error, Fetched, LaneCounts, Validator, observed};
use http::{Http, LeastRate};
pub(crate) use pulls::{CheckRead, Comparison, PullRead, ReviewRead};

/// The options of all requests to the servers.
#[derive(Debug)]
pub(crate) struct RemoteOptions {
    pub(crate) endpoints: Endpoints,
    pub(crate) pace: Pace,
    /// Sent to the configured GitHub hosts alone.
    pub(crate) token: Option<SecretString>,
    /// Certificate authorities trusted beside the system's own: the bytes of `Endpoints::ca_file`, read by the caller.
    pub(crate) ca_pem: Option<Vec<u8>>,
    /// Ours, for the User-Agent.
    pub(crate) version: &'static str,
    /// The longest pause that a call sits out; before a longer one it fails with `RateLimited` at once.
    pub(crate) patience: Duration,
    /// True if limits hold the whole lane. Off only for loopback servers without throttles.
    pub(crate) hold: bool,
    /// A download of which no piece comes for that long is dead.
    pub(crate) silence: Duration,
    /// The lowest speed of a download; a slower one fails.
    pub(crate) least_rate: LeastRate,
}

impl Default for RemoteOptions {
    fn default() -> Self {
        Self {
            endpoints: Endpoints::default(),
            pace: Pace::default(),
            token: None,
            ca_pem: None,
            version: env!("CARGO_PKG_VERSION"),
            patience: Duration::from_secs(90),
            hold: true,
            silence: Duration::from_mins(1),
            least_rate: LeastRate::default(),
        }
    }
}

/// The servers. Clones share connections, budgets and counts.
#[derive(Clone)]
pub(crate) struct Remote {
    http: Arc<Http>,
    /// GraphQL points that the queries have cost since the start.
    points: Arc<AtomicU64>,
    listed: Arc<pulls::Listed>,
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").field("http", &self.http).finish_non_exhaustive()
    }
}

impl Remote {
    /// Makes the clients ready; connects to nothing yet.
    ///
    /// # Errors
    /// `Protocol`: a base is no URL, the CA file holds no certificate, the token holds characters that no token has.
    pub(crate) fn new(options: RemoteOptions) -> Result<Self, Error> {
        Ok(Self { http: Arc::new(Http::new(options)?), points: Arc::default(), listed: Arc::default() })
    }
}
