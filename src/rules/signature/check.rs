//! One signature file against one document and the keys on file.
//!
//! Maths first, rules second: a key that a signature names is tried, and only if the signature holds is it asked whether
//! the key counts. Everything that clients check is checked here too, and more is remarked on; what a client then does is
//! told apart in `client`.

use pgp::packet::{Packet, Signature, SignatureType};

use crate::rules::Now;
use crate::rules::signature::answer::{Answer, Caveat, Check, Mark, OnFile, Signed, Signer, Trial, Unfit};
use crate::rules::signature::armor::Label;
use crate::rules::signature::details::{KeyDetails, KeyFault, Part};
use crate::rules::signature::parse::Key;
use crate::rules::signature::ring::{KeyRing, ReadFile};
use crate::rules::signature::{armor, client, packet};

/// Longest signature file that is read; a signature has a few hundred bytes.
pub(crate) const SIGNATURE_BYTES_MAX: usize = 64 << 10;
/// Signatures of one file that are tried.
const SIGNATURES_MAX: usize = 16;

/// The signatures of one file, as far as they could be read.
pub(super) struct Signatures {
    pub(super) list: Vec<Signature>,
    pub(super) armored: bool,
    /// What stopped the reading.
    pub(super) stopped: Option<String>,
}

/// How one signature went with one part of one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tried {
    Good(Vec<Caveat>),
    Unfit(Unfit),
    Bad,
    Unsupported(String),
}

/// One signature, one key that it names, and how they went together.
pub(super) struct Pair {
    pub(super) signature: usize,
    pub(super) file: usize,
    pub(super) key: usize,
    /// 0: the primary key, else a subkey.
    pub(super) part: usize,
    pub(super) tried: Tried,
}

impl KeyRing {
    /// Checks a detached signature over a document (the SHA256SUMS), as of `now`. Unknown is never fine: whatever cannot be
    /// read or checked has an answer of its own.
    pub fn check<'a>(&self, document: &[u8], signature: &[u8], now: impl Into<Now<'a>>) -> Check {
        let now = now.into();
        let signatures = match Signatures::read(signature) {
            Ok(signatures) => signatures,
            Err(why) => {
                let client = if self.is_empty() { client::SKIPS } else { client::refuses_signature(&why) };
                let none = Answer::NoKeys { signed_by: Vec::new() };
                let answer = if self.is_empty() { none } else { Answer::Garbage(why) };
                return Check { answer, client, trials: Vec::new() };
            }
        };
        let pairs = self.pairs(&signatures, document, now);
        let client = client::walk(self, &signatures, &pairs);
        let trial = |pair: &Pair| {
            let primary = &self.key(pair).details.primary;
            let (fingerprint, primary_key_id) = (primary.fingerprint.clone(), primary.key_id.clone());
            Trial { fingerprint, primary_key_id, mark: pair.tried.mark() }
        };
        let trials = pairs.iter().map(trial).collect();
        Check { answer: self.answer(&signatures, &pairs), client, trials }
    }

    fn pairs(&self, signatures: &Signatures, document: &[u8], now: Now<'_>) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (signature, one) in signatures.list.iter().enumerate() {
            let issuers = packet::issuers(one);
            for (place, file) in self.files.iter().enumerate() {
                for (key_place, key) in file.keys.iter().enumerate() {
                    for (part_place, part) in key.details.parts().enumerate() {
                        if issuers.contains(&part.key_id) {
                            let tried = attempt(one, key, part_place, document, now);
                            let tried = file.judge(key_place, tried).armored(signatures.armored);
                            pairs.push(Pair {
                                signature,
                                file: place,
                                key: key_place,
                                part: part_place,
                                tried,
                            });
                        }
                    }
                }
            }
        }
        pairs
    }

    /// The best pair speaks for the version: any good one is enough.
    fn answer(&self, signatures: &Signatures, pairs: &[Pair]) -> Answer {
        let signed_by = signed_by(signatures);
        if self.is_empty() {
            return Answer::NoKeys { signed_by };
        }
        // The first of the best, so that the order of the files decides between equals.
        let best = pairs.iter().rev().max_by_key(|pair| pair.tried.mark());
        let Some(pair) = best else {
            if signed_by.is_empty() {
                return Answer::Garbage("it does not name the key that made it".to_owned());
            }
            return Answer::NotSignedByThese { signed_by, on_file: self.files.iter().map(on_file).collect() };
        };
        let by = self.signer(pair);
        match &pair.tried {
            Tried::Good(caveats) => {
                let one = &signatures.list[pair.signature];
                let (made, hash) = (packet::made(one), packet::hash_name(one.hash_alg()));
                Answer::Signed(Signed { by, made, hash, caveats: caveats.clone() })
            }
            Tried::Unfit(why) => Answer::Unfit { by, why: why.clone() },
            Tried::Bad => Answer::Bad { by },
            Tried::Unsupported(why) => Answer::CannotCheck { by, why: why.clone() },
        }
    }

    fn key(&self, pair: &Pair) -> &Key {
        &self.files[pair.file].keys[pair.key]
    }

    fn signer(&self, pair: &Pair) -> Signer {
        let details = &self.key(pair).details;
        let part = details.part(pair.part).unwrap_or(&details.primary);
        Signer {
            file: self.files[pair.file].path().to_owned(),
            fingerprint: details.primary.fingerprint.clone(),
            primary_key_id: details.primary.key_id.clone(),
            key_id: part.key_id.clone(),
            user_id: details.name().map(str::to_owned),
        }
    }
}

fn on_file(file: &ReadFile) -> OnFile {
    OnFile {
        path: file.path().to_owned(),
        key_ids: file.keys().map(|key| key.primary.key_id.clone()).collect(),
        unreadable: file.unreadable().map(str::to_owned),
    }
}

/// Whom the signatures name, each once.
fn signed_by(signatures: &Signatures) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for id in signatures.list.iter().flat_map(packet::issuers) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

impl ReadFile {
    /// A good signature by a key that clients leave out does not count.
    fn judge(&self, key: usize, tried: Tried) -> Tried {
        let details = &self.keys[key].details;
        match tried {
            Tried::Good(_) if details.is_skipped_by_clients() => {
                let fault = details.faults.iter().find(|fault| fault.is_fatal_for_clients());
                Tried::Unfit(Unfit::KeySkipped(fault.map(KeyFault::text).unwrap_or_default()))
            }
            Tried::Good(_) if !self.is_seen_by_clients(key) => {
                Tried::Unfit(Unfit::KeySkipped("it stands in a later block of its file".to_owned()))
            }
            tried => tried,
        }
    }
}

impl Tried {
    pub(super) fn mark(&self) -> Mark {
        match self {
            Self::Good(caveats) if caveats.is_empty() => Mark::Good,
            Self::Good(_) => Mark::Caveat,
            Self::Unsupported(_) => Mark::Unknown,
            Self::Unfit(_) => Mark::Unfit,
            Self::Bad => Mark::Bad,
        }
    }

    fn armored(mut self, armored: bool) -> Self {
        if let Self::Good(caveats) = &mut self
            && armored
        {
            caveats.push(Caveat::Armored);
        }
        self
    }
}

impl Signatures {
    /// Reads a signature file, binary or armored.
    ///
    /// # Errors
    /// There is no signature in it: why, as a part of a sentence.
    fn read(bytes: &[u8]) -> Result<Self, String> {
        if bytes.is_empty() {
            return Err("it is empty".to_owned());
        }
        if bytes.len() > SIGNATURE_BYTES_MAX {
            return Err(format!("it has more than {SIGNATURE_BYTES_MAX} bytes"));
        }
        // The first byte of any packet has its first bit set, which no text has.
        let armored = bytes[0] < 0x80;
        if !armored {
            return Self::of_packets(bytes, false);
        }
        if bytes.trim_ascii_start().starts_with(b"<") {
            return Err("it is a web page".to_owned());
        }
        let (blocks, _) = armor::read(bytes)?;
        match blocks.into_iter().find(|block| block.label == Label::Signature) {
            Some(block) => Self::of_packets(&block.bytes, true),
            None => Err("it holds something else than a signature".to_owned()),
        }
    }

    fn of_packets(bytes: &[u8], armored: bool) -> Result<Self, String> {
        let (mut list, mut stopped) = (Vec::new(), None);
        for read in packet::read(bytes)? {
            match read {
                Ok(Packet::Signature(_)) if list.len() == SIGNATURES_MAX => {
                    stopped = Some(format!("it has more than {SIGNATURES_MAX} signatures"));
                }
                Ok(Packet::Signature(signature)) if is_of_document(&signature) => list.push(signature),
                Ok(Packet::Signature(_)) => {
                    stopped = Some("it signs something else than a document".to_owned());
                }
                Ok(Packet::Marker(_) | Packet::Padding(_)) => {}
                Ok(_) => stopped = Some("it holds something else than a signature".to_owned()),
                Err(why) => stopped = Some(format!("it cannot be read: {why}")),
            }
            if stopped.is_some() {
                break;
            }
        }
        if list.is_empty() {
            return Err(stopped.unwrap_or_else(|| "it holds no signature".to_owned()));
        }
        Ok(Self { list, armored, stopped })
    }
}

fn is_of_document(signature: &Signature) -> bool {
    // A version that nobody here reads may well sign one.
    matches!(signature.typ(), None | Some(SignatureType::Binary | SignatureType::Text))
}

/// Tries one signature with one part of a key that it names.
fn attempt(signature: &Signature, key: &Key, place: usize, document: &[u8], now: Now<'_>) -> Tried {
    let details = &key.details;
    let part = details.part(place).unwrap_or(&details.primary);
    let (can_check, holds) = match place.checked_sub(1).and_then(|subkey| key.subkeys.get(subkey)) {
        Some(subkey) => (packet::can_check(subkey), signature.verify(subkey, document).is_ok()),
        None => (packet::can_check(&key.primary), signature.verify(&key.primary, document).is_ok()),
    };
    if !can_check {
        return Tried::Unsupported(format!("{} cannot be checked here", part.kind()));
    }
    if !packet::can_check(&key.primary) {
        // Whether the subkey belongs to it is the primary key's word alone.
        let primary = details.primary.kind();
        return Tried::Unsupported(format!("its primary key ({primary}) cannot be checked here"));
    }
    if !packet::is_readable(signature) {
        return if holds { Tried::Unfit(Unfit::Format) } else { Tried::Bad };
    }
    if !holds {
        return if packet::can_hash(signature.hash_alg()) {
            Tried::Bad
        } else {
            Tried::Unsupported(format!("{} cannot be computed here", packet::hash_name(signature.hash_alg())))
        };
    }
    if !packet::is_known(signature.hash_alg()) {
        return Tried::Unfit(Unfit::Hash(packet::hash_name(signature.hash_alg())));
    }
    match unfit(signature, details, part, place > 0) {
        Some(why) => Tried::Unfit(why),
        None => Tried::Good(caveats(signature, details, part, now)),
    }
}

fn unfit(signature: &Signature, details: &KeyDetails, part: &Part, is_subkey: bool) -> Option<Unfit> {
    if !part.may_sign {
        return Some(Unfit::NotForSigning);
    }
    let notes = [packet::critical_notation(signature), details.primary.critical_notation.clone()];
    if let Some(name) = notes.into_iter().flatten().next().or_else(|| part.critical_notation.clone()) {
        return Some(Unfit::CriticalNotation(name));
    }
    if let Some(revoked) = &details.primary.revoked {
        return Some(Unfit::KeyRevoked { at: revoked.at, reason: revoked.reason });
    }
    if let Some(revoked) = part.revoked.as_ref().filter(|_| is_subkey) {
        return Some(Unfit::SubkeyRevoked { at: revoked.at, reason: revoked.reason });
    }
    details.user_ids.iter().any(|id| id.primary && id.revoked).then_some(Unfit::UserIdRevoked)
}

fn caveats(signature: &Signature, details: &KeyDetails, part: &Part, now: Now<'_>) -> Vec<Caveat> {
    let mut found = Vec::new();
    let parts = [&details.primary, part];
    let created = part.created.max(details.primary.created);
    let expires = parts.iter().filter_map(|part| part.expires).min();
    let made = packet::made(signature);
    if let Some(at) = expires.filter(|at| now.has_come(*at)) {
        found.push(Caveat::KeyExpired { at });
    }
    if let Some(at) = packet::ends(signature).filter(|at| now.has_come(*at)) {
        found.push(Caveat::SignatureExpired { at });
    }
    let is_over = |part: &&Part| {
        part.vouched_until.is_some_and(|at| now.has_come(at))
            || part.vouched.is_some_and(|at| !now.has_come(at))
    };
    if parts.iter().any(is_over) {
        found.push(Caveat::SelfSignatureExpired);
    }
    if !now.has_come(created) {
        found.push(Caveat::KeyInFuture { created });
    }
    match made {
        Some(made) if !now.has_come(made) => found.push(Caveat::InFuture { made }),
        Some(made) if made < created => found.push(Caveat::MadeBeforeKey { made, created }),
        Some(made) => {
            let late = expires.filter(|expired| *expired <= made);
            found.extend(late.map(|expired| Caveat::MadeAfterExpiry { made, expired }));
        }
        None => found.push(Caveat::Undated),
    }
    let hash = packet::hash_name(signature.hash_alg());
    if hash == "SHA-1" {
        found.push(Caveat::WeakHash(hash));
    }
    if part.is_weak() {
        found.push(Caveat::WeakKey(part.kind()));
    }
    found
}
