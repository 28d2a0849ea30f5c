//! Verdicts that were judged before and hold still, so that a start need not read every fact, file and signature again.
//!
//! What a verdict follows from is its file, the facts, the blacklist, our decisions, the switches, this very program, the
//! keys on file where they counted, and the time. The state empties what it keeps when the facts change; the time in which
//! it holds stands beside it; all the rest is one digest. Where any of it differs, or nobody can tell, it is judged anew.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::jobs::context::{Cancelled, Context};
use crate::jobs::session::Session;
use crate::jobs::{Env, survey};
use crate::registry::{Facts, Row};
use crate::rules::{Depth, Holds, Now, Verdict};
use crate::store::{StoredVerdicts, blob_name};

/// Of the sources and the locked crates that this program was built from.
const BUILD: &str = env!("BUMPDESK_BUILD");
/// Entries of a survey that are judged between two looks at whether it was cancelled.
const CHUNK: usize = 256;

/// A verdict and what it is bound to.
#[derive(Debug, Serialize, Deserialize)]
struct KeptVerdict {
    address: String,
    made_of: [u8; 32],
    /// The keys on file counted.
    with_keys: bool,
    holds: Holds,
    verdict: Verdict,
}

/// What the state had, by repository.
pub(crate) type Kept = HashMap<String, StoredVerdicts>;

/// Verdicts of some rows, in their order, and those of them that are to be kept.
#[derive(Debug, Default)]
pub(crate) struct Recalled {
    pub(crate) verdicts: Vec<Verdict>,
    fresh: Vec<(String, KeptVerdict)>,
}

/// All that is kept; nothing where no facts are known.
pub(crate) fn all(env: &Env) -> Kept {
    env.state().as_ref().and_then(|state| state.load_verdicts(&env.world).ok()).unwrap_or_default()
}

/// The verdicts of some rows.
pub(crate) fn recall(env: &Env, session: &Session, kept: &Kept, rows: &[&Row]) -> Recalled {
    let of = |rows: &[&Row]| {
        let mut recalled = Recalled::default();
        for row in rows {
            recalled.add(env, session, kept, row);
        }
        recalled
    };
    // The first screen waits for this: both cores take half.
    let (first, second) = rows.split_at(rows.len() / 2);
    std::thread::scope(|scope| {
        let second = scope.spawn(|| of(second));
        let mut recalled = of(first);
        let second = second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        recalled.verdicts.extend(second.verdicts);
        recalled.fresh.extend(second.fresh);
        recalled
    })
}

/// Judges what a survey has changed, so that the next start finds it.
pub(crate) async fn renew(
    env: &Arc<Env>,
    session: &Arc<Session>,
    context: &Context,
    places: &[usize],
) -> Result<(), Cancelled> {
    for chunk in places.chunks(CHUNK) {
        context.checkpoint()?;
        let (env, session, chunk) = (Arc::clone(env), Arc::clone(session), chunk.to_vec());
        let renewed = tokio::task::spawn_blocking(move || {
            let rows: Vec<&Row> = chunk.iter().map(|place| &session.catalog.rows[*place]).collect();
            let mut kept = Kept::default();
            if let Some(state) = env.state().as_ref().filter(|state| !state.is_read_only()) {
                for row in &rows {
                    let repository = row.address.repository().key();
                    let stored = state.load_verdicts_of(&env.world, &repository).ok().flatten();
                    kept.extend(stored.map(|stored| (repository, stored)));
                }
            }
            let recalled = recall(&env, &session, &kept, &rows);
            recalled.keep(&env, &kept);
        });
        renewed.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
    }
    Ok(())
}

impl Recalled {
    fn add(&mut self, env: &Env, session: &Session, kept: &Kept, row: &Row) {
        let repository = row.address.repository().key();
        let Some(stored) = kept.get(&repository).filter(|_| row.shape.broken.is_none()) else {
            self.verdicts.push(survey::judge_row(env, session, row, None, Depth::Versions));
            return;
        };
        if let Some(verdict) = still_true(env, session, row, stored) {
            self.verdicts.push(verdict);
            return;
        }
        let facts = env.state().as_ref().and_then(|state| state.load_fact(&env.world, &repository).ok());
        let facts = facts.flatten().map(|stored| stored.facts);
        let (verdict, to_keep) = judge(env, session, row, facts.as_ref());
        self.fresh.extend(to_keep.map(|to_keep| (repository, to_keep)));
        self.verdicts.push(verdict);
    }

    /// Keeps what was judged anew. If it cannot be kept, it is judged again.
    pub(crate) fn keep(self, env: &Env, kept: &Kept) {
        let mut changed: HashMap<String, Vec<KeptVerdict>> = HashMap::new();
        for (repository, fresh) in self.fresh {
            let old = kept.get(&repository).map(decode);
            let list = changed.entry(repository).or_insert_with(|| old.unwrap_or_default());
            list.retain(|one| one.address != fresh.address);
            list.push(fresh);
        }
        let to_store = changed.into_iter().filter_map(|(repository, list)| {
            let stamp = kept.get(&repository)?.stamp;
            Some((repository, StoredVerdicts { stamp, body: postcard::to_stdvec(&list).ok()? }))
        });
        let to_store: Kept = to_store.collect();
        if to_store.is_empty() {
            return;
        }
        if let Some(state) = env.state().as_mut().filter(|state| !state.is_read_only())
            && let Err(error) = state.save_verdicts(&env.world, &to_store)
        {
            tracing::warn!(%error, "verdicts were not kept");
        }
    }
}

/// The kept verdict, if everything that it was made of is the same today.
fn still_true(env: &Env, session: &Session, row: &Row, stored: &StoredVerdicts) -> Option<Verdict> {
    let address = row.address.to_string();
    let kept = decode(stored).into_iter().find(|kept| kept.address == address)?;
    let holds = kept.holds.at(env.now()) && made_of(env, session, row, kept.with_keys)? == kept.made_of;
    holds.then_some(kept.verdict)
}

/// Nothing, if it is of another form.
fn decode(stored: &StoredVerdicts) -> Vec<KeptVerdict> {
    postcard::from_bytes(&stored.body).unwrap_or_default()
}

/// The verdict, and what of it is to be kept: nothing, if its file is another one than is listed, or cannot be read.
fn judge(env: &Env, session: &Session, row: &Row, facts: Option<&Facts>) -> (Verdict, Option<KeptVerdict>) {
    let holds = Cell::default();
    let now = Now::noted(env.now(), &holds);
    let reading = survey::needs_entry(row, facts, Depth::Versions).then(|| session.reading(row));
    let entry = reading.as_ref().map(|reading| reading.as_ref().map(|reading| &reading.entry));
    let with_keys = entry.is_some() && survey::needs_keys(row, facts);
    let made_of = facts.and_then(|_| made_of(env, session, row, with_keys));
    let verdict = survey::judge_file(env, session, row, facts, entry, (Depth::Versions, now));
    let is_as_listed = match &reading {
        None => true,
        Some(Ok(reading)) => blob_name(&reading.bytes) == row.blob,
        Some(Err(_)) => false,
    };
    let to_keep = made_of.filter(|_| is_as_listed).map(|made_of| KeptVerdict {
        address: row.address.to_string(),
        made_of,
        with_keys,
        holds: holds.get(),
        verdict: verdict.clone(),
    });
    (verdict, to_keep)
}

/// All that a verdict follows from but the facts and the time. `None`: nobody can tell, without git to name the file.
fn made_of(env: &Env, session: &Session, row: &Row, with_keys: bool) -> Option<[u8; 32]> {
    if row.blob.is_empty() {
        return None;
    }
    let mut digest = Sha256::new();
    let mut part = |bytes: &[u8]| {
        digest.update((bytes.len() as u64).to_le_bytes());
        digest.update(bytes);
    };
    part(BUILD.as_bytes());
    part(format!("{:?}", env.features).as_bytes());
    part(row.blob.as_bytes());
    for entry in session.blacklist.of(&row.address) {
        part(format!("{entry:?}").as_bytes());
    }
    if !session.decisions.is_empty() {
        let address = row.address.to_string();
        for decision in session.decisions.iter().filter(|decision| decision.address == address) {
            part(format!("{decision:?}").as_bytes());
        }
    }
    if with_keys {
        match session.key_files(&row.address) {
            Ok(files) => files.iter().for_each(|file| {
                part(file.path.as_bytes());
                part(&file.text);
            }),
            Err(why) => part(why.as_bytes()),
        }
    }
    Some(digest.finalize().into())
}
