//! The schemes of recorded hashes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::rules::anatomy::is_sum;
use crate::settings::words;

words! {
    /// How a recorded hash was made.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub(crate) enum Scheme: [name] {
        /// Of the package's content.
        H1 = "h1",
        /// Of the zip.
        Zh = "zh",
        /// One that no client of today makes. Clients keep it and match nothing with it.
        Other = "other",
    }
}

impl Scheme {
    /// Whether clients compare packages with such a recorded hash: they go by what stands before the colon, and a digest that is
    /// none matches nothing.
    pub(super) fn is_compared(hash: &str) -> bool {
        hash.starts_with("h1:") || hash.starts_with("zh:")
    }

    /// The scheme of a recorded hash.
    ///
    /// # Errors
    /// It is no hash of any scheme: why, as a part of a sentence.
    pub(crate) fn of(hash: &str) -> Result<Self, &'static str> {
        match hash.split_once(':') {
            None => Err("it has no scheme: hashes begin with `h1:` or `zh:`"),
            Some(("h1", digest)) => {
                let is_digest = STANDARD.decode(digest).is_ok_and(|bytes| bytes.len() == 32);
                if is_digest { Ok(Self::H1) } else { Err("an h1 is a SHA-256 in base64, 44 characters long") }
            }
            Some(("zh", digest)) if is_sum(digest) => Ok(Self::Zh),
            Some(("zh", _)) => Err("a zh is a SHA-256 in 64 lower-case hex digits"),
            Some(("", _)) => Err("there is nothing before its colon"),
            Some(_) => Ok(Self::Other),
        }
    }
}

/// `zh:` and the digits, as the client writes them.
pub(super) fn zh(sha256: &str) -> String {
    format!("zh:{}", sha256.to_ascii_lowercase())
}
