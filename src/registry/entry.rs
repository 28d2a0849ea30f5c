//! Typed views of one data file, for reading alone: every field of `registry.md#provider-files` and
//! `registry.md#module-files`. What is written is
//! always a [`crate::registry::Document`], so that unknown keys and key order survive.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::registry::reading::{Object, objects};
use crate::registry::{Document, Kind, version};

/// One provider or module file, as read.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    Provider(ProviderEntry),
    Module(ModuleEntry),
}

/// A provider file.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct ProviderEntry {
    /// A custom repository: declared in the format, read by no tool (`registry.md#provider-files`).
    #[serde(default)]
    pub(crate) repository: Option<String>,
    #[serde(default, deserialize_with = "objects")]
    pub(crate) versions: Vec<ProviderVersion>,
    #[serde(default, deserialize_with = "objects")]
    pub(crate) versions_errors: Vec<RecordedError>,
    #[serde(default, deserialize_with = "null_is_empty")]
    pub(crate) warnings: Vec<String>,
}

/// One version of a provider.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub(crate) struct ProviderVersion {
    /// Without a leading `v`.
    pub(crate) version: String,
    #[serde(default, deserialize_with = "null_is_empty")]
    pub(crate) protocols: Vec<String>,
    #[serde(default)]
    pub(crate) shasums_url: String,
    #[serde(default)]
    pub(crate) shasums_signature_url: String,
    #[serde(default, deserialize_with = "objects")]
    pub(crate) targets: Vec<Target>,
    /// When the bump added it; absent before April 2026.
    #[serde(default)]
    pub(crate) discovered: Option<Timestamp>,
}

/// One platform's package.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub(crate) struct Target {
    #[serde(default)]
    pub(crate) os: String,
    #[serde(default)]
    pub(crate) arch: String,
    #[serde(default)]
    pub(crate) filename: String,
    #[serde(default)]
    pub(crate) download_url: String,
    /// SHA-256 of the zip: 64 lower-case hex digits.
    #[serde(default)]
    pub(crate) shasum: String,
    /// With its `h1:` prefix; empty if unknown. `None`: the field is not there.
    #[serde(default)]
    pub(crate) h1: Option<String>,
    /// Bytes of the zip; 0 if unknown. `None`: the field is not there.
    #[serde(default)]
    pub(crate) size: Option<u64>,
}

/// One record of a failed try to add a version (`registry.md#failed-tries`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RecordedError {
    /// Without a leading `v`.
    pub(crate) version: String,
    pub(crate) message: String,
    #[serde(rename(serialize = "at"))]
    pub(crate) utc_time: Timestamp,
}

/// A module file.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct ModuleEntry {
    #[serde(default, deserialize_with = "objects")]
    pub(crate) versions: Vec<ModuleVersion>,
}

/// One version of a module.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub(crate) struct ModuleVersion {
    /// The raw git tag, with or without `v`.
    pub(crate) version: String,
    /// The tag's id when it was indexed; empty if unknown, `None` if the field is not there.
    #[serde(default)]
    pub(crate) commit: Option<String>,
    #[serde(default)]
    pub(crate) discovered: Option<Timestamp>,
}

impl ProviderEntry {
    /// [`Entry::parse`] of a provider file.
    ///
    /// # Errors
    /// As [`Entry::read`].
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, String> {
        Ok(match Entry::parse(Kind::Provider, bytes)? {
            Entry::Provider(entry) => entry,
            Entry::Module(_) => Self::default(),
        })
    }

    /// Returns true if the list has a version of exactly this name.
    pub(crate) fn lists(&self, name: &str) -> bool {
        self.versions.iter().any(|version| version.version == name)
    }

    /// The highest version below the given one.
    pub(crate) fn below(&self, text: &str) -> Option<&ProviderVersion> {
        let below = self.versions.iter().filter(|one| version::compare(&one.version, text).is_lt());
        below.max_by(|a, b| version::compare(&a.version, &b.version))
    }
}

impl Target {
    /// `os_arch`, the way releases and the registry name a platform.
    pub(crate) fn platform(&self) -> String {
        format!("{}_{}", self.os, self.arch)
    }

    /// Whether `h1` and `size` are both filled in.
    pub(crate) fn is_hashed(&self) -> bool {
        self.h1.as_deref().is_some_and(|h1| !h1.is_empty()) && self.size.is_some_and(|size| size > 0)
    }
}

impl ModuleVersion {
    /// The recorded commit; `None` if the file has none.
    pub(crate) fn recorded_commit(&self) -> Option<&str> {
        self.commit.as_deref().filter(|commit| !commit.is_empty())
    }
}

impl Entry {
    /// Reads the bytes of a data file: its tree, and what that says.
    ///
    /// # Errors
    /// The bytes are no JSON object, or a field has another type than the format gives it; the text has line and column.
    pub(crate) fn read(kind: Kind, bytes: &[u8]) -> Result<(Document, Self), String> {
        let document = Document::parse(bytes).map_err(|error| error.to_string())?;
        match Self::view(kind, &document) {
            Ok(entry) => Ok((document, entry)),
            Err(text) => Err(place(kind, bytes, &text)),
        }
    }

    /// Reads the bytes of a data file for its fields alone, which is many times faster than reading its bytes in order too.
    ///
    /// # Errors
    /// As [`Entry::read`].
    pub(crate) fn parse(kind: Kind, bytes: &[u8]) -> Result<Self, String> {
        let parsed = match kind {
            Kind::Provider => serde_json::from_slice(bytes).map(|Object(entry)| Self::Provider(entry)),
            Kind::Module => serde_json::from_slice(bytes).map(|Object(entry)| Self::Module(entry)),
        };
        // A key that stands twice, and whatever else only the tree knows how to take.
        parsed.or_else(|_| Self::read(kind, bytes).map(|(_, entry)| entry))
    }

    /// The same of a file that is not there yet.
    pub(crate) fn new_file(kind: Kind) -> (Document, Self) {
        let document = Document::empty();
        let entry = match kind {
            Kind::Provider => Self::Provider(ProviderEntry::default()),
            Kind::Module => Self::Module(ModuleEntry::default()),
        };
        (document, entry)
    }

    /// Views a document as the entry that its path says it is.
    fn view(kind: Kind, document: &Document) -> Result<Self, String> {
        let root = document.root();
        let viewed = match kind {
            Kind::Provider => ProviderEntry::deserialize(root).map(Self::Provider),
            Kind::Module => ModuleEntry::deserialize(root).map(Self::Module),
        };
        viewed.map_err(|error| match error.to_string() {
            // Of a tree serde has its own word for it, and of a text that of JSON: by the same one the place is found.
            text if text.starts_with(UNIT) => text.replacen(UNIT, "invalid type: null", 1),
            text => text,
        })
    }

    /// The versions as stored, in file order: module tags raw.
    pub(crate) fn versions(&self) -> Vec<&str> {
        match self {
            Self::Provider(entry) => entry.versions.iter().map(|version| version.version.as_str()).collect(),
            Self::Module(entry) => entry.versions.iter().map(|version| version.version.as_str()).collect(),
        }
    }

    pub(crate) fn as_provider(&self) -> Option<&ProviderEntry> {
        match self {
            Self::Provider(entry) => Some(entry),
            Self::Module(_) => None,
        }
    }

    pub(crate) fn as_module(&self) -> Option<&ModuleEntry> {
        match self {
            Self::Module(entry) => Some(entry),
            Self::Provider(_) => None,
        }
    }

    /// The recorded failed tries; modules have none.
    pub(crate) fn errors(&self) -> &[RecordedError] {
        self.as_provider().map_or(&[], |entry| &entry.versions_errors)
    }
}

/// How the error of serde begins where a tree has `null`.
const UNIT: &str = "invalid type: unit value";

/// What the tree's view found fault with, and where: the text knows places, and the tree which of two equal keys counts.
fn place(kind: Kind, bytes: &[u8], text: &str) -> String {
    let error = match kind {
        Kind::Provider => serde_json::from_slice::<ProviderEntry>(bytes).err(),
        Kind::Module => serde_json::from_slice::<ModuleEntry>(bytes).err(),
    };
    match error.filter(|error| error.to_string().starts_with(text)) {
        Some(error) => format!("wrong content at {}:{}: {text}", error.line(), error.column()),
        None => format!("wrong content: {text}"),
    }
}

/// Go writes an empty list as `[]` and a nil one as `null`; both are no items.
fn null_is_empty<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    Ok(Option::<Vec<T>>::deserialize(deserializer)?.unwrap_or_default())
}
