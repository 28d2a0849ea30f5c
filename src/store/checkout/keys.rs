//! The folders beside the data: which files lie directly in one, such as the keys of a namespace.

use std::ffi::OsStr;
use std::io;

use crate::store::Error;
use crate::store::checkout::Checkout;
use crate::store::checkout::Source;
use crate::store::checkout::write;
use crate::store::git::Answer;

/// A folder of keys holds a handful of names.
const LISTING_CAP_BYTES: u64 = 4 << 20;

impl Checkout {
    /// The paths of the regular files directly in a folder, sorted; none if there is no such folder.
    ///
    /// # Errors
    /// `Refused` for a path that leads out of the registry, `Unreadable`, or git failed.
    pub fn files_in(&self, folder: &str) -> Result<Vec<String>, Error> {
        write::check_path(folder)?;
        let mut paths = match (self.source(), self.git()) {
            (Source::Objects { commit, .. }, Some(git)) => {
                let place = format!("{commit}:{folder}");
                // A folder that is not there is no fault, and git tells the two apart by this alone.
                let exists = ["cat-file", "-e", &place].map(OsStr::new);
                if !matches!(git.ask("look for a folder", &exists, 4 << 10)?, Answer::Output(_)) {
                    return Ok(Vec::new());
                }
                let listing =
                    git.run("list a folder", &["ls-tree", "-z", &place].map(OsStr::new), LISTING_CAP_BYTES)?;
                let text = String::from_utf8_lossy(&listing).into_owned();
                let files = text.split('\0').filter_map(|line| {
                    let (kind, name) = line.split_once('\t')?;
                    kind.starts_with("100").then(|| format!("{folder}/{name}"))
                });
                files.collect()
            }
            _ => self.files_on_disk(folder)?,
        };
        paths.sort_unstable();
        Ok(paths)
    }

    /// The paths of all regular files below a folder, sorted; none if there is no such folder.
    ///
    /// # Errors
    /// As for [`Self::files_in`].
    pub fn files_under(&self, folder: &str) -> Result<Vec<String>, Error> {
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
            let mut folders = vec![folder.to_owned()];
            while let Some(folder) = folders.pop() {
                paths.extend(self.files_on_disk(&folder)?);
                folders.extend(self.folders_on_disk(&folder)?);
            }
        }
        paths.sort_unstable();
        Ok(paths)
    }

    /// The folders directly in one; what is linked in is not entered.
    fn folders_on_disk(&self, folder: &str) -> Result<Vec<String>, Error> {
        let place = self.root().join(folder);
        let fail = |cause| Error::from_read(&place, cause);
        let Ok(entries) = std::fs::read_dir(&place) else { return Ok(Vec::new()) };
        let mut folders = Vec::new();
        for entry in entries {
            let entry = entry.map_err(fail)?;
            if entry.file_type().map_err(fail)?.is_dir()
                && let Some(name) = entry.file_name().to_str()
            {
                folders.push(format!("{folder}/{name}"));
            }
        }
        Ok(folders)
    }

    fn files_on_disk(&self, folder: &str) -> Result<Vec<String>, Error> {
        write::check_parents(self.root(), &format!("{folder}/x"))?;
        let place = self.root().join(folder);
        let fail = |cause| Error::from_read(&place, cause);
        let entries = match std::fs::read_dir(&place) {
            Ok(entries) => entries,
            Err(cause) if matches!(cause.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(Vec::new());
            }
            Err(cause) => return Err(fail(cause)),
        };
        let mut paths = Vec::new();
        for entry in entries {
            let entry = entry.map_err(fail)?;
            if entry.file_type().map_err(fail)?.is_file()
                && let Some(name) = entry.file_name().to_str()
            {
                paths.push(format!("{folder}/{name}"));
            }
        }
        Ok(paths)
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
            assert_eq!(checkout.files_in("keys/a/acme").unwrap(), ["keys/a/acme/a", "keys/a/acme/b.asc"]);
            assert_eq!(checkout.files_in("keys/a/acme/rocket").unwrap(), ["keys/a/acme/rocket/k.asc"]);
            assert!(checkout.files_in("keys/z/nobody").unwrap().is_empty());
            assert!(checkout.files_in("../x").is_err());
            let all = ["keys/a/acme/a", "keys/a/acme/b.asc", "keys/a/acme/rocket/k.asc"];
            assert_eq!(checkout.files_under("keys").unwrap(), all);
            assert!(checkout.files_under("keys/z").unwrap().is_empty());
        }
    }
}
