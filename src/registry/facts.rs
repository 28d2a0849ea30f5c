//! What the world was observed to say about one upstream repository, when, and from where.
//!
//! Not knowing is a value: [`Observed::Unasked`] and [`Observed::Unknown`] can never be read as "nothing there", so a
//! throttled or unread source cannot end as `current`. Facts belong to repositories, not to addresses: twins such as
//! `hashicorp/aws` and `opentofu/aws` share them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// One fact with its time, or why there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Observed<T> {
    /// Nobody asked: the question lies beyond the depth of the survey.
    #[default]
    Unasked,
    /// The source answered.
    Known { value: T, at: Timestamp },
    /// The source answered that there is no such thing (404, 410, or 401 where GitHub hides what is missing).
    Absent { at: Timestamp, status: u16 },
    /// The source was asked and failed, or was throttled.
    Unknown { at: Timestamp, why: Why },
}

impl<T> Observed<T> {
    pub(crate) fn known(&self) -> Option<&T> {
        match self {
            Self::Known { value, .. } => Some(value),
            _ => None,
        }
    }

    /// When the source was asked; `None` if it was not.
    pub(crate) fn at(&self) -> Option<Timestamp> {
        match self {
            Self::Unasked => None,
            Self::Known { at, .. } | Self::Absent { at, .. } | Self::Unknown { at, .. } => Some(*at),
        }
    }

    pub(crate) fn is_absent(&self) -> bool {
        matches!(self, Self::Absent { .. })
    }

    pub(crate) fn why(&self) -> Option<&Why> {
        match self {
            Self::Unknown { why, .. } => Some(why),
            _ => None,
        }
    }
}

/// Why a source could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Why {
    /// 403 or 429: asked to slow down, until then if it said so.
    Throttled { until: Option<Timestamp> },
    /// 401 or 403 for lack of rights where a missing repository would not answer so.
    Unauthorized { status: u16 },
    /// 451 or 403 "disabled": taken down or blocked.
    Blocked { status: u16 },
    /// Another status, 5xx among them.
    Status { status: u16 },
    /// It answered that there is no such thing, and another source says or may say that there is.
    Doubted { status: u16, because: String },
    /// No connection, time-out, cut off.
    Transport { text: String },
    /// An answer of the wrong form: HTML instead of a feed, broken pkt-lines, invalid JSON.
    Protocol { text: String },
    /// An answer over the size limit of the registry's own client.
    TooLarge { limit_bytes: u64 },
    /// No token, and this source needs one.
    NoToken,
    /// The survey was stopped before this source was read.
    Cancelled,
}

impl Why {
    /// The reason in plain words, without a full stop.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Throttled { until: Some(until) } => {
                format!("throttled until {}", until.strftime("%Y-%m-%d %H:%M:%SZ"))
            }
            Self::Throttled { until: None } => "throttled".into(),
            Self::Unauthorized { status } => format!("not allowed to read it (HTTP {status})"),
            Self::Blocked { status } => format!("blocked upstream (HTTP {status})"),
            Self::Status { status } => format!("it answered HTTP {status}"),
            Self::Doubted { status, because } => format!("it answered HTTP {status}, {because}"),
            Self::Transport { text } => format!("no answer: {text}"),
            Self::Protocol { text } => format!("unreadable answer: {text}"),
            Self::TooLarge { limit_bytes } => format!("the answer is over {limit_bytes} bytes"),
            Self::NoToken => "needs a GitHub token".into(),
            Self::Cancelled => "the survey was stopped first".into(),
        }
    }

    /// The reason without a timestamp. Texts for GitHub must not change from one moment to the next, because a digest
    /// of every byte confirms what is sent.
    pub(crate) fn cause(&self) -> String {
        match self {
            Self::Throttled { .. } => Self::Throttled { until: None }.text(),
            other => other.text(),
        }
    }
}

/// A tag as `ls-refs` lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tag {
    /// The name after `refs/tags/`, raw.
    pub(crate) name: Box<str>,
    /// The id in the first column: for an annotated tag the tag object's (`registry.md#module-files`).
    pub(crate) oid: Box<str>,
    /// The commit that an annotated tag points to, if the server named it.
    pub(crate) peeled: Option<Box<str>>,
}

impl Tag {
    /// The commit that the tag points to. If the server did not name it, this is the annotated tag's own id.
    pub(crate) fn commit(&self) -> &str {
        self.peeled.as_deref().unwrap_or(&self.oid)
    }

    /// Returns true if the recorded id is the tag's own id or the commit that the tag points to.
    pub(crate) fn is_at(&self, recorded: &str) -> bool {
        let is_it = |id: &str| id.eq_ignore_ascii_case(recorded);
        is_it(&self.oid) || self.peeled.as_deref().is_some_and(is_it)
    }
}

/// All tags of a repository, in the server's order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tags {
    pub(crate) list: Vec<Tag>,
    /// Where the requests ended, if a redirect was followed.
    pub(crate) moved: Option<Moved>,
}

impl Tags {
    pub(crate) fn find(&self, name: &str) -> Option<&Tag> {
        self.list.iter().find(|tag| &*tag.name == name)
    }
}

/// The name that a redirect led to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Moved {
    pub(crate) owner: Box<str>,
    pub(crate) name: Box<str>,
}

/// The entries of `releases.atom`, newest first by the feed's own date.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Feed {
    /// The numeric id of the repository, from the entry ids; `None` for an empty feed.
    pub(crate) repository_id: Option<u64>,
    pub(crate) entries: Vec<FeedEntry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FeedEntry {
    /// Everything after `Repository/<number>/`, raw.
    pub(crate) tag: Box<str>,
    pub(crate) updated: Timestamp,
}

/// Everything observed about one repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// The truth about which versions exist, for both kinds.
    pub(crate) tags: Observed<Tags>,
    pub(crate) feed: Observed<Feed>,
    /// The numeric id seen by the first survey that saw one. A different one later means that the name was re-used.
    pub(crate) first_repository_id: Option<u64>,
    /// The numeric id of the newest feed that had one: a feed that fails later does not make it forgotten.
    pub(crate) last_repository_id: Option<u64>,
    /// What was asked about single tags, by raw tag.
    pub(crate) releases: BTreeMap<Box<str>, ReleaseFacts>,
    /// When a tag was first seen by us, for tags that no feed entry dates, by raw tag.
    pub(crate) first_seen: BTreeMap<Box<str>, Timestamp>,
    /// The signatures over the sums in `releases`, by raw tag. The bytes are kept and not what they came to: a key file that
    /// changes, or a key that expires, is judged anew without asking anybody. Kept beside the rest, so that facts of an
    /// older bumpdesk still load.
    #[serde(skip)]
    pub(crate) signatures: BTreeMap<Box<str>, Observed<Box<[u8]>>>,
    /// Archives that verifications hashed, by raw tag and file name.
    #[serde(skip)]
    pub(crate) zips: BTreeMap<Box<str>, BTreeMap<Box<str>, SeenZip>>,
    /// The archive because of which a rebuild gave up a version, by raw tag.
    #[serde(skip)]
    pub(crate) broken: BTreeMap<Box<str>, BrokenArchive>,
}

impl Facts {
    /// The numeric id that the newest feed gives, else the one that was seen last.
    pub(crate) fn repository_id(&self) -> Option<u64> {
        self.feed.known().and_then(|feed| feed.repository_id).or(self.last_repository_id)
    }
}

/// An archive that was downloaded and hashed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SeenZip {
    /// In lower-case hex.
    pub(crate) sha256: Box<str>,
    /// With its prefix; empty: it has none.
    pub(crate) h1: Box<str>,
    pub(crate) size_bytes: u64,
    pub(crate) at: Timestamp,
}

/// An archive that the registry's tool cannot index, as found by a rebuild. The fault counts until the release
/// changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BrokenArchive {
    pub(crate) file: Box<str>,
    pub(crate) fault: ArchiveFault,
    /// The archive's checksum in SHA256SUMS.
    pub(crate) listed: Box<str>,
    /// The id of the release, if the releases API was read.
    pub(crate) release_id: Option<u64>,
    /// The node id of the asset, if the releases API listed the archive.
    pub(crate) asset_id: Option<Box<str>>,
    pub(crate) at: Timestamp,
}

/// The reason why the registry's tool cannot index an archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ArchiveFault {
    /// SHA256SUMS lists the archive, but the release does not have it.
    Absent,
    /// The asset is empty, as after an interrupted upload.
    Empty,
    /// The archive is as large as the limit of the registry's tool, or larger.
    TooLarge { limit_bytes: u64 },
    /// The archive's SHA-256 differs from the one in SHA256SUMS.
    OtherSum { sha256: Box<str> },
    /// The archive is an HTML page.
    Page,
    /// The archive has the listed SHA-256 but is not a readable zip, for the given reason.
    Unreadable { why: Box<str> },
}

/// What was made of a file of a release, and the file as it came: what the release says of it may be something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Served<T> {
    pub(crate) value: T,
    pub(crate) name: Box<str>,
    pub(crate) size_bytes: u64,
    /// In lower-case hex.
    pub(crate) sha256: Box<str>,
}

impl<T> Served<T> {
    pub(crate) fn new(value: T, url: &str, bytes: &[u8]) -> Self {
        let name = url.rsplit('/').next().unwrap_or(url);
        Self {
            value,
            name: name.into(),
            size_bytes: bytes.len() as u64,
            sha256: crate::registry::digest(bytes).into(),
        }
    }
}

/// What was observed about the release of one tag (depth `sums`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReleaseFacts {
    /// Release and assets, from REST or GraphQL.
    pub(crate) info: Observed<ReleaseInfo>,
    /// The SHA256SUMS document. `Absent`: neither the plain name nor the one with `_v<version>_` is there.
    pub(crate) sums: Observed<Sums>,
    /// The manifest's protocols. `Absent`: no manifest, so the registry assumes 5.0.
    pub(crate) manifest: Observed<Protocols>,
}

/// A release as the API tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReleaseInfo {
    /// A release made anew under the same tag has another id.
    pub(crate) id: Option<u64>,
    pub(crate) tag: Box<str>,
    pub(crate) draft: bool,
    pub(crate) prerelease: bool,
    pub(crate) created_at: Option<Timestamp>,
    pub(crate) published_at: Option<Timestamp>,
    pub(crate) assets: Vec<Asset>,
    /// There were more assets than were read.
    pub(crate) truncated: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Asset {
    /// GitHub's node id, the same in both of its APIs. A re-uploaded asset has another one.
    pub(crate) id: Option<Box<str>>,
    pub(crate) name: Box<str>,
    pub(crate) size_bytes: u64,
    /// `sha256:<hex>`; `None` for uploads before June 2025.
    pub(crate) digest: Option<Box<str>>,
    pub(crate) updated_at: Option<Timestamp>,
}

/// A SHA256SUMS document: where it was found and its text as served.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sums {
    /// The canonical URL that answered.
    pub(crate) url: Box<str>,
    pub(crate) text: Box<str>,
    /// `Last-Modified` of the answer, if it had one.
    pub(crate) modified: Option<Timestamp>,
}

/// What the manifest says about protocols (`registry.md#what-the-bump-makes-of-a-tag`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Protocols {
    /// `metadata.protocol_versions` as listed; an empty list stays one.
    Listed(Vec<Box<str>>),
    /// Valid JSON without the list: the registry takes 5.0.
    Unlisted,
    /// No valid JSON: the registry takes 5.0.
    Invalid,
}
