//! Random keys, sizes and readings: no panic, the selection stays on its address, Esc comes to rest.

use std::collections::BTreeSet;
use std::time::Duration;

use proptest::prelude::*;

use crate::jobs::BumpPlan;
use crate::jobs::Job;
use crate::jobs::JobEvent;
use crate::jobs::JobId;
use crate::jobs::Judgement;
use crate::jobs::PlanAdd;
use crate::jobs::PlanMark;
use crate::jobs::PlanTask;
use crate::jobs::Scope;
use crate::jobs::Writes;
use crate::registry::Address;
use crate::rules::Mode;
use crate::rules::plan::Verb;
use crate::rules::plan::Which;
use crate::tui::keymap::Context;
use crate::tui::layout::Size;
use crate::tui::model::Model;
use crate::tui::model::Screen;
use crate::tui::msg::Effect;
use crate::tui::msg::Msg;
use crate::tui::tests::done;
use crate::tui::tests::load;
use crate::tui::tests::press;
use crate::tui::tests::screen;
use crate::tui::tests::shelf;
use crate::tui::tests::started;
use crate::tui::tests::tell;
use crate::tui::tests::world;
use crate::tui::update::update;

const KEYS: &str = "j k g G ctrl-d ctrl-u pgdn pgup J K h l enter d r R x L p o / s space A I esc ] [ z a M w y u c 1 ? T \
                    q ctrl-c ctrl-l n N v v f F b U S K ctrl-o e : ! up down home end backspace ctrl-w tab f2 | \
                    2 8 a X c - t ( ) } { C y";

#[derive(Clone, Debug)]
enum Step {
    Key(String),
    Size(u16, u16),
    /// Answer everything that was asked.
    Answer,
    /// Verdicts turned round.
    Judge,
}

fn step() -> impl Strategy<Value = Step> {
    let keys: Vec<String> = KEYS.split_whitespace().map(str::to_owned).collect();
    prop_oneof![
        12 => proptest::sample::select(keys).prop_map(Step::Key),
        1 => (0..140u16, 0..45u16).prop_map(|(columns, rows)| Step::Size(columns, rows)),
        3 => Just(Step::Answer),
        1 => Just(Step::Judge),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_keys_do_no_harm(steps in proptest::collection::vec(step(), 1..60)) {
        let mut model = started(world::normal(), 100, 30);
        let mut asked = Vec::new();
        let mut seen = shown(&model);
        for step in steps {
            match step {
                Step::Key(key) => strike(&mut model, &key, &mut asked)?,
                Step::Size(columns, rows) => { update(&mut model, Msg::Resize(Size::new(columns, rows))); }
                Step::Answer => for effect in std::mem::take(&mut asked) {
                    let Effect::Start(id, job) = effect else { continue };
                    match job {
                        Job::Load => {
                            let before = model.inventory.selected().map(|row| row.address.clone());
                            press(&mut model, "ctrl-c");
                            load(&mut model, id, world::normal());
                            let after = model.inventory.selected().map(|row| row.address.clone());
                            prop_assert!(before.is_none() || model.inventory.cursor == 0 || before == after);
                        }
                        Job::Open(plan) => {
                            tell(&mut model, id, JobEvent::Opened(world::opened(&plan.address.to_string()).into()));
                            done(&mut model, id);
                        }
                        Job::Survey(_) => { asked.extend(done(&mut model, id)); }
                        Job::Plan(_) | Job::ReadLog(_) | Job::ListJobs { .. } => {
                            asked.extend(shelf::answer_any(&mut model, id, &job));
                        }
                        Job::Read(address) => {
                            tell(&mut model, id, JobEvent::Read(address, b"{}".as_slice().into()));
                            done(&mut model, id);
                        }
                        _ => prop_assert!(false, "no key writes or lints"),
                    }
                },
                Step::Judge => {
                    let loaded = world::normal();
                    let verdicts = loaded.verdicts.into_iter().rev();
                    let batch: Vec<Judgement> = loaded.catalog.rows.iter().zip(verdicts)
                        .map(|(row, verdict)| Judgement { address: row.address.clone(), verdict }).collect();
                    let before = model.inventory.selected().map(|row| row.address.clone());
                    if let Some(id) = model.board.survey().map(|job| job.id) {
                        tell(&mut model, id, JobEvent::Judged(batch));
                    }
                    prop_assert_eq!(before, model.inventory.selected().map(|row| row.address.clone()));
                }
            }
            seen.extend(shown(&model));
            prop_assert!(model.inventory.marked().iter().all(|address| seen.contains(address)), "a mark on a row never shown");
        }
        screen_if_drawable(&model);
        for _ in 0..14 {
            press(&mut model, "esc");
        }
        prop_assert_eq!((model.context(), model.screen), (Context::Inventory, Screen::Inventory));
        prop_assert!(model.inventory.mark_count() == 0 && model.inventory.filter.text.is_empty());
        prop_assert!(model.keys.pending.is_empty() && model.popup.is_none());
    }
}

/// The rows that stand as lines of the list.
fn shown(model: &Model) -> BTreeSet<Address> {
    let list = &model.inventory;
    (0..list.line_count()).filter_map(|place| list.row(place)).map(|(row, ..)| row.address.clone()).collect()
}

fn screen_if_drawable(model: &Model) {
    if model.size.columns > 0 && model.size.rows > 0 {
        screen(model);
    }
}

/// What somebody said about the plan and nobody wrote yet; that something was seen does not count.
fn said(model: &Model) -> usize {
    let desk = &model.views.changes.desk;
    desk.marks.iter().filter(|mark| mark.verb != Verb::See).count() + desk.drops.len()
}

/// Whether a key means that the plan is written: it approves, rejects, keeps a note, adds, or answers a question with yes.
fn consents(context: Context, key: &str) -> bool {
    match context {
        Context::Changes => matches!(key, "space" | "X" | "u"),
        Context::Note | Context::Palette => key == "enter",
        Context::Ask => key == "y",
        Context::Inventory | Context::Entry | Context::Diff => key == "a",
        Context::Jobs => key == "r",
        _ => false,
    }
}

/// Presses a key, which may do nothing that it does not mean.
fn strike(model: &mut Model, key: &str, asked: &mut Vec<Effect>) -> Result<(), TestCaseError> {
    let (context, before) = (model.context(), said(model));
    let effects = press(model, key);
    prop_assert_eq!(harm(context, key, before, model, &effects), None);
    asked.extend(effects);
    Ok(())
}

/// What a key did without meaning it.
fn harm(context: Context, key: &str, before: usize, model: &Model, effects: &[Effect]) -> Option<String> {
    let mut after = said(model);
    for effect in effects {
        let Effect::Start(_, job) = effect else { continue };
        let asked = context == Context::Ask && key == "y";
        match job {
            job if job.writes() == Writes::Files => return Some(format!("{key} writes files: {job:?}")),
            Job::Plan(PlanTask::Mark(marks)) => {
                after += marks.iter().filter(|mark| mark.verb != Verb::See).count();
            }
            Job::Plan(PlanTask::Drop(addresses)) => after += addresses.len(),
            Job::Plan(PlanTask::Rebuild { .. }) if !asked => return Some(format!("{key} builds unasked")),
            Job::Plan(PlanTask::Add(_)) if !consents(context, key) => return Some(format!("{key} adds")),
            _ => {}
        }
    }
    let dropped = after > before && !consents(context, key);
    dropped.then(|| {
        format!("{key} in {context:?} says something about the plan: {before} before, {after} after")
    })
}

/// The property above sees what it is there to see.
#[test]
fn a_planted_fault_is_caught() {
    let mut model = started(world::normal(), 100, 30);
    let address = model.subject().unwrap().clone();
    let id = JobId(9);
    let plan = |task| [Effect::Start(id, Job::Plan(task))];
    let approve = PlanMark { address: address.clone(), which: Which::Whole, verb: Verb::Approve };
    let see = PlanMark { verb: Verb::See, ..approve.clone() };
    let add = PlanAdd { addresses: vec![address.clone()], mode: Mode::Add, max_age: Duration::ZERO };
    let bump = BumpPlan { scope: Scope::Everything, max_age: Duration::ZERO, dry_run: false };
    let faults = [
        (Context::Changes, "j", plan(PlanTask::Mark(vec![approve.clone()])), true),
        (Context::Changes, "space", plan(PlanTask::Mark(vec![approve.clone()])), false),
        (Context::Changes, "j", plan(PlanTask::Mark(vec![see])), false),
        (Context::Changes, "-", plan(PlanTask::Drop(vec![address])), true),
        (Context::Changes, "r", plan(PlanTask::Add(add.clone())), true),
        (Context::Inventory, "a", plan(PlanTask::Add(add)), false),
        (Context::Changes, "R", plan(PlanTask::Rebuild { max_age: Duration::ZERO }), true),
        (Context::Ask, "y", plan(PlanTask::Rebuild { max_age: Duration::ZERO }), false),
        (Context::Ask, "y", [Effect::Start(id, Job::Bump(bump))], true),
    ];
    for (context, key, effects, is_fault) in faults {
        assert_eq!(harm(context, key, 0, &model, &effects).is_some(), is_fault, "{key} {effects:?}");
    }
    model.views.changes.desk.marks.push(approve);
    assert!(harm(Context::Changes, "j", 0, &model, &[]).is_some());
}
