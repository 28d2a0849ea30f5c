//! One target as it was observed. The shape is that of a report's line: words in kebab case, times in RFC 3339, sizes in bytes.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::registry::Address;
use crate::rules::anatomy;
use crate::rules::executable::Executable;

/// What is known of one target of one version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    pub address: Address,
    /// As stored, without a leading `v`.
    pub version: String,
    /// `linux_amd64`.
    pub target: String,
    pub filename: String,
    /// Canonical download URL.
    pub url: String,
    pub stored: Stored,
    /// What SHA256SUMS says of the file today.
    pub listed: Listed,
    /// What the API says of the asset; nothing was downloaded for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asset: Option<AssetSays>,
    /// Why the API, which was asked, says nothing of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) asset_unread: Option<String>,
    /// Platforms of the version whose archives SHA256SUMS lists and the data file does not; the same in all its rows. Empty where
    /// only some targets were asked about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_indexed: Vec<String>,
    pub zip: Zip,
    /// Who signed SHA256SUMS.
    pub signature: SignatureSays,
    #[serde(default)]
    pub times: Times,
    /// The tag that the version was indexed from, as it is today.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<TagSays>,
    /// Sentences about what clients refuse in the data file, regardless of the archive.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) refused: Vec<String>,
}

/// What upstream says of the tag of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TagSays {
    /// Raw.
    pub(crate) name: String,
    pub(crate) is: TagIs,
}

/// A tag's commit (for an annotated tag the id of the tag itself), today and at an earlier look.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TagIs {
    At { commit: String },
    Moved { commit: String, was: String },
    Gone,
    Unread { why: String },
}

/// What the data file says. Empty or 0: the field is there and not filled in, or is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// SHA-256 of the zip in hex.
    pub(crate) shasum: String,
    /// With its `h1:` prefix.
    #[serde(default)]
    pub(crate) h1: String,
    #[serde(default)]
    pub(crate) size_bytes: u64,
}

/// What SHA256SUMS says of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Listed {
    /// It was not read (yet).
    NotAsked,
    /// The sum as it stands in the document.
    Sum { sum: String },
    /// The document is there and does not name the file.
    #[serde(rename = "not-listed")]
    Omitted,
    /// There is no such document any more.
    SumsGone,
    /// It could not be read.
    Unread { why: String },
}

/// What the API says of an asset.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssetSays {
    /// GitHub's node id; a file that was re-uploaded has another one.
    #[serde(default)]
    pub id: Option<String>,
    pub(crate) size_bytes: u64,
    /// SHA-256 in hex; GitHub computes it for uploads since June 2025.
    #[serde(default)]
    pub(crate) sha256: Option<String>,
    #[serde(default)]
    pub(crate) updated_at: Option<Timestamp>,
}

/// What became of the zip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::large_enum_variant, reason = "nearly every row ends hashed: a box would save nothing")]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Zip {
    /// It was not downloaded.
    NotDone,
    Hashed(Computed),
    /// The URL answers that there is nothing.
    Gone,
    /// It was left out for a reason that is no fault of it, such as its size.
    Skipped {
        why: String,
    },
    /// It could not be read to its end, or is no zip that can be hashed.
    Failed {
        why: String,
    },
    /// The run was stopped before.
    Cancelled,
}

/// What a downloaded zip hashes to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Computed {
    /// Of the bytes as they came, in hex.
    pub sha256: String,
    pub size_bytes: u64,
    /// Of the entries, as the registry computes it; `None` if it cannot be computed, and [`Computed::remarks`] say why.
    #[serde(default)]
    pub h1: Option<String>,
    /// Of the installed package, where it is another: such a package never matches the registry's h1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub h1_installed: Option<String>,
    /// The h1 of the package as root installs it, if no other user can. Lock files that root wrote contain it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub h1_as_root: Option<String>,
    /// When it was hashed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hashed_at: Option<Timestamp>,
    /// Why its entries were not hashed, where that is a limit of this program and no fault of the archive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_limit: Option<String>,
    /// Why no client can unpack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_installable: Option<String>,
    /// Why it has no h1, although clients unpack it: they install it once, and no more with the lock file that they wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unlockable: Option<String>,
    /// Whether a client that has unpacked it finds the provider's binary; `None`: nobody looked, as where it cannot be unpacked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has_binary: Option<bool>,
    /// The system that the header of that binary names; `None` if the header is not known here or was not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) executable: Option<Executable>,
    /// Why the zip had to be read a second time from a copy; `None`: it was hashed while it arrived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spooled: Option<String>,
    /// What is odd about the archive.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

impl Computed {
    /// Whether clients fail on it, whatever its checksums are.
    pub(crate) fn is_unfit(&self) -> bool {
        self.not_installable.is_some() || self.unlockable.is_some() || self.has_binary == Some(false)
    }
}

/// Who signed SHA256SUMS.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum SignatureSays {
    /// It was not read (yet).
    NotAsked,
    /// There is no key on file, so no client asks for a signature.
    NoKeys,
    /// A key on file made it. Warnings: the key has expired, and the like.
    Good {
        by: String,
        file: String,
        #[serde(default)]
        warnings: Vec<String>,
    },
    /// Keys that are not on file made it.
    OtherKey { signed_by: Vec<String>, on_file: Vec<String> },
    /// Clients refuse it, or there is none in its file: why, as a sentence of its own.
    Bad { why: String },
    /// Keys are on file, and there is no signature.
    Gone,
    /// It could not be read.
    Unread { why: String },
}

/// The times that tell a new upload from an old one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// When the version came into the data file, and how that is known.
    #[serde(default)]
    pub(crate) indexed_at: Option<Timestamp>,
    #[serde(default)]
    pub(crate) indexed_by: String,
    #[serde(default)]
    pub(crate) release_created_at: Option<Timestamp>,
    #[serde(default)]
    pub(crate) release_published_at: Option<Timestamp>,
}

impl Row {
    /// Whether an earlier report's row is about the same bytes of the data file, so that it need not be made again.
    pub(crate) fn is_of(&self, other: &Self) -> bool {
        self.address == other.address
            && self.version == other.version
            && self.target == other.target
            && self.url == other.url
            && self.stored == other.stored
            && self.refused == other.refused
    }

    /// Whether it is not known what became of the tag that it was indexed from.
    pub(crate) fn has_unread_tag(&self) -> bool {
        matches!(&self.tag, Some(TagSays { is: TagIs::Unread { .. }, .. }))
    }

    /// A sentence about a binary whose header shows that it cannot start on the target.
    pub(crate) fn other_system(&self) -> Option<String> {
        let Zip::Hashed(computed) = &self.zip else { return None };
        computed.executable.as_ref()?.other_system(&self.target)
    }

    /// What a client says that unpacked it and found no binary to start.
    pub(crate) fn no_binary(&self) -> String {
        anatomy::no_binary(self.address.name())
    }

    /// Bytes that the zip has, as far as anything says so.
    pub fn size_bytes(&self) -> Option<u64> {
        if let Zip::Hashed(computed) = &self.zip {
            Some(computed.size_bytes)
        } else {
            let asset = self.asset.as_ref().map(|asset| asset.size_bytes);
            asset.filter(|size| *size > 0).or(Some(self.stored.size_bytes).filter(|size| *size > 0))
        }
    }
}
