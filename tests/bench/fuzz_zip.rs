//! Harms zips at random and looks whether anything breaks: `cargo bench --bench fuzz_zip -- --runs N --seed S`.
//!
//! Each run makes a zip, harms its fields and bytes, and hashes it as a stream in random chunks and whole, now and then also
//! as a download is hashed, on two threads. Looked for: a panic, a run that takes long, an h1 of the stream that the whole
//! archive does not have, an h1 of an unharmed zip that does not follow from its names and contents, memory that grows. The
//! first finding ends the benchmark with a failure and the archive in base64. The same seed makes the same archives. It fails
//! too if it could not have found anything: if wrong results pass for right ones, or if hardly anything was hashed.
//!
//! With `--when-changed` it runs only if the code that it tests has changed since it last passed (`tests/stamped.rs`).

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a benchmark stands outside the house: it reads clocks and prints"
)]

#[path = "../vectors/zip/random.rs"]
mod random;
#[macro_use]
#[path = "../stamped.rs"]
mod stamped;
#[path = "../vectors/zip/zipper.rs"]
mod zipper;

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bumpdesk::surface::jobs::{Cores, Piece, hash_body};
use bumpdesk::surface::registry::digest;
use bumpdesk::surface::rules::archive::Limits;
use bumpdesk::surface::rules::hash::{Hashes, NoHash, Outcome, Stream, hash_archive};
use bumpdesk::surface::store::Spool;
use bytes::Bytes;
use random::{Made, Random};
use sha2::{Digest, Sha256};

/// Room for all that is made here, and so little that the limits are met often.
const ROOMY: Limits =
    Limits { entries: 40, name_bytes: 4096, raw_bytes: 1 << 20, ratio: 50, free_raw_bytes: 1 << 16 };
const TIGHT: Limits = Limits { entries: 4, name_bytes: 60, raw_bytes: 4000, ratio: 3, free_raw_bytes: 500 };
/// A run takes far less than a millisecond; the machine may be busy.
const LONG: Duration = Duration::from_secs(5);
/// What one process may grow by, whatever it is fed.
const GROWTH_KIB: u64 = 32 << 10;

/// The code that unpacks and hashes, and what makes the zips.
const TESTED: [&str; 5] =
    ["src/rules/archive", "src/rules/hash", "src/jobs/hash", "src/store/spool.rs", "tests/vectors/zip"];

/// What became of the runs.
#[derive(Default)]
struct Tally {
    whole: u64,
    streamed: u64,
    spooled_and_hashed: u64,
    refused: u64,
    limited: u64,
    slowest: Duration,
}

fn main() -> ExitCode {
    let stamp = if std::env::args().any(|word| word == "--when-changed") {
        match stamped::due(std::any::type_name_of_val(&fuzz), file!(), &[&TESTED]) {
            None => return ExitCode::SUCCESS,
            some => some,
        }
    } else {
        None
    };
    match fuzz() {
        Ok(()) => ExitCode::SUCCESS,
        Err(finding) => {
            println!("FINDING: {finding}");
            std::mem::forget(stamp);
            ExitCode::FAILURE
        }
    }
}

fn fuzz() -> Result<(), String> {
    let (runs, seed) = (number("--runs", 20_000), number("--seed", 1));
    println!("fuzz_zip: {runs} runs, seed {seed}");
    look_at_the_judge()?;
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let spool = Spool::new(folder.path(), 1 << 30).expect("a folder");
    let mut tally = Tally::default();
    let began = Instant::now();
    let mut settled_kib = None;
    for run in 0..runs {
        let mut random = Random(seed ^ run.wrapping_mul(0xd134_2543_de82_ef95));
        let made = random::made(&mut random, 6, 3000);
        // Now and then one that is whole, so that the harmless way is walked too.
        let is_whole = random.one_in(50);
        let bytes = if is_whole { made.zip.bytes.clone() } else { random::harm(&mut random, &made.zip) };
        let started = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| {
            if is_whole {
                tally.whole += 1;
                check_whole(&made, hash_archive(Cursor::new(&bytes), &Limits::default()))?;
            }
            if run % 20 == 0 {
                check_download(&bytes, &mut random, &spool)?;
            }
            check(&bytes, &mut random, &mut tally)
        }));
        let took = started.elapsed();
        tally.slowest = tally.slowest.max(took);
        let finding = match result {
            Err(_) => Some("a panic".to_owned()),
            Ok(Err(finding)) => Some(finding),
            Ok(Ok(())) if took > LONG => Some(format!("it took {took:?}")),
            Ok(Ok(())) => None,
        };
        if let Some(finding) = finding {
            return Err(format!("in run {run} of seed {seed}: {finding}\n{}", STANDARD.encode(&bytes)));
        }
        if run == 1000 {
            settled_kib = peak_kib();
        }
    }
    let growth = settled_kib.zip(peak_kib()).map(|(before, after)| after - before);
    println!("{}", tally.line(began.elapsed(), growth));
    if growth.is_some_and(|growth| growth > GROWTH_KIB) {
        return Err("memory grows".to_owned());
    }
    if runs >= 1000 && (tally.whole < runs / 100 || tally.streamed < runs / 100) {
        return Err("so few archives were hashed that this run shows nothing".to_owned());
    }
    Ok(())
}

impl Tally {
    fn line(&self, took: Duration, growth_kib: Option<u64>) -> String {
        format!(
            "no finding; {} streamed, {} hashed from a copy, {} refused, {} beyond the limits, {} of all unharmed; slowest {:?}; \
             {:.1} s; peak memory grew by {} KiB after the first 1000 runs",
            self.streamed,
            self.spooled_and_hashed,
            self.refused,
            self.limited,
            self.whole,
            self.slowest,
            took.as_secs_f64(),
            growth_kib.map_or_else(|| "an unknown number of".to_owned(), |kib| kib.to_string()),
        )
    }
}

/// Shows the judge results that are wrong in one thing each, none of which it may let pass.
fn look_at_the_judge() -> Result<(), String> {
    let mut seeds = (0..100).map(|seed| random::made(&mut Random(seed), 6, 3000));
    let made = seeds.find(|made| made.entries.len() > 2);
    let made = made.expect("one of them is large enough");
    let right = hash_archive(Cursor::new(&made.zip.bytes), &Limits::default()).expect("it is whole");
    let mut other = right.clone();
    other.h1 = "h1:AAAA".into();
    let refused = Err(NoHash::LineBreak("x".into()));
    let hashed = Outcome::Hashed(right.clone());
    for (name, passes) in [
        ("another h1 of the stream", agree(&Outcome::Hashed(other.clone()), &Ok(right.clone())).is_ok()),
        ("a stream that hashes what has no h1", agree(&hashed, &refused).is_ok()),
        ("another h1 of an unharmed zip", check_whole(&made, Ok(other)).is_ok()),
        ("no h1 of an unharmed zip", check_whole(&made, refused.clone()).is_ok()),
        (
            "a right result",
            agree(&hashed, &Ok(right.clone())).is_err() || check_whole(&made, Ok(right)).is_err(),
        ),
    ] {
        if passes {
            return Err(format!("the judge is wrong about {name}"));
        }
    }
    Ok(())
}

fn check(bytes: &[u8], random: &mut Random, tally: &mut Tally) -> Result<(), String> {
    let limits = if random.one_in(3) { TIGHT } else { ROOMY };
    let mut stream = Stream::new(limits);
    chunks(bytes, random).for_each(|chunk| stream.push(chunk));
    let finished = stream.finish();
    let exact = hash_archive(Cursor::new(bytes), &limits);
    if (finished.body.size_bytes, finished.body.hex()) != (bytes.len() as u64, digest(bytes)) {
        return Err("the body's sum or size is wrong".to_owned());
    }
    agree(&finished.outcome, &exact)?;
    match (&finished.outcome, &exact) {
        (Outcome::Hashed(_), _) => tally.streamed += 1,
        (Outcome::Spool(_), Ok(_)) => tally.spooled_and_hashed += 1,
        (Outcome::Spool(_), Err(NoHash::Limit(_))) => tally.limited += 1,
        (Outcome::Spool(_), Err(_)) => tally.refused += 1,
    }
    if exact.is_ok_and(|hashes| hashes.raw_bytes > limits.raw_bytes || hashes.entry_count > limits.entries) {
        return Err("beyond the limits, and hashed".to_owned());
    }
    Ok(())
}

/// What streamed has the hashes of the whole archive.
fn agree(streamed: &Outcome, exact: &Result<Hashes, NoHash>) -> Result<(), String> {
    match (streamed, exact) {
        (Outcome::Hashed(streamed), Ok(exact)) if streamed == exact => Ok(()),
        (Outcome::Hashed(streamed), exact) => Err(format!("streamed {streamed:?}, whole {exact:?}")),
        (Outcome::Spool(_), _) => Ok(()),
    }
}

/// An unharmed zip has the h1 that follows from what was put in, by the plainest way to compute it.
fn check_whole(made: &Made, exact: Result<Hashes, NoHash>) -> Result<(), String> {
    let mut names: Vec<&Vec<u8>> = made.entries.iter().map(|(name, _)| name).collect();
    names.sort();
    let mut whole = Sha256::new();
    for name in names {
        let last = made.entries.iter().rfind(|entry| entry.0 == *name);
        let (_, content) = last.ok_or("a name without an entry")?;
        whole.update([digest(content).as_bytes(), b"  ", name, b"\n"].concat());
    }
    let h1 = format!("h1:{}", STANDARD.encode(whole.finalize()));
    match exact {
        Ok(hashes) if hashes.h1 == h1 && hashes.entry_count == made.entries.len() => Ok(()),
        exact => Err(format!("an unharmed zip of h1 {h1}, read as {exact:?}")),
    }
}

/// The same as it is hashed while it is downloaded, with a second thread.
fn check_download(bytes: &[u8], random: &mut Random, spool: &Spool) -> Result<(), String> {
    let mut pieces: Vec<Piece> =
        chunks(bytes, random).map(|chunk| Piece::Bytes(Bytes::copy_from_slice(chunk))).collect();
    if random.one_in(4) {
        pieces.splice(0..0, [Piece::Bytes(Bytes::from_static(b"PK")), Piece::Anew]);
    }
    let mut pieces = pieces.into_iter();
    let summed = hash_body(|| pieces.next(), spool, &Cores::new(2));
    let exact = hash_archive(Cursor::new(bytes), &Limits::default());
    if summed.body.hex() != digest(bytes) || summed.hashes != exact {
        return Err(format!("downloaded {summed:?}, whole {exact:?}"));
    }
    if spool.used_bytes() == 0 { Ok(()) } else { Err("a copy was left".to_owned()) }
}

/// Chunks of random sizes.
fn chunks<'a>(bytes: &'a [u8], random: &mut Random) -> impl Iterator<Item = &'a [u8]> + use<'a> {
    let mut random = Random(random.next());
    let bound = [1, 3, 40, 5000][random.below(4)];
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (chunk, after) = rest.split_at((1 + random.below(bound)).min(rest.len()));
        rest = after;
        (!chunk.is_empty()).then_some(chunk)
    })
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
