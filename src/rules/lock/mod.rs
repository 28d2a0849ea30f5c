//! The dependency lock file, `.terraform.lock.hcl`: read into plain values with line and column, printed as the client prints
//! it, and checked against registry and archives (`registry.md#lock-files`).
//!
//! Only hashes that were verified are ever printed, and a recorded hash is called wrong only if everything that it could
//! be is known. Opens no file and asks nobody. Called by `jobs::lock` and the command line.

mod block;
mod check;
mod constraints;
mod file;
mod findings;
mod hash;
mod offer;
mod read;
mod recorded;
#[cfg(test)]
mod tests;

pub(crate) use block::{HEADER, block};
pub(crate) use check::{BlockCheck, Fares, HashCheck, HashIs, Known, PlatformCheck, check};
pub(crate) use constraints::{admits, constraints};
pub(crate) use file::{HOST, LockBlock, LockFile, Place, SkippedBlock, Spanned};
pub(crate) use findings::{FoundAt, listed_twice, no_provider, no_version, skipped};
pub(crate) use hash::Scheme;
pub(crate) use offer::{Offer, Refusal, offers};
pub(crate) use read::{LOCK_BYTES_MAX, LockMistake, read};
pub(crate) use recorded::{Recorded, recorded};
