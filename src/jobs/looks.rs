//! The pauses between checks of something on GitHub that is followed until it is finished.

use std::time::Duration;

use jiff::Timestamp;

use crate::jobs::Env;
use crate::remote::Error;

/// The longest pause before the next check, even if a server asks for more.
const LONGEST: Duration = Duration::from_hours(1);

/// The state of repeated checks of one thing.
#[derive(Debug)]
pub(super) struct Looks {
    every: Duration,
    /// The last reported failure, until a check succeeds.
    last_message: Option<String>,
}

impl Looks {
    pub(super) fn new(env: &Env) -> Self {
        Self { every: env.watch_every, last_message: None }
    }

    /// Records a successful check and returns the pause before the next one.
    pub(super) fn succeeded(&mut self) -> Duration {
        self.last_message = None;
        self.every
    }

    /// Records a failed check. Returns the pause before the next one, and a message unless the same message was the
    /// last one.
    pub(super) fn failed(&mut self, error: &Error, now: Timestamp) -> (Duration, Option<String>) {
        let wait = requested_pause(error, now).map(|pause| pause.min(LONGEST));
        let pause = wait.unwrap_or_default().max(self.every);
        let text = match wait {
            Some(_) => format!("not known now: {error}; it waits, and looks again then"),
            None => format!("not known now: {error}"),
        };
        // A new wait that a server asks for is reported again, even if the message is the same.
        let is_news = wait.is_some() || self.last_message.as_ref() != Some(&text);
        self.last_message = Some(text.clone());
        (pause, is_news.then_some(text))
    }
}

/// The pause that a server asked for; `None` if it asked for none.
fn requested_pause(error: &Error, now: Timestamp) -> Option<Duration> {
    let Error::RateLimited { retry_after, reset_epoch_s } = error else { return None };
    let until_reset = || {
        let seconds = (*reset_epoch_s)?.saturating_sub(now.as_second());
        u64::try_from(seconds).ok().map(Duration::from_secs)
    };
    Some(retry_after.or_else(until_reset).unwrap_or_default())
}

/// Returns true if no later check can succeed: the thing does not exist, or the account may not see it.
pub(super) fn ends_following(error: &Error) -> bool {
    matches!(
        error,
        Error::NotFound { .. } | Error::Unauthorized { .. } | Error::Blocked { .. } | Error::NoToken
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks() -> Looks {
        Looks { every: Duration::from_secs(30), last_message: None }
    }

    /// The usual pace is always kept, and a longer pause is taken if a server asks for one.
    #[test]
    fn a_requested_pause_is_taken() {
        let now: Timestamp = "2026-11-21T10:00:00Z".parse().unwrap();
        let limited = |retry_after: Option<u64>, reset_epoch_s| Error::RateLimited {
            retry_after: retry_after.map(Duration::from_secs),
            reset_epoch_s,
        };
        let reset = now.as_second() + 120;
        for (error, seconds) in [
            (limited(Some(913), None), 913),
            (limited(Some(5), None), 30),
            (limited(None, Some(reset)), 120),
            (limited(Some(60), Some(reset)), 60),
            (limited(None, Some(reset - 500)), 30),
            (limited(None, None), 30),
            (limited(Some(u64::MAX), None), 3_600),
            (Error::Status { status: 500 }, 30),
            (Error::TimedOut { after: Duration::from_secs(9) }, 30),
        ] {
            assert_eq!(looks().failed(&error, now).0, Duration::from_secs(seconds), "{error}");
        }
        assert_eq!(looks().succeeded(), Duration::from_secs(30));
    }

    #[test]
    fn the_same_failure_is_reported_once() {
        let now = Timestamp::UNIX_EPOCH;
        let (down, late) = (Error::Status { status: 500 }, Error::TimedOut { after: Duration::from_secs(9) });
        let mut looks = looks();
        let mut is_reported = |error: &Error| looks.failed(error, now).1.is_some();
        assert_eq!(
            [is_reported(&down), is_reported(&down), is_reported(&late), is_reported(&down)],
            [true, false, true, true]
        );
        looks.succeeded();
        assert!(looks.failed(&down, now).1.is_some());
        let limited = Error::RateLimited { retry_after: Some(Duration::from_mins(1)), reset_epoch_s: None };
        let text = looks.failed(&limited, now).1.unwrap();
        assert_eq!(text, "not known now: asked to slow down for 60 s; it waits, and looks again then");
    }
}
