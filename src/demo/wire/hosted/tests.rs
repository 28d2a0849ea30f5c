//! The registry's repository over real sockets: written to as GitHub is, with real git as the witness.

use serde_json::{Value, json};

use crate::forge::check::{State, VERIFY};
use crate::forge::{Account, Role};
use crate::wire::tests::{Answer, ask, real_git};
use crate::{Options, Server, World, checkout};

const WORLD: &str = r#"
clock = "2026-11-21T12:00:00Z"
[[provider]]
address = "acme/rocket"
targets = ["linux_amd64"]
stored = ["1.0.0"]
[[module]]
address = "acme/vpc/aws"
stored = ["v1.0.0"]
[user]
login = "newcomer"
token = "canary"
"#;
const FILE: &str = "modules/a/acme/vpc/aws.json";

/// A served world in which `ann` may write, `newcomer` may not, and `ben` is a maintainer.
struct Site {
    server: Server,
}

impl Site {
    async fn new() -> Self {
        let mut world = World::parse(WORLD).unwrap();
        for (login, role) in [("ann", Role::Write), ("ben", Role::Maintain)] {
            world.forge.accounts.insert(login.into(), Account::new(login, Some(login)));
            world.forge.registry_mut().unwrap().roles.insert(login.into(), role);
        }
        world.forge.accounts.get_mut("ben").unwrap().public_in.insert("opentofu".into());
        Self::of(world).await
    }

    async fn of(world: World) -> Self {
        Self { server: Server::start(world, Options::default()).await.unwrap() }
    }

    async fn ask(&self, token: &str, method: &str, path: &str, body: &Value) -> Answer {
        let url = format!("{}{path}", self.server.addresses().api);
        let headers = format!("authorization: Bearer {token}\r\ncontent-type: application/json\r\n");
        let body = if body.is_null() { String::new() } else { body.to_string() };
        ask(method, &url, &headers, &body).await.unwrap()
    }

    /// Status and body.
    async fn say(&self, token: &str, method: &str, path: &str, body: Value) -> (u16, Value) {
        let answer = self.ask(token, method, path, &body).await;
        (answer.status, serde_json::from_slice(&answer.body).unwrap_or(Value::Null))
    }

    async fn read(&self, path: &str) -> Value {
        let (status, value) = self.say("ann", "GET", path, Value::Null).await;
        assert_eq!(status, 200, "{path}: {value}");
        value
    }

    async fn tip(&self, repository: &str, branch: &str) -> String {
        let read = self.read(&format!("/repos/{repository}/git/ref/heads/{branch}")).await;
        read["object"]["sha"].as_str().unwrap().to_owned()
    }

    async fn branch(&self, token: &str, repository: &str, name: &str, at: &str) -> (u16, Value) {
        let body = json!({ "ref": format!("refs/heads/{name}"), "sha": at });
        self.say(token, "POST", &format!("/repos/{repository}/git/refs"), body).await
    }

    /// One file on a branch; the new commit, or the type of the error.
    async fn commit(&self, token: &str, at: (&str, &str, &str), text: &str) -> Result<String, String> {
        let (repository, branch, expected) = at;
        self.commit_file(token, (repository, branch, expected), FILE, text).await
    }

    async fn commit_file(
        &self,
        token: &str,
        at: (&str, &str, &str),
        path: &str,
        text: &str,
    ) -> Result<String, String> {
        use base64::Engine;
        let (repository, branch, expected) = at;
        let contents = base64::engine::general_purpose::STANDARD.encode(text);
        let input = json!({
            "branch": { "repositoryNameWithOwner": repository, "branchName": branch },
            "expectedHeadOid": expected,
            "message": { "headline": "Manual bump of acme/vpc", "body": signed_off(token) },
            "fileChanges": { "additions": [{ "path": path, "contents": contents }], "deletions": [] },
        });
        let query = "mutation($input: CreateCommitOnBranchInput!) { made: createCommitOnBranch(input: $input) { commit { oid url } ref { name } } }";
        let (_, said) = self
            .say(token, "POST", "/graphql", json!({ "query": query, "variables": { "input": input } }))
            .await;
        match said["data"]["made"]["commit"]["oid"].as_str() {
            Some(oid) => Ok(oid.to_owned()),
            None => Err(said["errors"][0]["type"].as_str().unwrap_or("none").to_owned()),
        }
    }

    async fn open(&self, token: &str, head: &str, body: &str) -> (u16, Value) {
        let body = json!({ "title": "Manual bump of acme/vpc", "head": head, "base": "main", "body": body, "draft": true });
        self.say(token, "POST", "/repos/opentofu/registry/pulls", body).await
    }
}

fn signed_off(login: &str) -> String {
    format!("Signed-off-by: {login} <{}>", Account::new(login, None).person().email)
}

fn message(value: &Value) -> String {
    value["errors"][0]["message"].as_str().or(value["message"].as_str()).unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clone_is_the_maintainers_checkout() {
    let site = Site::new().await;
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (own, clone) = (place("own"), place("clone"));
    site.server.look(|world| checkout::write(world, own.as_ref())).unwrap();
    let url = format!("{}/opentofu/registry.git", site.server.addresses().web);
    real_git(&["clone", "--quiet", &url, &clone]).await.unwrap();
    let head = async |place: &str| real_git(&["-C", place, "rev-parse", "HEAD"]).await.unwrap();
    assert_eq!(head(&own).await, head(&clone).await);
    real_git(&["-C", &clone, "fsck", "--strict"]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pull_request_from_branch_to_merge() {
    let site = Site::new().await;
    let base = site.tip("opentofu/registry", "main").await;
    let here = "opentofu/registry";
    assert_eq!(site.branch("newcomer", here, "x", &base).await.0, 401, "no such token");
    let refused = site
        .ask(
            "canary",
            "POST",
            "/repos/opentofu/registry/git/refs",
            &json!({ "ref": "refs/heads/x", "sha": base }),
        )
        .await;
    assert_eq!(
        (refused.status, refused.header("x-accepted-github-permissions")),
        (403, Some("contents=write"))
    );

    assert_eq!(site.branch("ann", here, "manual/one", &base).await.0, 201);
    let again = site.branch("ann", here, "manual/one", &base).await;
    assert_eq!((again.0, message(&again.1).as_str()), (422, "Reference already exists"));
    assert_eq!(site.commit("ann", (here, "main", &base), "{}").await, Err("UNPROCESSABLE".into()));
    let zeros = "0".repeat(40);
    assert_eq!(site.commit("ann", (here, "manual/one", &zeros), "{}").await, Err("STALE_DATA".into()));
    assert_eq!(site.commit("canary", (here, "manual/one", &base), "{}").await, Err("FORBIDDEN".into()));
    let refused = site.open("ann", "manual/one", "").await;
    assert_eq!((refused.0, message(&refused.1).as_str()), (422, "No commits between main and manual/one"));
    let made = site.commit("ann", (here, "manual/one", &base), "{}\n").await.unwrap();
    assert_eq!(site.tip(here, "manual/one").await, made);

    let refused = site.open("ann", "manual/one", &"x".repeat(65_537)).await;
    assert_eq!(
        (refused.0, message(&refused.1).as_str()),
        (422, "body is too long (maximum is 65536 characters)")
    );
    site.server.edit(|world| world.forge.check_looks = 2);
    let (status, pull) = site.open("ann", "manual/one", &"x".repeat(65_536)).await;
    assert_eq!((status, pull["draft"].as_bool(), &pull["changed_files"]), (201, Some(true), &json!(1)));
    let number = pull["number"].as_u64().unwrap();
    let refused = site.open("ann", "manual/one", "").await;
    assert_eq!(message(&refused.1), "A pull request already exists for opentofu:manual/one.");
    let files = site.read(&format!("/repos/{here}/pulls/{number}/files")).await;
    assert_eq!((&files[0]["filename"], &files[0]["status"]), (&json!(FILE), &json!("modified")));
    let commit = site.read(&format!("/repos/{here}/commits/{made}")).await;
    assert_eq!(commit["commit"]["verification"]["verified"], true);
    assert_eq!(commit["author"]["login"], "ann");

    // Real git has one commit on the base, and the bytes that were sent.
    let folder = tempfile::tempdir().unwrap();
    let clone = folder.path().join("clone").to_str().unwrap().to_owned();
    let url = format!("{}/opentofu/registry", site.server.addresses().web);
    real_git(&["clone", "--quiet", "--branch", "manual/one", &url, &clone]).await.unwrap();
    let text = real_git(&["-C", &clone, "log", "--format=%H %P %an %s", "-1"]).await.unwrap();
    assert_eq!(text, format!("{made} {base} ann Manual bump of acme/vpc\n"));
    assert_eq!(real_git(&["-C", &clone, "show", &format!("HEAD:{FILE}")]).await.unwrap(), "{}\n");
    assert_eq!(
        real_git(&["-C", &clone, "diff", "--name-only", &base, &made]).await.unwrap(),
        format!("{FILE}\n")
    );

    the_rest_of_its_life(&site, number, &made).await;
    let merged = site.tip(here, "main").await;
    let deleted =
        site.ask("ann", "DELETE", &format!("/repos/{here}/git/refs/heads/manual/one"), &Value::Null).await;
    assert_eq!(deleted.status, 204);
    real_git(&["-C", &clone, "fetch", "--quiet", "origin", "main"]).await.unwrap();
    let squashed = real_git(&["-C", &clone, "log", "--format=%H %P", "-1", "FETCH_HEAD"]).await.unwrap();
    assert_eq!(squashed, format!("{merged} {base}\n"), "one commit on the branch");
}

/// Labels, comments, reviews, checks, merge.
async fn the_rest_of_its_life(site: &Site, number: u64, head: &str) {
    let of = format!("/repos/opentofu/registry/pulls/{number}");
    let issue = format!("/repos/opentofu/registry/issues/{number}");
    let post = async |who: &str, path: String, body: Value| site.say(who, "POST", &path, body).await;
    assert_eq!(post("canary", format!("{issue}/labels"), json!({ "labels": ["a"] })).await.0, 403);
    let labels = post("ann", format!("{issue}/labels"), json!({ "labels": ["manual-bump"] })).await;
    assert_eq!((labels.0, &labels.1[0]["name"]), (200, &json!("manual-bump")));
    assert_eq!(post("canary", format!("{issue}/comments"), json!({ "body": "hello" })).await.0, 201);
    let reviewers = async |who: &str| {
        post("ann", format!("{of}/requested_reviewers"), json!({ "reviewers": [who] })).await
    };
    assert_eq!(reviewers("newcomer").await.0, 422);
    assert_eq!(reviewers("ann").await.0, 422);
    assert_eq!(reviewers("ben").await.1["requested_reviewers"][0]["login"], "ben");

    let checks = site.read(&format!("/repos/opentofu/registry/commits/{head}/check-runs")).await;
    let states: Vec<(&str, &str)> = checks["check_runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| (run["name"].as_str().unwrap(), run["status"].as_str().unwrap()))
        .collect();
    assert_eq!(states, [("Verify PR JSON", "queued"), ("DCO", "completed")]);
    assert_eq!(site.read(&of).await["mergeable_state"], "draft");
    site.server.edit(|world| {
        world.forge.conclude(number, VERIFY, State::Passed);
        world.forge.registry_mut().unwrap().pull_mut(number).unwrap().draft = false;
    });
    assert_eq!(site.read(&of).await["mergeable_state"], "blocked", "it lacks an approval");

    let review = async |who: &str, body: Value| post(who, format!("{of}/reviews"), body).await;
    let odd = review("ben", json!({ "event": "APPROVED", "commit_id": head })).await;
    assert_eq!((odd.0, &odd.1["errors"][0]["field"]), (422, &json!("event")));
    let own = review("ann", json!({ "event": "APPROVE", "commit_id": head })).await;
    assert_eq!((own.0, message(&own.1).as_str()), (422, "Can not approve your own pull request"));
    let outside = json!({ "event": "COMMENT", "commit_id": head, "body": "see", "comments": [{ "path": FILE, "line": 99, "side": "RIGHT", "body": "x" }] });
    assert_eq!(review("ben", outside).await.0, 422);
    let inside = json!({ "event": "APPROVE", "commit_id": head, "comments": [{ "path": FILE, "line": 1, "side": "RIGHT", "body": "x" }] });
    assert_eq!(review("ben", inside).await.1["state"], "APPROVED");
    assert_eq!(site.read(&of).await["mergeable_state"], "clean");
    site.server.edit(|world| world.forge.merge(world.now, number, "ben")).unwrap();
    let merged = site.read(&of).await;
    assert_eq!((&merged["state"], &merged["merged"]), (&json!("closed"), &json!(true)));
}

#[tokio::test(flavor = "multi_thread")]
async fn forks_follow_and_compete() {
    let site = Site::new().await;
    let here = "opentofu/registry";
    let base = site.tip(here, "main").await;
    let fork = async || {
        site.say("canary", "POST", "/repos/opentofu/registry/forks", json!({ "default_branch_only": true }))
            .await
    };
    site.server.edit(|world| world.limits.fork_looks = 2);
    assert_eq!(fork().await.1["full_name"], "newcomer/registry");
    for _ in 0..2 {
        let look =
            site.say("canary", "GET", "/repos/newcomer/registry/git/ref/heads/main", Value::Null).await;
        assert_eq!(look.0, 404, "it fills in later");
    }
    assert_eq!(site.tip("newcomer/registry", "main").await, base);
    assert_eq!(fork().await.0, 202, "the same again");

    site.server
        .edit(|world| world.forge.bump(world.now, [("modules/n/n/n/n.json".to_owned(), Some("{}".into()))]));
    let synced = site
        .say("canary", "POST", "/repos/newcomer/registry/merge-upstream", json!({ "branch": "main" }))
        .await;
    assert_eq!(synced.1["merge_type"], "fast-forward");
    let base = site.tip("newcomer/registry", "main").await;
    assert_eq!(base, site.tip(here, "main").await);

    assert_eq!(site.branch("canary", "newcomer/registry", "b", &base).await.0, 201);
    assert_eq!(site.branch("ann", "newcomer/registry", "c", &base).await.0, 403, "somebody else's");
    let made = site.commit("canary", ("newcomer/registry", "b", &base), "{}").await.unwrap();
    let (status, pull) = site.open("canary", "newcomer:b", "").await;
    assert_eq!((status, pull["head"]["label"].as_str()), (201, Some("newcomer:b")));
    assert_eq!(pull["author_association"], "CONTRIBUTOR");
    let checks = site.read(&format!("/repos/{here}/commits/{made}/check-runs")).await;
    assert_eq!(
        checks["check_runs"][1]["conclusion"], "action_required",
        "it is signed off as `canary`, which nobody is"
    );

    // Both sides change one file: GitHub says so.
    site.server.edit(|world| world.forge.bump(world.now, [(FILE.to_owned(), Some("[]".into()))]));
    let number = pull["number"].as_u64().unwrap();
    assert_eq!(site.read(&format!("/repos/{here}/pulls/{number}")).await["mergeable_state"], "dirty");
    // A force push moves the head, and the branch's end closes it.
    let forced = json!({ "sha": base, "force": false });
    assert_eq!(site.say("canary", "PATCH", "/repos/newcomer/registry/git/refs/heads/b", forced).await.0, 422);
    assert_eq!(
        site.ask("canary", "DELETE", "/repos/newcomer/registry/git/refs/heads/b", &Value::Null).await.status,
        204
    );
    assert_eq!(site.read(&format!("/repos/{here}/pulls/{number}")).await["state"], "closed");
}

/// A world in which somebody looks after pull requests.
const WITH_COLLEAGUE: &str = r#"
[limits]
check_looks = 2
[[account]]
login = "ann"
token = "ann"
role = "write"
member = true
[[module]]
address = "acme/zone/aws"
stored = ["v1.0.0"]
tags = ["v1.1.0"]
[colleague]
login = "sol"
review_after = 1
merge_after = 1
bump_after = 1
"#;

/// Opens one of `ann`'s in that world and looks at it until nothing changes any more: what each look found new. And the site.
async fn watched(more: &str) -> (Vec<String>, Site, u64) {
    let site = Site::of(World::parse(&format!("{WORLD}{WITH_COLLEAGUE}{more}")).unwrap()).await;
    let here = "opentofu/registry";
    let base = site.tip(here, "main").await;
    site.branch("ann", here, "a", &base).await;
    // What upstream has: the file with its version anew.
    let made = site.read(&format!("/repos/{here}/contents/{FILE}?ref=main")).await;
    let made = made["content"].as_str().unwrap().replace('\n', "");
    let text = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, made).unwrap();
    let text = String::from_utf8(text).unwrap().replace("  ", " ");
    let head = site.commit("ann", (here, "a", &base), &text).await.unwrap();
    let number = site.open("ann", "a", "why").await.1["number"].as_u64().unwrap();
    let mut seen: Vec<String> = Vec::new();
    for look in 1..=12 {
        let checks = site.read(&format!("/repos/{here}/commits/{head}/check-runs")).await;
        let pull = site.read(&format!("/repos/{here}/pulls/{number}")).await;
        let reviews = site.read(&format!("/repos/{here}/pulls/{number}/reviews")).await;
        let main = site.read(&format!("/repos/{here}/commits?sha=main")).await;
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let now = [
            word(&checks["check_runs"][0]["status"]),
            word(&pull["mergeable_state"]),
            word(&reviews[0]["state"]),
            main[0]["commit"]["message"].as_str().unwrap().lines().next().unwrap().to_owned(),
        ];
        let now = now.join(", ");
        if !seen.last().is_some_and(|last| last.ends_with(&now)) {
            seen.push(format!("{look}: {now}"));
        }
    }
    (seen, site, number)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_colleague_reviews_and_merges_and_a_bump_follows() {
    let first = "Automated bump of versions for providers and modules (a)";
    let merged = "Manual bump of acme/vpc (#5600)";
    let (seen, site, number) = watched("").await;
    let wanted = [
        format!("1: queued, draft, , {first}"),
        format!("2: in_progress, draft, , {first}"),
        // The look that found the check running was the first at the pull request after its end.
        format!("3: completed, clean, APPROVED, {first}"),
        format!("5: completed, unknown, APPROVED, {merged}"),
        format!("7: completed, unknown, APPROVED, {first}"),
    ];
    assert_eq!(seen, wanted);
    let pull = site.read(&format!("/repos/opentofu/registry/pulls/{number}")).await;
    assert_eq!((&pull["merged_by"]["login"], &pull["draft"]), (&json!("sol"), &json!(false)));
    let range = format!("{}...main", pull["merge_commit_sha"].as_str().unwrap());
    let since = site.read(&format!("/repos/opentofu/registry/compare/{range}")).await;
    let paths: Vec<&str> =
        since["files"].as_array().unwrap().iter().map(|file| file["filename"].as_str().unwrap()).collect();
    assert_eq!(paths, ["modules/a/acme/zone/aws.json"]);
    let zone = site.read("/repos/opentofu/registry/contents/modules/a/acme/zone/aws.json?ref=main").await;
    let zone = zone["content"].as_str().unwrap().replace('\n', "");
    let zone = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, zone).unwrap();
    let zone: Value = serde_json::from_slice(&zone).unwrap();
    assert_eq!(zone["versions"][0]["version"], "v1.1.0");
    assert_eq!(site.read("/orgs/opentofu/public_members").await[0]["login"], "ann");

    let (seen, site, number) = watched("bump_rewrites = true\n").await;
    assert_eq!(seen.len(), wanted.len());
    let pull = site.read(&format!("/repos/opentofu/registry/pulls/{number}")).await;
    let range = format!("{}...main", pull["merge_commit_sha"].as_str().unwrap());
    let since = site.read(&format!("/repos/opentofu/registry/compare/{range}")).await;
    assert_eq!(since["files"][0]["filename"], FILE);

    let (seen, ..) = watched("verdict = \"request-changes\"\n").await;
    assert_eq!(seen.last().unwrap(), &format!("3: completed, draft, CHANGES_REQUESTED, {first}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_newest_status_of_each_program_counts() {
    let site = Site::new().await;
    let tip = site.tip("opentofu/registry", "main").await;
    let of = format!("/repos/opentofu/registry/statuses/{tip}");
    let say = async |who: &str, context: &str, state: &str| {
        site.say(who, "POST", &of, json!({ "context": context, "state": state })).await.0
    };
    let combined = async || {
        let said = site.read(&format!("/repos/opentofu/registry/commits/{tip}/status")).await;
        (said["state"].as_str().unwrap().to_owned(), said["total_count"].as_u64().unwrap())
    };
    assert_eq!(combined().await, ("pending".into(), 0));
    assert_eq!(say("canary", "scan", "success").await, 403);
    assert_eq!(say("ann", "scan", "good").await, 422);
    assert_eq!(say("ann", "scan", "failure").await, 201);
    assert_eq!(say("ben", "mirror", "success").await, 201);
    assert_eq!(combined().await, ("failure".into(), 2));
    assert_eq!(say("ann", "scan", "pending").await, 201);
    assert_eq!(combined().await, ("pending".into(), 2));
    assert_eq!(say("ann", "scan", "success").await, 201);
    assert_eq!(combined().await, ("success".into(), 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn branches_are_updated_only_where_they_are_known_to_point() {
    let site = Site::new().await;
    let here = "opentofu/registry";
    let base = site.tip(here, "main").await;
    let id = site.read("/repos/opentofu/registry").await["node_id"].clone();
    let update = async |who: &str, updates: Value| {
        let query = "mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }";
        let input = json!({ "repositoryId": id, "refUpdates": updates, "clientMutationId": "one" });
        let body = json!({ "query": query, "variables": { "input": input } });
        let (_, said) = site.say(who, "POST", "/graphql", body).await;
        match said["data"]["updateRefs"]["clientMutationId"].as_str() {
            Some("one") => Ok(()),
            _ => Err(said["errors"][0]["type"].as_str().unwrap_or("none").to_owned()),
        }
    };
    let zeros = "0".repeat(40);
    let one = |name: &str, before: &str, after: &str| json!({ "name": format!("refs/heads/{name}"), "beforeOid": before, "afterOid": after });
    let there = async |name: &str| {
        site.say("ann", "GET", &format!("/repos/{here}/git/ref/heads/{name}"), Value::Null).await.0 == 200
    };

    assert_eq!(update("canary", json!([one("a", &zeros, &base)])).await, Err("FORBIDDEN".into()));
    assert_eq!(update("ann", json!([one("a", &zeros, &base)])).await, Ok(()));
    assert_eq!(
        update("ann", json!([one("a", &zeros, &base)])).await,
        Err("STALE_DATA".into()),
        "it is there"
    );
    let made = site.commit("ann", (here, "a", &base), "{}\n").await.unwrap();
    let number = site.open("ann", "a", "").await.1["number"].as_u64().unwrap();
    assert_eq!(update("ann", json!([one("a", &base, &zeros)])).await, Err("STALE_DATA".into()), "it moved");
    let both = json!([one("b", &zeros, &base), one("a", &base, &zeros)]);
    assert_eq!(update("ann", both).await, Err("STALE_DATA".into()));
    assert!(!there("b").await, "all of them, or none");
    assert_eq!(
        update("ann", json!([one("a", &made, &base)])).await,
        Err("UNPROCESSABLE".into()),
        "backwards"
    );
    assert_eq!(update("ann", json!([one("main", &base, &zeros)])).await, Err("UNPROCESSABLE".into()));

    let both = json!([one("b", &zeros, &base), one("a", &made, &zeros)]);
    assert_eq!(update("ann", both).await, Ok(()));
    assert_eq!((there("a").await, there("b").await), (false, true));
    let pull = site.read(&format!("/repos/{here}/pulls/{number}")).await;
    assert_eq!((&pull["state"], &pull["merged"]), (&json!("closed"), &json!(false)));
}

#[tokio::test(flavor = "multi_thread")]
async fn writes_are_limited_and_people_known() {
    let site = Site::new().await;
    let base = site.tip("opentofu/registry", "main").await;
    site.server.edit(|world| world.limits.writes_per_minute = 2);
    for name in ["a", "b"] {
        assert_eq!(site.branch("ann", "opentofu/registry", name, &base).await.0, 201);
    }
    let body = json!({ "ref": "refs/heads/c", "sha": base });
    let limited = site.ask("ann", "POST", "/repos/opentofu/registry/git/refs", &body).await;
    assert_eq!((limited.status, limited.header("retry-after")), (403, Some("60")));
    assert!(limited.text().contains("secondary rate limit"));
    site.server.edit(|world| world.now += jiff::SignedDuration::from_mins(1));
    assert_eq!(site.branch("ann", "opentofu/registry", "c", &base).await.0, 201);

    for (member, status) in [("ben", 204), ("ann", 404)] {
        let path = format!("/orgs/opentofu/public_members/{member}");
        assert_eq!(site.ask("ann", "GET", &path, &Value::Null).await.status, status);
    }
    let permission = site.read("/repos/opentofu/registry/collaborators/ben/permission").await;
    assert_eq!((&permission["permission"], &permission["role_name"]), (&json!("write"), &json!("maintain")));
    let rules = site.read("/repos/opentofu/registry/rules/branches/main").await;
    assert_eq!(rules[0]["parameters"]["required_approving_review_count"], 1);
    assert_eq!(site.read("/user").await["login"], "ann");
}

#[tokio::test(flavor = "multi_thread")]
async fn trees_blobs_and_contents() {
    let site = Site::new().await;
    let here = "/repos/opentofu/registry";
    let tree = site.read(&format!("{here}/git/trees/main?recursive=1")).await;
    let line = tree["tree"].as_array().unwrap().iter().find(|line| line["path"] == FILE).unwrap();
    assert_eq!(
        (&line["mode"], &line["type"], &tree["truncated"]),
        (&json!("100644"), &json!("blob"), &json!(false))
    );
    let stored = site.server.look(|world| world.files[FILE].clone());
    let url = format!("{here}/contents/{FILE}?ref=main");
    let raw = {
        let address = format!("{}{url}", site.server.addresses().api);
        ask("GET", &address, "accept: application/vnd.github.raw+json\r\n", "").await.unwrap()
    };
    assert_eq!(raw.body, stored);
    assert_eq!(site.read(&url).await["sha"], line["sha"]);
    let folder = site.read(&format!("{here}/contents/modules/a/acme/vpc")).await;
    assert_eq!(folder[0]["name"], "aws.json");
    let listed = site.read(&format!("{here}/commits?path={FILE}&sha=main")).await;
    assert_eq!(listed.as_array().unwrap().len(), 1);
    site.server.edit(|world| world.limits.tree_entries = Some(3));
    assert_eq!(site.read(&format!("{here}/git/trees/main?recursive=1")).await["truncated"], true);
}

/// A provider and a module with a version each that the registry lacks.
const LACKING: &str = r#"
clock = "2026-11-21T12:00:00Z"
[[provider]]
address = "acme/rocket"
targets = ["linux_amd64", "darwin_arm64"]
stored = ["1.0.0"]
releases = ["v1.1.0"]
[[module]]
address = "acme/vpc/aws"
stored = ["v1.0.0"]
tags = ["v1.1.0"]
[user]
login = "ann"
push = true
"#;

#[tokio::test(flavor = "multi_thread")]
async fn the_required_check_makes_the_files_anew() {
    const PROVIDER: &str = "providers/a/acme/rocket.json";
    let after =
        LACKING.replace("stored = [\"1.0.0\"]\nreleases = [\"v1.1.0\"]", "stored = [\"1.1.0\", \"1.0.0\"]");
    let after =
        after.replace("stored = [\"v1.0.0\"]\ntags = [\"v1.1.0\"]", "stored = [\"v1.1.0\", \"v1.0.0\"]");
    let after = World::parse(&after).unwrap();
    let right = |path: &str| String::from_utf8(after.files[path].to_vec()).unwrap();
    let digit = right(PROVIDER).find("\"shasum\": \"").unwrap() + 11;
    let mut wrong = right(PROVIDER);
    let other = if wrong.as_bytes()[digit] == b'0' { "1" } else { "0" };
    wrong.replace_range(digit..=digit, other);
    for (name, path, text, verdict) in [
        ("provider", PROVIDER, right(PROVIDER), "success"),
        ("module", FILE, right(FILE), "success"),
        ("one-digit", PROVIDER, wrong, "failure"),
        ("not-all", FILE, right(FILE).replace("v1.1.0", "v1.1.1"), "failure"),
        ("other-file", "README.md", "hello".to_owned(), "success"),
        ("nowhere", "modules/n/no/body/aws.json", "{}".to_owned(), "failure"),
    ] {
        let site = Site::of(World::parse(LACKING).unwrap()).await;
        let base = site.tip("opentofu/registry", "main").await;
        site.branch("any", "opentofu/registry", name, &base).await;
        let made = site.commit_file("any", ("opentofu/registry", name, &base), path, &text).await.unwrap();
        site.open("any", name, "").await;
        let checks = site.read(&format!("/repos/opentofu/registry/commits/{made}/check-runs")).await;
        assert_eq!(
            checks["check_runs"][0]["conclusion"], verdict,
            "{name}: {}",
            checks["check_runs"][0]["output"]
        );
    }
}
