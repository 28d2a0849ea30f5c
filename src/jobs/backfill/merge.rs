//! The shares of several machines, put together. Nothing of them is believed: each has to be whole, of the same plan, with what that plan gave it to
//! do, and every result has to be of an archive with the checksum that the registry has here.
//!
//! A share that reports an archive as changed, missing or too large removes work from the plan and blames an author.
//! Each such claim is checked here by reading the archive again, and only the result read here counts. An h1 that has
//! the right form but belongs to another archive cannot be recognised in the file, so `sample` computes some of them
//! again.

use std::collections::hash_map::RandomState;
use std::collections::{BTreeMap, HashSet};
use std::hash::BuildHasher;
use std::path::PathBuf;
use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::backfill::gaps::Gaps;
use crate::jobs::backfill::kept::{Begin, Ended, FORMAT, Limit, Line, RowLine};
use crate::jobs::backfill::run::Run;
use crate::jobs::backfill::{summary, written};
use crate::jobs::context::{Cancelled, Context};
use crate::jobs::data::{
    BackfillLimits, BackfillMerge, BackfillNews, Failure, FailureKind, JobEvent, Stop, Summary,
};
use crate::jobs::session::Session;
use crate::registry::Address;
use crate::remote::ZIP_LIMIT_BYTES;
use crate::rules::amount::counted;
use crate::rules::backfill::{
    FillResult, Item, Row, SHORT, Selected, Selection, State, is_h1, items_digest, plan_digest,
};
use crate::rules::plain_text::shortened;
use crate::store::read_small;

/// A share of some hundred thousand rows is never larger.
const LIMIT_BYTES: u64 = 1 << 30;
/// The most faults that are listed.
const MOST_LISTED: usize = 10;
/// The most characters that are kept of a fault, or of a reason in a share.
const MOST_WORDS: usize = 400;
/// The number of claims that are checked in one round. A share whose claims are all false is refused after the first
/// round.
const CLAIMS_AT_ONCE: usize = 64;
/// The most unchecked claims that are listed one by one.
const MOST_UNREAD: usize = 20;
/// The hint where nothing is wrong, but upstream cannot be read.
const UNREAD: &str = "Try again once they can be read; with --sample 0 nothing is computed again.";

/// The share of one machine.
struct Share {
    /// Its file, as it was named.
    name: String,
    begin: Begin,
    /// From 1, of so many.
    number: usize,
    of: usize,
    rows: Vec<Row>,
}

pub(super) async fn merge(env: &Arc<Env>, context: &Context, task: &BackfillMerge) -> Result<Summary, Stop> {
    let read = |path: &PathBuf| {
        let bytes = read_small(path, LIMIT_BYTES).map_err(|error| error.to_string());
        (path.display().to_string(), bytes)
    };
    let hint = "Run the shares that are named again, then merge all of them: one that ended early continues with the same --out.";
    merge_read(env, context, task.files.iter().map(read).collect(), (task, hint)).await
}

/// Merges shares that are read already: each has its name, or the reason why it could not be read. `hint` says what to do if a
/// share is refused.
pub(super) async fn merge_read(
    env: &Arc<Env>,
    context: &Context,
    files: Vec<(String, Result<Vec<u8>, String>)>,
    (task, hint): (&BackfillMerge, &str),
) -> Result<Summary, Stop> {
    let session = env.reload().await?;
    session.tell_notices(env, context);
    written::check(env, &session, &task.output)?;
    let (mut shares, mut faults) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        match bytes.and_then(|bytes| read(&name, &bytes)) {
            Ok(share) => shares.push(share),
            Err(why) => faults.push(format!("{name}: {why}")),
        }
    }
    if faults.is_empty() {
        faults = together(&mut shares, task.plan.as_deref());
    }
    if faults.is_empty() {
        faults = against_registry(env, &session, &shares).await?;
    }
    if !faults.is_empty() {
        return Err(refused(faults, hint).into());
    }
    let sources: Vec<(String, usize)> =
        shares.iter().map(|share| (share.name.clone(), share.rows.len())).collect();
    let plan = shares[0].begin.plan.clone();
    let mut rows: Vec<Row> = shares.into_iter().flat_map(|share| share.rows).collect();
    let sent_before = env.remote.counts().total().sent;
    match check_claims(env, context, (&mut rows, &sources)).await {
        Ok(faults) if faults.is_empty() => {}
        Ok(faults) => return Err(refused(faults, hint).into()),
        Err(Cancelled) => return Err(Stop::Cancelled(summary(env, &rows, sent_before))),
    }
    context.send(JobEvent::Backfill(BackfillNews::Begun {
        rows: Arc::new(rows.clone()),
        plan,
        journal: String::new(),
        kept: rows.len(),
    }));
    if task.sample > 0 {
        match sampled(env, context, (&rows, &sources), task.sample).await {
            Ok(faults) if faults.is_empty() => {}
            Ok(faults) => {
                let is_unread = faults.iter().all(|(_, again)| is_unread(again));
                let fault = |(place, again)| format!("{}: {}", file_of(&sources, place), otherwise(&again));
                let faults = faults.into_iter().map(fault).collect();
                return Err(refused(faults, if is_unread { UNREAD } else { hint }).into());
            }
            Err(Cancelled) => return Err(Stop::Cancelled(summary(env, &rows, sent_before))),
        }
    }
    let mut summary = summary(env, &rows, sent_before);
    summary.applied = written::write(env, &session, context, &rows, &task.output).await?;
    Ok(summary)
}

/// The index of the share that has the row at `place`, counted over all shares. `sources`: each share's file name and its
/// number of rows.
fn share_of(sources: &[(String, usize)], place: usize) -> usize {
    let mut before = 0;
    let is_before = |(_, rows): &&(String, usize)| {
        before += rows;
        before <= place
    };
    sources.iter().take_while(is_before).count()
}

/// The name of the share's file that contains the row at `place`.
fn file_of(sources: &[(String, usize)], place: usize) -> &str {
    sources.get(share_of(sources, place)).map_or("", |(name, _)| name)
}

/// Reads one file: all of it, or why not.
fn read(name: &str, bytes: &[u8]) -> Result<Share, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not text: it was damaged".to_owned())?;
    if !text.ends_with('\n') {
        return Err("it was cut off in the middle of a line".into());
    }
    let mut lines = text.lines().zip(1..);
    let first = lines.next().map(|(line, _)| serde_json::from_str::<Line>(line));
    let Some(Ok(Line::Begin(begin))) = first else {
        return Err("it does not begin as a share of a backfill does".into());
    };
    if begin.format != FORMAT {
        return Err("it was written by another version of bumpdesk".into());
    }
    let (number, of) = begin
        .shard
        .split_once('/')
        .and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)))
        .filter(|(number, of): &(usize, usize)| (1..=*of).contains(number) && begin.shards.len() == *of)
        .ok_or("it does not say which share it is")?;
    let (mut rows, mut end): (BTreeMap<usize, Row>, _) = (BTreeMap::new(), String::new());
    for (line, at) in lines {
        match serde_json::from_str::<Line>(line) {
            // Of a target that was tried again the later line counts.
            Ok(Line::Row(line)) if line.row.is_whole() => {
                let RowLine { place, mut row } = *line;
                row.shorten(MOST_WORDS);
                end.clear();
                rows.insert(place, row);
            }
            Ok(Line::End { how, .. }) => end = how,
            Ok(Line::Row(_)) => return Err(format!("line {at} does not fit its checksum: it was changed")),
            Ok(Line::Begin(_)) | Err(_) => return Err(format!("line {at} cannot be read: it was damaged")),
        }
    }
    if end == Ended::Limit(Limit::Time).word() {
        return Err("it ended at its limit, before its share was done".into());
    }
    if end != Ended::Done.word() {
        return Err("it ends before its share is done".into());
    }
    let name = name.to_owned();
    Ok(Share { name, begin, number, of, rows: rows.into_values().collect() })
}

/// Checks that the shares belong to one plan and are there once each. Puts them in order, and their rows into the order of the
/// plan. Returns the faults.
fn together(shares: &mut [Share], plan: Option<&str>) -> Vec<String> {
    let mut faults = Vec::new();
    let short = |digest: &str| digest.get(..SHORT).unwrap_or(digest).to_owned();
    let Some(first) = shares.first() else { return vec!["no file was named".into()] };
    let (name, begin, of) = (first.name.clone(), first.begin.clone(), first.of);
    let wanted = plan.unwrap_or(&begin.plan).to_owned();
    for share in shares.iter() {
        if share.begin.plan != wanted {
            faults.push(format!(
                "{}: it is of the plan {}, not of {}: it is from another run",
                share.name,
                short(&share.begin.plan),
                short(&wanted)
            ));
        } else if (share.of, &share.begin.base, &share.begin.shards) != (of, &begin.base, &begin.shards) {
            faults.push(format!("{}: it shares the plan out otherwise than {name}", share.name));
        }
    }
    if !faults.is_empty() {
        return faults;
    }
    shares.sort_by_key(|share| share.number);
    for pair in shares.windows(2).filter(|pair| pair[0].number == pair[1].number) {
        faults.push(format!(
            "{}: it is share {} of {of}, as {} is",
            pair[1].name, pair[1].number, pair[0].name
        ));
    }
    let missing = (1..=of).filter(|number| !shares.iter().any(|share| share.number == *number));
    faults.extend(missing.map(|number| format!("share {number} of {of} is missing: no file holds it")));
    faults
}

/// Checks each share against the registry as it is here: its targets are those of the plan, and its results are possible.
/// Returns the faults.
async fn against_registry(
    env: &Arc<Env>,
    session: &Arc<Session>,
    shares: &[Share],
) -> Result<Vec<String>, Failure> {
    let mut faults = Vec::new();
    for share in shares {
        let items = share.rows.iter().map(|row| &row.item);
        if items_digest(items) != share.begin.shards[share.number - 1] {
            faults.push(format!(
                "{}: its targets are not those that the plan gave to share {} of {}",
                share.name, share.number, share.of
            ));
        }
        for row in &share.rows {
            faults.extend(row_fault(row).map(|why| format!("{}: {}: {why}", share.name, row.item.name())));
        }
    }
    // The whole plan again, of what the shares say that they did.
    let items: Vec<&Item> = shares.iter().flat_map(|share| share.rows.iter().map(|row| &row.item)).collect();
    let begin = &shares[0].begin;
    let files: Vec<(&Address, String)> = items
        .chunk_by(|a, b| a.address == b.address)
        .map(|items| (&items[0].address, items_digest(items.iter().copied())))
        .collect();
    let digest = plan_digest(&begin.base, files.iter().map(|(address, digest)| (*address, &**digest)));
    if faults.is_empty() && digest != begin.plan {
        let names: Vec<&str> = shares.iter().map(|share| &*share.name).collect();
        faults.push(format!("{}: together they are not the plan that they name", names.join(", ")));
    }
    let these: Vec<Selected> = files
        .iter()
        .filter(|(address, _)| session.catalog.find(address).is_some())
        .map(|(address, _)| Selected { address: (*address).clone(), versions: None })
        .collect();
    let here = Gaps::read(env, session, &Selection::These(these), true).await?;
    faults.extend(gone(session, shares, &here));
    Ok(faults)
}

/// Items that the registry does not have here, or has with another checksum.
fn gone(session: &Session, shares: &[Share], here: &Gaps) -> Vec<String> {
    let lacking: HashSet<_> = here.items.iter().map(Item::key).collect();
    let mut faults = Vec::new();
    for share in shares {
        for row in share.rows.iter().filter(|row| !lacking.contains(&row.item.key())) {
            // Filled in by now it is no fault; with another checksum it is.
            if !is_stored(session, &row.item) {
                faults.push(format!(
                    "{}: {}: the registry does not have it with that checksum and address",
                    share.name,
                    row.item.name()
                ));
            }
        }
    }
    faults
}

fn is_stored(session: &Session, item: &Item) -> bool {
    let entry = session.catalog.find(&item.address).and_then(|row| session.entry(row).ok());
    let versions = entry.as_ref().and_then(|entry| entry.as_provider()).map(|entry| &entry.versions);
    let targets =
        versions.into_iter().flatten().filter(|one| one.version == item.version).flat_map(|one| &one.targets);
    let mut targets = targets.filter(|target| target.platform() == item.target);
    targets.any(|target| target.shasum == item.shasum && target.download_url == item.url)
}

/// Why a row cannot be what a run makes.
fn row_fault(row: &Row) -> Option<String> {
    match &row.result {
        FillResult::Waiting => Some("it was not read".into()),
        FillResult::Filled { h1, .. } if !is_h1(h1) => Some(format!("`{h1}` is not an h1")),
        FillResult::Filled { size, .. } if *size == 0 || *size >= ZIP_LIMIT_BYTES => {
            Some(format!("{size} bytes are no size that the registry takes"))
        }
        FillResult::Filled { h1, size } => {
            let is_other = (row.item.size > 0 && row.item.size != *size)
                || (!row.item.h1.is_empty() && row.item.h1 != *h1);
            is_other.then(|| "the registry has another h1 or size of it".into())
        }
        FillResult::Drifted { sha256 } if *sha256 == row.item.shasum => {
            Some("it says that the archive is another one, with the same checksum".into())
        }
        FillResult::Drifted { sha256 }
            if sha256.len() != 64 || !sha256.bytes().all(|byte| byte.is_ascii_hexdigit()) =>
        {
            Some(format!("`{sha256}` is not a SHA-256"))
        }
        _ => None,
    }
}

/// Reads the archives of these rows again, in the same way as a run.
async fn read_again(
    env: &Arc<Env>,
    context: &Context,
    rows: &[Row],
    places: &[usize],
) -> Result<Vec<Row>, Cancelled> {
    let again: Vec<Row> = places.iter().map(|place| Row::waiting(rows[*place].item.clone())).collect();
    let weights = vec![0; again.len()];
    let limits = BackfillLimits { bytes: u64::MAX, ..BackfillLimits::default() };
    let (again, ended) = Run::new(env, context, &limits, (again, &weights), None).quiet().run().await;
    if ended == Ended::Cancelled { Err(Cancelled) } else { Ok(again) }
}

/// Reads every archive again that a share reports as bad: changed, different, missing, too large, or without an h1.
/// This does not depend on the sample, and an honest share has few of these. A confirmed claim is replaced by the
/// result read here. A claim that could not be checked becomes unknown and has no effect. The false claims are
/// returned as faults.
async fn check_claims(
    env: &Arc<Env>,
    context: &Context,
    (rows, sources): (&mut [Row], &[(String, usize)]),
) -> Result<Vec<String>, Cancelled> {
    let lot = RandomState::new();
    let mut places: Vec<usize> = (0..rows.len()).filter(|place| rows[*place].state().is_bad()).collect();
    places.sort_by_cached_key(|place| lot.hash_one(place));
    let (mut confirmed, mut unread) = (0, 0);
    for places in places.chunks(CLAIMS_AT_ONCE) {
        let again = read_again(env, context, rows, places).await?;
        let mut faults = Vec::new();
        for (place, again) in places.iter().zip(again) {
            let row = &mut rows[*place];
            let claim = row.reason();
            if is_unread(&again) {
                unread += 1;
                let text = format!(
                    "{}: {}: the share says: {claim}; that could not be read again, so it is not believed: {}",
                    file_of(sources, *place),
                    again.item.name(),
                    again.reason()
                );
                if unread <= MOST_UNREAD {
                    context.send(JobEvent::Note(text));
                }
                *row = unknown(row, &again);
            } else if again.state() == row.state() {
                confirmed += 1;
                *row = again;
            } else {
                faults.push(format!(
                    "{}: {}: the share says: {claim}; read again here: {}",
                    file_of(sources, *place),
                    again.item.name(),
                    again.reason()
                ));
            }
        }
        if !faults.is_empty() {
            return Ok(faults);
        }
    }
    if unread > MOST_UNREAD {
        let more = counted(unread - MOST_UNREAD, "claim");
        context.send(JobEvent::Note(format!("{more} more could not be read again and are not believed")));
    }
    if confirmed > 0 {
        let text = format!("read again here, and as the shares say: {}", counted(confirmed, "target"));
        context.send(JobEvent::Note(text));
    }
    Ok(Vec::new())
}

/// The row of a claim that could not be checked. If the claim would hold back its version, the version waits for the
/// next run.
fn unknown(claimed: &Row, again: &Row) -> Row {
    let result = match claimed.state() {
        State::Drifted | State::Otherwise => FillResult::Waiting,
        _ => FillResult::Failed { why: again.reason() },
    };
    Row { result, ..Row::waiting(claimed.item.clone()) }
}

/// Computes some results again, drawn by lot so that they cannot be foreseen, and at least one of each share: a machine that
/// lies has one share of many. Returns those that differ, by their place.
async fn sampled(
    env: &Arc<Env>,
    context: &Context,
    (rows, sources): (&[Row], &[(String, usize)]),
    most: usize,
) -> Result<Vec<(usize, Row)>, Cancelled> {
    let lot = RandomState::new();
    let mut places: Vec<usize> = (0..rows.len()).filter(|place| rows[*place].is_filled()).collect();
    places.sort_by_cached_key(|place| lot.hash_one(place));
    let mut seen = HashSet::new();
    let (first, others): (Vec<usize>, Vec<usize>) =
        places.into_iter().partition(|place| seen.insert(share_of(sources, *place)));
    let more = most.saturating_sub(first.len());
    let places: Vec<usize> = first.into_iter().chain(others.into_iter().take(more)).collect();
    let again = read_again(env, context, rows, &places).await?;
    context.send(JobEvent::Note(format!("computed again here: {}", counted(again.len(), "target"))));
    let is_other = |(place, again): &(usize, Row)| again.result != rows[*place].result;
    Ok(places.into_iter().zip(again).filter(is_other).collect())
}

/// Its archive could not be read, or not in time.
fn is_unread(again: &Row) -> bool {
    matches!(again.state(), State::Failed | State::Waiting)
}

/// Why a result that was computed again is not believed.
fn otherwise(again: &Row) -> String {
    let reason =
        if is_unread(again) { "it could not be computed again" } else { "computed again it is another" };
    format!("{}: {reason}: {}", again.item.name(), again.reason())
}

fn refused(mut faults: Vec<String>, hint: &str) -> Failure {
    let more = faults.len().saturating_sub(MOST_LISTED);
    faults.truncate(MOST_LISTED);
    for fault in &mut faults {
        *fault = shortened(fault, MOST_WORDS).into_owned();
    }
    faults.extend((more > 0).then(|| format!("and {more} more")));
    Failure {
        kind: FailureKind::Conflict,
        doing: "putting the shares together; nothing was written".into(),
        causes: faults,
        hint: Some(hint.to_owned()),
    }
}
