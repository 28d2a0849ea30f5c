//! Lock files: the block of one version from what a verification found, and a check of a whole file against registry and
//! archives; and what a client would do, step by step. Only ever reads.
//!
//! Archives are downloaded by [`crate::jobs::verify`], whose report also keeps what was hashed. What follows from all that is
//! [`crate::rules::client`] and [`crate::rules::lock`]. Called by the command line.

mod documents;
mod file;
mod question;
mod version;

use std::sync::Arc;

use jiff::SignedDuration;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{JobEvent, LockPlan, LockWhat, Stop, Summary, VerifyPlan, Wanted};

/// A lock is trusted for years: an archive that an earlier run hashed longer ago than this is hashed again.
const KEEPS_FOR: SignedDuration = SignedDuration::from_hours(1);

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
    use std::path::PathBuf;

    use super::*;
    use crate::rules::client::Policy;

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
