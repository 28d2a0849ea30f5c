//! The time of a backfill beside a plain download of the same archives, and its memory meanwhile: a provider with as many and as
//! large archives as kubernetes has.

use bytes::Bytes;

use crate::upstream::{ENTRY, Target, Upstream};
use crate::{link, memory, packages};

const BYTES_PER_S: f64 = 100e6;
const RELEASES: usize = 70;
const TARGETS: usize = 14;
/// Raw; about 20 MB packed.
const RAW_BYTES: usize = 61_000_000;
const WORKERS: usize = 6;

pub(crate) fn run() {
    if memory::held("self").is_none() {
        println!("SKIPPED: the system does not tell what a process holds");
        return;
    }
    let zip = Bytes::from(packages::package(&[("terraform-provider-rocket", RAW_BYTES)], 7).zip);
    let targets: Vec<Target> = (0..TARGETS).map(|_| Target { zip: zip.clone(), h1: String::new() }).collect();
    let count = RELEASES * TARGETS;
    let bytes = zip.len() * count;
    println!(
        "{RELEASES} releases of {TARGETS} archives of {:.1} MB, {:.0} s on the line",
        zip.len() as f64 / 1e6,
        bytes as f64 / BYTES_PER_S
    );
    tokio::runtime::Runtime::new().expect("a runtime").block_on(async {
        let upstream = Upstream::start(&targets, RELEASES, Some(BYTES_PER_S)).await;
        let mut command = upstream.command(0, &["backfill", "run", ENTRY, "--dry-run"]);
        command.args(["--jobs", &WORKERS.to_string()]);
        let (held, ours) = memory::watched(&upstream, command, WORKERS).await;
        let plain = link::plain(&upstream, WORKERS, bytes).await;
        println!("  plain download {plain:.1} s, backfill {ours:.1} s");
        println!("times a plain download; to reach: 1.10    {:.3}", ours / plain);
        println!("{count} archives by {WORKERS} workers; to reach: 64 MB    {held}");
    });
}
