//! The list of versions by its names alone: order, twins, shorthands. Works from a summary row.

use std::collections::HashMap;

use crate::registry::version::trim_v;
use crate::registry::{Kind, Version, version};
use crate::rules::client::refusal;
use crate::rules::finding::Finding;

/// Versions as stored, in file order: module tags raw.
pub(super) fn check(kind: Kind, list: &[&str]) -> Vec<Finding> {
    if list.is_empty() {
        return vec![Finding::error(
            "empty-versions",
            "the file lists no version; the registry's check refuses it",
        )];
    }
    let mut findings: Vec<Finding> = list.iter().flat_map(|version| of_one(kind, version)).collect();
    findings.extend(twins(list));
    let falls = |pair: &&[&str]| version::compare(pair[0], pair[1]).is_lt();
    if let Some([above, below]) = list.windows(2).find(falls) {
        let text = format!("{above} is listed before {below}: versions are listed from high to low");
        findings.push(Finding::note("unsorted-versions", text));
    }
    findings
}

fn of_one(kind: Kind, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    // One that clients cannot read hides the whole provider.
    let unreadable = refusal::of_list([text]).filter(|_| kind == Kind::Provider);
    let of_file = match kind {
        Kind::Provider => text,
        Kind::Module => trim_v(text),
    };
    match Version::parse(text) {
        Ok(version) if version.text() == of_file => {
            if version.is_shorthand() {
                let padded = version.padded();
                let text =
                    format!("listed as {text}, but clients ask for {padded}: this entry is never downloaded");
                findings.push(Finding::warning("shorthand-version", text));
            }
        }
        _ if kind == Kind::Module => {
            let text = format!("`{text}` is not stored as a semantic version: clients pass it over");
            findings.push(Finding::error("invalid-version", text));
        }
        _ if unreadable.is_none() => {
            let text =
                format!("`{text}` is not stored as a semantic version: the registry's check refuses it");
            findings.push(Finding::error("invalid-version", text));
        }
        _ => {}
    }
    findings.extend(unreadable.map(|refusal| Finding::error("invalid-version", refusal.text())));
    if text.chars().any(char::is_uppercase) {
        let text = format!(
            "{text} has capitals: download paths are lower case, and two versions may differ only in case"
        );
        findings.push(Finding::note("capitals-in-version", text));
    }
    findings.into_iter().map(|finding| finding.on(text)).collect()
}

/// Versions that stand twice, and tags that differ in their `v` alone.
fn twins(list: &[&str]) -> Vec<Finding> {
    let mut seen: HashMap<&str, Vec<&str>> = HashMap::with_capacity(list.len());
    let mut findings = Vec::new();
    for text in list {
        let before = seen.entry(trim_v(text)).or_default();
        if before.contains(text) {
            findings.push(Finding::warning("duplicate-version", format!("{text} is listed twice")).on(*text));
        } else if let Some(other) = before.first() {
            let text =
                format!("{other} and {text} are one version for clients: only one of them is downloaded");
            findings.push(Finding::warning("twin-tags", text).on(*other));
        }
        before.push(text);
    }
    findings
}
