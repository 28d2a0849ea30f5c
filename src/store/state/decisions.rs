//! What this maintainer decided, by world. Stored as JSON: decisions are few, and must outlive changes of the types.

use rusqlite::params;
use serde_json::Value;

use crate::registry::Decision;
use crate::store::Error;
use crate::store::state::State;

impl State {
    /// All decisions of one world, by address and version. One that cannot be read is left in place and out of the list.
    pub(crate) fn decisions(&self, world: &str) -> Result<Vec<Decision>, Error> {
        let bodies: Vec<String> = self.ask(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT body FROM decisions WHERE world = (SELECT id FROM worlds WHERE name = ?1)",
            )?;
            statement.query_map([world], |row| row.get(0))?.collect()
        })?;
        Ok(bodies.iter().filter_map(|body| serde_json::from_str(body).ok()).collect())
    }

    /// Saves decisions, all or none, each over an earlier one about the same address and version.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "written once tags can be ignored on the stranded board")
    )]
    pub(crate) fn save_decisions(&mut self, world: &str, decisions: &[Decision]) -> Result<(), Error> {
        self.change(|transaction| {
            let world = super::world_id(transaction, world)?;
            let mut statement = transaction.prepare_cached(
                "INSERT INTO decisions (world, address, version, body) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT DO UPDATE SET body = excluded.body",
            )?;
            for decision in decisions {
                let body = serde_json::to_value(decision)
                    .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
                let version = decision.version.as_deref().unwrap_or_default();
                statement.execute(params![world, decision.address, version, Value::to_string(&body)])?;
            }
            Ok(())
        })
    }

    /// Takes a decision back; whether there was one.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "written once tags can be ignored on the stranded board")
    )]
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
