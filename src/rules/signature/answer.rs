//! What is said of one version's signature: by us, and by a client that installs the version today.

use jiff::Timestamp;
use serde::Serialize;

/// The whole answer for one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    pub answer: Answer,
    /// What the newest client does.
    pub client: Client,
    /// What older clients do where that is something else: `OpenTofu 1.10 and older refuse it: …`.
    pub older: Option<String>,
    /// Every key on file that some signature of the file names, and how that pair went.
    pub trials: Vec<Trial>,
}

/// What the signature and the keys on file have to do with each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A key on file made it, over these very bytes, and counts.
    Signed(Signed),
    /// A key on file made it, over these very bytes, and does not count.
    Unfit { by: Signer, why: Unfit },
    /// It names a key on file, and is no signature of these bytes by that key.
    Bad { by: Signer },
    /// It names none of the keys on file.
    NotSignedByThese { signed_by: Vec<String>, on_file: Vec<OnFile> },
    /// It names a key on file whose algorithm nobody here can check: nothing is known.
    CannotCheck { by: Signer, why: String },
    /// No readable signature: why, as a part of a sentence.
    Garbage(String),
    /// No key is on file: nothing to check with. Who signed, if it can be read.
    NoKeys { signed_by: Vec<String> },
}

/// A good signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    pub by: Signer,
    pub(crate) made: Option<Timestamp>,
    /// `SHA-256`, …
    pub(crate) hash: String,
    /// What a maintainer should know although it counts.
    pub caveats: Vec<Caveat>,
}

/// The key on file that a signature names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signer {
    /// The path of the key file.
    pub(crate) file: String,
    /// Of the primary key, also where a subkey signed.
    pub(crate) fingerprint: String,
    pub(crate) primary_key_id: String,
    /// Of the key or subkey that signed.
    pub key_id: String,
    pub(crate) user_id: Option<String>,
}

/// A key on file, named in an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnFile {
    pub(crate) path: String,
    /// Primary key ids; empty if the file cannot be read.
    pub(crate) key_ids: Vec<String>,
    pub(crate) unreadable: Option<String>,
}

/// Why a signature that is mathematically right does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    KeyRevoked {
        at: Option<Timestamp>,
        reason: &'static str,
    },
    SubkeyRevoked {
        at: Option<Timestamp>,
        reason: &'static str,
    },
    UserIdRevoked,
    /// The key's own flags do not allow signing, or the subkey does not vouch for its primary key.
    NotForSigning,
    /// The self-signature of the key or subkey has no key flags, and clients skip such a key.
    NoKeyFlags,
    /// A remark that clients do not understand and may not pass over.
    CriticalNotation(String),
    /// A hash that clients do not know, such as MD5.
    Hash(String),
    /// Clients leave the key out when they read the file: why.
    KeySkipped(String),
    /// Made in an old format that clients do not read.
    Format,
}

/// What is to be known of a good signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caveat {
    /// The key has expired by now. Clients accept that with a warning.
    KeyExpired { at: Timestamp },
    /// The signature itself has expired. Clients accept that with a warning.
    SignatureExpired { at: Timestamp },
    /// The key's own word for itself has expired, or is yet to come.
    SelfSignatureExpired,
    /// Made after the key had expired.
    MadeAfterExpiry { made: Timestamp, expired: Timestamp },
    /// Made before the key was.
    MadeBeforeKey { made: Timestamp, created: Timestamp },
    /// Made in the future, by the clock of this machine.
    InFuture { made: Timestamp },
    /// The key was made in the future.
    KeyInFuture { created: Timestamp },
    /// The key or the subkey is called back from a day on that is yet to come.
    RevokedLater { at: Timestamp },
    /// It does not say when it was made.
    Undated,
    /// Broken enough that someone could forge it: SHA-1.
    WeakHash(String),
    /// A key too short for today: `RSA 1024`.
    WeakKey(String),
    /// Clients read binary signatures only.
    Armored,
}

/// How one key on file and one signature went together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// Of the primary key.
    pub(crate) fingerprint: String,
    pub(crate) primary_key_id: String,
    pub(crate) mark: Mark,
}

/// The short form of an answer, for a table. In order: worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Mark {
    Bad,
    Unfit,
    Unknown,
    /// Good, with an expired key or another caveat.
    Caveat,
    Good,
}

/// What a client does with the version today, as far as the signature is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Client {
    /// No key is on file: the client looks at no signature.
    Skips,
    Installs,
    /// Installs with a warning, since the key or the signature has expired.
    Warns,
    /// Refuses: why, as a part of a sentence.
    Refuses(String),
    /// Nobody here can tell: why.
    Unknown(String),
}

impl Client {
    /// Whether the version installs today. `None`: unknown.
    pub(crate) fn installs(&self) -> Option<bool> {
        match self {
            Self::Skips | Self::Installs | Self::Warns => Some(true),
            Self::Refuses(_) => Some(false),
            Self::Unknown(_) => None,
        }
    }
}

impl Caveat {
    /// Whether a client treats the signature as expired.
    pub(crate) fn is_expiry(&self) -> bool {
        matches!(
            self,
            Self::KeyExpired { .. }
                | Self::SignatureExpired { .. }
                | Self::SelfSignatureExpired
                | Self::InFuture { .. }
                | Self::KeyInFuture { .. }
        )
    }
}
