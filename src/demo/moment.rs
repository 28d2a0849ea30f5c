//! Times of a scenario: absolute, or relative to the world's clock (`-6h`, `-1d12h`, `+60s`).
//!
//! Reading is total: a text that is no time is an error with the place in the file, never a panic.

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

/// A time as written in a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) enum Moment {
    At(Timestamp),
    FromNow(SignedDuration),
}

impl Moment {
    /// The time it stands for, given the world's clock; held at the ends of what a timestamp can hold.
    pub(crate) fn resolve(self, now: Timestamp) -> Timestamp {
        match self {
            Self::At(at) => at,
            Self::FromNow(distance) => shift(now, distance),
        }
    }
}

/// A time moved by a distance, held at the ends of what a timestamp can hold.
pub(crate) fn shift(at: Timestamp, distance: SignedDuration) -> Timestamp {
    let end = if distance.is_negative() { Timestamp::MIN } else { Timestamp::MAX };
    at.checked_add(distance).unwrap_or(end)
}

impl TryFrom<String> for Moment {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let fail = || {
            format!(
                "`{text}` is not a time; write RFC 3339 (`2026-11-21T12:00:00Z`) or a distance (`-6h`, `-1d12h`)"
            )
        };
        if let Some(rest) = text.strip_prefix('-') {
            return distance(rest).map(|length| Self::FromNow(-length)).ok_or_else(fail);
        }
        if let Some(rest) = text.strip_prefix('+') {
            return distance(rest).map(Self::FromNow).ok_or_else(fail);
        }
        text.parse().map(Self::At).map_err(|_| fail())
    }
}

/// A length of time: numbers with the units `w d h m s ms`, one after the other.
pub(crate) fn distance(text: &str) -> Option<SignedDuration> {
    let mut total = SignedDuration::ZERO;
    let mut rest = text;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: i64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let unit_ms: i64 = match &rest[..letters] {
            "w" => 604_800_000,
            "d" => 86_400_000,
            "h" => 3_600_000,
            "m" => 60_000,
            "s" => 1_000,
            "ms" => 1,
            _ => return None,
        };
        rest = &rest[letters..];
        total = total.checked_add(SignedDuration::from_millis(number.checked_mul(unit_ms)?))?;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_both_forms() {
        let now: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
        let cases = [
            ("-6h", "2026-11-21T06:00:00Z"),
            ("-1d12h", "2026-11-20T00:00:00Z"),
            ("+60s", "2026-11-21T12:01:00Z"),
            ("-20m", "2026-11-21T11:40:00Z"),
            ("-2w", "2026-11-07T12:00:00Z"),
            ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"),
        ];
        for (text, wanted) in cases {
            let moment = Moment::try_from(text.to_owned()).unwrap();
            assert_eq!(moment.resolve(now).to_string(), wanted, "{text}");
        }
        for text in ["", "-", "6h", "-6x", "-h", "yesterday", "-6", "-ä"] {
            assert!(Moment::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
