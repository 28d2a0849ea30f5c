//! One provider of a scenario: its registry file and its upstream repository.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::moment::shift;
use crate::scenario::keys::Signers;
use crate::scenario::names::Target;
use crate::scenario::release::{Maker, version_of};
use crate::scenario::spec::{ErrorSpec, PlantPlace, PlantSpec, ProviderSpec, ReleaseSpec, StoredSpec};
use crate::scenario::terse::Terse;
use crate::scenario::{add_tags, found_at, put_release, repository, settle};
use crate::stored::{Json, file_of};
use crate::world::{Build, Repository, World};

/// Adds a provider to the world.
pub(super) fn add(world: &mut World, spec: &ProviderSpec, signers: &Signers) {
    let namespace = spec.address.namespace.to_ascii_lowercase();
    let name = spec.address.name.to_ascii_lowercase();
    let effective = if namespace == "hashicorp" { "opentofu" } else { &spec.address.namespace };
    let owner = spec.owner.as_deref().unwrap_or(effective);
    let now = world.now;
    let mut repository =
        repository(world, owner, &format!("terraform-provider-{}", spec.address.name), &spec.repository);
    let mut maker = Maker::new(repository.full_name(), spec.address.name.clone(), now, signers);
    maker.zip_prefix_v = spec.zip_prefix_v;
    maker.binary = spec.binary;
    maker.signed_by.clone_from(&spec.signed_by);
    if let Some(targets) = &spec.targets {
        maker.targets.clone_from(targets);
    }
    if let Some(protocols) = &spec.protocols {
        maker.protocols.clone_from(protocols);
    }
    let file = file(&mut maker, spec, now);
    fill(&mut repository, &mut maker, spec, now);
    repository.builds.extend(spec.builds.iter().map(|build| Build {
        at: build.at.resolve(now),
        event: build.event.as_str().into(),
        ended: build.ended.as_deref().map(Into::into),
    }));
    repository.builds.sort_by_key(|build| std::cmp::Reverse(build.at));
    settle(world, repository, &spec.repository);
    let mut namespaces = vec![namespace.as_str()];
    if spec.twin {
        namespaces.push("opentofu");
    }
    for namespace in namespaces {
        let shard = namespace.chars().next().unwrap_or('_');
        let bytes = spec.json.clone().map_or_else(|| file.clone(), String::into_bytes);
        let bytes = planted(bytes, spec);
        world.files.insert(format!("providers/{shard}/{namespace}/{name}.json"), bytes.into());
        if let Some(served) = &spec.served {
            world.served.insert(format!("{namespace}/{name}"), served.clone());
        }
        let served = spec.plant.iter().filter(|plant| plant.place != PlantPlace::File);
        world.planted.insert(format!("{namespace}/{name}"), served.cloned().collect());
    }
}

/// Returns the file with the planted changes of the scenario, or the file as it was if there are none.
fn planted(bytes: Vec<u8>, spec: &ProviderSpec) -> Vec<u8> {
    let plants: Vec<&PlantSpec> = spec.plant.iter().filter(|plant| plant.place == PlantPlace::File).collect();
    let Ok(mut value) = serde_json::from_slice(&bytes) else { return bytes };
    if plants.is_empty() {
        return bytes;
    }
    for plant in plants {
        plant.put_into(&mut value);
    }
    file_of(&value)
}

impl PlantSpec {
    /// Changes, adds or removes the field. A pointer that matches nothing changes nothing.
    pub(crate) fn put_into(&self, document: &mut Value) {
        let Some((parent, last)) = self.at.rsplit_once('/') else { return };
        match (document.pointer_mut(parent), &self.value) {
            (Some(Value::Object(fields)), Some(value)) => {
                fields.insert(last.to_owned(), value.clone());
            }
            (Some(Value::Object(fields)), None) => {
                fields.shift_remove(last);
            }
            (Some(Value::Array(items)), Some(value)) if last == "-" => items.push(value.clone()),
            (Some(Value::Array(items)), value) => {
                let Some(at) = last.parse::<usize>().ok().filter(|at| *at < items.len()) else { return };
                match value {
                    Some(value) => items[at] = value.clone(),
                    None => drop(items.remove(at)),
                }
            }
            _ => {}
        }
    }
}

/// Everything upstream.
fn fill(repository: &mut Repository, maker: &mut Maker<'_>, spec: &ProviderSpec, now: Timestamp) {
    for (index, Terse(stored)) in spec.stored.iter().enumerate() {
        let tag = tag_of(spec, stored);
        if repository.tag(&tag).is_some() {
            continue; // the twin brought it
        }
        let release = maker.release(&ReleaseSpec {
            tag,
            published: Some(crate::moment::Moment::At(published(stored, index, now))),
            targets: stored.targets.clone(),
            protocols: stored.protocols.clone(),
            content_seed: stored.content_seed,
            signed_by: stored.signed_by.clone(),
            ..ReleaseSpec::default()
        });
        put_release(repository, release);
    }
    add_tags(repository, &spec.tags, false, now);
    for Terse(release) in &spec.releases {
        let mut release = release.clone();
        if release.published.is_none() {
            release.published =
                repository.release(&release.tag).map(|found| crate::moment::Moment::At(found.published));
        }
        put_release(repository, maker.release(&release));
    }
    let same = |tag: &str, version: &str| tag == version || version_of(tag) == version_of(version);
    repository.releases.retain(|release| {
        !spec.gone.iter().chain(&spec.release_gone).any(|version| same(&release.tag, version))
    });
    repository.tags.retain(|tag| !spec.gone.iter().any(|version| same(&tag.name, version)));
}

fn tag_of(spec: &ProviderSpec, stored: &StoredSpec) -> String {
    let prefix = spec.tag_prefix.as_deref().unwrap_or("v");
    stored.tag.clone().unwrap_or_else(|| format!("{prefix}{}", stored.version))
}

/// Stored versions without a time are thirty days apart.
fn published(stored: &StoredSpec, index: usize, now: Timestamp) -> Timestamp {
    let distance = SignedDuration::from_hours(-(index as i64 + 1) * 30 * 24 - 7);
    stored.published.map_or_else(|| shift(now, distance), |moment| moment.resolve(now))
}

/// The registry file, as the registry's tool would have written it.
fn file(maker: &mut Maker<'_>, spec: &ProviderSpec, now: Timestamp) -> Vec<u8> {
    let versions =
        spec.stored.iter().enumerate().map(|(index, Terse(stored))| version(maker, spec, stored, index, now));
    let mut root = vec![("versions", Json::List(versions.collect()))];
    let errors: Vec<Json> = spec.errors.iter().flat_map(|error| records(error, now)).collect();
    if !errors.is_empty() {
        root.push(("versions_errors", Json::List(errors)));
    }
    if !spec.warnings.is_empty() {
        root.push(("warnings", Json::texts(&spec.warnings)));
    }
    Json::Object(root).file()
}

fn version(
    maker: &mut Maker<'_>,
    spec: &ProviderSpec,
    stored: &StoredSpec,
    index: usize,
    now: Timestamp,
) -> Json {
    let base = format!("https://github.com/{}/releases/download/{}", maker.repository, tag_of(spec, stored));
    let sums = format!("{base}/{}", maker.file_name(&stored.version, false, "SHA256SUMS"));
    let mut targets = stored.targets.clone().unwrap_or_else(|| maker.targets.clone());
    targets.sort_by_key(Target::rank);
    let hashes = spec.stored_with.hashes.then_some(stored.hashes.unwrap_or(true));
    let targets = targets.iter().map(|one| target(maker, spec, stored, one, (&base, hashes))).collect();
    let mut fields = vec![
        ("version", Json::text(&stored.version)),
        ("protocols", Json::texts(stored.protocols.as_ref().unwrap_or(&maker.protocols))),
        ("shasums_signature_url", Json::text(format!("{sums}.sig"))),
        ("targets", Json::List(targets)),
    ];
    fields.insert(2, ("shasums_url", Json::text(sums)));
    if spec.stored_with.discovered {
        let found = stored.discovered.map_or_else(
            || found_at(published(stored, index, now), &[&maker.repository, &stored.version]).min(now),
            |moment| moment.resolve(now),
        );
        fields.push(("discovered", Json::text(found.to_string())));
    }
    Json::Object(fields)
}

fn target(
    maker: &mut Maker<'_>,
    spec: &ProviderSpec,
    stored: &StoredSpec,
    target: &Target,
    (base, hashes): (&str, Option<bool>),
) -> Json {
    let name = maker.file_name(&stored.version, spec.zip_prefix_v, &format!("{}.zip", target.name()));
    let made = maker.package(&stored.version, target, stored.content_seed.unwrap_or(1));
    let mut fields = vec![
        ("os", Json::text(&target.os)),
        ("arch", Json::text(&target.arch)),
        ("filename", Json::text(&name)),
        ("download_url", Json::text(format!("{base}/{name}"))),
        ("shasum", Json::text(hex::encode(made.sha256))),
    ];
    if let Some(known) = hashes {
        fields.push(("h1", Json::text(if known { made.h1.as_str() } else { "" })));
        fields.push(("size", Json::Number(if known { made.bytes.len() as u64 } else { 0 })));
    }
    Json::Object(fields)
}

/// The records of one version's failures, oldest first, at the distances of the back-off (15 minutes times 2^n).
fn records(error: &ErrorSpec, now: Timestamp) -> Vec<Json> {
    let last = error.last.or(error.at).map_or(now, |moment| moment.resolve(now));
    let count = error.count.unwrap_or(1).clamp(1, 40);
    let mut times = vec![last];
    for earlier in (1..count).rev() {
        let at = *times.last().expect("it began with one");
        times.push(shift(at, SignedDuration::from_mins(-15 * (1_i64 << earlier))));
    }
    let record = |at: &Timestamp| {
        Json::Object(vec![
            ("version", Json::text(&error.version)),
            ("message", Json::text(&error.message)),
            ("utc_time", Json::text(at.to_string())),
        ])
    };
    times.iter().rev().map(record).collect()
}
