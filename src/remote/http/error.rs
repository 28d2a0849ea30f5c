//! A failed call, by what the caller does next.
//!
//! Texts are short and clean: no URL with a query, no token, no control characters. A server's words are [`RawText`],
//! which no code can print. Only `http` knows the token, and only `http` turns raw text into [`CleanText`], which is
//! the only text that [`Error`] can contain. [`observed`] turns a result into the registry's [`Observed`], so a failed
//! source always becomes "unknown, because" and never "nothing there".

use std::fmt;
use std::ops::Deref;
use std::time::Duration;

use jiff::Timestamp;

use crate::registry::{Observed, Why};
use crate::remote::http::secrets::Secrets;

/// A failed call, without the token.
pub(crate) type Error = CallError<CleanText>;
/// A failed call inside `http`. It has neither `Display` nor `Debug`, because a server may have repeated the token.
pub(super) type RawError = CallError<RawText>;

/// Words of a server, fit for a message except that they may still contain the token. They cannot be printed.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct RawText(String);

/// Text without the token: our own words, or a server's words after [`Secrets`] removed the token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CleanText(String);

/// A failed call. The text type shows whether its words may still contain the token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CallError<Text> {
    /// The server says that there is no such thing: 404, 410, or 401 from git where no token was sent.
    #[error("there is no such thing upstream (HTTP {status})")]
    NotFound { status: u16 },
    /// Asked to slow down; nothing more on this lane before then.
    #[error("asked to slow down{}", after(*.retry_after))]
    RateLimited {
        /// The time to wait from now on, where that is known.
        retry_after: Option<Duration>,
        /// When the quota starts anew, in epoch seconds, where the server said so.
        reset_epoch_s: Option<i64>,
    },
    /// The token is wrong, has ended, or may not read this.
    #[error("not allowed (HTTP {status}): {message}")]
    Unauthorized { status: u16, message: Text },
    /// Taken down or disabled upstream.
    #[error("blocked upstream (HTTP {status})")]
    Blocked { status: u16 },
    /// It understood a change and did not make it: 409, 422, or an error of GraphQL.
    #[error("refused (HTTP {status}): {message}")]
    Refused { status: u16, message: Text },
    /// Another status, 5xx among them.
    #[error("it answered HTTP {status}")]
    Status { status: u16 },
    /// It says that there is no such thing, and what led there says that there is.
    #[error("it answered HTTP {status}, {because}")]
    Doubted { status: u16, because: &'static str },
    /// The body has reached the limit, which itself is too much, as in the registry's own client.
    #[error("the answer reaches the limit of {limit_bytes} bytes")]
    TooLarge { limit_bytes: u64 },
    /// No whole answer within the lane's time.
    #[error("no whole answer within {} s", .after.as_secs())]
    TimedOut { after: Duration },
    /// A download that had begun, and of which nothing more came.
    #[error("nothing more came for {} s", .after.as_secs_f64())]
    Silent { after: Duration },
    /// The download was so slow that it would take days.
    #[error("it came too slowly: {bytes_per_s} bytes a second in {} s, and at least {least} are needed", .over.as_secs())]
    TooSlow { bytes_per_s: u64, least: u64, over: Duration },
    /// No connection, or cut off.
    #[error("no answer: {0}")]
    Transport(Text),
    /// An answer of the wrong form.
    #[error("unreadable answer: {0}")]
    Protocol(Text),
    /// Nothing but failures came from there, so it was not asked.
    #[error("it was not asked after too many failures ({0})")]
    Down(Text),
    /// The source needs a token and there is none.
    #[error("needs a GitHub token; set GH_TOKEN or log in with `gh auth login`")]
    NoToken,
}

fn after(wait: Option<Duration>) -> String {
    wait.map(|wait| format!(" for {} s", wait.as_secs())).unwrap_or_default()
}

impl From<String> for RawText {
    fn from(text: String) -> Self {
        Self(clean(&text))
    }
}

impl From<&str> for RawText {
    fn from(text: &str) -> Self {
        Self(clean(text))
    }
}

impl From<CleanText> for RawText {
    fn from(CleanText(text): CleanText) -> Self {
        Self(text)
    }
}

/// Tests check the text of an answer before the token is removed.
#[cfg(test)]
impl Deref for RawText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
impl fmt::Debug for RawText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl CleanText {
    /// Creates a text from our own words, which no server could influence.
    pub(super) fn ours(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    /// Removes the token from a server's words. There is no other way to a clean text.
    pub(super) fn scrubbed(RawText(text): RawText, secrets: Option<&Secrets>) -> Self {
        match secrets {
            Some(secrets) => Self(secrets.scrub(&text)),
            None => Self(text),
        }
    }
}

impl Deref for CleanText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CleanText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<CleanText> for String {
    fn from(CleanText(text): CleanText) -> Self {
        text
    }
}

/// A type that a field of an error may have: a number, our own words, or clean text.
trait Printable {}

impl Printable for u16 {}
impl Printable for u64 {}
impl Printable for i64 {}
impl Printable for Duration {}
impl Printable for &'static str {}
impl Printable for CleanText {}
impl<T: Printable> Printable for Option<T> {}

/// Compiles only while every field of every variant is [`Printable`]. A variant with a plain `String`, which may
/// contain the token, does not compile.
const _: fn(Error) = |error| {
    fn printable(_: impl Printable) {}
    match error {
        CallError::NotFound { status } | CallError::Blocked { status } | CallError::Status { status } => {
            printable(status);
        }
        CallError::RateLimited { retry_after, reset_epoch_s } => {
            printable(retry_after);
            printable(reset_epoch_s);
        }
        CallError::Unauthorized { status, message } | CallError::Refused { status, message } => {
            printable(status);
            printable(message);
        }
        CallError::Doubted { status, because } => {
            printable(status);
            printable(because);
        }
        CallError::TooLarge { limit_bytes } => printable(limit_bytes),
        CallError::TimedOut { after } | CallError::Silent { after } => printable(after),
        CallError::TooSlow { bytes_per_s, least, over } => {
            printable(bytes_per_s);
            printable(least);
            printable(over);
        }
        CallError::Transport(text) | CallError::Protocol(text) | CallError::Down(text) => printable(text),
        CallError::NoToken => {}
    }
};

impl<Text> CallError<Text> {
    /// Returns the same failure with its words changed. All variants are named, so a new variant needs an arm to
    /// compile.
    fn map<Other>(self, words: impl Fn(Text) -> Other) -> CallError<Other> {
        match self {
            Self::NotFound { status } => CallError::NotFound { status },
            Self::RateLimited { retry_after, reset_epoch_s } => {
                CallError::RateLimited { retry_after, reset_epoch_s }
            }
            Self::Unauthorized { status, message } => {
                CallError::Unauthorized { status, message: words(message) }
            }
            Self::Blocked { status } => CallError::Blocked { status },
            Self::Refused { status, message } => CallError::Refused { status, message: words(message) },
            Self::Status { status } => CallError::Status { status },
            Self::Doubted { status, because } => CallError::Doubted { status, because },
            Self::TooLarge { limit_bytes } => CallError::TooLarge { limit_bytes },
            Self::TimedOut { after } => CallError::TimedOut { after },
            Self::Silent { after } => CallError::Silent { after },
            Self::TooSlow { bytes_per_s, least, over } => CallError::TooSlow { bytes_per_s, least, over },
            Self::Transport(text) => CallError::Transport(words(text)),
            Self::Protocol(text) => CallError::Protocol(words(text)),
            Self::Down(text) => CallError::Down(words(text)),
            Self::NoToken => CallError::NoToken,
        }
    }

    /// Returns true if the same call may succeed soon: the connection failed, or the server had an internal error.
    pub(super) fn is_transient(&self) -> bool {
        match self {
            Self::Transport(_) | Self::TimedOut { .. } | Self::Silent { .. } => true,
            Self::Status { status } => *status >= 500,
            _ => false,
        }
    }
}

impl RawError {
    pub(super) fn protocol(text: impl Into<RawText>) -> Self {
        Self::Protocol(text.into())
    }

    /// Removes the token from the server's words.
    pub(super) fn scrubbed(self, secrets: Option<&Secrets>) -> Error {
        self.map(|text| CleanText::scrubbed(text, secrets))
    }
}

impl Error {
    /// The message of the error, which is as clean as its parts.
    pub(super) fn text(&self) -> CleanText {
        CleanText(self.to_string())
    }

    /// The error for an answer in the wrong form, in our own words.
    pub(crate) fn unreadable(text: &'static str) -> Self {
        Self::Protocol(CleanText::ours(text))
    }

    /// The registry's reason. `NotFound` is no reason for not knowing: [`observed`] makes `Absent` of it.
    pub(crate) fn why(&self, now: Timestamp) -> Why {
        match self {
            Self::NotFound { status } | Self::Status { status } | Self::Refused { status, .. } => {
                Why::Status { status: *status }
            }
            Self::Doubted { status, because } => Why::Doubted { status: *status, because: (*because).into() },
            Self::RateLimited { retry_after, reset_epoch_s } => {
                Why::Throttled { until: until(*retry_after, *reset_epoch_s, now) }
            }
            Self::Unauthorized { status, .. } => Why::Unauthorized { status: *status },
            Self::Blocked { status } => Why::Blocked { status: *status },
            Self::TooLarge { limit_bytes } => Why::TooLarge { limit_bytes: *limit_bytes },
            Self::TimedOut { after } => {
                Why::Transport { text: format!("not whole within {} s", after.as_secs()) }
            }
            Self::Silent { after } => {
                Why::Transport { text: format!("nothing more for {} s", after.as_secs_f64()) }
            }
            Self::TooSlow { bytes_per_s, .. } => {
                Why::Transport { text: format!("too slow, with {bytes_per_s} bytes a second") }
            }
            Self::Transport(text) => Why::Transport { text: text.to_string() },
            Self::Down(text) => {
                Why::Transport { text: format!("not asked after too many failures ({text})") }
            }
            Self::Protocol(text) => Why::Protocol { text: text.to_string() },
            Self::NoToken => Why::NoToken,
        }
    }

    /// The text without the time to wait. Texts for GitHub must not change from one moment to the next, because a
    /// digest of every byte confirms what is sent.
    pub(crate) fn cause(&self) -> String {
        match self {
            Self::RateLimited { .. } => {
                Self::RateLimited { retry_after: None, reset_epoch_s: None }.to_string()
            }
            other => other.to_string(),
        }
    }
}

fn until(wait: Option<Duration>, reset_epoch_s: Option<i64>, now: Timestamp) -> Option<Timestamp> {
    let waited = wait
        .and_then(|wait| jiff::SignedDuration::try_from(wait).ok())
        .and_then(|wait| now.checked_add(wait).ok());
    waited.or_else(|| reset_epoch_s.and_then(|seconds| Timestamp::from_second(seconds).ok()))
}

/// The result of a call as a fact observed at `now`: the value, its absence, or the reason why it is not known.
pub(crate) fn observed<T>(result: Result<T, Error>, now: Timestamp) -> Observed<T> {
    match result {
        Ok(value) => Observed::Known { value, at: now },
        Err(CallError::NotFound { status }) => Observed::Absent { at: now, status },
        Err(error) => Observed::Unknown { at: now, why: error.why(now) },
    }
}

/// Text from outside, fit for a message: one line, no control characters, at most 200 characters.
pub(in crate::remote) fn clean(text: &str) -> String {
    let mut line: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(201)
        .collect::<String>()
        .trim()
        .into();
    if line.chars().count() > 200 {
        line = line.chars().take(199).collect();
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        "2026-11-21T10:00:00Z".parse().unwrap()
    }

    #[test]
    fn results_become_observations() {
        let at = now();
        assert_eq!(observed(Ok(3), at), Observed::Known { value: 3, at });
        let absent: Observed<u8> = observed(Err(Error::NotFound { status: 401 }), at);
        assert_eq!(absent, Observed::Absent { at, status: 401 });
        let unknown: Observed<u8> = observed(Err(Error::NoToken), at);
        assert_eq!(unknown, Observed::Unknown { at, why: Why::NoToken });
    }

    #[test]
    fn limits_name_their_end() {
        let at = now();
        let limited = |retry_after, reset_epoch_s| Error::RateLimited { retry_after, reset_epoch_s }.why(at);
        let minute: Timestamp = "2026-11-21T10:01:00Z".parse().unwrap();
        let cases = [
            (limited(Some(Duration::from_mins(1)), Some(5)), Some(minute)),
            (limited(None, Some(minute.as_second())), Some(minute)),
            (limited(None, None), None),
            (limited(Some(Duration::MAX), None), None),
        ];
        for (why, until) in cases {
            assert_eq!(why, Why::Throttled { until });
        }
    }

    #[test]
    fn texts_from_outside_are_cleaned() {
        assert_eq!(clean("a\u{1b}[31mb\nc"), "a [31mb c");
        assert_eq!(clean(&"x".repeat(500)).chars().count(), 200);
        assert_eq!(clean(&"x".repeat(200)).len(), 200);
    }
}
