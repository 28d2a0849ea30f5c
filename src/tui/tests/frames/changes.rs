//! Changes: a plan's files, and the lines of one of them.

use super::{BOTH, Frames, LARGE, NO_PLAN, OPENS, SMALL, State, after};
use crate::jobs::data::{Failure, FailureKind, Job, JobEvent, Outcome};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::tests::fake_plan::FakePlan;
use crate::tui::tests::reviews::{go, looking};
use crate::tui::tests::{press, started, tell, world};

pub(super) const FRAMES: Frames = Frames {
    view: "changes",
    empty: State(BOTH, |columns, rows| looking(&mut FakePlan::default(), columns, rows)),
    loading: State(SMALL, |columns, rows| after(started(world::normal(), columns, rows), "2")),
    normal: State(BOTH, |columns, rows| reviewing(columns, rows, "j <space> ) ) ) j")),
    error: State(SMALL, unreadable),
    huge: State(LARGE, |columns, rows| looking(&mut FakePlan::huge(), columns, rows)),
    more: &[
        ("lines", State(BOTH, |columns, rows| reviewing(columns, rows, "j <space> ) ) ) <enter> ] ]"))),
        ("held", State(BOTH, |columns, rows| reviewing(columns, rows, ") )"))),
        ("search", State(BOTH, |columns, rows| reviewing(columns, rows, ") ) ) <tab> / l i n u x _ a r m"))),
        ("filtered", State(BOTH, |columns, rows| reviewing(columns, rows, "/ n e w r"))),
        (
            "answered",
            State(LARGE, |columns, rows| reviewing(columns, rows, "j <space> ) j <space> ) j X ) j X")),
        ),
        ("long", State(BOTH, huge)),
        ("side", State(&[(200, 40)], |columns, rows| reviewing(columns, rows, ") ) <enter> t ] j j"))),
    ],
    over: &[
        ("help", "?", [OPENS; 5]),
        ("palette", ": p l a n", [OPENS; 5]),
        ("drop", "-", [NO_PLAN, NO_PLAN, OPENS, NO_PLAN, OPENS]),
        ("build-one", "r", [NO_PLAN, NO_PLAN, OPENS, NO_PLAN, OPENS]),
        ("build-all", "R", [NO_PLAN, NO_PLAN, OPENS, NO_PLAN, OPENS]),
        ("note", "j c o k", [NO_PLAN, NO_PLAN, OPENS, NO_PLAN, OPENS]),
    ],
    boxes: &[("value", value)],
};

/// A plan under review, after these keys.
pub(in crate::tui::tests) fn reviewing(columns: u16, rows: u16, keys: &str) -> Model {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, columns, rows);
    go(&mut fake, &mut model, keys);
    model.message = None;
    model
}

/// A plan that cannot be read.
fn unreadable(columns: u16, rows: u16) -> Model {
    let mut model = started(world::normal(), columns, rows);
    let id = model.desk.board.running(|job| matches!(job, Job::Plan(_))).unwrap().id;
    press(&mut model, "2");
    let failure = Failure::new(FailureKind::Config, "opening the plan")
        .cause("nothing is kept between runs: the folder cannot be written")
        .hint("Name a folder that can be written with --state-dir.");
    tell(&mut model, id, JobEvent::Ended(Outcome::Failed(failure)));
    model
}

/// A plan with hundreds of files, and the lines of one of them.
pub(in crate::tui::tests) fn huge(columns: u16, rows: u16) -> Model {
    let mut fake = FakePlan::huge();
    let mut model = looking(&mut fake, columns, rows);
    go(&mut fake, &mut model, "<enter> z R G k k");
    model
}

/// A checksum that changes, in full: the old value above the new one.
fn value(columns: u16, rows: u16) -> Model {
    let mut model = reviewing(columns, rows, ") ) <enter>");
    let at_sum = |model: &Model| {
        model.views.changes.review.as_ref().is_some_and(|review| review.pane.path().ends_with("shasum"))
    };
    for _ in 0..40 {
        if !at_sum(&model) {
            press(&mut model, "j");
        }
    }
    press(&mut model, "<enter>");
    assert!(matches!(model.popup, Some(Popup::Value(_))));
    model
}

#[test]
fn frames() {
    FRAMES.keep();
}

#[test]
fn every_size() {
    FRAMES.draw_at_every_size();
}
