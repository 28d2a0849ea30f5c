//! Checks that the versions that a pull request adds match upstream: checksums, signatures, h1.

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::data::Failure;
use crate::jobs::publish::{Rebuilt, base::Base};
use crate::jobs::session::Session;
use crate::registry::{Address, ProviderVersion};
use crate::remote::Error;
use crate::rules::anatomy::{parse_sums, sum_of};
use crate::rules::edit::Edit;
use crate::rules::indexed_tag;
use crate::rules::sending::{HashesRead, SentVersion};
use crate::rules::signature::{KeyRing, Vouched};
use crate::settings::Feature;

/// Reads checksums and signatures of every added version again, and notes with each version who signed it and which id its tag
/// has.
pub(super) async fn check(
    env: &Arc<Env>,
    session: &Session,
    base: &Base,
    one: &Rebuilt,
    (versions, read): (&mut [SentVersion], &mut HashesRead),
) -> Result<(), Failure> {
    let (Address::Provider(provider), Some(entry)) = (&one.address, one.entry.as_provider()) else {
        return Ok(());
    };
    let ring = base.keys(env, provider).await?;
    if ring.is_empty() && session.has_keys(&one.address) {
        read.faults.push(format!(
            "{}: no key is on file on {}, and the checkout has one or cannot be read",
            one.address, base.branch
        ));
    }
    let edit = one.file.mode.edit();
    for sent in versions {
        // By its place: two tags may stand for one version, and both are to be looked at.
        let version = &entry.versions[sent.place];
        read.versions += 1;
        read.targets += version.targets.len();
        let tags = one.facts.tags.known();
        sent.tag_id = indexed_tag(version).and_then(|tag| tags?.find(&tag).map(|tag| tag.oid.to_string()));
        let named = |text: &str| format!("{} {}: {text}", one.address, version.version);
        match of_version(env, &ring, version, edit).await {
            Ok(Vouched::By { fingerprint, doubt }) => {
                sent.signed = fingerprint;
                read.doubtful.extend(doubt.map(|doubt| named(&doubt)));
            }
            Ok(Vouched::ByNobody) => {
                "no key on file".clone_into(&mut sent.signed);
                read.unsigned += 1;
            }
            Err(fault) => read.faults.push(named(&fault)),
        }
    }
    Ok(())
}

async fn of_version(
    env: &Arc<Env>,
    ring: &KeyRing,
    version: &ProviderVersion,
    edit: Option<&Edit>,
) -> Result<Vouched, String> {
    let vouched = vouched(env, ring, version).await?;
    for target in &version.targets {
        let platform = target.platform();
        let is_left = edit.is_some_and(|edit| edit.leaves(&version.version, &platform));
        if !is_left && env.features.has(Feature::TargetHashes) && !target.is_hashed() {
            return Err(format!("{platform} has no h1"));
        }
    }
    Ok(vouched)
}

/// The signers of a version's checksums now, by the keys of a ring.
///
/// # Errors
/// Something could not be read, the checksums are not those of its targets, or clients cannot install it with that signature:
/// the text says which, and why.
pub(crate) async fn vouched(env: &Env, ring: &KeyRing, version: &ProviderVersion) -> Result<Vouched, String> {
    let unread = |what: &str, error: Error| format!("its {what} could not be read: {}", error.cause());
    let sums = env.remote.sums_at(&version.shasums_url).await;
    let sums = sums.map_err(|error| unread("SHA256SUMS", error))?.value;
    let listed = parse_sums(&sums.text);
    for target in &version.targets {
        match sum_of(&listed, &target.filename) {
            Some(sum) if sum == target.shasum => {}
            Some(_) => {
                return Err(format!("the checksum of {} is not that of SHA256SUMS", target.platform()));
            }
            None => return Err(format!("SHA256SUMS does not list {}", target.filename)),
        }
    }
    if ring.is_empty() {
        return Ok(Vouched::ByNobody);
    }
    let signature = env.remote.small_file(&version.shasums_signature_url).await;
    let signature = signature.map_err(|error| unread("signature", error))?;
    ring.check(sums.text.as_bytes(), &signature, env.now()).vouched()
}
