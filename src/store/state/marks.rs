//! Small things that the console remembers, by name: the registry opened last, a filter, a sort order.

use rusqlite::{OptionalExtension, params};

use crate::store::Error;
use crate::store::state::State;

impl State {
    pub fn mark(&self, key: &str) -> Result<Option<Vec<u8>>, Error> {
        self.ask(|connection| {
            let mut statement = connection.prepare_cached("SELECT value FROM marks WHERE key = ?1")?;
            statement.query_row([key], |row| row.get(0)).optional()
        })
    }

    pub fn set_mark(&mut self, key: &str, value: &[u8]) -> Result<(), Error> {
        self.change(|transaction| {
            transaction.execute(
                "INSERT INTO marks (key, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = excluded.value",
                params![key, value],
            )?;
            Ok(())
        })
    }

    pub fn remove_mark(&mut self, key: &str) -> Result<(), Error> {
        self.change(|transaction| {
            transaction.execute("DELETE FROM marks WHERE key = ?1", [key])?;
            Ok(())
        })
    }
}
