//! Stranded: what no bump brings by itself.

use super::{BOTH, Frames, LARGE, NO_JOB, OPENS, SMALL, State};
use crate::tui::tests::press;
use crate::tui::tests::stranded::{empty, failed, huge, loading, marked, normal, whole};

const THREE: &[(u16, u16)] = &[(120, 40), (80, 24), (60, 20)];
const NOTHING: &str = "nothing is stranded that could be ignored";

pub(super) const FRAMES: Frames = Frames {
    view: "stranded",
    empty: State(SMALL, empty),
    loading: State(SMALL, loading),
    normal: State(THREE, normal),
    error: State(SMALL, failed),
    huge: State(LARGE, huge),
    more: &[("whole", State(THREE, whole)), ("marked", State(BOTH, marked))],
    over: &[
        ("ignore", "i 9 0 d", [NOTHING, NOTHING, OPENS, NOTHING, OPENS]),
        ("leave", "q", [NO_JOB, NO_JOB, NO_JOB, NO_JOB, NO_JOB]),
    ],
    boxes: &[("message", |columns, rows| {
        let mut model = normal(columns, rows);
        press(&mut model, "l l m");
        model
    })],
};

#[test]
fn frames() {
    FRAMES.keep();
}

#[test]
fn every_size() {
    FRAMES.draw_at_every_size();
}
