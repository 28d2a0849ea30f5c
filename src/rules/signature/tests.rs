use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;

use super::Answer;
use super::Check;
use super::Client;
use super::Column;
use super::Fares;
use super::KeyRing;
use super::Mark;
use super::Matrix;
use super::Release;
use super::Unfit;
use super::armor;
use super::findings;
use super::parse;
use super::preview;
use crate::registry::ProviderAddress;
use crate::registry::keys::KeyFile;

macro_rules! vector {
    ($path:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/openpgp/", $path)) as &[u8]
    };
}

const SUMS: &[u8] = vector!("sums.txt");
const CHANGED: &[u8] = vector!("sums-changed.txt");
const KEYS: [(&str, &[u8]); 14] = [
    ("rsa2048", vector!("keys/rsa2048.asc")),
    ("other", vector!("keys/other.asc")),
    ("ed25519", vector!("keys/ed25519.asc")),
    ("nistp256", vector!("keys/nistp256.asc")),
    ("dsa1024", vector!("keys/dsa1024.asc")),
    ("subkey", vector!("keys/subkey.asc")),
    ("certified", vector!("keys/certified.asc")),
    ("uids", vector!("keys/uids.asc")),
    ("expired", vector!("keys/expired.asc")),
    ("compromised", vector!("keys/compromised.asc")),
    ("sha1self", vector!("keys/sha1self.asc")),
    ("crlf", vector!("keys/crlf.asc")),
    ("two-blocks", vector!("keys/two-blocks.asc")),
    ("words", vector!("keys/words.asc")),
];
const SIGNATURES: [(&str, &[u8]); 12] = [
    ("rsa2048", vector!("signatures/rsa2048.sig")),
    ("other", vector!("signatures/other.sig")),
    ("ed25519", vector!("signatures/ed25519.sig")),
    ("nistp256", vector!("signatures/nistp256.sig")),
    ("dsa1024", vector!("signatures/dsa1024.sig")),
    ("subkey", vector!("signatures/subkey.sig")),
    ("certified", vector!("signatures/certified.sig")),
    ("uids", vector!("signatures/uids.sig")),
    ("expired", vector!("signatures/expired.sig")),
    ("compromised", vector!("signatures/compromised.sig")),
    ("two", vector!("signatures/two.sig")),
    ("armored", vector!("signatures/armored.asc")),
];

fn named(list: &[(&str, &'static [u8])], name: &str) -> &'static [u8] {
    list.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes).unwrap()
}

fn signature(name: &str) -> &'static [u8] {
    named(&SIGNATURES, name)
}

fn file(name: &str) -> KeyFile {
    KeyFile { path: format!("keys/a/acme/{name}.asc"), text: named(&KEYS, name).to_vec() }
}

fn ring(names: &[&str]) -> KeyRing {
    KeyRing::read(&names.iter().map(|name| file(name)).collect::<Vec<_>>())
}

fn now() -> Timestamp {
    "2026-06-01T00:00:00Z".parse().unwrap()
}

fn key_id(name: &str) -> String {
    ring(&[name]).files()[0].keys().next().unwrap().primary.key_id.clone()
}

fn acme() -> ProviderAddress {
    ProviderAddress { namespace: "acme".into(), name: "rocket".into() }
}

#[test]
fn the_order_of_keys_matters_to_clients_alone() {
    // Two signatures in one file, by `other` and by `rsa2048`; and a key file that nobody can read.
    let cases: [(&[&str], &str, &str); 6] = [
        (&["words", "rsa2048"], "rsa2048", "refuses: the key file `keys/a/acme/words.asc` cannot be used"),
        (&["rsa2048", "words"], "rsa2048", "installs"),
        (&["expired", "rsa2048"], "rsa2048", "installs"),
        (&["other", "rsa2048"], "two", "installs"),
        (&["ed25519", "rsa2048"], "two", "installs"),
        (&["two-blocks"], "rsa2048", "installs"),
    ];
    for (keys, name, wanted) in cases {
        let check = ring(keys).check(SUMS, signature(name), now());
        assert!(matches!(check.answer, Answer::Signed(_)), "{keys:?}: {}", check.answer.text());
        assert!(check.client.text().starts_with(wanted), "{keys:?}: {}", check.client.text());
    }
    let check = ring(&["two-blocks"]).check(SUMS, signature("ed25519"), now());
    assert!(matches!(check.answer, Answer::Unfit { why: Unfit::KeySkipped(_), .. }), "{:?}", check.answer);
    assert!(matches!(check.client, Client::Refuses(_)));
}

#[test]
fn a_ring_of_unreadable_files_is_no_empty_ring() {
    let check = ring(&["words"]).check(SUMS, signature("rsa2048"), now());
    let id = key_id("rsa2048");
    assert_eq!(
        check.answer.text(),
        format!("signed by {id}, on file: keys/a/acme/words.asc (cannot be read: it holds no armored block)")
    );
    assert_eq!(check.client.installs(), Some(false));
}

#[test]
fn findings_name_what_is_odd() {
    let cases: [(&[&str], &[&str]); 8] = [
        (&["rsa2048"], &[]),
        (&["certified"], &[]),
        (&["expired"], &["warning key-expired"]),
        (&["expired", "rsa2048"], &["note key-expired"]),
        (&["compromised"], &["error key-revoked"]),
        (&["sha1self", "dsa1024"], &["warning key-sha1", "warning key-sha1", "warning key-short"]),
        (&["crlf", "two-blocks"], &["note key-text", "note key-text", "warning key-text", "note key-twice"]),
        (&["words"], &["error key-unreadable"]),
    ];
    for (keys, wanted) in cases {
        let found = findings(&ring(keys), now());
        let said: Vec<String> =
            found.iter().map(|finding| format!("{} {}", finding.severity.name(), finding.rule)).collect();
        assert_eq!(said, wanted, "{keys:?}: {found:?}");
    }
    let soon = findings(&ring(&["expired"]), "2023-12-01T00:00:00Z".parse().unwrap());
    assert_eq!(soon[0].rule, "key-expires-soon");
}

/// A ring's results for versions, each signed by a named key.
fn results(ring: &KeyRing, versions: &[(&str, &str)]) -> Vec<(String, Result<Check, String>)> {
    let check = |(version, by): &(&str, &str)| {
        let result = match *by {
            "" => Err("the signature could not be fetched".to_owned()),
            by => Ok(ring.check(SUMS, signature(by), now())),
        };
        ((*version).to_owned(), result)
    };
    versions.iter().map(check).collect()
}

#[test]
fn the_matrix_says_since_when() {
    type Case = (&'static [(&'static str, &'static str)], &'static [&'static str]);
    let cases: [Case; 6] = [
        (&[("1.0.0", "rsa2048"), ("1.1.0", "rsa2048")], &["all 2 versions install"]),
        (
            &[("0.9.0", "rsa2048"), ("0.64.0", "other"), ("0.65.0", "other"), ("0.10.0", "rsa2048")],
            &["2 versions fail since 0.64.0"],
        ),
        (&[("2.3.2", "other"), ("2.4.0", "rsa2048")], &["1 version fails up to 2.3.2"]),
        (&[("1.0.0", "rsa2048"), ("1.1.0", "other"), ("1.2.0", "rsa2048")], &["1 version fails: 1.1.0"]),
        (&[("1.0.0", ""), ("1.1.0", "rsa2048")], &["1 version is not known up to 1.0.0"]),
        (&[("1.0.0", "armored")], &["the only version fails"]),
    ];
    for (versions, wanted) in cases {
        let ring = ring(&["rsa2048"]);
        assert_eq!(Matrix::new(&ring, results(&ring, versions)).text(), wanted, "{versions:?}");
    }
}

#[test]
fn the_matrix_has_a_column_for_each_key() {
    let ring = ring(&["rsa2048", "expired"]);
    let versions =
        [("1.0.0", "expired"), ("1.1.0", "rsa2048"), ("1.2.0", "other"), ("1.3.0", "two"), ("1.4.0", "")];
    let matrix = Matrix::new(&ring, results(&ring, &versions));
    let on_file = |name: &str| Column { key_id: key_id(name), file: Some(format!("keys/a/acme/{name}.asc")) };
    let stranger = Column { key_id: key_id("other"), file: None };
    assert_eq!(matrix.columns, [on_file("rsa2048"), on_file("expired"), stranger]);
    let rows: Vec<(&str, &[Option<Mark>])> =
        matrix.rows.iter().map(|row| (row.version.as_str(), &row.cells[..])).collect();
    let wanted: [(&str, &[Option<Mark>]); 5] = [
        ("1.4.0", &[None, None, None]),
        ("1.3.0", &[Some(Mark::Good), None, None]),
        ("1.2.0", &[None, None, Some(Mark::Unknown)]),
        ("1.1.0", &[Some(Mark::Good), None, None]),
        ("1.0.0", &[None, Some(Mark::Caveat), None]),
    ];
    assert_eq!(rows, wanted);
    let fares: Vec<Fares> = matrix.stretches.iter().map(|stretch| stretch.fares).collect();
    assert_eq!(fares, [Fares::Unknown, Fares::Installs, Fares::Fails, Fares::Installs, Fares::Warns]);
}

/// Incident S9: the provider has no key, an old version was signed by another key than the one that is proposed.
#[test]
fn a_first_key_stops_what_others_signed() {
    let releases = [("2.4.0", "rsa2048"), ("2.3.3", "rsa2048"), ("2.2.0", "other")]
        .map(|(version, by)| Release { version, files: Ok((SUMS, signature(by))) });
    let seen = preview(&acme(), &[], &file("rsa2048"), &releases, now());
    assert_eq!(seen.verified_by_it, ["2.4.0", "2.3.3"]);
    assert_eq!(seen.stops.len(), 1);
    assert_eq!((&*seen.stops[0].version, &seen.stops[0].signed_by[..]), ("2.2.0", &[key_id("other")][..]));
    assert_eq!(seen.text(), "verifies 2 of 3 versions; 2.2.0 installs today without a check and would fail");
    // With the old key on file the new one mends the rest.
    let seen = preview(&acme(), &[file("other")], &file("rsa2048"), &releases, now());
    assert_eq!(
        (seen.stops.len(), &seen.starts[..], &seen.goes_on[..]),
        (0, &["2.4.0".into(), "2.3.3".into()][..], &["2.2.0".into()][..])
    );
    assert_eq!(seen.text(), "verifies 2 of 3 versions; 2.4.0, 2.3.3 fail today and would install");
}

#[test]
fn previews_tell_what_is_not_known_and_what_is_in_vain() {
    let releases = [
        Release { version: "1.1.0", files: Err("its signature could not be fetched") },
        Release { version: "1.0.0", files: Ok((CHANGED, signature("expired"))) },
        Release { version: "0.9.0", files: Ok((SUMS, signature("expired"))) },
    ];
    let seen = preview(&acme(), &[], &file("expired"), &releases, now());
    assert_eq!(
        seen.text(),
        "verifies 1 of 3 versions; 1.0.0 installs today without a check and would fail; 1.1.0 is not known"
    );
    let elsewhere = KeyFile { path: "keys/a/acme/terraform-provider-rocket/x.asc".into(), ..file("expired") };
    let seen = preview(&acme(), &[], &elsewhere, &releases[2..], now());
    assert_eq!(seen.text(), "verifies 1 of 1 versions; where it lies, nobody looks for it");
    // An unreadable key file stops everything.
    let seen = preview(&acme(), &[], &file("words"), &releases[1..], now());
    assert_eq!((seen.stops.len(), seen.verified_by_it.len()), (2, 0));
}

#[test]
fn versions_come_with_one_finding_or_none() {
    let cases: [(&[&str], &str, &[u8], Option<&str>); 9] = [
        (&["rsa2048"], "rsa2048", SUMS, None),
        (&["expired", "rsa2048"], "rsa2048", SUMS, None),
        (&["expired"], "expired", SUMS, Some("warning key-expired")),
        (&["dsa1024"], "dsa1024", SUMS, Some("note signature-caveat")),
        (&["rsa2048"], "armored", SUMS, Some("error signature-refused")),
        (&["other"], "rsa2048", SUMS, Some("error key-mismatch")),
        (&["rsa2048"], "rsa2048", CHANGED, Some("error signature-bad")),
        (&["compromised"], "compromised", SUMS, Some("error key-unfit")),
        (&[], "rsa2048", SUMS, Some("note no-key")),
    ];
    for (keys, name, sums, wanted) in cases {
        let found = ring(keys).check(sums, signature(name), now()).finding("1.0.0");
        let said = found.as_ref().map(|finding| format!("{} {}", finding.severity.name(), finding.rule));
        assert_eq!(said.as_deref(), wanted, "{keys:?} {name}: {found:?}");
    }
    let found = ring(&["rsa2048"]).check(SUMS, b"", now()).finding("1.0.0").unwrap();
    assert_eq!((found.rule, found.version.as_deref()), ("unsigned", Some("1.0.0")));
}

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
        let [key] = &parse::keys(&bytes).unwrap()[..] else { panic!("{fault}") };
        assert!(key.details.faults[0].text().contains(fault), "{fault}: {:?}", key.details.faults);
        assert!(key.details.is_skipped_by_clients(), "{fault}");
        let text = format!("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n{}\n", STANDARD.encode(&bytes));
        let ring = KeyRing::read(&[KeyFile { path: "keys/a/acme/x.asc".into(), text: text.into() }]);
        let check = ring.check(SUMS, signature(name), now());
        assert_eq!(check.finding("1.0.0").map(|finding| finding.rule), Some(rule), "{fault}");
        assert_eq!(check.client.installs(), Some(false), "{fault}");
    }
    assert!(
        parse::keys(&[&with_subkey[3][..], &with_subkey[4]].concat())
            .unwrap_err()
            .contains("begin with a key")
    );
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
        assert!(!findings(&ring, now()).iter().any(|finding| finding.text.is_empty()));
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
    assert!(parse::keys(&key.repeat(65)).unwrap_err().contains("more than 64 keys"));
    let big = KeyFile { path: "keys/a/acme/x.asc".into(), text: vec![b'x'; super::KEY_FILE_BYTES_MAX + 1] };
    let said = KeyRing::read(&[big]).files()[0].unreadable().unwrap().to_owned();
    assert!(said.contains("more than 262144 bytes"), "{said}");
    let many = signature("ed25519").repeat(40);
    let check = ring(&["ed25519"]).check(SUMS, &many, now());
    assert!(
        matches!(check.answer, Answer::Signed(_)) && check.trials.len() == 16,
        "{:?}",
        check.trials.len()
    );
    let check = ring(&["ed25519"]).check(SUMS, &vec![0x88; super::SIGNATURE_BYTES_MAX + 1], now());
    assert!(matches!(check.answer, Answer::Garbage(_)));
    // Lengths that promise what never comes.
    for head in
        [&[0xc2, 0xff, 0xff, 0xff, 0xff, 0xff][..], &[0x9a, 0xff, 0xff, 0xff, 0xff], &[0xc2, 0xfe, 0, 0]]
    {
        let check = ring(&["ed25519"]).check(SUMS, head, now());
        assert!(matches!(check.answer, Answer::Garbage(_)), "{head:?}");
    }
}
