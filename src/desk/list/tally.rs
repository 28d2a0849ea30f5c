//! How many rows have which status, and when they were checked.

use jiff::Timestamp;

use crate::rules::{Level, Status, Verdict};

/// How many rows have which status, and when they were checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) counts: [u32; Status::COUNT],
    /// By level, in the order of [`Level::ALL`].
    pub(crate) levels: [u32; Level::ALL.len()],
    /// Rows that were never checked. They are among those that wait.
    pub(crate) unasked: u32,
    pub(crate) oldest: Option<Timestamp>,
    pub(crate) newest: Option<Timestamp>,
}

impl Tally {
    pub(crate) fn of<'a>(verdicts: impl IntoIterator<Item = &'a Verdict>) -> Self {
        let mut tally = Self::default();
        for verdict in verdicts {
            tally.counts[verdict.status as usize] += 1;
            tally.levels[verdict.level() as usize] += 1;
            tally.unasked += u32::from(verdict.is_unasked());
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
