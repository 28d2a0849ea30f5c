//! The speed of a job and the time that it may take: a rate over the last seconds, and a range that does not promise too much.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::jobs::data::{Phase, Progress};
use crate::remote::Remote;

/// The rate is that of this window.
const WINDOW: Duration = Duration::from_secs(8);
/// The number of items before which the time left is not shown.
const TELLING: u64 = 20;

/// Sums and manifest or signature, each with a redirect.
const REQUESTS_A_LOOK: f64 = 4.0;

/// The measure of a survey: each repository counts once for each phase that reads it, so that the last check of the last
/// phase makes it whole.
#[derive(Debug)]
pub(super) struct Meter {
    phase: Phase,
    done: u64,
    /// Repositories of this phase and of those before it.
    total: u64,
    /// Repositories that were done before this phase.
    before: u64,
    failed: u64,
    requests_before: u64,
    /// Repositories that the next phase is to look at, of what is done so far, and their releases.
    later: u64,
    ahead: u64,
    samples: VecDeque<(Instant, u64, u64)>,
}

impl Meter {
    pub(super) fn new(phase: Phase, total: usize, requests_before: u64) -> Self {
        Self {
            phase,
            done: 0,
            total: total as u64,
            before: 0,
            failed: 0,
            requests_before,
            later: 0,
            ahead: 0,
            samples: VecDeque::new(),
        }
    }

    /// Adds a repository whose releases the next phase is to look at, if there are any: until they are, it is not over.
    pub(super) fn expect(&mut self, looks: usize) {
        self.later += u64::from(looks > 0);
        self.ahead += looks as u64;
    }

    /// Begins the phase that looks at what was expected; its pace is its own.
    pub(super) fn next(&mut self, phase: Phase) {
        self.total += std::mem::take(&mut self.later);
        self.ahead = 0;
        self.samples.clear();
        (self.phase, self.before) = (phase, self.done);
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
                if items > 0.0 && self.done - self.before >= TELLING {
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
            total: self.total + self.later,
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

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a moment to measure at")]
    fn nothing_is_whole_before_the_last_check_of_the_last_phase() {
        let mut meter = Meter::new(Phase::Tags, 3, 0);
        let count = |meter: &mut Meter, looks: usize| {
            meter.expect(looks);
            meter.done += 1;
            let Progress { done, total, .. } = meter.progress(Instant::now(), 0, None);
            (done, total)
        };
        assert_eq!([0, 7, 2].map(|looks| count(&mut meter, looks)), [(1, 3), (2, 4), (3, 5)]);
        meter.next(Phase::Probing);
        assert_eq!([0, 0].map(|looks| count(&mut meter, looks)), [(4, 5), (5, 5)]);
    }
}
