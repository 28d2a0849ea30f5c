//! What a console remembers between runs, by world: views, sort orders, marks, folds. Values are JSON texts that mean
//! something to the faces alone; small, since all of them are read at once.

use std::collections::BTreeMap;

use rusqlite::params;

use crate::store::Error;
use crate::store::state::State;

/// A value larger than this is not kept.
const VALUE_LIMIT_BYTES: usize = 256 << 10;

impl State {
    /// Everything that is remembered in one world.
    pub fn load_session(&self, world: &str) -> Result<BTreeMap<String, String>, Error> {
        self.ask(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT key, value FROM session WHERE world = (SELECT id FROM worlds WHERE name = ?1)",
            )?;
            statement.query_map([world], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
    }

    /// Remembers values, all or none, over those of the same keys; an empty value forgets its key. One that is too large
    /// is left out.
    pub fn save_session(&mut self, world: &str, values: &BTreeMap<String, String>) -> Result<(), Error> {
        self.change(|transaction| {
            let world = super::world_id(transaction, world)?;
            let mut keep = transaction.prepare_cached(
                "INSERT INTO session (world, key, value) VALUES (?1, ?2, ?3)
                 ON CONFLICT DO UPDATE SET value = excluded.value",
            )?;
            let mut forget =
                transaction.prepare_cached("DELETE FROM session WHERE world = ?1 AND key = ?2")?;
            for (key, value) in values.iter().filter(|(_, value)| value.len() <= VALUE_LIMIT_BYTES) {
                if value.is_empty() {
                    forget.execute(params![world, key])?;
                } else {
                    keep.execute(params![world, key, value])?;
                }
            }
            Ok(())
        })
    }
}
