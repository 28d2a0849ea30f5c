//! Archives of a release: downloaded, hashed while they arrive, and what became of them in one word; for jobs that read many of them, how many
//! at once (`pace`), how fast (`speed`), and all of it in figures (`meter`).

mod body;
mod cores;
mod fetch;
mod hasher;
mod meter;
mod pace;
mod speed;
mod sums;

use std::sync::Arc;

use crate::jobs::Env;
use crate::remote::ZIP_LIMIT_BYTES;

pub use body::{Piece, hash_body};
pub use cores::Cores;
pub(crate) use fetch::{Fault, Fetched, Step, fetch, seldom};
pub use meter::Meter;
pub(in crate::jobs) use pace::Pace;
pub(in crate::jobs) use speed::Speed;

/// What the format stores of a zip besides its checksum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hashed {
    pub(crate) h1: String,
    pub(crate) size_bytes: u64,
}

/// Why an archive has no hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NotHashed {
    /// It was read whole, and is not what its SHA256SUMS lists.
    Mismatch(String),
    Unread(String),
}

/// Downloads and hashes; the zip's SHA-256 must equal the listed text exactly, as in production.
pub(crate) async fn hash_target(env: &Arc<Env>, url: &str, shasum: &str) -> Result<Hashed, NotHashed> {
    let unread = |why: String| NotHashed::Unread(why);
    let fetched =
        fetch(env, url, ZIP_LIMIT_BYTES, &|_| {}).await.map_err(|fault| unread(fault.to_string()))?;
    let sum = fetched.body.hex();
    if sum != shasum {
        let why = format!("the zip's SHA-256 is {sum}, SHA256SUMS lists {shasum}");
        return Err(NotHashed::Mismatch(why));
    }
    let hashes = fetched.hashes.map_err(|error| unread(error.to_string()))?;
    Ok(Hashed { h1: hashes.h1, size_bytes: fetched.body.size_bytes })
}
