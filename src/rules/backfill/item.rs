//! One target that lacks h1 or size, and the digest of all of them.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::registry::{Address, ProviderEntry};
use crate::rules::backfill::Selection;

/// One archive that is to be read. What the registry says of it stands here as it was when the plan was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Item {
    pub(crate) address: Address,
    /// As stored.
    pub(crate) version: String,
    /// `linux_amd64`.
    pub(crate) target: String,
    /// The stored one, whatever its tag is called: nobody makes it up from the version.
    pub(crate) url: String,
    /// SHA-256 of the archive, hex.
    pub(crate) shasum: String,
    /// Empty if it is to be found.
    pub(crate) h1: String,
    /// In bytes; 0 if it is to be found.
    pub(crate) size: u64,
}

impl Item {
    /// What two items cannot share.
    pub(crate) fn key(&self) -> (&Address, &str, &str, &str, &str) {
        (&self.address, &self.version, &self.target, &self.shasum, &self.url)
    }

    /// `acme/rocket 1.2.0 linux_amd64`.
    pub(crate) fn name(&self) -> String {
        format!("{} {} {}", self.address, self.version, self.target)
    }
}

/// What one provider lacks, of what is asked for: in file order, each once.
pub(crate) fn items(address: &Address, entry: &ProviderEntry, selection: &Selection) -> Vec<Item> {
    let (mut items, mut seen): (Vec<Item>, _) = (Vec::new(), HashSet::new());
    for version in entry.versions.iter().filter(|one| selection.admits(address, &one.version)) {
        for target in version.targets.iter().filter(|target| !target.is_hashed()) {
            // Two tags of one version may have been indexed both.
            let key = (&*version.version, target.platform(), &*target.shasum, &*target.download_url);
            if seen.insert(key) {
                items.push(Item {
                    address: address.clone(),
                    version: version.version.clone(),
                    target: target.platform(),
                    url: target.download_url.clone(),
                    shasum: target.shasum.clone(),
                    h1: target.h1.clone().unwrap_or_default(),
                    size: target.size.unwrap_or_default(),
                });
            }
        }
    }
    items
}

/// SHA-256 over the items of one file or share, hex.
pub(crate) fn items_digest<'a>(items: impl IntoIterator<Item = &'a Item>) -> String {
    let mut sum = Sha256::new();
    for item in items {
        let size = item.size.to_string();
        let address = item.address.path();
        let parts = [&*address, &item.version, &item.target, &item.url, &item.shasum, &item.h1, &size];
        for part in parts {
            // By their lengths no part runs into the next one, whatever stands in it.
            sum.update((part.len() as u64).to_le_bytes());
            sum.update(part);
        }
    }
    hex::encode(sum.finalize())
}

/// SHA-256 over a whole plan, hex: the commit it is made on, and what each file lacks. `files` are in the order of their paths.
pub(crate) fn plan_digest<'a>(base: &str, files: impl IntoIterator<Item = (&'a Address, &'a str)>) -> String {
    let mut text = format!("bumpdesk backfill 1\n{base}\n");
    for (address, digest) in files {
        text.push_str(&address.path());
        text.push(' ');
        text.push_str(digest);
        text.push('\n');
    }
    crate::registry::digest(text.as_bytes())
}
