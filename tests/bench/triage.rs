//! One line looked up over a slow link: what the registry's files say, and the whole answer. The whole command.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Instant;

use crate::processes::{binary, serve_world};
use crate::pulls::{output_of, world};
use crate::{Data, report};

const RUNS: usize = 5;

/// Milliseconds to the first line of the answer, and to its end.
fn timed(data: &Data, serving: &crate::processes::Serving, line: &str) -> (f64, f64) {
    let folder = data.scratch("triage-state");
    let mut command = binary();
    for (variable, address) in [
        ("BUMPDESK_API_URL", "api"),
        ("BUMPDESK_GRAPHQL_URL", "graphql"),
        ("BUMPDESK_WEB_URL", "web"),
        ("BUMPDESK_SERVED_URL", "served"),
        ("BUMPDESK_SEARCH_URL", "search"),
        ("BUMPDESK_REGISTRY", "registry"),
    ] {
        command.env(variable, serving.address(address));
    }
    command.env("GH_TOKEN", "t0k").args(["triage", line, "--json"]);
    command.arg("--state-dir").arg(folder.join("state")).arg("--cache-dir").arg(folder.join("cache"));
    let began = Instant::now();
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the binary runs");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let first = lines.next().expect("a line").expect("text");
    assert!(first.contains("triage-first"), "{first}");
    let first = began.elapsed().as_secs_f64() * 1e3;
    assert!(lines.any(|line| line.is_ok_and(|line| line.contains("\"type\":\"triage\""))));
    let whole = began.elapsed().as_secs_f64() * 1e3;
    child.wait().expect("it ends");
    (first, whole)
}

pub(crate) fn answered(data: &Data) {
    let folder = data.scratch("triage");
    let file = folder.join("world.toml");
    // Budgets as they are set for GitHub; every answer 100 ms late.
    std::fs::write(&file, format!("[limits]\nlatency_ms = 100\n{}", world(200, 60))).expect("a file");
    let serving = serve_world(&file);
    for (name, line) in [
        ("an entry", "acme7/rocket"),
        ("an indexed version", "acme8/rocket@1.30.0"),
        ("a missing version", "acme9/rocket@2.0.0"),
    ] {
        let (first, whole): (Vec<f64>, Vec<f64>) = (0..RUNS).map(|_| timed(data, &serving, line)).unzip();
        report(&format!("triage of {name}, 100 ms away: first facts"), "3000 ms", first);
        report(&format!("triage of {name}, 100 ms away: all"), "15000 ms", whole);
    }
    let lines: Vec<String> = (0..200).map(|n| format!("acme{n}/rocket")).collect();
    let words: Vec<&str> = ["triage"].into_iter().chain(lines.iter().map(String::as_str)).collect();
    let figures = (0..2).map(|_| {
        let folder = data.scratch("triage-list");
        let began = Instant::now();
        output_of(&serving, &folder, &words);
        began.elapsed().as_secs_f64() * 1e3
    });
    report("triage of 200 entries, 100 ms away, no budgets", "no goal", figures.collect());
}
