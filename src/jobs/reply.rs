//! The reply to a request that the registry's policy refuses: what the evidence is, and which newer version can be used. Only reads.

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{Failure, FailureKind, JobEvent, ReplyPlan, Stop, Summary, VerifyPlan, Wanted};
use crate::jobs::session::Session;
use crate::jobs::verify::verified;
use crate::registry::version::{self, trim_v};
use crate::registry::{Address, Entry, Kind, Version};
use crate::rules::policy::{Newer, Reply};
use crate::rules::verify::{Listed, Row};

/// Newer versions that are looked at, the nearest first.
const MOST_NEWER: usize = 3;

pub(crate) async fn reply(env: &Arc<Env>, context: &Context, plan: ReplyPlan) -> Result<Summary, Stop> {
    let session = env.session().await?;
    let ReplyPlan { address, versions, reason } = plan;
    let entry = read(&session, &address)?;
    let mut stored = Vec::with_capacity(versions.len());
    for wanted in &versions {
        let found = entry.versions().into_iter().find(|version| trim_v(version) == trim_v(wanted));
        stored.push(found.map(str::to_owned).ok_or_else(|| {
            Failure::new(FailureKind::Usage, "writing a reply")
                .cause(format!("{wanted} of {address} is not indexed"))
        })?);
    }
    let (mut rows, mut newer, mut summary) = (Vec::new(), None, Summary::default());
    if address.kind() == Kind::Provider && !stored.is_empty() {
        (rows, summary) = verified(env, context, &verification(&address, &stored, true)).await?;
        for candidate in candidates(&entry, &stored) {
            let (read, _) =
                verified(env, context, &verification(&address, std::slice::from_ref(&candidate), false))
                    .await?;
            if !read.is_empty() && read.iter().all(is_as_stored) {
                newer = Some(Newer { version: candidate, targets: read.len() });
                break;
            }
        }
    }
    let at = policy_at(env).await;
    let reply = Reply::new((&address, &stored), reason, (&env.repository, at.as_deref()), &rows, newer);
    context.send(JobEvent::Replied(Arc::new(reply)));
    Ok(summary)
}

/// The commit of the policy that is quoted, so that a later rule shows; without it the link leads to the newest.
async fn policy_at(env: &Arc<Env>) -> Option<String> {
    let hosted = env.remote.hosted(&env.repository).await.ok()?;
    env.remote.tip(&hosted.repository, &hosted.default_branch).await.ok().flatten()
}

fn read(session: &Session, address: &Address) -> Result<Entry, Failure> {
    let doing = "writing a reply";
    let unregistered = || Failure::unregistered(doing, address, &session.catalog);
    let row = session.catalog.find(address).ok_or_else(unregistered)?;
    session.entry(row).map_err(|cause| Failure::new(FailureKind::Usage, doing).cause(cause))
}

fn verification(address: &Address, versions: &[String], downloads: bool) -> VerifyPlan {
    let wanted = |version: &String| Wanted { address: address.clone(), version: Some(version.clone()) };
    VerifyPlan { downloads, ..VerifyPlan::new(versions.iter().map(wanted).collect()) }
}

/// Stable versions above all that were asked about, the nearest first.
fn candidates(entry: &Entry, requested: &[String]) -> Vec<String> {
    let is_stable = |version: &str| Version::parse(version).is_ok_and(|version| !version.is_prerelease());
    let is_above = |version: &str| {
        requested.iter().all(|one| version::compare(version, one) == std::cmp::Ordering::Greater)
    };
    let mut above: Vec<String> = entry
        .versions()
        .into_iter()
        .filter(|version| is_stable(version) && is_above(version))
        .map(str::to_owned)
        .collect();
    above.sort_by(|a, b| version::compare(a, b));
    above.truncate(MOST_NEWER);
    above
}

/// Returns true if upstream lists the checksum that is stored.
fn is_as_stored(row: &Row) -> bool {
    matches!(&row.listed, Listed::Sum { sum } if sum.eq_ignore_ascii_case(&row.stored.shasum))
}
