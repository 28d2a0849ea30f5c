//! A verdict on a pull request of another author: its review is made again from upstream, checked against the gates, and pinned
//! to its commit.

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{Failure, FailureKind, JobEvent, Prepared, ReviewPlan, Stop, Subject, Summary};
use crate::jobs::publish::failed;
use crate::jobs::review::reviewed;
use crate::remote::Error;
use crate::rules::plain_text::visible;
use crate::rules::sending::{Gate, PullState, Request, Sending, VerdictPlan, remarks, verdict_text};

pub(super) async fn prepared(
    env: &Arc<Env>,
    context: &Context,
    verdict: &VerdictPlan,
) -> Result<(Prepared, Summary), Stop> {
    let upstream = |error: Error| failed(env, &error);
    let owner = env.remote.owner().await.map_err(upstream)?;
    let hosted = env.remote.hosted(&env.repository).await.map_err(upstream)?;
    let plan = ReviewPlan { number: verdict.number, hashes: verdict.hashes };
    let (review, _, summary) = reviewed(env, context, plan).await?;
    let review = Arc::new(review);
    // What it rests on, for whoever looks.
    context.send(JobEvent::Reviewed(Arc::clone(&review)));
    let repository = &hosted.repository;
    let has_lines = review.files.iter().any(|file| !file.lines.is_empty());
    let (remarks, note) = if has_lines && verdict.has_line_comments() {
        let shown = env.remote.shown_lines(repository, verdict.number).await.map_err(upstream)?;
        remarks(&review, &shown)
    } else {
        Default::default()
    };
    // After all that takes its time: how it stands now.
    let pull = context.run(env.remote.whole_pull(repository, verdict.number)).await?.map_err(upstream)?;
    if pull.listing.base != review.pull.base {
        let cause = format!(
            "it was for `{}` when it was reviewed, and is for `{}` now",
            visible(&review.pull.base),
            visible(&pull.listing.base)
        );
        let doing = format!("making the review of #{} ready", verdict.number);
        let failure = Failure::new(FailureKind::Conflict, doing).cause(cause);
        return Err(failure.hint("Do the same again: it is reviewed as it is now.").into());
    }
    let state = match (&pull.merged, pull.is_open) {
        (Some(_), _) => PullState::Merged,
        (None, false) => PullState::Closed,
        (None, true) => PullState::Open {
            base: &pull.listing.base,
            is_default: pull.listing.base == hosted.default_branch,
        },
    };
    let body = verdict_text(verdict, &review) + &note;
    let (opinion, seen) = (verdict.opinion, verdict.seen.as_ref());
    let full_name = format!("{}/{}", repository.owner, repository.name);
    let gates = vec![
        Gate::reviewer(opinion, (&owner.login, hosted.may_push), &review, &full_name),
        Gate::open(opinion, state),
        Gate::head(&pull.listing.head, &review, seen),
        Gate::again(&review, seen, env.now()),
        Gate::result(opinion, &review),
        Gate::length(&body),
    ];
    let request = Request::Review {
        repository: repository.clone(),
        pull: verdict.number,
        commit: review.pull.head.clone(),
        base: review.pull.base.clone(),
        opinion,
        body,
        remarks,
    };
    let sending = Sending::of_one((&owner.login, &env.servers), request);
    let prepared = Prepared { subject: Subject::Review(review), gates, digest: sending.digest(), sending };
    Ok((prepared, summary))
}
