//! The requests of a survey for versions that it cannot take: it repeats them at every sweep.

use std::collections::BTreeMap;
use std::iter::Sum;
use std::ops::Add;

use serde::Serialize;

use crate::registry::{Address, Observed, ReleaseFacts};
use crate::rules::stranded::{Card, Column};

/// Questions of one sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct Cost {
    /// Files of releases that are asked for, one request each.
    pub(crate) files: u32,
    /// Releases that the API is asked about, many in one request.
    pub(crate) releases: u32,
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { files: self.files + other.files, releases: self.releases + other.releases }
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::default(), Add::add)
    }
}

/// The requests that the last survey made for a release: the next one makes them again.
pub(super) fn of(release: Option<&ReleaseFacts>) -> Cost {
    let Some(release) = release else { return Cost::default() };
    // Two names are tried; the plain one first.
    let files = |is_plain: Option<bool>| if is_plain == Some(true) { 1 } else { 2 };
    let is_listed = release
        .info
        .known()
        .map(|info| info.truncated || info.assets.iter().any(|asset| asset.name.ends_with("_SHA256SUMS")));
    let sums = match &release.sums {
        Observed::Unasked => 0,
        Observed::Known { value, .. } => files(Some(!value.url.contains("_v"))),
        // A release that was listed without them is not asked for them.
        Observed::Absent { .. } if is_listed == Some(false) => 0,
        Observed::Absent { .. } | Observed::Unknown { .. } => files(None),
    };
    let manifest = match &release.manifest {
        Observed::Unasked => 0,
        Observed::Known { .. } => 1,
        Observed::Absent { .. } | Observed::Unknown { .. } => files(None),
    };
    Cost { files: sums + manifest, releases: u32::from(release.info != Observed::Unasked) }
}

/// An entry that costs at every sweep and gives nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct CostlyEntry {
    pub(crate) address: Address,
    pub(crate) versions: u32,
    pub(crate) cost: Cost,
}

/// Entries whose broken versions cost most, the costliest first: those to leave out, by ignoring them, to lower the cost.
pub(crate) fn costliest<'a>(cards: impl Iterator<Item = &'a Card>) -> Vec<CostlyEntry> {
    let mut by_entry: BTreeMap<&Address, (u32, Cost)> = BTreeMap::new();
    for card in cards.filter(|card| card.column == Column::Broken && card.cost != Cost::default()) {
        let (versions, cost) = by_entry.entry(&card.address).or_default();
        (*versions, *cost) = (*versions + 1, *cost + card.cost);
    }
    let one =
        |(address, (versions, cost)): (&Address, _)| CostlyEntry { address: address.clone(), versions, cost };
    let mut all: Vec<CostlyEntry> = by_entry.into_iter().map(one).collect();
    all.sort_by(|a, b| b.cost.cmp(&a.cost).then_with(|| a.address.cmp(&b.address)));
    all
}
