//! How fast a job goes and how long it may take: a rate over the last seconds, and a range that does not lie.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::jobs::{Phase, Progress};
use crate::remote::Remote;

/// The rate is that of this window.
const WINDOW: Duration = Duration::from_secs(8);
/// Before this many items nothing is said of the time left.
const TELLING: u64 = 20;

/// Sums and manifest or signature, each with a redirect.
const REQUESTS_A_LOOK: f64 = 4.0;

/// The measure of one phase.
#[derive(Debug)]
pub(super) struct Meter {
    phase: Phase,
    done: u64,
    total: u64,
    failed: u64,
    requests_before: u64,
    /// Releases that the next phase is to look at, of what is done so far.
    ahead: u64,
    samples: VecDeque<(Instant, u64, u64)>,
}

impl Meter {
    pub(super) fn new(phase: Phase, total: usize, requests_before: u64) -> Self {
        Self {
            phase,
            done: 0,
            total: total as u64,
            failed: 0,
            requests_before,
            ahead: 0,
            samples: VecDeque::new(),
        }
    }

    /// Adds releases that the next phase is to look at: until they are, nothing is left of no time.
    pub(super) fn expect(&mut self, looks: usize) {
        self.ahead += looks as u64;
    }

    /// Counts one item, and gives the progress to be said.
    #[expect(
        clippy::disallowed_methods,
        reason = "a rate is measured by the monotonic clock; no result depends on it"
    )]
    pub(super) fn count(&mut self, failed: bool, remote: &Remote) -> Progress {
        self.done += 1;
        self.failed += u64::from(failed);
        let now = Instant::now();
        let requests = remote.counts().total().sent.saturating_sub(self.requests_before);
        let due = self.samples.back().is_none_or(|(at, _, _)| now.duration_since(*at) > WINDOW / 32);
        if due {
            self.samples.push_back((now, self.done, requests));
        }
        while self.samples.front().is_some_and(|(at, _, _)| now.duration_since(*at) > WINDOW) {
            self.samples.pop_front();
        }
        self.progress(now, requests, waiting(remote))
    }

    fn progress(&self, now: Instant, requests: u64, waiting: Option<String>) -> Progress {
        let (mut rate, mut left) = (0.0, None);
        if let Some((at, done, sent)) = self.samples.front() {
            let seconds = now.duration_since(*at).as_secs_f64();
            if seconds > 0.0 {
                rate = requests.saturating_sub(*sent) as f64 / seconds;
                let items = self.done.saturating_sub(*done) as f64 / seconds;
                if items > 0.0 && self.done >= TELLING {
                    let ahead = self.ahead as f64 * self.total as f64 / self.done as f64 * REQUESTS_A_LOOK;
                    let later = if ahead > 0.0 { ahead / rate.max(1.0) } else { 0.0 };
                    let rest = (self.total - self.done) as f64 / items + later;
                    let span = |factor: f64| Duration::from_secs_f64((rest * factor).min(1e6));
                    left = Some((span(0.85), span(1.4)));
                }
            }
        }
        Progress {
            phase: self.phase,
            done: self.done,
            total: self.total,
            failed: self.failed,
            requests,
            rate,
            left,
            waiting,
        }
    }
}

/// Why nothing moves, if a lane is held.
pub(crate) fn waiting(remote: &Remote) -> Option<String> {
    let rate = remote.rate();
    let (lane, pause) = rate.paused.iter().max_by_key(|(_, pause)| *pause)?;
    Some(format!("{} requests wait {} s, as GitHub asked", lane.name(), pause.as_secs() + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a start to count from")]
    fn what_a_later_phase_takes_is_in_the_time_that_is_left() {
        let progress = |looks: usize| {
            let mut meter = Meter::new(Phase::Tags, 100, 0);
            let start = Instant::now();
            meter.samples.push_back((start, 0, 0));
            meter.done = 100;
            meter.expect(looks);
            meter.progress(start + Duration::from_secs(4), 100, None).left.unwrap()
        };
        assert_eq!(progress(0).1, Duration::ZERO);
        // 50 releases with 4 requests each, at 25 requests a second.
        assert_eq!(progress(50).0, Duration::from_secs_f64(8.0 * 0.85));
    }
}
