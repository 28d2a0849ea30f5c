//! Known notices: questions that come again and again, each with the versions that it is about, the issue where it was answered,
//! and the reply. They are this maintainer's own, and change no status and no word.

use serde::{Deserialize, Serialize};

use crate::registry::Address;
use crate::registry::version::trim_v;

/// More than anybody remembers.
pub(crate) const NOTICE_LIMIT: usize = 100;
/// Of a reply, in characters.
const LONGEST_REPLY: usize = 2_000;

/// A notice. In patterns `*` stands for anything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Notice {
    /// Where it was answered, in the registry's repository.
    pub(crate) issue: u64,
    /// Of addresses, in any case: `hashicorp/*`.
    pub(crate) address: String,
    /// Of versions, with or without `v`: `2.18.0-*`.
    pub(crate) version: String,
    /// In a review it counts only where this field is what differs: `shasum`.
    #[serde(default)]
    pub(crate) field: Option<String>,
    pub(crate) reply: String,
}

/// A notice, and the versions of an entry that it is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Known {
    #[serde(flatten)]
    pub(crate) notice: Notice,
    /// The address of the entry.
    pub(crate) entry: String,
    pub(crate) versions: Vec<String>,
}

impl Notice {
    /// Of `ADDRESS` or `ADDRESS@VERSION`.
    ///
    /// # Errors
    /// A part of it is empty, too long, or could never match.
    pub(crate) fn new(pattern: &str, field: Option<&str>, issue: u64, reply: &str) -> Result<Self, String> {
        let (address, version) = pattern.split_once('@').unwrap_or((pattern, "*"));
        let is_address = |c: char| c.is_ascii_alphanumeric() || "*/-_.".contains(c);
        if address.is_empty()
            || !address.chars().all(is_address)
            || !(address.contains('/') || address == "*")
        {
            return Err(format!("`{address}` is not a pattern of addresses, such as `acme/*`"));
        }
        let is_word = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic());
        if !is_word(version) {
            return Err(format!("`{version}` is not a pattern of versions, such as `2.18.*`"));
        }
        if let Some(field) = field.filter(|field| !is_word(field)) {
            return Err(format!("`{field}` is not the name of a field, such as `shasum`"));
        }
        let reply = reply.trim();
        if reply.is_empty() || reply.chars().count() > LONGEST_REPLY || reply.chars().any(char::is_control) {
            return Err(format!("a reply is one line of at most {LONGEST_REPLY} characters"));
        }
        let (address, version, reply) = (address.to_owned(), version.to_owned(), reply.to_owned());
        Ok(Self { issue, address, version, field: field.map(str::to_owned), reply })
    }

    /// `acme/*@2.18.*`.
    pub(crate) fn pattern(&self) -> String {
        match &*self.version {
            "*" => self.address.clone(),
            version => format!("{}@{version}", self.address),
        }
    }

    fn is_about(&self, address: &Address) -> bool {
        fits(&self.address.to_ascii_lowercase(), &address.to_string().to_ascii_lowercase())
    }

    fn has(&self, version: &str) -> bool {
        fits(trim_v(&self.version), trim_v(version))
    }

    /// The versions of those that it is about; `None`: none.
    pub(crate) fn found<'a>(
        &self,
        address: &Address,
        versions: impl IntoIterator<Item = &'a str>,
    ) -> Option<Known> {
        if !self.is_about(address) {
            return None;
        }
        let mut found: Vec<String> = Vec::new();
        for version in versions.into_iter().filter(|version| self.has(version)) {
            if !found.iter().any(|known| trim_v(known) == trim_v(version)) {
                found.push(version.to_owned());
            }
        }
        let known = || Known { notice: self.clone(), entry: address.to_string(), versions: found.clone() };
        (!found.is_empty()).then(known)
    }
}

/// Puts a notice among those that are kept; whether it took the place of another about the same.
///
/// # Errors
/// There are too many.
pub(crate) fn add(kept: &mut Vec<Notice>, notice: Notice) -> Result<bool, String> {
    let is_same = |one: &&mut Notice| (one.pattern(), &one.field) == (notice.pattern(), &notice.field);
    if let Some(old) = kept.iter_mut().find(is_same) {
        *old = notice;
        return Ok(true);
    }
    if kept.len() >= NOTICE_LIMIT {
        return Err(format!("there are already {NOTICE_LIMIT} notices; remove one first"));
    }
    kept.push(notice);
    kept.sort_by_key(|notice| (notice.issue, notice.pattern()));
    Ok(false)
}

/// Takes those of an issue away; how many there were.
///
/// # Errors
/// There is none.
pub(crate) fn remove(kept: &mut Vec<Notice>, issue: u64) -> Result<usize, String> {
    let before = kept.len();
    kept.retain(|notice| notice.issue != issue);
    if kept.len() == before {
        Err(format!("no notice names issue #{issue}"))
    } else {
        Ok(before - kept.len())
    }
}

/// What is known of an entry's versions.
pub(crate) fn of_entry(kept: &[Notice], address: &Address, versions: &[&str]) -> Vec<Known> {
    kept.iter().filter_map(|notice| notice.found(address, versions.iter().copied())).collect()
}

/// Whether a text fits a pattern in which `*` stands for any run of characters, none among them.
fn fits(pattern: &str, text: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else { return pattern == text };
    let Some(rest) = text.strip_prefix(before) else { return false };
    rest.char_indices().map(|(at, _)| at).chain([rest.len()]).any(|at| fits(after, &rest[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notice(pattern: &str, field: Option<&str>) -> Notice {
        Notice::new(pattern, field, 7, "Pin GoReleaser 2.14.3.").unwrap()
    }

    #[test]
    fn patterns_fit_addresses_and_versions() {
        let address = Address::parse("Acme/rocket").unwrap();
        for (pattern, wanted) in [
            ("acme/rocket", vec!["1.2.0", "1.10.0-rc1"]),
            ("acme/*@1.2.*", vec!["1.2.0"]),
            ("*/rocket@v1.2.0", vec!["1.2.0"]),
            ("*@*-rc*", vec!["1.10.0-rc1"]),
            ("acme/rock", vec![]),
            ("*/*/*", vec![]),
            ("acme/rocket@1", vec![]),
        ] {
            let found = of_entry(&[notice(pattern, None)], &address, &["1.2.0", "v1.2.0", "1.10.0-rc1"]);
            let versions: Vec<&str> =
                found.iter().flat_map(|known| &known.versions).map(String::as_str).collect();
            assert_eq!(versions, wanted, "{pattern}");
        }
    }

    #[test]
    fn what_could_never_match_is_refused() {
        for (pattern, field, reply) in [
            ("", None, "x"),
            ("acme", None, "x"),
            ("acme/ro cket", None, "x"),
            ("acme/rocket@", None, "x"),
            ("acme/rocket", Some(""), "x"),
            ("acme/rocket", None, " "),
            ("acme/rocket", None, "a\u{1b}[2Jb"),
            ("acme/rocket", None, "a\nb"),
        ] {
            assert!(Notice::new(pattern, field, 1, reply).is_err(), "{pattern} {field:?} {reply}");
        }
        assert!(Notice::new("a/b", None, 1, &"x".repeat(2_001)).is_err());
    }

    #[test]
    fn one_about_the_same_takes_the_place_of_the_old() {
        let mut kept = Vec::new();
        assert_eq!(add(&mut kept, notice("a/b", None)), Ok(false));
        assert_eq!(add(&mut kept, notice("a/b", Some("h1"))), Ok(false));
        assert_eq!(add(&mut kept, Notice { issue: 8, ..notice("a/b", None) }), Ok(true));
        assert_eq!(kept.iter().map(|one| one.issue).collect::<Vec<_>>(), [8, 7]);
        assert_eq!(remove(&mut kept, 8), Ok(1));
        assert!(remove(&mut kept, 8).is_err());
    }
}
