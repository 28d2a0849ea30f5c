//! Cache files: bytes behind a magic word, a format and a checksum, replaced as a whole. One that looks odd in any way is none,
//! so that each may be thrown away at any time.

use std::io::Write;
use std::path::Path;

use crate::store::Error;
use crate::store::atomic::Replacement;
use crate::store::files::read_named;

const HEADER_BYTES: usize = 16 + 4 + 4 + 8;
const CAP_BYTES: u64 = 256 << 20;

/// How files of one kind begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CacheFormat {
    pub(crate) magic: &'static [u8; 16],
    /// Of all that follows the header.
    pub(crate) number: u32,
}

/// The bytes of a cache file, or none.
#[derive(Debug, Default)]
pub(crate) struct CacheFile(Vec<u8>);

impl CacheFile {
    /// What was written; empty if there is no such file, or on any doubt.
    pub(crate) fn payload(&self) -> &[u8] {
        self.0.get(HEADER_BYTES..).unwrap_or_default()
    }
}

impl CacheFormat {
    pub(crate) fn read(&self, path: &Path) -> CacheFile {
        let bytes = read_named(path, CAP_BYTES).unwrap_or_default();
        let is_whole = bytes
            .split_at_checked(HEADER_BYTES)
            .is_some_and(|(header, payload)| header == self.header(&[payload]));
        CacheFile(if is_whole { bytes } else { Vec::new() })
    }

    /// Replaces the file by one whose payload is these pieces, one after the other.
    pub(crate) fn write(&self, path: &Path, payload: &[&[u8]]) -> Result<(), Error> {
        let failed = |cause| Error::from_write(path, cause);
        let mut replacement = Replacement::begin_private(path).map_err(failed)?;
        let file = replacement.file();
        file.write_all(&self.header(payload)).map_err(failed)?;
        for piece in payload {
            file.write_all(piece).map_err(failed)?;
        }
        // Not durable: a file that a power cut leaves in pieces fails its checksum and is made again.
        replacement.finish().map_err(failed)
    }

    fn header(&self, payload: &[&[u8]]) -> [u8; HEADER_BYTES] {
        let (mut sum, mut size_bytes) = (flate2::Crc::new(), 0);
        for piece in payload {
            sum.update(piece);
            size_bytes += piece.len();
        }
        let mut header = [0; HEADER_BYTES];
        header[..16].copy_from_slice(self.magic);
        header[16..20].copy_from_slice(&self.number.to_le_bytes());
        header[20..24].copy_from_slice(&sum.sum().to_le_bytes());
        header[24..].copy_from_slice(&(size_bytes as u64).to_le_bytes());
        header
    }
}
