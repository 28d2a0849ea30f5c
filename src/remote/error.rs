//! What went wrong with a server, by what the caller does next.
//!
//! Texts are short and clean: no URL with a query, no token, no control characters. [`observed`] turns a result into the
//! registry's [`Observed`], so that a failed source always ends as "unknown, because" and never as "nothing there".

use std::time::Duration;

use jiff::Timestamp;

use crate::registry::{Observed, Why};

/// A failed call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Error {
    /// The server says that there is no such thing: 404, 410, or 401 from git where no token was sent.
    #[error("there is no such thing upstream (HTTP {status})")]
    NotFound { status: u16 },
    /// Asked to slow down; nothing more on this lane before then.
    #[error("asked to slow down{}", after(*.retry_after))]
    RateLimited {
        /// How long to wait from now on, where that is known.
        retry_after: Option<Duration>,
        /// When the quota starts anew, in epoch seconds, where the server said so.
        reset_epoch_s: Option<i64>,
    },
    /// The token is wrong, has ended, or may not read this.
    #[error("not allowed (HTTP {status}): {message}")]
    Unauthorized { status: u16, message: String },
    /// Taken down or disabled upstream.
    #[error("blocked upstream (HTTP {status})")]
    Blocked { status: u16 },
    /// It understood a change and did not make it: 409, 422, or an error of GraphQL.
    #[error("refused (HTTP {status}): {message}")]
    Refused { status: u16, message: String },
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
    /// No connection, or cut off.
    #[error("no answer: {0}")]
    Transport(String),
    /// An answer of the wrong form.
    #[error("unreadable answer: {0}")]
    Protocol(String),
    /// Nothing but failures came from there, so it was not asked.
    #[error("it was not asked after too many failures ({0})")]
    Down(String),
    /// The source needs a token and there is none.
    #[error("needs a GitHub token; set GH_TOKEN or log in with `gh auth login`")]
    NoToken,
}

fn after(wait: Option<Duration>) -> String {
    wait.map(|wait| format!(" for {} s", wait.as_secs())).unwrap_or_default()
}

impl Error {
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
            Self::Transport(text) => Why::Transport { text: text.clone() },
            Self::Down(text) => {
                Why::Transport { text: format!("not asked after too many failures ({text})") }
            }
            Self::Protocol(text) => Why::Protocol { text: text.clone() },
            Self::NoToken => Why::NoToken,
        }
    }

    /// Whether asking again soon may help: the connection failed, or the server stumbled.
    pub(super) fn is_transient(&self) -> bool {
        match self {
            Self::Transport(_) | Self::TimedOut { .. } | Self::Silent { .. } => true,
            Self::Status { status } => *status >= 500,
            _ => false,
        }
    }

    pub(super) fn protocol(text: impl Into<String>) -> Self {
        Self::Protocol(clean(&text.into()))
    }

    pub(super) fn transport(text: impl Into<String>) -> Self {
        Self::Transport(clean(&text.into()))
    }
}

fn until(wait: Option<Duration>, reset_epoch_s: Option<i64>, now: Timestamp) -> Option<Timestamp> {
    let waited = wait
        .and_then(|wait| jiff::SignedDuration::try_from(wait).ok())
        .and_then(|wait| now.checked_add(wait).ok());
    waited.or_else(|| reset_epoch_s.and_then(|seconds| Timestamp::from_second(seconds).ok()))
}

/// What was observed at `now`: the value, its absence, or why nothing is known.
pub(crate) fn observed<T>(result: Result<T, Error>, now: Timestamp) -> Observed<T> {
    match result {
        Ok(value) => Observed::Known { value, at: now },
        Err(Error::NotFound { status }) => Observed::Absent { at: now, status },
        Err(error) => Observed::Unknown { at: now, why: error.why(now) },
    }
}

/// Text from outside, fit for a message: one line, no control characters, at most 200 characters.
pub(super) fn clean(text: &str) -> String {
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
