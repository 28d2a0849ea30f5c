//! The keys of an entry on its screen: who is on file, who signed, and what clients make of it.

use std::sync::Arc;

use jiff::Timestamp;

use crate::demo::signer::Signer;
use crate::jobs::Opened;
use crate::registry::Facts;
use crate::registry::ProviderEntry;
use crate::registry::keys::KeyFile;
use crate::rules::KeySheet;
use crate::rules::signature::KeyRing;
use crate::rules::signature::Matrix;
use crate::tui::model::Model;
use crate::tui::tests::frames;
use crate::tui::tests::frames::SIZES;
use crate::tui::tests::press;
use crate::tui::tests::screen;
use crate::tui::tests::sheets::sheet;
use crate::tui::tests::world;

const SUMS: &[u8] = b"00  terraform-provider-newrelic_linux_amd64.zip\n";

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn signer(name: &str, expires: Option<&str>) -> Signer {
    Signer::new(name, at("2020-01-01T00:00:00Z"), expires.map(at))
}

/// The sheet of a provider with these keys on file; `releases`: version and the bytes of its signature, newest first.
fn made(keys: &[(&str, Vec<u8>)], releases: &[(&str, Vec<u8>)]) -> KeySheet {
    let file = |(name, text): &(&str, Vec<u8>)| KeyFile {
        path: format!("keys/n/newrelic/{name}.asc"),
        text: text.clone(),
    };
    let files: Vec<KeyFile> = keys.iter().map(file).collect();
    let crate::registry::Address::Provider(address) = world::opened("newrelic/newrelic").address else {
        panic!("a provider")
    };
    let (entry, facts) = (ProviderEntry::default(), Facts::default());
    let sheet = KeySheet::new(&address, &entry, &facts, (&files, None), world::now());
    let ring = KeyRing::read(&files);
    let check = |(version, signature): &(&str, Vec<u8>)| {
        let is_read = !signature.is_empty();
        let result = is_read.then(|| ring.check(SUMS, signature, world::now()));
        ((*version).to_owned(), result.ok_or_else(|| "its signature was not read".to_owned()))
    };
    let matrix = (!releases.is_empty()).then(|| Matrix::new(&ring, releases.iter().map(check).collect()));
    KeySheet { matrix, ..sheet }
}

/// The entry's screen with a sheet, after these keys.
fn shown(sheet: impl Fn() -> KeySheet, keys: &'static str) -> impl Fn(u16, u16) -> Model {
    move |columns, rows| {
        let mut model = frames::with_entry(columns, rows);
        let opened = Opened { keys: Some(Arc::new(sheet())), ..world::opened("newrelic/newrelic") };
        let page = model.page();
        model.entry.as_mut().unwrap().fill(&Arc::new(opened), page);
        if !keys.is_empty() {
            press(&mut model, keys);
        }
        model
    }
}

/// Every word of the table: a good key, one that has expired, a stranger's, a forged signature, and one that was not read.
fn every_word() -> KeySheet {
    let (old, new, stranger) =
        (signer("old", Some("2026-01-01T00:00:00Z")), signer("new", None), signer("stranger", None));
    let (then, now) = (at("2025-06-01T00:00:00Z"), at("2026-06-01T00:00:00Z"));
    let forged = new.sign(b"other sums", now);
    made(
        &[("old", old.file()), ("new", new.file()), ("broken", b"no key".to_vec())],
        &[
            ("3.2.1", stranger.sign(SUMS, now)),
            ("3.2.0", forged),
            ("3.1.2", new.sign(SUMS, now)),
            ("3.1.1", new.sign(SUMS, now)),
            ("3.1.0", new.sign(SUMS, now)),
            ("3.0.0", Vec::new()),
            ("2.0.0", old.sign(SUMS, then)),
        ],
    )
}

#[test]
fn keys_of_an_entry() {
    sheet("entry", "keys", shown(every_word, "J J J J J J J J J"));
}

/// Everything that the pane says, however far it has to be scrolled.
fn told(sheet: impl Fn() -> KeySheet, (columns, rows): (u16, u16)) -> String {
    let mut model = shown(sheet, "")(columns, rows);
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
    let strangers = signer("stranger", None).key_id();
    for size in SIZES {
        let text = told(every_word, size);
        for wanted in ["good", "warns", "bad", "signed", "install", "warn", "fail", "not known"] {
            assert!(text.contains(wanted), "no `{wanted}` at {size:?}");
        }
        assert!(size.0 < 60 || text.contains("3.1.2 to 3.1.0 (3)"), "{size:?}");
        assert!(text.contains("clients refuse it"), "{size:?}");
        assert!(text.contains("2026-01-01") && text.contains("cannot be read"), "{size:?}");
        assert!(text.contains(&strangers) && text.contains("not on file"), "{size:?}");
        assert!(text.contains("--with-key"), "{size:?}");
    }
}

#[test]
fn without_keys_nobody_is_asked_and_what_is_well_asks_for_nothing() {
    let text = told(|| made(&[], &[]), (120, 40));
    assert!(text.contains("none on file: clients look at no signature"), "{text}");
    assert!(text.contains("--with-key") && !text.contains("CLIENTS"), "{text}");

    let good = signer("new", None);
    let well = || made(&[("new", good.file())], &[("1.0.0", good.sign(SUMS, at("2026-06-01T00:00:00Z")))]);
    let text = told(well, (120, 40));
    assert!(text.contains("the only version installs") && text.contains("1.0.0 install good"), "{text}");
    assert!(!text.contains("--with-key"), "{text}");

    let text = told(|| made(&[("new", good.file())], &[]), (120, 40));
    assert!(text.contains("no signature was read yet"), "{text}");
}

/// A file of thousands of versions that all fare alike is one line; one where all differ ends somewhere, and says so.
#[test]
fn long_histories_stay_short() {
    let good = signer("new", None);
    let signature = good.sign(SUMS, at("2026-06-01T00:00:00Z"));
    let versions: Vec<String> = (0..900).map(|minor| format!("1.{}.0", 899 - minor)).collect();
    let of = |odd: bool| {
        let one = |(place, version)| {
            let bytes = if odd && place % 2 == 0 { Vec::new() } else { signature.clone() };
            (version, bytes)
        };
        let releases: Vec<(&str, Vec<u8>)> =
            versions.iter().map(String::as_str).enumerate().map(one).collect();
        made(&[("new", good.file())], &releases)
    };
    let text = told(|| of(false), (120, 40));
    assert!(text.contains("1.899.0 to 1.0.0 (900) install good"), "{text}");
    let mut model = shown(|| of(true), "")(120, 40);
    for _ in 0..400 {
        press(&mut model, "J");
    }
    let text = screen(&model);
    assert!(text.contains("versions more: --json has them all"), "{text}");
}
