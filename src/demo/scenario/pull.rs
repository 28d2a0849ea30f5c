//! The pull requests with which a world begins: made and pushed as their authors would have, before its clock.

use std::collections::{BTreeMap, VecDeque};

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::digest::small_id;
use crate::forge::colleague::Step;
use crate::forge::objects::{Commit, Files};
use crate::forge::pull::{Later, NewPull};
use crate::forge::{Account, MAIN, REGISTRY, Role, verify};
use crate::moment::shift;
use crate::scenario::keys::Signers;
use crate::scenario::spec::{BeforeSpec, CommitSpec, FlippedSpec, Joined, PullSpec, Scenario};
use crate::scenario::{WorldError, at, by_bumpdesk};
use crate::stored::file_of;
use crate::world::{Before, Oid, World, key};

/// A part of the scenario that does not fit the world: the text that it is about, and the reason. Each further line
/// of `about` narrows the place.
pub(super) struct Wrong {
    about: String,
    why: String,
}

impl Wrong {
    fn new(about: impl Into<String>, why: impl Into<String>) -> Self {
        Self { about: about.into(), why: why.into() }
    }

    pub(super) fn place(self, text: &str) -> WorldError {
        let place = self.about.lines().fold(0, |from, part| {
            text.get(from..).and_then(|rest| rest.find(part)).map_or(from, |found| from + found)
        });
        at(text, place, self.why)
    }
}

/// The registry's commits before the newest one, the newest first, with the files that each has otherwise than the next.
pub(super) fn before(world: &World, scenario: &Scenario) -> Result<Vec<Before>, Wrong> {
    let Some(spec) = &scenario.before else { return Ok(Vec::new()) };
    let mut files = BTreeMap::new();
    if spec.without.is_empty() {
        return Err(Wrong::new(
            "[before\nwithout",
            "`without` names no entry, so this commit would change nothing",
        ));
    }
    for (path, versions) in &spec.without {
        let name = path.0.splitn(3, '/').last().unwrap_or(&path.0).trim_end_matches(".json");
        let wrong = |why: &str| Wrong::new(format!("[before\n{name}"), format!("`{}` {why}", path.0));
        let stored = world.files.get(&path.0).ok_or_else(|| wrong("is not a file of the registry"))?;
        let mut file: Value = serde_json::from_slice(stored).map_err(|_| wrong("is broken"))?;
        let list = file["versions"].as_array_mut().ok_or_else(|| wrong("has no versions"))?;
        if versions.is_empty() {
            return Err(wrong("names no version in `without`, so this commit would not change it"));
        }
        let has = |version: &&String| list.iter().any(|one| one["version"] == version.as_str());
        if let Some(version) = versions.iter().find(|version| !has(version)) {
            return Err(wrong(&format!("has no version `{version}` to be without")));
        }
        list.retain(|one| !versions.iter().any(|version| one["version"] == version.as_str()));
        files.insert(path.0.clone(), file_of(&file).into());
    }
    let wrong = |why: &str| Wrong::new("[before\nbumps", why);
    if spec.bumps.last() == Some(&0) {
        return Err(wrong("the last of `bumps` is 0, so the newest commit would change nothing"));
    }
    let mut bumped = Bumped::new(world, spec);
    let mut commits: Vec<Before> = Vec::new();
    let days = spec.bumps.iter().rev().zip(0..).filter(|(count, _)| **count > 0);
    for (count, back) in days {
        // This day's commit is the one before the last that was taken back.
        let at = shift(world.now, SignedDuration::from_hours(-24 * back));
        if let Some(earlier) = commits.last_mut() {
            earlier.at = at;
        }
        let files = bumped.take_back(*count);
        let files = files.ok_or_else(|| wrong("`bumps` has more files than have a version to be without"))?;
        commits.push(Before { at, files });
    }
    let at = spec.at.resolve(world.now);
    match commits.last_mut() {
        None => commits.push(Before { at, files }),
        Some(oldest) => {
            oldest.at = at;
            oldest.files.extend(files);
        }
    }
    Ok(commits)
}

/// The files that bumps changed, each as it was before the bumps that were taken back. Which bump brought a version does not
/// follow from its release: there are too few of a month for a bump each day.
struct Bumped(VecDeque<(String, Value)>);

impl Bumped {
    /// All files in an order that looks like none, but those that the oldest commit has otherwise anyway.
    fn new(world: &World, spec: &BeforeSpec) -> Self {
        let others =
            world.files.iter().filter(|(path, _)| spec.without.keys().all(|other| other.0 != **path));
        let parsed =
            others.filter_map(|(path, bytes)| Some((path.clone(), serde_json::from_slice(bytes).ok()?)));
        let mut files: Vec<(String, Value)> = parsed.collect();
        files.sort_by_key(|(path, _)| small_id(&["bump", path]));
        Self(files.into())
    }

    /// Takes the newest version out of so many files; `None` if there are not so many.
    fn take_back(&mut self, count: usize) -> Option<BTreeMap<String, Bytes>> {
        let mut taken = BTreeMap::new();
        while taken.len() < count {
            let (path, mut file) = self.0.pop_front()?;
            // The last version of a file is not taken.
            let versions = file.get_mut("versions").and_then(Value::as_array_mut);
            if let Some(versions) = versions.filter(|versions| versions.len() > 1) {
                versions.remove(0);
                taken.insert(path.clone(), file_of(&file).into());
                self.0.push_back((path, file));
            }
        }
        Some(taken)
    }
}

/// Opens one.
pub(super) fn open(world: &mut World, spec: &PullSpec, signers: &Signers) -> Result<(), Wrong> {
    let number = spec.number;
    let wrong =
        |why: String| Wrong::new(format!("number = {number}"), format!("pull request {number}: {why}"));
    let author = world.forge.account(&spec.author).cloned();
    let author = author.ok_or_else(|| wrong(format!("there is no account `{}`", spec.author)))?;
    let registry = key(REGISTRY.0, REGISTRY.1);
    let hosted = world.forge.find(REGISTRY.0, REGISTRY.1).ok_or_else(|| wrong("no registry".into()))?;
    if hosted.pull(number).is_some() {
        return Err(wrong("the number is taken".into()));
    }
    let line = hosted.branches.get(MAIN).map(|tip| world.forge.objects.history(*tip)).unwrap_or_default();
    let base = if spec.on_before { line.last() } else { line.first() };
    let base = *base.ok_or_else(|| wrong("there is nothing to put it on".into()))?;
    let may_write = hosted.role(&author.login) >= Role::Write;
    let opened = spec.opened.resolve(world.now);
    let from = if may_write {
        registry.clone()
    } else {
        world.forge.fork(&registry, &author.login, 0).map_err(|why| wrong(format!("{why:?}")))?
    };
    let mut new = NewPull {
        title: spec.title.clone(),
        head: String::new(),
        head_repository: None,
        base: MAIN.to_owned(),
        body: spec.body.clone(),
        draft: false,
        maintainer_can_modify: true,
    };
    let mut branch = format!("patch-{number}");
    let mut message = format!("{}\n", spec.title);
    let mut tips: Vec<(Option<u32>, Oid)> = Vec::new();
    // Whoever wrote it looked upstream a little earlier.
    let found = shift(opened, SignedDuration::from_mins(-4));
    for commit in &spec.commit {
        let parent = tips.last().map_or(base, |(_, tip)| *tip);
        let mut files = changed(world, commit, parent, (opened, found, signers)).map_err(&wrong)?;
        let joined = match commit.joins {
            None => None,
            Some(Joined::Oldest) => line.last().copied(),
            Some(Joined::Newest) => line.first().copied(),
            Some(Joined::Before(many)) => line.get(many).copied(),
        };
        if let (Some(Joined::Newest), Some(newest)) = (commit.joins, joined) {
            files = with_changes(world, files, (&base, &newest));
        }
        if spec.by_bumpdesk {
            let said = by_bumpdesk::said(world, (&base, &files), (commit, found), &author);
            (new.title, new.body, message, branch) = (said.title, said.body, said.message, said.branch);
        }
        let signed = commit.signed || spec.by_bumpdesk;
        let parents: Vec<Oid> = [parent].into_iter().chain(joined).collect();
        let tip = put(world, &author, (parents, &files), (&message, signed, opened)).map_err(&wrong)?;
        tips.push((commit.after_looks, tip));
        if let (true, Some(newest)) = (commit.taken_in, line.first().copied()) {
            let files = with_changes(world, world.forge.objects.files(&newest), (&base, &tip));
            let parents = vec![newest, tip];
            let merge = put(world, &author, (parents, &files), ("Merge", false, opened)).map_err(&wrong)?;
            world.forge.set_tip(&registry, MAIN, Some(merge), None);
        }
    }
    let pushed = tips.iter().take_while(|(after, _)| after.is_none()).count();
    let (_, head) = *tips[..pushed].last().ok_or_else(|| wrong("it has no commit at first".into()))?;
    world.forge.set_tip(&from, &branch, Some(head), None);
    new.head = format!("{}:{branch}", if may_write { REGISTRY.0 } else { &*author.login });
    let place = (&*author.login, number);
    world.forge.open_numbered(opened, &registry, place, new).map_err(|why| wrong(format!("{why:?}")))?;
    // It was opened long ago: its checks have ended.
    for run in world.forge.runs.iter_mut().filter(|run| run.pull == number) {
        run.looks = std::sync::Arc::default();
    }
    if let Some(pull) = world.forge.registry_mut().and_then(|registry| registry.pull_mut(number)) {
        pull.later = tips[pushed..]
            .iter()
            .map(|(after, tip)| (after.unwrap_or_default(), Later::Pushed(*tip)))
            .collect();
    }
    if let Some(colleague) = &mut world.forge.colleague {
        colleague.seen.insert(number, (Step::Nothing, 0));
    }
    Ok(())
}

/// Files with what is different between two commits.
fn with_changes(world: &World, mut files: Files, (from, to): (&Oid, &Oid)) -> Files {
    for change in world.forge.changes_between(from, to) {
        if let Some(previous) = &change.previous {
            files.remove(previous);
        }
        match change.after {
            Some(leaf) => files.insert(change.path, leaf),
            None => files.remove(&change.path),
        };
    }
    files
}

/// The files of a commit.
fn changed(
    world: &mut World,
    commit: &CommitSpec,
    parent: Oid,
    (opened, found, signers): (Timestamp, Timestamp, &Signers),
) -> Result<Files, String> {
    let mut files = world.forge.objects.files(&parent);
    for (path, versions) in &commit.versions {
        let stored = read(world, &files, &path.0)?;
        let wanted = |version: &str| versions.iter().any(|one| one == version);
        let file = verify::bumped(world, &path.0, &stored, &wanted, found)?;
        files.insert(path.0.clone(), world.forge.objects.plain(file_of(&file).into()));
    }
    if let Some(FlippedSpec { entry, version, target }) = &commit.flipped {
        let mut file = read(world, &files, &entry.0)?;
        let mut found = None;
        for one in file["versions"].as_array_mut().into_iter().flatten() {
            if one["version"] == version.as_str() {
                let targets = one["targets"].as_array_mut().into_iter().flatten();
                found =
                    targets.into_iter().find(|one| one["os"] == *target.os && one["arch"] == *target.arch);
            }
        }
        let found = found.ok_or_else(|| format!("{version} has no {}", target.name()))?;
        let mut sum = found["shasum"].as_str().unwrap_or_default().to_owned();
        let digit = if sum.pop() == Some('0') { '1' } else { '0' };
        sum.push(digit);
        found["shasum"] = sum.into();
        files.insert(entry.0.clone(), world.forge.objects.plain(file_of(&file).into()));
    }
    for (path, text) in &commit.file {
        files.insert(path.clone(), world.forge.objects.plain(text.clone().into()));
    }
    for path in &commit.gone {
        files.remove(path).ok_or_else(|| format!("`{path}` is not a file of the registry"))?;
    }
    for (path, mode) in &commit.mode {
        let leaf = files.get_mut(path).ok_or_else(|| format!("`{path}` is not a file of the registry"))?;
        leaf.mode = u32::from_str_radix(mode, 8).map_err(|_| format!("`{mode}` is not a mode"))?;
    }
    for (place, name) in &commit.key {
        let signer =
            signers.get(name).ok_or_else(|| format!("there is no `[[key]]` of the name `{name}`"))?;
        let shard = place.chars().next().unwrap_or('_');
        let path = format!("keys/{shard}/{place}/provider-{}.asc", opened.as_second());
        files.insert(path, world.forge.objects.plain(signer.file().into()));
    }
    Ok(files)
}

fn read(world: &World, files: &Files, path: &str) -> Result<Value, String> {
    let leaf = files.get(path).and_then(|leaf| world.forge.objects.blob(&leaf.blob));
    let bytes = leaf.ok_or_else(|| format!("`{path}` is not a file of the registry"))?;
    serde_json::from_slice(bytes).map_err(|_| format!("`{path}` is broken"))
}

fn put(
    world: &mut World,
    author: &Account,
    (parents, files): (Vec<Oid>, &Files),
    (message, signed, made): (&str, bool, Timestamp),
) -> Result<Oid, String> {
    let person = author.person();
    let sign_off = format!("Signed-off-by: {} <{}>", person.name, person.email);
    let message =
        if message.contains(&sign_off) { message.to_owned() } else { format!("{message}\n{sign_off}\n") };
    if let ([parent], true) = (&parents[..], signed) {
        let parent = *parent;
        let made = world.forge.commit_for(made, &author.login, parent, files, message);
        return made.map_err(|why| format!("{why:?}"));
    }
    let tree = world.forge.objects.put_tree(files);
    let (author, committer) = (person.clone(), person);
    let commit = Commit { tree, parents, author, committer, at: made, signature: None, message };
    Ok(world.forge.objects.put_commit(&commit))
}
