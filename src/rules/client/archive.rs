//! The steps about one archive: size, checksum, unpacking, and the hashes that a lock file gets of it.

use crate::registry::{ProviderVersion, Target};
use crate::rules::client::{Seen, Step, StepName, checksums, listing, refusal};
use crate::rules::verify::{Computed, Row, Zip};

/// All steps of one target of the version.
pub(super) fn steps(seen: &Seen<'_>, target: &Target) -> Vec<Step> {
    let platform = target.platform();
    let row = seen.rows.iter().find(|row| row.target == platform && row.version == seen.version.version);
    vec![
        listing::platform(seen.version, &platform),
        refusal::archive_url(&target.download_url).map_or_else(|| found(row), refusal::Cause::step),
        package(seen.version, target, row),
        checksums::listed(seen, &target.filename, &target.shasum),
        sum(target, row),
        unpacking(row),
        binary(row),
        locked(target, row),
    ]
}

fn computed(row: Option<&Row>) -> Option<&Computed> {
    match &row?.zip {
        Zip::Hashed(computed) => Some(computed),
        _ => None,
    }
}

/// Why nothing is known of the archive's content.
fn unread(row: Option<&Row>) -> &str {
    match row.map(|row| &row.zip) {
        Some(Zip::Failed { why } | Zip::Skipped { why }) => why,
        Some(Zip::Gone) => "the archive is gone",
        Some(Zip::Cancelled) => "the run was stopped before the archive was read",
        // Without an h1 its entries were never all read.
        Some(Zip::Hashed(computed)) => match (&computed.not_installable, &computed.over_limit) {
            (Some(_), _) => "the archive cannot be unpacked",
            (None, Some(why)) => why,
            (None, None) if computed.h1.is_some() => "the provider's binary was not looked for",
            (None, None) => computed.remarks.last().map_or("its entries could not be read", String::as_str),
        },
        None | Some(Zip::NotDone) => "the archive was not downloaded",
    }
}

fn found(row: Option<&Row>) -> Step {
    match row {
        Some(Row { zip: Zip::Hashed(_), .. }) => Step::pass(StepName::Archive, "the archive is there"),
        Some(Row { zip: Zip::Gone, url, .. }) => {
            Step::fail(StepName::Archive, format!("the archive is gone: {url} answers that there is nothing"))
                .like("the archive is gone")
        }
        _ => Step::not_known(StepName::Archive, unread(row)),
    }
}

/// The rule of `packages`, which clients have since 1.12: one hash without a scheme spoils them for all targets of the version.
fn package(version: &ProviderVersion, target: &Target, row: Option<&Row>) -> Step {
    let name = StepName::Package;
    let of_version = refusal::platforms(refusal::odd_platforms(version))
        .or_else(|| refusal::hashes(refusal::odd_hashes(version)))
        .or_else(|| refusal::checksum(&target.shasum));
    if let Some(cause) = of_version {
        return Step::fail(name, cause.text);
    }
    let Some(stored) = target.size else {
        return Step::not_known(
            name,
            "the data file has no `size`: a registry of that age serves none, and a newer one serves 0, which clients refuse",
        );
    };
    if let Some(cause) = refusal::size(Some(stored.into())) {
        return cause.step();
    }
    // What was downloaded counts more than what is said of it.
    match (computed(row), row.and_then(|row| row.asset.as_ref())) {
        (Some(computed), _) if computed.size_bytes == stored => {
            Step::pass(name, "the archive has the size that the registry says")
        }
        (Some(computed), _) => other_size(stored, computed.size_bytes),
        (None, Some(asset)) if asset.size_bytes > 0 && asset.size_bytes != stored => {
            other_size(stored, asset.size_bytes)
        }
        (None, _) => Step::not_known(name, unread(row)),
    }
}

fn other_size(stored: u64, found: u64) -> Step {
    let text = format!("registry response indicates a package of size {stored}, but received {found} bytes");
    Step::fail(StepName::Package, text)
        .like("registry response indicates a package of a different size from the one received")
}

fn sum(target: &Target, row: Option<&Row>) -> Step {
    let name = StepName::ArchiveSum;
    let digest = row.and_then(|row| row.asset.as_ref()).and_then(|asset| asset.sha256.as_deref());
    match (computed(row), digest) {
        (Some(computed), _) if computed.sha256.eq_ignore_ascii_case(&target.shasum) => {
            Step::pass(name, "the archive has the registry's checksum")
        }
        (Some(computed), _) => Step::fail(
            name,
            format!("archive has incorrect checksum zh:{} (expected zh:{})", computed.sha256, target.shasum),
        )
        .like("archive has incorrect checksum"),
        // That it is the same is no proof that the download is.
        (None, Some(digest)) if !digest.eq_ignore_ascii_case(&target.shasum) => Step::fail(
            name,
            format!("GitHub says that the archive has the SHA-256 {digest} and not {}", target.shasum),
        )
        .like("GitHub gives the archive a different SHA-256 from the registry's"),
        (None, _) => Step::not_known(name, unread(row)),
    }
}

fn unpacking(row: Option<&Row>) -> Step {
    let name = StepName::Unpacking;
    match computed(row) {
        Some(Computed { not_installable: Some(why), .. }) => {
            Step::fail(name, format!("the archive cannot be unpacked: {why}"))
        }
        None | Some(Computed { h1: None, unlockable: None, .. }) => Step::not_known(name, unread(row)),
        Some(_) => Step::pass(name, "the archive unpacks"),
    }
}

/// Clients look for the program that they are to start before they take the package for installed.
fn binary(row: Option<&Row>) -> Step {
    let name = StepName::Binary;
    let looked = computed(row).filter(|computed| computed.not_installable.is_none());
    match (row, looked.and_then(|computed| computed.has_binary)) {
        (Some(row), Some(false)) => Step::fail(name, row.no_binary()),
        (Some(row), Some(true)) if let Some(text) = row.other_system() => Step::warn(name, text)
            .like("the provider's binary is for another system: clients install it and cannot start it"),
        (_, Some(_)) => Step::pass(name, "the package holds the provider's binary"),
        (_, None) => Step::not_known(name, unread(row)),
    }
}

/// Clients do not compare the listed h1 with what they download: a wrong one goes into the lock file as it is.
fn locked(target: &Target, row: Option<&Row>) -> Step {
    let name = StepName::LockFile;
    if let Some(Computed { unlockable: Some(why), .. }) = computed(row) {
        let text = format!(
            "the archive has no h1 ({why}): a first `tofu init` installs it, and the next one, with its lock file, fails"
        );
        return Step::fail(name, text);
    }
    let stored = target.h1.as_deref().unwrap_or_default();
    let found = computed(row).map(|computed| (computed.h1.as_deref(), computed.h1_installed.as_deref()));
    match (stored, found) {
        (_, None | Some((None, _))) => Step::not_known(name, unread(row)),
        (_, Some(_)) if !is_stored(target, row) => {
            Step::not_known(name, "the archive is not the one that the registry has stored")
        }
        ("", Some(_)) => {
            Step::warn(name, "the registry has no h1 for it: a lock file made elsewhere gets only its zh")
        }
        (stored, Some((Some(h1), _))) if stored != h1 => {
            let text = format!(
                "the registry's h1 is {stored} and the archive's is {h1}; clients do not compare them, and lock the wrong one"
            );
            Step::warn(name, text).like(
                "the registry's h1 is not the archive's; clients do not compare them, and lock the wrong one",
            )
        }
        (_, Some((_, Some(installed)))) => {
            let text = format!(
                "the installed package has a different h1 ({installed}) from the archive's: lock files made on this platform hold both"
            );
            Step::warn(name, text).like(
                "the installed package has a different h1 from the archive's: lock files made on this platform hold both",
            )
        }
        (_, Some((_, None))) => Step::pass(name, "zh and h1 go into the lock file"),
    }
}

fn is_stored(target: &Target, row: Option<&Row>) -> bool {
    computed(row).is_some_and(|computed| computed.sha256.eq_ignore_ascii_case(&target.shasum))
}
