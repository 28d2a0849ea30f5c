//! Questions and gates of the desk, asked by the desk itself.

use std::sync::Arc;

use super::*;
use crate::desk::{Header, Registry};
use crate::jobs::data::{BumpPlan, Scope};
use crate::registry::{Catalog, Kind, Row, Shape};
use crate::rules::plan::{Kept, Marks, Plan, PlannedFile, made_with};
use crate::rules::policy::Reason;
use crate::rules::{Because, Source, Status, Verdict, VersionMark, VersionState};
use crate::settings::Features;

/// The rule itself, with a planted job of another kind.
#[test]
fn a_job_that_writes_files_needs_a_yes_where_each_write_does() {
    let plan = BumpPlan { scope: Scope::Everything, max_age: Duration::ZERO, dry_run: false };
    let step = Step::Start(Job::Bump(plan));
    for (consent, is_asked) in [(Consent::Spoken, true), (Consent::Typed, false)] {
        let desk = Desk { consent, ..Desk::default() };
        let asked = desk.question(Intent::Reload, &step, Timestamp::UNIX_EPOCH);
        assert_eq!(asked.map(|asked| asked.writes), is_asked.then_some(Writes::Files));
    }
}

fn typed() -> Desk {
    Desk { consent: Consent::Typed, ..Desk::default() }
}

/// The job says what is wrong with it, and drops it.
#[test]
fn a_planned_file_that_cannot_be_read_can_be_named() {
    let mut desk = typed();
    let rocket = Address::provider("acme", "rocket");
    desk.planning.take(Plan { unreadable: vec![rocket.to_string()], ..Plan::default() });
    let mark = PlanMark { address: rocket.clone(), which: Which::Whole, verb: Verb::Approve };
    for intent in [Intent::Drop(vec![rocket]), Intent::Drop(Vec::new()), Intent::Say(vec![mark])] {
        assert!(desk.may(&intent).is_ok(), "{intent:?}");
    }
    let other = Intent::Drop(vec![Address::provider("acme", "quiet")]);
    assert_eq!(desk.may(&other).unwrap_err().text, "acme/quiet is not in the plan");
}

/// A desk with so many rows, none of them checked, and a pace.
fn surveyed(rows: usize, consent: Consent) -> Desk {
    let row = |at| Row::new(Address::provider("acme", &format!("p{at}")), Shape::default());
    let mut desk = Desk { consent, ..Desk::default() };
    desk.registry = Registry::Loaded(Header { git_per_second: Some(2.0), ..Header::default() });
    desk.list.catalog = Arc::new(Catalog::new((0..rows).map(row).collect(), Vec::new()));
    let because = Because { text: "not checked yet".into(), source: Source::Tags, at: None };
    let verdict = Verdict::new(Status::Unknown, because);
    desk.list.verdicts = vec![verdict; rows];
    desk.list.marks = vec![false; rows];
    desk.list.shown = (0..rows as u32).collect();
    desk
}

/// Rows, requests and time are said before one key sends thousands of requests; what was just checked is not counted.
#[test]
fn a_large_survey_says_what_it_costs_and_asks() {
    let now: Timestamp = "2026-09-22T12:05:00Z".parse().unwrap();
    for consent in [Consent::Drawn, Consent::Spoken] {
        let mut desk = surveyed(201, consent);
        let Answer::Question(asked) = desk.act(Intent::survey(EntrySelection::Shown), now) else {
            panic!("not asked")
        };
        let says = asked.says.join(" ");
        for part in
            ["201 rows", "201 requests", "At 2 requests a second", "1 minute or more", "keeps what it found"]
        {
            assert!(says.contains(part), "no `{part}`: {says}");
        }
        assert!(desk.agree(&asked.intent, now).is_ok());
        let mut desk = surveyed(201, consent);
        (desk.list.verdicts[0].checked_at, desk.list.verdicts[0].depth) = (Some(now), Some(Depth::Versions));
        assert!(matches!(desk.act(Intent::survey(EntrySelection::Shown), now), Answer::Started(_)));
    }
    let mut desk = surveyed(200, Consent::Drawn);
    assert!(matches!(desk.act(Intent::survey(EntrySelection::Everything), now), Answer::Started(_)));
}

/// Only what waits for its next try is cleared; what is stranded would fail again.
#[test]
fn clearing_is_about_the_versions_that_wait() {
    let mut desk = surveyed(1, Consent::Drawn);
    let address = Address::provider("acme", "p0");
    let state = |version: &str, status: Status| VersionState {
        version: version.into(),
        tag: None,
        mark: VersionMark::Is(status),
        reason: String::new(),
        published: None,
        published_by: None,
        targets: None,
        attempts: 8,
        next_try: None,
    };
    assert!(desk.clearing(&address).is_err());
    desk.list.verdicts[0].versions =
        vec![state("1.2.0", Status::Stranded), state("1.1.0", Status::RetryWait)];
    let edit = Edit::ClearErrors(vec!["1.1.0".into()]);
    assert_eq!(desk.clearing(&address), Ok(Intent::edit(address, edit)));
}

/// A removal is from all entries of one repository that have the version; every other edit is of the one that is named.
#[test]
fn twins_are_edited_together_where_both_have_the_version() {
    let row = |namespace: &str, versions: &[&str]| {
        let versions: Vec<String> = versions.iter().map(|one| format!("{{\"version\":\"{one}\"}}")).collect();
        let text = format!("{{\"versions\":[{}]}}", versions.join(","));
        Row::new(Address::provider(namespace, "aws"), Shape::parse(Kind::Provider, text.as_bytes()))
    };
    let mut desk = surveyed(0, Consent::Typed);
    let rows = vec![row("hashicorp", &["6.57.0", "6.56.0"]), row("opentofu", &["6.57.0"])];
    desk.list.catalog = Arc::new(Catalog::new(rows, Vec::new()));
    let (hashicorp, opentofu) = (Address::provider("hashicorp", "aws"), Address::provider("opentofu", "aws"));
    let removed = |address: &Address, version: &str| {
        let of = (address.clone(), vec![version.to_owned()]);
        let said = (Some("https://a.b/c"), Some(7));
        match desk.gate(&Intent::remove(of, Reason::LegalDuty, said).unwrap()) {
            Ok(Step::Start(Job::Plan(PlanTask::Add(add)))) => add.addresses(),
            other => panic!("{other:?}"),
        }
    };
    let both = vec![hashicorp.clone(), opentofu.clone()];
    assert_eq!(removed(&hashicorp, "6.57.0"), both);
    assert_eq!(removed(&opentofu, "v6.57.0"), both);
    assert_eq!(removed(&hashicorp, "6.56.0"), std::slice::from_ref(&hashicorp));
    let refused = Intent::remove((hashicorp, vec!["6.57.0".into()]), Reason::Bug, (None, None));
    assert!(matches!(refused, Ok(Intent::Reply(_))), "{refused:?}");
}

fn planned() -> PlannedFile {
    let text = |versions: &str| format!("{{\"versions\":[{versions}]}}").into_bytes();
    let kept = Kept {
        address: Address::module("acme", "net", "aws"),
        mode: Mode::Add,
        revision: "main@f00f6d5".into(),
        built_at: Timestamp::UNIX_EPOCH,
        made_with: made_with(Features::none()),
        base: text(r#"{"version":"v1.0.0"}"#),
        proposed: text(r#"{"version":"v1.1.0"},{"version":"v1.0.0"}"#),
        blocks: Vec::new(),
        remarks: Vec::new(),
    };
    PlannedFile::read(&kept, &Marks::new(), Some(&kept.base), Features::none()).unwrap()
}

/// A paused job is not called running, and the text says where to find the plan again.
#[test]
fn leaving_says_what_stops_and_what_becomes_of_the_plan() {
    let mut desk = surveyed(2, Consent::Drawn);
    assert_eq!((desk.leaving(), desk.plan_after()), (Vec::new(), None));
    let now = Timestamp::UNIX_EPOCH;
    let Answer::Started(_) = desk.act(Intent::survey(EntrySelection::Everything), now) else {
        panic!("not started")
    };
    desk.planning.take(Plan::new(vec![planned()]));
    let kept = "(1 file) is kept: `bumpdesk plan show`, or Changes at the next start";
    let ends = ["Leaving stops it; what it found is kept.".to_owned(), format!("The plan {kept}.")];
    for (is_paused, word) in [(false, "running"), (true, "paused")] {
        let survey = desk.board.survey().map(|job| job.id).and_then(|id| desk.board.find(id));
        survey.expect("a job").is_paused = is_paused;
        let says = desk.leaving();
        assert_eq!(says[0], format!("This job is {word}:"));
        assert_eq!(says[2..], ends);
    }
    assert_eq!(desk.plan_after().as_deref(), Some(kept));
    desk.name = Some("demo registry".into());
    assert_eq!(desk.plan_after().as_deref(), Some("(1 file) is deleted with the demo"));
}

/// Nobody knows how much a broken file has; the job names the place that is broken.
#[test]
fn a_broken_file_is_not_called_without_targets() {
    let shapes = [
        (Shape { broken: Some("at 1:1".into()), ..Shape::default() }, true),
        (Shape::default(), true),
        (Shape { version_count: 1, ..Shape::default() }, false),
    ];
    for (shape, may_be) in shapes {
        let mut desk = typed();
        let address = Address::provider("acme", "rocket");
        let row = Row::new(address.clone(), shape);
        desk.list.catalog = Arc::new(Catalog::new(vec![row], Vec::new()));
        assert_eq!(desk.may(&Intent::verify(address, None, None)).is_ok(), may_be);
    }
}
