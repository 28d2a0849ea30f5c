//! The back-off of recorded errors: 15 min × 2^n after the last of n records, then the next quarter hour, since the bump
//! runs at minutes 0, 15, 30 and 45 (`registry.md#failed-tries`).

use jiff::{SignedDuration, Timestamp};

use crate::registry::{Address, RecordedError};
use crate::rules::Finding;

const QUARTER_S: i64 = 15 * 60;
pub(crate) const QUARTER: SignedDuration = SignedDuration::from_secs(QUARTER_S);

/// The rule of every finding that says what the next bump does.
pub(crate) const NEXT_BUMP: &str = "next-bump";

/// That no bump ever comes to namespaces that start with this character, as a sentence; `None` where bumps do. Those that have a
/// run are 0 to 7 and a to z (`registry.md#the-bump`).
pub(crate) fn never_bumped(shard: char) -> Option<String> {
    let has_run = matches!(shard, '0'..='7' | 'a'..='z');
    (!has_run).then(|| format!("no bump run covers namespaces that start with `{shard}`"))
}

/// The finding that says what the next bump does, or that no bump comes; `beside` holds in both cases.
pub(crate) fn next_bump(address: &Address, text: &str, beside: &str) -> Finding {
    let never = never_bumped(address.shard());
    Finding::note(NEXT_BUMP, format!("{}{beside}", never.as_deref().unwrap_or(text)))
}

/// The recorded tries of one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tries {
    pub(crate) count: u32,
    pub(crate) last: Timestamp,
    pub(crate) message: String,
    /// When the wait is over: last + 15 min × 2^count.
    pub(crate) waits_until: Timestamp,
}

/// The tries recorded for a version (without `v`); `None` if there are none.
pub(crate) fn tries(errors: &[RecordedError], version: &str) -> Option<Tries> {
    let mine: Vec<&RecordedError> = errors.iter().filter(|error| error.version == version).collect();
    let last = mine.iter().max_by_key(|error| error.utc_time)?;
    let count = mine.len() as u32;
    Some(Tries {
        count,
        last: last.utc_time,
        message: last.message.clone(),
        waits_until: wait_end(last.utc_time, count),
    })
}

/// The end of the wait after `count` records, the last of them at `last`.
pub(crate) fn wait_end(last: Timestamp, count: u32) -> Timestamp {
    // 2^24 quarters are 479 years; beyond that only overflow is to be avoided.
    let quarters = 1i64 << count.min(24);
    last.checked_add(SignedDuration::from_secs(QUARTER_S * quarters)).unwrap_or(Timestamp::MAX)
}

/// The first bump run at or after a time.
pub(crate) fn next_run(after: Timestamp) -> Timestamp {
    let (seconds, rest) = (after.as_second(), after.subsec_nanosecond());
    let whole = if rest > 0 { seconds + 1 } else { seconds };
    let run = whole.div_euclid(QUARTER_S) * QUARTER_S;
    let run = if run < whole { run + QUARTER_S } else { run };
    Timestamp::from_second(run).unwrap_or(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn waits_double_and_end_at_a_run() {
        let last = at("2026-09-21T12:00:00Z");
        for (count, end) in [
            (1, "2026-09-21T12:30:00Z"),
            (2, "2026-09-21T13:00:00Z"),
            (4, "2026-09-21T16:00:00Z"),
            (8, "2026-09-24T04:00:00Z"),
        ] {
            assert_eq!(wait_end(last, count), at(end), "{count}");
        }
        assert!(wait_end(last, 200) > at("2400-01-01T00:00:00Z"));
        for (after, run) in [
            ("2026-09-21T12:00:00Z", "2026-09-21T12:00:00Z"),
            ("2026-09-21T12:00:00.1Z", "2026-09-21T12:15:00Z"),
            ("2026-09-21T12:59:59Z", "2026-09-21T13:00:00Z"),
        ] {
            assert_eq!(next_run(at(after)), at(run));
        }
    }

    #[test]
    fn the_latest_record_counts() {
        let record = |version: &str, time: &str| RecordedError {
            version: version.into(),
            message: format!("failed at {time}"),
            utc_time: at(time),
        };
        let errors = [
            record("1.1.0", "2026-01-01T10:00:00Z"),
            record("1.0.0", "2026-01-01T11:00:00Z"),
            record("1.1.0", "2026-01-01T09:00:00Z"),
        ];
        let tries = tries(&errors, "1.1.0").unwrap();
        assert_eq!((tries.count, tries.last), (2, at("2026-01-01T10:00:00Z")));
        assert_eq!(tries.waits_until, at("2026-01-01T11:00:00Z"));
        assert!(super::tries(&errors, "2.0.0").is_none());
    }
}
