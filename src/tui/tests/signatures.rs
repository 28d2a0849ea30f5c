//! The keys of an entry on its screen: who is on file, who signed, and what clients make of it.

use crate::registry::keys::KeyFile;
use crate::registry::{Address, Facts, ProviderEntry};
use crate::rules::KeySheet;
use crate::rules::signature::{KeyRing, Matrix};
use crate::tui::shell::model::Model;
use crate::tui::tests::frames::SIZES;
use crate::tui::tests::frames::entry::with_keys;
use crate::tui::tests::{press, screen, world};

/// Made by GnuPG.
macro_rules! vector {
    ($name:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/openpgp/", $name))
    };
}

const SUMS: &[u8] = vector!("sums.txt");
const NEW: (&str, &[u8]) = ("new", vector!("keys/ed25519.asc"));
const OLD: (&str, &[u8]) = ("old", vector!("keys/expired.asc"));
const BROKEN: (&str, &[u8]) = ("broken", b"no key");
const BY_NEW: &[u8] = vector!("signatures/ed25519.sig");
const BY_OLD: &[u8] = vector!("signatures/expired.sig");
const BY_ANOTHER: &[u8] = vector!("signatures/other.sig");

/// The sheet of a provider with these keys on file; `releases`: version, checksums and the bytes of its signature, newest
/// first.
fn made(keys: &[(&str, &[u8])], releases: &[(&str, &[u8], &[u8])]) -> KeySheet {
    let file = |(name, text): &(&str, &[u8])| KeyFile {
        path: format!("keys/n/newrelic/{name}.asc"),
        text: text.to_vec(),
    };
    let files: Vec<KeyFile> = keys.iter().map(file).collect();
    let Address::Provider(address) = world::opened("newrelic/newrelic").address else { panic!("a provider") };
    let (entry, facts) = (ProviderEntry::default(), Facts::default());
    let sheet = KeySheet::new(&address, &entry, &facts, (&files, None), world::now());
    let ring = KeyRing::read(&files);
    let check = |(version, sums, signature): &(&str, &[u8], &[u8])| {
        let is_read = !signature.is_empty();
        let result = is_read.then(|| ring.check(sums, signature, world::now()));
        ((*version).to_owned(), result.ok_or_else(|| "its signature was not read".to_owned()))
    };
    let matrix = (!releases.is_empty()).then(|| Matrix::new(&ring, releases.iter().map(check).collect()));
    KeySheet { matrix, ..sheet }
}

/// Every word of the table: a good key, one that has expired, a stranger's, a forged signature, and one that was not read.
pub(super) fn every_word() -> KeySheet {
    made(
        &[OLD, NEW, BROKEN],
        &[
            ("3.2.1", SUMS, BY_ANOTHER),
            ("3.2.0", b"forged", BY_NEW),
            ("3.1.2", SUMS, BY_NEW),
            ("3.1.1", SUMS, BY_NEW),
            ("3.1.0", SUMS, BY_NEW),
            ("3.0.0", SUMS, b""),
            ("2.0.1", SUMS, BY_OLD),
            ("2.0.0", SUMS, BY_OLD),
        ],
    )
}

/// Everything that the pane says, however far it has to be scrolled.
fn told(sheet: impl Fn() -> KeySheet, (columns, rows): (u16, u16)) -> String {
    let mut model = with_keys(columns, rows, sheet());
    // Beside the list, where there is a wall; else all of it.
    let pane = |model: &Model| {
        let screen = screen(model);
        let beside = |line: &str| line.rsplit('|').next().unwrap_or_default().to_owned();
        screen.lines().map(beside).collect::<Vec<_>>().join(" ")
    };
    let mut text = pane(&model);
    for _ in 0..60 {
        press(&mut model, "J");
        text.push_str(&pane(&model));
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_word_is_told_at_every_size() {
    let columns = every_word().matrix.unwrap().columns;
    let stranger = columns.iter().find(|column| column.file.is_none()).unwrap();
    for size in SIZES {
        let text = told(every_word, size);
        for wanted in ["a good signature by key B", "signed by", "works", "fails", "not known"] {
            assert!(text.contains(wanted), "no `{wanted}` at {size:?}");
        }
        for fold in ["3.1.2 to 3.1.0 (3)", "2.0.1 to 2.0.0 (2)"] {
            assert!(size.0 < 60 || text.contains(fold), "no `{fold}` at {size:?}");
        }
        assert!(text.contains("clients refuse it"), "{size:?}");
        assert!(text.contains("2024-01-01") && text.contains("cannot be read"), "{size:?}");
        assert!(text.contains(&stranger.key_id) && text.contains("not on file"), "{size:?}");
        assert!(text.contains("--with-key"), "{size:?}");
    }
}

#[test]
fn without_keys_nobody_is_asked_and_what_is_well_asks_for_nothing() {
    let text = told(|| made(&[], &[]), (120, 40));
    assert!(text.contains("none on file: OpenTofu checks no signature"), "{text}");
    assert!(text.contains("--with-key") && !text.contains("SIGNATURE"), "{text}");

    let well = || made(&[NEW], &[("1.0.0", SUMS, BY_NEW)]);
    let text = told(well, (120, 40));
    assert!(
        text.contains("the only version has a good signature")
            && text.contains("1.0.0 works a good signature by key A"),
        "{text}"
    );
    assert!(!text.contains("--with-key"), "{text}");

    let text = told(|| made(&[NEW], &[]), (120, 40));
    assert!(text.contains("no signature has been read yet"), "{text}");
}

/// A file of thousands of versions that all fare alike is one line; one where all differ ends somewhere, and says so.
#[test]
fn long_histories_stay_short() {
    let versions: Vec<String> = (0..900).map(|minor| format!("1.{}.0", 899 - minor)).collect();
    let of = |odd: bool| {
        let one = |(place, version)| {
            let signature = if odd && place % 2 == 0 { &b""[..] } else { BY_NEW };
            (version, SUMS, signature)
        };
        let releases: Vec<(&str, &[u8], &[u8])> =
            versions.iter().map(String::as_str).enumerate().map(one).collect();
        made(&[NEW], &releases)
    };
    let text = told(|| of(false), (120, 40));
    assert!(text.contains("1.899.0 to 1.0.0 (900) works a good signature by key A"), "{text}");
    let mut model = with_keys(120, 40, of(true));
    for _ in 0..400 {
        press(&mut model, "J");
    }
    let text = screen(&model);
    assert!(text.contains("versions more: --json has them all"), "{text}");
}
