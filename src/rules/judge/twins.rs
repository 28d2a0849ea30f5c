//! Finds missing versions that clients cannot tell from an indexed one, and shows what a bump would change for
//! clients.

use std::collections::HashSet;

use crate::registry::{Entry, Facts, Kind, ModuleVersion, ProviderVersion, Tags};
use crate::rules::anatomy::{self, Names};
use crate::rules::judge::Case;
use crate::rules::twins::{self, Content, Listed};
use crate::rules::{Finding, Remedy, VersionState};

/// One finding for each twin that the next bump would create.
pub(super) fn findings(
    case: &Case<'_>,
    facts: &Facts,
    tags: &Tags,
    missing: &[VersionState],
) -> Vec<Finding> {
    let is_addable = |state: &&VersionState| {
        state.status().is_some_and(|status| matches!(status.row().remedy, Remedy::Rebuild | Remedy::Wait))
    };
    let mut addable = missing.iter().filter(is_addable).peekable();
    if addable.peek().is_none() {
        return Vec::new();
    }
    let missing: Vec<Listed<'_>> = addable
        .map(|state| {
            let tag = state.tag.as_deref().unwrap_or_default();
            Listed { version: &state.version, content: of_tag(case, facts, tags, tag), is_new: true }
        })
        .collect();
    let paths: HashSet<String> = missing.iter().map(|listed| twins::path(listed.version)).collect();
    let twins = twins::of_bump(stored(case, &paths), missing);
    twins.into_iter().map(|twin| twin.with_commits(tags).finding()).collect()
}

/// The indexed versions in the order of the file, with the content of those that have one of the paths. Their content
/// is not known if the file was not read.
fn stored<'a>(case: &Case<'a>, paths: &HashSet<String>) -> Vec<Listed<'a>> {
    let listed = |version: &'a str, content: &dyn Fn() -> Content| {
        let content = if paths.contains(&twins::path(version)) { content() } else { Content::NotKnown };
        Listed { version, content, is_new: false }
    };
    match case.entry {
        None => case.shape.version_list().map(|version| listed(version, &|| Content::NotKnown)).collect(),
        Some(Entry::Module(entry)) => {
            let commit = |version: &ModuleVersion| match version.recorded_commit() {
                Some(commit) => Content::Commit(commit.to_ascii_lowercase()),
                None => Content::NotKnown,
            };
            entry.versions.iter().map(|version| listed(&version.version, &|| commit(version))).collect()
        }
        Some(Entry::Provider(entry)) => {
            let archives = |version: &ProviderVersion| {
                let targets = version.targets.iter();
                twins::archives(targets.map(|target| (target.platform(), target.shasum.to_ascii_lowercase())))
            };
            entry.versions.iter().map(|version| listed(&version.version, &|| archives(version))).collect()
        }
    }
}

/// The content that a bump would record for a tag.
fn of_tag(case: &Case<'_>, facts: &Facts, tags: &Tags, tag: &str) -> Content {
    if case.address.kind() == Kind::Module {
        return tags.find(tag).map_or(Content::NotKnown, |tag| Content::Commit(tag.oid.to_ascii_lowercase()));
    }
    let Some(sums) = facts.releases.get(tag).and_then(|release| release.sums.known()) else {
        return Content::NotKnown;
    };
    let names = Names::new(&case.address.repository(), case.address.name(), tag);
    let offered = names.targets(&anatomy::parse_sums(&sums.text)).into_iter();
    twins::archives(
        offered.map(|target| (format!("{}_{}", target.os, target.arch), target.shasum.to_ascii_lowercase())),
    )
}
