//! What `bumpdesk verify` holds while six workers hash archives of 255 MiB, above what it holds while it waits for them.

use std::io::Cursor;
use std::time::Duration;

use bumpdesk::surface::rules::archive::Limits;
use bumpdesk::surface::rules::hash::hash_archive;
use bytes::Bytes;

use crate::packages;
use crate::upstream::{Target, Upstream};

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
        let upstream = Upstream::start(&targets, None).await;
        let mut child = upstream.verify(0).args(["--jobs", &WORKERS.to_string()]).spawn().expect("it starts");
        let id = child.id().to_string();
        while upstream.asked() < WORKERS {
            assert!(child.try_wait().expect("its state").is_none(), "it ended before it asked for archives");
            tokio::time::sleep(SAMPLE).await;
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
        let idle = held(&id).expect("it runs");
        upstream.open();
        let (mut most, mut samples) = (idle, 0u64);
        while child.try_wait().expect("its state").is_none() {
            most = most.max(held(&id).unwrap_or(0));
            samples += 1;
            tokio::time::sleep(SAMPLE).await;
        }
        let output = child.wait_with_output().expect("its output");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}");
        println!("  {}", text.lines().last().unwrap_or_default());
        let megabytes = |kib: u64| kib as f64 * 1024.0 / 1e6;
        println!(
            "{STREAMED} archives of 255 MiB streamed and {SPOOLED} spooled by {WORKERS} workers; to reach: 64 MB    {:.1} MB above idle \
             ({:.1} MB, then at most {:.1} MB in {samples} samples)",
            megabytes(most - idle),
            megabytes(idle),
            megabytes(most),
        );
    });
}

/// KiB that are its own, in memory and in shared memory; not what files share with it.
fn held(id: &str) -> Option<u64> {
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
