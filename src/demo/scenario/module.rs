//! One module of a scenario: its registry file and its upstream repository.

use jiff::{SignedDuration, Timestamp};

use crate::moment::shift;
use crate::object::Object;
use crate::scenario::spec::{ModuleSpec, StoredTagSpec};
use crate::scenario::terse::Terse;
use crate::scenario::{add_tags, found_at, put_tag, repository, settle};
use crate::stored::Json;
use crate::world::{Repository, World};

/// Adds a module to the world.
pub(super) fn add(world: &mut World, spec: &ModuleSpec) {
    let address = &spec.address;
    let owner = spec.owner.as_deref().unwrap_or(&address.namespace);
    let now = world.now;
    let name = format!("terraform-{}-{}", address.target, address.name);
    let mut repository = repository(world, owner, &name, &spec.repository);
    let mut versions = Vec::new();
    for (index, Terse(stored)) in spec.stored.iter().enumerate() {
        let distance = SignedDuration::from_hours(-(index as i64 + 1) * 30 * 24 - 7);
        let at = stored.at.map_or_else(|| shift(now, distance), |moment| moment.resolve(now));
        let made = repository.new_tag(&stored.version, spec.annotated, at);
        versions.push(version(spec, stored, (&hex::encode(made.oid), &repository), at.min(now), now));
        put_tag(&mut repository, made);
    }
    add_tags(&mut repository, &spec.tags, spec.annotated, now);
    repository.tags.retain(|tag| !spec.gone.iter().any(|gone| *gone == *tag.name));
    for tag in &mut repository.tags {
        if spec.retagged.iter().any(|name| *name == *tag.name) {
            tag.oid = Object::commit(repository.seed, &tag.name, "retagged").oid();
            tag.peeled = None;
        }
    }
    settle(world, repository, &spec.repository);
    let [namespace, name, target] =
        [&address.namespace, &address.name, &address.target].map(|part| part.to_ascii_lowercase());
    let shard = namespace.chars().next().unwrap_or('_');
    let bytes = spec
        .json
        .clone()
        .map_or_else(|| Json::Object(vec![("versions", Json::List(versions))]).file(), String::into_bytes);
    world.files.insert(format!("modules/{shard}/{namespace}/{name}/{target}.json"), bytes.into());
    if let Some(served) = &spec.served {
        world.served.insert(format!("{namespace}/{name}/{target}"), served.clone());
    }
}

fn version(
    spec: &ModuleSpec,
    stored: &StoredTagSpec,
    (commit, repository): (&str, &Repository),
    at: Timestamp,
    now: Timestamp,
) -> Json {
    let mut fields = vec![("version", Json::text(&stored.version))];
    if spec.stored_with.commit {
        fields.push(("commit", Json::text(stored.commit.as_deref().unwrap_or(commit))));
    }
    if spec.stored_with.discovered {
        let found = stored.discovered.map_or_else(
            || found_at(at, &[&repository.name, &stored.version]).min(now),
            |moment| moment.resolve(now),
        );
        fields.push(("discovered", Json::text(found.to_string())));
    }
    Json::Object(fields)
}
