//! The check of a signature as a row has it. What a client does with it counts: a good signature that clients refuse is not good.

use crate::rules::signature::{Answer, Caveat, Check, Client, OnFile};
use crate::rules::verify::SignatureSays;

impl SignatureSays {
    /// What a row says of a check.
    pub(crate) fn of(check: Check) -> Self {
        let text = check.answer.text();
        match (check.answer, check.client) {
            (Answer::NoKeys { .. }, _) => Self::NoKeys,
            (Answer::CannotCheck { .. }, _) => Self::Unread { why: text },
            (Answer::Signed(_), Client::Refuses(why)) => {
                Self::Bad { why: format!("{text}; clients refuse it: {why}") }
            }
            (_, Client::Unknown(why)) => {
                Self::Unread { why: format!("{text}; what clients make of it is not known: {why}") }
            }
            (Answer::Signed(signed), Client::Skips | Client::Installs | Client::Warns) => {
                let warnings = signed.caveats.iter().map(Caveat::text).chain(check.older).collect();
                Self::Good { by: signed.by.text(), file: signed.by.file, warnings }
            }
            (Answer::NotSignedByThese { signed_by, on_file }, _) => {
                Self::OtherKey { signed_by, on_file: on_file.iter().map(OnFile::text).collect() }
            }
            (Answer::Unfit { .. } | Answer::Bad { .. } | Answer::Garbage(_), _) => Self::Bad { why: text },
        }
    }
}
