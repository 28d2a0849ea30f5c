//! Observed facts about upstream repositories, by world (the hosts that were read) and repository.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};

use crate::registry::Facts;
use crate::store::Error;
use crate::store::state::State;

/// The format of a stored body. Postcard names no fields, so any change to the types of `registry::Facts` needs the next
/// number; a test holds the bytes of this one. Facts of another format count as never asked, and so do those that do not
/// fit their checksum: a database knows whether it is in order, not whether a disk turned one bit of a text.
const FORMAT: u8 = 8;
/// The format, and the checksum of what follows and of whose it is.
const HEAD_BYTES: usize = 1 + 4;
/// In the place of the time: nothing but the repository's ids is kept any more.
const FORGOTTEN: i64 = 0;

/// The facts about one repository and what is needed to ask again cheaply.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredFacts {
    pub(crate) facts: Facts,
    /// Validators of answers, by the name of the source, such as `feed`. Their bytes mean something to `remote` alone.
    pub(crate) validators: BTreeMap<Box<str>, Vec<u8>>,
}

impl State {
    /// The facts of one repository.
    pub(crate) fn load_fact(&self, world: &str, repository: &str) -> Result<Option<StoredFacts>, Error> {
        let body = self.ask(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT body FROM facts WHERE world = (SELECT id FROM worlds WHERE name = ?1) AND repository = ?2",
            )?;
            statement.query_row([world, repository], |row| row.get::<_, Vec<u8>>(0)).optional()
        })?;
        Ok(body.and_then(|body| decode((world, repository), &body)))
    }

    /// Saves the facts of some repositories, each named once, all or none, over what was known of them, and returns the stamp that
    /// these facts share. `asked_at` is when the questions were asked, for [`Self::prune_facts`].
    pub(crate) fn save_facts(
        &mut self,
        world: &str,
        asked_at: Timestamp,
        facts: &[(String, StoredFacts)],
    ) -> Result<i64, Error> {
        self.change(|transaction| {
            let id = super::world_id(transaction, world)?;
            let mut statement = transaction.prepare_cached(
                "INSERT INTO facts (world, repository, stamp, asked_at, body) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT DO UPDATE
                 SET stamp = excluded.stamp, asked_at = excluded.asked_at, body = excluded.body",
            )?;
            let stamp: i64 = transaction.query_row("SELECT random()", [], |row| row.get(0))?;
            let mut body = Vec::new();
            for (repository, facts) in facts {
                encode((world, repository), facts, &mut body)?;
                statement.execute(params![id, repository, stamp, asked_at.as_millisecond(), body])?;
            }
            Ok(stamp)
        })
    }

    /// Forgets what was asked before that time in any world, of at most `most` repositories, and gives their number. Which
    /// repository it was stays: a name that comes back may be somebody else's.
    pub(crate) fn prune_facts(&mut self, before: Timestamp, most: usize) -> Result<usize, Error> {
        self.change(|transaction| {
            let mut due = transaction.prepare_cached(
                "SELECT world, name, repository FROM facts JOIN worlds ON worlds.id = world
                 WHERE asked_at > ?1 AND asked_at < ?2 LIMIT ?3",
            )?;
            let due = due
                .query_map(params![FORGOTTEN, before.as_millisecond(), most as i64], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?))
                })?
                .collect::<rusqlite::Result<Vec<(i64, String, String)>>>()?;
            let mut read =
                transaction.prepare_cached("SELECT body FROM facts WHERE world = ?1 AND repository = ?2")?;
            let mut keep = transaction.prepare_cached(
                "UPDATE facts SET asked_at = ?3, body = ?4 WHERE world = ?1 AND repository = ?2",
            )?;
            let mut forget =
                transaction.prepare_cached("DELETE FROM facts WHERE world = ?1 AND repository = ?2")?;
            let mut body = Vec::new();
            for (world, name, repository) in &due {
                let old: Vec<u8> = read.query_row(params![world, repository], |row| row.get(0))?;
                let of = (name.as_str(), repository.as_str());
                match decode(of, &old).and_then(|stored| only_whose(&stored.facts)) {
                    Some(whose) => {
                        encode(of, &whose, &mut body)?;
                        keep.execute(params![world, repository, FORGOTTEN, body])?;
                    }
                    None => drop(forget.execute(params![world, repository])?),
                }
            }
            Ok(due.len())
        })
    }
}

/// The ids of a repository and nothing else; `None` if none was ever seen.
fn only_whose(facts: &Facts) -> Option<StoredFacts> {
    let Facts { first_repository_id, last_repository_id, .. } = *facts;
    first_repository_id.or(last_repository_id)?;
    let facts = Facts { first_repository_id, last_repository_id, ..Facts::default() };
    Some(StoredFacts { facts, ..StoredFacts::default() })
}

/// A world and a repository.
type Whose<'a> = (&'a str, &'a str);

fn encode(whose: Whose<'_>, facts: &StoredFacts, body: &mut Vec<u8>) -> rusqlite::Result<()> {
    body.clear();
    body.extend([0; HEAD_BYTES]);
    postcard::to_io(facts, &mut *body)
        .and_then(|body| postcard::to_io(&facts.facts.signatures, body))
        .and_then(|body| postcard::to_io(&facts.facts.zips, body))
        .and_then(|body| postcard::to_io(&facts.facts.broken, body))
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
    let head = head(whose, &body[HEAD_BYTES..]);
    body[..HEAD_BYTES].copy_from_slice(&head);
    Ok(())
}

fn head((world, repository): Whose<'_>, body: &[u8]) -> [u8; HEAD_BYTES] {
    let mut sum = flate2::Crc::new();
    for part in [world.as_bytes(), b"\n", repository.as_bytes(), b"\n", body] {
        sum.update(part);
    }
    let [a, b, c, d] = sum.sum().to_le_bytes();
    [FORMAT, a, b, c, d]
}

fn decode(whose: Whose<'_>, stored: &[u8]) -> Option<StoredFacts> {
    let (found, body) = stored.split_at_checked(HEAD_BYTES)?;
    if found != head(whose, body) {
        return None;
    }
    let (mut stored, rest): (StoredFacts, &[u8]) = postcard::take_from_bytes(body).ok()?;
    let (signatures, rest) = postcard::take_from_bytes(rest).ok()?;
    let (zips, broken) = postcard::take_from_bytes(rest).ok()?;
    stored.facts.signatures = signatures;
    stored.facts.zips = zips;
    stored.facts.broken = postcard::from_bytes(broken).ok()?;
    Some(stored)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Observed;

    #[test]
    fn facts_with_signatures_load_whole_or_not_at_all() {
        let at = Timestamp::UNIX_EPOCH;
        let mut new = StoredFacts::default();
        new.facts.first_repository_id = Some(7);
        new.validators.insert("feed".into(), vec![1, 2]);
        let absent = Observed::Absent { at, status: 404 };
        let known = Observed::Known { value: [0x89, 0, 0xff].into(), at };
        new.facts.signatures = [("v1.0.0".into(), known), ("v1.1.0".into(), absent)].into();
        let mut body = Vec::new();
        let whose = ("real", "a/b");
        encode(whose, &new, &mut body).unwrap();
        assert_eq!((body[0], decode(whose, &body)), (FORMAT, Some(new)));
        for other in [0, FORMAT - 1, FORMAT + 1] {
            assert_eq!(decode(whose, &[&[other], &body[1..]].concat()), None);
        }
        body.truncate(body.len() - 1);
        assert_eq!(decode(whose, &body), None);
    }
}
