//! What a folder is: a work tree, a git repository without one, a plain folder with data, or no registry.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use crate::store::Error;
use crate::store::checkout::{Checkout, Reader, Source};
use crate::store::files::{DATA_FOLDERS, read_named};
use crate::store::git::Git;

pub(super) fn open(path: &Path, reference: Option<&str>) -> Result<Checkout, Error> {
    let none = |why: &str| Error::NotARegistry { path: path.to_path_buf(), why: why.into() };
    let root = path.canonicalize().map_err(|cause| match cause.kind() {
        io::ErrorKind::NotFound => none("there is no such folder"),
        _ => Error::from_read(path, cause),
    })?;
    let work_tree = work_tree_git_dir(&root)?;
    let data = DATA_FOLDERS.iter().any(|folder| root.join(folder).is_dir());
    let bare = work_tree.is_none() && looks_bare(&root);
    let git = work_tree.or_else(|| bare.then(|| root.clone())).map(|git_dir| Git::new(&git_dir));
    match (git, reference) {
        (Some(git), Some(reference)) => objects(root, git, reference),
        (Some(git), None) if bare => objects(root, git, "HEAD"),
        (None, Some(_)) => Err(none("a reference was asked for, but there is no git repository (no `.git`)")),
        (git, None) if data => {
            let source = if git.is_some() { Source::WorkTree } else { Source::Folder };
            Ok(Checkout { root, source, git, reader: Reader::default() })
        }
        (Some(_), None) => Err(none(
            "it has neither `providers/` nor `modules/` on disk; with `--ref HEAD` its last commit is read instead",
        )),
        (None, None) => Err(none(
            "it has neither `providers/` nor `modules/`, and it is not a bare clone; name the folder of a clone of opentofu/registry",
        )),
    }
}

fn objects(root: PathBuf, git: Git, reference: &str) -> Result<Checkout, Error> {
    let commit = git
        .commit_id(reference)?
        .ok_or_else(|| Error::NoSuchRef { path: root.clone(), name: reference.into() })?;
    let arguments = ["ls-tree", "-d", "--full-tree", "--name-only", &commit, "--", "providers", "modules"];
    let folders = git.run("list the tree", &arguments.map(OsStr::new), 4 << 10)?;
    if folders.is_empty() {
        let why = format!("its commit `{reference}` has neither `providers/` nor `modules/`");
        return Err(Error::NotARegistry { path: root, why });
    }
    let source = Source::Objects { reference: reference.into(), commit };
    Ok(Checkout { root, source, git: Some(git), reader: Reader::default() })
}

/// The file contains one path.
const MOST_GIT_FILE_BYTES: u64 = 64 << 10;

/// The folder that `.git` is or, in a linked work tree, points to.
fn work_tree_git_dir(root: &Path) -> Result<Option<PathBuf>, Error> {
    let dot_git = root.join(".git");
    let Ok(metadata) = dot_git.metadata() else { return Ok(None) };
    if metadata.is_dir() {
        return Ok(Some(dot_git));
    }
    let read = read_named(&dot_git, MOST_GIT_FILE_BYTES);
    let text = read.map_err(|cause| Error::from_read(&dot_git, cause))?;
    let text = String::from_utf8_lossy(&text);
    match text.strip_prefix("gitdir:") {
        Some(target) => Ok(Some(root.join(target.trim()))),
        None => Err(Error::from_read(&dot_git, io::Error::other("it does not name a git folder"))),
    }
}

fn looks_bare(folder: &Path) -> bool {
    folder.join("HEAD").is_file() && folder.join("objects").is_dir()
}
