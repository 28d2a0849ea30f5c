//! The choice of targets that a run shows, and their order: the same for a verification and a backfill.

use crate::desk::table::TableSort;
use crate::settings::words;

words! {
    /// The orders of the targets of a run.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub(crate) enum TargetSort: [label] {
        /// By state, and targets of one state by address.
        #[default]
        Worst = "worst first",
        /// As the registry lists them. A target keeps its line while its state changes.
        Address = "address",
    }
}

/// The targets that are shown apart from the filter, and their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TargetOrder {
    pub(crate) sort: TableSort<TargetSort>,
    pub(crate) only_bad: bool,
}

impl TargetOrder {
    /// `address, reversed`; empty for the usual order.
    pub(crate) fn label(self) -> String {
        self.sort.unusual(self.sort.by.label())
    }
}
