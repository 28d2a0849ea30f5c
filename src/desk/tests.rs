//! Nothing is sent unless it was shown, allowed and armed, no gate fails, and its digits are typed. Random
//! walks over the desk check this; desks with one fault each prove that the walks find faults.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRunner};

use crate::desk::board::Board;
use crate::desk::intent::{Answer, Intent};
use crate::desk::sending::Write;
use crate::desk::{Consent, Desk, Header, Registry, telling};
use crate::jobs::data::{
    Failure, FailureKind, Inquiry, Job, JobEvent, JobId, Outcome, PlannedPull, Prepared, RunShown, SendTask,
    Subject, Summary,
};
use crate::registry::{Address, Repository};
use crate::rules::Mode;
use crate::rules::actions::{ArtifactRead, PATH, RunJob, RunRead, RunState};
use crate::rules::plan::{Kept, Marks, Plan, PlannedFile, made_with};
use crate::rules::review::{Opinion, Result as Word};
use crate::rules::sending::{
    CommittedFile, Course, Gate, GateName, GateState, Made, Patch, Prediction, PullPlan, PullText, Purpose,
    Request, Sending, SentFile, SentVersion, Step, VerdictPlan, verdicts,
};
use crate::settings::Features;

/// A plan with one module, which gains one version.
pub(crate) fn plan(version: &str) -> Plan {
    let text = |versions: &str| format!("{{\"versions\":[{versions}]}}").into_bytes();
    let kept = Kept {
        address: Address::module("acme", "net", "aws"),
        mode: Mode::Add,
        revision: "main@f00f6d5".into(),
        built_at: Timestamp::UNIX_EPOCH,
        base: text(r#"{"version":"v1.0.0"}"#),
        proposed: text(&format!(r#"{{"version":"{version}"}},{{"version":"v1.0.0"}}"#)),
        remarks: Vec::new(),
        blocks: Vec::new(),
        made_with: made_with(Features::none()),
    };
    Plan::new(vec![PlannedFile::read(&kept, &Marks::new(), Some(&kept.base), Features::none()).unwrap()])
}

/// Run 7 on GitHub's machines in this state, with these jobs; it keeps two shares.
pub(crate) fn machine_run(state: RunState, jobs: &[(&str, RunState)]) -> RunShown {
    let at = |seconds: i64| now() - SignedDuration::from_secs(seconds);
    let run = RunRead {
        id: 7,
        attempt: 1,
        title: format!("Backfill {} (0123456789ab)", "5f".repeat(32)),
        workflow: "Backfill".into(),
        path: PATH.into(),
        event: "workflow_dispatch".into(),
        state,
        url: "https://github.com/opentofu/registry/actions/runs/7".into(),
        actor: "ann".into(),
        head: "f00f6d5f00f6d5f00f6d5f00f6d5f00f6d5f00f6".into(),
        created: at(70),
        updated: at(10),
    };
    let job = |(id, (name, state)): (u64, &(&str, RunState))| RunJob {
        id,
        name: (*name).to_owned(),
        attempt: 1,
        state: state.clone(),
        started: (!matches!(state, RunState::Queued)).then(|| at(60)),
        ended: state.is_over().then(|| at(18)),
    };
    let artifact = |share: u64| ArtifactRead {
        id: share,
        name: format!("backfill-share-{share}"),
        size_bytes: 1_200 * share,
        is_expired: false,
        digest: None,
    };
    RunShown { run, jobs: (1..).zip(jobs).map(job).collect(), artifacts: [1, 2].map(artifact).into() }
}

/// A prepared pull request of a plan in this account's name, with one failing gate or none.
pub(crate) fn prepared(asked: &PullPlan, account: &str, failing: Option<GateName>) -> Prepared {
    let gate = |name: GateName| {
        let is_it = failing == Some(name);
        let state = match name {
            _ if is_it => GateState::Fail,
            GateName::WriteAccess => GateState::Note,
            _ => GateState::Pass,
        };
        let evidence = format!("what was found of {}", name.word());
        let remedy = is_it.then(|| "Do something about it.".to_owned());
        Gate { name, state, evidence, remedy }
    };
    let text = PullText {
        title: "Manual bump of acme/rocket provider".into(),
        body: format!(
            "1 version of 1 provider.\n\n{}",
            asked.fixes.iter().map(|number| format!("Fixes #{number}")).collect::<Vec<_>>().join("\n")
        ),
        message: "acme/rocket: 1.1.0".into(),
        draft: asked.draft,
        labels: asked.labels.clone(),
        reviewers: asked.reviewers.clone(),
        ..PullText::default()
    };
    let servers = ["https://api.github.com".to_owned(), "https://api.github.com/graphql".to_owned()];
    let repository = Repository::new("opentofu", "registry");
    let file = CommittedFile { path: "providers/a/acme/rocket.json".into(), bytes: b"{}".to_vec() };
    let branch = format!("bumpdesk/bump-{}", asked.plan);
    let at = "f00f6d5f00f6d5f00f6d5f00f6d5f00f6d5f00f6";
    let sending = Sending::of_pull(
        (account, &servers),
        (&repository, "main", at),
        (&repository, &branch),
        &text,
        vec![file],
    );
    let patch = Patch::of((at, "ann <ann@example.org>", now()), ("acme/rocket", "why"), &[]);
    let planned = PlannedPull {
        plan: asked.plan.clone(),
        base: ("main".into(), at.into()),
        files: vec![SentFile {
            address: Address::provider("acme", "rocket"),
            path: "providers/a/acme/rocket.json".into(),
            base_digest: "ba".into(),
            outcome_digest: "0c".into(),
            versions: vec![SentVersion {
                place: 0,
                version: "1.1.0".into(),
                targets: 14,
                hashes: "4a".into(),
                tag_id: None,
                signed: String::new(),
                warnings: Vec::new(),
            }],
            prediction: Prediction::Passes,
            repeat: None,
            edit: None,
        }],
        text,
        patch,
    };
    Prepared {
        subject: Subject::Plan(Box::new(planned)),
        gates: GateName::OF_PULL.into_iter().map(gate).collect(),
        digest: sending.digest(),
        sending,
    }
}

/// A sending with this many finished requests, and the state of the next one.
pub(crate) fn course(sending: &Sending, done: usize, next: &Step) -> Course {
    let step = |at: usize| match at {
        _ if at > done => Step::Waiting,
        _ if at == done => next.clone(),
        _ => match &sending.requests[at] {
            Request::Commit { .. } => Step::Done(Made { commit: Some("91ab22e".into()), ..Made::default() }),
            Request::OpenPull { .. } => Step::Done(Made { pull: Some(12), ..Made::default() }),
            _ => Step::Done(Made::default()),
        },
    };
    let steps = (0..sending.requests.len()).map(step).collect();
    Course {
        steps,
        ..Course::of_purpose(
            sending.clone(),
            PullPlan { plan: "7c1e9a".into(), ..PullPlan::default() }.into(),
        )
    }
}

/// The undo of a sending, before any of its requests was sent.
pub(crate) fn undo(of: &Sending) -> Course {
    let sending = Sending { requests: of.requests[..1].to_vec(), ..of.clone() };
    Course::of_undo(sending, of.name(), Vec::new())
}

fn now() -> Timestamp {
    "2026-11-23T12:00:00Z".parse().unwrap()
}

/// One thing that happens to a desk.
#[derive(Clone, Debug)]
enum Happens {
    Allowed(bool),
    Arm,
    Disarm,
    Account(&'static str),
    Later(i64),
    Prepare(u64),
    Prepared(Option<GateName>),
    /// The pull request is shown on the screen.
    Shown,
    PlanChanges(&'static str),
    Confirm(Write, Typed),
    /// A command line with these digits.
    Named(Write, Typed),
    LookAtUndo,
    /// The registry is read again, and an earlier run has finished this many requests of a plan's pull
    /// request.
    Earlier(usize, &'static str),
    /// The next sending of an earlier run is shown.
    Next,
    /// The sending job reports its progress, and perhaps its end.
    Goes(usize, Option<bool>),
}

/// The digits that are typed.
#[derive(Clone, Copy, Debug)]
enum Typed {
    /// The digits on the screen.
    Right,
    /// The digits that were shown before.
    Old,
    Part,
    Nothing,
    Other,
}

/// The task that a command line names in full.
fn named(write: Write, plan: String, digits: String) -> SendTask {
    match write {
        Write::Open => SendTask::Open { asked: PullPlan { plan, ..PullPlan::default() }.into(), digits },
        Write::Resume => SendTask::Resume { digits },
        Write::Undo => SendTask::Undo { of: "4f21c0".into(), digits },
    }
}

/// The function that handles intents: the desk's own, or a faulty one.
type Dispatch = fn(&mut Desk, Intent, Timestamp) -> Answer;

/// A desk, and the knowledge of an observer who only watches the screen.
struct Walk {
    desk: Desk,
    dispatch: Dispatch,
    now: Timestamp,
    account: &'static str,
    allowed: bool,
    /// The account and the end of the arming.
    armed: Option<(&'static str, Timestamp)>,
    /// The digits on the screen, the account that they would send as, and true if a gate fails.
    shown: Option<(String, &'static str, bool)>,
    /// The digits that were on the screen before.
    before: String,
    plan: &'static str,
    planned: String,
}

impl Walk {
    fn new(dispatch: Dispatch) -> Self {
        let mut desk = Desk { consent: Consent::Drawn, ..Desk::at(now()) };
        desk.registry = Registry::Loaded(Header::default());
        desk.planning.take(plan("v1.1.0"));
        let planned = desk.planning.plan.as_ref().unwrap().name();
        Self {
            desk,
            dispatch,
            now: now(),
            account: "ann",
            allowed: false,
            armed: None,
            shown: None,
            before: String::new(),
            plan: "v1.1.0",
            planned,
        }
    }

    fn running(&self, is_it: fn(&Job) -> bool) -> Option<(JobId, Job)> {
        self.desk.board.running(is_it).map(|running| (running.id, running.job.clone()))
    }

    fn tell(&mut self, id: JobId, event: JobEvent) {
        self.desk.hear(id, event, self.now);
    }

    fn end(&mut self, id: JobId, is_well: bool) {
        let failure = || Failure::new(FailureKind::Network, "sending").cause("no answer");
        let outcome = if is_well { Outcome::Done(Summary::default()) } else { Outcome::Failed(failure()) };
        self.tell(id, JobEvent::Ended(outcome));
    }

    fn right_digits(&self, write: Write) -> Option<String> {
        self.desk.pull.to_confirm(write).map(|(sending, _)| sending.name())
    }

    fn digits(&self, write: Write, typed: Typed) -> String {
        let right = self.right_digits(write).unwrap_or_default();
        match typed {
            Typed::Right => right,
            Typed::Old => self.before.clone(),
            Typed::Part => right.get(..5).unwrap_or_default().to_owned(),
            Typed::Nothing => " ".to_owned(),
            Typed::Other => "zzzzzz".to_owned(),
        }
    }

    /// The screen shows something else now.
    fn hide(&mut self) {
        if let Some((digits, ..)) = self.shown.take() {
            self.before = digits;
        }
    }

    fn step(&mut self, step: &Happens) -> Result<(), String> {
        match step {
            Happens::Allowed(allowed) => {
                self.allowed = *allowed;
                self.desk.may_write = *allowed;
            }
            Happens::Arm => {
                self.act(Intent::Arm("the bump missed it".into()))?;
                if let Some((id, _)) = self.running(|job| *job == Job::Inquire) {
                    let inquiry = Inquiry { login: Some(self.account.into()), ..Inquiry::default() };
                    self.tell(id, JobEvent::Inquired(inquiry));
                    self.end(id, true);
                    self.armed = Some((self.account, self.now + Duration::from_mins(10)));
                }
            }
            Happens::Disarm => {
                self.act(Intent::Disarm)?;
                self.armed = None;
            }
            Happens::Account(account) => self.account = account,
            Happens::Later(seconds) => {
                self.now += SignedDuration::from_secs(*seconds);
                self.armed = self.armed.filter(|(_, until)| self.now < *until);
            }
            Happens::Prepare(issue) => {
                let asked = PullPlan { draft: true, fixes: vec![*issue], ..PullPlan::default() };
                self.act(Intent::prepare(asked))?;
            }
            Happens::Prepared(failing) => {
                let Some((id, Job::Prepare(asked))) = self.running(|job| matches!(job, Job::Prepare(_)))
                else {
                    return Ok(());
                };
                let prepared = prepared(&asked.pull(), self.account, *failing);
                self.armed = self.armed.filter(|(account, _)| *account == self.account);
                self.tell(id, JobEvent::Prepared(Arc::new(prepared)));
                self.end(id, true);
                self.hide();
            }
            Happens::Shown => {
                self.desk.pull.mark_shown();
                self.see();
            }
            Happens::PlanChanges(version) => {
                self.plan = version;
                self.desk.planning.take(plan(version));
            }
            Happens::Confirm(write, typed) => {
                self.act(Intent::Confirm(*write, self.digits(*write, *typed)))?;
            }
            Happens::Named(write, typed) => {
                self.act(Intent::Send(named(*write, self.planned.clone(), self.digits(*write, *typed))))?;
            }
            Happens::LookAtUndo => self.act(Intent::LookAtUndo)?,
            Happens::Earlier(done, plan) => self.earlier(*done, plan),
            Happens::Next if self.desk.show_next() => self.hide(),
            Happens::Next => {}
            Happens::Goes(done, end) => self.go(*done, *end),
        }
        Ok(())
    }

    /// Notes the sending that is on the screen now.
    fn see(&mut self) {
        use crate::desk::sending::Stage;
        let pull = &self.desk.pull;
        let (sending, fails) = match pull.stage(&self.desk.board) {
            Stage::Ready(prepared) => {
                let fails = prepared.gates.iter().any(|gate| gate.state == GateState::Fail);
                self.planned = prepared.planned().expect("it is of a plan").plan.clone();
                (&prepared.sending, fails)
            }
            Stage::Stopped(sent) | Stage::Undo(sent) => (&sent.course.sending, false),
            _ => return,
        };
        let account = if sending.account == "ann" { "ann" } else { "bob" };
        self.shown = Some((sending.name(), account, fails));
    }

    fn earlier(&mut self, done: usize, plan: &str) {
        let asked = PullPlan { plan: plan.into(), ..PullPlan::default() };
        let course = course(&prepared(&asked, "ann", None).sending, done, &Step::Begun);
        let before = self.desk.pull.sent().map(|sent| sent.digits.clone());
        let id = self.desk.board.begin(Job::Load, self.now);
        self.tell(id, JobEvent::Sending(Arc::new(course)));
        self.end(id, true);
        if self.desk.pull.sent().map(|sent| sent.digits.clone()) != before {
            self.hide();
        }
    }

    fn go(&mut self, done: usize, end: Option<bool>) {
        let Some((id, Job::Send(task))) = self.running(|job| matches!(job, Job::Send(_))) else { return };
        let of = match &task {
            SendTask::Open { .. } => {
                self.desk.pull.to_confirm(Write::Open).map(|(sending, _)| sending.clone())
            }
            _ => self.desk.pull.to_confirm(Write::Resume).map(|(sending, _)| sending.clone()),
        };
        let Some(of) = of else { return };
        let course = match task {
            SendTask::LookAtUndo { .. } => undo(&of),
            SendTask::Undo { .. } => Course { steps: vec![Step::Done(Made::default())], ..undo(&of) },
            SendTask::Open { .. } | SendTask::Resume { .. } => {
                course(&of, done, &if end == Some(false) { Step::Refused("422".into()) } else { Step::Begun })
            }
        };
        self.tell(id, JobEvent::Sending(Arc::new(course)));
        self.hide();
        if let Some(is_well) = end {
            self.end(id, is_well);
        }
    }

    /// Handles an intent, and compares the started jobs with the observer's knowledge.
    fn act(&mut self, intent: Intent) -> Result<(), String> {
        let told = format!("{intent:?}");
        let is_named = matches!(intent, Intent::Send(_));
        let Answer::Started(begun) = (self.dispatch)(&mut self.desk, intent, self.now) else { return Ok(()) };
        for (_, job) in &begun.start {
            let Job::Send(task) = job else { continue };
            if is_named {
                return Err(format!("a command line alone may name it whole: {told} starts {task:?}"));
            }
            let digits = match task {
                SendTask::LookAtUndo { .. } => continue,
                SendTask::Open { digits, .. }
                | SendTask::Resume { digits }
                | SendTask::Undo { digits, .. } => digits,
            };
            let fault = self.fault(matches!(task, SendTask::Open { .. }), digits);
            if let Some(fault) = fault {
                return Err(format!("{fault}: {told} starts {task:?}"));
            }
            self.hide();
        }
        Ok(())
    }

    fn fault(&self, opens: bool, digits: &str) -> Option<&'static str> {
        let Some((shown, account, fails)) = &self.shown else { return Some("nothing of it was shown") };
        let now_planned = plan(self.plan).name();
        let armed = self.armed.is_some_and(|(armed, until)| armed == *account && self.now < until);
        [
            (!self.allowed, "it was not allowed"),
            (!armed, "it was not armed"),
            (opens && *fails, "a gate fails"),
            (opens && self.planned != now_planned, "the plan changed"),
            (digits != shown, "these are not its digits"),
        ]
        .into_iter()
        .find_map(|(is_so, what)| is_so.then_some(what))
    }
}

fn happens() -> impl Strategy<Value = Happens> {
    let typed = || {
        prop_oneof![
            6 => Just(Typed::Right),
            2 => Just(Typed::Old),
            1 => Just(Typed::Part),
            1 => Just(Typed::Nothing),
            1 => Just(Typed::Other),
        ]
    };
    let write = || prop_oneof![3 => Just(Write::Open), 2 => Just(Write::Resume), 2 => Just(Write::Undo)];
    prop_oneof![
        3 => any::<bool>().prop_map(Happens::Allowed),
        5 => Just(Happens::Arm),
        1 => Just(Happens::Disarm),
        1 => prop_oneof![Just("ann"), Just("bob")].prop_map(Happens::Account),
        2 => (0..700i64).prop_map(Happens::Later),
        5 => (1..3u64).prop_map(Happens::Prepare),
        6 => prop_oneof![4 => Just(None), 1 => proptest::sample::select(&GateName::OF_PULL[..]).prop_map(Some)].prop_map(Happens::Prepared),
        7 => Just(Happens::Shown),
        1 => prop_oneof![Just("v1.1.0"), Just("v1.2.0")].prop_map(Happens::PlanChanges),
        12 => (write(), typed()).prop_map(|(write, typed)| Happens::Confirm(write, typed)),
        2 => (write(), typed()).prop_map(|(write, typed)| Happens::Named(write, typed)),
        2 => Just(Happens::LookAtUndo),
        2 => (0..3usize, prop_oneof![Just("0ld0ld"), Just("01de50")]).prop_map(|(done, plan)| Happens::Earlier(done, plan)),
        2 => Just(Happens::Next),
        6 => (0..4usize, prop_oneof![Just(None), Just(Some(true)), Just(Some(false))]).prop_map(|(done, end)| Happens::Goes(done, end)),
    ]
}

fn walk(cases: u32, seed: u64, dispatch: Dispatch) -> Result<(), String> {
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 400,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    };
    // So many begin where nearly all is done, or walks would seldom come so far.
    let ready = |failing| {
        vec![
            Happens::Allowed(true),
            Happens::Arm,
            Happens::Prepare(1),
            Happens::Prepared(failing),
            Happens::Shown,
        ]
    };
    let begin = prop_oneof![
        Just(Vec::new()),
        Just(ready(None)),
        Just(ready(None)),
        Just(ready(Some(GateName::Hashes)))
    ];
    let walks = (begin, proptest::collection::vec(happens(), 1..40));
    let outcome = TestRunner::new(config).run(&walks, |(begin, steps)| {
        let mut walk = Walk::new(dispatch);
        begin.iter().chain(&steps).try_for_each(|step| walk.step(step)).map_err(TestCaseError::fail)
    });
    outcome.map_err(|fault| format!("seed {seed}: {fault}"))
}

#[test]
fn nothing_is_sent_but_what_was_shown_and_confirmed() {
    use std::hash::BuildHasher;
    let asked = option_env!("BUMPDESK_SEED").and_then(|text| text.parse().ok());
    let seed = asked.unwrap_or_else(|| std::hash::RandomState::new().hash_one(0));
    if let Err(fault) = walk(400, seed, Desk::act) {
        panic!("{fault}");
    }
}

/// Confirms with one precondition faked, and restores the desk afterwards.
fn with(desk: &mut Desk, intent: Intent, now: Timestamp, fault: fn(&mut Desk)) -> Answer {
    if !matches!(intent, Intent::Confirm(..)) {
        return desk.act(intent, now);
    }
    let (arming, may_write) = (desk.arming.clone(), desk.may_write);
    let (prepared, planning) = (desk.pull.prepared.clone(), desk.planning.plan.clone());
    fault(desk);
    let answer = desk.act(intent, now);
    (desk.arming, desk.may_write) = (arming, may_write);
    (desk.pull.prepared, desk.planning.plan) = (prepared, planning);
    answer
}

fn forgets_arming(desk: &mut Desk, intent: Intent, now: Timestamp) -> Answer {
    // Armed in the name of the sending's account.
    if let Intent::Confirm(write, _) = &intent
        && let Some((sending, _)) = desk.pull.to_confirm(*write)
    {
        let inquiry = Inquiry { login: Some(sending.account.clone()), ..Inquiry::default() };
        let before = desk.arming.clone();
        desk.arming.begin("whatever");
        desk.arming.hear(inquiry, now).unwrap();
        let answer = desk.act(intent, now);
        desk.arming = before;
        return answer;
    }
    desk.act(intent, now)
}

fn forgets_the_start(desk: &mut Desk, intent: Intent, now: Timestamp) -> Answer {
    with(desk, intent, now, |desk| {
        desk.may_write = true;
    })
}

fn forgets_a_gate(desk: &mut Desk, intent: Intent, now: Timestamp) -> Answer {
    with(desk, intent, now, |desk| {
        let Some(prepared) = &mut desk.pull.prepared else { return };
        let gates = &mut Arc::make_mut(prepared).gates;
        gates
            .iter_mut()
            .filter(|gate| gate.name == GateName::Hashes)
            .for_each(|gate| gate.state = GateState::Note);
    })
}

fn forgets_the_plan(desk: &mut Desk, intent: Intent, now: Timestamp) -> Answer {
    with(desk, intent, now, |desk| desk.planning.plan = None)
}

fn forgets_the_digits(desk: &mut Desk, mut intent: Intent, now: Timestamp) -> Answer {
    let typed = intent.clone();
    if let Intent::Confirm(write, digits) = &mut intent
        && let Some((sending, _)) = desk.pull.to_confirm(*write)
    {
        *digits = sending.name();
    }
    let answer = desk.act(intent, now);
    match (typed, answer) {
        (Intent::Confirm(_, typed), Answer::Started(mut begun)) => {
            for (_, job) in &mut begun.start {
                if let Job::Send(
                    SendTask::Open { digits, .. }
                    | SendTask::Resume { digits }
                    | SendTask::Undo { digits, .. },
                ) = job
                {
                    digits.clone_from(&typed);
                }
            }
            Answer::Started(begun)
        }
        (_, answer) => answer,
    }
}

fn takes_what_was_never_shown(desk: &mut Desk, intent: Intent, now: Timestamp) -> Answer {
    if matches!(intent, Intent::Confirm(..)) {
        desk.pull.mark_shown();
    }
    desk.act(intent, now)
}

/// Treats an intent of the console as a command line.
fn takes_anybody_for_a_command(desk: &mut Desk, intent: Intent, now: Timestamp) -> Answer {
    if matches!(intent, Intent::Send(_)) {
        desk.consent = Consent::Typed;
    }
    let answer = desk.act(intent, now);
    desk.consent = Consent::Drawn;
    answer
}

/// A command line names the whole sending: its digits stand for the look at it, and `--write` stands for
/// arming. `jobs::publish` describes what the job checks them against.
#[test]
fn a_command_sends_by_its_own_line_alone() {
    let writes = [Write::Open, Write::Resume, Write::Undo];
    let mut started = 0;
    for consent in [Consent::Drawn, Consent::Spoken, Consent::Typed] {
        for may_write in [false, true] {
            for (write, digits) in
                writes.iter().flat_map(|write| ["4f21c0", " ", ""].map(|digits| (*write, digits)))
            {
                let mut desk = Desk { consent, may_write, ..Desk::at(now()) };
                desk.registry = Registry::Loaded(Header::default());
                desk.planning.take(plan("v1.1.0"));
                let task = named(write, "7c1e9a".into(), digits.into());
                let all = [Intent::Send(task), Intent::Confirm(write, digits.into())];
                for (intent, is_named) in all.into_iter().zip([true, false]) {
                    let told = format!("{consent:?} {may_write} {intent:?}");
                    let begins = matches!(desk.act(intent, now()), Answer::Started(_));
                    let wanted =
                        is_named && consent == Consent::Typed && may_write && !digits.trim().is_empty();
                    assert_eq!(begins, wanted, "{told}");
                    started += usize::from(begins);
                    desk.board = Board::default();
                }
            }
        }
    }
    assert_eq!(started, writes.len());
}

#[test]
fn desks_that_forget_something_are_found() {
    let faulty: [(&str, Dispatch); 7] = [
        ("it was not armed", forgets_arming),
        ("it was not allowed", forgets_the_start),
        ("a gate fails", forgets_a_gate),
        ("the plan changed", forgets_the_plan),
        ("these are not its digits", forgets_the_digits),
        ("nothing of it was shown", takes_what_was_never_shown),
        ("a command line alone may name it whole", takes_anybody_for_a_command),
    ];
    for (what, dispatch) in faulty {
        let report = walk(4_000, 7, dispatch).expect_err(what);
        assert!(report.contains("seed 7") && report.contains(what), "{what}: {report}");
    }
}

/// A prepared verdict, with this gate failing or none.
fn judged(asked: &VerdictPlan, account: &str, failing: Option<GateName>) -> Prepared {
    let review = asked.seen.as_ref().map(|seen| Arc::clone(&seen.review)).expect("it was seen");
    let sending = verdicts::sending(account, asked.opinion, &review);
    let gate = |name| Gate {
        name,
        state: if failing == Some(name) { GateState::Fail } else { GateState::Pass },
        evidence: "what was found".into(),
        remedy: None,
    };
    let gates = GateName::OF_REVIEW.into_iter().map(gate).collect();
    Prepared { subject: Subject::Review(review), gates, digest: sending.digest(), sending }
}

/// A verdict takes the path of the plan's pull request: reviewed, prepared, shown, allowed, armed, without a
/// failing gate, and with its digits. A submitted verdict cannot be undone.
#[test]
fn a_verdict_is_sent_as_it_was_shown() {
    let verdict = VerdictPlan {
        number: 12,
        opinion: Opinion::Approve,
        text: String::new(),
        hashes: true,
        line_comments: true,
        seen: None,
    };
    let mut desk = Desk { consent: Consent::Drawn, ..Desk::at(now()) };
    desk.registry = Registry::Loaded(Header::default());
    let refused = |desk: &mut Desk, intent: &Intent| match desk.act(intent.clone(), now()) {
        Answer::Refused(why) => why.text,
        other => panic!("{intent:?}: {other:?}"),
    };
    let prepare = Intent::prepare(verdict);
    assert_eq!(refused(&mut desk, &prepare), "#12 was not reviewed yet");
    let reviewing = desk.board.begin(Job::Reviews, now());
    desk.hear(reviewing, JobEvent::Reviewed(Arc::new(verdicts::review(Word::Same))), now());
    desk.hear(reviewing, JobEvent::Ended(Outcome::Done(Summary::default())), now());
    let ready = |desk: &mut Desk, failing| {
        let Answer::Started(begun) = desk.act(prepare.clone(), now()) else { panic!("not started") };
        let (id, Job::Prepare(Purpose::Verdict(asked))) = &begun.start[0] else { panic!("{begun:?}") };
        desk.hear(*id, JobEvent::Prepared(Arc::new(judged(asked, "ann", failing))), now());
        desk.hear(*id, JobEvent::Ended(Outcome::Done(Summary::default())), now());
        desk.pull.to_confirm(Write::Open).expect("it is ready").1.to_owned()
    };
    let digits = ready(&mut desk, Some(GateName::Result));
    let confirm = Intent::Confirm(Write::Open, digits.clone());
    assert!(refused(&mut desk, &confirm).contains("READ-ONLY"));
    desk.may_write = true;
    assert_eq!(refused(&mut desk, &confirm), "gate 5 fails: result of the review");
    assert_eq!(ready(&mut desk, None), digits);
    assert_eq!(refused(&mut desk, &confirm), "it has not been shown yet");
    desk.pull.mark_shown();
    assert_eq!(refused(&mut desk, &confirm), "this console is READ-ONLY");
    desk.arming.begin("it is what upstream gives");
    let login = |login: &str| Inquiry { login: Some(login.into()), ..Inquiry::default() };
    desk.arming.hear(login("bob"), now()).unwrap();
    assert!(refused(&mut desk, &confirm).contains("armed as bob"));
    desk.arming.begin("it is what upstream gives");
    desk.arming.hear(login("ann"), now()).unwrap();
    for other in ["zzzzzz", &digits[..5], " "] {
        let other = Intent::Confirm(Write::Open, other.into());
        assert_eq!(refused(&mut desk, &other), "these are not the digits of what is shown");
    }
    let Answer::Started(begun) = desk.act(confirm.clone(), now()) else { panic!("not sent") };
    let (id, Job::Send(SendTask::Open { asked, digits: sent })) = &begun.start[0] else {
        panic!("{begun:?}")
    };
    assert_eq!((asked.of(), sent), ("#12".to_owned(), &digits));
    let sending = desk.pull.to_confirm(Write::Open).expect("it is there").0.clone();
    let made = Step::Done(Made { review: Some(7), ..Made::default() });
    let course = Course { steps: vec![made], ..Course::of_purpose(sending, asked.clone()) };
    desk.hear(*id, JobEvent::Sending(Arc::new(course)), now());
    desk.hear(*id, JobEvent::Ended(Outcome::Done(Summary::default())), now());
    assert_eq!(refused(&mut desk, &confirm), "the approval of pull request #12 is submitted");
    assert!(refused(&mut desk, &Intent::LookAtUndo).contains("cannot be taken back"));
    let told = telling::pull::standing(&desk)[0].text.clone();
    assert_eq!(
        told,
        "the approval of pull request #12 is submitted: https://github.com/opentofu/registry/pull/12#pullrequestreview-7"
    );
}
