//! Verdicts that were judged before and hold still, so that a start need not read every fact, file and signature again.
//!
//! A verdict follows from its file, the facts, the blacklist, our decisions, the switches, this very program, the keys on file
//! where they counted, and the time. A cache file holds the verdicts, each beside stamps and digests of all that. If any of it
//! differs, or is not known, the verdict is judged again. Two stamps spare a look at each: one of all facts, one of all keys.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::judging::{judge_file, judge_row, needs_entry, needs_keys};
use crate::jobs::session::Session;
use crate::registry::{Address, Facts, Row};
use crate::rules::{Depth, Holds, Now, Verdict};
use crate::store::{CacheFile, CacheFormat, FactStamps, FolderStamp, blob_name};

const FORMAT: CacheFormat = CacheFormat { magic: b"bumpdesk judged\0", number: 1 };
/// The beginning and the end of the names of these files.
pub(super) const FILE_NAMES: (&str, &str) = ("verdicts-", ".bin");
/// The name of this build: of its sources and its locked crates.
const BUILD: &str = env!("BUMPDESK_BUILD");
/// Entries of a survey that are judged between two looks at whether it was cancelled.
const CHUNK: usize = 256;

type Sha = [u8; 32];

/// The head of the file. The verdicts follow in two parts, one for each of two threads.
#[derive(Debug, Serialize, Deserialize)]
struct Head<'a> {
    /// This program and its switches.
    judge: Cow<'a, str>,
    /// [`FactStamps::of_all`].
    facts: i64,
    keys: Option<FolderStamp>,
    first_bytes: usize,
}

/// A verdict and what it is bound to.
#[derive(Debug, Serialize, Deserialize)]
struct KeptVerdict<'a> {
    address: &'a str,
    blob: &'a str,
    /// The stamp of its repository's facts.
    facts: i64,
    /// The digest of what the blacklist and our decisions say about it, if anything.
    decided: Option<Sha>,
    /// The digest of the keys on file, if they counted.
    keys: Option<Sha>,
    holds: Holds,
    verdict: &'a [u8],
}

/// The file of kept verdicts as it was read, and the facts' stamps, which are older than any fact read after them.
#[derive(Debug)]
pub(crate) struct Kept {
    path: PathBuf,
    file: CacheFile,
    /// `None`: no facts are known.
    facts: Option<i64>,
    /// The stamp of each repository: read at the first use.
    stamps: OnceLock<FactStamps>,
    /// All keys on file are those of the file's stamp: looked at once.
    same_keys: OnceLock<bool>,
}

/// The kept verdicts, parsed.
pub(crate) struct Verdicts<'a> {
    env: &'a Env,
    session: &'a Session,
    kept: &'a Kept,
    head: Option<Head<'a>>,
    /// In the order of the list that they were kept of.
    all: Vec<KeptVerdict<'a>>,
    /// The places of the verdicts; made at the first look-up that is not in the order of the list.
    places: OnceLock<HashMap<&'a str, usize>>,
    /// All keys on file are those of then.
    same_keys: bool,
}

/// Verdicts of some rows, in their order, and those of them that are to be kept.
#[derive(Debug, Default)]
pub(crate) struct Recalled {
    pub(crate) verdicts: Vec<Verdict>,
    pub(crate) fresh: Fresh,
}

/// The verdicts that are to be kept from now on.
#[derive(Debug, Default)]
pub(crate) struct Fresh {
    verdicts: Vec<FreshVerdict>,
    /// The two stamps of the file are old: the next start would have to look at each verdict.
    stamps: bool,
}

/// A verdict that was judged.
#[derive(Debug)]
struct FreshVerdict {
    /// The stamp of its repository's facts.
    facts: i64,
    /// The [`KeptVerdict`], but for that stamp.
    body: Vec<u8>,
}

/// The verdicts of a survey, which the next start needs: at the end they are written without being judged again.
#[derive(Debug, Default)]
pub(crate) struct Surveyed(Mutex<HashMap<String, Recorded>>);

/// The verdicts of the entries that share a repository.
#[derive(Debug, Default)]
struct Recorded {
    /// The stamp of the facts that they follow from; `None` if these facts are not in the database.
    facts: Option<i64>,
    bodies: Vec<Vec<u8>>,
}

impl Surveyed {
    /// The verdict of an entry from the last facts of its repository.
    pub(crate) fn judge(&self, env: &Env, session: &Session, row: &Row, facts: &Facts) -> Verdict {
        let (verdict, body) = judge(env, session, row, Some(facts));
        if let Some(body) = body {
            self.recorded().entry(row.address.repository().key()).or_default().bodies.push(body);
        }
        verdict
    }

    /// Notes the stamp of facts that were saved, or that they could not be.
    pub(crate) fn saved<'a>(&self, repositories: impl Iterator<Item = &'a str>, stamp: Option<i64>) {
        let mut recorded = self.recorded();
        for repository in repositories {
            recorded.entry(repository.to_owned()).or_default().facts = stamp;
        }
    }

    /// Keeps the verdicts of the surveyed rows, so that the next start finds them. Those that were not recorded are judged
    /// first, as many as there is time for.
    pub(crate) async fn keep(
        self,
        env: &Arc<Env>,
        session: &Arc<Session>,
        context: &Context,
        places: &[usize],
    ) {
        if !env.keeps() {
            return;
        }
        let recorded = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_recorded = |row: &Row| {
            let recorded = recorded.get(&row.address.repository().key());
            recorded.is_some_and(|recorded| recorded.facts.is_some() && !recorded.bodies.is_empty())
        };
        let rows = &session.catalog.rows;
        let others: Vec<usize> = places.iter().copied().filter(|place| !is_recorded(&rows[*place])).collect();
        let (env, session, cancel) = (Arc::clone(env), Arc::clone(session), context.cancellation());
        let keeping = tokio::task::spawn_blocking(move || {
            let kept = Kept::read(&env, session.checkout.root());
            let mut fresh = Fresh::default();
            if !others.is_empty() {
                let verdicts = kept.open(&env, &session);
                for chunk in others.chunks(CHUNK) {
                    if cancel.is_cancelled() {
                        break;
                    }
                    let rows: Vec<&Row> = chunk.iter().map(|place| &session.catalog.rows[*place]).collect();
                    fresh.add(verdicts.recall(&rows).fresh);
                }
            }
            for Recorded { facts, bodies } in recorded.into_values() {
                let Some(facts) = facts else { continue };
                fresh.verdicts.extend(bodies.into_iter().map(|body| FreshVerdict { facts, body }));
            }
            kept.keep(&env, &session, &fresh);
        });
        keeping.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
    }

    fn recorded(&self) -> MutexGuard<'_, HashMap<String, Recorded>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    /// Reads the file of a checkout at a path.
    pub(crate) fn read(env: &Env, root: &Path) -> Self {
        let path = env.cache_file(root, FILE_NAMES, &env.world);
        let facts = env.state().as_ref().and_then(|state| state.stamp_of_facts(&env.world).ok()).flatten();
        let file = if facts.is_some() { FORMAT.read(&path) } else { CacheFile::default() };
        Self { path, file, facts, stamps: OnceLock::new(), same_keys: OnceLock::new() }
    }

    pub(crate) fn open<'a>(&'a self, env: &'a Env, session: &'a Session) -> Verdicts<'a> {
        let judge = judge_name(env);
        let payload = postcard::take_from_bytes(self.file.payload()).ok();
        let (head, parts) = payload.filter(|(head, _): &(Head<'_>, _)| head.judge == judge).unzip();
        let (mut all, mut same_keys) = (Vec::new(), false);
        if let (Some(head), Some(parts)) = (&head, parts)
            && let Some((first, second)) = parts.split_at_checked(head.first_bytes)
        {
            std::thread::scope(|scope| {
                let look = || head.keys.as_ref().is_some_and(|stamp| session.checkout.is_as_stamped(stamp));
                let keys = scope.spawn(move || *self.same_keys.get_or_init(look));
                let list = |part| postcard::from_bytes::<Vec<KeptVerdict<'a>>>(part).unwrap_or_default();
                let second = scope.spawn(move || list(second));
                all = list(first);
                all.extend(second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
                same_keys = keys.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            });
        }
        Verdicts { env, session, kept: self, head, all, places: OnceLock::new(), same_keys }
    }

    /// Keeps what is fresh, beside what is kept and holds still. If it cannot be kept, it is judged again.
    pub(crate) fn keep(&self, env: &Env, session: &Session, fresh: &Fresh) {
        if !fresh.is_anything() || !env.keeps() {
            return;
        }
        if let Some(payload) = self.open(env, session).encode(fresh)
            && let Err(error) = FORMAT.write(&self.path, &payload.each_ref().map(Vec::as_slice))
        {
            tracing::warn!(%error, "verdicts were not kept");
        }
    }

    fn stamps(&self, env: &Env) -> &FactStamps {
        let read = || env.state().as_ref().and_then(|state| state.fact_stamps(&env.world).ok());
        self.stamps.get_or_init(|| read().unwrap_or_default())
    }
}

impl Fresh {
    fn is_anything(&self) -> bool {
        self.stamps || !self.verdicts.is_empty()
    }

    fn add(&mut self, other: Self) {
        self.verdicts.extend(other.verdicts);
        self.stamps |= other.stamps;
    }
}

impl<'a> Verdicts<'a> {
    /// The verdicts of some rows.
    pub(crate) fn recall(&self, rows: &[&Row]) -> Recalled {
        let has_keys = || self.all.iter().any(|kept| kept.keys.is_some());
        let other_keys = || !self.same_keys && has_keys() && self.session.key_stamp().is_some();
        let stamps = !self.all.is_empty() && (!self.has_same_facts() || other_keys());
        let of = |rows: &[&Row], mut place: usize| {
            let mut recalled = Recalled {
                verdicts: Vec::with_capacity(rows.len()),
                fresh: Fresh { stamps, ..Fresh::default() },
            };
            let mut address = String::new();
            for row in rows {
                let mut recall = || {
                    address.clear();
                    let _never_fails = write!(address, "{}", row.address);
                    self.find(&address, &mut place).and_then(|kept| self.still_true(row, kept))
                };
                // Before the first survey nothing is kept, and the list is made without a look at each name.
                let verdict = if self.all.is_empty() { None } else { recall() };
                let verdict = verdict.unwrap_or_else(|| self.judge(row, &mut recalled.fresh));
                recalled.verdicts.push(verdict);
            }
            recalled
        };
        // The first screen waits for this: both cores take half.
        let (first, second) = rows.split_at(rows.len() / 2);
        std::thread::scope(|scope| {
            let second = scope.spawn(|| of(second, first.len()));
            let mut recalled = of(first, 0);
            let second = second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            recalled.verdicts.extend(second.verdicts);
            recalled.fresh.add(second.fresh);
            recalled
        })
    }

    /// The verdict that is kept for an address. In a list like the last one it is at the place after the last one.
    fn find(&self, address: &str, place: &mut usize) -> Option<&KeptVerdict<'a>> {
        if self.all.get(*place).is_none_or(|kept| kept.address != address) {
            let places = || self.all.iter().enumerate().map(|(place, kept)| (kept.address, place)).collect();
            *place = *self.places.get_or_init(places).get(address)?;
        }
        *place += 1;
        self.all.get(*place - 1)
    }

    /// The kept verdict, if everything that it follows from is the same today.
    fn still_true(&self, row: &Row, kept: &KeptVerdict<'_>) -> Option<Verdict> {
        let holds = !row.blob.is_empty()
            && kept.blob == &*row.blob
            && row.shape.broken.is_none()
            && kept.holds.at(self.env.now())
            && kept.decided == decisions_digest(self.session, row)
            && (self.has_same_facts() || self.has_facts_of(kept, &row.address))
            && (self.same_keys || self.has_keys_of(kept, &row.address));
        holds.then(|| postcard::from_bytes(kept.verdict).ok()).flatten()
    }

    /// No facts were written since.
    fn has_same_facts(&self) -> bool {
        self.head.as_ref().is_some_and(|head| Some(head.facts) == self.kept.facts)
    }

    fn has_facts_of(&self, kept: &KeptVerdict<'_>, address: &Address) -> bool {
        let stamps = &self.kept.stamps(self.env).by_repository;
        stamps.get(&address.repository().key()) == Some(&kept.facts)
    }

    fn has_keys_of(&self, kept: &KeptVerdict<'_>, address: &Address) -> bool {
        kept.keys.is_none_or(|keys| keys == keys_on_file(self.session, address))
    }

    fn judge(&self, row: &Row, fresh: &mut Fresh) -> Verdict {
        let (env, session) = (self.env, self.session);
        let unasked = || judge_row(env, session, row, None, Depth::Versions);
        if self.kept.facts.is_none() || row.shape.broken.is_some() {
            return unasked();
        }
        let repository = row.address.repository().key();
        // Older than the facts: were those written meanwhile, what is kept counts for nothing.
        let Some(stamp) = self.kept.stamps(env).by_repository.get(&repository).copied() else {
            return unasked();
        };
        let facts = env.state().as_ref().and_then(|state| state.load_fact(&env.world, &repository).ok());
        let facts = facts.flatten().map(|stored| stored.facts);
        let (verdict, body) = judge(env, session, row, facts.as_ref());
        fresh.verdicts.extend(body.map(|body| FreshVerdict { facts: stamp, body }));
        verdict
    }

    /// The pieces of the file: of each row what is fresh, or what is kept by the stamps that the file gets. A survey has all its
    /// verdicts in memory at this moment, so they are looked up where they lie and written one after the other.
    fn encode(&self, fresh: &Fresh) -> Option<[Vec<u8>; 4]> {
        let stamps = self.kept.stamps(self.env);
        let same_facts = self.head.as_ref().map(|head| head.facts) == stamps.of_all;
        let parse = |body| postcard::from_bytes::<KeptVerdict<'_>>(body).ok();
        let fresh =
            fresh.verdicts.iter().filter_map(|verdict| Some((parse(&verdict.body)?.address, verdict)));
        let mut fresh: Vec<(&str, &FreshVerdict)> = fresh.collect();
        fresh.sort_unstable_by_key(|(address, _)| *address);
        let (mut place, mut has_keys) = (0, false);
        let mut part = |rows: &[Row]| {
            let (mut count, mut list) = (0_usize, Vec::new());
            for row in rows {
                let address = row.address.to_string();
                let holds = |kept: &&KeptVerdict<'_>| {
                    (same_facts || self.has_facts_of(kept, &row.address))
                        && (self.same_keys || self.has_keys_of(kept, &row.address))
                };
                let at = fresh.binary_search_by_key(&&*address, |(address, _)| *address).ok();
                let fresh = at.and_then(|at| {
                    let FreshVerdict { facts, body } = fresh[at].1;
                    Some(KeptVerdict { facts: *facts, ..parse(body)? })
                });
                // Another job may have written facts since a survey recorded the verdict that follows from its own.
                let fresh = fresh.filter(|kept| self.has_facts_of(kept, &row.address));
                let Some(kept) = fresh.as_ref().or_else(|| self.find(&address, &mut place).filter(holds))
                else {
                    continue;
                };
                has_keys |= kept.keys.is_some();
                list = postcard::to_extend(kept, list).ok()?;
                count += 1;
            }
            Some((count, list))
        };
        let rows = &self.session.catalog.rows;
        let (first, second) = rows.split_at(rows.len() / 2);
        let ((first_count, first), (second_count, second)) = (part(first)?, part(second)?);
        let keys = match &self.head {
            Some(head) if self.same_keys => head.keys.as_ref(),
            _ => has_keys.then(|| self.session.key_stamp()).flatten(),
        };
        let [first_count, second_count] =
            [first_count, second_count].map(|count: usize| postcard::to_stdvec(&count));
        let first_count = first_count.ok()?;
        let head = Head {
            judge: judge_name(self.env).into(),
            facts: stamps.of_all?,
            keys: keys.cloned(),
            first_bytes: first_count.len() + first.len(),
        };
        let head = postcard::to_stdvec(&head).ok()?;
        Some([[head, first_count].concat(), first, second_count.ok()?, second])
    }
}

/// The name of the judge: another program, or other switches, may judge differently.
fn judge_name(env: &Env) -> String {
    format!("{BUILD} {:?}", env.features)
}

/// The verdict, and a [`KeptVerdict`] of it without the stamp of its facts: none if its file is broken, cannot be read, or is
/// another one than is listed.
fn judge(env: &Env, session: &Session, row: &Row, facts: Option<&Facts>) -> (Verdict, Option<Vec<u8>>) {
    let holds = Cell::default();
    let terms = (Depth::Versions, Now::noted(env.now(), &holds));
    let parsed = needs_entry(row, facts, terms).then(|| session.parsed(row));
    let entry = parsed.as_ref().map(|parsed| parsed.as_ref().map(|(_, entry)| entry));
    let with_keys = entry.is_some() && needs_keys(row, facts);
    let verdict = judge_file(env, session, row, facts, entry, terms);
    let is_as_listed = || match &parsed {
        None => true,
        Some(Ok((bytes, _))) => blob_name(bytes) == row.blob,
        Some(Err(_)) => false,
    };
    // Without git nothing names the file.
    if facts.is_none() || row.shape.broken.is_some() || row.blob.is_empty() || !is_as_listed() {
        return (verdict, None);
    }
    let to_keep = postcard::to_stdvec(&verdict).and_then(|bytes| {
        postcard::to_stdvec(&KeptVerdict {
            address: &row.address.to_string(),
            blob: &row.blob,
            facts: 0,
            decided: decisions_digest(session, row),
            keys: with_keys.then(|| keys_on_file(session, &row.address)),
            holds: holds.get(),
            verdict: &bytes,
        })
    });
    (verdict, to_keep.ok())
}

/// Digests parts, each with its length.
#[derive(Default)]
struct Parts(Sha256);

impl Parts {
    fn add(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    fn digest(self) -> Sha {
        self.0.finalize().into()
    }
}

/// The digest of what the blacklist and our decisions say about an entry.
fn decisions_digest(session: &Session, row: &Row) -> Option<Sha> {
    let mut said = session.blacklist.of(&row.address).map(|entry| format!("{entry:?}")).collect::<Vec<_>>();
    if !session.decisions.is_empty() {
        let address = row.address.to_string();
        let of_it = session.decisions.iter().filter(|decision| decision.address == address);
        said.extend(of_it.map(|decision| format!("{decision:?}")));
    }
    if said.is_empty() {
        return None;
    }
    let mut parts = Parts::default();
    for said in &said {
        parts.add(said.as_bytes());
    }
    Some(parts.digest())
}

fn keys_on_file(session: &Session, address: &Address) -> Sha {
    let mut parts = Parts::default();
    match session.key_files(address) {
        Ok(files) => {
            for file in &files {
                parts.add(file.path.as_bytes());
                parts.add(&file.text);
            }
        }
        Err(why) => parts.add(why.as_bytes()),
    }
    parts.digest()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorded_verdict_is_bound_to_the_last_facts_that_were_saved() {
        let surveyed = Surveyed::default();
        let stamp = |repository: &str| surveyed.recorded()[repository].facts;
        surveyed.saved(["a/b", "c/d"].into_iter(), Some(2));
        surveyed.saved(["a/b"].into_iter(), Some(3));
        assert_eq!((stamp("a/b"), stamp("c/d")), (Some(3), Some(2)));
        surveyed.saved(["c/d"].into_iter(), None);
        assert_eq!((stamp("a/b"), stamp("c/d")), (Some(3), None));
    }
}
