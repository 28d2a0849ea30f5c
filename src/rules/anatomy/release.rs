//! The findings about a release before it is indexed: its parts, its manifest, its checksums and its archives.
//!
//! The verdict of an entry lists these findings for each missing version. A proposal contains the same findings, so
//! the diff, the plan, the gates, the text of a pull request and a review all agree.

use crate::registry::{ProviderVersion, ReleaseFacts, Target};
use crate::rules::anatomy::{Names, Parts, oddities, protocol_findings};
use crate::rules::{Finding, amount};

/// Why clients cannot use an archive, as far as its content shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// The client's error.
    NotInstallable(String),
    /// The target that the archive is for, and the system that its binary is for, as a sentence.
    OtherSystem(String),
}

impl Unfit {
    fn rule(&self) -> &'static str {
        match self {
            Self::NotInstallable(_) => "not-installable",
            Self::OtherSystem(_) => "other-system",
        }
    }

    fn text(&self) -> String {
        match self {
            Self::NotInstallable(why) => format!("no client can install it: {why}"),
            Self::OtherSystem(why) => why.clone(),
        }
    }
}

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

/// The findings about archives that were read and that clients cannot use: for each reason the first platform.
pub(crate) fn unfit_findings(version: &str, unfit: &[(String, Unfit)]) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for (platform, why) in unfit {
        if found.iter().any(|finding| finding.rule == why.rule()) {
            continue;
        }
        let more = match unfit.iter().filter(|(_, other)| other.rule() == why.rule()).count() {
            1 => String::new(),
            count => format!(" (and {} more)", amount::counted(count - 1, "platform")),
        };
        let text = format!("{platform}: {}{more}", why.text());
        found.push(Finding::warning(why.rule(), text).on(version));
    }
    found
}

/// The error of a client that unpacked the provider's archive and found no binary to start.
pub(crate) fn no_binary(provider: &str) -> String {
    format!(
        "provider binary not found: could not find executable file starting with terraform-provider-{}",
        provider.to_ascii_lowercase()
    )
}
