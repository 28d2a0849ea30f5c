//! The first steps: the provider's list of versions, the protocols, and whether the registry answers for the platform.

use crate::registry::version::compare;
use crate::registry::{ProviderEntry, ProviderVersion};
use crate::rules::amount;
use crate::rules::client::{ClientVersion, Seen, Step, StepName};

/// Major versions of the protocol that clients speak: 5 or more, below 7.
const SPOKEN: std::ops::Range<u64> = 5..7;
/// Unreadable versions that are named.
const NAMED: usize = 3;

/// One version that a client cannot read hides the whole provider.
pub(super) fn listing(entry: &ProviderEntry) -> Step {
    let unreadable: Vec<&str> = entry
        .versions
        .iter()
        .map(|version| version.version.as_str())
        .filter(|text| ClientVersion::parse(text).is_none())
        .collect();
    if unreadable.is_empty() {
        let versions = amount::counted(entry.versions.len(), "version");
        return Step::pass(StepName::Listing, format!("the registry lists {versions}, all readable"));
    }
    let named: Vec<String> = unreadable.iter().take(NAMED).map(|text| format!("`{text}`")).collect();
    let more = match unreadable.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let text = format!(
        "clients cannot read the version {}{more}, and one such version fails every version of the provider",
        named.join(", ")
    );
    Step::fail(StepName::Listing, text)
}

/// Whether a client speaks the version, and else which version it would be pointed to. Without a list nothing is compared; what
/// is on it must be readable to the last.
pub(super) fn protocol(seen: &Seen<'_>) -> Step {
    let spoken = |version: &ProviderVersion| version.protocols.iter().any(|protocol| is_spoken(protocol));
    let protocols = &seen.version.protocols;
    if protocols.is_empty() {
        return Step::pass(StepName::Protocol, "no protocols are listed, so clients compare none");
    }
    let listed = protocols.join(", ");
    if let Some(odd) = protocols.iter().find(|protocol| ClientVersion::parse(protocol).is_none()) {
        let text = format!("protocols {listed}: registry response includes invalid version string `{odd}`");
        return Step::fail(StepName::Protocol, text);
    }
    if spoken(seen.version) {
        return Step::pass(StepName::Protocol, format!("protocols {listed}; clients speak 5 and 6"));
    }
    let others = seen.entry.versions.iter().filter(|version| spoken(version));
    let newest = others.map(|version| version.version.as_str()).max_by(|a, b| compare(a, b));
    let instead = match newest {
        Some(newest) => format!("; they are pointed to {newest}"),
        None => "; no version of the provider has one that they speak".to_owned(),
    };
    Step::fail(StepName::Protocol, format!("protocols {listed}: clients speak only 5 and 6{instead}"))
}

fn is_spoken(protocol: &str) -> bool {
    ClientVersion::parse(protocol)
        .is_some_and(|read| read.prerelease.is_empty() && SPOKEN.contains(&read.numbers[0]))
}

/// Why no platform of the version is answered for; `None`: its targets are.
pub(super) fn unanswered(seen: &Seen<'_>) -> Option<Step> {
    let text = seen.version.version.as_str();
    let normal = ClientVersion::parse(text)?.normal();
    if normal == text {
        return None;
    }
    let text = if seen.entry.versions.iter().any(|version| version.version == normal) {
        format!(
            "clients take `{text}` for {normal}, which the registry lists too, and get that one's platforms"
        )
    } else {
        format!(
            "platform not supported: clients take `{text}` for {normal} and ask for that, and the registry has it only under `{text}`"
        )
    };
    Some(Step::fail(StepName::Platform, text))
}

/// The step of a target that the version has.
pub(super) fn platform(version: &ProviderVersion, platform: &str) -> Step {
    if version.targets.iter().filter(|target| target.platform() == platform).count() > 1 {
        let text = "the version has this target more than once, and which one the registry answers with cannot be told";
        return Step::not_known(StepName::Platform, text);
    }
    Step::pass(StepName::Platform, "the registry answers for the platform")
}

/// The step of a platform that the version has not; `offered`: SHA256SUMS names an archive for it.
pub(super) fn no_platform(offered: bool) -> Step {
    let text = "platform not supported: the version has no such target";
    let although = if offered { ", although SHA256SUMS names its archive" } else { "" };
    Step::fail(StepName::Platform, format!("{text}{although}"))
}
