//! The open pull requests: listed, each made again, those with the newest news first.

use std::collections::BTreeMap;
use std::fmt::Write;

use bumpdesk::surface::demo::World;
use bumpdesk::surface::demo::fault::{Fault, FaultKind, Lane};
use bumpdesk::surface::demo::worlds::NEWCOMER;
use serde_json::Value;

use super::pull::WORLD;
use super::review::{ROCKET, honest, theirs, word};
use crate::door::Door;

#[tokio::test(flavor = "multi_thread")]
async fn open_pull_requests_are_listed_with_their_words() {
    let door = Door::on(WORLD).await;
    let (prepared, file) = honest(&door).await;
    door.said("review").await.is(0, &["no open pull request touches what the registry serves"]);
    let same = theirs(&door, &prepared, &[(ROCKET, &file)], &[]).await;
    let other = theirs(&door, &prepared, &[("README.md", "x")], &[]).await;
    let gone = theirs(&door, &prepared, &[], &[ROCKET]).await;
    let said = door.said("review --json").await;
    assert_eq!(said.exit, 1, "{said}");
    let mut reviews: Vec<(u64, String)> = said
        .objects()
        .into_iter()
        .filter(|object| object["type"] == "review")
        .map(|object| {
            (object["number"].as_u64().expect("a number"), object["result"].as_str().expect("a word").into())
        })
        .collect();
    reviews.sort();
    assert_eq!(reviews, [(same, "not-hashed".to_owned()), (gone, "refused".to_owned())], "not #{other}");
    let said = door.said("review").await;
    said.is(1, &["SAME, NOT HASHED", "REFUSED", "the file is removed, and what is in it is indexed"]);
    let text = format!("{said}");
    let place = |number: u64| text.find(&format!("#{number} ")).expect("it is listed");
    assert!(place(gone) < place(same), "the newest news first: {text}");
    door.said("review --hash").await.is(2, &["--hash"]);
    assert_eq!(word(&door.said(&format!("review {same} --json")).await), "not-hashed");
}

/// The words of all that are open, by number and head.
async fn words(door: &Door) -> BTreeMap<(u64, String), String> {
    let said = door.said("review --json").await;
    let reviews = said.objects().into_iter().filter(|object| object["type"] == "review");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let word = |review: Value| {
        ((review["number"].as_u64().expect("a number"), text(&review["head"])), text(&review["result"]))
    };
    reviews.map(word).collect()
}

/// A source that fails makes nothing look better than it is.
#[tokio::test(flavor = "multi_thread")]
async fn no_fault_makes_anything_the_same() {
    let door = Door::of(World::parse(NEWCOMER).expect("the demo's world")).await;
    // One of them has another head after the first looks.
    let mut calm = words(&door).await;
    calm.extend(words(&door).await);
    let is_fine = |word: &String| matches!(word.as_str(), "same" | "not-hashed");
    assert!(calm.values().filter(|word| is_fine(word)).count() >= 4, "{calm:?}");
    assert!(calm.values().filter(|word| !is_fine(word)).count() >= 5, "{calm:?}");
    let (mut runs, mut unknown) = (0, 0);
    for lane in [Lane::Feed, Lane::Git, Lane::Asset, Lane::Object, Lane::Rest, Lane::Graphql] {
        for kind in [FaultKind::Status(500), FaultKind::Empty] {
            for percent in [5, 30, 100] {
                let fault = Fault::new(&[lane], kind.clone()).percent(percent, u32::wrapping_mul(runs, 7919));
                door.server.edit(|world| world.faults.push(fault));
                for (of, word) in words(&door).await {
                    let was = calm.get(&of);
                    assert!(
                        !is_fine(&word) || was.is_some_and(is_fine),
                        "{lane:?} {kind:?} {percent} %: {of:?} is {word}, and was {was:?}"
                    );
                    unknown += usize::from(word == "unknown");
                }
                door.server.edit(|world| drop(world.faults.pop()));
                runs += 1;
            }
        }
    }
    println!("{runs} runs with faults on six lanes; {unknown} times a pull request was UNKNOWN");
    assert!(unknown > 40, "{unknown}: the faults strike nothing");
}

/// What a checkout has of the merge base is not asked for, and a head's folders are worked out.
#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_take_two_requests_each() {
    let (mut text, mut pulls) = (WORLD.to_owned(), String::new());
    for n in 0..200 {
        let address = format!("n{}/m{n}/aws", n % 50);
        let _ =
            writeln!(text, "[[module]]\naddress = \"{address}\"\nstored = [\"v1.0.0\"]\ntags = [\"v1.1.0\"]");
        let _ = writeln!(
            pulls,
            "[[pull]]\nnumber = {}\nauthor = \"ann\"\ntitle = \"{address}\"\nopened = \"-1h\"\n\
             commit = [{{ versions = {{ \"{address}\" = [\"v1.1.0\"] }} }}]",
            7000 + n
        );
    }
    let door = Door::on(&(text + &pulls)).await;
    let said = words(&door).await;
    assert_eq!(said.len(), 200);
    assert!(said.values().all(|word| word == "same"), "{said:?}");
    let asked = door.server.counts().of(Lane::Rest);
    println!("{asked} requests for {} pull requests", said.len());
    assert!(asked <= 420, "{asked}");
}
