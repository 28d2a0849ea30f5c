//! zh: the SHA-256 of an archive's own bytes, over a stream.

use sha2::{Digest, Sha256};

/// Hashes a body chunk by chunk.
#[derive(Clone, Debug, Default)]
pub(crate) struct BodyHash {
    sha256: Sha256,
    size_bytes: u64,
}

/// What a whole body comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodySum {
    pub(crate) sha256: [u8; 32],
    pub size_bytes: u64,
}

impl BodyHash {
    pub(crate) fn push(&mut self, chunk: &[u8]) {
        self.sha256.update(chunk);
        self.size_bytes += chunk.len() as u64;
    }

    pub(crate) fn finish(self) -> BodySum {
        BodySum { sha256: self.sha256.finalize().into(), size_bytes: self.size_bytes }
    }
}

impl BodySum {
    /// Lower-case hex, as `SHA256SUMS` and the data files have it.
    pub fn hex(&self) -> String {
        hex::encode(self.sha256)
    }
}
