//! Verdicts that were judged before, beside the facts that they follow from: the database itself empties them when those
//! facts change. What they are made of besides, and how long they hold, stands in their bytes.

use std::collections::HashMap;

use rusqlite::{OptionalExtension, params};

use crate::store::Error;
use crate::store::state::State;

/// What is kept of one repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StoredVerdicts {
    /// Another one whenever the facts were written.
    pub(crate) stamp: i64,
    /// Empty: nobody judged by these facts yet, or what was kept is damaged.
    pub(crate) body: Vec<u8>,
}

impl StoredVerdicts {
    fn read(row: &rusqlite::Row<'_>, first: usize) -> rusqlite::Result<Self> {
        let body = row.get_ref(first + 1)?.as_blob().unwrap_or_default();
        Ok(Self { stamp: row.get(first)?, body: unsealed(body).unwrap_or_default().to_vec() })
    }
}

impl State {
    /// All of one world, by repository: one for each repository of which there are facts.
    pub(crate) fn load_verdicts(&self, world: &str) -> Result<HashMap<String, StoredVerdicts>, Error> {
        self.ask(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT repository, stamp, body FROM verdicts WHERE world = (SELECT id FROM worlds WHERE name = ?1)",
            )?;
            let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, StoredVerdicts::read(row, 1)?));
            statement.query_map([world], read)?.collect()
        })
    }

    /// Those of one repository.
    pub(crate) fn load_verdicts_of(
        &self,
        world: &str,
        repository: &str,
    ) -> Result<Option<StoredVerdicts>, Error> {
        self.ask(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT stamp, body FROM verdicts WHERE world = (SELECT id FROM worlds WHERE name = ?1) AND repository = ?2",
            )?;
            statement.query_row([world, repository], |row| StoredVerdicts::read(row, 0)).optional()
        })
    }

    /// Keeps verdicts by repository, each only if the facts are still those that it was judged by.
    pub(crate) fn save_verdicts(
        &mut self,
        world: &str,
        verdicts: &HashMap<String, StoredVerdicts>,
    ) -> Result<(), Error> {
        self.change(|transaction| {
            let mut statement = transaction.prepare_cached(
                "UPDATE verdicts SET body = ?4 WHERE world = (SELECT id FROM worlds WHERE name = ?1)
                 AND repository = ?2 AND stamp = ?3",
            )?;
            for (repository, StoredVerdicts { stamp, body }) in verdicts {
                statement.execute(params![world, repository, stamp, sealed(body)])?;
            }
            Ok(())
        })
    }
}

/// The bytes behind their checksum.
fn sealed(body: &[u8]) -> Vec<u8> {
    [&checksum(body), body].concat()
}

fn unsealed(stored: &[u8]) -> Option<&[u8]> {
    let (sum, body) = stored.split_at_checked(4)?;
    (sum == checksum(body)).then_some(body)
}

fn checksum(body: &[u8]) -> [u8; 4] {
    let mut sum = flate2::Crc::new();
    sum.update(body);
    sum.sum().to_le_bytes()
}

#[cfg(test)]
mod tests {
    use jiff::{SignedDuration, Timestamp};

    use super::*;
    use crate::store::StoredFacts;

    const WORLD: &str = "real";

    fn kept(state: &State) -> Vec<u8> {
        state.load_verdicts_of(WORLD, "a/b").unwrap().unwrap().body
    }

    fn keep(state: &mut State) {
        let stored =
            StoredVerdicts { body: b"fine".into(), ..state.load_verdicts(WORLD).unwrap()["a/b"].clone() };
        state.save_verdicts(WORLD, &[("a/b".to_owned(), stored)].into()).unwrap();
    }

    /// Whoever writes facts, in whatever way, and whoever judged by older ones.
    #[test]
    fn they_last_as_long_as_their_facts() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = State::open(&folder.path().join("state.sqlite3")).unwrap();
        let at = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(1);
        let mut facts = StoredFacts::default();
        facts.facts.first_repository_id = Some(7);
        let facts = [("a/b".to_owned(), facts), ("c/d".to_owned(), StoredFacts::default())];
        state.save_facts(WORLD, at, &facts).unwrap();
        assert_eq!(state.load_verdicts(WORLD).unwrap().len(), 2);
        keep(&mut state);
        assert_eq!(kept(&state), b"fine");
        let before = state.load_verdicts(WORLD).unwrap();
        state.save_facts(WORLD, at, &facts).unwrap();
        assert_eq!(kept(&state), b"");
        state.save_verdicts(WORLD, &before).unwrap();
        assert_eq!(kept(&state), b"", "judged by the facts before");
        keep(&mut state);
        // Of the first the ids are kept; of the second there is nothing to keep.
        assert_eq!(state.prune_facts(at + SignedDuration::from_secs(1), 9).unwrap(), 2);
        assert_eq!(state.load_verdicts(WORLD).unwrap().keys().collect::<Vec<_>>(), ["a/b"]);
        assert_eq!(kept(&state), b"");
        assert!(state.load_verdicts("demo").unwrap().is_empty());
    }

    #[test]
    fn damaged_ones_are_as_good_as_none() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = State::open(&folder.path().join("state.sqlite3")).unwrap();
        state
            .save_facts(WORLD, Timestamp::UNIX_EPOCH, &[("a/b".to_owned(), StoredFacts::default())])
            .unwrap();
        for damage in ["x'00'", "x'0011223344'", "body || x'00'", "'text'", "substr(body, 1, 6)"] {
            keep(&mut state);
            assert_eq!(kept(&state), b"fine");
            state
                .ask(|connection| connection.execute(&format!("UPDATE verdicts SET body = {damage}"), []))
                .unwrap();
            assert_eq!(kept(&state), b"", "{damage}");
        }
    }
}
