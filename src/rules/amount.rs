//! Text for amounts, written and read: counts, sizes, rates, lengths of time, ages, moments. Each has one short form, for
//! columns and figures, and one spoken form, for sentences that are read aloud; where only one is named, it does for both.
//!
//! Every face takes its words from here, so that the same hours are not `30h` in one of them and `1d` in the next.

use std::time::Duration;

use jiff::Timestamp;

/// The form of an amount or a label: short for a column, or spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Short,
    Spoken,
}

/// A number with thousands marked: `27,463`.
pub(crate) fn grouped(number: impl TryInto<u64>) -> String {
    let digits = number.try_into().unwrap_or(u64::MAX).to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number and its noun: `1 version`, `2,856 targets`, `0 entries`.
pub(crate) fn counted(number: impl TryInto<u64>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    if number == 1 { format!("1 {noun}") } else { format!("{} {}", grouped(number), plural(noun)) }
}

/// Up to three names, and the number of the others: `acme/rocket, acme/quiet, umbrella/portal and 4 more`.
pub(crate) fn list_names<T: AsRef<str>>(names: &[T]) -> String {
    let first: Vec<&str> = names.iter().take(3).map(AsRef::as_ref).collect();
    let more = names.len() - first.len();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{}{more}", first.join(", "))
}

/// The plural of a noun of ours, or of a phrase that ends in one.
fn plural(noun: &str) -> String {
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o']) => format!("{stem}ies"),
        _ if noun.ends_with("sh") => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// Bytes in the unit that suits them, decimal: `21.4 MB`.
pub(crate) fn bytes(count: u64) -> String {
    let (figure, unit) = scaled(count, count);
    format!("{figure} {unit}")
}

/// Bytes in the unit that suits another count of them: the figure and the unit.
pub(crate) fn scaled(count: u64, by: u64) -> (String, &'static str) {
    match by {
        0..1_000 => (count.to_string(), "B"),
        1_000..1_000_000 => (format!("{:.1}", count as f64 / 1e3), "kB"),
        1_000_000..1_000_000_000 => (format!("{:.1}", count as f64 / 1e6), "MB"),
        1_000_000_000..100_000_000_000 => (format!("{:.2}", count as f64 / 1e9), "GB"),
        _ => (grouped((count as f64 / 1e9).round() as u64), "GB"),
    }
}

/// A limit on bytes, which is to be exact: `256 MiB`, `64 KiB`, `4097 bytes`.
pub(crate) fn limit(bytes: u64) -> String {
    match bytes {
        _ if bytes >= 1 << 20 && bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        _ if bytes >= 1 << 10 && bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        _ => format!("{bytes} bytes"),
    }
}

/// Reads a size: `256MiB`, `1GiB`, `500MB`, `12 kB`, `4096`. `None` for anything else, and for none at all.
pub(crate) fn parse_bytes(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let unit: u64 = match text[digits..].trim() {
        "" | "B" => 1,
        "kB" | "KB" => 1_000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        "KiB" | "K" => 1 << 10,
        "MiB" | "M" => 1 << 20,
        "GiB" | "G" => 1 << 30,
        _ => return None,
    };
    text[..digits].parse::<u64>().ok()?.checked_mul(unit).filter(|bytes| *bytes > 0)
}

/// A size that reads back as the same: `200GB`, `256MiB`, `4097`.
pub(crate) fn exact_bytes(bytes: u64) -> String {
    let units = [("GB", 1_000_000_000), ("GiB", 1 << 30), ("MB", 1_000_000), ("MiB", 1 << 20), ("kB", 1_000)];
    let unit = units.into_iter().find(|(_, size)| bytes > 0 && bytes.is_multiple_of(*size));
    unit.map_or_else(|| bytes.to_string(), |(name, size)| format!("{}{name}", bytes / size))
}

/// A rate per second: `58.9/s`. `None` where nothing moves.
pub(crate) fn rate(per_second: f64) -> Option<String> {
    (per_second >= 0.05).then(|| format!("{per_second:.1}/s"))
}

/// Whole percent; never 100 before the last one is done.
pub(crate) fn percent(done: u64, total: u64) -> u64 {
    (done.min(total) * 100).checked_div(total).unwrap_or(0)
}

/// The unit that a length is told in. Seconds, hours and days stay until the next unit is worth its one figure: 80 s is not a
/// minute, and 30 h is not a day.
fn in_unit(length: Duration) -> (u64, &'static str) {
    match length.as_secs() {
        seconds @ ..90 => (seconds, "second"),
        seconds @ ..3_600 => (seconds / 60, "minute"),
        seconds @ ..172_800 => (seconds / 3_600, "hour"),
        seconds @ ..86_400_000 => (seconds / 86_400, "day"),
        seconds => (seconds / 31_536_000, "year"),
    }
}

/// A length of time in whole units: `45s`, `12m`, `30h`, `41d`, `4y`; `30 hours`.
pub(crate) fn length(length: Duration, form: Form) -> String {
    let (count, unit) = in_unit(length);
    match form {
        Form::Short => format!("{count}{}", &unit[..1]),
        Form::Spoken => counted(count, unit),
    }
}

/// A length of which only the bounds are known: `50s-70s`, `2m`; `50 to 70 seconds`, `80 seconds to 3 minutes`.
pub(crate) fn between((from, to): (Duration, Duration), form: Form) -> String {
    let ((least, unit), (most, larger)) = (in_unit(from), in_unit(to));
    match form {
        _ if (least, unit) == (most, larger) => length(to, form),
        Form::Short => format!("{}-{}", length(from, form), length(to, form)),
        Form::Spoken if unit == larger => format!("{} to {}", grouped(least), length(to, form)),
        Form::Spoken => format!("{} to {}", length(from, form), length(to, form)),
    }
}

/// The time between two moments as [`moment`] shows them, without fractions of a second. Zero if the second comes first.
pub(crate) fn apart(earlier: Timestamp, later: Timestamp) -> Duration {
    Duration::from_secs(u64::try_from(later.as_second() - earlier.as_second()).unwrap_or_default())
}

/// A length where its minutes matter: `20 min`, `2 h 20 min`, `3 days`.
pub(crate) fn to_the_minute(length: Duration) -> String {
    let minutes = length.as_secs() / 60;
    match (minutes / 60, minutes % 60) {
        (0, 0) => "less than a minute".to_owned(),
        (0, minutes) => format!("{minutes} min"),
        (hours, minutes) if hours < 48 => format!("{hours} h {minutes} min"),
        (hours, _) => format!("{} days", hours / 24),
    }
}

/// Reads `0`, `90s`, `15m`, `2h`, `1h30m`, `3d` or `1w`. `None` for anything else.
pub(crate) fn parse_length(text: &str) -> Option<Duration> {
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

/// A length that reads back as the same, to the second: `4h`, `90m`, `45s`.
pub(crate) fn exact_length(length: Duration) -> String {
    let seconds = length.as_secs();
    let units = [("h", 3_600), ("m", 60)];
    let unit = units.into_iter().find(|(_, size)| seconds > 0 && seconds.is_multiple_of(*size));
    unit.map_or_else(|| format!("{seconds}s"), |(name, size)| format!("{}{name}", seconds / size))
}

/// The time since a moment; nothing for a moment to come.
pub(crate) fn since(at: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(now.duration_since(at)).unwrap_or_default()
}

/// The age of something: `now`, `12m`, `30h`, `41d`; `just now`, `30 hours`.
pub(crate) fn age(at: Timestamp, now: Timestamp, form: Form) -> String {
    match (in_unit(since(at, now)), form) {
        ((_, "second"), Form::Short) => "now".into(),
        ((_, "second"), Form::Spoken) => "just now".into(),
        _ => length(since(at, now), form),
    }
}

/// The time since something happened: `just now`, `6h ago`; `6 hours ago`.
pub(crate) fn ago(at: Timestamp, now: Timestamp, form: Form) -> String {
    match in_unit(since(at, now)) {
        (_, "second") => "just now".into(),
        _ => format!("{} ago", length(since(at, now), form)),
    }
}

/// A moment to the second, for records: `2026-09-22 12:05:04Z`.
pub(crate) fn moment(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M:%SZ").to_string()
}

/// A moment to the minute, for sentences that stay: `2026-09-22 12:05Z`.
pub(crate) fn minute(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%MZ").to_string()
}

/// A moment to the minute, with the date unless it is today: `12:05Z`, `2026-09-22 12:05Z`.
pub(crate) fn clock(at: Timestamp, now: Timestamp) -> String {
    if day(at) == day(now) { at.strftime("%H:%MZ").to_string() } else { minute(at) }
}

/// The second of a day, where lines of a log stand below each other: `12:05:04`.
pub(crate) fn second(at: Timestamp) -> String {
    at.strftime("%H:%M:%S").to_string()
}

/// `2026-09-22`.
pub(crate) fn day(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d").to_string()
}

#[cfg(test)]
mod tests {
    use super::Form::{Short, Spoken};
    use super::*;

    #[test]
    fn counts() {
        for (number, text) in [(0, "0"), (999, "999"), (27_463, "27,463"), (1_000_000, "1,000,000")] {
            assert_eq!(grouped(number), text);
        }
        for (number, noun, text) in [
            (1, "version", "1 version"),
            (2_856, "target", "2,856 targets"),
            (0, "entry", "0 entries"),
            (2, "failed try", "2 failed tries"),
            (2, "key", "2 keys"),
            (3, "hash", "3 hashes"),
            (2, "path", "2 paths"),
        ] {
            assert_eq!(counted(number, noun), text);
        }
        for (done, total, whole) in [(0, 0, 0), (1_999, 2_000, 99), (2_000, 2_000, 100), (3, 2, 100)] {
            assert_eq!(percent(done, total), whole);
        }
    }

    #[test]
    fn what_stands_on_a_command_line_reads_back_as_the_same() {
        for (size, text) in
            [(200_000_000_000, "200GB"), (256 << 20, "256MiB"), (1_500_000, "1500kB"), (4_097, "4097")]
        {
            assert_eq!((exact_bytes(size), parse_bytes(text)), (text.to_owned(), Some(size)));
        }
        for (seconds, text) in [(14_400, "4h"), (5_400, "90m"), (61, "61s"), (0, "0s")] {
            let length = Duration::from_secs(seconds);
            assert_eq!((exact_length(length), parse_length(text)), (text.to_owned(), Some(length)));
        }
    }

    #[test]
    fn sizes_and_rates() {
        for (count, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_500, "1.5 kB"),
            (21_437_902, "21.4 MB"),
            (2_260_000_000, "2.26 GB"),
            (200_000_000_000, "200 GB"),
            (u64::MAX, "18,446,744,074 GB"),
        ] {
            assert_eq!(bytes(count), text);
        }
        for (count, text) in
            [(256 << 20, "256 MiB"), (64 << 10, "64 KiB"), (4_097, "4097 bytes"), (0, "0 bytes")]
        {
            assert_eq!(limit(count), text);
        }
        for (text, count) in [
            ("256MiB", 256 << 20),
            ("1GiB", 1 << 30),
            ("500MB", 500_000_000),
            ("4096", 4096),
            ("12 kB", 12_000),
        ] {
            assert_eq!(parse_bytes(text), Some(count), "{text}");
        }
        for text in ["", "0", "MiB", "256 mib", "-1", "99999999999GiB", "1.5GiB", "ü"] {
            assert_eq!(parse_bytes(text), None, "{text}");
        }
        for (per_second, text) in [(0.0, None), (0.04, None), (0.05, Some("0.1/s")), (58.94, Some("58.9/s"))]
        {
            assert_eq!(rate(per_second).as_deref(), text);
        }
    }

    #[test]
    fn lengths() {
        for (seconds, short, spoken) in [
            (0, "0s", "0 seconds"),
            (1, "1s", "1 second"),
            (89, "89s", "89 seconds"),
            (90, "1m", "1 minute"),
            (3_599, "59m", "59 minutes"),
            (3_600, "1h", "1 hour"),
            (7_200, "2h", "2 hours"),
            (30 * 3_600, "30h", "30 hours"),
            (48 * 3_600, "2d", "2 days"),
            (999 * 86_400, "999d", "999 days"),
            (2_000 * 86_400, "5y", "5 years"),
        ] {
            let told = Duration::from_secs(seconds);
            assert_eq!((length(told, Short).as_str(), length(told, Spoken).as_str()), (short, spoken));
        }
        for (from, to, short, spoken) in [
            (50, 70, "50s-70s", "50 to 70 seconds"),
            (9, 9, "9s", "9 seconds"),
            (80, 190, "80s-3m", "80 seconds to 3 minutes"),
            (360, 380, "6m", "6 minutes"),
            (10_800, 14_400, "3h-4h", "3 to 4 hours"),
        ] {
            let told = (Duration::from_secs(from), Duration::from_secs(to));
            assert_eq!((between(told, Short).as_str(), between(told, Spoken).as_str()), (short, spoken));
        }
        for (minutes, text) in
            [(0, "less than a minute"), (20, "20 min"), (140, "2 h 20 min"), (3 * 1440, "3 days")]
        {
            assert_eq!(to_the_minute(Duration::from_mins(minutes)), text);
        }
        let at = |milliseconds| Timestamp::from_millisecond(milliseconds).expect("a time");
        assert_eq!(apart(at(900), at(8_400_000)), Duration::from_mins(140), "fractions are not shown");
        assert_eq!(apart(at(8_400_000), at(900)), Duration::ZERO);
        let cases = [("0", 0), ("90s", 90), ("15m", 900), ("1h30m", 5_400), ("3d", 259_200), ("1w", 604_800)];
        for (text, seconds) in cases {
            assert_eq!(parse_length(text), Some(Duration::from_secs(seconds)), "{text}");
        }
        for text in
            ["", "m", "15", "15 m", "-1m", "1.5h", "15x", "99999999999999999999d", "9999999999999999w"]
        {
            assert_eq!(parse_length(text), None, "{text}");
        }
    }

    #[test]
    fn moments_and_ages() {
        let now: Timestamp = "2026-09-22T12:05:00Z".parse().unwrap();
        for (at, short, spoken, told, long) in [
            ("2026-09-22T12:04:30Z", "now", "just now", "just now", "12:04Z"),
            ("2026-09-22T12:06:00Z", "now", "just now", "just now", "12:06Z"),
            ("2026-09-22T11:30:00Z", "35m", "35 minutes", "35m ago", "11:30Z"),
            ("2026-09-21T06:05:00Z", "30h", "30 hours", "30h ago", "2026-09-21 06:05Z"),
            ("2026-08-23T12:05:00Z", "30d", "30 days", "30d ago", "2026-08-23 12:05Z"),
            ("2020-08-23T12:05:00Z", "6y", "6 years", "6y ago", "2020-08-23 12:05Z"),
        ] {
            let at: Timestamp = at.parse().unwrap();
            let found = (age(at, now, Short), age(at, now, Spoken), ago(at, now, Short), clock(at, now));
            assert_eq!(found, (short.into(), spoken.into(), told.into(), long.into()));
        }
        assert_eq!(since(now, Timestamp::UNIX_EPOCH), Duration::ZERO);
        assert_eq!((moment(now), day(now)), ("2026-09-22 12:05:00Z".into(), "2026-09-22".into()));
    }
}
