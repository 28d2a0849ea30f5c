//! Numbers and digests that are derived from names, so that the same scenario always gives the same world.
//!
//! It knows nothing of the registry's rules; the rest of `demo` calls it.

use sha1::Sha1;
use sha2::{Digest, Sha256};

use crate::world::Oid;

/// The SHA-256 of some bytes.
pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// An object id out of the words that name it.
pub(crate) fn oid(words: &[&str]) -> Oid {
    let mut hash = Sha1::new();
    for word in words {
        hash.update(word.as_bytes());
        hash.update([0]);
    }
    hash.finalize().into()
}

/// A positive number below `below` out of the words that name it.
pub(crate) fn number(words: &[&str], below: u64) -> u64 {
    let oid = oid(words);
    let mut first = [0; 8];
    first.copy_from_slice(&oid[..8]);
    u64::from_be_bytes(first) % (below - 1) + 1
}

/// The id of a repository, a release or a user: below 2^31, as GraphQL's `Int` wants it.
pub(crate) fn small_id(words: &[&str]) -> u64 {
    number(words, 1 << 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_stable_and_small() {
        assert_eq!(small_id(&["a", "b"]), small_id(&["a", "b"]));
        assert_ne!(small_id(&["a", "b"]), small_id(&["ab", ""]));
        assert!(small_id(&["x"]) < 1 << 31);
    }
}
