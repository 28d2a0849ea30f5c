//! Archives that a verification hashed, against what is stored and what SHA256SUMS lists: the three cases of a drift told apart
//! (`registry.md#when-a-stored-checksum-is-wrong`).

use std::collections::BTreeMap;

use crate::registry::{Asset, Facts, ReleaseFacts, SeenZip, Target};
use crate::rules::anatomy::has_scheme;
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

/// The wrong fields in the data file for archives whose checksum is right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Misstored {
    /// Target, stored size, and the archive's real size.
    sizes: Vec<(String, u64, u64)>,
    /// Targets whose stored h1 does not belong to their archive.
    h1s: Vec<String>,
    pub(super) cases: Cases,
}

impl Misstored {
    /// A sentence such as
    /// `1 of 14 stored sizes is not the archive's (linux_amd64: 0, not 4096): clients from OpenTofu 1.12 on refuse it`;
    /// `None` if nothing is wrong.
    pub(super) fn text(&self, stored: usize) -> Option<String> {
        let mut parts = Vec::new();
        if let [(target, wrong, right), rest @ ..] = &self.sizes[..] {
            let (are, them) = if rest.is_empty() {
                ("is not the archive's", "it")
            } else {
                ("are not the archives'", "them")
            };
            parts.push(format!(
                "{} of {stored} stored sizes {are} ({target}: {wrong}, not {right}): clients from OpenTofu 1.12 on refuse {them}",
                self.sizes.len()
            ));
        }
        if let [target, rest @ ..] = &self.h1s[..] {
            let are = if rest.is_empty() { "is not the archive's" } else { "are not the archives'" };
            parts.push(format!(
                "{} of {stored} stored h1 {are} ({target}): clients write the wrong one into lock files",
                self.h1s.len()
            ));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
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

    /// The release, if its list of files was read lately. An older list does not show the size that a file has now.
    fn listed_lately(self) -> Option<&'a ReleaseFacts> {
        self.release.filter(|release| release.info.at().is_some_and(|at| !is_stale(self.now, at)))
    }

    /// The stored sizes and h1 that differ from those of the archives, for targets whose checksum is right.
    pub(super) fn misstored<'t>(self, targets: impl Iterator<Item = &'t Target>) -> Misstored {
        let mut found = Misstored::default();
        for target in targets {
            let hashed = self.seen(target).filter(|zip| zip.sha256.eq_ignore_ascii_case(&target.shasum));
            let listed = self.listed_lately().and_then(|release| asset_of(release, &target.filename));
            let digest = listed.and_then(|asset| asset.digest.as_deref()?.strip_prefix("sha256:"));
            let sizes = hashed.map(|zip| zip.size_bytes);
            // GitHub did not list an asset without a size in full.
            let size = sizes.or(listed.map(|asset| asset.size_bytes).filter(|size| *size > 0));
            // A target with neither h1 nor size has a gap that a backfill fills in, which has a status of its own.
            let is_gap = target.h1.as_deref().unwrap_or_default().is_empty() && target.size == Some(0);
            let stored_size = target.size.filter(|_| !is_gap);
            let other_size = size.filter(|size| stored_size.is_some_and(|stored| stored != *size));
            if let Some(size) = other_size {
                found.sizes.push((target.platform(), stored_size.unwrap_or_default(), size));
            }
            // An h1 without a scheme is a fault of its own that needs no archive to be seen.
            let stored_h1 = target.h1.as_deref().filter(|h1| has_scheme(h1));
            let other_h1 = hashed
                .is_some_and(|zip| !zip.h1.is_empty() && stored_h1.is_some_and(|stored| stored != &*zip.h1));
            if other_h1 {
                found.h1s.push(target.platform());
            }
            // A verification or GitHub's digest shows that the archive is the indexed one.
            let is_indexed =
                hashed.is_some() || digest.is_some_and(|digest| digest.eq_ignore_ascii_case(&target.shasum));
            match (other_size.is_some() || other_h1, is_indexed) {
                (true, true) => found.cases.misrecorded += 1,
                (true, false) => found.cases.not_hashed += 1,
                (false, _) => {}
            }
        }
        found
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
    asset_of(release, filename)?.digest.as_deref()?.strip_prefix("sha256:")
}

/// A file of a release as GitHub lists it.
fn asset_of<'a>(release: &'a ReleaseFacts, filename: &str) -> Option<&'a Asset> {
    release.info.known()?.assets.iter().find(|asset| &*asset.name == filename)
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

    /// `re-uploaded: zips and SHA256SUMS agree with each other`; `None` where no zip was hashed. What the registry itself has
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
            told.push(format!("{count}re-uploaded: zips and SHA256SUMS agree with each other"));
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
