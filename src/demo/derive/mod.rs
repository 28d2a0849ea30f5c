//! A world out of a real registry: every stored version is a tag, and for providers a release with the sums that the
//! stored targets imply.
//!
//! Reads a work tree, any folder, or a git revision; writes nothing. Files that do not parse are left out and named in
//! `World::notes`. Zips answer 404, and the registry side is not kept in memory.

pub(crate) mod document;
pub(crate) mod source;

use std::io;
use std::path::Path;

use bytes::Bytes;
use hex::FromHex;
use jiff::{SignedDuration, Timestamp};

use crate::derive::document::{Module, Provider, ProviderVersion, place};
use crate::digest::{number, sha256, small_id};
use crate::moment::shift;
use crate::world::{Asset, Release, Repository, World, key};

impl World {
    /// Derives a world from a registry: the folder's files, or those of a git revision. A bare repository is read at
    /// `HEAD`. The clock is set to a fixed day; set `now` to another if it matters.
    ///
    /// # Errors
    /// The folder is no registry, the revision is not there, or something cannot be read.
    pub fn derive(path: &Path, reference: Option<&str>) -> io::Result<Self> {
        Self::derive_only(path, reference, &[])
    }

    /// The same from some files or folders alone (`providers/a`, `modules/b/c/d/e.json`); none are all. Those that are
    /// not there are passed over.
    ///
    /// # Errors
    /// As `derive`.
    pub(crate) fn derive_only(path: &Path, reference: Option<&str>, only: &[String]) -> io::Result<Self> {
        let now = Timestamp::from_second(1_795_262_400).map_err(io::Error::other)?;
        let mut world = Self::new(now);
        source::each(path, reference, only, &mut |path, bytes| {
            if let Err(problem) = add(&mut world, path, bytes) {
                world.notes.push(format!("`{path}` is left out: {problem}"));
            }
        })?;
        Ok(world)
    }
}

/// Versions without a known time: the file's order, one minute apart, long ago.
fn long_ago(index: usize) -> Timestamp {
    let base = Timestamp::from_second(1_577_836_800).unwrap_or(Timestamp::UNIX_EPOCH);
    shift(base, SignedDuration::from_mins(-(index as i64)))
}

fn time(discovered: Option<&str>, index: usize) -> Timestamp {
    discovered.and_then(|text| text.parse().ok()).unwrap_or_else(|| long_ago(index))
}

fn add(world: &mut World, path: &str, bytes: &[u8]) -> Result<(), serde_json::Error> {
    let parts: Vec<&str> = path.strip_suffix(".json").unwrap_or("").split('/').collect();
    match parts[..] {
        ["providers", _, namespace, name] => {
            let provider: Provider<'_> = serde_json::from_slice(bytes)?;
            let owner = if namespace.eq_ignore_ascii_case("hashicorp") { "opentofu" } else { namespace };
            add_provider(world, (owner, &format!("terraform-provider-{name}")), &provider);
        }
        ["modules", _, namespace, name, target] => {
            let module: Module<'_> = serde_json::from_slice(bytes)?;
            add_module(world, (namespace, &format!("terraform-{target}-{name}")), &module);
        }
        _ => {} // the registry's own tools do not see it either
    }
    Ok(())
}

fn repository<'a>(world: &'a mut World, (owner, name): (&str, &str)) -> &'a mut Repository {
    world.repositories.entry(key(owner, name).into()).or_insert_with(|| Repository::new(owner, name))
}

fn add_module(world: &mut World, names: (&str, &str), module: &Module<'_>) {
    let repository = repository(world, names);
    for (index, version) in module.versions.iter().flatten().enumerate() {
        if repository.tag(&version.version).is_some() {
            continue;
        }
        let mut tag = repository.new_tag(&version.version, false, time(version.discovered.as_deref(), index));
        if let Some(commit) = version.commit.as_deref().and_then(|id| FromHex::from_hex(id).ok()) {
            tag.oid = commit;
        }
        repository.tags.push(tag);
    }
}

fn add_provider(world: &mut World, mapped: (&str, &str), provider: &Provider<'_>) {
    // even without versions the repository is there
    repository(world, mapped);
    for (index, version) in provider.versions.iter().flatten().enumerate() {
        let Some((owner, name, tag, file)) = place(&version.shasums_url) else {
            world.notes.push(format!("`{}` is not a release download", version.shasums_url));
            continue;
        };
        // owners compare without case; URLs keep the case that the owner had
        let in_case = if key(owner, name) == key(mapped.0, mapped.1) { (owner, name) } else { mapped };
        add_version(repository(world, mapped), in_case, (tag, file), version, index);
        if in_case == mapped && key(owner, name) != key(mapped.0, mapped.1) {
            add_version(repository(world, (owner, name)), (owner, name), (tag, file), version, index);
        }
    }
}

fn add_version(
    repository: &mut Repository,
    (owner, name): (&str, &str),
    (tag, file): (&str, &str),
    version: &ProviderVersion<'_>,
    index: usize,
) {
    if repository.tags.is_empty() {
        repository.owner = owner.into();
        repository.name = name.into();
    }
    if repository.release(tag).is_some() {
        return;
    }
    let at = time(version.discovered.as_deref(), index);
    if repository.tag(tag).is_none() {
        repository.tags.push(repository.new_tag(tag, false, at));
    }
    repository.releases.push(Release {
        id: small_id(&["release", owner, name, tag]),
        tag: tag.into(),
        title: tag.into(),
        created: at,
        published: at,
        updated: at,
        draft: false,
        prerelease: false,
        assets: assets(version, (repository.id, tag, file), at),
    });
}

/// Zips without contents, the manifest, the sums and a signature that signs nothing.
fn assets(
    version: &ProviderVersion<'_>,
    (repository, tag, sums_name): (u64, &str, &str),
    at: Timestamp,
) -> Vec<Asset> {
    let repository = repository.to_string();
    let id = |name: &str| number(&[&repository, tag, name], 1 << 40);
    let targets = version.targets.as_deref().unwrap_or_default();
    let mut all = Vec::with_capacity(targets.len() + 3);
    let mut sums = String::with_capacity((targets.len() + 1) * 120);
    for target in targets {
        sums.push_str(&target.shasum);
        sums.push_str("  ");
        sums.push_str(&target.filename);
        sums.push('\n');
        all.push(Asset {
            id: id(&target.filename),
            name: (*target.filename).into(),
            size: target.size.unwrap_or(0),
            digest: FromHex::from_hex(&*target.shasum).ok(),
            updated: at,
            content: None,
        });
    }
    let mut small = |name: String, text: Bytes| {
        all.push(Asset {
            id: id(&name),
            size: text.len() as u64,
            digest: Some(sha256(&text)),
            name: name.into(),
            updated: at,
            content: Some(text),
        });
    };
    if let Some(protocols) = &version.protocols {
        let manifest =
            serde_json::json!({ "version": 1, "metadata": { "protocol_versions": protocols } }).to_string();
        let name = format!("{}manifest.json", sums_name.strip_suffix("SHA256SUMS").unwrap_or(sums_name));
        sums.push_str(&hex::encode(sha256(manifest.as_bytes())));
        sums.push_str("  ");
        sums.push_str(&name);
        sums.push('\n');
        small(name, manifest.into());
    }
    small(format!("{sums_name}.sig"), Bytes::from_static(b"signs nothing\n"));
    small(sums_name.to_owned(), sums.into());
    all
}

#[cfg(test)]
mod tests;
