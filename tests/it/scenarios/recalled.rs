//! Verdicts that a start recalls are those that it would judge: whatever they follow from may change, and time passes.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use bumpdesk::surface::demo::world::Presence;
use bumpdesk::surface::demo::worlds::NEWCOMER;
use bumpdesk::surface::jobs::{Job, JobEvent};
use bumpdesk::surface::rules::{Depth, Verdict};
use bumpdesk::surface::settings::Features;
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

/// The list as it is judged from the facts alone.
async fn judged(stage: &mut Stage) -> Verdicts {
    state(stage).execute("UPDATE verdicts SET body = x''", []).expect("an update");
    list(stage).await
}

/// Of how many repositories verdicts are kept, and of how many facts.
fn kept(stage: &Stage) -> (u32, u32) {
    let count = "SELECT count(*) FILTER (WHERE length(body) > 4), count(*) FROM verdicts";
    state(stage).query_row(count, [], |row| Ok((row.get(0)?, row.get(1)?))).expect("two counts")
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
    let mut stage = surveyed().await;
    let (first, all) = kept(&stage);
    assert!(first > 20 && first + 3 > all, "{first} of {all} are kept after a survey");
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
    let mut stage = surveyed().await;
    let first = list(&mut stage).await;
    let (kept, all) = kept(&stage);
    assert!(kept + 3 > all, "{kept} of {all}");
    state(&stage)
        .execute_batch("DROP TRIGGER facts_changed; UPDATE facts SET body = x'00'")
        .expect("a change");
    let recalled = list(&mut stage).await;
    let same = recalled.iter().filter(|(address, verdict)| first[*address] == **verdict).count();
    assert!(same + 3 > recalled.len(), "{same} of {}", recalled.len());
    let unread = judged(&mut stage).await;
    assert!(unread.values().all(|verdict| verdict.status.name() == "unknown"));
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_a_verdict_follows_from_makes_it_anew() {
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
                let insert = "INSERT INTO decisions SELECT world, ?1, '', ?2 FROM facts LIMIT 1";
                state(&stage).execute(insert, [&address, &body.to_string()]).expect("a decision");
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
