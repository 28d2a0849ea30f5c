//! The open pull requests: listed, each made again, those with the newest news first.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;

use bumpdesk::surface::demo::World;
use bumpdesk::surface::demo::fault::{Fault, FaultKind, Lane};
use bumpdesk::surface::demo::worlds::NEWCOMER;
use futures_util::future::join_all;
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
    let listed = calm.len();
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
                let words = words(&door).await;
                // A list that could be read has all of them, and one that could not be has none.
                assert!(
                    words.len() == listed || words.is_empty() && matches!(lane, Lane::Rest),
                    "{lane:?} {kind:?} {percent} %: {words:?}"
                );
                for (of, word) in words {
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

/// The word of each of these, reviewed alone with its archives read; what there is no review of has what it ended with instead.
async fn alone(door: &Door, number: u64) -> String {
    let said = door.said(&format!("review {number} --hash --json")).await;
    let mut reviews = said.objects().into_iter().filter(|object| object["type"] == "review");
    let Some(review) = reviews.next() else {
        // Nothing is said of it, and that is said.
        assert!(said.exit >= 2 && said.out.contains("\"failure\":{"), "#{number}: {said}");
        return "failed".to_owned();
    };
    assert_eq!(review["number"], number, "{said}");
    review["result"].as_str().expect("a word").to_owned()
}

/// Each place that a review asks at: what is tried there, by its lane and path.
const PLACES: &[(&str, &[(Lane, &str)])] = &[
    ("pulls", &[(Lane::Rest, "*/pulls/*")]),
    ("compare", &[(Lane::Rest, "*/compare/*")]),
    ("trees", &[(Lane::Rest, "*/git/trees/*")]),
    ("contents", &[(Lane::Rest, "*/contents/*")]),
    ("contents and blobs", &[(Lane::Rest, "*/contents/*"), (Lane::Rest, "*/git/blobs/*")]),
    ("tags", &[(Lane::Git, "*")]),
    ("feed", &[(Lane::Feed, "*")]),
    ("releases", &[(Lane::Rest, "*/releases*"), (Lane::Graphql, "*")]),
    ("checksums", &[(Lane::Asset, "*_SHA256SUMS")]),
    ("signatures", &[(Lane::Asset, "*.sig")]),
    ("archives", &[(Lane::Asset, "*.zip")]),
    ("bytes", &[(Lane::Object, "*")]),
];

/// A digit that is another, a key that signs nothing, an honest version and an honest key: each reviewed alone with its archives
/// read, while what one place answers fails, always, often and seldom, each time in another way.
#[tokio::test(flavor = "multi_thread")]
async fn no_fault_at_any_place_makes_one_the_same() {
    let kinds = [
        FaultKind::Status(404),
        FaultKind::Truncate(100),
        FaultKind::Status(403),
        FaultKind::Status(500),
        FaultKind::Empty,
    ];
    let mut waiting = Vec::new();
    for (at, place) in PLACES.iter().enumerate() {
        // A provider is made again without signatures, and a key is judged without archives.
        let is_of_keys = place.0 == "signatures";
        let other = if is_of_keys { 5593 } else { 5594 };
        for (n, percent) in [100, 30, 5].into_iter().enumerate() {
            waiting.push((other, "differs", *place, &kinds[(at + n) % kinds.len()], percent));
            if matches!(place.0, "contents and blobs" | "checksums") {
                waiting.push((5593, "differs", *place, &kinds[(at + n + 2) % kinds.len()], percent));
            }
        }
        let honest = if is_of_keys { 5592 } else { 5597 };
        waiting.push((honest, "same", *place, &kinds[0], 100));
    }
    let waiting = Mutex::new(waiting);
    // Several worlds, for what is tried again after a pause.
    let world = async |seed: u32| {
        let door = Door::of(World::parse(NEWCOMER).expect("the demo's world")).await;
        for (number, calm) in [(5594, "differs"), (5593, "differs"), (5597, "same"), (5592, "same")] {
            assert_eq!(alone(&door, number).await, calm, "#{number}");
        }
        let usual = door.server.look(|world| world.faults.clone());
        let mut told = Vec::new();
        loop {
            let next = waiting.lock().expect("no panic").pop();
            let Some((number, calm, (place, of), kind, percent)) = next else { break };
            let fault = |(lane, path): &(Lane, &str)| {
                let mut fault = Fault::new(&[*lane], kind.clone()).percent(percent, seed * 7919);
                fault.path = Some((*path).to_owned());
                fault
            };
            let faults: Vec<Fault> = of.iter().map(fault).collect();
            door.server.edit(|world| world.faults = [&usual[..], &faults].concat());
            let word = alone(&door, number).await;
            assert!(
                calm == "same" || !matches!(&*word, "same" | "not-hashed"),
                "{place} {kind:?} {percent} %: #{number} is {word}, and was {calm}"
            );
            let struck: u32 = faults.iter().map(Fault::struck).sum();
            assert!(percent < 100 || struck > 0, "{place}: #{number} asks nothing there");
            told.push(word);
        }
        told
    };
    let told: Vec<String> = join_all((0..3).map(world)).await.concat();
    let mut words = BTreeMap::<&str, usize>::new();
    for word in &told {
        *words.entry(word).or_default() += 1;
    }
    println!("{} reviews while one place failed: {words:?}", told.len());
    assert!(words.get("unknown").is_some_and(|count| *count >= 5), "{words:?}");
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
    let door = Door::on(&two_hundred()).await;
    let said = words(&door).await;
    let of = |wanted: &str| said.values().filter(|word| *word == wanted).count();
    assert_eq!((said.len(), of("same"), of("not-hashed")), (200, 150, 50), "{said:?}");
    let counts = door.server.counts();
    let asked = counts.of(Lane::Rest) + counts.of(Lane::Graphql);
    println!("{asked} requests for {} pull requests", said.len());
    assert!(asked <= 600, "{asked}");
}
