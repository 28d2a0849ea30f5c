//! Loads the index of a work tree or folder: merges what git tracks, what was known and what is new, has each file inspected
//! on its threads, and keeps the outcome.

use std::borrow::Cow;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::registry::Row;
use crate::store::checkout::walk;
use crate::store::files::path_order;
use crate::store::index::inspect::{Candidate, Inspector, ShapeFrom};
use crate::store::index::kept::{Kept, KeptBuffer, KeptFile, Origin, ToKeep};
use crate::store::index::tracked::Tracked;
use crate::store::index::{Extent, Loaded, Parse, catalog, keep, tracked};
use crate::store::{Checkout, Error, files};

const THREADS: usize = 2;
/// Without a cache every file is read, and a cold disk wants more questions at once than there are cores.
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
    let (now, stamp) = (files::file_clock(), tracked::stamp(checkout));
    // On its own thread while the cache file is decoded.
    let tracked = std::thread::spawn({
        let checkout = checkout.clone();
        move || tracked::read(&checkout)
    });
    let buffer = KeptBuffer::read(cache_file);
    let kept = buffer.decode(checkout.root(), shape_format);
    let tracked = tracked.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    let git = checkout.git().is_some();
    let known = kept.as_ref().map_or(&[][..], |kept| &kept.files);
    let walks = extent == Extent::Everything || !git;
    let known_dirs = || kept.as_ref().map(Kept::dirs).unwrap_or_default();
    let walked_dirs = if walks { known_dirs() } else { Vec::new() };
    let walked = walks.then(|| walk(checkout.root(), &walked_dirs, now));
    let mut found: Vec<&str> = walked.iter().flat_map(|walked| &walked.found).map(String::as_str).collect();
    found.sort_by(|a, b| path_order(a, b));
    let candidates = candidates(&tracked, known, &found);
    let trusts_git = git && extent == Extent::Committed;
    let inspector =
        Inspector { root: checkout.root(), git, trusts_git, now, parse, known, by_id: OnceLock::new() };
    let mut parts = inspect_all(&inspector, &candidates, if known.is_empty() { READERS } else { THREADS });
    let origin = match (stamp, git) {
        (Some(stamp), true) => Origin::Index(Cow::Owned(stamp)),
        _ => Origin::Folder,
    };
    let mut loaded = Loaded { warm: kept.is_some(), ..Loaded::default() };
    let mut rows = Vec::with_capacity(candidates.len());
    let mut unreachable = Vec::new();
    let mut same = kept.as_ref().is_some_and(|kept| kept.origin == origin)
        && !walked.as_ref().is_some_and(|walked| walked.changed)
        && parts.iter().map(|part| part.files.len()).sum::<usize>() == known.len();
    for part in &mut parts {
        rows.append(&mut part.rows);
        unreachable.append(&mut part.unreachable);
        loaded.missing.append(&mut part.missing);
        loaded.parsed += part.parsed;
        loaded.reused += part.reused;
        same &= part.files.iter().all(|file| matches!(file, ToFile::Same(_)));
    }
    loaded.warm &= loaded.parsed == 0;
    // The committed extent is a first answer, and the look that follows keeps what it finds.
    if !same && !trusts_git {
        let files: Vec<&KeptFile<'_>> = parts.iter().flat_map(|part| &part.files).map(ToFile::file).collect();
        let dirs = &walked.as_ref().map_or_else(known_dirs, |walked| walked.dirs.clone());
        let root = &checkout.root().to_string_lossy();
        loaded.notice = keep(cache_file, &ToKeep { root, shape_format, origin, files: &files, dirs });
    }
    loaded.unreadable = walked.as_ref().map_or_else(Vec::new, |walked| walked.unreadable.clone());
    loaded.catalog = catalog(rows, unreachable);
    Ok(loaded)
}

/// The union of what git tracks, what was known and what was found, in path order. A file that was known and is tracked
/// no more may still be there.
fn candidates<'a>(
    tracked: &'a [Tracked],
    known: &'a [KeptFile<'a>],
    found: &[&'a str],
) -> Vec<Candidate<'a>> {
    let mut tracked = tracked.iter().peekable();
    let mut known = known.iter().peekable();
    let mut found = found.iter().copied().peekable();
    let mut candidates = Vec::with_capacity(tracked.len().max(known.len()));
    loop {
        let heads = [
            tracked.peek().map(|tracked| &*tracked.path),
            known.peek().map(|known| known.path),
            found.peek().copied(),
        ];
        let Some(path) = heads.into_iter().flatten().min_by(|a, b| path_order(a, b)) else {
            return candidates;
        };
        found.next_if_eq(&path);
        candidates.push(Candidate {
            path,
            tracked: tracked.next_if(|tracked| &*tracked.path == path),
            known: known.next_if(|known| known.path == path),
        });
    }
}

/// What the cache file is to say about a file: what it says already, or something else.
enum ToFile<'a> {
    Same(&'a KeptFile<'a>),
    Other(Box<KeptFile<'a>>),
}

impl<'a> ToFile<'a> {
    fn file(&self) -> &KeptFile<'a> {
        match self {
            Self::Same(file) => file,
            Self::Other(file) => file,
        }
    }
}

/// The outcome for some neighbouring candidates.
#[derive(Default)]
struct Part<'a> {
    from: usize,
    rows: Vec<Row>,
    unreachable: Vec<String>,
    files: Vec<ToFile<'a>>,
    missing: Vec<String>,
    parsed: usize,
    reused: usize,
}

/// In the order of the candidates.
fn inspect_all<'a>(inspector: &Inspector<'a>, candidates: &[Candidate<'a>], threads: usize) -> Vec<Part<'a>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut buffer = Vec::new();
        let mut parts = Vec::new();
        loop {
            let from = next.fetch_add(GRAB, Ordering::Relaxed);
            if from >= candidates.len() {
                return parts;
            }
            let mine = &candidates[from..candidates.len().min(from + GRAB)];
            parts.push(Part { from, ..inspect_some(inspector, mine, &mut buffer) });
        }
    };
    let mut parts: Vec<Part<'a>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<_>>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().flat_map(join).collect()
    });
    parts.sort_unstable_by_key(|part| part.from);
    parts
}

fn inspect_some<'a>(
    inspector: &Inspector<'a>,
    candidates: &[Candidate<'a>],
    buffer: &mut Vec<u8>,
) -> Part<'a> {
    let mut part = Part { rows: Vec::with_capacity(candidates.len()), ..Part::default() };
    for candidate in candidates {
        let Some(seen) = inspector.inspect(candidate, buffer) else {
            if candidate.tracked.is_some_and(|tracked| !tracked.sparse) {
                part.missing.push(candidate.path.to_owned());
            }
            continue;
        };
        match seen.row {
            Some(row) => part.rows.push(row),
            None => part.unreachable.push(candidate.path.to_owned()),
        }
        part.parsed += usize::from(seen.shape == ShapeFrom::Parse);
        part.reused += usize::from(seen.shape == ShapeFrom::Cache);
        let same =
            candidate.known.filter(|known| seen.shape != ShapeFrom::Parse && is_same(&seen.file, known));
        part.files.push(same.map_or_else(|| ToFile::Other(Box::new(seen.file)), ToFile::Same));
    }
    part
}

/// The shapes need no look: they follow from the rest.
fn is_same(file: &KeptFile<'_>, known: &KeptFile<'_>) -> bool {
    file.id == known.id
        && file.stat == known.stat
        && file.settled == known.settled
        && file.dirty == known.dirty
}
