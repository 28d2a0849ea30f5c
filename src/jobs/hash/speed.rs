//! Bytes a second over the last seconds, and how long the rest may take. Moments come in as lengths since the start.

use std::collections::VecDeque;
use std::time::Duration;

/// The rate is that of this window.
const WINDOW: Duration = Duration::from_secs(8);
/// Before that nothing is said of the time left.
const TELLING: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub(in crate::jobs) struct Speed {
    samples: VecDeque<(Duration, u64)>,
}

impl Speed {
    /// Takes in how many bytes there are at a moment.
    pub(in crate::jobs) fn note(&mut self, at: Duration, bytes: u64) {
        let is_due = self.samples.back().is_none_or(|(last, _)| at.saturating_sub(*last) > WINDOW / 32);
        if is_due {
            self.samples.push_back((at, bytes));
        }
        while self.samples.len() > 1
            && self.samples.front().is_some_and(|(first, _)| at.saturating_sub(*first) > WINDOW)
        {
            self.samples.pop_front();
        }
    }

    pub(in crate::jobs) fn bytes_per_s(&self, at: Duration, bytes: u64) -> f64 {
        let Some((first, before)) = self.samples.front() else { return 0.0 };
        let seconds = at.saturating_sub(*first).as_secs_f64();
        if seconds > 0.0 { bytes.saturating_sub(*before) as f64 / seconds } else { 0.0 }
    }

    /// From and to; the range is as wide as the rate is unsure.
    pub(in crate::jobs) fn left(
        &self,
        at: Duration,
        bytes: u64,
        rest_bytes: u64,
    ) -> Option<(Duration, Duration)> {
        let first = self.samples.front()?.0;
        let rate = self.bytes_per_s(at, bytes);
        if rate <= 0.0 || at.saturating_sub(first) < TELLING {
            return None;
        }
        let seconds = rest_bytes as f64 / rate;
        let span = |factor: f64| Duration::from_secs_f64((seconds * factor).min(1e7));
        Some((span(0.85), span(1.4)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_that_of_the_window() {
        let mut speed = Speed::default();
        let at = Duration::from_secs;
        assert_eq!((speed.bytes_per_s(at(1), 9), speed.left(at(1), 9, 9)), (0.0, None));
        for second in 0..20u64 {
            speed.note(at(second), if second < 10 { 0 } else { (second - 10) * 1000 });
        }
        // Seconds 11 to 19: what was slow before is forgotten.
        assert!((speed.bytes_per_s(at(19), 9000) - 1000.0).abs() < 1.0);
        let (from, to) = speed.left(at(19), 9000, 10_000).unwrap();
        assert!(from < at(10) && to > at(10));
    }
}
