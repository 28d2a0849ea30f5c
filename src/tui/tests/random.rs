//! Random walks over random models: no panic, no write without consent and a look, Esc comes to rest, the
//! selection stays on its address, and no row is marked that was never shown.

use std::collections::BTreeSet;
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRunner};

use crate::desk::ability::Ability;
use crate::jobs::data::{BumpPlan, Job, JobEvent, JobId, PlanAdd, PlanMark, PlanTask, Scope, SendTask};
use crate::registry::Address;
use crate::rules::Mode;
use crate::rules::plan::{Verb, Which};
use crate::settings::Ground;
use crate::tui::base::layout::Size;
use crate::tui::keymap::{Command, Context, Meaning, ViewId};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;
use crate::tui::tests::consent::Before;
use crate::tui::tests::walk::{Dispatch, How, Start, Step, Walk};
use crate::tui::tests::{press, screen};

const KEYS: [&str; 26] = [
    "j",
    "k",
    "enter",
    "esc",
    "space",
    "tab",
    "1",
    "2",
    "8",
    "a",
    "y",
    "q",
    "ctrl-c",
    "/",
    ":",
    "?",
    "up",
    "down",
    "home",
    "end",
    "backspace",
    "-",
    "r",
    "R",
    "P",
    "u",
];

const PASTES: [&str; 5] = ["ns:aws", "status:behind is:new", "q\rj/R", "\u{1b}[31m\u{202e}", "!x:y ~ \""];

const STARTS: [Start; 20] = [
    Start::Normal,
    Start::Empty,
    Start::Unchecked,
    Start::Hostile,
    Start::Many,
    Start::Armed,
    Start::Armed,
    Start::Undoing,
    Start::Earlier,
    Start::AtGates,
    Start::AtGates,
    Start::At("2 P"),
    Start::Missing,
    Start::Loading,
    Start::At("2"),
    Start::At("2 ) ) ) <enter> z R"),
    Start::At("2 j c x"),
    Start::At("8 <enter>"),
    Start::At("s N j v j j"),
    Start::At("/ n e w r e l i c <enter>"),
];

fn how() -> impl Strategy<Value = How> {
    prop_oneof![5 => Just(How::Well), 1 => Just(How::Badly), 1 => Just(How::Stopped)]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => (0..400usize).prop_map(Step::Known),
        8 => proptest::sample::select(&KEYS[..]).prop_map(Step::Key),
        2 => proptest::char::range(' ', '~').prop_map(Step::Letter),
        3 => Just(Step::Digits),
        1 => proptest::sample::select(&PASTES[..]).prop_map(Step::Paste),
        2 => (0..130u16, 0..45u16).prop_map(|(column, row)| Step::Click(column, row)),
        1 => any::<bool>().prop_map(Step::Wheel),
        1 => (0..140u16, 0..45u16).prop_map(|(columns, rows)| Step::Size(columns, rows)),
        1 => Just(Step::Size(100, 30)),
        1 => (0..10i64).prop_map(Step::Later),
        1 => prop_oneof![Just(Ground::Dark), Just(Ground::Light)].prop_map(Step::Ground),
        1 => Just(Step::Keep),
        6 => Just(Step::Frame),
        8 => (any::<usize>(), how()).prop_map(|(n, how)| Step::Answer(n, how)),
        1 => (0..300usize).prop_map(Step::Progress),
        2 => (1..9usize).prop_map(Step::Judge),
        1 => prop_oneof![0..9u64, any::<u64>()].prop_map(Step::Stray),
        1 => prop_oneof![Just(Step::Header), Just(Step::Outside)],
    ]
}

/// Runs this many walks. The report of a failure begins with the seed; `BUMPDESK_SEED=…` at build time
/// repeats it.
fn walk(cases: u32, seed: u64, shrinks: u32, dispatch: Dispatch) -> Result<(), String> {
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: shrinks,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    };
    let walks = (proptest::sample::select(&STARTS[..]), proptest::collection::vec(step(), 1..50));
    let outcome = TestRunner::new(config).run(&walks, |(start, steps)| {
        let mut walk = Walk::new(start, dispatch);
        let went = steps.iter().try_for_each(|step| walk.step(step)).and_then(|()| walk.come_to_rest());
        went.map_err(TestCaseError::fail)
    });
    outcome.map_err(|fault| format!("seed {seed}: {fault}"))
}

/// A new seed for each run, unless `BUMPDESK_SEED` gives one.
pub(super) fn seed() -> u64 {
    use std::hash::BuildHasher;
    let asked = option_env!("BUMPDESK_SEED").and_then(|text| text.parse().ok());
    asked.unwrap_or_else(|| std::hash::RandomState::new().hash_one(0))
}

#[test]
fn random_walks_do_no_harm() {
    stamped!(super::WALKED);
    if let Err(fault) = walk(50, seed(), 400, update) {
        panic!("{fault}");
    }
}

/// A sending that is on the screen when a walk begins may be sent at once, and that is no fault.
#[test]
fn what_was_drawn_before_a_walk_is_sent_in_it() {
    for start in [Start::Armed, Start::Earlier] {
        let mut walk = Walk::new(start, update);
        let steps = [Step::Key("P"), Step::Digits, Step::Key("enter")];
        steps.iter().try_for_each(|step| walk.step(step)).unwrap();
        let is_sending =
            |job: &Job| matches!(job, Job::Send(SendTask::Open { .. } | SendTask::Resume { .. }));
        assert!(walk.model.desk.board.running(is_sending).is_some(), "{start:?}\n{}", screen(&walk.model));
    }
}

fn job(task: PlanTask) -> Effect {
    Effect::Start(JobId(900), Job::Plan(task))
}

fn mark(address: Address, verb: Verb) -> PlanMark {
    PlanMark { address, which: Which::Whole, verb }
}

fn subject(model: &Model) -> Address {
    model.subject().cloned().unwrap_or_else(|| Address::provider("a", "b"))
}

/// `update`, and in addition the effect of a wrong row in the key table.
fn with(model: &mut Model, msg: Msg, fault: impl Fn(&Model, Command) -> Option<Effect>) -> Vec<Effect> {
    let Msg::Key(chord) = msg else { return update(model, msg) };
    let mut pressed = model.keys.pending.clone();
    pressed.push(chord);
    // Whatever stands against it.
    let meaning = model.keys.bindings.lookup(&|_| Ok(()), model.context(), &pressed);
    let planted = if let Meaning::Does(command) = meaning { fault(model, command) } else { None };
    let mut effects = update(model, msg);
    effects.extend(planted);
    effects
}

/// Dispatchers with one fault each, and a part of the expected report.
const FAULTY: [(&str, Dispatch, &str); 17] = [
    ("taking out without the question", drops_at_once, "writes Drops"),
    ("a key that moves approves", approves_by_moving, "writes Says"),
    ("what nobody looked at is approved", approves_unseen, "unseen"),
    ("a key that moves counts as a look", sees_by_moving, "without a frame"),
    ("what is on the screen counts as looked at", sees_by_opening, "which no hand led to"),
    ("a palette action writes the registry's files", bumps_by_palette, "writes Other"),
    ("a job's end adds to the plan", adds_by_itself, "writes Adds"),
    ("no to a question is a yes", takes_no_for_yes, "writes"),
    ("more is added than was meant", adds_more, "writes Adds"),
    ("a refresh moves the cursor", moves_on_refresh, "the selection went"),
    ("all rows are marked, folded and hidden ones too", marks_everything, "a row never shown"),
    ("the key of the field sends", sends_by_key, "without the field"),
    ("Enter sends whatever was typed", sends_any_digits, "were not typed"),
    ("a paste sends", sends_by_paste, "without Enter"),
    ("a frame that shows the open field sends", sends_by_showing, "without Enter"),
    ("who is not armed sends", sends_unarmed, "not armed"),
    ("the sort menu holds on to Esc", keeps_the_menu, "no rest after"),
];

fn drops_at_once(model: &mut Model, msg: Msg) -> Vec<Effect> {
    with(model, msg, |model, command| {
        (command == Command::Do(Ability::DropFile)).then(|| job(PlanTask::Drop(vec![subject(model)])))
    })
}

fn approves_by_moving(model: &mut Model, msg: Msg) -> Vec<Effect> {
    with(model, msg, |model, command| {
        let is_it = command == Command::Down && model.context() == Context::View(ViewId::Changes);
        is_it.then(|| job(PlanTask::Mark(vec![mark(subject(model), Verb::Approve)])))
    })
}

/// A mark on the first change of the visible file that was not looked at.
fn of_unseen(model: &Model, verb: Verb) -> Option<Effect> {
    let file = model.views.changes.file(&model.desk.planning)?;
    let piece = file.pieces.iter().find(|piece| !piece.mark.seen)?;
    let which = Which::Piece(piece.id.clone());
    Some(job(PlanTask::Mark(vec![PlanMark { address: file.address.clone(), which, verb }])))
}

fn approves_unseen(model: &mut Model, msg: Msg) -> Vec<Effect> {
    with(model, msg, |model, command| {
        let is_it =
            command == Command::Do(Ability::Approve) && model.context() == Context::View(ViewId::Changes);
        if is_it { of_unseen(model, Verb::Approve) } else { None }
    })
}

fn sees_by_moving(model: &mut Model, msg: Msg) -> Vec<Effect> {
    with(model, msg, |model, command| {
        let is_it = command == Command::Down && model.context() == Context::View(ViewId::Changes);
        if is_it { of_unseen(model, Verb::See) } else { None }
    })
}

/// The change that the view shows first, where no key led to it.
fn sees_by_opening(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let is_frame = matches!(msg, Msg::Drawn);
    let mut effects = update(model, msg);
    if is_frame && model.context() == Context::View(ViewId::Changes) && model.views.changes.at.piece.is_none()
    {
        effects.extend(of_unseen(model, Verb::See));
    }
    effects
}

/// The walks reach approvals: they draw frames, and changes on a frame count as looked at.
#[test]
fn walks_look_and_approve() {
    let mut walk = Walk::new(Start::At("2"), update);
    assert!(walk.step(&Step::Key("space")).is_ok() && walk.approved() == 0, "nothing was looked at");
    let answers = [const { Step::Answer(0, How::Well) }; 4];
    for step in [Step::Key("enter"), Step::Frame, Step::Key("space")] {
        walk.step(&step).unwrap();
        for answer in &answers {
            walk.step(answer).unwrap();
        }
    }
    assert_eq!(walk.approved(), 1, "{:?}\n{}", walk.model.message, screen(&walk.model));
}

fn bumps_by_palette(model: &mut Model, msg: Msg) -> Vec<Effect> {
    with(model, msg, |model, command| {
        let is_it = command == Command::Accept && model.context() == Context::Palette;
        let plan = BumpPlan { scope: Scope::Everything, max_age: Duration::ZERO, dry_run: false };
        is_it.then_some(Effect::Start(JobId(900), Job::Bump(plan)))
    })
}

fn added(addresses: Vec<Address>) -> Effect {
    let files = addresses.into_iter().map(|address| (address, Mode::Add)).collect();
    job(PlanTask::Add(PlanAdd { files, max_age: Duration::ZERO }))
}

fn adds_by_itself(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let is_it = matches!(&msg, Msg::Job(_, JobEvent::Opened(_)));
    let mut effects = update(model, msg);
    effects.extend(is_it.then(|| added(vec![subject(model)])));
    effects
}

fn takes_no_for_yes(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let is_question = model.context() == Context::Ask;
    match msg {
        Msg::Key(_) if is_question => press(model, "y"),
        msg => update(model, msg),
    }
}

fn adds_more(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let mut effects = update(model, msg);
    for effect in &mut effects {
        if let Effect::Start(_, Job::Plan(PlanTask::Add(add))) = effect {
            add.files.push((Address::provider("not", "meant"), Mode::Add));
        }
    }
    effects
}

fn moves_on_refresh(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let is_it = matches!(&msg, Msg::Job(_, JobEvent::Loaded(_)));
    let effects = update(model, msg);
    if is_it && model.views.inventory.cursor > 0 {
        model.views.inventory.go(0, 10);
    }
    effects
}

fn marks_everything(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let is_it = matches!(&msg, Msg::Job(_, JobEvent::Loaded(_)));
    let before = model.desk.list.filter.clone();
    let mut effects = update(model, msg);
    if is_it
        && !before.is_empty()
        && model.context() == Context::View(ViewId::Inventory)
        && model.keys.pending.is_empty()
    {
        effects.extend(press(model, "/ ctrl-u enter A /"));
        update(model, Msg::Paste(before));
        press(model, "enter");
    }
    effects
}

/// The sending that stands on the screen, with its own digits.
fn send(model: &Model) -> Option<Effect> {
    let pull = &model.desk.pull;
    let prepared = pull.prepared.as_ref().filter(|_| model.screen == ViewId::Pull)?;
    let task = SendTask::Open { asked: pull.purpose.clone(), digits: prepared.digits().to_owned() };
    Some(Effect::Start(JobId(900), Job::Send(task)))
}

/// Returns true if the field holds the digits of the prepared sending.
fn is_right(model: &Model) -> bool {
    let typed = model.views.pull.digits.as_ref().map(|open| open.field.text());
    typed == model.desk.pull.prepared.as_ref().map(|prepared| prepared.digits())
}

fn sends_by_key(model: &mut Model, msg: Msg) -> Vec<Effect> {
    with(model, msg, |model, command| send(model).filter(|_| command == Command::Do(Ability::TypeDigits)))
}

fn sends_any_digits(model: &mut Model, msg: Msg) -> Vec<Effect> {
    with(model, msg, |model, command| {
        let is_it = command == Command::Accept && model.context() == Context::Digits;
        send(model).filter(|_| is_it && !is_right(model))
    })
}

fn sends_by_paste(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let is_it = matches!(msg, Msg::Paste(_)) && model.context() == Context::Digits;
    let planted = if is_it { send(model) } else { None };
    let mut effects = update(model, msg);
    effects.extend(planted);
    effects
}

/// The field has the keys from the start, and the faulty dispatcher takes that for consent.
fn sends_by_showing(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let is_frame = matches!(msg, Msg::Drawn);
    let mut effects = update(model, msg);
    if is_frame && model.context() == Context::Digits {
        effects.extend(send(model));
    }
    effects
}

/// Arming ends while the digits are typed, and the faulty dispatcher sends all the same.
fn sends_unarmed(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let is_field = model.context() == Context::Digits;
    let is_paste = matches!(msg, Msg::Paste(_));
    let mut effects = with(model, msg, |model, command| {
        let is_it = is_right(model) && command == Command::Accept && model.desk.arming.armed().is_none();
        if is_it { send(model) } else { None }
    });
    if is_field && is_paste {
        model.desk.arming.end();
    }
    effects.dedup();
    effects
}

fn keeps_the_menu(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let held = model.popup.clone().filter(|popup| matches!(popup, Popup::Sort(_)));
    let effects = update(model, msg);
    if held.is_some() {
        model.popup = held;
    }
    effects
}

/// The walks find faults: each planted fault is reported by its name.
#[test]
fn planted_faults_are_caught() {
    stamped!(super::WALKED);
    // The longest of all tests, and often the last: each fault is looked for by itself.
    std::thread::scope(|scope| {
        for (name, dispatch, wanted) in FAULTY {
            scope.spawn(move || {
                let report = walk(400, 7, 0, dispatch).expect_err(name);
                assert!(report.contains("seed 7") && report.contains(wanted), "{name}: {report}");
            });
        }
    });
}

/// A click on a hint works like its key.
#[test]
fn a_click_on_a_hint_means_what_its_key_means() {
    let mut walk = Walk::new(Start::At("j"), update);
    walk.step(&Step::Size(120, 40)).unwrap();
    let hints = screen(&walk.model).lines().last().unwrap().find("d diff").expect("the hint") as u16;
    walk.step(&Step::Click(hints, 39)).unwrap();
    assert!(walk.model.desk.board.opening().is_some(), "{}", screen(&walk.model));
}

/// The effect that is planted beside those of `update`.
type Plant<'a> = &'a dyn Fn(&Model) -> Effect;

/// Consent, one key at a time: `true` is a fault.
#[test]
fn consent_is_a_key_that_means_it_or_a_question_that_was_seen() {
    let at = |keys: &'static str| {
        let mut walk = Walk::new(Start::At(keys), update);
        walk.model.message = None;
        walk.model
    };
    let address = |model: &Model| subject(model);
    let approve = |model: &Model| job(PlanTask::Mark(vec![mark(address(model), Verb::Approve)]));
    let see = |model: &Model| job(PlanTask::Mark(vec![mark(address(model), Verb::See)]));
    let drop = |model: &Model| job(PlanTask::Drop(vec![address(model)]));
    let rebuild = |_: &Model| job(PlanTask::Rebuild { max_age: Duration::ZERO });
    let add = |model: &Model| added(vec![address(model)]);
    let other = |_: &Model| added(vec![Address::provider("not", "meant")]);
    let cases: [(&str, &str, Plant<'_>, bool); 14] = [
        // It was not looked at.
        ("2", "space", &approve, true),
        ("2", "X", &approve, false),
        ("2", "j", &approve, true),
        ("2", "j", &see, false),
        ("2", "-", &drop, true),
        ("2 -", "y", &drop, false),
        ("2 -", "n", &drop, true),
        ("2 R", "y", &rebuild, false),
        ("2 R", "y", &drop, true),
        ("2 r", "y", &add, false),
        ("j", "a", &add, false),
        ("j", "a", &other, true),
        ("j", "r", &add, true),
        ("8", "r", &rebuild, true),
    ];
    for (keys, key, plant, is_fault) in cases {
        let mut model = at(keys);
        for (columns, rows) in [(120, 40), (80, 24), (60, 20), (40, 12), (39, 11)] {
            update(&mut model, Msg::Resize(Size::new(columns, rows)));
            let msg = Msg::Key(crate::tui::keymap::chord::Chord::parse(key).unwrap());
            let effect = plant(&model);
            let fault = Before::of(&model, &msg, &BTreeSet::new()).fault(&model, &[effect]);
            // There is no consent to a subject that is not visible.
            let wanted = is_fault || ((columns, rows) == (39, 11) && key != "j");
            assert_eq!(
                fault.is_some(),
                wanted,
                "{keys} then {key} at {columns}x{rows}: {fault:?}\n{}",
                screen(&model)
            );
        }
    }
}
