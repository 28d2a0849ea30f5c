//! The parts of one file's proposal that are looked at and answered one by one: its versions, and all that is outside them.

use std::collections::HashSet;
use std::fmt::Write;

use serde::Serialize;

use crate::registry::{BLACKLIST, BlacklistEntry, Document, Json, Kind, digest};
use crate::rules::diff::{self, ChangeKind, Diff, VersionChange};
use crate::rules::plan::{Mark, Marks};
use crate::rules::proposal::Class;
use crate::rules::submission::NewKey;
use crate::rules::twins;

/// The content of one proposed change, as a SHA-256 in hex: equal changes have equal names, in every run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct PieceId(pub String);

/// What a piece is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub(crate) enum Part {
    /// A version as stored: without `v` for providers, the raw tag for modules.
    Version(String),
    /// Everything outside the versions: recorded errors, warnings, key order, spacing.
    Rest,
    /// What is put on the registry's blacklist beside the file.
    Blacklist,
    /// A key that is put on file beside it.
    Key,
}

impl Part {
    /// The word that the command line takes for what is no version.
    pub(crate) const REST: &str = "rest";
    pub(crate) const BLACKLIST: &str = "blacklist";
    pub(crate) const KEY: &str = "key";

    /// `3.70.0`, `rest`, `blacklist` or `key`.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Version(version) => version,
            Self::Rest => Self::REST,
            Self::Blacklist => Self::BLACKLIST,
            Self::Key => Self::KEY,
        }
    }
}

/// One change of a planned file, and what was said about it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Piece {
    pub id: PieceId,
    #[serde(rename = "version")]
    pub(crate) part: Part,
    pub(crate) change: ChangeKind,
    /// What this change alone does to the file.
    pub(crate) class: Class,
    /// Targets that differ; all of them for an added or removed version.
    pub(crate) targets: usize,
    /// What is put on the blacklist; of that part alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) blocks: Vec<BlacklistEntry>,
    /// The path of its block in the line view: `versions[1] 3.70.0`, the blacklist's own; empty for the rest.
    #[serde(skip)]
    pub(crate) block: String,
    /// Its place in `diff.versions`; `None` for the rest.
    #[serde(skip)]
    pub(super) place: Option<usize>,
    #[serde(flatten)]
    pub mark: Mark,
}

/// The pieces of a proposal, in the order of the file; then the rest, then the blacklist.
pub(super) fn pieces(
    path: &str,
    kind: Kind,
    (base, proposed): (&Document, &Document),
    diff: &Diff,
    blocks: &[BlacklistEntry],
    key: Option<&NewKey>,
    marks: &Marks,
) -> Vec<Piece> {
    let (before, after) = (base.versions(), proposed.versions());
    let mark = |id: &PieceId| marks.get(id).cloned().unwrap_or_default();
    let twins = twins::of_lists(kind, before, after);
    let is_twin = |change: &VersionChange| {
        change.kind == ChangeKind::Added
            && twins.iter().any(|twin| twin.differs() && twin.added == change.version)
    };
    let mut pieces: Vec<Piece> = Vec::with_capacity(diff.versions.len() + 1);
    for (place, change) in diff.versions.iter().enumerate() {
        let old = change.old_place.and_then(|at| before.get(at as usize));
        let new = change.new_place.and_then(|at| after.get(at as usize));
        let id = version_id(path, change, old, new);
        let at = change.new_place.or(change.old_place).unwrap_or_default();
        pieces.push(Piece {
            part: Part::Version(change.version.clone()),
            change: change.kind,
            class: if is_twin(change) { Class::Twins } else { version_class(kind, change.kind, old, new) },
            targets: change.targets.len(),
            blocks: Vec::new(),
            block: format!("versions[{at}] {}", change.version).trim_end().to_owned(),
            place: Some(place),
            mark: mark(&id),
            id,
        });
    }
    if !diff.fields.is_empty() || !diff.normalises.is_none() {
        let id = rest_id(path, base, proposed, diff);
        pieces.push(Piece {
            part: Part::Rest,
            change: ChangeKind::Changed,
            class: rest_class(kind, base, proposed),
            targets: 0,
            blocks: Vec::new(),
            block: String::new(),
            place: None,
            mark: mark(&id),
            id,
        });
    }
    if !blocks.is_empty() {
        let id = blocks_id(path, blocks);
        pieces.push(Piece {
            part: Part::Blacklist,
            change: ChangeKind::Added,
            class: Class::Additive,
            targets: 0,
            blocks: blocks.to_vec(),
            block: BLACKLIST.to_owned(),
            place: None,
            mark: mark(&id),
            id,
        });
    }
    if let Some(file) = key.and_then(NewKey::file) {
        // Its path has the time at which it was planned.
        let id = name(&[path, Part::KEY, &digest(&file.text)]);
        pieces.push(Piece {
            part: Part::Key,
            change: ChangeKind::Added,
            class: Class::Additive,
            targets: 0,
            blocks: Vec::new(),
            block: file.path,
            place: None,
            mark: mark(&id),
            id,
        });
    }
    pieces
}

/// Parts are told apart by their length, so that no text can stand for two of them.
fn name(parts: &[&str]) -> PieceId {
    let mut text = String::from("bumpdesk piece 1\n");
    for part in parts {
        let _ = writeln!(text, "{}:{part}", part.len());
    }
    PieceId(digest(text.as_bytes()))
}

fn version_id(path: &str, change: &VersionChange, old: Option<&Json>, new: Option<&Json>) -> PieceId {
    let text = |json: Option<&Json>| json.map(Json::print_compact).unwrap_or_default();
    // Where a version stands matters only if that is the change.
    let places = match change.kind {
        ChangeKind::Moved => format!("{:?} {:?}", change.old_place, change.new_place),
        ChangeKind::Added | ChangeKind::Removed | ChangeKind::Changed => String::new(),
    };
    name(&[path, &change.version, change.kind.word(), &places, &text(old), &text(new)])
}

fn blocks_id(path: &str, blocks: &[BlacklistEntry]) -> PieceId {
    let mut parts = vec![path, Part::BLACKLIST];
    for block in blocks {
        parts.extend([&*block.namespace, &block.name, &block.target_system, &block.version, &block.reason]);
    }
    name(&parts)
}

/// Of all text outside the changed versions, before and after. Versions that keep every byte are left out: they are no part
/// of the change, and there may be hundreds.
fn rest_id(path: &str, base: &Document, proposed: &Document, diff: &Diff) -> PieceId {
    let side = diff.normalises;
    let counts = format!("{} {} {} {}", side.key_orders, side.empty_fields, side.moved_versions, side.layout);
    let before = Outside::of(base, diff.versions.iter().filter_map(|change| change.old_place));
    let after = Outside::of(proposed, diff.versions.iter().filter_map(|change| change.new_place));
    let mut parts = vec![path.to_owned(), Part::REST.to_owned(), counts];
    // Spacing is in the bytes alone.
    if side.layout {
        parts.extend([digest(&base.print()), digest(&proposed.print())]);
    }
    for (one, other) in [(&before, &after), (&after, &before)] {
        let there: HashSet<&String> = other.versions.iter().collect();
        let differing = one.versions.iter().filter(|version| !there.contains(version));
        parts.push(one.fields.len().to_string());
        parts.extend(one.fields.iter().cloned());
        parts.extend(differing.cloned());
    }
    name(&parts.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The text of a file outside its changed versions: keys and values in their order, and the versions that stay.
struct Outside {
    fields: Vec<String>,
    versions: Vec<String>,
}

impl Outside {
    fn of(document: &Document, changed: impl Iterator<Item = u32>) -> Self {
        let changed: HashSet<usize> = changed.map(|at| at as usize).collect();
        let fields = document.root().fields().iter().flat_map(|(key, value)| {
            let is_versions = key == "versions";
            [key.to_string(), if is_versions { String::new() } else { value.print_compact() }]
        });
        let stay = document.versions().iter().enumerate().filter(|(at, _)| !changed.contains(at));
        let versions = stay.map(|(_, version)| version.print_compact()).collect();
        Self { fields: fields.collect(), versions }
    }
}

fn version_class(kind: Kind, change: ChangeKind, old: Option<&Json>, new: Option<&Json>) -> Class {
    match (change, old, new) {
        (ChangeKind::Changed, Some(old), Some(new)) => {
            let alone = |json: &Json| {
                Document::from_root(Json::Object(vec![("versions".into(), Json::Array(vec![json.clone()]))]))
            };
            diff::compare(kind, &alone(old), &alone(new)).class
        }
        (ChangeKind::Added, ..) => Class::Additive,
        (ChangeKind::Removed, ..) => Class::Removes,
        (ChangeKind::Moved | ChangeKind::Changed, ..) => Class::Reorders,
    }
}

fn rest_class(kind: Kind, base: &Document, proposed: &Document) -> Class {
    let apart = |document: &Document| {
        let fields = document.root().fields().iter().filter(|(key, _)| key != "versions");
        Document::from_root(Json::Object(fields.cloned().collect()))
    };
    match diff::compare(kind, &apart(base), &apart(proposed)).class {
        // What it normalises may stand inside the versions.
        Class::Noop => Class::Reorders,
        class => class,
    }
}
