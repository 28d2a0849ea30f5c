//! Faults on every endpoint, by dice: what was not read is UNKNOWN and nothing else, what is written is whole and right, and
//! the same command afterwards gives what an undisturbed one gives.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use bumpdesk::surface::jobs::{
    BumpPlan, FailureKind, Gate, Job, JobEvent, Outcome, Scope, Summary, SurveyPlan,
};
use bumpdesk::surface::rules::{Depth, Status};
use demo::fault::{Fault, FaultKind, Lane};
use demo::worlds::NEWCOMER;
use serde_json::Value;

use crate::stage::Stage;

const KINDS: [&str; 10] = [
    "status:500",
    "status:502",
    "status:429",
    "status:403",
    "status:404",
    "reset",
    "truncate:100",
    "html",
    "empty",
    "garbage",
];
const ENDPOINTS: [Lane; 5] = [Lane::Git, Lane::Feed, Lane::Asset, Lane::Object, Lane::Graphql];
const FRESH: Duration = Duration::from_mins(15);

/// What comes of a run: statuses by address, how it ended, and how many requests it took by endpoint.
struct Ran {
    statuses: BTreeMap<String, Status>,
    outcome: Outcome,
    requests: BTreeMap<Lane, u64>,
}

/// What comes of it undisturbed.
struct Calm {
    statuses: BTreeMap<String, Status>,
    surveyed: BTreeMap<Lane, u64>,
    bumped: BTreeMap<Lane, u64>,
    /// The registry before and after a bump.
    before: BTreeMap<String, String>,
    after: BTreeMap<String, String>,
}

/// One row of the table.
#[derive(Debug, Default)]
struct Told {
    unknown: usize,
    left_out: usize,
    survey_requests: f64,
    bump_requests: f64,
}

async fn run(stage: &mut Stage, job: Job) -> Ran {
    stage.server.forget();
    let (events, outcome) = stage.run(job).await;
    let judged = events.into_iter().filter_map(|event| match event {
        JobEvent::Judged(list) => Some(list),
        _ => None,
    });
    let statuses =
        judged.flatten().map(|judgement| (judgement.address.to_string(), judgement.verdict.status)).collect();
    let counts = stage.server.counts();
    let requests = ENDPOINTS.iter().map(|lane| (*lane, counts.of(*lane))).collect();
    Ran { statuses, outcome, requests }
}

fn survey(depth: Depth, max_age: Duration) -> Job {
    Job::Survey(SurveyPlan::new(Scope::Everything, depth, max_age, Gate::Tags))
}

fn bump() -> Job {
    Job::Bump(BumpPlan { scope: Scope::Everything, max_age: Duration::ZERO, dry_run: false })
}

fn files(stage: &Stage) -> BTreeMap<String, String> {
    let world = stage.server.look(|world| world.files.keys().cloned().collect::<Vec<String>>());
    let data = world.into_iter().filter(|path| path.strip_suffix(".json").is_some());
    data.filter_map(|path| {
        let text = std::fs::read_to_string(stage.registry().join(&path)).ok()?;
        Some((path, text))
    })
    .collect()
}

/// The newcomer's world without its own faults.
async fn set() -> Stage {
    let stage = Stage::set(NEWCOMER).await;
    stage.server.edit(|world| world.faults.clear());
    stage
}

async fn calm() -> Calm {
    let mut stage = set().await;
    let before = files(&stage);
    let surveyed = run(&mut stage, survey(Depth::Sums, FRESH)).await;
    let bumped = run(&mut stage, bump()).await;
    let after = files(&stage);
    assert_ne!(before, after);
    Calm { statuses: surveyed.statuses, surveyed: surveyed.requests, bumped: bumped.requests, before, after }
}

fn strike(stage: &Stage, kind: &str, lanes: &[Lane], (percent, seed): (u32, u32)) {
    let faults = lanes.iter().map(|lane| {
        let kind = FaultKind::try_from(kind.to_owned()).expect("a kind");
        Fault::new(&[*lane], kind).percent(percent, seed.wrapping_mul(7919))
    });
    let faults = faults.collect();
    stage.server.edit(|world| world.faults = faults);
}

fn calmed(stage: &mut Stage) {
    stage.server.edit(|world| world.faults.clear());
    // What a limit told this process is not what is looked at.
    stage.restart();
}

/// No status but UNKNOWN differs, the counts are those of the verdicts, and so is the end.
fn check_survey(ran: &Ran, calm: &Calm, what: &str) -> usize {
    let mut unknown = 0;
    for (address, status) in &ran.statuses {
        let is_unread = *status == Status::Unknown && calm.statuses[address] != Status::Unknown;
        unknown += usize::from(is_unread);
        assert!(is_unread || *status == calm.statuses[address], "{what}: {address} is {status:?}");
    }
    let all_unknown = ran.statuses.values().filter(|status| **status == Status::Unknown).count() as u64;
    match &ran.outcome {
        Outcome::Done(Summary { failed, broken, .. }) => {
            assert_eq!(ran.statuses.len(), calm.statuses.len(), "{what}");
            assert_eq!(failed + broken, all_unknown, "{what}");
        }
        // Nobody is there: the rest was not asked.
        Outcome::Failed(failure) => assert_eq!(failure.kind, FailureKind::Network, "{what}"),
        Outcome::Cancelled(_) => panic!("{what}"),
    }
    unknown
}

/// A file is as before but for whole versions and records that the undisturbed bump has written too; how many it lacks.
fn check_file(path: &str, text: &str, calm: &Calm, what: &str) -> usize {
    let (before, after) = (&calm.before[path], &calm.after[path]);
    if text == before || text == after {
        return versions(after).len() - versions(text).len();
    }
    let (old, now, whole) = (versions(before), versions(text), versions(after));
    for (version, entry) in &now {
        assert_eq!(Some(entry), whole.get(version), "{what}: {path} {version}");
    }
    for version in old.keys() {
        assert!(now.contains_key(version), "{what}: {path} has lost {version}");
    }
    let (records, all) = (records(text), [records(before), records(after)].concat());
    for record in &records {
        assert!(all.contains(record), "{what}: {path} records {record}");
    }
    whole.len() - now.len()
}

fn versions(text: &str) -> BTreeMap<String, Value> {
    let file: Value = serde_json::from_str(text).unwrap_or_default();
    let list = file["versions"].as_array().cloned().unwrap_or_default();
    list.into_iter().map(|entry| (entry["version"].as_str().unwrap_or_default().to_owned(), entry)).collect()
}

fn records(text: &str) -> Vec<String> {
    let file: Value = serde_json::from_str(text).unwrap_or_default();
    let list = file["versions_errors"].as_array().cloned().unwrap_or_default();
    list.into_iter().map(|record| record.to_string()).collect()
}

fn total(requests: &BTreeMap<Lane, u64>) -> f64 {
    requests.values().sum::<u64>() as f64
}

async fn play(kind: &str, lanes: &[Lane], dice: (u32, u32), calm: &Calm) -> Told {
    let what = format!("{kind} on {lanes:?}, {} %, seed {}", dice.0, dice.1);
    let mut stage = set().await;
    strike(&stage, kind, lanes, dice);
    let struck = run(&mut stage, survey(Depth::Sums, FRESH)).await;
    let unknown = check_survey(&struck, calm, &what);
    calmed(&mut stage);
    let again = run(&mut stage, survey(Depth::Sums, FRESH)).await;
    assert_eq!(again.statuses, calm.statuses, "{what}: the same command afterwards");
    assert!(!matches!(again.outcome, Outcome::Failed(_)), "{what}: {:?}", again.outcome);

    strike(&stage, kind, lanes, dice);
    let bumped = run(&mut stage, bump()).await;
    let is_whole = matches!(&bumped.outcome, Outcome::Done(summary) if summary.failed == 0);
    let left_out: usize = files(&stage).iter().map(|(path, text)| check_file(path, text, calm, &what)).sum();
    assert!(left_out == 0 || !is_whole, "{what}: {left_out} versions were left out without a word");
    calmed(&mut stage);
    run(&mut stage, bump()).await;
    for (path, text) in files(&stage) {
        assert_eq!(text, calm.after[&path], "{what}: the same command afterwards, {path}");
    }

    let graphql = Lane::Graphql;
    for (ran, calm) in [(&struck, &calm.surveyed), (&bumped, &calm.bumped)] {
        // Where some queries fail, what is too much is asked in halves.
        let more = if dice.0 < 100 { 6 } else { 0 };
        assert!(
            ran.requests[&graphql] <= 2 * calm[&graphql] + more,
            "{what}: {:?} of {calm:?}",
            ran.requests
        );
        let most = 1.1 * total(calm) + 100.0;
        assert!(dice.0 < 100 || total(&ran.requests) <= most, "{what}: {:?} of {calm:?}", ran.requests);
    }
    Told {
        unknown,
        left_out,
        survey_requests: total(&struck.requests) / total(&calm.surveyed),
        bump_requests: total(&bumped.requests) / total(&calm.bumped),
    }
}

async fn table(cases: Vec<(&'static str, Vec<Lane>, u32)>) {
    let calm = Arc::new(calm().await);
    let (mut rows, mut names, mut failed) = (Vec::new(), HashMap::new(), Vec::new());
    let mut running = tokio::task::JoinSet::new();
    let mut cases = cases.into_iter().enumerate();
    loop {
        while running.len() < 6
            && let Some((seed, (kind, lanes, percent))) = cases.next()
        {
            let calm = Arc::clone(&calm);
            let name = format!("{kind} on {lanes:?}, {percent} %, seed {seed}");
            let case = running.spawn(async move {
                let told = play(kind, &lanes, (percent, seed as u32), &calm).await;
                (seed, kind, lanes, percent, told)
            });
            names.insert(case.id(), name);
        }
        match running.join_next().await {
            Some(Ok(row)) => rows.push(row),
            // The others are played to the end: the table says where the fault lies.
            Some(Err(panic)) => failed.push(names.remove(&panic.id())),
            None => break,
        }
    }
    rows.sort_by_key(|(seed, ..)| *seed);
    let mut text = "share kind endpoints unknown left-out survey bump\n".to_owned();
    for (_, kind, lanes, percent, told) in rows {
        let _ = writeln!(
            text,
            "{percent:>3} % {kind:<12} {lanes:?} {} {} {:.2} {:.2}",
            told.unknown, told.left_out, told.survey_requests, told.bump_requests
        );
    }
    eprintln!("{text}");
    assert!(failed.is_empty(), "{failed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_by_dice_lead_to_nothing_wrong() {
    stamped!(crate::COMMANDS);
    let mut cases = Vec::new();
    for (place, kind) in KINDS.into_iter().enumerate() {
        cases.push((kind, vec![ENDPOINTS[place % ENDPOINTS.len()]], 30));
        cases.push((kind, vec![ENDPOINTS[(place + 2) % ENDPOINTS.len()]], 100));
    }
    table(cases).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "the whole table, by hand; the test above is a part of it"]
async fn faults_of_every_kind_on_every_endpoint() {
    let mut cases = Vec::new();
    for percent in [5, 30, 100] {
        for kind in KINDS {
            cases.extend(ENDPOINTS.map(|lane| (kind, vec![lane], percent)));
            // Where every source says that there is nothing, nothing is there.
            if kind != "status:404" {
                cases.push((kind, ENDPOINTS.to_vec(), percent));
            }
        }
    }
    table(cases).await;
}
