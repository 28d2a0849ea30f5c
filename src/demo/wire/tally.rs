//! How many requests came, of which kind, and how many at once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::fault::Lane;

/// How many requests came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub(crate) by_lane: BTreeMap<Lane, u64>,
    /// Answered with 304.
    pub not_modified: u64,
    /// Answered by a fault.
    pub faults: u64,
    /// Under way at once, at most.
    pub(crate) peak: usize,
}

impl Counts {
    pub fn of(&self, lane: Lane) -> u64 {
        self.by_lane.get(&lane).copied().unwrap_or(0)
    }

    pub fn total(&self) -> u64 {
        self.by_lane.values().sum()
    }
}

/// The running counts.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    lanes: [AtomicU64; Lane::ALL.len()],
    not_modified: AtomicU64,
    faults: AtomicU64,
    under_way: AtomicUsize,
    peak: AtomicUsize,
}

impl Tally {
    /// Counts a request in; it is counted out when the guard goes.
    pub(crate) fn enter(&self) -> Leaving<'_> {
        let under_way = self.under_way.fetch_add(1, Ordering::Relaxed) + 1;
        self.peak.fetch_max(under_way, Ordering::Relaxed);
        Leaving(&self.under_way)
    }

    pub(crate) fn count(&self, lane: Lane) {
        if let Some((_, count)) = Lane::ALL.iter().zip(&self.lanes).find(|(one, _)| **one == lane) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(crate) fn answered(&self, status: u16, fault: bool) {
        if status == 304 {
            self.not_modified.fetch_add(1, Ordering::Relaxed);
        }
        if fault {
            self.faults.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(crate) fn counts(&self) -> Counts {
        let lanes = Lane::ALL.into_iter().zip(&self.lanes);
        Counts {
            by_lane: lanes
                .map(|(lane, count)| (lane, count.load(Ordering::Relaxed)))
                .filter(|(_, n)| *n > 0)
                .collect(),
            not_modified: self.not_modified.load(Ordering::Relaxed),
            faults: self.faults.load(Ordering::Relaxed),
            peak: self.peak.load(Ordering::Relaxed),
        }
    }

    pub(crate) fn clear(&self) {
        for count in self.lanes.iter().chain([&self.not_modified, &self.faults]) {
            count.store(0, Ordering::Relaxed);
        }
        self.peak.store(0, Ordering::Relaxed);
    }
}

/// Counts a request out, also when its client went away.
#[derive(Debug)]
pub(crate) struct Leaving<'a>(&'a AtomicUsize);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
