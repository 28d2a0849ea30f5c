//! OpenPGP keys and signatures against the verdicts of GnuPG (`tests/vectors/openpgp`, made by `make.sh` beside them), and the
//! registry's real keys.

use std::path::PathBuf;

use bumpdesk::surface::registry::keys::{KeyFile, KeyScope};
use bumpdesk::surface::rules::signature::{Answer, Caveat, Check, Client, KeyFault, KeyRing, Oddity, Unfit};
use jiff::Timestamp;
use toml::{Table, Value};

use crate::data::data;
use crate::need::need;

/// When GnuPG was asked.
const NOW: &str = "2026-06-01T00:00:00Z";

fn vector(path: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/openpgp").join(path);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn key_file(name: &str) -> KeyFile {
    KeyFile { path: format!("keys/a/acme/{name}.asc"), text: vector(&format!("keys/{name}.asc")) }
}

fn now() -> Timestamp {
    NOW.parse().expect("a moment")
}

fn expected(kind: &str) -> Vec<Table> {
    let text = String::from_utf8(vector("expected.toml")).expect("UTF-8");
    let whole: Table = text.parse().expect("TOML");
    whole[kind]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one.as_table().expect("a table").clone())
        .collect()
}

fn text<'a>(table: &'a Table, key: &str) -> &'a str {
    table[key].as_str().expect("a text")
}

fn texts(table: &Table, key: &str) -> Vec<String> {
    let list = table[key].as_array().expect("a list");
    list.iter().map(|one| one.as_str().expect("a text").to_owned()).collect()
}

/// An answer in GnuPG's words.
fn in_gpg_words(check: &Check) -> (&'static str, String) {
    match &check.answer {
        Answer::Signed(signed) => {
            let has = |wanted: fn(&Caveat) -> bool| signed.caveats.iter().any(wanted);
            let word = if has(|caveat| matches!(caveat, Caveat::KeyExpired { .. })) {
                "EXPKEYSIG"
            } else if has(|caveat| matches!(caveat, Caveat::SignatureExpired { .. })) {
                "EXPSIG"
            } else {
                "GOODSIG"
            };
            (word, signed.by.key_id.clone())
        }
        Answer::Unfit { by, why: Unfit::KeyRevoked { .. } | Unfit::SubkeyRevoked { .. } } => {
            ("REVKEYSIG", by.key_id.clone())
        }
        Answer::Unfit { by, .. } | Answer::Bad { by } => ("BADSIG", by.key_id.clone()),
        Answer::NotSignedByThese { signed_by, .. } => ("ERRSIG", signed_by[0].clone()),
        Answer::Garbage(_) => ("NODATA", String::new()),
        Answer::CannotCheck { .. } | Answer::NoKeys { .. } => ("", String::new()),
    }
}

/// Where we say another thing than GnuPG on purpose, and why.
const ON_PURPOSE: [(&str, &str); 4] = [
    ("brainpool", "the library has no such curve: not known is said, not bad"),
    ("before-key", "GnuPG gives no verdict; clients accept it, so that it is signed, with a caveat"),
    ("bad-and-good", "any good signature is enough, and the client's own word stands beside it"),
    ("noise", "GnuPG says nothing at all; we say that it cannot be read"),
];

#[test]
fn signatures_are_what_gnupg_says() {
    let mut odd = Vec::new();
    let mut compared = 0;
    for case in expected("case") {
        let name = text(&case, "name");
        if ON_PURPOSE.iter().any(|(exempt, _)| *exempt == name) {
            continue;
        }
        let check = checked(&case);
        let said: Vec<String> = texts(&case, "gpg");
        // The best of several signatures speaks for the file.
        let ranked = ["GOODSIG", "EXPSIG", "EXPKEYSIG", "REVKEYSIG", "BADSIG", "ERRSIG", "NODATA"];
        let rank = |one: &&String| ranked.iter().position(|word| one.starts_with(word));
        let best = said.iter().min_by_key(rank).expect("a verdict");
        let mut words = best.split(' ');
        let wanted = (words.next().unwrap_or(""), words.next().unwrap_or("").to_owned());
        let found = in_gpg_words(&check);
        compared += 1;
        if (found.0, &found.1) != (wanted.0, &wanted.1) {
            odd.push(format!("{name}: {best}, but {found:?}: {}", check.answer.text()));
        }
    }
    assert!(odd.is_empty(), "{} of {compared} differ:\n{}", odd.len(), odd.join("\n"));
    assert!(compared > 50, "{compared}");
}

fn checked(case: &Table) -> Check {
    let files: Vec<KeyFile> = texts(case, "keys").iter().map(|name| key_file(name)).collect();
    let signature = vector(&format!("signatures/{}", text(case, "signature")));
    KeyRing::read(&files).check(&vector(text(case, "document")), &signature, now())
}

/// What a client does, by its rules; all others install where GnuPG says good, warn where it says expired, else refuse.
const CLIENTS: [(&str, &str); 8] = [
    ("armored", "refuses: the signature cannot be used: it is text"),
    ("ed25519-armored", "refuses: the signature cannot be used: it is text"),
    ("two-armored-first", "refuses: the signature cannot be used: it is text"),
    ("two-armored-second", "refuses: the signature cannot be used: it is text"),
    ("bad-and-good", "refuses: the signature is not one of these checksums"),
    ("future", "installs with a warning"),
    ("before-key", "installs"),
    ("brainpool", "not known"),
];

#[test]
fn clients_do_what_their_rules_say() {
    for case in expected("case") {
        let name = text(&case, "name");
        let said = texts(&case, "gpg").join(" ");
        let usual = if said.contains("GOODSIG") {
            "installs"
        } else if said.contains("EXPSIG") || said.contains("EXPKEYSIG") {
            "installs with a warning"
        } else {
            "refuses: "
        };
        let wanted = CLIENTS.iter().find(|(odd, _)| *odd == name).map_or(usual, |(_, wanted)| wanted);
        let check = checked(&case);
        let found = check.client.text();
        let fits = if wanted == "installs" { found == wanted } else { found.starts_with(wanted) };
        assert!(fits, "{name}: {found}, not {wanted}: {}", check.answer.text());
    }
}

#[test]
fn answers_in_words() {
    let cases = [
        ("rsa2048", "signed by K on 2023-06-01 (keys/a/acme/rsa2048.asc)"),
        ("expired", "signed by K on 2023-06-01 (keys/a/acme/expired.asc); the key expired on 2024-01-01"),
        (
            "shortened",
            "signed by K on 2025-06-01 (keys/a/acme/shortened.asc); the key expired on 2024-01-01; made on 2025-06-01, after \
             the key had expired on 2024-01-01",
        ),
        ("subkey", "signed by K of K on 2023-06-01 (keys/a/acme/subkey.asc)"),
        (
            "revoked",
            "signed by K (keys/a/acme/revoked.asc), which does not count: the key was revoked on 2023-01-01 (no reason given)",
        ),
        (
            "compromised",
            "signed by K (keys/a/acme/compromised.asc), which does not count: the key was revoked on 2025-01-01 (compromised)",
        ),
        (
            "revoked-subkey",
            "signed by K of K (keys/a/acme/revoked-subkey.asc), which does not count: the subkey was revoked on 2025-01-01 \
             (retired)",
        ),
        ("sha1", "signed by K on 2023-06-01 (keys/a/acme/rsa2048.asc); its hash SHA-1 can be forged"),
        ("rsa1024", "signed by K on 2023-06-01 (keys/a/acme/rsa1024.asc); RSA 1024 is too short for today"),
        ("future", "signed by K on 2030-01-01 (keys/a/acme/rsa2048.asc); made in the future, on 2030-01-01"),
        (
            "before-key",
            "signed by K on 2023-12-01 (keys/a/acme/late.asc); made on 2023-12-01, before the key itself, made on 2024-01-01",
        ),
        ("brief", "signed by K on 2023-06-01 (keys/a/acme/rsa2048.asc); the signature expired on 2023-07-01"),
        (
            "armored",
            "signed by K on 2023-06-01 (keys/a/acme/rsa2048.asc); it is armored, which clients cannot read",
        ),
        (
            "critical",
            "signed by K (keys/a/acme/rsa2048.asc), which does not count: it carries a critical notation `binding@example.org` \
             that clients do not know",
        ),
        ("changed", "the signature names K (keys/a/acme/rsa2048.asc), and is not one of these checksums"),
        ("wrong-keys", "signed by K; only K, K, K on file"),
        ("two-unknown", "signed by K and K; only K on file"),
        (
            "brainpool",
            "not known: signed by K (keys/a/acme/brainpool.asc), and ECDSA brainpoolP256r1 cannot be checked here",
        ),
        ("page", "no signature: it is a web page"),
        ("empty", "no signature: it is empty"),
        ("sums", "no signature: it is text, and a signature is binary"),
    ];
    for (name, wanted) in cases {
        let case = expected("case").into_iter().find(|case| text(case, "name") == name).expect(name);
        assert_eq!(without_ids(&checked(&case).answer.text()), wanted, "{name}");
    }
}

/// The vectors' keys are new each time they are made.
fn without_ids(text: &str) -> String {
    let is_id = |word: &str| word.len() == 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let plain = |word: &str| {
        let bare = word.trim_end_matches([',', ':', ';']);
        if is_id(bare) { format!("K{}", &word[bare.len()..]) } else { word.to_owned() }
    };
    text.split(' ').map(plain).collect::<Vec<_>>().join(" ")
}

#[test]
fn keys_are_what_gnupg_says() {
    let mut seen = 0;
    let listed = expected("part");
    let files: std::collections::BTreeSet<&str> = listed.iter().map(|part| text(part, "file")).collect();
    for file in files {
        let ring = KeyRing::read(&[key_file(file)]);
        let [read] = ring.files() else { panic!("{file}") };
        assert_eq!(read.unreadable(), None, "{file}");
        let [key] = &read.keys().collect::<Vec<_>>()[..] else { panic!("{file}") };
        assert_eq!(key.faults, [], "{file}");
        let wanted: Vec<&Table> = listed.iter().filter(|part| text(part, "file") == file).collect();
        assert_eq!(key.parts().count(), wanted.len(), "{file}");
        for (place, (part, wanted)) in key.parts().zip(wanted).enumerate() {
            let number = |key: &str| wanted[key].as_integer().expect("a number");
            let yes = |key: &str| wanted[key].as_bool().expect("yes or no");
            assert_eq!(part.key_id, text(wanted, "key_id"), "{file}");
            assert_eq!(part.fingerprint, text(wanted, "fingerprint"), "{file}");
            assert_eq!(part.created.as_second(), number("created"), "{file}");
            assert_eq!(part.expires.map_or(0, Timestamp::as_second), number("expires"), "{file}");
            assert_eq!(part.may_sign, yes("signs"), "{file}");
            // GnuPG calls the subkeys of a revoked key revoked too.
            assert_eq!(part.revoked.is_some(), yes("revoked"), "{file} {place}");
            if let Some(bits) = part.bits {
                assert_eq!(i64::from(bits), number("bits"), "{file}");
            }
            let algorithm = match number("algorithm") {
                1 => "RSA",
                17 => "DSA",
                19 => "ECDSA",
                22 => "Ed25519",
                other => panic!("{file}: {other}"),
            };
            assert!(part.algorithm.starts_with(algorithm), "{file}: {}", part.algorithm);
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn no_key_on_file_is_said_and_nothing_else() {
    for name in ["rsa2048.sig", "page.sig", "empty.sig", "armored.asc"] {
        let check =
            KeyRing::read(&[]).check(&vector("sums.txt"), &vector(&format!("signatures/{name}")), now());
        assert!(matches!(check.answer, Answer::NoKeys { .. }), "{name}");
        assert_eq!(check.client, Client::Skips, "{name}");
    }
}

#[test]
fn the_registrys_own_keys_can_be_read() {
    let data = need!(data());
    let listing = data.git(&["ls-tree", "-r", "HEAD", "--", "keys"]);
    let entry = |line: &str| {
        let (facts, path) = line.split_once('\t').expect("a tree line");
        (path.to_owned(), facts.rsplit(' ').next().expect("an id").to_owned())
    };
    let files: Vec<(String, String)> = listing.lines().map(entry).collect();
    let ids: Vec<&str> = files.iter().map(|(_, id)| id.as_str()).collect();
    let blobs = data.blobs(&ids);
    let mut odd = Vec::new();
    let mut odd_texts = std::collections::BTreeMap::new();
    // One file may hold several keys.
    let mut key_count = 0;
    for (path, id) in &files {
        assert!(KeyScope::of(path).is_some(), "{path}");
        let ring = KeyRing::read(&[KeyFile { path: path.clone(), text: blobs[id].clone() }]);
        let read = &ring.files()[0];
        let faults: Vec<String> = read.keys().flat_map(|key| &key.faults).map(KeyFault::text).collect();
        let empty = read.keys().any(|key| key.primary.self_hash.is_none() || key.name().is_none());
        key_count += read.keys().count();
        if !read.oddities().is_empty() {
            odd_texts.insert(path.as_str(), read.oddities().to_vec());
        }
        if read.unreadable().is_some() || !faults.is_empty() || empty {
            odd.push(format!("{path}: {:?} {faults:?}", read.unreadable()));
        }
    }
    assert!(odd.is_empty(), "{} of {}:\n{}", odd.len(), files.len(), odd.join("\n"));
    assert_eq!((files.len(), key_count), (153, 153));
    // One of them has, behind the lines of its armor's head, one that is blank but for a no-break space; and CRLF, as many.
    let spaced: Vec<&str> = odd_texts
        .iter()
        .filter(|(_, odd)| odd.contains(&Oddity::SpaceOnBlankLine))
        .map(|(path, _)| *path)
        .collect();
    assert_eq!(spaced, ["keys/c/ciscodevnet/provider-1725456907.asc"]);
    assert_eq!(odd_texts[spaced[0]], [Oddity::CrLf, Oddity::SpaceOnBlankLine]);
}

#[test]
fn the_list_of_differences_is_no_longer_than_needed() {
    let names: Vec<Value> = expected("case").into_iter().map(|case| case["name"].clone()).collect();
    for name in ON_PURPOSE.iter().map(|(name, _)| name).chain(CLIENTS.iter().map(|(name, _)| name)) {
        assert!(names.iter().any(|known| known.as_str() == Some(name)), "no case `{name}`");
    }
}
