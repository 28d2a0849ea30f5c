//! Reviews: pull requests of others.

use super::{Frames, LARGE, NO_JOB, OPENS, SMALL, State};
use crate::tui::tests::others::states::{empty, failed, filtered, huge, listed, loading, whole};

const NO_ROW: &str = "it is about a pull request, and none is listed";

const THREE: &[(u16, u16)] = &[(120, 40), (80, 24), (60, 20)];

pub(super) const FRAMES: Frames = Frames {
    view: "reviews",
    empty: State(SMALL, empty),
    loading: State(SMALL, loading),
    normal: State(THREE, listed),
    error: State(SMALL, failed),
    huge: State(LARGE, huge),
    more: &[
        ("whole", State(THREE, whole)),
        ("filtered", State(SMALL, filtered)),
        ("many", State(&[(80, 24)], huge)),
    ],
    over: &[
        ("verdict", "Y tab w o r d s", [NO_ROW, NO_ROW, OPENS, NO_ROW, OPENS]),
        ("help", "?", [OPENS; 5]),
        ("leave", "q", [NO_JOB, OPENS, NO_JOB, NO_JOB, OPENS]),
    ],
    boxes: &[],
};

#[test]
fn frames() {
    FRAMES.keep();
}

#[test]
fn every_size() {
    FRAMES.draw_at_every_size();
}
