//! The plan: files that wait for review and what was said about their changes, by world and registry.
//!
//! Bodies are JSON texts that mean something to `jobs` alone. The two states of a file are kept deflated, since a plan may
//! hold dozens of megabytes.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use rusqlite::params;

use crate::store::Error;
use crate::store::files::READ_CAP_BYTES;
use crate::store::state::State;

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

    /// One planned file with its marks.
    pub(crate) fn plan_file(
        &self,
        key: RegistryKey<'_>,
        address: &str,
    ) -> Result<Option<StoredPlanFile>, Error> {
        let read = self.ask(|connection| {
            let query = format!("SELECT body, base, proposed FROM plan_files WHERE {OURS} AND address = ?3");
            let mut statement = connection.prepare_cached(&query)?;
            let mut rows = statement.query([key.world, key.registry, address])?;
            let Some(row) = rows.next()? else { return Ok(None) };
            let (body, base, proposed): (String, Vec<u8>, Vec<u8>) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let query = format!("SELECT piece, body FROM plan_marks WHERE {OURS} AND address = ?3");
            let mut statement = connection.prepare_cached(&query)?;
            let marks = statement
                .query_map([key.world, key.registry, address], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<rusqlite::Result<Vec<_>>>()?;
            let (base, proposed) = (inflate(&base)?, inflate(&proposed)?);
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
            transaction.execute(
                "INSERT INTO plan_files (world, registry, address, body, base, proposed)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT DO UPDATE SET body = excluded.body, base = excluded.base, proposed = excluded.proposed",
                params![world, key.registry, file.address, file.body, deflate(&file.base)?, deflate(&file.proposed)?],
            )?;
            transaction.execute(
                "DELETE FROM plan_marks WHERE world = ?1 AND registry = ?2 AND address = ?3",
                params![world, key.registry, file.address],
            )?;
            for (piece, body) in &file.marks {
                save_mark(transaction, world, key.registry, &file.address, piece, body)?;
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
                save_mark(transaction, world, key.registry, address, piece, body)?;
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

fn save_mark(
    connection: &rusqlite::Connection,
    world: i64,
    registry: &str,
    address: &str,
    piece: &str,
    body: &str,
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO plan_marks (world, registry, address, piece, body) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT DO UPDATE SET body = excluded.body",
    )?;
    statement.execute(params![world, registry, address, piece, body]).map(drop)
}

fn deflate(bytes: &[u8]) -> rusqlite::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder
        .write_all(bytes)
        .and_then(|()| encoder.finish())
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

/// No planned file is larger than what is read from a registry.
fn inflate(bytes: &[u8]) -> rusqlite::Result<Vec<u8>> {
    let mut out = Vec::new();
    let read = ZlibDecoder::new(bytes).take(READ_CAP_BYTES).read_to_end(&mut out);
    read.map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Blob, Box::new(error))
    })?;
    Ok(out)
}
