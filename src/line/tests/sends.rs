//! The rules for sending to GitHub by words: after a yes to the question right before it, by all digits of the sending that was read
//! out last, armed, allowed at the start, with no gate that fails. Random walks of words and answers, and modes that forget a rule.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRunner};

use super::{at, loaded};
use crate::desk::sending::Write;
use crate::desk::tests::{course, plan, prepared, undo};
use crate::jobs::data::{
    Failure, FailureKind, Inquiry, Job, JobEvent, JobId, Loaded, Outcome, SendTask, Summary,
};
use crate::line::state::{LineMode, Reply};
use crate::print::output::Line;
use crate::print::output::tests::ui;
use crate::rules::memory::Memory;
use crate::rules::plan::Plan;
use crate::rules::sending::{GateName, Made, PullPlan, Step};

/// Words of somebody who means well, mistypes, or pastes.
const WORDS: [&str; 15] = [
    "pull",
    "pull ready",
    "arm it was missed",
    "arm",
    "disarm",
    "undo",
    "send",
    "resume",
    "yes",
    "y",
    "no",
    "",
    "list",
    "plan",
    "help",
];

/// One thing that happens.
#[derive(Clone, Debug)]
enum Happens {
    Says(&'static str),
    /// `send`, `resume` or `undo`, with the digits of what would be sent, or with others.
    Names(Write, bool),
    Prepared(Option<GateName>),
    Inquired(&'static str),
    /// So many requests are done; and the job ends, if it does.
    Goes(usize, Option<bool>),
    PlanChanges(&'static str),
}

/// Takes a line: the line mode does, or one that is faulty on purpose.
type Hears = fn(&mut LineMode, &str) -> Reply;

fn take_line(mode: &mut LineMode, line: &str) -> Reply {
    mode.take_line(line, at())
}

/// A line mode, and beside it what somebody knows who only listens.
struct Walk {
    mode: LineMode,
    hears: Hears,
    /// The digits that were read out last, of which plan, and whether a gate failed there.
    read: Option<(String, String, bool)>,
    armed: Option<&'static str>,
    /// The digits of the line before this one, if it named what is sent.
    named: Option<String>,
}

impl Walk {
    fn new(hears: Hears, allowed: bool) -> Self {
        let mut mode = LineMode::new(ui(), None, None);
        let begun = mode.begin();
        for (id, _) in begun.start {
            mode.take_event(id, JobEvent::Recalled(Memory::new()), at());
            let begun = mode.take_event(id, JobEvent::Ended(Outcome::Done(Summary::default())), at());
            for (id, job) in begun.start {
                assert_eq!(job, Job::Load);
                let loaded = Loaded { may_write: allowed, ..Arc::unwrap_or_clone(loaded(3)) };
                mode.take_event(id, JobEvent::Loaded(Arc::new(loaded)), at());
                mode.take_event(id, JobEvent::Ended(Outcome::Done(Summary::default())), at());
            }
        }
        mode.desk.planning.take(plan("v1.1.0"));
        Self { mode, hears, read: None, armed: None, named: None }
    }

    fn running(&self, is_it: fn(&Job) -> bool) -> Option<(JobId, Job)> {
        self.mode.desk.board.running(is_it).map(|running| (running.id, running.job.clone()))
    }

    fn tell(&mut self, id: JobId, event: JobEvent) {
        let reply = self.mode.take_event(id, event, at());
        self.listen(&reply);
        assert!(!reply.start.iter().any(|(_, job)| is_write(job).is_some()), "an event sends");
    }

    fn end(&mut self, id: JobId, is_well: bool) {
        let failure = || Failure::new(FailureKind::Network, "sending").cause("no answer");
        let outcome = if is_well { Outcome::Done(Summary::default()) } else { Outcome::Failed(failure()) };
        self.tell(id, JobEvent::Ended(outcome));
    }

    /// `3 requests, sent in this order; their digits are 9ab31c` is read out before anything may be sent.
    fn listen(&mut self, reply: &Reply) {
        let said: Vec<String> = reply.lines.iter().map(Line::shown).collect();
        let digits = said.iter().find_map(|line| {
            let (requests, digits) = line.split_once(" digits are ")?;
            requests.contains(" request").then(|| digits.chars().take(6).collect())
        });
        if let Some(digits) = digits {
            // Of which plan it is, is read out with it; the plan may have changed meanwhile, and back.
            let of_plan = |line: &String| line.split_once(" of plan ")?.1.get(..6).map(str::to_owned);
            let planned = said.iter().find_map(of_plan).unwrap_or_default();
            self.read = Some((digits, planned, said.iter().any(|line| line.contains("FAIL"))));
        }
    }

    fn right_digits(&self, write: Write) -> Option<String> {
        self.mode.desk.pull.to_confirm(write).map(|(sending, _)| sending.name())
    }

    fn step(&mut self, step: &Happens) -> Result<(), String> {
        match step {
            Happens::Says(line) => self.say(line),
            Happens::Names(write, are_right) => {
                let digits =
                    self.right_digits(*write).filter(|_| *are_right).unwrap_or_else(|| "4f21c0".into());
                let word = match write {
                    Write::Open => "send",
                    Write::Resume => "resume",
                    Write::Undo => "undo",
                };
                self.say(&format!("{word} {digits}"))
            }
            Happens::Prepared(failing) => {
                if let Some((id, Job::Prepare(asked))) = self.running(|job| matches!(job, Job::Prepare(_))) {
                    self.tell(id, JobEvent::Prepared(Arc::new(prepared(&asked.pull(), "ann", *failing))));
                    self.end(id, true);
                }
                Ok(())
            }
            Happens::Inquired(account) => {
                if let Some((id, _)) = self.running(|job| *job == Job::Inquire) {
                    let inquiry = Inquiry { login: Some((*account).into()), ..Inquiry::default() };
                    self.tell(id, JobEvent::Inquired(inquiry));
                    self.end(id, true);
                    self.armed = Some(account);
                }
                Ok(())
            }
            Happens::Goes(done, end) => {
                self.go(*done, *end);
                Ok(())
            }
            Happens::PlanChanges(version) => {
                self.mode.desk.planning.take(plan(version));
                Ok(())
            }
        }
    }

    fn go(&mut self, done: usize, end: Option<bool>) {
        let Some((id, Job::Send(task))) = self.running(|job| matches!(job, Job::Send(_))) else { return };
        let write = if matches!(task, SendTask::Open { .. }) { Write::Open } else { Write::Resume };
        let of = self.mode.desk.pull.to_confirm(write).map(|(sending, _)| sending.clone());
        let Some(of) = of else { return };
        let next = if end == Some(false) { Step::Refused("422".into()) } else { Step::Begun };
        let mut sent = match task {
            SendTask::LookAtUndo { .. } | SendTask::Undo { .. } => undo(&of),
            SendTask::Open { .. } | SendTask::Resume { .. } => course(&of, done, &next),
        };
        if matches!(task, SendTask::Undo { .. }) {
            sent.steps = vec![Step::Done(Made::default()); sent.steps.len()];
        }
        self.tell(id, JobEvent::Sending(Arc::new(sent)));
        if let Some(is_well) = end {
            self.end(id, is_well);
        }
    }

    /// A line is said, and what it starts is held against what somebody knows who only listens.
    fn say(&mut self, line: &str) -> Result<(), String> {
        let named = std::mem::take(&mut self.named);
        let reply = (self.hears)(&mut self.mode, line);
        for (_, job) in &reply.start {
            let Some((digits, opens)) = is_write(job) else { continue };
            if let Some(fault) = self.fault(line, named.as_deref(), digits, opens) {
                return Err(format!("{fault}: `{line}` starts {job:?}"));
            }
        }
        // A yes that sends comes right after what it would send: whatever is said between drops the question.
        let says = |end: &str| reply.lines.iter().any(|said| said.shown().ends_with(end));
        let asked = line.split_once(' ').filter(|_| says("? write yes or no"));
        self.named = asked.map(|(_, rest)| rest.to_owned());
        // Whoever asks to be armed again is not armed until that is answered.
        let is_disarmed = line == "disarm" && !says("write yes or no");
        if is_disarmed || reply.start.iter().any(|(_, job)| *job == Job::Inquire) {
            self.armed = None;
        }
        self.listen(&reply);
        Ok(())
    }

    fn fault(&self, line: &str, named: Option<&str>, digits: &str, opens: bool) -> Option<&'static str> {
        let Some((read, planned, fails)) = &self.read else { return Some("nothing of it was read out") };
        let now_planned = self.mode.desk.planning.plan.as_ref().map(Plan::name).unwrap_or_default();
        [
            (!self.mode.desk.may_write, "it was not allowed"),
            (self.armed != Some("ann"), "it was not armed"),
            (!matches!(line, "yes" | "y") || named != Some(digits), "nobody said yes to it"),
            (read != digits, "these are not its digits"),
            (opens && *fails, "a gate fails"),
            (opens && *planned != now_planned, "the plan changed"),
        ]
        .into_iter()
        .find_map(|(is_so, what)| is_so.then_some(what))
    }
}

/// The digits of a job that changes something on GitHub, and whether it opens a pull request.
fn is_write(job: &Job) -> Option<(&str, bool)> {
    match job {
        Job::Send(SendTask::Open { digits, .. }) => Some((digits, true)),
        Job::Send(SendTask::Resume { digits } | SendTask::Undo { digits, .. }) => Some((digits, false)),
        _ => None,
    }
}

fn happens() -> impl Strategy<Value = Happens> {
    let write = prop_oneof![3 => Just(Write::Open), 2 => Just(Write::Resume), 2 => Just(Write::Undo)];
    let failing =
        prop_oneof![4 => Just(None), 1 => proptest::sample::select(&GateName::OF_PULL[..]).prop_map(Some)];
    prop_oneof![
        8 => proptest::sample::select(&WORDS[..]).prop_map(Happens::Says),
        6 => Just(Happens::Says("yes")),
        10 => (write, prop_oneof![3 => Just(true), 1 => Just(false)]).prop_map(|(write, right)| Happens::Names(write, right)),
        5 => failing.prop_map(Happens::Prepared),
        4 => prop_oneof![4 => Just("ann"), 1 => Just("bob")].prop_map(Happens::Inquired),
        5 => (0..4usize, prop_oneof![Just(None), Just(Some(true)), Just(Some(false))]).prop_map(|(done, end)| Happens::Goes(done, end)),
        1 => prop_oneof![Just("v1.1.0"), Just("v1.2.0")].prop_map(Happens::PlanChanges),
    ]
}

/// Walks so many times; how often something was sent.
fn walk(cases: u32, seed: u64, hears: Hears) -> Result<usize, String> {
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 400,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    };
    // So many begin where nearly all is done, or walks would seldom come so far.
    let ready = |armed: bool, failing| {
        let mut steps = vec![Happens::Says("pull"), Happens::Prepared(failing)];
        if armed {
            steps.extend([Happens::Says("arm it was missed"), Happens::Inquired("ann")]);
        }
        steps
    };
    let begin = prop_oneof![
        Just(Vec::new()),
        Just(ready(true, None)),
        Just(ready(true, None)),
        Just(ready(false, None)),
        Just(ready(true, Some(GateName::Hashes))),
    ];
    let sent = std::cell::Cell::new(0);
    let walks =
        (prop_oneof![5 => Just(true), 1 => Just(false)], begin, proptest::collection::vec(happens(), 1..30));
    let outcome = TestRunner::new(config).run(&walks, |(allowed, begin, steps)| {
        let mut walk = Walk::new(hears, allowed);
        begin.iter().chain(&steps).try_for_each(|step| walk.step(step)).map_err(TestCaseError::fail)?;
        sent.set(sent.get() + usize::from(walk.mode.desk.pull.sent().is_some()));
        Ok(())
    });
    outcome.map(|()| sent.get()).map_err(|fault| format!("seed {seed}: {fault}"))
}

#[test]
fn nothing_is_sent_by_words_but_what_was_read_out_and_meant() {
    use std::hash::BuildHasher;
    stamped!(&["src/desk", "src/desk/tests.rs", "src/line", "src/line/tests", "src/rules"]);
    let asked = option_env!("BUMPDESK_SEED").and_then(|text| text.parse().ok());
    let seed = asked.unwrap_or_else(|| std::hash::RandomState::new().hash_one(0));
    match walk(1_500, seed, take_line) {
        Ok(sent) => assert!(sent > 20, "{sent} of 1,500 walks sent something: they come nowhere"),
        Err(fault) => panic!("{fault}"),
    }
}

/// Sendings that several earlier runs left are read out one after the other, each once the one before it is over.
#[test]
fn each_that_earlier_runs_left_is_read_out_in_turn() {
    let mut walk = Walk::new(take_line, true);
    let id = walk.mode.desk.board.begin(Job::Load, at());
    for plan in ["0ld0ld", "01de50"] {
        let asked = PullPlan { plan: plan.into(), ..PullPlan::default() };
        let left = course(&prepared(&asked, "ann", None).sending, 1, &Step::Begun);
        walk.tell(id, JobEvent::Sending(Arc::new(left)));
    }
    let said = |reply: &Reply| reply.lines.iter().map(Line::shown).collect::<Vec<_>>().join("\n");
    let loaded = Loaded { may_write: true, ..Arc::unwrap_or_clone(loaded(3)) };
    let told = said(&walk.mode.take_event(id, JobEvent::Loaded(Arc::new(loaded)), at()));
    assert!(told.contains("was cut off, and 1 other after it") && told.contains("bump-0ld0ld"), "{told}");
    walk.tell(id, JobEvent::Ended(Outcome::Done(Summary::default())));
    walk.say("arm it was missed").unwrap();
    walk.step(&Happens::Inquired("ann")).unwrap();
    let digits = walk.right_digits(Write::Resume).expect("digits");
    take_line(&mut walk.mode, &format!("resume {digits}"));
    take_line(&mut walk.mode, "yes");
    let (job, _) = walk.running(|job| matches!(job, Job::Send(_))).expect("it continues");
    let all = walk.mode.desk.pull.sent().expect("it").course.sending.clone();
    walk.tell(job, JobEvent::Sending(Arc::new(course(&all, all.requests.len(), &Step::Waiting))));
    let told = said(&walk.mode.take_event(job, JobEvent::Ended(Outcome::Done(Summary::default())), at()));
    assert!(told.contains("1 other sending of earlier runs was cut off; pull shows the next"), "{told}");
    let told = said(&take_line(&mut walk.mode, "pull"));
    assert!(told.contains("bump-01de50") && told.contains("it stopped in an earlier run"), "{told}");
    assert_ne!(walk.right_digits(Write::Resume), Some(digits));
}

/// Says yes by itself.
fn needs_no_yes(mode: &mut LineMode, line: &str) -> Reply {
    let mut reply = take_line(mode, line);
    if mode.question.is_some() && line.starts_with("send ") {
        reply.start.extend(take_line(mode, "yes").start);
    }
    reply
}

fn forgets_arming(mode: &mut LineMode, line: &str) -> Reply {
    let before = mode.desk.arming.clone();
    mode.desk.arming.begin("whatever");
    let inquiry = Inquiry { login: Some("ann".into()), ..Inquiry::default() };
    mode.desk.arming.hear(inquiry, at()).expect("armed");
    let reply = take_line(mode, line);
    mode.desk.arming = before;
    reply
}

fn takes_any_digits(mode: &mut LineMode, line: &str) -> Reply {
    let right = mode.desk.pull.to_confirm(Write::Open).map(|(sending, _)| sending.name());
    match (line.strip_prefix("send "), right) {
        (Some(typed), Some(right)) => {
            take_line(mode, &format!("send {right}"));
            if let Some(question) = &mut mode.question
                && typed != right
            {
                question.intent = crate::desk::intent::Intent::Confirm(Write::Open, right);
            }
            Reply::default()
        }
        _ => take_line(mode, line),
    }
}

fn forgets_a_gate(mode: &mut LineMode, line: &str) -> Reply {
    let before = mode.desk.pull.prepared.clone();
    if let Some(prepared) = &mut mode.desk.pull.prepared {
        for gate in &mut Arc::make_mut(prepared).gates {
            gate.state = crate::rules::sending::GateState::Note;
        }
    }
    let reply = take_line(mode, line);
    if mode.desk.pull.prepared.is_some() {
        mode.desk.pull.prepared = before;
    }
    reply
}

/// Lets a question stand whatever is said after it.
fn keeps_the_question(mode: &mut LineMode, line: &str) -> Reply {
    let asked = mode.question.clone().filter(|_| !matches!(line, "yes" | "no"));
    let reply = take_line(mode, line);
    mode.question = asked.or(mode.question.take());
    reply
}

#[test]
fn a_question_that_would_send_is_dropped_by_any_other_word() {
    for (word, answer) in [
        ("no", "nothing was done"),
        ("disarm", "nothing was sent"),
        ("", "nothing was sent"),
        ("yse", "nothing was sent"),
    ] {
        let mut walk = Walk::new(take_line, true);
        let steps = [
            Happens::Says("pull"),
            Happens::Prepared(None),
            Happens::Says("arm it was missed"),
            Happens::Inquired("ann"),
            Happens::Names(Write::Open, true),
        ];
        steps.iter().try_for_each(|step| walk.step(step)).unwrap();
        assert!(walk.mode.question.is_some());
        let reply = take_line(&mut walk.mode, word);
        assert_eq!((reply.lines[0].shown().as_str(), &walk.mode.question), (answer, &None), "{word}");
        assert_eq!(walk.mode.desk.arming.armed().is_none(), word == "disarm", "the word is heard as well");
        let reply = take_line(&mut walk.mode, "yes");
        assert!(reply.start.is_empty(), "{word}: {:?}", reply.start);
    }
}

#[test]
fn line_modes_that_forget_something_are_found() {
    let faulty: [(&str, Hears); 5] = [
        ("nobody said yes to it", keeps_the_question),
        ("nobody said yes to it", needs_no_yes),
        ("it was not armed", forgets_arming),
        ("nobody said yes to it", takes_any_digits),
        ("a gate fails", forgets_a_gate),
    ];
    for (what, hears) in faulty {
        let report = walk(2_000, 7, hears).expect_err(what);
        assert!(report.contains("seed 7") && report.contains(what), "{what}: {report}");
    }
}
