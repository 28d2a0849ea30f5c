//! The structural difference of two versions of one data file: keyed by version, then by os/arch, so that a moved version
//! is "moved", not removed and added; and the same difference as the real file lines, with folds, for people.

mod breadcrumb;
mod build;
mod drawing;
mod lines;
mod outline;
mod pairing;
mod semantic;
mod targets;
mod unified;

use crate::rules::proposal::Class;

pub use lines::{Block, BlockKind, Line, LineMark, Lines, Printed, Row};
pub use semantic::compare;

/// The difference of a data file, before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct Diff {
    pub class: Class,
    /// Versions that are added, removed, changed or moved, in the new file's order (removed ones where they stood).
    pub versions: Vec<VersionChange>,
    /// Changes outside `versions`: `warnings`, `versions_errors`, unknown keys.
    pub fields: Vec<FieldChange>,
    /// Side changes that Go's writer makes on every rewrite: key order, new empty format fields, final newline.
    pub normalises: Normalises,
    /// Versions that stay as they are.
    pub unchanged_versions: u32,
}

/// How one version differs.
#[derive(Clone, Debug, PartialEq)]
pub struct VersionChange {
    /// As stored: without `v` for providers, the raw tag for modules.
    pub version: String,
    pub kind: ChangeKind,
    /// Position in the old and in the new list, from 0.
    pub old_place: Option<u32>,
    pub new_place: Option<u32>,
    /// Fields of the version itself that differ.
    pub fields: Vec<FieldChange>,
    /// Targets that differ, or all of them for an added or removed version.
    pub targets: Vec<TargetChange>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    Added,
    Removed,
    Changed,
    /// The same content at another place relative to its neighbours.
    Moved,
}

impl ChangeKind {
    pub fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Moved => "moved",
        }
    }
}

/// How one platform of a version differs.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetChange {
    /// `os_arch`.
    pub platform: String,
    pub kind: ChangeKind,
    pub fields: Vec<FieldChange>,
}

/// One field's value before and after, as compact JSON; `None` where it does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChange {
    pub field: String,
    pub old: Option<String>,
    pub new: Option<String>,
}

/// Side changes, counted apart from the wanted ones: they do not stop a plan from being ADDITIVE.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Normalises {
    /// Root, version or target objects whose keys change order.
    pub key_orders: u32,
    /// Format fields added with their empty value (`h1` "", `size` 0, `commit` "").
    pub empty_fields: u32,
    /// Versions that move because the list was not sorted.
    pub moved_versions: u32,
    /// The final newline goes, or line ends and spacing change.
    pub layout: bool,
}

impl Normalises {
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests;
