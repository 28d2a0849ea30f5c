//! Whether something may be written to GitHub now. It has to be allowed at the start of the program; armed it is for a reason,
//! in one account's name, and for ten minutes. Pure: time is what the desk is told.

use std::time::Duration;

use jiff::Timestamp;

use crate::desk::telling::{Message, Way};
use crate::jobs::data::Inquiry;

/// How long an arming lasts.
const LASTS: Duration = Duration::from_mins(10);

/// Letters of a reason.
pub(crate) const LONGEST_REASON: usize = 200;

/// Armed, in whose name, why, and until when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Armed {
    pub(crate) account: String,
    /// What GitHub says that the token may do; `None` where it says nothing, as of fine-grained tokens.
    pub(crate) permissions: Option<String>,
    pub(crate) reason: String,
    since: Timestamp,
    pub(crate) until: Timestamp,
}

/// Whether writing is armed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Arming {
    #[default]
    ReadOnly,
    /// A reason was given, and it is being read whose token it is.
    Asking {
        reason: String,
    },
    Armed(Armed),
}

impl Arming {
    pub(crate) fn armed(&self) -> Option<&Armed> {
        match self {
            Self::Armed(armed) => Some(armed),
            Self::ReadOnly | Self::Asking { .. } => None,
        }
    }

    /// Whether something may be written in this account's name.
    pub(crate) fn allows(&self, account: &str) -> Result<(), Message> {
        match self.armed() {
            Some(armed) if armed.account == account => Ok(()),
            Some(armed) => {
                Err(Message::of(format!("writing is armed as {}, and this is of {account}", armed.account))
                    .way(Way::Arm, "arms it again"))
            }
            None => Err(Message::of("writing is not armed").way(Way::Arm, "arms it for ten minutes")),
        }
    }

    /// A reason was given.
    pub(crate) fn begin(&mut self, reason: &str) {
        *self = Self::Asking { reason: reason.trim().to_owned() };
    }

    /// GitHub said whose token it is. Why it is not armed, if it is not.
    pub(crate) fn hear(&mut self, inquiry: Inquiry, now: Timestamp) -> Result<(), Message> {
        let Self::Asking { reason } = std::mem::take(self) else { return Ok(()) };
        if let Some(error) = inquiry.error {
            return Err(Message::of(format!("not armed: {error}")).way(Way::Arm, "tries again"));
        }
        let Some(account) = inquiry.login else {
            return Err(Message::of(
                "not armed: there is no token; set GH_TOKEN to one that may write, and start again",
            ));
        };
        let until = now.checked_add(LASTS).unwrap_or(Timestamp::MAX);
        *self = Self::Armed(Armed { account, permissions: inquiry.scopes, reason, since: now, until });
        Ok(())
    }

    /// It is not armed any more; whether it was.
    pub(crate) fn end(&mut self) -> bool {
        std::mem::take(self).armed().is_some()
    }

    /// The time is this: an arming that is over ends. One from a time to come ends too, since the clock was set back.
    pub(crate) fn tell(&mut self, now: Timestamp) {
        if self.armed().is_some_and(|armed| now >= armed.until || now < armed.since) {
            self.end();
        }
    }

    /// Whoever sends is another than who is armed: it ends; whether it did.
    pub(crate) fn is_sent_by(&mut self, account: &str) -> bool {
        self.armed().is_some_and(|armed| armed.account != account) && self.end()
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;

    fn now() -> Timestamp {
        "2026-11-23T12:00:00Z".parse().unwrap()
    }

    fn inquiry(login: Option<&str>) -> Inquiry {
        Inquiry { login: login.map(Into::into), ..Inquiry::default() }
    }

    fn armed() -> Arming {
        let mut arming = Arming::default();
        arming.begin(" the bump missed it ");
        arming.hear(inquiry(Some("ann")), now()).unwrap();
        arming
    }

    #[test]
    fn it_lasts_ten_minutes_by_the_time_that_is_told() {
        let at = |seconds| now().checked_add(SignedDuration::from_secs(seconds)).unwrap();
        for (seconds, stays) in [(0, true), (599, true), (600, false), (6_000, false), (-1, false)] {
            let mut arming = armed();
            arming.tell(at(seconds));
            assert_eq!(arming.armed().is_some(), stays, "after {seconds} s");
        }
        let arming = armed();
        let armed = arming.armed().unwrap();
        assert_eq!((armed.reason.as_str(), armed.until), ("the bump missed it", at(600)));
    }

    #[test]
    fn it_is_one_accounts() {
        assert!(armed().allows("ann").is_ok() && armed().allows("bob").is_err());
        assert!(Arming::default().allows("ann").is_err());
        let mut arming = armed();
        assert!(!arming.is_sent_by("ann") && arming.is_sent_by("bob"));
        assert_eq!(arming, Arming::ReadOnly);
    }

    #[test]
    fn nobody_is_armed_without_a_reason_an_answer_and_a_login() {
        let mut arming = Arming::default();
        assert!(arming.hear(inquiry(Some("ann")), now()).is_ok());
        assert_eq!(arming, Arming::ReadOnly, "no reason was given");
        arming.begin("why");
        assert!(arming.allows("ann").is_err());
        assert!(arming.hear(inquiry(None), now()).unwrap_err().text.contains("no token"));
        arming.begin("why");
        let error = Some("api.github.com does not answer".into());
        assert!(
            arming.hear(Inquiry { error, login: Some("ann".into()), ..Inquiry::default() }, now()).is_err()
        );
        assert_eq!(arming, Arming::ReadOnly);
    }
}
