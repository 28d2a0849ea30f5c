//! OpenPGP packets out of bytes, and what is read off them. The rest of this folder asks here and not the library where a
//! question needs a rule of ours: who says that they made a signature, what its flags allow, how strong its hash is.

use jiff::Timestamp;
use pgp::crypto::hash::HashAlgorithm;
use pgp::crypto::public_key::PublicKeyAlgorithm;
use pgp::line_writer::LineBreak;
use pgp::normalize_lines::NormalizedReader;
use pgp::packet::{
    Packet, PacketParser, RevocationCode, Signature, SignatureType, SignatureVersion,
    SignatureVersionSpecific, SubpacketData,
};
use pgp::ser::Serialize;
use pgp::types::{
    EcdsaPublicParams, EddsaLegacyPublicParams, KeyDetails, KeyVersion, PublicParams, VerifyingKey,
};

use crate::rules::signature::details::Part;
use crate::rules::signature::stream;
use crate::rules::signature::stream::Release;

/// The packet that these bytes are; `None`: the library cannot read it.
pub(super) fn only(bytes: &[u8]) -> Option<Packet> {
    PacketParser::new(bytes).next()?.ok()
}

/// Whether the key made the signature over these bytes. The library's own way asks besides that two bytes of the hash, which
/// stand in the open, are right; nobody else does.
pub(super) fn holds(signature: &Signature, key: &impl VerifyingKey, document: &[u8]) -> bool {
    let hash = || {
        let (config, bytes) = (signature.config()?, signature.signature()?);
        let mut hasher = config.hash_alg.new_hasher().ok()?;
        if let SignatureVersionSpecific::V6 { salt } = &config.version_specific {
            (config.hash_alg.salt_len() == Some(salt.len())).then(|| hasher.update(salt.as_ref()))?;
        }
        let is_six = |six: bool| (config.version() == SignatureVersion::V6) == six;
        is_six(key.version() == KeyVersion::V6).then_some(())?;
        if config.typ == SignatureType::Text {
            config.hash_data_to_sign(&mut hasher, NormalizedReader::new(document, LineBreak::Crlf)).ok()?;
        } else {
            config.hash_data_to_sign(&mut hasher, document).ok()?;
        }
        let length = config.hash_signature_data(&mut hasher).ok()?;
        hasher.update(&config.trailer(length).ok()?);
        Some((config.hash_alg, hasher.finalize(), bytes))
    };
    hash().is_some_and(|(algorithm, hash, bytes)| key.verify(algorithm, &hash, bytes).is_ok())
}

/// Whether the library checks signatures of such a key over such a hash.
pub(super) fn takes_hash(part: &Part, hash: &str) -> bool {
    !part.algorithm.starts_with("Ed") || !matches!(hash, "SHA-1" | "SHA-224")
}

/// A moment as packets write it.
pub(super) fn moment(seconds: u32) -> Timestamp {
    Timestamp::from_second(i64::from(seconds)).expect("32 bits of seconds are within a calendar")
}

/// A moment some seconds after another; `None` for a length of zero, which means for ever.
pub(super) fn after(start: Timestamp, seconds: u32) -> Option<Timestamp> {
    (seconds > 0).then(|| moment_after(start, seconds))
}

fn moment_after(start: Timestamp, seconds: u32) -> Timestamp {
    Timestamp::from_second(start.as_second() + i64::from(seconds))
        .expect("two times 32 bits are within a calendar")
}

/// Upper-case hex, as the registry writes key ids.
pub(super) fn hex(bytes: &[u8]) -> String {
    hex::encode_upper(bytes)
}

/// The last signed subpacket that `read` returns a value for. Clients use the last of several subpackets of one kind;
/// the library would use the first.
fn last<T>(signature: &Signature, read: impl Fn(&SubpacketData) -> Option<T>) -> Option<T> {
    signature.config()?.hashed_subpackets().filter_map(|part| read(&part.data)).last()
}

pub(super) fn made(signature: &Signature) -> Option<Timestamp> {
    let in_parts = last(signature, |part| match part {
        SubpacketData::SignatureCreationTime(at) => Some(*at),
        _ => None,
    });
    // Old versions store it outside of subpackets.
    in_parts.or_else(|| signature.created()).map(|at| moment(at.as_secs()))
}

/// When a signature itself ends.
pub(super) fn ends(signature: &Signature) -> Option<Timestamp> {
    let length = last(signature, |part| match part {
        SubpacketData::SignatureExpirationTime(length) => Some(length.as_secs()),
        _ => None,
    });
    after(made(signature)?, length?)
}

/// The moment when a key that was created at `created` expires, from its self-signature.
pub(super) fn key_ends(created: Timestamp, signature: &Signature) -> Option<Timestamp> {
    let length = last(signature, |part| match part {
        SubpacketData::KeyExpirationTime(length) => Some(length.as_secs()),
        _ => None,
    });
    after(created, length?)
}

/// Returns true if a self-signature marks its user id as the primary one.
pub(super) fn is_primary(signature: &Signature) -> bool {
    let read_primary = |part: &SubpacketData| match part {
        SubpacketData::IsPrimary(is_primary) => Some(*is_primary),
        _ => None,
    };
    last(signature, read_primary).unwrap_or(false)
}

/// The reason of a revocation.
pub(super) fn revocation_reason(signature: &Signature) -> Option<RevocationCode> {
    last(signature, |part| match part {
        SubpacketData::RevocationReason(code, _) => Some(*code),
        _ => None,
    })
}

/// The key ids that a signature gives as its maker's, in both of its areas, without repeats.
pub(super) fn issuers(signature: &Signature) -> Vec<String> {
    let mut ids: Vec<String> = signature.issuer_key_id().iter().map(|id| hex(id.as_ref())).collect();
    for fingerprint in signature.issuer_fingerprint() {
        let bytes = fingerprint.as_bytes();
        // A version 4 key is named by the end of its fingerprint, a version 6 key by its start.
        let id = if bytes.len() == 20 { &bytes[12..] } else { &bytes[..8.min(bytes.len())] };
        ids.push(hex(id));
    }
    let mut seen = Vec::new();
    ids.retain(|id| {
        id.bytes().any(|digit| digit != b'0') && !seen.contains(id) && {
            seen.push(id.clone());
            true
        }
    });
    ids
}

/// Whether the key, by its own word, made the signature.
pub(super) fn is_by(signature: &Signature, key: &impl KeyDetails) -> bool {
    issuers(signature).contains(&hex(key.legacy_key_id().as_ref()))
}

/// Returns true if the key flags of a self-signature allow signing. A key without flags may not sign: all clients of
/// OpenTofu skip it, although GnuPG accepts its signatures.
pub(super) fn allows_signing(signature: &Signature) -> bool {
    flags(signature).unwrap_or(false)
}

/// Returns true if a self-signature has any key flags.
pub(super) fn has_flags(signature: &Signature) -> bool {
    flags(signature).is_some()
}

/// The flags of all subpackets together.
fn flags(signature: &Signature) -> Option<bool> {
    let flags = signature.config()?.hashed_subpackets().filter_map(|part| match &part.data {
        SubpacketData::KeyFlags(flags) => Some(flags.sign()),
        _ => None,
    });
    flags.reduce(|any, one| any || one)
}

/// A remark that whoever checks must understand, and nobody here does.
pub(super) fn critical_notation(signature: &Signature) -> Option<String> {
    let config = signature.config()?;
    config.hashed_subpackets().find_map(|part| match &part.data {
        SubpacketData::Notation(notation) if part.is_critical => {
            Some(String::from_utf8_lossy(&notation.name).chars().take(80).collect())
        }
        _ => None,
    })
}

/// Versions that clients read.
pub(super) fn is_readable(signature: &Signature) -> bool {
    matches!(signature.version(), SignatureVersion::V4 | SignatureVersion::V6)
}

/// The hash under a signature: its usual name.
pub(super) fn hash_name(hash: Option<HashAlgorithm>) -> String {
    match hash {
        Some(HashAlgorithm::Md5) => "MD5".into(),
        Some(HashAlgorithm::Sha1) => "SHA-1".into(),
        Some(HashAlgorithm::Ripemd160) => "RIPEMD-160".into(),
        Some(HashAlgorithm::Sha224) => "SHA-224".into(),
        Some(HashAlgorithm::Sha256) => "SHA-256".into(),
        Some(HashAlgorithm::Sha384) => "SHA-384".into(),
        Some(HashAlgorithm::Sha512) => "SHA-512".into(),
        Some(HashAlgorithm::Sha3_256) => "SHA3-256".into(),
        Some(HashAlgorithm::Sha3_512) => "SHA3-512".into(),
        Some(other) => format!("hash number {}", u8::from(other)),
        None => "an unknown hash".into(),
    }
}

/// Hashes that clients know.
pub(super) fn is_known(hash: Option<HashAlgorithm>) -> bool {
    use HashAlgorithm as H;
    hash.is_some_and(|hash| {
        matches!(hash, H::Sha1 | H::Sha224 | H::Sha256 | H::Sha384 | H::Sha512 | H::Sha3_256 | H::Sha3_512)
    })
}

/// Hashes that can be computed here.
pub(super) fn can_hash(hash: Option<HashAlgorithm>) -> bool {
    hash.is_some_and(|hash| hash.new_hasher().is_ok())
}

/// A key's algorithm by name, and the size that tells its strength where the name does not.
pub(super) fn algorithm(key: &impl KeyDetails) -> (String, Option<u32>) {
    let params = key.public_params();
    match params {
        PublicParams::RSA(_) => ("RSA".into(), leading_bits(params)),
        PublicParams::DSA(_) => ("DSA".into(), leading_bits(params)),
        PublicParams::Elgamal(_) => ("Elgamal".into(), leading_bits(params)),
        PublicParams::ECDSA(params) => (format!("ECDSA {}", params.curve()), None),
        PublicParams::EdDSALegacy(EddsaLegacyPublicParams::Ed25519 { .. }) | PublicParams::Ed25519(_) => {
            ("Ed25519".into(), None)
        }
        PublicParams::Ed448(_) => ("Ed448".into(), None),
        PublicParams::ECDH(_) | PublicParams::X25519(_) | PublicParams::X448(_) => ("ECDH".into(), None),
        _ => (format!("algorithm number {}", u8::from(key.algorithm())), None),
    }
}

/// The size of the first number of the key, which is written before it.
fn leading_bits(params: &PublicParams) -> Option<u32> {
    let bytes = params.to_bytes().ok()?;
    Some(u32::from(*bytes.first()?) << 8 | u32::from(*bytes.get(1)?))
}

/// Whether signatures of this key can be checked at all by us; encryption keys cannot sign.
pub(super) fn can_check(key: &impl KeyDetails) -> bool {
    match key.public_params() {
        PublicParams::RSA(_) | PublicParams::Ed25519(_) | PublicParams::Ed448(_) => true,
        // The library takes any size; nothing that long is meant honestly.
        PublicParams::DSA(_) => leading_bits(key.public_params()).is_some_and(|bits| bits <= 8_192),
        PublicParams::ECDSA(params) => {
            !matches!(params, EcdsaPublicParams::Unsupported { .. } | EcdsaPublicParams::Secp256k1 { .. })
        }
        PublicParams::EdDSALegacy(params) => !matches!(params, EddsaLegacyPublicParams::Unsupported { .. }),
        _ => false,
    }
}

/// Returns true if the key has the format of RFC 9580.
pub(super) fn is_version_six(key: &impl KeyDetails) -> bool {
    key.version() == KeyVersion::V6
}

/// Whether clients of a release know keys of this kind.
pub(super) fn is_known_key(key: &impl KeyDetails, release: Release) -> bool {
    stream::knows_key(key.version().into(), key.algorithm().into(), release)
}

/// Whether the algorithm is one for signing, known to us or not.
pub(super) fn is_for_signing(key: &impl KeyDetails) -> bool {
    use PublicKeyAlgorithm as A;
    !matches!(
        key.algorithm(),
        A::RSAEncrypt | A::ElgamalEncrypt | A::Elgamal | A::ECDH | A::X25519 | A::X448 | A::DiffieHellman
    )
}
