//! The verdicts of a survey, which the next start needs: at its end they are written without being judged again.

use std::io::{self, BufReader, Read, Seek};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::session::Session;
use crate::jobs::verdicts::{Fresh, Kept, judge};
use crate::registry::{Facts, Row};
use crate::rules::Verdict;
use crate::store::{Error, SpoolFile};

/// Entries that are judged between two looks at whether the survey was cancelled.
const CHUNK: usize = 256;
/// Bodies are spooled in pieces of this size.
const PIECE_BYTES: usize = 64 << 10;

/// The recorded verdicts.
#[derive(Debug)]
pub(crate) struct Surveyed(Mutex<Recorded>);

/// The verdicts lie in a spooled file, since those of the whole registry would be the largest thing in memory.
#[derive(Debug, Default)]
struct Recorded {
    /// One for each row of the catalog; none if nothing can be recorded.
    rows: Vec<RecordedRow>,
    spool: Option<SpoolFile>,
    /// The bodies that are not in the file yet.
    pending: Vec<u8>,
    /// The size of all bodies.
    size_bytes: u64,
}

/// The place of a row's verdict in the file.
#[derive(Clone, Copy, Debug, Default)]
struct RecordedRow {
    /// The stamp of the facts that it follows from; `None` if these facts are not in the database.
    facts: Option<i64>,
    begin: u64,
    /// 0: no verdict is recorded.
    size_bytes: u32,
}

/// Recorded verdicts that are read back.
#[derive(Default)]
pub(super) struct Bodies {
    rows: Vec<RecordedRow>,
    file: Option<BufReader<SpoolFile>>,
    /// The position in the file.
    at: u64,
    body: Vec<u8>,
}

impl Surveyed {
    /// A process that keeps nothing, or has no place for it, records nothing.
    pub(crate) fn new(env: &Env, session: &Session) -> Self {
        let spool = || env.spool().and_then(|spool| spool.file()).map_err(|error| not_recorded(&error)).ok();
        let spool = if env.keeps() { spool() } else { None };
        let count = if spool.is_some() { session.catalog.rows.len() } else { 0 };
        let rows = vec![RecordedRow::default(); count];
        Self(Mutex::new(Recorded { rows, spool, ..Recorded::default() }))
    }

    /// The verdict of the entry at a place in the catalog, from the last facts of its repository.
    pub(crate) fn judge(&self, env: &Env, session: &Session, place: usize, facts: &Facts) -> Verdict {
        let (verdict, body) = judge(env, session, &session.catalog.rows[place], Some(facts));
        if let Some(body) = body {
            self.recorded().add(place, &body);
        }
        verdict
    }

    /// Notes the stamp of facts that were saved, or that they could not be, for the entries at these places.
    pub(crate) fn saved(&self, places: &[usize], stamp: Option<i64>) {
        self.recorded().stamp(places, stamp);
    }

    /// Keeps the verdicts of the surveyed rows, so that the next start finds them. Those that were not recorded are judged
    /// first, as many as there is time for.
    pub(crate) async fn keep(
        self,
        env: &Arc<Env>,
        session: &Arc<Session>,
        context: &Context,
        places: &[usize],
    ) {
        if !env.keeps() {
            return;
        }
        let recorded = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut places = places.to_vec();
        let (env, session, cancel) = (Arc::clone(env), Arc::clone(session), context.cancellation());
        let keeping = tokio::task::spawn_blocking(move || {
            let recorded = recorded.bodies();
            let count = places.len();
            places.retain(|place| recorded.row(*place).is_none());
            let kept = Kept::read(&env, session.checkout.root());
            let verdicts = kept.open(&env, &session);
            let mut fresh = Fresh::default();
            for chunk in places.chunks(CHUNK) {
                if cancel.is_cancelled() {
                    break;
                }
                let rows: Vec<&Row> = chunk.iter().map(|place| &session.catalog.rows[*place]).collect();
                fresh.add(verdicts.recall(&rows).fresh);
            }
            if fresh.is_anything() || places.len() < count {
                verdicts.keep(&fresh, recorded);
            }
        });
        keeping.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
    }

    fn recorded(&self) -> MutexGuard<'_, Recorded> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recorded {
    fn add(&mut self, place: usize, body: &[u8]) {
        let (Some(row), Ok(size_bytes)) = (self.rows.get_mut(place), u32::try_from(body.len())) else {
            return;
        };
        (row.begin, row.size_bytes) = (self.size_bytes, size_bytes);
        self.size_bytes += u64::from(size_bytes);
        self.pending.extend_from_slice(body);
        if self.pending.len() >= PIECE_BYTES {
            self.spool();
        }
    }

    fn stamp(&mut self, places: &[usize], stamp: Option<i64>) {
        for place in places {
            if let Some(row) = self.rows.get_mut(*place) {
                row.facts = stamp;
            }
        }
    }

    /// Spools what is pending. Without room for it, nothing is recorded any more.
    fn spool(&mut self) {
        let spooled = self.spool.as_mut().map(|file| file.append(&self.pending));
        self.pending.clear();
        if let Some(Err(error)) = spooled {
            not_recorded(&error);
            *self = Self::default();
        }
    }

    /// Ends the recording.
    fn bodies(mut self) -> Bodies {
        self.spool();
        let mut file = self.spool;
        match file.as_mut().map(Seek::rewind) {
            Some(Ok(())) => Bodies { rows: self.rows, file: file.map(BufReader::new), ..Bodies::default() },
            _ => Bodies::default(),
        }
    }
}

impl Bodies {
    /// The stamp of the facts of a row, and the place of its verdict; `None` if it was not recorded.
    fn row(&self, place: usize) -> Option<(i64, RecordedRow)> {
        let row = self.rows.get(place).filter(|row| row.size_bytes > 0)?;
        Some((row.facts?, *row))
    }

    /// The stamp of the facts and the body of a row's verdict, if it was recorded. A survey goes through the rows in about their
    /// order, so that each is near the one before.
    pub(super) fn of(&mut self, place: usize) -> io::Result<Option<(i64, &[u8])>> {
        let (Some((facts, row)), Some(file)) = (self.row(place), &mut self.file) else { return Ok(None) };
        file.seek_relative(row.begin.wrapping_sub(self.at).cast_signed())?;
        self.body.resize(row.size_bytes as usize, 0);
        file.read_exact(&mut self.body)?;
        self.at = row.begin + u64::from(row.size_bytes);
        Ok(Some((facts, &self.body)))
    }
}

fn not_recorded(error: &Error) {
    tracing::warn!(%error, "the verdicts of the survey are judged again at its end");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Spool;

    const ROWS: usize = 1_000;

    fn recorded(folder: &tempfile::TempDir, cap_bytes: u64) -> Recorded {
        let spool = Spool::new(folder.path(), cap_bytes).unwrap().file().unwrap();
        Recorded { rows: vec![RecordedRow::default(); ROWS], spool: Some(spool), ..Recorded::default() }
    }

    fn body(place: usize) -> Vec<u8> {
        vec![place as u8; 100 + place % 300]
    }

    /// A survey ends its repositories in another order than that of the rows, and not all of them.
    #[test]
    fn recorded_verdicts_come_back_in_the_order_of_the_rows() {
        let folder = tempfile::tempdir().unwrap();
        let mut recorded = recorded(&folder, 1 << 20);
        for place in (0..ROWS).rev().step_by(3) {
            recorded.add(place, &body(place));
            recorded.stamp(&[place], Some(place as i64));
        }
        let mut bodies = recorded.bodies();
        for place in 0..=ROWS {
            let expected = (place < ROWS && place % 3 == 0).then(|| (place as i64, body(place)));
            let found = bodies.of(place).unwrap().map(|(facts, body)| (facts, body.to_vec()));
            assert_eq!(found, expected, "{place}");
        }
    }

    #[test]
    fn a_recorded_verdict_is_bound_to_the_last_facts_that_were_saved() {
        let folder = tempfile::tempdir().unwrap();
        let mut recorded = recorded(&folder, 1 << 20);
        for place in 0..3 {
            recorded.add(place, &body(place));
        }
        recorded.stamp(&[0, 1, 2], Some(2));
        recorded.stamp(&[0], Some(3));
        recorded.stamp(&[1], None);
        let mut bodies = recorded.bodies();
        let mut stamp = |place| bodies.of(place).unwrap().map(|(facts, _)| facts);
        assert_eq!([0, 1, 2].map(&mut stamp), [Some(3), None, Some(2)]);
    }

    #[test]
    fn a_full_disk_loses_the_record_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let mut recorded = recorded(&folder, PIECE_BYTES as u64);
        for place in 0..ROWS {
            recorded.add(place, &body(place));
            recorded.stamp(&[place], Some(1));
        }
        let mut bodies = recorded.bodies();
        assert!((0..ROWS).all(|place| bodies.of(place).unwrap().is_none()));
    }
}
