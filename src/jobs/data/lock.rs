//! Lock files: the plan of a lock or of a check, and the result.

use std::path::PathBuf;

use crate::jobs::data::Wanted;
use crate::registry::Address;
use crate::rules::client::{Chain, Policy};
use crate::rules::lock::{BlockCheck, FoundAt, Offer, Recorded};

/// The versions to lock, or the lock file to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockPlan {
    pub(crate) what: LockWhat,
    /// `linux_amd64`; all targets of a version if empty.
    pub(crate) targets: Vec<String>,
    pub(crate) workers: usize,
    /// An archive of that many bytes is left out, as the registry does.
    pub(crate) limit_bytes: u64,
    /// False: no archive is read, and nothing of one is known.
    pub(crate) downloads: bool,
    pub(crate) policy: Policy,
}

/// The question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LockWhat {
    /// One version, which is named.
    Version(Wanted),
    File(PathBuf),
}

/// The result, once everything is known.
#[derive(Clone, Debug, PartialEq)]
pub enum LockNews {
    Version(Box<LockedVersion>),
    File(Box<CheckedFile>),
}

/// One version: what a client does with it, and what may be locked of it.
#[derive(Clone, Debug, PartialEq)]
pub struct LockedVersion {
    pub(crate) address: Address,
    /// As stored.
    pub(crate) version: String,
    /// As a lock file writes it.
    pub(crate) normal: String,
    pub(crate) chain: Chain,
    /// One for each target that was asked about.
    pub(crate) offers: Vec<Offer>,
    /// The hashes that a client would lock by itself.
    pub(crate) recorded: Recorded,
}

/// One lock file.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedFile {
    pub(crate) path: String,
    /// Blocks of versions that the registry has, in the order of the file.
    pub(crate) blocks: Vec<BlockCheck>,
    /// Everything worth saying, in the order of the file.
    pub(crate) found: Vec<FoundAt>,
}
