//! A pull request of the plan before it is sent: built on the registry's branch as GitHub has it, held against the gates, shown
//! with every request. Nothing is written anywhere.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use demo::{Exchange, World};
use serde_json::{Value, json};

use crate::contract::front::ask;
use crate::door::{Door, Output};
use crate::stage::CANARY;

pub(crate) const WORLD: &str = r#"
clock = "2026-11-21T12:00:00Z"
[user]
login = "ann"
push = true

[[provider]]
address = "acme/rocket"
targets = ["linux_amd64", "darwin_arm64"]
stored = [{ version = "1.0.0", published = "-90d" }]
releases = ["v1.1.0", "v1.2.0"]

[[module]]
address = "umbrella/vpc/aws"
stored = ["v1.0.0"]
tags = ["v1.1.0"]
"#;
const ROCKET: &str = "providers/a/acme/rocket.json";
const VPC: &str = "modules/u/umbrella/vpc/aws.json";
pub(crate) const HERE: &str = "/repos/opentofu/registry";

/// Plans both entries and approves all of it; the plan's name.
pub(crate) async fn approved(door: &Door) -> String {
    door.said("plan add acme/rocket umbrella/vpc/aws").await.is(0, &[]);
    door.said("plan show acme/rocket umbrella/vpc/aws").await.is(0, &[]);
    door.said("plan approve acme/rocket umbrella/vpc/aws").await.is(0, &[]);
    door.plan_name().await
}

pub(crate) async fn ready(door: &Door, plan: &str, more: &str) -> Output {
    door.said(&format!("pr open --plan {plan} --dry-run {more}")).await
}

pub(crate) fn sending(said: &Output) -> Value {
    said.objects().into_iter().find(|object| object["type"] == "sending").unwrap_or_else(|| panic!("{said}"))
}

/// `1 NOTE`, in their order.
fn gates(said: &Output) -> Vec<String> {
    let gates = said.objects().into_iter().filter(|object| object["type"] == "gate");
    gates.map(|gate| format!("{} {}", gate["number"], gate["state"].as_str().expect("a word"))).collect()
}

pub(crate) fn committed(sending: &Value, path: &str) -> Vec<u8> {
    let input = &sending["requests"][1]["body"]["variables"]["input"];
    let additions = input["fileChanges"]["additions"].as_array().expect("files");
    let file = additions.iter().find(|file| file["path"] == path).unwrap_or_else(|| panic!("no {path}"));
    BASE64_STANDARD.decode(file["contents"].as_str().expect("base64")).expect("base64")
}

/// Whether a request asked for a change.
pub(crate) fn is_change(one: &Exchange) -> bool {
    match one.method.as_str() {
        "GET" | "HEAD" => false,
        _ if one.target.contains("graphql") => String::from_utf8_lossy(&one.body).contains("mutation"),
        _ => !one.target.contains("git-upload-pack"),
    }
}

/// What has been asked of the world that is no reading.
pub(crate) fn writes(door: &Door) -> Vec<String> {
    let exchanges = door.server.exchanges();
    let written = exchanges.iter().filter(|one| is_change(one));
    written.map(|one| format!("{} {}", one.method, one.target)).collect()
}

/// The branch that a sending would make.
pub(crate) fn branch(sending: &Value) -> String {
    let name = sending["requests"][0]["body"]["ref"].as_str().expect("a ref");
    name.trim_start_matches("refs/heads/").to_owned()
}

pub(crate) async fn colleague(door: &Door, method: &str, target: &str, body: Value) -> Value {
    by(door, CANARY, method, target, body).await
}

/// The same by whoever has that token.
pub(crate) async fn by(door: &Door, token: &str, method: &str, target: &str, body: Value) -> Value {
    let address = door.server.addresses().api.trim_start_matches("http://").to_owned();
    let headers = format!(
        "authorization: Bearer {token}\r\nx-github-api-version: 2022-11-28\r\ncontent-type: application/json\r\n"
    );
    serde_json::from_slice(&ask(&address, method, target, &headers, &body.to_string()).await)
        .unwrap_or(Value::Null)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_would_be_sent_is_what_the_registrys_own_tool_writes() {
    let mut door = Door::on(WORLD).await;
    let plan = approved(&door).await;
    let said = ready(&door, &plan, "--fixes 7 --label manual-bump --json").await;
    assert_eq!(said.exit, 0, "{said}");
    let states = ["1 note", "2 pass", "3 pass", "4 pass", "5 pass", "6 note", "7 pass", "8 pass", "9 pass"];
    assert_eq!(gates(&said), states);
    let sending = sending(&said);
    let paths: Vec<&str> =
        sending["requests"].as_array().unwrap().iter().map(|one| one["path"].as_str().unwrap()).collect();
    let here = |rest: &str| format!("{HERE}/{rest}");
    assert_eq!(paths, [&*here("git/refs"), "/graphql", &*here("pulls"), &*here("issues/{pull}/labels")]);
    let body = sending["requests"][2]["body"]["body"].as_str().unwrap();
    assert!(body.contains("Fixes #7") && body.contains("bumpdesk bump acme/rocket --now "), "{body}");
    assert!(!said.out.contains(CANARY) && !said.out.contains(door.folder.path().to_str().unwrap()));
    // Asked again it is the same sending, and another word makes another.
    let again = ready(&door, &plan, "--fixes 7 --label manual-bump --json").await;
    assert_eq!(self::sending(&again)["digest"], sending["digest"]);
    let other = ready(&door, &plan, "--fixes 8 --label manual-bump --json").await;
    assert_ne!(self::sending(&other)["digest"], sending["digest"]);
    assert_eq!(writes(&door), [""; 0]);
    door.is_untouched();
    // The commands that its text names write the same, at whatever time.
    let commands: Vec<&str> = body.lines().filter_map(|line| line.strip_prefix("bumpdesk ")).collect();
    assert_eq!(commands.len(), 2, "{body}");
    door.set("BUMPDESK_NOW", "2026-11-22T09:00:00Z");
    for command in commands {
        door.said(command).await.is(0, &[]);
    }
    for path in [ROCKET, VPC] {
        assert_eq!(String::from_utf8_lossy(&committed(&sending, path)), door.read(path), "{path}");
    }
    door.settle();
}

#[tokio::test(flavor = "multi_thread")]
async fn git_applies_the_patch_of_a_sending() {
    let door = Door::on(WORLD).await;
    let plan = approved(&door).await;
    let sending = sending(&ready(&door, &plan, "--json").await);
    let patch = ready(&door, &plan, "--patch").await;
    let file = door.folder.path().join("plan.patch");
    std::fs::write(&file, &patch.out).unwrap();
    door.git(&["am", "--quiet", file.to_str().unwrap()]);
    for path in [ROCKET, VPC] {
        assert_eq!(door.read(path).into_bytes(), committed(&sending, path), "{path}");
    }
    let log = door.git(&["log", "-1", "--format=%an <%ae>%n%B"]);
    assert!(log.starts_with("ann <"), "{log}");
    assert!(log.contains("Manual bump of 2 entries") && log.contains("Signed-off-by: ann <"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_approved_or_changed_since_is_held_up() {
    let door = Door::on(WORLD).await;
    ready(&door, "abcdef", "").await.is(4, &["nothing of the plan would be sent"]);
    door.said("plan add acme/rocket").await.is(0, &[]);
    let open = door.plan_name().await;
    let said = ready(&door, &open, "").await;
    said.is(
        4,
        &["7 every change looked at", "FAIL", "1 file still to be approved: acme/rocket", "nothing was sent"],
    );
    let plan = approved(&door).await;
    ready(&door, &open, "").await.is(4, &[&format!("the plan is {plan} now, not {open}")]);
    // A tag is gone upstream.
    let fewer = WORLD.replace(", \"v1.2.0\"", "");
    let fewer = World::parse(&fewer).expect("a world").repositories;
    door.server.edit(|world| world.repositories = fewer);
    let said = ready(&door, &plan, "").await;
    said.is(4, &["4 rebuilt, same result", "acme/rocket: upstream gives another result now"]);
    assert_eq!(writes(&door), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_base_is_the_registrys_branch_and_not_the_checkout() {
    let door = Door::on(WORLD).await;
    let on_branch = door.read(ROCKET);
    // An old checkout: what it has of the entry is not what the branch has.
    door.put(ROCKET, on_branch.replace("1.0.0", "0.9.0").as_bytes());
    let plan = approved(&door).await;
    let said = ready(&door, &plan, "--json").await;
    assert_eq!(gates(&said)[1], "2 note", "{said}");
    let file = String::from_utf8(committed(&sending(&said), ROCKET)).unwrap();
    assert!(file.contains("\"1.0.0\"") && !file.contains("0.9.0") && file.contains("\"1.2.0\""), "{file}");
    // By another blacklist nothing is sent at all.
    door.put("versions_blacklist.json", b"{\"providers\":[],\"modules\":[]}\n");
    let said = ready(&door, &plan, "").await;
    said.is(4, &["`versions_blacklist.json` on main is not the one of the checkout"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_somebody_else_is_waited_for() {
    let door = Door::on(WORLD).await;
    let plan = approved(&door).await;
    let tip =
        colleague(&door, "GET", &format!("{HERE}/git/ref/heads/main"), Value::Null).await["object"]["sha"]
            .clone();
    let theirs = json!({ "ref": "refs/heads/theirs", "sha": tip });
    colleague(&door, "POST", &format!("{HERE}/git/refs"), theirs).await;
    let input = json!({
        "branch": { "repositoryNameWithOwner": "opentofu/registry", "branchName": "theirs" },
        "expectedHeadOid": tip,
        "message": { "headline": "theirs", "body": "" },
        "fileChanges": { "additions": [{ "path": ROCKET, "contents": "e30K" }] },
    });
    let query = "mutation($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { oid } } }";
    colleague(&door, "POST", "/graphql", json!({ "query": query, "variables": { "input": input } })).await;
    let open = json!({ "title": "theirs", "head": "theirs", "base": "main", "body": "" });
    colleague(&door, "POST", &format!("{HERE}/pulls"), open).await;
    let said = ready(&door, &plan, "").await;
    said.is(4, &["3 no competing change", "of ann changes `providers/a/acme/rocket.json`"]);
    // The branch of this very plan: somebody sent it already.
    let ours = branch(&sending(&ready(&door, &plan, "--json").await));
    let theirs = json!({ "ref": format!("refs/heads/{ours}"), "sha": tip });
    colleague(&door, "POST", &format!("{HERE}/git/refs"), theirs).await;
    let said = ready(&door, &plan, "").await;
    said.is(4, &[&format!("the branch {ours} of this very plan exists, without a pull request")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_not_write_is_told_and_what_is_not_read_is_no_pull_request() {
    let mut door = Door::on(&WORLD.replace("push = true", "push = false")).await;
    let plan = approved(&door).await;
    ready(&door, &plan, "").await.is(4, &["1 write access", "ann may not push to opentofu/registry"]);
    door.unset("GH_TOKEN");
    ready(&door, &plan, "").await.is(3, &["needs a GitHub token"]);
    door.set("GH_TOKEN", CANARY);
    door.set("BUMPDESK_REPOSITORY", "opentofu/nowhere");
    ready(&door, &plan, "").await.is(2, &["`opentofu/nowhere` is what was asked about"]);
    door.set("BUMPDESK_REPOSITORY", "nonsense");
    ready(&door, &plan, "").await.is(2, &["`BUMPDESK_REPOSITORY` cannot be `nonsense`", "OWNER/NAME"]);
}

/// A world whose provider has a key on file, and a missing version that this one signed.
fn signed_by(who: &str) -> String {
    format!(
        r#"
clock = "2026-11-21T12:00:00Z"
[user]
login = "ann"
push = true

[[key]]
name = "ours"
on_file = ["acme"]
[[key]]
name = "others"

[[provider]]
address = "acme/rocket"
signed_by = "ours"
targets = ["linux_amd64"]
stored = [{{ version = "1.0.0", published = "-90d" }}]
releases = [{{ tag = "v1.1.0", signed_by = "{who}" }}]
"#
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signature_of_no_key_on_file_is_overridden_by_nothing() {
    for (who, exit, wanted) in [
        ("ours", 0, "SHA256SUMS has the same 1 checksum for 1 version; every signature is good"),
        ("others", 4, "acme/rocket 1.1.0: signed by"),
    ] {
        let door = Door::on(&signed_by(who)).await;
        door.said("plan add acme/rocket").await.is(0, &[]);
        door.said("plan show acme/rocket").await.is(0, &[]);
        door.said("plan approve acme/rocket").await.is(0, &[]);
        let plan = door.plan_name().await;
        // The keys are those of the branch: what lies in the checkout opens no gate.
        let folder = door.registry.join("keys/a/acme");
        for file in std::fs::read_dir(&folder).expect("keys") {
            std::fs::remove_file(file.expect("a file").path()).expect("it can be removed");
        }
        let said = ready(&door, &plan, "").await;
        said.is(exit, &["6 hashes and signatures", wanted]);
    }
}

/// When a version was discovered is a claim: two who build the same at different times have the same plan, and so its branch.
#[tokio::test(flavor = "multi_thread")]
async fn a_plan_has_one_name_whoever_builds_it_and_whenever() {
    let mut door = Door::on(WORLD).await;
    let plan = approved(&door).await;
    let first = committed(&sending(&ready(&door, &plan, "--json").await), ROCKET);
    let other = door.folder.path().join("other-state");
    door.set("BUMPDESK_STATE_DIR", other.to_str().unwrap());
    door.set("BUMPDESK_NOW", "2026-11-21T13:00:00Z");
    assert_eq!(approved(&door).await, plan);
    let second = committed(&sending(&ready(&door, &plan, "--json").await), ROCKET);
    assert_ne!(first, second, "what is written says when it was discovered");
}

/// Sends a sending as a colleague would by hand; the id of its commit.
pub(crate) async fn send(door: &Door, sending: &Value) -> String {
    let (mut pull, mut commit) = (0, String::new());
    for request in sending["requests"].as_array().expect("requests") {
        let path = request["path"].as_str().expect("a path").replace("{pull}", &pull.to_string());
        let said = colleague(door, "POST", &path, request["body"].clone()).await;
        assert!(said["errors"].is_null() && said["documentation_url"].is_null(), "{path}: {said}");
        pull = said["number"].as_u64().unwrap_or(pull);
        if let Some(oid) = said["data"]["createCommitOnBranch"]["commit"]["oid"].as_str() {
            oid.clone_into(&mut commit);
        }
    }
    commit
}

/// The world's required check is written apart from ours: what is foretold is what it then says, for every reason that there is.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_required_check_will_say_is_foretold() {
    stamped!(crate::COMMANDS);
    let provider = |more: &str| {
        format!(
            "clock = \"2026-11-21T12:00:00Z\"\n[user]\nlogin = \"ann\"\npush = true\n[[provider]]\naddress = \"acme/rocket\"\n\
             targets = [\"linux_amd64\", \"darwin_arm64\"]\n{more}\n"
        )
    };
    let cases = [
        (
            provider("stored = [\"1.0.0\"]\nreleases = [\"v1.1.0\"]"),
            ("pass", "success", "the required check passes"),
        ),
        (
            provider(
                "stored = [\"1.0.0\"]\nreleases = [\"v1.1.0\", { tag = \"v0.9.0\", mismatch = [\"linux_amd64\"] }]",
            ),
            ("note", "failure", "archives of 1 version (0.9.0) are not what its SHA256SUMS lists"),
        ),
        (
            provider("stored = [\"1.0.0\", \"0.9.0\"]\ngone = [\"0.9.0\"]\nreleases = [\"v1.1.0\"]"),
            ("note", "failure", "fails: upstream has no more what made 1 version (0.9.0)"),
        ),
        (
            provider(
                "stored = [\"1.0.0\", \"0.9.0\"]\nreleases = [\"v1.1.0\", { tag = \"v0.9.0\", content_seed = 2 }]",
            ),
            (
                "fail",
                "failure",
                "fails: upstream has other archives for 1 version (0.9.0), which this does not touch",
            ),
        ),
        (
            provider(
                "stored = [\"1.0.0\"]\nreleases = [\"v1.1.0\"]\ntags = [\"v0.5.0\"]\n\
                 errors = [{ version = \"0.5.0\", message = \"checksums not found in release\", count = 8, last = \"2026-11-20T12:00:00Z\" }]",
            ),
            ("note", "failure", "fails: the check records failed tries at its own time"),
        ),
    ];
    for (world, (state, conclusion, wanted)) in cases {
        let door = Door::on(&world).await;
        door.said("plan add acme/rocket").await.is(0, &[]);
        door.said("plan show acme/rocket").await.is(0, &[]);
        door.said("plan approve acme/rocket").await.is(0, &[]);
        let said = ready(&door, &door.plan_name().await, "--json").await;
        let gate = said.objects().into_iter().find(|object| object["number"] == 8).expect("gate 8");
        assert_eq!(gate["state"], state, "{wanted}: {gate}");
        assert!(gate["evidence"].as_str().unwrap().contains(wanted), "{wanted}: {gate}");
        let sending = sending(&said);
        let body = sending["requests"][2]["body"]["body"].as_str().unwrap();
        let foretold = if conclusion == "failure" { "Expected result" } else { "is expected to pass" };
        assert!(body.contains(foretold), "{body}");
        if state == "fail" {
            let known = ready(&door, &door.plan_name().await, "--acknowledge-drift").await;
            known.is(0, &["8 repository validator", "NOTE", wanted]);
        }
        let commit = send(&door, &sending).await;
        let runs = colleague(&door, "GET", &format!("{HERE}/commits/{commit}/check-runs"), Value::Null).await;
        let run =
            runs["check_runs"].as_array().into_iter().flatten().find(|run| run["name"] == "Verify PR JSON");
        assert_eq!(run.expect("the check")["conclusion"], conclusion, "{wanted}: {runs}");
    }
}

/// Two tags of one version are two entries of the file, and each is held against the keys.
#[tokio::test(flavor = "multi_thread")]
async fn the_twin_of_a_signed_version_is_looked_at_too() {
    let twins = signed_by("ours").replace(
        "releases = [{ tag = \"v1.1.0\", signed_by = \"ours\" }]",
        "releases = [{ tag = \"v1.1.0\", signed_by = \"ours\" }, { tag = \"1.1.0\", signed_by = \"others\" }]",
    );
    let door = Door::on(&twins).await;
    door.said("plan add acme/rocket").await.is(0, &[]);
    door.said("plan show acme/rocket").await.is(0, &[]);
    door.said("plan approve acme/rocket").await.is(0, &[]);
    let said = ready(&door, &door.plan_name().await, "").await;
    said.is(
        4,
        &["6 hashes and signatures", "acme/rocket 1.1.0: signed by", "8 repository validator", "FAIL"],
    );
    let patch = ready(&door, &door.plan_name().await, "--patch").await;
    patch.is(4, &["gate 6, hashes and signatures: 1 fault: acme/rocket 1.1.0", "gate 8, "]);
    assert_eq!(patch.out, "", "a file of it would be taken for a patch");
}

/// What was approved is not dropped in silence because the file changed on the branch as well.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_approved_is_there_again_on_another_base() {
    let door = Door::on(WORLD).await;
    door.put(ROCKET, door.read(ROCKET).replace("1.0.0", "0.9.0").as_bytes());
    let plan = approved(&door).await;
    let fewer = WORLD.replace(", \"v1.2.0\"", "");
    let fewer = World::parse(&fewer).expect("a world").repositories;
    door.server.edit(|world| world.repositories = fewer);
    let said = ready(&door, &plan, "").await;
    said.is(4, &["4 rebuilt, same result", "acme/rocket: upstream gives another result now"]);
}

/// A signature that clients take with a warning is not simply good.
#[tokio::test(flavor = "multi_thread")]
async fn a_signature_by_an_expired_key_is_to_be_known() {
    let expired = signed_by("ours")
        .replace("name = \"ours\"\n", "name = \"ours\"\nexpires = \"2026-01-01T00:00:00Z\"\n");
    let door = Door::on(&expired).await;
    door.said("plan add acme/rocket").await.is(0, &[]);
    door.said("plan show acme/rocket").await.is(0, &[]);
    door.said("plan approve acme/rocket").await.is(0, &[]);
    let said = ready(&door, &door.plan_name().await, "").await;
    said.is(0, &["6 hashes and signatures", "NOTE", "1 signature to be known: acme/rocket 1.1.0: signed by"]);
}

/// What the registry's own automation does at the moment holds nothing up, and is said.
#[tokio::test(flavor = "multi_thread")]
async fn a_bump_that_runs_is_told() {
    let door = Door::on(WORLD).await;
    let plan = approved(&door).await;
    let third = async || {
        let said = ready(&door, &plan, "--json").await;
        assert_eq!(said.exit, 0, "{said}");
        let objects = said.objects().into_iter();
        let gate =
            objects.into_iter().find(|one| one["type"] == "gate" && one["number"] == 3).expect("a gate");
        format!("{}: {}", gate["state"].as_str().unwrap(), gate["evidence"].as_str().unwrap())
    };
    assert_eq!(third().await, "pass: there is no open pull request; no bump runs");
    door.server.edit(|world| {
        let now = world.now;
        world.forge.begin_bump(now);
    });
    let told = "a bump runs since 2026-11-21 12:00Z, and if it changes one of these files, sending stops";
    assert_eq!(third().await, format!("note: there is no open pull request; {told}"));
    door.server.edit(|world| world.forge.end_bumps());
    assert_eq!(third().await, "pass: there is no open pull request; no bump runs");
}
