//! Backfills: h1 and size of indexed targets that lack them, computed here and written into the plan or into patches, never into a file.
//!
//! `gaps` lists what is lacking, `run` downloads and hashes it, `kept` keeps every finished row at once, so that the same command continues
//! after a kill, `merge` puts the shares of several machines together, and `written` makes the change.

mod gaps;
mod kept;
mod merge;
mod run;
mod written;

use std::path::Path;
use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{
    BackfillMerge, BackfillNews, BackfillPart, BackfillRun, BackfillTask, Estimated, Failure, FailureKind,
    JobEvent, Stop, Summary, Unit,
};
use crate::jobs::session::Session;
use crate::rules::backfill::{Estimate, Item, Row, SHORT, Selection, Share, State, Tally, cut, items_digest};

pub(super) use kept::JOURNAL_NAMES;

use gaps::Gaps;
use kept::{Begin, Ended, Kept};
use run::Run;

pub(crate) async fn backfill(env: &Arc<Env>, context: &Context, task: BackfillTask) -> Result<Summary, Stop> {
    match &task {
        BackfillTask::Estimate { selection, workers, shards } => {
            estimate(env, context, selection, *workers, *shards).await
        }
        BackfillTask::Run(run) => fill(env, context, run).await,
        BackfillTask::Merge(merge) => merge::merge(env, context, merge).await,
    }
}

/// Puts shares together that were fetched, each with its name, or why it was not; `hint`: what to do where one is refused.
pub(crate) async fn merge_fetched(
    env: &Arc<Env>,
    context: &Context,
    files: Vec<(String, Result<Vec<u8>, String>)>,
    (task, hint): (&BackfillMerge, &str),
) -> Result<Summary, Stop> {
    merge::merge_read(env, context, files, (task, hint)).await
}

/// Reports what a backfill will cost.
async fn estimate(
    env: &Arc<Env>,
    context: &Context,
    selection: &Selection,
    workers: usize,
    shards: usize,
) -> Result<Summary, Stop> {
    let estimated = estimated(env, context, selection, (workers, shards)).await?;
    let summary = Summary {
        entries: estimated.estimate.targets,
        unit: Unit::Target,
        broken: estimated.broken,
        ..Summary::default()
    };
    context.send(JobEvent::Backfill(BackfillNews::Estimated(Arc::new(estimated))));
    Ok(summary)
}

/// Estimates what a backfill will cost, without any network.
pub(crate) async fn estimated(
    env: &Arc<Env>,
    context: &Context,
    selection: &Selection,
    (workers, shards): (usize, usize),
) -> Result<Estimated, Failure> {
    let session = env.reload().await?;
    session.tell_notices(env, context);
    let gaps = Gaps::read(env, &session, selection, false).await?;
    gaps.tell_broken(context);
    let estimate = Estimate::of(&gaps.files, workers);
    let parts = cut(&estimate.weights, shards)
        .into_iter()
        .map(|range| Share { targets: range.len(), bytes: estimate.weights[range].iter().sum() });
    Ok(Estimated {
        selection: selection.clone(),
        base: gaps.base.clone(),
        digest: gaps.digest(),
        shares: parts.collect(),
        estimate,
        broken: gaps.broken.len() as u64,
    })
}

/// Downloads, hashes, and makes what follows from it.
async fn fill(env: &Arc<Env>, context: &Context, task: &BackfillRun) -> Result<Summary, Stop> {
    let session = env.reload().await?;
    session.tell_notices(env, context);
    if let BackfillPart::Whole(output) = &task.part {
        written::check(env, &session, output)?;
    }
    let gaps = Gaps::read(env, &session, &task.selection, true).await?;
    gaps.tell_broken(context);
    let digest = gaps.digest();
    let weights = Estimate::of(&gaps.files, task.limits.workers).weights;
    let begin = Begin {
        question: question(env, &session, &task.selection.words()),
        base: gaps.base.clone(),
        plan: digest.clone(),
        ..Begin::default()
    };
    let (items, weights, begin) = match &task.part {
        BackfillPart::Whole(_) => (gaps.items, weights, begin),
        BackfillPart::Shard { number, of, plan, .. } => {
            share(&gaps.items, &weights, begin, (*number, *of, plan))?
        }
    };
    let mut kept = match &task.part {
        BackfillPart::Whole(_) => Kept::open(&kept::default_path(env, &begin.question), begin, false)?,
        BackfillPart::Shard { out, .. } => Kept::open(out, begin, true)?,
    };
    if let Some(note) = kept.note() {
        context.send(JobEvent::Note(note));
    }
    let mut rows: Vec<Row> = items.into_iter().map(Row::waiting).collect();
    let earlier = kept.take_over(&mut rows);
    context.send(JobEvent::Backfill(BackfillNews::Begun {
        rows: Arc::new(rows.clone()),
        plan: digest,
        journal: kept.path(),
        kept: earlier,
    }));
    let sent_before = env.remote.counts().total().sent;
    let (rows, ended) = Run::new(env, context, &task.limits, (rows, &weights), Some(&mut kept)).run().await;
    kept.end(ended, env.now());
    if let Some(failure) = kept.lost() {
        return Err(failure.into());
    }
    let mut summary = summary(env, &rows, sent_before);
    summary.broken = gaps.broken.len() as u64;
    match ended {
        Ended::Cancelled => return Err(Stop::Cancelled(summary)),
        Ended::Limit(limit) => {
            let text = format!(
                "stopped at the limit of {}; the same command continues from there",
                limit.words(&task.limits)
            );
            context.send(JobEvent::Backfill(BackfillNews::Stopped(text.clone())));
            summary.limits.push(text);
        }
        Ended::Done | Ended::JournalLost => {}
    }
    if let BackfillPart::Whole(output) = &task.part {
        summary.applied = written::write(env, &session, context, &rows, output).await?;
    }
    Ok(summary)
}

/// The part of a plan that one machine does.
fn share(
    items: &[Item],
    weights: &[u64],
    begin: Begin,
    (number, of, plan): (usize, usize, &str),
) -> Result<(Vec<Item>, Vec<u64>, Begin), Failure> {
    if begin.plan != plan {
        let name = |digest: &str| digest.get(..SHORT).unwrap_or(digest).to_owned();
        return Err(Failure::new(FailureKind::Conflict, "making the plan again")
            .cause(format!(
                "the plan is {} here, not {}: the registry, the selection or the program is another one",
                name(&begin.plan),
                name(plan)
            ))
            .hint(format!(
                "Check out the commit that the plan was made on (this is {}), with nothing changed, and name the same selection.",
                begin.base.get(..SHORT).unwrap_or("no commit")
            )));
    }
    let ranges = cut(weights, of);
    let shards = ranges.iter().map(|range| items_digest(&items[range.clone()])).collect();
    let range = ranges[number - 1].clone();
    let shard = format!("{number}/{of}");
    Ok((items[range.clone()].to_vec(), weights[range].to_vec(), Begin { shard, shards, ..begin }))
}

/// The question in words; the same words, the same journal.
fn question(env: &Env, session: &Session, selection: &str) -> String {
    let root: &Path = session.checkout.root();
    format!("{selection} of {} at {}", root.display(), env.world)
}

fn summary(env: &Env, rows: &[Row], sent_before: u64) -> Summary {
    let tally = Tally::of(rows);
    Summary {
        entries: rows.len() as u64,
        unit: Unit::Target,
        requests: env.remote.counts().total().sent.saturating_sub(sent_before),
        failed: tally.failed + tally.left,
        unreached: tally.left,
        findings: rows.iter().filter(|row| row.state().is_bad()).count() as u64,
        ..Summary::default()
    }
}

/// That of a row, where its version is looked at too.
fn state_in(row: &Row, is_held: bool) -> State {
    if is_held && row.is_filled() { State::Held } else { row.state() }
}
