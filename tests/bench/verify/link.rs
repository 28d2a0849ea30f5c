//! The time of `bumpdesk verify` beside a plain download of the same archives over a link of 20 MB/s.

use std::time::Instant;

use bumpdesk::surface::rules::hash::{Outcome, Stream};
use bytes::Bytes;
use futures_util::StreamExt;
use reqwest::{Certificate, Client};

use crate::clock::middle;
use crate::packages;
use crate::upstream::{ENTRY, Target, Upstream};

const BYTES_PER_S: f64 = 20e6;
const TARGETS: usize = 10;
const RAW_BYTES: usize = 60_000_000;
const WORKERS: usize = 6;
const ROUNDS: usize = 3;

pub(crate) fn run() {
    let targets: Vec<Target> = (0..TARGETS).map(target).collect();
    let bytes: usize = targets.iter().map(|target| target.zip.len()).sum();
    println!(
        "{TARGETS} archives, {:.1} MB, {:.2} s on the line",
        bytes as f64 / 1e6,
        bytes as f64 / BYTES_PER_S
    );
    let rounds = tokio::runtime::Runtime::new().expect("a runtime").block_on(async {
        let upstream = Upstream::start(&targets, 1, Some(BYTES_PER_S)).await;
        upstream.open();
        let mut rounds = Vec::new();
        for round in 0..ROUNDS {
            let plain = plain(&upstream, WORKERS, bytes).await;
            let ours = verified(&upstream, round).await;
            println!("  plain download {plain:.3} s, verify {ours:.3} s");
            rounds.push(ours / plain - 1.0);
        }
        rounds
    });
    println!(
        "longer than a plain download; to reach: 3 %                  {:.2} %",
        middle(rounds.into_iter()) * 100.0
    );
}

fn target(place: usize) -> Target {
    let zip = packages::package(&[("terraform-provider-rocket", RAW_BYTES)], place as u64 + 100).zip;
    let mut stream = Stream::new(bumpdesk::surface::rules::archive::Limits::default());
    stream.push(&zip);
    let Outcome::Hashed(hashes) = stream.finish().outcome else { panic!("not streamed") };
    Target { zip: Bytes::from(zip), h1: hashes.h1 }
}

/// Downloads everything, as many at once as there are workers, and throws it away.
pub(crate) async fn plain(upstream: &Upstream, workers: usize, bytes: usize) -> f64 {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let authority = Certificate::from_pem(upstream.ca_pem.as_bytes()).expect("a certificate");
    let client = Client::builder().no_proxy().tls_certs_only([authority]).build().expect("a client");
    let began = Instant::now();
    let downloads = upstream.urls().map(|url| {
        let client = client.clone();
        async move {
            let mut response = client.get(url).send().await.expect("an answer");
            let mut count = 0;
            while let Some(chunk) = response.chunk().await.expect("a body") {
                count += chunk.len();
            }
            count
        }
    });
    let counts: Vec<usize> = futures_util::stream::iter(downloads).buffer_unordered(workers).collect().await;
    assert_eq!(counts.into_iter().sum::<usize>(), bytes);
    began.elapsed().as_secs_f64()
}

/// The whole command, its start included.
async fn verified(upstream: &Upstream, round: usize) -> f64 {
    let mut command = upstream.command(round, &["verify", ENTRY]);
    command.args(["--jobs", &WORKERS.to_string()]);
    let began = Instant::now();
    let output =
        tokio::task::spawn_blocking(move || command.output()).await.expect("no panic").expect("it runs");
    let took = began.elapsed().as_secs_f64();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    took
}
