//! In which order the rows stand.

use std::cmp::Ordering;

use crate::rules::Verdict;

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

    /// The key of the sort menu.
    pub fn key(self) -> char {
        match self {
            Self::Status => 's',
            Self::Newest => 'n',
            Self::Oldest => 'o',
            Self::Address => 'a',
        }
    }

    /// The one below or above in the menu.
    pub fn neighbour(self, step: isize) -> Self {
        let at = Self::ALL.iter().position(|sort| *sort == self).unwrap_or(0);
        Self::ALL[at.saturating_add_signed(step).min(Self::ALL.len() - 1)]
    }

    /// Row numbers in this order. Rows stand by address already, so equal ones stay so.
    pub fn arrange(self, verdicts: &[Verdict]) -> Vec<u32> {
        let mut order: Vec<u32> = (0..verdicts.len() as u32).collect();
        // What nobody dates stands last in both directions.
        let since = |at: u32| verdicts[at as usize].since.map(jiff::Timestamp::as_second);
        let newest = |a: u32, b: u32| since(b).cmp(&since(a));
        let oldest = |a: u32, b: u32| match (since(a), since(b)) {
            (Some(a), Some(b)) => a.cmp(&b),
            (a, b) => b.is_some().cmp(&a.is_some()),
        };
        let rank = |at: u32| severity(&verdicts[at as usize]);
        let compare = |a: &u32, b: &u32| -> Ordering {
            let (a, b) = (*a, *b);
            match self {
                Self::Status => rank(a).cmp(&rank(b)).then_with(|| newest(a, b)),
                Self::Newest => newest(a, b),
                Self::Oldest => oldest(a, b),
                Self::Address => Ordering::Equal,
            }
            .then(a.cmp(&b))
        };
        order.sort_unstable_by(compare);
        order
    }
}

/// The ladder's order, but what was never asked stands below what is known to be wrong.
fn severity(verdict: &Verdict) -> (bool, u8) {
    let never_asked = verdict.status == crate::rules::Status::Unknown && verdict.checked_at.is_none();
    (never_asked, verdict.status as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::tests::world;

    #[test]
    fn status_first_then_age_and_the_unasked_last() {
        let loaded = world::normal();
        let order = Sort::Status.arrange(&loaded.verdicts);
        let ranks: Vec<_> = order.iter().map(|at| severity(&loaded.verdicts[*at as usize])).collect();
        assert!(ranks.is_sorted());
        let address = Sort::Address.arrange(&loaded.verdicts);
        assert!(address.is_sorted());
        let oldest = Sort::Oldest.arrange(&loaded.verdicts);
        let newest = Sort::Newest.arrange(&loaded.verdicts);
        assert!(loaded.verdicts[newest[0] as usize].since > loaded.verdicts[oldest[0] as usize].since);
        assert!(loaded.verdicts[*oldest.last().unwrap() as usize].since.is_none());
        assert!(loaded.verdicts[*newest.last().unwrap() as usize].since.is_none());
    }
}
