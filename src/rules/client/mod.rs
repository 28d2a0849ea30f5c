//! What `tofu init` does with a version of a provider today, step by step, in the client's own order
//! (`registry.md#what-a-client-checks`), from the stored entry and from what was seen upstream.
//!
//! The rule [`refusal`] knows everything that clients refuse because of the stored or served text. The steps use that
//! rule.
//!
//! A step that hangs on something unread is NOT KNOWN with the reason and never passes. Nothing is asked here, and no
//! signature or archive is checked again: [`crate::rules::signature`] and [`crate::rules::verify`] did that. Called by
//! `jobs::lock`; [`crate::rules::lock`] takes into a lock file only what passes here.

mod archive;
mod chain;
mod checksums;
mod listing;
pub(crate) mod refusal;
mod signed;
mod step;
#[cfg(test)]
mod tests;
mod version;

pub(crate) use chain::{Chain, Ends, Gathered};
pub(crate) use checksums::checksums_to_lock;
pub(crate) use refusal::{Clients, Fault, Refusal};
pub(crate) use step::{Fetched, Policy, Ruling, Seen, Step, StepName};
pub(crate) use version::ClientVersion;
