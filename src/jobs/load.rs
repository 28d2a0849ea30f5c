//! The list at the start: the registry's rows, and verdicts from what earlier surveys kept.
//!
//! The console gets the list at once as the last run or a pull left it, or the names alone if there was no run. The differences
//! follow when every file was looked at.

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{Confirmed, Failure, JobEvent, Loaded, Summary};
use crate::jobs::session::Session;
use crate::jobs::verdicts::{Kept, Recalled};
use crate::registry::Row;
use crate::rules::{Because, Source, Status, Verdict};
use crate::store::Checkout;

pub(crate) async fn load(env: &Arc<Env>, context: &Context) -> Result<Summary, Failure> {
    let early = if env.early_list { early(env, context).await } else { None };
    let session = env.reload().await?;
    // They go with the list.
    let _ = env.takes_notice();
    // Before the list, so that whoever shows that can tell of it.
    for course in &session.half_done.courses {
        context.send(JobEvent::Sending(Arc::clone(course)));
    }
    let entries = session.catalog.rows.len() as u64;
    if early.is_some_and(|early| early.catalog == session.catalog && early.decisions == session.decisions) {
        context.send(JobEvent::Confirmed(Confirmed {
            revision: session.revision.clone(),
            last_bump: session.last_bump,
            notices: session.notices.clone(),
        }));
    } else {
        judge_all(env, &session, None, context).await;
    }
    Ok(Summary { entries, ..Summary::default() })
}

/// Says what can be listed at once; gives it back if more than the names of the entries is known.
async fn early(env: &Arc<Env>, context: &Context) -> Option<Arc<Session>> {
    let kept = |env: &Env, checkout: &Checkout| Kept::read(env, checkout.root());
    let (session, is_read, kept) = Session::early(env, kept).await?;
    if session.catalog.rows.is_empty() {
        return None;
    }
    if !is_read {
        let verdicts = session.catalog.rows.iter().map(|_| still_reading()).collect();
        context.send(JobEvent::Loaded(Arc::new(loaded(env, &session, verdicts))));
        return None;
    }
    judge_all(env, &session, Some(kept), context).await;
    Some(session)
}

/// The verdict of a row whose file was not read yet: it claims nothing, whatever earlier surveys found.
fn still_reading() -> Verdict {
    let text = "its data file is still being read".to_owned();
    Verdict::new(Status::Unknown, Because { text, source: Source::Pending, at: None })
}

/// Says the list with its verdicts, and keeps those that were judged for it.
async fn judge_all(env: &Arc<Env>, session: &Arc<Session>, kept: Option<Kept>, context: &Context) {
    let (world, list) = (Arc::clone(env), Arc::clone(session));
    let judged = tokio::task::spawn_blocking(move || {
        let kept = kept.unwrap_or_else(|| Kept::read(&world, list.checkout.root()));
        let rows: Vec<&Row> = list.catalog.rows.iter().collect();
        let Recalled { verdicts, fresh } = kept.open(&world, &list).recall(&rows);
        (loaded(&world, &list, verdicts), fresh, kept)
    });
    let (loaded, fresh, kept) =
        judged.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
    context.send(JobEvent::Loaded(Arc::new(loaded)));
    let (world, list) = (Arc::clone(env), Arc::clone(session));
    let keeping = tokio::task::spawn_blocking(move || kept.keep(&world, &list, &fresh));
    keeping.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
}

fn loaded(env: &Env, session: &Session, verdicts: Vec<Verdict>) -> Loaded {
    Loaded {
        catalog: Arc::clone(&session.catalog),
        verdicts,
        revision: session.revision.clone(),
        name: session.checkout.root().display().to_string(),
        last_bump: session.last_bump,
        notices: session.notices.clone(),
        half_done: session.half_done.words.clone(),
        has_token: env.remote.has_token(),
        git_per_second: env.git_per_second,
        keeps: env.keeps(),
        may_write: env.may_write,
    }
}
