//! The state of the console: one SQLite database with what was observed, decided and done.
//!
//! The first console holds a lock and writes; others read. WAL keeps a killed process from harming it; a damaged database
//! is moved aside, never deleted; one of a newer bumpdesk is not touched. Knows nothing of a network or of jobs. Called by
//! `jobs`.

mod decisions;
mod facts;
mod journal;
mod open;
mod plans;
mod sendings;
mod session;
mod stamps;
mod sums;
mod tidy;

use std::fs::File;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::store::error::{Error, ReadOnly};

pub(crate) use facts::StoredFacts;
pub(crate) use journal::JobRecord;
pub(crate) use plans::{RegistryKey, StoredPlanFile};
pub(crate) use stamps::FactStamps;
pub(crate) use tidy::{StateSize, state_size};

/// The opened state database.
#[derive(Debug)]
pub(crate) struct State {
    path: PathBuf,
    connection: Connection,
    /// Held for as long as this console may write; or why it may not.
    lock: Result<File, ReadOnly>,
    notice: Option<String>,
}

impl State {
    /// Opens the database, or makes it. Never waits for another console: while one holds it, this one reads only.
    ///
    /// # Errors
    /// `NewerDatabase`, `Write` where the folder does not allow a new file, or `Damaged` where it cannot be moved aside.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        open::open(path)
    }

    /// Whether this console may not write the database.
    pub(crate) fn is_read_only(&self) -> bool {
        self.lock.is_err()
    }

    /// Something to tell once, such as that a damaged database was moved aside, or what does not fit its checksum.
    pub(crate) fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// Reads the whole database and says what is wrong with it; nothing if all is well. For a health check: it takes as
    /// long as the database is large.
    #[cfg(test)]
    pub(crate) fn check(&self) -> Result<Option<String>, Error> {
        let text: String =
            self.ask(|connection| connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)))?;
        Ok((text != "ok").then_some(text))
    }

    fn ask<T>(&self, question: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Error> {
        question(&self.connection).map_err(|cause| self.failed(cause))
    }

    /// Does all of it or nothing.
    fn change<T>(
        &mut self,
        change: impl FnOnce(&rusqlite::Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        if let Err(because) = self.lock {
            return Err(Error::ReadOnly { path: self.path.clone(), because });
        }
        let run = || {
            let transaction =
                self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            let value = change(&transaction)?;
            transaction.commit()?;
            Ok(value)
        };
        let done = run();
        done.map_err(|cause| self.failed(cause))
    }

    /// Damage is also noted beside the database, so that the next start looks at all of it and not just at its head.
    fn failed(&self, cause: rusqlite::Error) -> Error {
        let error = Error::from_database(&self.path, cause);
        if matches!(error, Error::Damaged { .. }) && !self.is_read_only() {
            open::suspect(&self.path);
        }
        error
    }
}

/// The number of a world, which it gets when something is first saved about it.
fn world_id(connection: &Connection, world: &str) -> rusqlite::Result<i64> {
    connection.execute("INSERT INTO worlds (name) VALUES (?1) ON CONFLICT DO NOTHING", [world])?;
    connection.query_row("SELECT id FROM worlds WHERE name = ?1", [world], |row| row.get(0))
}

#[cfg(test)]
mod tests;
