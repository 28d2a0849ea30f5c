//! The list at the start: the registry's rows, and verdicts from what earlier surveys kept.

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::JobEvent;
use crate::jobs::Loaded;
use crate::jobs::Outcome;
use crate::jobs::Summary;
use crate::jobs::context::Context;
use crate::jobs::session::Session;
use crate::jobs::survey::judge_row;
use crate::rules::Depth;
use crate::rules::Verdict;

pub(crate) async fn load(env: &Arc<Env>, context: &Context) -> Outcome {
    let session = match env.reload().await {
        Ok(session) => session,
        Err(failure) => return Outcome::Failed(failure),
    };
    let worker = Arc::clone(env);
    let judged = tokio::task::spawn_blocking(move || judged(&worker, &session));
    let loaded = judged.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
    let entries = loaded.catalog.rows.len() as u64;
    context.send(JobEvent::Loaded(Arc::new(loaded)));
    Outcome::Done(Summary { entries, ..Summary::default() })
}

fn judged(env: &Env, session: &Session) -> Loaded {
    let kept = env.state().as_ref().and_then(|state| state.load_facts(&env.world).ok());
    let kept = kept.unwrap_or_default().by_repository;
    let verdict = |row: &crate::registry::Row| -> Verdict {
        let stored = if kept.is_empty() { None } else { kept.get(&row.address.repository().key()) };
        judge_row(env, session, row, stored.map(|stored| &stored.facts), Depth::Versions)
    };
    let verdicts = session.catalog.rows.iter().map(verdict).collect();
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
