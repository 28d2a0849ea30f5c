//! Stamps of the facts. A cache of results that follow from facts compares them to see if the facts are unchanged. The database
//! itself draws a new one whenever facts are written, so that no writer can forget it.

use std::collections::HashMap;

use rusqlite::OptionalExtension;

use crate::store::Error;
use crate::store::state::State;

/// The stamps of all facts of a world at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FactStamps {
    /// Another one whenever any facts of the world were written or forgotten; `None`: there never were any.
    pub(crate) of_all: Option<i64>,
    pub(crate) by_repository: HashMap<String, i64>,
}

impl State {
    /// [`FactStamps::of_all`] alone.
    pub(crate) fn stamp_of_facts(&self, world: &str) -> Result<Option<i64>, Error> {
        self.ask(|connection| {
            let query = "SELECT stamp FROM fact_stamps
                         WHERE world = (SELECT id FROM worlds WHERE name = ?1)";
            connection.query_row(query, [world], |row| row.get(0)).optional()
        })
    }

    pub(crate) fn fact_stamps(&self, world: &str) -> Result<FactStamps, Error> {
        // One statement sees one moment.
        let mut by_repository: HashMap<String, i64> = self.ask(|connection| {
            let query = "SELECT repository, stamp FROM facts
                         WHERE world = (SELECT id FROM worlds WHERE name = ?1)
                         UNION ALL SELECT '', stamp FROM fact_stamps
                         WHERE world = (SELECT id FROM worlds WHERE name = ?1)";
            let mut statement = connection.prepare_cached(query)?;
            statement.query_map([world], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })?;
        Ok(FactStamps { of_all: by_repository.remove(""), by_repository })
    }
}

#[cfg(test)]
mod tests {
    use jiff::{SignedDuration, Timestamp};

    use super::*;
    use crate::store::StoredFacts;

    const WORLD: &str = "real";

    /// Whoever writes facts, in whatever way.
    #[test]
    fn they_last_as_long_as_their_facts() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = State::open(&folder.path().join("state.sqlite3")).unwrap();
        let stamps = |state: &State| {
            let stamps = state.fact_stamps(WORLD).unwrap();
            assert_eq!(state.stamp_of_facts(WORLD).unwrap(), stamps.of_all);
            stamps
        };
        assert_eq!(stamps(&state), FactStamps::default());
        let at = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(1);
        let mut facts = StoredFacts::default();
        facts.facts.first_repository_id = Some(7);
        let facts = [("a/b".to_owned(), facts), ("c/d".to_owned(), StoredFacts::default())];
        state.save_facts(WORLD, at, &facts).unwrap();
        let first = stamps(&state);
        assert_eq!((first.by_repository.len(), stamps(&state)), (2, first.clone()));
        state.save_facts(WORLD, at, &facts[..1]).unwrap();
        let second = stamps(&state);
        assert_ne!(second.of_all, first.of_all);
        assert_ne!(second.by_repository["a/b"], first.by_repository["a/b"]);
        assert_eq!(second.by_repository["c/d"], first.by_repository["c/d"]);
        state.save_facts("demo", at, &facts).unwrap();
        assert_eq!(stamps(&state), second);
        // Of the first the ids are kept; of the second there is nothing to keep.
        assert_eq!(state.prune_facts(at + SignedDuration::from_secs(1), 9).unwrap(), 4);
        let third = stamps(&state);
        assert_ne!(third.of_all, second.of_all);
        assert_ne!(third.by_repository["a/b"], second.by_repository["a/b"]);
        assert_eq!(third.by_repository.len(), 1);
        state.ask(|connection| connection.execute("DELETE FROM facts", [])).unwrap();
        let last = stamps(&state);
        assert!(last.of_all.is_some() && last.of_all != third.of_all && last.by_repository.is_empty());
    }
}
