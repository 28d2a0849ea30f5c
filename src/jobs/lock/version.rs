//! One version: how a client treats it, and which of its hashes may be locked.

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{Failure, FailureKind, LockNews, LockPlan, LockedVersion, Stop, Summary, Wanted};
use crate::jobs::lock::question;
use crate::jobs::lock::question::{Found, VersionToLock};
use crate::registry::Address;
use crate::rules::lock::{offers, recorded};

pub(super) async fn lock(
    env: &Arc<Env>,
    context: &Context,
    plan: &LockPlan,
    wanted: &Wanted,
) -> Result<(LockNews, Summary), Stop> {
    let session = env.session().await?;
    session.tell_notices(env, context);
    let address = &wanted.address;
    if !matches!(address, Address::Provider(_)) {
        let text = format!("`{address}` is a module: lock files hold only providers");
        return Err(wrong(text, "Name a provider, such as `hashicorp/aws@5.0.0`.").into());
    }
    let Some(entry) = question::entry(&session, address)? else {
        return Err(Failure::unregistered("locking a version", address, &session.catalog).into());
    };
    let text = wanted.version.as_deref().unwrap_or_default();
    let to_lock = match question::find(address, &entry, text) {
        Found::Version(to_lock) => to_lock,
        Found::Nothing => {
            let text = format!("`{address}` has no version {text}");
            return Err(wrong(text, "Run `bumpdesk show ADDRESS` to see its versions.").into());
        }
        Found::Twice(stored) => {
            let text = format!(
                "the registry lists {stored} more than once and serves all of them at one place: which one clients get cannot be told"
            );
            let hint = "Leave one entry of the version in the data file, and remove the others.";
            return Err(Failure { kind: FailureKind::Conflict, ..wrong(text, hint) }.into());
        }
    };
    let versions = std::slice::from_ref(&to_lock);
    let answered = question::answer(env, context, &session, plan, versions).await?;
    let VersionToLock { address, .. } = &to_lock;
    let rows = to_lock.rows(&answered.rows);
    let chain = to_lock.chain(plan, &answered.documents[0], &rows);
    let offers = offers(to_lock.version(), &rows, &chain, &plan.targets);
    let locked = LockedVersion {
        address: address.clone(),
        version: to_lock.version().version.clone(),
        normal: to_lock.normal(),
        recorded: recorded(to_lock.version(), &rows, &answered.documents[0].sums, &chain),
        chain,
        offers,
    };
    Ok((LockNews::Version(Box::new(locked)), answered.summary))
}

fn wrong(text: String, hint: &str) -> Failure {
    Failure::new(FailureKind::Usage, "asking what to lock").cause(text).hint(hint)
}
