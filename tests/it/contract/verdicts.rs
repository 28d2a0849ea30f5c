//! The list of open pull requests, reviews, and every kind of verdict, as the program itself asks for them and sends them, held
//! against GitHub's description.

use demo::fault::{Fault, FaultKind, Lane};
use demo::wire::exchange::json_lines;
use serde_json::Value;

use super::tool::tool;
use super::{is_described, passes};
use crate::door::Door;
use crate::need::need;
use crate::scenarios::pull::WORLD;
use crate::scenarios::review::{ROCKET, flipped, honest, theirs};
use crate::scenarios::verdict::{confirm, digits, other_machine, with_bea};

#[tokio::test(flavor = "multi_thread")]
async fn lists_and_verdicts_are_as_github_describes() {
    let tool = need!(tool());
    let mut door = Door::on(&with_bea(WORLD)).await;
    let (prepared, file) = honest(&door).await;
    let same = theirs(&door, &prepared, &[(ROCKET, &file)], &[]).await;
    let differs = theirs(&door, &prepared, &[(ROCKET, &flipped(&file).0)], &[]).await;
    other_machine(&mut door);
    door.said("review").await.is(1, &["SAME, NOT HASHED", "DIFFERS"]);
    let how = "--comment --text again";
    for (number, how, lost) in [
        (same, "--approve --hash", false),
        (differs, "--request-changes --text please", false),
        (differs, "--comment", false),
        // Its answer is lost, and it is looked for among those that are there.
        (same, how, true),
    ] {
        let name = digits(&door, number, how).await;
        if lost {
            let fault = Fault::new(&[Lane::Rest], FaultKind::Truncate(0)).on_change(0);
            door.server.edit(|world| world.faults.push(fault));
        }
        confirm(&door, number, how, &name).await.is(0, &["is submitted"]);
    }
    let mut exchanges = door.server.exchanges();
    assert_eq!(exchanges.iter().filter(|one| one.fault).count(), 1, "one answer was lost");
    let sent = exchanges.iter().filter(|one| one.method == "POST" && one.target.ends_with("/reviews"));
    let sent: Vec<Value> = sent.map(|one| serde_json::from_slice(&one.body).expect("JSON")).collect();
    let kind = |sent: &Value| {
        let remarks = sent["comments"].as_array().map_or(0, Vec::len);
        format!("{} {remarks}", sent["event"].as_str().expect("a word"))
    };
    let kinds: Vec<String> = sent.iter().map(kind).collect();
    assert_eq!(kinds, ["APPROVE 0", "REQUEST_CHANGES 1", "COMMENT 1", "COMMENT 0"]);
    // A console asks for the list again on condition.
    #[cfg(unix)]
    {
        let [first, again] = crate::terminal::lines::listed_twice(&door);
        assert!(again.iter().any(|one| one.status == 304));
        exchanges.extend(first.into_iter().chain(again));
    }
    exchanges.retain(is_described);
    let record = door.folder.path().join("verdicts.jsonl");
    std::fs::write(&record, json_lines(&exchanges)).expect("a file");
    let wanted = [
        "pulls/list ",
        "pulls/get ",
        "pulls/list-commits ",
        "pulls/list-files ",
        "pulls/list-reviews ",
        "pulls/create-review ",
        "repos/compare-commits",
        "repos/get-branch-rules ",
        "checks/list-for-ref ",
    ];
    passes(&tool, &[&record], &wanted);
}
