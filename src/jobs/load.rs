//! The list at the start: the registry's rows, and verdicts from what earlier surveys kept.
//!
//! The console gets the list as the last run left it at once, and is told what differs when every file was looked at.

use std::sync::Arc;

use crate::jobs::Confirmed;
use crate::jobs::Env;
use crate::jobs::JobEvent;
use crate::jobs::Loaded;
use crate::jobs::Outcome;
use crate::jobs::Summary;
use crate::jobs::context::Context;
use crate::jobs::session::Session;
use crate::jobs::survey::judge_row;
use crate::registry::Row;
use crate::rules::Depth;
use crate::rules::Verdict;

pub(crate) async fn load(env: &Arc<Env>, context: &Context) -> Outcome {
    let early = if env.early_list { remembered(env, context).await } else { None };
    let session = match env.reload().await {
        Ok(session) => session,
        Err(failure) => return Outcome::Failed(failure),
    };
    // They go with the list.
    let _ = env.takes_notice();
    let entries = session.catalog.rows.len() as u64;
    if early.is_some_and(|early| early.catalog == session.catalog && early.decisions == session.decisions) {
        context.send(JobEvent::Confirmed(Confirmed {
            revision: session.revision.clone(),
            last_bump: session.last_bump,
            notices: session.notices.clone(),
        }));
    } else {
        context.send(JobEvent::Loaded(judge_all(env, &session).await));
    }
    Outcome::Done(Summary { entries, ..Summary::default() })
}

/// Says the list as the last run left it; nothing where there is none, or the registry cannot be opened.
async fn remembered(env: &Arc<Env>, context: &Context) -> Option<Arc<Session>> {
    let session = Session::remembered(env).await?;
    context.send(JobEvent::Loaded(judge_all(env, &session).await));
    Some(session)
}

async fn judge_all(env: &Arc<Env>, session: &Arc<Session>) -> Arc<Loaded> {
    let (env, session) = (Arc::clone(env), Arc::clone(session));
    let judged = tokio::task::spawn_blocking(move || judged(&env, &session));
    Arc::new(judged.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic())))
}

fn judged(env: &Env, session: &Session) -> Loaded {
    let kept = env.state().as_ref().and_then(|state| state.load_facts(&env.world).ok());
    let kept = kept.unwrap_or_default().by_repository;
    let verdict = |row: &Row| -> Verdict {
        let stored = if kept.is_empty() { None } else { kept.get(&row.address.repository().key()) };
        judge_row(env, session, row, stored.map(|stored| &stored.facts), Depth::Versions)
    };
    // The first screen waits for this: both cores take half.
    let (first, second) = session.catalog.rows.split_at(session.catalog.rows.len() / 2);
    let verdicts = std::thread::scope(|scope| {
        let second = scope.spawn(|| second.iter().map(verdict).collect::<Vec<Verdict>>());
        let mut verdicts: Vec<Verdict> = first.iter().map(verdict).collect();
        verdicts.extend(second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        verdicts
    });
    Loaded {
        catalog: session.catalog.clone(),
        verdicts,
        revision: session.revision.clone(),
        name: session.checkout.root().display().to_string(),
        last_bump: session.last_bump,
        notices: session.notices.clone(),
        has_token: env.remote.has_token(),
    }
}
