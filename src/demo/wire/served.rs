//! The registry's own API and search, out of the registry side of the world.
//!
//! What is served may lag behind the files: `World::served` narrows the listed versions. A derived world has no files
//! in memory and serves nothing here.

use serde_json::{Value, json};

use crate::scenario::spec::PlantPlace;
use crate::signer::key_id;
use crate::wire::answer::Site;
use crate::wire::call::{Call, Reply};

/// Answers a request to the registry's API; paths are compared without case, as the registry's front does.
pub(crate) fn answer(site: &Site<'_>, call: &Call) -> Reply {
    let path = call.path.to_ascii_lowercase();
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    let found = match parts[..] {
        [".well-known", "terraform.json"] => {
            Some(json!({ "modules.v1": "/v1/modules/", "providers.v1": "/v1/providers/" }))
        }
        ["v1", "providers", namespace, name, "versions"] => {
            let (namespace, name) = copied_from(site, namespace, name);
            provider_versions(site, namespace, name)
        }
        ["v1", "providers", namespace, name, version, "download", os, arch] => {
            provider_download(site, copied_from(site, namespace, name), version, (os, arch))
        }
        ["v1", "modules", namespace, name, target, "versions"] => {
            module_versions(site, namespace, name, target)
        }
        ["v1", "modules", namespace, name, target, version, "download"] => {
            module_download(site, [namespace, name, target], version)
        }
        _ => None,
    };
    match found {
        Some(value) => {
            let reply = Reply::new(200, "application/json", value.to_string());
            site.validated(call, reply)
        }
        None => Reply::text(404, "Not Found"),
    }
}

fn file(site: &Site<'_>, path: &str) -> Option<Value> {
    serde_json::from_slice(site.world.files.get(path)?).ok()
}

fn shard(namespace: &str) -> char {
    namespace.chars().next().unwrap_or('_')
}

fn provider(site: &Site<'_>, namespace: &str, name: &str) -> Option<Value> {
    file(site, &format!("providers/{}/{namespace}/{name}.json", shard(namespace)))
}

fn module(site: &Site<'_>, [namespace, name, target]: [&str; 3]) -> Option<Value> {
    file(site, &format!("modules/{}/{namespace}/{name}/{target}.json", shard(namespace)))
}

/// The entry whose pages are served under an address: the source of a copy, or the address itself.
fn copied_from<'a>(site: &'a Site<'_>, namespace: &'a str, name: &'a str) -> (&'a str, &'a str) {
    let copy = site.world.copies.get(&format!("{namespace}/{name}"));
    copy.and_then(|source| source.split_once('/')).unwrap_or((namespace, name))
}

fn plain(version: &Value) -> &str {
    let text = version["version"].as_str().unwrap_or("");
    text.strip_prefix('v').unwrap_or(text)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn shows(site: &Site<'_>, address: &str, version: &Value) -> bool {
    site.world.served.get(address).is_none_or(|versions| versions.iter().any(|one| one == plain(version)))
}

fn provider_versions(site: &Site<'_>, namespace: &str, name: &str) -> Option<Value> {
    let entry = provider(site, namespace, name)?;
    let address = format!("{namespace}/{name}");
    let versions: Vec<Value> = list(&entry["versions"])
        .iter()
        .filter(|version| shows(site, &address, version))
        .map(|version| {
            let platforms: Vec<Value> = list(&version["targets"])
                .iter()
                .map(|target| json!({ "os": target["os"], "arch": target["arch"] }))
                .collect();
            // The registry's generator keeps the whole version of a provider, including a leading `v`.
            let mut shown = json!({ "version": version["version"], "protocols": version["protocols"], "platforms": platforms });
            if let Some(found) = version.get("discovered") {
                shown["discovered"] = found.clone();
            }
            shown
        })
        .collect();
    let mut answer = json!({ "versions": versions });
    if let Some(warnings) = entry.get("warnings") {
        answer["warnings"] = warnings.clone();
    }
    plant(site, &address, PlantPlace::List, &mut answer);
    Some(answer)
}

/// Applies the planted changes of the scenario to an answer.
fn plant(site: &Site<'_>, address: &str, place: PlantPlace, answer: &mut Value) {
    let plants = site.world.planted.get(address).into_iter().flatten();
    plants.filter(|plant| plant.place == place).for_each(|plant| plant.put_into(answer));
}

fn provider_download(
    site: &Site<'_>,
    (namespace, name): (&str, &str),
    wanted: &str,
    (os, arch): (&str, &str),
) -> Option<Value> {
    let entry = provider(site, namespace, name)?;
    let is_wanted =
        |version: &&Value| version["version"].as_str().is_some_and(|text| text.eq_ignore_ascii_case(wanted));
    let version = list(&entry["versions"]).iter().find(is_wanted)?;
    let targets = list(&version["targets"]);
    let target = targets.iter().find(|target| target["os"] == os && target["arch"] == arch)?;
    let mut answer = json!({ "protocols": version["protocols"] });
    for field in ["os", "arch", "filename"] {
        answer[field] = target[field].clone();
    }
    let linked = |url: &Value| url.as_str().map(|url| site.linked(url));
    answer["download_url"] = json!(linked(&target["download_url"]));
    answer["shasums_url"] = json!(linked(&version["shasums_url"]));
    answer["shasums_signature_url"] = json!(linked(&version["shasums_signature_url"]));
    answer["shasum"] = target["shasum"].clone();
    answer["signing_keys"] = json!({ "gpg_public_keys": signing_keys(site, namespace, name)? });
    if targets.iter().all(|target| target.get("h1").is_some()) {
        let mut packages = serde_json::Map::new();
        for target in targets {
            let name =
                format!("{}_{}", target["os"].as_str().unwrap_or(""), target["arch"].as_str().unwrap_or(""));
            let mut hashes = vec![format!("zh:{}", target["shasum"].as_str().unwrap_or(""))];
            hashes.extend(target["h1"].as_str().filter(|h1| !h1.is_empty()).map(str::to_owned));
            // The generator leaves out a size of 0.
            let mut package = json!({ "hashes": hashes });
            if target["size"].as_u64().is_some_and(|size| size > 0) {
                package["package_size"] = target["size"].clone();
            }
            packages.insert(name, package);
        }
        packages.sort_keys();
        answer["packages"] = Value::Object(packages);
    }
    plant(site, &format!("{namespace}/{name}"), PlantPlace::Download, &mut answer);
    Some(answer)
}

/// The keys on file for a provider, its namespace's first; null without any. One that cannot be read lets no document come
/// about, as in the registry's own generator.
fn signing_keys(site: &Site<'_>, namespace: &str, name: &str) -> Option<Value> {
    // The mirrors of HashiCorp's providers are signed by OpenTofu.
    let namespace = if namespace == "hashicorp" { "opentofu" } else { namespace };
    let of_namespace = format!("keys/{}/{namespace}/", shard(namespace));
    let of_provider = format!("{of_namespace}{name}/");
    let mut keys = Vec::new();
    for folder in [of_namespace, of_provider] {
        let files = site.world.files.range(folder.clone()..);
        for (path, bytes) in files.take_while(|(path, _)| path.starts_with(&folder)) {
            if !path[folder.len()..].contains('/') {
                let armor = std::str::from_utf8(bytes).ok()?;
                keys.push(json!({ "ascii_armor": armor, "key_id": key_id(armor)? }));
            }
        }
    }
    Some(if keys.is_empty() { Value::Null } else { Value::Array(keys) })
}

fn module_versions(site: &Site<'_>, namespace: &str, name: &str, target: &str) -> Option<Value> {
    let entry = module(site, [namespace, name, target])?;
    let address = format!("{namespace}/{name}/{target}");
    let versions: Vec<Value> = list(&entry["versions"])
        .iter()
        .filter(|version| shows(site, &address, version))
        .map(|version| json!({ "version": plain(version) }))
        .collect();
    Some(json!({ "modules": [{ "versions": versions }] }))
}

fn module_download(site: &Site<'_>, parts: [&str; 3], wanted: &str) -> Option<Value> {
    let entry = module(site, parts)?;
    let version =
        list(&entry["versions"]).iter().find(|version| plain(version).eq_ignore_ascii_case(wanted))?;
    let commit = version["commit"].as_str().filter(|commit| !commit.is_empty());
    let reference = commit.or(version["version"].as_str())?;
    let [namespace, name, target] = parts;
    let repository = format!("{}/{namespace}/terraform-{target}-{name}", site.web());
    Some(json!({ "location": format!("git::{repository}?ref={reference}") }))
}

/// The versions of an entry as the search API lists them, newest first, each with a `v`.
fn searched_versions(site: &Site<'_>, address: &str, entry: &Value) -> Value {
    let files = || list(&entry["versions"]).iter().map(|version| plain(version).to_owned()).collect();
    let versions: Vec<String> = site.world.searched.get(address).cloned().unwrap_or_else(files);
    let versions: Vec<Value> = versions
        .iter()
        .map(|version| json!({ "id": format!("v{version}"), "published": "2026-01-01T00:00:00Z" }))
        .collect();
    json!({ "addr": { "display": address }, "versions": versions })
}

/// The search API: addresses that contain the searched words, and the index document of one entry.
pub(crate) fn search(site: &Site<'_>, call: &Call) -> Reply {
    let path = call.path.to_ascii_lowercase();
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    let index = match parts[..] {
        ["registry", "docs", "providers", namespace, name, "index.json"] => {
            let source = copied_from(site, namespace, name);
            provider(site, source.0, source.1).map(|entry| (format!("{namespace}/{name}"), entry))
        }
        ["registry", "docs", "modules", namespace, name, target, "index.json"] => {
            let address = format!("{namespace}/{name}/{target}");
            module(site, [namespace, name, target]).map(|entry| (address, entry))
        }
        _ => None,
    };
    if let Some((address, entry)) = index {
        return Reply::json(200, &searched_versions(site, &address, &entry));
    }
    if call.path != "/registry/docs/search" {
        return Reply::text(404, "Not Found");
    }
    let wanted = call.parameter("q").unwrap_or_default().to_ascii_lowercase();
    let hits: Vec<Value> = site
        .world
        .files
        .keys()
        .filter_map(|path| {
            let (kind, rest) = path.strip_suffix(".json")?.split_once('/')?;
            let (_, address) = rest.split_once('/')?;
            let kind = if kind == "providers" { "provider" } else { "module" };
            address
                .contains(&wanted)
                .then(|| json!({ "id": path, "type": kind, "addr": address, "title": address }))
        })
        .take(20)
        .collect();
    Reply::json(200, &Value::Array(hits))
}
