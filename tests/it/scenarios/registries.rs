//! One state folder for several registries. Each has its own jobs and its own lines of the log.

use demo::checkout;

use crate::door::{Door, Output, WORLD};

/// The kind and the subject of each listed job, newest first.
fn listed_jobs(output: &Output) -> Vec<String> {
    let jobs = output.objects().into_iter().filter(|one| one["type"] == "job");
    jobs.map(|one| format!("{} {}", one["kind"], one["what"]).replace('"', "")).collect()
}

/// A second registry beside the first, in the same world and with the same state.
fn second(door: &Door) -> String {
    let other = door.folder.path().join("other");
    door.server.look(|world| checkout::write(world, &other)).expect("the registry is written");
    other.display().to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_are_listed_for_their_own_registry() {
    let mut door = Door::on(WORLD).await;
    let (first, other) = (door.registry.display().to_string(), second(&door));
    door.said("survey").await.is(0, &[]);
    door.said(&format!("lint --registry {other}")).await;
    assert_eq!(listed_jobs(&door.said("jobs --json").await), ["survey everything"]);
    door.said("jobs")
        .await
        .is(0, &["survey everything", "1 job of other registries is left out", "jobs --all"]);
    let there = format!("jobs --registry {other}");
    assert_eq!(listed_jobs(&door.said(&format!("{there} --json")).await), ["lint everything"]);
    door.said(&there).await.is_not(&["survey"]);
    let all = door.said("jobs --all --json").await;
    assert_eq!(listed_jobs(&all), ["lint everything", "survey everything"]);
    let folders: Vec<_> = all.objects().into_iter().filter(|one| one["type"] == "job").collect();
    assert!(folders[0]["registry"].as_str().is_some_and(|folder| folder.ends_with("other")), "{all}");
    door.said("jobs --all").await.is(0, &["lint everything", "survey everything", "other", &first]);
    // The same folder with another GitHub is another registry.
    let elsewhere = "http://127.0.0.1:1";
    door.point(elsewhere, elsewhere, elsewhere);
    assert_eq!(listed_jobs(&door.said("jobs --json").await), Vec::<String>::new());
    door.said("jobs")
        .await
        .is(0, &["no job has been started yet", "2 jobs of other registries are left out"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_is_read_for_its_own_registry() {
    let door = Door::on(WORLD).await;
    let other = second(&door);
    door.said("survey").await.is(0, &[]);
    door.said(&format!("lint --registry {other}")).await;
    let here = door.said("log").await;
    here.is(0, &["survey everything begins", " 200, "]);
    here.is_not(&["lint everything"]);
    let there = door.said(&format!("log --registry {other}")).await;
    there.is(0, &["lint everything begins"]);
    there.is_not(&["survey everything", " 200, "]);
    door.said("log --all").await.is(0, &["survey everything begins", "lint everything begins", " 200, "]);
    // The last line belongs to this registry, although later lines belong to another.
    door.said("log --last 1").await.is_not(&["lint"]);
}

/// A wrong command line starts nothing.
#[tokio::test(flavor = "multi_thread")]
async fn wrong_use_makes_no_job() {
    let mut door = Door::on(WORLD).await;
    let empty = door.folder.path().join("empty");
    std::fs::create_dir_all(&empty).expect("a folder");
    let empty = empty.display().to_string();
    for line in [
        format!("lint --registry {empty}"),
        format!("survey --registry {empty}"),
        "survey acme/nothing".to_owned(),
        "verify acme/rocket@9.9.9".to_owned(),
        "review 4711".to_owned(),
    ] {
        let output = door.said(&line).await;
        assert_eq!(output.exit, 2, "{line}: {output}");
    }
    door.unset("BUMPDESK_REGISTRY");
    assert_eq!(listed_jobs(&door.said("jobs --all --json").await), Vec::<String>::new());
    // Without a registry the list contains all jobs.
    door.said("jobs").await.is(0, &["no job has been started yet"]);
}
