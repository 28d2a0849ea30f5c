//! The output of a backfill: files of the plan, or patches. A data file is never written here.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{BackfillNews, BackfillOutput, Bundle, Failure, FailureKind, JobEvent};
use crate::jobs::plan::{check_writable, put_fills};
use crate::jobs::session::Session;
use crate::registry::Address;
use crate::rules::amount::counted;
use crate::rules::backfill::{Fill, FillResult, Row, drifted, fill, fills};
use crate::rules::diff;
use crate::rules::diff::Lines;
use crate::rules::sending::Patch;
use crate::store::{Error, files_ending, make_folder, read_small, sweep, write_new, write_over};

/// The author of a patch. The person who applies it signs it off in their own name.
const AUTHOR: &str = "bumpdesk <bumpdesk@localhost>";
/// A patch is never larger.
const PATCH_LIMIT_BYTES: u64 = 1 << 30;

/// Checks that the output can be kept, before anything takes long.
pub(super) fn check(env: &Env, session: &Session, output: &BackfillOutput) -> Result<(), Failure> {
    match output {
        BackfillOutput::Plan => check_writable(env, session),
        BackfillOutput::Nothing | BackfillOutput::Patches { .. } => Ok(()),
    }
}

/// Makes what follows from the rows; how many files that changes. A version of which a target was not reached is left for the next run: it may
/// have drifted.
pub(super) async fn write(
    env: &Arc<Env>,
    session: &Arc<Session>,
    context: &Context,
    rows: &[Row],
    output: &BackfillOutput,
) -> Result<u64, Failure> {
    let waits = |row: &&Row| row.result == FillResult::Waiting;
    let open: HashSet<(&Address, &str)> = rows.iter().filter(waits).map(Row::version).collect();
    let drifted = drifted(rows);
    let rows: Vec<Row> = rows.iter().filter(|row| !open.contains(&row.version())).cloned().collect();
    let found = fills(&rows);
    match output {
        BackfillOutput::Nothing => Ok(0),
        BackfillOutput::Plan => {
            let put = put_fills(env, session, context, found, &drifted)?;
            context.send(JobEvent::Backfill(BackfillNews::Planned(put)));
            Ok(put)
        }
        BackfillOutput::Patches { folder, bundle } => {
            let session = Arc::clone(session);
            let (folder, bundle) = (folder.clone(), *bundle);
            let made = tokio::task::spawn_blocking(move || patches(&session, &found, (&folder, bundle)));
            let (news, count) =
                made.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))?;
            for news in news {
                context.send(JobEvent::Backfill(news));
            }
            Ok(count)
        }
    }
}

/// One file as it changes.
struct Changed {
    address: Address,
    difference: String,
    targets: usize,
}

fn patches(
    session: &Session,
    found: &[(Address, Vec<Fill>)],
    (folder, bundle): (&Path, Bundle),
) -> Result<(Vec<BackfillNews>, u64), Failure> {
    let (mut news, mut changed, mut written) = (Vec::new(), Vec::new(), HashSet::new());
    for (address, fills) in found {
        match change(session, address, fills) {
            Ok((one, left)) => {
                changed.extend(one);
                news.extend(left.into_iter().map(BackfillNews::NotWritten));
            }
            Err(why) => news.push(BackfillNews::NotWritten(format!("{address}: {why}"))),
        }
    }
    // A killed run may have left temporary files. A run whose patches all exist already writes nothing, so it would
    // not remove them.
    sweep(folder);
    // Of the same results on the same commit the same bytes.
    let head = session.checkout.head().ok().flatten().map(|head| (head.commit, head.time));
    let (base, at) = head.unwrap_or_else(|| ("0".repeat(40), Timestamp::UNIX_EPOCH));
    let count = changed.len() as u64;
    for (files, number) in bundles(changed, bundle).iter().zip(1..) {
        let title = title(files);
        let message: Vec<String> =
            files.iter().map(|one| format!("{}: {}", one.address, counted(one.targets, "target"))).collect();
        let differences: Vec<String> = files.iter().map(|one| one.difference.clone()).collect();
        let patch = Patch::of((&base, AUTHOR, at), (&title, &message.join("\n")), &differences);
        let file = folder.join(name(number, files, bundle));
        put(&file, patch.mail().as_bytes())?;
        written.insert(file.clone());
        news.push(BackfillNews::Wrote(file));
    }
    // Whoever applies all that lies there applies those too, and what was filled in then may have drifted since.
    for path in files_ending(folder, ".patch").into_iter().filter(|path| !written.contains(path)) {
        if read_small(&path, PATCH_LIMIT_BYTES).is_ok_and(|there| is_ours(&there)) {
            let why =
                format!("`{}` again: it is of an earlier run; look whether it still holds", path.display());
            news.push(BackfillNews::NotWritten(why));
        }
    }
    Ok((news, count))
}

/// Returns the change in one file, if there is one, and the versions that could not be filled in.
fn change(
    session: &Session,
    address: &Address,
    fills: &[Fill],
) -> Result<(Option<Changed>, Vec<String>), String> {
    let row = session.catalog.find(address).ok_or("it is not in the registry any more")?;
    let old = session.reading(row)?;
    let (new, left) = fill(&old.document, fills);
    let left: Vec<String> =
        left.into_iter().map(|left| format!("{address} {} {}", left.version, left.why)).collect();
    let bytes = new.print();
    if bytes == old.bytes {
        return Ok((None, left));
    }
    let difference = diff::compare(row.kind(), &old.document, &new);
    let lines = Lines::of(row.kind(), (&old.document, old.bytes.clone()), (&new, bytes), &difference);
    let targets = difference.versions.iter().map(|version| version.targets.len()).sum();
    let difference = lines.unified(&row.path(), diff::CONTEXT_LINES);
    Ok((Some(Changed { address: address.clone(), difference, targets }), left))
}

fn bundles(changed: Vec<Changed>, bundle: Bundle) -> Vec<Vec<Changed>> {
    let mut bundles: Vec<Vec<Changed>> = Vec::new();
    for one in changed {
        let fits = |files: &Vec<Changed>| match bundle {
            Bundle::Provider => false,
            Bundle::Letter => files[0].address.shard() == one.address.shard(),
            Bundle::Files(most) => files.len() < most,
        };
        match bundles.last_mut().filter(|files| fits(files)) {
            Some(files) => files.push(one),
            None => bundles.push(vec![one]),
        }
    }
    bundles
}

fn title(files: &[Changed]) -> String {
    match files {
        [one] => format!("Fill in h1 and size of {}", one.address),
        files => format!("Fill in h1 and size of {}", counted(files.len(), "provider")),
    }
}

/// `0001-acme-rocket.patch`, `0001-a.patch`, `0001.patch`: `git am` takes them in this order.
fn name(number: usize, files: &[Changed], bundle: Bundle) -> String {
    let of = match bundle {
        Bundle::Provider => format!("-{}", files[0].address.to_string().replace('/', "-")),
        Bundle::Letter => format!("-{}", files[0].address.shard()),
        Bundle::Files(_) => String::new(),
    };
    format!("{number:04}{of}.patch")
}

/// Writes a file whole or not at all. A file with the same bytes stays as it is, and a patch of an earlier run is replaced.
fn put(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let there = read_small(path, PATCH_LIMIT_BYTES).ok();
    if there.as_deref() == Some(bytes) {
        return Ok(());
    }
    let fail = |error: Error| {
        Failure::new(FailureKind::Usage, format!("writing `{}`", path.display()))
            .cause(error.to_string())
            .hint("Name another folder with --out. What was downloaded is kept: the same command makes it of that.")
    };
    if let Some(folder) = path.parent() {
        make_folder(folder).map_err(fail)?;
    }
    let changed = files_in(bytes);
    let gives_way = there.is_some_and(|there| is_ours(&there) && files_in(&there).is_subset(&changed));
    if gives_way { write_over(path, bytes) } else { write_new(path, bytes) }.map_err(fail)
}

/// Returns true if a file is a patch that a backfill wrote: its author stands in the second line.
fn is_ours(patch: &[u8]) -> bool {
    let from = format!("From: {AUTHOR}");
    patch.split(|byte| *byte == b'\n').nth(1).is_some_and(|line| line == from.as_bytes())
}

/// The lines that name what a patch changes.
fn files_in(patch: &[u8]) -> HashSet<&[u8]> {
    patch.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"diff --git ")).collect()
}
