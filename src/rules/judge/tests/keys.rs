//! Signatures against keys on file: which of three statuses, and when none. Bytes and keys are GnuPG's.

use crate::registry::Observed;
use crate::registry::keys::KeyFile;
use crate::rules::judge::tests::{
    World, ago, check, failed, known, provider_with, sum, sums_text, throttled, zip,
};
use crate::rules::signature::KeyRing;
use crate::rules::{Depth, Severity, Source, Status};

macro_rules! vector {
    ($path:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/openpgp/", $path)) as &[u8]
    };
}

const SUMS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/openpgp/sums.txt"));
const RSA: &[u8] = vector!("keys/rsa2048.asc");
const OTHER: &[u8] = vector!("keys/other.asc");
const EXPIRED: &[u8] = vector!("keys/expired.asc");
const BY_RSA: &[u8] = vector!("signatures/rsa2048.sig");
const BY_EXPIRED: &[u8] = vector!("signatures/expired.sig");
const PLATFORMS: [&str; 4] = ["darwin_amd64", "linux_386", "linux_amd64", "windows_amd64"];

fn ring(files: &[&[u8]]) -> KeyRing {
    let file =
        |(at, text): (usize, &&[u8])| KeyFile { path: format!("keys/a/acme/{at}.asc"), text: text.to_vec() };
    let files: Vec<KeyFile> = files.iter().enumerate().map(file).collect();
    KeyRing::read(&files)
}

/// `acme/rocket` 1.2.0, whose sums are those that GnuPG signed.
fn signed(files: &[&[u8]], signature: Observed<Box<[u8]>>) -> World {
    let mut world = provider_with(&[("1.2.0", &PLATFORMS)]).probed("1.2.0", sums_text(SUMS));
    for line in SUMS.lines() {
        let (stored, name) = line.split_once("  ").unwrap();
        assert!(PLATFORMS.iter().any(|platform| zip("1.2.0", platform) == name));
        world = world.file(&sum(name), stored);
    }
    world.keys = Some(Ok(ring(files)));
    world.facts(|facts| drop(facts.signatures.insert("v1.2.0".into(), signature)))
}

fn bytes(signature: &[u8]) -> Observed<Box<[u8]>> {
    known(signature.into())
}

#[test]
fn signatures_that_do_not_verify() {
    let absent = || Observed::Absent { at: ago(5), status: 404 };
    check(vec![
        ("good", signed(&[RSA], bytes(BY_RSA)), "current by git tags: "),
        ("no key on file", signed(&[], bytes(BY_RSA)), "current by git tags: "),
        (
            "another key",
            signed(&[OTHER], bytes(BY_RSA)),
            "key-mismatch by SHA256SUMS.sig: 1.2.0: signed by C340110491246FF3; only ",
        ),
        ("two keys, one of them", signed(&[OTHER, RSA], bytes(BY_RSA)), "current by git tags: "),
        (
            "no signature",
            signed(&[RSA], absent()),
            "unsigned by SHA256SUMS.sig: 1.2.0: no signature: SHA256SUMS.sig answers 404",
        ),
        ("noise", signed(&[RSA], bytes(b"noise")), "unsigned by SHA256SUMS.sig: no signature: "),
        (
            "a key that nobody can read",
            signed(&[b"-----", RSA], bytes(BY_RSA)),
            "key-mismatch by SHA256SUMS.sig: clients refuse it: the key file `keys/a/acme/0.asc` cannot be used",
        ),
        (
            "expired, and nothing else",
            signed(&[EXPIRED], bytes(BY_EXPIRED)),
            "key-expired by SHA256SUMS.sig: the key expired on ",
        ),
        (
            "not read",
            signed(&[RSA], failed(throttled())),
            "unknown by SHA256SUMS.sig: its signature could not be read: throttled",
        ),
        ("ignored", signed(&[OTHER], bytes(BY_RSA)).ignores(Some("1.2.0"), 60), "current by git tags: "),
    ]);
}

/// Facts from before signatures were read, or of yesterday: what was compared stands, and nothing is claimed beyond.
#[test]
fn a_signature_that_was_not_read_is_not_checked() {
    let unread = |files: &[&[u8]]| {
        signed(files, Observed::Unasked).facts(|facts| facts.signatures.clear()).judge().word()
    };
    assert_eq!(unread(&[RSA]), "OK (versions)");
    assert_eq!(unread(&[]), "OK");
    let old = Observed::Known { value: BY_RSA.into(), at: ago(25 * 60) };
    assert_eq!(signed(&[OTHER], old).judge().word(), "OK (versions)");
    let mut world = signed(&[RSA], bytes(BY_RSA));
    assert_eq!(world.judge().word(), "OK");
    world.keys = Some(Err("not allowed".into()));
    let verdict = world.judge();
    assert_eq!((verdict.word().as_str(), &*verdict.findings[0].rule), ("OK (versions)", "keys-unread"));
    // The sums that were signed are bytes: where some were lost, nothing is said.
    let lossy = signed(&[RSA], bytes(BY_RSA)).probed("1.2.0", sums_text(&format!("{SUMS}\u{fffd}  x\n")));
    assert_eq!(lossy.judge().status, Status::Unknown);
}

/// A key that had its day is no alarm beside one that has not.
#[test]
fn an_expired_key_beside_another() {
    let verdict = signed(&[EXPIRED, RSA], bytes(BY_EXPIRED)).judge();
    assert_eq!(verdict.word(), "OK", "{verdict:?}");
    let told: Vec<_> = verdict.findings.iter().map(|finding| (&*finding.rule, finding.severity)).collect();
    assert!(told.contains(&("key-expired", Severity::Note)), "{told:?}");
    assert!(told.iter().all(|(_, severity)| *severity == Severity::Note), "{told:?}");
}

/// Nine providers in ten have none: that is no finding in a list.
#[test]
fn no_key_on_file_is_no_fault() {
    let verdict = signed(&[], bytes(BY_RSA)).judge();
    assert_eq!((verdict.word().as_str(), verdict.findings), ("OK", vec![]));
}

/// What a graver status hides is a finding; and so is a version that would fail once it is indexed.
#[test]
fn other_versions_and_graver_states() {
    let drifted = signed(&[OTHER], bytes(BY_RSA)).file("1cdcfaee", "00000000").judge();
    assert_eq!(drifted.status, Status::Drifted);
    assert!(drifted.findings.iter().any(|finding| finding.rule == "key-mismatch"));
    let mut missing = provider_with(&[("1.1.0", &PLATFORMS)])
        .tagged(&["v1.2.0"])
        .release("v1.2.0", sums_text(SUMS))
        .facts(|facts| drop(facts.signatures.insert("v1.2.0".into(), bytes(BY_RSA))))
        .depth(Depth::Sums);
    missing.keys = Some(Ok(ring(&[OTHER])));
    let verdict = missing.judge();
    assert_eq!((verdict.status, verdict.because.source), (Status::Behind, Source::Tags));
    let found = verdict.findings.iter().find(|finding| finding.rule == "key-mismatch").unwrap();
    assert_eq!(found.version.as_deref(), Some("1.2.0"));
}
