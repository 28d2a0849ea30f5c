//! Who vouches for the checksums of what a pull request adds, by the keys on file on its branch by now. The registry's own tool does not
//! ask; whoever installs it does.

use std::sync::Arc;

use futures_util::{StreamExt, stream};

use crate::jobs::Env;
use crate::jobs::publish::vouched;
use crate::jobs::review::AT_ONCE;
use crate::jobs::review::keys::ring;
use crate::jobs::review::objects::Objects;
use crate::registry::version::trim_v;
use crate::registry::{Address, Entry, ProviderVersion};
use crate::rules::review::{Claim, Derived, SignedVersions, Signing};
use crate::rules::signature::KeyRing;

/// Of the versions that a file adds, as upstream gives them. `branch`: its topmost folder by now, and its name; `most`: versions that are
/// read.
pub(super) async fn read(
    env: &Arc<Env>,
    objects: &Objects<'_>,
    branch: (&str, &str),
    (address, claim, derived): (&Address, &Claim, &Derived),
    most: usize,
) -> Vec<SignedVersions> {
    let Address::Provider(provider) = address else { return Vec::new() };
    let added = claim.added();
    let path = address.path();
    let of_all = |why: String| vec![SignedVersions::new(&path, added.clone(), Signing::NotVouched, why)];
    if added.is_empty() {
        return Vec::new();
    }
    if added.len() > most {
        return of_all(format!("the signatures of {} versions are read with --hash", added.len()));
    }
    let ring = match ring(objects, branch, provider).await {
        Ok(ring) => ring,
        Err(error) => return of_all(format!("the keys on file could not be read: {}", error.cause())),
    };
    if ring.is_empty() && objects.session.has_keys(address) {
        return of_all(
            "no key is on file on its branch, and the checkout has one or cannot be read".to_owned(),
        );
    }
    // By the addresses that upstream gives: those that are claimed may lead anywhere.
    let Ok((_, made)) = Entry::read(address.kind(), &derived.document.print()) else { return Vec::new() };
    let made = made.as_provider().map(|entry| entry.versions.as_slice()).unwrap_or_default();
    let is_added =
        |version: &&ProviderVersion| added.iter().any(|one| trim_v(one) == trim_v(&version.version));
    let versions: Vec<ProviderVersion> = made.iter().filter(is_added).cloned().collect();
    let looked: Vec<(String, Signing, String)> = stream::iter(versions)
        .map(|version| of_version(env, &ring, version))
        .buffered(AT_ONCE)
        .collect()
        .await;
    let mut all: Vec<SignedVersions> = Vec::new();
    for (version, signing, text) in looked {
        match all.iter_mut().find(|one| (one.signing, &one.text) == (signing, &text)) {
            Some(same) => same.versions.push(version),
            None => all.push(SignedVersions::new(&path, vec![version], signing, text)),
        }
    }
    all
}

async fn of_version(env: &Arc<Env>, ring: &KeyRing, version: ProviderVersion) -> (String, Signing, String) {
    let (signing, text) = Signing::of(vouched(env, ring, &version).await);
    (version.version, signing, text)
}
