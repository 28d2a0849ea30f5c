//! Cache files: bytes behind a magic word, a format and a checksum, replaced as a whole. One that looks odd in any way is none,
//! so that each may be thrown away at any time.

use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

use crate::store::Error;
use crate::store::atomic::Replacement;
use crate::store::files::read_named;

const HEADER_BYTES: usize = 16 + 4 + 4 + 8;
const CAP_BYTES: u64 = 256 << 20;

/// The beginning of files of one kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CacheFormat {
    pub(crate) magic: &'static [u8; 16],
    /// The number of the format of everything behind the header.
    pub(crate) number: u32,
}

/// The bytes of a cache file, or none.
#[derive(Debug, Default)]
pub(crate) struct CacheFile(Vec<u8>);

impl CacheFile {
    /// The written bytes; empty if there is no such file, or on any doubt.
    pub(crate) fn payload(&self) -> &[u8] {
        self.0.get(HEADER_BYTES..).unwrap_or_default()
    }
}

/// The payload of a cache file that is being written.
pub(crate) struct CachePayload {
    file: BufWriter<Replacement>,
    sum: flate2::Crc,
    size_bytes: u64,
}

impl CacheFormat {
    pub(crate) fn read(&self, path: &Path) -> CacheFile {
        let bytes = read_named(path, CAP_BYTES).unwrap_or_default();
        let is_whole = bytes.split_at_checked(HEADER_BYTES).is_some_and(|(header, payload)| {
            let mut sum = flate2::Crc::new();
            sum.update(payload);
            header == self.header(&sum, payload.len() as u64)
        });
        CacheFile(if is_whole { bytes } else { Vec::new() })
    }

    /// Replaces the file by one with this payload.
    pub(crate) fn write(&self, path: &Path, payload: &[u8]) -> Result<(), Error> {
        self.write_with(path, |file| file.write(payload))
    }

    /// Replaces the file by one whose payload is written piece by piece. If that fails, the old file stays as it is.
    pub(crate) fn write_with(
        &self,
        path: &Path,
        write: impl FnOnce(&mut CachePayload) -> io::Result<()>,
    ) -> Result<(), Error> {
        self.replace(path, write).map_err(|cause| Error::from_write(path, cause))
    }

    fn replace(
        &self,
        path: &Path,
        write: impl FnOnce(&mut CachePayload) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut file = BufWriter::new(Replacement::begin_private(path)?);
        // The checksum and the size are known at the end.
        file.write_all(&[0; HEADER_BYTES])?;
        let mut payload = CachePayload { file, sum: flate2::Crc::new(), size_bytes: 0 };
        write(&mut payload)?;
        let CachePayload { file, sum, size_bytes } = payload;
        let mut replacement = file.into_inner()?;
        replacement.file().rewind()?;
        replacement.file().write_all(&self.header(&sum, size_bytes))?;
        // Not durable: a file that a power cut leaves in pieces fails its checksum and is made again.
        replacement.finish()
    }

    fn header(&self, sum: &flate2::Crc, size_bytes: u64) -> [u8; HEADER_BYTES] {
        let mut header = [0; HEADER_BYTES];
        header[..16].copy_from_slice(self.magic);
        header[16..20].copy_from_slice(&self.number.to_le_bytes());
        header[20..24].copy_from_slice(&sum.sum().to_le_bytes());
        header[24..].copy_from_slice(&size_bytes.to_le_bytes());
        header
    }
}

impl CachePayload {
    pub(crate) fn write(&mut self, piece: &[u8]) -> io::Result<()> {
        self.sum.update(piece);
        self.size_bytes += piece.len() as u64;
        self.file.write_all(piece)
    }

    /// The bytes that were written so far.
    pub(crate) fn size_bytes(&self) -> u64 {
        self.size_bytes
    }
}
