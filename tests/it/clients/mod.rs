//! Clients as judges: what their own code answered to cases that were made for it, stored beside the registry data.

mod archives;
mod signatures;
mod terraform;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::need::Missing;

/// The folder of stored answers.
fn stored() -> Result<PathBuf, Missing> {
    let why = "BUMPDESK_TEST_DATA names no data that has clients' answers beside it";
    let bundle = std::env::var_os("BUMPDESK_TEST_DATA").map(PathBuf::from);
    let folder = bundle.as_deref().and_then(Path::parent).map(|folder| folder.join("clients"));
    folder.filter(|folder| folder.is_dir()).ok_or(Missing { need: "clients", why })
}

/// What a tarball of that folder holds, until it is dropped.
fn unpacked(tarball: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let status = Command::new("tar").arg("-xzf").arg(tarball).arg("-C").arg(folder.path()).status();
    assert!(status.expect("tar runs").success(), "{} cannot be unpacked", tarball.display());
    folder
}

/// Prints a count to standard error directly, because the test harness hides the output of passing tests.
fn tell(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).expect("a stream for errors");
}
