//! What an entry's bump status is and why: the words of the answer. `judge` (in `rules::judge`) gives it.

use jiff::Timestamp;

use crate::rules::finding::Finding;
use crate::rules::status::Status;

/// How deep the facts go that a verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Depth {
    /// The newest feed entry alone (`--gate feed`).
    Feed,
    /// Tags, and the feed of providers.
    Versions,
    /// Also SHA256SUMS, asset times and digests of the indexed versions.
    Sums,
}

impl Depth {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Feed => "feed",
            Self::Versions => "versions",
            Self::Sums => "sums",
        }
    }
}

/// Where a fact came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The data file itself.
    File,
    /// `git ls-refs` of the upstream repository.
    Tags,
    /// `releases.atom`.
    Feed,
    /// The releases API.
    Api,
    /// SHA256SUMS or the manifest.
    Sums,
    /// The signature of SHA256SUMS, against the keys on file.
    Signature,
    /// Archives that a verification downloaded.
    Zips,
    /// What bumpdesk kept from earlier surveys.
    Memory,
}

impl Source {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::File => "data file",
            Self::Tags => "git tags",
            Self::Feed => "releases feed",
            Self::Api => "releases API",
            Self::Sums => "SHA256SUMS",
            Self::Signature => "SHA256SUMS.sig",
            Self::Zips => "verified zips",
            Self::Memory => "earlier survey",
        }
    }
}

/// The fact that decided a status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Because {
    /// The fact in words, lower case, without a full stop: `v3.70.1 is tagged upstream and not indexed`.
    pub text: String,
    pub source: Source,
    /// When the source was read; `None` for the data file and for what was never asked.
    pub at: Option<Timestamp>,
}

/// The state of one version that is not plainly indexed and equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VersionMark {
    /// It has this status of its own.
    Is(Status),
    /// On the blacklist.
    Blocked,
    /// We decided to leave it out of the status.
    Ignored,
}

/// One version worth a line: missing, gone, drifted, blocked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionState {
    /// Without a leading `v` for providers; the raw tag for modules.
    pub version: String,
    /// The raw tag upstream, if there is one.
    pub(crate) tag: Option<String>,
    pub mark: VersionMark,
    /// Why, in words.
    pub reason: String,
    pub published: Option<Published>,
    /// Targets that the bump would index (missing versions) or that are indexed.
    pub targets: Option<u32>,
    /// Recorded failed tries.
    pub attempts: u32,
    /// When the bump tries it again.
    pub next_try: Option<Timestamp>,
}

/// When a version appeared, and how we know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    pub at: Timestamp,
    pub by: PublishedBy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublishedBy {
    /// The feed's entry.
    Feed,
    /// The releases API.
    Api,
    /// A survey of ours saw it first then; it may be older.
    FirstSeen,
}

/// The answer for one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub status: Status,
    pub because: Because,
    /// What was checked; beyond it nothing is claimed.
    pub depth: Depth,
    /// The versions that are not plainly fine, highest first.
    pub versions: Vec<VersionState>,
    pub findings: Vec<Finding>,
    pub highest_indexed: Option<Box<str>>,
    /// The highest version among the upstream tags; `None` while they are unknown.
    pub highest_upstream: Option<Box<str>>,
    /// Versions that are upstream, indexable and not indexed.
    pub missing: u32,
    /// The age that lists show: when the oldest missing version appeared, the newest one was indexed, or nothing.
    pub since: Option<Timestamp>,
    /// The oldest reading among the facts that the verdict rests on.
    pub checked_at: Option<Timestamp>,
}

impl Verdict {
    /// The word with its depth where nothing deeper was checked: `OK (versions)`.
    pub fn word(&self) -> String {
        match (self.status, self.depth) {
            (Status::Current, Depth::Versions | Depth::Feed) => {
                format!("{} ({})", self.status.word(), self.depth.name())
            }
            _ => self.status.word().to_owned(),
        }
    }
}
