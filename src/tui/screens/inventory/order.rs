//! In which order the rows stand.

use crate::registry::Row;
use crate::rules::Status;
use crate::rules::Verdict;
use crate::tui::keymap::Command;

/// The orders that the sort menu offers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// The ladder from top to bottom, newest first within a status.
    #[default]
    Status,
    Newest,
    Oldest,
    Address,
}

impl Sort {
    pub const ALL: [Self; 4] = [Self::Status, Self::Newest, Self::Oldest, Self::Address];

    pub fn label(self) -> &'static str {
        match self {
            Self::Status => "status, age",
            Self::Newest => "newest first",
            Self::Oldest => "oldest first",
            Self::Address => "address",
        }
    }

    /// What chooses it in the sort menu.
    pub(crate) fn command(self) -> Command {
        match self {
            Self::Status => Command::SortStatus,
            Self::Newest => Command::SortNewest,
            Self::Oldest => Command::SortOldest,
            Self::Address => Command::SortAddress,
        }
    }

    /// The one below or above in the menu.
    pub fn neighbour(self, step: isize) -> Self {
        let at = Self::ALL.iter().position(|sort| *sort == self).unwrap_or(0);
        Self::ALL[at.saturating_add_signed(step).min(Self::ALL.len() - 1)]
    }

    /// Row numbers in this order. Rows stand by address already, so equal ones stay so. Small keys are sorted, not
    /// verdicts: this runs every two seconds while a survey runs.
    pub(super) fn arrange(self, rows: &[Row], verdicts: &[Verdict]) -> Vec<u32> {
        let mut keys: Vec<(u8, i64, u32)> = rows
            .iter()
            .zip(verdicts)
            .zip(0..)
            .map(|((row, verdict), at)| {
                let since = verdict.since.map(jiff::Timestamp::as_second);
                // What nobody dates stands last in both directions.
                let newest = since.map_or(i64::MAX, |second| -second);
                let oldest = since.unwrap_or(i64::MAX);
                match self {
                    Self::Status => (severity(row, verdict), newest, at),
                    Self::Newest => (0, newest, at),
                    Self::Oldest => (0, oldest, at),
                    Self::Address => (0, 0, at),
                }
            })
            .collect();
        keys.sort_unstable();
        keys.into_iter().map(|(_, _, at)| at).collect()
    }
}

/// The ladder's order, but what was never asked stands below everything that is known.
fn severity(row: &Row, verdict: &Verdict) -> u8 {
    if is_unasked(row, verdict) { u8::MAX } else { verdict.status as u8 }
}

/// Nobody asked upstream yet. A file that cannot be read is something else: somebody has to look at it.
pub(super) fn is_unasked(row: &Row, verdict: &Verdict) -> bool {
    verdict.status == Status::Unknown && verdict.checked_at.is_none() && row.shape.broken.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::tests::world;

    #[test]
    fn status_first_then_age_and_the_unasked_last() {
        let loaded = world::normal();
        let rows = &loaded.catalog.rows;
        let order = Sort::Status.arrange(rows, &loaded.verdicts);
        let rank = |at: &u32| severity(&rows[*at as usize], &loaded.verdicts[*at as usize]);
        let ranks: Vec<u8> = order.iter().map(rank).collect();
        assert!(ranks.is_sorted());
        let address = Sort::Address.arrange(rows, &loaded.verdicts);
        assert!(address.is_sorted());
        let oldest = Sort::Oldest.arrange(rows, &loaded.verdicts);
        let newest = Sort::Newest.arrange(rows, &loaded.verdicts);
        assert!(loaded.verdicts[newest[0] as usize].since > loaded.verdicts[oldest[0] as usize].since);
        assert!(loaded.verdicts[*oldest.last().unwrap() as usize].since.is_none());
        assert!(loaded.verdicts[*newest.last().unwrap() as usize].since.is_none());
    }
}
