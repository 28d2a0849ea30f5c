//! A pull request after it was opened: followed from draft to the bump after its merge, through the world's colleague, who goes by
//! looks and not by the clock.

use demo::fault::{Fault, FaultKind, Lane};
use serde_json::{Value, json};

use crate::door::{Door, Output};
use crate::scenarios::pull;

/// The colleague of the world; the module is what the next bump finds.
pub(crate) const COLLEAGUE: &str = r#"
[[module]]
address = "acme/zone/aws"
stored = ["v1.0.0"]
tags = ["v1.1.0"]
[colleague]
login = "sol"
review_after = 1
merge_after = 1
bump_after = 1
[limits]
check_looks = 2
"#;
const HERE: &str = "/repos/opentofu/registry";
const ROCKET: &str = "providers/a/acme/rocket.json";

/// A world in which a pull request of both entries is open; its commit. The first of a world has the number 5600.
async fn opened(more: &str, options: &str) -> (Door, String) {
    let door = Door::on(&format!("{}{more}", pull::WORLD)).await;
    door.looks_often();
    let plan = pull::approved(&door).await;
    let said = pull::ready(&door, &plan, &format!("{options} --json")).await;
    let commit = pull::send(&door, &pull::sending(&said)).await;
    (door, commit)
}

fn pulls(said: &Output) -> Vec<Value> {
    said.objects().into_iter().filter(|object| object["type"] == "pull").collect()
}

/// State, how many checks passed, who reviewed how, and what it waits for first.
fn course(said: &Output) -> Vec<String> {
    let told = pulls(said).into_iter().map(|pull| {
        let list = |name: &str| pull[name].as_array().cloned().unwrap_or_default();
        let passed = list("checks").iter().filter(|check| check["state"] == "passed").count();
        let reviews: Vec<String> =
            list("reviews").iter().map(|one| format!("{} {}", one["author"], one["state"])).collect();
        let waits = list("waits");
        format!("{} {passed} {} {}", pull["state"], reviews.join(" "), waits.first().unwrap_or(&Value::Null))
            .replace('"', "")
    });
    told.collect()
}

fn refuse(door: &Door, path: &str) {
    let mut fault = Fault::new(&[Lane::Rest], FaultKind::Status(403));
    fault.path = Some(path.to_owned());
    door.server.edit(|world| world.faults.push(fault));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pull_request_is_followed_to_the_bump_after_its_merge() {
    let (door, _) = opened(COLLEAGUE, "").await;
    let said = door.said("pr watch 5600 --json").await;
    assert_eq!(said.exit, 0, "{said}");
    let wanted = [
        "draft 1  1 check to end",
        "draft 2  its author to mark it ready",
        "open 2 sol approved a maintainer to merge it",
        "merged 2 sol approved the next bump",
        "merged 2 sol approved null",
    ];
    // What a look finds running or queued is the same count.
    let mut course = course(&said);
    course.dedup();
    assert_eq!(course, wanted, "{said}");
    let last = pulls(&said).pop().expect("a pull request");
    assert_eq!((&last["over"], &last["after"]["kept"]), (&json!(true), &json!(true)), "{last}");
    assert_eq!((&last["after"]["letters"], &last["merged"]["by"]), (&json!(["a"]), &json!("sol")));
    assert_eq!(last["after"]["run_ended"], true);
    let steps = last["steps"].as_array().expect("steps");
    let is_done = |step: &&Value| step["state"] == "done";
    assert_eq!((steps.len(), steps.iter().filter(is_done).count()), (5, 5), "{last}");
    assert_eq!((&steps[0]["at"], &steps[3]["at"]), (&last["opened"], &last["merged"]["at"]), "{last}");
    assert!(last["opened"].is_string() && last["merged"]["at"].is_string(), "{last}");
    let files = last["after"]["files"].as_array().expect("files");
    assert_eq!((files.len(), &files[1]["path"], &files[1]["kept"]), (2, &json!(ROCKET), &json!(true)));
    // What git has says the same.
    let (merged, main) =
        (last["merged"]["commit"].as_str().unwrap(), last["after"]["main"].as_str().unwrap());
    let at = async |commit: &str| {
        let target = format!("{HERE}/contents/{ROCKET}?ref={commit}");
        pull::colleague(&door, "GET", &target, Value::Null).await["sha"].clone()
    };
    assert!(merged != main && at(merged).await == at(main).await);
    let text = door.said("pr watch 5600").await;
    text.is(
        0,
        &[
            "(merged)",
            "steps: opened: done 20",
            "; in the registry: done",
            "by ann",
            "its 2 files are unchanged after a bump run over all namespaces",
        ],
    );
}

/// A bump of another letter says nothing of the file, and a run that began before the merge says nothing either.
#[tokio::test(flavor = "multi_thread")]
async fn it_waits_for_a_bump_of_the_letters_of_its_files() {
    let (door, _) = opened(&COLLEAGUE.replace("bump_after = 1\n", ""), "").await;
    door.server.edit(|world| world.forge.begin_bump(world.now));
    let merged =
        async || pulls(&door.said("pr watch 5600 --once --json").await).pop().expect("a pull request");
    while merged().await["state"] != "merged" {}
    let bump = |path: &str| {
        let change = (path.to_owned(), Some("{}".into()));
        door.server.edit(|world| world.forge.bump(world.now, [change]));
    };
    let look = async |wanted: &str| {
        let said = door.said("pr watch 5600 --once").await;
        said.is(0, &[wanted]);
    };
    // What that run has read was not merged yet, wherever its commits come to lie.
    bump("modules/a/acme/net/aws.json");
    bump("modules/u/union/net/aws.json");
    look("merged by sol, waits for the next bump").await;
    door.server.edit(|world| world.forge.end_bumps());
    look("merged by sol, waits for the next bump").await;
    door.server.edit(|world| world.forge.begin_bump(world.now));
    look("merged by sol, waits for the next bump").await;
    bump("modules/n/north/vpc/aws.json");
    look("merged by sol, waits for the next bump of a, u").await;
    bump("modules/u/union/vpc/aws.json");
    look("merged by sol, waits for the next bump of a").await;
    bump("modules/a/acme/vpc/aws.json");
    look(" after the bump ").await;
    // Who may not see the runs is told that they were not read.
    refuse(&door, &format!("{HERE}/actions/*"));
    look("(whether its run began after the merge could not be read)").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bump_that_rewrites_a_file_is_told_with_the_file() {
    let rewrites = COLLEAGUE.replace("bump_after = 1", "bump_after = 1\nbump_rewrites = true");
    let (door, _) = opened(&rewrites, "").await;
    let said = door.said("pr watch 5600").await;
    said.is(0, &["waits for the next bump", "2 of 2 files changed", &format!("changed since: {ROCKET}")]);
    let last = pulls(&door.said("pr watch 5600 --once --json").await).pop().expect("a pull request");
    assert_eq!((&last["over"], &last["after"]["kept"]), (&json!(true), &json!(false)), "{last}");
}

/// What cannot be read after the merge is not taken for fine, and whoever follows goes on until it can.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stumbles_is_asked_again() {
    let (door, _) = opened(COLLEAGUE, "").await;
    let mut fault = Fault::new(&[Lane::Rest], FaultKind::Status(500));
    fault.path = Some(format!("{HERE}/compare/*"));
    fault.times = Some(4);
    door.server.edit(|world| world.faults.push(fault));
    let said = door.said("pr watch 5600 --json").await;
    assert_eq!(said.exit, 0, "{said}");
    let pulls = pulls(&said);
    let unread = pulls.iter().find(|pull| pull["unknown"] != json!([])).unwrap_or_else(|| panic!("{said}"));
    assert!(unread["unknown"][0].as_str().unwrap().starts_with("what came after the merge ("), "{unread}");
    assert_eq!((&unread["over"], &unread["after"]), (&json!(false), &json!(null)));
    assert_eq!(pulls.last().unwrap()["after"]["kept"], true, "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn requested_changes_are_waited_for_and_a_close_ends_it() {
    let refused = COLLEAGUE.replace("review_after = 1", "review_after = 0\nverdict = \"request-changes\"");
    let (door, _) = opened(&refused, "--ready").await;
    for _ in 0..3 {
        door.said("pr watch 5600 --once").await.is(0, &[]);
    }
    let said = door.said("pr watch 5600 --once").await;
    said.is(
        0,
        &["#5600 ", "(open)", "waits for the changes that sol requested and 1 more", "approvals: 0 of 1"],
    );
    pull::colleague(&door, "PATCH", &format!("{HERE}/pulls/5600"), json!({ "state": "closed" })).await;
    let said = door.said("pr watch 5600").await;
    said.is(0, &["(closed)", "closed without a merge"]);
    door.said("pr list").await.is(0, &["no open pull request has a branch that begins with `bumpdesk/`"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_check_runs_may_not_be_read_the_jobs_are_and_what_is_not_known_is_not_fine() {
    let (door, commit) = opened("", "--ready").await;
    let status = json!({ "context": "scan\u{1b}[31m", "state": "failure" });
    pull::colleague(&door, "POST", &format!("{HERE}/statuses/{commit}"), status).await;
    refuse(&door, &format!("{HERE}/commits/*/check-runs"));
    let said = door.said("pr watch 5600 --once").await;
    said.is(
        0,
        &[
            "Verify PR JSON passed",
            "read from: jobs of Actions, commit statuses; check runs may not be read with this token",
            "waits for a pass of scan [31m, which failed and 1 more",
        ],
    );
    assert!(!said.out.contains("DCO") && !said.out.contains('\u{1b}'), "{said}");
    refuse(&door, &format!("{HERE}/actions/*"));
    let said = door.said("pr watch 5600 --once").await;
    said.is(5, &["could not be read: jobs of Actions (not allowed (HTTP 403)"]);
    refuse(&door, &format!("{HERE}/rules/*"));
    refuse(&door, &format!("{HERE}/pulls/5600/reviews"));
    let said = door.said("pr list --json").await;
    assert_eq!(said.exit, 5, "{said}");
    let pull = pulls(&said).pop().expect("a pull request");
    assert_eq!(
        (&pull["reviews"], &pull["approvals"], &pull["approvals_needed"]),
        (&json!(null), &json!(null), &json!(null))
    );
    assert_eq!(pull["unknown"].as_array().map(Vec::len), Some(3), "{pull}");
    refuse(&door, &format!("{HERE}/pulls/5600"));
    door.said("pr list").await.is(5, &["#5600: not known now: not allowed (HTTP 403)"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_needs_a_second_approval_is_listed() {
    let colleague = COLLEAGUE.replace("merge_after = 1\nbump_after = 1\n", "");
    let colleague = format!("{colleague}[[account]]\nlogin = \"guest\"\ntoken = \"guest\"\n");
    let (door, commit) = opened(&colleague, "--ready --label needs-two-approvals").await;
    let title = json!({ "title": "\u{202e}odd\u{1b}[2J title" });
    pull::colleague(&door, "PATCH", &format!("{HERE}/pulls/5600"), title).await;
    for _ in 0..4 {
        door.said("pr watch 5600 --once").await.is(0, &[]);
    }
    let said = door.said("pr list").await;
    said.is(
        0,
        &[
            "#5600 \\u{202e}odd [2J title (open)",
            "waits for another approval (1 of 2)",
            "approvals: 1 of 2, two maintainers must approve it",
        ],
    );
    // An approval by somebody who may not push counts for nothing.
    let approval = json!({ "event": "APPROVE", "commit_id": commit });
    pull::by(&door, "guest", "POST", &format!("{HERE}/pulls/5600/reviews"), approval).await;
    door.said("pr watch 5600 --once")
        .await
        .is(0, &["guest approved (not a member: it does not count)", "(1 of 2)"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_without_a_pull_request_is_a_mistake() {
    let door = Door::on(pull::WORLD).await;
    door.said("pr watch 7").await.is(2, &["`opentofu/registry` has none of that number", "bumpdesk pr list"]);
}

/// When GitHub asks for a pause, `watch` says so once and waits. `--no-throttle` does not change the pace of `watch`.
#[tokio::test(flavor = "multi_thread")]
async fn a_requested_pause_is_taken_and_reported_once() {
    stamped!(crate::COMMANDS);
    for (status, path) in [(429, format!("{HERE}/pulls/5600")), (403, format!("{HERE}/pulls/5600"))] {
        let (door, _) = opened(COLLEAGUE, "").await;
        let kind = if status == 429 { FaultKind::Status(429) } else { FaultKind::Secondary };
        let mut fault = Fault::new(&[Lane::Rest], kind);
        fault.path = Some(path.clone());
        fault.retry_after = Some(1);
        fault.times = Some(1);
        // The first request is answered.
        door.said("pr watch 5600 --once").await.is(0, &[]);
        let watched = async {
            let output = door.said("pr watch 5600").await;
            (output, door.server.exchanges())
        };
        let strikes = async {
            // The fault starts when the first check of `watch` has made its last request for this path.
            door.server.forget();
            let last = format!("{path}/reviews");
            while !door.server.exchanges().iter().any(|one| one.target.starts_with(&last)) {
                tokio::task::yield_now().await;
            }
            door.server.edit(|world| world.faults.push(fault.clone()));
        };
        let ((output, exchanges), ()) = tokio::join!(watched, strikes);
        output.is(0, &["#5600: not known now: asked to slow down", "it waits, and looks again then"]);
        assert_eq!(output.err.matches("asked to slow down").count(), 1, "{output}");
        let refused = exchanges.iter().filter(|one| matches!(one.status, 403 | 429)).count();
        assert_eq!(refused, 1, "it does not ask again before");
    }
}
