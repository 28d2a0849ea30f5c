use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;

use crate::registry::ProviderAddress;
use crate::registry::keys::KeyFile;
use crate::rules::signature::{Answer, Client, KeyRing, Unfit, armor, findings};

mod clients;
mod hostile;
mod table;

macro_rules! vector {
    ($path:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/openpgp/", $path)) as &[u8]
    };
}

const SUMS: &[u8] = vector!("sums.txt");
const CHANGED: &[u8] = vector!("sums-changed.txt");
const KEYS: [(&str, &[u8]); 15] = [
    ("brainpool", vector!("keys/brainpool.asc")),
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
        format!(
            "signed by {id}; only keys/a/acme/words.asc (cannot be read: it holds no armored block) on file"
        )
    );
    assert_eq!(check.client.installs(), Some(false));
}

/// As the newest library of the clients says, asked by hand; older ones do not forgive what the last five are.
#[test]
fn key_texts_that_clients_read_and_that_they_fail_on() {
    let text = String::from_utf8(named(&KEYS, "rsa2048").to_vec()).unwrap();
    let one_line = STANDARD.encode(&armor::read(text.as_bytes()).unwrap().0[0].bytes);
    let wide = |width: usize| {
        let lines: Vec<&str> = (0..one_line.len())
            .step_by(width)
            .map(|at| &one_line[at..one_line.len().min(at + width)])
            .collect();
        format!(
            "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n{}\n-----END PGP PUBLIC KEY BLOCK-----\n",
            lines.join("\n")
        )
    };
    let (head, sum) = text.split_once("\n=").unwrap();
    let cases = [
        (text.clone(), true),
        (format!("words\n {text}"), true),
        (text.replacen("BLOCK-----\n", "BLOCK----- \n", 1), true),
        (text.replacen("\n\n", "\n\u{a0}\n", 1), true),
        (text.replacen("\n\n", "\nVersion: 1\n\n", 1), true),
        (text.replacen("\n\n", "\nVersion\n\n", 1) + &text, true),
        (wide(96), true),
        (wide(100), false),
        (wide(5_000), false),
        (text.replacen("\n\n", "\n", 1), false),
        (text.replacen("\nm", "\n m", 1), true),
        (format!("{head}\n={} {}", &sum[..4], &sum[4..]), true),
        (format!("{head}\n"), true),
        (format!("{head}\n={}\n", &sum[..4]), true),
        (format!("{head}\n=AAAA{}", &sum[4..]), true),
    ];
    for (text, reads) in cases {
        let file = KeyFile { path: "keys/a/acme/x.asc".into(), text: text.clone().into() };
        let check = KeyRing::read(&[file]).check(SUMS, signature("rsa2048"), now());
        assert_eq!(check.client.installs(), Some(reads), "{text}: {}", check.client.text());
    }
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
        let found = findings(&ring(keys), now().into());
        let said: Vec<String> =
            found.iter().map(|finding| format!("{} {}", finding.severity.name(), finding.rule)).collect();
        assert_eq!(said, wanted, "{keys:?}: {found:?}");
    }
    let soon = findings(&ring(&["expired"]), "2023-12-01T00:00:00Z".parse::<Timestamp>().unwrap().into());
    assert_eq!(soon[0].rule, "key-expires-soon");
}

#[test]
fn versions_come_with_one_finding_or_none() {
    type Case = (&'static [&'static str], &'static str, &'static [u8], Option<&'static str>);
    let cases: [Case; 9] = [
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
    assert_eq!((&*found.rule, found.version.as_deref()), ("unsigned", Some("1.0.0")));
}

/// What a server gives in place of a signature is told apart from a signature of any key, good or not.
#[test]
fn rubbish_is_no_signature() {
    for (name, bytes) in SIGNATURES {
        assert!(crate::rules::signature::is_signature(bytes), "{name}");
    }
    let page = b"<html>try again later</html>";
    for bytes in [&b""[..], &[0xa5; 200], &[0xff; 3], page, b"not found", named(&KEYS, "words")] {
        assert!(!crate::rules::signature::is_signature(bytes), "{bytes:?}");
    }
}
