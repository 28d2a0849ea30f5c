//! Checks the list of versions: their order, twins and short forms. For twins, also compares the content.

use std::collections::HashMap;

use crate::registry::version::trim_v;
use crate::registry::{Document, Kind, Version, short_id, version};
use crate::rules::client::refusal;
use crate::rules::finding::Finding;
use crate::rules::lint::TWIN_TAGS;
use crate::rules::twins::{self, Content};

/// Versions as stored, in file order: module tags raw.
pub(super) fn check(kind: Kind, document: &Document, list: &[&str]) -> Vec<Finding> {
    if list.is_empty() {
        return vec![Finding::error(
            "empty-versions",
            "the file lists no version; the registry's check refuses it",
        )];
    }
    let mut findings: Vec<Finding> = list.iter().flat_map(|version| of_one(kind, version)).collect();
    findings.extend(twins(document, kind, list));
    let falls = |pair: &&[&str]| version::compare(pair[0], pair[1]).is_lt();
    if let Some([above, below]) = list.windows(2).find(falls) {
        let text = format!("{above} is listed before {below}: versions are listed from high to low");
        findings.push(Finding::note("unsorted-versions", text));
    }
    findings
}

fn of_one(kind: Kind, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    // A version that clients cannot read hides the whole provider.
    let unreadable = refusal::of_list([text]).filter(|_| kind == Kind::Provider);
    let of_file = match kind {
        Kind::Provider => text,
        Kind::Module => trim_v(text),
    };
    match Version::parse(text) {
        Ok(version) if version.text() == of_file && version.is_shorthand() => {
            let padded = version.padded();
            let text =
                format!("listed as {text}, but clients ask for {padded}: this entry is never downloaded");
            findings.push(Finding::warning("shorthand-version", text));
        }
        Ok(version) if version.text() == of_file => {}
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

/// Versions that are listed twice, and versions that clients request by the same path: they differ only in a leading
/// `v` or in the case of a letter.
fn twins(document: &Document, kind: Kind, list: &[&str]) -> Vec<Finding> {
    let mut seen: HashMap<String, Vec<usize>> = HashMap::with_capacity(list.len());
    let mut findings = Vec::new();
    for (at, text) in list.iter().enumerate() {
        let before = seen.entry(twins::path(text)).or_default();
        if before.iter().any(|place| list[*place] == *text) {
            findings.push(Finding::warning("duplicate-version", format!("{text} is listed twice")).on(*text));
        } else if let Some(place) = before.first() {
            findings.push(pair(document, kind, (list[*place], *place), (text, at)).on(list[*place]));
        }
        before.push(at);
    }
    findings
}

/// The finding for a pair of twins: an error if their archives differ, a warning if their recorded ids differ, a note if
/// their content is the same.
fn pair(
    document: &Document,
    kind: Kind,
    (other, place): (&str, usize),
    (text, at): (&str, usize),
) -> Finding {
    let items = document.versions();
    let content = |at: usize| items.get(at).map_or(Content::NotKnown, |json| twins::content(kind, json));
    let one = format!("{other} and {text} are one version for clients");
    match (content(place), content(at)) {
        (a, b) if a.is_same(&b) => Finding::note(TWIN_TAGS, format!("{one}, with the same content")),
        (Content::Commit(a), Content::Commit(b)) => {
            let (a, b) = (short_id(&a), short_id(&b));
            let text = format!(
                "{one}, and the registry records different ids: they get {text} at {b}, and never {a}; two annotated tags of one commit have different ids too"
            );
            Finding::warning(TWIN_TAGS, text)
        }
        (Content::Archives(_), Content::Archives(_)) => {
            Finding::error(TWIN_TAGS, format!("{one}, with different archives: they get those of {text}"))
        }
        _ => Finding::warning(TWIN_TAGS, format!("{one}: only one of them is downloaded")),
    }
}
