//! What of the facts about a repository no verdict asks for any more.
//!
//! Tags, feed and ids stay, whatever their age: the next survey tells by them which tags are new, and whether the name was
//! taken by somebody else. Each is replaced when it is read again, so that they grow as the repository does. What was asked
//! about single tags does not go by itself: every release that was ever missing would stay.

use std::collections::HashSet;

use jiff::{SignedDuration, Timestamp};

use crate::registry::{Facts, Kind, Observed, Row};
use crate::rules::judge::{FACTS_LAST, missing_tags};

/// Facts of a repository that nobody asked about for so long: its entry left the registry, or the registry is used no more.
pub(crate) const UNASKED_LAST: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Takes away what was asked about single tags and says nothing any more of the rows that share the repository. Of a missing
/// version it stays: when it was published, and when its sums were read, is told until it is indexed.
pub(crate) fn forget(facts: &mut Facts, rows: &[&Row], now: Timestamp) {
    // What a clock that was wrong has read in the future is not old by that.
    let is_old = |at: Timestamp| now.duration_since(at) > FACTS_LAST;
    let is_spent = |at: Option<Timestamp>| at.is_none_or(is_old);
    if let Some(tags) = facts.tags.known() {
        let rows = rows.iter().filter(|row| row.kind() == Kind::Provider);
        let missing: HashSet<&str> = rows
            .flat_map(|row| missing_tags(row.kind(), row.shape.version_list(), tags))
            .map(|tag| &*tag.name)
            .collect();
        facts.releases.retain(|tag, release| {
            missing.contains(&**tag) || !(is_spent(release.sums.at()) && is_spent(release.info.at()))
        });
    }
    facts.signatures.retain(|_, signature| !is_spent(Observed::at(signature)));
    facts.broken.retain(|_, broken| !is_old(broken.at));
    facts.zips.retain(|_, zips| {
        zips.retain(|_, zip| !is_old(zip.at));
        !zips.is_empty()
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Address, ReleaseFacts, SeenZip, Shape, Tag, Tags};

    /// 1.0.0 is indexed and 1.1.0 is missing; that nothing of use goes is held by every verdict of `judge/tests`.
    #[test]
    fn what_was_asked_of_indexed_tags_goes_after_a_day() {
        let now = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(1000);
        let shape = Shape::parse(Kind::Provider, br#"{"versions":[{"version":"1.0.0"}]}"#);
        let row = Row::new(Address::provider("a", "b"), shape);
        for (hours, kept) in [(24, 3), (25, 1), (-1, 3)] {
            let at = now - SignedDuration::from_hours(hours);
            let tag = |name: &str| Tag { name: name.into(), oid: "1".into(), peeled: None };
            let tags = Tags { list: vec![tag("v1.0.0"), tag("v1.1.0")], moved: None };
            let release =
                || ReleaseFacts { sums: Observed::Absent { at, status: 404 }, ..Default::default() };
            let zip = SeenZip { sha256: "00".into(), h1: "".into(), size_bytes: 0, at };
            let mut facts = Facts {
                tags: Observed::Known { value: tags, at },
                first_repository_id: Some(7),
                // The third one's tag is gone upstream.
                releases: ["v0.9.0", "v1.0.0", "v1.1.0"].map(|tag| (tag.into(), release())).into(),
                signatures: [("v1.0.0".into(), Observed::Absent { at, status: 404 })].into(),
                zips: [("v1.0.0".into(), [("x.zip".into(), zip)].into())].into(),
                ..Facts::default()
            };
            let before = facts.clone();
            forget(&mut facts, &[&row], now);
            assert_eq!(facts.releases.len(), kept, "{hours}");
            assert!(facts.releases.contains_key("v1.1.0"));
            assert_eq!((facts.signatures.len(), facts.zips.len()), (kept / 3, kept / 3), "{hours}");
            assert_eq!((&facts.tags, facts.first_repository_id), (&before.tags, Some(7)));
        }
    }
}
