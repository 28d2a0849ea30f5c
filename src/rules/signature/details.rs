//! A key in plain data: what a maintainer is told about it. Made by `parse`, shown by the faces.

use jiff::Timestamp;

use crate::rules::Now;

/// The reason of a revocation that counts whatever its date.
pub(super) const COMPROMISED: &str = "compromised";

/// The text for a key whose flags do not allow signing; the next constant is for a key without flags.
pub(super) const NOT_FOR_SIGNING: &str = "may not sign, by its own flags";
pub(super) const NO_FLAGS: &str =
    "has no key flags in its self-signature, so clients refuse what it signed, although GnuPG accepts it";

/// A public key with all that belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyDetails {
    pub primary: Part,
    pub(crate) subkeys: Vec<Part>,
    /// Those that the key itself vouches for.
    pub(crate) user_ids: Vec<UserId>,
    /// What is wrong with it, by its own packets.
    pub faults: Vec<KeyFault>,
}

/// The primary key, or one subkey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Upper-case hex: 40 digits, 64 for a version 6 key.
    pub fingerprint: String,
    /// Upper-case hex, 16 digits.
    pub key_id: String,
    /// `RSA`, `DSA`, `ECDSA P-256`, `Ed25519`, …
    pub algorithm: String,
    /// The size, for algorithms whose name does not tell it.
    pub bits: Option<u32>,
    pub created: Timestamp,
    pub expires: Option<Timestamp>,
    pub revoked: Option<Revocation>,
    /// Its algorithm and its flags allow signing and, for a subkey, it vouches for its primary key in turn.
    pub may_sign: bool,
    /// True if the self-signature has no key flags. Clients skip such a key, so it may not sign.
    pub lacks_flags: bool,
    /// The hash under its newest self-signature: `SHA-256`, `SHA-1`, …
    pub self_hash: Option<String>,
    /// When that self-signature was made, and when it ends by itself.
    pub vouched: Option<Timestamp>,
    pub vouched_until: Option<Timestamp>,
    /// A remark in that self-signature which clients refuse because they do not understand it.
    pub critical_notation: Option<String>,
}

/// A name that the key bears.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UserId {
    pub(crate) text: String,
    pub(crate) revoked: bool,
    /// The one that stands for the key: clients read the key's expiry off it.
    pub(crate) primary: bool,
}

/// That a key, or a part of it, was called back by its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revocation {
    pub(crate) at: Option<Timestamp>,
    pub(crate) reason: &'static str,
}

/// What is wrong with a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyFault {
    /// It vouches for no user id. Clients skip such a key.
    NoUserId,
    /// A self-signature of a user id is not its own. Clients skip such a key.
    UserIdSelfSignature,
    /// A subkey's binding is missing, or wrong. Clients skip such a key.
    SubkeyBinding { key_id: String },
    /// A subkey says that it may sign, and does not vouch for its primary key. Clients skip such a key.
    NoBackSignature { key_id: String },
    /// A revocation that the key itself did not make. Clients skip such a key.
    RevokedByAnother,
    /// One of its signatures is such that clients skip the key: why.
    Signature(&'static str),
    /// Its algorithm cannot be checked here.
    Unsupported(String),
    /// A packet that cannot be read here.
    Packet,
}

impl Revocation {
    /// Whether it counts by now; a key that somebody else has got hold of counts for nothing at any time.
    pub(super) fn counts(&self, now: Now<'_>) -> bool {
        self.reason == COMPROMISED || self.at.is_none_or(|at| now.has_come(at))
    }
}

impl KeyDetails {
    /// The primary key for 0, else a subkey.
    pub(crate) fn part(&self, place: usize) -> Option<&Part> {
        if place == 0 { Some(&self.primary) } else { self.subkeys.get(place - 1) }
    }

    /// Primary key first.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        std::iter::once(&self.primary).chain(&self.subkeys)
    }

    /// The parts that may sign.
    pub(crate) fn signers(&self) -> impl Iterator<Item = &Part> {
        self.parts().filter(|part| part.may_sign)
    }

    /// Whether it may still sign. A subkey lives no longer than the primary key.
    pub(crate) fn lives(&self, now: Now<'_>) -> bool {
        let lives = |part: &Part| !part.is_expired(now) && part.revoked.is_none();
        lives(&self.primary) && self.signers().any(lives)
    }

    /// When its last part that may sign ends; `None`: never, or none may sign.
    pub(crate) fn ends(&self) -> Option<Timestamp> {
        let end = |part: &Part| match (part.expires, self.primary.expires) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        // One part that never ends is enough.
        let ends: Option<Vec<Timestamp>> = self.signers().map(end).collect();
        ends.and_then(|ends| ends.into_iter().max())
    }

    /// Returns true if the flags of any part allow signing.
    pub(crate) fn may_sign(&self) -> bool {
        self.signers().next().is_some()
    }

    /// The reason why no part of the key may sign, as the end of a sentence that begins with the key.
    pub(crate) fn cannot_sign(&self) -> Option<&'static str> {
        let why = if self.parts().any(|part| part.lacks_flags) { NO_FLAGS } else { NOT_FOR_SIGNING };
        (!self.may_sign()).then_some(why)
    }

    /// The user id that stands for the key.
    pub fn name(&self) -> Option<&str> {
        let primary = self.user_ids.iter().find(|id| id.primary).or(self.user_ids.first());
        primary.map(|id| id.text.as_str())
    }

    /// Whether clients leave the key out when they read its file.
    pub(crate) fn is_skipped_by_clients(&self) -> bool {
        self.faults.iter().any(KeyFault::is_fatal_for_clients)
    }
}

impl Part {
    pub(crate) fn is_expired(&self, now: Now<'_>) -> bool {
        self.expires.is_some_and(|at| now.has_come(at))
    }

    /// Whether the key is too short for today: under 2,048 bits where size tells, and a first bit may be zero.
    pub(crate) fn is_weak(&self) -> bool {
        self.bits.is_some_and(|bits| bits < 2_047)
    }

    /// `RSA 4096`.
    pub(crate) fn kind(&self) -> String {
        match self.bits {
            Some(bits) => format!("{} {bits}", self.algorithm),
            None => self.algorithm.clone(),
        }
    }
}

impl KeyFault {
    pub(crate) fn is_fatal_for_clients(&self) -> bool {
        !matches!(self, Self::Unsupported(_) | Self::Packet)
    }

    /// What is wrong, as a part of a sentence.
    pub fn text(&self) -> String {
        match self {
            Self::NoUserId => "it has no user id of its own, so clients leave it out".into(),
            Self::UserIdSelfSignature => {
                "the self-signature of a user id is wrong, so clients leave the key out".into()
            }
            Self::SubkeyBinding { key_id } => {
                format!("its subkey {key_id} is not bound to it, so clients leave the key out")
            }
            Self::NoBackSignature { key_id } => {
                format!("its signing subkey {key_id} does not vouch for it, so clients leave the key out")
            }
            Self::RevokedByAnother => {
                "another key revokes it, which clients do not understand: they leave the key out".into()
            }
            Self::Signature(why) => {
                format!("a signature that belongs to it is odd ({why}), so clients leave the key out")
            }
            Self::Unsupported(what) => format!("{what} cannot be checked here"),
            Self::Packet => "a part of it cannot be read here".into(),
        }
    }
}
