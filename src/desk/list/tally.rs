//! The number of rows of each level, and the times of their checks.

use jiff::Timestamp;

use crate::rules::{Level, Verdict};

/// The number of rows of each level, and the times of their checks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// By level, in the order of [`Level::ALL`].
    pub(crate) levels: [u32; Level::ALL.len()],
    /// Rows that were never checked. They are among those that wait.
    pub(crate) unasked: u32,
    /// Rows with an age.
    pub(crate) dated: u32,
    pub(crate) oldest: Option<Timestamp>,
    pub(crate) newest: Option<Timestamp>,
}

impl Tally {
    pub(crate) fn of<'a>(verdicts: impl IntoIterator<Item = &'a Verdict>) -> Self {
        let mut tally = Self::default();
        for verdict in verdicts {
            tally.levels[verdict.level() as usize] += 1;
            tally.unasked += u32::from(verdict.is_unasked());
            tally.dated += u32::from(verdict.since.is_some());
            // What was asked in vain is not checked.
            if let Some(at) = verdict.checked_at.filter(|_| !verdict.status.is_unknown()) {
                tally.oldest = Some(tally.oldest.map_or(at, |old| old.min(at)));
                tally.newest = Some(tally.newest.map_or(at, |new| new.max(at)));
            }
        }
        tally
    }

    /// Returns true if upstream was read for no row, and has not been asked about some.
    pub(crate) fn is_unchecked(&self) -> bool {
        self.newest.is_none() && self.unasked > 0
    }

    /// Rows of a level, those never checked included.
    pub(crate) fn of_level(&self, level: Level) -> u32 {
        self.levels[level as usize]
    }

    /// Rows that cure themselves or break nothing, without those never checked.
    pub(crate) fn waiting(&self) -> u32 {
        self.of_level(Level::Wait) - self.unasked
    }

    /// Rows that a person should look at.
    pub(crate) fn attention(&self) -> u32 {
        self.of_level(Level::Act) + self.of_level(Level::Look)
    }
}
