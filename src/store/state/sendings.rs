//! What was sent to GitHub, or was about to be: one row for each sending, written before each of its requests and after it.
//!
//! Bodies are JSON texts that mean something to `jobs` alone, kept deflated: they hold the files that are sent.

use rusqlite::OptionalExtension;
use rusqlite::types::ValueRef;

use crate::store::Error;
use crate::store::state::State;
use crate::store::state::plans::{deflate, inflate, unreadable};
use crate::store::state::sums::SENDINGS;

impl State {
    /// Keeps how far a sending is, over what was kept of it.
    pub(crate) fn save_sending(&mut self, world: &str, digest: &str, body: &str) -> Result<(), Error> {
        self.change(|transaction| {
            let id = super::world_id(transaction, world)?;
            let body = deflate(body.as_bytes())?;
            SENDINGS.put(transaction, (id, world), &[ValueRef::from(digest), ValueRef::Blob(&body)])
        })
    }

    pub(crate) fn forget_sending(&mut self, world: &str, digest: &str) -> Result<(), Error> {
        self.change(|transaction| {
            let query =
                "DELETE FROM sendings WHERE world = (SELECT id FROM worlds WHERE name = ?1) AND digest = ?2";
            transaction.execute(query, [world, digest]).map(drop)
        })
    }

    /// All sendings of a world, those that changed last first.
    ///
    /// # Errors
    /// The database's; one does not fit its checksum.
    pub(crate) fn sendings(&self, world: &str) -> Result<Vec<String>, Error> {
        self.ask(|connection| {
            let known = "SELECT id FROM worlds WHERE name = ?1";
            let id: Option<i64> = connection.query_row(known, [world], |row| row.get(0)).optional()?;
            let query = "SELECT digest, body, sum FROM sendings WHERE world = ?1 ORDER BY rowid DESC";
            let mut statement = connection.prepare_cached(query)?;
            let mut rows = statement.query([id])?;
            let mut bodies = Vec::new();
            while let Some(row) = rows.next()? {
                if !SENDINGS.fits(world, &[row.get_ref(0)?, row.get_ref(1)?], row.get_ref(2)?) {
                    return Err(unreadable(1, "it does not fit its checksum".into()));
                }
                let body = String::from_utf8(inflate(row.get_ref(1)?)?);
                bodies.push(body.map_err(|error| unreadable(1, error.to_string().into()))?);
            }
            Ok(bodies)
        })
    }
}
