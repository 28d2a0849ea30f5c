//! What an entry's bump status is and why: the words of the answer. `judge` (in `rules::judge`) gives it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::registry::Kind;
use crate::rules::finding::Finding;
use crate::rules::status::{Level, Status};
use crate::rules::verify;
use crate::settings::words;

words! {
    /// How deep the facts go that a verdict rests on.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Depth: [name] {
        /// The newest feed entry alone (`--gate feed`).
        Feed = "feed",
        /// Tags, and the feed of providers.
        Versions = "versions",
        /// Also SHA256SUMS, asset times and digests of the indexed versions.
        Sums = "sums",
    }
}

words! {
    /// Where a fact came from.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Source: [name] {
        /// The data file itself.
        File = "data file",
        /// `git ls-refs` of the upstream repository.
        Tags = "git tags",
        /// `releases.atom`.
        Feed = "releases feed",
        /// The releases API.
        Api = "releases API",
        /// SHA256SUMS or the manifest.
        Sums = "SHA256SUMS",
        /// The signature of SHA256SUMS, against the keys on file.
        Signature = "SHA256SUMS.sig",
        /// Archives that a verification downloaded.
        Zips = "verified zips",
        /// What bumpdesk kept from earlier surveys.
        Memory = "earlier survey",
        /// No result yet, because the registry is still being read.
        Pending = "being read",
    }
}

/// The fact that decided a status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Because {
    /// The fact in words, lower case, without a full stop: `v3.70.1 is tagged upstream and not indexed`.
    pub text: String,
    pub source: Source,
    /// When the source was read; `None` for the data file and for what was never asked.
    #[serde(with = "moment")]
    pub at: Option<Timestamp>,
}

/// The state of one version that is not plainly indexed and equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum VersionMark {
    /// On the blacklist.
    Blocked,
    /// We decided to leave it out of the status.
    Ignored,
    /// It has this status of its own.
    Is(Status),
}

impl From<VersionMark> for &'static str {
    fn from(mark: VersionMark) -> Self {
        match mark {
            VersionMark::Blocked => "blocked",
            VersionMark::Ignored => "ignored",
            VersionMark::Is(status) => status.name(),
        }
    }
}

impl TryFrom<String> for VersionMark {
    type Error = &'static str;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        match &*name {
            "blocked" => Ok(Self::Blocked),
            "ignored" => Ok(Self::Ignored),
            name => Status::from_name(name).map(Self::Is).ok_or("no such mark"),
        }
    }
}

/// One version worth a line: missing, gone, drifted, blocked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionState {
    /// Without a leading `v` for providers; the raw tag for modules.
    pub version: String,
    /// The raw tag upstream, if there is one.
    pub(crate) tag: Option<String>,
    #[serde(rename = "status")]
    pub mark: VersionMark,
    /// Why, in words.
    pub reason: String,
    /// When it appeared, if anybody knows.
    pub published: Option<Timestamp>,
    /// How we know.
    pub published_by: Option<PublishedBy>,
    /// Targets that the bump would index (missing versions) or that are indexed.
    pub targets: Option<u32>,
    /// Recorded failed tries.
    pub attempts: u32,
    /// When the bump tries it again.
    pub next_try: Option<Timestamp>,
}

impl VersionState {
    /// Its own status, unless it is left out of the entry's.
    pub(crate) fn status(&self) -> Option<Status> {
        match self.mark {
            VersionMark::Is(status) => Some(status),
            VersionMark::Blocked | VersionMark::Ignored => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PublishedBy {
    /// The feed's entry.
    Feed,
    /// The releases API.
    Api,
    /// A survey of ours saw it first then; it may be older.
    FirstSeen,
}

/// The answer for one entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    pub status: Status,
    /// The depth of the check. Nothing is claimed beyond it. `None` if nothing was checked.
    pub depth: Option<Depth>,
    pub because: Because,
    #[serde(rename = "indexed")]
    pub highest_indexed: Option<Box<str>>,
    /// The highest version among the upstream tags; `None` while they are unknown.
    #[serde(rename = "upstream")]
    pub highest_upstream: Option<Box<str>>,
    /// The number of versions that exist upstream, can be indexed and are not indexed; `None` while it is not known.
    pub missing: Option<u32>,
    /// The age that lists show: when the oldest missing version appeared, the newest one was indexed, or nothing.
    #[serde(with = "moment")]
    pub since: Option<Timestamp>,
    /// The oldest reading among the facts that the verdict rests on; `None` if none was asked for, or none could be read.
    #[serde(with = "moment")]
    pub checked_at: Option<Timestamp>,
    /// The versions that are not plainly fine, highest first.
    pub versions: Vec<VersionState>,
    pub findings: Vec<Finding>,
}

/// A moment as people read it in JSON, and as seconds and nanoseconds in a cache file: a start reads three for each entry.
mod moment {
    use jiff::Timestamp;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "serde hands a field out by reference")]
    pub(super) fn serialize<S: Serializer>(at: &Option<Timestamp>, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return at.serialize(serializer);
        }
        at.map(|at| (at.as_second(), at.subsec_nanosecond())).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Timestamp>, D::Error> {
        if deserializer.is_human_readable() {
            return Option::deserialize(deserializer);
        }
        let parts = Option::<(i64, i32)>::deserialize(deserializer)?;
        let at = parts.map(|(second, nanosecond)| Timestamp::new(second, nanosecond)).transpose();
        at.map_err(serde::de::Error::custom)
    }
}

/// The reason why the state of an entry is not known. Each reason has its own advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gap {
    /// The registry is still being read; the row will be filled in.
    Loading,
    /// The data file cannot be read.
    BrokenFile,
    /// Upstream was not read yet.
    Unasked,
    /// The facts are too old to count.
    TooOld,
    /// A source could not be read.
    Unread,
}

impl Gap {
    /// The meaning, the result of doing nothing, and the next step; `None` if the status has suitable sentences.
    fn words(self) -> Option<(&'static str, &'static str, &'static str)> {
        Some(match self {
            Self::Loading => (
                "not read yet: the registry is being loaded",
                "nothing is lost: the row is filled in by itself",
                "wait until the registry is loaded",
            ),
            Self::BrokenFile => (
                "the data file cannot be read, so nothing else is known",
                "no bump adds a version to it until the file is repaired",
                "repair the file in the registry's repository, at the place named",
            ),
            Self::Unasked => {
                ("no survey has compared it with upstream yet", Status::Unknown.row().if_left, "survey it")
            }
            Self::TooOld => (
                "no survey has checked it in the last 24 hours",
                Status::Unknown.row().if_left,
                "survey it again: what was read is too old to count",
            ),
            Self::Unread => return None,
        })
    }
}

/// The finding that all of a version's differing checksums are the registry's own fault.
pub(super) const WRONG_IN_REGISTRY: &str = "wrong-in-registry";
/// The finding that some of them are.
pub(super) const PARTLY_WRONG: &str = "partly-wrong-in-registry";
/// The finding that nothing tells yet who is at fault where checksums differ.
pub(super) const NOT_HASHED: &str = "not-hashed";

impl Verdict {
    /// No more than a status and its reason.
    pub fn new(status: Status, because: Because) -> Self {
        Self {
            status,
            because,
            depth: None,
            versions: Vec::new(),
            findings: Vec::new(),
            highest_indexed: None,
            highest_upstream: None,
            missing: None,
            since: None,
            checked_at: None,
        }
    }

    /// Whether the data file itself cannot be read, so that nothing else was looked at.
    pub(crate) fn has_broken_file(&self) -> bool {
        self.findings.iter().any(|finding| finding.rule == "broken-file")
    }

    /// The reason why the state of the entry is not known; `None` if it is known.
    pub(crate) fn gap(&self) -> Option<Gap> {
        if !self.status.is_unknown() {
            return None;
        }
        Some(match self.because.source {
            Source::Pending => Gap::Loading,
            Source::File => Gap::BrokenFile,
            _ if self.has_broken_file() => Gap::BrokenFile,
            _ if self.because.at.is_none() => Gap::Unasked,
            _ if self.depth.is_none() && self.checked_at.is_some() => Gap::TooOld,
            _ => Gap::Unread,
        })
    }

    /// The level of the status. Entries that were never asked about only wait for a survey.
    pub fn level(&self) -> Level {
        if self.is_unasked() { Level::Wait } else { self.status.row().level }
    }

    /// Returns true if upstream was not asked about the entry yet. A file that cannot be read is another case: it needs a
    /// person.
    pub(crate) fn is_unasked(&self) -> bool {
        matches!(self.gap(), Some(Gap::Loading | Gap::Unasked))
    }

    /// Returns true if a person should look at the entry: it neither waits nor is fine.
    pub(crate) fn needs_attention(&self) -> bool {
        self.level() <= Level::Look
    }

    /// The status in plain words: `tag or release deleted`. They blame no author for what the registry has wrong.
    pub fn plain(&self, kind: Kind) -> &'static str {
        match (self.gap(), self.is_own_fault()) {
            (Some(Gap::Loading), _) => "being read",
            (Some(Gap::BrokenFile), _) => "file unreadable",
            (Some(Gap::Unasked), _) => "never checked",
            (Some(Gap::TooOld), _) => "checked too long ago",
            (_, Some(true)) => "wrong in the registry",
            _ if self.wants_hashing() => "differs from upstream",
            _ => self.status.words_for(kind).plain,
        }
    }

    fn gap_words(&self) -> Option<(&'static str, &'static str, &'static str)> {
        self.gap().and_then(Gap::words)
    }

    /// The result of doing nothing.
    pub(crate) fn if_left(&self, kind: Kind) -> &'static str {
        self.gap_words().map_or(self.status.words_for(kind).if_left, |(_, if_left, _)| if_left)
    }

    /// The word with its depth where nothing deeper was checked: `OK (versions)`.
    pub fn word(&self) -> String {
        match self.depth {
            Some(depth) if self.status.is_fine() && depth < Depth::Sums => {
                format!("{} ({})", self.status.word(), depth.name())
            }
            _ => self.status.word().to_owned(),
        }
    }

    /// Whether the data file is at fault where it differs, and not the author: in all drifted versions, or in some. `None`
    /// where no verified archive says so.
    pub(crate) fn is_own_fault(&self) -> Option<bool> {
        let rules = |version: &VersionState| {
            let about = |finding: &&Finding| finding.version.as_deref() == Some(&*version.version);
            self.findings.iter().filter(about).map(|finding| &*finding.rule).collect::<Vec<_>>()
        };
        let drifted = |version: &&VersionState| version.status().is_some_and(Status::is_drift);
        let drifted: Vec<_> = self.versions.iter().filter(drifted).map(rules).collect();
        let is_own = |rules: &Vec<&str>| rules.contains(&WRONG_IN_REGISTRY);
        let is_partly = |rules: &Vec<&str>| is_own(rules) || rules.contains(&PARTLY_WRONG);
        (self.status.is_drift() && drifted.iter().any(is_partly)).then(|| drifted.iter().all(is_own))
    }

    /// Whether archives have to be hashed before anybody is asked to mend what differs.
    pub(crate) fn wants_hashing(&self) -> bool {
        let is_unhashed = |finding: &Finding| finding.rule == NOT_HASHED;
        self.status.is_drift() && self.is_own_fault().is_none() && self.findings.iter().any(is_unhashed)
    }

    /// What can be done: what the ladder says, unless it would blame the author for what the registry has wrong.
    pub(crate) fn can_do(&self, kind: Kind) -> &'static str {
        if let Some((_, _, can_do)) = self.gap_words() {
            return can_do;
        }
        if self.wants_hashing() {
            return "verify it first: only its archives, hashed, tell whether the author or the registry's file is at fault";
        }
        match self.is_own_fault() {
            Some(true) => verify::PUT_BACK,
            Some(false) => {
                "have the checksums that the registry has wrong put right; ask the author about the others only"
            }
            None => self.status.words_for(kind).can_do,
        }
    }

    /// The meaning of the status for an entry of this kind. It claims no more than was checked.
    pub fn means(&self, kind: Kind) -> &'static str {
        if let Some((means, ..)) = self.gap_words() {
            return means;
        }
        let all = left_out(&self.versions).is_empty();
        if self.status.is_fine() && kind == Kind::Module {
            return self.means_of_tags(all);
        }
        match (self.status.is_fine(), self.depth, all) {
            (true, Some(Depth::Feed), _) => {
                "the newest upstream version is indexed; older ones and checksums not compared"
            }
            (true, Some(Depth::Versions), true) => {
                "every upstream version is indexed; checksums not compared"
            }
            (true, Some(Depth::Versions), false) => {
                "every upstream version is indexed, blocked or ignored; checksums not compared"
            }
            (true, _, false) => {
                "every upstream version is indexed, blocked or ignored; where checksums were compared, none differs"
            }
            _ => self.status.words_for(kind).means,
        }
    }

    /// The meaning of a fine status for a module, which has tags that can move instead of checksums.
    fn means_of_tags(&self, all: bool) -> &'static str {
        let is_moved = |state: &VersionState| state.reason.starts_with(TAG_MOVED);
        let is_not_known = self.because.text.ends_with(NO_COMMIT);
        match (all, self.versions.iter().any(is_moved), is_not_known) {
            (_, true, _) => {
                "every upstream version is indexed, blocked or ignored; a tag that has moved is ignored"
            }
            (true, _, true) => "every upstream version is indexed; whether its tags have moved is not known",
            (false, _, true) => {
                "every upstream version is indexed, blocked or ignored; whether its tags have moved is not known"
            }
            (true, ..) => "every upstream version is indexed; no tag with a recorded commit has moved",
            (false, ..) => {
                "every upstream version is indexed, blocked or ignored; no tag with a recorded commit has moved"
            }
        }
    }
}

/// The end of the reason for a fine module if nothing shows whether its tags have moved.
pub(super) const NO_COMMIT: &str = "no commit is recorded, so whether a tag has moved is not known";
/// The start of the reason of a version whose tag has moved.
pub(crate) const TAG_MOVED: &str = "tag moved";

/// `6.2.0 is blocked`: the versions that are left out of an entry's status; empty without any.
pub(crate) fn left_out(versions: &[VersionState]) -> String {
    let named = |mark: VersionMark, word: &str| {
        let names: Vec<&str> =
            versions.iter().filter(|state| state.mark == mark).map(|state| state.version.as_str()).collect();
        match &names[..] {
            [] => None,
            [one] => Some(format!("{one} is {word}")),
            many => Some(format!("{} are {word}", many[..many.len().min(4)].join(", "))),
        }
    };
    let parts = [named(VersionMark::Blocked, "blocked"), named(VersionMark::Ignored, "ignored")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_status_waits_until_a_check_has_failed() {
        let at = Some(Timestamp::UNIX_EPOCH);
        let unknown = |source, at| Verdict::new(Status::Unknown, Because { text: String::new(), source, at });
        let broken = Verdict {
            findings: vec![Finding::error("broken-file", "broken JSON at 1:2")],
            ..unknown(Source::Tags, None)
        };
        let old = Verdict { checked_at: at, ..unknown(Source::Tags, at) };
        for (verdict, level, plain) in [
            (unknown(Source::Pending, None), Level::Wait, "being read"),
            (unknown(Source::Tags, None), Level::Wait, "never checked"),
            (unknown(Source::Tags, at), Level::Look, "check failed"),
            (old, Level::Look, "checked too long ago"),
            (broken, Level::Look, "file unreadable"),
        ] {
            assert_eq!((verdict.level(), verdict.plain(Kind::Provider)), (level, plain));
            assert_eq!(verdict.needs_attention(), level == Level::Look, "{plain}");
        }
    }

    /// No author is blamed for what the registry has wrong, or before anybody knows who is at fault.
    #[test]
    fn a_drift_is_a_new_upload_only_where_archives_say_so() {
        let because = Because { text: String::new(), source: Source::Sums, at: None };
        let state = VersionState {
            version: "1.0.0".into(),
            tag: None,
            mark: VersionMark::Is(Status::Drifted),
            reason: String::new(),
            published: None,
            published_by: None,
            targets: None,
            attempts: 0,
            next_try: None,
        };
        let drifted = |rules: &[&'static str]| Verdict {
            versions: vec![state.clone()],
            findings: rules.iter().map(|rule| Finding::note(*rule, "").on("1.0.0".to_owned())).collect(),
            ..Verdict::new(Status::Drifted, because.clone())
        };
        for (rules, plain) in [
            (&[][..], "re-uploaded"),
            (&[NOT_HASHED], "differs from upstream"),
            (&[WRONG_IN_REGISTRY], "wrong in the registry"),
        ] {
            assert_eq!(drifted(rules).plain(Kind::Provider), plain);
        }
    }
}
