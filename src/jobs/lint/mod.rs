//! Checks of the data files themselves, without network. The recorded commits of modules are also compared with the
//! tags that the last survey stored. The number of findings of each file is kept for filters.

mod kept;

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{JobEvent, LintPlan, Phase, Progress, Scope, Stop, Summary};
use crate::jobs::session::Session;
use crate::registry::{Address, Entry, Observed, Row};
use crate::rules::{Finding, all_tags_moved, lint, warning};
use crate::store::blob_name;
use kept::Looked;

pub(crate) use kept::{FILE_NAMES, recall};

/// The number of files that are read between two looks at the request to stop.
const CHUNK: usize = 500;

pub(crate) async fn lint(env: &Arc<Env>, context: &Context, plan: LintPlan) -> Result<Summary, Stop> {
    let session = env.session().await?;
    session.tell_notices(env, context);
    let places = session.select(&plan.scope)?;
    let mut summary = Summary { entries: places.len() as u64, ..Summary::default() };
    let wanted =
        |finding: &Finding| plan.rules.is_empty() || plan.rules.iter().any(|rule| *rule == finding.rule);
    let mut say = |path: String, findings: Vec<Finding>| {
        for finding in findings.into_iter().filter(&wanted) {
            summary.findings += 1;
            context.send(JobEvent::Found(path.clone(), finding));
        }
    };
    if plan.scope == Scope::Everything {
        for path in &session.catalog.unreachable {
            say(path.clone(), vec![lint::unreachable(path)]);
        }
    }
    let mut done = 0;
    let mut looked = Vec::with_capacity(places.len());
    for chunk in places.chunks(CHUNK) {
        if context.checkpoint().is_err() {
            return Err(Stop::Cancelled(summary));
        }
        let reader = (Arc::clone(env), Arc::clone(&session), chunk.to_vec());
        let read = tokio::task::spawn_blocking(move || {
            let (env, session, chunk) = reader;
            let rows = chunk.iter().map(|place| &session.catalog.rows[*place]);
            rows.map(|row| (row.path(), of_row(&env, &session, row))).collect::<Vec<_>>()
        });
        for (path, (blob, findings)) in
            read.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))
        {
            looked.extend(blob.map(|blob| Looked {
                path: path.clone(),
                blob,
                findings: findings.len() as u32,
            }));
            say(path, findings);
        }
        done += chunk.len() as u64;
        context.progress(Progress {
            phase: Phase::Reading,
            done,
            total: places.len() as u64,
            failed: 0,
            requests: 0,
            rate: 0.0,
            left: None,
            waiting: None,
        });
    }
    let (world, list) = (Arc::clone(env), Arc::clone(&session));
    let keeping = tokio::task::spawn_blocking(move || kept::keep(&world, &list, looked));
    if let Err(error) = keeping.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic())) {
        context.send(JobEvent::Note(format!("`has:lint` does not know of this check: {error}")));
    }
    Ok(summary)
}

/// The name of the bytes, where git names them, and what was found in them.
fn of_row(env: &Env, session: &Session, row: &Row) -> (Option<Box<str>>, Vec<Finding>) {
    let bytes = match session.checkout.read(&row.path()) {
        Ok(bytes) => bytes,
        Err(error) => return (None, vec![lint::broken(&error.to_string())]),
    };
    let blob = (!row.blob.is_empty()).then(|| blob_name(&bytes));
    let findings = match Entry::read(row.kind(), &bytes) {
        Ok((document, entry)) => {
            let is_served = |address: &Address| warning::is_served(&session.catalog, address);
            let mut findings = lint::lint_entry(&row.address, &document, &entry, &is_served);
            findings.extend(moved_tags(env, row, &entry));
            findings
        }
        Err(error) => vec![lint::broken(&error)],
    };
    (blob, findings)
}

/// The alarm for a module whose tags have all moved, from the tags that the last survey stored. Sends no request.
fn moved_tags(env: &Env, row: &Row, entry: &Entry) -> Option<Finding> {
    // A single moved tag changes the entry's status and raises no alarm.
    let entry = entry.as_module().filter(|_| row.shape.commit_count > 1)?;
    let key = row.address.repository().key();
    let kept = env.state().as_ref().and_then(|state| state.load_fact(&env.world, &key).ok().flatten())?;
    match &kept.facts.tags {
        Observed::Known { value, at } => all_tags_moved(entry, value, *at),
        _ => None,
    }
}
