//! What may be written when something is set aside: until when, and why.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::registry::{Address, Decision, DecisionKind};
use crate::rules::amount;

/// A reason is told in a line of a screen.
pub(crate) const LONGEST_REASON: usize = 200;

/// Reads a day, on which it ends, or a length of time from now, which may begin with a plus sign.
///
/// # Errors
/// It is neither, or over already.
pub(crate) fn until(text: &str, now: Timestamp) -> Result<Timestamp, String> {
    let text = text.trim();
    let wrong = || format!("`{text}` is neither a day such as 2027-01-01 nor a length such as 90d");
    let until = if let Ok(day) = text.parse::<Date>() {
        day.to_zoned(TimeZone::UTC).map_err(|_| wrong())?.timestamp()
    } else {
        let length = text.strip_prefix('+').map_or(text, str::trim);
        let length = amount::parse_length(length).ok_or_else(wrong)?;
        let length = SignedDuration::try_from(length).map_err(|_| wrong())?;
        now.checked_add(length).map_err(|_| wrong())?
    };
    if until <= now { Err(format!("`{text}` is over already")) } else { Ok(until) }
}

/// # Errors
/// It says nothing, or is more than a line.
pub(crate) fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() || text.chars().any(char::is_control) || text.chars().count() > LONGEST_REASON {
        return Err(format!("a reason is one line of at most {LONGEST_REASON} characters"));
    }
    Ok(text.to_owned())
}

/// Versions that are ignored from now on, each with its end and its reason.
///
/// # Errors
/// The end is not understood, or there is no reason.
pub(crate) fn ignoring(
    these: &[(Address, String)],
    until: &str,
    because: &str,
    now: Timestamp,
) -> Result<Vec<Decision>, String> {
    let (until, reason) = (self::until(until, now)?, self::reason(because)?);
    let one = |(address, version): &(Address, String)| Decision {
        address: address.to_string(),
        version: Some(version.clone()),
        kind: DecisionKind::Ignore { until: Some(until) },
        reason: reason.clone(),
        at: now,
    };
    Ok(these.iter().map(one).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_or_a_length_and_a_line() {
        let now: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
        for (text, wanted) in [
            ("2027-01-01", Some("2027-01-01T00:00:00Z")),
            (" 90d ", Some("2027-02-19T12:00:00Z")),
            (" + 90d", Some("2027-02-19T12:00:00Z")),
            ("+2027-01-01", None),
            ("2026-11-21", None),
            ("0", None),
            ("soon", None),
            ("2026-13-01", None),
        ] {
            let wanted = wanted.map(|text| text.parse::<Timestamp>().unwrap());
            assert_eq!(until(text, now).ok(), wanted, "{text}");
        }
        assert_eq!(reason(" never released "), Ok("never released".to_owned()));
        for text in ["", " ", "two\nlines", &"x".repeat(201)] {
            assert!(reason(text).is_err(), "{text}");
        }
    }
}
