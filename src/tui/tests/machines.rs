//! Runs on GitHub's machines from start to end: requested, prepared, followed in Jobs with their jobs and
//! logs, run again, and merged into the plan.

use std::sync::Arc;

use jiff::SignedDuration;

use crate::desk::tests::{machine_run, prepared};
use crate::jobs::data::{
    ActionsNews, ActionsTask, Failure, FailureKind, Job, JobEvent, JobId, Loaded, LogLevel, LogLine, Outcome,
    PastJob, PastState, Phase, Progress, StartedRun, Subject, Summary, Unit,
};
use crate::registry::{Catalog, Repository};
use crate::rules::actions::{Ending, RunState};
use crate::rules::sending::{ActionsPlan, PullPlan, Purpose, Request};
use crate::tui::keymap::ViewId;
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Effect;
use crate::tui::tests::records::{answer, looking};
use crate::tui::tests::reviews::last_message;
use crate::tui::tests::{press, screen, started, tell, world};
use crate::tui::views::jobs::Pane;

/// A console that may write to GitHub, with one provider whose hashes are missing.
fn console(columns: u16, rows: u16) -> Model {
    let loaded = world::normal();
    let mut all = loaded.catalog.rows.clone();
    for row in all.iter_mut().filter(|row| row.address.to_string() == "newrelic/newrelic") {
        row.shape.unhashed_targets = 22;
    }
    let catalog = Arc::new(Catalog::new(all, Vec::new()));
    started(Loaded { may_write: true, catalog, ..loaded }, columns, rows)
}

/// The form for the number of machines.
pub(super) fn dispatching(columns: u16, rows: u16) -> Model {
    let mut model = console(columns, rows);
    press(&mut model, "/ n e w r e l i c / n e w r e l i c <enter>");
    press(&mut model, "W b ctrl-u");
    model
}

fn begun(effects: &[Effect]) -> (JobId, Job) {
    let mut started = effects.iter().filter_map(|effect| match effect {
        Effect::Start(id, job @ (Job::Actions(_) | Job::Prepare(_))) => Some((*id, job.clone())),
        _ => None,
    });
    started.next().unwrap_or_else(|| panic!("nothing of it was started: {effects:?}"))
}

/// The line of the row under the cursor.
fn row(model: &Model) -> String {
    let text = screen(model);
    text.lines().find(|line| line.starts_with('>')).unwrap_or_else(|| panic!("{text}")).to_owned()
}

/// A job that follows the newest run, which has this state.
fn looked(columns: u16, rows: u16, state: &RunState, jobs: &[(&str, RunState)]) -> (Model, JobId) {
    let mut model = console(columns, rows);
    let (id, job) = begun(&press(&mut model, "8 R"));
    assert!(
        matches!(job, Job::Actions(ActionsTask::Look { run: None, follow: true, log_lines: 0 })),
        "{job:?}"
    );
    let over = jobs.iter().filter(|(_, state)| state.is_over()).count();
    let progress = Progress {
        phase: Phase::Watching,
        done: over as u64,
        total: jobs.len() as u64,
        failed: 0,
        requests: 0,
        rate: 0.0,
        left: None,
        waiting: Some(format!("run 7: {}", state.word())),
    };
    tell(&mut model, id, JobEvent::Progress(progress));
    tell(&mut model, id, JobEvent::Actions(ActionsNews::Run(Arc::new(machine_run(state.clone(), jobs)))));
    (model, id)
}

fn ends(model: &mut Model, id: JobId, jobs: u64, findings: u64) {
    let summary = Summary { unit: Unit::Job, entries: jobs, findings, ..Summary::default() };
    tell(model, id, JobEvent::Ended(Outcome::Done(summary)));
}

const DONE: RunState = RunState::Ended(Ending::Success);
const FAILED: RunState = RunState::Ended(Ending::Failure);

/// A run whose second share failed, with the end of its log.
pub(super) fn failed(columns: u16, rows: u16) -> Model {
    let jobs = [
        ("share 1 of 2", DONE),
        ("share 2 of 2", FAILED),
        ("put together", RunState::Ended(Ending::Skipped)),
    ];
    let (mut model, id) = looked(columns, rows, &FAILED, &jobs);
    let lines =
        vec!["bumpdesk: 11 targets".to_owned(), "##[error]Process completed with exit code 5.".to_owned()];
    let log = ActionsNews::Log { job: 2, name: "share 2 of 2".into(), lines, left_out: 12 };
    tell(&mut model, id, JobEvent::Actions(log));
    ends(&mut model, id, 3, 1);
    model.message = None;
    model
}

pub(super) fn under_way(columns: u16, rows: u16) -> Model {
    let jobs =
        [("share 1 of 2", DONE), ("share 2 of 2", RunState::Running), ("put together", RunState::Queued)];
    looked(columns, rows, &RunState::Running, &jobs).0
}

pub(super) fn done(columns: u16, rows: u16) -> Model {
    let jobs = [("share 1 of 2", DONE), ("share 2 of 2", DONE), ("put together", DONE)];
    let (mut model, id) = looked(columns, rows, &DONE, &jobs);
    ends(&mut model, id, 3, 0);
    model.message = None;
    model
}

/// The console asks for the number of machines. Then the run is prepared on the screen of all sendings, and
/// nothing is sent.
#[test]
fn a_dispatch_is_requested_and_prepared() {
    let mut model = console(120, 40);
    press(&mut model, "/ n e w r e l i c / n e w r e l i c <enter>");
    press(&mut model, "W b");
    assert!(screen(&model).contains("machines [2"), "{}", screen(&model));
    for (typed, why) in
        [("ctrl-u x", "write how many"), ("ctrl-u 0", "over 1 to 256 machines"), ("ctrl-u 2 5 7", "256")]
    {
        press(&mut model, &format!("{typed} <enter>"));
        assert!(screen(&model).contains(why), "{typed}: {}", screen(&model));
    }
    // The question names marked entries that are hidden.
    let mut other = console(120, 40);
    press(&mut other, "/ n e w r e l i c / n e w r e l i c <enter> <space> / ctrl-u a w s <enter> W b");
    let shown = screen(&other);
    assert!(shown.contains("1 marked entry, 1 of them hidden by the filter"), "{shown}");
    let (id, job) = begun(&press(&mut model, "ctrl-u 4 <enter>"));
    let Job::Prepare(Purpose::Actions(ActionsPlan::Dispatch { shares: 4, selection })) = &job else {
        panic!("{job:?}")
    };
    assert_eq!(selection.words(), "newrelic/newrelic");
    let text = screen(&model);
    assert!(model.screen == ViewId::Pull && text.contains("[8 Jobs]") && text.contains("> run"), "{text}");
    assert!(text.contains("making its plan from the registry's files"), "{text}");
    tell(
        &mut model,
        id,
        JobEvent::Ended(Outcome::Failed(Failure::new(FailureKind::Network, "asking GitHub"))),
    );
    // Another number of the same.
    press(&mut model, "e");
    let (_, job) = begun(&press(&mut model, "ctrl-u 3 <enter>"));
    assert!(
        matches!(job, Job::Prepare(Purpose::Actions(ActionsPlan::Dispatch { shares: 3, .. }))),
        "{job:?}"
    );
    press(&mut model, "<esc>");
    assert_eq!(model.screen, ViewId::Jobs);
    // A complete entry and a module start nothing.
    for (entry, why) in
        [("newrelic/newrelic-cli", "nothing to fill in"), ("cloudposse/components/aws", "is a module")]
    {
        let mut model = console(120, 40);
        let keys: Vec<String> = entry.chars().map(String::from).collect();
        press(&mut model, &format!("/ {} <enter> W b", keys.join(" ")));
        assert!(
            model.popup.is_none() && last_message(&model).contains(why),
            "{entry}: {}",
            last_message(&model)
        );
    }
}

/// A run is described in its own words, not in those of a pull request.
#[test]
fn a_sending_that_would_start_a_run_says_so() {
    let mut model = console(120, 40);
    press(&mut model, "/ n e w r e l i c / n e w r e l i c <enter> W b");
    let (id, _) = begun(&press(&mut model, "<enter>"));
    let mut made = prepared(&PullPlan::default(), "ann", None);
    let run =
        StartedRun { plan: "5f0c1e2d3b4a".into(), base: "f00f6d5".into(), run: None, shares: Vec::new() };
    made.subject = Subject::Run(run);
    made.gates.truncate(5);
    let request = Request::Dispatch {
        repository: Repository::new("opentofu", "registry"),
        workflow: "backfill.yml".into(),
        branch: "main".into(),
        inputs: [("shards".to_owned(), "[1,2]".to_owned())].into(),
    };
    made.sending.requests = vec![request];
    made.digest = made.sending.digest();
    tell(&mut model, id, JobEvent::Prepared(Arc::new(made)));
    tell(&mut model, id, JobEvent::Ended(Outcome::Done(Summary::default())));
    let text = screen(&model);
    for part in [
        "Dispatch of backfill 5f0c1e2",
        "As ann on opentofu/registry: starts a backfill on 2 machines. Nothing of the registry is changed by it.",
        "start backfill.yml of main: POST /repos/opentofu/registry/actions/workflows/backfill.yml/dispatches",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    assert!(!text.contains("pull request"), "{text}");
}

/// The jobs of the run stand below. Enter moves to them; there it shows the end of a known log, or reads the
/// log.
#[test]
fn a_run_has_its_jobs_and_logs_beneath() {
    let mut model = failed(120, 40);
    let text = screen(&model);
    for part in [
        "run 7 on GitHub's machines: 3 jobs",
        "v DONE",
        "X FAILED",
        "share 2 of 2",
        "took 42s",
        "kept 2 artifacts",
        "r shows what would run what failed once more",
        "Enter says why",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    press(&mut model, "<enter> <enter>");
    let text = screen(&model);
    assert!(text.contains("log of share 2 of 2, 12 lines above are left out"), "{text}");
    assert!(text.contains("Process completed with exit code 5."), "{text}");
    press(&mut model, "<esc> k");
    let effects = press(&mut model, "<enter>");
    let (id, job) = begun(&effects);
    assert!(matches!(&job, Job::Actions(ActionsTask::Log { job: 1, .. })), "{job:?}");
    let log = ActionsNews::Log { job: 1, name: "share 1 of 2".into(), lines: Vec::new(), left_out: 0 };
    tell(&mut model, id, JobEvent::Actions(log));
    assert!(screen(&model).contains("GitHub has no log of it"), "{}", screen(&model));
    press(&mut model, "<esc> <esc>");
    // The failed jobs are prepared for another run, and nothing is sent.
    let (_, job) = begun(&press(&mut model, "r"));
    assert!(matches!(job, Job::Prepare(Purpose::Actions(ActionsPlan::Rerun { run: 7 }))), "{job:?}");
    assert_eq!(model.screen, ViewId::Pull);
}

/// The keys move to the jobs of the run, then to the log, and back to the rows. The pane with the keys
/// scrolls, and its rule says how far.
#[test]
fn the_panes_of_a_run_are_reached_one_after_the_other() {
    for (columns, rows) in [(120, 40), (60, 20)] {
        let mut model = failed(columns, rows);
        let line = |number: usize| LogLine {
            job: None,
            registry: None,
            at: Some(world::now()),
            level: LogLevel::Info,
            topic: "jobs".into(),
            text: format!("line {number} of 60"),
            is_trouble: false,
            raw: String::new(),
        };
        model.views.jobs.take_log(Arc::new((1..=60).map(line).collect()));
        let shows = |model: &Model, parts: &[&str], lacks: &[&str]| {
            let text = screen(model);
            for (wanted, parts) in [(true, parts), (false, lacks)] {
                for part in parts {
                    assert_eq!(text.contains(part), wanted, "{part}: {text}");
                }
            }
        };
        shows(&model, &["Tab to the run"], &["Esc to the"]);
        press(&mut model, "tab k");
        shows(&model, &[">v DONE       share 1 of 2", "Tab to the log", "Enter its log"], &[]);
        press(&mut model, "tab");
        shows(
            &model,
            &["line 60 of 60", "Log  following", "Tab to the jobs"],
            &[">v DONE       share 1", "Enter its log"],
        );
        press(&mut model, "k k");
        shows(&model, &["line 58 of 60", "scrolled back: G follows"], &["line 59 of 60"]);
        press(&mut model, "G");
        shows(&model, &["line 60 of 60", "Log  following"], &[]);
        press(&mut model, "k <esc>");
        // From there `G` follows nothing.
        shows(&model, &[">v DONE       share 1 of 2", "Tab to the log"], &["G follows"]);
        press(&mut model, "<esc>");
        shows(&model, &["Tab to the run", "share 1 of 2"], &[">v DONE       share 1"]);
        // With too few lines for both, the log takes the place of the run's jobs while it has the keys.
        press(&mut model, "tab tab");
        assert_eq!(screen(&model).contains("share 1 of 2"), rows == 40, "{}", screen(&model));
        press(&mut model, "tab");
        assert_eq!(model.views.jobs.pane, Pane::Rows);
    }
}

/// The page of a run is opened only if it belongs to GitHub.
#[test]
fn the_page_of_a_run_is_opened() {
    let page = "https://github.com/opentofu/registry/actions/runs/7";
    let mut model = failed(120, 40);
    assert!(screen(&model).contains("o on GitHub"), "{}", screen(&model));
    assert_eq!(press(&mut model, "o"), [Effect::Copy(page.into())]);
    model.options.has_browser = true;
    assert_eq!(press(&mut model, "<enter> o"), [Effect::Browse(page.into())]);
    let (mut model, id) = looked(120, 40, &RunState::Running, &[]);
    let mut shown = machine_run(RunState::Running, &[]);
    shown.run.url = "https://example.org/opentofu/registry/actions/runs/7".into();
    tell(&mut model, id, JobEvent::Actions(ActionsNews::Run(Arc::new(shown))));
    assert!(press(&mut model, "o").is_empty());
    assert_eq!(last_message(&model), "o: GitHub names no page of run 7 that is its own");
    let mut model = looking(120, 40);
    assert!(press(&mut model, "o").is_empty());
    assert_eq!(last_message(&model), "o: this job follows no run on GitHub's machines");
}

/// A job that follows a run waits only while the run does. Otherwise its row counts the finished jobs of the
/// run.
#[test]
fn a_look_at_a_run_that_goes_on_is_running() {
    let model = under_way(120, 40);
    assert!(row(&model).contains("~ RUNNING ") && row(&model).contains("1/3"), "{}", screen(&model));
    assert!(screen(&model).contains("Jobs  1 running"), "{}", screen(&model));
    let (model, _) = looked(120, 40, &RunState::Queued, &[("share 1 of 1", RunState::Queued)]);
    assert!(
        row(&model).contains("- WAITING ") && row(&model).contains("run 7: queued"),
        "{}",
        screen(&model)
    );
}

/// A finished job that followed a run has the state of the run, and an unknown state is not fine. A job that
/// failed itself gives its reason. A job from an earlier start of the console counts the failed jobs.
#[test]
fn a_look_at_a_run_that_did_not_end_well_is_not_fine() {
    for (ending, word, title) in [
        (Ending::Success, "v DONE ", "1 done"),
        (Ending::Failure, "X FAILED ", "1 failed"),
        (Ending::TimedOut, "X FAILED ", "1 failed"),
        (Ending::Skipped, "X FAILED ", "1 failed"),
        (Ending::Otherwise, "X FAILED ", "1 failed"),
        (Ending::Cancelled, "x CANCELLED ", "1 cancelled"),
    ] {
        let state = RunState::Ended(ending);
        let jobs = [("share 1 of 1", DONE)];
        let (mut model, id) = looked(120, 40, &state, &jobs);
        let summary = machine_run(state, &jobs).summary();
        assert_eq!(summary.findings, u64::from(ending != Ending::Success));
        tell(&mut model, id, JobEvent::Ended(Outcome::Done(summary)));
        let text = screen(&model);
        assert!(row(&model).contains(word) && text.contains(&format!("Jobs  {title}")), "{ending:?}: {text}");
    }
    let mut model = console(120, 40);
    let effects = press(&mut model, "8");
    let counts = Summary { unit: Unit::Job, entries: 3, findings: 1, ..Summary::default() };
    let past = PastJob {
        id: 12,
        kind: "backfill status".into(),
        what: "run 4".into(),
        registry: None,
        job: Some(Job::Actions(ActionsTask::Look { run: Some(4), follow: false, log_lines: 0 })),
        state: PastState::Done,
        started_at: world::now() - SignedDuration::from_mins(9),
        ended_at: Some(world::now()),
        counts,
    };
    answer(&mut model, &effects, &[past]);
    let text = screen(&model);
    assert!(row(&model).contains("X FAILED ") && row(&model).contains("3 jobs, 1 failed"), "{text}");
    assert!(text.contains("r looks at it again"), "{text}");
    let (mut model, id) = looked(120, 40, &RunState::Running, &[("share 1 of 1", RunState::Running)]);
    let failure = Failure::new(FailureKind::Network, "asking GitHub").cause("no answer");
    tell(&mut model, id, JobEvent::Ended(Outcome::Failed(failure)));
    assert!(row(&model).contains("X FAILED ") && row(&model).contains("asking GitHub: no answer"));
}

/// The rule with the run's number stands right above the run's jobs.
#[test]
fn the_jobs_of_a_run_stand_below_its_rule() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        let text = screen(&failed(columns, rows));
        let lines: Vec<&str> = text.lines().collect();
        let head = lines.iter().position(|line| line.starts_with("- run 7 on GitHub's machines"));
        assert!(head.is_some_and(|head| lines[head + 1].contains("share 1 of 2")), "{text}");
    }
}

/// Other jobs may come and go: the cursor stays on its job.
#[test]
fn the_cursor_stays_on_its_job_when_their_order_changes() {
    let jobs =
        [("share 1 of 2", DONE), ("share 2 of 2", RunState::Running), ("put together", RunState::Queued)];
    let (mut model, id) = looked(120, 40, &RunState::Running, &jobs);
    press(&mut model, "<enter> j");
    assert!(screen(&model).contains(">~ RUNNING    share 2 of 2"), "{}", screen(&model));
    let mut shown = machine_run(RunState::Running, &jobs);
    shown.jobs.rotate_left(1);
    tell(&mut model, id, JobEvent::Actions(ActionsNews::Run(Arc::new(shown))));
    assert!(screen(&model).contains(">~ RUNNING    share 2 of 2"), "{}", screen(&model));
}

/// The results of a finished run go into the plan after a confirmation.
#[test]
fn what_a_run_found_is_put_together_after_a_question() {
    let mut model = under_way(120, 40);
    assert!(press(&mut model, "a").is_empty());
    assert_eq!(last_message(&model), "a: run 7 is running");
    press(&mut model, "r");
    assert_eq!(last_message(&model), "r: it is still running");
    press(&mut model, "R");
    assert_eq!(last_message(&model), "R: the newest run is followed already");
    let mut model = done(120, 40);
    assert!(
        screen(&model).contains("a checks what it found and puts it into the plan"),
        "{}",
        screen(&model)
    );
    press(&mut model, "r");
    assert_eq!(last_message(&model), "r: nothing of run 7 failed; a puts what it found into the plan");
    press(&mut model, "a");
    assert!(screen(&model).contains("What run 7 found is fetched, share by share"), "{}", screen(&model));
    let (id, job) = begun(&press(&mut model, "y"));
    assert!(matches!(job, Job::Actions(ActionsTask::Merge { run: 7, .. })), "{job:?}");
    tell(&mut model, id, JobEvent::Ended(Outcome::Done(Summary { applied: 1, ..Summary::default() })));
    assert!(last_message(&model).contains("1 file in the plan now; 2 shows it"), "{}", last_message(&model));
}
