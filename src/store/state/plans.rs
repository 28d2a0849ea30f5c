//! The plan: files that wait for review and what was said about their changes, by world and registry.
//!
//! Bodies are JSON texts that mean something to `jobs` alone. The two states of a file are kept deflated, since a plan may
//! hold dozens of megabytes.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use rusqlite::params;
use rusqlite::types::ValueRef;

use crate::store::Error;
use crate::store::files::READ_CAP_BYTES;
use crate::store::state::State;
use crate::store::state::sums::{PLAN_FILES, PLAN_MARKS};

/// Whose plan it is, and whose marks: facts of one server never mix with another's, nor do checkouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RegistryKey<'a> {
    pub(crate) world: &'a str,
    /// The registry's folder.
    pub(crate) registry: &'a str,
}

/// One planned file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StoredPlanFile {
    pub(crate) address: String,
    /// How it was built, as JSON.
    pub(crate) body: String,
    /// The file's bytes that it was built on.
    pub(crate) base: Vec<u8>,
    /// The file's bytes as they would be.
    pub(crate) proposed: Vec<u8>,
    /// Marks by the content of their change, as JSON.
    pub(crate) marks: Vec<(String, String)>,
}

const OURS: &str = "world = (SELECT id FROM worlds WHERE name = ?1) AND registry = ?2";

impl State {
    /// The addresses of the planned files, in order.
    pub(crate) fn plan_addresses(&self, key: RegistryKey<'_>) -> Result<Vec<String>, Error> {
        self.ask(|connection| {
            let query = format!("SELECT address FROM plan_files WHERE {OURS} ORDER BY address");
            let mut statement = connection.prepare_cached(&query)?;
            statement.query_map([key.world, key.registry], |row| row.get(0))?.collect()
        })
    }

    /// One planned file with its marks. A mark that does not fit its checksum is none.
    ///
    /// # Errors
    /// The database's; the file does not fit its checksum.
    pub(crate) fn plan_file(
        &self,
        key: RegistryKey<'_>,
        address: &str,
    ) -> Result<Option<StoredPlanFile>, Error> {
        let read = self.ask(|connection| {
            let query =
                format!("SELECT body, base, proposed, sum FROM plan_files WHERE {OURS} AND address = ?3");
            let mut statement = connection.prepare_cached(&query)?;
            let mut rows = statement.query([key.world, key.registry, address])?;
            let Some(row) = rows.next()? else { return Ok(None) };
            let [registry, name] = [key.registry, address].map(ValueRef::from);
            let columns = [registry, name, row.get_ref(0)?, row.get_ref(1)?, row.get_ref(2)?];
            if !PLAN_FILES.fits(key.world, &columns, row.get_ref(3)?) {
                return Err(unreadable(0, "it does not fit its checksum".into()));
            }
            let (body, base, proposed) = (row.get(0)?, inflate(columns[3])?, inflate(columns[4])?);
            let query = format!("SELECT piece, body, sum FROM plan_marks WHERE {OURS} AND address = ?3");
            let mut statement = connection.prepare_cached(&query)?;
            let mut rows = statement.query([key.world, key.registry, address])?;
            let mut marks = Vec::new();
            while let Some(row) = rows.next()? {
                let columns = [registry, name, row.get_ref(0)?, row.get_ref(1)?];
                if PLAN_MARKS.fits(key.world, &columns, row.get_ref(2)?) {
                    marks.push((row.get(0)?, row.get(1)?));
                }
            }
            Ok(Some(StoredPlanFile { address: address.to_owned(), body, base, proposed, marks }))
        })?;
        Ok(read)
    }

    /// Puts a file into the plan, over an earlier build of it. Of the earlier marks only those named in `file.marks` stay.
    pub(crate) fn save_plan_file(
        &mut self,
        key: RegistryKey<'_>,
        file: &StoredPlanFile,
    ) -> Result<(), Error> {
        self.change(|transaction| {
            let world = super::world_id(transaction, key.world)?;
            let [base, proposed] = [deflate(&file.base)?, deflate(&file.proposed)?];
            let texts = [key.registry, &file.address, &file.body].map(ValueRef::from);
            let [registry, address, body] = texts;
            let columns = [registry, address, body, ValueRef::Blob(&base), ValueRef::Blob(&proposed)];
            PLAN_FILES.put(transaction, (world, key.world), &columns)?;
            transaction.execute(
                "DELETE FROM plan_marks WHERE world = ?1 AND registry = ?2 AND address = ?3",
                params![world, key.registry, file.address],
            )?;
            for (piece, body) in &file.marks {
                let columns = [key.registry, &file.address, piece, body].map(ValueRef::from);
                PLAN_MARKS.put(transaction, (world, key.world), &columns)?;
            }
            Ok(())
        })
    }

    /// Saves marks of planned files, all or none: address, piece, body.
    pub(crate) fn save_plan_marks(
        &mut self,
        key: RegistryKey<'_>,
        marks: &[(String, String, String)],
    ) -> Result<(), Error> {
        self.change(|transaction| {
            let world = super::world_id(transaction, key.world)?;
            for (address, piece, body) in marks {
                let columns = [key.registry, address, piece, body].map(ValueRef::from);
                PLAN_MARKS.put(transaction, (world, key.world), &columns)?;
            }
            Ok(())
        })
    }

    /// Takes files out of the plan, with their marks, and gives their number.
    pub(crate) fn drop_plan_files(
        &mut self,
        key: RegistryKey<'_>,
        addresses: &[String],
    ) -> Result<usize, Error> {
        self.change(|transaction| {
            let mut dropped = 0;
            for address in addresses {
                for table in ["plan_marks", "plan_files"] {
                    let query = format!("DELETE FROM {table} WHERE {OURS} AND address = ?3");
                    let count = transaction.execute(&query, [key.world, key.registry, address])?;
                    dropped += if table == "plan_files" { count } else { 0 };
                }
            }
            Ok(dropped)
        })
    }
}

pub(super) fn deflate(bytes: &[u8]) -> rusqlite::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder
        .write_all(bytes)
        .and_then(|()| encoder.finish())
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

/// No planned file is larger than what is read from a registry.
pub(super) fn inflate(stored: ValueRef<'_>) -> rusqlite::Result<Vec<u8>> {
    let mut out = Vec::new();
    let read = ZlibDecoder::new(stored.as_blob()?).take(READ_CAP_BYTES).read_to_end(&mut out);
    read.map_err(|error| unreadable(1, Box::new(error)))?;
    Ok(out)
}

pub(super) fn unreadable(column: usize, why: Box<dyn std::error::Error + Send + Sync>) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Blob, why)
}
