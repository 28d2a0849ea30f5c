//! The repository that can be written to, held against GitHub's description: one pull request's whole life, in both versions
//! of the API, from a branch and from a fork.

use std::collections::BTreeSet;

use demo::World;
use demo::fault::{Fault, FaultKind, Lane};
use demo::wire::exchange::json_lines;
use serde_json::{Value, json};

use super::tool::tool;
use super::{front, is_described, passes};
use crate::door::Door;
use crate::need::need;
use crate::scenarios::{pull, watch};
use crate::stage::{CANARY, Stage, Terms};

const WORLD: &str = r#"
clock = "2026-11-21T12:00:00Z"
[user]
login = "ann"
push = true
[[module]]
address = "acme/vpc/aws"
stored = ["v1.0.0"]
"#;
const HERE: &str = "/repos/opentofu/registry";
const FILE: &str = "modules/a/acme/vpc/aws.json";
const COMMIT: &str = "mutation($input: CreateCommitOnBranchInput!) { \
    createCommitOnBranch(input: $input) { commit { oid url } ref { name } } }";

const UPDATE: &str = "mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }";

/// Somebody who asks the API in one of its versions.
struct Caller<'a> {
    address: &'a str,
    version: &'a str,
}

impl Caller<'_> {
    async fn say(&self, method: &str, target: &str, body: Value) -> Value {
        let headers = format!(
            "authorization: Bearer {CANARY}\r\nx-github-api-version: {}\r\ncontent-type: application/json\r\n",
            self.version
        );
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let answer = front::ask(self.address, method, target, &headers, &body).await;
        serde_json::from_slice(&answer).unwrap_or(Value::Null)
    }

    async fn read(&self, target: &str) -> Value {
        self.say("GET", &format!("{HERE}{target}"), Value::Null).await
    }

    async fn write(&self, method: &str, target: &str, body: Value) -> Value {
        self.say(method, &format!("{HERE}{target}"), body).await
    }

    /// Moves a branch of the registry from where it is known to point; the answer, whole.
    async fn update(&self, branch: &str, before: &str, after: &str) -> Value {
        let repository = self.read("").await;
        let name = format!("refs/heads/{branch}");
        let update = json!({ "name": name, "beforeOid": before, "afterOid": after, "force": true });
        let input = json!({ "repositoryId": repository["node_id"], "refUpdates": [update] });
        let query = json!({ "query": UPDATE, "variables": { "input": input } });
        self.say("POST", "/graphql", query).await
    }

    async fn commit(&self, repository: &str, branch: &str, on: &Value) -> Value {
        let input = json!({
            "branch": { "repositoryNameWithOwner": repository, "branchName": branch },
            "expectedHeadOid": on,
            "message": { "headline": "Manual bump of acme/vpc", "body": "" },
            "fileChanges": { "additions": [{ "path": FILE, "contents": "e30K" }], "deletions": [] },
        });
        let query = json!({ "query": COMMIT, "variables": { "input": input } });
        let said = self.say("POST", "/graphql", query).await;
        said["data"]["createCommitOnBranch"]["commit"]["oid"].clone()
    }
}

/// Opens, looks at everything that hangs on it, and ends it.
async fn life(caller: &Caller<'_>, branch: &str) {
    let tip = caller.read("/git/ref/heads/main").await["object"]["sha"].clone();
    let new = json!({ "ref": format!("refs/heads/{branch}"), "sha": tip });
    caller.write("POST", "/git/refs", new.clone()).await;
    caller.write("POST", "/git/refs", new).await;
    let commit = caller.commit("opentofu/registry", branch, &tip).await;
    let commit = commit.as_str().expect("a commit");
    caller.commit("opentofu/registry", branch, &tip).await;
    let open = json!({ "title": "Manual bump", "head": branch, "base": "main", "body": "x", "draft": true });
    let pull = caller.write("POST", "/pulls", open.clone()).await;
    caller.write("POST", "/pulls", open).await;
    let number = pull["number"].as_u64().expect("a number");
    caller.write("POST", &format!("/issues/{number}/labels"), json!({ "labels": ["manual-bump"] })).await;
    caller.write("POST", &format!("/issues/{number}/comments"), json!({ "body": "hello" })).await;
    let reviewers = json!({ "reviewers": ["ann"] });
    caller.write("POST", &format!("/pulls/{number}/requested_reviewers"), reviewers).await;
    let remark = json!({ "path": FILE, "line": 1, "side": "RIGHT", "body": "why" });
    let review = json!({ "event": "COMMENT", "commit_id": commit, "body": "hm", "comments": [remark] });
    caller.write("POST", &format!("/pulls/{number}/reviews"), review.clone()).await;
    let approval = json!({ "event": "APPROVE", "commit_id": commit });
    caller.write("POST", &format!("/pulls/{number}/reviews"), approval).await;
    let status = json!({ "context": "scan", "state": "success", "description": "nothing found" });
    caller.write("POST", &format!("/statuses/{commit}"), status).await;
    let runs = caller.read(&format!("/actions/runs?head_sha={commit}")).await;
    let run = runs["workflow_runs"][0]["id"].as_u64().expect("a run");
    for target in [
        format!("/pulls/{number}"),
        format!("/pulls/{number}/files"),
        format!("/pulls/{number}/commits"),
        format!("/pulls/{number}/reviews"),
        format!("/pulls/{number}/requested_reviewers"),
        format!("/issues/{number}/comments"),
        format!("/issues/{number}/labels"),
        format!("/pulls?state=all&head=opentofu:{branch}&base=main&sort=updated&direction=desc"),
        format!("/commits/{commit}"),
        format!("/commits/{commit}/check-runs?check_name=DCO"),
        format!("/commits/{commit}/check-runs"),
        format!("/commits/{commit}/status"),
        format!("/git/commits/{commit}"),
        format!("/branches/{branch}"),
        format!("/compare/main...{branch}"),
        format!("/actions/runs/{run}"),
        format!("/actions/runs/{run}/jobs"),
    ] {
        let said = caller.read(&target).await;
        assert!(said["documentation_url"].is_null(), "{target}: {said}");
    }
    let edit = json!({ "title": "Manual bump, again", "state": "closed" });
    caller.write("PATCH", &format!("/pulls/{number}"), edit).await;
    caller.write("PATCH", &format!("/git/refs/heads/{branch}"), json!({ "sha": tip, "force": true })).await;
    caller.write("DELETE", &format!("/git/refs/heads/{branch}"), Value::Null).await;
    let (nowhere, tip) = ("0".repeat(40), tip.as_str().expect("a commit"));
    for (before, after, kind) in
        [(&*nowhere, commit, None), (tip, tip, Some("STALE_DATA")), (commit, &nowhere, None)]
    {
        let said = caller.update(branch, before, after).await;
        assert_eq!(said["errors"][0]["type"].as_str(), kind, "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pull_requests_life_is_as_github_describes() {
    let tool = need!(tool());
    let folder = tempfile::tempdir().expect("a folder");
    let stage =
        Stage::of(World::parse(WORLD).unwrap_or_else(|error| panic!("{error}")), Terms::default()).await;
    let address = stage.server.addresses().api.trim_start_matches("http://").to_owned();
    for version in ["2022-11-28", "2026-03-10"] {
        let caller = Caller { address: &address, version };
        life(&caller, &format!("manual/{version}")).await;
        caller.write("POST", "/forks", json!({ "default_branch_only": true })).await;
        let fork = "/repos/ann/registry";
        caller.say("POST", &format!("{fork}/merge-upstream"), json!({ "branch": "main" })).await;
        caller.say("GET", fork, Value::Null).await;
        let tree = caller.read("/git/trees/main?recursive=1").await;
        let blob = tree["tree"].as_array().into_iter().flatten().find(|line| line["type"] == "blob");
        let blob = blob.and_then(|line| line["sha"].as_str()).expect("a file");
        for target in [
            String::new(),
            "/rules/branches/main".to_owned(),
            "/git/matching-refs/heads/ma".to_owned(),
            format!("/git/blobs/{blob}"),
            format!("/contents/{FILE}?ref=main"),
            "/contents/modules?ref=main".to_owned(),
            "/collaborators/ann/permission".to_owned(),
            "/labels".to_owned(),
            "/forks".to_owned(),
            format!("/commits?path={FILE}&sha=main"),
        ] {
            let said = caller.read(&target).await;
            assert!(said["documentation_url"].is_null(), "{target}: {said}");
        }
        for target in ["/users/ann", "/orgs/opentofu/public_members", "/orgs/opentofu/public_members/ann"] {
            caller.say("GET", target, Value::Null).await;
        }
    }
    let exchanges = stage.server.exchanges();
    let statuses: BTreeSet<u16> = exchanges.iter().map(|exchange| exchange.status).collect();
    assert_eq!(statuses, BTreeSet::from([200, 201, 202, 204, 404, 422]));
    let record = folder.path().join("forge.jsonl");
    std::fs::write(&record, json_lines(&exchanges)).expect("a file");
    let wanted = [
        "git/create-ref ",
        "git/update-ref ",
        "git/delete-ref ",
        "git/get-tree ",
        "git/get-blob ",
        "pulls/create ",
        "pulls/update ",
        "pulls/list-files ",
        "pulls/create-review ",
        "pulls/request-reviewers ",
        "issues/add-labels ",
        "issues/create-comment ",
        "repos/create-fork ",
        "repos/merge-upstream ",
        "repos/create-commit-status ",
        "repos/get-combined-status-for-ref ",
        "repos/get-content ",
        "repos/compare-commits-with-basehead ",
        "repos/get-branch-rules ",
        "repos/get-collaborator-permission-level ",
        "checks/list-for-ref ",
        "actions/list-jobs-for-workflow-run ",
        "orgs/check-public-membership-for-user ",
        "graphql ",
    ];
    passes(&tool, &[&record], &wanted);
}

/// What is sent, found again after a lost answer, and taken back; straight and from a fork.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_sent_and_taken_back_is_as_github_describes() {
    let tool = need!(tool());
    let mut records = Vec::new();
    let fork = pull::WORLD.replace("push = true", "push = false");
    // A change that one fault strikes is none that the next one lets pass.
    let straight = (pull::WORLD.to_owned(), "--label manual-bump", &[1, 1][..]);
    for (world, more, lost) in [straight, (fork, "--fork", &[3][..])] {
        let door = Door::on(&world).await;
        let plan = pull::approved(&door).await;
        let sending = pull::sending(&pull::ready(&door, &plan, &format!("{more} --json")).await);
        let name = sending["name"].as_str().expect("digits").to_owned();
        door.server.forget();
        for after in lost.iter().copied() {
            let fault = Fault::new(&[Lane::Rest, Lane::Graphql], FaultKind::Truncate(0)).on_change(after);
            door.server.edit(|world| world.faults.push(fault));
        }
        let open = format!("pr open --plan {plan} --confirm {name} --write {more}");
        door.said(&open).await.is(0, &["pull request #"]);
        // Two comments on it, one whose answer is lost, which is looked for among those that are there.
        for text in ["one", "two"] {
            let words = format!("review 5600 --comment --text {text}");
            let shown = pull::sending(&door.said(&format!("{words} --dry-run --json")).await);
            if text == "two" {
                let fault = Fault::new(&[Lane::Rest], FaultKind::Truncate(0)).on_change(0);
                door.server.edit(|world| world.faults.push(fault));
            }
            let digits = shown["name"].as_str().expect("digits");
            door.said(&format!("{words} --confirm {digits} --write")).await.is(0, &["is submitted"]);
        }
        let undo = door.said(&format!("pr undo {name} --json")).await.objects();
        let undo = undo.iter().find(|one| one["type"] == "sent").expect("a sending")["name"].clone();
        let undo = format!("pr undo {name} --confirm {} --write", undo.as_str().expect("digits"));
        // Once the comment's answer is lost too, and it is looked for among those that are there.
        if more != "--fork" {
            let fault = Fault::new(&[Lane::Rest], FaultKind::Truncate(0)).on_change(0);
            door.server.edit(|world| world.faults.push(fault));
        }
        door.said(&undo).await.is(0, &["is taken back"]);
        let record = door.folder.path().join("sent.jsonl");
        let mut exchanges = door.server.exchanges();
        exchanges.retain(is_described);
        std::fs::write(&record, json_lines(&exchanges)).expect("a file");
        records.push((door, record));
    }
    let wanted = [
        "git/create-ref ",
        "pulls/create ",
        "issues/add-labels ",
        "repos/get-commit ",
        "repos/create-fork ",
        "repos/merge-upstream ",
        "issues/list-comments ",
        "issues/create-comment ",
        "pulls/update ",
        "pulls/create-review ",
        "pulls/list-reviews ",
        "graphql ",
    ];
    let records: Vec<&std::path::Path> = records.iter().map(|(_, record)| record.as_path()).collect();
    passes(&tool, &records, &wanted);
}

/// What a pull request of ours asks before it is sent, and the requests that it then consists of.
#[tokio::test(flavor = "multi_thread")]
async fn a_pull_request_of_ours_is_asked_and_sent_as_github_describes() {
    let tool = need!(tool());
    let door = Door::on(&format!("{}{}", pull::WORLD, watch::COLLEAGUE)).await;
    door.looks_often();
    let plan = pull::approved(&door).await;
    door.server.forget();
    let said = pull::ready(&door, &plan, "--label manual-bump --json").await;
    let sending = pull::sending(&said);
    pull::send(&door, &sending).await;
    // With a pull request there, its files are looked through too.
    pull::ready(&door, &plan, "").await.is(4, &["of this very plan exists, with pull request"]);
    // Watched to its end, and where check runs may not be read.
    door.said("pr list").await.is(0, &["waits for"]);
    door.said("pr watch 5600").await.is(0, &["after a bump run over all namespaces"]);
    door.said("review 5600").await.is(0, &["SAME, NOT HASHED"]);
    // A registry without git's folder leaves the trees to GitHub.
    let (git, aside) = (door.registry.join(".git"), door.folder.path().join("aside"));
    std::fs::rename(&git, &aside).expect("it is there");
    door.said("review 5600").await.is(0, &["SAME, NOT HASHED"]);
    std::fs::rename(&aside, &git).expect("it is there");
    let mut fault = Fault::new(&[Lane::Rest], FaultKind::Status(403));
    fault.path = Some("/repos/opentofu/registry/commits/*/check-runs".to_owned());
    door.server.edit(|world| world.faults.push(fault));
    door.said("pr watch 5600 --once").await.is(0, &["jobs of Actions"]);
    let record = door.folder.path().join("pull.jsonl");
    let mut exchanges = door.server.exchanges();
    exchanges.retain(is_described);
    std::fs::write(&record, json_lines(&exchanges)).expect("a file");
    let wanted = [
        "users/get-authenticated ",
        "repos/get ",
        "git/get-ref ",
        "repos/get-content ",
        "pulls/list ",
        "pulls/list-files ",
        "git/create-ref ",
        "pulls/create ",
        "issues/add-labels ",
        "pulls/get ",
        "pulls/list-reviews ",
        "pulls/list-commits ",
        "orgs/check-public-membership-for-user ",
        "repos/get-branch-rules ",
        "checks/list-for-ref ",
        "repos/get-combined-status-for-ref ",
        "actions/list-workflow-runs-for-repo ",
        "actions/list-jobs-for-workflow-run ",
        "repos/compare-commits ",
        "git/get-tree ",
        "graphql ",
    ];
    passes(&tool, &[&record], &wanted);
}
