//! Jobs from start to end: rows of this run and of earlier ones, the log, running again.

use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;

use crate::desk::intent::Intent;
use crate::jobs::data::{
    Failure, FailureKind, Gate, Job, JobEvent, JobId, LogLevel, LogLine, Outcome, PastJob, PastState, Phase,
    PlanTask, Progress, Scope, Summary, SurveyPlan, WatchPlan,
};
use crate::rules::{Depth, Status};
use crate::tui::keymap::{Context, ViewId};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::Effect;
use crate::tui::shell::work;
use crate::tui::tests::{done, later, press, screen, started, tell, world};
use crate::tui::views::jobs::Pane;

fn ago(minutes: i64) -> jiff::Timestamp {
    world::now().checked_sub(SignedDuration::from_mins(minutes)).unwrap()
}

fn past(id: i64, kind: &str, what: &str, minutes: i64, state: PastState) -> PastJob {
    let counts =
        Summary { entries: 611, failed: if id == 37 { 2 } else { 0 }, requests: 1_204, ..Summary::default() };
    // A job with many entries is too long to be kept.
    let job = match (kind, what) {
        ("survey", "everything") => {
            Some(Job::Survey(SurveyPlan::new(Scope::Everything, Depth::Versions, Duration::ZERO, Gate::Tags)))
        }
        _ => None,
    };
    let ended_at = (state != PastState::CutOff && state != PastState::Running).then(|| ago(minutes - 1));
    PastJob {
        id,
        kind: kind.into(),
        what: what.into(),
        registry: None,
        job,
        state,
        started_at: ago(minutes),
        ended_at,
        counts,
    }
}

pub(super) fn journal() -> Vec<PastJob> {
    vec![
        past(38, "plan add", "auth0/auth0", 9, PastState::Done),
        past(37, "survey", "everything", 21, PastState::Done),
        past(36, "bump", "namespaces that begin with h", 60, PastState::Cancelled),
        past(35, "survey", "hashicorp/aws and 11 more", 120, PastState::CutOff),
        past(
            34,
            "lint",
            "everything",
            3000,
            PastState::Failed("reading the registry: no such folder".into()),
        ),
    ]
}

pub(super) fn log() -> Vec<LogLine> {
    let line = |job: i64, seconds: i64, level, text: &str| LogLine {
        job: (job > 0).then_some(job),
        registry: None,
        at: Some(world::now().checked_sub(SignedDuration::from_secs(seconds)).unwrap()),
        level,
        topic: if text.contains(", GET in ") { "requests" } else { "jobs" }.into(),
        text: text.into(),
        is_trouble: level >= LogLevel::Warn,
        raw: String::new(),
    };
    vec![
        line(37, 21 * 60, LogLevel::Info, "survey everything begins"),
        line(37, 20 * 60 + 30, LogLevel::Warn, "the tags of juju/juju could not be read: no answer"),
        line(38, 9 * 60, LogLevel::Info, "plan add auth0/auth0 begins"),
        line(41, 3, LogLevel::Info, "survey everything begins"),
        line(
            41,
            2,
            LogLevel::Debug,
            "200, GET in 35 ms, 4812 requests left: https://github.com/newrelic/terraform-provider-newrelic/releases.atom",
        ),
        line(41, 1, LogLevel::Error, "500, GET in 12 ms: https://github.com/coralogix/x\u{1b}[31m"),
        line(40, 1, LogLevel::Info, "what a job beside it says stands nowhere else"),
        line(41, 0, LogLevel::Info, "slow down for 4 s (429)"),
    ]
}

/// Answers the jobs that the Jobs view started.
pub(super) fn answer(model: &mut Model, effects: &[Effect], journal: &[PastJob]) {
    for effect in effects {
        let Effect::Start(id, job) = effect else { continue };
        match job {
            Job::ListJobs { .. } => tell(model, *id, JobEvent::PastJobs(journal.to_vec())),
            Job::ReadLog(_) => tell(model, *id, JobEvent::LogRead(Arc::new(log()))),
            _ => continue,
        };
        done(model, *id);
    }
}

fn progress(waiting: Option<&str>) -> Progress {
    Progress {
        phase: Phase::Tags,
        done: 4_000,
        total: 9_000,
        failed: 1,
        requests: 4_100,
        rate: 58.2,
        left: Some((Duration::from_mins(2), Duration::from_mins(3))),
        waiting: waiting.map(Into::into),
    }
}

pub(super) fn looking(columns: u16, rows: u16) -> Model {
    let mut model = started(world::normal(), columns, rows);
    let effects = press(&mut model, "8");
    answer(&mut model, &effects, &journal());
    model
}

/// A survey and a build are running.
pub(super) fn busy(columns: u16, rows: u16) -> Model {
    let mut model = started(world::normal(), columns, rows);
    press(&mut model, "R a");
    tell(&mut model, JobId(2), JobEvent::Progress(progress(None)));
    tell(&mut model, JobId(3), JobEvent::Progress(progress(Some("git requests wait 58 s, as GitHub asked"))));
    let effects = press(&mut model, "8");
    let mut journal = journal();
    journal.insert(
        0,
        PastJob { started_at: world::now(), ..past(41, "survey", "everything", 0, PastState::Running) },
    );
    answer(&mut model, &effects, &journal);
    model.message = None;
    model
}

/// A job follows a pull request.
pub(super) fn watching(columns: u16, rows: u16) -> Model {
    let mut model = started(world::normal(), columns, rows);
    let plan = WatchPlan { number: Some(5631), once: false };
    let begun = work::act(&mut model, Intent::Watch(plan));
    let Some(Effect::Start(id, _)) = begun.first() else { panic!("{begun:?}") };
    let stands = Progress {
        phase: Phase::Watching,
        done: 0,
        total: 0,
        failed: 0,
        requests: 0,
        rate: 0.0,
        left: None,
        waiting: Some("#5631: 1 of 1 checks passed, waits for an approval".into()),
    };
    tell(&mut model, *id, JobEvent::Progress(stands));
    let effects = press(&mut model, "8");
    answer(&mut model, &effects, &journal());
    model.message = None;
    model
}

/// The view before any job.
pub(super) fn none(columns: u16, rows: u16) -> Model {
    let mut model = started(world::normal(), columns, rows);
    let effects = press(&mut model, "8");
    answer(&mut model, &effects, &[]);
    model
}

/// The largest number of earlier jobs that are read.
pub(super) fn many(columns: u16, rows: u16) -> Model {
    let mut model = started(world::normal(), columns, rows);
    let many: Vec<PastJob> =
        (0..200).map(|at| past(1000 - at, "survey", "everything", 5 + at, PastState::Done)).collect();
    let effects = press(&mut model, "8");
    answer(&mut model, &effects, &many);
    model
}

fn last_message(model: &Model) -> &str {
    model.message.as_ref().map_or("", |message| message.text.as_str())
}

#[test]
fn each_job_has_one_row_and_running_ones_stand_first() {
    let model = busy(120, 40);
    let text = screen(&model);
    assert_eq!(text.matches("RUNNING").count(), 1, "the journal's line is the same job\n{text}");
    for wanted in [
        "8 Jobs 2",
        "WAITING",
        "git requests wait",
        " 41  survey everything",
        "4,000/9,000",
        "58.2/s",
        "2m-3m",
    ] {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
    for wanted in [
        "2 of 611 not checked in full",
        "? DONE, GAPS",
        "CUT OFF",
        "CANCELLED",
        "reading the registry: no such folder",
    ] {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
    assert!(!text.contains('\u{1b}'));
}

#[test]
fn a_job_of_this_run_stays_after_its_end_and_is_tried_again() {
    let mut model = busy(120, 40);
    let unknown = world::verdict(Status::Unknown, "1.0.0", "?", None);
    let because = crate::rules::Because { at: Some(world::now()), ..unknown.because.clone() };
    let failed = crate::rules::Verdict { because, ..unknown };
    let address = crate::registry::Address::parse("juju/juju").unwrap();
    let judged = crate::jobs::data::Judgement { address: address.clone(), verdict: failed };
    tell(&mut model, JobId(2), JobEvent::Judged(vec![judged]));
    let summary = Summary { entries: 22, failed: 1, ..Summary::default() };
    let effects = tell(&mut model, JobId(2), JobEvent::Ended(Outcome::Done(summary)));
    answer(&mut model, &effects, &journal());
    assert!(screen(&model).contains("1 of 22 not checked in full (1 not read upstream)"));
    press(&mut model, "g g j");
    assert_eq!(press(&mut model, "x"), [], "it is over");
    let [Effect::Start(_, Job::Survey(plan))] = &press(&mut model, "r")[..] else {
        panic!("{}", last_message(&model))
    };
    assert_eq!((plan.scope.clone(), plan.max_age), (Scope::Addresses(vec![address]), Duration::ZERO));
}

#[test]
fn jobs_of_earlier_runs_are_tried_again_as_far_as_they_are_known() {
    let mut model = looking(120, 40);
    for (keys, wanted) in [
        ("r", "r: it is done, nothing is left"),
        ("j j r", "r: that was a command: `bumpdesk bump` runs it again"),
        ("j r", "r: which entries it was about is no longer known; mark them in the Inventory"),
        ("x", "x: this job is not running here"),
    ] {
        assert!(press(&mut model, keys).is_empty());
        assert_eq!(last_message(&model), wanted, "{keys}");
    }
    let effects = press(&mut model, "g g j r");
    let [Effect::Start(_, Job::Survey(plan))] = &effects[..] else { panic!("{}", last_message(&model)) };
    assert!(matches!(&plan.scope, Scope::Addresses(list) if list.len() == 1), "the one that is UNKNOWN now");
}

/// Two equal jobs at the same moment: their numbers distinguish them, and the log shows the lines of each.
#[test]
fn equal_jobs_differ_by_their_numbers() {
    let mut model = started(world::normal(), 120, 40);
    press(&mut model, "R");
    tell(&mut model, JobId(2), JobEvent::Numbered(41));
    tell(&mut model, JobId(2), JobEvent::Ended(Outcome::Done(Summary { entries: 5, ..Summary::default() })));
    press(&mut model, "R");
    tell(&mut model, JobId(3), JobEvent::Numbered(40));
    let effects = press(&mut model, "8");
    let twins = [40, 41].map(|id| PastJob {
        started_at: world::now(),
        ..past(id, "survey", "everything", 0, PastState::Running)
    });
    answer(&mut model, &effects, &twins);
    model.message = None;
    let text = screen(&model);
    for number in [" 40  survey", " 41  survey"] {
        assert_eq!(text.matches(number).count(), if number == " 40  survey" { 2 } else { 1 }, "{text}");
    }
    assert!(text.contains("stands nowhere else") && !text.contains("slow down for 4 s"), "{text}");
    press(&mut model, "j");
    let text = screen(&model);
    assert!(!text.contains("stands nowhere else") && text.contains("slow down for 4 s"), "{text}");
}

#[test]
fn cancelling_asks_only_where_something_is_written() {
    let mut model = busy(120, 40);
    press(&mut model, "g g");
    let first = press(&mut model, "x");
    assert!(first.is_empty(), "the plan is written: {first:?}");
    assert_eq!(model.context(), Context::Ask);
    assert_eq!(press(&mut model, "y"), [Effect::Cancel(JobId(3))]);
    assert_eq!(press(&mut model, "j x"), [Effect::Cancel(JobId(2))]);
    assert!(press(&mut model, "x").is_empty());
    assert_eq!(last_message(&model), "x: it is already stopping");
}

#[test]
fn leaving_lists_what_runs_and_the_question_goes_with_it() {
    let mut model = busy(80, 24);
    assert!(press(&mut model, "q").is_empty());
    let text = screen(&model);
    assert!(text.contains("survey everything") && text.contains("plan add"), "{text}");
    tell(&mut model, JobId(2), JobEvent::Ended(Outcome::Cancelled(Summary::default())));
    assert_eq!(model.popup, Some(Popup::Leave));
    tell(&mut model, JobId(3), JobEvent::Ended(Outcome::Cancelled(Summary::default())));
    assert!(model.popup.is_none());
    assert_eq!(press(&mut model, "q"), [Effect::Quit]);
}

#[test]
fn the_log_is_filtered_searched_and_followed() {
    let mut model = busy(120, 40);
    press(&mut model, "j !");
    let text = screen(&model);
    assert!(
        text.contains("only errors, warnings and failed requests")
            && text.contains("500, GET in 12 ms")
            && !text.contains("slow down"),
        "{text}"
    );
    // Every line, then those without requests that went well again.
    press(&mut model, "!");
    assert!(screen(&model).contains("200, GET in 35 ms"));
    press(&mut model, "!");
    assert!(!screen(&model).contains("200, GET in 35 ms"));
    press(&mut model, "/ s l o w");
    assert!(screen(&model).contains("1 found"));
    press(&mut model, "<enter>");
    assert_eq!(last_message(&model), "hit 1 of 1 found");
    // The search finds the level before the text too.
    press(&mut model, "<esc> / E R R O R <enter>");
    assert_eq!(last_message(&model), "hit 1 of 1 found", "{}", screen(&model));
    press(&mut model, "<esc> <esc>");
    assert_eq!((model.screen, model.views.jobs.pane), (ViewId::Jobs, Pane::Rows));
    press(&mut model, "<esc>");
    assert_eq!(model.screen, ViewId::Inventory);
}

#[test]
fn the_log_is_read_again_once_a_second_while_a_job_runs_there() {
    let mut model = busy(120, 40);
    let more = |model: &mut Model| tell(model, JobId(2), JobEvent::Progress(progress(None)));
    assert!(more(&mut model).is_empty());
    later(&mut model, 1_000);
    assert_eq!(more(&mut model).len(), 2);
    assert!(more(&mut model).is_empty());
    press(&mut model, "1");
    later(&mut model, 8_000);
    assert!(more(&mut model).is_empty(), "nobody looks");
}

#[test]
fn what_is_over_is_cleared_away() {
    let mut model = looking(120, 40);
    press(&mut model, "C");
    let text = screen(&model);
    assert!(text.contains("finished jobs are hidden: C shows them again") && !text.contains("38"), "{text}");
    assert!(text.contains("C show done"), "{text}");
    press(&mut model, "j");
    assert_eq!(last_message(&model), "j: finished jobs are hidden; C shows them again");
    press(&mut model, "C");
    assert_eq!(last_message(&model), "finished jobs are shown again");
    assert!(screen(&model).contains("38  plan add auth0/auth0"), "{}", screen(&model));
}

#[test]
fn a_failed_build_says_why() {
    let mut model = started(world::normal(), 120, 40);
    let effects = press(&mut model, "a");
    let [Effect::Start(id, Job::Plan(PlanTask::Add(_)))] = &effects[..] else { panic!() };
    let failure = Failure::new(FailureKind::Conflict, "keeping the plan")
        .cause("another bumpdesk holds the state")
        .hint("Close the other bumpdesk, or change the plan there.");
    tell(&mut model, *id, JobEvent::Ended(Outcome::Failed(failure)));
    assert!(
        last_message(&model).starts_with("keeping the plan failed: another bumpdesk holds the state. Close")
    );
}

/// A job can be repeated in a shell: its command is copied, and if there is none, the key says so.
#[test]
fn the_command_of_a_job_is_copied() {
    let mut model = super::verify::made::running(120, 40);
    press(&mut model, "8");
    let effects = press(&mut model, "y c");
    assert_eq!(effects, [Effect::Copy("bumpdesk verify newrelic/newrelic hashicorp/aws coder/coder".into())]);
}

/// The command names several entries too, such as in the demo's own survey and its retry.
#[test]
fn the_command_of_a_survey_says_its_scope_and_depth() {
    let addresses =
        ["hashicorp/aws", "coder/coder"].map(|name| crate::registry::Address::parse(name).unwrap()).to_vec();
    for (scope, line) in [
        (Scope::Everything, "bumpdesk survey --depth sums --max-age 0"),
        (Scope::Addresses(addresses), "bumpdesk survey hashicorp/aws coder/coder --depth sums --max-age 0"),
        (Scope::Prefix("h".into()), "bumpdesk survey --prefix h --depth sums --max-age 0"),
    ] {
        let mut model = started(world::normal(), 120, 40);
        let plan = SurveyPlan::new(scope, Depth::Sums, Duration::ZERO, Gate::Tags);
        model.desk.board.begin(Job::Survey(plan), world::now());
        press(&mut model, "8");
        assert_eq!(press(&mut model, "y c"), [Effect::Copy(line.into())], "{}", screen(&model));
    }
}

/// The name of a job takes no more cells than the longest name needs. A result is cut between its parts, and
/// stands in full below.
#[test]
fn a_result_is_not_cut_in_the_middle() {
    let mut model = busy(80, 24);
    let summary = Summary { entries: 61, failed: 2, broken: 1, ..Summary::default() };
    tell(&mut model, JobId(2), JobEvent::Ended(Outcome::Done(summary)));
    let text = screen(&model);
    let row = text.lines().find(|line| line.contains("DONE, GAPS")).unwrap_or_else(|| panic!("{text}"));
    assert!(row.contains("survey everything") && row.contains("3 of 61 not checked in full"), "{text}");
    assert!(!row.contains('(') && !row.contains('>') && !row.contains(".."), "{text}");
}
