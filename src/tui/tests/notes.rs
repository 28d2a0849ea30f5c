//! A decision about a change is confirmed once the plan has it; until then its text stays.

use crate::jobs::data::{Failure, FailureKind, Job, JobEvent, Outcome, PlanTask};
use crate::tui::keymap::{Context, ViewId};
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Effect;
use crate::tui::tests::fake_plan::{FakePlan, failure};
use crate::tui::tests::reviews::{go, last_message, looking};
use crate::tui::tests::{press, screen, tell};

/// A note is confirmed once the plan has it, not before; a note that cannot be kept stays in its field.
#[test]
fn a_note_that_is_not_kept_stays_in_its_field() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 80, 24);
    go(&mut fake, &mut model, "j");
    let fails = |model: &mut Model, effects: &[Effect]| {
        let [Effect::Start(id, Job::Plan(PlanTask::Mark(_)))] = effects[..] else { panic!("{effects:?}") };
        let failure =
            Failure { hint: Some("Free some.".into()), ..failure(FailureKind::Internal, "the disk is full") };
        tell(model, id, JobEvent::Ended(Outcome::Failed(failure)))
    };
    let effects = press(&mut model, "c o k <enter>");
    assert!(screen(&model).contains("keeping it") && !last_message(&model).contains("kept"));
    assert!(press(&mut model, "x <enter>").is_empty(), "it is on its way");
    let read = fails(&mut model, &effects);
    fake.answer(&mut model, read);
    let text = screen(&model);
    assert!(text.contains("note [ok") && text.contains("not saved: the disk is full. Free some."), "{text}");
    // Left meanwhile, its text waits for the field to be opened again.
    let effects = press(&mut model, "<enter> <esc>");
    let read = fails(&mut model, &effects);
    fake.answer(&mut model, read);
    assert!(model.popup.is_none() && last_message(&model).contains("the disk is full"));
    go(&mut fake, &mut model, "c");
    assert!(screen(&model).contains("note [ok"), "{}", screen(&model));
    go(&mut fake, &mut model, "<enter>");
    assert_eq!((last_message(&model), model.context()), ("the note is kept", Context::View(ViewId::Changes)));
    assert_eq!(fake.find("cloudposse/components/aws").pieces[0].mark.note, "ok");
}

/// An answer is confirmed once it is kept.
#[test]
fn an_approval_is_reported_when_the_plan_has_it() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    let effects = press(&mut model, "X");
    assert!(!last_message(&model).contains("rejected"), "{}", last_message(&model));
    fake.answer(&mut model, effects);
    assert!(last_message(&model).starts_with("rejected cloudposse"), "{}", last_message(&model));
}
