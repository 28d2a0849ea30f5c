//! Archives of a release: downloaded, hashed while they arrive, and what became of them in one word; for jobs that read many of them, how many
//! at once (`pace`) and how fast (`speed`).

mod body;
mod cores;
mod fetch;
mod hasher;
mod pace;
mod speed;
mod sums;

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::hash::fetch::{PAGE, TakesPages, fetch_any};
use crate::registry::ArchiveFault;
use crate::remote::ZIP_LIMIT_BYTES;
use crate::rules::anatomy::{OfferedTarget, Unfit, no_binary};
use crate::rules::hash::NoHash;

pub use body::{Piece, hash_body};
pub use cores::Cores;
pub(crate) use fetch::{Fault, Fetched, Step, fetch, seldom};
pub(in crate::jobs) use pace::Pace;
pub(in crate::jobs) use speed::Speed;

/// The values of a zip that the format stores besides its checksum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hashed {
    pub(crate) h1: String,
    pub(crate) size_bytes: u64,
    /// The reason why clients cannot use the archive; `None` if there is none, or if the archive was not read.
    pub(crate) unfit: Option<Unfit>,
}

/// Why an archive has no hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NotHashed {
    /// The registry's tool cannot index the archive either, even if it tries again.
    Broken(ArchiveFault),
    /// The web host answers that the file does not exist.
    Gone,
    Unread(String),
}

/// Downloads and hashes a provider's archive. Its SHA-256 must equal the listed text exactly, as in production.
pub(crate) async fn hash_target(
    env: &Arc<Env>,
    provider: &str,
    target: &OfferedTarget,
) -> Result<Hashed, NotHashed> {
    let fetched = fetch_any(env, &target.url, ZIP_LIMIT_BYTES, &|_| {}, TakesPages(true)).await;
    let fetched = fetched.map_err(|fault| match fault {
        Fault::Gone => NotHashed::Gone,
        Fault::TooLarge { limit_bytes } => NotHashed::Broken(ArchiveFault::TooLarge { limit_bytes }),
        fault @ (Fault::Slow(_) | Fault::Failed(_)) => NotHashed::Unread(fault.cause()),
    })?;
    let sum = fetched.body.hex();
    // The registry's tool does not look at the type that a server gives a good archive.
    if fetched.is_page && (sum != target.shasum || fetched.hashes.is_err()) {
        // A page with the listed checksum was uploaded by the author. Any other page may come from a server in
        // between.
        return Err(if sum == target.shasum {
            NotHashed::Broken(ArchiveFault::Page)
        } else {
            NotHashed::Unread(PAGE.to_owned())
        });
    }
    if sum != target.shasum {
        return Err(NotHashed::Broken(ArchiveFault::OtherSum { sha256: sum.into() }));
    }
    let hashes = fetched.hashes.map_err(|error| match error {
        // The failure is a limit of this reader, and does not show that the registry's tool would fail.
        NoHash::Limit(_) | NoHash::Read(_) => NotHashed::Unread(error.to_string()),
        error => NotHashed::Broken(ArchiveFault::Unreadable { why: error.to_string().into() }),
    })?;
    let unfit = match &hashes.directory {
        Err(why) => Some(Unfit::NotInstallable(why.to_string())),
        Ok(_) if !hashes.binaries.has(provider) => Some(Unfit::NotInstallable(no_binary(provider))),
        Ok(_) => {
            let executable = hashes.binaries.executable(provider);
            executable.and_then(|it| it.other_system(&target.platform())).map(Unfit::OtherSystem)
        }
    };
    Ok(Hashed { h1: hashes.h1, size_bytes: fetched.body.size_bytes, unfit })
}
