//! Which jobs were started and how they ended, so that one cut off can be told and taken up again.

use jiff::Timestamp;
use rusqlite::{Row, params};

use crate::store::Error;
use crate::store::state::State;

const COLUMNS: &str = "id, kind, plan, started_at, ended_at, outcome";

/// One job of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JobRecord {
    pub(crate) id: i64,
    pub(crate) kind: String,
    /// What it set out to do and how far it came; the bytes mean something to the job alone.
    pub(crate) plan: Vec<u8>,
    pub(crate) started_at: Timestamp,
    /// `None` while it runs, and for ever when it was cut off.
    pub(crate) ended_at: Option<Timestamp>,
    pub(crate) outcome: Option<String>,
}

impl State {
    /// Notes that a job begins, and gives its number.
    pub(crate) fn begin_job(&mut self, kind: &str, plan: &[u8], at: Timestamp) -> Result<i64, Error> {
        self.change(|transaction| {
            transaction.execute(
                "INSERT INTO journal (kind, plan, started_at) VALUES (?1, ?2, ?3)",
                params![kind, plan, at.as_millisecond()],
            )?;
            Ok(transaction.last_insert_rowid())
        })
    }

    /// Notes how far a running job came.
    #[cfg_attr(not(test), expect(dead_code, reason = "publishing journals what it sends"))]
    pub(crate) fn record_plan(&mut self, id: i64, plan: &[u8]) -> Result<(), Error> {
        self.change(|transaction| {
            transaction.execute("UPDATE journal SET plan = ?2 WHERE id = ?1", params![id, plan])?;
            Ok(())
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

    /// Jobs without an end, oldest first. At the start, in the console that holds the lock, they are those cut off.
    pub(crate) fn unfinished_jobs(&self) -> Result<Vec<JobRecord>, Error> {
        self.jobs(&format!("SELECT {COLUMNS} FROM journal WHERE ended_at IS NULL ORDER BY id"), i64::MAX)
    }

    /// The last jobs, newest first.
    pub(crate) fn last_jobs(&self, count: usize) -> Result<Vec<JobRecord>, Error> {
        self.jobs(
            &format!("SELECT {COLUMNS} FROM journal ORDER BY id DESC"),
            count.try_into().unwrap_or(i64::MAX),
        )
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

    fn jobs(&self, query: &str, count: i64) -> Result<Vec<JobRecord>, Error> {
        self.ask(|connection| {
            let mut statement = connection.prepare_cached(&format!("{query} LIMIT ?1"))?;
            statement.query_map([count], job)?.collect()
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
    })
}
