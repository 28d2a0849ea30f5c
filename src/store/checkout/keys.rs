//! The folders beside the data: which files lie below one, such as the keys of all namespaces.

use std::ffi::OsStr;
use std::io;

use crate::store::Error;
use crate::store::checkout::{Checkout, Source, write};

/// A folder of keys holds a handful of names.
const LISTING_CAP_BYTES: u64 = 4 << 20;

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
            let mut folders = vec![folder.to_owned()];
            while let Some(folder) = folders.pop() {
                self.list_folder(&folder, &mut paths, &mut folders)?;
            }
        }
        paths.sort_unstable();
        Ok(paths)
    }

    /// Adds the files and the folders directly in a folder; what is linked in is neither.
    fn list_folder(
        &self,
        folder: &str,
        files: &mut Vec<String>,
        folders: &mut Vec<String>,
    ) -> Result<(), Error> {
        write::check_parents(self.root(), &format!("{folder}/x"))?;
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
}
