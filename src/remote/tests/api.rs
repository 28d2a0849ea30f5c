use serde_json::{Value, json};

use crate::registry::Repository;
use crate::remote::Error;
use crate::remote::tests::{Seen, Wire, raw, reply, repository};
use crate::settings::Lane;

fn release(tag: &str) -> Value {
    json!({"id": 1, "tag_name": tag, "draft": false, "prerelease": false, "created_at": "2026-01-01T00:00:00Z",
           "published_at": "2026-01-01T00:00:00Z", "assets": []})
}

#[tokio::test]
async fn a_release_is_requested_by_its_raw_tag() {
    let wire = Wire::always(reply(200, &[], release("mod/v1+x").to_string()));
    let info = wire.remote().release(&repository(), "mod/v1+x #").await.unwrap();
    assert_eq!((&*info.tag, info.id), ("mod/v1+x", Some(1)));
    assert_eq!(wire.lines(), ["GET /api/repos/Own/terraform-provider-x/releases/tags/mod/v1+x%20%23"]);
    let wire = Wire::always(reply(404, &[], r#"{"message":"Not Found"}"#));
    assert_eq!(wire.remote().release(&repository(), "v1").await, Err(Error::NotFound { status: 404 }));
    let wire = Wire::always(reply(200, &[], "{}"));
    assert!(matches!(wire.remote().release(&repository(), "v1").await, Err(Error::Protocol(_))));
    let wire = Wire::always(Vec::new());
    assert!(matches!(wire.remote().release(&repository(), "v1").await, Err(Error::Transport(_))));
}

#[tokio::test]
async fn renamed_repositories_are_followed() {
    let location = "https://api.github.com/repositories/7/releases/tags/v1";
    let wire = Wire::start(move |_, before| match before {
        0 => reply(301, &[("location", location)], r#"{"message":"Moved Permanently"}"#),
        _ => reply(200, &[], release("v1").to_string()),
    });
    assert!(wire.remote_with_token().release(&repository(), "v1").await.is_ok());
    assert_eq!(wire.lines()[1], "GET /api/repositories/7/releases/tags/v1");
    assert!(wire.seen()[1].header("authorization").is_some());
}

fn open_pull(number: usize) -> Value {
    let side = json!({"label": "own:x", "ref": "x", "sha": "1".repeat(40), "user": {"login": "own"}});
    json!({"number": number, "title": "t", "user": null, "created_at": "2026-01-01T00:00:00Z",
           "updated_at": "2026-01-02T00:00:00Z", "state": "open", "head": side, "base": side})
}

/// An answer about another pull request, branch, commit or repository is refused.
#[tokio::test]
async fn an_answer_about_another_thing_is_refused() {
    let of = |body: Value| Wire::always(reply(200, &[], body.to_string()));
    let is_other = |error: Option<Error>, wanted: &str| {
        let Some(Error::Protocol(text)) = error else { panic!("{wanted}: {error:?}") };
        assert_eq!(&*text, wanted);
    };
    let (one, other) = ("1".repeat(40), "2".repeat(40));
    let wire = of(open_pull(7));
    assert_eq!(wire.remote().pull(&repository(), 7).await.unwrap().number, 7);
    is_other(wire.remote().pull(&repository(), 8).await.err(), "it is about #7, and #8 was asked for");
    is_other(wire.remote().whole_pull(&repository(), 8).await.err(), "it is about #7, and #8 was asked for");
    let wire = of(Value::from(vec![open_pull(7)]));
    assert_eq!(wire.remote().pull_of(&repository(), "own", "x").await.unwrap().unwrap().number, 7);
    is_other(
        wire.remote().pull_of(&repository(), "own", "y").await.err(),
        "it is about the branch x, and the branch y was asked for",
    );
    let wire = of(json!({ "ref": "refs/heads/x", "object": { "sha": one } }));
    assert_eq!(wire.remote().tip(&repository(), "x").await.unwrap().unwrap(), one);
    is_other(
        wire.remote().tip(&repository(), "y").await.err(),
        "it is about refs/heads/x, and the branch y was asked for",
    );
    let wire = of(json!({ "sha": one, "commit": { "message": "m" }, "parents": [] }));
    assert_eq!(wire.remote().commit(&repository(), &one).await.unwrap().message, "m");
    is_other(
        wire.remote().commit(&repository(), &other).await.err(),
        &format!("it is about the commit {one}, and the commit {other} was asked for"),
    );
}

/// A renamed repository answers with its new name every time. An answer about another repository comes only once.
#[tokio::test]
async fn a_renamed_repository_is_not_taken_for_another() {
    let about = |name: &str| {
        json!({ "node_id": format!("R_{name}"), "name": name, "owner": { "login": "Own" }, "parent": null,
                "default_branch": "main" })
    };
    let wire = Wire::always(reply(200, &[], about("new-name").to_string()));
    assert_eq!(&*wire.remote().hosted(&repository()).await.unwrap().repository.name, "new-name");
    let wire = Wire::start(move |_, before| {
        let name = if before == 0 { "another" } else { "terraform-provider-x" };
        reply(200, &[], about(name).to_string())
    });
    let error = wire.remote().hosted(&repository()).await.unwrap_err();
    assert!(
        matches!(&error, Error::Protocol(text) if text.contains("the repository Own/another")),
        "{error}"
    );
    assert_eq!(&*wire.remote().hosted(&repository()).await.unwrap().repository.name, "terraform-provider-x");
}

/// A second look at the open pull requests gets only the pages that changed.
#[tokio::test]
async fn open_pulls_are_requested_with_their_last_answers() {
    let wire = Wire::start(|seen, _| {
        let page = if seen.target.ends_with("&page=1") { 1 } else { 2 };
        let tag = format!("\"{page}\"");
        if seen.header("if-none-match") == Some(&*tag) {
            return raw(304, &[("connection", "close")]);
        }
        // The last of the first page moved to the second one meanwhile.
        let numbers = if page == 1 { 1..101 } else { 100..103 };
        let pulls: Vec<Value> = numbers.map(open_pull).collect();
        reply(200, &[("etag", &tag)], Value::from(pulls).to_string())
    });
    let remote = wire.remote_with_token();
    for _ in 0..2 {
        let pulls = remote.waiting_pulls(&repository()).await.unwrap();
        let numbers: Vec<u64> = pulls.iter().map(|pull| pull.listing.number).collect();
        assert_eq!(numbers, (1..=102).collect::<Vec<_>>());
    }
    let counts = remote.counts().of(Lane::Api);
    assert_eq!((counts.sent, counts.not_modified), (4, 2));
}

/// Anybody may open pull requests whose texts are as long as GitHub takes them: of the list no more is kept than there is room for.
#[tokio::test]
async fn texts_of_the_list_have_an_end() {
    let wire = Wire::start(|seen, _| {
        let numbers = if seen.target.ends_with("&page=1") { 1..101 } else { 101..121 };
        let long = |number| {
            let mut pull = open_pull(number);
            pull["body"] = "x".repeat(256 << 10).into();
            pull
        };
        reply(200, &[], Value::from(numbers.map(long).collect::<Vec<_>>()).to_string())
    });
    let pulls = wire.remote_with_token().waiting_pulls(&repository()).await.unwrap();
    let kept: usize = pulls.iter().flat_map(|pull| &pull.body).map(String::len).sum();
    assert_eq!((pulls.len(), kept), (120, 16 << 20));
    assert!(pulls[63].body.is_some() && pulls[64].body.is_none() && pulls[119].body.is_none());
}

#[tokio::test]
async fn lists_follow_their_links_on_our_base() {
    let wire = Wire::start(|seen, before| {
        let tag = format!("v{before}");
        let body = json!([release(&tag)]).to_string();
        let host = seen.header("host").unwrap();
        let next = match before {
            0 => "<https://api.github.com/repositories/7/releases?per_page=100&page=2>; rel=\"next\""
                .to_owned(),
            1 => format!("<http://{host}/api/repositories/7/releases?page=3>; rel=\"next\""),
            _ => "<https://api.github.com/x>; rel=\"first\"".to_owned(),
        };
        reply(200, &[("link", &next)], body)
    });
    let releases = wire.remote().releases(&repository()).await.unwrap();
    assert_eq!(releases.iter().map(|info| &*info.tag).collect::<Vec<_>>(), ["v0", "v1", "v2"]);
    assert_eq!(
        wire.lines(),
        [
            "GET /api/repos/Own/terraform-provider-x/releases?per_page=100",
            "GET /api/repositories/7/releases?per_page=100&page=2",
            "GET /api/repositories/7/releases?page=3",
        ]
    );
    let wire = Wire::always(reply(200, &[("link", "<http://127.0.0.1:9/x>; rel=\"next\"")], "[]"));
    let lost = wire.remote_with_token().releases(&repository()).await;
    assert!(matches!(lost, Err(Error::Protocol(text)) if text.contains("another host")));
    assert_eq!(wire.lines().len(), 1);
}

fn items(count: usize) -> Vec<(Repository, String)> {
    (0..count).map(|index| (Repository::new("o", &format!("r{index}")), "v1".to_owned())).collect()
}

/// The number of aliases in a query, and a good answer to it.
fn answered(seen: &Seen) -> (usize, Value) {
    let body: Value = serde_json::from_slice(&seen.body).unwrap();
    let count = (0..100).take_while(|index| body["variables"].get(format!("o{index}")).is_some()).count();
    let mut data = json!({"rateLimit": {"cost": 1, "remaining": 9, "resetAt": "2026-01-01T00:00:00Z"}});
    for index in 0..count {
        let name = body["variables"][format!("n{index}")].clone();
        data[format!("r{index}")] = json!({"release": {"databaseId": 1, "tagName": name, "isDraft": false,
            "isPrerelease": false, "releaseAssets": {"nodes": [], "pageInfo": {"hasNextPage": false}}}});
    }
    (count, json!({ "data": data }))
}

#[tokio::test]
async fn batches_hold_twenty_and_keep_their_order() {
    let wire = Wire::start(|seen, _| reply(200, &[], answered(seen).1.to_string()));
    let remote = wire.remote_with_token();
    let found = remote.release_batch(&items(45)).await;
    let tags: Vec<String> = found.into_iter().map(|info| info.unwrap().tag.into()).collect();
    assert_eq!(tags, (0..45).map(|index| format!("r{index}")).collect::<Vec<_>>());
    let sizes: Vec<usize> = wire.seen().iter().map(|seen| answered(seen).0).collect();
    assert_eq!(sizes, [20, 20, 5]);
    assert_eq!(remote.rate().points_used, 3);
    assert!(wire.lines().iter().all(|line| line == "POST /graphql"));
    assert_eq!(wire.seen()[0].header("content-type"), Some("application/json"));
    assert_eq!(remote.release_batch(&[]).await, []);
}

#[tokio::test]
async fn a_batch_that_is_too_much_is_halved() {
    let heavy = r#"{"data":null,"errors":[{"message":"Something went wrong while executing your query."}]}"#;
    for refusal in [reply(502, &[], ""), reply(504, &[], "<html>"), reply(200, &[], heavy)] {
        let wire = Wire::start(move |seen, _| match answered(seen) {
            (count, _) if count > 6 => refusal.clone(),
            (_, body) => reply(200, &[], body.to_string()),
        });
        let found = wire.remote_with_token().release_batch(&items(10)).await;
        let tags: Vec<String> = found.into_iter().map(|info| info.unwrap().tag.into()).collect();
        assert_eq!(tags, (0..10).map(|index| format!("r{index}")).collect::<Vec<_>>());
        let sizes: Vec<usize> = wire.seen().iter().map(|seen| answered(seen).0).collect();
        assert_eq!(sizes, [10, 5, 5]);
    }
}

#[tokio::test]
async fn one_that_is_always_too_much_costs_no_other() {
    let wire = Wire::start(|seen, _| match answered(seen) {
        (_, body) if seen.text().contains("\"r3\"") => drop_third(body),
        (_, body) => reply(200, &[], body.to_string()),
    });
    let found = wire.remote_with_token().release_batch(&items(6)).await;
    let good: Vec<bool> = found.iter().map(Result::is_ok).collect();
    assert_eq!(good, [true, true, true, false, true, true]);
    assert!(matches!(&found[3], Err(Error::Protocol(text)) if text.starts_with("Something went wrong")));
    // The others were kept and not asked again.
    let sizes: Vec<usize> = wire.seen().iter().map(|seen| answered(seen).0).collect();
    assert_eq!(sizes, [6, 1]);
}

/// A failing API costs at most twice the queries of a working one, and no release is reported as missing.
#[tokio::test]
async fn an_api_that_does_nothing_but_fail_costs_little() {
    let heavy = r#"{"data":null,"errors":[{"message":"Something went wrong while executing your query."}]}"#;
    for refusal in [
        reply(500, &[], ""),
        reply(502, &[], ""),
        reply(404, &[], ""),
        reply(200, &[], heavy),
        reply(200, &[], "<html>"),
        Vec::new(),
    ] {
        for (count, most) in [(1, 2), (20, 2), (100, 10)] {
            let wire = Wire::always(refusal.clone());
            let found = wire.remote_with_token().release_batch(&items(count)).await;
            assert!(found.iter().all(|answer| !matches!(answer, Ok(_) | Err(Error::NotFound { .. }))));
            let asked = wire.lines().len();
            assert!(asked <= most, "{asked} queries for {count} releases");
        }
    }
}

#[tokio::test]
async fn a_query_that_fails_once_is_repeated_once() {
    let wire = Wire::start(|seen, before| match before {
        1 => reply(500, &[], ""),
        _ => reply(200, &[], answered(seen).1.to_string()),
    });
    let found = wire.remote_with_token().release_batch(&items(45)).await;
    assert!(found.iter().all(Result::is_ok));
    let sizes: Vec<usize> = wire.seen().iter().map(|seen| answered(seen).0).collect();
    assert_eq!(sizes, [20, 20, 20, 5]);
}

/// Partial data: the alias of `r3` is null for having been too much.
fn drop_third(mut body: Value) -> Vec<u8> {
    let data = body["data"].as_object_mut().unwrap();
    let alias = data
        .iter()
        .find(|(_, value)| value["release"]["tagName"] == "r3")
        .map(|(key, _)| key.clone())
        .unwrap();
    data.insert(alias.clone(), Value::Null);
    body["errors"] =
        json!([{"message": "Something went wrong while executing your query.", "path": [alias]}]);
    reply(200, &[], body.to_string())
}

#[tokio::test]
async fn missing_repositories_cost_no_other() {
    let wire = Wire::start(|seen, _| {
        let (_, mut body) = answered(seen);
        body["data"]["r1"] = Value::Null;
        body["data"]["r2"] = json!({ "release": null });
        body["errors"] = json!([{"type": "NOT_FOUND", "path": ["r1"], "message": "Could not resolve"}]);
        reply(200, &[], body.to_string())
    });
    let found = wire.remote_with_token().release_batch(&items(4)).await;
    let missing = Err(Error::NotFound { status: 404 });
    assert!(found[0].is_ok() && found[3].is_ok());
    assert_eq!((&found[1], &found[2]), (&missing, &missing));
    assert_eq!(wire.lines().len(), 1);
}

#[tokio::test]
async fn a_limit_in_the_body_stops_the_rest() {
    let headers =
        [("x-ratelimit-remaining", "3"), ("x-ratelimit-resource", "graphql"), ("retry-after", "30")];
    let body = r#"{"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded"}]}"#;
    let wire = Wire::always(reply(200, &headers, body));
    let remote = wire.remote_with_token();
    let found = remote.release_batch(&items(50)).await;
    assert!(found.iter().all(|answer| matches!(answer, Err(Error::RateLimited { .. }))));
    assert_eq!(wire.lines().len(), 1);
    // The lane is held, so the next one is not even sent.
    assert!(matches!(remote.release_batch(&items(1)).await[..], [Err(Error::RateLimited { .. })]));
    assert_eq!(wire.lines().len(), 1);
}
