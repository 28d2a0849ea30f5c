//! The targets that a backfill is asked for.

use serde::{Deserialize, Serialize};

use crate::registry::Address;
use crate::registry::version::trim_v;
use crate::rules::amount::counted;
use crate::rules::lock;

/// The selection of targets, in the words that select them again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Selection {
    /// Every provider.
    Everything,
    These(Vec<Selected>),
}

/// Versions of one provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selected {
    pub(crate) address: Address,
    /// One version, or constraints such as `>= 1.2.0, < 2.0.0`; all of them if there is none.
    pub(crate) versions: Option<String>,
}

impl Selected {
    /// # Errors
    /// What stands behind the `@` is neither a version nor a list of constraints: which part of it is not.
    pub(crate) fn new(address: Address, versions: Option<&str>) -> Result<Self, String> {
        let versions = match versions {
            // A version is taken as it stands, since the registry knows some that no client reads.
            Some(text) if is_range(text) => Some(lock::constraints(text)?),
            Some(text) => Some(trim_v(text).to_owned()),
            None => None,
        };
        Ok(Self { address, versions })
    }

    pub(crate) fn admits(&self, version: &str) -> bool {
        match &self.versions {
            None => true,
            Some(range) if is_range(range) => lock::admits(range, version),
            Some(one) => trim_v(one) == trim_v(version),
        }
    }

    /// The version that is named, where it is one.
    pub(crate) fn version(&self) -> Option<&str> {
        self.versions.as_deref().filter(|text| !is_range(text))
    }

    /// `acme/rocket@>= 1.2.0`, as a command line takes it.
    pub(crate) fn words(&self) -> String {
        match &self.versions {
            Some(versions) => format!("{}@{versions}", self.address),
            None => self.address.to_string(),
        }
    }
}

fn is_range(text: &str) -> bool {
    text.contains(['<', '>', '=', '~', '!', ','])
}

impl Selection {
    pub(crate) fn admits(&self, address: &Address, version: &str) -> bool {
        match self {
            Self::Everything => true,
            Self::These(these) => these.iter().any(|one| one.address == *address && one.admits(version)),
        }
    }

    /// `everything`; `acme/rocket@1.2.0 umbrella/portal`: the same words, the same selection.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Everything => "everything".to_owned(),
            Self::These(these) => {
                let mut words: Vec<String> = these.iter().map(Selected::words).collect();
                words.sort();
                words.dedup();
                words.join(" ")
            }
        }
    }

    /// `everything`, `acme/rocket@1.2.0`, `3 providers`.
    pub(crate) fn summary(&self) -> String {
        match self {
            Self::Everything => "everything".to_owned(),
            Self::These(these) => match &these[..] {
                [one] => one.words(),
                many => counted(many.len(), "provider"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_named_or_bounded() {
        let address = || Address::provider("acme", "rocket");
        let admits = |versions: Option<&str>, version: &str| {
            Selected::new(address(), versions).unwrap().admits(version)
        };
        for (versions, version, wanted) in [
            (None, "1.0.0", true),
            (Some("v1.0.0"), "1.0.0", true),
            (Some("1.0"), "1.0", true),
            (Some("1.0"), "1.0.0", false),
            (Some(">=1.0.0,<2"), "1.9.3", true),
            (Some(">= 1.0.0, < 2.0.0"), "2.0.0", false),
            (Some("<2"), "2.0.0-rc1", true),
            (Some(">1.0.0"), "1.0.0", false),
            (Some("!=1.0.0"), "1.0.0", false),
            (Some("<=1.0"), "1.0", true),
            (Some("~>1.2"), "1.9.0", true),
            (Some("~>1.2"), "2.0.0", false),
            (Some("~>1.2.3"), "1.2.9", true),
            (Some("~>1.2.3"), "1.3.0", false),
            (Some("=1.0.0"), "1.0.0", true),
            (Some(">=1"), "20230402163018.0.0", true),
        ] {
            assert_eq!(admits(versions, version), wanted, "{versions:?} {version}");
        }
        assert!(Selected::new(address(), Some(">=x")).is_err());
    }

    #[test]
    fn the_same_words_are_the_same_selection() {
        let one = |name: &str, versions: Option<&str>| {
            Selected::new(Address::provider("acme", name), versions).unwrap()
        };
        let (a, b) = (one("a", Some("<2,>=1")), one("b", None));
        let words = Selection::These(vec![b.clone(), a.clone()]).words();
        assert_eq!(words, Selection::These(vec![a.clone(), b, a]).words());
        assert_eq!(words, "acme/a@>= 1.0.0, < 2.0.0 acme/b");
    }
}
