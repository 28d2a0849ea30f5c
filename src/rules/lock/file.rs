//! A lock file as plain values.

use crate::registry::Address;

/// The host whose providers this registry lists.
pub const HOST: &str = "registry.opentofu.org";

/// Line and column of the file, both from 1, the column in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

/// A text, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    pub text: String,
    pub at: Place,
}

/// The lock of one provider of this registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockBlock {
    /// Always a provider.
    pub address: Address,
    /// In normal form, such as `1.0.0`.
    pub version: Said,
    pub constraints: Option<Said>,
    /// As they stand, in the order of the file.
    pub hashes: Vec<Said>,
    pub at: Place,
}

/// A block that is not about a provider of this registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedBlock {
    /// `registry.terraform.io/hashicorp/aws`.
    pub source: String,
    pub at: Place,
}

/// A lock file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LockFile {
    pub blocks: Vec<LockBlock>,
    pub skipped: Vec<SkippedBlock>,
}
