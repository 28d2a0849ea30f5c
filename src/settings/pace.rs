//! How fast each lane of requests may go. The defaults are the registry's own rates (`github.md#how-fast-the-registry-asks`), so that a
//! survey asks GitHub for no more than the bump automation does.

use std::time::Duration;

use crate::settings::words;

words! {
    /// A family of requests with a budget of its own.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub(crate) enum Lane: [ALL, name] {
        /// `git-upload-pack` on the web host.
        Git = "git",
        /// `releases.atom` on the web host.
        Feed = "feed",
        /// Release downloads: SHA256SUMS, manifests, zips.
        Asset = "asset",
        /// REST and GraphQL.
        Api = "api",
        /// The registry's own API and search.
        Served = "served",
    }
}

/// The pace of one lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LanePace {
    /// Requests started a second; `None` is no limit.
    pub(crate) per_second: Option<f64>,
    /// Requests under way at once.
    pub(crate) at_once: usize,
}

/// The pace of every lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    pub git: LanePace,
    pub feed: LanePace,
    pub asset: LanePace,
    pub api: LanePace,
    pub served: LanePace,
    /// Requests a second that change something on GitHub, which come one at a time; `None` is no limit.
    pub(crate) writes_per_second: Option<f64>,
    /// Between two looks at a pull request that is watched.
    pub watch: Duration,
    /// The wait before a failed request is repeated for the first time; each further wait is four times as long.
    pub(crate) backoff: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            git: LanePace { per_second: Some(60.0), at_once: 60 },
            feed: LanePace { per_second: Some(30.0), at_once: 30 },
            asset: LanePace { per_second: Some(60.0), at_once: 30 },
            api: LanePace { per_second: Some(1.0), at_once: 3 },
            served: LanePace { per_second: Some(30.0), at_once: 10 },
            writes_per_second: Some(1.0),
            watch: Duration::from_secs(30),
            backoff: Duration::from_millis(250),
        }
    }
}

impl Pace {
    /// No limit on the rate; 64 at once a lane, and no wait. Only ever used for loopback servers.
    pub fn unlimited() -> Self {
        let free = LanePace { per_second: None, at_once: 64 };
        Self {
            git: free,
            feed: free,
            asset: free,
            api: free,
            served: free,
            writes_per_second: None,
            watch: Duration::ZERO,
            backoff: Duration::ZERO,
        }
    }

    pub(crate) fn of(&self, lane: Lane) -> LanePace {
        match lane {
            Lane::Git => self.git,
            Lane::Feed => self.feed,
            Lane::Asset => self.asset,
            Lane::Api => self.api,
            Lane::Served => self.served,
        }
    }
}
