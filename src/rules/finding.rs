//! Something worth a maintainer's eye. Never an error of ours, and never a change of the status by itself.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::settings::words;

words! {
    /// How much a finding matters.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Severity: [name] {
        Note = "note",
        Warning = "warning",
        Error = "error",
    }
}

/// One finding about an entry or one of its versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub severity: Severity,
    /// A stable kebab-case name, such as `repository-id-changed`.
    pub rule: Cow<'static, str>,
    pub version: Option<String>,
    /// One sentence, lower case, without a full stop.
    pub text: String,
}

/// The rule of an entry whose repository answers 404: it is gone, or private.
pub(crate) const REPOSITORY_GONE: &str = "repository-gone";
/// The rule of a version whose archive is not what its SHA256SUMS lists.
pub(crate) const MISMATCH: &str = "archive-mismatch";
/// The rule for a version whose archive is missing, too large, or not a readable zip.
pub(crate) const BROKEN: &str = "archive-broken";
/// The rule of a version whose checksums, or manifest, the registry's own tool does not take.
pub(crate) const FAILS: &str = "tool-fails";

impl Finding {
    pub(crate) fn note(rule: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        Self { severity: Severity::Note, rule: rule.into(), version: None, text: text.into() }
    }

    pub(crate) fn warning(rule: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, rule: rule.into(), version: None, text: text.into() }
    }

    pub(crate) fn error(rule: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        Self { severity: Severity::Error, rule: rule.into(), version: None, text: text.into() }
    }

    /// What nobody knows because of it, as a part of a sentence; `None`: it hides nothing.
    pub(crate) fn leaves_unknown(&self) -> Option<&'static str> {
        match &*self.rule {
            _ if self.severity != Severity::Error => None,
            "tags-unread" => Some("its tags were not read, so what is missing is not known"),
            REPOSITORY_GONE => Some("its repository is gone or private, so what is missing is not known"),
            "version-unread" => {
                Some("a version could not be read upstream, so whether it is missing is not known")
            }
            _ => None,
        }
    }

    /// Whether it stands in the way of any proposal: something could not be read, or what was read is not to be trusted.
    pub(crate) fn is_obstacle(&self) -> bool {
        let is_known = matches!(&*self.rule, "repository-id-changed" | MISMATCH | BROKEN);
        self.severity == Severity::Error && is_known || self.leaves_unknown().is_some()
    }

    /// Whether the registry's own tool ends with an error on the version, at every try and without a record: the bump leaves it out,
    /// and a new entry and the required check fail.
    pub(crate) fn fails_the_tool(&self) -> bool {
        matches!(&*self.rule, MISMATCH | BROKEN | FAILS)
    }

    #[must_use]
    pub(crate) fn on(mut self, version: impl Into<String>) -> Self {
        self.version = Some(version.into());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_read_is_an_obstacle_and_a_note_of_it_is_none() {
        for (rule, leaves_unknown, is_obstacle) in [
            ("tags-unread", true, true),
            (REPOSITORY_GONE, true, true),
            ("version-unread", true, true),
            ("repository-id-changed", false, true),
            ("left-out", false, false),
        ] {
            let error = Finding::error(rule, "");
            assert_eq!(
                (error.leaves_unknown().is_some(), error.is_obstacle()),
                (leaves_unknown, is_obstacle)
            );
            let warning = Finding::warning(rule, "");
            assert_eq!((warning.leaves_unknown(), warning.is_obstacle()), (None, false), "{rule}");
        }
    }
}
