//! What this maintainer decided about a version, kept between runs.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A decision about one version of one entry (or the whole entry).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The address as text, `ns/name` or `ns/name/target`.
    pub(crate) address: String,
    /// Without a leading `v`; `None` for the whole entry.
    pub(crate) version: Option<String>,
    pub(crate) kind: DecisionKind,
    pub(crate) reason: String,
    pub(crate) at: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum DecisionKind {
    /// Leave it out of the status until then (`None`: for good).
    Ignore { until: Option<Timestamp> },
}

impl Decision {
    /// When the decision ends to count; `None`: never.
    pub(crate) fn until(&self) -> Option<Timestamp> {
        match self.kind {
            DecisionKind::Ignore { until } => until,
        }
    }
}
