//! What this maintainer decided, by world. Stored as JSON: decisions are few, and must outlive changes of the types.

use rusqlite::types::ValueRef;

use crate::registry::Decision;
use crate::store::Error;
use crate::store::state::State;
use crate::store::state::sums::DECISIONS;

impl State {
    /// All decisions of one world, by address and version. One that cannot be read, or does not fit its
    /// checksum, is left in place and out of the list.
    pub(crate) fn decisions(&self, world: &str) -> Result<Vec<Decision>, Error> {
        let bodies: Vec<String> = self.ask(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT address, version, body, sum FROM decisions
                 WHERE world = (SELECT id FROM worlds WHERE name = ?1)",
            )?;
            let mut rows = statement.query([world])?;
            let mut bodies = Vec::new();
            while let Some(row) = rows.next()? {
                let columns = [row.get_ref(0)?, row.get_ref(1)?, row.get_ref(2)?];
                if DECISIONS.fits(world, &columns, row.get_ref(3)?) {
                    bodies.push(row.get(2)?);
                }
            }
            Ok(bodies)
        })?;
        Ok(bodies.iter().filter_map(|body| serde_json::from_str(body).ok()).collect())
    }

    /// Saves decisions, all or none, each over an earlier one about the same address and version.
    pub(crate) fn save_decisions(&mut self, world: &str, decisions: &[Decision]) -> Result<(), Error> {
        self.change(|transaction| {
            let world = (super::world_id(transaction, world)?, world);
            for decision in decisions {
                let body = serde_json::to_value(decision)
                    .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
                let version = decision.version.as_deref().unwrap_or_default();
                let body = body.to_string();
                let columns = [&*decision.address, version, &body].map(ValueRef::from);
                DECISIONS.put(transaction, world, &columns)?;
            }
            Ok(())
        })
    }

    /// Takes a decision back; whether there was one.
    pub(crate) fn remove_decision(
        &mut self,
        world: &str,
        address: &str,
        version: Option<&str>,
    ) -> Result<bool, Error> {
        let removed = self.change(|transaction| {
            transaction.execute(
                "DELETE FROM decisions WHERE world = (SELECT id FROM worlds WHERE name = ?1)
                 AND address = ?2 AND version = ?3",
                [world, address, version.unwrap_or_default()],
            )
        })?;
        Ok(removed > 0)
    }
}
