//! The first steps: the provider's list of versions, the protocols, and whether the registry answers for the platform.

use crate::registry::version::compare;
use crate::registry::{ProviderEntry, ProviderVersion};
use crate::rules::amount;
use crate::rules::client::{ClientVersion, Seen, Step, StepName, refusal};

/// One version that a client cannot read hides the whole provider.
pub(super) fn listing(entry: &ProviderEntry) -> Step {
    if let Some(refusal) = refusal::of_list(entry.versions.iter().map(|version| version.version.as_str())) {
        return Step::fail(StepName::Listing, refusal.text());
    }
    let versions = amount::counted(entry.versions.len(), "version");
    Step::pass(StepName::Listing, format!("the registry lists {versions}, all readable"))
}

/// The step of the protocols: shows whether a client supports the version, and if not, which version the client would
/// suggest.
pub(super) fn protocol(seen: &Seen<'_>) -> Step {
    let spoken = |version: &ProviderVersion| version.protocols.iter().any(|one| refusal::is_spoken(one));
    let protocols = &seen.version.protocols;
    if protocols.is_empty() {
        return Step::pass(StepName::Protocol, "no protocols are listed, so clients compare none");
    }
    let Some(cause) = refusal::protocols(protocols) else {
        let listed = protocols.join(", ");
        return Step::pass(StepName::Protocol, format!("protocols {listed}; clients speak 5 and 6"));
    };
    if spoken(seen.version) || protocols.iter().any(|protocol| ClientVersion::parse(protocol).is_none()) {
        return cause.step();
    }
    let others = seen.entry.versions.iter().filter(|version| spoken(version));
    let newest = others.map(|version| version.version.as_str()).max_by(|a, b| compare(a, b));
    let instead = match newest {
        Some(newest) => format!("; they are pointed to {newest}"),
        None => "; no version of the provider has one that they speak".to_owned(),
    };
    Step::fail(StepName::Protocol, format!("{}{instead}", cause.text))
}

/// Why no platform of the version is answered for; `None`: its targets are.
pub(super) fn unanswered(seen: &Seen<'_>) -> Option<Step> {
    let is_empty = seen.version.targets.is_empty() && seen.asked.is_empty();
    let cause = refusal::spelling(&|name| seen.entry.lists(name), seen.version);
    Some(cause.or_else(|| is_empty.then(refusal::no_targets))?.step())
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
