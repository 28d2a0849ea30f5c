//! The data files that bumps changed on each of the last 30 days, counted from the checkout's own history.

use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{Failure, FailureKind, JobEvent, Stop, Summary};
use crate::rules::activity::{Activity, day_of};
use crate::store::Checkout;

/// Counts and sends the files. A plain folder and a registry without commits have no history, so nothing is sent.
pub(crate) async fn activity(
    env: &Arc<Env>,
    context: &Context,
    known: Option<Arc<Activity>>,
) -> Result<Summary, Stop> {
    let world = Arc::clone(env);
    let counting = tokio::task::spawn_blocking(move || {
        let Some(path) = &world.registry else { return Ok(None) };
        let registry = (path.as_path(), world.reference.as_deref());
        count_activity(registry, world.now(), known.as_deref())
    });
    let counted = counting.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))?;
    context.checkpoint()?;
    if let Some(activity) = counted {
        context.send(JobEvent::Activity(Arc::new(activity)));
    }
    Ok(Summary::default())
}

/// Counts the files of a registry, read at a reference if there is one, up to the day of `now`. `known` is an earlier count.
/// `None`: there is no history.
pub(crate) fn count_activity(
    (path, reference): (&Path, Option<&str>),
    now: Timestamp,
    known: Option<&Activity>,
) -> Result<Option<Activity>, Failure> {
    let counted = Checkout::open(path, reference).and_then(|checkout| checkout.activity(day_of(now), known));
    counted.map_err(|error| {
        Failure::new(FailureKind::Data, "counting the files that bumps changed").cause(error.to_string())
    })
}
