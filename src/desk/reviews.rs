//! The open pull requests of the registry, as they were listed last, and what came of making each again.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use crate::rules::review::{OpenPull, Result as Word, Review};

/// Of one, when it was made again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reviewed {
    pub(crate) review: Arc<Review>,
    pub(crate) at: Timestamp,
}

/// How one that is listed stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing<'a> {
    /// It was not made again yet.
    Waiting,
    Reviewed(&'a Reviewed),
    /// Its head moved since: what was found is of another commit.
    Moved(&'a Reviewed),
}

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct Reviews {
    /// Those with the newest news first, and when they were listed; `None` before that.
    listed: Option<(Arc<Vec<OpenPull>>, Timestamp)>,
    found: BTreeMap<u64, Reviewed>,
}

impl Reviews {
    pub(super) fn list(&mut self, pulls: Arc<Vec<OpenPull>>, now: Timestamp) {
        self.found.retain(|number, _| pulls.iter().any(|pull| pull.number == *number));
        self.listed = Some((pulls, now));
    }

    pub(super) fn take(&mut self, review: Arc<Review>, now: Timestamp) {
        // What was hashed is not forgotten for what was not, of the same commits.
        let is_less = |before: &Reviewed| {
            let is_same =
                before.review.pull.head == review.pull.head && before.review.merge_base == review.merge_base;
            is_same && before.review.result == Word::Same && review.result == Word::NotHashed
        };
        let number = review.pull.number;
        if !self.found.get(&number).is_some_and(is_less) {
            self.found.insert(number, Reviewed { review, at: now });
        }
    }

    /// When they were listed last.
    pub(crate) fn listed_at(&self) -> Option<Timestamp> {
        self.listed.as_ref().map(|(_, at)| *at)
    }

    /// Those that touch what the registry serves, as far as it is known, those with the newest news first.
    pub(crate) fn rows(&self) -> Vec<(&OpenPull, Standing<'_>)> {
        let rows = self.all().map(|pull| (pull, self.standing(pull)));
        rows.filter(|(_, standing)| !is_elsewhere(*standing)).collect()
    }

    /// How many touch nothing that the registry serves.
    pub(crate) fn elsewhere(&self) -> usize {
        self.all().filter(|pull| is_elsewhere(self.standing(pull))).count()
    }

    fn all(&self) -> impl Iterator<Item = &OpenPull> {
        self.listed.iter().flat_map(|(pulls, _)| pulls.iter())
    }

    fn standing(&self, pull: &OpenPull) -> Standing<'_> {
        match self.found.get(&pull.number) {
            None => Standing::Waiting,
            Some(found) if found.review.pull.head == pull.head => Standing::Reviewed(found),
            // The list is older than what was found, or the other way round: of that commit it is in both cases.
            Some(found) => Standing::Moved(found),
        }
    }
}

fn is_elsewhere(standing: Standing<'_>) -> bool {
    matches!(standing, Standing::Reviewed(found) if found.review.is_elsewhere())
}
