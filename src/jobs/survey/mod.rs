//! The survey: facts and verdicts for a set of entries, resumable at any moment.
//!
//! Facts are kept as they come, in small batches, so that a killed survey continues where it was: facts younger than the plan's
//! limit are not read again.

mod gather;
mod meter;

use std::collections::HashSet;
use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{ASKS_AGAIN, JobEvent, Stop, Summary, SurveyPlan, TRIES_SERVERS};
use crate::jobs::verdicts::Surveyed;
use crate::registry::{Address, Row};
use crate::rules::Depth;

pub(crate) use gather::{Gather, Gathered, MOST_MISSING, Work, read_release};
pub(crate) use meter::waiting;

/// Verdicts are said in batches of this size: the rows of a screen, at the usual pace every half second.
const SAY_AT: usize = 48;

pub(crate) async fn survey(env: &Arc<Env>, context: &Context, plan: SurveyPlan) -> Result<Summary, Stop> {
    let session = env.session().await?;
    let places = first_ones_first(session.select(&plan.scope)?, &session.catalog.rows, &plan.first);
    session.tell_notices(env, context);
    let mut batch = Vec::new();
    let surveyed = Surveyed::new(env, &session);
    let mut gather = Gather::new(env, &session, context, plan.depth, plan.max_age).gated(plan.gate);
    // A start judges to the depth of versions: it can use no other verdicts.
    if plan.depth == Depth::Versions {
        gather = gather.recording(&surveyed);
    }
    let gathered = gather
        .run(&places, |_, judged| {
            batch.extend(judged);
            if batch.len() >= SAY_AT {
                context.send(JobEvent::Judged(std::mem::take(&mut batch)));
            }
        })
        .await;
    if !batch.is_empty() {
        context.send(JobEvent::Judged(batch));
    }
    if !gathered.cancelled && gathered.failure.is_none() {
        // Cancelled in it, the survey is done all the same: the next start judges what is left.
        surveyed.keep(env, &session, context, &places).await;
    }
    let summary = Summary { unkept: gathered.unkept, ..gathered.summary };
    finish(env, Gathered { summary, ..gathered })
}

/// Places of rows, those of some addresses before the others; else in the order in which they were.
fn first_ones_first(mut places: Vec<usize>, rows: &[Row], first: &[Address]) -> Vec<usize> {
    let first: HashSet<&Address> = first.iter().collect();
    places.sort_by_key(|place| !first.contains(&rows[*place].address));
    places
}

/// The end of a job that gathered facts.
pub(crate) fn finish(env: &Env, gathered: Gathered) -> Result<Summary, Stop> {
    if gathered.cancelled || gathered.failure.is_some() {
        return Err(stop(env, gathered));
    }
    Ok(summarize(env, gathered))
}

/// The end of a job that was cancelled or failed while it gathered facts.
pub(crate) fn stop(env: &Env, mut gathered: Gathered) -> Stop {
    match gathered.failure.take() {
        Some(failure) => failure.into(),
        None => Stop::Cancelled(summarize(env, gathered)),
    }
}

fn summarize(env: &Env, gathered: Gathered) -> Summary {
    let Gathered { mut summary, cancelled, sent_before, .. } = gathered;
    let mut limits = limits(env);
    let sent = env.remote.counts().total();
    summary.requests = sent.sent - sent_before.sent;
    summary.not_modified = sent.not_modified - sent_before.not_modified;
    let Summary { entries, failed, broken, .. } = summary;
    if failed > 0 && failed + broken >= entries && !cancelled {
        limits.push(format!("nothing could be read; {TRIES_SERVERS}{ASKS_AGAIN}"));
    }
    Summary { limits, ..summary }
}

/// The data that could not be seen, in words.
pub(crate) fn limits(env: &Env) -> Vec<String> {
    let mut limits = Vec::new();
    if env.remote.is_token_refused() {
        limits.push(format!(
            "the token from {} was refused (HTTP 401), so what needs it is not known; set a valid one there, or ask without one with --no-token",
            env.token_name
        ));
    }
    if !env.remote.has_token() {
        limits.push(
            "no token: the releases API was not asked, so asset times and digests are not known; set GH_TOKEN to have them"
                .to_owned(),
        );
    }
    limits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Shape;

    #[test]
    fn entries_on_screen_are_read_first() {
        let address = |name: &str| Address::provider("acme", name);
        let row = |name| Row {
            address: address(name),
            blob: "".into(),
            dirty: false,
            lint: None,
            shape: Shape::default(),
        };
        let rows = ["anvil", "bolt", "cog", "dowel"].map(row);
        let first = [address("dowel"), address("bolt"), address("not-in-it")];
        assert_eq!(first_ones_first(vec![0, 1, 3], &rows, &first), [1, 3, 0]);
        assert_eq!(first_ones_first(vec![0, 2], &rows, &[]), [0, 2]);
    }
}
