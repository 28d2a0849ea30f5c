//! A reader that goes away early, as `head` does. Commands that only print end quietly, and commands that write
//! continue.

use serde_json::Value;

use crate::door::{Door, WORLD};

/// Commands that print more than one byte.
const PRINTING: &[&str] = &[
    "list",
    "list --csv",
    "show acme/rocket",
    "triage acme/rocket@1.1.0",
    "stranded",
    "survey --max-age 0",
    "diff acme/rocket",
    "diff acme/rocket --patch",
    "diff acme/rocket --check",
    "bump --dry-run",
    "verify acme/rocket",
    "backfill plan --all",
    "lock acme/rocket@1.0.0",
    "plan show",
    "pr list",
    "review",
    "jobs",
    "log",
    "lint",
    "doctor",
    "keys",
    "view list",
    "notice list",
    "config check",
    "help",
    "help json",
    "completions bash",
    "man",
];

/// A registry in which every command has something to print.
async fn door() -> Door {
    let door = Door::on(WORLD).await;
    let text = door.read("providers/a/acme/quiet.json").replace("linux_amd64", "linux-amd64");
    door.put("providers/a/acme/quiet.json", format!("{text}\n\n").as_bytes());
    door.said("survey").await.is(0, &[]);
    door
}

async fn jobs(door: &Door) -> Vec<String> {
    let output = door.said("jobs --json --last 500").await;
    let jobs = output.objects().into_iter().filter(|one| one["type"] == "job");
    jobs.map(|one| one["state"].as_str().expect("a state").to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_goes_away_is_a_quiet_end_of_every_command_that_prints() {
    stamped!(crate::COMMANDS);
    let door = door().await;
    for line in PRINTING {
        for json in [false, true] {
            if json && (line.contains("--csv") || line.starts_with("completions") || *line == "man") {
                continue;
            }
            let mut words: Vec<&str> = line.split(' ').collect();
            words.extend(json.then_some("--json"));
            for bytes in [0, 1] {
                let (exit, err) = door.read_in_part(&words, bytes).await;
                assert_eq!(exit, 0, "{words:?} after {bytes} bytes: {err}");
                for word in ["stopped early", "cancelled", "cannot be written", "Broken pipe"] {
                    assert!(!err.contains(word), "{words:?}: {err}");
                }
            }
        }
    }
    let states = jobs(&door).await;
    assert!(states.iter().all(|state| state == "done"), "{states:?}");
}

/// A failure that prevents a command from starting is reported even without a reader.
#[tokio::test(flavor = "multi_thread")]
async fn a_failure_keeps_its_exit_without_a_reader() {
    let door = door().await;
    for (line, exit) in [("show acme/nothing", 2), ("lint --rule nothing", 2), ("list --status nothing", 2)] {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(door.read_in_part(&words, 0).await.0, exit, "{line}");
    }
}

/// A command that writes has its output as its purpose, so everything is written.
#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_writes_continues_without_a_reader() {
    let door = door().await;
    for json in [&[][..], &["--json"]] {
        let words = [&["plan", "add", "acme/rocket", "umbrella/vpc/aws"][..], json].concat();
        assert_eq!(door.read_in_part(&words, 0).await.0, 0);
        let planned = door.said("plan show --json").await;
        let files = planned.objects().into_iter().filter(|one| one["type"] == "planned").count();
        assert_eq!(files, 2, "{planned}");
        door.said("plan drop acme/rocket umbrella/vpc/aws").await.is(0, &[]);
    }
    let report = door.folder.path().join("report.jsonl");
    let report_path = report.display().to_string();
    let words = ["verify", "acme/rocket", "--report", &report_path];
    assert_eq!(door.read_in_part(&words, 0).await.0, 0);
    let lines = std::fs::read_to_string(&report).expect("a report");
    let targets = lines
        .lines()
        .filter(|line| serde_json::from_str::<Value>(line).is_ok_and(|one| one["target"] == "linux_amd64"));
    assert_eq!(targets.count(), 1, "{lines}");
    assert_eq!(door.read_in_part(&["bump"], 0).await.0, 0);
    for path in ["providers/a/acme/rocket.json", "modules/u/umbrella/vpc/aws.json"] {
        assert!(door.read(path).contains("1.1.0"), "{path}");
    }
    let states = jobs(&door).await;
    assert!(states.iter().all(|state| state == "done"), "{states:?}");
}
