//! What is worth a maintainer's eye about the keys on file, one sentence each. Never a verdict on a version: an expired key
//! beside a valid one is a note and no alarm. And the one sentence that a version's check comes to.

use std::collections::BTreeMap;

use jiff::SignedDuration;

use crate::rules::amount::day;
use crate::rules::signature::answer::{Answer, Check, Client};
use crate::rules::signature::armor::Oddity;
use crate::rules::signature::details::{KeyDetails, KeyFault};
use crate::rules::signature::ring::{KeyRing, ReadFile};
use crate::rules::signature::stream::Release;
use crate::rules::{Finding, Now};

impl Check {
    /// What is to be said of a version's signature; nothing where all is well. No key on file is a note, not a fault.
    pub(crate) fn finding(&self, version: &str) -> Option<Finding> {
        let text = self.with_older(self.answer.text());
        let finding = match (&self.answer, &self.client) {
            (Answer::NoKeys { .. }, _) => Finding::note("no-key", text),
            (Answer::CannotCheck { .. }, _) | (Answer::Signed(_), Client::Skips) => {
                Finding::warning("signature-unknown", text)
            }
            (_, Client::Unknown(why)) => {
                Finding::warning("signature-unknown", format!("{text}; not known: {why}"))
            }
            (Answer::NotSignedByThese { .. }, _) => Finding::error("key-mismatch", text),
            (Answer::Garbage(_), _) => Finding::error("unsigned", text),
            (Answer::Bad { .. }, _) => Finding::error("signature-bad", text),
            (Answer::Unfit { .. }, _) => Finding::error("key-unfit", text),
            (Answer::Signed(_), Client::Refuses(why)) => {
                Finding::error("signature-refused", format!("{text}; clients refuse it: {why}"))
            }
            (Answer::Signed(_), Client::Warns) => Finding::warning("key-expired", text),
            (Answer::Signed(signed), Client::Installs)
                if signed.caveats.is_empty() && self.older.is_none() =>
            {
                return None;
            }
            (Answer::Signed(_), Client::Installs) => Finding::note("signature-caveat", text),
        };
        Some(finding.on(version))
    }
}

/// How long before its end a key is mentioned.
const SOON: SignedDuration = SignedDuration::from_hours(60 * 24);

/// What is to be said of the keys on file, in their order.
pub(crate) fn findings(ring: &KeyRing, now: Now<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut homes: BTreeMap<&str, &str> = BTreeMap::new();
    // One living key is enough for a provider: the others may have had their day.
    let any_lives = ring.files().iter().flat_map(ReadFile::keys).any(|key| key.lives(now));
    let any_signs = ring.files().iter().flat_map(ReadFile::keys).any(KeyDetails::may_sign);
    for file in ring.files() {
        of_file(file, &mut found);
        for key in file.keys() {
            of_key(file.path(), key, now, (any_lives, any_signs), &mut found);
            let fingerprint = key.primary.fingerprint.as_str();
            if let Some(first) = homes.insert(fingerprint, file.path()) {
                let text = format!("{}: the key {} is in {first} too", file.path(), key.primary.key_id);
                found.push(Finding::note("key-twice", text));
            }
        }
    }
    found
}

fn of_file(file: &ReadFile, found: &mut Vec<Finding>) {
    let path = file.path();
    if let Some(why) = file.unreadable() {
        let text = format!("{path}: no key can be read, and every installation fails on it: {why}");
        found.push(Finding::error("key-unreadable", text));
    }
    if let Some(why) = file.beyond() {
        found.push(Finding::warning("key-unreadable", format!("{path}: it was not read: {why}")));
    }
    if let Some(why) = file.client_fails(Release::Newest).filter(|_| file.unreadable().is_none()) {
        found
            .push(Finding::error("key-unreadable", format!("{path}: every installation fails on it: {why}")));
    }
    if file.holds_private() {
        let text = format!(
            "{path}: it holds a private key, which is for its owner only: clients read it all the same"
        );
        found.push(Finding::error("key-private", text));
    }
    for oddity in file.oddities() {
        let text = format!("{path}: {}", oddity.text());
        found.push(match oddity {
            Oddity::LongLine => Finding::error("key-text", text),
            Oddity::SpaceInBody
            | Oddity::SeveralBlocks
            | Oddity::NoEnd
            | Oddity::BehindChecksum
            | Oddity::Checksum => Finding::warning("key-text", text),
            Oddity::CrLf | Oddity::SpaceOnBlankLine => Finding::note("key-text", text),
        });
    }
}

fn of_key(
    path: &str,
    key: &KeyDetails,
    now: Now<'_>,
    (any_lives, any_signs): (bool, bool),
    found: &mut Vec<Finding>,
) {
    let primary = &key.primary;
    let says = |what: String| format!("{path}: the key {} {what}", primary.key_id);
    for fault in &key.faults {
        let text = format!("{path}: the key {}: {}", primary.key_id, fault.text());
        found.push(match fault {
            KeyFault::Packet => Finding::note("key-fault", text),
            fault if fault.is_fatal_for_clients() => Finding::error("key-fault", text),
            _ => Finding::warning("key-fault", text),
        });
    }
    if let Some(revoked) = &primary.revoked {
        let on = revoked.at.map(|at| format!(" on {}", day(at))).unwrap_or_default();
        let text = says(format!("was revoked{on} ({}): clients refuse what it signed", revoked.reason));
        found.push(Finding::error("key-revoked", text));
    }
    if let Some(why) = key.cannot_sign() {
        let text = says(why.to_owned());
        // GnuPG does not show the missing flags to the owner of the key. If it is the only key, clients refuse every
        // version.
        let lacks_flags = key.parts().any(|part| part.lacks_flags);
        found.push(if lacks_flags && !any_signs {
            Finding::error("key-cannot-sign", text)
        } else {
            Finding::warning("key-cannot-sign", text)
        });
    }
    of_expiry(path, key, now, any_lives, found);
    if primary.self_hash.as_deref() == Some("SHA-1") {
        let text = says("vouches for itself with SHA-1, which can be forged".to_owned());
        found.push(Finding::warning("key-sha1", text));
    }
    for part in key.signers().filter(|part| part.is_weak()) {
        found.push(Finding::warning("key-short", says(format!("is {}: too short for today", part.kind()))));
    }
}

/// When the last part that may sign ends.
fn of_expiry(path: &str, key: &KeyDetails, now: Now<'_>, any_lives: bool, found: &mut Vec<Finding>) {
    let Some(last) = key.ends() else { return };
    let key_id = &key.primary.key_id;
    if now.has_come(last) {
        let text =
            format!("{path}: the key {key_id} expired on {}; clients accept it with a warning", day(last));
        found.push(if any_lives {
            Finding::note("key-expired", text)
        } else {
            Finding::warning("key-expired", text)
        });
    } else if now.is_since(last, -SOON) {
        let text = format!("{path}: the key {key_id} expires on {}", day(last));
        found.push(Finding::note("key-expires-soon", text));
    }
}
