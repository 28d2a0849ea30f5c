//! What `tofu init` would write down itself (`registry.md#lock-files`): what the registry and SHA256SUMS report, unverified, and
//! what it computes of the package that it installs.

use std::collections::BTreeSet;

use crate::registry::ProviderVersion;
use crate::rules::amount;
use crate::rules::anatomy::is_sum;
use crate::rules::client::{Chain, Ends, Fetched, checksums_to_lock};
use crate::rules::lock::Scheme;
use crate::rules::lock::hash::zh;
use crate::rules::verify::{Row, Zip};

/// The hashes of a lock file that a client makes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Recorded {
    /// On every platform: each target's zh and, where the registry has one, h1. Sorted, each once.
    pub(crate) everywhere: Vec<String>,
    /// On every platform: the zh of other files in SHA256SUMS, such as the manifest. Sorted, each once.
    pub(crate) other_files: Vec<String>,
    /// On one platform alone: the h1 of its installed package, where nothing reports it. Only of archives that were read.
    pub(crate) besides: Vec<(String, String)>,
}

/// What a client would record of a version that installs; of one that installs nowhere nothing.
pub(crate) fn recorded(
    version: &ProviderVersion,
    rows: &[Row],
    sums: &Fetched<String>,
    chain: &Chain,
) -> Recorded {
    let fails = |target: &str| matches!(chain.ends(target), Some(Ends::Fails(_)));
    let stored = chain.targets.iter().filter(|target| target.is_stored);
    if stored.into_iter().all(|target| fails(&target.target)) {
        return Recorded::default();
    }
    let mut everywhere = BTreeSet::new();
    for target in &version.targets {
        everywhere.extend(is_sum(&target.shasum).then(|| zh(&target.shasum)));
        everywhere.extend(target.h1.iter().filter(|h1| Scheme::of(h1) == Ok(Scheme::H1)).cloned());
    }
    let listed = match sums {
        Fetched::Got(text) => checksums_to_lock(text),
        Fetched::Missing | Fetched::Unread(_) => Vec::new(),
    };
    let other_files: BTreeSet<String> =
        listed.iter().map(|sum| zh(sum)).filter(|hash| !everywhere.contains(hash)).collect();
    let besides =
        version.targets.iter().map(crate::registry::Target::platform).filter(|target| !fails(target));
    let besides = besides.filter_map(|target| {
        let row = rows.iter().find(|row| row.target == target && row.version == version.version)?;
        let Zip::Hashed(computed) = &row.zip else { return None };
        let installed = computed.h1_installed.as_ref().or(computed.h1.as_ref())?;
        (!everywhere.contains(installed)).then(|| (target, installed.clone()))
    });
    let besides = besides.collect();
    Recorded {
        everywhere: everywhere.into_iter().collect(),
        other_files: other_files.into_iter().collect(),
        besides,
    }
}

impl Recorded {
    /// `it locks 22 hashes on every platform, and 1 of other files in SHA256SUMS`; `None`: nothing.
    pub(crate) fn text(&self) -> Option<String> {
        if self.everywhere.is_empty() {
            return None;
        }
        let mut parts = vec![format!("{} on every platform", amount::counted(self.everywhere.len(), "hash"))];
        if !self.other_files.is_empty() {
            parts.push(format!("{} of other files in SHA256SUMS", self.other_files.len()));
        }
        let besides: Vec<&str> = self.besides.iter().map(|(target, _)| target.as_str()).collect();
        if !besides.is_empty() {
            parts.push(format!("one more on {} alone", besides.join(", ")));
        }
        Some(format!("it locks {}", parts.join(", and ")))
    }
}
