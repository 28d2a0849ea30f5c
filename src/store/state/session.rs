//! What a console remembers between runs: by world (views, filters), and by world and registry (marks, sort orders, folds).
//! Values are JSON texts that mean something to the faces alone; all of them are read at once.

use std::collections::BTreeMap;

use rusqlite::params;

use crate::store::Error;
use crate::store::state::{RegistryKey, State};

/// No value is larger: the marks of a hundred thousand entries take half of this.
const VALUE_LIMIT_BYTES: usize = 8 << 20;

impl State {
    /// What is remembered in one world, whichever registry is open.
    pub(crate) fn load_session(&self, world: &str) -> Result<BTreeMap<String, String>, Error> {
        self.ask(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT key, value FROM session WHERE world = (SELECT id FROM worlds WHERE name = ?1)",
            )?;
            statement.query_map([world], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
    }

    /// What is remembered of one registry.
    pub(crate) fn load_registry_session(
        &self,
        of: RegistryKey<'_>,
    ) -> Result<BTreeMap<String, String>, Error> {
        self.ask(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT key, value FROM registry_session
                 WHERE world = (SELECT id FROM worlds WHERE name = ?1) AND registry = ?2",
            )?;
            statement.query_map([of.world, of.registry], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
    }

    /// Remembers values, all or none, over those of the same keys; an empty value forgets its key.
    ///
    /// # Errors
    /// `Refused` for a value that is too large; else the database's.
    pub(crate) fn save_session(
        &mut self,
        world: &str,
        values: &BTreeMap<String, String>,
    ) -> Result<(), Error> {
        check_sizes(values)?;
        self.change(|transaction| {
            let world = super::world_id(transaction, world)?;
            let mut keep = transaction.prepare_cached(
                "INSERT INTO session (world, key, value) VALUES (?1, ?2, ?3)
                 ON CONFLICT DO UPDATE SET value = excluded.value",
            )?;
            let mut forget =
                transaction.prepare_cached("DELETE FROM session WHERE world = ?1 AND key = ?2")?;
            for (key, value) in values {
                if value.is_empty() {
                    forget.execute(params![world, key])?;
                } else {
                    keep.execute(params![world, key, value])?;
                }
            }
            Ok(())
        })
    }

    /// The same for one registry.
    ///
    /// # Errors
    /// As those of [`Self::save_session`].
    pub(crate) fn save_registry_session(
        &mut self,
        of: RegistryKey<'_>,
        values: &BTreeMap<String, String>,
    ) -> Result<(), Error> {
        check_sizes(values)?;
        self.change(|transaction| {
            let world = super::world_id(transaction, of.world)?;
            let mut keep = transaction.prepare_cached(
                "INSERT INTO registry_session (world, registry, key, value) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT DO UPDATE SET value = excluded.value",
            )?;
            let mut forget = transaction.prepare_cached(
                "DELETE FROM registry_session WHERE world = ?1 AND registry = ?2 AND key = ?3",
            )?;
            for (key, value) in values {
                if value.is_empty() {
                    forget.execute(params![world, of.registry, key])?;
                } else {
                    keep.execute(params![world, of.registry, key, value])?;
                }
            }
            Ok(())
        })
    }
}

fn check_sizes(values: &BTreeMap<String, String>) -> Result<(), Error> {
    match values.iter().find(|(_, value)| value.len() > VALUE_LIMIT_BYTES) {
        Some((key, _)) => {
            let reason = "it is larger than the 8 MiB that the state takes of one text";
            Err(Error::Refused { path: key.clone(), reason })
        }
        None => Ok(()),
    }
}
