//! zh and h1 of one archive, from memory.

use std::io::Cursor;

use bumpdesk::jobs::Cores;
use bumpdesk::jobs::Piece;
use bumpdesk::jobs::hash_body;
use bumpdesk::rules::archive::Limits;
use bumpdesk::rules::hash::Finished;
use bumpdesk::rules::hash::Outcome;
use bumpdesk::rules::hash::Stream;
use bumpdesk::rules::hash::hash_archive;
use bumpdesk::store::Spool;
use bytes::Bytes;

use crate::alone;
use crate::clock::Time;
use crate::clock::middle;
use crate::clock::timed;
use crate::clock::waited_of;
use crate::golang;
use crate::packages;
use crate::packages::Package;

/// As bodies arrive.
pub(crate) const CHUNK_BYTES: usize = 64 << 10;
/// Rounds that nothing disturbed are enough at so many; of all rounds there are at most so many.
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

type Round = [Time; NAMES.len()];

pub(crate) fn run() {
    let package = packages::large();
    println!("{:.1} MB raw, {:.1} MB packed", megabytes(&package), package.zip.len() as f64 / 1e6);
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let spool = Spool::new(folder.path(), 1 << 30).expect("a folder");
    let zip = Bytes::from(package.zip.clone());
    let h1 = check(&zip, &spool);
    let mut rounds: Vec<Round> = Vec::new();
    let is_quiet = |round: &&Round| !round.iter().any(Time::is_disturbed);
    while rounds.iter().filter(is_quiet).count() < QUIET_ROUNDS && rounds.len() < MOST_ROUNDS {
        rounds.push(round(&package, &zip, &spool));
    }
    let quiet: Vec<Round> = rounds.iter().filter(is_quiet).copied().collect();
    println!("{} rounds, {} of them not disturbed by other programs", rounds.len(), quiet.len());
    if quiet.is_empty() {
        println!("no round was quiet: what the clock says below is of all rounds, and too low for two cores");
    }
    let rounds = if quiet.is_empty() { &rounds } else { &quiet };
    tell(&package, rounds);
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
    for (name, best, place) in [
        ("stream on one core, of inflate and SHA-256; to reach: 0.93", [0, 1].as_slice(), 2),
        ("a download on one core, of the same", &[0, 1], 3),
        ("a download on two cores, of inflate; to reach: 0.90", &[0], 4),
    ] {
        let (wall, core) =
            (ratio(rounds, |time| time.wall, best, place), ratio(rounds, |time| time.core, best, place));
        println!("{name:<60} {wall:.3} by the clock, {core:.3} by time on the core");
    }
}

/// The middle one of all rounds' own ratios.
fn ratio(rounds: &[Round], of: fn(&Time) -> f64, best: &[usize], place: usize) -> f64 {
    middle(rounds.iter().map(|round| best.iter().map(|&at| of(&round[at])).sum::<f64>() / of(&round[place])))
}
