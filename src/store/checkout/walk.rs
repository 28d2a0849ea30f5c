//! Walks the data folders on disk, on two threads, and skips what has not changed since the last walk.
//!
//! A folder's own times change when a name in it comes or goes, so a folder known from before is only listed again when
//! they did. Links are not followed.

use std::borrow::Cow;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::store::checkout::Unreadable;
use crate::store::files;
use crate::store::files::{DATA_FOLDERS, Stat};

const THREADS: usize = 2;
/// Known folders that a thread takes at once.
const GRAB: usize = 256;

/// A folder as it was when it was last listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) struct Dir<'a> {
    /// Below the root.
    pub(in crate::store) path: Cow<'a, str>,
    pub(in crate::store) stat: Stat,
    /// Whether the times are old enough to show the next change.
    pub(in crate::store) settled: bool,
}

/// What a walk saw.
#[derive(Debug, Default)]
pub(in crate::store) struct Walked<'a> {
    /// All folders, sorted by path.
    pub(in crate::store) dirs: Vec<Dir<'a>>,
    /// The data files in the folders that were listed, sorted by path; in the others there are no new ones.
    pub(in crate::store) found: Vec<String>,
    pub(in crate::store) unreadable: Vec<Unreadable>,
    /// At least one folder was listed, or is gone.
    pub(in crate::store) changed: bool,
}

enum Unit<'a> {
    Known(&'a Dir<'a>),
    New(String),
}

/// Looks at all data folders below `root`. `known` are those of the last walk, sorted by path; none means to walk all.
pub(in crate::store) fn walk<'a>(root: &Path, known: &'a [Dir<'a>], now: i64) -> Walked<'a> {
    let look = Walker { root, known, now };
    let mut walked = Walked::default();
    let mut units: Vec<Unit<'a>> = known.iter().map(Unit::Known).collect();
    for top in DATA_FOLDERS {
        // The top two are listed at once, so that their shards can be shared out.
        if !look.is_known(top) {
            units.extend(look.list(top, &mut walked).into_iter().map(Unit::New));
        }
    }
    let grab = if known.is_empty() { 1 } else { GRAB };
    let next = AtomicUsize::new(0);
    let all = Mutex::new(walked);
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let part = look.work(&units, &next, grab);
                all.lock().unwrap_or_else(PoisonError::into_inner).append(part);
            });
        }
    });
    let mut walked = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    walked.dirs.sort_by(|a, b| a.path.cmp(&b.path));
    walked.found.sort_unstable();
    walked.unreadable.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    walked
}

struct Walker<'a, 'root> {
    root: &'root Path,
    known: &'a [Dir<'a>],
    now: i64,
}

impl<'a> Walker<'a, '_> {
    fn work(&self, units: &[Unit<'a>], next: &AtomicUsize, grab: usize) -> Walked<'a> {
        let mut walked = Walked::default();
        loop {
            let from = next.fetch_add(grab, Ordering::Relaxed);
            let Some(mine) = units.get(from..units.len().min(from + grab)).filter(|mine| !mine.is_empty())
            else {
                return walked;
            };
            for unit in mine {
                match unit {
                    Unit::Known(dir) => self.check(dir, &mut walked),
                    Unit::New(path) => self.descend(path.clone(), &mut walked),
                }
            }
        }
    }

    /// Keeps a known folder that has not changed; lists another, and descends into what is new in it.
    fn check(&self, dir: &'a Dir<'a>, walked: &mut Walked<'a>) {
        let metadata = self.root.join(&*dir.path).symlink_metadata();
        if let Ok(metadata) = &metadata
            && metadata.is_dir()
            && dir.settled
            && Stat::of(metadata) == dir.stat
        {
            walked.dirs.push(dir.clone());
            return;
        }
        walked.changed = true;
        // Not a folder any more: the parent's times have changed too, and what stands there now is found with it.
        if metadata.is_ok_and(|metadata| !metadata.is_dir()) && !DATA_FOLDERS.contains(&&*dir.path) {
            return;
        }
        for inner in self.list(&dir.path, walked) {
            if !self.is_known(&inner) {
                self.descend(inner, walked);
            }
        }
    }

    fn descend(&self, path: String, walked: &mut Walked<'a>) {
        let mut waiting = vec![path];
        while let Some(path) = waiting.pop() {
            waiting.extend(self.list(&path, walked));
        }
    }

    /// Notes a folder and the data files in it; gives the folders in it.
    fn list(&self, path: &str, walked: &mut Walked<'a>) -> Vec<String> {
        walked.changed = true;
        self.try_list(path, walked).unwrap_or_else(|cause| {
            // Gone, or below what is no folder any more: told there if anywhere.
            if !matches!(cause.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) {
                walked.unreadable.push(unreadable(path, &cause));
                // Remembered as unsettled, so that the next walk looks again.
                let path = Cow::Owned(path.to_owned());
                walked.dirs.push(Dir { path, stat: Stat::default(), settled: false });
            }
            Vec::new()
        })
    }

    fn try_list(&self, path: &str, walked: &mut Walked<'a>) -> io::Result<Vec<String>> {
        let full = self.root.join(path);
        let metadata = full.symlink_metadata()?;
        if !metadata.is_dir() {
            return Err(io::Error::other("it is not a folder"));
        }
        let mut folders = Vec::new();
        let told = walked.unreadable.len();
        for entry in std::fs::read_dir(&full)? {
            let entry = entry?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                let path = format!("{path}/{}", name.to_string_lossy());
                walked.unreadable.push(unreadable(&path, &io::Error::other("its name is not UTF-8")));
                continue;
            };
            let inner = format!("{path}/{name}");
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(inner);
            } else if kind.is_symlink() && inner.strip_suffix(".json").is_none() {
                walked.unreadable.push(unreadable(&inner, &files::not_followed()));
            } else if files::is_data_path(&inner) {
                walked.found.push(inner);
            }
        }
        let stat = Stat::of(&metadata);
        // What could not be read is told on every walk, so the folder is listed on every walk.
        let settled = stat.settled(self.now) && walked.unreadable.len() == told;
        walked.dirs.push(Dir { path: Cow::Owned(path.to_owned()), stat, settled });
        Ok(folders)
    }

    fn is_known(&self, path: &str) -> bool {
        self.known.binary_search_by(|dir| (*dir.path).cmp(path)).is_ok()
    }
}

impl Walked<'_> {
    fn append(&mut self, mut other: Self) {
        self.dirs.append(&mut other.dirs);
        self.found.append(&mut other.found);
        self.unreadable.append(&mut other.unreadable);
        self.changed |= other.changed;
    }
}

fn unreadable(path: &str, cause: &io::Error) -> Unreadable {
    Unreadable { path: path.into(), why: format!("cannot be read: {cause}") }
}
