//! Compares two documents by structure: versions by name, targets by platform, fields by key. Bytes are looked at only to
//! tell whether anything differs at all. What Go's writer does on every rewrite is counted apart from real changes.

use std::collections::HashSet;

use crate::registry::{Document, Json, Key, Kind, version};
use crate::rules::diff::pairing::{Place, pair};
use crate::rules::diff::{ChangeKind, Diff, FieldChange, Normalises, TargetChange, VersionChange};
use crate::rules::proposal::Class;
use crate::rules::twins::{self, Twin};

/// Fields that Go's writer always writes: where they are missing it puts their empty value in.
const NEVER_OMITTED: [&str; 14] = [
    "versions",
    "version",
    "protocols",
    "shasums_url",
    "shasums_signature_url",
    "targets",
    "commit",
    "os",
    "arch",
    "filename",
    "download_url",
    "shasum",
    "h1",
    "size",
];
/// Fields that Go's writer leaves out where they are empty.
const OMITTED_EMPTY: [&str; 4] = ["repository", "versions_errors", "warnings", "discovered"];
/// Fields of indexed versions and targets that newer formats brought: to fill an empty one changes nothing that was said.
pub(super) const FILLABLE: [&str; 4] = ["h1", "size", "commit", "discovered"];

/// What the parts of a comparison amount to, beyond the list of changes.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a kind of change, and all may come together")]
struct Tally {
    normalises: Normalises,
    removes: bool,
    mutates: bool,
    adds: bool,
    twins: bool,
}

/// Compares two states of one data file. Versions are keyed by their text as stored: module tags raw.
pub fn compare(kind: Kind, old: &Document, new: &Document) -> Diff {
    let mut tally = Tally::default();
    let same_tree = old.root() == new.root();
    tally.normalises.layout = old.layout() != new.layout();
    let (mut versions, mut fields, mut unchanged_versions) = (Vec::new(), Vec::new(), 0);
    if same_tree {
        unchanged_versions = list(old.root(), "versions").len() as u32;
        // Trees print one way only, unless the bytes were kept because their spacing is odd.
        let kept = !old.prints_from_tree() || !new.prints_from_tree();
        tally.normalises.layout |= kept && old.print() != new.print();
    } else {
        let is_list = |root: &Json| root.field("versions").is_none_or(is_list_or_null);
        let apart: &[&str] = if is_list(old.root()) && is_list(new.root()) { &["versions"] } else { &[] };
        fields = compare_fields(old.root(), new.root(), apart, &mut tally, root_weight);
        versions = compare_versions(kind, old, new, &mut tally, &mut unchanged_versions);
        if versions.is_empty() && fields.is_empty() && tally.normalises.is_none() {
            // Neither value nor order of a known kind: a key that stands twice, `null` for `[]`.
            tally.normalises.layout = true;
        }
    }
    let class = match tally {
        Tally { removes: true, .. } => Class::Removes,
        Tally { mutates: true, .. } => Class::Mutates,
        Tally { twins: true, .. } => Class::Twins,
        Tally { adds: true, .. } => Class::Additive,
        Tally { normalises, .. } if !versions.is_empty() || !normalises.is_none() => Class::Reorders,
        _ => Class::Noop,
    };
    Diff { class, versions, fields, normalises: tally.normalises, unchanged_versions }
}

fn compare_versions(
    kind: Kind,
    old: &Document,
    new: &Document,
    tally: &mut Tally,
    unchanged: &mut u32,
) -> Vec<VersionChange> {
    let (before, after) = (list(old.root(), "versions"), list(new.root(), "versions"));
    let (old_keys, new_keys) = (version_keys(before), version_keys(after));
    tally.twins = twins::of_lists(kind, before, after).iter().any(Twin::differs);
    let sorting = !is_sorted(&old_keys) && is_sorted(&new_keys);
    let mut changes = Vec::new();
    for place in pair(&old_keys, &new_keys) {
        let (old, new) = (place.before(), place.after());
        let items = (old.map(|at| &before[at]), new.map(|at| &after[at]));
        let key = new.map_or_else(|| old.map_or("", |at| old_keys[at]), |at| new_keys[at]);
        let mut change = VersionChange {
            version: key.to_owned(),
            kind: ChangeKind::Changed,
            old_place: old.map(|at| at as u32),
            new_place: new.map(|at| at as u32),
            fields: Vec::new(),
            targets: Vec::new(),
        };
        match items {
            (Some(before), Some(after)) => {
                if before != after {
                    compare_version(kind, before, after, &mut change, tally);
                }
                let is_changed = !change.fields.is_empty() || !change.targets.is_empty();
                let is_moved = matches!(place, Place::Moved { .. });
                if is_moved && sorting {
                    tally.normalises.moved_versions += 1;
                }
                if !is_changed && !is_moved {
                    *unchanged += 1;
                    continue;
                }
                change.kind = if is_changed { ChangeKind::Changed } else { ChangeKind::Moved };
            }
            (Some(before), None) => {
                tally.removes = true;
                whole_version(before, ChangeKind::Removed, &mut change);
            }
            (None, Some(after)) => {
                tally.adds = true;
                whole_version(after, ChangeKind::Added, &mut change);
            }
            (None, None) => continue,
        }
        changes.push(change);
    }
    changes
}

/// Compares one indexed version with itself.
fn compare_version(kind: Kind, old: &Json, new: &Json, change: &mut VersionChange, tally: &mut Tally) {
    let has_targets = kind == Kind::Provider
        && old.field("targets").is_none_or(is_list_or_null)
        && new.field("targets").is_none_or(is_list_or_null);
    let apart: &[&str] = if has_targets { &["targets"] } else { &[] };
    change.fields = compare_fields(old, new, apart, tally, indexed_weight);
    if !has_targets {
        return;
    }
    let (before, after) = (list(old, "targets"), list(new, "targets"));
    if before == after {
        return;
    }
    let (old_names, new_names) = (platforms(before), platforms(after));
    for place in pair(&borrowed(&old_names), &borrowed(&new_names)) {
        let (old, new) = (place.before().map(|at| &before[at]), place.after().map(|at| &after[at]));
        let platform = place.after().map_or_else(
            || place.before().map_or_else(String::new, |at| old_names[at].clone()),
            |at| new_names[at].clone(),
        );
        let (kind, fields) = match (old, new) {
            (Some(old), Some(new)) => {
                let fields = compare_fields(old, new, &[], tally, indexed_weight);
                match place {
                    _ if !fields.is_empty() => (ChangeKind::Changed, fields),
                    Place::Moved { .. } => (ChangeKind::Moved, fields),
                    _ => continue,
                }
            }
            (Some(old), None) => {
                tally.removes = true;
                (ChangeKind::Removed, whole_fields(old, ChangeKind::Removed, &[]))
            }
            (None, Some(new)) => {
                tally.adds = true;
                (ChangeKind::Added, whole_fields(new, ChangeKind::Added, &[]))
            }
            (None, None) => continue,
        };
        change.targets.push(TargetChange { platform, kind, fields });
    }
}

fn whole_version(json: &Json, kind: ChangeKind, change: &mut VersionChange) {
    change.kind = kind;
    let targets = json.field("targets").map(Json::items).unwrap_or_default();
    change.fields = whole_fields(json, kind, if targets.is_empty() { &[] } else { &["targets"] });
    change.targets = targets
        .iter()
        .zip(platforms(targets))
        .map(|(json, platform)| TargetChange { platform, kind, fields: whole_fields(json, kind, &[]) })
        .collect();
}

fn whole_fields(json: &Json, kind: ChangeKind, apart: &[&str]) -> Vec<FieldChange> {
    let fields = json.fields().iter().filter(|(key, _)| !apart.contains(&key.as_ref()));
    fields
        .map(|(key, value)| {
            let value = Some(value.print_compact());
            let (old, new) = if kind == ChangeKind::Removed { (value, None) } else { (None, value) };
            FieldChange { field: key.to_string(), old, new }
        })
        .collect()
}

/// How much a changed field weighs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    Adds,
    Mutates,
}

/// Of an indexed version or target: to fill an empty format field adds, everything else changes what was published.
fn indexed_weight(key: &str, old: Option<&Json>) -> Weight {
    let was_empty = old.is_none_or(is_empty);
    if was_empty && FILLABLE.contains(&key) { Weight::Adds } else { Weight::Mutates }
}

/// Of the root: records of failed tries come and go with every run; anything else must have been empty to be an addition.
fn root_weight(key: &str, old: Option<&Json>) -> Weight {
    if key == "versions_errors" || old.is_none_or(is_empty) { Weight::Adds } else { Weight::Mutates }
}

/// Compares two objects key by key; those `apart` are compared elsewhere and count for the key order alone.
fn compare_fields(
    old: &Json,
    new: &Json,
    apart: &[&str],
    tally: &mut Tally,
    weight: fn(&str, Option<&Json>) -> Weight,
) -> Vec<FieldChange> {
    let mut changes = Vec::new();
    let (Json::Object(before), Json::Object(after)) = (old, new) else {
        if old != new {
            tally.mutates = true;
            let (old, new) = (Some(old.print_compact()), Some(new.print_compact()));
            changes.push(FieldChange { field: String::new(), old, new });
        }
        return changes;
    };
    let mut note = |key: &str, old: Option<&Json>, new: Option<&Json>| {
        if is_normal(key, old, new) {
            tally.normalises.empty_fields += 1;
        } else if !apart.contains(&key) {
            match weight(key, old) {
                Weight::Adds => tally.adds = true,
                Weight::Mutates => tally.mutates = true,
            }
            let (old, new) = (old.map(Json::print_compact), new.map(Json::print_compact));
            changes.push(FieldChange { field: key.to_owned(), old, new });
        }
    };
    for (key, _) in first_of_each(after) {
        let (old, new) = (old.field(key), new.field(key));
        if old != new {
            note(key, old, new);
        }
    }
    for (key, _) in first_of_each(before).filter(|(key, _)| new.field(key).is_none()) {
        note(key, old.field(key), None);
    }
    let common = |fields: &'_ [(Key, Json)], other: &Json| -> Vec<Key> {
        first_of_each(fields)
            .filter(|(key, _)| other.field(key).is_some())
            .map(|(key, _)| key.clone())
            .collect()
    };
    if !same_start(before, after) && common(before, new) != common(after, old) {
        tally.normalises.key_orders += 1;
    }
    changes
}

/// Whether one list of keys is the start of the other: then the order cannot differ.
fn same_start(before: &[(Key, Json)], after: &[(Key, Json)]) -> bool {
    before.iter().zip(after).all(|((a, _), (b, _))| a == b)
}

/// The fields without the repeated ones: of a key that stands twice the last value counts, and it is compared once.
fn first_of_each(fields: &[(Key, Json)]) -> impl Iterator<Item = &(Key, Json)> {
    let mut seen = HashSet::new();
    fields.iter().filter(move |(key, _)| seen.insert(&**key))
}

/// Whether Go's writer makes the difference by itself: an empty value put in or left out.
fn is_normal(key: &str, old: Option<&Json>, new: Option<&Json>) -> bool {
    match (old, new) {
        // Also where a `null` stood: Go reads it as missing.
        (None | Some(Json::Null), Some(new)) => NEVER_OMITTED.contains(&key) && is_empty(new),
        (Some(old), None) => OMITTED_EMPTY.contains(&key) && is_empty(old),
        _ => false,
    }
}

pub(super) fn is_empty(json: &Json) -> bool {
    match json {
        Json::Null => true,
        Json::String(text) => text.is_empty(),
        Json::Array(items) => items.is_empty(),
        Json::Number(number) => number.as_u64() == Some(0),
        Json::Bool(_) | Json::Object(_) => false,
    }
}

fn is_list_or_null(json: &Json) -> bool {
    matches!(json, Json::Array(_) | Json::Null)
}

fn list<'a>(json: &'a Json, key: &str) -> &'a [Json] {
    json.field(key).map(Json::items).unwrap_or_default()
}

fn is_sorted(keys: &[&str]) -> bool {
    keys.windows(2).all(|pair| version::compare(pair[0], pair[1]).is_ge())
}

/// The keys of a list of versions; those without a name share the empty one and are paired in order.
pub(super) fn version_keys(versions: &[Json]) -> Vec<&str> {
    versions.iter().map(|json| text_of(json, "version")).collect()
}

/// The keys of a list of targets: `os_arch`.
pub(super) fn platforms(targets: &[Json]) -> Vec<String> {
    targets.iter().map(|json| format!("{}_{}", text_of(json, "os"), text_of(json, "arch"))).collect()
}

/// The text under a key; empty where there is none.
pub(super) fn text_of<'a>(json: &'a Json, key: &str) -> &'a str {
    json.field(key).and_then(Json::as_str).unwrap_or("")
}

pub(super) fn borrowed(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Document {
        Document::parse(text.as_bytes()).unwrap()
    }

    /// The document as Go would lay it out.
    fn laid_out(text: &str) -> Document {
        Document::from_root(document(text).root().clone())
    }

    fn version(name: &str, targets: &str) -> String {
        format!(r#"{{"version":"{name}","protocols":["5.0"],"targets":[{targets}]}}"#)
    }

    fn target(platform: &str, rest: &str) -> String {
        let (os, arch) = platform.split_once('_').unwrap();
        format!(r#"{{"os":"{os}","arch":"{arch}","shasum":"aa"{rest}}}"#)
    }

    fn file(versions: &[String]) -> String {
        format!(r#"{{"versions":[{}]}}"#, versions.join(","))
    }

    /// `CLASS | changed versions | root fields | normalises`.
    fn told(kind: Kind, old: &str, new: &str) -> String {
        let diff = compare(kind, &laid_out(old), &laid_out(new));
        let versions: Vec<String> = diff
            .versions
            .iter()
            .map(|change| {
                let mut parts: Vec<&str> = change.fields.iter().map(|field| field.field.as_str()).collect();
                if matches!(change.kind, ChangeKind::Added | ChangeKind::Removed) {
                    parts.clear();
                }
                let targets: Vec<String> = change
                    .targets
                    .iter()
                    .map(|target| {
                        let fields: Vec<&str> =
                            target.fields.iter().map(|field| field.field.as_str()).collect();
                        match target.kind {
                            ChangeKind::Changed => format!("{}:{}", target.platform, fields.join("+")),
                            kind => format!("{} {}", target.platform, kind.word()),
                        }
                    })
                    .collect();
                parts.extend(targets.iter().map(String::as_str));
                format!("{} {} [{}]", change.version, change.kind.word(), parts.join(", "))
            })
            .collect();
        let fields: Vec<&str> = diff.fields.iter().map(|field| field.field.as_str()).collect();
        let normal = diff.normalises;
        format!(
            "{} | {} | {} | {} {} {} {}",
            diff.class.word(),
            versions.join("; "),
            fields.join(" "),
            normal.key_orders,
            normal.empty_fields,
            normal.moved_versions,
            normal.layout
        )
    }

    #[test]
    fn classes_and_changes_of_providers() {
        let (linux, darwin) = (target("linux_amd64", ""), target("darwin_arm64", ""));
        let hashed = target("linux_amd64", r#","h1":"h1:x","size":3"#);
        let empty = target("linux_amd64", r#","h1":"","size":0"#);
        let other = linux.replace("aa", "bb");
        let one = |target: &str| file(&[version("1.0.0", target)]);
        let two = |first: &str, second: &str| file(&[version(first, &linux), version(second, &linux)]);
        let cases = [
            (one(&linux), one(&linux), "NOOP |  |  | 0 0 0 false"),
            (
                one(&linux),
                two("1.1.0", "1.0.0"),
                "ADDITIVE | 1.1.0 added [linux_amd64 added] |  | 0 0 0 false",
            ),
            (
                two("1.1.0", "1.0.0"),
                one(&linux),
                "REMOVES | 1.1.0 removed [linux_amd64 removed] |  | 0 0 0 false",
            ),
            (one(&linux), one(&other), "MUTATES | 1.0.0 changed [linux_amd64:shasum] |  | 0 0 0 false"),
            (one(&linux), one(&empty), "REORDERS |  |  | 0 2 0 false"),
            (one(&linux), one(&hashed), "ADDITIVE | 1.0.0 changed [linux_amd64:h1+size] |  | 0 0 0 false"),
            (one(&empty), one(&hashed), "ADDITIVE | 1.0.0 changed [linux_amd64:h1+size] |  | 0 0 0 false"),
            (one(&hashed), one(&empty), "MUTATES | 1.0.0 changed [linux_amd64:h1+size] |  | 0 0 0 false"),
            (one(&hashed), one(&linux), "MUTATES | 1.0.0 changed [linux_amd64:h1+size] |  | 0 0 0 false"),
            (
                one(&linux),
                one(&[linux.as_str(), &darwin].join(",")),
                "ADDITIVE | 1.0.0 changed [darwin_arm64 added] |  | 0 0 0 false",
            ),
            (
                one(&[linux.as_str(), &darwin].join(",")),
                one(&darwin),
                "REMOVES | 1.0.0 changed [linux_amd64 removed] |  | 0 0 0 false",
            ),
            (
                one(&[linux.as_str(), &darwin].join(",")),
                one(&[darwin.as_str(), &linux].join(",")),
                "REORDERS | 1.0.0 changed [darwin_arm64 moved] |  | 0 0 0 false",
            ),
        ];
        for (old, new, expected) in cases {
            assert_eq!(told(Kind::Provider, &old, &new), expected, "\n{old}\n{new}");
        }
    }

    #[test]
    fn places_fields_and_odd_files_of_providers() {
        let linux = target("linux_amd64", "");
        let one = |target: &str| file(&[version("1.0.0", target)]);
        let two = |first: &str, second: &str| file(&[version(first, &linux), version(second, &linux)]);
        let errors = |versions: String, records: &str| {
            versions[..versions.len() - 1].to_owned() + &format!(r#","versions_errors":[{records}]}}"#)
        };
        let record = r#"{"version":"2.0.0","message":"m","utc_time":"2026-01-01T00:00:00Z"}"#;
        let cases = [
            (two("1.0.0", "1.1.0"), two("1.1.0", "1.0.0"), "REORDERS | 1.1.0 moved [] |  | 0 0 1 false"),
            (
                two("1.0.0+a", "1.0.0+b"),
                two("1.0.0+b", "1.0.0+a"),
                "REORDERS | 1.0.0+b moved [] |  | 0 0 0 false",
            ),
            (
                two("1.0.0", "1.0.0"),
                one(&linux),
                "REMOVES | 1.0.0 removed [linux_amd64 removed] |  | 0 0 0 false",
            ),
            (
                one(&linux),
                one(&linux).replace(
                    r#""version":"1.0.0","protocols":["5.0"]"#,
                    r#""protocols":["5.0"],"version":"1.0.0""#,
                ),
                "REORDERS |  |  | 1 0 0 false",
            ),
            (one(&linux), errors(one(&linux), record), "ADDITIVE |  | versions_errors | 0 0 0 false"),
            (errors(one(&linux), record), one(&linux), "ADDITIVE |  | versions_errors | 0 0 0 false"),
            (errors(one(&linux), ""), one(&linux), "REORDERS |  |  | 0 1 0 false"),
            (
                one(&linux),
                one(&linux).replace("{\"versions\"", r#"{"warnings":["w"],"versions""#),
                "ADDITIVE |  | warnings | 0 0 0 false",
            ),
            (
                r#"{"warnings":["a"],"versions":[]}"#.into(),
                r#"{"versions":[],"warnings":["b"]}"#.into(),
                "MUTATES |  | warnings | 1 0 0 false",
            ),
            ("{}".into(), r#"{"versions":null}"#.into(), "REORDERS |  |  | 0 1 0 false"),
            (
                r#"{"versions":null}"#.into(),
                one(&linux),
                "ADDITIVE | 1.0.0 added [linux_amd64 added] |  | 0 0 0 false",
            ),
            (r#"{"versions":null}"#.into(), r#"{"versions":[]}"#.into(), "REORDERS |  |  | 0 1 0 false"),
            (r#"{"versions":3}"#.into(), r#"{"versions":[]}"#.into(), "MUTATES |  | versions | 0 0 0 false"),
            (
                r#"{"versions":[1,{"a":2}]}"#.into(),
                r#"{"versions":[1,{"a":3}]}"#.into(),
                "MUTATES |  changed [a] |  | 0 0 0 false",
            ),
        ];
        for (old, new, expected) in cases {
            assert_eq!(told(Kind::Provider, &old, &new), expected, "\n{old}\n{new}");
        }
    }

    #[test]
    fn modules_are_keyed_by_their_raw_tag() {
        let cases = [
            (
                r#"{"versions":[{"version":"v1.0.0"}]}"#,
                r#"{"versions":[{"version":"1.0.0"},{"version":"v1.0.0"}]}"#,
                "TWINS | 1.0.0 added [] |  | 0 0 0 false",
            ),
            (
                r#"{"versions":[{"version":"v1.0.0"}]}"#,
                r#"{"versions":[{"version":"v1.0.0","commit":""}]}"#,
                "REORDERS |  |  | 0 1 0 false",
            ),
            (
                r#"{"versions":[{"version":"v1.0.0"}]}"#,
                r#"{"versions":[{"version":"v1.0.0","commit":"ab","discovered":"2026-04-21T00:00:00Z"}]}"#,
                "ADDITIVE | v1.0.0 changed [commit, discovered] |  | 0 0 0 false",
            ),
            (
                r#"{"versions":[{"version":"v1.0.0","commit":"ab"}]}"#,
                r#"{"versions":[{"version":"v1.0.0","commit":"cd"}]}"#,
                "MUTATES | v1.0.0 changed [commit] |  | 0 0 0 false",
            ),
        ];
        for (old, new, expected) in cases {
            assert_eq!(told(Kind::Module, old, new), expected, "\n{old}\n{new}");
        }
    }

    #[test]
    fn layout_alone_reorders() {
        let plain = "{\n  \"versions\": []\n}";
        for (old, new, class) in [
            (plain.to_owned(), plain.to_owned(), Class::Noop),
            (format!("{plain}\n"), plain.to_owned(), Class::Reorders),
            (plain.replace('\n', "\r\n"), plain.to_owned(), Class::Reorders),
            ("{\"versions\":[]}".to_owned(), plain.to_owned(), Class::Reorders),
            ("{\"versions\":[]}".to_owned(), "{\"versions\": []}".to_owned(), Class::Reorders),
            ("{\"versions\":[]}".to_owned(), "{\"versions\":[]}".to_owned(), Class::Noop),
        ] {
            let diff = compare(Kind::Provider, &document(&old), &document(&new));
            assert_eq!((diff.class, diff.normalises.layout), (class, class == Class::Reorders), "{old:?}");
        }
    }

    #[test]
    fn places_and_counts() {
        let names = |names: &[&str]| {
            let items: Vec<String> = names.iter().map(|name| format!(r#"{{"version":"{name}"}}"#)).collect();
            laid_out(&file(&items))
        };
        let diff =
            compare(Kind::Module, &names(&["3.0.0", "2.0.0", "1.0.0"]), &names(&["4.0.0", "3.0.0", "1.0.0"]));
        let told: Vec<_> = diff
            .versions
            .iter()
            .map(|change| (change.version.as_str(), change.old_place, change.new_place))
            .collect();
        assert_eq!(told, [("4.0.0", None, Some(0)), ("2.0.0", Some(1), None)]);
        assert_eq!(diff.unchanged_versions, 2);
    }
}
