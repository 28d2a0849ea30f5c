//! The publishers' keys of a scenario: who signs, and what of it the registry has on file.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::scenario::spec::{KeySpec, Scenario};
use crate::signer::Signer;
use crate::world::World;

/// By the name that `signed_by` says.
pub(crate) type Signers = BTreeMap<String, Signer>;

/// When a key was made that does not say when: before everything that it signs.
const LONG_AGO: i64 = 1_577_836_800;

/// The keys of a scenario.
///
/// # Errors
/// The name of a key that signs something and is not among them.
pub(super) fn signers(scenario: &Scenario, now: Timestamp) -> Result<Signers, String> {
    let make = |spec: &KeySpec| {
        let long_ago = Timestamp::from_second(LONG_AGO).unwrap_or(Timestamp::UNIX_EPOCH);
        let created = spec.created.map_or(long_ago, |moment| moment.resolve(now));
        let expires = spec.expires.map(|moment| moment.resolve(now));
        let signer = Signer::new(&spec.name, created, expires);
        (spec.name.clone(), if spec.without_flags { signer.without_flags() } else { signer })
    };
    let signers: Signers = scenario.key.iter().map(make).collect();
    let of_providers = scenario.provider.iter().flat_map(|provider| {
        let stored = provider.stored.iter().map(|one| &one.0.signed_by);
        let released = provider.releases.iter().map(|one| &one.0.signed_by);
        std::iter::once(&provider.signed_by).chain(stored).chain(released)
    });
    let of_others = scenario.repository.iter().flat_map(|bare| &bare.releases).map(|one| &one.0.signed_by);
    match of_providers.chain(of_others).flatten().find(|name| !signers.contains_key(*name)) {
        Some(name) => Err(name.clone()),
        None => Ok(signers),
    }
}

/// Puts a key into the registry, wherever it is on file.
pub(super) fn file(world: &mut World, spec: &KeySpec, signer: &Signer) {
    for place in &spec.on_file {
        let place = place.to_ascii_lowercase();
        let shard = place.chars().next().unwrap_or('_');
        // The registry names a key file after the second at which it came in.
        let mut came = signer.created().as_second();
        let mut path = String::new();
        while path.is_empty() || world.files.contains_key(&path) {
            path = format!("keys/{shard}/{place}/provider-{came}.asc");
            came += 1;
        }
        world.files.insert(path, signer.file().into());
    }
}
