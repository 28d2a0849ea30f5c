//! Replaces a file whole or not at all: a temporary file beside it takes its name.
//!
//! A killed process may leave a temporary file behind. Temporary files have recognisable names, and their writers
//! lock them. The next replacement in the folder removes those that are not locked. The caller decides where to
//! write. Called by the checkout, by the index, and by everything that writes new files.

use std::fs::{DirBuilder, File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::store::Error;

const PREFIX: &str = ".bumpdesk-";
const SUFFIX: &str = ".tmp";
/// On a file system without locks, a temporary file younger than this may belong to a process that is writing now.
const LEFTOVER_AGE: Duration = Duration::from_hours(1);

/// A new file that is not in place yet. Dropping it removes it.
pub(in crate::store) struct Replacement {
    temporary: tempfile::NamedTempFile,
    target: PathBuf,
}

impl Replacement {
    /// An empty file with the mode of `old`, or that of any new file.
    pub(in crate::store) fn begin(target: &Path, old: Option<&Metadata>) -> io::Result<Self> {
        let folder = target.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Subject to the umask; a temporary file is private otherwise.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let temporary = held(&builder, folder)?;
        if let Some(old) = old {
            temporary.as_file().set_permissions(old.permissions())?;
        }
        Ok(Self { temporary, target: target.to_path_buf() })
    }

    /// Creates an empty file in one of our folders. Only its user may read it.
    pub(in crate::store) fn begin_private(target: &Path) -> io::Result<Self> {
        let folder = target.parent().unwrap_or(Path::new("."));
        make_private_folder(folder)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        Ok(Self { temporary: held(&builder, folder)?, target: target.to_path_buf() })
    }

    pub(in crate::store) fn file(&mut self) -> &mut File {
        self.temporary.as_file_mut()
    }

    /// Puts the file in place. After a power cut it may be in pieces.
    pub(in crate::store) fn finish(self) -> io::Result<()> {
        self.remove_old_leftovers();
        self.temporary.persist(&self.target).map_err(|error| error.error)?;
        Ok(())
    }

    /// Puts the file in place once its bytes are on the disk.
    pub(in crate::store) fn finish_durably(self) -> io::Result<()> {
        self.temporary.as_file().sync_all()?;
        let folder = self.target.parent().map(Path::to_path_buf);
        self.finish()?;
        // Makes the new name last. Where a folder cannot be synced the file is whole all the same: old or new.
        if let Some(folder) = folder.filter(|_| cfg!(unix))
            && let Ok(folder) = File::open(folder)
        {
            let _best_effort = folder.sync_all();
        }
        Ok(())
    }

    /// Puts a new file in place once its bytes are on the disk. A file that is there already stays as it is.
    fn finish_new(self) -> io::Result<()> {
        self.temporary.as_file().sync_all()?;
        self.remove_old_leftovers();
        self.temporary.persist_noclobber(&self.target).map_err(|error| error.error)?;
        Ok(())
    }

    fn remove_old_leftovers(&self) {
        if let Some(folder) = self.target.parent() {
            sweep(folder);
        }
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

/// Creates and locks a temporary file. If a sweep removes the file before it is locked, another one is made.
fn held(builder: &tempfile::Builder<'_, '_>, folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    loop {
        let temporary = builder.tempfile_in(folder)?;
        // On a file system without locks, sweeps use the age of the file.
        let is_swept = matches!(temporary.as_file().try_lock(), Err(TryLockError::WouldBlock));
        if !is_swept && temporary.path().exists() {
            return Ok(temporary);
        }
    }
}

/// Removes the temporary files that killed processes left in a folder.
pub(crate) fn sweep(folder: &Path) {
    for path in leftovers(folder) {
        let Ok(metadata) = path.symlink_metadata() else { continue };
        if metadata.is_file() && is_left(&path, &metadata) {
            let _stays_otherwise = std::fs::remove_file(path);
        }
    }
}

fn is_left(path: &Path, metadata: &Metadata) -> bool {
    match File::open(path).map(|file| file.try_lock()) {
        Ok(Ok(())) => true,
        Ok(Err(TryLockError::WouldBlock)) => false,
        _ => {
            let age = metadata.modified().ok().and_then(|modified| modified.elapsed().ok());
            age.is_some_and(|age| age > LEFTOVER_AGE)
        }
    }
}

/// Creates one of our folders and its parents if they do not exist. On Unix only its user may read it.
pub(in crate::store) fn make_private_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Makes new files readable for their user only.
pub(in crate::store) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Writes a new file, whole or not at all, into a folder that is there.
///
/// # Errors
/// `Refused`: there is one of that name, or no such folder. Others: it cannot be written.
pub(crate) fn write_new(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    write(path, bytes, Replacement::finish_new)
}

/// Writes a file in place of the one that is there, whole or not at all.
///
/// # Errors
/// `Refused`: there is no such folder. Others: it cannot be written.
pub(crate) fn write_over(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    write(path, bytes, Replacement::finish_durably)
}

fn write(path: &Path, bytes: &[u8], finish: fn(Replacement) -> io::Result<()>) -> Result<(), Error> {
    let refused = |reason| Err(Error::Refused { path: path.display().to_string(), reason });
    // Of a bare name the folder is empty, and where that is nobody says.
    let target = Path::new(".").join(path);
    if !target.parent().is_some_and(Path::is_dir) {
        return refused("its folder is not there");
    }
    let written = Replacement::begin(&target, None).and_then(|mut file| {
        file.file().write_all(bytes)?;
        finish(file)
    });
    match written {
        Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => refused("there is a file of that name"),
        written => written.map_err(|cause| Error::from_write(path, cause)),
    }
}

/// The files of a folder whose names end so, in their order; none where it cannot be read.
pub(crate) fn files_ending(folder: &Path, end: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let is_it = |path: &PathBuf| path.to_string_lossy().ends_with(end);
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_it).collect();
    paths.sort();
    paths
}

/// Makes a folder that somebody named, and those above it, where they are not there yet.
///
/// # Errors
/// It cannot be made.
pub(crate) fn make_folder(path: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(path).map_err(|cause| Error::from_write(path, cause))
}

/// The temporary files in one folder.
pub(in crate::store) fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let is_leftover = |entry: &std::fs::DirEntry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with(PREFIX) && name.ends_with(SUFFIX)
    };
    entries.flatten().filter(is_leftover).map(|entry| entry.path()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_is_whole_and_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.patch");
        write_new(&file, b"one").unwrap();
        let said = write_new(&file, b"two").unwrap_err().to_string();
        assert!(said.contains("there is a file of that name"), "{said}");
        assert_eq!(std::fs::read(&file).unwrap(), b"one");
        assert!(leftovers(folder.path()).is_empty());
        let said = write_new(&folder.path().join("no/x.patch"), b"").unwrap_err().to_string();
        assert!(said.contains("its folder is not there"), "{said}");
    }

    #[test]
    fn leftovers_go_with_the_next_replacement_and_what_is_held_stays() {
        let folder = tempfile::tempdir().unwrap();
        // One file was left long ago, the other by a kill just now.
        for (name, age) in [(".bumpdesk-old.tmp", 2 * LEFTOVER_AGE), (".bumpdesk-left.tmp", Duration::ZERO)] {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(std::time::SystemTime::now() - age).unwrap();
        }
        // Another process is still writing this file, even if it takes long.
        let held = File::create(folder.path().join(".bumpdesk-new.tmp")).unwrap();
        held.set_modified(std::time::SystemTime::now() - 2 * LEFTOVER_AGE).unwrap();
        held.lock().unwrap();
        // Neither of these is ours to remove.
        std::fs::create_dir(folder.path().join(".bumpdesk-folder.tmp")).unwrap();
        std::fs::write(folder.path().join(".bumpdesk-notes"), "").unwrap();
        let target = folder.path().join("x.json");
        let mut replacement = Replacement::begin(&target, None).unwrap();
        replacement.file().write_all(b"new").unwrap();
        assert!(!target.exists());
        replacement.finish().unwrap();
        assert_eq!(std::fs::read(&target).unwrap(), b"new");
        let mut left = leftovers(folder.path());
        left.sort();
        assert_eq!(left, [".bumpdesk-folder.tmp", ".bumpdesk-new.tmp"].map(|name| folder.path().join(name)));
        drop(Replacement::begin(&target, None).unwrap());
        assert_eq!(leftovers(folder.path()).len(), 2);
        assert!(folder.path().join(".bumpdesk-notes").exists());
        // A program that another test starts inherits the open file until it runs.
        held.unlock().unwrap();
        // Writing a new file also sweeps the folder, and `sweep` can be called on its own.
        write_new(&folder.path().join("y.patch"), b"y").unwrap();
        assert_eq!(leftovers(folder.path()).len(), 1);
        std::fs::write(folder.path().join(".bumpdesk-again.tmp"), "half").unwrap();
        sweep(folder.path());
        assert_eq!(leftovers(folder.path()).len(), 1);
    }

    /// Two processes that write into one folder do not remove each other's files.
    #[test]
    fn files_that_are_being_written_stay() {
        let folder = tempfile::tempdir().unwrap();
        let mut one = Replacement::begin(&folder.path().join("one"), None).unwrap();
        one.file().write_all(b"1").unwrap();
        let mut two = Replacement::begin_private(&folder.path().join("two")).unwrap();
        two.file().write_all(b"2").unwrap();
        write_over(&folder.path().join("three"), b"3").unwrap();
        two.finish().unwrap();
        one.finish_durably().unwrap();
        for (name, text) in [("one", "1"), ("two", "2"), ("three", "3")] {
            assert_eq!(std::fs::read_to_string(folder.path().join(name)).unwrap(), text);
        }
        assert!(leftovers(folder.path()).is_empty());
    }
}
