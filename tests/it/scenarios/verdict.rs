//! Verdicts on pull requests of others: shown, held against their gates, sent once, of the commit that was reviewed; and what
//! becomes of them where anything fails on the way.

use demo::fault::{Fault, FaultKind, Lane};
use demo::forge::Account;
use serde_json::{Value, json};

use super::pull::{HERE, WORLD, approved, by, ready, sending, writes};
use super::review::{flipped, honest, theirs};
use super::send::{self, LANES, faults, is_no};
use crate::door::{Door, Output};

const ROCKET: &str = "providers/a/acme/rocket.json";

/// Somebody else, who may write.
const BEA: &str = "token-of-bea";

/// The world with her in it.
pub(crate) fn with_bea(world: &str) -> String {
    format!("{world}\n[[account]]\nlogin = \"bea\"\nrole = \"write\"\n")
}

/// A world in which ann opened the pull request of a plan, or this; and from now on a machine of bea's own.
async fn opened(world: &str) -> (Door, u64) {
    let mut door = Door::on(&with_bea(world)).await;
    let plan = approved(&door).await;
    let prepared = sending(&ready(&door, &plan, "--ready --json").await);
    let said = send::open(&door, &plan, prepared["name"].as_str().expect("digits"), "--ready --json").await;
    let number = sent(&said)["pull"].as_u64().expect("a number");
    other_machine(&mut door);
    (door, number)
}

pub(crate) fn other_machine(door: &mut Door) {
    door.server.edit(|world| {
        world.forge.accounts.insert("bea".into(), Account::new("bea", Some(BEA)));
    });
    door.set("GH_TOKEN", BEA);
    let other = door.folder.path().join("other-state");
    door.set("BUMPDESK_STATE_DIR", other.to_str().expect("a path"));
    door.server.forget();
}

pub(super) fn sent(said: &Output) -> Value {
    said.objects().into_iter().find(|object| object["type"] == "sent").unwrap_or_else(|| panic!("{said}"))
}

pub(super) async fn look(door: &Door, number: u64, how: &str) -> Output {
    door.said(&format!("review {number} {how} --dry-run --json")).await
}

pub(crate) async fn digits(door: &Door, number: u64, how: &str) -> String {
    sending(&look(door, number, how).await)["name"].as_str().expect("digits").to_owned()
}

pub(crate) async fn confirm(door: &Door, number: u64, how: &str, digits: &str) -> Output {
    door.said(&format!("review {number} {how} --confirm {digits} --write")).await
}

/// What GitHub has of it: whose, what, and of which commit.
pub(super) async fn reviews(door: &Door, number: u64) -> Vec<(String, String, String)> {
    let all = by(door, BEA, "GET", &format!("{HERE}/pulls/{number}/reviews"), Value::Null).await;
    let text = |one: &Value| one.as_str().expect("a text").to_owned();
    let told = |one: &Value| (text(&one["user"]["login"]), text(&one["state"]), text(&one["commit_id"]));
    all.as_array().expect("a list").iter().map(told).collect()
}

async fn head(door: &Door, number: u64) -> String {
    let pull = by(door, BEA, "GET", &format!("{HERE}/pulls/{number}"), Value::Null).await;
    pull["head"]["sha"].as_str().expect("an id").to_owned()
}

pub(super) fn failing(said: &Output) -> Vec<String> {
    let gates = said.objects().into_iter().filter(|object| object["type"] == "gate");
    let failing = gates.filter(|gate| gate["state"] == "fail");
    failing.map(|gate| gate["name"].as_str().expect("a name").to_owned()).collect()
}

const APPROVE: &str = "--approve --hash";

/// What the first one opened is made again by the second, byte for byte, and approved at its commit.
#[tokio::test(flavor = "multi_thread")]
async fn a_second_machine_approves_what_the_first_opened() {
    stamped!(crate::COMMANDS);
    let (door, number) = opened(WORLD).await;
    let head = head(&door, number).await;
    let said = look(&door, number, APPROVE).await;
    assert_eq!((said.exit, failing(&said)), (0, Vec::new()), "{said}");
    let shown = sending(&said);
    let name = shown["name"].as_str().expect("digits");
    let body = shown["requests"][0]["body"].clone();
    assert_eq!((&body["commit_id"], &body["event"]), (&json!(head), &json!("APPROVE")));
    let text = body["body"].as_str().expect("a text");
    assert!(text.starts_with("**SAME**") && text.contains(ROCKET) && text.contains("hashed"), "{text}");
    for line in [
        format!("review {number} {APPROVE} --confirm {name}"),
        format!("review {number} {APPROVE} --confirm 000000 --write"),
        format!("review {number} {APPROVE} --text more --confirm {name} --write"),
        format!("review {number} --comment --hash --confirm {name} --write"),
    ] {
        door.said(&line).await.is(4, &[]);
    }
    assert_eq!(writes(&door), [""; 0]);
    let said = confirm(&door, number, APPROVE, name).await;
    said.is(
        0,
        &[
            &format!("the approval of pull request #{number} is submitted: https://github.com/"),
            "cannot be taken back",
        ],
    );
    assert_eq!(writes(&door), [format!("POST {HERE}/pulls/{number}/reviews")]);
    assert_eq!(reviews(&door, number).await, [("bea".into(), "APPROVED".into(), head)]);
    // The same again is one review, and nothing takes it back.
    confirm(&door, number, APPROVE, name).await.is(0, &["is submitted"]);
    door.said(&format!("pr resume {name} --write")).await.is(0, &["is submitted"]);
    door.said(&format!("pr undo {name} --write")).await.is(4, &["GitHub takes no review back"]);
    assert_eq!(writes(&door).len(), 1);
    door.said("list").await.is_not(&["was cut off"]);
    // The list remembers it from the journal.
    door.said("review").await.is(0, &[&format!("#{number} "), "approved by you"]);
}

/// Nothing but what is the same to the last byte is approved, and nobody judges what is their own; all of it can be commented on.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_the_same_is_not_approved() {
    stamped!(crate::COMMANDS);
    let mut door = Door::on(&with_bea(WORLD)).await;
    let (prepared, file) = honest(&door).await;
    let (flipped, sum) = flipped(&file);
    let same = theirs(&door, &prepared, &[(ROCKET, &file)], &[]).await;
    let differs = theirs(&door, &prepared, &[(ROCKET, &flipped)], &[]).await;
    let refused = theirs(&door, &prepared, &[(ROCKET, &file), ("README.md", "x")], &[]).await;
    let closed = theirs(&door, &prepared, &[(ROCKET, &file)], &[]).await;
    by(&door, crate::stage::CANARY, "PATCH", &format!("{HERE}/pulls/{closed}"), json!({ "state": "closed" }))
        .await;
    // Whose they are.
    door.server.forget();
    for how in ["--approve --hash", "--request-changes"] {
        let said = look(&door, same, how).await;
        assert_eq!((said.exit, failing(&said)), (4, vec!["may review it".to_owned()]), "{said}");
    }
    assert_eq!(look(&door, same, "--comment").await.exit, 0);
    other_machine(&mut door);
    for (number, how, gate) in [
        (same, "--approve", "result of the review"),
        (differs, "--approve --hash", "result of the review"),
        (refused, "--approve --hash", "result of the review"),
        (closed, "--approve --hash", "still open"),
        (closed, "--comment", "still open"),
    ] {
        let said = look(&door, number, how).await;
        assert_eq!((said.exit, failing(&said)), (4, vec![gate.to_owned()]), "{how} {said}");
        let name = sending(&said)["name"].as_str().expect("digits").to_owned();
        confirm(&door, number, how, &name).await.is(4, &[gate, "Nothing was sent."]);
    }
    door.said(&format!("review {same} --approve --dry-run")).await.is(4, &["--approve --hash --dry-run"]);
    let fault = Fault::new(&[Lane::Asset], FaultKind::Status(500)).at("acme/terraform-provider-rocket");
    door.server.edit(|world| world.faults.push(fault));
    let said = look(&door, same, APPROVE).await;
    assert_eq!((said.exit, failing(&said)), (4, vec!["result of the review".to_owned()]), "{said}");
    door.server.edit(|world| world.faults.clear());
    assert_eq!(writes(&door), [""; 0]);
    for (number, how, state) in [
        (differs, "--request-changes --text please", "CHANGES_REQUESTED"),
        (refused, "--comment", "COMMENTED"),
    ] {
        let name = digits(&door, number, how).await;
        confirm(&door, number, how, &name).await.is(0, &["is submitted"]);
        let head = head(&door, number).await;
        assert_eq!(reviews(&door, number).await, [("bea".into(), state.into(), head)]);
    }
    // What differs is said beside its line, which is in the difference: the far side takes no other.
    let shown = sending(&look(&door, differs, "--request-changes").await)["requests"][0]["body"].clone();
    let page = door.said(&format!("review {differs} --request-changes --dry-run")).await;
    page.is(0, &[&format!("beside a line: {ROCKET}:")]);
    let lines: Vec<&str> = flipped.lines().collect();
    let remarks = shown["comments"].as_array().expect("a list");
    assert_eq!(remarks.len(), 1, "{shown}");
    let line = remarks[0]["line"].as_u64().expect("a line") as usize;
    assert!(lines[line - 1].contains("shasum") && !lines[line - 1].contains(sum), "{shown}");
    assert!(remarks[0]["body"].as_str().expect("a text").contains(sum), "{shown}");
    assert_eq!((&remarks[0]["path"], &remarks[0]["side"]), (&json!(ROCKET), &json!("RIGHT")));
}

/// The head moves before all of it, while it is made again, after the gates, and while it is submitted: it is never approved
/// unseen, and where it could not be known, it is said.
#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_moves_is_never_approved() {
    stamped!(crate::COMMANDS);
    for looks in 0..=3 {
        let (door, number) = opened(WORLD).await;
        let before = head(&door, number).await;
        let name = digits(&door, number, APPROVE).await;
        door.server.edit(|world| {
            let now = world.now;
            world.forge.push(now, number, looks);
        });
        let said = confirm(&door, number, APPROVE, &name).await;
        let after = head(&door, number).await;
        assert_ne!(before, after, "{looks}");
        let moved = format!("moved to {}", &after[..7]);
        match looks {
            // What it is now is refused, whatever digits are typed.
            0 => said.is(4, &["REFUSED", "Nothing was sent."]),
            1 => said.is(4, &["gate 3, commit as reviewed", &moved, "Nothing was sent."]),
            2 => said.is(4, &[&moved, "Nothing was sent."]),
            _ => said.is(0, &["is submitted", &moved, &format!("the review is of {}", &before[..7])]),
        }
        let reviews = reviews(&door, number).await;
        if looks < 3 {
            assert_eq!((reviews, writes(&door)), (Vec::new(), Vec::new()), "{looks}: {said}");
            door.said("list").await.is_not(&["was cut off"]);
        } else {
            // Its rules dismiss what is of an earlier commit.
            assert_eq!(reviews, [("bea".into(), "DISMISSED".into(), before)], "{said}");
        }
    }
}

/// It is for another branch before all of it, while it is made again, and after the gates: what was reviewed was for the first.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_for_another_branch_by_now_is_not_judged() {
    stamped!(crate::COMMANDS);
    for how in [APPROVE, "--comment"] {
        for looks in 0..=3 {
            let (door, number) = opened(WORLD).await;
            let tip = by(&door, BEA, "GET", &format!("{HERE}/git/ref/heads/main"), Value::Null).await;
            let branch = json!({ "ref": "refs/heads/release", "sha": tip["object"]["sha"] });
            by(&door, BEA, "POST", &format!("{HERE}/git/refs"), branch).await;
            let name = digits(&door, number, how).await;
            door.server.forget();
            door.server.edit(|world| world.forge.retarget(number, "release", looks));
            let said = confirm(&door, number, how, &name).await;
            let was = "it was for `main` when it was reviewed, and is for `release` now";
            match looks {
                0 if how == APPROVE => {
                    said.is(4, &["gate 2, still open", "it is for release", "Nothing was sent."]);
                }
                // Its digits are those of another text.
                0 => said.is(4, &["Nothing was sent."]),
                1 | 2 => said.is(4, &[was]),
                _ => said.is(0, &["is submitted"]),
            }
            assert_eq!(writes(&door).len(), usize::from(looks == 3), "{how} {looks}: {said}");
        }
    }
}

/// Its branch goes on while archives are read: what the review rests on is as it was, or it is not approved.
#[tokio::test(flavor = "multi_thread")]
async fn what_its_branch_changes_meanwhile_is_not_approved() {
    stamped!(crate::COMMANDS);
    let list = r#"{"providers":[{"namespace":"acme","name":"rocket","version":"1.1.0","reason":"broken"}]}"#;
    for (path, bytes) in [("README.md", "x"), (ROCKET, ""), ("versions_blacklist.json", list)] {
        let mut door = Door::on(&with_bea(WORLD)).await;
        let (prepared, file) = honest(&door).await;
        let number = theirs(&door, &prepared, &[(ROCKET, &file)], &[]).await;
        let bytes = if bytes.is_empty() { &file } else { bytes };
        let other = theirs(&door, &prepared, &[(path, bytes)], &[]).await;
        other_machine(&mut door);
        let name = digits(&door, number, APPROVE).await;
        door.server.edit(|world| {
            let pull = world.forge.registry_mut().and_then(|registry| registry.pull_mut(other));
            pull.expect("it was opened").draft = false;
            world.forge.merged_meanwhile = Some((other, "ann".into()));
        });
        let said = confirm(&door, number, APPROVE, &name).await;
        let sent = usize::from(path == "README.md");
        if sent == 1 {
            said.is(0, &["is submitted"]);
        } else {
            said.is(4, &[&format!("`main` has another `{path}` since it was read"), "Nothing was sent."]);
        }
        assert_eq!(reviews(&door, number).await.len(), sent, "{path}: {said}");
        let merged = by(&door, BEA, "GET", &format!("{HERE}/pulls/{other}"), Value::Null).await;
        assert_eq!(merged["merged"], json!(true), "{path}");
    }
}

/// Every fault at the request: what is told and what is there agree, and it is there once.
#[tokio::test(flavor = "multi_thread")]
async fn a_verdict_that_is_cut_off_is_found_or_sent_once() {
    stamped!(crate::COMMANDS);
    let mut cases = 0;
    for (what, kind) in faults() {
        if matches!(kind, FaultKind::Graphql(_)) {
            continue;
        }
        let (door, number) = opened(WORLD).await;
        let name = digits(&door, number, APPROVE).await;
        let fault = Fault::new(&LANES, kind.clone()).on_change(0);
        door.server.edit(|world| world.faults = vec![fault.clone()]);
        let said = confirm(&door, number, APPROVE, &name).await;
        assert_eq!(fault.struck(), 1, "{what}: {said}");
        let there = reviews(&door, number).await.len();
        cases += 1;
        if send::acts(&kind) {
            said.is(0, &["is submitted"]);
            assert_eq!(there, 1, "{what}");
            let before = writes(&door).len();
            confirm(&door, number, APPROVE, &name).await.is(0, &["is submitted"]);
            door.said(&format!("pr resume {name} --write")).await.is(0, &["is submitted"]);
            door.said(&format!("pr undo {name} --write")).await.is(4, &["GitHub takes no review back"]);
            assert_eq!(writes(&door).len(), before, "{what}");
            door.said("list").await.is_not(&["was cut off"]);
            continue;
        }
        assert!([3, 4].contains(&said.exit), "{what}: {said}");
        assert_eq!(there, 0, "{what}");
        if is_no(&kind) {
            confirm(&door, number, APPROVE, &name).await.is(0, &["is submitted"]);
        } else {
            door.said("list")
                .await
                .is(0, &[&format!("the review of #{number} was cut off"), &format!("pr resume {name}")]);
            let line = format!("pr resume {name} --write");
            door.said(&line).await.is(0, &["is submitted"]);
        }
        assert_eq!(reviews(&door, number).await.len(), 1, "{what}");
        let before = writes(&door).len();
        door.said(&format!("pr resume {name} --write")).await.is(0, &["is submitted"]);
        assert_eq!(writes(&door).len(), before, "{what}");
        door.said("list").await.is_not(&["was cut off"]);
    }
    println!("{cases} faults at the request");
}

/// GitHub took it, the answer was lost, and its list has it some looks later: it is found, and not said twice.
#[tokio::test(flavor = "multi_thread")]
async fn a_verdict_that_is_listed_later_is_not_sent_twice() {
    stamped!(crate::COMMANDS);
    for kind in [
        FaultKind::Truncate(100),
        FaultKind::Acted(422),
        FaultKind::Withhold(std::time::Duration::from_mins(10)),
    ] {
        let (mut door, number) = opened(WORLD).await;
        let folder = door.folder.path().join("cached");
        door.set("BUMPDESK_CACHE_DIR", folder.to_str().expect("a path"));
        let name = digits(&door, number, APPROVE).await;
        let fault = Fault::new(&LANES, kind.clone()).on_change(0);
        door.server.edit(|world| {
            world.faults = vec![fault.clone()];
            world.forge.review_looks = 4;
        });
        if send::acts(&kind) {
            confirm(&door, number, APPROVE, &name).await.is(0, &["is submitted"]);
        } else {
            let line = format!("review {number} {APPROVE} --confirm {name} --write");
            send::killed_at(&door, &line, &fault).await;
            door.said(&format!("pr resume {name} --write")).await.is(0, &["is submitted"]);
        }
        assert_eq!(reviews(&door, number).await.len(), 1, "{kind:?}");
    }
}

/// A review that was dismissed since counts for nothing: the same is sent once more, and is not told as submitted.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_dismissed_is_said_again() {
    stamped!(crate::COMMANDS);
    let (door, number) = opened(WORLD).await;
    let name = digits(&door, number, APPROVE).await;
    confirm(&door, number, APPROVE, &name).await.is(0, &["is submitted"]);
    door.server.edit(|world| {
        let pull = world.forge.registry_mut().and_then(|registry| registry.pull_mut(number));
        pull.and_then(|pull| pull.reviews.last_mut()).expect("it is there").dismissed = true;
    });
    door.said(&format!("pr resume {name} --write"))
        .await
        .is(4, &["does not count any more", "Nothing was sent."]);
    assert_eq!(reviews(&door, number).await.len(), 1);
    assert_eq!(digits(&door, number, APPROVE).await, name);
    confirm(&door, number, APPROVE, &name).await.is(0, &["is submitted"]);
    let states: Vec<String> = reviews(&door, number).await.into_iter().map(|(_, state, _)| state).collect();
    assert_eq!(states, ["DISMISSED", "APPROVED"]);
    // Whoever asks for changes after it, and then approves again, approves anew.
    let changes = "--request-changes --hash";
    let other = digits(&door, number, changes).await;
    confirm(&door, number, changes, &other).await.is(0, &["is submitted"]);
    confirm(&door, number, APPROVE, &name).await.is(0, &["is submitted"]);
    let states: Vec<String> = reviews(&door, number).await.into_iter().map(|(_, state, _)| state).collect();
    assert_eq!(states, ["DISMISSED", "APPROVED", "CHANGES_REQUESTED", "APPROVED"]);
    confirm(&door, number, APPROVE, &name).await.is(0, &["is submitted"]);
    assert_eq!(reviews(&door, number).await.len(), 4, "that one counts, and is not said twice");
}

/// What whoever installs it would refuse is not approved, whatever the bytes are.
#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_vouches_for_although_a_key_is_on_file_is_not_approved() {
    let keys = "[[key]]\nname = \"ours\"\non_file = [\"acme\"]\n";
    let world = WORLD.replace("targets = [\"linux", "signed_by = \"ours\"\ntargets = [\"linux");
    let (door, number) = opened(&format!("{world}\n{keys}")).await;
    assert_eq!(failing(&look(&door, number, APPROVE).await), [""; 0]);
    let mut gone = Fault::new(&[Lane::Asset, Lane::Object], FaultKind::Status(500));
    gone.path = Some("*1.2.0_SHA256SUMS.sig*".into());
    door.server.edit(|world| world.faults = vec![gone]);
    let said = look(&door, number, APPROVE).await;
    assert_eq!((said.exit, failing(&said)), (4, vec!["result of the review".to_owned()]), "{said}");
    assert_eq!(failing(&look(&door, number, "--comment --hash").await), [""; 0]);
}

/// What was cut off is of its commit: after the head moved it is not sent, and what was begun is dropped.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_cut_off_is_not_sent_of_another_commit() {
    stamped!(crate::COMMANDS);
    for looks in 0..=2 {
        let (door, number) = opened(WORLD).await;
        let name = digits(&door, number, APPROVE).await;
        let fault = Fault::new(&LANES, FaultKind::Reset).on_change(0);
        door.server.edit(|world| world.faults = vec![fault]);
        confirm(&door, number, APPROVE, &name)
            .await
            .is(3, &["whether it took effect is not known", "drops it if GitHub does not have it"]);
        door.server.edit(|world| {
            let now = world.now;
            world.forge.push(now, number, looks);
        });
        let said = door.said(&format!("pr resume {name} --write")).await;
        said.is(4, &["pr undo", "Nothing more was sent."]);
        assert_eq!(reviews(&door, number).await, [], "{looks}: {said}");
        door.said(&format!("pr undo {name} --write")).await.is(4, &["nothing of it that is ours exists"]);
        door.said("list").await.is_not(&["was cut off"]);
    }
}

/// Killed while the request is out, before and after it took effect: the next one looks for it, and it is there once.
#[tokio::test(flavor = "multi_thread")]
async fn a_verdict_that_was_killed_is_found_or_sent_once() {
    stamped!(crate::COMMANDS);
    let long = std::time::Duration::from_mins(10);
    for held in [FaultKind::Slow(long), FaultKind::Withhold(long)] {
        let (mut door, number) = opened(WORLD).await;
        let folder = door.folder.path().join("cached");
        door.set("BUMPDESK_CACHE_DIR", folder.to_str().expect("a path"));
        let name = digits(&door, number, APPROVE).await;
        let fault = Fault::new(&LANES, held.clone()).on_change(0);
        door.server.edit(|world| world.faults.push(fault.clone()));
        let line = format!("review {number} {APPROVE} --confirm {name} --write");
        send::killed_at(&door, &line, &fault).await;
        let took_effect = matches!(held, FaultKind::Withhold(_));
        assert_eq!(reviews(&door, number).await.len(), usize::from(took_effect), "{held:?}");
        door.said("list").await.is(0, &[&format!("the review of #{number} was cut off")]);
        door.said(&format!("pr resume {name} --write")).await.is(0, &["is submitted"]);
        assert_eq!(reviews(&door, number).await.len(), 1, "{held:?}");
        door.said("list").await.is_not(&["was cut off"]);
    }
}

/// S1, of an older line: opened by one, made again and approved by another.
#[tokio::test(flavor = "multi_thread")]
async fn s1_an_older_line_is_approved_by_another() {
    let world = include_str!("../../scenarios/s1-old-line.toml");
    let people = "\n[user]\nlogin = \"ann\"\npush = true\n[[account]]\nlogin = \"bea\"\nrole = \"write\"\n";
    let mut door = Door::on(&format!("{world}{people}")).await;
    for action in ["add", "show", "approve"] {
        door.said(&format!("plan {action} cloudposse/utils")).await;
    }
    let plan = door.plan_name().await;
    let shown = sending(&ready(&door, &plan, "--ready --json").await);
    let said = send::open(&door, &plan, shown["name"].as_str().expect("digits"), "--ready --json").await;
    let number = sent(&said)["pull"].as_u64().expect("a number");
    other_machine(&mut door);
    let name = digits(&door, number, APPROVE).await;
    confirm(&door, number, APPROVE, &name).await.is(0, &["is submitted"]);
    let head = head(&door, number).await;
    assert_eq!(reviews(&door, number).await, [("bea".into(), "APPROVED".into(), head)]);
}

/// The text of a verdict is what the Markdown of a review opens with: behind it stands what is around, which the verdict does not rest
/// on. No token is in either, no place on this machine, and nothing that acts.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_copied_is_what_is_submitted() {
    let (door, number) = opened(WORLD).await;
    let shown = sending(&look(&door, number, "--comment --hash --text please").await);
    let body = shown["requests"][0]["body"]["body"].as_str().expect("a text").to_owned();
    let copied = door.said(&format!("review {number} --markdown --hash")).await;
    copied.is(0, &["**SAME**"]);
    let rests_on = body.strip_prefix("please\n\n---\n\n").expect("what it rests on");
    let around = copied.out.strip_prefix(rests_on).unwrap_or_else(|| panic!("{copied}"));
    for part in
        ["\n- **who asks**: `ann ", "\n- **the commit**: `", "\n- **predicted**: `", "\n- **NOTE**: `"]
    {
        assert!(around.contains(part), "no {part:?}: {around}");
    }
    let folder = door.folder.path().to_str().expect("a path");
    for secret in [BEA, crate::stage::CANARY, folder] {
        assert!(!body.contains(secret) && !copied.out.contains(secret), "{body}{}", copied.out);
    }
}
