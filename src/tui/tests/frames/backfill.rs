//! Backfill: before, during and after a run.

use super::{BOTH, Frames, SMALL, State};
use crate::tui::tests::backfill::{
    beginning, empty, failed, filtered, form, form_wrong, huge, over, running, whole,
};

const THREE: &[(u16, u16)] = &[(120, 40), (80, 24), (60, 20)];
const NOT_RUNNING: &str = "it asks about a backfill that runs, and none does";

pub(super) const FRAMES: Frames = Frames {
    view: "backfill",
    empty: State(SMALL, empty),
    loading: State(SMALL, |columns, rows| beginning(columns, rows).0),
    normal: State(THREE, running),
    error: State(SMALL, failed),
    huge: State(BOTH, huge),
    more: &[
        ("whole", State(BOTH, whole)),
        ("over", State(BOTH, over)),
        ("form", State(THREE, form)),
        ("wrong", State(BOTH, form_wrong)),
        ("filtered", State(BOTH, filtered)),
    ],
    over: &[("cancel", "x", [NOT_RUNNING, super::OPENS, super::OPENS, NOT_RUNNING, NOT_RUNNING])],
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
