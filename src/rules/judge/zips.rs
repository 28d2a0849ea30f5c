//! Archives that a verification hashed, against what is stored and what SHA256SUMS lists: the three cases of a drift told apart
//! (`registry.md#when-a-stored-checksum-is-wrong`).

use std::collections::BTreeMap;

use crate::registry::{Facts, ReleaseFacts, SeenZip, Target};
use crate::rules::judge::is_stale;
use crate::rules::verdict::{PARTLY_WRONG, WRONG_IN_REGISTRY};
use crate::rules::verify::PUT_BACK;
use crate::rules::{Finding, Now};

/// The zips of one release that were hashed lately, by file name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Zips<'a> {
    by_name: Option<&'a BTreeMap<Box<str>, SeenZip>>,
    release: Option<&'a ReleaseFacts>,
    now: Now<'a>,
}

/// How many zips of differing targets are in which case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cases {
    /// Zip and SHA256SUMS agree with each other and with the stored h1 and size, and not with the stored checksum.
    misrecorded: usize,
    /// Zip and SHA256SUMS agree with each other, and not with what is stored.
    reuploaded: usize,
    /// SHA256SUMS does not fit the zip.
    broken: usize,
    /// Zip and SHA256SUMS are what is stored, and GitHub's own digest is another.
    by_digest: usize,
    not_hashed: usize,
}

impl<'a> Zips<'a> {
    pub(super) fn of(facts: &'a Facts, tag: &str, now: Now<'a>) -> Self {
        Self { by_name: facts.zips.get(tag), release: facts.releases.get(tag), now }
    }

    fn seen(self, target: &Target) -> Option<&'a SeenZip> {
        let zip = self.by_name?.get(&*target.filename)?;
        (!is_stale(self.now, zip.at) && !self.was_exchanged(target, zip)).then_some(zip)
    }

    /// Whether GitHub has named another file since it was hashed: then it says nothing of today.
    fn was_exchanged(self, target: &Target, zip: &SeenZip) -> bool {
        self.release.is_some_and(|release| {
            release.info.at().is_some_and(|at| at > zip.at)
                && digest_of(release, &target.filename)
                    .is_some_and(|digest| !digest.eq_ignore_ascii_case(&zip.sha256))
        })
    }

    /// Whether the target's zip is known to be another one than was indexed.
    pub(super) fn differs(self, target: &Target) -> bool {
        self.seen(target).is_some_and(|zip| !zip.sha256.eq_ignore_ascii_case(&target.shasum))
    }

    /// The cases of differing targets, each with what SHA256SUMS lists for it.
    pub(super) fn cases<'t>(self, targets: impl Iterator<Item = (&'t Target, Option<&'t str>)>) -> Cases {
        let mut cases = Cases::default();
        for (target, listed) in targets {
            match self.seen(target) {
                None => cases.not_hashed += 1,
                Some(zip) if listed.is_some_and(|listed| listed.eq_ignore_ascii_case(&zip.sha256)) => {
                    if zip.sha256.eq_ignore_ascii_case(&target.shasum) {
                        cases.by_digest += 1;
                    } else if !zip.h1.is_empty()
                        && target.h1.as_deref() == Some(&*zip.h1)
                        && target.size == Some(zip.size_bytes)
                    {
                        cases.misrecorded += 1;
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

/// GitHub's own digest of a file.
pub(super) fn digest_of<'a>(release: &'a ReleaseFacts, filename: &str) -> Option<&'a str> {
    let info = release.info.known()?;
    let asset = info.assets.iter().find(|asset| &*asset.name == filename)?;
    asset.digest.as_deref()?.strip_prefix("sha256:")
}

impl Cases {
    /// Whether nothing tells yet who is at fault.
    pub(super) fn is_unhashed(self) -> bool {
        self.not_hashed > 0 && Self { not_hashed: 0, ..self } == Self::default()
    }

    /// That the data file is at fault, and not the author, in all or in some of the targets.
    pub(super) fn own_fault(self) -> Option<Finding> {
        let Self { misrecorded, reuploaded, broken, by_digest, not_hashed } = self;
        let rule = match reuploaded + broken + by_digest + not_hashed {
            0 => WRONG_IN_REGISTRY,
            _ => PARTLY_WRONG,
        };
        (misrecorded > 0).then(|| Finding::error(rule, format!("not the author's fault: {PUT_BACK}")))
    }

    /// `uploaded again: zips and SHA256SUMS agree with each other`; `None` where no zip was hashed. What the registry itself has
    /// wrong comes first.
    pub(super) fn text(self) -> Option<String> {
        let Self { misrecorded, reuploaded, broken, by_digest, not_hashed } = self;
        let all = misrecorded + reuploaded + broken + by_digest + not_hashed;
        let of = |count: usize| (count != all).then_some(count);
        let mut told = Vec::new();
        if misrecorded > 0 {
            told.push(match of(misrecorded) {
                None => "the registry's checksums are wrong: zips and SHA256SUMS agree with each other, and with the stored h1 and size".to_owned(),
                Some(count) => format!(
                    "the registry's checksum is wrong in {count}: zip and SHA256SUMS agree with each other, and with the stored h1 and size"
                ),
            });
        }
        if reuploaded > 0 {
            let count = of(reuploaded).map(|count| format!("{count} ")).unwrap_or_default();
            told.push(format!("{count}uploaded again: zips and SHA256SUMS agree with each other"));
        }
        if broken > 0 {
            let of_its =
                of(broken).map_or("its own zips".to_owned(), |count| format!("{count} of its own zips"));
            told.push(format!("upstream is broken: SHA256SUMS does not match {of_its}"));
        }
        if by_digest > 0 {
            let those = of(by_digest).map_or("zips".to_owned(), |count| format!("{count} zips"));
            told.push(format!("GitHub keeps another digest of {those} that are as they were indexed"));
        }
        if told.is_empty() {
            return None;
        }
        if not_hashed > 0 {
            told.push(format!("{not_hashed} not hashed"));
        }
        Some(told.join("; "))
    }
}
