//! Harms zips at random and looks whether anything breaks: `cargo bench --bench fuzz_zip -- --runs N --seed S`.
//!
//! Each run makes a zip, harms its fields and bytes, and hashes it as a stream in random chunks and whole. Looked for: a panic,
//! a run that takes long, an h1 of the stream that the whole archive does not have, memory that grows. The first finding ends
//! the benchmark with a failure and the archive in base64. The same seed makes the same archives.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a benchmark stands outside the house: it reads clocks and prints"
)]

#[path = "../vectors/zip/random.rs"]
mod random;
#[path = "../vectors/zip/zipper.rs"]
mod zipper;

use std::io::Cursor;
use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::time::Duration;
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bumpdesk::rules::archive::Limits;
use bumpdesk::rules::hash::NoHash;
use bumpdesk::rules::hash::Outcome;
use bumpdesk::rules::hash::Stream;
use bumpdesk::rules::hash::hash_archive;
use random::Random;

/// Room for all that is made here, and so little that the limits are met often.
const ROOMY: Limits =
    Limits { entries: 40, name_bytes: 4096, raw_bytes: 1 << 20, ratio: 50, free_raw_bytes: 1 << 16 };
const TIGHT: Limits = Limits { entries: 4, name_bytes: 60, raw_bytes: 4000, ratio: 3, free_raw_bytes: 500 };
/// A run takes far less than a millisecond; the machine may be busy.
const LONG: Duration = Duration::from_secs(5);
/// What one process may grow by, whatever it is fed.
const GROWTH_KIB: u64 = 32 << 10;

/// What became of the runs.
#[derive(Default)]
struct Tally {
    streamed: u64,
    spooled_and_hashed: u64,
    refused: u64,
    limited: u64,
    slowest: Duration,
}

fn main() {
    let (runs, seed) = (number("--runs", 20_000), number("--seed", 1));
    println!("fuzz_zip: {runs} runs, seed {seed}");
    let mut tally = Tally::default();
    let began = Instant::now();
    let mut settled_kib = None;
    for run in 0..runs {
        let mut random = Random(seed ^ run.wrapping_mul(0xd134_2543_de82_ef95));
        let made = random::made(&mut random, 6, 3000);
        // Now and then one that is whole, so that the harmless way is walked too.
        let bytes =
            if random.one_in(50) { made.zip.bytes.clone() } else { random::harm(&mut random, &made.zip) };
        let started = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| check(&bytes, &mut random, &mut tally)));
        let took = started.elapsed();
        tally.slowest = tally.slowest.max(took);
        let finding = match result {
            Err(_) => Some("a panic".to_owned()),
            Ok(Err(finding)) => Some(finding),
            Ok(Ok(())) if took > LONG => Some(format!("it took {took:?}")),
            Ok(Ok(())) => None,
        };
        if let Some(finding) = finding {
            println!("FINDING in run {run} of seed {seed}: {finding}\n{}", STANDARD.encode(&bytes));
            std::process::exit(1);
        }
        if run == 1000 {
            settled_kib = peak_kib();
        }
    }
    let growth = settled_kib.zip(peak_kib()).map(|(before, after)| after - before);
    println!(
        "no finding; {} streamed, {} hashed from a copy, {} refused, {} beyond the limits; slowest {:?}; {:.1} s; peak memory grew \
         by {} KiB after the first 1000 runs",
        tally.streamed,
        tally.spooled_and_hashed,
        tally.refused,
        tally.limited,
        tally.slowest,
        began.elapsed().as_secs_f64(),
        growth.map_or_else(|| "an unknown number of".to_owned(), |kib| kib.to_string()),
    );
    if growth.is_some_and(|growth| growth > GROWTH_KIB) {
        println!("FINDING: memory grows");
        std::process::exit(1);
    }
}

fn check(bytes: &[u8], random: &mut Random, tally: &mut Tally) -> Result<(), String> {
    let limits = if random.one_in(3) { TIGHT } else { ROOMY };
    let mut stream = Stream::new(limits);
    let mut rest = bytes;
    let bound = [1, 3, 40, 5000][random.below(4)];
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at((1 + random.below(bound)).min(rest.len()));
        stream.push(chunk);
        rest = after;
    }
    let finished = stream.finish();
    let exact = hash_archive(Cursor::new(bytes), &limits);
    if finished.body.size_bytes != bytes.len() as u64 {
        return Err("the body's size is wrong".to_owned());
    }
    match (&finished.outcome, &exact) {
        (Outcome::Hashed(streamed), Ok(exact)) if streamed == exact => tally.streamed += 1,
        (Outcome::Hashed(streamed), exact) => return Err(format!("streamed {streamed:?}, whole {exact:?}")),
        (Outcome::Spool(_), Ok(_)) => tally.spooled_and_hashed += 1,
        (Outcome::Spool(_), Err(NoHash::Limit(_))) => tally.limited += 1,
        (Outcome::Spool(_), Err(_)) => tally.refused += 1,
    }
    if exact.is_ok_and(|hashes| hashes.raw_bytes > limits.raw_bytes || hashes.entry_count > limits.entries) {
        return Err("beyond the limits, and hashed".to_owned());
    }
    Ok(())
}

fn number(flag: &str, default: u64) -> u64 {
    let mut words = std::env::args().skip_while(|word| word != flag).skip(1);
    words.next().map_or(default, |word| word.parse().expect("a number follows the flag"))
}

/// The most memory that this process ever held, where the system tells.
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
