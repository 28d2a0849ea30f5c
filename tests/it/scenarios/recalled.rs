//! Verdicts that a start recalls are those that it would judge: whatever they follow from may change, and time passes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use bumpdesk::surface::jobs::{Gate, Job, JobEvent, Scope, SurveyPlan};
use bumpdesk::surface::rules::{Depth, Verdict};
use bumpdesk::surface::settings::Features;
use demo::world::Presence;
use demo::worlds::NEWCOMER;
use rusqlite::Connection;

use crate::stage::Stage;

type Verdicts = BTreeMap<String, Verdict>;

/// The list as a new process says it.
async fn list(stage: &mut Stage) -> Verdicts {
    stage.restart();
    let (events, _) = stage.run(Job::Load).await;
    let loaded = events.into_iter().find_map(|event| match event {
        JobEvent::Loaded(loaded) => Some(loaded),
        _ => None,
    });
    let loaded = loaded.expect("a list");
    let addresses = loaded.catalog.rows.iter().map(|row| row.address.to_string());
    addresses.zip(loaded.verdicts.iter().cloned()).collect()
}

fn state(stage: &Stage) -> Connection {
    Connection::open(stage.folder.path().join("state/state.sqlite3")).expect("the state")
}

/// Nothing writes decisions yet; `store::state::sums` says what the checksum is of.
fn decide(state: &Connection, address: &str, body: &str) {
    let world = "SELECT name FROM worlds WHERE id = (SELECT world FROM facts LIMIT 1)";
    let world: String = state.query_row(world, [], |row| row.get(0)).expect("a world");
    let mut sum = flate2::Crc::new();
    for part in ["decisions", &world, address, "", body] {
        sum.update(b"t");
        sum.update(&(part.len() as u64).to_le_bytes());
        sum.update(part.as_bytes());
    }
    let insert = "INSERT INTO decisions SELECT id, ?1, '', ?2, ?3 FROM worlds WHERE name = ?4";
    state.execute(insert, (address, body, sum.sum(), world)).expect("a decision");
}

/// The list as it is judged from the facts alone.
async fn judged(stage: &mut Stage) -> Verdicts {
    std::fs::remove_file(kept(stage)).expect("verdicts are kept");
    list(stage).await
}

/// Where verdicts are kept.
fn kept(stage: &Stage) -> PathBuf {
    let files = std::fs::read_dir(stage.folder.path().join("cache")).expect("a folder");
    let mut paths = files.map(|file| file.expect("a file").path());
    let is_it = |path: &PathBuf| path.to_string_lossy().contains("/verdicts-");
    paths.find(is_it).expect("verdicts are kept")
}

/// From now on nobody can judge by facts, and nobody is told of it.
fn spoil_facts(stage: &Stage) {
    let spoil = "DROP TRIGGER facts_changed; DROP TRIGGER facts_kept_stamp; UPDATE facts SET body = x'00'";
    state(stage).execute_batch(spoil).expect("a change");
}

/// The number of verdicts that are unchanged.
fn same(now: &Verdicts, then: &Verdicts) -> usize {
    now.iter().filter(|(address, verdict)| then[*address] == **verdict).count()
}

async fn surveyed() -> Stage {
    let mut stage = Stage::set(NEWCOMER).await;
    stage.survey(Depth::Sums).await;
    stage
}

/// A provider of that status.
fn one(verdicts: &Verdicts, status: &str) -> String {
    let mut providers = verdicts.iter().filter(|(address, _)| address.matches('/').count() == 1);
    let found = providers.find(|(_, verdict)| verdict.status.name() == status);
    found.unwrap_or_else(|| panic!("nothing is {status}")).0.clone()
}

fn path(stage: &Stage, address: &str) -> PathBuf {
    let (namespace, name) = address.split_once('/').expect("a provider");
    stage.registry().join(format!("providers/{}/{namespace}/{name}.json", &namespace[..1]))
}

#[tokio::test(flavor = "multi_thread")]
async fn time_alone_makes_no_recalled_verdict_another_than_the_judged_one() {
    stamped!(crate::COMMANDS);
    let mut stage = surveyed().await;
    let minutes = [0, 1, 7, 15, 29, 30, 31, 45, 60, 240, 600, 180, 200, 10, 1_440, 10_000, 60_000, 1_000_000];
    for minutes in minutes {
        stage.server.edit(|world| world.now += Duration::from_mins(minutes) + Duration::from_millis(minutes));
        let recalled = list(&mut stage).await;
        assert_eq!(recalled, judged(&mut stage).await, "{minutes} minutes later");
    }
    // A clock that was wrong and is set back: all that it said lies in the future.
    for hours in [20_000, 900, 30, 2] {
        stage.server.edit(|world| world.now -= Duration::from_hours(hours));
        let recalled = list(&mut stage).await;
        assert_eq!(recalled, judged(&mut stage).await, "{hours} hours back");
    }
}

/// That they are recalled at all: nobody can judge by facts that cannot be read.
#[tokio::test(flavor = "multi_thread")]
async fn a_start_needs_no_facts() {
    stamped!(crate::COMMANDS);
    let mut stage = surveyed().await;
    let after_survey = std::fs::read(kept(&stage)).expect("a file");
    let first = list(&mut stage).await;
    spoil_facts(&stage);
    for file in [None, Some(after_survey)] {
        let _ = file.map(|bytes| std::fs::write(kept(&stage), bytes).expect("a file"));
        let recalled = list(&mut stage).await;
        let same = same(&recalled, &first);
        assert!(same > 20 && same + 3 > recalled.len(), "{same} of {}", recalled.len());
    }
    let unread = judged(&mut stage).await;
    assert!(unread.values().all(|verdict| verdict.status.name() == "unknown"));
}

/// A survey keeps the verdicts that it gave, and they are those that a start would judge from the facts that it saved. After a
/// day it saves less than it read. A gated survey says less of an entry than a start can judge.
#[tokio::test(flavor = "multi_thread")]
async fn a_survey_keeps_its_own_verdicts() {
    stamped!(crate::COMMANDS);
    let mut stage = Stage::set(NEWCOMER).await;
    for (hours, gate) in [(0, Gate::Tags), (2, Gate::Tags), (25, Gate::Tags), (2, Gate::Feed)] {
        stage.server.edit(|world| world.now += Duration::from_hours(hours));
        // A process reads the world's clock when it starts.
        stage.restart();
        let is_gated = gate == Gate::Feed;
        let plan = SurveyPlan::new(Scope::Everything, Depth::Versions, Duration::ZERO, gate);
        let (given, _) = stage.survey_by(plan).await;
        let recalled = list(&mut stage).await;
        assert_eq!(given.len(), recalled.len());
        let same = same(&given, &recalled);
        assert!(is_gated || same == given.len(), "{same} of {} after {hours} hours", given.len());
        assert_eq!(judged(&mut stage).await, recalled);
    }
    spoil_facts(&stage);
    let recalled = list(&mut stage).await;
    assert!(recalled.values().any(|verdict| verdict.status.name() != "unknown"));
}

/// The first facts of a repository and those of its releases are saved together if the survey is short.
#[tokio::test(flavor = "multi_thread")]
async fn a_survey_keeps_the_verdicts_of_entries_that_it_looked_at_twice() {
    stamped!(crate::COMMANDS);
    let mut stage = Stage::set(NEWCOMER).await;
    // Not in the very second of a bump run: a verdict that names the next one is good for that second alone.
    stage.server.edit(|world| world.now += Duration::from_secs(5));
    stage.restart();
    let given = stage.survey(Depth::Versions).await;
    spoil_facts(&stage);
    let recalled = list(&mut stage).await;
    let other = given.iter().filter(|(address, verdict)| recalled[*address] != **verdict);
    let other: Vec<_> = other.map(|(address, verdict)| (address, verdict.status.name())).collect();
    // Those whose file is broken are never kept.
    assert!(other.iter().all(|(_, status)| *status == "unknown"), "{other:?}");
}

/// Facts that any process writes, in whatever way, are judged by; those beside them are not read again.
#[tokio::test(flavor = "multi_thread")]
async fn facts_that_others_write_count() {
    stamped!(crate::COMMANDS);
    let mut stage = surveyed().await;
    let before = list(&mut stage).await;
    let address = one(&before, "current");
    let (namespace, name) = address.split_once('/').expect("a provider");
    let repository = format!("{namespace}/terraform-provider-{name}");
    let count = state(&stage)
        .execute("DELETE FROM facts WHERE repository = ?1", [repository.to_ascii_lowercase()])
        .expect("a change");
    assert_eq!(count, 1);
    spoil_facts(&stage);
    state(&stage).execute("UPDATE fact_stamps SET stamp = random()", []).expect("a change");
    let recalled = list(&mut stage).await;
    assert_eq!(recalled[&address].status.name(), "unknown");
    let same = same(&recalled, &before);
    assert!(same + 4 > recalled.len(), "{same} of {}", recalled.len());
}

/// Verdicts of another bumpdesk are judged again, and so are damaged ones.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_another_bumpdesk_or_a_damaged_one_is_none() {
    const HEADER_BYTES: usize = 32;
    stamped!(crate::COMMANDS);
    let mut stage = surveyed().await;
    let first = list(&mut stage).await;
    let file = std::fs::read(kept(&stage)).expect("a file");
    spoil_facts(&stage);
    let mut others = vec![file[..file.len() / 2].to_vec(), Vec::new()];
    let (rest, foot_bytes) = file.split_last_chunk().expect("the size of the foot");
    let judge = rest.len() - u32::from_le_bytes(*foot_bytes) as usize + 2;
    for place in [3, 16, judge, file.len() - 1] {
        let mut other = file.clone();
        other[place] ^= 1;
        others.push(other);
    }
    // The name of the program that judged, with a checksum that is right.
    let mut other = others[4].clone();
    let mut sum = flate2::Crc::new();
    sum.update(&other[HEADER_BYTES..]);
    other[20..24].copy_from_slice(&sum.sum().to_le_bytes());
    others.push(other);
    for (number, other) in others.into_iter().enumerate() {
        std::fs::write(kept(&stage), &file).expect("a file");
        assert!(same(&list(&mut stage).await, &first) > 20, "{number}");
        std::fs::write(kept(&stage), other).expect("a file");
        let judged = list(&mut stage).await;
        assert!(judged.values().all(|verdict| verdict.status.name() == "unknown"), "{number}");
    }
}

/// Keys that were there long ago, so that their stamp is kept: one that comes, changes or goes shows at the next start.
#[tokio::test(flavor = "multi_thread")]
async fn keys_on_file_count_whenever_they_change() {
    fn below(folder: &Path, all: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            below(&path, all);
            all.push(path);
        }
    }
    stamped!(crate::COMMANDS);
    let mut stage = surveyed().await;
    let keys = stage.registry().join("keys");
    let files = || {
        let mut all = vec![keys.clone()];
        below(&keys, &mut all);
        all
    };
    let key = files().into_iter().find(|path| path.is_file()).expect("a key");
    let text = std::fs::read(&key).expect("a key");
    let write = |path: &str, text: &[u8]| {
        let path = keys.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a key");
    };
    let changes: [(&str, bool, &dyn Fn()); 6] = [
        ("a folder that was not there", true, &|| write("p/pebblecreek/k.asc", &text)),
        ("one more beside it", false, &|| write("p/pebblecreek/l.asc", &text)),
        ("others", true, &|| {
            for path in files().iter().filter(|path| path.is_file()) {
                std::fs::write(path, &text).expect("a key");
            }
        }),
        ("no text at all", true, &|| std::fs::write(&key, "").expect("a key")),
        ("a folder less", true, &|| {
            std::fs::remove_dir_all(keys.join("p/pebblecreek")).expect("keys");
        }),
        ("none", true, &|| std::fs::remove_dir_all(&keys).expect("keys")),
    ];
    for (what, shows, change) in changes {
        for path in files() {
            let file = std::fs::File::open(path).expect("a file");
            file.set_modified(UNIX_EPOCH + Duration::from_hours(1)).expect("an old file");
        }
        let before = list(&mut stage).await;
        assert_eq!(list(&mut stage).await, before, "{what}");
        change();
        let recalled = list(&mut stage).await;
        assert_eq!(recalled != before, shows, "{what}");
        assert_eq!(recalled, judged(&mut stage).await, "{what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_a_verdict_follows_from_makes_it_anew() {
    stamped!(crate::COMMANDS);
    let mut stage = surveyed().await;
    let mut before = list(&mut stage).await;
    let changes: [(&str, &str); 7] = [
        ("file", "current"),
        ("broken file", "behind"),
        ("keys", "key-expired"),
        ("blacklist", "behind"),
        ("decision", "stranded"),
        ("switches", "h1-missing"),
        ("facts", "pending"),
    ];
    for (change, status) in changes {
        let address = one(&before, status);
        let (namespace, name) = address.split_once('/').expect("a provider");
        match change {
            "file" => {
                let text = std::fs::read(path(&stage, &address)).expect("a file");
                let mut file: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
                file["versions"].as_array_mut().expect("versions").remove(0);
                std::fs::write(path(&stage, &address), file.to_string()).expect("a file");
            }
            "broken file" => std::fs::write(path(&stage, &address), "{").expect("a file"),
            "keys" => {
                let folder = stage.registry().join(format!("keys/{}/{namespace}", &namespace[..1]));
                std::fs::remove_dir_all(folder).expect("keys");
            }
            "blacklist" => {
                let version = &before[&address].versions[0].version;
                let list = serde_json::json!({"providers": [{"namespace": namespace, "name": name, "version": version, "reason": "x"}]});
                std::fs::write(stage.registry().join("versions_blacklist.json"), list.to_string())
                    .expect("a file");
            }
            "decision" => {
                let body = serde_json::json!({"address": address, "version": null, "kind": {"Ignore": {"until": null}},
                    "reason": "x", "at": "2026-01-01T00:00:00Z"});
                decide(&state(&stage), &address, &body.to_string());
            }
            "switches" => stage.switch(Features::none()),
            _ => {
                stage.server.edit(|world| {
                    let repository = world.repository_mut(namespace, &format!("terraform-provider-{name}"));
                    repository.expect("a repository").presence = Presence::Deleted;
                });
                stage.survey(Depth::Versions).await;
            }
        }
        let recalled = list(&mut stage).await;
        assert_ne!(recalled[&address], before[&address], "{change}: {address}");
        let judged = judged(&mut stage).await;
        assert_eq!(recalled, judged, "{change}");
        before = judged;
    }
}
