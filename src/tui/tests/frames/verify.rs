//! Verify: before, during and after a run.

use super::{BOTH, Frames, SMALL, State};
use crate::tui::tests::verify::made::{
    beginning, empty, failed, filtered, huge, open, row_whole, running, stopped,
};

pub(super) const FRAMES: Frames = Frames {
    view: "verify",
    empty: State(SMALL, empty),
    loading: State(SMALL, |columns, rows| beginning(columns, rows).0),
    normal: State(BOTH, running),
    error: State(SMALL, failed),
    huge: State(BOTH, huge),
    more: &[
        ("detail", State(BOTH, row_whole)),
        ("stopped", State(BOTH, stopped)),
        ("filtered", State(BOTH, filtered)),
        ("open", State(BOTH, open)),
    ],
    over: &[],
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
