//! One key out of its packets: which self-signatures count, and what follows from them.
//!
//! A self-signature is one that gives the primary key as its maker and holds; the newest counts. The library's own check of
//! all bindings is not used, since it fails on what others added to a key (a third party's certification).

use pgp::packet::{
    Packet, PublicKey, PublicSubkey, RevocationCode, Signature, SignatureType, UserId as UserIdPacket,
};
use pgp::types::{KeyDetails as Keyed, Tag};

use crate::rules::signature::details::{COMPROMISED, KeyDetails, KeyFault, Part, Revocation, UserId};
use crate::rules::signature::stream::{Frame, Item, Release};
use crate::rules::signature::{packet, stream};

/// Keys of one file, user ids and subkeys of one key, and self-signatures of one part that are read. Real keys have a few.
const PARTS_MAX: usize = 64;
/// Packets of one block that are read.
const PACKETS_MAX: usize = 4_096;
/// Characters of a user id that are kept.
const TEXT_MAX: usize = 400;

/// A key: what is said of it, and what checks with it.
#[derive(Clone, Debug)]
pub(super) struct Key {
    /// The key as the newest clients read it.
    pub(super) details: KeyDetails,
    /// The key as clients up to 1.10 read it, if that differs. Those clients do not know all subpackets of
    /// signatures.
    pub(super) details_of_ten: Option<Box<KeyDetails>>,
    pub(super) primary: PublicKey,
    /// In the order of `details.subkeys`.
    pub(super) subkeys: Vec<PublicSubkey>,
}

/// Packets of one key, each with the signatures that follow it.
struct Raw {
    primary: PublicKey,
    direct: Vec<Signature>,
    user_ids: Vec<(UserIdPacket, Vec<Signature>)>,
    subkeys: Vec<(PublicSubkey, Vec<Signature>)>,
    faults: Vec<KeyFault>,
    /// Where the next signature belongs.
    last: Last,
}

enum Last {
    Primary,
    UserId,
    Subkey,
    /// Something that no rule here needs, such as a photograph.
    Other,
}

/// The keys of one armored block.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    pub(super) keys: Vec<Key>,
    pub(super) stops: Stops,
    pub(super) holds_private: bool,
}

/// What ends a client's reading of a block, with everything that it has read before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stops {
    all: Option<&'static str>,
    /// Clients from 1.11 on.
    newer: Option<&'static str>,
}

/// Why the keys of a block are not known: a part of a sentence.
#[derive(Debug)]
pub(super) enum Unread {
    Broken(String),
    /// A limit of this program, and none of clients.
    Beyond(String),
}

impl Stops {
    pub(super) fn why(&self, release: Release) -> Option<&'static str> {
        self.all.or(self.newer.filter(|_| release > Release::Ten))
    }
}

/// Reads the keys of one block.
///
/// # Errors
/// There is none, or too many of something.
pub(super) fn keys(bytes: &[u8]) -> Result<Parsed, Unread> {
    let (frames, broken) = stream::frames(bytes);
    if frames.len() > PACKETS_MAX {
        return Err(Unread::Beyond(format!("it has more than {PACKETS_MAX} packets")));
    }
    let mut read = Parsed { stops: Stops { all: broken, newer: None }, ..Parsed::default() };
    let raws = read.raws(&frames, Release::Newest);
    let full = |raw: &Raw| raw.is_overlong();
    if raws.len() > PARTS_MAX || raws.iter().any(full) {
        return Err(Unread::Beyond(format!(
            "it has more than {PARTS_MAX} keys, user ids, subkeys or signatures of one of them"
        )));
    }
    if raws.is_empty() {
        let nothing = if frames.is_empty() { "it holds no key" } else { "it does not begin with a key" };
        return Err(Unread::Broken(read.stops.all.unwrap_or(nothing).to_owned()));
    }
    read.keys = raws.into_iter().map(Raw::judge).collect();
    let differs = |frame: &&Frame<'_>| {
        let item = |release| stream::item(frame, release);
        frame.tag == stream::SIGNATURE && item(Release::Newest) != item(Release::Ten)
    };
    if frames.iter().any(|frame| differs(&frame)) {
        let of_ten = Parsed::default().raws(&frames, Release::Ten).into_iter().map(Raw::judge);
        for (key, of_ten) in read.keys.iter_mut().zip(of_ten) {
            if key.details != of_ten.details {
                key.details_of_ten = Some(Box::new(of_ten.details));
            }
        }
    }
    Ok(read)
}

impl Parsed {
    /// The packets of each key, with the signatures that a release understands. Records what stops the reading.
    fn raws(&mut self, frames: &[Frame<'_>], release: Release) -> Vec<Raw> {
        let mut raws: Vec<Raw> = Vec::new();
        for frame in frames {
            self.take(frame, release, &mut raws);
        }
        raws
    }

    fn take(&mut self, frame: &Frame<'_>, release: Release, raws: &mut Vec<Raw>) {
        if stream::is_critical(frame.tag, Release::Newest) {
            self.stops.newer = Some("it holds a packet of an unknown kind that may not be skipped");
        }
        if frame.tag == stream::SIGNATURE {
            match (stream::item(frame, release), raws.last_mut()) {
                (Item::Signature { .. }, Some(raw)) => match packet::only(&frame.rebuilt()) {
                    Some(packet) => raw.add(packet),
                    None => raw.fault(KeyFault::Packet),
                },
                (Item::Stop(stream::CUT), _) => self.stops.all = Some(stream::CUT),
                (Item::Stop(stream::CRASH), _) => self.stops.newer = Some(stream::CRASH),
                (Item::Stop(why), Some(raw)) => raw.fault(KeyFault::Signature(why)),
                (Item::PassedOver | Item::Signature { .. } | Item::Stop(_), _) => {}
            }
            return;
        }
        if frame.is_cut {
            self.stops.all = Some(stream::CUT);
        }
        match (packet::only(&frame.rebuilt()), raws.last_mut()) {
            (Some(Packet::PublicKey(primary)), _) => raws.push(Raw::new(primary)),
            (Some(Packet::SecretKey(secret)), _) => {
                self.holds_private = true;
                raws.push(Raw::new(secret.public_key().clone()));
            }
            (Some(Packet::SecretSubkey(secret)), Some(raw)) => {
                raw.add(Packet::PublicSubkey(secret.public_key().clone()));
            }
            (Some(packet), Some(raw)) => raw.add(packet),
            (None, Some(raw)) => raw.fault(KeyFault::Packet),
            (_, None) => {}
        }
    }
}

impl Raw {
    fn new(primary: PublicKey) -> Self {
        let (direct, user_ids, subkeys) = (Vec::new(), Vec::new(), Vec::new());
        Self { primary, direct, user_ids, subkeys, faults: Vec::new(), last: Last::Primary }
    }

    fn add(&mut self, packet: Packet) {
        match packet {
            Packet::UserId(id) => {
                self.user_ids.push((id, Vec::new()));
                self.last = Last::UserId;
            }
            Packet::PublicSubkey(subkey) => {
                self.subkeys.push((subkey, Vec::new()));
                self.last = Last::Subkey;
            }
            Packet::Signature(signature) => match self.last {
                Last::Primary => self.direct.push(signature),
                Last::UserId => push(&mut self.user_ids, signature),
                Last::Subkey => push(&mut self.subkeys, signature),
                Last::Other => {}
            },
            Packet::UserAttribute(_) => self.last = Last::Other,
            _ => {}
        }
    }

    fn fault(&mut self, fault: KeyFault) {
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    /// Others may add certifications without end; what the key made itself is bounded.
    fn is_overlong(&self) -> bool {
        let own = |signatures: &[Signature]| {
            signatures.iter().filter(|one| packet::is_by(one, &self.primary)).count() > PARTS_MAX
        };
        self.user_ids.len() > PARTS_MAX
            || self.subkeys.len() > PARTS_MAX
            || self.direct.len() > PARTS_MAX
            || self.user_ids.iter().any(|(_, signatures)| own(signatures))
            || self.subkeys.iter().any(|(_, signatures)| signatures.len() > PARTS_MAX)
    }

    /// A key whose own signatures nobody here can check: what it says, unverified, and the fault that says so.
    fn take_at_its_word(mut self) -> Key {
        let mut primary = part(&self.primary);
        primary.may_sign = packet::is_for_signing(&self.primary);
        self.faults.push(KeyFault::Unsupported(primary.kind()));
        let text = |id: &UserIdPacket| String::from_utf8_lossy(id.id()).chars().take(TEXT_MAX).collect();
        let user_id = |(id, _): &(UserIdPacket, _)| UserId { text: text(id), revoked: false, primary: false };
        let user_ids = self.user_ids.iter().map(user_id).collect();
        // A signature may name a subkey: it stays, so that the answer is that nobody here can tell.
        let subkey =
            |(key, _): &(PublicSubkey, _)| Part { may_sign: packet::is_for_signing(key), ..part(key) };
        let details = KeyDetails {
            primary,
            subkeys: self.subkeys.iter().map(subkey).collect(),
            user_ids,
            faults: self.faults,
        };
        let subkeys = self.subkeys.into_iter().map(|(key, _)| key).collect();
        Key { details, details_of_ten: None, primary: self.primary, subkeys }
    }

    fn judge(mut self) -> Key {
        if !packet::can_check(&self.primary) {
            return self.take_at_its_word();
        }
        let mut primary = part(&self.primary);
        primary.revoked = self.revocation();
        let (user_ids, chosen) = self.user_ids();
        let is_six = packet::is_version_six(&self.primary);
        if user_ids.is_empty() && !is_six {
            self.faults.push(KeyFault::NoUserId);
        }
        // A key without a user id of its own can still say of itself what it may do.
        let direct = || {
            let own = self.direct.iter().filter(|one| one.typ() == Some(SignatureType::Key));
            newest(
                own.filter(|one| packet::is_by(one, &self.primary) && one.verify_key(&self.primary).is_ok()),
            )
        };
        // A key of version 6 states what it may do only in a signature over the key itself, not with its user ids.
        let of_key = if is_six { direct() } else { chosen.as_ref().or_else(direct) };
        if let Some(signature) = of_key {
            vouch(&mut primary, signature);
        }
        primary.may_sign &= packet::is_for_signing(&self.primary);
        let subkeys: Vec<Part> = self.subkeys.iter().map(|(key, _)| part(key)).collect();
        let details = KeyDetails { primary, subkeys, user_ids, faults: std::mem::take(&mut self.faults) };
        let mut key = Key { details, details_of_ten: None, primary: self.primary, subkeys: Vec::new() };
        for (place, (subkey, signatures)) in self.subkeys.into_iter().enumerate() {
            key.bind(place, subkey, &signatures);
        }
        key
    }

    fn revocation(&mut self) -> Option<Revocation> {
        let mut found: Option<Revocation> = None;
        for signature in self.direct.iter().filter(|one| one.typ() == Some(SignatureType::KeyRevocation)) {
            if packet::is_by(signature, &self.primary) && signature.verify_key(&self.primary).is_ok() {
                found = found.or(Some(revocation(signature)));
            } else {
                self.faults.push(KeyFault::RevokedByAnother);
            }
        }
        found
    }

    /// The user ids that the key vouches for, and the signature of the one that stands for the key.
    fn user_ids(&mut self) -> (Vec<UserId>, Option<Signature>) {
        let mut found: Vec<(UserId, &Signature)> = Vec::new();
        let mut wrong = false;
        for (id, signatures) in &self.user_ids {
            let (mut own, mut revoked) = (Vec::new(), false);
            for signature in signatures.iter().filter(|one| packet::is_by(one, &self.primary)) {
                if signature.verify_certification(&self.primary, Tag::UserId, id).is_err() {
                    wrong = true;
                } else if signature.typ() == Some(SignatureType::CertRevocation) {
                    revoked = true;
                } else {
                    own.push(signature);
                }
            }
            if let Some(signature) = newest(own.into_iter()) {
                let text = String::from_utf8_lossy(id.id()).chars().take(TEXT_MAX).collect();
                found.push((UserId { text, revoked, primary: false }, signature));
            }
        }
        if wrong {
            self.faults.push(KeyFault::UserIdSelfSignature);
        }
        // Not revoked before revoked, said to be primary before others, newer before older.
        let rank = |(id, signature): &(UserId, &Signature)| {
            (!id.revoked, packet::is_primary(signature), packet::made(signature))
        };
        let place = (0..found.len()).max_by_key(|place| (rank(&found[*place]), std::cmp::Reverse(*place)));
        let chosen = place.map(|place| {
            found[place].0.primary = true;
            found[place].1.clone()
        });
        (found.into_iter().map(|(id, _)| id).collect(), chosen)
    }
}

impl Key {
    /// The details as clients of a release read them.
    pub(super) fn details_for(&self, release: Release) -> &KeyDetails {
        self.details_of_ten.as_deref().filter(|_| release == Release::Ten).unwrap_or(&self.details)
    }

    /// The number of a part's algorithm; the primary key is part 0.
    pub(super) fn algorithm(&self, part: usize) -> u8 {
        let subkey = part.checked_sub(1).and_then(|place| self.subkeys.get(place));
        subkey.map_or_else(|| self.primary.algorithm(), Keyed::algorithm).into()
    }

    fn bind(&mut self, place: usize, subkey: PublicSubkey, signatures: &[Signature]) {
        let key_id = self.details.subkeys[place].key_id.clone();
        let mut fault = None;
        let mut bindings = Vec::new();
        for signature in signatures {
            let holds = signature.verify_subkey_binding(&self.primary, &subkey).is_ok();
            match signature.typ() {
                Some(SignatureType::SubkeyBinding) if holds => bindings.push(signature),
                Some(SignatureType::SubkeyRevocation) if holds => {
                    self.details.subkeys[place].revoked = Some(revocation(signature));
                }
                _ => fault = Some(KeyFault::SubkeyBinding { key_id: key_id.clone() }),
            }
        }
        let part = &mut self.details.subkeys[place];
        if let Some(binding) = newest(bindings.into_iter()) {
            vouch(part, binding);
            let back = binding.embedded_signature();
            let vouches =
                back.is_some_and(|back| back.verify_primary_key_binding(&subkey, &self.primary).is_ok());
            if packet::allows_signing(binding) && !vouches {
                fault = fault.or(Some(KeyFault::NoBackSignature { key_id }));
            }
            part.may_sign &= vouches && packet::is_for_signing(&subkey);
        } else {
            part.may_sign = false;
            fault = Some(KeyFault::SubkeyBinding { key_id });
        }
        self.details.faults.extend(fault);
        self.subkeys.push(subkey);
    }
}

fn push<T>(list: &mut [(T, Vec<Signature>)], signature: Signature) {
    if let Some((_, signatures)) = list.last_mut() {
        signatures.push(signature);
    }
}

/// The newest; the first of several made in one second.
fn newest<'a>(signatures: impl Iterator<Item = &'a Signature>) -> Option<&'a Signature> {
    signatures.fold(None, |best: Option<&Signature>, one| match best {
        Some(best) if packet::made(best) >= packet::made(one) => Some(best),
        _ => Some(one),
    })
}

fn part(key: &impl Keyed) -> Part {
    let (algorithm, bits) = packet::algorithm(key);
    Part {
        fingerprint: packet::hex(key.fingerprint().as_bytes()),
        key_id: packet::hex(key.legacy_key_id().as_ref()),
        algorithm,
        bits,
        created: packet::moment(key.created_at().as_secs()),
        expires: None,
        revoked: None,
        may_sign: false,
        lacks_flags: false,
        self_hash: None,
        vouched: None,
        vouched_until: None,
        critical_notation: None,
    }
}

/// Takes over what a self-signature says.
fn vouch(part: &mut Part, signature: &Signature) {
    part.expires = packet::key_ends(part.created, signature);
    part.may_sign = packet::allows_signing(signature);
    part.lacks_flags = !packet::has_flags(signature);
    part.self_hash = Some(packet::hash_name(signature.hash_alg()));
    part.vouched = packet::made(signature);
    part.vouched_until = packet::ends(signature);
    part.critical_notation = packet::critical_notation(signature);
}

fn revocation(signature: &Signature) -> Revocation {
    let reason = match packet::revocation_reason(signature) {
        Some(RevocationCode::KeySuperseded) => "superseded",
        Some(RevocationCode::KeyCompromised) => COMPROMISED,
        Some(RevocationCode::KeyRetired) => "retired",
        Some(RevocationCode::CertUserIdInvalid) => "user id no longer valid",
        _ => "no reason given",
    };
    Revocation { at: packet::made(signature), reason }
}
