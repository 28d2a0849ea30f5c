//! OpenPGP keys of invented publishers: what lies in the registry's `keys`, and the detached signatures that they make.
//!
//! A key follows from its name and its times alone (Ed25519 needs no luck to sign), so that the same scenario gives the same
//! bytes. The keys guard nothing. It checks no signature; scenarios call it.

use std::time::Duration;

use jiff::Timestamp;
use pgp::composed::{ArmorOptions, Deserializable, SignedKeyDetails, SignedPublicKey};
use pgp::crypto::hash::HashAlgorithm;
use pgp::crypto::public_key::PublicKeyAlgorithm;
use pgp::crypto::{ed25519, eddsa_legacy};
use pgp::packet::{
    KeyFlags, Packet, PubKeyInner, PublicKey, SecretKey, SignatureConfig, SignatureType, Subpacket,
    SubpacketData, UserId,
};
use pgp::ser::Serialize;
use pgp::types::{
    EddsaLegacyPublicParams, KeyDetails, KeyVersion, PacketHeaderVersion, Password, PlainSecretParams,
    PublicParams, SecretParams, SignedUser, Tag,
};

use crate::digest::sha256;

/// All parts come from here, so that the library has nothing to object to.
const WHOLE: &str = "a plain Ed25519 key fits into a key, and signs";

/// One publisher's key.
#[derive(Clone, Debug)]
pub struct Signer {
    secret: SecretKey,
    user_id: UserId,
    created: Timestamp,
    expires: Option<Timestamp>,
    has_flags: bool,
}

impl Signer {
    /// The key of that name. One that has expired still signs: who checks has to see it.
    pub fn new(name: &str, created: Timestamp, expires: Option<Timestamp>) -> Self {
        let seed = sha256(format!("the key of {name}").as_bytes());
        let pair = ed25519::SecretKey::try_from_bytes(seed, ed25519::Mode::EdDSALegacy).expect(WHOLE);
        let public = PubKeyInner::new(
            KeyVersion::V4,
            PublicKeyAlgorithm::EdDSALegacy,
            seconds(created),
            None,
            PublicParams::EdDSALegacy(EddsaLegacyPublicParams::from(&pair)),
        );
        let public = public.and_then(PublicKey::from_inner).expect(WHOLE);
        let params = PlainSecretParams::EdDSALegacy(eddsa_legacy::SecretKey::Ed25519(pair));
        let text = format!("{name} <{name}@example.invalid>");
        Self {
            secret: SecretKey::new(public, SecretParams::Plain(params)).expect(WHOLE),
            user_id: UserId::from_str(PacketHeaderVersion::New, text).expect(WHOLE),
            created,
            expires,
            has_flags: true,
        }
    }

    /// Returns the same key with a self-signature that has no key flags.
    pub(crate) fn without_flags(self) -> Self {
        Self { has_flags: false, ..self }
    }

    /// When it was made.
    pub(crate) fn created(&self) -> Timestamp {
        self.created
    }

    /// The key file that a publisher hands in.
    pub fn file(&self) -> Vec<u8> {
        let public = self.secret.public_key().clone();
        let mut flags = KeyFlags::default();
        flags.set_certify(true);
        flags.set_sign(true);
        let mut subpackets = Vec::from_iter(self.has_flags.then_some(SubpacketData::KeyFlags(flags)));
        if let Some(expires) = self.expires {
            let lasts = (expires.as_second() - self.created.as_second()).clamp(1, i64::from(u32::MAX));
            let lasts = Duration::from_secs(lasts.unsigned_abs());
            subpackets.push(SubpacketData::KeyExpirationTime(lasts.try_into().expect(WHOLE)));
        }
        let vouches = self
            .words(SignatureType::CertPositive, self.created, subpackets)
            .sign_certification(&self.secret, &public, &Password::empty(), Tag::UserId, &self.user_id)
            .expect(WHOLE);
        let user = SignedUser::new(self.user_id.clone(), vec![vouches]);
        let details = SignedKeyDetails::new(Vec::new(), Vec::new(), vec![user], Vec::new());
        SignedPublicKey::new(public, details, Vec::new())
            .to_armored_bytes(ArmorOptions::default())
            .expect(WHOLE)
    }

    /// A detached signature, binary as GoReleaser's are, made at that moment.
    pub fn sign(&self, bytes: &[u8], at: Timestamp) -> Vec<u8> {
        let signature = self
            .words(SignatureType::Binary, at, Vec::new())
            .sign(&self.secret, &Password::empty(), bytes)
            .expect(WHOLE);
        Packet::Signature(signature).to_bytes().expect(WHOLE)
    }

    /// A signature before it is made: when, by whom, and what more it says.
    fn words(&self, kind: SignatureType, at: Timestamp, subpackets: Vec<SubpacketData>) -> SignatureConfig {
        let part = |data| Subpacket::regular(data).expect(WHOLE);
        let mut config = SignatureConfig::v4(kind, PublicKeyAlgorithm::EdDSALegacy, HashAlgorithm::Sha256);
        config.hashed_subpackets = vec![
            part(SubpacketData::IssuerFingerprint(self.secret.fingerprint())),
            part(SubpacketData::SignatureCreationTime(seconds(at))),
        ];
        config.hashed_subpackets.extend(subpackets.into_iter().map(part));
        config.unhashed_subpackets = vec![part(SubpacketData::IssuerKeyId(self.secret.legacy_key_id()))];
        config
    }
}

/// The id of a key file's first primary key, as sixteen capital hex digits.
pub(crate) fn key_id(armor: &str) -> Option<String> {
    let (key, _) = SignedPublicKey::from_string(armor).ok()?;
    Some(hex::encode_upper(key.legacy_key_id()))
}

/// A moment as OpenPGP has it, held at the ends of what it can hold.
fn seconds(at: Timestamp) -> pgp::types::Timestamp {
    let seconds = at.as_second().clamp(0, i64::from(u32::MAX));
    pgp::types::Timestamp::from_secs(seconds as u32)
}

#[cfg(test)]
mod tests {
    use pgp::composed::DetachedSignature;

    use super::*;

    #[test]
    fn the_same_name_gives_the_same_key_and_the_same_signature() {
        let created: Timestamp = "2024-01-01T00:00:00Z".parse().unwrap();
        let at = "2026-01-01T00:00:00Z".parse().unwrap();
        let make = |name: &str, expires| Signer::new(name, created, expires);
        let one = make("acme", None);
        assert_eq!(one.file(), make("acme", None).file());
        assert_eq!(one.sign(b"sums", at), make("acme", None).sign(b"sums", at));
        let id = |signer: &Signer| key_id(std::str::from_utf8(&signer.file()).unwrap()).unwrap();
        assert_ne!(id(&one), id(&make("umbrella", None)));
        assert_ne!(one.file(), make("acme", Some(at)).file());
        assert_eq!(id(&one), id(&make("acme", Some(at))));

        let text = String::from_utf8(one.file()).unwrap();
        assert!(text.starts_with("-----BEGIN PGP PUBLIC KEY BLOCK-----"), "{text}");
        let (key, _) = SignedPublicKey::from_string(&text).unwrap();
        key.verify_bindings().unwrap();
        let signature = one.sign(b"sums", at);
        let signature = DetachedSignature::from_bytes(&signature[..]).unwrap();
        signature.verify(&key, b"sums").unwrap();
        assert!(signature.verify(&key, b"other").is_err());
    }
}
