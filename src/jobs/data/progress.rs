//! The progress of a running job in figures.

use std::time::Duration;

use crate::rules::verify::Tally;
use crate::settings::words;

/// The progress of a job. Counts never run backwards, and are never complete before the last check.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    pub(crate) phase: Phase,
    pub(crate) done: u64,
    pub(crate) total: u64,
    pub(crate) failed: u64,
    pub(crate) requests: u64,
    /// Requests a second over the last seconds.
    pub(crate) rate: f64,
    /// Time left, from and to; `None` while it cannot be told.
    pub(crate) left: Option<(Duration, Duration)>,
    /// Why nothing moves: `git requests wait 58 s, as GitHub asked`. Of what is watched, how it stands.
    pub(crate) waiting: Option<String>,
}

words! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) enum Phase: [word] {
        Reading = "reading the registry",
        Tags = "reading tags and feeds",
        Probing = "looking at missing versions",
        Sums = "reading checksums",
        Hashing = "downloading and hashing",
        Watching = "watching",
        Reviewing = "reviewing",
    }
}

/// The whole job in figures. `T` counts what became of its targets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meter<T = Tally> {
    pub tally: T,
    /// Bytes that were read, and all that are to be; rows of unknown size are not in it.
    pub read_bytes: u64,
    pub total_bytes: u64,
    /// Over the last seconds.
    pub bytes_per_s: f64,
    /// Time left, from and to; `None` while it cannot be told.
    pub left: Option<(Duration, Duration)>,
    pub workers: usize,
    pub most_workers: usize,
    /// Why fewer work than were asked for.
    pub slowed: Option<String>,
}
