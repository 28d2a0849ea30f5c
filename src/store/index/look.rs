//! Loads the index of a work tree or folder: merges what git tracks, what was known and what is new, and looks at each file
//! with one stat. A file is read only when neither the last run nor git's own index proves its bytes.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;

use sha1::Digest;
use sha1::Sha1;

use crate::registry::Address;
use crate::registry::Row;
use crate::registry::Shape;
use crate::store::Checkout;
use crate::store::Error;
use crate::store::checkout::RawId;
use crate::store::checkout::hex_id;
use crate::store::checkout::walk;
use crate::store::files;
use crate::store::files::Stat;
use crate::store::index::Extent;
use crate::store::index::Loaded;
use crate::store::index::Parse;
use crate::store::index::catalog;
use crate::store::index::keep;
use crate::store::index::kept::Kept;
use crate::store::index::kept::KeptBuffer;
use crate::store::index::kept::KeptFile;
use crate::store::index::kept::Origin;
use crate::store::index::tracked;
use crate::store::index::tracked::Tracked;

const THREADS: usize = 2;
const READERS: usize = 8;
/// Files that a thread takes at once: few enough to share out the large ones.
const GRAB: usize = 64;

pub(super) fn load(
    checkout: &Checkout,
    cache_file: &Path,
    shape_format: u32,
    extent: Extent,
    parse: Parse<'_>,
) -> Result<Loaded, Error> {
    let now = files::file_clock();
    let stamp = tracked::stamp(checkout);
    let (buffer, tracked) = std::thread::scope(|scope| {
        let tracked = scope.spawn(|| tracked::read(checkout));
        let buffer = KeptBuffer::read(cache_file);
        (buffer, tracked.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let tracked = tracked?;
    let kept = buffer.decode(checkout.root(), shape_format);
    let (known, known_dirs) = kept.as_ref().map_or((&[][..], &[][..]), |kept| (&kept.files, &kept.dirs));
    let walked = match extent {
        Extent::Known if checkout.git().is_some() || !known_dirs.is_empty() => None,
        _ => Some(walk(checkout.root(), known_dirs, now)),
    };
    let found = walked.as_ref().map_or(&[][..], |walked| &walked.found);
    let look = Look {
        root: checkout.root(),
        git: checkout.git().is_some(),
        now,
        parse,
        known,
        by_id: OnceLock::new(),
    };
    let candidates = candidates(&tracked, known, found);
    let seen = look.at_all(&candidates);
    let mut loaded = sum_up(&candidates, &seen);
    loaded.warm = kept.is_some() && loaded.parsed == 0;
    let origin = match (stamp, look.git) {
        (Some(stamp), true) => Origin::Index(Cow::Owned(stamp)),
        _ => Origin::Folder,
    };
    let seen: Vec<Seen<'_>> = seen.into_iter().flatten().collect();
    let same = kept.as_ref().is_some_and(|kept| kept.origin == origin)
        && !walked.as_ref().is_some_and(|walked| walked.changed)
        && is_same(&seen, known);
    let (files, rows): (Vec<_>, Vec<_>) = seen.into_iter().map(|seen| (seen.file, seen.row)).unzip();
    if !same {
        let dirs = walked.as_ref().map_or(known_dirs, |walked| &walked.dirs).to_vec();
        let root = checkout.root().to_string_lossy();
        loaded.notice = keep(cache_file, &Kept { root, shape_format, origin, files: files.clone(), dirs });
    }
    loaded.unreadable = walked.as_ref().map_or_else(Vec::new, |walked| walked.unreadable.clone());
    let unreachable = files.iter().zip(&rows).filter(|(_, row)| row.is_none());
    let unreachable = unreachable.map(|(file, _)| file.path.to_owned()).collect();
    loaded.catalog = catalog(rows.into_iter().flatten().collect(), unreachable);
    Ok(loaded)
}

/// A path to look at, and what is known about it.
struct Candidate<'a> {
    path: &'a str,
    tracked: Option<&'a Tracked>,
    known: Option<&'a KeptFile<'a>>,
}

/// A file that is there.
struct Seen<'a> {
    file: KeptFile<'a>,
    /// None for a path without an address.
    row: Option<Row>,
    shape: ShapeFrom,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ShapeFrom {
    Cache,
    Parse,
    Nowhere,
}

/// The union of what git tracks, what was known and what was found, sorted by path. A file that was known and is tracked
/// no more may still be there.
fn candidates<'a>(
    tracked: &'a [Tracked],
    known: &'a [KeptFile<'a>],
    found: &'a [String],
) -> Vec<Candidate<'a>> {
    let mut tracked = tracked.iter().peekable();
    let mut known = known.iter().peekable();
    let mut found = found.iter().map(String::as_str).peekable();
    let mut candidates = Vec::new();
    loop {
        let heads = [
            tracked.peek().map(|tracked| &*tracked.path),
            known.peek().map(|known| known.path),
            found.peek().copied(),
        ];
        let Some(path) = heads.into_iter().flatten().min() else { return candidates };
        found.next_if_eq(&path);
        candidates.push(Candidate {
            path,
            tracked: tracked.next_if(|tracked| &*tracked.path == path),
            known: known.next_if(|known| known.path == path),
        });
    }
}

struct Look<'a> {
    root: &'a Path,
    git: bool,
    now: i64,
    parse: Parse<'a>,
    known: &'a [KeptFile<'a>],
    /// Shapes by folder (a provider's is another than a module's) and blob id, made when first needed.
    by_id: OnceLock<HashMap<(u8, RawId), &'a [u8]>>,
}

impl<'a> Look<'a> {
    fn at_all(&self, candidates: &[Candidate<'a>]) -> Vec<Option<Seen<'a>>> {
        let next = AtomicUsize::new(0);
        // Without a cache every file is read, and a cold disk wants more questions at once than there are cores.
        let threads = if self.known.is_empty() { READERS } else { THREADS };
        let mut parts: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..threads).map(|_| scope.spawn(|| self.work(candidates, &next))).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<_>>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().flat_map(join).collect()
        });
        parts.sort_unstable_by_key(|(from, _)| *from);
        parts.into_iter().flat_map(|(_, part)| part).collect()
    }

    fn work(&self, candidates: &[Candidate<'a>], next: &AtomicUsize) -> Vec<(usize, Vec<Option<Seen<'a>>>)> {
        let mut buffer = Vec::new();
        let mut parts = Vec::new();
        loop {
            let from = next.fetch_add(GRAB, Ordering::Relaxed);
            if from >= candidates.len() {
                return parts;
            }
            let mine = &candidates[from..candidates.len().min(from + GRAB)];
            parts.push((from, mine.iter().map(|candidate| self.at(candidate, &mut buffer)).collect()));
        }
    }

    /// Looks at one file; `None` if it is not there.
    fn at(&self, candidate: &Candidate<'a>, buffer: &mut Vec<u8>) -> Option<Seen<'a>> {
        let full = self.root.join(candidate.path);
        let metadata = match full.symlink_metadata() {
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return None,
            other => other,
        };
        let address = files::address_of(candidate.path);
        let checked = metadata.and_then(|metadata| {
            files::check_regular(&metadata)?;
            Ok(Stat::of(&metadata))
        });
        let (address, stat) = match (address, checked) {
            (Some(address), Ok(stat)) => (address, stat),
            (Some(address), Err(cause)) => return Some(self.unreadable(candidate, address, &cause)),
            (None, _) => return Some(unaddressed(candidate.path)),
        };
        if let Some(known) = candidate.known
            && known.settled
            && known.stat == stat
            && known.id.is_some() == self.git
            && let Some(shape) = known.shape()
        {
            let encoded = Cow::Borrowed(&*known.shape);
            return Some(self.seen(candidate, address, stat, known.id, (shape, encoded, ShapeFrom::Cache)));
        }
        let read = self.read(candidate, &full, address.clone(), stat, buffer);
        Some(read.unwrap_or_else(|cause| self.unreadable(candidate, address, &cause)))
    }

    /// The rest of [`Self::at`] for a file that the last run does not prove: git's index may, else its bytes do.
    fn read(
        &self,
        candidate: &Candidate<'a>,
        full: &Path,
        address: Address,
        stat: Stat,
        buffer: &mut Vec<u8>,
    ) -> io::Result<Seen<'a>> {
        let tracked =
            candidate.tracked.filter(|tracked| tracked.proof.is_some_and(|proof| proof.holds(&stat)));
        let proven = tracked.and_then(|tracked| tracked.id);
        if let Some((id, shape)) = proven.and_then(|id| Some((id, self.known_shape(candidate, &id)?))) {
            return Ok(self.seen(candidate, address, stat, Some(id), shape));
        }
        let opened = files::read_regular(full, buffer)?;
        let hash = || proven.filter(|_| opened == stat).unwrap_or_else(|| blob_id(buffer));
        let id = self.git.then(hash);
        let shape = id.and_then(|id| self.known_shape(candidate, &id)).unwrap_or_else(|| {
            let shape = (self.parse)(address.kind(), buffer);
            let encoded = postcard::to_stdvec(&shape).unwrap_or_default();
            (shape, Cow::Owned(encoded), ShapeFrom::Parse)
        });
        Ok(self.seen(candidate, address, opened, id, shape))
    }

    fn known_shape(&self, candidate: &Candidate<'a>, id: &RawId) -> Option<FoundShape<'a>> {
        let by_path = candidate.known.filter(|known| known.id.as_ref() == Some(id));
        let encoded = match by_path {
            Some(known) => &*known.shape,
            None => self.by_id().get(&key(candidate.path, id)).copied()?,
        };
        Some((postcard::from_bytes(encoded).ok()?, Cow::Borrowed(encoded), ShapeFrom::Cache))
    }

    fn by_id(&self) -> &HashMap<(u8, RawId), &'a [u8]> {
        self.by_id.get_or_init(|| {
            let known = self.known.iter();
            known.filter_map(|known| Some((key(known.path, known.id.as_ref()?), &*known.shape))).collect()
        })
    }

    fn seen(
        &self,
        candidate: &Candidate<'a>,
        address: Address,
        stat: Stat,
        id: Option<RawId>,
        (shape, encoded, from): FoundShape<'a>,
    ) -> Seen<'a> {
        let dirty = self.git && candidate.tracked.is_none_or(|tracked| tracked.id != id);
        let settled = stat.settled(self.now);
        let blob = id.as_ref().map(hex_id).unwrap_or_default();
        Seen {
            file: KeptFile { path: candidate.path, id, stat, settled, dirty, shape: encoded },
            row: Some(Row { address, blob, dirty, shape }),
            shape: from,
        }
    }

    fn unreadable(&self, candidate: &Candidate<'a>, address: Address, cause: &io::Error) -> Seen<'a> {
        let broken = Some(format!("cannot be read: {cause}").into());
        let shape = Shape { broken, ..Shape::default() };
        let shape = (shape, Cow::Borrowed(&[][..]), ShapeFrom::Nowhere);
        self.seen(candidate, address, Stat { modified: i64::MAX, ..Stat::default() }, None, shape)
    }
}

/// A shape, its encoding, and where it came from.
type FoundShape<'a> = (Shape, Cow<'a, [u8]>, ShapeFrom);

fn key(path: &str, id: &RawId) -> (u8, RawId) {
    (path.as_bytes().first().copied().unwrap_or_default(), *id)
}

fn unaddressed(path: &str) -> Seen<'_> {
    let stat = Stat::default();
    let shape = Cow::Borrowed(&[][..]);
    let file = KeptFile { path, id: None, stat, settled: false, dirty: false, shape };
    Seen { file, row: None, shape: ShapeFrom::Nowhere }
}

/// The id that git gives to these bytes.
fn blob_id(bytes: &[u8]) -> RawId {
    let mut hasher = Sha1::new();
    hasher.update(format!("blob {}\0", bytes.len()));
    hasher.update(bytes);
    hasher.finalize().into()
}

fn sum_up(candidates: &[Candidate<'_>], seen: &[Option<Seen<'_>>]) -> Loaded {
    let count = |from| seen.iter().flatten().filter(|seen| seen.shape == from).count();
    let absent = candidates.iter().zip(seen).filter(|(_, seen)| seen.is_none());
    let missing = absent
        .filter(|(candidate, _)| candidate.tracked.is_some_and(|tracked| !tracked.sparse))
        .map(|(candidate, _)| candidate.path.to_owned());
    Loaded {
        parsed: count(ShapeFrom::Parse),
        reused: count(ShapeFrom::Cache),
        missing: missing.collect(),
        ..Loaded::default()
    }
}

/// Whether the cache file already says all this.
fn is_same(seen: &[Seen<'_>], known: &[KeptFile<'_>]) -> bool {
    seen.len() == known.len()
        && seen.iter().zip(known).all(|(seen, known)| {
            let file = &seen.file;
            seen.shape != ShapeFrom::Parse
                && file.path == known.path
                && file.id == known.id
                && file.stat == known.stat
                && file.settled == known.settled
                && file.dirty == known.dirty
        })
}
