//! The dependency lock file, `.terraform.lock.hcl`: read into plain values with line and column, printed as the client prints
//! it, and checked against registry and archives (`spec/registry.md` §6.5).
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

pub use block::{HEADER, block};
pub use check::{BlockCheck, Fares, HashCheck, HashIs, Known, PlatformCheck, check};
pub use constraints::constraints;
pub use file::{HOST, LockBlock, LockFile, Place, Said, SkippedBlock};
pub use findings::{FoundAt, listed_twice, no_provider, no_version, skipped};
pub use hash::Scheme;
pub use offer::{Offer, Refusal, offers};
pub use read::{LOCK_BYTES_MAX, LockMistake, read};
pub use recorded::{Recorded, recorded};
