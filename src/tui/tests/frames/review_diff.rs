//! The lines of a pull request.

use super::{BOTH, Frames, LARGE, SMALL, State};
use crate::tui::tests::review_diff::states::{empty, error, huge, loading, normal, upstream};

pub(super) const FRAMES: Frames = Frames {
    view: "review-diff",
    empty: State(SMALL, empty),
    loading: State(SMALL, loading),
    normal: State(BOTH, normal),
    error: State(SMALL, error),
    huge: State(LARGE, huge),
    more: &[("upstream", State(SMALL, upstream))],
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
