//! What a console remembers between runs: by world (views, filters), and by world and registry (marks, sort orders, folds).
//! Values are JSON texts that mean something to the faces alone; all of them are read at once. One that does
//! not fit its checksum is none.

use std::collections::BTreeMap;

use rusqlite::params;
use rusqlite::types::ValueRef;

use crate::store::Error;
use crate::store::state::sums::{REGISTRY_SESSION, SESSION};
use crate::store::state::{RegistryKey, State};

/// No value is larger: the marks of a hundred thousand entries take half of this.
const VALUE_LIMIT_BYTES: usize = 8 << 20;

impl State {
    /// What is remembered in one world, whichever registry is open.
    pub(crate) fn load_session(&self, world: &str) -> Result<BTreeMap<String, String>, Error> {
        self.ask(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT key, value, sum FROM session WHERE world = (SELECT id FROM worlds WHERE name = ?1)",
            )?;
            let mut rows = statement.query([world])?;
            let mut values = BTreeMap::new();
            while let Some(row) = rows.next()? {
                let columns = [row.get_ref(0)?, row.get_ref(1)?];
                if SESSION.fits(world, &columns, row.get_ref(2)?) {
                    values.insert(row.get(0)?, row.get(1)?);
                }
            }
            Ok(values)
        })
    }

    /// What is remembered of one registry.
    pub(crate) fn load_registry_session(
        &self,
        of: RegistryKey<'_>,
    ) -> Result<BTreeMap<String, String>, Error> {
        self.ask(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT key, value, sum FROM registry_session
                 WHERE world = (SELECT id FROM worlds WHERE name = ?1) AND registry = ?2",
            )?;
            let mut rows = statement.query([of.world, of.registry])?;
            let mut values = BTreeMap::new();
            while let Some(row) = rows.next()? {
                let columns = [ValueRef::from(of.registry), row.get_ref(0)?, row.get_ref(1)?];
                if REGISTRY_SESSION.fits(of.world, &columns, row.get_ref(2)?) {
                    values.insert(row.get(0)?, row.get(1)?);
                }
            }
            Ok(values)
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
            let id = super::world_id(transaction, world)?;
            let mut forget =
                transaction.prepare_cached("DELETE FROM session WHERE world = ?1 AND key = ?2")?;
            for (key, value) in values {
                if value.is_empty() {
                    forget.execute(params![id, key])?;
                } else {
                    let columns = [key.as_str(), value].map(ValueRef::from);
                    SESSION.put(transaction, (id, world), &columns)?;
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
            let id = super::world_id(transaction, of.world)?;
            let mut forget = transaction.prepare_cached(
                "DELETE FROM registry_session WHERE world = ?1 AND registry = ?2 AND key = ?3",
            )?;
            for (key, value) in values {
                if value.is_empty() {
                    forget.execute(params![id, of.registry, key])?;
                } else {
                    let columns = [of.registry, key, value].map(ValueRef::from);
                    REGISTRY_SESSION.put(transaction, (id, of.world), &columns)?;
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
