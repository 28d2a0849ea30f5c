//! Jobs: those that run, those that ran, and the log.

use super::{BOTH, Frames, LARGE, NO_JOB, OPENS, SMALL, State, after, pressed};
use crate::tui::tests::machines::{done, failed, under_way};
use crate::tui::tests::records::{busy, looking, many, none, watching};

const THREE: &[(u16, u16)] = &[(120, 40), (80, 24), (60, 20)];

pub(super) const FRAMES: Frames = Frames {
    view: "jobs",
    empty: State(SMALL, none),
    loading: State(SMALL, |columns, rows| pressed(columns, rows, "8")),
    normal: State(BOTH, |columns, rows| after(busy(columns, rows), "j")),
    error: State(BOTH, looking),
    huge: State(LARGE, |columns, rows| after(many(columns, rows), "G k")),
    more: &[
        ("watching", State(BOTH, watching)),
        ("run-under-way", State(BOTH, under_way)),
        ("run-failed", State(THREE, |columns, rows| after(failed(columns, rows), "<enter>"))),
        ("run-done", State(SMALL, done)),
        ("log", State(BOTH, |columns, rows| after(looking(columns, rows), "j <enter> !"))),
    ],
    over: &[
        ("help", "?", [OPENS; 5]),
        ("palette", ":", [OPENS; 5]),
        ("cancel", "g g x", [NO_JOB, NO_JOB, OPENS, NO_JOB, NO_JOB]),
        ("leave", "q", [NO_JOB, NO_JOB, OPENS, NO_JOB, NO_JOB]),
    ],
    boxes: &[("run-log", |columns, rows| after(failed(columns, rows), "<enter> <enter>"))],
};

#[test]
fn frames() {
    FRAMES.keep();
}

#[test]
fn every_size() {
    FRAMES.draw_at_every_size();
}
