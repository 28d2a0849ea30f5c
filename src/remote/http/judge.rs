//! The meaning of an answer's status, headers and first words. Pure; GitHub's signals are those of
//! `github.md#what-a-limit-looks-like`.

use std::time::Duration;

use http::HeaderMap;
use http::header::{DATE, RETRY_AFTER};
use jiff::Timestamp;

use crate::remote::budget::{Limit, Signals};
use crate::remote::http::error::{RawError, RawText};
use crate::settings::Lane;

/// Reads the headers that speak of limits. `throttled` is what the status alone says.
pub(in crate::remote) fn signals(status: u16, headers: &HeaderMap) -> Signals {
    let number = |name: &str| text(headers, name)?.trim().parse::<i64>().ok();
    let count = |name: &str| number(name).and_then(|number| u64::try_from(number).ok());
    let date_epoch_s = text(headers, DATE.as_str()).and_then(http_date).map(Timestamp::as_second);
    let remaining = count("x-ratelimit-remaining");
    let retry_after = retry_after(headers, date_epoch_s);
    Signals {
        throttled: status == 429 || (status == 403 && (retry_after.is_some() || remaining == Some(0))),
        retry_after,
        resource: text(headers, "x-ratelimit-resource")
            .filter(|name| name.len() <= 40 && name.bytes().all(|b| b.is_ascii_graphic()))
            .map(Into::into),
        limit: count("x-ratelimit-limit"),
        remaining,
        reset_epoch_s: number("x-ratelimit-reset"),
        date_epoch_s,
    }
}

/// Seconds, or a date, which is taken relative to the answer's own date.
fn retry_after(headers: &HeaderMap, date_epoch_s: Option<i64>) -> Option<Duration> {
    let value = text(headers, RETRY_AFTER.as_str())?.trim();
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let seconds = http_date(value)?.as_second().checked_sub(date_epoch_s?)?;
    Some(Duration::from_secs(u64::try_from(seconds).unwrap_or(0)))
}

pub(in crate::remote) fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`.
pub(in crate::remote) fn http_date(text: &str) -> Option<Timestamp> {
    jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text.trim()).ok()
}

/// A secondary limit often names itself in the body alone.
pub(super) fn names_a_limit(status: u16, body: &str) -> bool {
    let body = body.to_ascii_lowercase();
    matches!(status, 403 | 429)
        && [
            "secondary rate limit",
            "temporarily blocked",
            "rate-limited",
            "rate limit exceeded",
            "abuse detection",
        ]
        .iter()
        .any(|words| body.contains(words))
}

/// The error that a refusing status means. `body` is the beginning of it; `limit` is what the budget made of a throttle.
pub(super) fn refusal(
    status: u16,
    body: &str,
    lane: Lane,
    token_sent: bool,
    limit: Option<Limit>,
) -> RawError {
    if let Some(Limit { wait, reset_epoch_s }) = limit {
        return RawError::RateLimited { retry_after: wait, reset_epoch_s };
    }
    let lower = body.to_ascii_lowercase();
    match status {
        404 | 410 => RawError::NotFound { status },
        // Git answers 401 for what is missing or private, unless credentials came along: then those are wrong, whatever
        // the words say (with good ones it answers 404).
        401 if lane == Lane::Git && !token_sent => RawError::NotFound { status },
        401 => RawError::Unauthorized { status, message: message(body) },
        409 | 422 if lane == Lane::Api => RawError::Refused { status, message: message(body) },
        451 => RawError::Blocked { status },
        403 if names_a_block(&lower) => RawError::Blocked { status },
        // Download hosts answer 403 at random; only GitHub's own refusals speak of rights.
        403 if lane == Lane::Api || lane == Lane::Git => {
            RawError::Unauthorized { status, message: message(body) }
        }
        _ => RawError::Status { status },
    }
}

/// A page may hold such words for other reasons.
fn names_a_block(lower: &str) -> bool {
    !lower.trim_start().starts_with('<')
        && ["access blocked", "disabled", "dmca", "unavailable due to"]
            .iter()
            .any(|words| lower.contains(words))
}

/// The `message` of a JSON body, else the first words of a text; nothing of a page.
fn message(body: &str) -> RawText {
    let json = serde_json::from_str::<serde_json::Value>(body).ok();
    if let Some(reason) = json.as_ref().and_then(|json| json.get("message")).and_then(|text| text.as_str()) {
        // Of a body that does not fit, the sentence that helps is the first of its errors.
        let detail = json.as_ref().and_then(|json| json.pointer("/errors/0/message")?.as_str());
        return detail.map_or_else(|| reason.into(), |detail| format!("{reason}: {detail}").into());
    }
    if body.trim_start().starts_with(['<', '{']) || body.trim().is_empty() {
        return "no reason given".into();
    }
    body.into()
}

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};

    use super::*;

    fn headers(list: &[(&'static str, &'static str)]) -> HeaderMap {
        list.iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn limits_are_read_out_of_headers() {
        let told = signals(
            403,
            &headers(&[
                ("x-ratelimit-limit", "60"),
                ("x-ratelimit-remaining", "0"),
                ("x-ratelimit-reset", "784111837"),
                ("x-ratelimit-resource", "core"),
                ("date", "Sun, 06 Nov 1994 08:49:37 GMT"),
            ]),
        );
        assert_eq!(
            told,
            Signals {
                throttled: true,
                retry_after: None,
                resource: Some("core".into()),
                limit: Some(60),
                remaining: Some(0),
                reset_epoch_s: Some(784_111_837),
                date_epoch_s: Some(784_111_777),
            }
        );
        let wait = |list: &[(&'static str, &'static str)]| signals(429, &headers(list)).retry_after;
        assert_eq!(wait(&[("retry-after", "60")]), Some(Duration::from_mins(1)));
        let dates =
            [("retry-after", "Sun, 06 Nov 1994 08:50:37 GMT"), ("date", "Sun, 06 Nov 1994 08:49:37 GMT")];
        assert_eq!(wait(&dates), Some(Duration::from_mins(1)));
        assert_eq!(wait(&[("retry-after", "soon")]), None);
        assert_eq!(wait(&[("retry-after", "-5")]), None);
        assert!(!signals(403, &HeaderMap::new()).throttled);
        assert!(signals(403, &headers(&[("retry-after", "1")])).throttled);
        assert!(!signals(200, &headers(&[("x-ratelimit-remaining", "0")])).throttled);
    }

    #[test]
    fn statuses_mean_what_the_caller_does_next() {
        let rights = |status, message: &str| RawError::Unauthorized { status, message: message.into() };
        let cases = [
            (404, "", Lane::Api, true, RawError::NotFound { status: 404 }),
            (410, "", Lane::Feed, true, RawError::NotFound { status: 410 }),
            (401, "Repository not found.", Lane::Git, false, RawError::NotFound { status: 401 }),
            (401, "Repository not found.", Lane::Git, true, rights(401, "Repository not found.")),
            (401, "Invalid username or token.", Lane::Git, true, rights(401, "Invalid username or token.")),
            (401, r#"{"message":"Bad credentials"}"#, Lane::Api, true, rights(401, "Bad credentials")),
            (
                403,
                r#"{"message":"Resource not accessible by personal access token"}"#,
                Lane::Api,
                true,
                rights(403, "Resource not accessible by personal access token"),
            ),
            (403, "<html>", Lane::Git, false, rights(403, "no reason given")),
            (
                403,
                r#"{"message":"Repository access blocked"}"#,
                Lane::Api,
                true,
                RawError::Blocked { status: 403 },
            ),
            (403, "<html><button disabled>", Lane::Feed, false, RawError::Status { status: 403 }),
            (451, "", Lane::Git, false, RawError::Blocked { status: 451 }),
            (403, "<Error/>", Lane::Asset, true, RawError::Status { status: 403 }),
            (502, "", Lane::Api, true, RawError::Status { status: 502 }),
        ];
        for (status, body, lane, token, expected) in cases {
            assert_eq!(refusal(status, body, lane, token, None), expected, "{status} {body}");
        }
        let limit = Limit { wait: Some(Duration::from_secs(5)), reset_epoch_s: Some(7) };
        let limited = RawError::RateLimited { retry_after: limit.wait, reset_epoch_s: limit.reset_epoch_s };
        assert_eq!(refusal(403, "", Lane::Api, true, Some(limit)), limited);
    }

    #[test]
    fn secondary_limits_name_themselves() {
        assert!(names_a_limit(403, r#"{"message":"You have exceeded a secondary rate limit."}"#));
        assert!(names_a_limit(403, "API rate limit exceeded for 1.2.3.4"));
        assert!(!names_a_limit(403, r#"{"message":"Resource not accessible by integration"}"#));
        assert!(!names_a_limit(200, "secondary rate limit"));
    }
}
