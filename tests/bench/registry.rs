//! Speed and memory on the whole registry, run by hand:
//! `BUMPDESK_TEST_DATA=…/registry.bundle cargo bench --bench registry [-- NAME…]`.
//!
//! Prints one line a figure, the least and the middle of several runs, beside what is to be reached. Nothing here passes or
//! fails: machines differ. Without the data it says so and measures nothing.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "a benchmark stands outside the house: it starts programs, reads clocks and prints"
)]

mod activity;
mod console;
mod deep;
mod filling;
mod hands;
mod processes;
mod pulls;
mod reviews;
mod stranded;
mod triage;
mod verifying;

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the data lies, as a work tree and as a bare clone.
struct Data {
    tree: PathBuf,
    bare: PathBuf,
    folder: tempfile::TempDir,
}

impl Data {
    fn open() -> Option<Self> {
        let bundle = std::env::var_os("BUMPDESK_TEST_DATA").filter(|path| !path.is_empty())?;
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).ok()?;
        let data = Self { tree: folder.path().join("tree"), bare: folder.path().join("bare.git"), folder };
        git(&["clone", "--quiet", "--bare", &bundle.to_string_lossy(), &data.bare.to_string_lossy()]);
        git(&["clone", "--quiet", &bundle.to_string_lossy(), &data.tree.to_string_lossy()]);
        Some(data)
    }

    fn scratch(&self, name: &str) -> PathBuf {
        let folder = self.folder.path().join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        folder
    }
}

fn git(arguments: &[&str]) {
    let status = Command::new("git").args(["-c", "advice.detachedHead=false"]).args(arguments).status();
    assert!(status.expect("git runs").success(), "git {arguments:?}");
}

/// Least and middle of some figures, in milliseconds.
fn report(name: &str, goal: &str, mut figures: Vec<f64>) {
    figures.sort_by(f64::total_cmp);
    let middle = figures[figures.len() / 2];
    println!("{name:<58} least {:>9.2} ms   middle {middle:>9.2} ms   to reach: {goal}", figures[0]);
}

/// The middle, the 99th of a hundred and the worst of some figures, in milliseconds.
fn spread(name: &str, goal: &str, mut figures: Vec<f64>) {
    figures.sort_by(f64::total_cmp);
    let at = |share: f64| figures[((figures.len() - 1) as f64 * share).round() as usize];
    let (middle, late, worst) = (at(0.5), at(0.99), at(1.0));
    println!(
        "{name:<44} p50 {middle:>8.2} ms   p99 {late:>8.2} ms   worst {worst:>8.2} ms   to reach: {goal}"
    );
}

/// A part of the benchmark and its name.
type Part = (&'static str, fn(&Data));

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == deep::STARTS) {
        return deep::starts(&words[1..]);
    }
    // Cargo passes `--bench`; what follows are names of parts.
    let wanted: Vec<&String> = words.iter().filter(|word| !word.starts_with("--")).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|word| *word == name);
    let Some(data) = Data::open() else {
        println!("BUMPDESK_TEST_DATA names no data bundle: nothing is measured");
        return;
    };
    let parts: [Part; 18] = [
        ("index", processes::index),
        ("estimate", processes::estimate),
        ("survey", processes::survey),
        ("latency", processes::latency),
        ("drawing", console::drawing),
        ("verifying", verifying::drawing),
        ("filling", filling::drawing),
        ("diff", console::largest_diff),
        ("keys", hands::while_surveying),
        ("open", hands::largest_entry),
        ("idle", console::idle),
        ("deep", deep::after_sums),
        ("pulls", pulls::prepared),
        ("reviews", reviews::judged),
        ("triage", triage::answered),
        ("stranded", stranded::board),
        ("activity", activity::counted),
        // Last: it spoils what comes after it.
        ("cold", console::cold),
    ];
    for (name, part) in parts {
        if is_wanted(name) {
            part(&data);
        }
    }
}

/// The largest data file of the tree.
fn largest(tree: &Path) -> PathBuf {
    let listing = Command::new("git").arg("-C").arg(tree).args(["ls-tree", "-r", "-l", "HEAD"]).output();
    let listing = String::from_utf8(listing.expect("git runs").stdout).expect("UTF-8");
    let size = |line: &&str| line.split_whitespace().nth(3).and_then(|size| size.parse::<u64>().ok());
    let line =
        listing.lines().filter(|line| line.strip_suffix(".json").is_some()).max_by_key(size).expect("a file");
    tree.join(line.split('\t').nth(1).expect("a path"))
}
