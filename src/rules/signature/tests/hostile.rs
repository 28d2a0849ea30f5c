//! Keys and signatures that somebody tampered with, by hand and by dice.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::registry::keys::KeyFile;
use crate::rules::signature::parse::Unread;
use crate::rules::signature::tests::{CHANGED, KEYS, SIGNATURES, SUMS, named, now, ring, signature};
use crate::rules::signature::{
    Answer, Client, KEY_FILE_BYTES_MAX, KeyRing, SIGNATURE_BYTES_MAX, Unfit, armor, findings, parse,
};

/// The packets of a key as GnuPG writes them, with their headers.
fn packets(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    while let Some(head) = bytes.first() {
        let end = match head & 3 {
            0 => 2 + usize::from(bytes[1]),
            1 => 3 + usize::from(u16::from_be_bytes([bytes[1], bytes[2]])),
            other => panic!("length kind {other}"),
        };
        found.push(bytes[..end].to_vec());
        bytes = &bytes[end..];
    }
    found
}

/// A binding without its unhashed area, where the subkey vouches for the primary key.
fn without_back_signature(binding: &[u8]) -> Vec<u8> {
    let body = &binding[3..];
    let number = |at: usize| usize::from(u16::from_be_bytes([body[at], body[at + 1]]));
    let unhashed = 6 + number(4);
    let rest = unhashed + 2 + number(unhashed);
    let bare = [&body[..unhashed], &[0, 0], &body[rest..]].concat();
    [&[0x89], &u16::try_from(bare.len()).unwrap().to_be_bytes()[..], &bare].concat()
}

/// Nobody becomes a signer by lying beside a key: what the key does not vouch for does not count.
#[test]
fn parts_that_the_key_does_not_vouch_for() {
    // Primary key, user id, its signature; for `subkey` then the subkey and its binding; for `compromised` the revocation
    // stands behind the primary key.
    let of = |name: &str| packets(&bare(named(&KEYS, name)));
    let (plain, with_subkey, revoked) = (of("rsa2048"), of("subkey"), of("compromised"));
    assert_eq!((plain.len(), with_subkey.len(), revoked.len()), (3, 5, 4));
    let mut broken = plain[2].clone();
    *broken.last_mut().unwrap() ^= 1;
    let lonely = without_back_signature(&with_subkey[4]);
    let all = |parts: &[&[Vec<u8>]]| parts.concat().concat();
    let cases: [(Vec<u8>, &str, &str, &str); 7] = [
        (all(&[&plain[..2]]), "rsa2048", "it has no user id", "key-unfit"),
        (all(&[&plain[..2], &[broken]]), "rsa2048", "the self-signature of a user id is wrong", "key-unfit"),
        (all(&[&plain[..2], &with_subkey[2..3]]), "rsa2048", "it has no user id", "key-unfit"),
        (all(&[&plain[..], &with_subkey[3..]]), "subkey", "is not bound to it", "key-unfit"),
        (all(&[&plain[..], &with_subkey[3..4]]), "subkey", "is not bound to it", "key-unfit"),
        (all(&[&with_subkey[..4], &[lonely]]), "subkey", "does not vouch for it", "key-unfit"),
        (all(&[&plain[..1], &revoked[1..2], &plain[1..]]), "rsa2048", "another key revokes it", "key-unfit"),
    ];
    for (bytes, name, fault, rule) in cases {
        let [key] = &parse::keys(&bytes).unwrap().keys[..] else { panic!("{fault}") };
        assert!(key.details.faults[0].text().contains(fault), "{fault}: {:?}", key.details.faults);
        assert!(key.details.is_skipped_by_clients(), "{fault}");
        let check = on_file(&bytes).check(SUMS, signature(name), now());
        assert_eq!(check.finding("1.0.0").map(|finding| finding.rule), Some(rule.into()), "{fault}");
        assert_eq!(check.client.installs(), Some(false), "{fault}");
    }
    let none = parse::keys(&[&with_subkey[3][..], &with_subkey[4]].concat());
    assert!(matches!(none, Err(Unread::Broken(why)) if why.contains("begin with a key")));
}

fn on_file(bytes: &[u8]) -> KeyRing {
    let encoded = STANDARD.encode(bytes);
    let lines: Vec<&str> =
        encoded.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    // As GnuPG writes it, so that clients find nothing odd about the text itself.
    let text = format!(
        "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n{}\n-----END PGP PUBLIC KEY BLOCK-----\n",
        lines.join("\n")
    );
    KeyRing::read(&[KeyFile { path: "keys/a/acme/x.asc".into(), text: text.into() }])
}

/// A primary key of an unknown kind can vouch for a subkey, and nobody here can tell whether it does.
#[test]
fn a_subkey_of_a_key_that_cannot_be_checked_is_not_known() {
    let (primary, subkey) =
        (packets(&bare(named(&KEYS, "brainpool"))), packets(&bare(named(&KEYS, "ed25519"))));
    let mut subkey = subkey[0].clone();
    // Packet 6, a primary key, becomes packet 14, a subkey.
    subkey[0] = subkey[0] & 0x83 | 14 << 2;
    let ring = on_file(&[&primary.concat()[..], &subkey].concat());
    for sums in [SUMS, CHANGED] {
        let check = ring.check(sums, signature("ed25519"), now());
        let Answer::CannotCheck { why, .. } = &check.answer else { panic!("{:?}", check.answer) };
        assert!(why.contains("its primary key (ECDSA brainpoolP256r1)"), "{why}");
        assert_eq!(check.client.installs(), None);
    }
}

/// A hash that clients do not know is no excuse for a signature that does not hold.
#[test]
fn a_signature_under_an_odd_hash_is_judged_by_what_can_be_told() {
    // Old packet header of two bytes or three, then version, type, algorithm, hash.
    let good = bare(signature("rsa2048"));
    let hash_at = if good[0].is_multiple_of(4) { 5 } else { 6 };
    assert_eq!(good[hash_at], 10, "SHA-512");
    for (number, wanted) in [(1, "bad"), (3, "bad"), (99, "hash number 99 cannot be computed here")] {
        let mut bytes = good.clone();
        bytes[hash_at] = number;
        let check = ring(&["rsa2048"]).check(SUMS, &bytes, now());
        match &check.answer {
            Answer::Bad { .. } => assert_eq!(wanted, "bad"),
            Answer::CannotCheck { why, .. } => assert_eq!(why, wanted),
            other => panic!("{number}: {other:?}"),
        }
        assert_eq!(check.client.installs(), Some(false), "{number}");
    }
}

/// A small generator of numbers that looks random and is the same each time (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }

    /// A few changes: bytes, lengths, pieces moved, doubled, dropped, or taken from another.
    fn change(&mut self, bytes: &[u8], other: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..=self.below(4) {
            let (at, end) = (self.below(bytes.len()), self.below(bytes.len()));
            let (start, end) = (at.min(end), at.max(end));
            match self.below(8) {
                _ if bytes.is_empty() => bytes = other.to_vec(),
                0 | 1 => bytes[at] ^= 1 << self.below(8),
                2 => bytes[at] = [0, 1, 0x7f, 0x80, 0xfe, 0xff][self.below(6)],
                3 => bytes.truncate(at),
                4 => drop(bytes.drain(start..end)),
                5 => bytes.extend_from_within(start..end),
                6 => {
                    let from = self.below(other.len());
                    let to = from + self.below(other.len() - from);
                    drop(bytes.splice(start..end, other[from..to].iter().copied()));
                }
                _ => bytes.insert(at, 0xff),
            }
            bytes.truncate(16 << 10);
        }
        bytes
    }
}

/// Of each of the three kinds. 200,000 were done by hand (2026-11), without a finding.
const ROUNDS: usize = 1_500;

fn bare(text: &[u8]) -> Vec<u8> {
    armor::read(text).map_or_else(|_| text.to_vec(), |(blocks, _)| blocks[0].bytes.clone())
}

#[test]
fn changed_bytes_never_panic_and_never_verify() {
    let mut dice = Dice(0x2545_F491_4F6C_DD1D);
    let rings: Vec<KeyRing> = KEYS.iter().map(|(name, _)| ring(&[name])).collect();
    let keys: Vec<Vec<u8>> = KEYS.iter().map(|(_, text)| bare(text)).collect();
    let mut seen = BTreeSet::new();
    for _ in 0..ROUNDS {
        // Keys in binary: how many survive does not matter, as long as nothing falls over.
        let (one, two) = (dice.below(keys.len()), dice.below(keys.len()));
        let changed = dice.change(&keys[one], &keys[two]);
        seen.insert(parse::keys(&changed).map_or("no key", |_| "a key"));
        // Key files as text, with a signature checked against what is left of them.
        let text = dice.change(KEYS[one].1, KEYS[two].1);
        let (name, good) = SIGNATURES[dice.below(SIGNATURES.len())];
        let ring = KeyRing::read(&[KeyFile { path: "keys/a/acme/x.asc".into(), text }]);
        assert!(!findings(&ring, now().into()).iter().any(|finding| finding.text.is_empty()));
        let check = ring.check(SUMS, good, now());
        assert!(!matches!(check.answer, Answer::NoKeys { .. }), "{name}");
        assert!(check.answer.text().len() < 4_000 && check.client != Client::Skips);
        // Signatures against a good key, over other bytes: none may hold.
        let (_, other) = SIGNATURES[dice.below(SIGNATURES.len())];
        let changed = dice.change(good, other);
        let against = &rings[dice.below(rings.len())];
        let check = against.check(CHANGED, &changed, now());
        let holds =
            matches!(check.answer, Answer::Signed(_) | Answer::Unfit { why: Unfit::KeyRevoked { .. }, .. });
        assert!(!holds && check.client.installs() != Some(true), "{changed:?}: {}", check.answer.text());
        seen.insert(match check.answer {
            Answer::Bad { .. } => "bad",
            Answer::NotSignedByThese { .. } => "by others",
            Answer::Garbage(_) => "garbage",
            _ => "else",
        });
    }
    for wanted in ["a key", "no key", "bad", "by others", "garbage"] {
        assert!(seen.contains(wanted), "{wanted} never happened: {seen:?}");
    }
}

#[test]
fn sizes_are_bounded() {
    let key = bare(KEYS[0].1);
    assert!(parse::keys(&key.repeat(64)).is_ok());
    let many = parse::keys(&key.repeat(65));
    assert!(matches!(many, Err(Unread::Beyond(why)) if why.contains("more than 64 keys")));
    let big = KeyFile { path: "keys/a/acme/x.asc".into(), text: vec![b'x'; KEY_FILE_BYTES_MAX + 1] };
    let ring_of_big = KeyRing::read(&[big]);
    let said = ring_of_big.files()[0].unread().unwrap().to_owned();
    assert!(said.contains("more than 262144 bytes"), "{said}");
    // Limits of ours are no refusal of clients.
    let check = ring_of_big.check(SUMS, signature("ed25519"), now());
    assert_eq!(check.client.installs(), None, "{:?}", check.client);
    let many = signature("ed25519").repeat(400);
    let check = ring(&["ed25519"]).check(SUMS, &many, now());
    assert!(matches!(check.answer, Answer::Signed(_)) && check.trials.len() == 256, "{}", check.trials.len());
    // What clients come to behind the last that is tried is not known.
    let behind = [&signature("rsa2048").repeat(256)[..], signature("ed25519")].concat();
    let check = ring(&["ed25519"]).check(SUMS, &behind[..behind.len().min(SIGNATURE_BYTES_MAX)], now());
    assert!(check.client.installs() != Some(true), "{:?}", check.client);
    let check = ring(&["ed25519"]).check(SUMS, &vec![0x88; SIGNATURE_BYTES_MAX + 1], now());
    assert!(matches!(check.answer, Answer::Garbage(_)) && check.client.installs().is_none());
    // Lengths that promise what never comes.
    for head in
        [&[0xc2, 0xff, 0xff, 0xff, 0xff, 0xff][..], &[0x9a, 0xff, 0xff, 0xff, 0xff], &[0xc2, 0xfe, 0, 0]]
    {
        let check = ring(&["ed25519"]).check(SUMS, head, now());
        assert!(matches!(check.answer, Answer::Garbage(_)), "{head:?}");
    }
}
