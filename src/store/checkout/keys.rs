//! The folders beside the data: which files lie below one, such as the keys of all namespaces.

use std::ffi::OsStr;
use std::io;

use serde::{Deserialize, Serialize};

use crate::store::checkout::{Checkout, Source, write};
use crate::store::files::Stat;
use crate::store::{Error, files};

/// A folder of keys holds a handful of names.
const LISTING_CAP_BYTES: u64 = 4 << 20;

/// What shows that everything below a folder is as it was, without reading it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FolderStamp(Stamped);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Stamped {
    /// It is that of this commit.
    Commit(String),
    /// All folders and files, each with its stat values; none for the folder itself where it is not there.
    Disk(Vec<(String, Option<Stat>)>),
}

impl Checkout {
    /// The paths of all regular files below a folder, sorted; none if there is no such folder.
    ///
    /// # Errors
    /// `Refused` for a path that leads out of the registry, `Unreadable`, or git failed.
    pub(crate) fn files_under(&self, folder: &str) -> Result<Vec<String>, Error> {
        write::check_path(folder)?;
        let mut paths = Vec::new();
        if let (Source::Objects { commit, .. }, Some(git)) = (self.source(), self.git()) {
            let listing = ["ls-tree", "-r", "-z", commit.as_str(), "--", folder].map(OsStr::new);
            let listing = git.run("list a folder", &listing, LISTING_CAP_BYTES)?;
            let text = String::from_utf8_lossy(&listing).into_owned();
            let files = text.split('\0').filter_map(|line| {
                let (kind, name) = line.split_once('\t')?;
                kind.starts_with("100").then(|| name.to_owned())
            });
            paths.extend(files);
        } else {
            self.walk_folder(folder, &mut paths)?;
        }
        paths.sort_unstable();
        Ok(paths)
    }

    /// The stamp of everything below a folder as it is now; what is read afterwards is what it stands for, or the stamp is
    /// another one next time. `None`: something cannot be looked at, or is so new that its next change might not show.
    pub(crate) fn stamp_folder(&self, folder: &str) -> Option<FolderStamp> {
        if let Source::Objects { commit, .. } = self.source() {
            return Some(FolderStamp(Stamped::Commit(commit.clone())));
        }
        let now = files::file_clock();
        let mut paths = Vec::new();
        let folders = self.walk_folder(folder, &mut paths).ok()?;
        let all = folders.into_iter().chain(paths).map(|path| {
            let stat = self.stat(&path).ok()?;
            (stat.is_none_or(|stat| stat.settled(now))).then_some((path, stat))
        });
        Some(FolderStamp(Stamped::Disk(all.collect::<Option<_>>()?)))
    }

    /// Whether everything is as it was when that stamp was made.
    pub(crate) fn is_as_stamped(&self, stamp: &FolderStamp) -> bool {
        match (self.source(), &stamp.0) {
            (Source::Objects { commit, .. }, Stamped::Commit(stamped)) => commit == stamped,
            (Source::WorkTree | Source::Folder, Stamped::Disk(all)) => {
                let is_same = |(path, stat): &(String, _)| self.stat(path).is_ok_and(|now| now == *stat);
                let (first, second) = all.split_at(all.len() / 2);
                // A start waits for this: both cores take half.
                std::thread::scope(|scope| {
                    let second = scope.spawn(|| second.iter().all(is_same));
                    let first = first.iter().all(is_same);
                    first && second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                })
            }
            _ => false,
        }
    }

    /// `None` where there is nothing.
    fn stat(&self, path: &str) -> io::Result<Option<Stat>> {
        match self.root().join(path).symlink_metadata() {
            Ok(metadata) => Ok(Some(Stat::of(&metadata))),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(cause),
        }
    }

    /// Adds all files below a folder, and gives all folders, itself first.
    fn walk_folder(&self, folder: &str, files: &mut Vec<String>) -> Result<Vec<String>, Error> {
        write::check_parents(self.root(), &format!("{folder}/x"))?;
        let mut folders = vec![folder.to_owned()];
        let mut listed = 0;
        while let Some(folder) = folders.get(listed).cloned() {
            self.list_folder(&folder, files, &mut folders)?;
            listed += 1;
        }
        Ok(folders)
    }

    /// Adds the files and the folders directly in a folder; what is linked in is neither.
    fn list_folder(
        &self,
        folder: &str,
        files: &mut Vec<String>,
        folders: &mut Vec<String>,
    ) -> Result<(), Error> {
        let place = self.root().join(folder);
        let fail = |cause| Error::from_read(&place, cause);
        let entries = match std::fs::read_dir(&place) {
            Ok(entries) => entries,
            Err(cause) if matches!(cause.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(());
            }
            Err(cause) => return Err(fail(cause)),
        };
        for entry in entries {
            let entry = entry.map_err(fail)?;
            let kind = entry.file_type().map_err(fail)?;
            let Some(name) = entry.file_name().to_str().map(|name| format!("{folder}/{name}")) else {
                continue;
            };
            if kind.is_file() {
                files.push(name);
            } else if kind.is_dir() {
                folders.push(name);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn git(folder: &std::path::Path, arguments: &[&str]) {
        let settings = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"];
        let run = Command::new("git").arg("-C").arg(folder).args(settings).args(arguments).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    }

    #[test]
    fn keys_are_listed_on_disk_and_in_objects() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for path in
            ["providers/a/acme/rocket.json", "keys/a/acme/b.asc", "keys/a/acme/a", "keys/a/acme/rocket/k.asc"]
        {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "{}").unwrap();
        }
        std::fs::create_dir_all(root.join("modules")).unwrap();
        git(&root, &["init", "-q", "-b", "main"]);
        git(&root, &["add", "."]);
        git(&root, &["commit", "-q", "-m", "x"]);
        for reference in [None, Some("main")] {
            let checkout = Checkout::open(&root, reference).unwrap();
            assert!(checkout.files_under("../x").is_err());
            let all = ["keys/a/acme/a", "keys/a/acme/b.asc", "keys/a/acme/rocket/k.asc"];
            assert_eq!(checkout.files_under("keys").unwrap(), all);
            assert!(checkout.files_under("keys/z").unwrap().is_empty());
        }
    }

    /// Whatever happens below the folder shows, and so does the folder that comes or goes.
    #[test]
    fn a_stamp_is_that_of_one_state_of_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let place = |path: &str| root.join(path);
        for path in ["providers", "modules"] {
            std::fs::create_dir_all(place(path)).unwrap();
        }
        let checkout = Checkout::open(&root, None).unwrap();
        // All that is there was there long ago.
        let age = || {
            let mut paths = Vec::new();
            let folders = checkout.walk_folder("keys", &mut paths).unwrap();
            for path in folders.into_iter().chain(paths) {
                let file = std::fs::File::open(place(&path)).unwrap();
                file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_hours(9)).unwrap();
            }
        };
        let stamp = || checkout.stamp_folder("keys").unwrap();
        let none = stamp();
        assert!(checkout.is_as_stamped(&none));
        std::fs::create_dir_all(place("keys/a/acme")).unwrap();
        std::fs::write(place("keys/a/acme/k.asc"), "1").unwrap();
        assert!(!checkout.is_as_stamped(&none));
        assert_eq!(checkout.stamp_folder("keys"), None, "too new");
        let changes: [&dyn Fn(); 7] = [
            &|| std::fs::write(place("keys/a/acme/k.asc"), "2").unwrap(),
            &|| std::fs::write(place("keys/a/acme/l.asc"), "").unwrap(),
            &|| std::fs::remove_file(place("keys/a/acme/l.asc")).unwrap(),
            &|| std::fs::create_dir(place("keys/a/acme/rocket")).unwrap(),
            &|| std::fs::create_dir(place("keys/b")).unwrap(),
            &|| std::fs::rename(place("keys/a/acme"), place("keys/a/other")).unwrap(),
            &|| std::fs::remove_dir_all(place("keys")).unwrap(),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            age();
            let before = stamp();
            assert!(checkout.is_as_stamped(&before) && before == stamp(), "{number}");
            change();
            assert!(!checkout.is_as_stamped(&before), "{number}");
        }
        assert_eq!(stamp(), none);
        assert!(!checkout.is_as_stamped(&FolderStamp(Stamped::Commit("x".into()))));
    }
}
