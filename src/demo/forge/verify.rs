//! The registry's required check: makes each changed file anew from upstream, and compares (`registry.md#the-registrys-own-checks`).
//!
//! It is what the registry's own machines do, written apart from `rules`, so that a wrong prediction there cannot confirm
//! itself. Versions come from the tags alone; what upstream lost is lost, and failures are recorded at the time of the run.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::archive::h1_of;
use crate::digest::sha256;
use crate::forge::check::{State, VERIFY};
use crate::forge::pull::Pull;
use crate::world::{Lookup, Release, Repository, World};

const OS: [&str; 6] = ["darwin", "freebsd", "linux", "windows", "openbsd", "solaris"];
const ARCH: [&str; 4] = ["386", "amd64", "arm", "arm64"];

/// Judges every required check that is queued and not judged yet.
pub(crate) fn judge_queued(world: &mut World) {
    let mut judged = Vec::new();
    for (at, run) in world.forge.runs.iter().enumerate() {
        if run.name != VERIFY || run.verdict.is_some() {
            continue;
        }
        let pull = world.forge.repositories.get(&run.repository).and_then(|hosted| hosted.pull(run.pull));
        judged.push((at, pull.map_or(Ok(()), |pull| judge(world, pull))));
    }
    for (at, verdict) in judged {
        let run = &mut world.forge.runs[at];
        run.verdict = Some(if verdict.is_ok() { State::Passed } else { State::Failed });
        run.summary = verdict.err().unwrap_or_default();
    }
}

/// Whether every changed data file is what upstream makes of it.
fn judge(world: &World, pull: &Pull) -> Result<(), String> {
    let mut wrong = Vec::new();
    for change in world.forge.changes(pull) {
        let Some(made) = regenerate(world, &change.path) else { continue };
        let leaf = change.after.and_then(|leaf| world.forge.objects.blob(&leaf.blob));
        let stored = leaf.and_then(|bytes| serde_json::from_slice::<Value>(bytes).ok());
        match (made, stored) {
            (Err(why), _) => wrong.push(format!("{}: {why}", change.path)),
            (Ok(_), None) => wrong.push(format!("{}: it is not there", change.path)),
            (Ok(made), Some(stored)) if without_clocks(&made) != without_clocks(&stored) => {
                wrong.push(format!("{}: it differs from what upstream makes of it", change.path));
            }
            _ => {}
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("JSON Verification Failed\n\n{}", wrong.join("\n"))) }
}

/// The file without `discovered`: when a version was found cannot be found out again.
fn without_clocks(file: &Value) -> Value {
    let mut file = file.clone();
    for version in file.get_mut("versions").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(fields) = version.as_object_mut() {
            fields.shift_remove("discovered");
        }
    }
    sorted(&file)
}

/// Keys in order, as `jq --sort-keys` writes them.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let ordered: BTreeMap<&String, Value> =
                fields.iter().map(|(name, value)| (name, sorted(value))).collect();
            Value::Object(ordered.into_iter().map(|(name, value)| (name.clone(), value)).collect())
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        other => other.clone(),
    }
}

/// The file made from nothing, or why it cannot be; `None` for what is no data file.
pub(super) fn regenerate(world: &World, path: &str) -> Option<Result<Value, String>> {
    let parts: Vec<&str> = path.strip_suffix(".json")?.split('/').collect();
    match parts[..] {
        ["providers", _, namespace, name] => {
            let owner = if namespace == "hashicorp" { "opentofu" } else { namespace };
            Some(
                upstream(world, owner, &format!("terraform-provider-{name}"))
                    .and_then(|it| provider(world, it, name)),
            )
        }
        ["modules", _, namespace, name, target] => {
            Some(upstream(world, namespace, &format!("terraform-{target}-{name}")).map(module))
        }
        _ => None,
    }
}

/// A data file with versions as upstream has them today, added or in the place of what is indexed, as a bump at that time would
/// write it.
pub(crate) fn bumped(
    world: &World,
    path: &str,
    stored: &Value,
    wanted: &dyn Fn(&str) -> bool,
    at: Timestamp,
) -> Result<Value, String> {
    let made = regenerate(world, path).unwrap_or_else(|| Err("it is not a data file".to_owned()))?;
    let list = |file: &Value| file["versions"].as_array().cloned().unwrap_or_default();
    let old = list(stored);
    let mut new: Vec<Value> =
        list(&made).into_iter().filter(|one| one["version"].as_str().is_some_and(wanted)).collect();
    for one in &mut new {
        let known = old.iter().find(|known| known["version"] == one["version"]);
        let found =
            known.map_or_else(|| Some(at.to_string().into()), |known| known.get("discovered").cloned());
        if let Some(found) = found {
            one["discovered"] = found;
        }
    }
    let order_of = |one: &Value| one["version"].as_str().and_then(order);
    let kept = old.iter().filter(|one| !new.iter().any(|other| other["version"] == one["version"]));
    // A scenario may plant a text that is not a version. It cannot be sorted, so it stays at the end of the list.
    let (kept, planted): (Vec<&Value>, Vec<&Value>) = kept.partition(|one| order_of(one).is_some());
    let mut all = Vec::new();
    for one in new.iter().chain(kept) {
        let order = order_of(one).ok_or_else(|| format!("{} is not a version", one["version"]))?;
        all.push((order, one.clone()));
    }
    newest_first(&mut all);
    let mut file = stored.clone();
    file["versions"] = all.into_iter().map(|(_, one)| one).chain(planted.into_iter().cloned()).collect();
    Ok(file)
}

fn upstream<'a>(world: &'a World, owner: &str, name: &str) -> Result<&'a Repository, String> {
    match world.lookup(owner, name) {
        Lookup::Here(repository) | Lookup::Moved(repository) => Ok(repository),
        Lookup::Blocked | Lookup::Absent => Err("its repository cannot be read".into()),
    }
}

/// A tag's version as it is ordered, if it is one.
pub(super) fn order(tag: &str) -> Option<semver::Version> {
    let plain = tag.strip_prefix('v').unwrap_or(tag);
    let core = plain.find(['-', '+']).unwrap_or(plain.len());
    let missing = 2_usize.checked_sub(plain[..core].matches('.').count())?;
    // `1.2` stands for 1.2.0, but only without anything after it.
    if missing > 0 && core < plain.len() {
        return None;
    }
    let mut version = semver::Version::parse(&format!("{plain}{}", ".0".repeat(missing))).ok()?;
    version.build = semver::BuildMetadata::EMPTY;
    Some(version)
}

/// Sorts versions as the registry does.
pub(super) fn newest_first<T>(list: &mut [(semver::Version, T)]) {
    list.sort_by(|one, other| other.0.cmp(&one.0));
}

fn module(repository: &Repository) -> Value {
    let mut versions: Vec<(semver::Version, Value)> = Vec::new();
    for tag in &repository.tags {
        if let Some(version) = order(&tag.name) {
            versions.push((version, json!({ "version": tag.name, "commit": hex::encode(tag.oid) })));
        }
    }
    newest_first(&mut versions);
    json!({ "versions": versions.into_iter().map(|(_, version)| version).collect::<Vec<_>>() })
}

fn provider(world: &World, repository: &Repository, name: &str) -> Result<Value, String> {
    let (mut versions, mut errors) = (Vec::new(), Vec::new());
    for tag in &repository.tags {
        let Some(order) = order(&tag.name) else { continue };
        let version = tag.name.strip_prefix('v').unwrap_or(&tag.name);
        let failed = |message: &str| json!({ "version": version, "message": message, "utc_time": world.now.to_string() });
        let release = repository.release(&tag.name).filter(|release| !release.draft);
        match release.map(|release| read_release(repository, release, (name, version))).transpose()? {
            None => errors.push((order, failed("checksums not found in release"))),
            Some(Indexed::Nothing(message)) => errors.push((order, failed(message))),
            Some(Indexed::Version(value)) => versions.push((order, value)),
        }
    }
    newest_first(&mut versions);
    newest_first(&mut errors);
    let list =
        |list: Vec<(semver::Version, Value)>| list.into_iter().map(|(_, value)| value).collect::<Vec<_>>();
    let mut file = Map::new();
    file.insert("versions".into(), list(versions).into());
    if !errors.is_empty() {
        file.insert("versions_errors".into(), list(errors).into());
    }
    Ok(Value::Object(file))
}

/// What a release comes to.
enum Indexed {
    Version(Value),
    /// Nothing that could be indexed, for this recorded reason.
    Nothing(&'static str),
}

fn read_release(
    repository: &Repository,
    release: &Release,
    (name, version): (&str, &str),
) -> Result<Indexed, String> {
    let url = |file: &str| format!("{}/releases/download/{}/{file}", repository.url(), release.tag);
    let content = |file: &str| release.asset(file).and_then(|asset| asset.content.clone());
    let forms =
        [format!("terraform-provider-{name}_{version}_"), format!("terraform-provider-{name}_v{version}_")];
    let Some((sums_name, sums)) = forms.iter().find_map(|form| {
        Some(format!("{form}SHA256SUMS")).and_then(|name| Some((name.clone(), content(&name)?)))
    }) else {
        return Ok(Indexed::Nothing("checksums not found in release"));
    };
    let text = String::from_utf8_lossy(&sums).into_owned();
    let listed: BTreeMap<&str, &str> = text
        .split('\n')
        .filter_map(|line| {
            let mut fields = line.split_whitespace();
            let pair = (fields.next()?, fields.next()?);
            fields.next().is_none().then_some((pair.1, pair.0))
        })
        .collect();
    let mut targets = Vec::new();
    for (os, arch) in OS.iter().flat_map(|os| ARCH.iter().map(move |arch| (os, arch))) {
        let names = forms.iter().map(|form| format!("{form}{os}_{arch}.zip"));
        let Some((file, sum)) = names.into_iter().find_map(|file| Some((file.clone(), *listed.get(&*file)?)))
        else {
            continue;
        };
        let zip = content(&file).ok_or_else(|| format!("{os}_{arch}: the archive is not there"))?;
        if hex::encode(sha256(&zip)) != sum {
            return Err(format!("{os}_{arch}: the archive has another sum"));
        }
        targets.push(json!({
            "os": os, "arch": arch, "filename": file, "download_url": url(&file), "shasum": sum,
            "h1": zip_h1(&zip).ok_or_else(|| format!("{os}_{arch}: the archive cannot be read"))?,
            "size": zip.len(),
        }));
    }
    if targets.is_empty() {
        return Ok(Indexed::Nothing("no artifacts in release"));
    }
    let manifest = forms.iter().find_map(|form| content(&format!("{form}manifest.json")));
    let manifest = manifest.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    let protocols = manifest.map(|manifest| manifest["metadata"]["protocol_versions"].clone());
    Ok(Indexed::Version(json!({
        "version": version,
        "protocols": protocols.filter(Value::is_array).unwrap_or_else(|| json!(["5.0"])),
        "shasums_url": url(&sums_name),
        "shasums_signature_url": url(&format!("{sums_name}.sig")),
        "targets": targets,
    })))
}

/// The h1 hash of a zip, in the zip form (`registry.md#hashes`).
fn zip_h1(zip: &[u8]) -> Option<String> {
    let mut archive = zip::ZipArchive::new(Cursor::new(zip)).ok()?;
    let mut files = Vec::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).ok()?;
        let name = file.name().ok()?.into_owned();
        let mut content = Vec::new();
        file.read_to_end(&mut content).ok()?;
        files.push((name, content));
    }
    Some(h1_of(&mut files))
}
