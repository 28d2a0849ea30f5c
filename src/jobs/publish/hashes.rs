//! Whether what a pull request adds is what upstream says: checksums, signatures, h1.

use std::sync::Arc;

use crate::jobs::publish::{Rebuilt, base::Base};
use crate::jobs::{Env, Failure};
use crate::registry::{Address, ProviderVersion};
use crate::remote::Error;
use crate::rules::anatomy::{parse_sums, sum_of};
use crate::rules::indexed_tag;
use crate::rules::sending::SentVersion;
use crate::rules::signature::{Answer, KeyRing};
use crate::settings::Feature;

/// What was found in one file.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// Versions of an entry without a key on file.
    pub(super) unsigned: usize,
    pub(super) faults: Vec<String>,
}

/// Reads checksums and signatures of every added version again, and notes with each version who signed it and which commit its
/// tag points to.
pub(super) async fn check(
    env: &Arc<Env>,
    base: &Base,
    one: &Rebuilt,
    versions: &mut [SentVersion],
) -> Result<Checked, Failure> {
    let mut checked = Checked::default();
    let (Address::Provider(provider), Some(entry)) = (&one.address, one.entry.as_provider()) else {
        return Ok(checked);
    };
    let ring = base.keys(env, provider).await?;
    for sent in versions {
        let Some(version) = entry.versions.iter().find(|version| version.version == sent.version) else {
            continue;
        };
        let tags = one.facts.tags.known();
        sent.commit = indexed_tag(version).and_then(|tag| tags?.find(&tag).map(|tag| tag.oid.to_string()));
        match of_version(env, &ring, version).await {
            Ok((signed, is_signed)) => {
                sent.signed = signed;
                checked.unsigned += usize::from(!is_signed);
            }
            Err(fault) => checked.faults.push(format!("{} {}: {fault}", one.address, version.version)),
        }
    }
    Ok(checked)
}

/// Who signed, and whether anybody on file did.
async fn of_version(
    env: &Arc<Env>,
    ring: &KeyRing,
    version: &ProviderVersion,
) -> Result<(String, bool), String> {
    let unread = |what: &str, error: Error| format!("its {what} could not be read: {error}");
    let sums = env.remote.sums_at(&version.shasums_url).await.map_err(|error| unread("SHA256SUMS", error))?;
    let listed = parse_sums(&sums.value.text);
    for target in &version.targets {
        let platform = target.platform();
        match sum_of(&listed, &target.filename) {
            Some(sum) if sum == target.shasum => {}
            Some(_) => return Err(format!("the checksum of {platform} is not that of SHA256SUMS")),
            None => return Err(format!("SHA256SUMS does not list {}", target.filename)),
        }
        if env.features.has(Feature::TargetHashes) && !target.is_hashed() {
            return Err(format!("{platform} has no h1"));
        }
    }
    if ring.is_empty() {
        return Ok(("no key on file".to_owned(), false));
    }
    let signature = env.remote.small_file(&version.shasums_signature_url).await;
    let signature = signature.map_err(|error| unread("signature", error))?;
    let check = ring.check(sums.value.text.as_bytes(), &signature, env.now());
    match &check.answer {
        Answer::Signed(signed) if check.client.installs() == Some(true) => {
            Ok((signed.by.fingerprint.clone(), true))
        }
        _ => Err(check.text()),
    }
}
