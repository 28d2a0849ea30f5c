//! Times: by the clock, on the core, and how long a thread waited for a core that others had.

use std::time::Instant;

/// What a piece of work took, in seconds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Time {
    pub(crate) wall: f64,
    /// This thread had a core.
    pub(crate) core: f64,
    /// This thread could have run and had none. With two threads, of the one that waited longer.
    pub(crate) waited: f64,
}

impl Time {
    /// Whether other programs took so much that the clock says little about ours.
    pub(crate) fn is_disturbed(&self) -> bool {
        self.waited > 0.02 * self.wall
    }
}

/// Of the thread that calls, or of the one whose folder below `/proc` it is; nothing where the system does not tell.
pub(crate) fn ran_and_waited(folder: &str) -> Option<(f64, f64)> {
    let told = std::fs::read_to_string(format!("{folder}/schedstat")).ok()?;
    let mut figures = told.split_whitespace().map(|word| word.parse::<u64>().map(|time| time as f64 / 1e9));
    Some((figures.next()?.ok()?, figures.next()?.ok()?))
}

pub(crate) const OWN: &str = "/proc/thread-self";

/// Times work; it may say how long another thread of it waited.
pub(crate) fn timed(work: impl FnOnce() -> f64) -> Time {
    let (began, before) = (Instant::now(), ran_and_waited(OWN));
    let other_waited = work();
    let wall = began.elapsed().as_secs_f64();
    let after = before.zip(ran_and_waited(OWN));
    let (core, waited) =
        after.map_or((wall, 0.0), |(before, after)| (after.0 - before.0, after.1 - before.1));
    Time { wall, core, waited: waited.max(other_waited) }
}

/// How long the thread of this name has waited for a core since it began.
pub(crate) fn waited_of(name: &str) -> f64 {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return 0.0 };
    let folders = threads.flatten().map(|thread| thread.path().display().to_string());
    let is_it = |folder: &String| {
        std::fs::read_to_string(format!("{folder}/comm")).is_ok_and(|found| found.trim() == name)
    };
    folders.filter(is_it).find_map(|folder| ran_and_waited(&folder)).map_or(0.0, |(_, waited)| waited)
}

pub(crate) fn middle(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

/// What else the machine does, in its own words.
pub(crate) fn load() -> String {
    std::fs::read_to_string("/proc/loadavg")
        .map_or_else(|_| "unknown".to_owned(), |text| text.split(' ').take(3).collect::<Vec<_>>().join(" "))
}
