//! Texts about writing to GitHub: its state, the account, and the time when it ends.

use jiff::Timestamp;

use crate::desk::arming::{Armed, Arming};
use crate::desk::telling::Tone;
use crate::rules::amount::clock;

/// `READ-ONLY`, `ARMED until 14:32`: a clock time, since nothing is drawn while nothing runs.
pub(crate) fn mode(arming: &Arming, now: Timestamp) -> (String, Tone) {
    match arming.armed() {
        Some(armed) => (format!("ARMED until {}", clock(armed.until, now)), Tone::Warning),
        None => ("READ-ONLY".to_owned(), Tone::Plain),
    }
}

/// The way to a console that may write, beside READ-ONLY where it may not.
pub(crate) const HOW_TO_WRITE: &str = "(start with --write)";

/// `armed as ann until 14:32, for: the bump missed it; the token has the permissions repo, workflow`.
pub(crate) fn armed(armed: &Armed, now: Timestamp) -> String {
    let Armed { account, reason, .. } = armed;
    format!(
        "armed as {account} until {}, for: {reason}; {}",
        clock(armed.until, now),
        permissions(armed.permissions.as_deref())
    )
}

/// The permissions of the token, as far as they are known.
fn permissions(scopes: Option<&str>) -> String {
    match scopes {
        Some("") => "the token has no permission that GitHub names".to_owned(),
        Some(scopes) => format!("the token has the permissions {scopes}"),
        None => "GitHub does not list what this token may do; that shows when it is used".to_owned(),
    }
}

/// It is over.
pub(crate) const DISARMED: &str = "this console is READ-ONLY again";

/// It is over, since it was made ready by another token.
pub(crate) const OTHER_ACCOUNT: &str = "another account's token is used: this console is READ-ONLY again";

/// While that is answered.
pub(crate) const READING: &str = "reading whose token it is, and what it may do";

/// The check of the token did not finish.
pub(crate) const CHECK_UNFINISHED: &str = "not armed: the check with GitHub did not finish";
