//! Lengths of time as people write and read them: `15m`, `1h30m`, `3d`. Used by options, filters and lists.

use std::time::Duration;

use jiff::Timestamp;

/// Reads `0`, `90s`, `15m`, `2h`, `1h30m`, `3d` or `1w`. `None` for anything else.
pub(crate) fn parse(text: &str) -> Option<Duration> {
    if text == "0" {
        return Some(Duration::ZERO);
    }
    let (mut seconds, mut rest) = (0u64, text);
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit()).filter(|end| *end > 0)?;
        let count: u64 = rest[..end].parse().ok()?;
        let unit = rest[end..].chars().next()?;
        let unit_s = match unit {
            's' => 1,
            'm' => 60,
            'h' => 3_600,
            'd' => 86_400,
            'w' => 604_800,
            _ => return None,
        };
        seconds = seconds.checked_add(count.checked_mul(unit_s)?)?;
        rest = &rest[end + unit.len_utf8()..];
    }
    (!text.is_empty()).then(|| Duration::from_secs(seconds))
}

/// The length in its largest whole unit: `45s`, `12m`, `6h`, `41d`.
pub(crate) fn short(length: Duration) -> String {
    match length.as_secs() {
        seconds @ ..60 => format!("{seconds}s"),
        seconds @ ..3_600 => format!("{}m", seconds / 60),
        seconds @ ..86_400 => format!("{}h", seconds / 3_600),
        seconds => format!("{}d", seconds / 86_400),
    }
}

/// The length as people say it in a sentence: `20 min`, `2 h 20 min`, `3 days`.
pub(crate) fn long(length: Duration) -> String {
    let minutes = length.as_secs() / 60;
    match (minutes / 60, minutes % 60) {
        (0, 0) => "less than a minute".to_owned(),
        (0, minutes) => format!("{minutes} min"),
        (hours, minutes) if hours < 48 => format!("{hours} h {minutes} min"),
        (hours, _) => format!("{} days", hours / 24),
    }
}

/// How long ago a moment was; nothing for a moment to come.
pub(crate) fn age(at: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(now.duration_since(at)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_read_and_print() {
        let cases = [("0", 0), ("90s", 90), ("15m", 900), ("1h30m", 5_400), ("3d", 259_200), ("1w", 604_800)];
        for (text, seconds) in cases {
            assert_eq!(parse(text), Some(Duration::from_secs(seconds)), "{text}");
        }
        for text in
            ["", "m", "15", "15 m", "-1m", "1.5h", "15x", "99999999999999999999d", "9999999999999999w"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
        for (seconds, text) in [(0, "0s"), (59, "59s"), (60, "1m"), (7_199, "1h"), (3_600_000, "41d")] {
            assert_eq!(short(Duration::from_secs(seconds)), text);
        }
    }

    #[test]
    fn a_moment_to_come_has_no_age() {
        let (early, late) = (Timestamp::UNIX_EPOCH, Timestamp::from_second(60).unwrap());
        assert_eq!(age(early, late), Duration::from_mins(1));
        assert_eq!(age(late, early), Duration::ZERO);
    }
}
