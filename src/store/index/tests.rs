use super::*;

use std::path::PathBuf;

use crate::store::checkout::tests::{AWS, CONSUL, DEEP, Sample};

/// Stands in for the parser: the text is the version list.
fn shape(kind: Kind, bytes: &[u8]) -> Shape {
    Shape {
        versions: format!("{}:{}", kind.word(), String::from_utf8_lossy(bytes)).into(),
        size_bytes: bytes.len() as u32,
        ..Shape::default()
    }
}

struct Case {
    sample: Sample,
    cache: tempfile::TempDir,
}

impl Case {
    fn new(sample: Sample) -> Self {
        Self { sample, cache: tempfile::tempdir().unwrap() }
    }

    fn cache_file(&self) -> PathBuf {
        self.cache.path().join("deep/index")
    }

    fn open(&self) -> Checkout {
        Checkout::open(self.sample.root(), None).unwrap()
    }

    fn load(&self) -> Loaded {
        self.load_from(&self.open())
    }

    fn load_from(&self, checkout: &Checkout) -> Loaded {
        let loaded = load_catalog(checkout, &self.cache_file(), 1, Extent::Everything, &shape).unwrap();
        assert_eq!(loaded.notice, None);
        loaded
    }

    /// Makes all times old, as they are when a registry is opened in earnest: git's index and ours are then proofs.
    fn age(&self) {
        let old = std::time::SystemTime::now() - std::time::Duration::from_hours(1);
        let mut waiting = vec![self.sample.root().to_path_buf()];
        while let Some(path) = waiting.pop() {
            if path.is_dir() {
                waiting.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
            std::fs::File::open(&path).unwrap().set_modified(old).unwrap();
        }
    }
}

fn dirty(loaded: &Loaded) -> Vec<String> {
    let dirty = loaded.catalog.rows.iter().filter(|row| row.dirty);
    dirty.map(Row::path).collect()
}

fn counts(loaded: &Loaded) -> (usize, usize, bool) {
    (loaded.parsed, loaded.reused, loaded.warm)
}

#[test]
fn each_kind_gives_the_same_rows() {
    let (plain, git) = (Case::new(Sample::plain()), Case::new(Sample::git()));
    let bare = git.sample.bare();
    let (tree, folder) = (git.load(), plain.load());
    let bare = Checkout::open(&bare.path().join("r.git"), None).unwrap();
    let other = Case::new(Sample::plain());
    let commit = other.load_from(&bare);
    for loaded in [&tree, &folder, &commit] {
        assert_eq!(counts(loaded), (2, 0, false));
        let paths: Vec<_> = loaded.catalog.rows.iter().map(Row::path).collect();
        assert_eq!(paths, [AWS, CONSUL]);
        assert_eq!(loaded.catalog.unreachable, [DEEP]);
        assert_eq!(dirty(loaded), [""; 0]);
        assert!(loaded.catalog.rows[0].shape.versions.starts_with("provider:"));
    }
    assert_eq!(tree.catalog, commit.catalog);
    assert_eq!(&*folder.catalog.rows[0].blob, "");
    for (case, checkout) in [(&git, git.open()), (&plain, plain.open()), (&other, bare)] {
        let again = case.load_from(&checkout);
        let named = list_names(&checkout).unwrap();
        assert_eq!(named.rows.iter().map(Row::path).collect::<Vec<_>>(), [AWS, CONSUL]);
        assert_eq!(named.unreachable, [DEEP]);
        let early = load_early(&checkout, &case.cache_file(), 1, &shape).unwrap();
        assert!(matches!(early, Early::Read(early) if early == again.catalog));
    }
    let again = other.load_from(&Checkout::open(git.sample.root(), Some("HEAD")).unwrap());
    // Another root: nothing is reused.
    assert_eq!(counts(&again), (2, 0, false));
}

#[test]
fn changes_are_seen_and_only_they_are_parsed() {
    let case = Case::new(Sample::git());
    case.load();
    assert_eq!(counts(&case.load()), (0, 2, true));
    // An edit of the same length, in the same instant for a coarse clock.
    let text = std::fs::read_to_string(case.sample.root().join(AWS)).unwrap();
    case.sample.put(AWS, &text.replace("of", "oF"));
    let edited = case.load();
    assert_eq!((counts(&edited), dirty(&edited)), ((1, 1, false), vec![AWS.to_owned()]));
    assert!(edited.catalog.rows[0].shape.versions.contains("oF"));
    assert_eq!(counts(&case.load()), (0, 2, true));
    case.sample.commit("edit");
    let committed = case.load();
    assert_eq!((counts(&committed), dirty(&committed)), ((0, 2, true), vec![]));
    assert_eq!(committed.catalog.rows[0].blob, edited.catalog.rows[0].blob);
    // Back again: the shape of the first version was not kept.
    case.sample.run(&["checkout", "--quiet", "HEAD~1"]);
    assert_eq!(counts(&case.load()), (1, 1, false));
}

/// The first list is already that of the pull; an edit is left to the look at every file.
#[test]
fn the_early_list_follows_a_pull() {
    let case = Case::new(Sample::git());
    case.load();
    let early = || match load_early(&case.open(), &case.cache_file(), 1, &shape) {
        Some(Early::Read(catalog)) => catalog.rows[0].shape.versions.to_string(),
        other => panic!("{other:?}"),
    };
    let before = early();
    let text = std::fs::read_to_string(case.sample.root().join(AWS)).unwrap();
    case.sample.put(AWS, &text.replace("of", "oF"));
    assert_eq!(early(), before, "not committed");
    case.sample.commit("pulled");
    assert!(early().contains("oF"));
    assert_eq!(early(), case.load().catalog.rows[0].shape.versions.to_string());
}

#[test]
fn old_times_are_proofs() {
    let case = Case::new(Sample::git());
    case.age();
    case.sample.run(&["update-index", "--refresh"]);
    case.load();
    let checkout = case.open();
    let never = |_: Kind, _: &[u8]| -> Shape { unreachable!("nothing has changed") };
    let loaded = load_catalog(&checkout, &case.cache_file(), 1, Extent::Everything, &never).unwrap();
    assert_eq!(counts(&loaded), (0, 2, true));
    let written = std::fs::metadata(case.cache_file()).unwrap().modified().unwrap();
    case.load();
    assert_eq!(std::fs::metadata(case.cache_file()).unwrap().modified().unwrap(), written);
}

#[test]
fn the_committed_extent_follows_git_alone() {
    let case = Case::new(Sample::git());
    case.load();
    let committed =
        |case: &Case| load_catalog(&case.open(), &case.cache_file(), 1, Extent::Committed, &shape).unwrap();
    case.sample.put(AWS, "edited");
    assert_eq!((counts(&committed(&case)), dirty(&committed(&case))), ((0, 2, true), vec![]));
    assert_eq!(dirty(&case.load()), [AWS]);
    // Known to be dirty: looked at again.
    assert_eq!(dirty(&committed(&case)), [AWS]);
    case.sample.commit("edit");
    let after = committed(&case);
    assert_eq!((counts(&after), dirty(&after)), ((0, 2, true), vec![]));
    case.sample.run(&["checkout", "--quiet", "HEAD~1"]);
    let back = committed(&case);
    assert_eq!((counts(&back), dirty(&back)), ((1, 1, false), vec![]));
    assert_eq!(back.catalog, case.load().catalog);
}

#[test]
fn untracked_and_missing_files_are_told() {
    let case = Case::new(Sample::git());
    case.load();
    case.sample.put("modules/n/new/one/aws.json", "{}");
    std::fs::remove_file(case.sample.root().join(AWS)).unwrap();
    let loaded = case.load();
    assert_eq!(dirty(&loaded), ["modules/n/new/one/aws.json"]);
    assert_eq!(loaded.missing, [AWS]);
    assert_eq!(loaded.catalog.rows.len(), 2);
    // No longer tracked, but still there: untracked.
    case.sample.run(&["rm", "--cached", "--quiet", CONSUL]);
    let loaded = case.load();
    assert_eq!(dirty(&loaded), [CONSUL, "modules/n/new/one/aws.json"]);
    assert_eq!(counts(&loaded), (0, 2, true));
    std::fs::remove_dir_all(case.sample.root().join("modules/n")).unwrap();
    assert_eq!(dirty(&case.load()), [CONSUL]);
}

#[test]
fn conflicts_are_dirty() {
    let case = Case::new(Sample::git());
    case.sample.run(&["checkout", "--quiet", "-b", "side"]);
    case.sample.put(AWS, "side");
    case.sample.commit("side");
    case.sample.run(&["checkout", "--quiet", "main"]);
    case.sample.put(AWS, "main");
    case.sample.commit("main");
    let merge = std::panic::catch_unwind(|| case.sample.run(&["merge", "--quiet", "side"]));
    assert!(merge.is_err());
    let loaded = case.load();
    assert_eq!(dirty(&loaded), [AWS]);
    assert_eq!(loaded.catalog.rows.len(), 2);
}

#[test]
fn one_cache_file_may_go_between_a_commit_and_the_work_tree() {
    let case = Case::new(Sample::git());
    let commit = Checkout::open(case.sample.root(), Some("HEAD")).unwrap();
    assert_eq!(counts(&case.load()), (2, 0, false));
    assert_eq!(counts(&case.load_from(&commit)), (0, 2, true));
    assert_eq!(counts(&case.load()), (0, 2, true));
    assert_eq!(case.load().catalog, case.load_from(&commit).catalog);
}

#[test]
fn a_doubtful_cache_file_is_made_again() {
    let case = Case::new(Sample::git());
    case.load();
    let good = std::fs::read(case.cache_file()).unwrap();
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let longer = [&good[..], b"x"].concat();
    for bytes in [&b""[..], b"rubbish", &good[..good.len() / 2], &flipped, &longer] {
        std::fs::write(case.cache_file(), bytes).unwrap();
        let early = load_early(&case.open(), &case.cache_file(), 1, &shape).unwrap();
        assert!(matches!(early, Early::Named(names) if names.rows.len() == 2));
        assert_eq!(counts(&case.load()), (2, 0, false));
    }
    let other = load_catalog(&case.open(), &case.cache_file(), 2, Extent::Everything, &shape).unwrap();
    assert_eq!(counts(&other), (2, 0, false));
    // A cache that cannot be written is told, and no more.
    std::fs::remove_file(case.cache_file()).unwrap();
    std::fs::create_dir(case.cache_file()).unwrap();
    let loaded = load_catalog(&case.open(), &case.cache_file(), 1, Extent::Everything, &shape).unwrap();
    assert!(loaded.notice.is_some_and(|notice| notice.contains("start-up index")));
    assert_eq!(loaded.catalog.rows.len(), 2);
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_becomes_a_broken_row() {
    let case = Case::new(Sample::git());
    let link = |at: &str| std::os::unix::fs::symlink("/nowhere", case.sample.root().join(at)).unwrap();
    std::fs::remove_file(case.sample.root().join(AWS)).unwrap();
    link(AWS);
    // A file where the folder was.
    std::fs::remove_dir_all(case.sample.root().join("modules/h")).unwrap();
    case.sample.put("modules/h", "");
    for _ in 0..2 {
        let loaded = case.load();
        let broken: Vec<_> =
            loaded.catalog.rows.iter().map(|row| row.shape.broken.as_deref().unwrap_or("fine")).collect();
        assert_eq!(broken.len(), 2);
        assert!(broken.iter().all(|text| text.starts_with("cannot be read: ")), "{broken:?}");
        assert_eq!(dirty(&loaded), [AWS, CONSUL]);
    }
    case.sample.commit("a link");
    let commit = Checkout::open(case.sample.root(), Some("HEAD")).unwrap();
    let loaded = case.load_from(&commit);
    assert_eq!(loaded.catalog.rows.len(), 1);
    assert!(loaded.catalog.rows[0].shape.broken.is_some());
}
