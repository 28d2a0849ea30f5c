//! The contents of entries, hashed out of [`Batch`]es.

use flate2::Crc;
use sha2::{Digest, Sha256};

use crate::rules::archive::Batch;

/// Hashes entry after entry; holds 36 bytes for each.
#[derive(Debug, Default)]
pub(crate) struct EntryHash {
    sha256: Sha256,
    crc: Crc,
    sums: Vec<EntrySum>,
}

/// What one entry's content comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EntrySum {
    pub(crate) sha256: [u8; 32],
    pub(crate) crc: u32,
}

impl EntryHash {
    /// Batches in the order in which they were filled, each once.
    pub(crate) fn push(&mut self, batch: &Batch) {
        for (piece, is_end) in batch.pieces() {
            self.crc.update(piece);
            self.sha256.update(piece);
            if is_end {
                let sha256 = self.sha256.finalize_reset().into();
                self.sums.push(EntrySum { sha256, crc: self.crc.sum() });
                self.crc.reset();
            }
        }
    }

    /// One sum for each entry that ended.
    pub(crate) fn finish(self) -> Vec<EntrySum> {
        self.sums
    }
}
