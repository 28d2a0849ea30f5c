//! A registry as it lies somewhere: a git work tree, the objects of a git repository at one commit, or a plain folder.
//!
//! Lists and reads; writes only for an explicit apply, atomically, and never to git itself. Never parses a data file.
//! Called by `jobs`; the start-up index reads through it.

mod activity;
mod history;
mod keys;
mod objects;
mod recognise;
mod walk;
mod write;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::registry::BLACKLIST;
use crate::store::git::Git;
use crate::store::{Error, files};

pub(crate) use keys::FolderStamp;
use objects::Reader;
pub(in crate::store) use objects::{Blob, RawId, TreeEntry, entries, hex_id, raw_id, read_blobs};
pub(in crate::store) use walk::{Dir, walk};

/// Where the registry's files are read from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// The files of a git work tree, as they are on disk.
    WorkTree,
    /// The objects of one commit.
    Objects {
        /// What was asked for, such as `HEAD` or `origin/main`.
        reference: String,
        /// The full id that it led to when the checkout was opened.
        commit: String,
    },
    /// A folder without git.
    Folder,
}

/// The data files of a registry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Listing {
    /// Below the root, sorted by bytes.
    pub(crate) paths: Vec<String>,
    pub(crate) unreadable: Vec<Unreadable>,
}

/// A folder or file that could not be read, while the rest could.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unreadable {
    /// Below the root.
    pub(crate) path: String,
    /// `cannot be read: …`.
    pub(crate) why: String,
}

/// Takes the files of [`Checkout::read_many`]: path, and bytes or why there are none.
pub(crate) type OnFile<'a> = &'a mut dyn FnMut(&str, Result<&[u8], Error>);

/// An opened registry.
#[derive(Clone, Debug)]
pub(crate) struct Checkout {
    root: PathBuf,
    source: Source,
    git: Option<Git>,
    reader: Reader,
}

impl Checkout {
    /// Opens the registry in exactly this folder: the work tree or plain folder, or the objects of `reference` (of `HEAD`
    /// for a bare clone when none is given).
    ///
    /// # Errors
    /// `NotARegistry`, `NoSuchRef`, or git failed.
    pub(crate) fn open(path: &Path, reference: Option<&str>) -> Result<Self, Error> {
        recognise::open(path, reference)
    }

    /// The root that a registry in this folder has, without opening it; `None` if there is no such folder.
    pub(crate) fn root_of(path: &Path) -> Option<PathBuf> {
        path.canonicalize().ok()
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// Whether there is a file to write to: not so for git objects.
    pub(crate) fn is_writable(&self) -> bool {
        !matches!(self.source, Source::Objects { .. })
    }

    /// Whether it is still where it was opened. What is read out of git's objects has no files that could go.
    pub(crate) fn is_there(&self) -> bool {
        matches!(self.source, Source::Objects { .. })
            || files::DATA_FOLDERS.iter().any(|folder| self.root.join(folder).is_dir())
    }

    pub(in crate::store) fn git(&self) -> Option<&Git> {
        self.git.as_ref()
    }

    /// The paths of all data files, sorted by bytes, with those that the registry's own tools skip. For a work tree: what
    /// is on disk, tracked or not.
    pub(crate) fn list(&self) -> Result<Listing, Error> {
        if let (Source::Objects { commit, .. }, Some(git)) = (&self.source, &self.git) {
            let mut paths: Vec<String> =
                objects::entries(git, commit)?.into_iter().map(|entry| entry.path.into()).collect();
            paths.sort_unstable();
            return Ok(Listing { paths, unreadable: Vec::new() });
        }
        let walked = walk(&self.root, &[], files::file_clock());
        Ok(Listing { paths: walked.found, unreadable: walked.unreadable })
    }

    /// The bytes of one file, by its path below the root.
    ///
    /// # Errors
    /// `Missing`, `Refused` for a path that leads out of the registry, `Unreadable`, or git failed.
    pub(crate) fn read(&self, path: &str) -> Result<Vec<u8>, Error> {
        write::check_path(path)?;
        if let (Source::Objects { commit, .. }, Some(git)) = (&self.source, &self.git) {
            return self.reader.read(git, commit, path)?.ok_or_else(|| self.missing(path));
        }
        let mut bytes = Vec::new();
        self.read_from_disk(path, &mut bytes)?;
        Ok(bytes)
    }

    /// Reads many files in the order given, one buffer for all, and hands each to `on_file`. For git objects it is one
    /// run of git.
    pub(crate) fn read_many(&self, paths: &[&str], on_file: OnFile<'_>) -> Result<(), Error> {
        if let (Source::Objects { commit, .. }, Some(git)) = (&self.source, &self.git) {
            let names: Vec<String> = paths.iter().map(|path| format!("{commit}:{path}")).collect();
            return objects::read_blobs(git, names.iter().map(String::as_str), &mut |at, blob| {
                let path = paths[at];
                match blob {
                    Blob::Bytes(bytes) => on_file(path, Ok(bytes)),
                    Blob::Missing => on_file(path, Err(self.missing(path))),
                    Blob::TooLarge => on_file(path, Err(self.too_large(path))),
                }
            });
        }
        let mut buffer = Vec::new();
        for path in paths {
            let read = self.read_from_disk(path, &mut buffer);
            on_file(path, read.map(|()| &buffer[..]));
        }
        Ok(())
    }

    fn read_from_disk(&self, path: &str, buffer: &mut Vec<u8>) -> Result<(), Error> {
        write::check_path(path)?;
        write::check_parents(&self.root, path)?;
        files::read_regular(&self.root.join(path), buffer).map_err(|cause| self.unread(path, cause))?;
        Ok(())
    }

    /// The names that git has for the data files of a commit, as [`crate::registry::Row::blob`] has them, by their paths.
    pub(crate) fn committed(&self, commit: &str) -> Result<BTreeMap<Box<str>, Box<str>>, Error> {
        let Some(git) = &self.git else { return Ok(BTreeMap::new()) };
        let entries = objects::entries(git, commit)?.into_iter().filter(|entry| entry.regular);
        Ok(entries.map(|entry| (entry.path, hex_id(&entry.id))).collect())
    }

    /// An object of git's, `tree` or `blob`, as its repository keeps it, whatever is read here; `None`: it has none that can be read.
    pub(crate) fn git_bytes(&self, kind: &str, id: &str) -> Option<Vec<u8>> {
        objects::object(self.git.as_ref()?, kind, id)
    }

    /// The bytes of `versions_blacklist.json`; `None` where the registry has none yet.
    pub(crate) fn blacklist(&self) -> Result<Option<Vec<u8>>, Error> {
        match self.read(BLACKLIST) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(Error::Missing { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Replaces or makes one file, whole or not at all, with the old file's mode. The folders above are made if need be.
    ///
    /// # Errors
    /// Nothing was changed, and why: `Refused` (git objects, a path or link that leads out of the registry), `DiskFull`,
    /// `Write`.
    pub(crate) fn write(&self, path: &str, bytes: &[u8]) -> Result<(), Error> {
        if !self.is_writable() {
            let reason = "it was read from a commit; open the work tree without `--ref` to write";
            return Err(Error::Refused { path: path.into(), reason });
        }
        write::replace(&self.root, path, bytes)
    }

    /// Removes temporary files that a killed [`Self::write`] left, and gives their number. Walks all folders, so it is for
    /// a start that finds an unfinished job.
    pub(crate) fn clean_leftovers(&self) -> Result<usize, Error> {
        if self.is_writable() { write::clean_leftovers(&self.root) } else { Ok(0) }
    }

    fn unread(&self, path: &str, cause: io::Error) -> Error {
        // Not there: also when a folder of the path is none.
        match cause.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => self.missing(path),
            _ => Error::from_read(&self.root.join(path), cause),
        }
    }

    fn missing(&self, path: &str) -> Error {
        Error::Missing { registry: self.root.clone(), path: path.into() }
    }

    fn too_large(&self, path: &str) -> Error {
        Error::from_read(&self.root.join(path), files::too_large())
    }
}

#[cfg(test)]
pub(in crate::store) mod tests;
