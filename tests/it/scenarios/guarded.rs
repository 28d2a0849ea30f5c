//! What must not be believed, and what must not be lost.

use bumpdesk::surface::jobs::{BumpPlan, FailureKind, Job, Outcome, Scope};
use bumpdesk::surface::rules::{Class, Depth, Mode, Status};
use demo::World;

use crate::stage::Stage;

const BEFORE: &str = r#"
clock = "2026-11-21T12:00:00Z"
[[provider]]
address = "acme/rocket"
targets = ["linux_amd64"]
stored = ["1.0.0"]
tags = [{ name = "v1.1.0", at = "-3d" }]
"#;

const AFTER: &str = r#"
clock = "2026-11-21T14:00:00Z"
[[provider]]
address = "acme/rocket"
targets = ["linux_amd64"]
stored = ["1.0.0"]
releases = [{ tag = "v1.1.0", published = "-1h" }]
"#;

#[tokio::test(flavor = "multi_thread")]
async fn an_old_answer_of_the_api_records_no_error() {
    let mut stage = Stage::set(BEFORE).await;
    assert_eq!(stage.survey(Depth::Versions).await["acme/rocket"].status, Status::Stranded);
    // Two hours later the release is there, and this run has no token to hear of it.
    stage.server.edit(|world| *world = World::parse(AFTER).expect("a world"));
    stage.lose_token();
    assert_eq!(stage.survey(Depth::Versions).await["acme/rocket"].status, Status::Behind);
    assert_eq!(stage.bump().await, ["providers/a/acme/rocket.json"]);
    let file = stage.file("acme/rocket");
    assert!(file.contains("\"version\": \"1.1.0\"") && !file.contains("versions_errors"), "{file}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_made_while_zips_are_hashed_is_not_lost() {
    let slow = r#"
[[fault]]
on = "object"
kind = "slow:400ms"
"#;
    let text = AFTER.replace(
        "targets = [\"linux_amd64\"]",
        "targets = [\"linux_amd64\", \"linux_arm64\", \"darwin_arm64\"]",
    );
    let mut stage = Stage::set(&format!("{text}{slow}")).await;
    let path = stage.registry().join("providers/a/acme/rocket.json");
    let spool = stage.folder.path().join("cache/spool");
    let edited = std::fs::read_to_string(&path).expect("a file") + "\n";
    let text = edited.clone();
    let file = path.clone();
    let editor = std::thread::spawn(move || {
        // The first zip is on its way, so the file was read.
        while !spool.exists() {
            std::thread::yield_now();
        }
        std::fs::write(file, text).expect("a file");
    });
    let plan = BumpPlan { scope: Scope::Everything, max_age: std::time::Duration::ZERO, dry_run: false };
    let (_, outcome) = stage.run(Job::Bump(plan)).await;
    editor.join().expect("the editor ends");
    let Outcome::Failed(failure) = outcome else { panic!("{outcome:?}") };
    assert_eq!(failure.kind, FailureKind::Conflict);
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), edited);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_keeps_a_version_that_cannot_be_built_again() {
    let text = r#"
clock = "2026-11-21T12:00:00Z"
[[provider]]
address = "acme/rocket"
targets = ["linux_amd64"]
stored = ["1.1.0", "1.0.0"]
release_gone = ["1.0.0"]
"#;
    let mut stage = Stage::set(text).await;
    let opened = stage.rebuild("acme/rocket", Mode::Refresh(vec!["1.0.0".into()])).await;
    let proposal = opened.proposal.as_ref().expect("a proposal");
    assert_eq!(proposal.diff.class, Class::Noop, "{:?}", proposal.findings);
    assert!(
        proposal.findings.iter().any(|finding| finding.rule == "not-complete"),
        "{:?}",
        proposal.findings
    );
}
