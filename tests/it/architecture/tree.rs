//! The files of the repository, read from disk.
#![expect(
    clippy::disallowed_methods,
    reason = "this test is about the files themselves, and its root is the environment's to say"
)]

use std::path::{Path, PathBuf};

use super::source::Source;

/// One text file, its path relative to the root, with `/`.
pub(crate) struct TextFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Folders that belong to tools.
const SKIPPED: [&str; 2] = [".git", "target"];
/// Larger files are data, not text that somebody wrote here.
const SIZE_LIMIT: u64 = 2 << 20;

/// The root that cargo names; the one that was compiled in, where the test is started by hand.
pub(crate) fn root() -> PathBuf {
    std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from)
}

/// Every text file, in order of path.
pub(crate) fn text_files() -> Vec<TextFile> {
    let root = root();
    let mut found = Vec::new();
    collect(&root, &root, &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// Every Rust file of the crate and of its tests.
pub(crate) fn sources() -> Vec<Source> {
    let files = text_files();
    let is_rust =
        |file: &&TextFile| Path::new(&file.path).extension().is_some_and(|extension| extension == "rs");
    files.iter().filter(is_rust).map(|file| Source::new(&file.path, &file.text)).collect()
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<TextFile>) {
    let entries = std::fs::read_dir(folder).expect("the folders of the repository can be read");
    for entry in entries {
        let path = entry.expect("an entry can be read").path();
        let relative = path.strip_prefix(root).expect("entries lie below the root").to_string_lossy();
        if SKIPPED.contains(&relative.as_ref()) || path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            collect(root, &path, found);
        } else if path.metadata().is_ok_and(|file| file.len() <= SIZE_LIMIT)
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            found.push(TextFile { path: relative.replace('\\', "/"), text });
        }
    }
}
