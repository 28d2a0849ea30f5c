//! Archives that a verification hashed, against what is stored and what SHA256SUMS lists: the three cases of a drift told apart
//! (`registry.md#when-a-stored-checksum-is-wrong`).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::registry::{Facts, SeenZip, Target};
use crate::rules::Now;
use crate::rules::judge::is_stale;

/// The zips of one release that were hashed lately, by file name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Zips<'a> {
    by_name: Option<&'a BTreeMap<Box<str>, SeenZip>>,
    now: Now<'a>,
}

/// How many zips of differing targets are in which case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cases {
    /// Zip and SHA256SUMS agree with each other, and not with what is stored.
    reuploaded: usize,
    /// SHA256SUMS does not fit the zip.
    broken: usize,
    not_hashed: usize,
}

impl<'a> Zips<'a> {
    pub(super) fn of(facts: &'a Facts, tag: &str, now: Now<'a>) -> Self {
        Self { by_name: facts.zips.get(tag), now }
    }

    fn sum_of(self, filename: &str) -> Option<&'a str> {
        let zip = self.by_name?.get(filename)?;
        (!is_stale(self.now, zip.at)).then_some(&*zip.sha256)
    }

    /// Whether the target's zip is known to be another one than was indexed.
    pub(super) fn differs(self, target: &Target) -> bool {
        self.sum_of(&target.filename).is_some_and(|sum| !sum.eq_ignore_ascii_case(&target.shasum))
    }

    /// The cases of differing targets, each with what SHA256SUMS lists for it.
    pub(super) fn cases<'t>(self, targets: impl Iterator<Item = (&'t Target, Option<&'t str>)>) -> Cases {
        let mut cases = Cases::default();
        for (target, listed) in targets {
            match self.sum_of(&target.filename) {
                None => cases.not_hashed += 1,
                Some(sum) if listed.is_some_and(|listed| listed.eq_ignore_ascii_case(sum)) => {
                    // What differs then is what is stored; or GitHub's own digest, of which a zip says nothing.
                    if sum.eq_ignore_ascii_case(&target.shasum) {
                        cases.not_hashed += 1;
                    } else {
                        cases.reuploaded += 1;
                    }
                }
                Some(_) => cases.broken += 1,
            }
        }
        cases
    }
}

impl Cases {
    /// `uploaded again after it was indexed: zips and SHA256SUMS agree`; `None` where no zip was hashed.
    pub(super) fn text(self) -> Option<String> {
        let Self { reuploaded, broken, not_hashed } = self;
        let mut text = match (reuploaded, broken, not_hashed) {
            (0, 0, _) => return None,
            (_, 0, 0) => "uploaded again: zips and SHA256SUMS agree with each other".to_owned(),
            (0, _, 0) => "upstream is broken: SHA256SUMS does not fit its own zips".to_owned(),
            (_, 0, _) => format!("{reuploaded} uploaded again: zips and SHA256SUMS agree with each other"),
            (0, _, _) => format!("upstream is broken: SHA256SUMS does not fit {broken} of its own zips"),
            (_, _, _) => {
                format!("{reuploaded} uploaded again, and SHA256SUMS does not fit {broken} of its own zips")
            }
        };
        if not_hashed > 0 {
            let _ = write!(text, "; {not_hashed} not hashed");
        }
        Some(text)
    }
}
