//! The open pull requests: listed, each made again, the worst first.

mod faults;

use std::collections::BTreeMap;
use std::fmt::Write;

use demo::fault::Lane;
use serde_json::Value;

use super::pull::WORLD;
use super::review::{ROCKET, honest, theirs, word};
use crate::door::Door;

#[tokio::test(flavor = "multi_thread")]
async fn open_pull_requests_are_listed_with_their_words() {
    let door = Door::on(WORLD).await;
    let (prepared, file) = honest(&door).await;
    door.said("review").await.is(0, &["no open pull request touches what the registry serves"]);
    let gone = theirs(&door, &prepared, &[], &[ROCKET]).await;
    let other = theirs(&door, &prepared, &[("README.md", "x")], &[]).await;
    let same = theirs(&door, &prepared, &[(ROCKET, &file)], &[]).await;
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
    assert_eq!(reviews, [(gone, "refused".to_owned()), (same, "not-hashed".to_owned())], "not #{other}");
    let said = door.said("review").await;
    said.is(1, &["SAME, NOT HASHED", "REFUSED", "the file is removed, and what is in it is indexed"]);
    let text = format!("{said}");
    let place = |number: u64| text.find(&format!("#{number} ")).expect("it is listed");
    assert!(place(gone) < place(same), "the worst first, though it is the oldest: {text}");
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

/// A world in which two hundred are open, each of an entry of its own.
pub(crate) fn two_hundred() -> String {
    let (mut text, mut pulls) = (WORLD.to_owned(), String::new());
    for n in 0..200 {
        let is_provider = n % 4 == 0;
        let (address, version) = if is_provider {
            (format!("n{}/p{n}", n % 50), "1.1.0")
        } else {
            (format!("n{}/m{n}/aws", n % 50), "v1.1.0")
        };
        let _ = if is_provider {
            writeln!(
                text,
                "[[provider]]\naddress = \"{address}\"\ntargets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\n\
                 releases = [\"v1.1.0\"]"
            )
        } else {
            writeln!(text, "[[module]]\naddress = \"{address}\"\nstored = [\"v1.0.0\"]\ntags = [\"v1.1.0\"]")
        };
        let _ = writeln!(
            pulls,
            "[[pull]]\nnumber = {}\nauthor = \"ann\"\ntitle = \"{address}\"\nopened = \"-1h\"\n\
             commit = [{{ versions = {{ \"{address}\" = [\"{version}\"] }} }}]",
            7000 + n
        );
    }
    text + &pulls
}

/// What a checkout has of the merge base is not asked for, and a head's folders are worked out.
#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_take_two_requests_each() {
    stamped!(crate::COMMANDS);
    let door = Door::on(&two_hundred()).await;
    let said = words(&door).await;
    let of = |wanted: &str| said.values().filter(|word| *word == wanted).count();
    assert_eq!((said.len(), of("same"), of("not-hashed")), (200, 150, 50), "{said:?}");
    let counts = door.server.counts();
    let asked = counts.of(Lane::Rest) + counts.of(Lane::Graphql);
    println!("{asked} requests for {} pull requests", said.len());
    assert!(asked <= 600, "{asked}");
}
