//! No token, a wrong token, no network, and releases whose files say odd things.

use std::fmt::Write;

use demo::fault::{Fault, FaultKind, Lane};
use demo::{Options, World};

use crate::door::{Door, WORLD, closed_port};

#[tokio::test(flavor = "multi_thread")]
async fn without_a_token_it_says_what_was_not_read() {
    let mut door = Door::on(WORLD).await;
    door.unset("GH_TOKEN");
    let told =
        "no token: the releases API was not asked, so asset times and digests are not known; set GH_TOKEN";
    for line in ["survey", "survey --depth sums", "survey acme/rocket", "diff acme/rocket", "bump --dry-run"]
    {
        door.said(line).await.is(0, &[told]);
    }
    let json = door.said("survey --json").await;
    let outcome = json.objects().pop().expect("an outcome");
    assert!(outcome["summary"]["limits"][0].as_str().is_some_and(|text| text.starts_with(told)), "{outcome}");
    let doctor = door.said("doctor").await;
    doctor.is(0, &["none: GH_TOKEN and GITHUB_TOKEN are not set", "set GH_TOKEN or run `gh auth login`"]);
    let lanes = [Lane::Rest, Lane::Graphql];
    assert!(!door.server.exchanges().iter().any(|one| lanes.contains(&one.lane) || one.authorized()));
    door.is_untouched();
}

/// GitHub hides what a wrong token may not see behind the words of a missing repository. Nothing may follow from that.
#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_token_is_named_and_proves_nothing() {
    let text = format!("{WORLD}\n[user]\ntoken = \"the right one\"\n");
    for (variable, other) in [("GH_TOKEN", "GITHUB_TOKEN"), ("GITHUB_TOKEN", "GH_TOKEN")] {
        let mut door = Door::on(&text).await;
        door.unset(other);
        door.set(variable, "ghp_wrong0123456789");
        let told = format!("the token from {variable} was refused (HTTP 401)");
        let remedy = "set a valid one there, or ask without one with --no-token";
        for depth in ["versions", "sums"] {
            let said = door.said(&format!("survey --max-age 0 --depth {depth}")).await;
            let why = "UNKNOWN acme/rocket: the tags could not be read: not allowed to read it (HTTP 401)";
            said.is(3, &[&told, remedy, why]);
            said.is_not(&["GHOST", "GONE", "OK ", "BEHIND", "ghp_wrong"]);
            let json = door.said(&format!("survey --max-age 0 --json --depth {depth}")).await;
            json.is(3, &[]);
            let outcome = json.objects().pop().expect("an outcome");
            assert_eq!(outcome["statuses"], serde_json::json!({ "unknown": 3 }), "{outcome}");
        }
        door.said("list --status repo-gone --status gone-upstream").await.is(0, &["0 of 3 entries"]);
        let bumped = door.said("bump").await;
        bumped.is(3, &[&told, remedy]);
        let diffed = door.said("diff acme/rocket").await;
        diffed.is(3, &[&told, "nothing is proposed"]);
        door.is_untouched();
        // The remedy helps.
        door.said("survey --max-age 0 --no-token").await.is(0, &["BEHIND acme/rocket", "OK"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_network() {
    let mut door = Door::on(WORLD).await;
    let nobody = closed_port();
    door.point(&nobody, &nobody, &nobody);
    door.set("BUMPDESK_SERVED_URL", &nobody);
    let remedy = "`bumpdesk doctor --online` tries the servers, and the same command asks again";
    let host = nobody.trim_start_matches("http://");
    let surveyed = door.said("survey").await;
    let told = format!("reading upstream: {host} cannot be reached: the connection was refused\n");
    surveyed.is(3, &[&told, "  Check the network; ", remedy]);
    assert_eq!(surveyed.err.matches(host).count(), 1, "it is said once");
    surveyed.is_not(&["GHOST", "GONE", "OK "]);
    door.said("bump").await.is(3, &[remedy]);
    let network = "Check the network, then do the same again; `bumpdesk doctor --online` tries the servers.";
    door.said("review 12").await.is(3, &[network]);
    door.said("pr watch 12").await.is(3, &[network]);
    let unread = "nothing can be proposed: its tags were not read, so what is missing is not known";
    let diffed = door.said("diff acme/rocket").await;
    diffed.is(3, &[unread, "that is not the same as nothing to change", "nothing is proposed", remedy]);
    diffed.is_not(&["NOOP"]);
    let listed = door.said("list").await;
    listed.is(0, &["UNKNOWN", "acme/rocket"]);
    let shown = door.said("show acme/rocket").await;
    shown.is(0, &["could not be read: no answer"]);
    let doctor = door.said("doctor --online").await;
    doctor.is(
        2,
        &[
            &format!("{nobody} cannot be reached: Connection refused"),
            "See the lines that begin with `fail`.",
        ],
    );
    door.is_untouched();
}

/// A repository that answers 404 is named as gone, and nothing is proposed for it.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_proposed_for_a_repository_that_is_gone() {
    let door = Door::on(include_str!("../../scenarios/ladder.toml")).await;
    let gone = "nothing can be proposed: its repository is gone or private, so what is missing is not known";
    let diffed = door.said("diff acme/repo-gone").await;
    diffed.is(3, &[gone, "the repository answers 404: nothing is proposed"]);
    diffed.is_not(&["NOOP", "were not read"]);
    door.is_untouched();
}

/// A host whose connections never come about, as where a name service does not answer: a listener with no place left.
fn silent_host() -> (String, tokio::net::TcpListener, Vec<std::net::TcpStream>) {
    let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
    socket.bind(([127, 0, 0, 1], 0).into()).expect("a port");
    let listener = socket.listen(1).expect("a listener");
    let address = listener.local_addr().expect("an address");
    let mut waiting = Vec::new();
    let wait = std::time::Duration::from_millis(200);
    while let Ok(stream) = std::net::TcpStream::connect_timeout(&address, wait) {
        waiting.push(stream);
        assert!(waiting.len() < 1_000, "it takes whoever comes");
    }
    (format!("http://{address}"), listener, waiting)
}

/// What hangs is told like what is refused: the host and the remedy, once, after a few requests; and nothing is checked.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_answers_at_all() {
    let mut text = WORLD.to_owned();
    for n in 0..100 {
        let _ = writeln!(text, "[[module]]\naddress = \"acme/m{n}/aws\"\nstored = [\"v1.0.0\"]");
    }
    let mut door = Door::on(&text).await;
    let (nobody, _listener, _waiting) = silent_host();
    door.point(&nobody, &nobody, &nobody);
    door.set("BUMPDESK_SERVED_URL", &nobody);
    let host = nobody.trim_start_matches("http://");
    let surveyed = door.shell(":", &["survey"]);
    let told = format!("{host} cannot be reached: the host or its name service does not answer\n");
    surveyed.is(3, &[&told, "`bumpdesk doctor --online` tries the servers, and the same command asks again"]);
    surveyed.is_not(&["GHOST", "GONE", "OK "]);
    assert_eq!(surveyed.err.matches(host).count(), 1, "it is said once");
    let listed = door.shell(":", &["list", "--json"]).objects();
    let entries: Vec<_> = listed.iter().filter(|object| object["type"] == "row").collect();
    assert_eq!(entries.len(), 103);
    for entry in entries {
        assert_eq!((&entry["status"], &entry["checked_at"]), (&"unknown".into(), &serde_json::Value::Null));
    }
    let log = door.shell(":", &["log", "--json"]);
    let tried = log.objects().iter().filter(|line| line.to_string().contains(host)).count();
    assert!((1..50).contains(&tried), "{tried} requests");
    door.is_untouched();
}

/// A certificate that nobody vouches for is no network either.
#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_that_is_not_trusted() {
    let mut door = Door::to(WORLD, "registry", Options { tls: true, ..Options::default() }).await;
    let said = door.said("survey").await;
    said.is(3, &["cannot be reached: its certificate is not trusted", "with --ca-file; "]);
    assert_eq!(door.server.exchanges().len(), 0);
    door.set("BUMPDESK_CA_FILE", "nowhere.pem");
    door.said("survey").await.is(2, &["nowhere.pem` cannot be read", "Name a PEM file with --ca-file."]);
    std::fs::write(door.folder.path().join("empty.pem"), "nothing").expect("a file");
    door.set("BUMPDESK_CA_FILE", "empty.pem");
    door.said("survey")
        .await
        .is(2, &["there is no certificate in the CA file", "certificate file of the configuration"]);
    let pem = door.server.addresses().ca_pem.clone().expect("a certificate");
    std::fs::write(door.folder.path().join("ca.pem"), pem).expect("a file");
    door.set("BUMPDESK_CA_FILE", "ca.pem");
    door.said("survey").await.is(0, &["BEHIND acme/rocket"]);
    door.is_untouched();
}

/// Puts a text in place of a file of the release that is missing in the registry.
fn publish(door: &Door, ending: &str, text: impl Fn(&str) -> String) {
    door.server.edit(|world: &mut World| {
        let repository = world.repository_mut("acme", "terraform-provider-rocket").expect("a repository");
        let release = repository.release_mut("v1.1.0").expect("a release");
        let asset = release.assets.iter_mut().find(|asset| asset.name.ends_with(ending)).expect("an asset");
        let old = asset.content.as_deref().map_or("", |bytes| std::str::from_utf8(bytes).expect("UTF-8"));
        let new = text(old);
        asset.size = new.len() as u64;
        asset.digest = None;
        asset.content = Some(new.into_bytes().into());
    });
}

/// A manifest may carry what a terminal obeys. What is read counts as looked at, so it is made plain behind a pipe too; what
/// is applied stays to the byte, and says what it holds.
#[tokio::test(flavor = "multi_thread")]
async fn a_manifest_with_hidden_characters() {
    let hidden = "5.0\u{9b}\u{7f}\u{202e}\u{200b}";
    let door = Door::on(WORLD).await;
    publish(&door, "_manifest.json", |_| {
        format!("{{\"version\":1,\"metadata\":{{\"protocol_versions\":[\"{hidden}\"]}}}}")
    });
    door.said("plan add acme/rocket").await.is(0, &["acme/rocket"]);
    let shown = door.said("plan show acme/rocket").await;
    shown.is(0, &["+        \"5.0\\u{9b}\\u{7f}\\u{202e}\\u{200b}\"", "counts as looked at"]);
    assert!(!hidden.chars().skip(3).any(|c| shown.out.contains(c)), "{shown}");
    let patch = door.said("diff acme/rocket --patch").await;
    patch
        .is(0, &[&format!("+        \"{hidden}\""), "hide or control text (U+007F, U+009B, U+200B, U+202E)"]);
    door.is_untouched();
}

/// Without hashes of its own the registry would take whatever stands in place of a sum, for ever.
#[tokio::test(flavor = "multi_thread")]
async fn a_sum_that_is_none_is_not_written() {
    let door = Door::on(WORLD).await;
    publish(&door, "_SHA256SUMS", |old| format!("{}{}", "xy".repeat(32), &old[64..]));
    let told = "its SHA256SUMS has no SHA-256 for terraform-provider-rocket_1.1.0_linux_amd64.zip";
    for feature in ["target-hashes=off", "target-hashes=on"] {
        let said = door.said(&format!("bump --dry-run --max-age 0 --feature {feature}")).await;
        said.is(0, &[&format!("left out: {told}")]);
        said.is_not(&["rocket.json (", "would write providers/a/acme/rocket.json"]);
        door.said(&format!("survey --max-age 0 --feature {feature}")).await.is(0, &["STRANDED", told]);
    }
    door.is_untouched();
}

/// Makes the server answer with this fault for the archive from now on.
fn strike(door: &Door, kind: &str, path: &str) {
    let kind = FaultKind::try_from(kind.to_owned()).expect("a kind");
    let mut fault = Fault::new(&[Lane::Asset, Lane::Object], kind);
    fault.path = Some(path.to_owned());
    door.server.edit(|world| world.faults = vec![fault]);
}

const DIFFS: [&str; 6] = [
    "diff acme/rocket",
    "diff acme/rocket --check",
    "diff acme/rocket --patch",
    "diff acme/rocket --plain --patch --check",
    "diff acme/rocket --json",
    "diff acme/rocket --json --patch --check",
];

/// If an archive could not be read, its version is unknown. No form of output reports success.
#[tokio::test(flavor = "multi_thread")]
async fn a_diff_that_could_not_read_an_archive_is_not_done() {
    let sentence = "nothing can be proposed: a version could not be read upstream, so whether it is missing is not known; \
                    that is not the same as nothing to change";
    for kind in ["status:500", "status:429", "truncate:10", "reset"] {
        let door = Door::on(WORLD).await;
        strike(&door, kind, "*.zip");
        for line in DIFFS {
            let output = door.said(line).await;
            output.is(3, &[sentence]);
            output.is_not(&["would not change", "NOOP"]);
        }
        let json = door.said("diff acme/rocket --json").await;
        let outcome = json.objects().pop().expect("an outcome");
        assert_eq!(
            (&outcome["summary"]["failed"], &outcome["exit"]),
            (&1.into(), &3.into()),
            "{kind}: {json}"
        );
        for line in ["plan add acme/rocket", "bump --dry-run acme/rocket"] {
            let output = door.said(line).await;
            assert_eq!(output.exit, 3, "{kind}: {line}: {output}");
        }
        let two = door.said("diff acme/rocket umbrella/vpc/aws").await;
        two.is(5, &[sentence, "ADDITIVE"]);
        door.is_untouched();
    }
}

/// The three commands that would add a bad archive agree about it.
#[tokio::test(flavor = "multi_thread")]
async fn diff_plan_and_bump_agree_on_a_bad_archive() {
    for kind in ["html", "status:404", "declares:268435456", "empty", "garbage"] {
        let door = Door::on(WORLD).await;
        strike(&door, kind, "*.zip");
        let mut exits = Vec::new();
        for line in [
            "diff acme/rocket",
            "diff acme/rocket --patch",
            "plan add acme/rocket",
            "bump --dry-run acme/rocket",
        ] {
            exits.push(door.said(line).await.exit);
        }
        exits.dedup();
        assert_eq!(exits.len(), 1, "{kind}: {exits:?}");
        door.is_untouched();
    }
}

/// One of two versions was read, so the work is done in part.
#[tokio::test(flavor = "multi_thread")]
async fn a_proposal_without_what_could_not_be_read_is_incomplete() {
    let text = WORLD.replace("releases = [\"v1.1.0\"]", "releases = [\"v1.1.0\", \"v1.2.0\"]");
    for kind in ["status:500", "truncate:10", "reset"] {
        let door = Door::on(&text).await;
        strike(&door, kind, "*1.2.0_linux_amd64.zip");
        for line in DIFFS {
            let output = door.said(line).await;
            output.is(5, &["1.1.0", "left out: "]);
            output.is_not(&["nothing can be proposed"]);
        }
        let planned = door.said("plan add acme/rocket").await;
        assert_eq!(planned.exit, 5, "{kind}: {planned}");
        door.said("plan show").await.is(0, &["acme/rocket"]);
        door.said("plan drop acme/rocket").await.is(0, &[]);
        let bumped = door.said("bump --dry-run acme/rocket").await;
        assert_eq!(bumped.exit, 5, "{kind}: {bumped}");
        door.is_untouched();
    }
}
