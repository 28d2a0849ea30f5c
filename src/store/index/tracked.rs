//! What git's own index says about the data files of a work tree: blob ids, and the stat values that prove them.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::store::checkout::{RawId, raw_id};
use crate::store::files::Stat;
use crate::store::git::Git;
use crate::store::index::git_index;
use crate::store::{Checkout, Error, files};

/// The largest index, or list of its files, that is read: about twenty registries.
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
    let mut tracked = match from_index(&path) {
        Some(tracked) => tracked,
        // Git itself may support this format.
        None => from_git(git)?,
    };
    tracked.sort_by(|a, b| files::path_order(&a.path, &b.path));
    // A path in conflict is there up to three times.
    tracked.dedup_by(|a, b| a.path == b.path);
    Ok(tracked)
}

fn from_index(path: &Path) -> Option<Vec<Tracked>> {
    // The time is read first: if git writes the index in between, fewer files count as unchanged.
    let written = Stat::of(&path.metadata().ok()?).modified;
    let bytes = files::read_named(path, LISTING_CAP_BYTES).ok()?;
    let mut tracked = Vec::new();
    git_index::read(&bytes, &mut |staged| {
        let Ok(path) = std::str::from_utf8(staged.path) else { return };
        if !files::is_data_path(path) {
            return;
        }
        let is_settled = staged.stage == 0;
        let proves = is_settled && staged.is_regular && !is_racy(staged.modified, written);
        tracked.push(Tracked {
            path: path.into(),
            id: is_settled.then_some(staged.id),
            proof: proves.then_some(Proof {
                size: staged.size,
                modified: staged.modified,
                changed: staged.changed,
            }),
            sparse: staged.skips_worktree,
        });
    })?;
    Some(tracked)
}

/// Returns true if a file changed in the clock tick in which git wrote its index. Equal values then prove nothing.
fn is_racy((seconds, nanoseconds): (u32, u32), written: i64) -> bool {
    let written = (written.div_euclid(1_000_000_000), written.rem_euclid(1_000_000_000));
    if nanoseconds == 0 || written.1 == 0 {
        return i64::from(seconds) >= written.0;
    }
    (i64::from(seconds), i64::from(nanoseconds)) >= written
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
