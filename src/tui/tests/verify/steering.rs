//! Keys that control a running verification, and keys that copy texts about it.

use crate::jobs::data::{Job, JobEvent, Outcome, Steer, Summary};
use crate::tui::shell::msg::Effect;
use crate::tui::tests::verify::made::running;
use crate::tui::tests::{press, screen, tell};

#[test]
fn keys_steer_the_job_and_nothing_else() {
    let mut model = running(120, 40);
    let id = model.desk.run.as_ref().unwrap().job;
    let steer = |is_paused, workers| Effect::Steer(id, Steer { is_paused, workers, ..Steer::default() });
    assert_eq!(press(&mut model, "space"), [steer(true, None)]);
    assert_eq!(model.message.as_ref().unwrap().text, "paused; running downloads finish; Space resumes");
    assert_eq!(press(&mut model, "> <"), [steer(true, Some(7)), steer(true, Some(6))]);
    assert_eq!(press(&mut model, "space"), [steer(false, Some(6))]);
    for _ in 0..20 {
        press(&mut model, "<");
    }
    assert_eq!(press(&mut model, "<"), [steer(false, Some(1))]);
    assert!(model.message.as_ref().unwrap().text.contains("1 download at once, the fewest"));
    assert!(press(&mut model, "V").is_empty());
    assert_eq!(
        model.message.as_ref().unwrap().text,
        "V: one verification at a time, and one is running; x stops it"
    );
    assert_eq!(press(&mut model, "x"), [Effect::Cancel(id)]);
    assert!(press(&mut model, "x").is_empty());
    press(&mut model, "1 V");
    assert_eq!(model.message.as_ref().unwrap().text, "V: the verification is stopping");
    tell(&mut model, id, JobEvent::Ended(Outcome::Cancelled(Summary::default())));
    assert!(
        model
            .message
            .as_ref()
            .unwrap()
            .text
            .contains("what is finished stays in the report; V in Verify verifies the rest")
    );
    assert!(press(&mut model, "4 space").is_empty());
    assert_eq!(
        model.message.as_ref().unwrap().text,
        "space: no verification is running".replace("space", "Space")
    );
    let effects = press(&mut model, "V");
    assert!(matches!(&effects[..], [Effect::Start(_, Job::Verify(_))]), "{effects:?}");
    assert!(model.message.as_ref().unwrap().text.contains("not downloaded again"));
}

#[test]
fn it_stops_at_the_next_bad_row_on_request() {
    let mut model = running(120, 40);
    let id = model.desk.run.as_ref().unwrap().job;
    let steer = |stops| Effect::Steer(id, Steer { stops_at_bad: Some(stops), ..Steer::default() });
    assert!(screen(&model).contains("2 bad targets found; the run continues; S stops at the next"));
    assert_eq!(press(&mut model, "S"), [steer(true)]);
    assert_eq!(model.message.as_ref().unwrap().text, "it stops at the next bad target; S lets it continue");
    model.message = None;
    assert!(screen(&model).contains("2 bad targets found; it stops at the next"));
    assert_eq!(press(&mut model, "S"), [steer(false)]);
    tell(&mut model, id, JobEvent::Ended(Outcome::Done(Summary::default())));
    assert!(press(&mut model, "S").is_empty());
    assert_eq!(model.message.as_ref().unwrap().text, "S: no verification is running");
}

#[test]
fn the_path_of_the_report_is_copied() {
    let mut model = running(120, 40);
    let report = "/home/ada/.local/state/bumpdesk/verify/7c1e9a.jsonl";
    assert_eq!(press(&mut model, "y p"), [Effect::Copy(report.into())]);
}
