//! A world out of a scenario file: upstream and the registry side described together, tersely.
//!
//! The words of the format stand in `spec`. Versions and targets are written in the order of the scenario
//! (targets in the registry's build order); nothing here sorts versions, so that no rule of `rules` is needed.

pub(crate) mod by_bumpdesk;
pub(crate) mod keys;
pub(crate) mod module;
pub(crate) mod names;
pub(crate) mod provider;
pub(crate) mod pull;
pub(crate) mod release;
pub(crate) mod spec;
pub(crate) mod terse;

use std::collections::BTreeMap;

use bytes::Bytes;
use jiff::Timestamp;

use crate::fault::Fault;
use crate::forge::actions::Actions;
use crate::forge::colleague::Colleague;
use crate::forge::pull::Opinion;
use crate::forge::{Account, Forge, Issue, REGISTRY, Role, verify};
use crate::moment::shift;
use crate::scenario::release::Maker;
use crate::scenario::spec::{
    AccountSpec, ActionsSpec, BlockSpec, ColleagueSpec, FaultSpec, RepositorySpec, Scenario, TagSpec,
    VerdictSpec,
};
use crate::scenario::terse::Terse;
use crate::stored::Json;
use crate::world::{Presence, Release, Repository, Tag, User, World, key};

pub(crate) use release::HTML;

/// A scenario that cannot be read, with the place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct WorldError {
    /// From 1.
    pub(crate) line: usize,
    /// From 1, in characters.
    pub(crate) column: usize,
    pub(crate) message: String,
}

impl World {
    /// Reads a scenario.
    ///
    /// # Errors
    /// The text is no TOML, has an unknown word, or a value that does not fit; the error names line and column.
    pub fn parse(text: &str) -> Result<Self, WorldError> {
        Self::build(text, None)
    }

    /// Reads a scenario and sets the clock, whatever the scenario says; relative times follow.
    ///
    /// # Errors
    /// As `parse`.
    pub fn parse_at(text: &str, now: Timestamp) -> Result<Self, WorldError> {
        Self::build(text, Some(now))
    }

    fn build(text: &str, now: Option<Timestamp>) -> Result<Self, WorldError> {
        let scenario: Scenario = toml::from_str(text).map_err(|error| place(text, &error))?;
        let Some(now) = now.or(scenario.clock.map(|clock| clock.0)) else {
            let message =
                "the scenario has no `clock`; begin it with `clock = \"2026-11-21T12:00:00Z\"`".into();
            return Err(WorldError { line: 1, column: 1, message });
        };
        let mut world = World::new(now);
        let signers = keys::signers(&scenario, now).map_err(|name| unknown_key(text, &name))?;
        for spec in &scenario.key {
            keys::file(&mut world, spec, &signers[&spec.name]);
        }
        for spec in &scenario.provider {
            provider::add(&mut world, spec, &signers);
        }
        for spec in &scenario.module {
            module::add(&mut world, spec);
        }
        for spec in &scenario.repository {
            let owner = &spec.name.namespace;
            let mut repository = repository(&mut world, owner, &spec.name.name, &spec.repository);
            let provider =
                spec.name.name.strip_prefix("terraform-provider-").unwrap_or(&spec.name.name).to_owned();
            let mut maker = Maker::new(repository.full_name(), provider, now, &signers);
            add_tags(&mut repository, &spec.tags, false, now);
            for one in &spec.releases {
                put_release(&mut repository, maker.release(&one.0));
            }
            settle(&mut world, repository, &spec.repository);
        }
        let list = scenario
            .blacklist_json
            .clone()
            .map_or_else(|| blacklist(&scenario.blacklist), String::into_bytes);
        world.files.insert("versions_blacklist.json".into(), list.into());
        for (path, text) in &scenario.file {
            world.files.insert(path.clone(), Bytes::from(text.clone()));
        }
        world.faults = scenario.fault.iter().map(|spec| fault(spec, now)).collect();
        world.before = pull::before(&world, &scenario).map_err(|wrong| wrong.place(text))?;
        world.forge = Forge::of_registry(&world);
        world.forge.check_looks = scenario.limits.check_looks.unwrap_or_default();
        let ActionsSpec { disabled, without_details, queue_looks, fate, spoil } = &scenario.actions;
        let (disabled, fates, spoils) = (disabled.clone(), fate.clone(), spoil.clone());
        let (without_details, queue_looks) = (*without_details, *queue_looks);
        world.forge.actions =
            Actions { disabled, without_details, queue_looks, fates, spoils, ..Actions::default() };
        world.forge.colleague = scenario.colleague.as_ref().map(colleague);
        let (people, merges) = (people(&scenario), scenario.colleague.as_ref().map(|one| one.login.clone()));
        apply_limits(&mut world, &scenario);
        let User { login, token, push } = world.user.clone();
        let user = (Account::new(&login, token.as_deref()), if push { Role::Write } else { Role::Read });
        let colleague = merges.map(|login| (Account::new(&login, None), Role::Maintain));
        for (account, role) in [user].into_iter().chain(colleague).chain(people) {
            let login = account.login.to_ascii_lowercase();
            if let Some(registry) = world.forge.registry_mut() {
                registry.roles.insert(login.clone(), role);
            }
            world.forge.accounts.insert(login, account);
        }
        for spec in &scenario.issue {
            let (author, title, body) = (spec.author.clone(), spec.title.clone(), spec.body.clone());
            let opened = spec.opened.resolve(now);
            if let Some(registry) = world.forge.registry_mut() {
                registry.issues.push(Issue { number: spec.number, author, title, body, opened });
            }
        }
        for spec in &scenario.pull {
            pull::open(&mut world, spec, &signers).map_err(|wrong| wrong.place(text))?;
        }
        verify::judge_queued(&mut world);
        Ok(world)
    }
}

/// The people of `[[account]]`, and what they may.
fn people(scenario: &Scenario) -> Vec<(Account, Role)> {
    let person = |spec: &AccountSpec| {
        let mut account = Account::new(&spec.login, spec.token.as_deref());
        account.name.clone_from(&spec.name);
        account.public_in.extend(spec.member.then(|| REGISTRY.0.to_owned()));
        account.public_in.extend(spec.public_in.iter().map(|name| name.to_ascii_lowercase()));
        (account, spec.role)
    };
    scenario.account.iter().map(person).collect()
}

fn colleague(spec: &ColleagueSpec) -> Colleague {
    Colleague {
        login: spec.login.clone(),
        review_after: spec.review_after,
        verdict: match spec.verdict {
            VerdictSpec::Approve => Opinion::Approve,
            VerdictSpec::RequestChanges => Opinion::RequestChanges,
        },
        merge_after: spec.merge_after,
        bump_after: spec.bump_after,
        bump_rewrites: spec.bump_rewrites,
        seen: BTreeMap::new(),
    }
}

fn place(text: &str, error: &toml::de::Error) -> WorldError {
    at(text, error.span().map_or(0, |span| span.start.min(text.len())), error.message().to_owned())
}

/// A key that signs and that the scenario does not have.
fn unknown_key(text: &str, name: &str) -> WorldError {
    let place = text.find(&format!("signed_by = \"{name}\"")).unwrap_or(0);
    at(text, place, format!("there is no `[[key]]` of the name `{name}`"))
}

fn at(text: &str, at: usize, message: String) -> WorldError {
    let before = text.get(..at).unwrap_or("");
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    WorldError {
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        message,
    }
}

fn apply_limits(world: &mut World, scenario: &Scenario) {
    let (limits, said) = (&mut world.limits, &scenario.limits);
    limits.feed_entries = said.feed_entries.unwrap_or(limits.feed_entries).max(1);
    limits.latency_ms = said.latency_ms.unwrap_or(limits.latency_ms);
    limits.rest_per_hour = said.rest_per_hour.unwrap_or(limits.rest_per_hour);
    limits.anonymous_per_hour = said.anonymous_per_hour.unwrap_or(limits.anonymous_per_hour);
    limits.graphql_points = said.graphql_points.unwrap_or(limits.graphql_points);
    limits.graphql_aliases = said.graphql_aliases;
    limits.tree_entries = said.tree_entries;
    if let Some(login) = &scenario.user.login {
        world.user.login.clone_from(login);
    }
    world.user.token.clone_from(&scenario.user.token);
    world.user.push = scenario.user.push;
}

fn fault(spec: &FaultSpec, now: Timestamp) -> Fault {
    let mut fault = Fault::new(&spec.on.0, spec.kind.clone());
    fault.repositories = spec.repository.0.iter().map(|name| name.to_ascii_lowercase()).collect();
    fault.path.clone_from(&spec.path);
    fault.times = spec.times;
    fault.until = spec.until.map(|moment| moment.resolve(now));
    fault.retry_after = spec.retry_after;
    fault
}

/// Takes the repository of that name out of the world to be filled, or begins one.
fn repository(world: &mut World, owner: &str, name: &str, spec: &RepositorySpec) -> Repository {
    let key = key(owner, name);
    let mut repository = world.repositories.remove(&*key).unwrap_or_else(|| Repository::new(owner, name));
    if let Some(id) = spec.id {
        repository.id = id;
    }
    repository.archived |= spec.archived;
    repository
}

/// Puts a filled repository back and lets happen to it what the scenario says.
fn settle(world: &mut World, mut repository: Repository, spec: &RepositorySpec) {
    if spec.empty {
        repository.empty = true;
        repository.tags.clear();
        repository.releases.clear();
    }
    if spec.deleted {
        repository.presence = Presence::Deleted;
    }
    if spec.blocked {
        repository.presence = Presence::Blocked;
    }
    let (owner, name) = (repository.owner.clone(), repository.name.clone());
    world.insert(repository);
    if let Some(new) = &spec.moved_to {
        world.rename(&owner, &name, &new.namespace, &new.name);
    }
}

/// Adds bare tags; those without a time are two days old, one minute apart.
fn add_tags(repository: &mut Repository, tags: &[Terse<TagSpec>], annotated: bool, now: Timestamp) {
    for (index, Terse(spec)) in tags.iter().enumerate() {
        let distance = jiff::SignedDuration::from_mins(-(2 * 24 * 60) - index as i64);
        let at = spec.at.map_or_else(|| shift(now, distance), |moment| moment.resolve(now));
        let made = repository.new_tag(&spec.name, spec.annotated.unwrap_or(annotated), at);
        put_tag(repository, made);
    }
}

fn put_tag(repository: &mut Repository, tag: Tag) {
    if let Some(found) = repository.tags.iter_mut().find(|found| found.name == tag.name) {
        *found = tag;
    } else {
        repository.tags.push(tag);
    }
}

/// Adds a release, or puts it in the place of the one with its tag; a draft brings no tag.
fn put_release(repository: &mut Repository, release: Release) {
    if !release.draft && repository.tag(&release.tag).is_none() {
        let made = repository.new_tag(&release.tag, false, release.published);
        repository.tags.push(made);
    }
    if let Some(found) = repository.release_mut(&release.tag) {
        *found = release;
    } else {
        repository.releases.push(release);
    }
}

/// The moment at which the registry found a version: the next round after it was published, with a fraction of a second.
fn found_at(published: Timestamp, words: &[&str]) -> Timestamp {
    let distance = jiff::SignedDuration::from_mins(25)
        + jiff::SignedDuration::from_nanos(crate::digest::number(words, 900_000_000_000) as i64);
    shift(published, distance)
}

/// `versions_blacklist.json`, hand-edited as it is: with a final newline.
fn blacklist(entries: &[BlockSpec]) -> Vec<u8> {
    let mut providers = Vec::new();
    let mut modules = Vec::new();
    for BlockSpec { provider, module, version, reason } in entries {
        let tail = [("version", Json::text(version)), ("reason", Json::text(reason))];
        if let Some(one) = provider {
            let mut fields = vec![("namespace", Json::text(&one.namespace)), ("name", Json::text(&one.name))];
            fields.extend(tail.clone());
            providers.push(Json::Object(fields));
        }
        if let Some(one) = module {
            let mut fields = vec![("namespace", Json::text(&one.namespace)), ("name", Json::text(&one.name))];
            fields.push(("target_system", Json::text(&one.target)));
            fields.extend(tail);
            modules.push(Json::Object(fields));
        }
    }
    let mut bytes =
        Json::Object(vec![("providers", Json::List(providers)), ("modules", Json::List(modules))]).file();
    bytes.push(b'\n');
    bytes
}

#[cfg(test)]
mod tests;
