//! Why the store could not do it: one variant for each thing that a caller does next.

use std::io;
use std::path::{Path, PathBuf};

/// A failure of files, of git or of the database. Messages name the place and, where one exists, the remedy.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Ask for another registry.
    #[error("`{}` is not a registry: {why}", path.display())]
    NotARegistry { path: PathBuf, why: String },
    /// Ask for another reference.
    #[error("there is no commit `{name}` in `{}`; `git branch -a` and `git tag` list what there is", path.display())]
    NoSuchRef { path: PathBuf, name: String },
    /// The entry does not exist (any more): a finding, or a wrong address.
    #[error("there is no file `{path}` in the registry `{}`", registry.display())]
    Missing { registry: PathBuf, path: String },
    /// This file or folder cannot be read; the others may be.
    #[error("`{}` cannot be read: {cause}", path.display())]
    Unreadable { path: PathBuf, cause: io::Error },
    /// The store will not do this; nothing was changed.
    #[error("`{path}` was not touched: {reason}")]
    Refused { path: String, reason: &'static str },
    /// Free space, then try again; nothing was changed.
    #[error("the disk is full: `{}` was not written and is as it was; free some space and try again", path.display())]
    DiskFull { path: PathBuf },
    /// Look after rights and disk, then try again; nothing was changed.
    #[error("`{}` was not written and is as it was: {cause}", path.display())]
    Write { path: PathBuf, cause: io::Error },
    /// Install git, or go without what needs it.
    #[error("the program `git` was not found; install git and make sure that it is on PATH")]
    GitMissing,
    /// Git refused; its own words are in `text`.
    #[error("git could not {doing} in `{}`: {text}", path.display())]
    Git { path: PathBuf, doing: String, text: String },
    /// The database failed.
    #[error("the state database `{}` failed: {cause}", path.display())]
    Database { path: PathBuf, cause: rusqlite::Error },
    /// The database is damaged: it must be moved away before the next start.
    #[error("the state database `{}` is damaged: {cause}; restart to have it moved aside and a new one begun", path.display())]
    Damaged { path: PathBuf, cause: rusqlite::Error },
    /// Another version of bumpdesk wrote it; never touch it.
    #[error(
        "the state database `{}` has format {found}, this bumpdesk knows up to {known}; use the newer bumpdesk, or another state folder",
        path.display()
    )]
    NewerDatabase { path: PathBuf, found: i64, known: i64 },
    /// Wait for the other process, then try again.
    #[error("`{}` is in use by another process; try again once it is done", path.display())]
    Locked { path: PathBuf },
    /// Go on without saving.
    #[error("the state `{}` is read-only here, because {}", path.display(), because.text())]
    ReadOnly { path: PathBuf, because: ReadOnly },
    /// Wait until other downloads are done, or raise the cap.
    #[error("the spool `{}` is full: its cap is {cap_bytes} bytes", path.display())]
    SpoolFull { path: PathBuf, cap_bytes: u64 },
}

/// Why a console reads the state and does not write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadOnly {
    /// Another console holds it.
    Held,
    /// We may not write there.
    Place,
    /// Nobody may: the disk is mounted so.
    Disk,
}

impl ReadOnly {
    fn text(self) -> &'static str {
        match self {
            Self::Held => "another bumpdesk holds it; close that one to save from here",
            Self::Place => "its folder cannot be written; name another with --state-dir to save from here",
            Self::Disk => {
                "its disk is mounted read-only; name a folder elsewhere with --state-dir to save from here"
            }
        }
    }

    /// What to do about it, as a sentence.
    pub(crate) fn remedy(self) -> &'static str {
        match self {
            Self::Held => "Close the other bumpdesk, or do it there.",
            Self::Place | Self::Disk => "Name a folder that can be written with --state-dir.",
        }
    }
}

impl Error {
    /// A failed write, with a full disk told apart.
    pub(in crate::store) fn from_write(path: &Path, cause: io::Error) -> Self {
        let path = path.to_path_buf();
        match cause.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { path },
            _ => Self::Write { path, cause },
        }
    }

    pub(in crate::store) fn from_read(path: &Path, cause: io::Error) -> Self {
        Self::Unreadable { path: path.to_path_buf(), cause }
    }

    pub(in crate::store) fn from_database(path: &Path, cause: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        let path = path.to_path_buf();
        match cause.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::DiskFull { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked { path },
            Some(ErrorCode::ReadOnly) => Self::ReadOnly { path, because: ReadOnly::Place },
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged { path, cause },
            _ => Self::Database { path, cause },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_apart() {
        let full = Error::from_write(Path::new("/r/a.json"), io::Error::from(io::ErrorKind::StorageFull));
        assert_eq!(
            full.to_string(),
            "the disk is full: `/r/a.json` was not written and is as it was; free some space and try again"
        );
        let other = Error::from_write(Path::new("/r/a.json"), io::Error::other("no"));
        assert_eq!(other.to_string(), "`/r/a.json` was not written and is as it was: no");
    }
}
