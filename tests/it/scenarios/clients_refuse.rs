//! One table: each row is a world with one planted fault that clients refuse, and each column is a command or report.
//! A cell names the refusal in the words of its row, or the table says why it cannot. No cell says OK.

use serde_json::Value;

use super::review::{ROCKET, honest, theirs, word};
use crate::door::{Door, Output};

/// The commands and reports of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Status,
    Show,
    Triage,
    Verify,
    Lock,
    Lint,
    Plan,
    Gate,
    Review,
}

use Place::{Gate, Lint, Lock, Plan, Review, Show, Status, Triage, Verify};

const PLACES: [Place; 9] = [Status, Show, Triage, Verify, Lock, Lint, Plan, Gate, Review];

/// The reason why a command cannot see a fault.
#[derive(Clone, Copy, Debug)]
enum Silent {
    /// Only the registry's API has the fault, and only `triage` reads it.
    OnlyServed,
    /// The plan and the pull request of the world add another version.
    AnotherVersion,
    /// The fault shows only in a downloaded archive.
    NoArchive,
    /// The fault shows only upstream.
    NotInTheFile,
    /// The version is not indexed yet.
    NotIndexed,
    /// The gates read the signatures of a plan.
    AtTheGate,
    /// The entry itself is fine, and one of its versions is missing upstream.
    OfTheProposal,
    /// Clients install it and lock its hashes, so the command does too, and warns.
    Installs,
}

/// One planted fault.
struct Row {
    name: &'static str,
    /// More lines for the provider.
    provider: &'static str,
    /// More lines for the world.
    world: &'static str,
    /// The words of every command that sees the fault.
    cause: &'static str,
    /// The commands that report the fault in other words.
    words: &'static [(Place, &'static str)],
    /// The version to check.
    version: &'static str,
    /// The commands that cannot see the fault, with their reasons.
    silent: &'static [(Place, Silent)],
}

const ANOTHER: &[(Place, Silent)] =
    &[(Plan, Silent::AnotherVersion), (Gate, Silent::AnotherVersion), (Review, Silent::AnotherVersion)];

const SERVED: &[(Place, Silent)] = &[
    (Status, Silent::OnlyServed),
    (Show, Silent::OnlyServed),
    (Verify, Silent::OnlyServed),
    (Lock, Silent::OnlyServed),
    (Lint, Silent::OnlyServed),
    (Plan, Silent::OnlyServed),
    (Gate, Silent::OnlyServed),
    (Review, Silent::OnlyServed),
];

const UPSTREAM: &[(Place, Silent)] = &[
    (Triage, Silent::OfTheProposal),
    (Verify, Silent::NotIndexed),
    (Lock, Silent::NotIndexed),
    (Lint, Silent::NotIndexed),
];

/// Only `verify`, `lock` and `plan` download archives, `lint` reads only the data file, and `review` downloads them only
/// with `--hash`.
const ARCHIVE: &[(Place, Silent)] = &[
    (Status, Silent::NoArchive),
    (Show, Silent::NoArchive),
    (Triage, Silent::NoArchive),
    (Lint, Silent::NotInTheFile),
    (Review, Silent::NoArchive),
];

const STARTS_NOWHERE: &[(Place, Silent)] = &[
    (Status, Silent::NoArchive),
    (Show, Silent::NoArchive),
    (Triage, Silent::NoArchive),
    (Lock, Silent::Installs),
    (Lint, Silent::NotInTheFile),
    (Review, Silent::NoArchive),
];

/// Clients do not compare a stored h1 with the archive. They write it into lock files.
const H1: &[(Place, Silent)] = &[
    (Status, Silent::NoArchive),
    (Show, Silent::NoArchive),
    (Triage, Silent::NoArchive),
    (Lint, Silent::NotInTheFile),
    (Plan, Silent::AnotherVersion),
    (Gate, Silent::AnotherVersion),
    (Review, Silent::AnotherVersion),
];

const SIGNATURE: &[(Place, Silent)] = &[(Lint, Silent::NotInTheFile), (Plan, Silent::AtTheGate)];

/// A fault of the stored list, which every command sees.
const fn list(name: &'static str, provider: &'static str, cause: &'static str) -> Row {
    Row { name, provider, world: "", cause, words: &[], version: "1.1.0", silent: &[] }
}

/// A fault of the stored version 1.1.0.
const fn stored(name: &'static str, provider: &'static str, cause: &'static str) -> Row {
    Row { name, provider, world: "", cause, words: &[], version: "1.1.0", silent: ANOTHER }
}

/// A fault of the served documents only.
const fn served(name: &'static str, provider: &'static str, cause: &'static str) -> Row {
    Row { name, provider, world: "", cause, words: &[], version: "1.1.0", silent: SERVED }
}

#[rustfmt::skip]
const ROWS: &[Row] = &[
    list("data file: a `v`", r#"plant = [{ in = "file", at = "/versions/1/version", value = "v1.0.0" }]"#, "version `v1.0.0` begins with `v`"),
    list("data file: a blank", r#"plant = [{ in = "file", at = "/versions/1/version", value = "1.0.0 " }]"#, "version `1.0.0 ` has white space around it"),
    list("data file: four numbers", r#"plant = [{ in = "file", at = "/versions/1/version", value = "1.0.0.1" }]"#, "version `1.0.0.1` has 4 numbers"),
    list("data file: a word", r#"plant = [{ in = "file", at = "/versions/1/version", value = "latest" }]"#, "version `latest` is not a version"),
    list("data file: nothing", r#"plant = [{ in = "file", at = "/versions/1/version", value = "" }]"#, "version `` is empty"),
    Row { version: "01.1.0", words: &[(Lint, "is not stored as a semantic version")], ..stored("data file: a leading zero", r#"plant = [{ in = "file", at = "/versions/0/version", value = "01.1.0" }]"#, "01.1.0` for 1.1.0") },
    stored("data file: a protocol that is none", r#"plant = [{ in = "file", at = "/versions/0/protocols/0", value = "six" }]"#, "includes invalid version string `six`"),
    stored("data file: a protocol that nobody speaks", r#"plant = [{ in = "file", at = "/versions/0/protocols/0", value = "4.0" }]"#, "protocols 4.0: clients speak only 5 and 6"),
    Row { words: &[(Lint, "it has no targets")], ..stored("data file: no platforms", r#"plant = [{ in = "file", at = "/versions/0/targets", value = [] }]"#, "the version lists no platform") },
    Row { words: &[(Lint, "it has no shasums_url")], ..stored("data file: no URL of SHA256SUMS", r#"plant = [{ in = "file", at = "/versions/0/shasums_url", value = "" }]"#, "the registry has no URL of SHA256SUMS") },
    stored("data file: a signature by FTP", r#"plant = [{ in = "file", at = "/versions/0/shasums_signature_url", value = "ftp://example.org/sig" }]"#, "invalid SHASUMS signature URL"),
    stored("data file: an archive by FTP", r#"plant = [{ in = "file", at = "/versions/0/targets/0/download_url", value = "ftp://example.org/f.zip" }]"#, "invalid download URL"),
    stored("data file: a relative archive", r#"plant = [{ in = "file", at = "/versions/0/targets/0/download_url", value = "f.zip" }]"#, "download URL `f.zip` names no host"),
    stored("data file: a name with a path", r#"plant = [{ in = "file", at = "/versions/0/targets/0/filename", value = "dist/f.zip" }]"#, "the name of the archive has a path"),
    stored("data file: a platform of three words", r#"plant = [{ in = "file", at = "/versions/0/targets/0/arch", value = "arm64_v8" }]"#, "includes invalid package platform"),
    Row { words: &[(Lint, "is not 64 lower-case hex digits")], ..stored("hash: a checksum that is no hex", r#"plant = [{ in = "file", at = "/versions/0/targets/0/shasum", value = "0123" }]"#, "`0123` is not a SHA-256") },
    stored("hash: an h1 without a scheme", r#"plant = [{ in = "file", at = "/versions/0/targets/0/h1", value = "Qm4vk1=" }]"#, "includes invalid package hash `Qm4vk1=`"),
    stored("size: 0", r#"plant = [{ in = "file", at = "/versions/0/targets/0/size", value = 0 }]"#, "invalid package size 0"),
    stored("size: 2^40", r#"plant = [{ in = "file", at = "/versions/0/targets/0/size", value = 1099511627776 }]"#, "a package of size 1099511627776"),
    served("served list: a `v`", r#"plant = [{ in = "list", at = "/versions/-", value = { version = "v1.0.0" } }]"#, "version `v1.0.0` begins with `v`"),
    served("served list: a blank", r#"plant = [{ in = "list", at = "/versions/1/version", value = "1.0.0 " }]"#, "version `1.0.0 ` has white space around it"),
    served("served list: nothing", r#"plant = [{ in = "list", at = "/versions/-", value = { version = "" } }]"#, "version `` is empty"),
    served("served list: four numbers", r#"plant = [{ in = "list", at = "/versions/-", value = { version = "1.0.0.1" } }]"#, "version `1.0.0.1` has 4 numbers"),
    served("served document: a protocol that is none", r#"plant = [{ in = "download", at = "/protocols/0", value = "six" }]"#, "includes invalid version string `six`"),
    served("served document: another os", r#"plant = [{ in = "download", at = "/os", value = "plan9" }]"#, "has incorrect target plan9_"),
    served("served document: an archive by FTP", r#"plant = [{ in = "download", at = "/download_url", value = "ftp://example.org/f.zip" }]"#, "invalid download URL"),
    served("served document: a hash without a scheme", r#"plant = [{ in = "download", at = "/packages/linux_amd64/hashes/-", value = "Qm4vk1=" }]"#, "includes invalid package hash `Qm4vk1=`"),
    served("served document: no size", r#"plant = [{ in = "download", at = "/packages/darwin_arm64/package_size" }]"#, "response has no package size"),
    served("served document: a negative size", r#"plant = [{ in = "download", at = "/packages/darwin_arm64/package_size", value = -1 }]"#, "invalid package size -1"),
    served("served document: another size than the data", r#"plant = [{ in = "download", at = "/packages/darwin_arm64/package_size", value = 7 }]"#, "names a size that the data does not have"),
    served("served document: not the platform", r#"plant = [{ in = "download", at = "/packages/darwin_arm64" }]"#, "missing package with platform"),
    served("served document: no checksum", r#"plant = [{ in = "download", at = "/shasum" }]"#, "`` is not a SHA-256"),
    served("served document: a broken key", r#"plant = [{ in = "download", at = "/signing_keys", value = { gpg_public_keys = [{ ascii_armor = "no key" }] } }]"#, "a signing key cannot be used"),
    Row { version: "1.2.0", silent: UPSTREAM, ..stored("upstream: a protocol that is none", r#"protocols = ["5.0"]"#, "`six`") },
    Row { silent: ARCHIVE, ..stored("archive: no binary where clients look", r#"binary = "missing""#, "could not find executable file starting with terraform-provider-rocket") },
    Row { silent: ARCHIVE, ..stored("archive: its binary in a folder", r#"binary = "in-folder""#, "could not find executable file starting with terraform-provider-rocket") },
    Row { silent: STARTS_NOWHERE, ..stored("archive: for another system", r#"binary = "for-linux""#, "clients install it and cannot start it") },
    Row { silent: H1, ..stored("hash: an h1 of another archive", r#"plant = [{ in = "file", at = "/versions/0/targets/0/h1", value = "h1:QExrC0UEro2jd7wMqdzv3wDtw9ef1uHZEFxBWTkq4lM=" }]"#, "the stored h1 is not its h1") },
    Row { silent: &[(Lint, Silent::NotInTheFile), (Plan, Silent::AnotherVersion), (Gate, Silent::AnotherVersion), (Review, Silent::AnotherVersion)], words: &[(Verify, "the stored size is wrong: clients refuse to install it"), (Lock, "a package of size 7, but received 536 bytes")], ..stored("size: another than GitHub's", r#"plant = [{ in = "file", at = "/versions/0/targets/0/size", value = 7 }]"#, "1 of 2 stored sizes is not the archive's (darwin_arm64: 7, not 536)") },
    Row { silent: SIGNATURE, world: WITHOUT_FLAGS, ..stored("signature: by a key without key flags", r#"signed_by = "own""#, "has no key flags in its self-signature, so clients refuse what it signed") },
    Row { silent: SIGNATURE, world: KEYS, ..stored("signature: by another key", r#"signed_by = "other""#, "signed by") },
];

/// A key on file that signed nothing, and a signing key that is not on file.
const KEYS: &str = r#"
[[key]]
name = "own"
on_file = ["acme"]

[[key]]
name = "other"
"#;

/// A key on file whose own signature does not say what it may do: no client uses it.
const WITHOUT_FLAGS: &str = r#"
[[key]]
name = "own"
on_file = ["acme"]
without_flags = true
"#;

impl Row {
    fn world(&self) -> String {
        let releases = if self.name.starts_with("upstream") {
            r#"[{ tag = "v1.2.0", protocols = ["six"] }]"#
        } else {
            r#"["v1.2.0"]"#
        };
        format!(
            r#"
clock = "2026-11-21T12:00:00Z"
[user]
login = "ann"
push = true

[[provider]]
address = "acme/rocket"
targets = ["darwin_arm64", "linux_amd64"]
stored = [{{ version = "1.1.0", published = "-60d" }}, {{ version = "1.0.0", published = "-90d" }}]
releases = {releases}
{}
{}
[[pull]]
number = 7
author = "ann"
title = "Add acme/rocket 1.2.0"
opened = "-1h"
commit = [{{ versions = {{ "acme/rocket" = ["1.2.0"] }} }}]
"#,
            self.provider, self.world
        )
    }

    /// What a place that knows of it says.
    fn words_of(&self, place: Place) -> &'static str {
        self.words.iter().find(|(own, _)| *own == place).map_or(self.cause, |(_, words)| words)
    }

    fn reason(&self, place: Place) -> Option<Silent> {
        self.silent.iter().find(|(silent, _)| *silent == place).map(|(_, why)| *why)
    }
}

/// Runs the command for a column of the table.
async fn ask(door: &Door, place: Place, version: &str) -> Output {
    match place {
        Status => door.said("survey acme/rocket --depth sums --json").await,
        Show => door.said("show acme/rocket").await,
        Triage => door.said(&format!("triage acme/rocket@{version} --json")).await,
        Verify => door.said(&format!("verify acme/rocket@{version}")).await,
        Lock => door.said(&format!("lock acme/rocket@{version} --steps")).await,
        Lint => door.said("lint acme/rocket").await,
        Plan => {
            door.said("plan add acme/rocket").await;
            door.said("plan show acme/rocket").await
        }
        Gate => {
            door.said("plan approve acme/rocket").await;
            let name = door.plan_name().await;
            door.said(&format!("pr open --plan {name} --dry-run")).await
        }
        Review => door.said("review 7").await,
    }
}

/// The words of a command that mean everything is fine.
fn says_fine(place: Place, output: &Output) -> Option<String> {
    let all = format!("{}{}", output.out, output.err);
    let has = |text: &str| all.contains(text).then(|| text.to_owned());
    match place {
        Status => has(r#""status":"current""#),
        Show => has("OK (").or_else(|| has("✓ OK")),
        Triage => has(r#""status":"current""#).or_else(|| has("clients can install it")),
        Verify => has("all is well").or_else(|| (output.exit == 0).then(|| "exit 0".to_owned())),
        Lock => output
            .out
            .contains("zh:")
            .then(|| "zh:".to_owned())
            .or_else(|| (output.exit == 0).then(|| "exit 0".to_owned())),
        Lint => (output.exit == 0).then(|| "exit 0".to_owned()),
        Plan => None,
        Gate => has("8 repository validator       PASS"),
        Review => has("SAME"),
    }
}

/// Checks the whole table. A cell that names the refusal must not also say that everything is fine.
#[tokio::test(flavor = "multi_thread")]
async fn clients_refuse() {
    stamped!(crate::COMMANDS);
    let mut wrong = Vec::new();
    for row in ROWS {
        let door = Door::on(&row.world()).await;
        for place in PLACES {
            let output = ask(&door, place, row.version).await;
            let cause = row.words_of(place);
            let names = output.out.contains(cause) || output.err.contains(cause);
            let place_name = format!("{}, {place:?}", row.name);
            match row.reason(place) {
                None if !names => wrong.push(format!("{place_name}: `{cause}` is not in\n{output}")),
                None => {
                    let is_fine =
                        says_fine(place, &output).filter(|_| !matches!(place, Plan | Gate | Review));
                    wrong.extend(is_fine.map(|fine| format!("{place_name}: says `{fine}` in\n{output}")));
                }
                Some(Silent::Installs) if !names => {
                    wrong.push(format!("{place_name}: `{cause}` is not in\n{output}"));
                }
                // Commands that download archives report this fault.
                Some(Silent::Installs | Silent::NoArchive) => {}
                // A command that is listed as unable must not see the fault. Otherwise the table is out of date.
                Some(why) if names => {
                    wrong.push(format!("{place_name}: it knows, and is silent for {why:?}:\n{output}"));
                }
                Some(_) => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{} cells:\n{}", wrong.len(), wrong.join("\n\n"));
}

/// Without a fault no command uses the words of the table, so no cell passes by accident.
#[tokio::test(flavor = "multi_thread")]
async fn without_a_fault_no_place_refuses() {
    let fine =
        Row { name: "fine", provider: "", world: "", cause: "", words: &[], version: "1.1.0", silent: &[] };
    let door = Door::on(&fine.world()).await;
    for place in PLACES {
        let output = ask(&door, place, fine.version).await;
        let all = format!("{}{}", output.out, output.err);
        for row in ROWS.iter().filter(|row| row.cause != "signed by") {
            assert!(!all.contains(row.cause), "{place:?} says `{}`:\n{output}", row.cause);
        }
        assert!(!all.contains("UNUSABLE") && !all.contains("clients-refuse"), "{place:?}:\n{output}");
        if matches!(place, Triage | Verify | Lint | Review) {
            assert_eq!(output.exit, 0, "{place:?}:\n{output}");
        }
        if place == Lock {
            assert!(output.out.contains("zh:"), "{output}");
        }
    }
}

/// A fault of the whole version counts for each of its targets. A fault of one target counts only for that target.
#[tokio::test(flavor = "multi_thread")]
async fn f3_a_fault_of_the_version_counts_for_every_target() {
    let states = |output: &Output| -> Vec<String> {
        let rows = output.objects().into_iter().filter(|object| object["type"] == "target");
        let mut states: Vec<_> =
            rows.map(|row| format!("{} {}", row["target"], row["state"]).replace('"', "")).collect();
        states.sort();
        states
    };
    for (name, wanted) in [
        ("hash: an h1 without a scheme", ["darwin_arm64 mismatch", "linux_amd64 mismatch"]),
        ("data file: a protocol that is none", ["darwin_arm64 mismatch", "linux_amd64 mismatch"]),
        ("data file: a `v`", ["darwin_arm64 mismatch", "linux_amd64 mismatch"]),
        ("size: 0", ["darwin_arm64 mismatch", "linux_amd64 ok"]),
        ("data file: an archive by FTP", ["darwin_arm64 mismatch", "linux_amd64 ok"]),
    ] {
        let row = ROWS.iter().find(|row| row.name == name).expect("a row of the table");
        let door = Door::on(&row.world()).await;
        let output = door.said("verify acme/rocket@1.1.0 --json").await;
        assert_eq!(states(&output), wanted, "{name}: {output}");
        assert_eq!(output.exit, 1, "{name}: {output}");
    }
}

/// A pull request that adds such a fault never counts as equal to upstream, and the review names the reason.
#[tokio::test(flavor = "multi_thread")]
async fn a_pull_request_that_adds_what_clients_refuse() {
    let door = Door::on(super::pull::WORLD).await;
    let (prepared, file) = honest(&door).await;
    let value: Value = serde_json::from_str(&file).expect("JSON");
    let size = value["versions"][0]["targets"][0]["size"].to_string();
    let h1 = value["versions"][0]["targets"][0]["h1"].as_str().expect("an h1").to_owned();
    for (name, from, to, cause) in [
        (
            "a `v`",
            "\"version\": \"1.2.0\"".to_owned(),
            "\"version\": \"v1.2.0\"".to_owned(),
            "version `v1.2.0` begins with `v`",
        ),
        (
            "a blank",
            "\"version\": \"1.2.0\"".to_owned(),
            "\"version\": \"1.2.0 \"".to_owned(),
            "version `1.2.0 ` has white space",
        ),
        ("size 0", format!("\"size\": {size}"), "\"size\": 0".to_owned(), "invalid package size 0"),
        (
            "an h1 without a scheme",
            h1.clone(),
            h1.trim_start_matches("h1:").to_owned(),
            "includes invalid package hash",
        ),
        (
            "a protocol that is none",
            "\"5.0\"".to_owned(),
            "\"six\"".to_owned(),
            "includes invalid version string `six`",
        ),
    ] {
        let changed = file.replacen(&from, &to, 1);
        assert_ne!(changed, file, "{name}");
        let number = theirs(&door, &prepared, &[(ROCKET, &changed)], &[]).await;
        let output = door.said(&format!("review {number} --json")).await;
        assert_eq!(word(&output), "refused", "{name}: {output}");
        assert!(output.out.contains(cause), "{name}: {output}");
    }
    // The honest file adds nothing that clients refuse.
    let number = theirs(&door, &prepared, &[(ROCKET, &file)], &[]).await;
    assert_eq!(word(&door.said(&format!("review {number} --json")).await), "not-hashed");
}
