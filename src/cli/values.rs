//! What options of several commands take, and what is said of a value that they do not take.

use clap::ValueEnum;

pub(crate) use crate::desk::launch::{bundle, length, size, workers};
use crate::rules::order::{Group, Sort};
use crate::rules::policy::Reason;
use crate::rules::{Depth, Mode};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DepthWord {
    /// Tags, and the feed of providers.
    Versions,
    /// Also checksums, asset times and digests of the indexed versions.
    Sums,
}

impl From<DepthWord> for Depth {
    fn from(word: DepthWord) -> Self {
        match word {
            DepthWord::Versions => Self::Versions,
            DepthWord::Sums => Self::Sums,
        }
    }
}

pub(crate) fn sort(text: &str) -> Result<Sort, String> {
    Sort::from_name(text).ok_or_else(|| {
        let known = Sort::ALL.map(Sort::name);
        format!("known orders: {}", known.join(", "))
    })
}

pub(crate) fn group(text: &str) -> Result<Group, String> {
    Group::from_name(text).ok_or_else(|| {
        let known = Group::ALL.map(Group::name);
        format!("known groups: {}", known.join(", "))
    })
}

pub(crate) fn mode(text: &str) -> Result<Mode, String> {
    match text.split_once('=') {
        None if text == "add" => Ok(Mode::Add),
        None if text == "scratch" => Ok(Mode::Scratch),
        Some(("refresh", versions)) if versions.split(',').all(|version| !version.is_empty()) => {
            Ok(Mode::Refresh(versions.split(',').map(Into::into).collect()))
        }
        _ => Err("write add, scratch or refresh=VERSION,VERSION".into()),
    }
}

pub(crate) fn reason(text: &str) -> Result<Reason, String> {
    Reason::from_name(text)
        .ok_or_else(|| format!("known reasons: {}", Reason::ALL.map(Reason::name).join(", ")))
}

pub(crate) fn target(text: &str) -> Result<String, String> {
    match text.split_once('_') {
        Some((os, arch)) if !os.is_empty() && !arch.is_empty() => Ok(text.to_owned()),
        _ => Err("write system and architecture, such as linux_amd64".into()),
    }
}

/// `2/4`: which share of how many.
pub(crate) fn share(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    let is_one = |(number, of): &(usize, usize)| (1..=*of).contains(number) && *of <= 256;
    parts
        .filter(is_one)
        .ok_or_else(|| "write K/N, such as 2/4 for the second of four, with at most 256".into())
}

/// The whole digest of a plan: a part of it is never taken for it.
pub(crate) fn digest(text: &str) -> Result<String, String> {
    if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(text.to_ascii_lowercase());
    }
    Err("write all 64 digits of it, as `bumpdesk backfill plan` prints them".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_workers_and_digests_are_checked() {
        assert_eq!(target("linux_amd64").as_deref(), Ok("linux_amd64"));
        for text in ["linux", "_amd64", "linux_", ""] {
            assert!(target(text).is_err(), "{text}");
        }
        assert_eq!((workers("1"), workers("16")), (Ok(1), Ok(16)));
        assert_eq!(digest(&"aB".repeat(32)), Ok("ab".repeat(32)));
        for text in ["aaa30edb98ab", &"g".repeat(64), &"a".repeat(65), &"é".repeat(32)] {
            assert!(digest(text).unwrap_err().contains("all 64 digits"), "{text}");
        }
        assert!(workers("0").is_err() && workers("17").is_err() && workers("x").is_err());
    }
}
