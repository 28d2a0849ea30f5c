use super::*;

use std::process::Command;

pub(in crate::store) const AWS: &str = "providers/h/hashicorp/aws.json";
pub(in crate::store) const CONSUL: &str = "modules/h/hashicorp/consul/aws.json";
pub(in crate::store) const DEEP: &str = "providers/k/kong/kong/kuma.json";

/// A git work tree with two entries, an unreachable file, and one commit of the automatic bump.
pub(in crate::store) struct Sample {
    pub(in crate::store) folder: tempfile::TempDir,
}

impl Sample {
    pub(in crate::store) fn plain() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sample = Self { folder };
        for path in [AWS, CONSUL, DEEP] {
            sample.put(path, &format!("{{\"of\": \"{path}\"}}"));
        }
        sample.put("README.md", "x");
        sample
    }

    pub(in crate::store) fn git() -> Self {
        let sample = Self::plain();
        sample.run(&["init", "--quiet", "--initial-branch=main"]);
        sample.commit("Create provider hashicorp/aws");
        sample.put("README.md", "bumped");
        sample.commit("Automated bump of versions for providers and modules (h)");
        sample
    }

    pub(in crate::store) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(in crate::store) fn put(&self, path: &str, text: &str) {
        let full = self.root().join(path);
        std::fs::create_dir_all(full.parent().unwrap()).unwrap();
        std::fs::write(full, text).unwrap();
    }

    /// A work tree whose first commit is from before any window.
    pub(in crate::store) fn of_history() -> Self {
        let sample = Self::plain();
        sample.run(&["init", "--quiet", "--initial-branch=main"]);
        sample.commit_at("Begin", 0);
        sample
    }

    pub(in crate::store) fn run(&self, arguments: &[&str]) {
        self.run_at(arguments, None);
    }

    /// Runs git and returns its output; `seconds` is the time of a commit.
    fn run_at(&self, arguments: &[&str], seconds: Option<i64>) -> String {
        let mut command = Command::new("git");
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
            command.env_remove(name);
        }
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        if let Some(seconds) = seconds {
            let date = format!("@{seconds} +0000");
            command.env("GIT_COMMITTER_DATE", &date).env("GIT_AUTHOR_DATE", &date);
        }
        command.args(["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"]);
        let output = command.arg("-C").arg(self.root()).args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Commits everything at a time since 1970.
    pub(in crate::store) fn commit_at(&self, subject: &str, seconds: i64) {
        self.run(&["add", "-A"]);
        self.run_at(&["commit", "--quiet", "-m", subject], Some(seconds));
    }

    pub(in crate::store) fn merge_at(&self, branch: &str, seconds: i64) {
        self.run_at(&["merge", "--quiet", "--no-ff", "-m", "Merge", branch], Some(seconds));
    }

    /// The commits, the newest first.
    pub(in crate::store) fn log(&self) -> Vec<String> {
        self.run_at(&["log", "--format=%H"], None).lines().map(str::to_owned).collect()
    }

    pub(in crate::store) fn commit(&self, subject: &str) {
        self.run(&["add", "-A"]);
        self.run(&["commit", "--quiet", "-m", subject]);
    }

    /// A bare clone beside it.
    pub(in crate::store) fn bare(&self) -> tempfile::TempDir {
        let target = tempfile::tempdir().unwrap();
        self.run(&["clone", "--quiet", "--bare", ".", &target.path().join("r.git").to_string_lossy()]);
        target
    }
}

fn open(path: &Path) -> Checkout {
    Checkout::open(path, None).unwrap()
}

#[test]
fn each_kind_lists_and_reads_the_same() {
    let (plain, git) = (Sample::plain(), Sample::git());
    let bare = git.bare();
    let checkouts = [
        open(plain.root()),
        open(git.root()),
        Checkout::open(git.root(), Some("HEAD~1")).unwrap(),
        open(&bare.path().join("r.git")),
        Checkout::open(&bare.path().join("r.git"), Some("main")).unwrap(),
    ];
    for checkout in checkouts {
        let listing = checkout.list().unwrap();
        assert_eq!(listing.paths, [CONSUL, AWS, DEEP], "{checkout:?}");
        assert_eq!(listing.unreadable, []);
        assert_eq!(checkout.read(AWS).unwrap(), format!("{{\"of\": \"{AWS}\"}}").into_bytes());
        assert_eq!(checkout.blacklist().unwrap(), None);
        assert!(matches!(checkout.read("providers/h/no/no.json"), Err(Error::Missing { .. })));
        assert!(matches!(checkout.read("../x"), Err(Error::Refused { .. })));
        let mut seen = Vec::new();
        checkout
            .read_many(&[AWS, "providers/h/no/no.json", "providers", CONSUL], &mut |path, read| {
                seen.push((path.to_owned(), read.ok().map(<[u8]>::len)));
            })
            .unwrap();
        let lengths: Vec<_> = seen.iter().map(|(_, length)| *length).collect();
        assert_eq!(lengths, [Some(AWS.len() + 10), None, None, Some(CONSUL.len() + 10)]);
        assert_eq!(
            checkout.is_writable(),
            checkout.write(AWS, format!("{{\"of\": \"{AWS}\"}}").as_bytes()).is_ok()
        );
    }
}

#[test]
fn the_blacklist_is_read() {
    let sample = Sample::git();
    sample.put("versions_blacklist.json", "{}\n");
    assert_eq!(open(sample.root()).blacklist().unwrap().unwrap(), b"{}\n");
    sample.commit("blacklist");
    let checkout = Checkout::open(sample.root(), Some("HEAD")).unwrap();
    assert_eq!(checkout.blacklist().unwrap().unwrap(), b"{}\n");
}

#[test]
fn what_is_no_registry_is_told_why() {
    let empty = tempfile::tempdir().unwrap();
    let cases = [
        (empty.path().to_path_buf(), None, "neither `providers/` nor `modules/`"),
        (empty.path().join("no"), None, "there is no such folder"),
        (empty.path().to_path_buf(), Some("main"), "there is no git repository"),
    ];
    for (path, reference, words) in cases {
        let error = Checkout::open(&path, reference).unwrap_err();
        assert!(matches!(error, Error::NotARegistry { .. }));
        assert!(error.to_string().contains(words), "{error}");
    }
    let sample = Sample::git();
    for name in ["no-such", "HEAD~99", "--all", "HEAD:README.md"] {
        let error = Checkout::open(sample.root(), Some(name)).unwrap_err();
        assert!(matches!(error, Error::NoSuchRef { .. }), "{name}: {error}");
    }
    sample.run(&["rm", "-r", "--quiet", "providers", "modules"]);
    sample.run(&["commit", "--quiet", "-m", "nothing left"]);
    assert!(matches!(Checkout::open(sample.root(), Some("HEAD")), Err(Error::NotARegistry { .. })));
    let error = Checkout::open(sample.root(), None).unwrap_err();
    assert!(error.to_string().contains("--ref HEAD"), "{error}");
}

#[test]
fn the_log_says_when_a_version_came() {
    let sample = Sample::git();
    sample.put(AWS, "{\"version\": \"1.0.0\"}");
    sample.commit("one");
    let one = open(sample.root()).head().unwrap().unwrap().time;
    sample.put(AWS, "{\"version\": \"1.1.0\", \"versions\": \"version\": \"1.0.0\"}");
    sample.commit("another");
    let checkout = open(sample.root());
    assert_eq!(checkout.version_added_at(AWS, "1.0.0").unwrap(), Some(one));
    assert_eq!(checkout.version_added_at(AWS, "9.9.9").unwrap(), None);
    assert_eq!(open(Sample::plain().root()).version_added_at(AWS, "1.0.0").unwrap(), None);
    // Where the history was cut off, its first commit seems to have added everything.
    let short = tempfile::tempdir().unwrap();
    let url = format!("file://{}", sample.root().display());
    sample.run(&["clone", "--quiet", "--depth", "1", &url, &short.path().join("r").to_string_lossy()]);
    let checkout = open(&short.path().join("r"));
    assert_eq!(checkout.version_added_at(AWS, "1.0.0").unwrap(), None);
}

#[test]
fn the_head_and_the_last_bump() {
    let sample = Sample::git();
    let checkout = open(sample.root());
    let head = checkout.head().unwrap().unwrap();
    assert_eq!(head.branch.as_deref(), Some("main"));
    assert_eq!(head.subject, "Automated bump of versions for providers and modules (h)");
    assert_eq!(checkout.bump_commit_time().unwrap(), Some(head.time));
    sample.put("README.md", "later");
    sample.run(&["add", "-A"]);
    sample.run(&[
        "commit",
        "--quiet",
        "--date=2020-01-01T00:00:00Z",
        "-m",
        "Docs",
        "-m",
        "Automated bump of versions is told",
    ]);
    assert_eq!(checkout.bump_commit_time().unwrap(), Some(head.time));
    let older = Checkout::open(sample.root(), Some("HEAD~2")).unwrap();
    let head = older.head().unwrap().unwrap();
    assert_eq!((head.branch, &*head.subject), (None, "Create provider hashicorp/aws"));
    assert_eq!(older.bump_commit_time().unwrap(), None);
    sample.run(&["checkout", "--quiet", "--detach"]);
    assert_eq!(checkout.head().unwrap().unwrap().branch, None);
    let plain = Sample::plain();
    assert_eq!(open(plain.root()).head().unwrap(), None);
    plain.run(&["init", "--quiet"]);
    assert_eq!(open(plain.root()).head().unwrap(), None);
}

#[test]
fn a_linked_work_tree_is_one_too() {
    let sample = Sample::git();
    let other = tempfile::tempdir().unwrap();
    let linked = other.path().join("linked");
    sample.run(&["worktree", "add", "--quiet", "-b", "side", &linked.to_string_lossy()]);
    let checkout = open(&linked);
    assert!(matches!(checkout.source(), Source::WorkTree));
    assert_eq!(checkout.head().unwrap().unwrap().branch.as_deref(), Some("side"));
}

#[test]
fn a_walk_lists_only_what_changed() {
    let sample = Sample::plain();
    let later = files::file_clock() + 10_000_000_000;
    let all = walk(sample.root(), &[], later);
    assert_eq!((all.found.len(), all.changed, all.dirs.len()), (3, true, 10));
    let again = walk(sample.root(), &all.dirs, later);
    assert_eq!((again.found.len(), again.changed, &again.dirs), (0, false, &all.dirs));
    sample.put("providers/n/new/one.json", "{}");
    let more = walk(sample.root(), &all.dirs, later);
    assert_eq!(more.found, ["providers/n/new/one.json"]);
    assert_eq!(more.dirs.len(), 12);
    // An unreadable folder is told on every walk.
    std::fs::remove_dir_all(sample.root().join("modules")).unwrap();
    std::fs::write(sample.root().join("modules"), "").unwrap();
    for known in [&more.dirs[..], &[]] {
        let odd = walk(sample.root(), known, later);
        assert!(!odd.found.iter().any(|path| path.starts_with("modules")));
        assert_eq!(odd.unreadable.len(), 1, "{:?}", odd.unreadable);
    }
}

#[cfg(unix)]
#[test]
fn reading_follows_no_link() {
    let sample = Sample::plain();
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("x.json"), "secret").unwrap();
    std::os::unix::fs::symlink(outside.path(), sample.root().join("providers/o")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("x.json"), sample.root().join("providers/h/l.json"))
        .unwrap();
    let checkout = open(sample.root());
    assert!(matches!(checkout.read("providers/o/x.json"), Err(Error::Refused { .. })));
    assert!(matches!(checkout.read("providers/h/l.json"), Err(Error::Unreadable { .. })));
    assert!(!checkout.list().unwrap().paths.iter().any(|path| path.starts_with("providers/o/")));
}
