//! Compares subpackets, key flags and times with three releases of the clients' own library
//! (`tests/vectors/openpgp/clients.toml`).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::now;
use crate::registry::keys::KeyFile;
use crate::rules::Severity;
use crate::rules::signature::{Answer, Check, Client, KeyRing, Unfit, findings};

#[derive(serde::Deserialize)]
struct Vectors {
    document: String,
    key: Vec<Key>,
    case: Vec<Case>,
}

#[derive(serde::Deserialize)]
struct Key {
    name: String,
    text: Option<String>,
    base64: Option<String>,
}

#[derive(serde::Deserialize)]
struct Case {
    name: String,
    key: String,
    newest: String,
    eleven: String,
    ten: String,
    signature: String,
}

impl Vectors {
    fn read() -> Self {
        toml::from_str(include_str!("../../../../tests/vectors/openpgp/clients.toml")).unwrap()
    }

    fn ring(&self, key: &str) -> KeyRing {
        let key = self.key.iter().find(|one| one.name == key).unwrap();
        let text = match (&key.text, &key.base64) {
            (Some(text), _) => text.clone().into_bytes(),
            (None, base64) => STANDARD.decode(base64.as_ref().unwrap()).unwrap(),
        };
        KeyRing::read(&[KeyFile { path: format!("keys/a/acme/{}.asc", key.name), text }])
    }

    fn case(&self, name: &str) -> &Case {
        self.case.iter().find(|case| case.name == name).unwrap_or_else(|| panic!("{name}"))
    }

    fn check(&self, case: &Case) -> Check {
        let signature = STANDARD.decode(&case.signature).unwrap();
        self.ring(&case.key).check(self.document.as_bytes(), &signature, now())
    }
}

impl Case {
    /// The text about older releases; `None` if they do the same as the newest.
    fn older(&self) -> Option<&'static str> {
        let installs = |word: &str| matches!(word, "INSTALL" | "WARN");
        let newest = installs(&self.newest);
        match (installs(&self.eleven) != newest, installs(&self.ten) != newest) {
            (false, false) => None,
            (true, true) if newest => Some("OpenTofu 1.11 and older refuse it: "),
            (true, true) => Some("OpenTofu 1.11 and older install it"),
            (false, true) if newest => Some("OpenTofu 1.10 and older refuse it: "),
            (false, true) => Some("OpenTofu 1.10 and older install it"),
            (true, false) => unreachable!("no case is so"),
        }
    }
}

#[test]
fn subpackets_and_flags_are_taken_as_clients_take_them() {
    let vectors = Vectors::read();
    assert_eq!(vectors.case.len(), 75);
    let mut odd = Vec::new();
    for case in &vectors.case {
        let check = vectors.check(case);
        let word = match &check.client {
            Client::Skips => "SKIP",
            Client::Installs => "INSTALL",
            Client::Warns => "WARN",
            // A client that crashes does not install anything.
            Client::Refuses(_) if case.newest == "PANIC" => "PANIC",
            Client::Refuses(_) => "REFUSE",
            Client::Unknown(_) => "UNKNOWN",
        };
        let older = case.older();
        let is_same = match (older, &check.older) {
            // The library cannot read an empty part that says whether a signature is exportable.
            _ if case.name == "noncrit-4-empty" => check
                .older
                .as_deref()
                .is_some_and(|older| older.starts_with("what OpenTofu 1.10 and older do is not known")),
            (None, None) => true,
            (Some(wanted), Some(found)) => found.starts_with(wanted),
            _ => false,
        };
        if word != case.newest || !is_same {
            let text = check.client.text();
            odd.push(format!("{}: {text}, not {}; {:?}, not {older:?}", case.name, case.newest, check.older));
        }
    }
    assert!(odd.is_empty(), "{} differ:\n{}", odd.len(), odd.join("\n"));
}

/// GnuPG accepts signatures of such a key, but all clients skip it. Every place that mentions the key says so.
#[test]
fn a_key_without_key_flags_vouches_for_nothing() {
    let vectors = Vectors::read();
    for name in ["flags-none", "flags-empty", "sub-flags-enc"] {
        let case = vectors.case(name);
        let check = vectors.check(case);
        assert!(matches!(check.answer, Answer::Unfit { .. }), "{name}: {}", check.answer.text());
        assert!(check.vouched().is_err(), "{name}");
        let finding = check.finding("1.0.0").unwrap();
        assert_eq!((&*finding.rule, finding.severity == Severity::Error), ("key-unfit", true), "{name}");
    }
    let case = vectors.case("flags-none");
    let check = vectors.check(case);
    assert!(matches!(&check.answer, Answer::Unfit { why: Unfit::NoKeyFlags, .. }));
    let why =
        "has no key flags in its self-signature, so clients refuse what it signed, although GnuPG accepts it";
    assert!(check.answer.text().ends_with(why), "{}", check.answer.text());
    // The key alone is reported even before it has signed anything.
    let ring = vectors.ring(&case.key);
    let found = findings(&ring, now().into());
    let found: Vec<_> = found.iter().filter(|finding| finding.rule == "key-cannot-sign").collect();
    let [finding] = &found[..] else { panic!("{found:?}") };
    assert!(finding.severity == Severity::Error && finding.text.ends_with(why), "{finding:?}");
}
