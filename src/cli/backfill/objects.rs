//! The objects that `backfill` prints for scripts.

use serde::Serialize;

use crate::jobs::data::{BackfillLimits, Estimated};
use crate::rules::backfill::{Estimate, Share, Tally};

/// Type `estimate`.
#[derive(Serialize)]
pub(super) struct EstimateObject<'a> {
    /// The commit that it is made on; null where there is no git.
    base: Option<&'a str>,
    /// The plan's digest, hex.
    plan: &'a str,
    #[serde(flatten)]
    estimate: &'a Estimate,
    limits: Limits,
    shards: &'a [Share],
}

#[derive(Serialize)]
struct Limits {
    bytes: u64,
    seconds: u64,
    workers: usize,
}

impl<'a> EstimateObject<'a> {
    pub(super) fn new(found: &'a Estimated, limits: &BackfillLimits) -> Self {
        Self {
            base: Some(&*found.base).filter(|base| !base.is_empty()),
            plan: &found.digest,
            estimate: &found.estimate,
            limits: Limits { bytes: limits.bytes, seconds: limits.time.as_secs(), workers: limits.workers },
            shards: &found.shares,
        }
    }
}

/// Type `patch`: a file that was written.
#[derive(Serialize)]
pub(super) struct PatchObject {
    pub(super) path: String,
}

/// Further fields of the outcome.
#[derive(Serialize)]
pub(super) struct EndObject<'a> {
    /// The plan's digest, hex; null if the run ended before it was known.
    pub(super) plan: Option<&'a str>,
    /// The file that keeps the results; null where shares were put together.
    pub(super) journal: Option<&'a str>,
    /// Targets that an earlier run had finished.
    pub(super) kept: usize,
    /// Why it stopped before the end; null if it did not.
    pub(super) stopped: Option<&'a str>,
    pub(super) tally: Tally,
}
