//! Clocks. What is sent equals what was shown, byte for byte, however long the user waits in between. An author's
//! clock that is ahead is reported, and accepted up to five minutes.

use std::time::Duration;

use demo::Options;
use demo::fault::{Fault, FaultKind, Lane};
use serde_json::Value;

use super::edits::{approve, pushing};
use super::keys::{B, s9};
use super::machines::{self, ALL};
use super::pull::{WORLD, approved, committed, ready, sending, writes};
use super::review::{ROCKET, flipped, honest, theirs};
use super::send;
use super::submissions::{NEW, PARASOL};
use super::verdict::{other_machine, reviews, sent, with_bea};
use crate::door::Door;

/// Advances the world's clock and ours.
fn pass(door: &mut Door, seconds: u64) {
    door.server.edit(|world| world.now += Duration::from_secs(seconds));
    let now = door.server.look(|world| world.now.to_string());
    door.set("BUMPDESK_NOW", &now);
}

/// The pauses: one second, another one, and an hour.
const PAUSES: [u64; 3] = [1, 1, 3_600];

/// Repeats a dry run after each pause. The digest and every byte of every request stay the same.
async fn unchanged(door: &mut Door, line: &str, what: &str) -> Value {
    let line = format!("{line} --dry-run --json");
    let first = sending(&door.said(&line).await);
    for seconds in PAUSES {
        pass(door, seconds);
        let again = sending(&door.said(&line).await);
        assert_eq!(again["requests"], first["requests"], "{what}, {seconds} s later");
        assert_eq!(again["digest"], first["digest"], "{what}, {seconds} s later");
    }
    first
}

/// Confirms with the digits of the first dry run after all pauses and one more. The request is sent.
async fn sent_later(door: &mut Door, line: &str, what: &str) {
    let first = unchanged(door, line, what).await;
    pass(door, 1);
    let digits = first["name"].as_str().expect("digits");
    let output = door.said(&format!("{line} --confirm {digits} --write")).await;
    assert_eq!(output.exit, 0, "{what}: {output}");
}

/// Returns the file without the lines that contain a text.
fn without_lines(file: &str, with: &str) -> String {
    let mut lines: Vec<&str> = file.lines().filter(|line| !line.contains(with)).collect();
    // The last field of an object must not have a comma.
    for at in 1..lines.len() {
        if lines[at].trim_start().starts_with(['}', ']']) {
            lines[at - 1] = lines[at - 1].trim_end_matches(',');
        }
    }
    lines.join("\n")
}

/// A verdict on a pull request that adds versions and differs from upstream, in every way that once put a moment into
/// its text.
#[tokio::test(flavor = "multi_thread")]
async fn a_verdict_on_differences_is_sent_whenever_it_is_confirmed() {
    stamped!(crate::COMMANDS);
    let mut door = Door::on(&with_bea(WORLD)).await;
    let (prepared, file) = honest(&door).await;
    let (other_sum, _) = flipped(&file);
    let cases = [
        ("another checksum", other_sum.clone()),
        ("another address", file.replacen("github.com/acme", "github.co/acme", 1)),
        ("without moments", without_lines(&file, "\"discovered\"")),
        ("in an older form", without_lines(&without_lines(&file, "\"h1\""), "\"size\"")),
        ("another checksum without moments", without_lines(&other_sum, "\"discovered\"")),
        ("a version less", {
            let at =
                |version: &str| file.find(&format!("    {{\n      \"version\": \"{version}\"")).expect("it");
            format!("{}{}", &other_sum[..at("1.2.0")], &other_sum[at("1.1.0")..])
        }),
    ];
    let mut numbers = Vec::new();
    for (what, text) in &cases {
        numbers.push((*what, theirs(&door, &prepared, &[(ROCKET, text)], &[]).await));
    }
    other_machine(&mut door);
    for (what, number) in numbers {
        for how in ["--request-changes --hash", "--request-changes --text please", "--comment"] {
            let line = format!("review {number} {how}");
            sent_later(&mut door, &line, &format!("{what}, {how}")).await;
        }
        assert_eq!(reviews(&door, number).await.len(), 3, "{what}");
        let shown = sending(&door.said(&format!("review {number} --comment --dry-run --json")).await);
        let body = shown["requests"][0]["body"].to_string();
        // The text must not contain the day of the review. It may contain the author's claims.
        let author = "2026-11-21T12:00:00Z";
        assert!(!body.replace(author, "").contains("2026-11-21T1"), "{what}: {body}");
        assert!(!body.contains("gives \\\"\\\"") && !body.contains("h1\\\": \\\"\\\""), "{what}: {body}");
    }
}

/// Verdicts on a new entry with a recorded failed try, and on sources that could not be read because GitHub asked to
/// slow down.
#[tokio::test(flavor = "multi_thread")]
async fn a_verdict_on_a_new_entry_or_on_what_is_unknown_is_sent_whenever_it_is_confirmed() {
    stamped!(crate::COMMANDS);
    let mut door = Door::on(&with_bea(NEW)).await;
    door.said("plan submit provider umbrella/terraform-provider-parasol").await.is(0, &[]);
    let plan = approve(&door, "umbrella/parasol").await;
    let prepared = sending(&ready(&door, &plan, "--json").await);
    let file = String::from_utf8(committed(&prepared, PARASOL)).expect("UTF-8");
    let (other_sum, _) = flipped(&file);
    let start = file.find(",\n  \"versions_errors\"").expect("a failed try");
    let without_tries = format!("{}\n}}", &file[..start]);
    let cases = [
        ("another checksum", other_sum.as_str()),
        ("without the failed try", without_tries.as_str()),
        ("another failed try", &file.replacen("\"0.9.0\"", "\"0.8.0\"", 1)),
        ("another message and checksum", &other_sum.replacen("checksums not found", "no artifacts", 1)),
    ];
    let mut numbers = Vec::new();
    for (what, text) in cases {
        numbers.push((what, theirs(&door, &prepared, &[(PARASOL, text)], &[]).await));
    }
    other_machine(&mut door);
    for (what, number) in &numbers {
        sent_later(&mut door, &format!("review {number} --request-changes"), what).await;
    }
    let mut slow =
        Fault::new(&[Lane::Asset], FaultKind::Status(429)).at("umbrella/terraform-provider-parasol");
    slow.retry_after = Some(913);
    door.server.edit(|world| world.faults.push(slow));
    let line = format!("review {} --comment --hash", numbers[0].1);
    let shown = unchanged(&mut door, &line, "what is unknown").await;
    let text = shown["requests"][0]["body"]["body"].as_str().expect("a text");
    assert!(text.contains("throttled") && !text.contains("until"), "{text}");
}

const REMOVE: &str = "plan remove hashicorp/aws@6.57.0 --because extreme-disruption --announcement https://example.com/a --issue 7";

/// Every kind of pull request from a plan contains only the moments of the plan.
#[tokio::test(flavor = "multi_thread")]
async fn a_pull_request_is_sent_whenever_it_is_confirmed() {
    const ONE: &str = "clock = \"2026-11-21T12:00:00Z\"\n[[provider]]\naddress = \"acme/rocket\"\ntargets = [\"linux_amd64\"]\n\
        stored = [\"1.0.0\"]\nreleases = [\"v2.0.0-test\", { tag = \"v3.0.0\", sums = \"missing\" }]\n\
        [[provider]]\naddress = \"umbrella/rocket\"\ntargets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\n";
    stamped!(crate::COMMANDS);
    let withdrawn = include_str!("../../scenarios/s6-withdrawn.toml").to_owned();
    let waiting = super::scene::before(include_str!("../../scenarios/s4-retry-wait.toml"));
    for (what, world, plan, addresses) in [
        ("a removal", withdrawn, REMOVE, "hashicorp/aws opentofu/aws"),
        ("a block", pushing(ONE), "plan block acme/rocket@2.0.0-test --because accident", "acme/rocket"),
        ("a warning", pushing(ONE), "plan warn acme/rocket --moved-to umbrella/rocket", "acme/rocket"),
        ("a bump that records a failure", pushing(ONE), "plan add acme/rocket", "acme/rocket"),
        ("cleared errors", pushing(waiting), "plan clear-errors auth0/auth0@1.58.0", "auth0/auth0"),
        (
            "a provider",
            NEW.to_owned(),
            "plan submit provider umbrella/terraform-provider-parasol",
            "umbrella/parasol",
        ),
        ("a module", NEW.to_owned(), "plan submit module umbrella/terraform-aws-vpc", "umbrella/vpc/aws"),
        ("a key", pushing(&s9(&[])), "plan submit key namecheap", "namecheap/namecheap"),
    ] {
        let mut door = Door::on(&world).await;
        let mut words = plan.to_owned();
        if what == "a key" {
            let file = door.folder.path().join("key.asc");
            std::fs::write(&file, B).expect("a file");
            words = format!("{plan} {}", file.display());
        }
        door.said(&words).await.is(0, &[]);
        let name = approve(&door, addresses).await;
        sent_later(&mut door, &format!("pr open --plan {name}"), what).await;
        assert!(writes(&door).len() >= 3, "{what}");
    }
}

/// A pull request is undone an hour after the dry run of the undo.
#[tokio::test(flavor = "multi_thread")]
async fn an_undo_is_sent_whenever_it_is_confirmed() {
    let mut door = Door::on(WORLD).await;
    let plan = approved(&door).await;
    let name = send::digits(&door, &plan, "").await;
    send::open(&door, &plan, &name, "").await.is(0, &[]);
    let mut looks = Vec::new();
    for seconds in PAUSES {
        looks.push(sent(&door.said(&format!("pr undo {name} --json")).await)["name"].clone());
        pass(&mut door, seconds);
    }
    assert!(looks.iter().all(|look| *look == looks[0]), "{looks:?}");
    let digits = looks[0].as_str().expect("digits");
    door.said(&format!("pr undo {name} --confirm {digits} --write")).await.is(0, &["is taken back"]);
}

/// Starts a run on GitHub's machines, and runs it again.
#[tokio::test(flavor = "multi_thread")]
async fn a_dispatch_is_sent_whenever_it_is_confirmed() {
    let mut door =
        machines::on("[[actions.fate]]\nname = \"\"\nends = \"failure\"\nuntil_attempt = 1\n").await;
    sent_later(&mut door, ALL, "a dispatch").await;
    let output = door.said("backfill status --follow --json").await;
    let id = machines::run(&output)["id"].as_u64().expect("a run");
    sent_later(&mut door, &format!("backfill rerun {id}"), "a re-run").await;
}

/// If the author's clock is a little ahead of GitHub's when the pull request is opened, the difference is accepted
/// and named. A larger one is not accepted.
#[tokio::test(flavor = "multi_thread")]
async fn an_authors_clock_that_is_a_little_ahead_is_accepted_and_named() {
    stamped!(crate::COMMANDS);
    for (ahead, note) in [(2, Some("2 s")), (300, Some("300 s")), (301, None)] {
        let mut door = Door::on(&with_bea(WORLD)).await;
        let now = door.server.look(|world| world.now);
        let authors = now + Duration::from_secs(ahead);
        door.set("BUMPDESK_NOW", &authors.to_string());
        let plan = approved(&door).await;
        let name = send::digits(&door, &plan, "--ready").await;
        let opened = send::open(&door, &plan, &name, "--ready --json").await;
        let number = sent(&opened)["pull"].as_u64().unwrap_or_else(|| panic!("{opened}"));
        other_machine(&mut door);
        // The review happens later, with a correct clock.
        door.set("BUMPDESK_NOW", &now.to_string());
        pass(&mut door, 3_600);
        let output = door.said(&format!("review {number} --hash")).await;
        match note {
            Some(by) => output.is(0, &["SAME", &format!("the author's clock is {by} ahead of GitHub's")]),
            None => {
                output
                    .is(1, &["DIFFERS", "it says that it was discovered after the pull request was opened"]);
            }
        }
        // A verdict also names the accepted difference, and is the same an hour later.
        let how = if note.is_some() { "--approve --hash" } else { "--request-changes" };
        sent_later(&mut door, &format!("review {number} {how}"), &format!("{ahead} s ahead")).await;
    }
}

/// The machine's time, moved by `ahead` seconds.
fn machine_now(ahead: i64) -> jiff::Timestamp {
    jiff::Timestamp::now() + jiff::SignedDuration::from_secs(ahead)
}

/// A world whose clock is `ahead` seconds ahead of the machine's and runs. bumpdesk uses the machine's own clock.
async fn running(ahead: i64) -> Door {
    let clock = format!("clock = \"{}\"", machine_now(ahead));
    let world = with_bea(&WORLD.replace("clock = \"2026-11-21T12:00:00Z\"", &clock));
    let options = Options { clock_runs: true, ..Options::default() };
    let mut door = Door::to(&world, "registry", options).await;
    // Making the world took a while.
    door.server.edit(|world| world.now = machine_now(ahead));
    door.unset("BUMPDESK_NOW");
    door
}

/// A served world's clock runs with the machine's, so a third bumpdesk accepts what another one opened there.
#[tokio::test(flavor = "multi_thread")]
async fn a_served_worlds_clock_runs() {
    let mut door = running(0).await;
    let began = door.server.look(|world| world.now);
    let plan = approved(&door).await;
    let name = send::digits(&door, &plan, "--ready").await;
    let opened = send::open(&door, &plan, &name, "--ready --json").await;
    let number = sent(&opened)["pull"].as_u64().unwrap_or_else(|| panic!("{opened}"));
    assert!(door.server.look(|world| world.now) > began);
    other_machine(&mut door);
    let output = door.said(&format!("review {number} --hash")).await;
    output.is(0, &["SAME"]);
    output.is_not(&["clock"]);
}

/// A wrong clock of the machine is reported once, and a pull request that every review would refuse is not opened.
#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_clock_of_the_machine_is_reported() {
    for (world, difference) in [(-440, "7 minutes ahead of GitHub's"), (440, "7 minutes behind GitHub's")] {
        let door = running(world).await;
        let plan = approved(&door).await;
        let output = ready(&door, &plan, "").await;
        output.is(output.exit, &[&format!("this machine's clock is {difference}")]);
        assert_eq!(output.exit, if world < 0 { 4 } else { 0 }, "{output}");
        if world < 0 {
            output.is(4, &["it was discovered in the future, by GitHub's clock"]);
        }
    }
    // A difference of a minute is reported and stops nothing.
    let door = running(-60).await;
    let plan = approved(&door).await;
    ready(&door, &plan, "").await.is(0, &["this machine's clock is 6"]);
}
