//! Replaces one file of a work tree or folder, whole or not at all.
//!
//! The bytes go to a temporary file beside the old one, reach the disk, and take its name. No link is followed on the way,
//! so nothing outside the registry can be written.

use std::fs::File;
use std::io;
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use crate::store::atomic::Replacement;
use crate::store::files::DATA_FOLDERS;
use crate::store::{Error, atomic};

/// Refuses a path that is not plainly below the root.
pub(super) fn check_path(path: &str) -> Result<(), Error> {
    let refuse = |reason| Err(Error::Refused { path: path.into(), reason });
    let odd = |byte| matches!(byte, b'\\' | 0 | b'\n');
    if path.is_empty() || path.bytes().any(odd) || path.split('/').any(|part| matches!(part, "" | "." | ".."))
    {
        return refuse("it is not a plain path below the registry's root");
    }
    if !Path::new(path).components().all(|component| matches!(component, Component::Normal(_))) {
        return refuse("it is not a plain path below the registry's root");
    }
    if path.split('/').any(|part| part.eq_ignore_ascii_case(".git")) {
        return refuse("it belongs to git");
    }
    Ok(())
}

/// Refuses a path on which a folder is a link.
pub(super) fn check_parents(root: &Path, path: &str) -> Result<(), Error> {
    let mut folder = root.to_path_buf();
    let (parents, _) = path.rsplit_once('/').unwrap_or(("", path));
    for part in parents.split('/').filter(|part| !part.is_empty()) {
        folder.push(part);
        if folder.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) {
            let reason = "a folder on the way is a symbolic link, and those are not followed";
            return Err(Error::Refused { path: path.into(), reason });
        }
    }
    Ok(())
}

pub(super) fn replace(root: &Path, path: &str, bytes: &[u8]) -> Result<(), Error> {
    replace_with(root, path, &mut |file| file.write_all(bytes))
}

fn replace_with(
    root: &Path,
    path: &str,
    write: &mut dyn FnMut(&mut File) -> io::Result<()>,
) -> Result<(), Error> {
    check_path(path)?;
    check_parents(root, path)?;
    let full = root.join(path);
    let old = match full.symlink_metadata() {
        Ok(metadata) if metadata.is_file() => Some(metadata),
        Ok(_) => {
            let reason = "something other than a regular file is there (links are not followed)";
            return Err(Error::Refused { path: path.into(), reason });
        }
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => None,
        Err(cause) => return Err(Error::from_write(&full, cause)),
    };
    let failed = |cause| Error::from_write(&full, cause);
    let mut replacement = Replacement::begin(&full, old.as_ref()).map_err(failed)?;
    write(replacement.file()).map_err(failed)?;
    replacement.finish_durably().map_err(failed)
}

/// Removes every temporary file in the data folders and at the root, and gives their number.
pub(super) fn clean_leftovers(root: &Path) -> Result<usize, Error> {
    let mut removed = 0;
    let mut waiting: Vec<PathBuf> = DATA_FOLDERS.iter().map(|folder| root.join(folder)).collect();
    let mut clean = |folder: &Path| {
        for path in atomic::leftovers(folder) {
            std::fs::remove_file(&path).map_err(|cause| Error::from_write(&path, cause))?;
            removed += 1;
        }
        Ok(())
    };
    clean(root)?;
    while let Some(folder) = waiting.pop() {
        clean(&folder)?;
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        let folders = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        waiting.extend(folders.map(|entry| entry.path()));
    }
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(root.path().join("providers/a/acme")).unwrap();
        std::fs::write(root.path().join("providers/a/acme/x.json"), "old").unwrap();
        root
    }

    fn names(root: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(root.join("providers/a/acme")).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_write_replaces_and_keeps_the_mode() {
        let root = folder();
        let path = root.path().join("providers/a/acme/x.json");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
            replace(root.path(), "providers/a/acme/x.json", b"new").unwrap();
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o640);
        }
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        replace(root.path(), "modules/a/acme/y/z.json", b"made").unwrap();
        assert_eq!(std::fs::read(root.path().join("modules/a/acme/y/z.json")).unwrap(), b"made");
        assert_eq!(names(root.path()), ["x.json"]);
    }

    #[test]
    fn a_full_disk_half_way_changes_nothing() {
        let root = folder();
        let error = replace_with(root.path(), "providers/a/acme/x.json", &mut |file| {
            file.write_all(b"ne")?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        })
        .unwrap_err();
        assert!(matches!(error, Error::DiskFull { .. }), "{error}");
        assert_eq!(std::fs::read(root.path().join("providers/a/acme/x.json")).unwrap(), b"old");
        assert_eq!(names(root.path()), ["x.json"]);
    }

    #[test]
    fn ways_out_of_the_registry_are_refused() {
        let root = folder();
        for path in
            ["", "../x.json", "/etc/x.json", "providers/../../x.json", "providers//x.json", "a\\b", ".git/x"]
        {
            assert!(matches!(replace(root.path(), path, b""), Err(Error::Refused { .. })), "{path}");
        }
        assert!(matches!(replace(root.path(), "providers/a/acme", b""), Err(Error::Refused { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_refused() {
        let root = folder();
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("t.json"), "outside").unwrap();
        let link = |to: PathBuf, at: &str| std::os::unix::fs::symlink(to, root.path().join(at)).unwrap();
        link(outside.path().to_path_buf(), "providers/o");
        link(outside.path().join("t.json"), "providers/a/acme/l.json");
        for path in ["providers/o/t.json", "providers/a/acme/l.json", "providers/o/n/new.json"] {
            assert!(matches!(replace(root.path(), path, b"x"), Err(Error::Refused { .. })), "{path}");
        }
        assert_eq!(std::fs::read(outside.path().join("t.json")).unwrap(), b"outside");
        assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 1);
    }

    #[test]
    fn leftovers_go() {
        let root = folder();
        let acme = root.path().join("providers/a/acme");
        let left = || std::fs::write(acme.join(".bumpdesk-new.tmp"), "half").unwrap();
        left();
        replace(root.path(), "providers/a/acme/x.json", b"new").unwrap();
        assert_eq!(names(root.path()), ["x.json"]);
        left();
        assert_eq!(clean_leftovers(root.path()).unwrap(), 1);
        assert_eq!(names(root.path()), ["x.json"]);
    }
}
