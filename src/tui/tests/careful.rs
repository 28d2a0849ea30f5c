//! Actions that must never be lost, or happen by accident.

use jiff::SignedDuration;

use crate::jobs::data::{FailureKind, Job, JobEvent, Outcome, PlanTask};
use crate::rules::plan::{FileState, Verb};
use crate::tui::keymap::Context;
use crate::tui::keymap::mouse::Mouse;
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;
use crate::tui::tests::fake_plan::{FakePlan, failure};
use crate::tui::tests::reviews::{go, looking};
use crate::tui::tests::{press, screen, started, tell, world};

#[test]
fn the_wheel_closes_nothing() {
    let mut fake = FakePlan::normal();
    for (keys, context) in [
        ("j c o k", Context::Form),
        ("-", Context::Ask),
        ("?", Context::Help),
        (":", Context::Palette),
        ("/ x", Context::Filter),
        ("<tab> / x", Context::Search),
        ("1 s", Context::Sort),
        ("1 F", Context::Views),
        ("1 f", Context::Form),
        ("1 /", Context::Filter),
        ("1 R q", Context::Leave),
    ] {
        let mut model = looking(&mut fake, 120, 40);
        for key in keys.split(' ') {
            let effects = press(&mut model, key);
            fake.answer(&mut model, effects);
        }
        assert_eq!(model.context(), context, "{keys}");
        for turn in
            [Mouse::WheelDown(9, 9), Mouse::WheelUp(9, 9), Mouse::WheelUp(9, 9), Mouse::WheelDown(9, 9)]
        {
            assert!(update(&mut model, Msg::Mouse(turn)).is_empty(), "{keys}");
            assert_eq!(model.context(), context, "{keys} {turn:?}");
        }
        if keys == "j c o k" {
            assert!(screen(&model).contains("note [ok"), "{}", screen(&model));
        }
    }
}

/// Decisions that were made during a build are kept when the console is left before its end.
#[test]
fn leaving_says_what_waits() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    go(&mut fake, &mut model, "j");
    press(&mut model, "R y");
    assert!(press(&mut model, "<space>").is_empty(), "it waits for the build");
    assert!(update(&mut model, Msg::Keep { leaving: false }).is_empty());
    let effects = update(&mut model, Msg::Keep { leaving: true });
    fake.answer(&mut model, effects);
    assert_eq!(fake.find("cloudposse/components/aws").state, FileState::Approved);
}

/// A look that is being written is written again before the approval that needs it.
#[test]
fn leaving_repeats_what_is_on_its_way() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    let effects = press(&mut model, ") j");
    fake.answer(&mut model, effects);
    let looks = update(&mut model, Msg::Drawn);
    assert!(matches!(looks[..], [Effect::Start(..), Effect::Frame]), "{looks:?}");
    assert!(press(&mut model, "<space>").is_empty());
    let effects = update(&mut model, Msg::Keep { leaving: true });
    let marks = effects.iter().find_map(|effect| match effect {
        Effect::Start(_, Job::Plan(PlanTask::Mark(marks))) => Some(marks),
        _ => None,
    });
    let verbs: Vec<&Verb> = marks.into_iter().flatten().map(|mark| &mark.verb).collect();
    assert_eq!(verbs, [&Verb::See, &Verb::Approve]);
}

/// Only the failed mark is reverted, not the later ones.
#[test]
fn a_mark_that_fails_takes_no_other_with_it() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    go(&mut fake, &mut model, "j");
    assert_eq!(press(&mut model, "<space>").len(), 1);
    let id = model.desk.board.marking().unwrap().id;
    press(&mut model, "c o k <enter>");
    assert_eq!(model.desk.planning.pending.marks.len(), 1);
    let refused = failure(FailureKind::Conflict, "it is gone");
    let effects = tell(&mut model, id, JobEvent::Ended(Outcome::Failed(refused)));
    fake.answer(&mut model, effects);
    let file = fake.find("cloudposse/components/aws");
    assert_eq!((file.state.clone(), file.pieces[0].mark.note.as_str()), (FileState::Open, "ok"));
}

/// Marked entries that a filter hides are named. A range needs a confirmation before its entries are added.
#[test]
fn adding_asks_and_names_what_is_hidden() {
    let mut model = started(world::normal(), 120, 40);
    press(&mut model, "<space> <space> / n e w r e l i c <enter>");
    assert!(press(&mut model, "a").is_empty());
    let text = screen(&model);
    assert!(text.contains("2 marked entries") && text.contains("2 of them hidden"), "{text}");
    assert!(press(&mut model, "<esc>").is_empty());
    let mut model = started(world::normal(), 120, 40);
    assert!(press(&mut model, "v j j a").is_empty());
    let effects = press(&mut model, "y");
    let [Effect::Start(_, Job::Plan(PlanTask::Add(add)))] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(add.files.len(), 3, "the range");
}

/// Lines of a different build are read again if they are older, and bring their file with them if they are
/// newer.
#[test]
fn lines_of_another_build_are_never_beside_the_plan() {
    for (seconds, is_newer) in [(-60, false), (60, true)] {
        let mut fake = FakePlan::normal();
        let mut model = looking(&mut fake, 120, 40);
        let effects = press(&mut model, ")");
        let [Effect::Start(id, job)] = &effects[..] else { panic!("{effects:?}") };
        let mut other = FakePlan::normal();
        let (base, proposed) = (other.files[3].0.base.clone(), other.files[3].0.proposed.clone());
        let kept = &mut other.files[0].0;
        kept.built_at = kept.built_at.checked_add(SignedDuration::from_secs(seconds)).unwrap();
        (kept.base, kept.proposed) = (base, proposed);
        let effects = other.answer_one(&mut model, *id, job);
        assert_eq!(model.views.changes.has_lines(&model.desk.planning), is_newer);
        let opens = |effect: &Effect| matches!(effect, Effect::Start(_, Job::Plan(PlanTask::Open(_))));
        assert_eq!(effects.iter().any(opens), !is_newer, "{effects:?}");
        assert_eq!(
            model.views.changes.file(&model.desk.planning).map(|file| file.pieces.len()),
            Some(1 + usize::from(is_newer))
        );
    }
}

/// A file whose lines are not shown here names the command that shows them.
#[test]
fn what_cannot_be_looked_at_here_says_where_it_can() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    let effects = press(&mut model, ")");
    fake.answer(&mut model, effects);
    let next = |model: &crate::tui::Model| {
        let changes = &model.views.changes;
        changes.next_step(&model.desk, changes.file(&model.desk.planning).unwrap(), &model.paint())
    };
    assert!(next(&model).contains("1 version left to look at"));
    model.views.changes.review.as_mut().unwrap().pane.limit = Some("only its structure is shown".into());
    assert!(update(&mut model, Msg::Drawn).is_empty());
    assert!(next(&model).contains("`bumpdesk plan show auth0/auth0`"), "{}", next(&model));
}
