//! Keeps the newest files of a kind in a folder of ours, and removes the others.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// How many of them may stay, and how large they may be together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Most {
    pub(crate) files: usize,
    pub(crate) bytes: u64,
}

/// Removes all but the newest of the files whose names begin and end like this, and gives the number removed. One that a
/// process holds stays. A failure leaves the file for the next time.
pub(crate) fn keep_newest(folder: &Path, (begin, end): (&str, &str), most: Most) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let is_ours = |name: &str| name.starts_with(begin) && name.ends_with(end);
    let mut files: Vec<(SystemTime, u64, PathBuf)> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(is_ours))
        .filter_map(|entry| {
            let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            Some((metadata.modified().ok()?, metadata.len(), entry.path()))
        })
        .collect();
    files.sort_by(|a, b| b.cmp(a));
    let (mut removed, mut kept_bytes) = (0, 0);
    for (place, (_, size, path)) in files.iter().enumerate() {
        kept_bytes += size;
        // The newest stays, however large it is.
        let is_kept = place == 0 || (place < most.files && kept_bytes <= most.bytes);
        if !is_kept && !is_held(path) && fs::remove_file(path).is_ok() {
            removed += 1;
        }
    }
    removed
}

fn is_held(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_newest_stay() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, hours: u64, size: usize| {
            let path = folder.path().join(name);
            fs::write(&path, vec![b'x'; size]).unwrap();
            let time = SystemTime::UNIX_EPOCH + Duration::from_hours(hours);
            File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
            path
        };
        let held = File::open(file("verify-held.jsonl", 1, 1)).unwrap();
        held.lock().unwrap();
        file("letter.jsonl", 1, 1);
        file("verify-note.txt", 1, 1);
        for (name, hours, size) in [("a", 2, 10), ("b", 3, 10), ("c", 4, 10), ("d", 5, 100)] {
            file(&format!("verify-{name}.jsonl"), hours, size);
        }
        let keep = |files, bytes| {
            keep_newest(folder.path(), ("verify-", ".jsonl"), Most { files, bytes });
            let names = fs::read_dir(folder.path()).unwrap().flatten();
            let mut names: Vec<_> = names.map(|entry| entry.file_name().into_string().unwrap()).collect();
            names.sort();
            names
        };
        let always = ["letter.jsonl", "verify-held.jsonl", "verify-note.txt"];
        let with = |names: &[&str]| {
            let mut all: Vec<String> = always.map(str::to_owned).into();
            all.extend(names.iter().map(|name| format!("verify-{name}.jsonl")));
            all.sort();
            all
        };
        assert_eq!(keep(3, 1 << 20), with(&["b", "c", "d"]));
        assert_eq!(keep(3, 110), with(&["c", "d"]));
        assert_eq!(keep(3, 50), with(&["d"]));
        assert_eq!(keep_newest(&folder.path().join("nowhere"), ("", ""), Most { files: 0, bytes: 0 }), 0);
    }
}
