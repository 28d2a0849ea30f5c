//! What fails makes nothing look better than it is: every place that a review asks at, always, often and seldom, and pull requests of
//! every kind of which none is the same.

use std::collections::BTreeMap;
use std::sync::Mutex;

use demo::fault::{Fault, FaultKind, Lane};
use demo::worlds::NEWCOMER;
use demo::{Exchange, World};
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::super::keys::{B, s9};
use super::super::pull::{committed, ready, sending};
use super::super::submissions::{PARASOL, VPC};
use super::{ROCKET, theirs, words};
use crate::door::Door;

fn is_fine(word: &str) -> bool {
    matches!(word, "same" | "not-hashed")
}

/// The newcomer's world, twice looked at: one of its pull requests has another head after the first looks.
async fn newcomer() -> Door {
    let door = Door::of(World::parse(NEWCOMER).expect("the demo's world")).await;
    words(&door).await;
    door
}

/// A place that a review asks at: what is tried there, by lane and path.
type Place = (&'static str, &'static [(Lane, &'static str)]);

const PLACES: &[Place] = &[
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

/// Something that fails, and how often.
struct Trouble {
    /// Where, as it is told.
    name: String,
    /// What fails, one for each lane and path.
    aims: Vec<Aim>,
    percent: u32,
    /// Requests that it meets where nothing fails.
    met: u32,
}

struct Aim {
    lane: Lane,
    path: Option<&'static str>,
    repository: Option<&'static str>,
    kind: FaultKind,
}

impl Aim {
    fn fault(&self) -> Fault {
        let mut fault = Fault::new(&[self.lane], self.kind.clone());
        fault.path = self.path.map(Into::into);
        fault.repositories = self.repository.map(Into::into).into_iter().collect();
        fault
    }
}

impl Trouble {
    /// At a place; `None` where nothing is asked there.
    fn at((name, of): Place, kind: &FaultKind, percent: u32, calm: &Calm) -> Option<Self> {
        let aim = |(lane, path): &(Lane, &'static str)| Aim {
            lane: *lane,
            path: Some(path),
            repository: None,
            kind: kind.clone(),
        };
        let aims: Vec<Aim> = of.iter().map(aim).collect();
        // What is asked only where another fails is met then.
        let met = aims.iter().map(|aim| calm.met(&aim.fault())).max().filter(|met| *met > 0)?;
        Some(Self { name: format!("{name} {kind:?} {percent} %"), aims, percent, met })
    }

    /// What GraphQL answers of one repository, beside what it says of others.
    fn of_one(repository: &'static str, kind: &str, calm: &Calm) -> Option<Self> {
        let kind = FaultKind::Graphql(kind.to_owned());
        let aim = Aim { lane: Lane::Graphql, path: None, repository: None, kind };
        let met = Some(calm.met(&aim.fault())).filter(|met| *met > 0)?;
        let aim = Aim { repository: Some(repository), ..aim };
        Some(Self { name: format!("{repository} {:?}", aim.kind), aims: vec![aim], percent: 100, met })
    }

    /// The faults, by dice of which some strike.
    fn faults(&self, from: u32) -> Vec<Fault> {
        let with = |seed: u32| {
            let by_dice = |aim: &Aim| match self.percent {
                100 => aim.fault(),
                percent => aim.fault().percent(percent, seed),
            };
            self.aims.iter().map(by_dice).collect::<Vec<Fault>>()
        };
        let strikes = |seed: &u32| with(*seed).iter().any(|fault| (0..self.met).any(|_| fault.strike()));
        let mut seeds = (0..10_000).map(|turn| from.wrapping_add(turn));
        with(seeds.find(strikes).expect("some dice strike"))
    }
}

/// What comes of it where nothing fails, and what was asked for that.
struct Calm {
    word: String,
    asked: Vec<Exchange>,
}

impl Calm {
    /// Requests of those that a fault would have met; the world's own have struck some.
    fn met(&self, fault: &Fault) -> u32 {
        let is_met = |one: &&Exchange| {
            let path = one.target.split('?').next().unwrap_or_default();
            !one.fault && fault.matches(one.lane, None, path, jiff::Timestamp::UNIX_EPOCH)
        };
        self.asked.iter().filter(is_met).count() as u32
    }
}

/// The word of one, reviewed alone; what there is no review of has what it ended with instead.
async fn alone(door: &Door, number: u64, how: &str) -> String {
    let said = door.said(&format!("review {number} {how} --json")).await;
    let mut reviews = said.objects().into_iter().filter(|object| object["type"] == "review");
    let Some(review) = reviews.next() else {
        // Nothing is said of it, and that is said.
        assert!(said.exit >= 2 && said.out.contains("\"failure\":{"), "#{number}: {said}");
        return "failed".to_owned();
    };
    assert_eq!(review["number"], number, "{said}");
    review["result"].as_str().expect("a word").to_owned()
}

/// Looked at twice: what is kept of the first is not asked for again.
async fn calm(door: &Door, number: u64, how: &str) -> Calm {
    alone(door, number, how).await;
    door.server.forget();
    let word = alone(door, number, how).await;
    Calm { word, asked: door.server.exchanges() }
}

/// A review of one while something fails.
struct Trial {
    number: u64,
    how: &'static str,
    /// Whether it is the same where nothing fails.
    is_fine: bool,
    trouble: Trouble,
}

/// Carries all of them out, side by side in several worlds, for what is tried again after a pause: none of those that are not the
/// same is. How often each word was said.
async fn none_becomes_the_same(doors: &[Door], trials: Vec<Trial>) -> BTreeMap<String, usize> {
    let count = trials.len() as u32;
    let (waiting, slipped) = (Mutex::new(trials), Mutex::new(Vec::new()));
    let run = async |door: &Door| {
        let usual = door.server.look(|world| world.faults.clone());
        let mut told = Vec::new();
        loop {
            let (left, next) = {
                let mut waiting = waiting.lock().expect("no panic");
                (waiting.len() as u32, waiting.pop())
            };
            let Some(Trial { number, how, is_fine: was_fine, trouble }) = next else { break };
            let faults = trouble.faults((count - left).wrapping_mul(7919));
            door.server.edit(|world| world.faults = [&usual[..], &faults].concat());
            let word = alone(door, number, how).await;
            if !was_fine && is_fine(&word) {
                slipped.lock().expect("no panic").push(format!("{}: #{number} is {word}", trouble.name));
            }
            assert!(
                faults.iter().any(|fault| fault.struck() > 0),
                "{}: #{number}: none was struck",
                trouble.name
            );
            told.push(word);
        }
        told
    };
    let mut words = BTreeMap::new();
    for word in join_all(doors.iter().map(run)).await.concat() {
        *words.entry(word).or_default() += 1;
    }
    let slipped = slipped.into_inner().expect("no panic");
    assert!(slipped.is_empty(), "{}", slipped.join("\n"));
    words
}

const KINDS: [FaultKind; 5] = [
    FaultKind::Status(404),
    FaultKind::Truncate(100),
    FaultKind::Status(403),
    FaultKind::Status(500),
    FaultKind::Empty,
];

/// A digit that is another, a key that signs nothing, an honest version and an honest key: each reviewed alone with its archives
/// read, while what one place answers fails, always, often and seldom, each time in another way.
#[tokio::test(flavor = "multi_thread")]
async fn no_fault_at_any_place_makes_one_the_same() {
    stamped!(crate::COMMANDS);
    let doors = join_all((0..3).map(|_| newcomer())).await;
    let mut trials = Vec::new();
    let mut asked = BTreeMap::<&str, usize>::new();
    for (number, word) in [(5594, "differs"), (5593, "differs"), (5597, "same"), (5592, "same")] {
        let calm = calm(&doors[0], number, "--hash").await;
        assert_eq!(calm.word, word, "#{number}");
        for (at, place) in PLACES.iter().enumerate() {
            for (n, percent) in [100, 30, 5].into_iter().enumerate() {
                let kind = &KINDS[(at + n + number as usize) % KINDS.len()];
                let Some(trouble) = Trouble::at(*place, kind, percent, &calm) else { continue };
                // What is the same may become unknown: one look at each place is enough.
                if !is_fine(word) || percent == 100 {
                    *asked.entry(place.0).or_default() += 1;
                    trials.push(Trial { number, how: "--hash", is_fine: is_fine(word), trouble });
                }
            }
        }
    }
    assert_eq!(asked.len(), PLACES.len(), "{asked:?}");
    let count = trials.len();
    let words = none_becomes_the_same(&doors, trials).await;
    println!("{count} reviews while one place failed: {words:?}");
    assert!(words.get("unknown").is_some_and(|count| *count >= 5), "{words:?}");
}

/// What upstream has beside S9.
const UPSTREAM: &str = r#"
[user]
login = "ann"
push = true

[[provider]]
address = "acme/rocket"
targets = ["linux_amd64", "darwin_arm64"]
stored = ["1.0.0"]
releases = ["v1.1.0"]

[[module]]
address = "umbrella/net/aws"
stored = ["v1.0.0"]
tags = ["v1.1.0"]

[[repository]]
name = "umbrella/terraform-provider-parasol"
releases = [
    { tag = "v1.1.0", targets = ["linux_amd64", "darwin_arm64"] },
    { tag = "v1.0.0", targets = ["linux_amd64"] },
]

[[repository]]
name = "umbrella/terraform-aws-vpc"
tags = ["v1.0.0", "v1.1.0"]
"#;
const NET: &str = "modules/u/umbrella/net/aws.json";
const KEY: &str = "keys/n/namecheap/provider-1795262400.asc";

/// What a pull request is that is not the same.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Dishonest {
    number: u64,
    what: &'static str,
    /// Upstream of what it changes.
    repository: &'static str,
}

/// A world with one of each kind.
async fn dishonest() -> (Door, Vec<Dishonest>) {
    let door = Door::on(&format!("{}{UPSTREAM}", s9(&[]))).await;
    for words in [
        "add acme/rocket umbrella/net/aws",
        "submit provider umbrella/terraform-provider-parasol",
        "submit module umbrella/terraform-aws-vpc",
    ] {
        door.said(&format!("plan {words}")).await.is(0, &[]);
    }
    for words in ["show", "approve"] {
        let line = format!("plan {words} acme/rocket umbrella/net/aws umbrella/parasol umbrella/vpc/aws");
        door.said(&line).await.is(0, &[]);
    }
    let prepared = sending(&ready(&door, &door.plan_name().await, "--json").await);
    let honest = |path: &str| -> Value { serde_json::from_slice(&committed(&prepared, path)).expect("JSON") };
    let (rocket, net, parasol, vpc) = (honest(ROCKET), honest(NET), honest(PARASOL), honest(VPC));
    let with = |file: &Value, change: &dyn Fn(&mut Value)| {
        let mut file = file.clone();
        change(&mut file);
        file
    };
    let without = |list: &mut Value, at: usize| drop(list.as_array_mut().expect("a list").remove(at));
    let mut opened = Vec::new();
    for (what, path, file) in [
        (
            "discovered before it was published",
            ROCKET,
            with(&rocket, &|file| file["versions"][0]["discovered"] = json!("2026-01-01T00:00:00Z")),
        ),
        ("a target left out", ROCKET, with(&rocket, &|file| without(&mut file["versions"][0]["targets"], 0))),
        ("another commit", NET, with(&net, &|file| file["versions"][0]["commit"] = json!("0".repeat(40)))),
        (
            "a tag that is not there",
            NET,
            with(&net, &|file| file["versions"][0]["version"] = json!("v1.2.0")),
        ),
        (
            "a new provider, a version left out",
            PARASOL,
            with(&parasol, &|file| without(&mut file["versions"], 0)),
        ),
        (
            "a new provider, a version said to have failed",
            PARASOL,
            with(&parasol, &|file| {
                without(&mut file["versions"], 1);
                file["versions_errors"] = json!([{
                    "version": "1.0.0",
                    "message": "checksums not found in release",
                    "utc_time": "2026-11-21T12:00:00Z",
                }]);
            }),
        ),
        (
            "a new module, another commit",
            VPC,
            with(&vpc, &|file| file["versions"][0]["commit"] = json!("0".repeat(40))),
        ),
    ] {
        let text = serde_json::to_string_pretty(&file).expect("JSON");
        let number = theirs(&door, &prepared, &[(path, &text)], &[]).await;
        let repository = match path {
            ROCKET => "acme/terraform-provider-rocket",
            NET => "umbrella/terraform-aws-net",
            PARASOL => "umbrella/terraform-provider-parasol",
            _ => "umbrella/terraform-aws-vpc",
        };
        opened.push(Dishonest { number, what, repository });
    }
    let number = theirs(&door, &prepared, &[(KEY, B)], &[]).await;
    let (what, repository) = ("a key that stops installations", "namecheap/terraform-provider-namecheap");
    opened.push(Dishonest { number, what, repository });
    (door, opened)
}

/// What is left out, made up or of another time, of entries that are there and of new ones, and a key: each reviewed alone, while what
/// one place answers fails, and while GraphQL says that what is there is not.
#[tokio::test(flavor = "multi_thread")]
async fn no_fault_makes_any_kind_the_same() {
    stamped!(crate::COMMANDS);
    let several = join_all((0..4).map(|_| dishonest())).await;
    let opened = several[0].1.clone();
    assert!(several.iter().all(|(_, one)| *one == opened));
    let doors: Vec<Door> = several.into_iter().map(|(door, _)| door).collect();
    let mut trials = Vec::new();
    for Dishonest { number, what, repository } in &opened {
        let calm = calm(&doors[0], *number, "").await;
        assert_eq!(calm.word, "differs", "{what}");
        let mut troubles = Vec::new();
        for (at, place) in PLACES.iter().enumerate() {
            let turn = at + *number as usize;
            let kind = |turn: usize| &KINDS[1 + turn % (KINDS.len() - 1)];
            // What is there is said to be nowhere.
            troubles.extend(Trouble::at(*place, &FaultKind::Status(404), 100, &calm));
            troubles.extend(Trouble::at(*place, kind(turn), 100, &calm));
            if turn.is_multiple_of(2) {
                troubles.extend(Trouble::at(*place, kind(turn + 2), [30, 5][turn / 2 % 2], &calm));
            }
        }
        let graphql: Place = ("GraphQL", &[(Lane::Graphql, "*")]);
        let kinds = ["NOT_FOUND", "FORBIDDEN", "INTERNAL"].map(|kind| FaultKind::Graphql(kind.to_owned()));
        let nulls = ["data", "r0", "release", "releaseAssets", "nodes", "publishedAt"];
        let nulls = nulls.map(|field| FaultKind::Null(field.to_owned()));
        for kind in kinds.iter().chain(&nulls) {
            troubles.extend(Trouble::at(graphql, kind, 100, &calm));
        }
        for kind in ["NOT_FOUND", "FORBIDDEN"] {
            troubles.extend(Trouble::of_one(repository, kind, &calm));
        }
        trials.extend(troubles.into_iter().map(|mut trouble| {
            trouble.name = format!("{what}: {}", trouble.name);
            Trial { number: *number, how: "", is_fine: false, trouble }
        }));
    }
    let count = trials.len();
    let words = none_becomes_the_same(&doors, trials).await;
    println!("{count} reviews of {} kinds while something failed: {words:?}", opened.len());
    assert!(words.get("unknown").is_some_and(|count| *count >= 20), "{words:?}");
}

/// The list of all that are open, each made again.
#[tokio::test(flavor = "multi_thread")]
async fn no_fault_makes_anything_the_same() {
    stamped!(crate::COMMANDS);
    let doors = join_all((0..3).map(|_| newcomer())).await;
    let mut calm = BTreeMap::new();
    // One of them has another head after the first looks.
    for door in &doors {
        calm.extend(words(door).await);
    }
    doors[0].server.forget();
    let again = words(&doors[0]).await;
    let asked = Calm { word: String::new(), asked: doors[0].server.exchanges() };
    let listed = again.len();
    calm.extend(again);
    assert!(calm.values().filter(|word| is_fine(word)).count() >= 4, "{calm:?}");
    assert!(calm.values().filter(|word| !is_fine(word)).count() >= 5, "{calm:?}");
    let (calm, mut troubles) = (&calm, Vec::new());
    let lanes: [Place; 6] = [
        ("feed", &[(Lane::Feed, "*")]),
        ("git", &[(Lane::Git, "*")]),
        ("asset", &[(Lane::Asset, "*")]),
        ("object", &[(Lane::Object, "*")]),
        ("REST", &[(Lane::Rest, "*")]),
        ("GraphQL", &[(Lane::Graphql, "*")]),
    ];
    for place in lanes {
        let mut kinds = vec![FaultKind::Status(500), FaultKind::Empty];
        if place.0 == "GraphQL" {
            kinds.extend([FaultKind::Graphql("NOT_FOUND".into()), FaultKind::Null("release".into())]);
        }
        for kind in kinds {
            for percent in [5, 30, 100] {
                let trouble = Trouble::at(place, &kind, percent, &asked);
                troubles.push(trouble.unwrap_or_else(|| panic!("{} is not asked", place.0)));
            }
        }
    }
    let runs = troubles.len();
    let waiting = Mutex::new(troubles);
    let run = async |door: &Door| {
        let mut unknown = 0;
        loop {
            let (left, next) = {
                let mut waiting = waiting.lock().expect("no panic");
                (waiting.len() as u32, waiting.pop())
            };
            let Some(trouble) = next else { break unknown };
            let faults = trouble.faults(left * 7919);
            door.server.edit(|world| world.faults.extend(faults.iter().cloned()));
            let words = words(door).await;
            assert!(faults.iter().any(|fault| fault.struck() > 0), "{}: none was struck", trouble.name);
            // A list that could be read has all of them, and one that could not be has none.
            assert!(
                words.len() == listed || words.is_empty() && trouble.name.starts_with("REST"),
                "{}: {words:?}",
                trouble.name
            );
            for (of, word) in words {
                let was = calm.get(&of);
                assert!(
                    !is_fine(&word) || was.is_some_and(|word| is_fine(word)),
                    "{}: {of:?} is {word}, and was {was:?}",
                    trouble.name
                );
                unknown += usize::from(word == "unknown");
            }
            door.server.edit(|world| world.faults.truncate(world.faults.len() - faults.len()));
        }
    };
    let unknown: usize = join_all(doors.iter().map(run)).await.into_iter().sum();
    println!("{runs} runs with faults on six lanes; {unknown} times a pull request was UNKNOWN");
    assert!(unknown > 40, "{unknown}: the faults strike nothing");
}
