//! How many rows have which status, and when they were checked.

use jiff::Timestamp;

use crate::registry::Row;
use crate::rules::order::is_unasked;
use crate::rules::{Status, Verdict};

/// How many rows have which status, and when they were checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) counts: [u32; Status::COUNT],
    /// Of the UNKNOWN ones: never checked.
    pub(crate) unasked: u32,
    pub(crate) oldest: Option<Timestamp>,
    pub(crate) newest: Option<Timestamp>,
}

impl Tally {
    pub(crate) fn of<'a>(rows: impl IntoIterator<Item = (&'a Row, &'a Verdict)>) -> Self {
        let mut tally = Self::default();
        for (row, verdict) in rows {
            tally.counts[verdict.status as usize] += 1;
            tally.unasked += u32::from(is_unasked(row, verdict));
            // What was asked in vain is not checked.
            if let Some(at) = verdict.checked_at.filter(|_| !verdict.status.is_unknown()) {
                tally.oldest = Some(tally.oldest.map_or(at, |old| old.min(at)));
                tally.newest = Some(tally.newest.map_or(at, |new| new.max(at)));
            }
        }
        tally
    }

    /// How many rows have the word of a status.
    pub(crate) fn of_word(&self, status: Status) -> u32 {
        Status::of_word(status.word()).map(|status| self.counts[status as usize]).sum()
    }

    /// Rows that cure themselves or break nothing.
    pub(crate) fn waiting(&self) -> u32 {
        Status::all().filter(|status| status.can_wait()).map(|status| self.counts[status as usize]).sum()
    }

    /// Rows that somebody should look at, those never checked left out.
    pub(crate) fn attention(&self) -> u32 {
        let wanting: u32 =
            Status::all().filter(|s| s.needs_attention()).map(|s| self.counts[s as usize]).sum();
        wanting - self.unasked
    }
}
