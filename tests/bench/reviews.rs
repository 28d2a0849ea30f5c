//! Pull requests of others made again in an invented world. The whole command.

use std::fmt::Write as _;
use std::time::Instant;

use crate::processes::{Serving, serve_world};
use crate::pulls::{output_of, world};
use crate::{Data, report};

const RUNS: usize = 5;

/// A pull request that adds the version which upstream offers besides to each of these entries.
fn pull(text: &mut String, number: usize, addresses: &[String]) {
    let versions: Vec<String> =
        addresses.iter().map(|address| format!("\"{address}\" = [\"2.0.0\"]")).collect();
    let _ = writeln!(
        text,
        "[[pull]]\nnumber = {number}\nauthor = \"ann\"\ntitle = \"bump\"\nopened = \"-1h\"\n\
         commit = [{{ versions = {{ {} }} }}]",
        versions.join(", ")
    );
}

/// Milliseconds of the whole command.
fn timed(data: &Data, serving: &Serving, arguments: &[&str]) -> f64 {
    let folder = data.scratch("reviews-state");
    let began = Instant::now();
    output_of(serving, &folder, arguments);
    began.elapsed().as_secs_f64() * 1e3
}

pub(crate) fn judged(data: &Data) {
    let addresses: Vec<String> = (0..200).map(|provider| format!("acme{provider}/rocket")).collect();
    let folder = data.scratch("reviews");
    let file = folder.join("world.toml");
    let mut one = world(20, 50);
    pull(&mut one, 6_000, &addresses[..20]);
    std::fs::write(&file, one).expect("a file");
    let serving = serve_world(&file);
    let figures = |arguments: &[&str]| (0..RUNS).map(|_| timed(data, &serving, arguments)).collect();
    report("review of 20 files", "5000 ms", figures(&["review", "6000"]));
    report("the same, its archives hashed", "as below", figures(&["review", "6000", "--hash"]));
    // What one command reads and hashes of as many archives as another.
    let stored: Vec<String> = addresses[..20].iter().map(|address| format!("{address}@1.49.0")).collect();
    let mut verify = vec!["verify"];
    verify.extend(stored.iter().map(String::as_str));
    report("verify of one version of 20 files", "no goal", figures(&verify));
    drop(serving);
    let mut many = world(200, 10);
    for (n, address) in addresses.iter().enumerate() {
        pull(&mut many, 6_000 + n, std::slice::from_ref(address));
    }
    std::fs::write(&file, many).expect("a file");
    let serving = serve_world(&file);
    let figures = (0..RUNS).map(|_| timed(data, &serving, &["review"])).collect();
    report("200 open pull requests listed and judged", "10000 ms", figures);
}
