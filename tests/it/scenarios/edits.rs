//! Edits as plans: S4, S5, S6 and S7 of the stories (`tests/scenarios/stories.md`) as far as they end in a pull request or a refusal.

use serde_json::Value;

use super::pull::{colleague, ready, send, sending, writes};
use super::scene::{after, before, same};
use super::send::{clone, git, open};
use crate::door::Door;

/// A world whose token may push.
pub(super) fn pushing(text: &str) -> String {
    format!("{text}\n[user]\nlogin = \"ann\"\npush = true\n")
}

/// Looks at all of an entry's file and approves it; the plan's name.
pub(super) async fn approve(door: &Door, addresses: &str) -> String {
    door.said(&format!("plan show {addresses}")).await.is(0, &[]);
    door.said(&format!("plan approve {addresses}")).await.is(0, &[]);
    door.plan_name().await
}

/// The files of the one commit that a sending makes, by path.
pub(super) fn files(sending: &Value) -> Vec<(String, String)> {
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

/// Has the program send it; the paths that git then finds changed, each with the bytes of the sending, in one commit.
async fn found_by_git(door: &Door, plan: &str, sending: &Value, more: &str) -> Vec<String> {
    open(door, plan, sending["name"].as_str().expect("digits"), more).await.is(0, &["pull request #"]);
    let branch = sending["requests"][0]["body"]["ref"].as_str().expect("a ref");
    let there = clone(door, "opentofu", branch.trim_start_matches("refs/heads/"));
    assert_eq!(git(&there, &["rev-list", "--count", "origin/main..HEAD"]), "1\n");
    for (path, text) in files(sending) {
        same(&std::fs::read_to_string(there.path().join(&path)).expect("a file"), &text, &path);
    }
    let changed = git(&there, &["diff", "--name-only", "origin/main", "HEAD"]);
    changed.lines().map(str::to_owned).collect()
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
    let evidence = told["evidence"].as_str().unwrap();
    assert!(
        evidence.starts_with("beside what this does, the check will also show 1 new version: "),
        "{told}"
    );
    assert!(evidence.contains("upstream offers 1 version (1.58.0)"), "{told}");
    let sending = sending(&said);
    let files = files(&sending);
    let [(path, new)] = &files[..] else { panic!("{files:?}") };
    assert_eq!(path, AUTH0);
    let start = old.find(",\n  \"versions_errors\"").expect("records");
    same(new, &format!("{}\n}}", &old[..start]), AUTH0);
    let title = sending["requests"][2]["body"]["title"].as_str().unwrap();
    assert_eq!(title, "Clear recorded errors of auth0/auth0 1.58.0");
    assert_eq!(found_by_git(&door, &plan, &sending, "").await, [AUTH0]);
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
                 targets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\nWARNINGS\n\
                 [[provider]]\naddress = \"umbrella/rocket\"\ntargets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\n";
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

/// Whether anybody made a branch or a pull request in the world: what was asked for, and what is there.
pub(crate) async fn is_untouched_upstream(door: &Door) {
    assert_eq!(writes(door), [""; 0]);
    for (what, usual) in [("git/matching-refs/heads/", 1), ("pulls?state=all", 0)] {
        let there = colleague(door, "GET", &format!("/repos/opentofu/registry/{what}"), Value::Null).await;
        let there = there.as_array().expect("a list");
        assert_eq!(there.len(), usual, "{what}: {there:?}");
        assert!(there.iter().all(|one| one["ref"] == "refs/heads/main"), "{what}: {there:?}");
    }
    door.is_untouched();
}

#[tokio::test(flavor = "multi_thread")]
async fn s5_an_ordinary_reason_ends_in_a_reply_and_nothing_else() {
    let door = Door::on(&pushing(include_str!("../../scenarios/s5-recreated.toml"))).await;
    let tip = colleague(&door, "GET", "/repos/opentofu/registry/git/ref/heads/main", Value::Null).await;
    let tip = tip["object"]["sha"].as_str().expect("an id").to_owned();
    for (reason, rule) in [
        ("double-publish", "for reasons such as this one: a release was built and published more than once"),
        ("bug", "for reasons such as this one: a bug, a regression or a mistake was found after the release"),
        (
            "change-of-mind",
            "for reasons such as this one: its author has changed their mind about the release",
        ),
    ] {
        // What an exceptional reason needs makes none of an ordinary one.
        for more in ["", " --announcement https://example.com/a --issue 7"] {
            let said =
                door.said(&format!("plan remove coralogix/coralogix@3.14.1 --because {reason}{more}")).await;
            said.is(
                4,
                &[
                    rule,
                    &format!("(https://github.com/opentofu/registry/blob/{tip}/POLICY.md#version-immutability) as of `"),
                    "`3.14.2` is indexed and can be used instead: all 13 targets",
                    "`coralogix/coralogix`: 13 of 13 targets differ. Upstream is consistent",
                    "the archives were uploaded 2 h 20 min after it was indexed",
                    "indexed 2026-11-01 09:15Z; last upload of an archive 2026-11-01 11:35Z",
                    "nothing was planned",
                ],
            );
            assert_eq!(said.out.matches("| `3.14.1` | `").count(), 13, "{said}");
            assert!(
                said.out
                    .lines()
                    .filter(|line| line.starts_with("| `3.14.1`"))
                    .all(|line| line.ends_with("| no |"))
            );
        }
    }
    let said = door.said("plan remove coralogix/coralogix@3.14.1 --because bug --json").await;
    assert_eq!(said.exit, 4, "{said}");
    let reply = said.object("reply", "coralogix/coralogix");
    assert_eq!(
        (&reply["reason"], &reply["differing"], &reply["targets"]),
        (&"bug".into(), &13.into(), &13.into())
    );
    assert_eq!(reply["newer"]["version"], "3.14.2");
    assert!(reply["markdown"].as_str().unwrap().starts_with("Thank you for the report."));
    door.said("plan show").await.is(0, &["the plan is empty"]);
    door.said("plan remove coralogix/coralogix@9.9.9 --because bug")
        .await
        .is(2, &["9.9.9 of coralogix/coralogix is not indexed"]);
    is_untouched_upstream(&door).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exceptional_reason_without_its_announcement_plans_nothing() {
    let door = Door::on(include_str!("../../scenarios/s6-withdrawn.toml")).await;
    let remove = "plan remove hashicorp/aws@6.57.0 --because extreme-disruption";
    for (more, why) in [
        ("", "an exceptional reason needs the address of its announcement"),
        (" --announcement https://example.com/a", "an exceptional reason needs the number of the issue"),
        (
            " --announcement example.com/a --issue 7",
            "the announcement is an address that begins with `https://`",
        ),
    ] {
        door.said(&format!("{remove}{more}")).await.is(2, &[why]);
    }
    door.said("plan remove hashicorp/aws@6.57.0 --because sideways")
        .await
        .is(2, &["known reasons: malicious-code"]);
    let said = door
        .said(&format!(
            "{} --announcement https://example.com/a --issue 7",
            remove.replace("6.57.0", "9.9.9")
        ))
        .await;
    said.is(4, &["9.9.9: it is not indexed, so it cannot be removed"]);
    door.said("plan show").await.is(0, &["the plan is empty"]);
    is_untouched_upstream(&door).await;
}

pub(super) const AWS: [&str; 2] = ["providers/h/hashicorp/aws.json", "providers/o/opentofu/aws.json"];
pub(super) const BLACKLIST: &str = "versions_blacklist.json";

/// A provider's file without one version, by its text.
pub(super) fn without(file: &str, version: &str, next: &str) -> String {
    let at =
        |version: &str| file.find(&format!("    {{\n      \"version\": \"{version}\"")).expect("a version");
    format!("{}{}", &file[..at(version)], &file[at(next)..])
}

#[tokio::test(flavor = "multi_thread")]
async fn s6_a_withdrawn_version_goes_from_both_twins_and_stays_away() {
    let door = Door::on(include_str!("../../scenarios/s6-withdrawn.toml")).await;
    let old: Vec<String> = AWS.iter().map(|path| door.read(path)).collect();
    let list = door.read(BLACKLIST);
    let url = "https://example.com/49181";
    let said = door
        .said(&format!(
            "plan remove hashicorp/aws@6.57.0 --because extreme-disruption --announcement {url} --issue 4812"
        ))
        .await;
    said.is(
        0,
        &[
            "a plain removal would be re-added by the next bump",
            "hashicorp/aws  - REMOVES  TO REVIEW",
            "opentofu/aws  - REMOVES  TO REVIEW",
            "6.57.0 removed",
            "blacklist: versions that no bump adds from then on: hashicorp/aws 6.57.0, opentofu/aws 6.57.0",
        ],
    );
    door.said("plan approve hashicorp/aws").await.is(4, &["1 version and the blacklist left to look at"]);
    door.said("plan show hashicorp/aws")
        .await
        .is(0, &["+      \"namespace\": \"hashicorp\",", "--- a/versions_blacklist.json"]);
    let plan = approve(&door, "hashicorp/aws opentofu/aws").await;
    // A removal without its blacklist entry is not sent.
    door.said("plan reject opentofu/aws@blacklist")
        .await
        .is(0, &["HELD", "would be re-added by the next bump"]);
    door.said("plan approve opentofu/aws@blacklist").await.is(0, &[]);
    assert_eq!(door.plan_name().await, plan);

    let said = ready(&door, &plan, "--ready --json").await;
    assert_eq!(said.exit, 0, "{said}");
    let told = gate(&said, 5);
    assert_eq!(told["state"], "note");
    assert_eq!(
        told["evidence"],
        "hashicorp/aws 6.57.0 is removed: Extreme disruption, issue #4812; opentofu/aws 6.57.0 is removed: Extreme \
         disruption, issue #4812; needs two approvals"
    );
    let told = gate(&said, 8);
    assert_eq!(told["state"], "note");
    let evidence = told["evidence"].as_str().unwrap();
    assert!(
        evidence.contains("upstream still offers 1 version (6.57.0), removed here on purpose"),
        "{evidence}"
    );
    let sending = sending(&said);
    assert!(sending["comment"].as_str().unwrap().contains("This check is expected to fail"));
    // Exactly both files and the blacklist, and in them exactly the one version.
    let files = files(&sending);
    let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, [AWS[0], AWS[1], BLACKLIST]);
    for place in 0..2 {
        same(&files[place].1, &without(&old[place], "6.57.0", "6.56.0"), AWS[place]);
    }
    let entry = |namespace: &str| {
        format!(
            "    {{\n      \"namespace\": \"{namespace}\",\n      \"name\": \"aws\",\n      \"version\": \"6.57.0\",\n      \
             \"reason\": \"Extreme disruption - see {url}\"\n    }},\n"
        )
    };
    let start = list.find("    {").expect("an entry");
    let wanted = [&list[..start], &entry("hashicorp"), &entry("opentofu"), &list[start..]].concat();
    same(&files[2].1, &wanted, BLACKLIST);
    let pull = &sending["requests"][2]["body"];
    assert_eq!(
        (&pull["draft"], &pull["title"]),
        (&true.into(), &"Remove hashicorp/aws and opentofu/aws 6.57.0".into())
    );
    let body = pull["body"].as_str().unwrap();
    for wanted in [
        "**Needs two approvals.**",
        "Fixes #4812",
        url,
        "extreme disruption",
        "\"path\":\"versions_blacklist.json\"",
    ] {
        assert!(body.contains(wanted), "{wanted}: {body}");
    }
    assert_eq!(sending["requests"][3]["body"]["labels"], serde_json::json!(["needs-two-approvals"]));
    let patch = ready(&door, &plan, "--patch").await;
    assert_eq!(patch.out.matches("\ndiff --git ").count(), 3, "{patch}");

    let commit = send(&door, &sending).await;
    let runs = colleague(
        &door,
        "GET",
        &format!("/repos/opentofu/registry/commits/{commit}/check-runs"),
        Value::Null,
    )
    .await;
    let run = runs["check_runs"].as_array().into_iter().flatten().find(|run| run["name"] == "Verify PR JSON");
    assert_eq!(run.expect("the check")["conclusion"], "failure", "as foretold");

    // After the merge the next bump leaves it out; without the blacklist it is back.
    for (path, text) in &files {
        door.put(path, text.as_bytes());
    }
    door.said("bump hashicorp/aws opentofu/aws").await.is(0, &[]);
    for place in 0..2 {
        assert_eq!(door.read(AWS[place]), files[place].1);
    }
    // What is done leaves the plan.
    let said = door.said("plan rebuild").await;
    said.is(
        0,
        &[
            "`hashicorp/aws` leaves the plan, nothing would change: 6.57.0: it is not indexed",
            "the plan is empty",
        ],
    );
    door.put(BLACKLIST, list.as_bytes());
    door.said("bump hashicorp/aws opentofu/aws").await.is(0, &[]);
    for path in AWS {
        assert!(door.read(path).contains("\"version\": \"6.57.0\""), "{path}");
    }
}

/// The same through the program's own sending, with git as the witness.
#[tokio::test(flavor = "multi_thread")]
async fn s6_git_finds_both_files_and_the_blacklist_and_nothing_else() {
    let door = Door::on(include_str!("../../scenarios/s6-withdrawn.toml")).await;
    let remove = "plan remove opentofu/aws@6.57.0 --because extreme-disruption --announcement https://example.com/a --issue 7";
    door.said(remove).await.is(0, &[]);
    let plan = approve(&door, "hashicorp/aws opentofu/aws").await;
    let sending = sending(&ready(&door, &plan, "--json").await);
    assert_eq!(found_by_git(&door, &plan, &sending, "").await, [AWS[0], AWS[1], BLACKLIST]);
    let pulls = colleague(&door, "GET", "/repos/opentofu/registry/pulls?state=open", Value::Null).await;
    assert_eq!(
        (&pulls[0]["draft"], &pulls[0]["labels"][0]["name"]),
        (&true.into(), &"needs-two-approvals".into())
    );
}

pub(super) const CODER: &str = "providers/c/coder/coder.json";

#[tokio::test(flavor = "multi_thread")]
async fn s7_a_removal_stops_at_what_else_the_check_will_show() {
    let door = Door::on(&pushing(before(include_str!("../../scenarios/s7-deleted-tag.toml")))).await;
    let old = door.read(CODER);
    door.said("plan remove coder/coder@3.0.0 --because change-of-mind").await.is(4, &["nothing was planned"]);
    let said = door
        .said("plan remove coder/coder@3.0.0 --because leaked-secret --announcement https://example.com/a --issue 30")
        .await;
    said.is(0, &["its tag is gone upstream; with its entry on the blacklist the next bump leaves it out"]);
    let plan = approve(&door, "coder/coder").await;
    let said = ready(&door, &plan, "--json").await;
    assert_eq!(said.exit, 4, "{said}");
    let told = gate(&said, 8);
    let evidence = told["evidence"].as_str().unwrap();
    assert!(
        evidence
            .starts_with("beside what this does, the check will also show 1 drifted and 2 new versions: "),
        "{evidence}"
    );
    assert!(told["remedy"].as_str().unwrap().contains("--acknowledge-drift"), "{told}");
    let question = sending(&said)["question"].as_str().unwrap().to_owned();
    assert!(question.contains("The archives of `coder/coder` `2.18.0-pre0` differ from those"), "{question}");
    is_untouched_upstream(&door).await;

    let said = ready(&door, &plan, "--acknowledge-drift --json").await;
    assert_eq!((said.exit, gate(&said, 8)["state"].as_str()), (0, Some("note")), "{said}");
    let sending = sending(&said);
    let files = files(&sending);
    let [(path, new), (listed, list)] = &files[..] else { panic!("{files:?}") };
    assert_eq!((path.as_str(), listed.as_str()), (CODER, BLACKLIST));
    same(new, &without(&old, "3.0.0", "2.18.0"), CODER);
    assert_eq!(list.matches("\"version\"").count(), 1, "{list}");
    assert!(
        list.contains("\"version\": \"3.0.0\"") && list.contains("Leaked secret - see https://example.com/a")
    );
    open(&door, &plan, sending["name"].as_str().expect("digits"), "")
        .await
        .is(4, &["gate 8", "--acknowledge-drift"]);
    is_untouched_upstream(&door).await;
    assert_eq!(found_by_git(&door, &plan, &sending, "--acknowledge-drift").await, [CODER, BLACKLIST]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_that_is_not_indexed_is_kept_out_by_the_blacklist_alone() {
    let world = "clock = \"2026-11-21T12:00:00Z\"\n[[provider]]\naddress = \"acme/rocket\"\ntargets = [\"linux_amd64\"]\n\
                 stored = [\"1.0.0\"]\nreleases = [\"v2.0.0-test\"]\n";
    let door = Door::on(&pushing(world)).await;
    door.run(&["plan", "block", "acme/rocket@1.0.0", "--because", "x"])
        .await
        .is(4, &["1.0.0: it is indexed"]);
    let said =
        door.run(&["plan", "block", "acme/rocket@v2.0.0-test", "--because", "published by accident"]).await;
    said.is(0, &["2.0.0-test: the next bump leaves it out", "acme/rocket  + ADDITIVE  TO REVIEW"]);
    let plan = approve(&door, "acme/rocket").await;
    let said = ready(&door, &plan, "--json").await;
    assert_eq!(said.exit, 0, "{said}");
    let files = files(&sending(&said));
    let [(path, list)] = &files[..] else { panic!("{files:?}") };
    assert_eq!(path, BLACKLIST);
    assert!(
        list.contains("\"version\": \"2.0.0-test\",\n      \"reason\": \"published by accident\""),
        "{list}"
    );
    door.put(BLACKLIST, list.as_bytes());
    let old = door.read("providers/a/acme/rocket.json");
    door.said("bump acme/rocket").await.is(0, &[]);
    assert_eq!(door.read("providers/a/acme/rocket.json"), old);
    door.run(&["plan", "block", "acme/rocket@2.0.0-test", "--because", "x"])
        .await
        .is(4, &["it is on the blacklist already"]);
}

/// Of a repository that is gone nothing can be made: that holds up no warning about it, and the check is told to fail.
#[tokio::test(flavor = "multi_thread")]
async fn a_warning_about_a_repository_that_is_gone() {
    let world = "clock = \"2026-11-21T12:00:00Z\"\n[[provider]]\naddress = \"acme/rocket\"\ntargets = [\"linux_amd64\"]\n\
                 stored = [\"1.0.0\"]\nrepository = { deleted = true }\n\
                 [[provider]]\naddress = \"umbrella/rocket\"\ntargets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\n";
    let door = Door::on(&pushing(world)).await;
    door.said("plan warn acme/rocket --moved-to umbrella/rocket").await.is(0, &[]);
    let plan = approve(&door, "acme/rocket").await;
    let said = ready(&door, &plan, "").await;
    said.is(0, &["the required check fails: upstream's repository is gone"]);
}

/// The entries on the blacklist are both twins', and so each part of a plan by letter has both of them, or neither.
#[tokio::test(flavor = "multi_thread")]
async fn twins_are_sent_with_one_letter() {
    let door = Door::on(include_str!("../../scenarios/s6-withdrawn.toml")).await;
    door.said(
        "plan remove hashicorp/aws@6.57.0 --because extreme-disruption --announcement https://example.com/1 --issue 7",
    )
    .await
    .is(0, &[]);
    let plan = approve(&door, "hashicorp/aws opentofu/aws").await;
    let of_o = ready(&door, &plan, "--letter o").await;
    of_o.is(2, &["no file of the plan is sent with the letter `o`"]);
    let of_h = ready(&door, &plan, "--letter h --json").await;
    assert_eq!(of_h.exit, 0, "{of_h}");
    let files = files(&sending(&of_h));
    let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, [AWS[0], AWS[1], BLACKLIST]);
    assert_eq!(files[2].1.matches("\"version\": \"6.57.0\"").count(), 2);
}
