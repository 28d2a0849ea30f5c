//! Timestamps in a file that is rebuilt for a review. They are claims of the author, never facts from upstream.
//!
//! The registry's tool records when it found a version and when a try failed. A second run records other moments. So
//! a review neither compares its own moments with the claims nor puts them into a text that is sent: an hour later
//! the same review has the same bytes.

use jiff::{SignedDuration, Timestamp};

use crate::registry::version::trim_v;
use crate::registry::{Document, Json};
use crate::rules::plain_text::visible;
use crate::rules::plan::carry_over;
use crate::rules::rebuild::sort_records;

/// The field with the moment when a version was found.
pub(super) const FOUND_AT: &str = "discovered";
/// The field with the moment of a failed try.
const FAILED_AT: &str = "utc_time";
/// The list of failed tries.
pub(super) const TRIES: &str = "versions_errors";
const VERSIONS: &str = "versions";

/// The accepted difference between two machines' clocks. A larger one is a fault of the pull request.
pub(crate) const TOLERATED: SignedDuration = SignedDuration::from_mins(5);

/// Returns true if a claimed moment is later than GitHub's by more than the accepted difference.
pub(super) fn is_too_late(claimed: Timestamp, github: Timestamp) -> bool {
    claimed.duration_since(github) > TOLERATED
}

/// A sentence for a claimed moment that is later than it can be by GitHub's time, such as
/// `the author's clock is 2 s ahead of GitHub's`. `None` if it is not later, or later than the accepted difference.
pub(super) fn ahead(claimed: Timestamp, github: Timestamp) -> Option<String> {
    Some(format!("the author's clock is {} ahead of GitHub's", seconds(claimed, github)?))
}

/// A sentence for a claimed moment that is earlier than it can be.
pub(super) fn behind(claimed: Timestamp, github: Timestamp) -> Option<String> {
    Some(format!("the author's clock is {} behind GitHub's", seconds(github, claimed)?))
}

/// The time from `early` to `late` in whole seconds, rounded up.
fn seconds(late: Timestamp, early: Timestamp) -> Option<String> {
    let by = late.duration_since(early);
    let whole = by.as_secs() + i64::from(by.subsec_nanos() > 0);
    (by.is_positive() && by <= TOLERATED).then(|| format!("{whole} s"))
}

/// Returns the rebuilt file with the moments that `head` claims for the same versions and failed tries, even if other
/// fields of them differ.
pub(super) fn with_times_of(head: &Document, base: &Document, made: &Document) -> Document {
    let made = carry_over(base, head, made);
    let mut root = made.root().clone();
    let stored = items(base.root(), VERSIONS);
    let claimed = items(head.root(), VERSIONS);
    for version in items_mut(&mut root, VERSIONS).filter(|version| !has(stored, version)) {
        // A version that is equal except for its moment is already in the list.
        if !claimed.contains(version)
            && let Some(moment) = of_version(claimed, version).and_then(|one| one.field(FOUND_AT))
            && let Some(ours) = version.field_mut(FOUND_AT)
        {
            *ours = moment.clone();
        }
    }
    let (stored, claimed) = (items(base.root(), TRIES), items(head.root(), TRIES));
    let mut has_changed = false;
    for record in items_mut(&mut root, TRIES).filter(|record| !stored.contains(record)) {
        let is_new = |one: &&Json| !stored.contains(one) && is_of(one, record);
        if !claimed.contains(record)
            && let Some(moment) = claimed.iter().find(is_new).and_then(|one| one.field(FAILED_AT))
            && let Some(ours) = record.field_mut(FAILED_AT)
        {
            *ours = moment.clone();
            has_changed = true;
        }
    }
    if has_changed && let Some(list) = root.field_mut(TRIES).and_then(Json::items_mut) {
        sort_records(list);
    }
    if root == *made.root() { made } else { Document::from_root(root) }
}

/// Returns the file without values that do not come from upstream: moments that `head` does not claim, and fields
/// that the registry's tool writes empty and `head` leaves out.
pub(super) fn said_by_upstream(head: &Document, made: &Document) -> Document {
    let mut root = made.root().clone();
    let claimed = items(head.root(), VERSIONS);
    for version in items_mut(&mut root, VERSIONS) {
        let other = of_version(claimed, version);
        drop_unsaid(version, other);
        let targets = other.map(|other| items(other, "targets")).unwrap_or_default();
        for target in items_mut(version, "targets") {
            let is_it =
                |other: &&Json| ["os", "arch"].iter().all(|key| other.field(key) == target.field(key));
            let other = targets.iter().find(is_it);
            drop_unsaid(target, other);
        }
    }
    let claimed = items(head.root(), TRIES);
    for record in items_mut(&mut root, TRIES).filter(|record| !claimed.contains(record)) {
        let other = claimed.iter().find(|one| is_of(one, record));
        if other.is_none_or(|other| other.field(FAILED_AT) != record.field(FAILED_AT)) {
            remove(record, FAILED_AT);
        }
    }
    if root == *made.root() { made.clone() } else { Document::from_root(root) }
}

/// Removes the moment and the empty fields that `other` does not have.
fn drop_unsaid(json: &mut Json, other: Option<&Json>) {
    let Json::Object(fields) = json else { return };
    let has = |key: &str| other.is_some_and(|other| other.field(key).is_some());
    let is_unsaid = |key: &str, value: &Json| (key == FOUND_AT || is_empty(value)) && !has(key);
    fields.retain(|(key, value)| !is_unsaid(key, value));
}

/// Returns true for an empty value, which the registry's tool writes if it does not know one.
fn is_empty(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::Number(number) => number.to_string() == "0",
        value => value.as_str() == Some("") || matches!(value, Json::Array(list) if list.is_empty()),
    }
}

fn items<'a>(json: &'a Json, key: &str) -> &'a [Json] {
    json.field(key).map(Json::items).unwrap_or_default()
}

fn items_mut<'a>(json: &'a mut Json, key: &str) -> impl Iterator<Item = &'a mut Json> {
    json.field_mut(key).and_then(Json::items_mut).into_iter().flatten()
}

fn has(list: &[Json], version: &Json) -> bool {
    list.iter().any(|one| one.version_name() == version.version_name())
}

/// The version with the same name, with or without a leading `v`.
fn of_version<'a>(list: &'a [Json], version: &Json) -> Option<&'a Json> {
    let is_it = |one: &&Json| one.version_name() == version.version_name();
    list.iter().find(is_it).or_else(|| list.iter().find(|one| is_of(one, version)))
}

fn is_of(one: &Json, other: &Json) -> bool {
    trim_v(one.version_name()) == trim_v(other.version_name())
}

fn remove(json: &mut Json, key: &str) {
    if let Json::Object(fields) = json {
        fields.retain(|(name, _)| name != key);
    }
}

/// Sentences about the failed tries that two files record differently. Only version and message are compared, because
/// the moment is a claim.
pub(super) fn other_tries(head: &Document, made: &Document) -> Vec<String> {
    let (claimed, made) = (items(head.root(), TRIES), items(made.root(), TRIES));
    let text = |record: &Json, key: &str| {
        visible(record.field(key).and_then(Json::as_str).unwrap_or_default()).into_owned()
    };
    let of = |record: &Json| (text(record, "version"), text(record, "message"));
    let mut points = Vec::new();
    for (version, message) in claimed.iter().filter(|record| !made.contains(record)).map(of) {
        points.push(format!("{version}: {TRIES} records \"{message}\", and upstream does not give that"));
    }
    for (version, message) in made.iter().filter(|record| !claimed.contains(record)).map(of) {
        points.push(format!("{version}: {TRIES} lacks \"{message}\", which the registry's tool records"));
    }
    if points.is_empty() {
        points.push(format!("the file: {TRIES} is not as the registry's tool writes it"));
    }
    points
}
