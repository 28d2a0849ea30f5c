//! Slow tests that run only when the code that they test has changed. The library, `tests/it` and the benchmark `fuzz_zip` include
//! this file.
//!
//! `tests/stamps.txt` has a line for each of these tests: its name, the commit at which it passed, the SHA-256 of the files that it
//! tests, and the paths of these files. A test whose files are still the same is skipped, and says so. A test without a line runs.
//!
//! With `BUMPDESK_TEST_STAMPED=FILE` every one of them runs, and each that passes adds its new line to FILE. `.ci/run all` does
//! that, and writes `tests/stamps.txt` from it.

#![expect(
    clippy::disallowed_methods,
    reason = "tests stand outside the house: they read the environment and the files of the repository"
)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Every digest covers these too: they decide which libraries a test runs with.
const ALWAYS: [&str; 3] = ["Cargo.lock", "Cargo.toml", "src/demo/Cargo.toml"];

/// Ends the test, and says so, if it passed before and nothing below these lists of paths has changed since. The paths are relative
/// to the root of the repository. The file of the test itself always counts.
#[allow(unused_macros, reason = "a benchmark calls `due` itself")]
macro_rules! stamped {
    ($($paths:expr),+) => {
        fn here() {}
        let here = std::any::type_name_of_val(&here);
        let Some(_stamp) = $crate::stamped::due(here, file!(), &[$($paths),+]) else { return };
    };
}

/// A test that runs. It is stamped when it ends without a panic.
pub(crate) struct Running {
    line: String,
    list: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.list.is_empty() && !std::thread::panicking() {
            add(&self.list, &self.line);
        }
    }
}

/// Returns `None` if the test can be skipped, and reports the skip. `here` is the path of something inside of the test, and `own`
/// its file.
pub(crate) fn due(here: &str, own: &str, paths: &[&[&str]]) -> Option<Running> {
    let paths = paths.concat();
    let variable = |name| std::env::var(name).unwrap_or_default();
    let root = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    let (name, digest, list) =
        (name(here), digest(&root, &[paths.as_slice(), &[own]].concat()), variable("BUMPDESK_TEST_STAMPED"));
    let stamps = fs::read_to_string(root.join("tests/stamps.txt")).unwrap_or_default();
    if list.is_empty()
        && let Some(commit) = commit_of(&stamps, &name, &digest)
    {
        let line = format!(
            "skipped: {name}: it passed at commit {commit}, and what it tests has not changed since\n"
        );
        std::io::stderr().write_all(line.as_bytes()).expect("a stream for errors");
        let skipped = variable("BUMPDESK_TEST_SKIPPED");
        if !skipped.is_empty() {
            add(&skipped, &line);
        }
        return None;
    }
    let line = format!("{name} {} {digest} {own} {}\n", variable("BUMPDESK_TEST_COMMIT"), paths.join(" "));
    Some(Running { line, list })
}

/// Adds a line to a file.
fn add(path: &str, line: &str) {
    let file = fs::OpenOptions::new().create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(line.as_bytes()))
        .unwrap_or_else(|error| panic!("{path}: {error}"));
}

/// The name of the test: its path, with the crate.
fn name(here: &str) -> String {
    let parts: Vec<&str> = here.split("::").filter(|part| !["here", "{{closure}}"].contains(part)).collect();
    parts.join("::")
}

/// The commit at which the test passed, if its files had this digest then.
fn commit_of<'a>(stamps: &'a str, name: &str, digest: &str) -> Option<&'a str> {
    stamps.lines().find_map(|line| {
        let mut words = line.split(' ');
        let (named, commit, had) = (words.next()?, words.next()?, words.next()?);
        (named == name && had == digest).then_some(commit)
    })
}

/// The SHA-256 of all files at and below the paths, with their names, in hexadecimal digits.
fn digest(root: &Path, paths: &[&str]) -> String {
    let mut files = Vec::new();
    for path in ALWAYS.iter().chain(paths) {
        collect(&root.join(path), &mut files);
    }
    files.sort();
    files.dedup();
    let mut hasher = Sha256::new();
    for file in files {
        let bytes = fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let name = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        hasher.update(format!("{name} {}\n", bytes.len()));
        hasher.update(bytes);
    }
    hex::encode(hasher.finalize())
}

/// Other tests that stand below a path do not count, unless they are named themselves.
fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for entry in entries {
            let entry = entry.expect("an entry can be read");
            if !["tests", "tests.rs"].iter().any(|name| entry.file_name() == *name) {
                collect(&entry.path(), files);
            }
        }
    } else {
        assert!(path.exists(), "{} is named by a stamped test, and is not there", path.display());
        files.push(path.to_path_buf());
    }
}

#[test]
fn a_stamp_holds_until_a_file_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    for folder in ["src/a", "src/demo"] {
        fs::create_dir_all(root.join(folder)).expect("a folder");
    }
    for name in ALWAYS.into_iter().chain(["src/a/b.rs", "src/c.rs", "src/d.rs"]) {
        fs::write(root.join(name), name).expect("a file");
    }
    let now = || digest(root, &["src/a", "src/c.rs"]);
    let first = now();
    let stamps = format!("a::b 123abc {first} src/a src/c.rs\nc::d 456def 00 src/d.rs\n");
    assert_eq!(commit_of(&stamps, "a::b", &now()), Some("123abc"));
    assert_eq!(commit_of(&stamps, "a", &now()), None);
    assert_eq!(commit_of(&stamps, "c::d", &now()), None);
    fs::write(root.join("src/d.rs"), "other").expect("a file");
    assert_eq!(now(), first, "a file that is not named does not count");
    fs::write(root.join("src/a/tests.rs"), "other").expect("a file");
    assert_eq!(now(), first, "tests beside the code do not count");
    for change in ["src/a/b.rs", "src/c.rs", "src/a/new.rs", "Cargo.lock"] {
        let before = now();
        fs::write(root.join(change), "another text").expect("a file");
        assert_ne!(now(), before, "{change}");
        assert_eq!(commit_of(&stamps, "a::b", &now()), None, "{change}");
    }
    assert_ne!(digest(root, &["src/a"]), digest(root, &["src/c.rs"]));
}

#[test]
fn a_test_is_named_by_its_path() {
    assert_eq!(name("it::scenarios::send::killed::{{closure}}::here"), "it::scenarios::send::killed");
    assert_eq!(name("bumpdesk::tui::tests::random::walks::here"), "bumpdesk::tui::tests::random::walks");
}
