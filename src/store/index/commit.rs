//! Loads the index of a commit: nothing but the id when the commit is the same, else git's list of its files, and the blobs
//! whose shapes are not known, through two git processes.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use crate::registry::{Kind, Row, Shape};
use crate::store::checkout::{Blob, RawId, TreeEntry, entries, hex_id, read_blobs};
use crate::store::files::Stat;
use crate::store::git::Git;
use crate::store::index::kept::{KeptBuffer, KeptFile, Origin, ToKeep};
use crate::store::index::{Loaded, Parse, catalog, keep, rows_of};
use crate::store::{Checkout, Error, files};

pub(super) fn load(
    checkout: &Checkout,
    commit: &str,
    cache_file: &Path,
    shape_format: u32,
    parse: Parse<'_>,
) -> Result<Loaded, Error> {
    let Some(git) = checkout.git() else { return Ok(Loaded::default()) };
    let buffer = KeptBuffer::read(cache_file);
    let kept = buffer.decode(checkout.root(), shape_format);
    let kept = kept.map(|kept| (kept.origin, kept.files));
    if let Some((Origin::Commit(known), files)) = &kept
        && known == commit
        && let Some((rows, unreachable)) = rows_of(files)
    {
        let reused = rows.len();
        return Ok(Loaded { catalog: catalog(rows, unreachable), reused, warm: true, ..Loaded::default() });
    }
    let mut entries = entries(git, commit)?;
    entries.sort_by(|a, b| files::path_order(&a.path, &b.path));
    let known = kept.as_ref().map_or(&[][..], |(_, files)| files);
    let mut shapes = Shapes::of(known);
    shapes.parsed = parse_all(git, &shapes.missing(&entries), parse)?;
    let (files, rows, unreachable) = shapes.rows(&entries);
    let root = checkout.root().to_string_lossy();
    let origin = Origin::Commit(Cow::Borrowed(commit));
    let parsed = files.iter().filter(|file| matches!(file.shape, Cow::Owned(_))).count();
    let reused = rows.len().saturating_sub(parsed);
    let files: Vec<&KeptFile<'_>> = files.iter().collect();
    let notice = keep(cache_file, &ToKeep { root: &root, shape_format, origin, files: &files, dirs: &[] });
    let warm = kept.is_some() && parsed == 0;
    Ok(Loaded { catalog: catalog(rows, unreachable), parsed, reused, warm, notice, ..Loaded::default() })
}

/// What a shape depends on: the kind, here by the first letter of the path, and the bytes.
type Key = (u8, RawId);

fn key(path: &str, id: RawId) -> Key {
    (path.as_bytes().first().copied().unwrap_or_default(), id)
}

fn kind(key: Key) -> Kind {
    if key.0 == b'p' { Kind::Provider } else { Kind::Module }
}

struct Shapes<'a> {
    known: HashMap<Key, &'a [u8]>,
    parsed: HashMap<Key, Shape>,
}

impl<'a> Shapes<'a> {
    fn of(known: &'a [KeptFile<'a>]) -> Self {
        let known = known.iter().filter(|file| !file.shape.is_empty());
        let known = known.filter_map(|file| Some((key(file.path, file.id?), &*file.shape)));
        Self { known: known.collect(), parsed: HashMap::new() }
    }

    /// What must be read, each once.
    fn missing(&self, entries: &[TreeEntry]) -> Vec<Key> {
        let addressed =
            entries.iter().filter(|entry| entry.regular && files::address_of(&entry.path).is_some());
        let mut wanted: Vec<Key> = addressed
            .map(|entry| key(&entry.path, entry.id))
            .filter(|key| !self.known.contains_key(key))
            .collect();
        // Neighbours in the tree are neighbours in the pack; duplicates are rare, so their order does not matter.
        let mut seen = std::collections::HashSet::with_capacity(wanted.len());
        wanted.retain(|key| seen.insert(*key));
        wanted
    }

    fn rows<'e>(&self, entries: &'e [TreeEntry]) -> (Vec<KeptFile<'e>>, Vec<Row>, Vec<String>)
    where
        'a: 'e,
    {
        let (mut files, mut rows, mut unreachable) = (Vec::new(), Vec::new(), Vec::new());
        for entry in entries {
            let Some(address) = files::address_of(&entry.path) else {
                unreachable.push(entry.path.to_string());
                files.push(kept_file(entry, Cow::Borrowed(&[])));
                continue;
            };
            let (shape, encoded) = self.shape(entry);
            files.push(kept_file(entry, encoded));
            rows.push(Row { blob: hex_id(&entry.id), ..Row::new(address, shape) });
        }
        (files, rows, unreachable)
    }

    fn shape(&self, entry: &TreeEntry) -> (Shape, Cow<'a, [u8]>) {
        let key = key(&entry.path, entry.id);
        if let Some(encoded) = self.known.get(&key)
            && entry.regular
            && let Ok(shape) = postcard::from_bytes(encoded)
        {
            return (shape, Cow::Borrowed(encoded));
        }
        let shape = match self.parsed.get(&key) {
            Some(shape) if entry.regular => shape.clone(),
            _ if entry.regular => unreadable("git has no such blob, or it is too large"),
            _ => unreadable("it is a symbolic link or a submodule, and those are not followed"),
        };
        let encoded = postcard::to_stdvec(&shape).unwrap_or_default();
        (shape, Cow::Owned(encoded))
    }
}

fn kept_file<'e>(entry: &'e TreeEntry, shape: Cow<'e, [u8]>) -> KeptFile<'e> {
    // The stat values of no file: should a work tree use this cache file, git's index proves its bytes instead.
    let stat = Stat { modified: i64::MIN, ..Stat::default() };
    let id = entry.regular.then_some(entry.id);
    KeptFile { path: &entry.path, id, stat, settled: false, dirty: false, shape }
}

fn unreadable(why: &str) -> Shape {
    Shape { broken: Some(format!("cannot be read: {why}").into()), ..Shape::default() }
}

/// Reads and parses half of the blobs on each of two threads. A blob that git does not have is left out.
fn parse_all(git: &Git, wanted: &[Key], parse: Parse<'_>) -> Result<HashMap<Key, Shape>, Error> {
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let mut parts = std::thread::scope(|scope| {
        // Every second one each: the providers, which are large, stand together.
        let threads: Vec<_> =
            (0..2).map(|offset| scope.spawn(move || parse_some(git, wanted, offset, parse))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).collect::<Result<Vec<HashMap<Key, Shape>>, Error>>()
    })?;
    let mut parsed = parts.pop().unwrap_or_default();
    parsed.extend(parts.into_iter().flatten());
    Ok(parsed)
}

fn parse_some(
    git: &Git,
    wanted: &[Key],
    offset: usize,
    parse: Parse<'_>,
) -> Result<HashMap<Key, Shape>, Error> {
    let mine: Vec<Key> = wanted.iter().copied().skip(offset).step_by(2).collect();
    let names: Vec<Box<str>> = mine.iter().map(|(_, id)| hex_id(id)).collect();
    let mut parsed = HashMap::with_capacity(mine.len());
    if names.is_empty() {
        return Ok(parsed);
    }
    read_blobs(git, names.iter().map(|name| &**name), &mut |at, blob| {
        if let (Some(key), Blob::Bytes(bytes)) = (mine.get(at), blob) {
            parsed.insert(*key, parse(kind(*key), bytes));
        }
    })?;
    Ok(parsed)
}
