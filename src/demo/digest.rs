//! Numbers and digests that are derived from names, so that the same scenario always gives the same world.
//!
//! It knows nothing of the registry's rules; the rest of `demo` calls it.

use sha1::Sha1;
use sha2::{Digest, Sha256};

use crate::demo::world::Oid;

/// The SHA-256 of some bytes.
pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// Lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    push_hex(&mut text, bytes);
    text
}

/// Appends lower-case hex.
pub(crate) fn push_hex(text: &mut String, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
}

/// Forty or sixty-four hex digits, back into bytes.
pub(crate) fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    if digits.len() != N * 2 {
        return None;
    }
    let mut out = [0; N];
    for (byte, pair) in out.iter_mut().zip(digits.chunks_exact(2)) {
        let high = char::from(pair[0]).to_digit(16)?;
        let low = char::from(pair[1]).to_digit(16)?;
        *byte = (high * 16 + low) as u8;
    }
    Some(out)
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
    fn hex_there_and_back() {
        let sum = sha256(b"");
        assert_eq!(hex(&sum), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(unhex::<32>(&hex(&sum)), Some(sum));
        assert_eq!(unhex::<20>("zz"), None);
    }

    #[test]
    fn ids_are_stable_and_small() {
        assert_eq!(small_id(&["a", "b"]), small_id(&["a", "b"]));
        assert_ne!(small_id(&["a", "b"]), small_id(&["ab", ""]));
        assert!(small_id(&["x"]) < 1 << 31);
    }
}
