//! The same archive hashed by a Go program that is built here, where there is Go.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::clock::{Time, middle};
use crate::packages::Package;

const RUNS: usize = 5;

/// What one run of the program said.
struct Said {
    version: String,
    zh_and_h1: String,
    both: Time,
    inflate: Time,
    sha256: Time,
}

/// `stream` and `sha256` time ours, once for each of its runs.
pub(crate) fn compare(package: &Package, h1: &str, stream: &dyn Fn() -> Time, sha256: &dyn Fn() -> Time) {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let archive = folder.path().join("package.zip");
    std::fs::write(&archive, &package.zip).expect("the archive is written");
    let Some(program) = built(folder.path()) else {
        println!("SKIPPED: Go. There is no `go` here that builds tests/bench/verify/go/hash.go");
        return;
    };
    let runs: Vec<(Said, Time, Time)> =
        (0..RUNS).map(|_| (hashed(&program, &archive), stream(), sha256())).collect();
    assert!(runs.iter().all(|(said, ..)| said.zh_and_h1.ends_with(h1)), "Go has another h1 than {h1}");
    let of = |pick: fn(&(Said, Time, Time)) -> f64| middle(runs.iter().map(pick));
    println!(
        "{}: zh and h1 {:.1} ms, {:.1} ms of cores; inflate alone {:.1} ms, SHA-256 of the packed bytes {:.1} ms",
        runs[0].0.version,
        of(|(said, ..)| said.both.wall) * 1e3,
        of(|(said, ..)| said.both.core) * 1e3,
        of(|(said, ..)| said.inflate.core) * 1e3,
        of(|(said, ..)| said.sha256.core) * 1e3
    );
    println!(
        "stream on one core against this Go; to reach: 2.5            {:.2} by the clock, {:.2} by time on the core",
        of(|(said, stream, _)| said.both.wall / stream.wall),
        of(|(said, stream, _)| said.both.core / stream.core)
    );
    // Since 1.21 Go hashes with the instructions that the machine has for it, as we do.
    println!(
        "the same against Go 1.21 and later, estimated from its inflate and our SHA-256: {:.2}",
        of(|(said, stream, sha256)| (said.inflate.core + sha256.core) / stream.core)
    );
}

fn built(folder: &Path) -> Option<PathBuf> {
    let program = folder.join("hash");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/verify/go/hash.go");
    let status = Command::new("go")
        .args(["build", "-o"])
        .args([&program, &source])
        .env("CGO_ENABLED", "0")
        .env("GOFLAGS", "")
        .env("GOCACHE", folder.join("cache"))
        .current_dir(folder)
        .status();
    status.is_ok_and(|status| status.success()).then_some(program)
}

fn hashed(program: &Path, archive: &Path) -> Said {
    let output = Command::new(program).arg(archive).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let line = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)).expect("a line");
        line.trim().to_owned()
    };
    let time = |name: &str| {
        let line = line(name);
        let mut figures = line.split(' ').map_while(|word| word.parse::<f64>().ok());
        let (wall, core) = figures.next().zip(figures.next()).expect("two figures");
        Time { wall, core, waited: 0.0 }
    };
    Said {
        version: line("version"),
        zh_and_h1: line("both"),
        both: time("both"),
        inflate: time("inflate"),
        sha256: time("sha256"),
    }
}
