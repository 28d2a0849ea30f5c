//! A lock file as plain values.

use serde::Serialize;

use crate::registry::Address;

/// The host whose providers this registry lists.
pub(crate) const HOST: &str = "registry.opentofu.org";

/// Line and column of the file, both from 1, the column in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// A text, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spanned {
    pub(crate) text: String,
    pub(crate) at: Place,
}

/// The lock of one provider of this registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LockBlock {
    /// Always a provider.
    pub(crate) address: Address,
    /// In normal form, such as `1.0.0`.
    pub(crate) version: Spanned,
    pub(crate) constraints: Option<Spanned>,
    /// As they stand, in the order of the file.
    pub(crate) hashes: Vec<Spanned>,
    pub(crate) at: Place,
}

/// A block that is not about a provider of this registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SkippedBlock {
    /// `registry.terraform.io/hashicorp/aws`.
    pub(crate) source: String,
    pub(crate) at: Place,
}

/// A lock file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LockFile {
    pub(crate) blocks: Vec<LockBlock>,
    pub(crate) skipped: Vec<SkippedBlock>,
}
