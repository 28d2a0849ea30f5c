//! Keeps the state within bounds: once a day, after a job, unused data is removed.
//!
//! It never runs at a start, and works in small turns, so that no other job waits for it. Decisions, plans, marks and typed
//! texts are the maintainer's, and not touched; nor are sendings, unless nothing of them is left.

use std::sync::Arc;

use jiff::SignedDuration;

use crate::jobs::{Env, backfill, lint, opening, publish, verdicts, verify};
use crate::rules::UNASKED_LAST;
use crate::store::{Error, Most, keep_newest};

const EVERY: SignedDuration = SignedDuration::from_hours(24);
/// Repositories forgotten in one turn.
const TURN: usize = 500;
/// Reports without a name from the user. Those of the last days are continued; the others are read again now and then.
const REPORTS: Most = Most { files: 100, bytes: 512 << 20 };
/// One for each registry and reference that was opened; the next opening makes a missing one again.
const INDEXES: Most = Most { files: 12, bytes: 1 << 30 };

/// Does what is due; a failure is a line in the log, and due again after the next job.
pub(crate) async fn tidy(env: &Arc<Env>) {
    let world = Arc::clone(env);
    // A panic in here is no end of the job before it, which still has to be told.
    match tokio::task::spawn_blocking(move || tidy_now(&world)).await {
        Ok(Ok(0)) => {}
        Ok(Ok(forgotten)) => {
            let words = "repositories have not been asked about for a month: only their ids are kept";
            tracing::info!(target: "bumpdesk::jobs", "{forgotten} {words}");
        }
        Ok(Err(error)) => tracing::warn!(%error, "old facts were not forgotten"),
        Err(error) => tracing::error!(%error, "forgetting old facts failed"),
    }
}

/// Gives the number of repositories that were forgotten.
pub(super) fn tidy_now(env: &Env) -> Result<usize, Error> {
    let now = env.now();
    let is_due = env.state().as_ref().filter(|state| !state.is_read_only()).map(|state| {
        // A clock that was wrong then would put it off for ever.
        let age = |at| now.duration_since(at).abs();
        state.tidied_at().map(|at| at.is_none_or(|at| age(at) >= EVERY))
    });
    if !is_due.transpose()?.unwrap_or_default() {
        return Ok(0);
    }
    let mut forgotten = 0;
    while let Some(state) = env.state().as_mut() {
        let count = state.prune_facts(now - UNASKED_LAST, TURN)?;
        forgotten += count;
        if count < TURN {
            break;
        }
    }
    if let Err(failure) = publish::forget_taken_back(env) {
        tracing::warn!("{}", failure.sentence());
    }
    if let Some(state) = env.state().as_mut() {
        state.compact()?;
        state.note_tidied(now)?;
    }
    for names in [verify::REPORT_NAMES, backfill::JOURNAL_NAMES] {
        keep_newest(&env.reports_dir, names, REPORTS);
    }
    for names in [opening::INDEX_NAMES, verdicts::FILE_NAMES, lint::FILE_NAMES] {
        keep_newest(&env.cache_dir, names, INDEXES);
    }
    Ok(forgotten)
}
