//! Verdicts that were judged before and hold still, so that a start need not read every fact, file and signature again.
//!
//! A verdict follows from its file, the facts, the blacklist, our decisions, the switches, this very program, the keys on file
//! where they counted, and the time. A cache file holds the verdicts, each beside stamps and digests of all that. If any of it
//! differs, or is not known, the verdict is judged again. Two stamps spare a look at each: one of all facts, one of all keys.

mod surveyed;

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::jobs::Env;
use crate::jobs::judging::{judge_file, judge_row, needs_entry, needs_keys};
use crate::jobs::session::Session;
use crate::registry::{Address, Facts, Row};
use crate::rules::{Depth, Holds, Now, Verdict};
use crate::store::{CacheFile, CacheFormat, CachePayload, FactStamps, FolderStamp, blob_name};

use surveyed::Bodies;
pub(crate) use surveyed::Surveyed;

const FORMAT: CacheFormat = CacheFormat { magic: b"bumpdesk judged\0", number: 2 };
/// The beginning and the end of the names of these files.
pub(super) const FILE_NAMES: (&str, &str) = ("verdicts-", ".bin");
/// The name of this build: of its sources and its locked crates.
const BUILD: &str = env!("BUMPDESK_BUILD");

type Sha = [u8; 32];

/// The end of the file; its size in bytes follows as a `u32`. It is written last, because it is only known when all verdicts are
/// written. These stand before it in two parts, so that two threads can read them.
#[derive(Debug, Serialize, Deserialize)]
struct Foot<'a> {
    /// This program and its switches.
    judge: Cow<'a, str>,
    /// [`FactStamps::of_all`].
    facts: i64,
    keys: Option<FolderStamp>,
    first_bytes: u64,
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
    foot: Option<Foot<'a>>,
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
    body: Box<[u8]>,
}

impl<'a> Foot<'a> {
    /// Splits a payload at its foot.
    fn split_off(payload: &'a [u8]) -> Option<(&'a [u8], Self)> {
        let (payload, size_bytes) = payload.split_last_chunk()?;
        let size_bytes = usize::try_from(u32::from_le_bytes(*size_bytes)).ok()?;
        let (parts, foot) = payload.split_at_checked(payload.len().checked_sub(size_bytes)?)?;
        Some((parts, postcard::from_bytes(foot).ok()?))
    }

    fn write(&self, file: &mut CachePayload) -> io::Result<()> {
        let foot = postcard::to_stdvec(self).map_err(io::Error::other)?;
        file.write(&foot)?;
        file.write(&u32::try_from(foot.len()).map_err(io::Error::other)?.to_le_bytes())
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
        let payload = Foot::split_off(self.file.payload()).filter(|(_, foot)| foot.judge == judge);
        let (parts, foot) = payload.unzip();
        let (mut all, mut same_keys) = (Vec::new(), false);
        if let (Some(parts), Some(foot)) = (parts, &foot)
            && let Ok(first_bytes) = usize::try_from(foot.first_bytes)
            && let Some((first, second)) = parts.split_at_checked(first_bytes)
        {
            std::thread::scope(|scope| {
                let look = || foot.keys.as_ref().is_some_and(|stamp| session.checkout.is_as_stamped(stamp));
                let keys = scope.spawn(move || *self.same_keys.get_or_init(look));
                let second = scope.spawn(move || list(second));
                all = list(first);
                all.extend(second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
                same_keys = keys.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            });
        }
        Verdicts { env, session, kept: self, foot, all, places: OnceLock::new(), same_keys }
    }

    /// Keeps what is fresh, beside what is kept and holds still. If it cannot be kept, it is judged again.
    pub(crate) fn keep(&self, env: &Env, session: &Session, fresh: &Fresh) {
        if !fresh.is_anything() || !env.keeps() {
            return;
        }
        self.open(env, session).keep(fresh, Bodies::default());
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
        self.foot.as_ref().is_some_and(|foot| Some(foot.facts) == self.kept.facts)
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
        fresh.verdicts.extend(body.map(|body| FreshVerdict { facts: stamp, body: body.into() }));
        verdict
    }

    /// Keeps what is fresh and what a survey recorded, beside what is kept and holds still.
    fn keep(&self, fresh: &Fresh, mut recorded: Bodies) {
        let written = FORMAT.write_with(&self.kept.path, |file| self.write(fresh, &mut recorded, file));
        if let Err(error) = written {
            tracing::warn!(%error, "verdicts were not kept");
        }
    }

    /// Writes the payload: of each row what is fresh, or what is kept by the stamps that the file gets. The verdicts are written
    /// one after the other, so that they are never in memory all at once.
    fn write(&self, fresh: &Fresh, recorded: &mut Bodies, file: &mut CachePayload) -> io::Result<()> {
        let stamps = self.kept.stamps(self.env);
        let facts = stamps.of_all.ok_or_else(|| io::Error::other("there are no facts"))?;
        let same_facts = self.foot.as_ref().is_some_and(|foot| foot.facts == facts);
        let fresh = fresh.verdicts.iter();
        let mut fresh: Vec<(&str, &FreshVerdict)> =
            fresh.filter_map(|verdict| Some((parse(&verdict.body)?.address, verdict))).collect();
        fresh.sort_unstable_by_key(|(address, _)| *address);
        let rows = &self.session.catalog.rows;
        let (mut next, mut has_keys, mut first_bytes, mut bytes) = (0, false, 0, Vec::new());
        for (place, row) in rows.iter().enumerate() {
            if place == rows.len() / 2 {
                first_bytes = file.size_bytes();
            }
            let address = row.address.to_string();
            let holds = |kept: &&KeptVerdict<'_>| {
                (same_facts || self.has_facts_of(kept, &row.address))
                    && (self.same_keys || self.has_keys_of(kept, &row.address))
            };
            let judged = || {
                let at = fresh.binary_search_by_key(&&*address, |(address, _)| *address).ok()?;
                let FreshVerdict { facts, body } = fresh[at].1;
                Some((*facts, &**body))
            };
            let judged = recorded.of(place)?.or_else(judged);
            let judged = judged.and_then(|(facts, body)| Some(KeptVerdict { facts, ..parse(body)? }));
            // Another job may have written facts since a survey recorded the verdict that follows from its own.
            let judged = judged.filter(|kept| self.has_facts_of(kept, &row.address));
            let kept = judged.as_ref().or_else(|| self.find(&address, &mut next).filter(holds));
            if let Some(kept) = kept {
                has_keys |= kept.keys.is_some();
                bytes.clear();
                bytes = postcard::to_extend(kept, bytes).map_err(io::Error::other)?;
                file.write(&bytes)?;
            }
        }
        let keys = match &self.foot {
            Some(foot) if self.same_keys => foot.keys.clone(),
            _ => has_keys.then(|| self.session.key_stamp().cloned()).flatten(),
        };
        Foot { judge: judge_name(self.env).into(), facts, keys, first_bytes }.write(file)
    }
}

/// The verdicts of a part of the file; none of it if any is odd.
fn list(mut part: &[u8]) -> Vec<KeptVerdict<'_>> {
    let mut all = Vec::new();
    while !part.is_empty() {
        let Ok((kept, rest)) = postcard::take_from_bytes(part) else { return Vec::new() };
        all.push(kept);
        part = rest;
    }
    all
}

fn parse(body: &[u8]) -> Option<KeptVerdict<'_>> {
    postcard::from_bytes(body).ok()
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
