//! Compares the archives of a release with its SHA256SUMS, to find the one that the registry's tool cannot index.
//!
//! The tool downloads every archive of a version. It gives up the version at the first archive that is missing, too
//! large, not a zip, or different from SHA256SUMS (`registry.md#what-the-bump-makes-of-a-tag`). GitHub's list of
//! assets shows most of these faults without a download.

use crate::registry::{ArchiveFault, BrokenArchive, ReleaseFacts, ReleaseInfo};
use crate::rules::anatomy::{OfferedTarget, is_sum};

/// The registry's tool refuses archives of this size or larger.
pub(crate) const ARCHIVE_LIMIT_BYTES: u64 = 256 << 20;

/// The first archive that is broken according to GitHub's list of assets; `None` if there is none, or if the list is
/// not known.
pub(crate) fn broken_asset<'a>(
    offered: &'a [OfferedTarget],
    release: &ReleaseFacts,
) -> Option<(&'a str, ArchiveFault)> {
    let info = release.info.known()?;
    offered.iter().find_map(|target| Some((target.filename.as_str(), asset_fault(target, info)?)))
}

fn asset_fault(target: &OfferedTarget, info: &ReleaseInfo) -> Option<ArchiveFault> {
    let Some(asset) = info.assets.iter().find(|asset| *asset.name == *target.filename) else {
        // A truncated list may leave out any name.
        return (!info.truncated).then_some(ArchiveFault::Absent);
    };
    if asset.size_bytes == 0 {
        return Some(ArchiveFault::Empty);
    }
    if asset.size_bytes >= ARCHIVE_LIMIT_BYTES {
        return Some(ArchiveFault::TooLarge { limit_bytes: ARCHIVE_LIMIT_BYTES });
    }
    let digest = asset.digest.as_deref()?.strip_prefix("sha256:")?;
    let is_other = is_sum(&digest.to_ascii_lowercase()) && !digest.eq_ignore_ascii_case(&target.shasum);
    is_other.then(|| ArchiveFault::OtherSum { sha256: digest.to_ascii_lowercase().into() })
}

/// The reason why a fault lies in the download: GitHub's list of assets shows the archive as it should be.
pub(crate) fn contradiction(
    target: &OfferedTarget,
    fault: &ArchiveFault,
    release: &ReleaseFacts,
) -> Option<String> {
    let info = release.info.known()?;
    let asset = info.assets.iter().find(|asset| *asset.name == *target.filename)?;
    match fault {
        ArchiveFault::OtherSum { .. } => {
            let digest = asset.digest.as_deref()?.strip_prefix("sha256:")?;
            let is_right = digest.eq_ignore_ascii_case(&target.shasum);
            is_right.then(|| "the download is not the file whose digest GitHub lists".to_owned())
        }
        ArchiveFault::TooLarge { limit_bytes } => (asset.size_bytes < *limit_bytes)
            .then(|| format!("more bytes came than the {} that GitHub lists", asset.size_bytes)),
        ArchiveFault::Absent | ArchiveFault::Empty | ArchiveFault::Page | ArchiveFault::Unreadable { .. } => {
            None
        }
    }
}

/// Returns true while a stored fault matches the release that was read last: the same checksum, the same release and
/// the same asset.
pub(crate) fn still_holds(broken: &BrokenArchive, offered: &[OfferedTarget], release: &ReleaseFacts) -> bool {
    let Some(target) = offered.iter().find(|target| *target.filename == *broken.file) else { return false };
    if *target.shasum != *broken.listed {
        return false;
    }
    let Some(info) = release.info.known() else { return true };
    if matches!((broken.release_id, info.id), (Some(then), Some(now)) if then != now) {
        return false;
    }
    let Some(asset) = info.assets.iter().find(|asset| asset.name == broken.file) else {
        // The archive existed when the fault was found. Now it is missing, which is another fault.
        return broken.fault == ArchiveFault::Absent;
    };
    let is_same = match (&broken.asset_id, &asset.id) {
        (Some(then), Some(now)) => then == now,
        _ => asset.updated_at.is_some_and(|at| at <= broken.at),
    };
    let is_right = |sha256: &str| {
        let digest = asset.digest.as_deref().and_then(|digest| digest.strip_prefix("sha256:"));
        digest.is_some_and(|digest| !digest.eq_ignore_ascii_case(sha256))
    };
    match &broken.fault {
        ArchiveFault::Absent => false,
        ArchiveFault::OtherSum { sha256 } => is_same && !is_right(sha256),
        _ => is_same,
    }
}

/// A sentence about the fault that names the archive, in lower case and without a full stop.
pub(crate) fn fault_text(file: &str, listed: &str, fault: &ArchiveFault) -> String {
    let text = match fault {
        ArchiveFault::Absent => format!("SHA256SUMS lists {file}, and the release does not have it"),
        ArchiveFault::Empty => format!("{file} has no bytes: its upload did not finish"),
        ArchiveFault::TooLarge { limit_bytes } => {
            format!("{file} is not below the registry's limit of {limit_bytes} bytes")
        }
        ArchiveFault::OtherSum { sha256 } => {
            format!("{file} has the SHA-256 {sha256}, and SHA256SUMS lists {listed}")
        }
        ArchiveFault::Page => format!("{file} is an HTML page, not a zip"),
        ArchiveFault::Unreadable { why } => format!("the registry cannot read {file} as a zip: {why}"),
    };
    format!("broken upstream: {text}")
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::registry::{Asset, Observed};

    const FILE: &str = "terraform-provider-x_1.1.0_linux_amd64.zip";

    fn offered(shasum: &str) -> Vec<OfferedTarget> {
        let url = format!("https://github.com/acme/terraform-provider-x/releases/download/v1.1.0/{FILE}");
        vec![OfferedTarget { os: "linux", arch: "amd64", filename: FILE.into(), url, shasum: shasum.into() }]
    }

    fn asset(size_bytes: u64, digest: Option<&str>) -> Asset {
        Asset {
            id: Some("RA_1".into()),
            name: FILE.into(),
            size_bytes,
            digest: digest.map(|hex| format!("sha256:{hex}").into()),
            updated_at: Some(Timestamp::UNIX_EPOCH),
        }
    }

    fn release(id: u64, assets: Vec<Asset>, truncated: bool) -> ReleaseFacts {
        let info = ReleaseInfo {
            id: Some(id),
            tag: "v1.1.0".into(),
            draft: false,
            prerelease: false,
            created_at: None,
            published_at: None,
            assets,
            truncated,
        };
        let info = Observed::Known { value: info, at: Timestamp::UNIX_EPOCH };
        ReleaseFacts { info, ..ReleaseFacts::default() }
    }

    #[test]
    fn the_asset_list_shows_broken_archives_without_a_download() {
        let (right, wrong) = ("a".repeat(64), "b".repeat(64));
        for (assets, truncated, fault) in [
            (vec![asset(9, Some(&right))], false, None),
            (vec![asset(9, None)], false, None),
            (vec![asset(9, Some(&right.to_uppercase()))], false, None),
            (vec![asset(ARCHIVE_LIMIT_BYTES - 1, None)], false, None),
            (vec![], true, None),
            (vec![], false, Some(ArchiveFault::Absent)),
            (vec![asset(0, None)], false, Some(ArchiveFault::Empty)),
            (
                vec![asset(ARCHIVE_LIMIT_BYTES, None)],
                false,
                Some(ArchiveFault::TooLarge { limit_bytes: ARCHIVE_LIMIT_BYTES }),
            ),
            (
                vec![asset(300 << 20, Some(&right))],
                false,
                Some(ArchiveFault::TooLarge { limit_bytes: ARCHIVE_LIMIT_BYTES }),
            ),
            (
                vec![asset(9, Some(&wrong))],
                false,
                Some(ArchiveFault::OtherSum { sha256: wrong.as_str().into() }),
            ),
            // An asset without a SHA-256 shows nothing.
            (vec![asset(9, Some("12"))], false, None),
        ] {
            let offered = offered(&right);
            let found = broken_asset(&offered, &release(1, assets.clone(), truncated));
            assert_eq!(found.map(|(_, fault)| fault), fault, "{assets:?}");
        }
        assert_eq!(broken_asset(&offered(&right), &ReleaseFacts::default()), None, "nothing was read");
    }

    #[test]
    fn what_github_lists_contradicts_a_bad_download() {
        let (right, wrong) = ("a".repeat(64), "b".repeat(64));
        let other = ArchiveFault::OtherSum { sha256: wrong.as_str().into() };
        let large = ArchiveFault::TooLarge { limit_bytes: ARCHIVE_LIMIT_BYTES };
        let unreadable = ArchiveFault::Unreadable { why: "no zip".into() };
        for (fault, asset, contradicted) in [
            (&other, asset(9, Some(&right)), true),
            (&other, asset(9, Some(&wrong)), false),
            (&other, asset(9, None), false),
            (&large, asset(9, None), true),
            (&large, asset(300 << 20, None), false),
            // The archive had the listed checksum, so it is the author's file.
            (&unreadable, asset(9, Some(&right)), false),
        ] {
            let release = release(1, vec![asset.clone()], false);
            let why = contradiction(&offered(&right)[0], fault, &release);
            assert_eq!(why.is_some(), contradicted, "{fault:?} {asset:?}");
            assert_eq!(contradiction(&offered(&right)[0], fault, &ReleaseFacts::default()), None);
        }
    }

    #[test]
    fn a_stored_fault_lapses_when_the_release_changes() {
        let right = "a".repeat(64);
        let broken = |fault: ArchiveFault| BrokenArchive {
            file: FILE.into(),
            fault,
            listed: right.as_str().into(),
            release_id: Some(1),
            asset_id: Some("RA_1".into()),
            at: Timestamp::from_second(5).unwrap(),
        };
        let unreadable = || broken(ArchiveFault::Unreadable { why: "no zip".into() });
        let other_asset = || Asset { id: Some("RA_2".into()), ..asset(9, None) };
        let uploaded_later =
            || Asset { id: None, updated_at: Some(Timestamp::from_second(9).unwrap()), ..asset(9, None) };
        for (name, broken, release, listed, holds) in [
            ("the same release", unreadable(), release(1, vec![asset(9, None)], false), &right, true),
            ("without a token", unreadable(), ReleaseFacts::default(), &right, true),
            ("another release", unreadable(), release(2, vec![asset(9, None)], false), &right, false),
            ("another asset", unreadable(), release(1, vec![other_asset()], false), &right, false),
            ("a later upload", unreadable(), release(1, vec![uploaded_later()], false), &right, false),
            ("another sum", unreadable(), ReleaseFacts::default(), &"b".repeat(64), false),
            ("still absent", broken(ArchiveFault::Absent), release(1, vec![], false), &right, true),
            (
                "there now",
                broken(ArchiveFault::Absent),
                release(1, vec![asset(9, None)], false),
                &right,
                false,
            ),
            (
                "the digest is right now",
                broken(ArchiveFault::OtherSum { sha256: "b".repeat(64).into() }),
                release(1, vec![asset(9, Some(&right))], false),
                &right,
                false,
            ),
        ] {
            assert_eq!(still_holds(&broken, &offered(listed), &release), holds, "{name}");
        }
        assert!(!still_holds(&unreadable(), &[], &ReleaseFacts::default()), "no longer offered");
    }
}
