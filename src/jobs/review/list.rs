//! The open pull requests: the list at once, then each made again, without reading archives.

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{JobEvent, Phase, Progress, Stop, Summary, Unit};
use crate::jobs::publish::{failed, with_cause};
use crate::jobs::review::{How, judge, ready};
use crate::rules::review::Review;

/// Archives are not read, and what stands around each is not asked for.
const HOW: How = How { hashes: false, predicts: false };

pub(crate) async fn list(env: &Arc<Env>, context: &Context) -> Result<Summary, Stop> {
    let before = env.remote.counts().total();
    let end = listing(env, context).await;
    env.counted(&before, with_cause(env, end).await)
}

async fn listing(env: &Arc<Env>, context: &Context) -> Result<Summary, Stop> {
    let mut summary = Summary { unit: Unit::Pull, ..Summary::default() };
    let session = ready(env, context).await?;
    let read = context.run(env.remote.waiting_pulls(&env.repository)).await;
    let Ok(read) = read else { return Err(Stop::Cancelled(summary)) };
    let pulls = read.map_err(|error| failed(env, &error))?;
    context.send(JobEvent::OpenPulls(Arc::new(pulls.iter().map(|pull| pull.listing.clone()).collect())));
    let total = pulls.len() as u64;
    let before = env.remote.counts().total().sent;
    let requests = || env.remote.counts().total().sent.saturating_sub(before);
    context.progress(progress(0, total, requests()));
    let judged = judge(env, context, &session, HOW, &pulls, |pull, judged| {
        summary.entries += 1;
        summary.failed += u64::from(judged.is_err());
        // What it stands on could not be read: it is unknown, and the others are judged all the same.
        let review = judged
            .map_or_else(|error| Review::unread(pull.listing.clone(), error.cause()), |(review, _)| review);
        context.send(JobEvent::Reviewed(Arc::new(review)));
        context.progress(progress(summary.entries, total, requests()));
    })
    .await;
    if judged.is_ok() { Ok(summary) } else { Err(Stop::Cancelled(summary)) }
}

fn progress(done: u64, total: u64, requests: u64) -> Progress {
    Progress {
        phase: Phase::Reviewing,
        done,
        total,
        failed: 0,
        requests,
        rate: 0.0,
        left: None,
        waiting: None,
    }
}
