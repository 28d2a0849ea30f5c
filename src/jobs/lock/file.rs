//! A lock file against registry and archives: all of its versions at once.

use std::path::Path;
use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{CheckedFile, Failure, FailureKind, LockNews, LockPlan, Stop, Summary};
use crate::jobs::lock::question;
use crate::jobs::lock::question::{Answered, Found, VersionToLock};
use crate::rules::lock::{BlockCheck, FoundAt, Known, LOCK_BYTES_MAX, LockBlock, LockMistake};
use crate::rules::{Severity, lock};
use crate::store::read_small;

pub(super) async fn check(
    env: &Arc<Env>,
    context: &Context,
    plan: &LockPlan,
    path: &Path,
) -> Result<(LockNews, Summary), Stop> {
    let bytes = read_small(path, LOCK_BYTES_MAX as u64).map_err(|error| {
        Failure::new(FailureKind::Usage, "reading the lock file")
            .cause(error.to_string())
            .hint("Name a lock file, which is called `.terraform.lock.hcl` and has at most 256 KiB.")
    })?;
    // A file that is made to be slow keeps nobody else waiting.
    let file = tokio::task::spawn_blocking(move || lock::read(&bytes)).await;
    let file = file.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
    let file = file.map_err(|mistakes| unreadable(path, &mistakes))?;
    let session = env.session().await?;
    session.tell_notices(env, context);
    let mut found: Vec<FoundAt> = file.skipped.iter().map(lock::skipped).collect();
    let mut to_lock: Vec<(LockBlock, VersionToLock)> = Vec::new();
    for block in file.blocks {
        let Some(entry) = question::entry(&session, &block.address)? else {
            found.push(lock::no_provider(&block, &session.catalog));
            continue;
        };
        match question::find(&block.address, &entry, &block.version.text) {
            Found::Nothing => found.push(lock::no_version(&block)),
            Found::Twice(_) => found.push(lock::listed_twice(&block)),
            Found::Version(version) => to_lock.push((block, version)),
        }
    }
    let (blocks, versions): (Vec<LockBlock>, Vec<VersionToLock>) = to_lock.into_iter().unzip();
    let (mut checks, mut summary) = (Vec::new(), Summary::default());
    if !versions.is_empty() {
        let answered = question::answer(env, context, &session, plan, &versions).await?;
        checks = of_blocks(plan, &blocks, &versions, &answered);
        summary = answered.summary;
    }
    found.extend(checks.iter().flat_map(BlockCheck::findings));
    found.sort_by_key(|found| found.at);
    // The findings are those of the lock file; what a verification finds wrong shows in them.
    summary.findings = found.iter().filter(|at| at.finding.severity == Severity::Error).count() as u64;
    let checked = CheckedFile { path: path.display().to_string(), blocks: checks, found };
    Ok((LockNews::File(Box::new(checked)), summary))
}

fn of_blocks(
    plan: &LockPlan,
    blocks: &[LockBlock],
    versions: &[VersionToLock],
    answered: &Answered,
) -> Vec<BlockCheck> {
    let known = blocks.iter().zip(versions).zip(&answered.documents);
    let check = |((block, to_lock), documents): ((&LockBlock, &VersionToLock), _)| {
        let rows = to_lock.rows(&answered.rows);
        let chain = to_lock.chain(plan, documents, &rows);
        let known = Known {
            version: to_lock.version(),
            rows: &rows,
            sums: &documents.sums,
            chain: &chain,
            asked: &plan.targets,
            reads_archives: plan.downloads,
        };
        lock::check(block, &known)
    };
    known.map(check).collect()
}

fn unreadable(path: &Path, mistakes: &[LockMistake]) -> Failure {
    let cause = |mistake: &LockMistake| {
        let at = mistake.at;
        format!("`{}` at {}:{}: {}; {}", path.display(), at.line, at.column, mistake.text, mistake.remedy)
    };
    Failure::new(FailureKind::Usage, "reading the lock file")
        .causes(mistakes.iter().map(cause))
        .hint("Fix it, or have it written again by `tofu init`.")
}
