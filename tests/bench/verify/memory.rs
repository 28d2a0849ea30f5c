//! What `bumpdesk verify` holds while six workers hash archives of 255 MiB, above what it holds while it waits for them.

use std::io::Cursor;
use std::process::Command;
use std::time::{Duration, Instant};

use bumpdesk::surface::rules::archive::Limits;
use bumpdesk::surface::rules::hash::hash_archive;
use bytes::Bytes;

use crate::packages;
use crate::upstream::{ENTRY, Target, Upstream};

const WORKERS: usize = 6;
/// Exactly 256 MiB is skipped, as by the registry.
const ARCHIVE_BYTES: usize = 255 << 20;
/// Archives that stream, and archives that have to be read a second time from their copies.
const STREAMED: usize = 8;
const SPOOLED: usize = 4;
const SAMPLE: Duration = Duration::from_millis(2);

pub(crate) fn run() {
    if held("self").is_none() {
        println!("SKIPPED: the system does not tell what a process holds");
        return;
    }
    let targets = targets();
    tokio::runtime::Runtime::new().expect("a runtime").block_on(async {
        let upstream = Upstream::start(&targets, 1, None).await;
        let mut command = upstream.command(0, &["verify", ENTRY]);
        command.args(["--jobs", &WORKERS.to_string()]);
        let (told, _) = watched(&upstream, command, WORKERS).await;
        println!(
            "{STREAMED} archives of 255 MiB streamed and {SPOOLED} spooled by {WORKERS} workers; to reach: 64 MB    {told}"
        );
    });
}

/// Runs a command, opens the upstream once it asks for so many archives at once, and tells what it held above what it held until
/// then. And how long it took from there, in seconds.
pub(crate) async fn watched(upstream: &Upstream, mut command: Command, workers: usize) -> (String, f64) {
    let output = upstream.folder().join("said");
    let mut child =
        command.stdout(std::fs::File::create(&output).expect("a file")).spawn().expect("it starts");
    let id = child.id().to_string();
    while upstream.asked() < workers {
        assert!(child.try_wait().expect("its state").is_none(), "it ended before it asked for archives");
        tokio::time::sleep(SAMPLE).await;
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    let idle = held(&id).expect("it runs");
    upstream.open();
    let began = Instant::now();
    let (mut most, mut samples) = (idle, 0u64);
    let status = loop {
        if let Some(status) = child.try_wait().expect("its state") {
            break status;
        }
        most = most.max(held(&id).unwrap_or(0));
        samples += 1;
        tokio::time::sleep(SAMPLE).await;
    };
    let took = began.elapsed().as_secs_f64();
    let text = std::fs::read_to_string(&output).expect("its output");
    assert!(status.success(), "{text}");
    println!("  {}", text.lines().last().unwrap_or_default());
    let megabytes = |kib: u64| kib as f64 * 1024.0 / 1e6;
    let told = format!(
        "{:.1} MB above idle ({:.1} MB, then at most {:.1} MB in {samples} samples)",
        megabytes(most - idle),
        megabytes(idle),
        megabytes(most),
    );
    (told, took)
}

/// KiB that are its own, in memory and in shared memory; not what files share with it.
pub(crate) fn held(id: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let of = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    };
    Some(of("RssAnon:")? + of("RssShmem:")?)
}

fn targets() -> Vec<Target> {
    let plain = packages::just_below(ARCHIVE_BYTES - 16);
    let odd = [b"#!/bin/sh\nexit\n", plain.as_slice()].concat();
    let target = |bytes: Vec<u8>| {
        let hashes = hash_archive(Cursor::new(&bytes), &Limits::default()).expect("an archive");
        (Bytes::from(bytes), hashes.h1)
    };
    let (plain, odd) = (target(plain), target(odd));
    let all = (0..STREAMED + SPOOLED).map(|place| if place % 3 == 2 { &odd } else { &plain });
    all.map(|(zip, h1)| Target { zip: zip.clone(), h1: h1.clone() }).collect()
}
