//! What would be sent of a proposal: all of it but its rejected versions; and what a repeated build takes over.

use crate::registry::version::trim_v;
use crate::registry::{Document, Json, Key, Kind, digest};
use crate::rules::diff::{ChangeKind, Diff, VersionChange};
use crate::rules::go_form;
use crate::rules::plan::{Answer, Part, Piece};
use crate::rules::rebuild::sort_records;
use crate::settings::Features;

/// A proposal without its rejected changes.
pub(super) enum Left {
    Document(Document),
    /// It makes sense only as a whole, and why.
    Inseparable(&'static str),
}

/// Takes rejected changes out: an added version goes, a changed one is as it was. `is_new`: the base stands for a file that is not
/// there yet.
pub(super) fn leave_out(
    kind: Kind,
    (base, proposed, whole): (&Document, &Document, Option<&'static str>),
    diff: &Diff,
    pieces: &[Piece],
    features: Features,
) -> Left {
    let rejected: Vec<&Piece> = pieces.iter().filter(|piece| piece.mark.answer == Answer::Rejected).collect();
    if rejected.is_empty() {
        return Left::Document(proposed.clone());
    }
    if rejected.len() == pieces.len() {
        return Left::Document(base.clone());
    }
    if let Some(reason) = whole {
        return Left::Inseparable(reason);
    }
    if pieces.iter().any(|piece| piece.part == Part::Blacklist) {
        return Left::Inseparable(
            "what is removed would be re-added by the next bump without its entry on the blacklist: approve all of it, or reject all of it",
        );
    }
    if rejected.iter().any(|piece| piece.part == Part::Rest) {
        return Left::Inseparable(
            "what changes outside its versions was rejected, and the registry's own writer cannot leave that out",
        );
    }
    let changes: Vec<&VersionChange> =
        rejected.iter().filter_map(|piece| diff.versions.get(piece.place?)).collect();
    if changes.iter().any(|change| matches!(change.kind, ChangeKind::Moved | ChangeKind::Removed)) {
        return Left::Inseparable(
            "a removed or moved version was rejected, and that cannot be left out alone; build the file in another mode",
        );
    }
    let mut root = proposed.root().clone();
    let before = base.versions();
    let mut list = proposed.versions().to_vec();
    for change in changes.iter().filter(|change| change.kind == ChangeKind::Changed) {
        let (Some(old), Some(new)) = (change.old_place, change.new_place) else { continue };
        if let (Some(old), Some(place)) = (before.get(old as usize), list.get_mut(new as usize)) {
            *place = old.clone();
        }
    }
    let mut gone: Vec<usize> = changes
        .iter()
        .filter(|change| change.kind == ChangeKind::Added)
        .filter_map(|change| change.new_place.map(|at| at as usize))
        .collect();
    gone.sort_unstable();
    for at in gone.into_iter().rev().filter(|at| *at < proposed.versions().len()) {
        list.remove(at);
    }
    let had_null = matches!(base.root().field("versions"), Some(Json::Null));
    let list = if list.is_empty() && had_null { Json::Null } else { Json::Array(list) };
    set(&mut root, "versions", list);
    put_records_back(&mut root, base, &changes);
    Left::Document(Document::from_root(go_form::arrange(kind, features, root)))
}

/// A version that is not added keeps the records of its failed tries.
fn put_records_back(root: &mut Json, base: &Document, changes: &[&VersionChange]) {
    let is_rejected = |record: &&Json| {
        changes.iter().any(|change| trim_v(&change.version) == trim_v(text(record, "version")))
    };
    let mut records = root.field("versions_errors").map(Json::items).unwrap_or_default().to_vec();
    let stored = base.root().field("versions_errors").map(Json::items).unwrap_or_default();
    let back: Vec<Json> =
        stored.iter().filter(is_rejected).filter(|record| !records.contains(record)).cloned().collect();
    if back.is_empty() {
        return;
    }
    records.extend(back);
    sort_records(&mut records);
    set(root, "versions_errors", Json::Array(records));
}

/// Takes the times of an earlier build of the same proposal over: a version was discovered, and a failure recorded, when
/// that was first proposed. Without this no build would ever repeat another.
pub(crate) fn carry_over(base: &Document, earlier: &Document, built: &Document) -> Document {
    let mut root = built.root().clone();
    let (stored, before) = (base.versions(), earlier.versions());
    let list = built.versions().iter().map(|new| {
        let is_stored = stored.iter().any(|old| text(old, "version") == text(new, "version"));
        let same = |old: &&Json| is_same_but(old, new, "discovered");
        let old = if is_stored { None } else { before.iter().find(same) };
        old.unwrap_or(new).clone()
    });
    let list: Vec<Json> = list.collect();
    if matches!(built.root().field("versions"), Some(Json::Array(_))) {
        set(&mut root, "versions", Json::Array(list));
    }
    let records = |document: &Document| {
        document.root().field("versions_errors").map(Json::items).unwrap_or_default().to_vec()
    };
    let (stored, before, mut now) = (records(base), records(earlier), records(built));
    if !now.is_empty() {
        for new in now.iter_mut().filter(|new| !stored.contains(new)) {
            let same = |old: &&Json| !stored.contains(old) && is_same_but(old, new, "utc_time");
            if let Some(old) = before.iter().find(same) {
                *new = old.clone();
            }
        }
        sort_records(&mut now);
        set(&mut root, "versions_errors", Json::Array(now));
    }
    if root == *built.root() { built.clone() } else { Document::from_root(root) }
}

/// SHA-256 of a file without those clock readings, hex: whoever builds it has this one.
pub(crate) fn content_digest(base: &Document, outcome: &Document) -> String {
    digest(&without_clocks(base, outcome).print())
}

/// A file without the clock readings of what it adds to the base: when that was discovered, or failed, is a claim, and two who
/// build the same at different times differ in nothing else.
fn without_clocks(base: &Document, outcome: &Document) -> Document {
    let mut root = outcome.root().clone();
    let records = base.root().field("versions_errors").map(Json::items).unwrap_or_default();
    let stored = base.versions();
    let is_new_version = |one: &Json| !stored.iter().any(|old| text(old, "version") == text(one, "version"));
    let is_new_record = |one: &Json| !records.contains(one);
    blank(&mut root, "versions", "discovered", &is_new_version);
    blank(&mut root, "versions_errors", "utc_time", &is_new_record);
    Document::from_root(root)
}

/// Empties a field of those items of a list.
fn blank(root: &mut Json, list: &str, key: &str, is_meant: &dyn Fn(&Json) -> bool) {
    let Json::Object(fields) = root else { return };
    let Some((_, Json::Array(items))) = fields.iter_mut().find(|(name, _)| name == list) else { return };
    for item in items.iter_mut().filter(|item| is_meant(item)) {
        if let Json::Object(fields) = item {
            // That there is one belongs to the format, and so to the content.
            fields.iter_mut().filter(|(name, _)| name == key).for_each(|(_, value)| *value = Json::Null);
        }
    }
}

/// Apart from the value of this field: that it is there, once, and where, belongs to the content.
fn is_same_but(a: &Json, b: &Json, key: &str) -> bool {
    let (a, b) = (a.fields(), b.fields());
    let is_same =
        |((name, a), (other, b)): (&(Key, Json), &(Key, Json))| name == other && (name == key || a == b);
    a.len() == b.len() && a.iter().zip(b).all(is_same)
}

fn text<'a>(json: &'a Json, key: &str) -> &'a str {
    json.field(key).and_then(Json::as_str).unwrap_or("")
}

fn set(root: &mut Json, key: &'static str, value: Json) {
    let Json::Object(fields) = root else { return };
    match fields.iter_mut().find(|(name, _)| name == key) {
        Some((_, place)) => *place = value,
        None => fields.push((Key::Borrowed(key), value)),
    }
}
