//! The pull request of the plan: prepared, held up, sent, stopped, undone, open.

use super::{BOTH, Frames, OPENS, SMALL, State};
use crate::jobs::data::{Failure, FailureKind, Job, JobEvent, Outcome, Subject};
use crate::rules::sending::GateName;
use crate::tui::keymap::ViewId;
use crate::tui::shell::model::Model;
use crate::tui::tests::pulls::{
    arm, armed, make_ready, merged_on_github, opened, passing, planned, ready, sending, stopped_half_way,
    undoing,
};
use crate::tui::tests::{press, tell};

const THREE: &[(u16, u16)] = &[(120, 40), (80, 24), (60, 20)];

pub(super) const FRAMES: Frames = Frames {
    view: "pull",
    empty: State(SMALL, |columns, rows| {
        let mut model = planned(columns, rows);
        model.go_to(ViewId::Pull);
        model
    }),
    loading: State(SMALL, preparing),
    normal: State(THREE, left),
    error: State(SMALL, failed),
    huge: State(SMALL, huge),
    more: &[
        ("unarmed", State(THREE, |columns, rows| ready(columns, rows, None))),
        ("typing", State(THREE, |columns, rows| typing(armed(columns, rows)))),
        ("passing", State(THREE, passing_and_armed)),
        ("failing", State(THREE, |columns, rows| ready(columns, rows, Some(GateName::Seen)))),
        ("sending", State(THREE, sending)),
        ("stopped", State(THREE, stopped_half_way)),
        ("undo", State(BOTH, undoing)),
        ("done", State(THREE, opened)),
        ("merged", State(THREE, merged_on_github)),
    ],
    over: &[("arm", "W a w h y", [OPENS; 5]), ("ask-for", "e", [OPENS; 5])],
    boxes: &[("gate", |columns, rows| {
        let mut model = ready(columns, rows, Some(GateName::Seen));
        press(&mut model, "<enter>");
        model
    })],
};

/// Armed, and the field for the digits was left.
fn left(columns: u16, rows: u16) -> Model {
    let mut model = armed(columns, rows);
    press(&mut model, "<esc>");
    model
}

/// No gate has a note, and the digits can be typed at once.
fn passing_and_armed(columns: u16, rows: u16) -> Model {
    let mut model = passing(columns, rows);
    arm(&mut model);
    model
}

/// A part of the digits is typed.
fn typing(mut model: Model) -> Model {
    press(&mut model, "P 7 c 1");
    model
}

fn preparing(columns: u16, rows: u16) -> Model {
    let mut model = planned(columns, rows);
    press(&mut model, "P");
    model
}

/// GitHub does not answer.
fn failed(columns: u16, rows: u16) -> Model {
    let mut model = preparing(columns, rows);
    let id = model.desk.board.running(|job| matches!(job, Job::Prepare(_))).unwrap().id;
    let failure = Failure::new(FailureKind::Network, "asking GitHub about the registry's repository")
        .cause("api.github.com cannot be reached: the host's name was not found")
        .hint("Do the same again.");
    tell(&mut model, id, JobEvent::Ended(Outcome::Failed(failure)));
    model
}

/// A pull request with every option, and with long texts.
fn huge(columns: u16, rows: u16) -> Model {
    let mut model = preparing(columns, rows);
    let long = |at: usize| format!("a-label-with-a-long-name-{at}");
    make_ready(
        &mut model,
        |made| {
            let Subject::Plan(planned) = &mut made.subject else { return };
            planned.text.title = format!("Manual bump of {} providers", 60);
            planned.text.labels = (0..20).map(long).collect();
            for gate in &mut made.gates {
                gate.evidence = format!("{}, and so on: {}", gate.evidence, "much was found ".repeat(30));
            }
        },
        None,
    );
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
