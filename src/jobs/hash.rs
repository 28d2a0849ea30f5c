//! One target's zip: downloaded to a spool, compared with its listed checksum, hashed by its central directory.

use std::sync::Arc;

use sha2::Digest;
use sha2::Sha256;

use crate::jobs::Env;
use crate::registry::hex;
use crate::remote::ZIP_LIMIT_BYTES;
use crate::rules::hash::h1_of_zip;

/// What the format stores of a zip besides its checksum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hashed {
    pub(crate) h1: String,
    pub(crate) size_bytes: u64,
}

/// Downloads and hashes; the zip's SHA-256 must equal the listed text exactly, as in production.
pub(crate) async fn hash_target(env: &Arc<Env>, url: &str, shasum: &str) -> Result<Hashed, String> {
    let text = |error: crate::remote::Error| error.to_string();
    let mut download = env.remote.download(url, ZIP_LIMIT_BYTES).await.map_err(text)?;
    let mut spooled = env.spool().and_then(|spool| spool.file()).map_err(|error| error.to_string())?;
    let mut digest = Sha256::new();
    let mut size_bytes = 0;
    while let Some(chunk) = download.chunk().await.map_err(text)? {
        digest.update(&chunk);
        size_bytes += chunk.len() as u64;
        spooled.append(&chunk).map_err(|error| error.to_string())?;
    }
    let sum = hex(&digest.finalize());
    if sum != shasum {
        return Err(format!("the zip's SHA-256 is {sum}, SHA256SUMS lists {shasum}"));
    }
    let hashed = tokio::task::spawn_blocking(move || h1_of_zip(spooled).map_err(|error| error.to_string()));
    let h1 = hashed.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))?;
    Ok(Hashed { h1, size_bytes })
}
