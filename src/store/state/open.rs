//! Opens the state database: who may write, whether its format is known, and what to do with a damaged one.

use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::store::Error;
use crate::store::state::State;
use crate::store::state::salvage::salvage;

/// How long one statement waits for another process's: checkpoints are short.
const BUSY: Duration = Duration::from_secs(2);
/// What stays of the database's own log on the disk once it was written into the database.
const LOG_LIMIT_BYTES: i64 = 8 << 20;
/// The name, after the database's own, of the file that says that damage was met in it.
const SUSPECT: &str = ".suspect";

/// The steps from each format to the next; `user_version` counts the ones taken. Only ever append.
const STEPS: [&str; 5] = [
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
];

/// All tables of today's format.
const TABLES: [&str; 10] = [
    "worlds",
    "facts",
    "decisions",
    "journal",
    "marks",
    "plan_files",
    "plan_marks",
    "session",
    "registry_session",
    "fact_stamps",
];

pub(super) fn open(path: &Path) -> Result<State, Error> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|cause| Error::from_write(folder, cause))?;
    let Some(lock) = lock(path)? else { return open_to_read(path) };
    let (connection, notice) = match open_to_write(path) {
        Err(Error::Damaged { cause, .. }) => {
            let aside = move_aside(path)?;
            let mut connection = open_to_write(path)?;
            let saved = salvage(&aside, &mut connection);
            let notice = format!(
                "the state database was damaged ({cause}) and is now `{}`; a new one was begun with {saved}. The history of jobs is lost, and facts are asked anew",
                aside.display()
            );
            (connection, Some(notice))
        }
        other => (other?, None),
    };
    Ok(State { path: path.to_path_buf(), connection, lock: Some(lock), notice })
}

/// A program that was just started holds its parent's files, this lock among them, until it is loaded: that is no other
/// console, and over within these few milliseconds.
const LOCK_TRIES: u32 = 5;
const LOCK_PAUSE: Duration = Duration::from_millis(4);

/// Takes the lock for the life of this process; `None` while another has it. The file itself stays: removing it would let
/// two processes lock two files of one name.
fn lock(path: &Path) -> Result<Option<File>, Error> {
    let path = beside(path, ".lock");
    let opened = File::options().create(true).truncate(false).write(true).open(&path);
    let file = match opened {
        Ok(file) => file,
        // A state folder that may only be read is still good for reading.
        Err(cause) if is_read_only(&cause) => return Ok(None),
        Err(cause) => return Err(Error::from_write(&path, cause)),
    };
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            Err(TryLockError::Error(cause)) => return Err(Error::from_write(&path, cause)),
        }
    }
    Ok(None)
}

fn is_read_only(cause: &io::Error) -> bool {
    matches!(cause.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

fn open_to_write(path: &Path) -> Result<Connection, Error> {
    let failed = |cause| Error::from_database(path, cause);
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
        migrate(connection, version)?;
        // A damaged schema shows itself here, and not in the middle of a survey.
        for table in TABLES {
            connection.query_row(
                &format!("SELECT count(*) FROM (SELECT 1 FROM {table} LIMIT 1)"),
                [],
                |_| Ok(()),
            )?;
        }
        if suspected { check_all(connection) } else { Ok(()) }
    };
    settle(&mut connection).map_err(failed)?;
    if suspected {
        // If it stays, the next start only takes longer.
        let _stays_otherwise = std::fs::remove_file(beside(path, SUSPECT));
    }
    Ok(connection)
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
    let _best_effort = File::create(beside(path, SUSPECT));
}

fn migrate(connection: &mut Connection, version: usize) -> rusqlite::Result<()> {
    if version == STEPS.len() {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    for step in &STEPS[version..] {
        transaction.execute_batch(step)?;
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

/// Opens what another console writes. A database that this console cannot bring to its format is as good as none.
fn open_to_read(path: &Path) -> Result<State, Error> {
    let failed = |cause| Error::from_database(path, cause);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = Connection::open_with_flags(path, flags);
    let told = opened.and_then(|connection| {
        connection.busy_timeout(BUSY)?;
        let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
        Ok((connection, tables))
    });
    let state = |connection, notice: &str| State {
        path: path.to_path_buf(),
        connection,
        lock: None,
        notice: Some(notice.to_owned()),
    };
    match told {
        Ok((connection, tables)) if tables > 0 => {
            let version = known_version(path, &connection)?;
            if version == STEPS.len() {
                return Ok(state(
                    connection,
                    "another bumpdesk holds the state, so nothing is saved from here",
                ));
            }
        }
        Ok(_) => {}
        Err(cause) if cause.sqlite_error_code() == Some(rusqlite::ErrorCode::CannotOpen) => {}
        Err(cause) => return Err(failed(cause)),
    }
    let mut connection = Connection::open_in_memory().map_err(failed)?;
    migrate(&mut connection, 0).map_err(failed)?;
    Ok(state(
        connection,
        "the state database cannot be read from here, so this console begins without it and saves nothing",
    ))
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
