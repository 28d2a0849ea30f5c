//! A job that reads archives, in figures.

use std::time::Duration;

use crate::rules::verify::Tally;

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
