//! Edits as plans: S4, S5, S6 and S7 of the stories (`tests/scenarios/stories.md`) as far as they end in a pull request or a refusal.

use serde_json::Value;

use super::pull::{ready, send, sending, writes};
use super::scene::{after, before, same};
use crate::door::Door;

/// A world whose token may push.
fn pushing(text: &str) -> String {
    format!("{text}\n[user]\nlogin = \"ann\"\npush = true\n")
}

/// Looks at all of an entry's file and approves it; the plan's name.
async fn approve(door: &Door, addresses: &str) -> String {
    door.said(&format!("plan show {addresses}")).await.is(0, &[]);
    door.said(&format!("plan approve {addresses}")).await.is(0, &[]);
    door.plan_name().await
}

/// The files of the one commit that a sending makes, by path.
fn files(sending: &Value) -> Vec<(String, String)> {
    let input = &sending["requests"][1]["body"]["variables"]["input"];
    let additions = input["fileChanges"]["additions"].as_array().expect("files");
    let decode = |file: &Value| {
        use base64::Engine as _;
        let bytes = base64::prelude::BASE64_STANDARD.decode(file["contents"].as_str().expect("base64"));
        (
            file["path"].as_str().expect("a path").to_owned(),
            String::from_utf8(bytes.expect("base64")).expect("UTF-8"),
        )
    };
    additions.iter().map(decode).collect()
}

fn gate(said: &crate::door::Output, number: u64) -> Value {
    let mut objects = said.objects().into_iter();
    objects.find(|object| object["type"] == "gate" && object["number"] == number).expect("a gate")
}

const AUTH0: &str = "providers/a/auth0/auth0.json";

/// Only the records go, and the next bump adds the version at once: without them it waits for two days.
#[tokio::test(flavor = "multi_thread")]
async fn s4_recorded_failures_are_cleared_and_nothing_else() {
    let text = include_str!("../../scenarios/s4-retry-wait.toml");
    let mut door = Door::on(&pushing(before(text))).await;
    let old = door.read(AUTH0);
    let said = door.said("plan clear-errors auth0/auth0@1.58.0").await;
    said.is(
        0,
        &[
            "the next bump tries 1.58.0 again, and upstream has 13 targets of it; with its records it waits until 2026-11-23 04:00Z",
            "rest: what changes outside the versions",
        ],
    );
    let plan = approve(&door, "auth0/auth0").await;
    let said = ready(&door, &plan, "--json").await;
    assert_eq!((said.exit, gate(&said, 5)["state"].as_str()), (0, Some("pass")), "{said}");
    let told = gate(&said, 8);
    assert!(told["evidence"].as_str().unwrap().contains("upstream offers 1 version (1.58.0)"), "{told}");
    let sending = sending(&said);
    let files = files(&sending);
    let [(path, new)] = &files[..] else { panic!("{files:?}") };
    assert_eq!(path, AUTH0);
    let start = old.find(",\n  \"versions_errors\"").expect("records");
    same(new, &format!("{}\n}}", &old[..start]), AUTH0);
    let title = sending["requests"][2]["body"]["title"].as_str().unwrap();
    assert_eq!(title, "Clear recorded errors of auth0/auth0 1.58.0");
    send(&door, &sending).await;
    assert_eq!(door.said("bump auth0/auth0").await.exit, 0);
    assert_eq!(door.read(AUTH0), old, "it still waits");
    door.put(AUTH0, new.as_bytes());
    door.set("BUMPDESK_NOW", "2026-11-23T04:00:00Z");
    door.said("bump auth0/auth0 --now 2026-11-23T04:00:00Z").await.is(0, &[]);
    same(&door.read(AUTH0), &after(text)[AUTH0], AUTH0);
}

#[tokio::test(flavor = "multi_thread")]
async fn s4_what_would_fail_again_is_not_cleared() {
    let door = Door::on(&pushing(include_str!("../../scenarios/s4-still-absent.toml"))).await;
    let said = door.said("plan clear-errors auth0/auth0@1.58.0").await;
    said.is(4, &["1.58.0: the release still has no SHA256SUMS: the next try would fail again"]);
    let said = door.said("plan clear-errors auth0/auth0@1.57.0").await;
    said.is(4, &["1.57.0: no failed try of it is recorded"]);
    door.said("plan show").await.is(0, &["the plan is empty"]);
    assert_eq!(writes(&door), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_warning_stands_beside_others_and_nothing_else_changes() {
    let world = "clock = \"2026-11-21T12:00:00Z\"\n[[provider]]\naddress = \"acme/rocket\"\n\
                 targets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\nWARNINGS\n";
    for (before, lines) in [
        (
            "",
            ",\n  \"warnings\": [\n    \"This provider has moved to umbrella/rocket. Please use that one.\"\n  ]\n}",
        ),
        (
            "warnings = [\"Old.\"]",
            ",\n    \"This provider has moved to umbrella/rocket. Please use that one.\"\n  ]\n}",
        ),
    ] {
        let door = Door::on(&pushing(&world.replace("WARNINGS", before))).await;
        let old = door.read("providers/a/acme/rocket.json");
        let said = door.said("plan warn acme/rocket --moved-to umbrella/rocket").await;
        said.is(0, &["clients show it at the next `init`"]);
        let plan = approve(&door, "acme/rocket").await;
        let said = ready(&door, &plan, "--json").await;
        assert_eq!(said.exit, 0, "{said}");
        let sending = sending(&said);
        let (_, new) = files(&sending).pop().expect("a file");
        let kept = old.trim_end_matches(['\n', '}', ' ', ']']).to_owned();
        let kept = if before.is_empty() { old.trim_end_matches("\n}").to_owned() } else { kept };
        same(&new, &format!("{kept}{lines}"), "the file");
        let title = sending["requests"][2]["body"]["title"].as_str().unwrap();
        assert_eq!(title, "Add a warning to acme/rocket");
    }
}
