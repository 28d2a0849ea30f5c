//! The first steps: the provider's list of versions, the protocols, and whether the registry answers for the platform.

use crate::registry::ProviderEntry;
use crate::registry::ProviderVersion;
use crate::registry::Version;
use crate::registry::version::compare;
use crate::rules::client::Seen;
use crate::rules::client::Step;
use crate::rules::client::StepName;

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
        .filter(|text| !is_readable(text))
        .collect();
    if unreadable.is_empty() {
        let count = entry.versions.len();
        let versions = if count == 1 { "version" } else { "versions" };
        return Step::pass(StepName::Listing, format!("the registry lists {count} {versions}, all readable"));
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

/// As clients read versions: shorthands count, a leading `v` does not, and numbers fit into 64 bits.
fn is_readable(text: &str) -> bool {
    let core = text.split(['-', '+']).next().unwrap_or_default();
    Version::parse(text).is_ok()
        && !text.starts_with('v')
        && core.split('.').all(|number| number.parse::<u64>().is_ok())
}

/// Whether a client speaks the version, and else which version it would be pointed to.
pub(super) fn protocol(seen: &Seen<'_>) -> Step {
    let spoken = |version: &ProviderVersion| version.protocols.iter().any(|protocol| is_spoken(protocol));
    let listed = match seen.version.protocols.as_slice() {
        [] => "none".to_owned(),
        some => some.join(", "),
    };
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
    let major = protocol.split('.').next().and_then(|major| major.parse().ok());
    major.is_some_and(|major| SPOKEN.contains(&major))
}

/// Why no platform of the version is answered for; `None`: its targets are.
pub(super) fn unanswered(seen: &Seen<'_>) -> Option<Step> {
    let text = seen.version.version.as_str();
    let parsed = Version::parse(text).ok().filter(Version::is_shorthand)?;
    let padded = parsed.padded();
    // A twin in full stands where clients look.
    if seen.entry.versions.iter().any(|version| version.version == padded) {
        return None;
    }
    let text = format!(
        "platform not supported: clients take `{text}` for {padded} and ask for that, and the registry has it under `{text}` alone"
    );
    Some(Step::fail(StepName::Platform, text))
}

/// The step of a target that the version has.
pub(super) fn platform() -> Step {
    Step::pass(StepName::Platform, "the registry answers for the platform")
}

/// The step of a platform that the version has not; `offered`: SHA256SUMS names an archive for it.
pub(super) fn no_platform(offered: bool) -> Step {
    let text = "platform not supported: the version has no such target";
    let although = if offered { ", although SHA256SUMS names its archive" } else { "" };
    Step::fail(StepName::Platform, format!("{text}{although}"))
}
