//! A proposed change to one data file: the delta on a named base, and everything needed to judge it.

use serde::{Deserialize, Serialize};

use crate::registry::{Address, Document};
use crate::rules::diff::{ChangeKind, Diff, VersionChange};
use crate::rules::edit::Edit;
use crate::rules::finding::Finding;
use crate::settings::words;

words! {
    /// What a plan does to a file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Class: [word] {
        /// Nothing changes.
        Noop = "NOOP",
        /// Versions are added; no indexed version changes.
        Additive = "ADDITIVE",
        /// Only key order, version order or formatting changes.
        Reorders = "REORDERS",
        /// Adds a version that clients cannot tell from another one in the file, with different content.
        Twins = "TWINS",
        /// An indexed version changes.
        Mutates = "MUTATES",
        /// An indexed version disappears.
        Removes = "REMOVES",
    }
}

impl Class {
    pub(crate) fn glyph(self) -> &'static str {
        match self {
            Self::Noop => "=",
            Self::Additive => "+",
            Self::Reorders => "~",
            Self::Twins => "&",
            Self::Mutates => "!",
            Self::Removes => "-",
        }
    }
}

/// How a proposal was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// Only missing versions: what production does.
    Add,
    /// The named versions again.
    Refresh(Vec<String>),
    /// Everything from the releases API: the rebuild of `registry.md#the-first-design`.
    Scratch,
    /// Something that no bump does.
    Edit(Edit),
}

impl Mode {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Refresh(_) => "refresh",
            Self::Scratch => "scratch",
            Self::Edit(edit) => edit.name(),
        }
    }

    /// What it does, for people.
    pub(crate) fn words(&self) -> &'static str {
        match self {
            Self::Add => "adds missing versions",
            Self::Refresh(_) => "reads named versions again",
            Self::Scratch => "builds the file from nothing",
            Self::Edit(edit) => edit.words(),
        }
    }

    /// The bytes of a file that is built in this way; empty if the file is deleted.
    pub(crate) fn bytes(&self, document: &Document) -> Vec<u8> {
        self.edit().map_or_else(|| document.print(), |edit| edit.bytes(document))
    }

    /// What the change does and to what, such as `adds a warning: Old.`
    pub(crate) fn sentence(&self) -> String {
        self.edit().map_or_else(|| self.words().to_owned(), Edit::sentence)
    }

    /// Whether it makes a file that is not there yet.
    pub(crate) fn is_submission(&self) -> bool {
        self.edit() == Some(&Edit::Submit)
    }

    pub(crate) fn edit(&self) -> Option<&Edit> {
        match self {
            Self::Edit(edit) => Some(edit),
            Self::Add | Self::Refresh(_) | Self::Scratch => None,
        }
    }
}

/// A proposed rebuild of one file.
#[derive(Clone, Debug)]
pub struct Proposal {
    pub(crate) address: Address,
    pub path: String,
    pub(crate) mode: Mode,
    /// SHA-256 of the bytes that the proposal was made from, hex; of no bytes for a new file.
    pub(crate) base_digest: String,
    /// SHA-256 of the proposed bytes, hex.
    pub(crate) digest: String,
    /// What the registry's own process would write.
    pub bytes: Vec<u8>,
    pub diff: Diff,
    /// Versions that were asked for and left out, and why; plus what a reviewer should know.
    pub findings: Vec<Finding>,
}

impl Proposal {
    /// What it does, for people: what its mode does, unless there is nothing to add.
    pub(crate) fn words(&self) -> &'static str {
        let adds = |change: &VersionChange| change.kind == ChangeKind::Added;
        match self.mode {
            Mode::Add if !self.diff.versions.iter().any(adds) => "adds no version",
            _ => self.mode.words(),
        }
    }

    /// Why a rebuild without changes says nothing: what it would be made from could not be read, or is not to be trusted.
    pub(crate) fn obstacle(&self) -> Option<&Finding> {
        let changes = self.diff.class != Class::Noop;
        self.findings.iter().find(|finding| !changes && finding.is_obstacle())
    }
}
