//! Signatures and key files against GnuPG and three releases of the clients' OpenPGP library.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use bumpdesk::surface::registry::keys::KeyFile;
use bumpdesk::surface::rules::signature::{Answer, Check, Client, KeyRing};
use jiff::Timestamp;
use serde::Deserialize;
use tempfile::TempDir;

use super::{stored, tell, unpacked};
use crate::need::{Missing, need};

/// Behind everything that the cases call past, before what they call future.
const NOW: &str = "2026-06-01T00:00:00Z";

/// What was answered to one case.
#[derive(Debug, Deserialize)]
struct Answered {
    /// In the order in which clients try them.
    keys: Vec<String>,
    /// OpenTofu from 1.12 on, 1.11, and 1.6 to 1.10.
    go_crypto_1_4_1: String,
    go_crypto_1_3_0: String,
    go_crypto_3fbb1f1: String,
    /// Asked with `OPENTOFU_ENFORCE_GPG_EXPIRATION=true`.
    #[serde(default)]
    enforced_expiry: bool,
}

/// Cases that nobody here can judge, each with its reason.
const NOT_KNOWN: [(&str, &str); 8] = [
    ("alg-bp256", "the library has no such curve"),
    ("alg-bp384", "the library has no such curve"),
    ("alg-bp512", "the library has no such curve"),
    ("go-ecdsa-bp384", "the library has no such curve"),
    ("go-ecdsa-bp512", "the library has no such curve"),
    ("alg-k256", "the library knows the curve and checks nothing on it"),
    ("dig-ed-sha1", "the library checks Ed25519 over hashes of 256 bits or more alone"),
    ("dig-ed-sha224", "the library checks Ed25519 over hashes of 256 bits or more alone"),
];

/// A case that older releases install. The library cannot read one of its parts, so no answer can be given here.
const NOT_KNOWN_OF_TEN: &str = "noncrit-4-empty";

/// The sets of stored answers, each with its number of cases.
const SETS: [(&str, usize); 2] = [("signatures", 333), ("signatures-2", 75)];

fn cases(data: &Path, (set, count): (&str, usize)) -> (BTreeMap<String, Answered>, TempDir) {
    let text = std::fs::read_to_string(data.join(format!("{set}.json"))).expect("a list of answers");
    let cases: BTreeMap<String, Answered> = serde_json::from_str(&text).expect("JSON");
    assert_eq!(cases.len(), count, "{set}");
    (cases, unpacked(&data.join(format!("{set}.tar.gz"))))
}

fn checked(folder: &Path, keys: &[String]) -> Check {
    let read = |name: &str| std::fs::read(folder.join(name)).expect("a file of the case");
    let file = |name: &String| KeyFile { path: format!("keys/a/acme/{name}"), text: read(name) };
    let files: Vec<KeyFile> = keys.iter().map(file).collect();
    KeyRing::read(&files).check(&read("doc"), &read("sig"), NOW.parse::<Timestamp>().expect("a moment"))
}

/// In the words of the stored answers.
fn word(client: &Client, enforced_expiry: bool) -> &'static str {
    match client {
        Client::Skips => "SKIP",
        Client::Installs => "INSTALL",
        Client::Warns if enforced_expiry => "REFUSE",
        Client::Warns => "WARN",
        Client::Refuses(_) => "REFUSE",
        Client::Unknown(_) => "UNKNOWN",
    }
}

/// Whether a release installs it, by what the check says of releases: the first number is behind the point of 1.11 or 1.10.
fn older_installs(check: &Check, minor: u32) -> Option<bool> {
    let Some(older) = &check.older else { return installs(&check.client) };
    let (who, does) = older.split_once(" and older ").map_or_else(
        || (older.split(' ').take(2).collect::<Vec<_>>().join(" "), false),
        |(who, _)| (who.to_owned(), true),
    );
    let is_meant = match (who.as_str(), does) {
        ("OpenTofu 1.11", true) => true,
        ("OpenTofu 1.10", true) => minor == 10,
        ("OpenTofu 1.11", false) => minor == 11,
        other => panic!("{other:?}: {older}"),
    };
    if !is_meant {
        return installs(&check.client);
    }
    assert!(older.contains(" install it") || older.contains(" refuse it: "), "{older}");
    Some(older.contains(" install it"))
}

fn installs(client: &Client) -> Option<bool> {
    match client {
        Client::Skips | Client::Installs | Client::Warns => Some(true),
        Client::Refuses(_) => Some(false),
        Client::Unknown(_) => None,
    }
}

/// The first word of a stored answer. A client that crashes installs nothing.
fn stored_word(answer: &str) -> &str {
    match answer.split(' ').next().unwrap_or_default() {
        "PANIC" => "REFUSE",
        word => word,
    }
}

#[test]
fn signatures_are_taken_as_clients_take_them() {
    let data = need!(stored());
    let mut odd = Vec::new();
    for set in SETS {
        let (cases, folder) = cases(&data, set);
        let before = odd.len();
        let (mut apart, mut unknown) = (0, 0);
        for (name, answered) in &cases {
            let check = checked(&folder.path().join(name), &answered.keys);
            if NOT_KNOWN.iter().any(|(known, _)| known == name) {
                assert_eq!((word(&check.client, false), &check.older), ("UNKNOWN", &None), "{name}");
                // The reason is a sentence, not an error text of the library.
                let text = check.client.text();
                assert!(text.ends_with(" cannot be checked here"), "{name}: {text}");
                unknown += 1;
                continue;
            }
            odd.extend(difference(name, answered, &check));
            unknown += usize::from(name.as_str() == NOT_KNOWN_OF_TEN);
            apart += usize::from(check.older.is_some());
        }
        let same = cases.len() - unknown - (odd.len() - before);
        tell(&format!(
            "{}: {same} of {} signatures are taken as clients take them, {unknown} are not known and said to be so; \
             releases of clients differ on {apart}",
            set.0, set.1
        ));
        assert!(apart > 5, "{}: {apart}", set.0);
    }
    assert!(odd.is_empty(), "{} differ:\n{}", odd.len(), odd.join("\n"));
}

/// The differences between the answer to a case and the stored ones, for the newest and for older releases.
fn difference(name: &str, answered: &Answered, check: &Check) -> Option<String> {
    let found = word(&check.client, answered.enforced_expiry);
    let mut odd = Vec::new();
    if stored_word(&answered.go_crypto_1_4_1) != found {
        odd.push(format!("{name}: {}, not {}", check.client.text(), answered.go_crypto_1_4_1));
    }
    // If releases differ, the text names the releases and what they do.
    let older = [(11, &answered.go_crypto_1_3_0), (10, &answered.go_crypto_3fbb1f1)];
    if name == NOT_KNOWN_OF_TEN {
        let text = check.older.as_deref().unwrap_or_default();
        assert!(text.starts_with("what OpenTofu 1.10 and older do is not known: "), "{text}");
        return odd.pop();
    }
    for (minor, wanted) in older {
        let found = older_installs(check, minor);
        if !answered.enforced_expiry && found != Some(stored_word(wanted) != "REFUSE") {
            odd.push(format!("{name}: 1.{minor}: {:?}, not {wanted}", check.older));
        }
    }
    (!odd.is_empty()).then(|| odd.join("\n"))
}

/// GnuPG's own words for the signatures of a case, as of [`NOW`], with the case's keys and no others.
fn gpg_says(folder: &Path, keys: &[String]) -> Vec<String> {
    let home = tempfile::tempdir().expect("a folder");
    let gpg = |arguments: &[&str]| {
        let mut command = Command::new("gpg");
        command.arg("--homedir").arg(home.path()).args(["--no-autostart", "--batch", "--quiet"]);
        command.args(["--faked-system-time", "20260601T000000!", "--trust-model", "always"]);
        let output = command.args(arguments).current_dir(folder).stdin(Stdio::null()).output();
        String::from_utf8_lossy(&output.expect("gpg runs").stdout).into_owned()
    };
    for key in keys {
        gpg(&["--import", key]);
    }
    let said = gpg(&["--status-fd", "1", "--verify", "sig", "doc"]);
    let words = said.lines().filter_map(|line| line.strip_prefix("[GNUPG:] ")?.split(' ').next());
    words.map(str::to_owned).collect()
}

/// What GnuPG and clients both take is signed, and of what both refuse nothing is said to install.
#[test]
fn answers_are_those_of_gnupg_but_where_clients_differ() {
    let data = need!(stored());
    need!(gpg());
    let (mut odd, mut compared) = (Vec::new(), 0);
    for set in SETS {
        let (cases, folder) = cases(&data, set);
        for (name, answered) in &cases {
            if answered.keys.is_empty() || NOT_KNOWN.iter().any(|(known, _)| known == name) {
                continue;
            }
            let folder = folder.path().join(name);
            let said = gpg_says(&folder, &answered.keys);
            let is_good = said.iter().any(|word| matches!(word.as_str(), "GOODSIG" | "EXPSIG" | "EXPKEYSIG"));
            let check = checked(&folder, &answered.keys);
            let is_signed = matches!(check.answer, Answer::Signed(_));
            let clients_take = stored_word(&answered.go_crypto_1_4_1) != "REFUSE" || answered.enforced_expiry;
            compared += 1;
            let is_lost = is_good && clients_take && !is_signed;
            let is_false = !is_good && !clients_take && is_signed && installs(&check.client) != Some(false);
            if is_lost || is_false {
                odd.push(format!(
                    "{name}: {said:?}, clients {}: {:?}",
                    answered.go_crypto_1_4_1, check.answer
                ));
            }
        }
    }
    tell(&format!("{compared} signatures are compared with GnuPG"));
    assert!(odd.is_empty(), "{} of {compared} differ:\n{}", odd.len(), odd.join("\n"));
    assert!(compared > 370, "{compared}");
}

fn gpg() -> Result<(), Missing> {
    let version = Command::new("gpg").arg("--version").output();
    let is_there = version.is_ok_and(|output| output.status.success());
    if is_there { Ok(()) } else { Err(Missing { need: "gpg", why: "no gpg on PATH" }) }
}
