//! The registry data that some tests run on: a git bundle outside the project, named by the environment.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::need::Missing;

/// One change of an existing data file in the bundle's history.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) path: String,
    /// Blob ids.
    pub(crate) before: String,
    pub(crate) after: String,
}

/// A bare clone of the bundle.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    git_dir: PathBuf,
}

/// The data, cloned once.
pub(crate) fn data() -> Result<Data, Missing> {
    static CLONE: OnceLock<Result<Data, Missing>> = OnceLock::new();
    let clone = CLONE.get_or_init(|| {
        let bundle = std::env::var_os("BUMPDESK_TEST_DATA").filter(|path| !path.is_empty());
        let missing = Missing { need: "data", why: "BUMPDESK_TEST_DATA names no data bundle" };
        bundle.ok_or(missing).map(|bundle| Data::clone_bundle(Path::new(&bundle)))
    });
    clone.clone()
}

impl Data {
    fn clone_bundle(bundle: &Path) -> Self {
        let git_dir =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("registry-data-{}.git", std::process::id()));
        let _ = std::fs::remove_dir_all(&git_dir);
        let status =
            Command::new("git").args(["clone", "--quiet", "--bare"]).arg(bundle).arg(&git_dir).status();
        assert!(status.expect("git runs").success(), "the bundle {} cannot be cloned", bundle.display());
        Self { git_dir }
    }

    pub(crate) fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .arg("--git-dir")
            .arg(&self.git_dir)
            .args(arguments)
            .output()
            .expect("git runs");
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("git prints UTF-8")
    }

    pub(crate) fn first_commit(&self) -> String {
        self.git(&["rev-list", "--max-parents=0", "HEAD"]).trim().to_owned()
    }

    /// Path and blob id of every JSON file of a commit.
    pub(crate) fn files(&self, commit: &str) -> Vec<(String, String)> {
        let listing = self.git(&["ls-tree", "-r", commit, "--", "providers", "modules"]);
        let entry = |line: &str| {
            let (facts, path) = line.split_once('\t')?;
            path.strip_suffix(".json")?;
            Some((path.to_owned(), facts.rsplit(' ').next().unwrap_or("").to_owned()))
        };
        listing.lines().filter_map(entry).collect()
    }

    /// Every change of an existing JSON file, oldest first.
    pub(crate) fn changes(&self) -> Vec<Change> {
        let log = self.git(&[
            "log",
            "--reverse",
            "--format=",
            "--raw",
            "--no-abbrev",
            "--diff-filter=M",
            "--",
            "*.json",
        ]);
        let change = |line: &str| {
            let (facts, path) = line.split_once('\t')?;
            let mut facts = facts.split(' ').skip(2);
            Some(Change {
                path: path.to_owned(),
                before: facts.next()?.to_owned(),
                after: facts.next()?.to_owned(),
            })
        };
        log.lines().filter(|line| line.starts_with(':')).filter_map(change).collect()
    }

    /// The contents of many blobs.
    pub(crate) fn blobs(&self, ids: &[&str]) -> BTreeMap<String, Vec<u8>> {
        let mut child = Command::new("git")
            .arg("--git-dir")
            .arg(&self.git_dir)
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("git runs");
        let mut stdin = child.stdin.take().expect("piped");
        let wanted = ids.join("\n") + "\n";
        let writer = std::thread::spawn(move || stdin.write_all(wanted.as_bytes()).expect("git reads"));
        let output = child.wait_with_output().expect("git ends").stdout;
        writer.join().expect("the writer ends");
        let mut blobs = BTreeMap::new();
        let mut rest = &output[..];
        for id in ids {
            let line_end = rest.iter().position(|byte| *byte == b'\n').expect("a header line");
            let header = std::str::from_utf8(&rest[..line_end]).expect("ASCII");
            let size: usize = header.rsplit(' ').next().and_then(|size| size.parse().ok()).expect("a size");
            let body = &rest[line_end + 1..line_end + 1 + size];
            blobs.insert((*id).to_owned(), body.to_vec());
            rest = &rest[line_end + 2 + size..];
        }
        blobs
    }
}
