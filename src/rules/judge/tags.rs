//! Compares module tags with the commits that the registry recorded for them.
//!
//! The registry records the id in the first column of git's list, which for an annotated tag is the id of the tag
//! itself. A file may also contain the commit that the tag points to. A tag has not moved if either id is the
//! recorded one.

use std::collections::HashMap;

use jiff::Timestamp;

use crate::registry::version::Version;
use crate::registry::{Kind, ModuleEntry, ModuleVersion, Tag, Tags, short_id};
use crate::rules::amount::{counted, minute};
use crate::rules::judge::Case;
use crate::rules::judge::missing::decided;
use crate::rules::verdict::{NO_COMMIT, TAG_MOVED};
use crate::rules::{Finding, Status, VersionMark, VersionState};

/// The most moved tags that get a finding of their own. The others are only counted.
const NAMED_MAX: usize = 20;

/// The lint rule, and the alarm of an entry, for a repository whose recorded tags have all moved.
pub(crate) const ALL_MOVED: &str = "all-tags-moved";

/// The result of comparing a module's tags with its recorded commits.
#[derive(Default)]
pub(super) struct Compared {
    /// The end of a sentence that reports no fault: it names the tags that could not be compared.
    pub(super) not_known: String,
    /// A state for each version whose tag moved.
    pub(super) versions: Vec<VersionState>,
    pub(super) findings: Vec<Finding>,
}

/// Compares the existing tags with the recorded commits. Provider files record no commits.
pub(super) fn compare(case: &Case<'_>, tags: &Tags, read_at: Timestamp) -> Compared {
    if case.address.kind() == Kind::Provider {
        return Compared::default();
    }
    let Some(entry) = case.entry.and_then(|entry| entry.as_module()) else {
        let moves = Moves { not_known: case.shape.version_count, ..Moves::default() };
        return Compared { not_known: moves.not_known_text(), ..Compared::default() };
    };
    let moves = Moves::of(entry, tags, read_at);
    let mut findings: Vec<Finding> = moves.all_moved(read_at).into_iter().collect();
    findings.extend(moves.moved.iter().take(NAMED_MAX).map(|(version, recorded, tag)| {
        let text = format!(
            "the tag was moved since it was indexed: {recorded} is recorded, {} is upstream; clients ask for the recorded one",
            tag.commit()
        );
        Finding::warning("tag-moved", text).on(version.version.clone())
    }));
    if let Some(more) = moves.moved.len().checked_sub(NAMED_MAX).filter(|more| *more > 0) {
        let text = format!("{more} more tags were moved since they were indexed");
        findings.push(Finding::warning("tag-moved", text));
    }
    let state = |(version, recorded, tag): &(&ModuleVersion, &str, &Tag)| VersionState {
        version: version.version.clone(),
        tag: Some(tag.name.to_string()),
        mark: decided(case, &version.version).unwrap_or(VersionMark::Is(Status::Drifted)),
        reason: format!("{TAG_MOVED}: commit {} → {}", short_id(recorded), short_id(tag.commit())),
        published: None,
        published_by: None,
        targets: None,
        attempts: 0,
        next_try: None,
    };
    Compared {
        not_known: moves.not_known_text(),
        versions: moves.moved.iter().map(state).collect(),
        findings,
    }
}

/// The alarm for a module of which all comparable tags have moved, if there are at least two.
pub(crate) fn all_tags_moved(entry: &ModuleEntry, tags: &Tags, read_at: Timestamp) -> Option<Finding> {
    Moves::of(entry, tags, read_at).all_moved(read_at)
}

/// The versions of a module, sorted by the state of their tags. A version without a tag is not counted.
#[derive(Default)]
struct Moves<'a> {
    equal: u32,
    /// Each version with its recorded commit and its present tag.
    moved: Vec<(&'a ModuleVersion, &'a str, &'a Tag)>,
    not_known: u32,
}

fn is_shorthand(version: &str) -> bool {
    Version::parse(version).is_ok_and(|version| version.is_shorthand())
}

impl<'a> Moves<'a> {
    fn of(entry: &'a ModuleEntry, tags: &'a Tags, read_at: Timestamp) -> Self {
        let today: HashMap<&str, &Tag> = tags.list.iter().map(|tag| (&*tag.name, tag)).collect();
        let mut moves = Self::default();
        for version in &entry.versions {
            let Some(tag) = today.get(version.version.as_str()) else { continue };
            // Tags that were read before the version was indexed may be older than its recorded commit.
            let is_older = version.discovered.is_some_and(|discovered| discovered > read_at);
            match version.recorded_commit().filter(|_| !is_older) {
                None => moves.not_known += 1,
                Some(recorded) if tag.is_at(recorded) => moves.equal += 1,
                // Authors move a tag such as `v1` with each release, and clients cannot download it.
                Some(_) if is_shorthand(&version.version) => {}
                Some(recorded) => moves.moved.push((version, recorded, tag)),
            }
        }
        moves
    }

    /// The text `; 1 tag not compared with a commit`; empty if all tags were compared.
    fn not_known_text(&self) -> String {
        match (self.equal, self.moved.len(), self.not_known) {
            (.., 0) => String::new(),
            (0, 0, _) => format!("; {NO_COMMIT}"),
            (.., count) => format!("; {} not compared with a commit", counted(count, "tag")),
        }
    }

    fn all_moved(&self, read_at: Timestamp) -> Option<Finding> {
        let count = self.moved.len();
        (count > 1 && self.equal == 0).then(|| {
            let text = format!(
                "all {count} tags with a recorded commit point to other commits, as read on {}: the history was rewritten, or \
                 somebody else has the repository; ask its owner before anybody trusts it",
                minute(read_at)
            );
            Finding::error(ALL_MOVED, text)
        })
    }
}
