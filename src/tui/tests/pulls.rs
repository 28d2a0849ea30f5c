//! The pull request from start to end: prepared, reviewed, armed, sent by its digits, stopped, undone; and
//! keys without effect.

use std::sync::Arc;

use crate::desk::Registry;
use crate::desk::telling::{pull, written};
use crate::desk::tests::{course, plan, prepared, undo};
use crate::jobs::data::{
    Failure, FailureKind, Inquiry, Job, JobEvent, JobId, Loaded, Outcome, Prepared, SendTask,
};
use crate::rules::sending::{Course, GateName, GateState, Made, PullPlan, Request, Sending, Step};
use crate::rules::watch::{After, BumpsSince, CheckState, Merged, PullState, WatchedPull, tests as watched};
use crate::tui::keymap::chord::Chord;
use crate::tui::keymap::{Context, ViewId};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;
use crate::tui::tests::fake_plan::FakePlan;
use crate::tui::tests::reviews::{last_message, looking_at};
use crate::tui::tests::{done, later, press, screen, tell, world};
use crate::tui::views::View;

/// A plan, and a console that may write to GitHub.
pub(super) fn planned(columns: u16, rows: u16) -> Model {
    looking_at(Loaded { may_write: true, ..world::normal() }, &mut FakePlan::normal(), columns, rows)
}

fn running(model: &mut Model, is_it: fn(&Job) -> bool) -> Option<(JobId, Job)> {
    model.desk.board.running(is_it).map(|running| (running.id, running.job.clone()))
}

pub(super) fn see(model: &mut Model) {
    update(model, Msg::Drawn);
}

fn fail(model: &mut Model, id: JobId, failure: Failure) {
    tell(model, id, JobEvent::Ended(Outcome::Failed(failure)));
}

/// The preparing job reports its result.
pub(super) fn make_ready(model: &mut Model, change: impl FnOnce(&mut Prepared), failing: Option<GateName>) {
    let (id, job) = running(model, |job| matches!(job, Job::Prepare(_))).expect("it is being made ready");
    let Job::Prepare(asked) = job else { unreachable!() };
    let mut made = prepared(&asked.pull(), "ann", failing);
    change(&mut made);
    made.digest = made.sending.digest();
    tell(model, id, JobEvent::Prepared(Arc::new(made)));
    done(model, id);
    see(model);
}

/// A prepared pull request on the screen.
pub(super) fn ready(columns: u16, rows: u16, failing: Option<GateName>) -> Model {
    let mut model = planned(columns, rows);
    press(&mut model, "P");
    make_ready(&mut model, |_| {}, failing);
    model
}

pub(super) fn inquire(model: &mut Model, inquiry: Inquiry) {
    let (id, _) = running(model, |job| *job == Job::Inquire).expect("whose token it is, is asked");
    tell(model, id, JobEvent::Inquired(inquiry));
    done(model, id);
}

pub(super) fn arm(model: &mut Model) {
    press(model, "W a i t space i s space m i s s e d <enter>");
    inquire(
        model,
        Inquiry { login: Some("ann".into()), scopes: Some("public_repo".into()), ..Inquiry::default() },
    );
    model.message = None;
    see(model);
}

pub(super) fn armed(columns: u16, rows: u16) -> Model {
    let mut model = ready(columns, rows, None);
    arm(&mut model);
    model
}

/// The digits of the prepared pull request.
fn digits(model: &Model) -> String {
    model.desk.pull.prepared.as_ref().expect("it was made ready").digits().to_owned()
}

/// Presses this key, then types the digits on the screen, and Enter.
pub(super) fn type_digits(model: &mut Model, key: &str) -> Vec<Effect> {
    press(model, key);
    let digits = screen(model).split("Type the digits ").nth(1).map(|rest| rest[..6].to_owned());
    let digits = digits.unwrap_or_else(|| panic!("no field\n{}", screen(model)));
    update(model, Msg::Paste(digits));
    press(model, "<enter>")
}

/// The prepared sending, or the one that an earlier run left.
fn of(model: &Model) -> Option<Sending> {
    let pull = &model.desk.pull;
    let ready = pull.prepared.as_ref().map(|prepared| prepared.sending.clone());
    ready.or_else(|| pull.sent().map(|sent| sent.course.sending.clone()))
}

/// A console whose start found a sending of an earlier run: its first request was sent, and the second was
/// cut off.
pub(super) fn earlier(columns: u16, rows: u16) -> Model {
    let mut model = planned(columns, rows);
    let asked = PullPlan { plan: "7c1e9a".into(), draft: true, ..PullPlan::default() };
    let left = course(&prepared(&asked, "ann", None).sending, 1, &Step::Begun);
    let id = model.desk.board.begin(Job::Load, model.now);
    tell(&mut model, id, JobEvent::Sending(Arc::new(left)));
    tell(&mut model, id, JobEvent::Loaded(Arc::new(Loaded { may_write: true, ..world::normal() })));
    model
}

/// The sending job reports its progress; `end` ends it, well or with a failure.
pub(super) fn go(model: &mut Model, steps_done: usize, next: &Step, end: Option<bool>) {
    let (id, _) = running(model, |job| matches!(job, Job::Send(_))).expect("it is being sent");
    let sending = of(model).expect("there is one");
    tell(model, id, JobEvent::Sending(Arc::new(course(&sending, steps_done, next))));
    match end {
        None => {}
        Some(true) => {
            done(model, id);
        }
        Some(false) => fail(model, id, stopped()),
    }
    see(model);
}

/// The events of a sending job: all requests were sent, or only the first.
pub(super) fn answers(model: &Model, task: &SendTask, is_well: bool) -> Vec<JobEvent> {
    let Some(sending) = of(model) else { return Vec::new() };
    let sending = &sending;
    let course = match (task, is_well) {
        (SendTask::LookAtUndo { .. }, _) => undo(sending),
        (SendTask::Undo { .. }, true) => {
            let undo = undo(sending);
            Course { steps: vec![Step::Done(Made::default()); undo.steps.len()], ..undo }
        }
        (SendTask::Undo { .. }, false) => Course { steps: vec![Step::Begun], ..undo(sending) },
        (_, true) => course(sending, sending.requests.len(), &Step::Waiting),
        (_, false) => course(sending, 1, &Step::Refused("422".into())),
    };
    vec![JobEvent::Sending(Arc::new(course))]
}

fn stopped() -> Failure {
    Failure::new(FailureKind::Network, "opening the pull request")
        .cause("api.github.com answers 502")
        .hint("Resume it once GitHub answers again.")
}

pub(super) fn sending(columns: u16, rows: u16) -> Model {
    let mut model = armed(columns, rows);
    type_digits(&mut model, "P");
    go(&mut model, 1, &Step::Begun, None);
    model
}

pub(super) fn stopped_half_way(columns: u16, rows: u16) -> Model {
    let mut model = sending(columns, rows);
    go(&mut model, 2, &Step::Begun, Some(false));
    model
}

pub(super) fn opened(columns: u16, rows: u16) -> Model {
    let mut model = sending(columns, rows);
    go(&mut model, 3, &Step::Waiting, Some(true));
    model
}

/// Every gate of a prepared pull request passes.
fn pass(made: &mut Prepared) {
    for gate in &mut made.gates {
        gate.state = GateState::Pass;
    }
}

/// A prepared pull request whose gates all pass, not armed.
pub(super) fn passing(columns: u16, rows: u16) -> Model {
    let mut model = planned(columns, rows);
    press(&mut model, "P");
    make_ready(&mut model, pass, None);
    model
}

/// The job that watches the sent pull request reports its state.
pub(super) fn watch(model: &mut Model, change: impl FnOnce(&mut WatchedPull)) {
    let (id, _) = running(model, |job| matches!(job, Job::Watch(_))).expect("it is watched");
    let mut pull = watched::pull();
    pull.opened = "2026-09-22T11:20:00Z".parse().expect("a time");
    pull.reviews.as_mut().expect("reviews")[0].at = "2026-09-22T11:41:00Z".parse().ok();
    change(&mut pull);
    tell(model, id, JobEvent::Watched(Arc::new(pull)));
}

/// A merge on the day of the tests.
fn merged() -> PullState {
    PullState::Merged(Merged { at: "2026-09-22T11:52:00Z".parse().ok(), ..watched::merged() })
}

/// A pull request that was merged and waits for the bump after it.
pub(super) fn merged_on_github(columns: u16, rows: u16) -> Model {
    let mut model = opened(columns, rows);
    watch(&mut model, |pull| {
        pull.state = merged();
        let bumps = BumpsSince { runs_read: true, ..BumpsSince::default() };
        pull.after = Some(Ok(After { main: "91ab22e".into(), bumps, files: Vec::new() }));
    });
    model
}

/// The undo of a sending, on the screen.
pub(super) fn undoing(columns: u16, rows: u16) -> Model {
    let mut model = stopped_half_way(columns, rows);
    press(&mut model, "u");
    say_undo(&mut model, |course| course);
    model
}

fn say_undo(model: &mut Model, change: fn(Course) -> Course) {
    let (id, _) = running(model, |job| matches!(job, Job::Send(_))).expect("what would be undone is asked");
    let sending = of(model).expect("there is one");
    tell(model, id, JobEvent::Sending(Arc::new(change(undo(&sending)))));
    done(model, id);
    see(model);
}

fn sends(effects: &[Effect]) -> Vec<&SendTask> {
    let tasks = effects.iter().filter_map(|effect| match effect {
        Effect::Start(_, Job::Send(task)) => Some(task),
        _ => None,
    });
    tasks.collect()
}

/// A command line in the hint of a job becomes the console's own key, in a sentence of its own on the page
/// and in the last line.
#[test]
fn a_hint_of_a_failed_sending_names_keys() {
    for (hint, advice) in [
        (
            "Look at it again with `bumpdesk review 12 --request-changes --dry-run`; if it is right, confirm 5f5dad. Nothing was sent.",
            "Look at it again with r; if it is right, confirm 5f5dad. Nothing was sent.",
        ),
        (
            "Look at it again with `bumpdesk pr open --plan 7c1e9a --dry-run`; if it is right, confirm 5f5dad.",
            "Look at it again with r; if it is right, confirm 5f5dad.",
        ),
        (
            "`bumpdesk pr resume 4f21c0 --write` continues; `bumpdesk pr undo 4f21c0` takes it back.",
            "r continues; u takes it back.",
        ),
        ("Run `bumpdesk doctor`.", "Run `bumpdesk doctor`."),
    ] {
        let mut model = planned(120, 40);
        press(&mut model, "P");
        let (id, _) = running(&mut model, |job| matches!(job, Job::Prepare(_))).expect("it is made ready");
        let failure = Failure::new(FailureKind::Conflict, "sending the review of #12")
            .cause("4f21c0 is not what would be sent now, which is 5f5dad")
            .hint(hint);
        fail(&mut model, id, failure.clone());
        let flat = |model: &Model| screen(model).split_whitespace().collect::<Vec<_>>().join(" ");
        let page = flat(&model);
        assert!(page.contains(&format!("which is 5f5dad. {advice}")), "{page}");
        assert!(!page.contains("; Look") && !page.contains("`bumpdesk pr"), "{page}");
        assert!(!model.in_keys(&failure.sentence()).contains("bumpdesk pr"), "{hint}");
    }
}

/// While nothing is in the way of a sending, its digits can be typed at once. Tab or Esc leaves the field, and then a number shows
/// its view.
#[test]
fn the_field_for_the_digits_has_the_keys_from_the_start() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        for leave in ["<tab>", "<esc>", "ctrl-c"] {
            let mut model = armed(columns, rows);
            assert_eq!(model.context(), Context::Digits, "{}", screen(&model));
            assert!(screen(&model).contains("Type the digits "), "{}", screen(&model));
            press(&mut model, "q");
            assert_eq!(last_message(&model), "q is none of the digits; Esc leaves their field");
            assert_eq!(model.context(), Context::Digits);
            press(&mut model, "1");
            assert_eq!(model.screen, ViewId::Pull, "it is one of the digits");
            press(&mut model, leave);
            see(&mut model);
            assert_eq!((model.context(), model.screen), (Context::View(ViewId::Pull), ViewId::Pull));
            press(&mut model, "3");
            assert_eq!(model.screen, ViewId::Reviews);
            // It has the keys again where one comes back to it.
            press(&mut model, "2 P");
            see(&mut model);
            assert_eq!(model.context(), Context::Digits, "{}", screen(&model));
            // And where writing is armed again.
            press(&mut model, "<esc> W d");
            arm(&mut model);
            assert_eq!(model.context(), Context::Digits, "{}", screen(&model));
        }
        let mut model = armed(columns, rows);
        let effects = digits(&model)
            .chars()
            .flat_map(|digit| press(&mut model, &digit.to_string()))
            .collect::<Vec<_>>();
        assert!(sends(&effects).is_empty());
        assert_eq!(sends(&press(&mut model, "<enter>")).len(), 1);
    }
}

/// A field that would send nothing does not open by itself, and neither does one beside another choice.
#[test]
fn the_field_waits_for_its_key_where_something_is_in_the_way() {
    let mut failing = ready(120, 40, Some(GateName::Seen));
    arm(&mut failing);
    let mut covered = armed(120, 40);
    press(&mut covered, "<esc> r");
    make_ready(&mut covered, |_| {}, None);
    assert_eq!(covered.context(), Context::Digits, "a new check is a new start");
    for (name, mut model) in [
        ("not armed", ready(120, 40, None)),
        ("a gate fails", failing),
        ("it can be resumed or undone", stopped_half_way(120, 40)),
        ("it can be undone or kept", undoing(120, 40)),
        ("it is sent", opened(120, 40)),
    ] {
        see(&mut model);
        assert_eq!(model.context(), Context::View(ViewId::Pull), "{name}\n{}", screen(&model));
        assert!(!screen(&model).contains(": [ "), "{name} looks like a field: {}", screen(&model));
        press(&mut model, "1");
        assert_eq!(model.screen, ViewId::Inventory, "{name}");
    }
}

#[test]
fn from_the_plan_to_an_open_pull_request() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20), (40, 12)] {
        let mut model = planned(columns, rows);
        assert!(matches!(press(&mut model, "P")[..], [Effect::Start(_, Job::Prepare(_))]));
        assert_eq!(model.screen, ViewId::Pull);
        assert!(screen(&model).contains("building its files"), "{}", screen(&model));
        make_ready(&mut model, |_| {}, None);
        assert!(screen(&model).contains("W a"), "{}", screen(&model));
        press(&mut model, "P");
        assert_eq!(
            last_message(&model),
            "P: this console is READ-ONLY; W a arms it for ten minutes; letters do nothing until Esc"
        );
        arm(&mut model);
        assert!(screen(&model).contains("ARMED until 12:"), "{}", screen(&model));
        let effects = type_digits(&mut model, "P");
        let digits = digits(&model);
        assert!(matches!(sends(&effects)[..], [SendTask::Open { digits: typed, .. }] if *typed == digits));
        go(&mut model, 0, &Step::Begun, None);
        assert!(screen(&model).contains("SENDING"), "{}", screen(&model));
        go(&mut model, 3, &Step::Waiting, Some(true));
        let flat = screen(&model).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains("pull request #12 is open"), "{flat}");
        press(&mut model, "<esc>");
        assert_eq!(model.screen, ViewId::Changes);
    }
}

/// The job that follows is not one that the question named.
#[test]
fn the_question_before_leaving_goes_with_the_sending_that_it_named() {
    let mut model = sending(120, 40);
    press(&mut model, "q");
    assert_eq!(model.popup, Some(Popup::Leave));
    go(&mut model, 3, &Step::Waiting, Some(true));
    assert!(running(&mut model, |job| matches!(job, Job::Watch(_))).is_some());
    assert_eq!(model.popup, None);
    // A job that only watches is no reason to ask.
    assert_eq!(press(&mut model, "q"), [Effect::Quit]);
}

/// Gates that all pass take one line until a key lists them. A gate with a note or a failure has a row, above one line for the others.
#[test]
fn gates_that_all_pass_take_one_line() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        let mut model = passing(columns, rows);
        let line = ">vvvvvvvvv 9 of 9 gates pass";
        let requests = "1 make the branch bumpdesk";
        let is_listed = |model: &Model| {
            let text = screen(model);
            (text.contains("9 size of the pull request"), text.contains("1-9 of 9"), text.contains(line))
        };
        assert_eq!(is_listed(&model), (false, false, true), "{}", screen(&model));
        press(&mut model, "<tab>");
        assert_eq!(is_listed(&model), (true, true, false), "{}", screen(&model));
        press(&mut model, "<tab>");
        assert!(screen(&model).contains(&format!(">{requests}")), "{}", screen(&model));
        press(&mut model, "<tab>");
        assert_eq!(is_listed(&model), (false, false, true), "{}", screen(&model));
        press(&mut model, "<enter> j <enter>");
        assert!(screen(&model).contains("gate 2: base is current"), "{}", screen(&model));
        press(&mut model, "<esc>");
        assert_eq!(is_listed(&model), (true, true, false), "{}", screen(&model));
        // They are checked again.
        press(&mut model, "r");
        make_ready(&mut model, pass, None);
        assert!(is_listed(&model).2, "{}", screen(&model));
        for (failing, rows_seen, others, digits) in [
            (None, "1-1 of 1", "vvvvvvvv 8 others pass", true),
            (Some(GateName::Seen), "1-2 of 2", "vvvvvvv 7 others pass", false),
        ] {
            let mut model = ready(columns, rows, failing);
            let text = screen(&model);
            assert!(text.contains(rows_seen) && text.contains(others), "{text}");
            // Digits that would send nothing are not shown.
            assert_eq!(text.contains(" digits "), digits && columns > 60, "{text}");
            assert_eq!(text.matches("gate 7 fails").count(), usize::from(!digits), "{text}");
            press(&mut model, "<tab>");
            assert_eq!(is_listed(&model), (true, true, false), "{}", screen(&model));
            let at = if failing.is_some() { ">7 every change" } else { ">1 write access" };
            assert!(screen(&model).contains(at), "the cursor stays on its gate\n{}", screen(&model));
        }
        // Nothing is left to be noted once it is sent.
        let text = screen(&opened(columns, rows));
        assert!(text.contains("!vvvvvvvv 9 of 9 gates passed, 1 with a note"), "{text}");
    }
}

/// The heading, the sentence and the steps follow the state that was read; nothing is done that is not known to be.
#[test]
fn a_sent_pull_request_shows_how_far_it_is() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        let flat = |model: &Model| screen(model).split_whitespace().collect::<Vec<_>>().join(" ");
        let mut model = opened(columns, rows);
        assert!(flat(&model).contains("- #12 opened of plan 526c93"), "{}", screen(&model));
        assert!(!flat(&model).contains("in the registry"), "{}", screen(&model));
        let open = "v opened 11:20Z";
        for (change, heading, sentence, steps) in [
            (
                (|pull| {
                    pull.state = PullState::Draft;
                    pull.reviews = Ok(Vec::new());
                    pull.checks.list[0].state = CheckState::Running;
                }) as fn(&mut WatchedPull),
                "#12 draft",
                "pull request #12 is open: https://",
                "> ~ checks > - review > - merged > - in the registry",
            ),
            (
                |pull| pull.reviews = Err("no answer".into()),
                "#12 open",
                "pull request #12 is open: https://",
                "> v checks > ? review > - merged > - in the registry",
            ),
            (
                |pull| pull.state = PullState::Closed,
                "#12 closed",
                "pull request #12 was closed without a merge: https://",
                "> v checks > v review 11:41Z > x merged > x in the registry",
            ),
            (
                |pull| pull.state = merged(),
                "#12 merged by sol",
                "pull request #12 was merged by sol: https://",
                "> v checks > v review 11:41Z > v merged 11:52Z > ? in the registry",
            ),
        ] {
            watch(&mut model, change);
            let text = flat(&model);
            for wanted in [&format!("- {heading} of plan"), sentence, &format!("{open} {steps}")] {
                assert!(text.contains(wanted), "{columns}x{rows}: {wanted}\n{}", screen(&model));
            }
        }
        assert!(!flat(&model).contains("is open"), "{}", screen(&model));
        let hints = screen(&model).lines().last().unwrap_or_default().to_owned();
        assert!(!hints.contains("undo"), "what was merged is not taken back: {hints}");
    }
}

/// After the merge the checkout is old and the plan is done, and both are said with the step that follows.
#[test]
fn after_the_merge_the_checkout_is_to_be_read_again() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        let mut model = opened(columns, rows);
        let flat = |model: &Model| screen(model).split_whitespace().collect::<Vec<_>>().join(" ");
        watch(&mut model, |pull| pull.state = merged());
        let wanted = "the checkout is still at main@f00f6d5, before the merge: run `git pull` in opentofu/registry; L in the Inventory reads it again";
        assert!(flat(&model).contains(wanted), "{}", screen(&model));
        let Registry::Loaded(header) = &mut model.desk.registry else { panic!("no registry") };
        // It may have the merge.
        header.revision = "main@993d3a1".into();
        assert!(!flat(&model).contains("git pull"), "{}", screen(&model));
        press(&mut model, "2");
        let of_plan = |model: &Model| {
            pull::of_plan(&model.desk).map(|sent| model.views.changes.text_of(&model.paint(), &sent))
        };
        assert_eq!(
            of_plan(&model).as_deref(),
            Some("sent: #12 merged by sol; - removes the file from the plan")
        );
        watch(&mut model, |_| {});
        assert_eq!(of_plan(&model).as_deref(), Some("sent: #12 open; P shows it"));
        // Another plan was not sent.
        model.desk.planning.take(plan("v9.0.0"));
        assert_eq!(of_plan(&model), None);
    }
}

/// The lines below can be read while the field for the digits has the keys.
#[test]
fn the_page_scrolls_under_the_field_for_the_digits() {
    let mut model = armed(60, 14);
    assert_eq!(model.context(), Context::Digits);
    assert!(screen(&model).contains("(PgDn)"), "{}", screen(&model));
    press(&mut model, "4");
    let before = screen(&model);
    press(&mut model, "<pgdn>");
    assert_eq!(model.context(), Context::Digits);
    let hidden = |text: &str| {
        let before = text.split_once(" more lines (PgDn)").map_or("0", |(before, _)| before);
        before.rsplit(' ').next().and_then(|count| count.parse::<usize>().ok()).expect("a number")
    };
    let passed = hidden(&before) - hidden(&screen(&model));
    assert!(passed > 1, "a page, and not {passed} line\n{}", screen(&model));
    press(&mut model, "<pgup>");
    assert_eq!(screen(&model), before);
}

/// The text that is posted stands in the free half, and what has no room there is a key away.
#[test]
fn the_text_of_a_pull_request_is_on_its_page() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        let mut model = passing(columns, rows);
        let text = screen(&model);
        for wanted in
            ["title      Manual bump of acme/rocket provider", "text       1 version of 1 provider."]
        {
            assert!(text.contains(wanted), "{text}");
        }
        press(&mut model, "r");
        let write = |made: &mut Prepared| {
            pass(made);
            let lines: Vec<String> = (1..=30).map(|number| format!("line {number} of the text")).collect();
            let body = format!("{}\n\n<!-- bumpdesk evidence v1\n{{}}\n-->", lines.join("\n"));
            for request in &mut made.sending.requests {
                if let Request::OpenPull { body: posted, .. } = request {
                    posted.clone_from(&body);
                }
            }
        };
        make_ready(&mut model, write, None);
        let text = screen(&model);
        assert!(text.contains("line 1 of") && text.contains("more lines (J)"), "{text}");
        assert!(!text.contains("line 30 of"), "{text}");
        for _ in 0..40 {
            press(&mut model, "J");
        }
        let text = screen(&model);
        assert!(text.contains("line 30 of") && !text.contains("more lines (J)"), "{text}");
        assert!(text.contains("the evidence block") && !text.contains("<!--"), "{text}");
        press(&mut model, "K");
        assert!(!screen(&model).contains(" hides)"), "{}", screen(&model));
    }
}

/// The shown sending is written to the named file; a failure to write is shown beside the name.
#[test]
fn what_would_be_sent_is_written_to_a_file() {
    let mut model = ready(120, 40, None);
    press(&mut model, "D");
    assert_eq!(model.context(), Context::Form);
    let name = format!("bumpdesk-{}.patch", digits(&model));
    assert!(screen(&model).contains(&name), "{}", screen(&model));
    let effects = press(&mut model, "<enter>");
    let [Effect::Start(id, Job::WriteOut(file))] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(file.path.to_str(), Some(&*name));
    assert_eq!(*file.text, written::file(model.desk.pull.prepared.as_ref().unwrap()));
    fail(&mut model, *id, stopped());
    assert!(screen(&model).contains("api.github.com answers 502"), "{}", screen(&model));
    assert_eq!(model.context(), Context::Form, "another name can be written");
    press(&mut model, "x");
    let effects = press(&mut model, "<enter>");
    let [Effect::Start(id, Job::WriteOut(_))] = &effects[..] else { panic!("{effects:?}") };
    done(&mut model, *id);
    let message = model.message.as_ref().expect("it is told").text.clone();
    assert_eq!(
        message,
        format!("written to {name}x: every request, and a patch that `git am` takes; nothing was sent")
    );
    assert_eq!(model.popup, None);
    press(&mut model, "D ctrl-u");
    assert_eq!(press(&mut model, "<enter>"), []);
    assert!(screen(&model).contains("the file needs a name"), "{}", screen(&model));
    press(&mut model, "<esc>");
    // Once something was sent it is not what would be sent any more.
    let mut model = stopped_half_way(120, 40);
    assert_eq!(press(&mut model, "D"), []);
    assert_eq!(model.context(), Context::View(ViewId::Pull));
}

/// A sending that an earlier run left is reported at the start, shown with the objects that exist on GitHub,
/// and continued or undone by its digits.
#[test]
fn what_an_earlier_run_left_is_continued_or_taken_back() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        let mut model = earlier(columns, rows);
        let told = "the pull request of plan 7c1e9a was cut off; P continues it or takes it back";
        assert_eq!(last_message(&model), told);
        assert_eq!(press(&mut model, "P"), [], "it is there, and nothing is made ready");
        see(&mut model);
        let flat = screen(&model).split_whitespace().collect::<Vec<_>>().join(" ");
        for wanted in
            ["it stopped in an earlier run; on GitHub now: the branch bumpdesk/bump-7c1e9a", "UNKNOWN"]
        {
            assert!(flat.contains(wanted), "{columns}x{rows}: {wanted}: {flat}");
        }
        arm(&mut model);
        let effects = type_digits(&mut model, "P");
        assert!(matches!(sends(&effects)[..], [SendTask::Resume { .. }]), "{effects:?}");
        go(&mut model, 3, &Step::Waiting, Some(true));
        let flat = screen(&model).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains("pull request #12 is open"), "{flat}");
        // Or taken back.
        let mut model = earlier(columns, rows);
        press(&mut model, "P");
        see(&mut model);
        let effects = press(&mut model, "u");
        assert!(matches!(sends(&effects)[..], [SendTask::LookAtUndo { .. }]), "{effects:?}");
        say_undo(&mut model, |course| course);
        arm(&mut model);
        let effects = type_digits(&mut model, "u");
        assert!(matches!(sends(&effects)[..], [SendTask::Undo { .. }]), "{effects:?}");
        // It holds nothing else up.
        let mut model = earlier(columns, rows);
        press(&mut model, "P e <enter>");
        make_ready(&mut model, |_| {}, None);
        assert!(screen(&model).contains("1 write access"), "{}", screen(&model));
    }
}

/// Several sendings may be left by earlier runs. The newest is shown first, with the number of the others;
/// each next one follows once the one before it is over.
#[test]
fn each_that_earlier_runs_left_is_shown_in_turn() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        let flat = |model: &Model| screen(model).split_whitespace().collect::<Vec<_>>().join(" ");
        let mut model = planned(columns, rows);
        let left = |plan: &str| {
            let asked = PullPlan { plan: plan.into(), draft: true, ..PullPlan::default() };
            course(&prepared(&asked, "ann", None).sending, 1, &Step::Begun)
        };
        let id = model.desk.board.begin(Job::Load, model.now);
        for plan in ["7c1e9a", "01de50", "7c1e9a"] {
            tell(&mut model, id, JobEvent::Sending(Arc::new(left(plan))));
        }
        tell(&mut model, id, JobEvent::Loaded(Arc::new(Loaded { may_write: true, ..world::normal() })));
        let told = "the pull request of plan 7c1e9a was cut off, and 1 other after it; P continues it or takes it back";
        assert_eq!(last_message(&model), told);
        press(&mut model, "P");
        see(&mut model);
        let waits = "1 other sending of earlier runs was cut off";
        assert!(
            flat(&model).contains(&format!("{waits}; shown once this one is over")),
            "{}",
            screen(&model)
        );
        arm(&mut model);
        let first = model.desk.pull.sent().expect("it").digits.clone();
        let effects = type_digits(&mut model, "P");
        assert!(matches!(&sends(&effects)[..], [SendTask::Resume { digits }] if *digits == first));
        go(&mut model, 3, &Step::Waiting, Some(true));
        assert!(flat(&model).contains("pull request #12 is open"), "{}", screen(&model));
        assert!(flat(&model).contains(&format!("{waits}; P shows the next")), "{}", screen(&model));
        press(&mut model, "P");
        see(&mut model);
        let next = model.desk.pull.sent().expect("it").digits.clone();
        assert!(next != first && flat(&model).contains("it stopped in an earlier run"), "{}", screen(&model));
        assert!(!flat(&model).contains(waits), "{}", screen(&model));
        let effects = press(&mut model, "u");
        assert!(matches!(&sends(&effects)[..], [SendTask::LookAtUndo { of }] if *of == next), "{effects:?}");
        // Left for that of the plan, it waits again.
        say_undo(&mut model, |course| course);
        press(&mut model, "e <enter>");
        assert_eq!(model.desk.pull.waiting(), 1);
    }
}

/// A small window may cut off much, but never the account and the repository.
#[test]
fn the_account_and_the_target_are_seen_at_every_size() {
    let login = "a-maintainer-with-a-long-login";
    for (columns, rows) in [(60, 20), (80, 24), (120, 40), (70, 24), (110, 30)] {
        let mut model = planned(columns, rows);
        press(&mut model, "P");
        make_ready(&mut model, |made| made.sending.account = login.into(), None);
        press(&mut model, "W a w h y <enter>");
        inquire(&mut model, Inquiry { login: Some(login.into()), ..Inquiry::default() });
        model.message = None;
        let seen = |model: &Model| {
            let screen = screen(model);
            let rows: Vec<&str> = screen.lines().collect();
            let at = rows.iter().position(|row| row.contains("he digits ")).expect("the digits");
            let above = rows[at - 1];
            assert!(
                above.contains(login) && above.contains("opentofu/registry"),
                "{columns}x{rows:?}: {above}"
            );
        };
        seen(&model);
        type_digits(&mut model, "P");
        go(&mut model, 2, &Step::Begun, Some(false));
        seen(&model);
        press(&mut model, "u");
        say_undo(&mut model, |mut course| {
            let requests = &mut course.sending.requests;
            let Some(Request::CreateBranch { repository, .. }) = requests.pop() else { unreachable!() };
            requests.push(Request::ClosePull { repository, pull: 12 });
            course
        });
        seen(&model);
    }
}

/// Only the complete digits send, and wrong digits stay for correction.
#[test]
fn enter_does_nothing_until_the_digits_match() {
    let mut model = armed(120, 40);
    let digits = digits(&model);
    press(&mut model, "P");
    assert_eq!(model.context(), Context::Digits);
    for typed in ["", "12345", &digits[..5], "zzzzzz"] {
        press(&mut model, "ctrl-u");
        update(&mut model, Msg::Paste(typed.to_owned()));
        assert!(sends(&press(&mut model, "<enter>")).is_empty(), "{typed}");
        assert_eq!(model.context(), Context::Digits, "{typed}");
        assert_eq!(last_message(&model), "these are not the digits of what is shown");
    }
    update(&mut model, Msg::Paste(digits));
    press(&mut model, "<esc>");
    assert_eq!((model.context(), model.screen), (Context::View(ViewId::Pull), ViewId::Pull));
    assert!(sends(&press(&mut model, "<enter>")).is_empty(), "it looks at the gate");
    assert!(matches!(model.popup, Some(Popup::Text(_))));
}

/// Digits without a field are no keys, neither after the field was refused, nor after a digit that is the number of no view.
#[test]
fn digits_without_a_field_do_nothing() {
    for failing in [None, Some(GateName::Seen)] {
        for first in ["P", "0", "7", "f"] {
            let mut model = ready(120, 40, failing);
            let mut effects = Vec::new();
            for key in [first, "2", "e", "1", "a", "8", "f", "D", "x", "<enter>"] {
                effects.extend(update(&mut model, Msg::Key(Chord::parse(key).unwrap())));
            }
            assert!(effects.is_empty(), "{effects:?}");
            assert_eq!((model.screen, &model.popup), (ViewId::Pull, &None), "{}", screen(&model));
        }
    }
}

/// A paste that the terminal does not mark, with the right digits and an Enter, types them and sends nothing.
#[test]
fn pasted_digits_wait_for_an_enter_of_their_own() {
    let mut model = ready(120, 40, None);
    arm(&mut model);
    press(&mut model, "P");
    let digits = model.desk.pull.prepared.as_ref().expect("it is ready").digits();
    let keys = digits.chars().map(String::from).chain(["<enter>".to_owned()]);
    let read = keys.map(|key| Chord::parse(&key).expect("a key")).collect();
    let effects = update(&mut model, Msg::Keys(read));
    assert!(effects.iter().all(|effect| *effect == Effect::Frame), "{effects:?}");
    assert_eq!(last_message(&model), "a pasted Enter does not count: press Enter");
    assert_eq!(sends(&press(&mut model, "<enter>")).len(), 1);
    // Keys that are no paste elsewhere, since they have too few different letters, are one here.
    for read in ["0 0 0 0 1 1 <enter>", "P 0 0 0 0 0 0 <enter>"] {
        let mut model = ready(120, 40, None);
        arm(&mut model);
        if read.starts_with('P') {
            press(&mut model, "<esc>");
        }
        let read = read.split(' ').map(|key| Chord::parse(key).expect("a key")).collect();
        assert!(sends(&update(&mut model, Msg::Keys(read))).is_empty());
        assert_eq!(last_message(&model), "a pasted Enter does not count: press Enter");
    }
}

/// A reason that is typed on while it is checked has no effect, and after the box closed nothing is sent by it.
#[test]
fn what_is_typed_while_arming_and_after_it_never_acts() {
    let mut model = ready(120, 40, None);
    press(&mut model, "W a w h y");
    let key = |model: &mut Model, key: &str| update(model, Msg::Key(Chord::parse(key).unwrap()));
    key(&mut model, "enter");
    for letter in ["r", "u", "P", "x"] {
        assert!(key(&mut model, letter).is_empty());
    }
    inquire(&mut model, Inquiry { login: Some("ann".into()), ..Inquiry::default() });
    assert_eq!(model.popup, None);
    assert_eq!(model.desk.arming.armed().map(|armed| armed.reason.as_str()), Some("why"));
    for letter in ["r", "u", "P", "x", "y", "c"] {
        assert!(sends(&key(&mut model, letter)).is_empty(), "{letter}");
    }
}

#[test]
fn arming_ends_with_its_time_a_stop_another_account_and_by_a_key() {
    let is_armed = |model: &Model| model.desk.arming.armed().is_some();
    let mut model = armed(120, 40);
    later(&mut model, 599_000);
    assert!(is_armed(&model));
    later(&mut model, 1_000);
    assert!(!is_armed(&model) && screen(&model).contains("READ-ONLY"));
    let mut model = armed(120, 40);
    assert_eq!(press(&mut model, "ctrl-z"), [Effect::Suspend]);
    assert!(!is_armed(&model));
    let mut model = armed(120, 40);
    update(&mut model, Msg::Continued);
    assert!(!is_armed(&model));
    let mut model = armed(120, 40);
    press(&mut model, "<esc> W d");
    assert!(!is_armed(&model));
    let mut model = armed(120, 40);
    press(&mut model, "<esc> r");
    make_ready(&mut model, |made| made.sending.account = "bob".into(), None);
    assert!(!is_armed(&model));
    assert!(last_message(&model).starts_with("another account's token is used"), "{}", last_message(&model));
}

#[test]
fn who_may_not_write_cannot_arm() {
    let mut model = looking_at(world::normal(), &mut FakePlan::normal(), 120, 40);
    press(&mut model, "P");
    make_ready(&mut model, |_| {}, None);
    press(&mut model, "W a");
    assert_eq!(model.popup, None);
    assert!(
        last_message(&model).contains("start it again as `bumpdesk --write`"),
        "{}",
        last_message(&model)
    );
    let mut model = ready(120, 40, None);
    press(&mut model, "W a <enter>");
    assert!(screen(&model).contains("a reason is needed"), "{}", screen(&model));
    press(&mut model, "w h y <enter>");
    inquire(
        &mut model,
        Inquiry { error: Some("api.github.com does not answer".into()), ..Inquiry::default() },
    );
    assert!(screen(&model).contains("not armed: api.github.com does not answer"), "{}", screen(&model));
    assert!(screen(&model).contains("reason [why"), "it stays to be tried again");
}

/// A stopped sending names the objects that exist; to resume it or to undo it needs arming and its own
/// digits.
#[test]
fn what_stopped_is_resumed_or_undone_by_digits() {
    let mut model = stopped_half_way(80, 24);
    let flat = screen(&model).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("on GitHub now: the branch bumpdesk/bump-"), "{flat}");
    assert!(flat.contains("r resumes it, u undoes it"), "{flat}");
    assert!(flat.contains("UNKNOWN") && flat.contains("answers 502"), "{flat}");
    let effects = type_digits(&mut model, "r");
    assert!(matches!(sends(&effects)[..], [SendTask::Resume { .. }]), "{effects:?}");
    go(&mut model, 3, &Step::Waiting, Some(true));
    assert!(screen(&model).contains("#12 is open"), "{}", screen(&model));

    let mut model = stopped_half_way(80, 24);
    let effects = press(&mut model, "u");
    assert!(matches!(sends(&effects)[..], [SendTask::LookAtUndo { .. }]), "{effects:?}");
    say_undo(&mut model, |course| course);
    // Esc leaves the look at it, and so does the way back from another view.
    for keys in ["<esc>", "2 P"] {
        assert!(screen(&model).contains("keep it"), "{}", screen(&model));
        press(&mut model, keys);
        let flat = screen(&model).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains("r resumes it, u undoes it"), "{keys}: {flat}");
        press(&mut model, "u");
        say_undo(&mut model, |course| course);
    }
    press(&mut model, "W d");
    see(&mut model);
    press(&mut model, "u");
    assert!(last_message(&model).starts_with("u: this console is READ-ONLY"), "{}", last_message(&model));
    arm(&mut model);
    let effects = type_digits(&mut model, "u");
    assert!(matches!(sends(&effects)[..], [SendTask::Undo { .. }]), "{effects:?}");
    say_undo(&mut model, |course| Course { steps: vec![Step::Done(Made::default())], ..course });
    assert!(screen(&model).contains("it is undone"), "{}", screen(&model));
}

/// A failing gate is under the cursor, and Enter shows its details.
#[test]
fn a_gate_that_fails_says_why() {
    let mut model = ready(60, 20, Some(GateName::Seen));
    press(&mut model, "P");
    assert!(
        last_message(&model).starts_with("P: gate 7 fails: every change looked at; r checks again"),
        "{}",
        last_message(&model)
    );
    assert!(!screen(&model).contains("W arm"), "there is nothing to be armed for: {}", screen(&model));
    press(&mut model, "<enter>");
    let text = screen(&model);
    assert!(text.contains("gate 7") && text.contains("Do something about it."), "{text}");
    press(&mut model, "<esc> <tab> <tab> <enter>");
    assert!(screen(&model).contains("/repos/opentofu/registry/git/refs"), "{}", screen(&model));
}

#[test]
fn how_it_is_opened_is_edited_and_checked_again() {
    let mut model = ready(120, 40, None);
    press(&mut model, "e");
    assert!(screen(&model).contains("[x] open as a draft"), "{}", screen(&model));
    press(&mut model, "tab");
    update(&mut model, Msg::Paste("manual-bump".into()));
    press(&mut model, "tab tab");
    update(&mut model, Msg::Paste("5550 x".into()));
    press(&mut model, "shift-tab <enter>");
    assert!(screen(&model).contains("`x` is not the number of an issue"), "{}", screen(&model));
    // The cursor is in the field that is wrong.
    press(&mut model, "ctrl-w");
    let effects = press(&mut model, "<enter>");
    assert!(
        matches!(&effects[..], [Effect::Start(_, Job::Prepare(asked))] if asked.pull().labels == ["manual-bump"]),
        "{effects:?}"
    );
    make_ready(&mut model, |_| {}, None);
    let text = screen(&model);
    assert!(text.contains("labels     manual-bump"), "{text}");
    let copied = press(&mut model, "y c");
    assert!(
        matches!(&copied[..], [Effect::Copy(line)] if line.ends_with("--dry-run --label manual-bump --fixes 5550")),
        "{copied:?}"
    );
}

#[test]
fn a_plan_that_changed_is_checked_again_before_it_is_sent() {
    let mut model = armed(120, 40);
    model.desk.planning.take(plan("v9.0.0"));
    press(&mut model, "<esc> P");
    assert!(
        last_message(&model).starts_with("P: the plan changed since; r checks again"),
        "{}",
        last_message(&model)
    );
    press(&mut model, "<esc>");
    assert!(
        matches!(press(&mut model, "P")[..], [Effect::Start(_, Job::Prepare(_))]),
        "{}",
        last_message(&model)
    );
}

/// Plain words and an order, as in every table. Neither changes what a gate holds up.
#[test]
fn gates_are_filtered_and_sorted() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        let mut model = ready(columns, rows, Some(GateName::Seen));
        let gates = |model: &Model| -> Vec<usize> {
            let is_gate = |line: &&str| ["FAIL", "NOTE", "PASS"].iter().any(|word| line.contains(word));
            let number = |line: &str| line.trim_start_matches(['>', ' ']).split(' ').next()?.parse().ok();
            screen(model).lines().filter(is_gate).filter_map(number).collect()
        };
        assert_eq!(gates(&model), [1, 7], "{}", screen(&model));
        press(&mut model, "<tab>");
        assert_eq!(gates(&model), [1, 2, 3, 4, 5, 6, 7, 8, 9], "{}", screen(&model));
        press(&mut model, "s s");
        assert_eq!(gates(&model)[0], 7, "{}", screen(&model));
        assert_eq!(last_message(&model), "sorted by: worst first");
        press(&mut model, "/ ! f a i l");
        assert!(screen(&model).contains("filter> !fail") && screen(&model).contains("8 of 9"));
        press(&mut model, "<enter>");
        assert!(!gates(&model).contains(&7), "{}", screen(&model));
        press(&mut model, "P");
        assert!(last_message(&model).starts_with("P: gate 7 fails"), "a hidden gate holds up as well");
        press(&mut model, "<esc> / l o o k e d <enter> <enter>");
        assert!(screen(&model).contains("gate 7") && screen(&model).contains("Do something about it."));
        press(&mut model, "<esc> / z z z <enter>");
        assert!(screen(&model).contains("the filter hides every row; Esc clears it"), "{}", screen(&model));
        // A new check shows what fails, whatever was hidden before.
        press(&mut model, "r");
        make_ready(&mut model, |_| {}, Some(GateName::Seen));
        assert!(gates(&model).contains(&7) && !screen(&model).contains("filter>"), "{}", screen(&model));
        press(&mut model, "<enter>");
        assert!(screen(&model).contains("gate 7"), "{}", screen(&model));
    }
}

/// GitHub says with the arming what the token may do, and the first gate says it from then on.
#[test]
fn the_first_gate_follows_the_arming() {
    let rights = "ann may push to opentofu/registry; ";
    let make = |scopes: Option<&str>| {
        let mut model = planned(120, 40);
        press(&mut model, "P");
        let note = |made: &mut Prepared| {
            made.gates[0].evidence = format!("{rights}what the token may do shows when it is used");
        };
        make_ready(&mut model, note, None);
        press(&mut model, "W a w h y <enter>");
        let scopes = scopes.map(str::to_owned);
        inquire(&mut model, Inquiry { login: Some("ann".into()), scopes, ..Inquiry::default() });
        see(&mut model);
        screen(&model)
    };
    assert!(make(Some("read:org, public_repo")).contains("9 of 9 gates pass"));
    let text = make(Some("gist"));
    assert!(text.contains(&format!("! NOTE  {rights}the token has neither repo nor public_repo")), "{text}");
    let text = make(None);
    assert!(text.contains(&format!("! NOTE  {rights}what the token may do shows when it is used")), "{text}");
}

/// A gate that was found before something changed, or that is being checked again, is not shown as passed.
#[test]
fn a_gate_that_is_out_of_date_is_not_known() {
    let mut model = ready(120, 40, None);
    assert!(screen(&model).contains("8 others pass"), "{}", screen(&model));
    assert!(screen(&model).contains("gates checked 12:05Z"), "{}", screen(&model));
    let ready = model.desk.planning.plan.clone().expect("a plan");
    model.desk.planning.take(plan("v9.0.0"));
    let text = screen(&model);
    assert!(!text.contains("v PASS") && !text.contains("others pass"), "{text}");
    assert!(text.contains("? UNKNOWN") && text.contains("it was PASS: what was found of size"), "{text}");
    model.desk.planning.take(ready);
    press(&mut model, "r");
    let text = screen(&model);
    assert!(text.contains("~ CHECKING") && !text.contains("v PASS"), "{text}");
    assert!(!text.contains("gates checked"), "{text}");
    let (id, _) = running(&mut model, |job| matches!(job, Job::Prepare(_))).expect("it is checked again");
    fail(&mut model, id, Failure::new(FailureKind::Network, "asking GitHub about the registry"));
    let text = screen(&model);
    assert!(text.contains("? UNKNOWN") && !text.contains("v PASS"), "{text}");
}

/// The table cuts a long text, and the lines below it have all of it, with the remedy of a gate that fails.
#[test]
fn the_gate_under_the_cursor_is_whole_below_the_table() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        let mut model = planned(columns, rows);
        press(&mut model, "P");
        let long = |made: &mut Prepared| {
            made.gates[1].evidence = format!("main is {}at its end", "long ".repeat(4));
            made.gates[2].evidence = format!("{}and no more", "0 pulls ".repeat(20));
        };
        make_ready(&mut model, long, None);
        press(&mut model, "<tab> j");
        let flat = |model: &Model| screen(model).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat(&model).contains("gate 2 main is long long long long at its end"), "{}", screen(&model));
        press(&mut model, "j");
        if columns > 60 {
            assert!(flat(&model).contains("0 pulls and no more"), "{}", screen(&model));
        }
        let failing = ready(columns, rows, Some(GateName::Seen));
        assert!(flat(&failing).contains("Do something about it."), "{}", screen(&failing));
    }
}
