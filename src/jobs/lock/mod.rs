//! Lock files: the block of one version from what a verification found, and a check of a whole file against registry and
//! archives; and what a client would do, step by step. Only ever reads.
//!
//! Archives are downloaded by [`crate::jobs::verify`], whose report also keeps what was hashed. What follows from all that is
//! [`crate::rules::client`] and [`crate::rules::lock`]. Called by the command line.

mod documents;
mod file;
mod question;
mod version;

use std::path::PathBuf;
use std::sync::Arc;

use jiff::SignedDuration;

use crate::jobs::context::Context;
use crate::jobs::{Env, JobEvent, Stop, Summary, VerifyPlan, Wanted};
use crate::registry::Address;
use crate::rules::client::{Chain, Policy};
use crate::rules::lock::{BlockCheck, FoundAt, Offer, Recorded};

/// What is locked is trusted for years: an archive that an earlier run hashed longer ago is hashed again.
const KEEPS_FOR: SignedDuration = SignedDuration::from_hours(1);

/// What to lock, or which lock file to check.
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

/// What the job says once everything is known.
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
    /// What a client would lock by itself.
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

pub(crate) async fn lock(env: &Arc<Env>, context: &Context, plan: LockPlan) -> Result<Summary, Stop> {
    let (news, summary) = match &plan.what {
        LockWhat::Version(wanted) => version::lock(env, context, &plan, wanted).await?,
        LockWhat::File(path) => file::check(env, context, &plan, path).await?,
    };
    context.send(JobEvent::Lock(news));
    Ok(summary)
}

impl LockPlan {
    /// The verification of these versions.
    fn verification(&self, wanted: Vec<Wanted>) -> VerifyPlan {
        VerifyPlan {
            targets: self.targets.clone(),
            workers: self.workers,
            limit_bytes: self.limit_bytes,
            downloads: self.downloads,
            keeps_for: KEEPS_FOR,
            ..VerifyPlan::new(wanted)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_hashed_anew_after_an_hour() {
        let plan = LockPlan {
            what: LockWhat::File(PathBuf::new()),
            targets: vec!["linux_amd64".into()],
            workers: 2,
            limit_bytes: 3,
            downloads: true,
            policy: Policy::default(),
        };
        let plan = plan.verification(Vec::new());
        assert_eq!((plan.keeps_for, plan.limit_bytes), (SignedDuration::from_hours(1), 3));
    }
}
