//! `lock`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::verify::{size, target, workers};
use crate::jobs::WORKERS;
use crate::rules::lock;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
pub(crate) struct LockArgs {
    /// The version to lock.
    #[arg(value_name = "ADDRESS@VERSION", required_unless_present = "check", conflicts_with = "check")]
    pub(crate) version: Option<String>,
    /// Check this lock file against registry and archives. Exits 1 if anything in it is wrong.
    #[arg(long, value_name = "FILE")]
    pub(crate) check: Option<PathBuf>,
    /// Only these targets, such as linux_amd64. Repeatable, or separated by commas.
    #[arg(long, value_name = "OS_ARCH", value_delimiter = ',', value_parser = target)]
    pub(crate) targets: Vec<String>,
    /// The version constraints of the configuration, such as '~> 1.2': they stand in the block.
    #[arg(long, value_name = "TEXT", value_parser = lock::constraints, conflicts_with = "check")]
    pub(crate) constraints: Option<String>,
    /// Leave out targets that cannot be verified instead of refusing; then it exits 5.
    #[arg(long, conflicts_with = "check")]
    pub(crate) partial: bool,
    /// Begin with the comment that a lock file begins with: for a file of its own.
    #[arg(long, conflicts_with = "check")]
    pub(crate) whole_file: bool,
    /// Tell every step of a client, not only those that do not pass.
    #[arg(long, conflicts_with = "check")]
    pub(crate) steps: bool,
    /// Read no archive: a lock file is compared with the registry and SHA256SUMS alone; of a version the steps are told, and no
    /// block is printed.
    #[arg(long, conflicts_with = "partial")]
    pub(crate) no_download: bool,
    /// Judge as clients do with OPENTOFU_ENFORCE_GPG_VALIDATION: without a key on file nothing installs.
    #[arg(long)]
    pub(crate) enforce_gpg_validation: bool,
    /// Judge as clients do with OPENTOFU_ENFORCE_GPG_EXPIRATION: an expired key is refused.
    #[arg(long)]
    pub(crate) enforce_gpg_expiration: bool,
    /// Downloads at once; fewer after GitHub asked to slow down.
    #[arg(long, value_name = "N", default_value_t = WORKERS, value_parser = workers)]
    pub(crate) jobs: usize,
    /// Leave out archives of this size and larger, as the registry does.
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = size)]
    pub(crate) max_size: u64,
}
