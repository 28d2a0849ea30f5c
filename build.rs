//! Names what the program is built from, so that verdicts which another one kept are judged anew.

#![expect(clippy::disallowed_methods, reason = "a build script stands before the house: it reads files")]

use std::hash::{DefaultHasher, Hasher};
use std::path::Path;
use std::{fs, io};

fn main() -> io::Result<()> {
    let mut hasher = DefaultHasher::new();
    for part in ["Cargo.lock", "src"] {
        println!("cargo::rerun-if-changed={part}");
        add(Path::new(part), &mut hasher)?;
    }
    println!("cargo::rustc-env=BUMPDESK_BUILD={:016x}", hasher.finish());
    Ok(())
}

/// A file, or all files of a folder, with their names.
fn add(path: &Path, hasher: &mut DefaultHasher) -> io::Result<()> {
    hasher.write(path.to_string_lossy().as_bytes());
    if path.is_file() {
        hasher.write(&fs::read(path)?);
        return Ok(());
    }
    let entries = fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    paths.iter().try_for_each(|path| add(path, hasher))
}
