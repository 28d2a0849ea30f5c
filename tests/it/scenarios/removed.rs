//! The removal of whole entries and namespaces: the policy's gate, the deleted files, and the review of such a pull
//! request.

use super::edits::{approve, pushing};
use super::pull::{ready, sending};
use super::review::{honest, review, theirs, word};
use super::send::{clone, open};
use super::verdict::{failing, look, other_machine, sent, with_bea};
use crate::door::Door;

const ROCKET: &str = "providers/a/acme/rocket.json";
const BECAUSE: &str = "--because legal-duty --announcement https://example.com/notice --issue 4812";
const WORLD: &str = "clock = \"2026-11-21T12:00:00Z\"\n\
    [[provider]]\naddress = \"acme/rocket\"\ntargets = [\"linux_amd64\", \"darwin_arm64\"]\nstored = [\"1.1.0\", \"1.0.0\"]\n\
    warnings = [\"Old.\"]\n\
    [[provider]]\naddress = \"acme/forge\"\ntargets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\n\
    [[module]]\naddress = \"acme/vpc/aws\"\nstored = [\"v1.0.0\"]\n\
    [[provider]]\naddress = \"umbrella/rocket\"\ntargets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\n";

/// The paths that a prepared pull request deletes, and the number of files that it writes.
fn changes(sending: &serde_json::Value) -> (Vec<String>, usize) {
    let changes = &sending["requests"][1]["body"]["variables"]["input"]["fileChanges"];
    let paths = changes["deletions"].as_array().expect("deletions").iter();
    let paths = paths.map(|one| one["path"].as_str().expect("a path").to_owned()).collect();
    (paths, changes["additions"].as_array().expect("additions").len())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_entry_needs_what_the_policy_asks_for() {
    let door = Door::on(&pushing(WORLD)).await;
    for reason in ["bug", "double-publish", "change-of-mind"] {
        let output = door.said(&format!("plan remove acme/rocket --because {reason}")).await;
        output.is(
            4,
            &["Once a version is indexed, the registry treats it as immutable", "nothing was planned"],
        );
    }
    door.said("plan remove acme/* --because bug").await.is(4, &["nothing was planned"]);
    door.said("plan remove acme/rocket --because legal-duty")
        .await
        .is(2, &["--announcement URL and --issue"]);
    door.said(&format!(
        "plan remove acme/rocket --issue 7 --announcement http://a.b {}",
        "--because legal-duty"
    ))
    .await
    .is(2, &["begins with `https://`"]);
    door.said(&format!("plan remove nobody/* {BECAUSE}")).await.is(2, &["no entry in this namespace"]);
    door.said(&format!("plan remove acme/nowhere {BECAUSE}")).await.is(2, &["the registry has no provider"]);
    door.said(&format!("plan remove acme/rocket acme/rocket@1.0.0 {BECAUSE}")).await.is(2, &[]);
    door.said("plan show").await.is_not(&["acme/rocket"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_entry_is_planned_sent_reviewed_and_taken_back() {
    let mut door = Door::on(&with_bea(&pushing(WORLD))).await;
    let output = door.said(&format!("plan remove acme/rocket {BECAUSE}")).await;
    output.is(
        0,
        &[
            "what is no longer served: 2 versions with 4 targets",
            "every lock file",
            "no bump adds it again",
            "the keys on file stay",
        ],
    );
    output.is_not(&["blacklist that"]);
    door.said("plan show acme/rocket").await.is(0, &["deleted file mode 100644", "+++ /dev/null"]);
    door.said("plan reject acme/rocket@1.0.0").await.is(0, &["HELD", "approve all of it"]);
    door.said("plan reopen acme/rocket").await.is(0, &[]);
    let plan = approve(&door, "acme/rocket").await;
    let output = ready(&door, &plan, "--ready --json").await;
    assert_eq!((output.exit, failing(&output)), (0, Vec::new()), "{output}");
    assert!(output.to_string().contains("acme/rocket, the whole entry, is removed"), "{output}");
    let prepared = sending(&output);
    assert_eq!(changes(&prepared), (vec![ROCKET.to_owned()], 0));
    let pull = &prepared["requests"][2]["body"];
    assert_eq!(pull["title"], "Remove acme/rocket");
    let body = pull["body"].as_str().expect("a text");
    assert!(body.contains("**Needs two approvals.**") && body.contains("#4812"), "{body}");
    let name = prepared["name"].as_str().expect("digits").to_owned();
    let again = sending(&ready(&door, &plan, "--ready --json").await);
    assert_eq!(again["name"], prepared["name"], "the same has the same digits");
    let output = open(&door, &plan, &name, "--ready --json").await;
    let number = sent(&output)["pull"].as_u64().expect("a number");
    let branch = prepared["requests"][0]["body"]["ref"].as_str().expect("a ref");
    let there = clone(&door, "opentofu", branch.trim_start_matches("refs/heads/"));
    assert!(!there.path().join(ROCKET).exists(), "the file is gone");
    assert!(there.path().join("providers/a/acme/forge.json").exists(), "and no other");
    other_machine(&mut door);
    let output = review(&door, number, "").await;
    assert_eq!(word(&output), "refused", "{output}");
    for point in ["lost with it: 2 versions with 4 targets", "no bump adds it again", "that bumpdesk made it"]
    {
        assert!(output.to_string().contains(point), "{point}: {output}");
    }
    let output = look(&door, number, "--approve").await;
    assert_eq!((output.exit, failing(&output)), (4, vec!["result of the review".to_owned()]), "{output}");
    output.is(4, &["if people decided it by the registry's policy"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_namespace_is_removed_with_one_plan() {
    let door = Door::on(&pushing(WORLD)).await;
    let output = door.said(&format!("plan remove acme/* {BECAUSE}")).await;
    output.is(0, &["acme/rocket", "acme/forge", "acme/vpc/aws"]);
    output.is_not(&["umbrella/rocket"]);
    let plan = approve(&door, "acme/rocket acme/forge acme/vpc/aws").await;
    let output = ready(&door, &plan, "--ready --json").await;
    assert_eq!((output.exit, failing(&output)), (0, Vec::new()), "{output}");
    let (mut paths, added) = changes(&sending(&output));
    paths.sort();
    let wanted = ["modules/a/acme/vpc/aws.json", "providers/a/acme/forge.json", ROCKET];
    assert_eq!((paths.as_slice(), added), (&wanted.map(str::to_owned)[..], 0));
}

/// A file that changed after it was planned has to be looked at again. A removal that was sent can be undone like any
/// other change.
#[tokio::test(flavor = "multi_thread")]
async fn a_removed_entry_that_changed_is_stale_and_a_sent_one_can_be_undone() {
    let door = Door::on(&pushing(WORLD)).await;
    door.said(&format!("plan remove acme/rocket {BECAUSE}")).await.is(0, &[]);
    let plan = approve(&door, "acme/rocket").await;
    let prepared = sending(&ready(&door, &plan, "--ready --json").await);
    let name = prepared["name"].as_str().expect("digits").to_owned();
    open(&door, &plan, &name, "--ready").await.is(0, &["pull request #"]);
    door.said(&format!("pr undo {name} --write")).await.is(0, &[]);
    let file = door.read(ROCKET);
    door.put(ROCKET, file.replacen("Old.", "Older.", 1).as_bytes());
    door.said("plan show").await.is(0, &["the file in the registry changed since this was built"]);
    door.said("plan rebuild").await.is(0, &["TO REVIEW"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_somebody_else_deletes_is_refused_with_what_is_lost() {
    let door = Door::on(super::pull::WORLD).await;
    let (prepared, _) = honest(&door).await;
    for (path, lost) in [
        (ROCKET, "lost with it: 1 version with 2 targets"),
        ("modules/u/umbrella/vpc/aws.json", "lost with it: 1 version"),
    ] {
        let number = theirs(&door, &prepared, &[], &[path]).await;
        let output = review(&door, number, "").await;
        assert_eq!((&*word(&output), output.exit), ("refused", 1), "{output}");
        assert!(output.to_string().contains(lost), "{output}");
    }
}
