//! zh and h1 of one archive, from memory.

use std::io::Cursor;

use bumpdesk::surface::jobs::{Cores, Piece, hash_body};
use bumpdesk::surface::rules::archive::Limits;
use bumpdesk::surface::rules::hash::{Finished, Outcome, Stream, hash_archive};
use bumpdesk::surface::store::Spool;
use bytes::Bytes;

use crate::clock::{Time, middle, timed, waited_of};
use crate::packages::Package;
use crate::{alone, golang, packages};

/// As bodies arrive.
pub(crate) const CHUNK_BYTES: usize = 64 << 10;
/// Enough rounds in which nothing disturbed the parts that are compared; there are at most so many in all.
const QUIET_ROUNDS: usize = 7;
const MOST_ROUNDS: usize = 21;

const NAMES: [&str; 6] = [
    "inflate alone",
    "SHA-256 over raw and packed alone",
    "stream, one core",
    "as a download is hashed, one core, with its copy",
    "as a download is hashed, two cores, with its copy",
    "whole copy, one core, without zh",
];

/// A part in relation to others: these alone take so much of its time.
const RATIOS: [(&str, &[usize], usize); 3] = [
    ("stream on one core, of inflate and SHA-256; to reach: 0.93", &[0, 1], 2),
    ("a download on one core, of the same", &[0, 1], 3),
    ("a download on two cores, of inflate; to reach: 0.90", &[0], 4),
];

type Round = [Time; NAMES.len()];

pub(crate) fn run() {
    let package = packages::large();
    println!("{:.1} MB raw, {:.1} MB packed", megabytes(&package), package.zip.len() as f64 / 1e6);
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let spool = Spool::new(folder.path(), 1 << 30).expect("a folder");
    let zip = Bytes::from(package.zip.clone());
    let h1 = check(&zip, &spool);
    let mut rounds: Vec<Round> = Vec::new();
    let is_enough = |rounds: &[Round]| {
        let mut counts = RATIOS.iter().map(|(_, best, place)| quiet(rounds, best, *place).count());
        counts.all(|count| count >= QUIET_ROUNDS)
    };
    while rounds.len() < MOST_ROUNDS && !is_enough(&rounds) {
        rounds.push(round(&package, &zip, &spool));
    }
    tell(&package, &rounds);
    golang::compare(&package, &h1, &|| alone(&|| drop(streamed(&zip))), &|| {
        alone(&|| alone::sha256(&zip, package.raw_bytes))
    });
}

fn megabytes(package: &Package) -> f64 {
    package.raw_bytes as f64 / 1e6
}

/// All ways say the same, or nothing is worth measuring.
fn check(zip: &Bytes, spool: &Spool) -> String {
    let Finished { body, outcome: Outcome::Hashed(hashes) } = streamed(zip) else { panic!("not streamed") };
    assert_eq!(hash_archive(Cursor::new(zip), &Limits::default()).as_ref(), Ok(&hashes));
    for cores in [1, 2] {
        let mut pieces = pieces(zip);
        let summed = hash_body(|| pieces.next(), spool, &Cores::new(cores));
        assert_eq!((summed.body, &summed.hashes, summed.spooled), (body, &Ok(hashes.clone()), None));
    }
    hashes.h1
}

/// All parts one after another, so that a busy moment slows all alike.
fn round(package: &Package, zip: &Bytes, spool: &Spool) -> Round {
    let downloaded = |cores: usize| {
        let mut pieces = pieces(zip);
        let mut waited = 0.0;
        let next = || {
            let piece = pieces.next();
            if piece.is_none() {
                waited = waited_of("sums");
            }
            piece
        };
        drop(hash_body(next, spool, &Cores::new(cores)));
        waited
    };
    [
        alone(&|| alone::inflate(&package.packed)),
        alone(&|| alone::sha256(zip, package.raw_bytes)),
        alone(&|| drop(streamed(zip))),
        timed(|| downloaded(1)),
        timed(|| downloaded(2)),
        alone(&|| drop(hash_archive(Cursor::new(zip), &Limits::default()))),
    ]
}

/// Times what runs on this thread alone.
fn alone(work: &dyn Fn()) -> Time {
    timed(|| {
        work();
        0.0
    })
}

fn streamed(zip: &[u8]) -> Finished {
    let mut stream = Stream::new(Limits::default());
    zip.chunks(CHUNK_BYTES).for_each(|chunk| stream.push(chunk));
    stream.finish()
}

fn pieces(zip: &Bytes) -> impl Iterator<Item = Piece> + use<> {
    let mut rest = zip.clone();
    std::iter::from_fn(move || {
        let piece = rest.split_to(rest.len().min(CHUNK_BYTES));
        (!piece.is_empty()).then_some(Piece::Bytes(piece))
    })
}

fn tell(package: &Package, rounds: &[Round]) {
    for (place, name) in NAMES.into_iter().enumerate() {
        let wall = middle(rounds.iter().map(|round| round[place].wall));
        let core = middle(rounds.iter().map(|round| round[place].core));
        let speed = megabytes(package) / wall;
        println!(
            "{name:<50} {:>7.1} ms  {:>7.1} ms of this thread's core  {speed:>6.1} MB/s raw",
            wall * 1e3,
            core * 1e3
        );
    }
    println!(
        "{} rounds; by the clock only those count in which no other program took a core away",
        rounds.len()
    );
    for (name, best, place) in RATIOS {
        let quiet: Vec<&Round> = quiet(rounds, best, place).collect();
        let by_clock = match quiet.len() {
            0 => "no quiet round".to_owned(),
            count => format!(
                "{:.3} by the clock in {count} quiet rounds",
                ratio(quiet.into_iter(), |time| time.wall, best, place)
            ),
        };
        println!(
            "{name:<60} {by_clock}, {:.3} by time on the core",
            ratio(rounds.iter(), |time| time.core, best, place)
        );
    }
}

/// Rounds in which nothing disturbed what is compared.
fn quiet<'a>(rounds: &'a [Round], best: &'a [usize], place: usize) -> impl Iterator<Item = &'a Round> {
    let parts = move |round: &Round| best.iter().chain([&place]).any(|&at| round[at].is_disturbed());
    rounds.iter().filter(move |round| !parts(round))
}

/// The middle one of all rounds' own ratios.
fn ratio<'a>(
    rounds: impl Iterator<Item = &'a Round>,
    of: fn(&Time) -> f64,
    best: &[usize],
    place: usize,
) -> f64 {
    middle(rounds.map(|round| best.iter().map(|&at| of(&round[at])).sum::<f64>() / of(&round[place])))
}
