//! What was found while a planned file was built, kept between runs.

use serde::{Deserialize, Serialize};

use crate::rules::finding::{Finding, Severity};

/// A finding as it is kept: the name of its rule may be one that this bumpdesk does not know any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Remark {
    /// `note`, `warning` or `error`.
    pub(crate) severity: String,
    pub(crate) rule: String,
    pub(crate) version: Option<String>,
    pub(crate) text: String,
}

impl Remark {
    /// Returns true if it only tells, and warns of nothing.
    pub(crate) fn is_note(&self) -> bool {
        self.severity == Severity::Note.name()
    }
}

impl From<&Finding> for Remark {
    fn from(finding: &Finding) -> Self {
        Self {
            severity: finding.severity.name().to_owned(),
            rule: finding.rule.to_string(),
            version: finding.version.clone(),
            text: finding.text.clone(),
        }
    }
}
