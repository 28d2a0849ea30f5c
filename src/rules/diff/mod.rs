//! The structural difference of two versions of one data file: keyed by version, then by os/arch, so that a moved version
//! is "moved", not removed and added; and the same difference as the real file lines, with folds, for people.

mod breadcrumb;
mod build;
mod drawing;
mod grid;
mod lines;
mod outline;
mod pairing;
mod semantic;
mod targets;
mod unified;

use serde::Serialize;

use crate::rules::proposal::Class;
use crate::settings::words;

pub(crate) use drawing::CONTEXT_LINES;
pub(crate) use grid::{Origin, PlatformGrid, PlatformTable};
pub use lines::Lines;
pub(crate) use lines::{Block, BlockKind, Line, LineMark, Printed, Row, SummaryPart};
pub use semantic::compare;
pub(crate) use targets::PlatformMark;

/// The difference of a data file, before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct Diff {
    pub class: Class,
    /// Versions that are added, removed, changed or moved, in the new file's order (removed ones where they stood).
    pub(crate) versions: Vec<VersionChange>,
    /// Changes outside `versions`: `warnings`, `versions_errors`, unknown keys.
    pub(crate) fields: Vec<FieldChange>,
    /// Side changes that Go's writer makes on every rewrite: key order, new empty format fields, final newline.
    pub(crate) normalises: Normalises,
    /// Versions that stay as they are.
    pub(crate) unchanged_versions: u32,
}

/// How one version differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct VersionChange {
    /// As stored: without `v` for providers, the raw tag for modules.
    pub(crate) version: String,
    #[serde(rename = "change")]
    pub(crate) kind: ChangeKind,
    /// Position in the old and in the new list, from 0.
    pub(crate) old_place: Option<u32>,
    pub(crate) new_place: Option<u32>,
    /// Fields of the version itself that differ.
    pub(crate) fields: Vec<FieldChange>,
    /// Targets that differ, or all of them for an added or removed version.
    pub(crate) targets: Vec<TargetChange>,
}

words! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub(crate) enum ChangeKind: [word] {
        Added = "added",
        Removed = "removed",
        Changed = "changed",
        /// The same content at another place relative to its neighbours.
        Moved = "moved",
    }
}

/// How one platform of a version differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct TargetChange {
    /// `os_arch`.
    pub(crate) platform: String,
    #[serde(rename = "change")]
    pub(crate) kind: ChangeKind,
    pub(crate) fields: Vec<FieldChange>,
}

/// One field's value before and after, as compact JSON; `None` where it does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct FieldChange {
    pub(crate) field: String,
    pub(crate) old: Option<String>,
    pub(crate) new: Option<String>,
}

impl FieldChange {
    /// Whether it fills an empty field of a newer format: that changes nothing that was said.
    pub(crate) fn fills(&self) -> bool {
        let was_empty = self.old.as_deref().is_none_or(|old| matches!(old, "null" | "\"\"" | "[]" | "0"));
        was_empty && semantic::FILLABLE.contains(&&*self.field)
    }
}

/// Side changes, counted apart from the wanted ones: they do not stop a plan from being ADDITIVE.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Normalises {
    /// Root, version or target objects whose keys change order.
    pub(crate) key_orders: u32,
    /// Format fields added with their empty value (`h1` "", `size` 0, `commit` "").
    pub(crate) empty_fields: u32,
    /// Versions that move because the list was not sorted.
    pub(crate) moved_versions: u32,
    /// The final newline goes, or line ends and spacing change.
    pub(crate) layout: bool,
}

impl Normalises {
    pub(crate) fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests;
