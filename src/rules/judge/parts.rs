//! What the anatomy of releases has to say: of each missing version, and of the indexed ones where their sums were read.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::registry::{Facts, ProviderEntry, ProviderVersion, Repository, Target};
use crate::rules::anatomy::{Names, Parts};
use crate::rules::judge::{Case, indexed_tag, is_too_old};
use crate::rules::{Depth, Finding, Severity, VersionMark, VersionState, anatomy};

/// Everything worth saying; nothing where the file was not read.
pub(super) fn findings(case: &Case<'_>, facts: &Facts, missing: &[VersionState]) -> Vec<Finding> {
    let Some(entry) = case.entry.and_then(|entry| entry.as_provider()) else { return Vec::new() };
    let mut found = Vec::new();
    for state in missing.iter().filter(|state| matches!(state.mark, VersionMark::Is(_))) {
        found.extend(of_missing(case, facts, entry, state));
    }
    if case.depth == Depth::Sums {
        found.extend(of_indexed(case, facts, entry));
    }
    found
}

fn of_missing(case: &Case<'_>, facts: &Facts, entry: &ProviderEntry, state: &VersionState) -> Vec<Finding> {
    let Some(tag) = state.tag.as_deref() else { return Vec::new() };
    let Some(release) = facts.releases.get(tag) else { return Vec::new() };
    // Without sums the state itself says what is missing.
    if release.sums.known().is_none() || release.sums.at().is_some_and(|at| is_too_old(case, at)) {
        return Vec::new();
    }
    let names = Names::new(&case.address.repository(), case.address.name(), tag);
    anatomy::release_findings(&names, &state.version, release, entry.below(&state.version))
}

/// One finding for each rule: what ten versions have alike is one thing, told at the newest of them.
fn of_indexed(case: &Case<'_>, facts: &Facts, entry: &ProviderEntry) -> Vec<Finding> {
    let mut by_rule: BTreeMap<Cow<'static, str>, (Finding, BTreeSet<&str>)> = BTreeMap::new();
    for (place, version) in entry.versions.iter().enumerate() {
        let tag = indexed_tag(version).unwrap_or_default();
        let Some(release) = facts.releases.get(tag.as_str()) else { continue };
        let Some(sums) = release.sums.known() else { continue };
        if release.sums.at().is_some_and(|at| is_too_old(case, at)) {
            continue;
        }
        let repository =
            Repository::from_url(&version.shasums_url).unwrap_or_else(|| case.address.repository());
        let names = Names::new(&repository, case.address.name(), &tag);
        // What the newest version has lost is news; of the older ones it is history.
        let before = if place == 0 { entry.versions.get(1) } else { None };
        let platforms = before.map(|before| (before.version.as_str(), platforms(before)));
        let previous = platforms.as_ref().map(|(version, platforms)| (*version, platforms.as_slice()));
        let changed =
            before.and_then(|before| anatomy::protocols_changed(&version.protocols, &before.protocols));
        // A note on every old release without a manifest would bury what matters.
        let parts = Parts::of(&names, release).findings(previous).into_iter().chain(changed);
        let is_told = |finding: &Finding| {
            finding.severity > Severity::Note || place == 0 && finding.rule == anatomy::OTHER_REGISTRY
        };
        let parts = parts.filter(is_told);
        let odd = anatomy::oddities(&sums.text).into_iter().map(|oddity| oddity.finding(&version.version));
        for finding in parts.map(|finding| finding.on(version.version.clone())).chain(odd) {
            let (first, more) =
                by_rule.entry(finding.rule.clone()).or_insert_with(|| (finding, BTreeSet::new()));
            if first.version.as_deref() != Some(&version.version) {
                more.insert(&version.version);
            }
        }
    }
    by_rule.into_values().map(|(finding, more)| and_more(finding, more.len())).collect()
}

fn and_more(finding: Finding, more: usize) -> Finding {
    match more {
        0 => finding,
        1 => Finding { text: format!("{} (and one more version)", finding.text), ..finding },
        more => Finding { text: format!("{} (and {more} more versions)", finding.text), ..finding },
    }
}

fn platforms(version: &ProviderVersion) -> Vec<String> {
    version.targets.iter().map(Target::platform).collect()
}
