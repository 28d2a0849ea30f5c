use http::{HeaderMap, Method};

use super::*;
use crate::wire::call::Host;
use crate::wire::quota::Quota;
use crate::wire::terms::{Addresses, Options};
use crate::world::World;

fn world() -> World {
    World::parse(
        r#"
clock = "2026-11-21T12:00:00Z"
[[provider]]
address = "a/b"
targets = ["linux_amd64"]
stored = ["1.1.0", "1.0.0"]
tags = [{ name = "v0.9.0", annotated = true }]
repository = { id = 77, moved_to = "n/terraform-provider-b" }
[[module]]
address = "c/d/e"
stored = ["1.0.0"]
[[fault]]
on = "graphql"
repository = "c/terraform-e-d"
kind = "graphql:FORBIDDEN"
times = 1
"#,
    )
    .unwrap()
}

fn ask(world: &World, quota: &Quota, query: &str, variables: &Value) -> (u16, Value) {
    let options = Options::default();
    let addresses = Addresses::default();
    let site = Site { world, options: &options, addresses: &addresses, quota };
    let mut headers = HeaderMap::new();
    headers.insert("authorization", "Bearer x".parse().unwrap());
    let body = json!({ "query": query, "variables": variables }).to_string().into();
    let call = Call {
        host: Host::Api,
        method: Method::POST,
        path: "/graphql".into(),
        query: String::new(),
        headers,
        body,
    };
    let reply = answer(&site, &call);
    (reply.status, serde_json::from_slice(&reply.body).unwrap())
}

const BATCH: &str = r#"
# one repository that moved, one that is missing, one that a fault strikes
query Batch($n: Int!, $deep: Boolean = false) {
  rateLimit { cost remaining nodeCount }
  r0: repository(owner: "A", name: "terraform-provider-b", followRenames: true) { ...F }
  r1: repository(owner: "no", name: "body") { ...F }
  r2: repository(owner: "c", name: "terraform-e-d") { ...F }
}
fragment F on Repository {
  databaseId nameWithOwner isArchived
  releases(first: $n, orderBy: {field: CREATED_AT, direction: DESC}) {
    nodes { tagName isDraft releaseAssets(first: 100) { nodes { name digest } totalCount } }
    pageInfo { hasNextPage endCursor }
  }
  refs(refPrefix: "refs/tags/", first: 100, orderBy: {field: TAG_COMMIT_DATE, direction: DESC}) @include(if: $deep) {
    totalCount nodes { name target { __typename oid ... on Tag { target { oid } } } }
  }
}
"#;

#[test]
fn missing_and_struck_repositories_leave_the_others_good() {
    let world = world();
    let quota = Quota::default();
    let (status, answer) = ask(&world, &quota, BATCH, &json!({ "n": 1 }));
    assert_eq!(status, 200);
    let (data, errors) = (&answer["data"], &answer["errors"]);
    assert_eq!(data["r0"]["databaseId"], 77);
    assert_eq!(data["r0"]["nameWithOwner"], "n/terraform-provider-b");
    assert_eq!(data["r0"]["releases"]["nodes"][0]["tagName"], "v1.1.0");
    assert_eq!(data["r0"]["releases"]["nodes"][0]["releaseAssets"]["totalCount"], 4);
    assert_eq!(data["r0"]["releases"]["pageInfo"]["hasNextPage"], true);
    assert!(data["r0"].get("refs").is_none());
    assert_eq!((&data["r1"], &data["r2"]), (&Value::Null, &Value::Null));
    assert_eq!(errors[0]["type"], "NOT_FOUND");
    assert_eq!(errors[0]["path"], json!(["r1"]));
    assert_eq!(errors[0]["message"], "Could not resolve to a Repository with the name 'no/body'.");
    assert_eq!((&errors[1]["type"], &errors[1]["path"]), (&json!("FORBIDDEN"), &json!(["r2"])));
    assert_eq!(data["rateLimit"], json!({ "cost": 1, "remaining": 4999, "nodeCount": 3 + 300 + 300 }));
    let (_, again) = ask(&world, &quota, BATCH, &json!({ "n": 1, "deep": true }));
    assert_eq!(again["data"]["r2"]["nameWithOwner"], "c/terraform-e-d");
    let target = &again["data"]["r0"]["refs"]["nodes"][0]["target"];
    assert_eq!(target["__typename"], "Tag");
    assert_ne!(target["oid"], target["target"]["oid"]);
}

#[test]
fn pages_follow_the_cursor() {
    let world = world();
    let quota = Quota::default();
    let query = "query($after: String) { repository(owner: \"n\", name: \"terraform-provider-b\") { releases(first: 1, after: $after) { edges { cursor node { tagName } } pageInfo { hasNextPage endCursor } } } }";
    let (_, first) = ask(&world, &quota, query, &json!({}));
    let page = &first["data"]["repository"]["releases"];
    assert_eq!(page["edges"][0]["cursor"], page["pageInfo"]["endCursor"]);
    let (_, second) = ask(&world, &quota, query, &json!({ "after": page["pageInfo"]["endCursor"] }));
    let page = &second["data"]["repository"]["releases"];
    assert_eq!(page["edges"][0]["node"]["tagName"], "v1.0.0");
    assert_eq!(page["pageInfo"]["hasNextPage"], false);
}

#[test]
fn wrong_queries_are_refused_without_data() {
    let world = world();
    let quota = Quota::default();
    let inside =
        |text: &str| format!("{{ repository(owner: \"n\", name: \"terraform-provider-b\") {{ {text} }} }}");
    let cases = [
        (inside("nope"), "Field 'nope' doesn't exist on type 'Repository'"),
        (inside("releases { totalCount }"), "You must provide a `first` or `last` value"),
        (inside("releases(first: 101) { totalCount }"), "exceeds the `first` limit of 100 records"),
        (inside("owner"), "Field must have selections"),
        (inside("...X"), "Fragment X was used, but not defined"),
        ("{ a".into(), "Parse error on end of file at [1, 4]"),
        ("{ a(b: \"x) }".into(), "Parse error on"),
        ("mutation { a }".into(), "Field 'a' doesn't exist on type 'Mutation'"),
        ("{".repeat(500), "Parse error"),
        (format!("{{ a(b: {}) }}", "[".repeat(500)), "Parse error"),
        ("fragment F on Query { ...F } query { ...F }".into(), "nests too deeply"),
    ];
    for (query, wanted) in cases {
        let (status, answer) = ask(&world, &quota, &query, &Value::Null);
        assert_eq!(status, 200, "{query}");
        let message = answer["errors"][0]["message"].as_str().unwrap();
        assert!(message.contains(wanted), "{query}: {message}");
        assert!(answer.get("data").is_none(), "{query}");
    }
}

#[test]
fn points_run_out_and_big_batches_time_out() {
    let mut world = world();
    world.limits.graphql_points = 1;
    let quota = Quota::default();
    let small = "{ repository(owner: \"n\", name: \"terraform-provider-b\") { name } }";
    assert_eq!(
        ask(&world, &quota, small, &Value::Null).1["data"]["repository"]["name"],
        "terraform-provider-b"
    );
    assert_eq!(ask(&world, &quota, small, &Value::Null).1["errors"][0]["type"], "RATE_LIMITED");
    world.limits.graphql_aliases = Some(2);
    assert_eq!(ask(&world, &quota, BATCH, &json!({ "n": 1 })).0, 502);
}
