use super::*;

use jiff::Timestamp;

use crate::registry::{
    ArchiveFault, Asset, BrokenArchive, Decision, DecisionKind, Facts, Feed, FeedEntry, Moved, Observed,
    Protocols, ReleaseFacts, ReleaseInfo, SeenZip, Sums, Tag, Tags, Why,
};

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_750_000_000 + second).unwrap()
}

fn known<T>(value: T) -> Observed<T> {
    Observed::Known { value, at: at(1) }
}

/// Facts in which every field and many a variant occurs.
fn sample() -> StoredFacts {
    let tags = vec![Tag { name: "v1.0.0".into(), oid: "a1".into(), peeled: Some("b2".into()) }];
    let moved = Some(Moved { owner: "new".into(), name: "terraform-x-y".into() });
    let asset = Asset {
        id: Some("RA_kgDO7".into()),
        name: "a_1.0.0_linux_amd64.zip".into(),
        size_bytes: 300,
        digest: Some("sha256:00".into()),
        updated_at: Some(at(2)),
    };
    let info = ReleaseInfo {
        id: Some(9),
        tag: "v1.0.0".into(),
        draft: false,
        prerelease: true,
        created_at: Some(at(3)),
        published_at: None,
        assets: vec![asset],
        truncated: false,
    };
    let sums = Sums { url: "https://github.com/a/b".into(), text: "00  x\n".into(), modified: Some(at(4)) };
    let release = ReleaseFacts {
        info: known(info),
        sums: known(sums),
        manifest: known(Protocols::Listed(vec!["5.0".into()])),
    };
    let other = ReleaseFacts {
        info: Observed::Unasked,
        sums: Observed::Absent { at: at(5), status: 404 },
        manifest: Observed::Unknown { at: at(6), why: Why::Throttled { until: Some(at(7)) } },
    };
    let seen = SeenZip { sha256: "00".into(), h1: "".into(), size_bytes: 0, at: at(10) };
    let broken = BrokenArchive {
        file: "a_1.1.0_linux_amd64.zip".into(),
        fault: ArchiveFault::Unreadable { why: "no zip".into() },
        listed: "00".into(),
        release_id: Some(9),
        asset_id: Some("RA_kgDO8".into()),
        at: at(11),
    };
    let facts = Facts {
        tags: known(Tags { list: tags, moved }),
        feed: known(Feed {
            repository_id: Some(12),
            entries: vec![FeedEntry { tag: "v1.0.0".into(), updated: at(8) }],
        }),
        first_repository_id: Some(12),
        last_repository_id: Some(12),
        releases: [("v1.0.0".into(), release), ("v1.1.0".into(), other)].into(),
        first_seen: [("v1.0.0".into(), at(9))].into(),
        signatures: [("v1.0.0".into(), known([0x89, 0, 0xff].into()))].into(),
        zips: [("v1.0.0".into(), [("a_1.0.0_linux_amd64.zip".into(), seen)].into())].into(),
        broken: [("v1.1.0".into(), broken)].into(),
    };
    StoredFacts { facts, validators: [("feed".into(), b"W/\"x\"".to_vec())].into() }
}

fn decision(address: &str, version: Option<&str>) -> Decision {
    Decision {
        address: address.into(),
        version: version.map(str::to_owned),
        kind: DecisionKind::Ignore { until: Some(at(100)) },
        reason: "known".into(),
        at: at(0),
    }
}

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("deep/state.db")
    }

    fn open(&self) -> State {
        State::open(&self.path()).unwrap()
    }
}

#[test]
fn everything_saved_comes_back() {
    let place = Place::new();
    let mut state = place.open();
    assert_eq!((state.is_read_only(), state.notice()), (false, None));
    state
        .save_facts("real", at(1), &[("a/b".into(), sample()), ("c/d".into(), StoredFacts::default())])
        .unwrap();
    state.save_facts("demo", at(1), &[("a/b".into(), StoredFacts::default())]).unwrap();
    state.save_decisions("real", &[decision("a/b", None), decision("a/b", Some("1.0.0"))]).unwrap();
    drop(state);
    let mut state = place.open();
    assert_eq!(state.load_fact("real", "a/b").unwrap(), Some(sample()));
    assert_eq!(state.load_fact("demo", "a/b").unwrap(), Some(StoredFacts::default()));
    assert_eq!(state.load_fact("other", "a/b").unwrap(), None);
    assert_eq!(state.decisions("real").unwrap(), [decision("a/b", None), decision("a/b", Some("1.0.0"))]);
    assert_eq!(state.decisions("demo").unwrap(), []);
    assert!(state.remove_decision("real", "a/b", None).unwrap());
    assert!(!state.remove_decision("real", "a/b", None).unwrap());
    assert_eq!(state.decisions("real").unwrap(), [decision("a/b", Some("1.0.0"))]);
    assert_eq!(state.check().unwrap(), None);
}

#[cfg(unix)]
#[test]
fn it_is_its_users_alone() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let mode = |suffix: &str| {
        let path = format!("{}{suffix}", place.path().display());
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    };
    let state = place.open();
    assert_eq!(["", "-wal", "-shm"].map(mode), [0o600; 3]);
    drop(state);
    // As an older bumpdesk left it.
    std::fs::set_permissions(place.path(), std::fs::Permissions::from_mode(0o644)).unwrap();
    drop(place.open());
    assert_eq!(mode(""), 0o600);
}

/// Whichever bit of what is kept of a repository a disk turned round: it is as if it had never been asked.
#[test]
fn one_flipped_bit_is_noticed() {
    let mut state = Place::new().open();
    let name = "a/b".to_owned();
    state.save_facts("demo", at(1), &[]).unwrap();
    state.save_facts("real", at(1), &[(name.clone(), sample())]).unwrap();
    let body: Vec<u8> = state.connection.query_row("SELECT body FROM facts", [], |row| row.get(0)).unwrap();
    for bit in 0..body.len() * 8 {
        let mut flipped = body.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        state.connection.execute("UPDATE facts SET body = ?1", [flipped]).unwrap();
        assert_eq!(state.load_fact("real", &name).unwrap(), None, "bit {bit}");
    }
    // Nor are they another repository's, or those of another world.
    for change in ["repository = 'a/c'", "world = (SELECT id FROM worlds WHERE name = 'demo')"] {
        state.connection.execute("DELETE FROM facts", []).unwrap();
        state.save_facts("real", at(1), &[(name.clone(), sample())]).unwrap();
        state.connection.execute(&format!("UPDATE facts SET {change}"), []).unwrap();
        let found =
            [("real", "a/c"), ("demo", "a/b")].map(|(world, name)| state.load_fact(world, name).unwrap());
        assert_eq!(found, [None, None], "{change}");
    }
    // What is asked again takes its place.
    state.save_facts("real", at(2), &[(name.clone(), sample())]).unwrap();
    assert_eq!(state.load_fact("real", &name).unwrap(), Some(sample()));
}

#[test]
fn of_old_facts_the_ids_stay() {
    let mut state = Place::new().open();
    let nameless = StoredFacts { facts: Facts { tags: sample().facts.tags, ..Facts::default() }, ..sample() };
    let old = [("a/b".into(), sample()), ("c/d".into(), sample()), ("e/f".into(), nameless)];
    state.save_facts("real", at(1), &old).unwrap();
    state.save_facts("gone", at(1), &[("g/h".into(), sample())]).unwrap();
    state.save_facts("real", at(5), &[("c/d".into(), sample())]).unwrap();
    assert_eq!([2, 2, 2].map(|most| state.prune_facts(at(5), most).unwrap()), [2, 1, 0]);
    let facts = Facts { first_repository_id: Some(12), last_repository_id: Some(12), ..Facts::default() };
    let whose = StoredFacts { facts, ..StoredFacts::default() };
    let kept = ["a/b", "c/d", "e/f"].map(|repository| state.load_fact("real", repository).unwrap());
    assert_eq!(kept, [Some(whose.clone()), Some(sample()), None]);
    assert_eq!(state.load_fact("gone", "g/h").unwrap(), Some(whose));
    // Asked again, it is a repository like any other.
    state.save_facts("real", at(6), &[("a/b".into(), sample())]).unwrap();
    assert_eq!(state.prune_facts(at(7), 9).unwrap(), 2);
}

#[test]
fn what_is_free_is_given_back() {
    let place = Place::new();
    let mut state = place.open();
    let mut large = sample();
    large.facts.signatures.insert("v2.0.0".into(), known(vec![7; 9000].into()));
    let many: Vec<_> = (0..600).map(|number| (format!("a/{number}"), large.clone())).collect();
    state.save_facts("real", at(1), &many).unwrap();
    state.save_decisions("real", &[decision("a/b", None)]).unwrap();
    assert!(!state.compact().unwrap(), "nothing is free");
    assert_eq!(state.prune_facts(at(2), 900).unwrap(), 600);
    let second = place.open();
    assert!(state.compact().unwrap());
    assert_eq!(second.decisions("real").unwrap(), [decision("a/b", None)]);
    assert!(!place.open().compact().unwrap(), "not by a console that only reads");
    state.note_tidied(at(3)).unwrap();
    assert_eq!(state.tidied_at().unwrap(), Some(at(3)));
    drop((second, state));
    let size = state_size(&place.path()).unwrap();
    assert!(size.bytes < 1 << 20 && size.free_bytes == 0, "{size:?}");
    assert_eq!((size.repositories, size.jobs, size.planned_files), (0, 0, 0));
    assert_eq!(state_size(&place.path().with_file_name("nowhere")), None);
    assert_eq!(place.open().check().unwrap(), None);
}

/// Stored facts outlive an update of bumpdesk: when these bytes change, so must the format number in `facts.rs`.
#[test]
fn the_bytes_of_stored_facts_are_those_of_their_format() {
    let (all, facts) = (sample(), sample().facts);
    let parts = [
        postcard::to_stdvec(&all),
        postcard::to_stdvec(&facts.signatures),
        postcard::to_stdvec(&facts.zips),
        postcard::to_stdvec(&facts.broken),
    ];
    let bytes = parts.map(Result::unwrap).concat();
    let sum = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3));
    assert_eq!((bytes.len(), format!("{sum:016x}")), (637, "fd1727b2f0b7e75f".to_owned()));
}

#[test]
fn facts_of_another_format_count_as_never_read() {
    let mut state = Place::new().open();
    state.save_facts("real", at(1), &[("a/b".into(), sample()), ("c/d".into(), sample())]).unwrap();
    state.connection.execute("UPDATE facts SET body = x'6300' WHERE repository = 'a/b'", []).unwrap();
    assert_eq!(state.load_fact("real", "a/b").unwrap(), None);
    assert_eq!(state.load_fact("real", "c/d").unwrap(), Some(sample()));
}

#[test]
fn the_journal_tells_what_was_cut_off() {
    let place = Place::new();
    let mut state = place.open();
    let first = state.begin_job(None, "survey", b"all", at(1)).unwrap();
    let second = state.begin_job(None, "bump", b"a: half", at(2)).unwrap();
    state.end_job(first, "done", at(3)).unwrap();
    state.end_job(first, "failed", at(4)).unwrap();
    drop(state);
    let mut state = place.open();
    let unfinished = state.unfinished_jobs().unwrap();
    assert_eq!(unfinished.len(), 1);
    assert_eq!((unfinished[0].id, &*unfinished[0].plan), (second, &b"a: half"[..]));
    let last = state.last_jobs(None, 5).unwrap();
    assert_eq!(last.iter().map(|job| job.id).collect::<Vec<_>>(), [second, first]);
    assert_eq!((last[1].outcome.as_deref(), last[1].ended_at), (Some("done"), Some(at(3))));
    assert_eq!(state.prune_jobs(0).unwrap(), 1);
    assert_eq!(state.last_jobs(None, 5).unwrap().len(), 1);
}

#[test]
fn a_second_console_reads_and_never_waits() {
    let place = Place::new();
    let mut first = place.open();
    first.save_facts("real", at(1), &[("a/b".into(), sample())]).unwrap();
    // Even in the middle of the first one's transaction.
    first.connection.execute_batch("BEGIN IMMEDIATE; DELETE FROM facts").unwrap();
    let mut second = place.open();
    assert!(second.is_read_only() && second.notice().is_some());
    assert_eq!(second.load_fact("real", "a/b").unwrap(), Some(sample()));
    assert!(matches!(second.save_facts("real", at(1), &[]), Err(Error::ReadOnly { .. })));
    assert!(matches!(second.save_decisions("real", &[]), Err(Error::ReadOnly { .. })));
    first.connection.execute_batch("ROLLBACK").unwrap();
    first.save_facts("real", at(2), &[("c/d".into(), sample())]).unwrap();
    assert_eq!(second.load_fact("real", "c/d").unwrap(), Some(sample()));
    drop(first);
    assert!(!place.open().is_read_only());
}

#[test]
fn a_save_that_is_cut_off_leaves_the_old_facts() {
    let place = Place::new();
    let mut state = place.open();
    state.save_facts("real", at(1), &[("a/b".into(), sample())]).unwrap();
    let cut = state.change(|transaction| {
        transaction.execute("UPDATE facts SET body = x''", [])?;
        Err::<(), _>(rusqlite::Error::InvalidQuery)
    });
    assert!(cut.is_err());
    assert_eq!(state.load_fact("real", "a/b").unwrap(), Some(sample()));
    // What a kill leaves: the database and its log as they are on disk, with a transaction half written.
    state.connection.execute_batch("PRAGMA cache_size = 1; BEGIN IMMEDIATE").unwrap();
    for number in 0..2000 {
        state
            .connection
            .execute("INSERT INTO marks VALUES (?1, zeroblob(4000))", [format!("{number}")])
            .unwrap();
    }
    let killed = Place::new();
    std::fs::create_dir_all(killed.path().parent().unwrap()).unwrap();
    for suffix in ["", "-wal"] {
        let name = |place: &Place| format!("{}{suffix}", place.path().display());
        std::fs::copy(name(&place), name(&killed)).unwrap();
    }
    let state = killed.open();
    assert_eq!(state.notice(), None);
    assert_eq!(state.load_fact("real", "a/b").unwrap(), Some(sample()));
    let marks = state
        .ask(|connection| connection.query_row("SELECT count(*) FROM marks", [], |row| row.get::<_, i64>(0)));
    assert_eq!(marks.unwrap(), 0);
    assert_eq!(state.check().unwrap(), None);
}

#[test]
fn a_damaged_database_is_moved_aside() {
    for damage in [&b"this is not a database, however long it may be ...................."[..], &[0xff; 5000]]
    {
        let place = Place::new();
        std::fs::create_dir_all(place.path().parent().unwrap()).unwrap();
        std::fs::write(place.path(), damage).unwrap();
        let mut state = place.open();
        let aside = place.path().with_file_name("state.db.damaged-1");
        assert!(state.notice().unwrap().contains("state.db.damaged-1"), "{:?}", state.notice());
        assert_eq!(std::fs::read(&aside).unwrap(), damage);
        state.save_facts("real", at(1), &[("a/b".into(), sample())]).unwrap();
        drop(state);
        assert_eq!(place.open().notice(), None);
    }
}

#[test]
fn a_damaged_page_is_reported_and_the_next_start_keeps_the_decisions() {
    let place = Place::new();
    let mut state = place.open();
    state.save_decisions("real", &[decision("a/b", None)]).unwrap();
    let key = RegistryKey { world: "real", registry: "/r" };
    state.save_plan_file(key, &planned("a/b", &[("p1", "1"), ("p2", "2")])).unwrap();
    let views: std::collections::BTreeMap<String, String> = [("views".into(), "[]".into())].into();
    state.save_session("real", &views).unwrap();
    state.save_registry_session(key, &views).unwrap();
    let many: Vec<_> = (0..400).map(|number| (format!("a/{number}"), sample())).collect();
    state.save_facts("real", at(1), &many).unwrap();
    drop(state);
    let mut bytes = std::fs::read(place.path()).unwrap();
    // Most pages are of facts; those that are read at a start lie at both ends.
    let middle = bytes.len() / 2 / 4096 * 4096;
    bytes[middle..middle + 8 * 4096].fill(0xee);
    std::fs::write(place.path(), bytes).unwrap();
    let state = place.open();
    assert_eq!(state.notice(), None);
    let failed = (0..400).find_map(|number| state.load_fact("real", &format!("a/{number}")).err());
    assert!(matches!(failed, Some(Error::Damaged { .. })), "{failed:?}");
    drop(state);
    let state = place.open();
    let wanted = "the 1 decision, 1 planned file, 2 marks of the plan, 0 sendings, 1 setting of the console, 1 setting of a registry";
    assert!(state.notice().unwrap().contains(wanted), "{:?}", state.notice());
    assert!(state.notice().unwrap().contains("The history of jobs is lost"));
    assert_eq!(state.plan_file(key, "a/b").unwrap(), Some(planned("a/b", &[("p1", "1"), ("p2", "2")])));
    assert_eq!(state.load_session("real").unwrap(), views);
    assert_eq!(state.load_registry_session(key).unwrap(), views);
    assert_eq!(state.decisions("real").unwrap(), [decision("a/b", None)]);
    assert!(state.fact_stamps("real").unwrap().by_repository.is_empty());
    drop(state);
    assert_eq!(place.open().notice(), None);
}

#[test]
fn a_newer_database_is_left_alone() {
    let place = Place::new();
    drop(place.open());
    let raw = Connection::open(place.path()).unwrap();
    raw.pragma_update(None, "user_version", 99).unwrap();
    drop(raw);
    let before = std::fs::read(place.path()).unwrap();
    let error = State::open(&place.path()).unwrap_err();
    assert!(matches!(error, Error::NewerDatabase { found: 99, .. }), "{error}");
    assert_eq!(std::fs::read(place.path()).unwrap(), before);
}

fn planned(address: &str, marks: &[(&str, &str)]) -> StoredPlanFile {
    let marks = marks.iter().map(|(piece, body)| ((*piece).to_owned(), (*body).to_owned())).collect();
    let (base, proposed) = (b"{}".repeat(5_000), b"new".to_vec());
    StoredPlanFile { address: address.into(), body: "{\"mode\":\"add\"}".into(), base, proposed, marks }
}

#[test]
fn plans_come_back_with_their_marks() {
    let place = Place::new();
    let mut state = place.open();
    let key = RegistryKey { world: "real", registry: "/r" };
    state.save_plan_file(key, &planned("a/b", &[("p1", "1"), ("p2", "2")])).unwrap();
    state.save_plan_file(key, &planned("c/d", &[])).unwrap();
    state.save_plan_marks(key, &[("a/b".into(), "p2".into(), "3".into())]).unwrap();
    drop(state);
    let mut state = place.open();
    assert_eq!(state.plan_addresses(key).unwrap(), ["a/b", "c/d"]);
    for other in
        [RegistryKey { world: "demo", registry: "/r" }, RegistryKey { world: "real", registry: "/q" }]
    {
        assert_eq!(state.plan_addresses(other).unwrap(), [""; 0]);
        assert_eq!(state.plan_file(other, "a/b").unwrap(), None);
    }
    assert_eq!(state.plan_file(key, "a/b").unwrap(), Some(planned("a/b", &[("p1", "1"), ("p2", "3")])));
    // Built again: marks of what is no more are gone.
    state.save_plan_file(key, &planned("a/b", &[("p1", "1")])).unwrap();
    assert_eq!(state.plan_file(key, "a/b").unwrap(), Some(planned("a/b", &[("p1", "1")])));
    let second = place.open();
    assert!(second.is_read_only());
    assert_eq!(second.plan_addresses(key).unwrap(), ["a/b", "c/d"]);
    assert_eq!(state.drop_plan_files(key, &["a/b".into(), "x/y".into()]).unwrap(), 1);
    assert_eq!(second.plan_addresses(key).unwrap(), ["c/d"]);
    state.save_plan_file(key, &planned("a/b", &[])).unwrap();
    assert_eq!(state.plan_file(key, "a/b").unwrap().unwrap().marks, []);
}

fn values(pairs: &[(&str, &str)]) -> std::collections::BTreeMap<String, String> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn sessions_are_kept_by_world() {
    let place = Place::new();
    let mut state = place.open();
    state.save_session("real", &values(&[("filters", "[1]"), ("views", "[]")])).unwrap();
    state.save_session("demo", &values(&[("filters", "[2]")])).unwrap();
    state.save_session("real", &values(&[("views", "")])).unwrap();
    // Nothing is left out silently.
    let huge = values(&[("filters", "[3]"), ("huge", &"x".repeat(9 << 20))]);
    assert!(matches!(state.save_session("real", &huge), Err(Error::Refused { .. })));
    drop(state);
    assert_eq!(place.open().load_session("real").unwrap(), values(&[("filters", "[1]")]));
}

#[test]
fn what_is_kept_of_a_registry_is_not_anothers() {
    let place = Place::new();
    let mut state = place.open();
    let [here, there] = ["/r", "/q"].map(|registry| RegistryKey { world: "real", registry });
    let large = "x".repeat(2 << 20);
    state.save_registry_session(here, &values(&[("marks", "1"), ("sort", &large)])).unwrap();
    state.save_registry_session(there, &values(&[("marks", "2")])).unwrap();
    state.save_registry_session(there, &values(&[("marks", "")])).unwrap();
    drop(state);
    let state = place.open();
    assert_eq!(state.load_registry_session(here).unwrap(), values(&[("marks", "1"), ("sort", &large)]));
    for other in [there, RegistryKey { world: "demo", registry: "/r" }] {
        assert_eq!(state.load_registry_session(other).unwrap(), values(&[]));
    }
    assert_eq!(state.load_session("real").unwrap(), values(&[]));
}

/// A database of the first bumpdesk is brought to today's format, and nothing in it is lost.
#[test]
fn an_older_database_is_brought_up() {
    let place = Place::new();
    let mut state = place.open();
    state.save_decisions("real", &[decision("a/b", None)]).unwrap();
    drop(state);
    let raw = Connection::open(place.path()).unwrap();
    raw.execute_batch(
        "DROP TABLE plan_files; DROP TABLE plan_marks; DROP TABLE sendings; DROP TABLE session; DROP TABLE registry_session; DROP TABLE fact_stamps;
         DROP TRIGGER facts_came; DROP TRIGGER facts_changed; DROP TRIGGER facts_kept_stamp; DROP TRIGGER facts_went;
         ALTER TABLE facts DROP COLUMN stamp;
         ALTER TABLE journal DROP COLUMN world; ALTER TABLE journal DROP COLUMN registry;
         ALTER TABLE decisions DROP COLUMN sum; PRAGMA user_version = 1",
    )
    .unwrap();
    drop(raw);
    let mut state = place.open();
    assert_eq!(state.notice(), None);
    assert_eq!(state.decisions("real").unwrap(), [decision("a/b", None)]);
    state.save_plan_file(RegistryKey { world: "real", registry: "/r" }, &planned("a/b", &[])).unwrap();
}

/// Rows from before there were checksums get them, and nothing is lost.
#[test]
fn a_database_without_checksums_gets_them() {
    let place = Place::new();
    let state = filled(&place);
    // There were none then.
    state.connection.execute_batch("DELETE FROM sendings").unwrap();
    let before = everything(&state).unwrap();
    let newer = "DROP TABLE sendings; ALTER TABLE journal DROP COLUMN world; ALTER TABLE journal DROP COLUMN registry;
        DROP TRIGGER facts_came; DROP TRIGGER facts_changed; DROP TRIGGER facts_kept_stamp; DROP TRIGGER facts_went;
        ALTER TABLE facts DROP COLUMN stamp;
        DROP TABLE fact_stamps; CREATE TABLE fact_stamps (world INTEGER, repository TEXT, stamp INTEGER)";
    state.connection.execute_batch(newer).unwrap();
    for table in sums::TABLES.iter().filter(|table| table.name != "sendings") {
        state.connection.execute_batch(&format!("ALTER TABLE {} DROP COLUMN sum", table.name)).unwrap();
    }
    state.connection.pragma_update(None, "user_version", 5).unwrap();
    drop(state);
    let state = place.open();
    assert_eq!((state.notice(), everything(&state).unwrap()), (None, before));
    assert_eq!(state.load_fact("real", "a/b").unwrap(), Some(sample()));
    let stamps = state.fact_stamps("real").unwrap();
    assert!(stamps.of_all.is_some() && stamps.by_repository.contains_key("a/b"), "{stamps:?}");
    let bare = "SELECT count(*) FROM plan_marks WHERE sum IS NULL";
    assert_eq!(state.connection.query_row(bare, [], |row| row.get::<_, i64>(0)).unwrap(), 0);
}

/// Rows of an older bumpdesk belong to no registry, and appear in the list of all registries.
#[test]
fn jobs_belong_to_a_registry_of_a_world() {
    let place = Place::new();
    let mut state = place.open();
    let key = |world, registry| Some(RegistryKey { world, registry });
    let keys = [key("real", "/r"), key("real", "/s"), key("demo", "/r"), None];
    let ids = keys.map(|key| state.begin_job(key, "lint", b"", at(1)).unwrap());
    for (key, id) in keys.into_iter().zip(ids) {
        let wanted = if key.is_some() { vec![id] } else { ids.into_iter().rev().collect() };
        let listed: Vec<i64> = state.last_jobs(key, 9).unwrap().iter().map(|job| job.id).collect();
        assert_eq!(listed, wanted, "{key:?}");
        assert_eq!(key.map_or(3, |key| state.count_other_jobs(key).unwrap()), 3, "{key:?}");
    }
    let unknown = RegistryKey { world: "other", registry: "/r" };
    assert_eq!(
        (state.last_jobs(Some(unknown), 9).unwrap(), state.count_other_jobs(unknown).unwrap()),
        (vec![], 4)
    );
    let all = state.last_jobs(None, 9).unwrap();
    let registries: Vec<Option<&str>> = all.iter().map(|job| job.registry.as_deref()).collect();
    assert_eq!(registries, [None, Some("/r"), Some("/s"), Some("/r")]);
    state.forget_job(ids[0]).unwrap();
    assert_eq!(state.last_jobs(keys[0], 9).unwrap(), []);
    assert_eq!(state.last_jobs(None, 9).unwrap().len(), 3);
}

#[test]
fn jobs_that_were_cut_off_are_ended_once() {
    let mut state = Place::new().open();
    state.begin_job(None, "bump", b"", at(1)).unwrap();
    assert_eq!([(); 2].map(|()| state.end_cut_off_jobs("cut off").unwrap()), [1, 0]);
    let job = &state.last_jobs(None, 1).unwrap()[0];
    assert_eq!((job.outcome.as_deref(), job.ended_at), (Some("cut off"), Some(at(1))));
}

/// Everything that is kept of what people decided, and what was observed.
fn everything(state: &State) -> Result<String, Error> {
    let key = RegistryKey { world: "real", registry: "/r" };
    let addresses = state.plan_addresses(key)?;
    let files =
        addresses.iter().map(|address| state.plan_file(key, address)).collect::<Result<Vec<_>, _>>()?;
    let decisions = state.decisions("real")?;
    Ok(format!(
        "{decisions:?}\n{:?}\n{:?}\n{files:?}\n{:?}",
        state.load_session("real")?,
        state.load_registry_session(key)?,
        state.sendings("real")?
    ))
}

fn filled(place: &Place) -> State {
    let mut state = place.open();
    let key = RegistryKey { world: "real", registry: "/r" };
    for name in ["a/b", "c/d"] {
        state.save_plan_file(key, &planned(name, &[("p1", "approved"), ("p2", "seen")])).unwrap();
        state.save_facts("real", at(1), &[(name.into(), sample())]).unwrap();
        state.save_decisions("real", &[decision(name, None), decision(name, Some("1.0.0"))]).unwrap();
        state.save_session("real", &values(&[(name, "[]")])).unwrap();
        state.save_registry_session(key, &values(&[(name, "[1]")])).unwrap();
        state.save_sending("real", name, "half of it").unwrap();
    }
    let job = state.begin_job(None, "bump", b"a", at(1)).unwrap();
    state.end_job(job, "done", at(2)).unwrap();
    state.note_tidied(at(3)).unwrap();
    state
}

/// A row that does not match its checksum is dropped, with a message and a remedy; no other row is.
#[test]
fn a_flipped_bit_of_a_decision_is_reported_and_never_counts() {
    let changes = [
        ("plan_marks", "body = 'opproved'", "a/b", "1 mark of the plan", "plan show"),
        ("plan_marks", "piece = 'p3'", "a/b", "1 mark of the plan", "answer them again"),
        ("plan_marks", "address = 'a/c'", "a/c", "1 mark of the plan", "answer them again"),
        ("plan_marks", "registry = '/s'", "a/b", "1 mark of the plan", "answer them again"),
        ("plan_marks", "sum = sum + 1", "a/b", "1 mark of the plan", "answer them again"),
        ("plan_marks", "sum = NULL", "a/b", "1 mark of the plan", "answer them again"),
        ("plan_files", "body = '{}'", "a/b", "1 planned file", "plan add"),
        ("plan_files", "proposed = base", "a/b", "1 planned file", "plan add"),
        ("decisions", "body = replace(body, 'known', 'knowm')", "a/b", "1 decision", "decide again"),
        ("session", "value = '[1]'", "a/b", "1 setting of the console", "save what is missing again"),
        ("sendings", "body = x'00'", "a/b", "1 sending", "look on GitHub"),
        ("registry_session", "value = '[2]'", "a/b", "1 setting of a registry", "mark and sort"),
    ];
    for (table, change, name, what, remedy) in changes {
        let place = Place::new();
        let state = filled(&place);
        let before = everything(&state).unwrap();
        let key = sums::TABLES.iter().find(|one| one.name == table).expect("a table").known_by();
        let of = match table {
            "plan_marks" => "AND piece = 'p1'",
            "decisions" => "AND version = ''",
            _ => "",
        };
        let query = format!("UPDATE {table} SET {change} WHERE {key} = 'a/b' {of}");
        assert_eq!(state.connection.execute(&query, []).unwrap(), 1, "{query}");
        // Also where nobody looked since: it does not count.
        assert_ne!(everything(&state).ok().as_ref(), Some(&before), "{query}");
        assert!(!everything(&state).is_ok_and(|all| all.contains("opproved")), "{query}");
        let second = place.open();
        assert!(second.notice().is_some_and(|notice| notice.contains(what)), "{:?}", second.notice());
        drop((state, second));
        let state = place.open();
        let notice = state.notice().unwrap_or_default().to_owned();
        for part in [what, remedy, &format!("({name})"), "does not fit its checksum"] {
            assert!(notice.contains(part), "{query}: {notice}");
        }
        let lost = |text: &str| text.matches("p1").count() + text.matches("c/d").count();
        let after = everything(&state).unwrap();
        assert!(lost(&after) + 2 >= lost(&before) && after.contains("c/d"), "{query}: {after}");
        assert_eq!(state.load_fact("real", "a/b").unwrap(), Some(sample()));
        assert_eq!(state.last_jobs(None, 9).unwrap().len(), 1);
        drop(state);
        assert_eq!(place.open().notice(), None, "it is told once");
    }
}

/// After any single flipped bit of the file, people's decisions are the same or the loss is reported; and observed facts are
/// the same, or as if they had never been read.
#[test]
fn no_bit_of_the_file_flips_unnoticed() {
    use std::hash::{BuildHasher, RandomState};
    stamped!(&["src/store"]);
    let place = Place::new();
    let state = filled(&place);
    let before = everything(&state).unwrap();
    state.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    drop(state);
    let bytes = std::fs::read(place.path()).unwrap();
    let seed = RandomState::new().hash_one(0);
    let mut random = seed | 1;
    let mut noticed = 0;
    for turn in 0..1_500 {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        // The third page is the index of the worlds; one bit of it once hid everything.
        let bit = if turn == 0 { 65_570 } else { (random >> 8) as usize % (bytes.len() * 8) };
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let place = Place::new();
        std::fs::create_dir_all(place.path().parent().unwrap()).unwrap();
        std::fs::write(place.path(), flipped).unwrap();
        let Ok(state) = State::open(&place.path()) else {
            noticed += 1;
            continue;
        };
        let after = everything(&state);
        let is_told = state.notice().is_some() || after.is_err();
        noticed += usize::from(is_told);
        assert!(is_told || after.unwrap() == before, "seed {seed}: bit {bit} went unnoticed");
        for name in ["a/b", "c/d"] {
            let fact = state.load_fact("real", name);
            assert!(!matches!(fact, Ok(Some(other)) if other != sample()), "seed {seed}: bit {bit}");
        }
    }
    assert!(noticed > 0, "seed {seed}: nothing was noticed at all");
}

#[test]
fn sendings_are_kept_by_world_and_the_last_change_comes_first() {
    let place = Place::new();
    let mut state = place.open();
    for (world, digest, body) in
        [("real", "a", "1"), ("real", "b", "2"), ("demo", "a", "3"), ("real", "a", "4")]
    {
        state.save_sending(world, digest, body).unwrap();
    }
    drop(state);
    let state = place.open();
    assert_eq!(state.sendings("real").unwrap(), ["4", "2"]);
    assert_eq!(state.sendings("demo").unwrap(), ["3"]);
    assert_eq!(state.sendings("other").unwrap(), [""; 0]);
    let mut state = state;
    state.forget_sending("real", "a").unwrap();
    assert_eq!(
        (state.sendings("real").unwrap(), state.sendings("demo").unwrap()),
        (vec!["2".into()], vec!["3".into()])
    );
}
