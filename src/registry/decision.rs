//! What this maintainer decided about a version, kept between runs.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A decision about one version of one entry (or the whole entry).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The address as text, `ns/name` or `ns/name/target`.
    pub address: String,
    /// Without a leading `v`; `None` for the whole entry.
    pub version: Option<String>,
    pub kind: DecisionKind,
    pub reason: String,
    pub at: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DecisionKind {
    /// Leave it out of the status until then (`None`: for good).
    Ignore { until: Option<Timestamp> },
}

impl Decision {
    /// Whether the decision still counts.
    pub fn holds(&self, now: Timestamp) -> bool {
        match self.kind {
            DecisionKind::Ignore { until } => until.is_none_or(|until| now < until),
        }
    }
}
