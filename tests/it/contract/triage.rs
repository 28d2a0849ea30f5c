//! How a fork's builds went, asked as GitHub describes.

use demo::fault::Lane;
use demo::wire::exchange::json_lines;

use super::tool::tool;
use super::{is_described, passes};
use crate::door::Door;
use crate::need::need;
use crate::scenarios::stranded::mirror;

#[tokio::test(flavor = "multi_thread")]
async fn the_runs_of_a_fork_are_as_github_describes() {
    let tool = need!(tool());
    let world = mirror(
        "tags = [{ name = \"v3.2.4\", at = \"-9d\" }]\nbuilds = [{ at = \"-9h\", event = \"push\", ended = \"failure\" }, \
         { at = \"-61d\", event = \"schedule\", ended = \"success\" }, { at = \"-70d\", event = \"schedule\" }]\n",
    );
    let door = Door::on(&world).await;
    door.said("triage hashicorp/null@3.2.4").await.is(0, &["the newest run of its workflows", "disabled"]);
    let mut exchanges = door.server.exchanges();
    exchanges.retain(|one| one.lane == Lane::Rest && is_described(one));
    let record = door.folder.path().join("triage.jsonl");
    std::fs::write(&record, json_lines(&exchanges)).expect("a file");
    passes(&tool, &[&record], &["actions/list-workflow-runs-for-repo "]);
}
