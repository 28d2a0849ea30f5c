//! `versions_blacklist.json`: versions that must not be added (`registry.md#the-blacklist`).
//!
//! The match is exact and case-sensitive in every part, and knows no pair of hashicorp and opentofu: the live file lists
//! such versions under both namespaces.
//!
//! It keeps versions out, so what is not understood is no empty list: an unknown key may be a misspelt one, and Go reads keys in
//! whatever case.

use serde::{Deserialize, Deserializer, Serialize};

/// Where it lies, below the registry's root.
pub(crate) const BLACKLIST: &str = "versions_blacklist.json";

use crate::registry::reading::{Object, objects};
use crate::registry::version::trim_v;
use crate::registry::{Address, Document, Json, Key};

/// The whole list; empty where the file is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Blacklist {
    #[serde(default, deserialize_with = "providers")]
    providers: Vec<BlacklistEntry>,
    #[serde(default, deserialize_with = "modules")]
    modules: Vec<BlacklistEntry>,
}

/// One version that stays out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BlacklistEntry {
    pub(crate) namespace: String,
    pub(crate) name: String,
    /// Modules only.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) target_system: String,
    /// Without a leading `v`.
    pub(crate) version: String,
    #[serde(default)]
    pub(crate) reason: String,
}

impl BlacklistEntry {
    pub(crate) fn new(address: &Address, version: &str, reason: &str) -> Self {
        let target_system = match address {
            Address::Provider(_) => String::new(),
            Address::Module(module) => module.target.to_string(),
        };
        Self {
            namespace: address.namespace().to_owned(),
            name: address.name().to_owned(),
            target_system,
            version: trim_v(version).to_owned(),
            reason: reason.to_owned(),
        }
    }

    /// Whether both keep the same version out, whatever their reasons.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let parts = |entry: &Self| {
            [&entry.namespace, &entry.name, &entry.target_system, &entry.version].map(String::clone)
        };
        parts(self) == parts(other)
    }

    /// `hashicorp/aws 6.57.0`.
    pub(crate) fn subject(&self) -> String {
        let target =
            if self.target_system.is_empty() { String::new() } else { format!("/{}", self.target_system) };
        format!("{}/{}{target} {}", self.namespace, self.name, self.version)
    }

    fn json(&self) -> Json {
        let fields = [
            ("namespace", &self.namespace),
            ("name", &self.name),
            ("target_system", &self.target_system),
            ("version", &self.version),
            ("reason", &self.reason),
        ];
        let is_there = |(key, text): &(&str, &String)| *key != "target_system" || !text.is_empty();
        let fields = fields.into_iter().filter(is_there);
        Json::Object(fields.map(|(key, text)| (Key::Borrowed(key), Json::string(text))).collect())
    }
}

/// A list that cannot be read; the registry's own tool stops on it too, or takes it for another.
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

    /// The file with more entries, in front of the others of their kind as maintainers put them; what it has stays as it is, byte
    /// for byte. Those that are in it are not put in again. `bytes`: `None` for a file that is not there.
    ///
    /// # Errors
    /// It cannot be read, or is written in a form of its own, which would be lost: why, as a part of a sentence.
    pub(crate) fn with(bytes: Option<&[u8]>, entries: &[BlacklistEntry]) -> Result<Vec<u8>, String> {
        let bytes = bytes.unwrap_or(b"{}");
        let listed = Self::parse(bytes).map_err(|error| error.to_string())?;
        let document = Document::parse(bytes).map_err(|error| error.to_string())?;
        if !document.prints_from_tree() {
            return Err(format!("`{BLACKLIST}` is not indented as the registry's files are"));
        }
        let mut root = document.root().clone();
        for (key, list, is_module) in
            [("providers", &listed.providers, false), ("modules", &listed.modules, true)]
        {
            let is_new = |entry: &&BlacklistEntry| {
                entry.target_system.is_empty() != is_module && !list.iter().any(|known| known.is_same(entry))
            };
            let mut new: Vec<Json> = entries.iter().filter(is_new).map(BlacklistEntry::json).collect();
            let Json::Object(fields) = &mut root else { continue };
            let Some((_, known)) = fields.iter_mut().find(|(name, _)| name == key) else {
                fields.push((Key::Borrowed(key), Json::Array(new)));
                continue;
            };
            if new.is_empty() {
                continue;
            }
            new.extend(known.items().iter().cloned());
            *known = Json::Array(new);
        }
        Ok(document.with_root(root).print())
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

    /// All of it, providers first.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &BlacklistEntry> {
        self.providers.iter().chain(&self.modules)
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

/// A provider with a target would be kept out whatever that says.
fn providers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<BlacklistEntry>, D::Error> {
    let entries: Vec<BlacklistEntry> = objects(deserializer)?;
    match entries.iter().find(|entry| !entry.target_system.is_empty()) {
        None => Ok(entries),
        Some(entry) => Err(serde::de::Error::custom(format!(
            "the provider {}/{} has a `target_system`",
            entry.namespace, entry.name
        ))),
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
    fn entries_are_put_in_front_and_all_else_keeps_its_bytes() {
        let entry = |namespace: &str| {
            BlacklistEntry::new(
                &Address::provider(namespace, "aws"),
                "v6.57.0",
                "Critical bug - see https://a.b/c",
            )
        };
        let old = "{\n  \"providers\": [\n    {\n      \"namespace\": \"opentofu\",\n      \"name\": \"aws\",\n      \
            \"version\": \"6.1.0\",\n      \"reason\": \"<old>\"\n    }\n  ],\n  \"modules\": []\n}\n\n";
        let old = old.replace("<old>", "old");
        let new = Blacklist::with(Some(old.as_bytes()), &[entry("hashicorp"), entry("opentofu")]).unwrap();
        let new = String::from_utf8(new).unwrap();
        let item = |namespace: &str| {
            format!(
                "    {{\n      \"namespace\": \"{namespace}\",\n      \"name\": \"aws\",\n      \"version\": \"6.57.0\",\n      \
                 \"reason\": \"Critical bug - see https://a.b/c\"\n    }},\n"
            )
        };
        let start = old.find("    {").unwrap();
        let wanted = [&old[..start], &item("hashicorp"), &item("opentofu"), &old[start..]].concat();
        assert_eq!(new, wanted);
        // What is in it is not put in again, whatever the reason.
        assert_eq!(Blacklist::with(Some(new.as_bytes()), &[entry("opentofu")]).unwrap(), new.as_bytes());
        let module = BlacklistEntry::new(&Address::module("a", "b", "aws"), "v1.0.0", "r");
        let new = Blacklist::with(None, std::slice::from_ref(&module)).unwrap();
        let list = Blacklist::parse(&new).unwrap();
        assert!(list.find(&Address::module("a", "b", "aws"), "1.0.0").is_some());
        assert_eq!((list.len(), module.subject()), (1, "a/b/aws 1.0.0".to_owned()));
        for odd in ["{\"providers\":[]}", "{\n\t\"providers\": []\n}", "[]"] {
            assert!(Blacklist::with(Some(odd.as_bytes()), &[entry("a")]).is_err(), "{odd}");
        }
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
                "unknown field `target`, expected one of",
            ),
            (
                r#"{"modules":[{"namespace":"a","name":"b","version":"1.0.0"}]}"#,
                "the module a/b has no `target_system`",
            ),
            (
                r#"{"providers":[{"namespace":"a","name":"b","target_system":"aws","version":"1.0.0"}]}"#,
                "the provider a/b has a `target_system`",
            ),
            (
                r#"{"providers":[{"namespace":"a","name":"b","version":"1.0.0","Version":"2.0.0"}]}"#,
                "unknown field `Version`",
            ),
            ("null", "invalid type: null"),
        ];
        for (text, told) in cases {
            let error = Blacklist::parse(text.as_bytes()).unwrap_err();
            assert!(error.text.starts_with(told), "{text}: {error}");
        }
    }
}
