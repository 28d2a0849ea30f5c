//! Speed of zh and h1 in one pass, against what the machine can do at best: `cargo bench --bench verify`.
//!
//! One zip like a Go provider's: 190 MB that pack to about a third, in three large files and a few small ones. Everything is
//! measured in this one run and told as a ratio, since machines differ; nothing passes or fails. The floor is the time that
//! inflating and SHA-256 over raw and packed bytes take when nothing else is done.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a benchmark stands outside the house: it reads clocks and prints"
)]

#[path = "../vectors/zip/zipper.rs"]
mod zipper;

use std::io::Cursor;
use std::sync::mpsc::sync_channel;
use std::time::Instant;

use bumpdesk::rules::archive::Batch;
use bumpdesk::rules::archive::Limits;
use bumpdesk::rules::archive::Unpack;
use bumpdesk::rules::hash::BodyHash;
use bumpdesk::rules::hash::EntryHash;
use bumpdesk::rules::hash::Finished;
use bumpdesk::rules::hash::Outcome;
use bumpdesk::rules::hash::Stream;
use bumpdesk::rules::hash::conclude;
use bumpdesk::rules::hash::hash_archive;
use flate2::Decompress;
use flate2::FlushDecompress;
use flate2::Status;
use sha2::Digest;
use sha2::Sha256;
use zipper::Form;
use zipper::Manner;
use zipper::Zipper;

/// As bodies arrive.
const CHUNK_BYTES: usize = 64 << 10;
const RUNS: usize = 9;

/// The archive, and its large parts.
struct Package {
    zip: Vec<u8>,
    packed: Vec<Vec<u8>>,
    raw_bytes: usize,
}

fn main() {
    let package = package();
    let megabytes = package.raw_bytes as f64 / 1e6;
    println!("{megabytes:.1} MB raw, {:.1} MB packed", package.zip.len() as f64 / 1e6);
    let expected = streamed(&package.zip);
    let Outcome::Hashed(hashes) = &expected.outcome else { panic!("not streamed: {:?}", expected.outcome) };
    assert_eq!(&two_threads(&package.zip), &expected, "one thread and two say the same");
    let exact = hash_archive(Cursor::new(&package.zip), &Limits::default());
    assert_eq!(exact.as_ref(), Ok(hashes), "stream and copy say the same");
    // Round by round, so that a busy moment slows all alike; the ratio is the middle one of all rounds.
    let mut rounds: Vec<[Time; 5]> = Vec::new();
    for _ in 0..RUNS {
        rounds.push([
            timed(|| inflate_alone(&package.packed)),
            timed(|| sha256_alone(&package.zip, package.raw_bytes)),
            timed(|| drop(streamed(&package.zip))),
            timed(|| drop(two_threads(&package.zip))),
            timed(|| drop(hash_archive(Cursor::new(&package.zip), &Limits::default()))),
        ]);
    }
    tell(megabytes, &rounds);
}

fn tell(megabytes: f64, rounds: &[[Time; 5]]) {
    let names = [
        "inflate alone",
        "SHA-256 over raw and packed alone",
        "stream, one core",
        "stream, two cores (the thread that unpacks)",
        "whole copy, one core, without zh",
    ];
    for (place, name) in names.into_iter().enumerate() {
        let wall = middle(rounds.iter().map(|round| round[place].wall));
        let core = middle(rounds.iter().map(|round| round[place].core));
        let speed = megabytes / wall;
        println!(
            "{name:<44} {:>7.1} ms  {:>7.1} ms of one core  {speed:>6.1} MB/s raw",
            wall * 1e3,
            core * 1e3
        );
    }
    let ratio = |of: fn(&Time) -> f64, best: &[usize], place: usize| {
        middle(
            rounds.iter().map(|round| best.iter().map(|&at| of(&round[at])).sum::<f64>() / of(&round[place])),
        )
    };
    for (name, best, place) in [
        ("one core, of inflate and SHA-256; to reach: 0.93", [0, 1].as_slice(), 2),
        ("two cores, of inflate alone; to reach: 0.90", &[0], 3),
    ] {
        let (wall, core) = (ratio(|time| time.wall, best, place), ratio(|time| time.core, best, place));
        println!("{name:<52} {wall:.3} by the clock, {core:.3} by time on the core");
    }
}

fn middle(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Seconds by the clock, and seconds that this thread had a core: what counts while other programs run.
#[derive(Clone, Copy)]
struct Time {
    wall: f64,
    core: f64,
}

fn timed(work: impl FnOnce()) -> Time {
    let (began, before) = (Instant::now(), core_seconds());
    work();
    let wall = began.elapsed().as_secs_f64();
    let core = before.zip(core_seconds()).map_or(wall, |(before, after)| after - before);
    Time { wall, core }
}

/// How long this thread has run, where the system tells.
fn core_seconds() -> Option<f64> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: u64 = told.split(' ').next()?.parse().ok()?;
    Some(nanoseconds as f64 / 1e9)
}

fn streamed(zip: &[u8]) -> Finished {
    let mut stream = Stream::new(Limits::default());
    zip.chunks(CHUNK_BYTES).for_each(|chunk| stream.push(chunk));
    stream.finish()
}

/// What goes to the thread that hashes.
enum Work<'a> {
    Body(&'a [u8]),
    Batch(Batch),
}

/// This thread unpacks, the other one hashes; batches go round between them.
fn two_threads(zip: &[u8]) -> Finished {
    const BATCHES: usize = 4;
    let (send, work) = sync_channel::<Work<'_>>(2 * BATCHES);
    let (give_back, empty) = sync_channel::<Batch>(BATCHES);
    (0..BATCHES - 1).for_each(|_| give_back.send(Batch::default()).expect("there is room"));
    std::thread::scope(|scope| {
        let hasher = scope.spawn(move || {
            let (mut body, mut entries) = (BodyHash::default(), EntryHash::default());
            for work in work {
                match work {
                    Work::Body(chunk) => body.push(chunk),
                    Work::Batch(mut batch) => {
                        entries.push(&batch);
                        batch.clear();
                        let _ = give_back.send(batch);
                    }
                }
            }
            (body.finish(), entries.finish())
        });
        let mut unpack = Unpack::new(Limits::default());
        let mut batch = Batch::default();
        for chunk in zip.chunks(CHUNK_BYTES) {
            send.send(Work::Body(chunk)).expect("the hasher lives");
            let mut rest = chunk;
            while !rest.is_empty() {
                rest = &rest[unpack.push(rest, &mut batch)..];
                if batch.is_full() {
                    let next = empty.recv().expect("the hasher gives back");
                    send.send(Work::Batch(std::mem::replace(&mut batch, next))).expect("the hasher lives");
                }
            }
        }
        send.send(Work::Batch(batch)).expect("the hasher lives");
        drop(send);
        let (body, sums) = hasher.join().expect("the hasher ends");
        Finished { body, outcome: conclude(unpack.finish(), &sums) }
    })
}

fn inflate_alone(packed: &[Vec<u8>]) {
    let mut raw = vec![0; 256 << 10];
    for packed in packed {
        let mut inflater = Decompress::new(false);
        for chunk in packed.chunks(CHUNK_BYTES) {
            let end = inflater.total_in() + chunk.len() as u64;
            loop {
                let from = chunk.len() - (end - inflater.total_in()) as usize;
                let status = inflater.decompress(&chunk[from..], &mut raw, FlushDecompress::None);
                let status = status.expect("what was packed here");
                if status == Status::StreamEnd || (inflater.total_in() == end && status == Status::BufError) {
                    break;
                }
            }
        }
    }
}

fn sha256_alone(zip: &[u8], raw_bytes: usize) {
    let mut sum = Sha256::new();
    sum.update(zip);
    let buffer = &zip[..256 << 10];
    (0..raw_bytes / buffer.len()).for_each(|_| sum.update(buffer));
    std::hint::black_box(sum.finalize());
}

/// Packs to a third, as programs do: words of a vocabulary that come again near where they came, between bytes that do not.
fn package() -> Package {
    let mut state = 1u64;
    let mut next = move |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let mut zipper = Zipper::default();
    let (mut packed, mut raw_bytes) = (Vec::new(), 0);
    for (name, bytes) in [("a", 90_600_000), ("b", 57_300_000), ("c", 42_800_000), ("README.md", 12_000)] {
        let mut content: Vec<u8> = Vec::with_capacity(bytes + 64);
        while content.len() < bytes {
            let length = 3 + next(14) as usize;
            if content.len() > 40_000 && next(100) < 79 {
                let reach = if next(3) == 0 { 32_000 } else { 1_500 };
                let back = length + next(reach) as usize;
                let from = content.len() - back;
                content.extend_from_within(from..from + length);
            } else {
                // Instructions: few values are frequent.
                content.extend((0..length.min(6)).map(|_| (next(256) & next(256)) as u8));
            }
        }
        content.truncate(bytes);
        let deflated = zipper::deflate(&content, 6);
        zipper.entry_packed(name.as_bytes(), &content, &deflated, Manner::GO);
        raw_bytes += content.len();
        packed.push(deflated);
    }
    // Beside them what is small, written by other hands.
    zipper.entry(b"LICENSE", b"terms\n", Manner { form: Form::Sized, ..Manner::GO });
    zipper.entry(b"NOTICE", b"notes\n", Manner { form: Form::Bare { wide: true }, ..Manner::GO });
    Package { zip: zipper.finish(b"", false).bytes, packed, raw_bytes }
}
