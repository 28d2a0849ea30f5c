//! Backfills on GitHub's machines, held against GitHub's description: what a dispatch asks and sends, found again after a lost answer,
//! followed with logs, run again, and fetched.

use demo::fault::{Fault, FaultKind, Lane};
use demo::wire::exchange::json_lines;

use super::tool::tool;
use super::{is_described, passes};
use crate::need::need;
use crate::scenarios::machines::{ALL, digits, on, run, started};

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_started_followed_and_run_again_as_github_describes() {
    let tool = need!(tool());
    let mut records = Vec::new();
    // A server that names the run, and one that does not and whose answer is lost as well.
    for is_old in [false, true] {
        let door = on(&format!(
            "[actions]\nwithout_details = {is_old}\n\
             [[actions.fate]]\nname = \"share 2 of 2\"\nends = \"failure\"\nuntil_attempt = 1\n"
        ))
        .await;
        let name = digits(&door, ALL).await;
        if is_old {
            let fault = Fault::new(&[Lane::Rest], FaultKind::Truncate(0)).on_change(0);
            door.server.edit(|world| world.faults.push(fault));
        }
        let first = door.said(&format!("{ALL} --confirm {name} --write")).await;
        if first.exit != 0 {
            door.said(&format!("pr resume {name} --write")).await.is(0, &["run"]);
        }
        let id = run(&door.said("backfill status --json").await)["id"].as_u64().expect("a run");
        door.said("backfill status --follow --log 5").await.is(0, &["FAILED", "log of"]);
        door.said("backfill status --run 4711").await.is(2, &["no run of that number"]);
        assert_eq!(started(&door, &format!("backfill rerun {id}")).await, id);
        door.said("backfill status --follow").await.is(0, &["DONE"]);
        door.said(&format!("backfill merge --run {id}")).await.is(0, &["in the plan now"]);
        let mut exchanges = door.server.exchanges();
        // The links lead to hosts that the description knows nothing of, and no token goes there.
        assert!(exchanges.iter().all(|one| one.lane != Lane::Object || !one.authorized()));
        exchanges.retain(|one| matches!(one.lane, Lane::Rest | Lane::Graphql) && is_described(one));
        let record = door.folder.path().join("machines.jsonl");
        std::fs::write(&record, json_lines(&exchanges)).expect("a file");
        records.push((door, record));
    }
    let wanted = [
        "users/get-authenticated ",
        "repos/get ",
        "repos/compare-commits",
        "actions/get-workflow ",
        "actions/list-workflow-runs ",
        "actions/create-workflow-dispatch ",
        "actions/get-workflow-run ",
        "actions/list-jobs-for-workflow-run ",
        "actions/download-job-logs-for-workflow-run ",
        "actions/re-run-workflow-failed-jobs ",
        "actions/list-workflow-run-artifacts ",
        "actions/download-artifact ",
    ];
    let records: Vec<&std::path::Path> = records.iter().map(|(_, record)| record.as_path()).collect();
    passes(&tool, &records, &wanted);
}
