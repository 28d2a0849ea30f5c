//! Four answers a row, never one, and the state that follows from them.

use serde::{Deserialize, Serialize};

use crate::rules::verify::{Listed, Row, SignatureSays, Zip};
use crate::settings::words;

words! {
    /// One answer, in the words of the tables.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Answer: [word] {
        Same = "same",
        Differ = "differ",
        /// Nothing was stored before, so there is nothing to compare with.
        New = "new",
        /// Upstream has it no more.
        Gone = "gone",
        /// It was asked and is not known.
        Unknown = "?",
        /// It was not done (yet).
        NotDone = "-",
        /// Not asked by any client: there is no key on file.
        NotNeeded = "none",
    }
}

/// The answers of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Answers {
    /// Stored zh = what SHA256SUMS lists today?
    pub zh_sums: Answer,
    /// Stored zh = SHA-256 of the zip?
    pub zh_zip: Answer,
    /// Stored h1 = h1 of the zip?
    pub h1: Answer,
    /// `same`: a key on file signed SHA256SUMS.
    pub signature: Answer,
    /// Stored size = size of the zip?
    pub size: Answer,
    /// Stored zh = the digest that GitHub keeps of the asset?
    pub digest: Answer,
}

words! {
    /// A row in one word. The order is that of the table: what is bad stays on top.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum State: [word] {
        /// Checksums differ, or clients refuse the target for another reason.
        Mismatch = "MISMATCH",
        /// Its checksums are those that were indexed, and no key on file signed them.
        BadSignature = "BAD SIG",
        Missing = "MISSING",
        Error = "ERROR",
        Hashing = "HASHING",
        Fetching = "FETCHING",
        Queued = "QUEUED",
        Skipped = "SKIPPED",
        Cancelled = "STOPPED",
        Ok = "OK",
    }
}

impl State {
    /// Whether a report must not look fine with it.
    pub(crate) fn is_bad(self) -> bool {
        matches!(self, Self::Mismatch | Self::BadSignature | Self::Missing | Self::Error)
    }

    /// Whether it is still to come.
    pub(crate) fn is_under_way(self) -> bool {
        matches!(self, Self::Queued | Self::Fetching | Self::Hashing)
    }
}

fn compare(stored: &str, found: &str) -> Answer {
    match stored {
        "" => Answer::New,
        stored if stored.eq_ignore_ascii_case(found) => Answer::Same,
        _ => Answer::Differ,
    }
}

impl Row {
    pub fn answers(&self) -> Answers {
        let stored = &self.stored;
        let zh_sums = match &self.listed {
            Listed::NotAsked => Answer::NotDone,
            Listed::Sum { sum } => compare(&stored.shasum, sum),
            Listed::Omitted => Answer::Differ,
            Listed::SumsGone => Answer::Gone,
            Listed::Unread { .. } => Answer::Unknown,
        };
        let (zh_zip, h1, size) = match &self.zip {
            Zip::Hashed(computed) => {
                let h1 = match (&computed.h1, stored.h1.as_str()) {
                    // Its zh is known: what has none for a reason has no h1 to wait for.
                    (None, _) if computed.over_limit.is_some() || computed.is_unfit() => Answer::NotDone,
                    (None, _) => Answer::Unknown,
                    (Some(_), "") => Answer::New,
                    // Base64: here case counts.
                    (Some(h1), stored) if h1 == stored => Answer::Same,
                    (Some(_), _) => Answer::Differ,
                };
                let size = match stored.size_bytes {
                    0 => Answer::New,
                    size if size == computed.size_bytes => Answer::Same,
                    _ => Answer::Differ,
                };
                (compare(&stored.shasum, &computed.sha256), h1, size)
            }
            Zip::Gone => (Answer::Gone, Answer::Gone, Answer::Gone),
            Zip::Failed { .. } => (Answer::Unknown, Answer::Unknown, Answer::Unknown),
            Zip::NotDone | Zip::Skipped { .. } | Zip::Cancelled => {
                (Answer::NotDone, Answer::NotDone, Answer::NotDone)
            }
        };
        let signature = match &self.signature {
            SignatureSays::NotAsked => Answer::NotDone,
            SignatureSays::NoKeys => Answer::NotNeeded,
            SignatureSays::Good { .. } => Answer::Same,
            SignatureSays::OtherKey { .. } | SignatureSays::Bad { .. } => Answer::Differ,
            SignatureSays::Gone => Answer::Gone,
            SignatureSays::Unread { .. } => Answer::Unknown,
        };
        let digest = self.asset.as_ref().and_then(|asset| asset.sha256.as_deref());
        // An archive that was hashed needs no digest, and one that is still to be hashed waits for that.
        let is_left_open = self.asset_unread.is_some() && matches!(self.zip, Zip::Skipped { .. });
        let unread = if is_left_open { Answer::Unknown } else { Answer::NotDone };
        let digest = digest.map_or(unread, |digest| compare(&stored.shasum, digest));
        Answers { zh_sums, zh_zip, h1, signature, size, digest }
    }

    /// The state once the work on it is over. A mismatch weighs more than a bad signature, that more than what is missing, and
    /// that more than what is unknown.
    pub fn state(&self) -> State {
        let answers = self.answers();
        let sums = [answers.zh_sums, answers.zh_zip, answers.h1, answers.size, answers.digest];
        let any = |wanted: Answer| sums.contains(&wanted) || answers.signature == wanted;
        match &self.zip {
            _ if sums.contains(&Answer::Differ) => State::Mismatch,
            // Without a stored checksum nothing protects an installation.
            _ if self.stored.shasum.is_empty() && !matches!(self.zip, Zip::NotDone | Zip::Cancelled) => {
                State::Mismatch
            }
            Zip::Hashed(computed) if computed.is_unfit() => State::Mismatch,
            // No client can install the target, so the content of its archive does not matter.
            zip if !self.refused.is_empty() && !matches!(zip, Zip::NotDone | Zip::Cancelled) => {
                State::Mismatch
            }
            // Its checksums may be right, but nobody can use it.
            Zip::Hashed(_) if self.other_system().is_some() => State::Mismatch,
            _ if answers.signature == Answer::Differ => State::BadSignature,
            _ if any(Answer::Gone) => State::Missing,
            _ if any(Answer::Unknown) => State::Error,
            Zip::Hashed(computed) if computed.h1.is_some() && computed.has_binary.is_none() => State::Error,
            Zip::Cancelled => State::Cancelled,
            Zip::Hashed(computed) if computed.over_limit.is_some() => State::Skipped,
            Zip::Skipped { .. } => State::Skipped,
            Zip::NotDone => State::Queued,
            Zip::Hashed(_) | Zip::Gone | Zip::Failed { .. } => {
                let is_unasked = answers.zh_sums == Answer::NotDone || answers.signature == Answer::NotDone;
                if is_unasked { State::Queued } else { State::Ok }
            }
        }
    }
}
