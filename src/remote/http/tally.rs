//! Counts of what was sent, for each lane; read at any time for the screen and for tests.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::settings::Lane;

/// What one lane has done since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LaneCounts {
    /// Requests on the wire; every redirect and every repetition counts.
    pub(crate) sent: u64,
    /// Answers 304.
    pub(crate) not_modified: u64,
    /// Requests without an answer, or answered with 5xx or a limit.
    pub(crate) failed: u64,
    /// Bytes of bodies, decoded.
    pub(crate) bytes: u64,
    pub(crate) in_flight: u64,
}

/// The counts of every lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    lanes: [LaneCounts; Lane::ALL.len()],
}

impl Counts {
    #[cfg(test)]
    pub(crate) fn of(&self, lane: Lane) -> LaneCounts {
        self.lanes[lane as usize]
    }

    /// The sums over all lanes.
    pub(crate) fn total(&self) -> LaneCounts {
        self.lanes.iter().fold(LaneCounts::default(), |sum, lane| LaneCounts {
            sent: sum.sent + lane.sent,
            not_modified: sum.not_modified + lane.not_modified,
            failed: sum.failed + lane.failed,
            bytes: sum.bytes + lane.bytes,
            in_flight: sum.in_flight + lane.in_flight,
        })
    }
}

#[derive(Debug, Default)]
pub(super) struct LaneTally {
    sent: AtomicU64,
    not_modified: AtomicU64,
    failed: AtomicU64,
    bytes: AtomicU64,
    in_flight: AtomicU64,
}

#[derive(Debug, Default)]
pub(super) struct Tally {
    lanes: [LaneTally; Lane::ALL.len()],
}

impl Tally {
    pub(super) fn of(&self, lane: Lane) -> &LaneTally {
        &self.lanes[lane as usize]
    }

    pub(super) fn counts(&self) -> Counts {
        Counts { lanes: std::array::from_fn(|index| self.lanes[index].counts()) }
    }
}

impl LaneTally {
    pub(super) fn sent(&self) {
        self.sent.fetch_add(1, Relaxed);
    }

    pub(super) fn not_modified(&self) {
        self.not_modified.fetch_add(1, Relaxed);
    }

    pub(super) fn failed(&self) {
        self.failed.fetch_add(1, Relaxed);
    }

    pub(super) fn bytes(&self, count: usize) {
        self.bytes.fetch_add(count as u64, Relaxed);
    }

    pub(super) fn entered(&self) {
        self.in_flight.fetch_add(1, Relaxed);
    }

    pub(super) fn left(&self) {
        self.in_flight.fetch_sub(1, Relaxed);
    }

    fn counts(&self) -> LaneCounts {
        LaneCounts {
            sent: self.sent.load(Relaxed),
            not_modified: self.not_modified.load(Relaxed),
            failed: self.failed.load(Relaxed),
            bytes: self.bytes.load(Relaxed),
            in_flight: self.in_flight.load(Relaxed),
        }
    }
}
