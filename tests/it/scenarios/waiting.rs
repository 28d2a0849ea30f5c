//! The pull requests that are open in the newcomer's world: each review gives the word that its comment there promises.

use bumpdesk::surface::demo::World;
use bumpdesk::surface::demo::worlds::NEWCOMER;
use serde_json::Value;

use super::pull::{HERE, colleague, ready, sending};
use crate::door::{Door, Output};

/// Number and promised word of each `[[pull]]`: the last comment before it begins with the word.
fn promised() -> Vec<(u64, String)> {
    let mut promises = Vec::new();
    let mut word = String::new();
    for line in NEWCOMER.lines() {
        if let Some(comment) = line.strip_prefix("# ") {
            comment.split(':').next().unwrap_or_default().clone_into(&mut word);
        }
        if let Some(number) = line.strip_prefix("number = ") {
            promises.push((number.parse().expect("a number"), word.clone()));
        }
    }
    promises
}

async fn door() -> Door {
    Door::of(World::parse(NEWCOMER).expect("the demo's world")).await
}

fn reviewed(said: &Output) -> Value {
    let review = said.objects().into_iter().find(|object| object["type"] == "review");
    review.unwrap_or_else(|| panic!("{said}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn each_review_gives_the_word_that_is_promised() {
    let door = door().await;
    let promises = promised();
    assert!(promises.len() >= 10, "{promises:?}");
    for (number, word) in promises {
        let said = door.said(&format!("review {number}")).await;
        let first = said.out.lines().next().unwrap_or_default();
        assert!(first.ends_with(&format!(": {word}")), "{word}: {said}");
    }
}

/// A second commit comes after the first look, and hides what the first one did.
#[tokio::test(flavor = "multi_thread")]
async fn the_head_that_moves_is_reviewed_as_it_is_then() {
    let door = door().await;
    let (first, second) = (door.said("review 5591 --json").await, door.said("review 5591 --json").await);
    assert_eq!([&reviewed(&first)["result"], &reviewed(&second)["result"]], ["not-hashed", "differs"]);
    assert_ne!(reviewed(&first)["head"], reviewed(&second)["head"]);
}

/// Whatever the demo says that bumpdesk sent is what bumpdesk sends.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_demo_says_of_bumpdesk_is_what_bumpdesk_says() {
    let mut world = World::parse(NEWCOMER).expect("the demo's world");
    let registry = world.forge.registry_mut().expect("the registry");
    let theirs = registry.pull(5599).expect("it is open").clone();
    world.forge.accounts.get_mut("sol-demo").expect("an account").token = Some(crate::stage::CANARY.into());
    let mut door = Door::of(world).await;
    door.set("BUMPDESK_NOW", "2026-11-21T11:26:00Z");
    let address = "pebblecreek/cluster/google";
    door.said(&format!("plan add {address}")).await.is(0, &[]);
    door.said(&format!("plan show {address}")).await.is(0, &[]);
    door.said(&format!("plan approve {address}")).await.is(0, &[]);
    let plan = door.plan_name().await;
    let ours = sending(&ready(&door, &plan, "--json").await);
    let requests = ours["requests"].as_array().expect("requests");
    let digest = |text: &str| text.split("\"plan\":\"").nth(1).expect("evidence")[..64].to_owned();
    let body = requests[2]["body"]["body"].as_str().expect("a text");
    // What else was in a plan that nobody has any more is nobody's to repeat.
    assert_eq!(theirs.body.replace(&digest(&theirs.body), &digest(body)), body);
    assert_eq!(requests[2]["body"]["title"], *theirs.title);
    assert_eq!(theirs.branch, format!("bumpdesk/bump-{}", &digest(&theirs.body)[..12]));
    let of_commit = colleague(&door, "GET", &format!("{HERE}/pulls/5599/commits"), Value::Null).await;
    let message = &requests[1]["body"]["variables"]["input"]["message"];
    let message = format!(
        "{}\n\n{}",
        message["headline"].as_str().expect("a text"),
        message["body"].as_str().expect("a text")
    );
    assert_eq!(of_commit[0]["commit"]["message"], *message);
}
