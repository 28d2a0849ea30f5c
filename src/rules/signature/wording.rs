//! The words for answers: parts of sentences in lower case, for screens and reports.

use jiff::Timestamp;

use crate::rules::amount::day;
use crate::rules::signature::answer::{Answer, Caveat, Check, Client, OnFile, Signer, Unfit};
use crate::rules::signature::details::{NO_FLAGS, NOT_FOR_SIGNING};

impl Answer {
    /// The answer in one line: `signed by A on 2025-01-28 (keys/a/acme/provider.asc)`, `signed by X; only A, B on file`, …
    pub fn text(&self) -> String {
        match self {
            Self::Signed(signed) => {
                let on = signed.made.map(|at| format!(" on {}", day(at))).unwrap_or_default();
                let but: Vec<String> = signed.caveats.iter().map(Caveat::text).collect();
                let but = if but.is_empty() { String::new() } else { format!("; {}", but.join("; ")) };
                format!("signed by {}{on} ({}){but}", signed.by.text(), signed.by.file)
            }
            Self::Unfit { by, why } => {
                format!("signed by {} ({}), which does not count: {}", by.text(), by.file, why.text())
            }
            Self::Bad { by } => {
                format!("the signature names {} ({}), and is not one of these checksums", by.text(), by.file)
            }
            Self::NotSignedByThese { signed_by, on_file } => {
                let on_file: Vec<String> = on_file.iter().map(OnFile::text).collect();
                format!("signed by {}; only {} on file", signed_by.join(" and "), on_file.join(", "))
            }
            Self::CannotCheck { by, why } => {
                format!("not known: signed by {} ({}), and {why}", by.text(), by.file)
            }
            Self::Garbage(why) => format!("no signature: {why}"),
            Self::NoKeys { signed_by } if signed_by.is_empty() => "no key on file".to_owned(),
            Self::NoKeys { signed_by } => format!("no key on file; signed by {}", signed_by.join(" and ")),
        }
    }
}

impl Check {
    /// The answer, and why clients refuse the version where the answer is good by itself.
    pub(crate) fn text(&self) -> String {
        let mut text = self.answer.text();
        if let (Client::Refuses(why), Answer::Signed(_)) = (&self.client, &self.answer) {
            text.push_str("; clients refuse it: ");
            text.push_str(why);
        }
        self.with_older(text)
    }

    /// A text, and behind it what older clients do where that is something else.
    pub(crate) fn with_older(&self, mut text: String) -> String {
        if let Some(older) = &self.older {
            text.push_str("; ");
            text.push_str(older);
        }
        text
    }
}

impl Signer {
    /// The key id, with the primary key's where a subkey signed.
    pub(crate) fn text(&self) -> String {
        if self.key_id == self.primary_key_id {
            return self.key_id.clone();
        }
        format!("{} of {}", self.key_id, self.primary_key_id)
    }
}

impl OnFile {
    /// Its keys by their ids, or why it cannot be read.
    pub(crate) fn text(&self) -> String {
        match &self.unreadable {
            Some(why) => format!("{} (cannot be read: {why})", self.path),
            None => self.key_ids.join(" and "),
        }
    }
}

impl Unfit {
    /// Why, as a part of a sentence.
    pub(crate) fn text(&self) -> String {
        let called_back = |what: &str, at: &Option<Timestamp>, reason: &str| {
            let on = at.map(|at| format!(" on {}", day(at))).unwrap_or_default();
            format!("the {what} was revoked{on} ({reason})")
        };
        match self {
            Self::KeyRevoked { at, reason } => called_back("key", at, reason),
            Self::SubkeyRevoked { at, reason } => called_back("subkey", at, reason),
            Self::UserIdRevoked => "the key's user id was revoked".into(),
            Self::NotForSigning => format!("the key {NOT_FOR_SIGNING}"),
            Self::NoKeyFlags => format!("the key {NO_FLAGS}"),
            Self::CriticalNotation(name) => {
                format!("it carries a critical notation `{name}` that clients do not know")
            }
            Self::Hash(hash) => format!("clients do not know its hash, {hash}"),
            Self::KeySkipped(why) => format!("clients do not see the key: {why}"),
            Self::Format => "it is in an old format that clients do not read".into(),
        }
    }
}

impl Caveat {
    /// What is to be known, as a part of a sentence.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::KeyExpired { at } => format!("the key expired on {}", day(*at)),
            Self::SignatureExpired { at } => format!("the signature expired on {}", day(*at)),
            Self::SelfSignatureExpired => "the key's self-signature is not valid at this time".into(),
            Self::MadeAfterExpiry { made, expired } => {
                format!("made on {}, after the key had expired on {}", day(*made), day(*expired))
            }
            Self::MadeBeforeKey { made, created } => {
                format!("made on {}, before the key itself, made on {}", day(*made), day(*created))
            }
            Self::InFuture { made } => format!("made in the future, on {}", day(*made)),
            Self::KeyInFuture { created } => format!("the key was made in the future, on {}", day(*created)),
            Self::RevokedLater { at } => format!("the key is revoked as of {}", day(*at)),
            Self::Undated => "it does not say when it was made".into(),
            Self::WeakHash(hash) => format!("its hash {hash} can be forged"),
            Self::WeakKey(kind) => format!("{kind} is too short for today"),
            Self::Armored => "it is armored, which clients cannot read".into(),
        }
    }
}

impl Client {
    /// What a client does, as a part of a sentence.
    pub fn text(&self) -> String {
        match self {
            Self::Skips => "installs without looking at signatures".into(),
            Self::Installs => "installs".into(),
            Self::Warns => "installs with a warning, since something has expired".into(),
            Self::Refuses(why) => format!("refuses: {why}"),
            Self::Unknown(why) => format!("not known: {why}"),
        }
    }
}
