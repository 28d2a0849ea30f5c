//! The findings about a release before it is indexed: its parts, its manifest, its checksums and its archives.
//!
//! The verdict of an entry lists these findings for each missing version. A proposal contains the same findings, so
//! the diff, the plan, the gates, the text of a pull request and a review all agree.

use crate::registry::{ProviderVersion, ReleaseFacts, Target};
use crate::rules::anatomy::{Names, Parts, oddities, protocol_findings};
use crate::rules::{Finding, amount};

/// The rule for a version with an archive that no client can install.
const NOT_INSTALLABLE: &str = "not-installable";

/// The findings about a release whose checksums were read, each with its version. `before` is the indexed version
/// below it.
pub(crate) fn release_findings(
    names: &Names,
    version: &str,
    release: &ReleaseFacts,
    before: Option<&ProviderVersion>,
) -> Vec<Finding> {
    let platforms: Option<(&str, Vec<String>)> =
        before.map(|before| (before.version.as_str(), before.targets.iter().map(Target::platform).collect()));
    let previous = platforms.as_ref().map(|(version, platforms)| (*version, platforms.as_slice()));
    let mut found = Parts::of(names, release).findings(previous);
    let protocols = before.map(|before| before.protocols.as_slice()).unwrap_or_default();
    found.extend(protocol_findings(&release.manifest, protocols));
    let sums = release.sums.known();
    let odd = sums.into_iter().flat_map(|sums| oddities(&sums.text)).map(|oddity| oddity.finding(version));
    found.into_iter().map(|finding| finding.on(version)).chain(odd).collect()
}

/// The finding about archives that were read and that no client can install. It names each platform and the reason.
pub(crate) fn unfit_findings(version: &str, unfit: &[(String, String)]) -> Option<Finding> {
    let (platform, why) = unfit.first()?;
    let more = match unfit.len() {
        1 => String::new(),
        count => format!(" (and {} more)", amount::counted(count - 1, "platform")),
    };
    let text = format!("{platform}: no client can install it: {why}{more}");
    Some(Finding::warning(NOT_INSTALLABLE, text).on(version))
}

/// The error of a client that unpacked the provider's archive and found no binary to start.
pub(crate) fn no_binary(provider: &str) -> String {
    format!(
        "provider binary not found: could not find executable file starting with terraform-provider-{}",
        provider.to_ascii_lowercase()
    )
}
