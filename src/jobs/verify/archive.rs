//! One archive of a verification: its download, and what became of it as a row says it.

use std::sync::Arc;

use jiff::Timestamp;
use tokio::sync::mpsc;

use crate::jobs::Env;
use crate::jobs::hash::{Fault, Fetched, Step, fetch, seldom};
use crate::jobs::verify::dates::Dates;
use crate::rules::amount::limit;
use crate::rules::hash::{NoHash, NotInstallable};
use crate::rules::verify::{Computed, Row, Zip};

/// The beginning of the remark on an archive whose h1 could not be computed for lack of a copy.
pub(super) const UNREAD_COPY: &str = "its h1 could not be computed";

/// A message of a worker on the way: the row's place, and the step of its archive.
pub(super) type ArchiveStep = (usize, Step);

/// One archive whose turn has come.
pub(super) struct Archive {
    pub(super) place: usize,
    /// The number of earlier tries.
    pub(super) tries: u32,
    pub(super) row: Row,
    pub(super) steps: mpsc::UnboundedSender<ArchiveStep>,
}

/// The result for one archive.
pub(super) struct ArchiveResult {
    pub(super) place: usize,
    pub(super) tries: u32,
    pub(super) row: Row,
    /// The server asked to slow down, in its words.
    pub(super) slow: Option<String>,
}

impl Archive {
    /// Downloads and hashes; says on the way how much of it is there.
    pub(super) async fn download(self, env: &Arc<Env>, limit_bytes: u64, dates: &Dates) -> ArchiveResult {
        let Self { place, tries, mut row, steps: sender } = self;
        let tell = seldom(|step| {
            let _ = sender.send((place, step));
        });
        let result = fetch(env, &row.url, limit_bytes, &tell).await;
        let slow = match &result {
            Err(Fault::Slow(why)) => Some(why.clone()),
            _ => None,
        };
        row.zip = match zip(result, row.address.name(), env.now()) {
            Zip::Gone if row.asset.is_some() => {
                Zip::Failed { why: "it answered HTTP 404, though the release lists it".to_owned() }
            }
            zip => zip,
        };
        dates.put_into(&mut row).await;
        ArchiveResult { place, tries, row, slow }
    }
}

/// The result of a download, as a row of that provider reports it.
fn zip(result: Result<Fetched, Fault>, provider: &str, now: Timestamp) -> Zip {
    let fetched = match result {
        Ok(fetched) => fetched,
        Err(Fault::Gone) => return Zip::Gone,
        Err(Fault::TooLarge { limit_bytes }) => {
            return Zip::Skipped {
                why: format!("it has {} or more, so it was not read", limit(limit_bytes)),
            };
        }
        Err(Fault::Slow(why) | Fault::Failed(why)) => return Zip::Failed { why },
    };
    let mut computed = Computed {
        sha256: fetched.body.hex(),
        size_bytes: fetched.body.size_bytes,
        spooled: fetched.spooled,
        hashed_at: Some(now),
        ..Computed::default()
    };
    if fetched.changed {
        computed
            .remarks
            .push("the file was changed upstream while it was downloaded; this is the later one".into());
    }
    match fetched.hashes {
        Ok(hashes) => {
            computed.remarks.extend(hashes.remarks.iter().map(|remark| match remark.example.as_str() {
                "" => format!("{} ({})", remark.kind, remark.count),
                example => format!("{} ({}, such as `{example}`)", remark.kind, remark.count),
            }));
            match &hashes.directory {
                Ok(directory) if hashes.forms_differ() => computed.h1_installed = Some(directory.clone()),
                Ok(_) => {}
                Err(why) => {
                    computed.not_installable = Some(why.to_string());
                    if let NotInstallable::Permission { as_root, .. } = why {
                        computed.h1_as_root = Some(as_root.clone());
                    }
                }
            }
            computed.has_binary = Some(hashes.binaries.has(provider));
            computed.executable = hashes.binaries.executable(provider).cloned();
            computed.h1 = Some(hashes.h1);
        }
        Err(error @ NoHash::Read(_)) => computed.remarks.push(format!("{UNREAD_COPY}: {error}")),
        Err(NoHash::Unlockable(installed)) => {
            computed.has_binary = Some(installed.binaries.has(provider));
            computed.executable = installed.binaries.executable(provider).cloned();
            computed.unlockable = Some(installed.why.to_string());
            computed.h1_installed = Some(installed.directory);
        }
        Err(NoHash::Limit(limit)) => computed.over_limit = Some(limit.to_string()),
        // What Go cannot read either, no client unpacks; of a line break in a file's name the client's own hash fails.
        Err(error @ (NoHash::NotZip(_) | NoHash::Entry { .. } | NoHash::LineBreak(_))) => {
            computed.not_installable = Some(error.to_string());
        }
    }
    Zip::Hashed(computed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_put_into_words() {
        let skipped = |why: &str| Zip::Skipped { why: why.into() };
        for (fault, zip) in [
            (Fault::Gone, Zip::Gone),
            (
                Fault::TooLarge { limit_bytes: 256 << 20 },
                skipped("it has 256 MiB or more, so it was not read"),
            ),
            (
                Fault::TooLarge { limit_bytes: 3 << 19 },
                skipped("it has 1536 KiB or more, so it was not read"),
            ),
            (Fault::Slow("429".into()), Zip::Failed { why: "429".into() }),
            (Fault::Failed("reset".into()), Zip::Failed { why: "reset".into() }),
        ] {
            assert_eq!(super::zip(Err(fault), "rocket", Timestamp::UNIX_EPOCH), zip);
        }
    }
}
