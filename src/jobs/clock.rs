//! The clock of the jobs: the time of the machine, or one fixed moment.

use std::time::SystemTime;

use jiff::Timestamp;

/// The source of the current time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    #[default]
    System,
    /// Always this moment: tests and simulated worlds.
    Fixed(Timestamp),
}

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "the one clock of the jobs")]
    pub(crate) fn now(self) -> Timestamp {
        match self {
            Self::System => from_system(SystemTime::now()),
            Self::Fixed(at) => at.min(LATEST),
        }
    }
}

/// 1 January 9000. A clock that shows more is wrong, and so near to the last moment there is (30 December 9999) every sum
/// with it could end in a panic.
const LATEST: Timestamp = Timestamp::constant(221_845_392_000, 0);

fn from_system(time: SystemTime) -> Timestamp {
    Timestamp::try_from(time).unwrap_or(LATEST).min(LATEST)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_clock_far_ahead_stops_no_job() {
        assert_eq!(LATEST.to_string(), "9000-01-01T00:00:00Z");
        let year = Duration::from_hours(24 * 366);
        for years in [7_100, 8_000, 9_000, 100_000] {
            assert_eq!(from_system(SystemTime::UNIX_EPOCH + years * year), LATEST, "{years}");
        }
        assert_eq!(Clock::Fixed(Timestamp::MAX).now(), LATEST);
        assert_eq!(from_system(SystemTime::UNIX_EPOCH), Timestamp::UNIX_EPOCH);
    }
}
