//! Opens the state database: who may write, whether its format is known, and what to do with a damaged one.

use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::store::atomic::{make_private_folder, private};
use crate::store::error::{Error, ReadOnly};
use crate::store::state::{State, sums};

/// The time that one statement waits for another process's: checkpoints are short.
const BUSY: Duration = Duration::from_secs(2);
/// The most that stays of the database's own log on the disk once the log was written into the database.
const LOG_LIMIT_BYTES: i64 = 8 << 20;
/// The name, after the database's own, of the file that says that damage was met in it.
const SUSPECT: &str = ".suspect";

/// The steps from each format to the next; `user_version` counts the ones taken. Only ever append.
const STEPS: [&str; 9] = [
    "
    CREATE TABLE worlds (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE facts (
        world INTEGER NOT NULL REFERENCES worlds (id),
        repository TEXT NOT NULL,
        asked_at INTEGER NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (world, repository)
    ) WITHOUT ROWID;
    CREATE TABLE decisions (
        world INTEGER NOT NULL REFERENCES worlds (id),
        address TEXT NOT NULL,
        version TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (world, address, version)
    ) WITHOUT ROWID;
    CREATE TABLE journal (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        plan BLOB NOT NULL,
        started_at INTEGER NOT NULL,
        ended_at INTEGER,
        outcome TEXT
    );
    CREATE INDEX journal_unfinished ON journal (id) WHERE ended_at IS NULL;
    CREATE TABLE marks (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
",
    "
    CREATE TABLE plan_files (
        world INTEGER NOT NULL REFERENCES worlds (id),
        registry TEXT NOT NULL,
        address TEXT NOT NULL,
        body TEXT NOT NULL,
        base BLOB NOT NULL,
        proposed BLOB NOT NULL,
        PRIMARY KEY (world, registry, address)
    );
    CREATE TABLE plan_marks (
        world INTEGER NOT NULL REFERENCES worlds (id),
        registry TEXT NOT NULL,
        address TEXT NOT NULL,
        piece TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (world, registry, address, piece)
    ) WITHOUT ROWID;
    CREATE TABLE session (
        world INTEGER NOT NULL REFERENCES worlds (id),
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (world, key)
    ) WITHOUT ROWID;
",
    "
    CREATE TABLE registry_session (
        world INTEGER NOT NULL REFERENCES worlds (id),
        registry TEXT NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (world, registry, key)
    ) WITHOUT ROWID;
",
    // One row for each of `facts`, emptied whenever those change: no writer of facts can forget it.
    "
    CREATE TABLE verdicts (
        world INTEGER NOT NULL REFERENCES worlds (id),
        repository TEXT NOT NULL,
        stamp INTEGER NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (world, repository)
    ) WITHOUT ROWID;
    CREATE TRIGGER facts_came AFTER INSERT ON facts BEGIN
        DELETE FROM verdicts WHERE world = NEW.world AND repository = NEW.repository;
        INSERT INTO verdicts VALUES (NEW.world, NEW.repository, random(), x'');
    END;
    CREATE TRIGGER facts_changed AFTER UPDATE ON facts BEGIN
        DELETE FROM verdicts WHERE world = NEW.world AND repository = NEW.repository;
        INSERT INTO verdicts VALUES (NEW.world, NEW.repository, random(), x'');
    END;
    CREATE TRIGGER facts_went AFTER DELETE ON facts BEGIN
        DELETE FROM verdicts WHERE world = OLD.world AND repository = OLD.repository;
    END;
    INSERT INTO verdicts SELECT world, repository, random(), x'' FROM facts;
",
    // Verdicts lie in the cache folder from here on; what stays is a stamp for each of `facts`, and one for all of a world
    // under the name of no repository.
    "
    DROP TRIGGER facts_came;
    DROP TRIGGER facts_changed;
    DROP TRIGGER facts_went;
    DROP TABLE verdicts;
    CREATE TABLE fact_stamps (
        world INTEGER NOT NULL REFERENCES worlds (id),
        repository TEXT NOT NULL,
        stamp INTEGER NOT NULL,
        PRIMARY KEY (world, repository)
    ) WITHOUT ROWID;
    CREATE TRIGGER facts_came AFTER INSERT ON facts BEGIN
        DELETE FROM fact_stamps WHERE world = NEW.world AND repository IN ('', NEW.repository);
        INSERT INTO fact_stamps VALUES (NEW.world, NEW.repository, random()), (NEW.world, '', random());
    END;
    CREATE TRIGGER facts_changed AFTER UPDATE ON facts BEGIN
        DELETE FROM fact_stamps WHERE world = NEW.world AND repository IN ('', NEW.repository);
        INSERT INTO fact_stamps VALUES (NEW.world, NEW.repository, random()), (NEW.world, '', random());
    END;
    CREATE TRIGGER facts_went AFTER DELETE ON facts BEGIN
        DELETE FROM fact_stamps WHERE world = OLD.world AND repository IN ('', OLD.repository);
        INSERT INTO fact_stamps VALUES (OLD.world, '', random());
    END;
    INSERT INTO fact_stamps SELECT world, repository, random() FROM facts;
    INSERT INTO fact_stamps SELECT world, '', random() FROM facts GROUP BY world;
",
    // What people decided has a checksum from here on; `sums::seal` fills it in.
    "
    ALTER TABLE decisions ADD COLUMN sum INTEGER;
    ALTER TABLE plan_files ADD COLUMN sum INTEGER;
    ALTER TABLE plan_marks ADD COLUMN sum INTEGER;
    ALTER TABLE session ADD COLUMN sum INTEGER;
    ALTER TABLE registry_session ADD COLUMN sum INTEGER;
",
    // With its row numbers: they tell which sending changed last.
    "
    CREATE TABLE sendings (
        world INTEGER NOT NULL REFERENCES worlds (id),
        digest TEXT NOT NULL,
        body BLOB NOT NULL,
        sum INTEGER,
        PRIMARY KEY (world, digest)
    );
",
    // Jobs that an older bumpdesk recorded belong to no registry.
    "
    ALTER TABLE journal ADD COLUMN world INTEGER;
    ALTER TABLE journal ADD COLUMN registry TEXT;
",
    // Each fact has its stamp beside it, and one table has the stamp of each world. The triggers before this step deleted and
    // inserted two rows of a second tree for each fact, a sixth of the CPU of a survey. Facts that are saved together share a
    // stamp, so that the first of them alone changes that of their world; a writer who leaves the old stamp gets a new one. The
    // stamp stands before the body, so that reading all stamps skips the pages of long bodies.
    "
    CREATE TABLE stamped_facts (
        world INTEGER NOT NULL REFERENCES worlds (id),
        repository TEXT NOT NULL,
        stamp INTEGER NOT NULL DEFAULT (random()),
        asked_at INTEGER NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (world, repository)
    ) WITHOUT ROWID;
    INSERT INTO stamped_facts SELECT world, repository, random(), asked_at, body FROM facts;
    DROP TABLE facts;
    ALTER TABLE stamped_facts RENAME TO facts;
    DROP TABLE fact_stamps;
    CREATE TABLE fact_stamps (world INTEGER PRIMARY KEY REFERENCES worlds (id), stamp INTEGER NOT NULL);
    INSERT INTO fact_stamps SELECT world, random() FROM facts GROUP BY world;
    CREATE TRIGGER facts_came AFTER INSERT ON facts
    WHEN NEW.stamp IS NOT (SELECT stamp FROM fact_stamps WHERE world = NEW.world) BEGIN
        INSERT INTO fact_stamps VALUES (NEW.world, NEW.stamp) ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
    END;
    CREATE TRIGGER facts_changed AFTER UPDATE ON facts
    WHEN NEW.stamp <> OLD.stamp AND NEW.stamp IS NOT (SELECT stamp FROM fact_stamps WHERE world = NEW.world) BEGIN
        INSERT INTO fact_stamps VALUES (NEW.world, NEW.stamp) ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
    END;
    CREATE TRIGGER facts_kept_stamp AFTER UPDATE ON facts WHEN NEW.stamp = OLD.stamp BEGIN
        UPDATE facts SET stamp = random() WHERE world = NEW.world AND repository = NEW.repository;
    END;
    CREATE TRIGGER facts_went AFTER DELETE ON facts BEGIN
        INSERT INTO fact_stamps VALUES (OLD.world, random()) ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
    END;
",
];

/// The number of steps after which rows have checksums.
const SEALED: usize = 6;

/// All tables of today's format.
const TABLES: [&str; 11] = [
    "worlds",
    "facts",
    "decisions",
    "journal",
    "marks",
    "plan_files",
    "plan_marks",
    "sendings",
    "session",
    "registry_session",
    "fact_stamps",
];

pub(super) fn open(path: &Path) -> Result<State, Error> {
    let folder = path.parent().unwrap_or(Path::new("."));
    make_private_folder(folder).map_err(|cause| Error::from_write(folder, cause))?;
    let lock = match lock(path)? {
        Ok(lock) => lock,
        Err(because) => return open_to_read(path, because),
    };
    let (connection, notice) = match open_to_write(path) {
        Err(Error::Damaged { cause, .. }) => {
            let aside = move_aside(path)?;
            let mut connection = open_to_write(path)?;
            let saved = salvage(&aside, &mut connection.0);
            let notice = format!(
                "the state database was damaged ({cause}) and is now `{}`; a new one was begun with {saved}. The history of jobs is lost, and facts are asked for again",
                aside.display()
            );
            (connection.0, Some(notice))
        }
        // The lock may be ours and the folder not: then what the database writes beside itself cannot be made.
        Err(refused) if is_place(&refused) => return open_to_read(path, ReadOnly::Place),
        other => other?,
    };
    Ok(State { path: path.to_path_buf(), connection, lock: Ok(lock), notice })
}

/// Returns true if it failed because something may not be written or made there.
fn is_place(error: &Error) -> bool {
    match error {
        Error::Database { cause, .. } => cause.sqlite_error_code() == Some(ErrorCode::CannotOpen),
        Error::Write { cause, .. } => cause.kind() == io::ErrorKind::PermissionDenied,
        error => matches!(error, Error::ReadOnly { .. }),
    }
}

/// A program that was just started holds its parent's files, this lock among them, until it is loaded: that is no other
/// console, and over within a tenth of a second, on a busy machine too.
const LOCK_TRIES: u32 = 25;
const LOCK_PAUSE: Duration = Duration::from_millis(4);

/// Takes the lock for the life of this process, or says why it may not. The file itself stays: removing it would let two
/// processes lock two files of one name.
fn lock(path: &Path) -> Result<Result<File, ReadOnly>, Error> {
    let path = beside(path, ".lock");
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    let opened = private(&mut options).open(&path);
    let file = match opened {
        Ok(file) => file,
        // A state folder that may only be read is still good for reading.
        Err(cause) if cause.kind() == io::ErrorKind::PermissionDenied => return Ok(Err(ReadOnly::Place)),
        Err(cause) if cause.kind() == io::ErrorKind::ReadOnlyFilesystem => return Ok(Err(ReadOnly::Disk)),
        Err(cause) => return Err(Error::from_write(&path, cause)),
    };
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(Ok(file)),
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            Err(TryLockError::Error(cause)) => return Err(Error::from_write(&path, cause)),
        }
    }
    Ok(Err(ReadOnly::Held))
}

/// Copies the readable rows of a damaged database that do not come back by themselves into a new one. Returns them in words.
fn salvage(aside: &Path, to: &mut Connection) -> String {
    match Connection::open_with_flags(aside, OpenFlags::SQLITE_OPEN_READ_ONLY) {
        Ok(damaged) => sums::salvage(&damaged, to),
        Err(_) => "nothing of it, since it cannot be opened".to_owned(),
    }
}

/// The connection, and what is to be told of what was mended.
fn open_to_write(path: &Path) -> Result<(Connection, Option<String>), Error> {
    let failed = |cause| Error::from_database(path, cause);
    make_private(path).map_err(|cause| Error::from_write(path, cause))?;
    let mut connection = Connection::open(path).map_err(failed)?;
    connection.busy_timeout(BUSY).map_err(failed)?;
    // The version comes before all else: a newer database must not be changed, not even to WAL.
    let version = known_version(path, &connection)?;
    let suspected = beside(path, SUSPECT).exists();
    let settle = |connection: &mut Connection| {
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "normal")?;
        connection.pragma_update(None, "journal_size_limit", LOG_LIMIT_BYTES)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        // That it may not be written shows itself here, and not when somebody saves a view.
        connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK")?;
        migrate(connection, version)?;
        // A damaged schema shows itself here, and not in the middle of a survey.
        for table in TABLES {
            connection.query_row(
                &format!("SELECT count(*) FROM (SELECT 1 FROM {table} LIMIT 1)"),
                [],
                |_| Ok(()),
            )?;
        }
        if suspected {
            check_all(connection)?;
        }
        sums::mend(connection)
    };
    let mended = settle(&mut connection).map_err(failed)?;
    if suspected {
        // If it stays, the next start only takes longer.
        let _stays_otherwise = std::fs::remove_file(beside(path, SUSPECT));
    }
    Ok((connection, mended))
}

/// Makes the database, where there is none, readable for its user alone, as the log is, and mends that of an older bumpdesk.
/// Files that the database writes beside itself get its mode.
fn make_private(path: &Path) -> io::Result<()> {
    let mut options = File::options();
    options.create_new(true).write(true);
    match private(&mut options).open(path) {
        // By its name: closing the file would let go of the database's own locks in this process.
        Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => {
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let mode = path.metadata()?.permissions().mode();
                if mode & 0o077 != 0 {
                    let private = std::fs::Permissions::from_mode(mode & !0o077);
                    // Somebody else's stays as it is.
                    let _best_effort = std::fs::set_permissions(path, private);
                }
            }
            Ok(())
        }
        opened => opened.map(drop),
    }
}

/// Reads everything; damage comes back as the error that it is where it is met.
fn check_all(connection: &Connection) -> rusqlite::Result<()> {
    let text: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if text == "ok" {
        return Ok(());
    }
    let damage = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
    Err(rusqlite::Error::SqliteFailure(damage, Some(text)))
}

/// Has the next start check the whole database.
pub(super) fn suspect(path: &Path) {
    // Without the note damage is found again where it is, only later.
    let mut options = File::options();
    options.create(true).truncate(true).write(true);
    let _best_effort = private(&mut options).open(beside(path, SUSPECT));
}

fn migrate(connection: &mut Connection, version: usize) -> rusqlite::Result<()> {
    if version == STEPS.len() {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    for step in &STEPS[version..] {
        transaction.execute_batch(step)?;
    }
    if version < SEALED {
        sums::seal(&transaction)?;
    }
    transaction.pragma_update(None, "user_version", STEPS.len() as i64)?;
    transaction.commit()
}

/// The number of steps taken; an error if this bumpdesk does not know that many.
fn known_version(path: &Path, connection: &Connection) -> Result<usize, Error> {
    let found: i64 = connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .map_err(|cause| Error::from_database(path, cause))?;
    let known = STEPS.len() as i64;
    if (0..=known).contains(&found) {
        return Ok(found as usize);
    }
    Err(Error::NewerDatabase { path: path.to_path_buf(), found, known })
}

/// Opens what this console may not write. A database that it cannot bring to its format is none.
fn open_to_read(path: &Path, because: ReadOnly) -> Result<State, Error> {
    let failed = |cause| Error::from_database(path, cause);
    if because != ReadOnly::Held && !path.exists() {
        return Err(Error::ReadOnly { path: path.to_path_buf(), because });
    }
    let connection = connect_to_read(path, because).map_err(failed)?;
    connection.busy_timeout(BUSY).map_err(failed)?;
    let version = known_version(path, &connection)?;
    if version < STEPS.len() {
        let cause = io::Error::other("it is of an older format, or being made at this moment");
        return Err(Error::from_read(path, cause));
    }
    let folder = path.parent().unwrap_or(Path::new(".")).display();
    let why = match because {
        ReadOnly::Held => "another bumpdesk holds the state".to_owned(),
        ReadOnly::Place => format!("the state folder `{folder}` cannot be written"),
        ReadOnly::Disk => format!("the state folder `{folder}` is on a read-only disk"),
    };
    let notice = format!("{why}, so nothing is saved from here");
    let faults = sums::look(&connection).map_err(failed)?;
    let notice = faults.iter().fold(notice, |notice, faults| format!("{notice}; {faults}"));
    Ok(State { path: path.to_path_buf(), connection, lock: Err(because), notice: Some(notice) })
}

/// Even a reader writes beside the database, unless it is told that nobody changes it. That is said where somebody else may
/// be at it only if this reader cannot do otherwise.
fn connect_to_read(path: &Path, because: ReadOnly) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let plain = || {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.pragma_query_value(None, "user_version", |_| Ok(()))?;
        Ok(connection)
    };
    // What another process left in its log would be missed.
    let settled = beside(path, "-wal").metadata().map_or(0, |metadata| metadata.len()) == 0;
    let Some(name) = path.to_str().filter(|_| because != ReadOnly::Held && settled) else { return plain() };
    let name = name.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let alone = || {
        Connection::open_with_flags(format!("file:{name}?immutable=1"), flags | OpenFlags::SQLITE_OPEN_URI)
    };
    let in_use = beside(path, "-shm").exists();
    if in_use { plain().or_else(|_| alone()) } else { alone() }
}

/// Renames the database and what belongs to it, and gives its new name.
fn move_aside(path: &Path) -> Result<PathBuf, Error> {
    let free =
        (1..1_000_000).map(|number| beside(path, &format!(".damaged-{number}"))).find(|path| !path.exists());
    let aside = free.expect("no disk holds a million damaged databases");
    for suffix in ["", "-wal", "-shm", SUSPECT] {
        let from = beside(path, suffix);
        match std::fs::rename(&from, beside(&aside, suffix)) {
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
                return Err(Error::from_write(&from, cause));
            }
            _ => {}
        }
    }
    Ok(aside)
}

pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::StoredFacts;

    /// A database in a folder that cannot be written is read all the same, and no message blames another bumpdesk.
    #[test]
    fn a_place_that_cannot_be_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a 100%? #1/state.sqlite3");
        let facts = StoredFacts::default();
        let at = jiff::Timestamp::UNIX_EPOCH;
        open(&path).unwrap().save_facts("real", at, &[("a/b".into(), facts.clone())]).unwrap();
        for because in [ReadOnly::Disk, ReadOnly::Place] {
            let mut state = open_to_read(&path, because).unwrap();
            assert_eq!(state.load_fact("real", "a/b").unwrap(), Some(facts.clone()));
            assert!(state.notice().is_some_and(|notice| !notice.contains("another bumpdesk")));
            let refused = state.save_facts("real", at, &[]).unwrap_err().to_string();
            assert!(refused.contains("--state-dir") && !refused.contains("another bumpdesk"), "{refused}");
            let files = std::fs::read_dir(path.parent().unwrap()).unwrap().count();
            assert_eq!(files, 2, "the database and its lock, and nothing beside them");
        }
        // An empty state would be told as "no plan", "no jobs".
        for nothing in [folder.path().join("nowhere.sqlite3"), folder.path().join("empty.sqlite3")] {
            if nothing.ends_with("empty.sqlite3") {
                File::create(&nothing).unwrap();
            }
            open_to_read(&nothing, ReadOnly::Disk).unwrap_err();
        }
        let nowhere = open_to_read(&folder.path().join("nowhere.sqlite3"), ReadOnly::Place).unwrap_err();
        assert!(nowhere.to_string().contains("--state-dir"), "{nowhere}");
    }

    /// The lock file is there and ours from an earlier day; only nothing new can be made beside it.
    #[cfg(unix)]
    #[test]
    fn a_folder_in_which_nothing_can_be_made_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.sqlite3");
        let facts = StoredFacts::default();
        let at = jiff::Timestamp::UNIX_EPOCH;
        open(&path).unwrap().save_facts("real", at, &[("a/b".into(), facts.clone())]).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        // Rights do not hold for everybody; something else in the place of the database's own file does.
        let in_its_place = beside(&path, "-shm");
        for is_folder in [false, true] {
            if is_folder {
                std::fs::remove_file(&in_its_place).unwrap();
                std::fs::create_dir(&in_its_place).unwrap();
            } else {
                std::os::unix::fs::symlink(folder.path().join("no/where"), &in_its_place).unwrap();
            }
            let mut state = open(&path).unwrap();
            assert!(state.is_read_only(), "{is_folder}");
            assert_eq!(state.load_fact("real", "a/b").unwrap(), Some(facts.clone()));
            let notice = state.notice().unwrap();
            assert!(notice.contains(&format!("`{}` cannot be written", folder.path().display())), "{notice}");
            let refused = state.save_facts("real", at, &[]).unwrap_err().to_string();
            assert!(refused.contains("state.sqlite3") && refused.contains("--state-dir"), "{refused}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
    }
}
