//! What git's own index says about the data files of a work tree: blob ids, and the stat values that prove them.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use gix_index::entry::{Flags, Mode};
use gix_index::hash::Kind;

use crate::store::checkout::{RawId, raw_id};
use crate::store::files::Stat;
use crate::store::git::Git;
use crate::store::{Checkout, Error, files};

const LISTING_CAP_BYTES: u64 = 100 << 20;

/// A data file that git tracks.
#[derive(Debug)]
pub(super) struct Tracked {
    pub(super) path: Box<str>,
    /// The staged blob; none while the file has merge conflicts.
    pub(super) id: Option<RawId>,
    pub(super) proof: Option<Proof>,
    /// Left out of the work tree on purpose (sparse checkout).
    pub(super) sparse: bool,
}

/// The stat values under which git saw the staged bytes on disk; nanoseconds or `changed` are 0 where git stored none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proof {
    size: u32,
    modified: (u32, u32),
    changed: (u32, u32),
}

impl Proof {
    /// Whether a file with these values still has the staged bytes. All that is not certain is to be read.
    pub(super) fn holds(&self, stat: &Stat) -> bool {
        self.size == stat.size as u32
            && same_time(self.modified, stat.modified)
            && (self.changed == (0, 0) || stat.changed == 0 || same_time(self.changed, stat.changed))
    }
}

/// Git keeps the low 32 bits of the seconds, and no nanoseconds on some systems.
fn same_time((seconds, nanoseconds): (u32, u32), time: i64) -> bool {
    let same_rest = nanoseconds == 0 || i64::from(nanoseconds) == time.rem_euclid(1_000_000_000);
    same_rest && seconds == time.div_euclid(1_000_000_000) as u32
}

/// The tracked data files, in path order, each once.
pub(super) fn read(checkout: &Checkout) -> Result<Vec<Tracked>, Error> {
    let Some(git) = checkout.git() else { return Ok(Vec::new()) };
    let path = git.git_dir().join("index");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let mut tracked =
        match gix_index::File::at(&path, Kind::Sha1, true, gix_index::decode::Options::default()) {
            Ok(index) => from_index(&index),
            // An index with an extension that the crate does not know; git itself may.
            Err(_) => from_git(git)?,
        };
    tracked.sort_by(|a, b| files::path_order(&a.path, &b.path));
    // A path in conflict is there up to three times.
    tracked.dedup_by(|a, b| a.path == b.path);
    Ok(tracked)
}

fn from_index(index: &gix_index::File) -> Vec<Tracked> {
    let written = index.timestamp();
    let written = (written.unix_seconds(), written.nanoseconds());
    let mut tracked = Vec::with_capacity(index.entries().len());
    for entry in index.entries() {
        let Ok(path) = std::str::from_utf8(entry.path(index)) else { continue };
        if !files::is_data_path(path) {
            continue;
        }
        let (modified, changed) = (entry.stat.mtime, entry.stat.ctime);
        // Racy: changed in the tick in which git wrote its index, so equal values prove nothing.
        let racy = if modified.nsecs == 0 || written.1 == 0 {
            i64::from(modified.secs) >= written.0
        } else {
            (i64::from(modified.secs), modified.nsecs) >= written
        };
        let proven = !racy && matches!(entry.mode, Mode::FILE | Mode::FILE_EXECUTABLE);
        tracked.push(Tracked {
            path: path.into(),
            id: (entry.stage_raw() == 0).then(|| entry.id.as_bytes().try_into().ok()).flatten(),
            proof: (proven && entry.stage_raw() == 0).then_some(Proof {
                size: entry.stat.size,
                modified: (modified.secs, modified.nsecs),
                changed: (changed.secs, changed.nsecs),
            }),
            sparse: entry.flags.contains(Flags::SKIP_WORKTREE),
        });
    }
    tracked
}

/// The same without stat values, from the git program.
fn from_git(git: &Git) -> Result<Vec<Tracked>, Error> {
    let doing = "list the index";
    let arguments = ["ls-files", "--stage", "-z", "--", "providers", "modules"];
    let output = git.run(doing, &arguments.map(OsStr::new), LISTING_CAP_BYTES)?;
    let mut tracked = Vec::new();
    for record in output.split(|byte| *byte == 0).filter(|record| !record.is_empty()) {
        let Ok(record) = std::str::from_utf8(record) else { continue };
        let parsed = record.split_once('\t').and_then(|(facts, path)| {
            let mut words = facts.split(' ');
            let (_mode, id, stage) = (words.next()?, words.next()?, words.next()?);
            Some(Tracked {
                path: path.into(),
                id: if stage == "0" { Some(raw_id(id)?) } else { None },
                proof: None,
                sparse: false,
            })
        });
        let Some(entry) = parsed else {
            return Err(
                git.failed(doing, "its answer has an unexpected form (only SHA-1 repositories are read)")
            );
        };
        if files::is_data_path(&entry.path) {
            tracked.push(entry);
        }
    }
    Ok(tracked)
}

/// What changes whenever git writes its index: stat values and the checksum at its end. `None` without an index.
pub(super) fn stamp(checkout: &Checkout) -> Option<Vec<u8>> {
    let mut file = File::open(checkout.git()?.git_dir().join("index")).ok()?;
    let stat = Stat::of(&file.metadata().ok()?);
    let mut stamp = postcard::to_stdvec(&stat).ok()?;
    file.seek(SeekFrom::End(-20)).ok()?;
    file.take(20).read_to_end(&mut stamp).ok()?;
    Some(stamp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_hold_for_equal_values_only() {
        let second = 1_000_000_000;
        let stat = Stat { size: 10, modified: 5 * second + 7, changed: 6 * second + 8, inode: 1 };
        let cases = [
            ((10, (5, 7), (6, 8)), true),
            ((10, (5, 0), (6, 0)), true),
            ((10, (5, 7), (0, 0)), true),
            ((11, (5, 7), (6, 8)), false),
            ((10, (5, 6), (6, 8)), false),
            ((10, (4, 7), (6, 8)), false),
            ((10, (5, 7), (6, 9)), false),
        ];
        for ((size, modified, changed), holds) in cases {
            assert_eq!(
                Proof { size, modified, changed }.holds(&stat),
                holds,
                "{size} {modified:?} {changed:?}"
            );
        }
    }
}
