//! The journal of jobs and the log, through the front door.

use bumpdesk::surface::boot::{Flags, Settings};
use bumpdesk::surface::jobs::{Engine, Env, Job, JobEvent, JobId, Writes};
use demo::fault::{Fault, FaultKind, Lane};

use crate::door::{Door, WORLD};

#[tokio::test(flavor = "multi_thread")]
async fn jobs_of_earlier_runs_are_listed() {
    let door = Door::on(WORLD).await;
    door.said("jobs").await.is(0, &["no job has been started yet"]);
    door.said("survey").await.is(0, &[]);
    door.said("list").await.is(0, &[]);
    door.said("plan add acme/rocket umbrella/vpc/aws").await.is(0, &[]);
    door.said("bump --dry-run acme/rocket").await.is(0, &[]);
    let said = door.said("jobs --json").await;
    let jobs = said.objects();
    let told: Vec<String> = jobs
        .iter()
        .filter(|job| job["type"] == "job")
        .map(|job| format!("{} {} {}", job["state"], job["kind"], job["what"]).replace('"', ""))
        .collect();
    assert_eq!(
        told,
        ["done bump acme/rocket, dry run", "done plan add acme/rocket and 1 more", "done survey everything"]
    );
    assert_eq!((&jobs[2]["entries"], &jobs[2]["failed"]), (&3.into(), &0.into()));
    door.said("jobs --last 1").await.is(0, &["DONE", "bump acme/rocket, dry run"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_and_failures_are_logged() {
    let door = Door::on(WORLD).await;
    door.said("log").await.is(0, &[]);
    door.said("survey").await.is(0, &[]);
    let log = door.said("log").await;
    log.is(0, &["INFO  jobs survey everything begins", "/acme/terraform-provider-rocket", " 200, POST in "]);
    assert_eq!(door.said("log --errors").await.out, "");
    let kind = FaultKind::try_from("status:500".to_owned()).expect("a kind");
    door.server.edit(|world| world.faults = vec![Fault::new(&[Lane::Git], kind)]);
    door.said("survey --max-age 0").await.is(3, &[]);
    let errors = door.said("log --errors --since 1h --json").await;
    let lines: Vec<_> = errors.objects().into_iter().filter(|object| object["type"] == "log").collect();
    assert!(!lines.is_empty() && lines.iter().all(|line| line["trouble"] == true), "{errors}");
    assert!(
        lines.iter().any(|line| line["text"].as_str().is_some_and(|text| text.starts_with("500, "))),
        "{errors}"
    );
    assert_eq!(door.said("log --last 1").await.out.lines().count(), 1);
}

/// Whoever looks at errors alone sees every entry of which nobody knows how it stands, and why.
#[tokio::test(flavor = "multi_thread")]
async fn each_failed_entry_has_one_error_line() {
    let door = Door::on(WORLD).await;
    door.put("providers/a/acme/quiet.json", b"{");
    let (status, cut) = ("status:500".to_owned(), "truncate:20".to_owned());
    for (kind, why) in [(status, "it answered HTTP 500"), (cut, "no answer")] {
        let kind = FaultKind::try_from(kind).expect("a kind");
        door.server.edit(|world| world.faults = vec![Fault::new(&[Lane::Git], kind)]);
        door.said("survey --max-age 0").await.is(3, &[]);
        let log = door.said("log --errors --json").await;
        let lines = log.objects();
        // The clock stands still: lines of both surveys have one time, and requests are kept apart from what jobs say.
        let last = lines.iter().filter_map(|line| line["job"].as_u64()).max();
        let errors: Vec<String> = lines
            .iter()
            .filter(|line| line["level"] == "ERROR" && line["job"].as_u64() == last)
            .map(|line| line["text"].as_str().expect("a text").to_owned())
            .collect();
        assert_eq!(errors.len(), 3, "{log}");
        let of = |address: &str| errors.iter().find(|line| line.starts_with(&format!("{address}: ")));
        assert!(of("acme/quiet").is_some_and(|line| line.contains("broken JSON at 1:1")), "{log}");
        for address in ["acme/rocket", "umbrella/vpc/aws"] {
            assert!(of(address).is_some_and(|line| line.contains(why)), "{why}: {log}");
        }
    }
    // A body that breaks off says whose it was.
    door.said("log --errors").await.is(
        0,
        &["/acme/terraform-provider-rocket.git/git-upload-pack: the answer was cut off: the connection was lost"],
    );
}

fn env(door: &Door) -> std::sync::Arc<Env> {
    let settings = Settings::resolve(&Flags::default(), &door.environment()).expect("settings");
    std::sync::Arc::new(Env::new(settings.env_options()).expect("a world"))
}

async fn run(engine: &mut Engine, id: u64, job: Job) -> Vec<JobEvent> {
    engine.start(JobId(id), job);
    let mut events = Vec::new();
    loop {
        match engine.next().await {
            (_, JobEvent::Ended(_)) => return events,
            (_, event) => events.push(event),
        }
    }
}

/// What the console remembers, through a new process.
#[tokio::test(flavor = "multi_thread")]
async fn the_console_remembers() {
    let door = Door::on(WORLD).await;
    let values: std::collections::BTreeMap<String, String> =
        [("sort".to_owned(), "\"age\"".to_owned())].into_iter().collect();
    let job = Job::Remember(values.clone());
    assert_eq!(job.writes(), Writes::Memory);
    run(&mut Engine::new(env(&door)), 1, job).await;
    let events = run(&mut Engine::new(env(&door)), 1, Job::Recall).await;
    assert!(matches!(&events[..], [JobEvent::Recalled(found)] if *found == values), "{events:?}");
}

/// A process that was killed leaves its job open; the next one says so. And what its bump left half-written goes.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_cut_off_is_told_and_cleaned_up() {
    let door = Door::on(WORLD).await;
    {
        // A job whose end is then taken out of the journal, as if its process had been killed.
        let mut engine = Engine::new(env(&door));
        engine.start(
            JobId(1),
            Job::Lint(bumpdesk::surface::jobs::LintPlan {
                scope: bumpdesk::surface::jobs::Scope::Everything,
                rules: Vec::new(),
            }),
        );
        let _first_words = engine.next().await;
        engine.shutdown(std::time::Duration::from_secs(5)).await;
    }
    let database = door.folder.path().join("state/state.sqlite3");
    let text = rusqlite::Connection::open(&database).expect("the state");
    text.execute("UPDATE journal SET ended_at = NULL, outcome = NULL", []).expect("an update");
    drop(text);
    door.said("jobs").await.is(0, &["CUT OFF", "lint everything", "its program ended before it did"]);
    let left = door.registry.join("providers/a/acme/.bumpdesk-left.tmp");
    std::fs::write(&left, "half").expect("a file");
    door.said("bump --dry-run").await.is(0, &[]);
    assert!(left.exists());
    door.said("bump").await.is(0, &["a half-written file of an earlier bump that was cut off: removed"]);
    assert!(!left.exists());
}
