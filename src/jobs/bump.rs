//! The registry's own process, headless: survey, add what is missing, write the files in place.

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{Applied, BumpPlan, Failure, FailureKind, JobEvent, Stop, Summary};
use crate::jobs::fan::fan;
use crate::jobs::propose::{Proposed, propose};
use crate::jobs::session::Session;
use crate::jobs::survey::{Gather, Work, finish};
use crate::registry::{Facts, Row, digest};
use crate::rules::{Depth, Mode, lint, missing_tags};

/// Entries built at once.
const AT_ONCE: usize = 16;

pub(crate) async fn bump(env: &Arc<Env>, context: &Context, plan: BumpPlan) -> Result<Summary, Stop> {
    let session = env.session().await?;
    ready(&session, &plan)?;
    session.tell_notices(env, context);
    if !plan.dry_run {
        clean(env, &session, context).await;
    }
    let places = session.select(&plan.scope)?;
    let mut due: Vec<(usize, Arc<Facts>, bool)> = Vec::new();
    let gather = Gather::new(env, &session, context, Depth::Versions, plan.max_age).heeding();
    let mut gathered = gather
        .run(&places, |work, judged| {
            for row in work.places.iter().map(|place| &session.catalog.rows[*place]) {
                if let Some(broken) = &row.shape.broken {
                    context.send(JobEvent::Found(row.path(), lint::broken(broken)));
                }
            }
            let facts = Arc::new(work.stored.facts.clone());
            let is_unknown = |place: usize| {
                let of_it = work.places.iter().zip(&judged).find(|(at, _)| **at == place);
                of_it.is_some_and(|(_, judgement)| judgement.verdict.status.is_unknown())
            };
            due.extend(lacking(&session, work).map(|place| (place, Arc::clone(&facts), is_unknown(place))));
            context.send(JobEvent::Judged(judged));
        })
        .await;
    if gathered.cancelled || gathered.failure.is_some() {
        return finish(env, gathered);
    }
    due.sort_by_key(|(place, ..)| *place);
    // An entry that is not known is counted already.
    let mut unbuilt = due.iter().filter(|(.., is_unknown)| !is_unknown).count() as u64;
    let build = |(place, facts, is_unknown): (usize, Arc<Facts>, bool)| {
        let (env, session) = (env, &session);
        async move {
            let row: &Row = &session.catalog.rows[place];
            (place, is_unknown, propose(env, session, row, &facts, &Mode::Add).await)
        }
    };
    let mut failures = Vec::new();
    let ended = fan(context, due, AT_ONCE, build, |(place, is_unknown, proposed)| {
        let row = &session.catalog.rows[place];
        let left_out = |proposed: &Proposed| {
            proposed.proposal.findings.iter().any(|finding| finding.rule == "version-unread")
        };
        unbuilt -= u64::from(!is_unknown);
        // What was read may do for its versions all the same.
        let is_left = proposed.as_ref().map_or(is_unknown, left_out);
        gathered.summary.failed += u64::from(is_left);
        gathered.summary.failed -= u64::from(is_unknown);
        match proposed.and_then(|proposed| apply(context, &session, row, proposed, &plan)) {
            Ok(applied) => gathered.summary.applied += u64::from(applied),
            Err(failure) => failures.push(failure),
        }
    })
    .await;
    gathered.cancelled = ended.is_err();
    gathered.summary.leave(unbuilt);
    if gathered.summary.applied > 0 && !plan.dry_run {
        env.close_session().await;
    }
    // A full disk or a broken file stops nothing else, but the run must not look fine.
    match first_of(failures, context) {
        Some(failure) => Err(failure.into()),
        None => finish(env, gathered),
    }
}

/// The failure that the run ends with; the others are sent as notes before it.
fn first_of(failures: Vec<Failure>, context: &Context) -> Option<Failure> {
    let mut failures = failures.into_iter();
    let first = failures.next();
    for failure in failures {
        context.send(JobEvent::Note(format!("{} failed too: {}", failure.doing, failure.causes.join(": "))));
    }
    first
}

/// Removes what an earlier bump left when it was killed. Not while another bumpdesk runs: that may be writing them.
async fn clean(env: &Arc<Env>, session: &Arc<Session>, context: &Context) {
    if env.state().as_ref().is_none_or(crate::store::State::is_read_only) {
        return;
    }
    let session = Arc::clone(session);
    let cleaned = tokio::task::spawn_blocking(move || session.checkout.clean_leftovers()).await;
    match cleaned {
        Ok(Ok(0)) | Err(_) => {}
        Ok(Ok(count)) => {
            let files = if count == 1 {
                "a half-written file".to_owned()
            } else {
                format!("{count} half-written files")
            };
            context.send(JobEvent::Note(format!("{files} of an earlier bump that was cut off: removed")));
        }
        // They are in nobody's way.
        Ok(Err(error)) => tracing::warn!(%error, "files of an earlier bump stay"),
    }
}

fn ready(session: &Session, plan: &BumpPlan) -> Result<(), Failure> {
    let refuse = |cause: String, hint: &str| {
        Err(Failure::new(FailureKind::Data, "starting the bump").cause(cause).hint(hint))
    };
    if let Some(error) = &session.blacklist_error {
        return refuse(
            error.clone(),
            "Fix the blacklist first: without it removed versions would come back.",
        );
    }
    if !plan.dry_run && !session.checkout.is_writable() {
        return refuse(
            "the data is read from git objects, so there are no files to write".into(),
            "Leave out --ref, or add --dry-run.",
        );
    }
    Ok(())
}

/// The entries of a repository that lack a version tag.
fn lacking<'a>(session: &'a Session, work: &'a Work) -> impl Iterator<Item = usize> + 'a {
    let tags = work.stored.facts.tags.known();
    work.places.iter().copied().filter(move |place| {
        let row = &session.catalog.rows[*place];
        tags.is_some_and(|tags| !missing_tags(row.kind(), row.shape.version_list(), tags).is_empty())
    })
}

/// Checks that the file is unchanged. Building takes minutes where zips are hashed, and changes of others in that time must not
/// be lost.
fn unchanged_since(session: &Session, row: &Row, base_digest: &str) -> Result<(), Failure> {
    let now = session.checkout.read(&row.path()).map(|bytes| digest(&bytes)).unwrap_or_default();
    if now == base_digest {
        return Ok(());
    }
    Err(Failure::new(FailureKind::Conflict, format!("writing `{}`", row.path()))
        .cause("the file changed while its new versions were read; it was left as it is")
        .hint("Run the same command again: it starts from the file as it is now."))
}

/// Writes one file; true if there was something to write.
fn apply(
    context: &Context,
    session: &Session,
    row: &Row,
    proposed: Proposed,
    plan: &BumpPlan,
) -> Result<bool, Failure> {
    if let Some(judgement) = proposed.judged {
        context.send(JobEvent::Judged(vec![judgement]));
    }
    for finding in proposed.proposal.findings {
        context.send(JobEvent::Found(row.path(), finding));
    }
    if proposed.added.is_empty() && proposed.recorded.is_empty() {
        return Ok(false);
    }
    if !plan.dry_run {
        unchanged_since(session, row, &proposed.proposal.base_digest)?;
        session.checkout.write(&row.path(), &proposed.proposal.bytes).map_err(|error| {
            Failure::new(FailureKind::Internal, format!("writing `{}`", row.path()))
                .cause(error.to_string())
                .hint("Check the disk, then run the same command again: it continues where it stopped.")
        })?;
    }
    context.send(JobEvent::Applied(Applied {
        address: row.address.clone(),
        path: row.path(),
        added: proposed.added,
        recorded: proposed.recorded,
        written: !plan.dry_run,
    }));
    Ok(true)
}
