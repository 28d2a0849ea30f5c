//! One signature file against one document and the keys on file.
//!
//! Maths first, rules second: a key that a signature names is tried, and only if the signature holds is it asked whether
//! the key counts. Everything that clients check is checked here too, and more is remarked on; what a client then does is
//! told apart in `client`.

use pgp::packet::{Packet, Signature, SignatureType};

use crate::rules::Now;
use crate::rules::signature::answer::{
    Answer, Caveat, Check, Client, Mark, OnFile, Signed, Signer, Trial, Unfit,
};
use crate::rules::signature::armor::Label;
use crate::rules::signature::details::{KeyDetails, KeyFault, Part};
use crate::rules::signature::parse::Key;
use crate::rules::signature::ring::{KeyRing, ReadFile};
use crate::rules::signature::stream::{Frame, Release};
use crate::rules::signature::{armor, client, packet, stream};

/// Longest signature file that is read; a signature has a few hundred bytes.
pub(crate) const SIGNATURE_BYTES_MAX: usize = 64 << 10;
/// Signatures of one file that are tried.
pub(super) const SIGNATURES_MAX: usize = 256;

/// A signature file, as far as it could be read.
pub(super) struct Signatures<'a> {
    pub(super) frames: Vec<Frame<'a>>,
    /// Why there are no more packets to read, where the file does not simply end.
    pub(super) broken: Option<&'static str>,
    /// Signatures of documents, each with the place of its frame.
    list: Vec<(usize, Signature)>,
    /// The packets stand in text, which clients do not take.
    pub(super) is_text: bool,
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
    /// The place of its frame.
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
        if signature.len() > SIGNATURE_BYTES_MAX {
            // A limit of this program, and none of clients.
            let why = format!("it has more than {SIGNATURE_BYTES_MAX} bytes, which are not read here");
            let client = if self.is_empty() { client::SKIPS } else { Client::Unknown(why.clone()) };
            return self.unread(why, client);
        }
        let plain = match unarmored(signature) {
            Ok(plain) => plain,
            Err(why) => {
                let client = client::walk(self, &Signatures::of(signature, true), &[], Release::Newest);
                return self.unread(why, client);
            }
        };
        let signatures = Signatures::of(plain.as_deref().unwrap_or(signature), plain.is_some());
        let pairs = self.pairs(&signatures, document, now, Release::Newest);
        let [eleven, client] = [Release::Eleven, Release::Newest]
            .map(|release| client::walk(self, &signatures, &pairs, release));
        let differs = self.files.iter().flat_map(|file| &file.keys).any(|key| key.details_of_ten.is_some());
        let of_ten = differs.then(|| self.pairs(&signatures, document, now, Release::Ten));
        let ten = client::walk(self, &signatures, of_ten.as_deref().unwrap_or(&pairs), Release::Ten);
        let older = client::older(&client, &eleven, &ten);
        if signatures.list.is_empty() {
            let why = signatures.nothing();
            return Check { older, ..self.unread(why.to_owned(), client) };
        }
        let trial = |pair: &Pair| {
            let primary = &self.key(pair).details.primary;
            let (fingerprint, primary_key_id) = (primary.fingerprint.clone(), primary.key_id.clone());
            Trial { fingerprint, primary_key_id, mark: pair.tried.mark() }
        };
        let trials = pairs.iter().map(trial).collect();
        Check { answer: self.answer(&signatures, &pairs), client, older, trials }
    }

    /// What is said of a file without a signature that could be read.
    fn unread(&self, why: String, client: Client) -> Check {
        let none = Answer::NoKeys { signed_by: Vec::new() };
        let answer = if self.is_empty() { none } else { Answer::Garbage(why) };
        Check { answer, client, older: None, trials: Vec::new() }
    }

    fn pairs(
        &self,
        signatures: &Signatures<'_>,
        document: &[u8],
        now: Now<'_>,
        release: Release,
    ) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (signature, one) in &signatures.list {
            let issuers = packet::issuers(one);
            for (place, file) in self.files.iter().enumerate() {
                for (key_place, key) in file.keys.iter().enumerate() {
                    for (part_place, part) in key.details.parts().enumerate() {
                        if issuers.contains(&part.key_id) {
                            let tried = attempt(one, key, (part_place, release), document, now);
                            let tried = file.judge(key_place, tried, release).armored(signatures.is_text);
                            pairs.push(Pair {
                                signature: *signature,
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
    fn answer(&self, signatures: &Signatures<'_>, pairs: &[Pair]) -> Answer {
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
                let one =
                    signatures.list.iter().find(|(place, _)| *place == pair.signature).map(|(_, one)| one);
                let (made, hash) =
                    (one.and_then(packet::made), packet::hash_name(one.and_then(Signature::hash_alg)));
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
        unreadable: file.unread().map(str::to_owned),
    }
}

/// Whom the signatures name, each once.
fn signed_by(signatures: &Signatures<'_>) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for id in signatures.list.iter().flat_map(|(_, one)| packet::issuers(one)) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

impl ReadFile {
    /// A good signature by a key that clients leave out does not count.
    fn judge(&self, key: usize, tried: Tried, release: Release) -> Tried {
        let details = self.keys[key].details_for(release);
        match tried {
            Tried::Good(_) if details.is_skipped_by_clients() => {
                let fault = details.faults.iter().find(|fault| fault.is_fatal_for_clients());
                Tried::Unfit(Unfit::KeySkipped(fault.map(KeyFault::text).unwrap_or_default()))
            }
            Tried::Good(_) if !self.is_seen_by_clients(key, release) => {
                Tried::Unfit(Unfit::KeySkipped("it is in a later block of its file".to_owned()))
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

/// The packets of a signature that stands in text; `None`: it is no text.
///
/// # Errors
/// There is no signature in the text: why, as a part of a sentence.
fn unarmored(bytes: &[u8]) -> Result<Option<Vec<u8>>, String> {
    // The first byte of any packet has its first bit set, which no text has.
    if bytes.first().is_none_or(|first| *first >= 0x80) {
        return Ok(None);
    }
    if bytes.trim_ascii_start().starts_with(b"<") {
        return Err("it is a web page".to_owned());
    }
    let (blocks, _) = armor::read(bytes).map_err(|_| "it is text, and a signature is binary".to_owned())?;
    match blocks.into_iter().find(|block| block.label == Label::Signature) {
        Some(block) => Ok(Some(block.bytes)),
        None => Err("it is text, and holds something other than a signature".to_owned()),
    }
}

/// Whether a file holds a signature of a document at all, good or not.
pub(crate) fn is_signature(bytes: &[u8]) -> bool {
    let holds_one = |plain: Option<Vec<u8>>| {
        !Signatures::of(plain.as_deref().unwrap_or(bytes), plain.is_some()).list.is_empty()
    };
    unarmored(bytes).is_ok_and(holds_one)
}

impl<'a> Signatures<'a> {
    fn of(bytes: &'a [u8], is_text: bool) -> Self {
        let (frames, broken) = stream::frames(bytes);
        let signature = |(place, frame): (usize, &Frame<'_>)| match packet::only(&frame.rebuilt())? {
            Packet::Signature(signature) if is_of_document(&signature) => Some((place, signature)),
            _ => None,
        };
        let list = frames.iter().enumerate().filter(|(_, frame)| frame.tag == stream::SIGNATURE);
        let list = list.filter_map(signature).take(SIGNATURES_MAX).collect();
        Self { frames, broken, list, is_text }
    }

    /// Why there is no signature in it.
    fn nothing(&self) -> &'static str {
        match &self.frames[..] {
            [] => self.broken.unwrap_or("it is empty"),
            [frame, ..] if frame.tag == stream::SIGNATURE => {
                "its signature cannot be read, or is not of a document"
            }
            _ => "it holds something other than a signature",
        }
    }
}

fn is_of_document(signature: &Signature) -> bool {
    // A version that nobody here reads may well sign one.
    matches!(signature.typ(), None | Some(SignatureType::Binary | SignatureType::Text))
}

/// Tries one signature with one part of a key that it names.
fn attempt(
    signature: &Signature,
    key: &Key,
    (place, release): (usize, Release),
    document: &[u8],
    now: Now<'_>,
) -> Tried {
    let details = key.details_for(release);
    let part = details.part(place).unwrap_or(&details.primary);
    let subkey = place.checked_sub(1).and_then(|subkey| key.subkeys.get(subkey));
    let can_check = subkey.map_or_else(|| packet::can_check(&key.primary), packet::can_check);
    if !can_check {
        return Tried::Unsupported(format!("{} cannot be checked here", part.kind()));
    }
    if !packet::can_check(&key.primary) {
        // Whether the subkey belongs to it is the primary key's word alone.
        let primary = details.primary.kind();
        return Tried::Unsupported(format!("its primary key ({primary}) cannot be checked here"));
    }
    let holds = match subkey {
        Some(subkey) => packet::holds(signature, subkey, document),
        None => packet::holds(signature, &key.primary, document),
    };
    if !packet::is_readable(signature) {
        return if holds { Tried::Unfit(Unfit::Format) } else { Tried::Bad };
    }
    if !holds {
        let hash = packet::hash_name(signature.hash_alg());
        return match (packet::can_hash(signature.hash_alg()), packet::takes_hash(part, &hash)) {
            (false, _) => Tried::Unsupported(format!("{hash} cannot be computed here")),
            (true, false) => {
                Tried::Unsupported(format!("{} over {hash} cannot be checked here", part.kind()))
            }
            (true, true) => Tried::Bad,
        };
    }
    if !packet::is_known(signature.hash_alg()) {
        return Tried::Unfit(Unfit::Hash(packet::hash_name(signature.hash_alg())));
    }
    match unfit(signature, details, part, (place > 0, now)) {
        Some(why) => Tried::Unfit(why),
        None => Tried::Good(caveats(signature, details, part, now)),
    }
}

fn unfit(
    signature: &Signature,
    details: &KeyDetails,
    part: &Part,
    (is_subkey, now): (bool, Now<'_>),
) -> Option<Unfit> {
    if !part.may_sign {
        return Some(if part.lacks_flags { Unfit::NoKeyFlags } else { Unfit::NotForSigning });
    }
    let notes = [packet::critical_notation(signature), details.primary.critical_notation.clone()];
    if let Some(name) = notes.into_iter().flatten().next().or_else(|| part.critical_notation.clone()) {
        return Some(Unfit::CriticalNotation(name));
    }
    if let Some(revoked) = details.primary.revoked.as_ref().filter(|revoked| revoked.counts(now)) {
        return Some(Unfit::KeyRevoked { at: revoked.at, reason: revoked.reason });
    }
    if let Some(revoked) = part.revoked.as_ref().filter(|revoked| is_subkey && revoked.counts(now)) {
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
    let to_come = parts.iter().filter_map(|part| part.revoked.as_ref()).find(|revoked| !revoked.counts(now));
    found.extend(to_come.and_then(|revoked| revoked.at).map(|at| Caveat::RevokedLater { at }));
    let hash = packet::hash_name(signature.hash_alg());
    if hash == "SHA-1" {
        found.push(Caveat::WeakHash(hash));
    }
    if part.is_weak() {
        found.push(Caveat::WeakKey(part.kind()));
    }
    found
}
