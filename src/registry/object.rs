//! The ids that git gives to what it keeps.

use sha1::{Digest, Sha1};

/// The SHA-1 by which git names an object: of its kind (`blob`, `tree`), its length in bytes and its bytes (git-hash-object).
pub(crate) fn object_id(kind: &str, bytes: &[u8]) -> [u8; 20] {
    let mut hasher = Sha1::new();
    hasher.update(format!("{kind} {}\0", bytes.len()));
    hasher.update(bytes);
    hasher.finalize().into()
}

/// The start of an object's name, as git shows it; all of a shorter one.
pub(crate) fn short_id(id: &str) -> &str {
    id.get(..7).unwrap_or(id)
}
