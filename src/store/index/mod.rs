//! The start-up index: one summary row per data file without parsing again what has not changed.
//!
//! A cache file keeps each file's shape with its stat values and blob id. It may be thrown away at any time: whatever looks
//! odd about it means that everything is read anew. Bodies are never kept. Called by `jobs` at the start and after a pull.

mod commit;
mod git_index;
mod inspect;
mod kept;
mod look;
mod tracked;

use std::path::Path;

use crate::registry::{Catalog, Kind, Row, Shape, object_id};
use crate::store::checkout::{Unreadable, hex_id};
use crate::store::{Checkout, Error, Source, files};
use kept::{KeptBuffer, KeptFile, Origin, ToKeep};

/// Parses the bytes of one data file; called on two threads.
pub(crate) type Parse<'a> = &'a (dyn Fn(Kind, &[u8]) -> Shape + Sync);

/// How far a work tree is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Only files that differ between the last run and git's index, or that were dirty before: the rows are those of the
    /// commit, edits made since do not show, and nothing is kept. A plain folder is looked at whole.
    Committed,
    /// Files that git tracks, with one stat each, and untracked ones, with one more stat per folder.
    Everything,
}

/// A loaded index and how it came about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Loaded {
    pub(crate) catalog: Catalog,
    /// Files that were parsed now.
    pub(crate) parsed: usize,
    /// Files whose shape came out of the cache file.
    pub(crate) reused: usize,
    /// The cache file was there, and nothing had to be parsed.
    pub(crate) warm: bool,
    /// Data files that git tracks and that are not on disk.
    pub(crate) missing: Vec<String>,
    /// Folders and files outside the rows that could not be read. A file with an address has a broken row instead.
    pub(crate) unreadable: Vec<Unreadable>,
    /// Something to tell once, such as that the cache file could not be written.
    pub(crate) notice: Option<String>,
}

/// What can be listed before every file was looked at.
#[derive(Clone, Debug)]
pub(crate) enum Early {
    /// The rows of the last run or, where git's index or the commit moved on since, of what it says now. Edits made since do
    /// not show; a plain folder is as the last run left it.
    Read(Catalog),
    /// Nothing is remembered: the names alone, their shapes empty.
    Named(Catalog),
}

/// Loads the index precisely: every file that differs from what the cache file knows is read and parsed, and the cache file
/// is written anew if anything was different. `shape_format` is the number of the parser's output format; shapes of another
/// number are not used. One cache file belongs to one registry and one reference.
///
/// # Errors
/// git is needed and failed. A broken cache file, and single files and folders that cannot be read, are no errors.
pub(crate) fn load_catalog(
    checkout: &Checkout,
    cache_file: &Path,
    shape_format: u32,
    extent: Extent,
    parse: Parse<'_>,
) -> Result<Loaded, Error> {
    match checkout.source() {
        Source::Objects { commit, .. } => commit::load(checkout, commit, cache_file, shape_format, parse),
        Source::WorkTree | Source::Folder => look::load(checkout, cache_file, shape_format, extent, parse),
    }
}

/// A first list while [`load_catalog`] looks at every file. `None` if even the names cannot be had.
pub(crate) fn load_early(
    checkout: &Checkout,
    cache_file: &Path,
    shape_format: u32,
    parse: Parse<'_>,
) -> Option<Early> {
    let buffer = KeptBuffer::read(cache_file);
    let is_current = match (checkout.source(), buffer.origin(checkout.root(), shape_format)) {
        (_, None) => return list_names(checkout).ok().map(Early::Named),
        (Source::Objects { commit, .. }, Some(Origin::Commit(kept))) => **commit == *kept,
        (Source::WorkTree, Some(Origin::Index(stamp))) => {
            tracked::stamp(checkout).as_deref() == Some(&*stamp)
        }
        (Source::Folder, _) => true,
        _ => false,
    };
    if is_current && let Some(kept) = buffer.decode(checkout.root(), shape_format) {
        let (rows, unreachable) = rows_of(&kept.files)?;
        return Some(Early::Read(catalog(rows, unreachable)));
    }
    let loaded = load_catalog(checkout, cache_file, shape_format, Extent::Committed, parse).ok()?;
    Some(Early::Read(loaded.catalog))
}

/// The rows by name alone, their shapes empty, without looking at a single data file. In a work tree it is what git tracks.
fn list_names(checkout: &Checkout) -> Result<Catalog, Error> {
    let tracked = match checkout.source() {
        Source::WorkTree => tracked::read(checkout)?,
        Source::Objects { .. } | Source::Folder => Vec::new(),
    };
    let listed = if tracked.is_empty() { checkout.list()?.paths } else { Vec::new() };
    let paths = tracked.iter().map(|tracked| &*tracked.path).chain(listed.iter().map(String::as_str));
    let (mut rows, mut unreachable) = (Vec::new(), Vec::new());
    for path in paths {
        match files::address_of(path) {
            Some(address) => {
                rows.push(Row::new(address, Shape::default()));
            }
            None => unreachable.push(path.to_owned()),
        }
    }
    Ok(catalog(rows, unreachable))
}

/// `None` if a shape cannot be read: the file is not what it seems.
fn rows_of(files: &[KeptFile<'_>]) -> Option<(Vec<Row>, Vec<String>)> {
    let (first, second) = files.split_at(files.len() / 2);
    let (first, second) = on_two_threads(|| rows_of_half(first), || rows_of_half(second));
    let ((mut rows, mut unreachable), (more_rows, more_unreachable)) = (first?, second?);
    rows.extend(more_rows);
    unreachable.extend(more_unreachable);
    Some((rows, unreachable))
}

fn on_two_threads<A, B: Send>(first: impl FnOnce() -> A, second: impl FnOnce() -> B + Send) -> (A, B) {
    std::thread::scope(|scope| {
        let second = scope.spawn(second);
        (first(), second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

fn rows_of_half(files: &[KeptFile<'_>]) -> Option<(Vec<Row>, Vec<String>)> {
    let mut rows = Vec::with_capacity(files.len());
    let mut unreachable = Vec::new();
    for file in files {
        match files::address_of(file.path) {
            Some(address) => {
                let blob = file.id.as_ref().map(hex_id).unwrap_or_default();
                rows.push(Row { address, blob, dirty: file.dirty, lint: None, shape: file.shape()? });
            }
            None => unreachable.push(file.path.to_owned()),
        }
    }
    Some((rows, unreachable))
}

/// Rows come in path order; a stable sort makes use of that, and leaves nothing to do for the catalog's own.
fn catalog(mut rows: Vec<Row>, unreachable: Vec<String>) -> Catalog {
    rows.sort_by(|a, b| a.address.cmp(&b.address));
    Catalog::new(rows, unreachable)
}

/// Writes the cache file; a failure is a notice, since the next start is only slower.
fn keep(cache_file: &Path, kept: &ToKeep<'_>) -> Option<String> {
    let written = kept.write(cache_file);
    written.err().map(|error| format!("the start-up index was not kept: {error}"))
}

/// The name that git gives to the bytes of a file: [`Row::blob`].
pub(crate) fn blob_name(bytes: &[u8]) -> Box<str> {
    hex_id(&object_id("blob", bytes))
}

#[cfg(test)]
mod tests;
