//! The jobs of each registry and how they ended, so that an interrupted job can be found and resumed.

use jiff::Timestamp;
use rusqlite::{Params, Row, params};

use crate::store::Error;
use crate::store::state::{RegistryKey, State, world_id};

const COLUMNS: &str = "id, kind, plan, started_at, ended_at, outcome, registry";
/// The condition for the jobs of one registry.
const OURS: &str = "world = (SELECT id FROM worlds WHERE name = ?1) AND registry = ?2";

/// One job of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JobRecord {
    pub(crate) id: i64,
    pub(crate) kind: String,
    /// The job's own description of the work; only the job reads the bytes.
    pub(crate) plan: Vec<u8>,
    pub(crate) started_at: Timestamp,
    /// `None` while it runs, and for ever when it was cut off.
    pub(crate) ended_at: Option<Timestamp>,
    pub(crate) outcome: Option<String>,
    /// The registry's folder; `None` for a job that an older bumpdesk recorded, or that ran without a registry.
    pub(crate) registry: Option<String>,
}

impl State {
    /// Records that a job of a registry begins, and returns its number.
    pub(crate) fn begin_job(
        &mut self,
        key: Option<RegistryKey<'_>>,
        kind: &str,
        plan: &[u8],
        at: Timestamp,
    ) -> Result<i64, Error> {
        self.change(|transaction| {
            let world = key.map(|key| world_id(transaction, key.world)).transpose()?;
            let registry = key.map(|key| key.registry);
            transaction.execute(
                "INSERT INTO journal (kind, plan, started_at, world, registry) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![kind, plan, at.as_millisecond(), world, registry],
            )?;
            Ok(transaction.last_insert_rowid())
        })
    }

    /// Notes that a job ended; a second end of the same job changes nothing.
    pub(crate) fn end_job(&mut self, id: i64, outcome: &str, at: Timestamp) -> Result<(), Error> {
        self.change(|transaction| {
            transaction.execute(
                "UPDATE journal SET ended_at = ?2, outcome = ?3 WHERE id = ?1 AND ended_at IS NULL",
                params![id, at.as_millisecond(), outcome],
            )?;
            Ok(())
        })
    }

    /// Removes a job from the journal.
    pub(crate) fn forget_job(&mut self, id: i64) -> Result<(), Error> {
        self.change(|transaction| transaction.execute("DELETE FROM journal WHERE id = ?1", [id]).map(drop))
    }

    /// Jobs without an end, oldest first. At the start, in the console that holds the lock, they are those cut off.
    pub(crate) fn unfinished_jobs(&self) -> Result<Vec<JobRecord>, Error> {
        self.jobs(&format!("SELECT {COLUMNS} FROM journal WHERE ended_at IS NULL ORDER BY id"), [])
    }

    /// The last jobs of a registry, or of all registries, newest first.
    pub(crate) fn last_jobs(
        &self,
        key: Option<RegistryKey<'_>>,
        count: usize,
    ) -> Result<Vec<JobRecord>, Error> {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        match key {
            Some(RegistryKey { world, registry }) => self.jobs(
                &format!("SELECT {COLUMNS} FROM journal WHERE {OURS} ORDER BY id DESC LIMIT ?3"),
                params![world, registry, count],
            ),
            None => self.jobs(&format!("SELECT {COLUMNS} FROM journal ORDER BY id DESC LIMIT ?1"), [count]),
        }
    }

    /// The number of jobs that belong to other registries or to none.
    pub(crate) fn count_other_jobs(&self, key: RegistryKey<'_>) -> Result<u64, Error> {
        self.ask(|connection| {
            let query = format!("SELECT count(*) FROM journal WHERE ({OURS}) IS NOT TRUE");
            let count: i64 = connection.query_row(&query, [key.world, key.registry], |row| row.get(0))?;
            Ok(count.cast_unsigned())
        })
    }

    /// Ends the jobs that were cut off, with this outcome and at no known time: their own start. In the console that
    /// holds the lock, before it begins one. Gives their number.
    pub(crate) fn end_cut_off_jobs(&mut self, outcome: &str) -> Result<usize, Error> {
        if self.unfinished_jobs()?.is_empty() {
            return Ok(0);
        }
        self.change(|transaction| {
            transaction.execute(
                "UPDATE journal SET ended_at = started_at, outcome = ?1 WHERE ended_at IS NULL",
                [outcome],
            )
        })
    }

    /// Forgets ended jobs but the last `keep`, and gives the number forgotten.
    pub(crate) fn prune_jobs(&mut self, keep: usize) -> Result<usize, Error> {
        let keep = i64::try_from(keep).unwrap_or(i64::MAX);
        self.change(|transaction| {
            transaction.execute(
                "DELETE FROM journal WHERE ended_at IS NOT NULL
                 AND id NOT IN (SELECT id FROM journal WHERE ended_at IS NOT NULL ORDER BY id DESC LIMIT ?1)",
                [keep],
            )
        })
    }

    fn jobs(&self, query: &str, values: impl Params) -> Result<Vec<JobRecord>, Error> {
        self.ask(|connection| {
            let mut statement = connection.prepare_cached(query)?;
            statement.query_map(values, job)?.collect()
        })
    }
}

fn job(row: &Row<'_>) -> rusqlite::Result<JobRecord> {
    let time = |at: i64| Timestamp::from_millisecond(at).unwrap_or_default();
    Ok(JobRecord {
        id: row.get(0)?,
        kind: row.get(1)?,
        plan: row.get(2)?,
        started_at: time(row.get(3)?),
        ended_at: row.get::<_, Option<i64>>(4)?.map(time),
        outcome: row.get(5)?,
        registry: row.get(6)?,
    })
}
