//! Speed and memory of hashing archives, run by hand: `cargo bench --bench verify [-- NAME…]`.
//!
//! | name | what |
//! |---|---|
//! | `one-archive` | zh and h1 of one archive on one core and on two, against the floor of this machine and against Go |
//! | `files` | 140 archives from files, one core against two |
//! | `memory` | `bumpdesk verify` on six archives of 255 MiB at once: what it holds above idle |
//! | `backfill` | `bumpdesk backfill run` on 70 releases of 14 targets of 20 MB over a link of 100 MB/s, against a plain download of the same |
//! | `link` | `bumpdesk verify` over a link of 20 MB/s, against a plain download of the same |
//!
//! Figures are ratios within one run, since machines differ; nothing passes or fails.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "a benchmark stands outside the house: it starts programs, reads clocks and prints"
)]

mod alone;
mod backfill;
mod clock;
mod files;
mod golang;
mod link;
mod memory;
mod one_archive;
mod packages;
mod upstream;
#[path = "../../vectors/zip/zipper.rs"]
mod zipper;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == files::CHILD) {
        return files::child(&words[1..]);
    }
    // Cargo passes `--bench`; what follows are names of parts.
    let wanted: Vec<&String> = words.iter().filter(|word| !word.starts_with("--")).collect();
    let parts: [(&str, fn()); 5] = [
        ("one-archive", one_archive::run),
        ("files", files::run),
        ("memory", memory::run),
        ("link", link::run),
        ("backfill", backfill::run),
    ];
    for (name, part) in parts {
        if wanted.is_empty() || wanted.iter().any(|word| *word == name) {
            println!("== {name}; load before it: {}", clock::load());
            part();
        }
    }
}
