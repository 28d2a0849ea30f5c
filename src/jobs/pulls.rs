//! Watches a pull request: its checks, its reviews, its merge, and the bump after it. Looks alone.
//!
//! One look asks for each part by itself, so that a part that cannot be read leaves the others known. If check runs may not be
//! read, as with fine-grained tokens, the jobs of Actions are read instead, and a note says so.

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{Failure, FailureKind, JobEvent, Phase, Progress, Stop, Summary, Unit, WatchPlan};
use crate::jobs::looks::{Looks, ends_following};
use crate::jobs::publish::{failed, with_cause};
use crate::remote::{CheckRead, Error, PullRead, ReviewRead};
use crate::rules::sending::BRANCHES;
use crate::rules::watch::{
    After, Asked, BumpsSince, Check, Checks, FileAfter, Merge, Opinion, PullState, Read, Review, Source,
    WatchedPull, newest_of_each,
};

pub(crate) async fn watch(env: &Arc<Env>, context: &Context, plan: WatchPlan) -> Result<Summary, Stop> {
    let before = env.remote.counts().total();
    let end = match plan.number {
        Some(number) => follow(env, context, number, plan.once).await,
        None => look_at_ours(env, context).await,
    };
    env.counted(&before, with_cause(env, end).await)
}

async fn look_at_ours(env: &Arc<Env>, context: &Context) -> Result<Summary, Stop> {
    let listed = context.run(env.remote.open_pulls(&env.repository)).await?;
    let listed = listed.map_err(|error| failed(env, &error))?;
    let mut summary = Summary { unit: Unit::Pull, ..Summary::default() };
    for listed in listed.iter().filter(|pull| pull.branch.starts_with(BRANCHES)) {
        let Ok(pull) = context.run(look(env, listed.number)).await else {
            return Err(Stop::Cancelled(summary));
        };
        match pull {
            Ok(pull) => {
                count(&mut summary, &pull);
                context.send(JobEvent::Watched(Arc::new(pull)));
            }
            // The others are told all the same.
            Err(error) => {
                (summary.entries, summary.failed) = (summary.entries + 1, summary.failed + 1);
                context.send(JobEvent::Note(unknown(listed.number, &error)));
            }
        }
    }
    Ok(summary)
}

/// Looks until it is over. Unchanged results are not repeated.
async fn follow(env: &Arc<Env>, context: &Context, number: u64, once: bool) -> Result<Summary, Stop> {
    let mut last: Option<Arc<WatchedPull>> = None;
    let mut looks = Looks::new(env);
    loop {
        let mut summary = Summary { unit: Unit::Pull, ..Summary::default() };
        let Ok(read) = context.run(look(env, number)).await else { return Err(Stop::Cancelled(summary)) };
        let pause = match read {
            Ok(pull) => {
                count(&mut summary, &pull);
                context.progress(progress(&pull));
                let is_over = once || pull.is_over();
                if last.as_deref() != Some(&pull) {
                    let pull = Arc::new(pull);
                    context.send(JobEvent::Watched(Arc::clone(&pull)));
                    last = Some(pull);
                }
                if is_over {
                    return Ok(summary);
                }
                looks.succeeded()
            }
            // Whoever follows for hours meets a server that does not answer; the next look may.
            Err(error) if !once && last.is_some() && !ends_following(&error) => {
                let (pause, text) = looks.failed(&error, env.now());
                if let Some(text) = text {
                    context.send(JobEvent::Note(format!("#{number}: {text}")));
                }
                pause
            }
            Err(Error::NotFound { .. }) => return Err(missing(env, number, "pr list").into()),
            Err(error) => return Err(failed(env, &error).into()),
        };
        context.rest();
        if context.run(tokio::time::sleep(pause)).await.is_err() {
            return Err(Stop::Cancelled(summary));
        }
    }
}

fn unknown(number: u64, error: &Error) -> String {
    format!("#{number}: not known now: {error}")
}

/// `lists`: the command that names those that are open.
pub(super) fn missing(env: &Env, number: u64, lists: &str) -> Failure {
    let repository = &env.repository;
    Failure::new(FailureKind::Usage, format!("looking at pull request #{number}"))
        .cause(format!("`{}/{}` has none of that number", repository.owner, repository.name))
        .hint(format!("Run `bumpdesk {lists}`: it names those that are open."))
}

fn count(summary: &mut Summary, pull: &WatchedPull) {
    summary.entries += 1;
    summary.failed += u64::from(!pull.is_whole());
}

fn progress(pull: &WatchedPull) -> Progress {
    Progress {
        phase: Phase::Watching,
        done: 0,
        total: 0,
        failed: 0,
        requests: 0,
        rate: 0.0,
        left: None,
        waiting: Some(format!("#{}: {}", pull.number, pull.told())),
    }
}

/// One look at everything.
async fn look(env: &Arc<Env>, number: u64) -> Result<WatchedPull, Error> {
    let (remote, repository) = (&env.remote, &env.repository);
    let pull = remote.whole_pull(repository, number).await?;
    let checks = checks(env, &pull.listing.head).await;
    let reviews = remote.reviews(repository, number).await;
    let rules = remote.rules(repository, &pull.listing.base).await;
    let after = match &pull.merged {
        Some(merged) => Some(after(env, &pull, &merged.commit).await.map_err(why)),
        None => None,
    };
    Ok(WatchedPull {
        number: pull.listing.number,
        title: pull.listing.title,
        author: pull.listing.author,
        opened: pull.listing.opened,
        branch: pull.branch,
        state: match pull.merged {
            Some(merged) => PullState::Merged(merged),
            None if !pull.is_open => PullState::Closed,
            None if pull.listing.draft => PullState::Draft,
            None => PullState::Open,
        },
        merge: Merge::of(pull.is_mergeable, &pull.merge_state),
        labels: pull.labels,
        requested: pull.requested,
        checks,
        reviews: reviews.map_err(why).map(|all| read_reviews(all, &pull.listing.head)),
        asked: rules.map_err(why).map(|rules| Asked { approvals: rules.approvals, checks: rules.checks }),
        head: pull.listing.head,
        after,
    })
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` hands it over")]
fn why(error: Error) -> String {
    error.to_string()
}

pub(super) async fn checks(env: &Arc<Env>, head: &str) -> Checks {
    let (remote, repository) = (&env.remote, &env.repository);
    let of = |source: Source, read: Result<Vec<CheckRead>, Error>| -> Read<Vec<Check>> {
        let check = |one: CheckRead| Check::of(one.name, source, &one.status, one.conclusion.as_deref());
        Ok(read.map_err(why)?.into_iter().map(check).collect())
    };
    let mut checks = Checks::default();
    match remote.check_runs(repository, head).await {
        Err(Error::Unauthorized { .. }) => {
            let jobs = remote.jobs(repository, head).await;
            checks.add(Source::Jobs, of(Source::Jobs, jobs));
        }
        read => checks.add(Source::CheckRuns, of(Source::CheckRuns, read)),
    }
    let statuses = remote.statuses(repository, head).await;
    checks.add(Source::Statuses, of(Source::Statuses, statuses));
    checks
}

fn read_reviews(all: Vec<ReviewRead>, head: &str) -> Vec<Review> {
    newest_of_each(all.into_iter().filter_map(|one| {
        Some(Review {
            opinion: Opinion::of(&one.state)?,
            counts: matches!(one.association.as_str(), "OWNER" | "MEMBER" | "COLLABORATOR"),
            is_of_head: one.commit.as_deref() == Some(head),
            at: one.submitted,
            author: one.author,
        })
    }))
}

/// The state of the branch since the merge: its bumps, and whether the files of the pull request are as merged.
async fn after(env: &Arc<Env>, pull: &PullRead, merged: &str) -> Result<After, Error> {
    let (remote, repository) = (&env.remote, &env.repository);
    let main = remote.tip(repository, &pull.listing.base).await?.ok_or(Error::NotFound { status: 404 })?;
    let since = remote.compare(repository, (merged, &main)).await?;
    // Who may not see runs goes by commits.
    let runs = remote.bump_runs(repository, &pull.listing.base).await?;
    let bumps = BumpsSince::of(merged, (&since.commits, since.has_all_commits), runs.as_deref());
    let paths = remote.changed_paths(repository, pull.listing.number).await?;
    let paths = paths.ok_or_else(|| Error::unreadable("it has more files than GitHub lists"))?;
    let mut files = Vec::new();
    for path in paths {
        let is_listed =
            since.files.as_ref().map(|files| files.iter().any(|file| file.paths().any(|one| one == path)));
        let is_kept = match is_listed.filter(|_| since.is_ahead) {
            Some(is_changed) => Ok(!is_changed),
            // The list of what changed is not whole: both files are read.
            None => is_same(env, &path, (merged, &main)).await.map_err(why),
        };
        files.push(FileAfter { path, is_kept });
    }
    Ok(After { main, bumps, files })
}

async fn is_same(env: &Arc<Env>, path: &str, (one, other): (&str, &str)) -> Result<bool, Error> {
    let read = |at| env.remote.file_at(&env.repository, path, at);
    Ok(read(one).await? == read(other).await?)
}
