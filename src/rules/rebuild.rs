//! The bytes that the registry's own process would write: missing versions added, named ones refreshed, or all of them from
//! scratch. Edits the document, never a struct, so that unknown keys survive.

use jiff::Timestamp;

use crate::registry::{Document, Json, Key, Kind, sort_like_go, version};
use crate::rules::{Finding, go_form};
use crate::settings::{Feature, Features};

/// A provider version that was read from upstream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewVersion {
    /// The raw tag; the stored version is the tag without its one `v`.
    pub(crate) tag: String,
    pub(crate) protocols: Vec<String>,
    pub(crate) shasums_url: String,
    pub(crate) shasums_signature_url: String,
    /// In the build loop's order.
    pub(crate) targets: Vec<NewTarget>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewTarget {
    pub(crate) os: String,
    pub(crate) arch: String,
    pub(crate) filename: String,
    pub(crate) download_url: String,
    pub(crate) shasum: String,
    /// Empty if unknown.
    pub(crate) h1: String,
    /// 0 if unknown.
    pub(crate) size_bytes: u64,
}

/// A module version: a tag and its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewTag {
    pub(crate) tag: String,
    /// The first column of `ls-remote`; empty if unknown.
    pub(crate) commit: String,
}

/// A failed try to be recorded in `versions_errors`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewError {
    /// Without a leading `v`.
    pub(crate) version: String,
    pub(crate) message: &'static str,
}

/// The two failures that production records; all others are retried at every run without a record.
pub(crate) const NO_CHECKSUMS: &str = "checksums not found in release";
pub(crate) const NO_ARTIFACTS: &str = "no artifacts in release";

/// What one run found for one entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) versions: Vec<NewVersion>,
    pub(crate) tags: Vec<NewTag>,
    pub(crate) errors: Vec<NewError>,
    /// Warnings about the versions, each finding with its version.
    pub(crate) warnings: Vec<Finding>,
}

impl Found {
    pub(crate) fn is_empty(&self) -> bool {
        self.versions.is_empty() && self.tags.is_empty() && self.errors.is_empty()
    }
}

/// What becomes of the versions that are stored already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// All of them.
    All,
    /// All but the named ones (as stored), which are built again.
    AllBut(Vec<String>),
    /// The same, but for when they were discovered: that stays, as where their hashes are filled in.
    AllButWhen(Vec<String>),
    /// None: the list is built from scratch. `discovered` of a version that is built again is kept.
    None,
}

/// Builds the document that the registry's process would write at `now`.
pub(crate) fn rebuild(
    kind: Kind,
    old: &Document,
    found: &Found,
    keep: &Keep,
    features: Features,
    now: Timestamp,
) -> Document {
    let mut root = go_form::arrange(kind, features, old.root().clone());
    let stored = old.versions();
    let arranged = root.field_mut("versions").and_then(Json::items_mut).map(std::mem::take);
    let arranged = arranged.unwrap_or_default();
    let mut versions: Vec<Json> = match keep {
        Keep::All => arranged,
        Keep::AllBut(names) | Keep::AllButWhen(names) => {
            let is_built = |json: &Json| names.iter().any(|name| name == json.version_name());
            arranged.into_iter().filter(|json| !is_built(json)).collect()
        }
        Keep::None => Vec::new(),
    };
    let discovered = |version: &str| {
        let kept = match keep {
            Keep::None | Keep::AllButWhen(_) => {
                stored.iter().find(|json| json.version_name() == version).map(|json| json.field("discovered"))
            }
            Keep::All | Keep::AllBut(_) => None,
        };
        match kept {
            Some(stored) => stored.cloned(),
            None => features.has(Feature::DiscoveredTimestamps).then(|| Json::string(go_time(now))),
        }
    };
    versions.extend(
        newest_tag_first(&found.versions, |new| &new.tag)
            .map(|new| provider_version(new, discovered(version::trim_v(&new.tag)), features)),
    );
    versions.extend(
        newest_tag_first(&found.tags, |new| &new.tag)
            .map(|new| module_version(new, discovered(&new.tag), features)),
    );
    sort_like_go(&mut versions, |a, b| version::compare(b.version_name(), a.version_name()));
    let list = match root.field("versions") {
        Some(Json::Null) if versions.is_empty() => Json::Null,
        _ => Json::Array(versions),
    };
    set(&mut root, "versions", list);
    if kind == Kind::Provider {
        record_errors(&mut root, found, features, now);
    }
    Document::from_root(go_form::arrange(kind, features, root))
}

/// The run appends its versions in reverse-lexical order of their tags before it sorts; ties in the sort show it.
fn newest_tag_first<T>(items: &[T], tag: impl Fn(&T) -> &String) -> impl Iterator<Item = &T> {
    let mut order: Vec<&T> = items.iter().collect();
    order.sort_by(|a, b| tag(b).cmp(tag(a)));
    order.into_iter()
}

fn provider_version(new: &NewVersion, discovered: Option<Json>, features: Features) -> Json {
    let target = |target: &NewTarget| {
        let mut fields = vec![
            field("os", &target.os),
            field("arch", &target.arch),
            field("filename", &target.filename),
            field("download_url", &target.download_url),
            field("shasum", &target.shasum),
        ];
        if features.has(Feature::TargetHashes) {
            fields.push(field("h1", &target.h1));
            fields.push((Key::Borrowed("size"), Json::number(target.size_bytes)));
        }
        Json::Object(fields)
    };
    let mut fields = vec![
        field("version", version::trim_v(&new.tag)),
        (Key::Borrowed("protocols"), Json::Array(new.protocols.iter().map(Json::string).collect())),
        field("shasums_url", &new.shasums_url),
        field("shasums_signature_url", &new.shasums_signature_url),
        (Key::Borrowed("targets"), Json::Array(new.targets.iter().map(target).collect())),
    ];
    fields.extend(discovered.map(|at| (Key::Borrowed("discovered"), at)));
    Json::Object(fields)
}

fn module_version(new: &NewTag, discovered: Option<Json>, features: Features) -> Json {
    let mut fields = vec![field("version", &new.tag)];
    if features.has(Feature::ModuleCommits) {
        fields.push(field("commit", &new.commit));
    }
    fields.extend(discovered.map(|at| (Key::Borrowed("discovered"), at)));
    Json::Object(fields)
}

/// Adds the records of this run, drops those of versions that succeeded, and sorts by version descending, then by time.
fn record_errors(root: &mut Json, found: &Found, features: Features, now: Timestamp) {
    if !features.has(Feature::VersionsErrors) || (found.versions.is_empty() && found.errors.is_empty()) {
        return;
    }
    let succeeded = |version: &str| found.versions.iter().any(|new| version::trim_v(&new.tag) == version);
    let stored = root.field("versions_errors").map(Json::items).unwrap_or_default();
    let mut records: Vec<Json> =
        stored.iter().filter(|json| !succeeded(json.version_name())).cloned().collect();
    records.extend(found.errors.iter().map(|error| {
        let at = go_time(now);
        Json::Object(vec![
            field("version", &error.version),
            field("message", error.message),
            field("utc_time", &at),
        ])
    }));
    sort_records(&mut records);
    set(root, "versions_errors", Json::Array(records));
}

/// The registry's order of recorded failures: by version descending, then by time.
pub(crate) fn sort_records(records: &mut [Json]) {
    let time = |json: &Json| {
        json.field("utc_time").and_then(Json::as_str).and_then(|at| at.parse::<Timestamp>().ok())
    };
    sort_like_go(records, |a, b| {
        version::compare(b.version_name(), a.version_name()).then_with(|| time(a).cmp(&time(b)))
    });
}

/// RFC 3339 with up to nine fractional digits, trailing zeros trimmed, as Go marshals a UTC time.
fn go_time(at: Timestamp) -> String {
    at.to_string()
}

fn field(name: &'static str, text: &str) -> (Key, Json) {
    (Key::Borrowed(name), Json::string(text))
}

fn set(root: &mut Json, key: &'static str, value: Json) {
    let Json::Object(fields) = root else { return };
    match fields.iter_mut().find(|(name, _)| name == key) {
        Some((_, place)) => *place = value,
        None => fields.push((Key::Borrowed(key), value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        "2026-11-21T12:00:03.120Z".parse().unwrap()
    }

    fn new_version(tag: &str) -> NewVersion {
        NewVersion {
            tag: tag.into(),
            protocols: vec!["5.0".into()],
            shasums_url: "s".into(),
            shasums_signature_url: "g".into(),
            targets: vec![],
        }
    }

    fn compact(document: &Document) -> String {
        document.root().print_compact()
    }

    fn built(kind: Kind, text: &str, found: &Found, keep: &Keep, features: Features) -> String {
        compact(&rebuild(kind, &Document::parse(text.as_bytes()).unwrap(), found, keep, features, now()))
    }

    #[test]
    fn missing_module_tags_join_in_order() {
        let tag = |tag: &str| NewTag { tag: tag.into(), commit: "c".into() };
        let found = Found { tags: vec![tag("1.0.0"), tag("v1.2.0"), tag("v0.1.0")], ..Found::default() };
        let text = r#"{"versions":[{"version":"v1.1.0"},{"version":"v1.0.0"}]}"#;
        assert_eq!(
            built(Kind::Module, text, &found, &Keep::All, Features::none()),
            r#"{"versions":[{"version":"v1.2.0"},{"version":"v1.1.0"},{"version":"v1.0.0"},{"version":"1.0.0"},{"version":"v0.1.0"}]}"#
        );
        assert_eq!(
            built(Kind::Module, r#"{"versions":null}"#, &found, &Keep::All, Features::default()),
            r#"{"versions":[{"version":"v1.2.0","commit":"c","discovered":"2026-11-21T12:00:03.12Z"},{"version":"1.0.0","commit":"c","discovered":"2026-11-21T12:00:03.12Z"},{"version":"v0.1.0","commit":"c","discovered":"2026-11-21T12:00:03.12Z"}]}"#
        );
    }

    #[test]
    fn success_deletes_the_records_and_failure_adds_one() {
        let text = r#"{"versions":[],"versions_errors":[
            {"version":"1.0.0","message":"m","utc_time":"2026-01-01T00:00:00Z"},
            {"version":"0.9.0","message":"m","utc_time":"2026-01-01T00:00:00Z"}]}"#;
        let error = NewError { version: "0.9.0".into(), message: NO_CHECKSUMS };
        let found = Found { versions: vec![new_version("v1.0.0")], errors: vec![error], ..Found::default() };
        let result = built(Kind::Provider, text, &found, &Keep::All, Features::default());
        assert!(!result.contains(r#""version":"1.0.0","message""#), "{result}");
        assert!(
            result.ends_with(
                r#""versions_errors":[{"version":"0.9.0","message":"m","utc_time":"2026-01-01T00:00:00Z"},{"version":"0.9.0","message":"checksums not found in release","utc_time":"2026-11-21T12:00:03.12Z"}]}"#
            ),
            "{result}"
        );
        let all = Found { versions: vec![new_version("v1.0.0"), new_version("v0.9.0")], ..Found::default() };
        assert!(
            !built(Kind::Provider, text, &all, &Keep::All, Features::default()).contains("versions_errors")
        );
    }

    #[test]
    fn scratch_keeps_when_a_version_was_discovered() {
        let text = r#"{"repository":"r","versions":[{"version":"1.0.0","discovered":"2026-05-01T00:00:00Z"},{"version":"0.1.0"}],"warnings":["w"]}"#;
        let found = Found { versions: vec![new_version("v1.0.0")], ..Found::default() };
        let result = built(Kind::Provider, text, &found, &Keep::None, Features::default());
        assert!(result.starts_with(r#"{"repository":"r","versions":[{"version":"1.0.0","#), "{result}");
        assert!(result.contains(r#""discovered":"2026-05-01T00:00:00Z""#) && !result.contains("0.1.0"));
        assert!(result.ends_with(r#""warnings":["w"]}"#));
    }
}
