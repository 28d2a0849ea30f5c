//! Permission to write to GitHub at this moment. Writing must be allowed when the program starts; then it is
//! armed for a reason, in one account's name, for ten minutes. The module is pure: its callers pass the time.

use std::time::Duration;

use jiff::Timestamp;

use crate::desk::ability::Ability;
use crate::desk::telling::Message;
use crate::jobs::data::Inquiry;

/// The refusal of a write while writing is not armed.
pub(crate) const READ_ONLY: &str = "this console is READ-ONLY";

/// The duration of an arming.
const LASTS: Duration = Duration::from_mins(10);

/// The longest reason, in characters.
pub(crate) const LONGEST_REASON: usize = 200;

/// An active arming: its account, its reason and its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Armed {
    pub(crate) account: String,
    /// The token's permissions as GitHub lists them; `None` where it lists none, as for fine-grained tokens.
    pub(crate) permissions: Option<String>,
    pub(crate) reason: String,
    since: Timestamp,
    pub(crate) until: Timestamp,
}

/// The state of arming.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Arming {
    #[default]
    ReadOnly,
    /// A reason was given; GitHub is asked for the owner of the token.
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

    /// Checks that writing is armed in this account's name.
    pub(crate) fn allows(&self, account: &str) -> Result<(), Message> {
        match self.armed() {
            Some(armed) if armed.account == account => Ok(()),
            Some(armed) => {
                Err(Message::of(format!("writing is armed as {}, and this is of {account}", armed.account))
                    .step(Ability::Arm, "arms it again"))
            }
            None => Err(Message::of(READ_ONLY).step(Ability::Arm, "arms it for ten minutes")),
        }
    }

    /// Takes the reason, and waits for the owner of the token.
    pub(crate) fn begin(&mut self, reason: &str) {
        *self = Self::Asking { reason: reason.trim().to_owned() };
    }

    /// Takes GitHub's response about the owner of the token. The error is the reason why writing is not
    /// armed.
    pub(crate) fn hear(&mut self, inquiry: Inquiry, now: Timestamp) -> Result<(), Message> {
        let Self::Asking { reason } = std::mem::take(self) else { return Ok(()) };
        if let Some(error) = inquiry.error {
            return Err(Message::of(format!("not armed: {error}")).step(Ability::Arm, "tries again"));
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

    /// Ends the arming; returns true if writing was armed.
    pub(crate) fn end(&mut self) -> bool {
        std::mem::take(self).armed().is_some()
    }

    /// Takes the current time, and ends an expired arming. An arming from the future ends too, since the
    /// clock was set back.
    pub(crate) fn tell(&mut self, now: Timestamp) {
        if self.armed().is_some_and(|armed| now >= armed.until || now < armed.since) {
            self.end();
        }
    }

    /// Ends the arming if another account sends; returns true if it ended.
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
    fn it_lasts_ten_minutes_by_the_given_time() {
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
    fn arming_needs_a_reason_an_answer_and_a_login() {
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
