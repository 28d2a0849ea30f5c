//! The reason why a whole job stopped.

use serde::Serialize;

use crate::registry::{Address, Catalog};
use crate::rules::suggestion::Suggestions;

/// The reason why a whole job stopped. A problem of one entry is a finding, never this.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failure {
    pub kind: FailureKind,
    /// The work that failed: `reading the registry`.
    pub doing: String,
    pub causes: Vec<String>,
    /// A sentence that starts with a verb.
    pub hint: Option<String>,
}

impl Failure {
    pub(crate) fn new(kind: FailureKind, doing: impl Into<String>) -> Self {
        Self { kind, doing: doing.into(), causes: Vec::new(), hint: None }
    }

    /// The failure for an address that the registry does not have. It names the entries that the user may mean.
    pub(crate) fn unregistered(doing: impl Into<String>, address: &Address, catalog: &Catalog) -> Self {
        let suggestions = Suggestions::of(address, catalog);
        let missing = match suggestions.copy_of {
            Some(_) => format!("the registry has no data file for `{address}`"),
            None => format!("the registry has no {} `{address}`", address.kind().word()),
        };
        Self::new(FailureKind::Usage, doing)
            .cause(missing)
            .causes(suggestions.sentence(address))
            .hint(suggestions.hint())
    }

    /// One more cause, behind those that are named already.
    pub(crate) fn cause(mut self, cause: impl Into<String>) -> Self {
        self.causes.push(cause.into());
        self
    }

    pub(crate) fn causes(mut self, causes: impl IntoIterator<Item = String>) -> Self {
        self.causes.extend(causes);
        self
    }

    /// Adds the next step: a sentence that starts with a verb.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The work that failed, and why: `reading the registry failed: no such folder`.
    pub(crate) fn reason(&self) -> String {
        format!("{} failed: {}", self.doing, self.causes.join(": "))
    }

    /// The whole failure in one line: `reading the registry failed: no such folder. Name another one.`
    pub(crate) fn sentence(&self) -> String {
        let hint = self.hint.as_ref().map(|hint| format!(". {hint}")).unwrap_or_default();
        format!("{}{hint}", self.reason())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    Usage,
    Config,
    Auth,
    RateLimited,
    Network,
    Conflict,
    Data,
    Internal,
}
