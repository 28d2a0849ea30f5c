//! 140 archives from files, hashed by six workers as downloads are, on one core and on two.
//!
//! This program starts itself again below `taskset`, so that a run has the cores that it is to have and no others.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use bumpdesk::surface::jobs::{Cores, Piece, hash_body};
use bumpdesk::surface::store::Spool;

use crate::clock::middle;
use crate::one_archive::CHUNK_BYTES;
use crate::packages;

/// The first word of a run that only hashes.
pub(crate) const CHILD: &str = "--hash-files";
const TARGETS: usize = 140;
const FILES: usize = 12;
const WORKERS: usize = 6;
const ROUNDS: usize = 5;
/// A run whose cores were taken away for more than this share says little by the clock.
const HAD: f64 = 0.97;

/// The time of a run in seconds: by the clock, and on all its cores together.
#[derive(Clone, Copy, Debug)]
struct Took {
    wall: f64,
    cores: f64,
}

pub(crate) fn run() {
    let Some(cpus) = two_cpus() else {
        println!("SKIPPED: this needs `taskset` and two cores");
        return;
    };
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let bytes: u64 = (0..FILES).map(|place| write(folder.path(), place)).sum();
    println!("{TARGETS} archives, {:.0} MB packed", bytes as f64 * TARGETS as f64 / FILES as f64 / 1e6);
    let (one_cpu, both) = (cpus[0].to_string(), format!("{},{}", cpus[0], cpus[1]));
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let (one, two) = (hashed(&one_cpu, folder.path()), hashed(&both, folder.path()));
        println!(
            "  one core {:.2} s (had {:.0} % of it), two {:.2} s (had {:.0} % of them)",
            one.wall,
            one.cores / one.wall * 100.0,
            two.wall,
            two.cores / two.wall * 50.0
        );
        rounds.push((one, two));
    }
    let is_quiet =
        |(one, two): &&(Took, Took)| one.cores > HAD * one.wall && two.cores > HAD * 2.0 * two.wall;
    let quiet: Vec<f64> = rounds.iter().filter(is_quiet).map(|(one, two)| one.wall / two.wall).collect();
    let growth = middle(rounds.iter().map(|(one, two)| two.cores / one.cores));
    let by_clock = match quiet.len() {
        0 => "no quiet round".to_owned(),
        count => format!("{:.2} by the clock in {count} quiet rounds", middle(quiet.into_iter())),
    };
    println!(
        "two cores against one; to reach: 1.8                         {by_clock}, {:.2} by time on the cores",
        2.0 / growth
    );
}

/// Two that this process may use.
fn two_cpus() -> Option<[usize; 2]> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    let ranges = list.trim().split(',').map(|range| range.split_once('-').unwrap_or((range, range)));
    let cpus = ranges.filter_map(|(from, to)| Some(from.parse::<usize>().ok()?..=to.parse().ok()?));
    let mut cpus = cpus.flatten();
    let two = [cpus.next()?, cpus.next()?];
    Command::new("taskset").arg("--version").output().ok().map(|_| two)
}

/// Writes one archive; sizes differ, as those of providers do.
fn write(folder: &Path, place: usize) -> u64 {
    let package =
        packages::package(&[("terraform-provider-rocket", (5 + 2 * place) * 1_000_000)], place as u64);
    std::fs::write(file(folder, place), &package.zip).expect("an archive is written");
    package.zip.len() as u64
}

fn file(folder: &Path, place: usize) -> PathBuf {
    folder.join(format!("{}.zip", place % FILES))
}

fn hashed(cpus: &str, folder: &Path) -> Took {
    let own = std::env::current_exe().expect("this program");
    let output = Command::new("taskset").args(["-c", cpus]).arg(own).arg(CHILD).arg(folder).output();
    let output = output.expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let mut figures = text.split_whitespace().map(|word| word.parse().expect("a figure"));
    Took { wall: figures.next().expect("the time"), cores: figures.next().expect("the time on cores") }
}

/// Hashes all targets once and says how long it took.
pub(crate) fn child(words: &[String]) {
    let folder = Path::new(words.first().expect("a folder"));
    let spool = Spool::new(&folder.join("spool"), 1 << 30).expect("a folder");
    let (cores, next) = (Cores::of_machine(), AtomicUsize::new(0));
    let (began, before) = (Instant::now(), own_cores());
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                loop {
                    let target = next.fetch_add(1, Ordering::Relaxed);
                    if target >= TARGETS {
                        return;
                    }
                    let mut file = File::open(file(folder, target)).expect("an archive");
                    let summed = hash_body(|| piece(&mut file), &spool, &cores);
                    assert!(summed.hashes.is_ok() && summed.spooled.is_none(), "{summed:?}");
                }
            });
        }
    });
    println!("{} {}", began.elapsed().as_secs_f64(), own_cores() - before);
}

fn piece(file: &mut File) -> Option<Piece> {
    let mut bytes = vec![0; CHUNK_BYTES];
    let count = file.read(&mut bytes).expect("an archive");
    bytes.truncate(count);
    (count > 0).then(|| Piece::Bytes(bytes.into()))
}

/// Seconds that all threads of this process had a core.
fn own_cores() -> f64 {
    /// As Linux tells it to programs, on every machine.
    const TICKS_PER_S: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks = fields.split_whitespace().skip(11).take(2).filter_map(|word| word.parse::<f64>().ok());
    ticks.sum::<f64>() / TICKS_PER_S
}
