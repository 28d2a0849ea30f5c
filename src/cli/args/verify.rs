//! `verify`.

use std::path::PathBuf;

use clap::Args;

use crate::jobs::{MOST_WORKERS, WORKERS};
use crate::rules::amount;

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// The providers, or single versions of them.
    #[arg(value_name = "ADDRESS[@VERSION]", required_unless_present = "filter", conflicts_with = "filter")]
    pub(crate) addresses: Vec<String>,
    /// All versions of the providers that match; the terms are those of `list`.
    #[arg(long, value_name = "Q")]
    pub(crate) filter: Option<String>,
    /// Only these targets, such as linux_amd64. Repeatable, or separated by commas.
    #[arg(long, value_name = "OS_ARCH", value_delimiter = ',', value_parser = target)]
    pub(crate) targets: Vec<String>,
    /// Where to write the report; by default in the state folder, under a name that belongs to the question.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Downloads at once; fewer after GitHub asked to slow down.
    #[arg(long, value_name = "N", default_value_t = WORKERS, value_parser = workers)]
    pub(crate) jobs: usize,
    /// Leave out archives of this size and larger, as the registry does.
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = size)]
    pub(crate) max_size: u64,
    /// Compare checksums, digests and signatures alone.
    #[arg(long)]
    pub(crate) no_download: bool,
    /// Stop at the first target that is not as it should be.
    #[arg(long)]
    pub(crate) stop_at_bad: bool,
}

pub(super) fn target(text: &str) -> Result<String, String> {
    match text.split_once('_') {
        Some((os, arch)) if !os.is_empty() && !arch.is_empty() => Ok(text.to_owned()),
        _ => Err("write system and architecture, such as linux_amd64".into()),
    }
}

pub(super) fn workers(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=MOST_WORKERS).contains(count));
    count.ok_or_else(|| format!("write a number from 1 to {MOST_WORKERS}"))
}

/// A size in bytes: `256MiB`, `1GiB`, `500MB`, `4096`.
pub(super) fn size(text: &str) -> Result<u64, String> {
    amount::parse_bytes(text).ok_or_else(|| "write 256MiB, 1GiB, 500MB or a number of bytes".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_and_workers_are_checked() {
        assert_eq!(target("linux_amd64").as_deref(), Ok("linux_amd64"));
        for text in ["linux", "_amd64", "linux_", ""] {
            assert!(target(text).is_err(), "{text}");
        }
        assert_eq!((workers("1"), workers("16")), (Ok(1), Ok(16)));
        assert!(workers("0").is_err() && workers("17").is_err() && workers("x").is_err());
    }
}
