//! `versions_blacklist.json`: versions that must not be added (`registry.md#the-blacklist`).
//!
//! The match is exact and case-sensitive in every part, and knows no pair of hashicorp and opentofu: the live file lists
//! such versions under both namespaces.
//!
//! It keeps versions out, so what is not understood is no empty list: an unknown root key may be a misspelt one.

use serde::{Deserialize, Deserializer};

/// Where it lies, below the registry's root.
pub(crate) const BLACKLIST: &str = "versions_blacklist.json";

use crate::registry::Address;
use crate::registry::reading::{Object, objects};
use crate::registry::version::trim_v;

/// The whole list; empty where the file is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Blacklist {
    #[serde(default, deserialize_with = "objects")]
    providers: Vec<BlacklistEntry>,
    #[serde(default, deserialize_with = "modules")]
    modules: Vec<BlacklistEntry>,
}

/// One version that stays out.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct BlacklistEntry {
    pub(crate) namespace: String,
    pub(crate) name: String,
    /// Modules only.
    #[serde(default)]
    pub(crate) target_system: String,
    /// Without a leading `v`.
    pub(crate) version: String,
    #[serde(default)]
    pub(crate) reason: String,
}

/// A list that cannot be read; the registry's own tool stops on it too.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`versions_blacklist.json` is broken at {line}:{column}: {text}; fix it before anything is bumped")]
pub(crate) struct BlacklistError {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) text: String,
}

impl Blacklist {
    /// Parses the file's bytes.
    ///
    /// # Errors
    /// The bytes are no such list.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, BlacklistError> {
        let read = serde_json::from_slice(bytes).map(|Object(list)| list);
        read.map_err(|error| {
            let text = error.to_string();
            let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what).to_owned();
            BlacklistError { line: error.line(), column: error.column(), text }
        })
    }

    /// The entry that keeps a version out, if there is one. A module's tag is trimmed of its `v` first.
    pub(crate) fn find(&self, address: &Address, version: &str) -> Option<&BlacklistEntry> {
        let version = trim_v(version);
        self.of(address).find(|entry| entry.version == version)
    }

    /// All entries that speak of one address.
    pub(crate) fn of(&self, address: &Address) -> impl Iterator<Item = &BlacklistEntry> {
        let list = match address {
            Address::Provider(_) => &self.providers,
            Address::Module(_) => &self.modules,
        };
        list.iter().filter(move |entry| {
            let same_target = match address {
                Address::Provider(_) => true,
                Address::Module(module) => *entry.target_system == *module.target,
            };
            same_target && entry.namespace == address.namespace() && entry.name == address.name()
        })
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.providers.len() + self.modules.len()
    }

    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A module without its target would keep nothing out.
fn modules<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<BlacklistEntry>, D::Error> {
    let entries: Vec<BlacklistEntry> = objects(deserializer)?;
    match entries.iter().find(|entry| entry.target_system.is_empty()) {
        None => Ok(entries),
        Some(entry) => Err(serde::de::Error::custom(format!(
            "the module {}/{} has no `target_system`",
            entry.namespace, entry.name
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_match_is_exact() {
        let text =
            br#"{"providers":[{"namespace":"opentofu","name":"aws","version":"6.57.0","reason":"withdrawn"}],
            "modules":[{"namespace":"a","name":"b","target_system":"aws","version":"1.0.0","reason":""}]}

"#;
        let list = Blacklist::parse(text).unwrap();
        assert_eq!(list.len(), 2);
        let provider = Address::provider("opentofu", "aws");
        assert_eq!(list.find(&provider, "6.57.0").map(|entry| entry.reason.as_str()), Some("withdrawn"));
        assert!(list.find(&provider, "6.57.1").is_none());
        assert!(list.find(&Address::provider("hashicorp", "aws"), "6.57.0").is_none());
        assert!(list.find(&Address::module("a", "b", "aws"), "v1.0.0").is_some());
        assert!(list.find(&Address::module("a", "b", "azurerm"), "v1.0.0").is_none());
    }

    #[test]
    fn a_broken_list_says_where() {
        let error = Blacklist::parse(b"{\n  \"providers\": [,]\n}").unwrap_err();
        assert_eq!((error.line, error.column), (2, 17));
        for empty in ["{}", r#"{"providers":[],"modules":null}"#] {
            assert!(Blacklist::parse(empty.as_bytes()).unwrap().is_empty(), "{empty}");
        }
    }

    #[test]
    fn what_is_not_understood_is_no_empty_list() {
        let cases = [
            ("[]", "invalid type: sequence, expected an object"),
            (r#"[[{"namespace":"a","name":"b","version":"1.0.0"}]]"#, "invalid type: sequence"),
            (r#"{"provider":[]}"#, "unknown field `provider`, expected `providers` or `modules`"),
            (r#"{"providers":[["a","b","","1.0.0",""]]}"#, "invalid type: sequence, expected an object"),
            (
                r#"{"modules":[{"namespace":"a","name":"b","target":"aws","version":"1.0.0"}]}"#,
                "the module a/b has no `target_system`",
            ),
            ("null", "invalid type: null"),
        ];
        for (text, told) in cases {
            let error = Blacklist::parse(text.as_bytes()).unwrap_err();
            assert!(error.text.starts_with(told), "{text}: {error}");
        }
    }
}
