//! Pages of a planned file, and what counts as looked at after them.

use std::sync::Arc;

use crate::desk::reviews::tests::{open_pull, review};
use crate::jobs::data::{Job, JobEvent, PlanOpened, PlanTask};
use crate::line::tests::Scene;
use crate::print::text::tests::now;
use crate::registry::Address;
use crate::rules::diff::Lines;
use crate::rules::plan::{Kept, Marks, Plan, PlannedFile, Verb, Which, made_with};
use crate::rules::review::{FileDifferences, PullDifferences, Result as Word};
use crate::settings::Features;

/// A planned module that gets these versions.
fn planned(added: &[&str]) -> (Kept, PlannedFile) {
    let text = |versions: &[&str]| {
        let versions: Vec<String> = versions
            .iter()
            .map(|version| format!("    {{\n      \"version\": \"{version}\"\n    }}"))
            .collect();
        format!("{{\n  \"versions\": [\n{}\n  ]\n}}", versions.join(",\n")).into_bytes()
    };
    let kept = Kept {
        address: Address::module("acme", "net", "aws"),
        mode: crate::rules::Mode::Add,
        revision: "main@f00f6d5".into(),
        built_at: now(),
        made_with: made_with(Features::none()),
        base: text(&["v1.0.0"]),
        proposed: text(&[added, &["v1.0.0"]].concat()),
        blocks: Vec::new(),
        remarks: Vec::new(),
    };
    let file = PlannedFile::read(&kept, &Marks::new(), Some(&kept.base), Features::none());
    (kept, file.unwrap())
}

/// The plan is built again between two pages: what counts as looked at is what was read out.
#[test]
fn a_build_that_was_never_read_out_is_not_looked_at() {
    let old: Vec<String> = (1..9).rev().map(|minor| format!("v1.{minor}.0")).collect();
    let old: Vec<&str> = old.iter().map(String::as_str).collect();
    let (kept, file) = planned(&old);
    let (_, newer) = planned(&[&["v1.9.0"], &old[..]].concat());
    let mut scene = Scene::new(1);
    scene.hear("plan show");
    scene.event(JobEvent::Planned(Arc::new(Plan::new(vec![file.clone()]))));
    scene.done();
    scene.hear("plan show 1");
    let lines = Arc::new(file.lines(&kept, None).unwrap());
    let heard: Vec<_> = file.pieces.iter().map(|piece| piece.id.clone()).collect();
    let first = scene.event(JobEvent::PlanOpened(Arc::new(PlanOpened { file, lines })));
    assert!(first.contains("; next\n"), "{first}");
    scene.done();
    scene.mode.desk.planning.take(Plan::new(vec![newer.clone()]));
    loop {
        assert!(!scene.hear("next").starts_with("this is the end; list"));
        if scene.started() > 0 {
            break;
        }
    }
    let (_, job) = scene.last_job();
    let Job::Plan(PlanTask::Mark(marks)) = job else { panic!("{job:?}") };
    let marked: Vec<_> = marks.iter().map(|mark| mark.which.clone()).collect();
    assert_eq!(marked, heard.into_iter().map(Which::Piece).collect::<Vec<_>>());
    scene.event(JobEvent::Planned(Arc::new(Plan::new(vec![newer]))));
    let told = scene.done();
    assert!(told.contains("has changed since it was read out"), "{told}");
    assert!(!told.contains("counts as looked at"), "{told}");
}

/// A mark says its own file; without the plan around it, which gives it its number, the plan is read first.
#[test]
fn a_marked_file_is_read_out_with_its_number() {
    let mut scene = Scene::new(1);
    let (_, file) = planned(&["v1.1.0"]);
    let mut other = file.clone();
    other.address = Address::module("aaaa", "net", "aws");
    other.path = other.address.path();
    let rejected = file.answer(&Which::Whole, &Verb::Reject).unwrap();
    let mut marked = file.clone();
    marked.mark(&rejected);
    let plan = Plan::new(vec![marked, other]);
    scene.hear("reject acme/net/aws");
    scene.hear("yes");
    assert!(matches!(scene.last_job().1, Job::Plan(PlanTask::Mark(_))));
    assert_eq!(scene.event(JobEvent::PlannedFile(Arc::new(file.clone()))), "");
    assert_eq!(scene.done(), "");
    assert!(matches!(scene.last_job().1, Job::Plan(PlanTask::Show)));
    let told = scene.event(JobEvent::Planned(Arc::new(plan)));
    assert!(told.contains("\n2. ") && !told.contains("\n1. "), "{told}");
    assert!(scene.done().starts_with("done: rejecting acme"));
    scene.hear("reopen 2");
    scene.hear("yes");
    let told = scene.event(JobEvent::PlannedFile(Arc::new(file)));
    assert!(told.contains("\n2. ") && !told.contains("\n1. "), "{told}");
    assert!(scene.done().starts_with("done: reopening acme"));
}

/// A view is saved when it is kept, and not before.
#[test]
fn a_view_that_could_not_be_kept_is_not_called_saved() {
    let mut scene = Scene::new(1);
    assert_eq!(scene.hear("save mine"), "");
    let failure = crate::jobs::data::Failure {
        kind: crate::jobs::data::FailureKind::Conflict,
        doing: "keeping the views".into(),
        causes: vec!["read-only here".into()],
        hint: None,
    };
    let told = scene.event(JobEvent::Ended(crate::jobs::data::Outcome::Failed(failure)));
    assert!(told.contains("read-only here") && !told.contains("`mine` saved"), "{told}");
    scene.hear("save other");
    assert_eq!(scene.done(), "done: view `other` saved; view lists the views\n");
}

/// A command line in the hint of a job is replaced by words of this mode.
#[test]
fn a_hint_names_words_of_this_mode() {
    let failure = crate::jobs::data::Failure::new(crate::jobs::data::FailureKind::Conflict, "sending the review of #12")
        .cause("4f21c0 is not what would be sent now, which is 5f5dad")
        .hint("Look at it again with `bumpdesk review 12 --comment --dry-run`; `bumpdesk pr resume 4f21c0 --write` continues.");
    let lines: Vec<String> =
        crate::line::spoken::failure(&failure).iter().map(crate::print::output::Line::shown).collect();
    assert_eq!(lines.last().unwrap(), "you can: Look at it again with pull; resume DIGITS continues.");
    let note = crate::line::words::in_words(
        "the review of #12 was cut off: `bumpdesk pr undo 4f21c0` takes it back",
    );
    assert_eq!(note, "the review of #12 was cut off: undo takes it back");
}

/// The list of pull requests stands in the order of the screen and of the command: the worst first, though it is the oldest.
#[test]
fn the_worst_pull_request_is_read_first() {
    let mut scene = Scene::new(1);
    scene.hear("review");
    scene.event(JobEvent::OpenPulls(Arc::new(vec![open_pull(12), open_pull(11)])));
    for (number, result) in [(12, Word::Same), (11, Word::Differs)] {
        let found = review(open_pull(number), "providers/a/acme/rocket.json", result, &["1.1.0: x"]);
        scene.event(JobEvent::Reviewed(Arc::new(found)));
    }
    let text = scene.done();
    let place = |word: &str| text.find(word).unwrap_or_else(|| panic!("no `{word}` in\n{text}"));
    assert!(place("#11 ") < place("#12 "), "{text}");
}

/// The lines of a pull request are read out in place of its review, and the other side without another job.
#[test]
fn the_lines_of_a_pull_request_are_read_out() {
    let mut scene = Scene::new(1);
    scene.hear("review 12 upstream");
    let (_, job) = scene.last_job();
    assert!(matches!(job, Job::Review(_)), "{job:?}");
    let reviewed = review(open_pull(12), "providers/a/acme/rocket.json", Word::Differs, &["x"]);
    let lines = |old: &str| Ok(Arc::new(Lines::of_text(old.into(), "claimed\n".into())));
    let path = "providers/a/acme/rocket.json".to_owned();
    let files = vec![FileDifferences { path, change: lines("before\n"), upstream: lines("upstream\n") }];
    scene.event(JobEvent::Differences(Arc::new(PullDifferences::new(&reviewed, files))));
    let text = scene.event(JobEvent::Reviewed(Arc::new(reviewed)));
    assert!(text.contains("-upstream\n+claimed") && !text.contains("DIFFERS"), "{text}");
    scene.done();
    let text = scene.hear("review 12 diff");
    assert!(text.contains("-before\n+claimed"), "{text}");
    assert_eq!(scene.started(), 0);
}
