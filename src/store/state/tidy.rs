//! The size of the state: how large it is, and giving back to the disk what is free in it.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags, OptionalExtension};

use crate::store::Error;
use crate::store::state::State;
use crate::store::state::open::beside;

/// Less than this in free pages is not worth writing the database anew: the next survey fills them.
const WORTH_BYTES: u64 = 1 << 20;
/// Nor is less than one part in so many.
const WORTH_SHARE: u64 = 3;

const TIDIED: &str = "tidied";

/// What the state takes, and of what there is how much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StateSize {
    /// With the log of the database.
    pub(crate) bytes: u64,
    /// Free in it, and filled before it grows.
    pub(crate) free_bytes: u64,
    pub(crate) repositories: u64,
    pub(crate) planned_files: u64,
    pub(crate) jobs: u64,
}

impl State {
    /// When old facts were looked for last.
    pub(crate) fn tidied_at(&self) -> Result<Option<Timestamp>, Error> {
        let at: Option<i64> = self.ask(|connection| {
            connection
                .query_row("SELECT value FROM marks WHERE key = ?1", [TIDIED], |row| row.get(0))
                .optional()
        })?;
        Ok(at.and_then(|at| Timestamp::from_millisecond(at).ok()))
    }

    pub(crate) fn note_tidied(&mut self, at: Timestamp) -> Result<(), Error> {
        self.change(|transaction| {
            let query = "INSERT INTO marks (key, value) VALUES (?1, ?2)
                         ON CONFLICT DO UPDATE SET value = excluded.value";
            transaction.execute(query, rusqlite::params![TIDIED, at.as_millisecond()]).map(drop)
        })
    }

    /// Writes the database anew without what is free in it, where that is worth it, and says whether it was. Other consoles
    /// read on meanwhile.
    pub(crate) fn compact(&mut self) -> Result<bool, Error> {
        if self.is_read_only() {
            return Ok(false);
        }
        let (free, all) = self.ask(|connection| Ok((free_bytes(connection)?, bytes(connection)?)))?;
        if free < WORTH_BYTES || free < all / WORTH_SHARE {
            return Ok(false);
        }
        self.ask(|connection| connection.execute_batch("VACUUM"))?;
        Ok(true)
    }
}

/// The size of a state database, without holding it or making it; `None` where there is none that can be read.
pub(crate) fn state_size(path: &Path) -> Option<StateSize> {
    let file = |suffix: &str| beside(path, suffix).metadata().map_or(0, |metadata| metadata.len());
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).ok()?;
    let count = |query: &str| {
        let count = connection.query_row(&format!("SELECT count(*) FROM {query}"), [], |row| row.get(0));
        count.ok().map(|count: i64| count as u64)
    };
    Some(StateSize {
        bytes: file("") + file("-wal"),
        free_bytes: free_bytes(&connection).ok()?,
        repositories: count("facts WHERE asked_at > 0")?,
        planned_files: count("plan_files")?,
        jobs: count("journal")?,
    })
}

fn free_bytes(connection: &Connection) -> rusqlite::Result<u64> {
    Ok(pragma(connection, "freelist_count")? * pragma(connection, "page_size")?)
}

fn bytes(connection: &Connection) -> rusqlite::Result<u64> {
    Ok(pragma(connection, "page_count")? * pragma(connection, "page_size")?)
}

fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<u64> {
    connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).map(|value| value as u64)
}
