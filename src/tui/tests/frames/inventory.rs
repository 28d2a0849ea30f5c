//! The Inventory, and the screens that stand in its place while there is no list.

use std::time::Duration;

use super::{BOTH, Frames, LARGE, NO_REGISTRY, OPENS, SMALL, State, after, pressed};
use crate::jobs::data::{Failure, FailureKind, JobEvent, JobId, Outcome, Phase, Progress};
use crate::tui::shell::model::Model;
use crate::tui::tests::{activity, options, started, tell, triage, world};

pub(super) const FRAMES: Frames = Frames {
    view: "inventory",
    empty: State(BOTH, |columns, rows| started(world::registry(Vec::new()), columns, rows)),
    loading: State(SMALL, loading),
    normal: State(BOTH, |columns, rows| {
        let marked = "/ n e w r e l i c <enter> <space> <esc> g g j j <space> / h a s h i c o r p <enter> j";
        after(pressed(columns, rows, marked), "<space> <esc> <esc> <space> j <space>")
    }),
    error: State(SMALL, failed),
    huge: State(BOTH, |columns, rows| after(started(world::huge(27_463), columns, rows), "G k k")),
    more: &[
        ("missing", State(BOTH, missing)),
        ("unchecked", State(BOTH, |columns, rows| started(world::unchecked(), columns, rows))),
        ("grouped", State(BOTH, |columns, rows| pressed(columns, rows, "s S j j j j z a j j v j j"))),
        (
            "filter",
            State(BOTH, |columns, rows| {
                pressed(columns, rows, "A / s t a t u s : b e h , g h o s t <space> ! x : y")
            }),
        ),
        ("nothing", State(BOTH, |columns, rows| pressed(columns, rows, "<space> / n s : h a s h i <enter>"))),
        ("survey", State(LARGE, surveying)),
        (
            "activity",
            State(LARGE, |columns, rows| {
                activity::counted(world::normal(), Some(activity::FILES), (columns, rows))
            }),
        ),
        ("shallow", State(LARGE, |columns, rows| activity::counted(world::normal(), None, (columns, rows)))),
    ],
    over: &[
        ("help", "?", [OPENS; 5]),
        ("palette", ":", [OPENS; 5]),
        ("copy-menu", "y", [OPENS; 5]),
        ("sort", "s j", [OPENS, NO_REGISTRY, OPENS, NO_REGISTRY, OPENS]),
        ("views", "F", [OPENS, NO_REGISTRY, OPENS, NO_REGISTRY, OPENS]),
        ("name", "f", [OPENS, NO_REGISTRY, OPENS, NO_REGISTRY, OPENS]),
        (
            "delete",
            "/ a w s <enter> f m i n e <enter> <esc> F x",
            [OPENS, NO_REGISTRY, OPENS, NO_REGISTRY, OPENS],
        ),
    ],
    boxes: &[
        ("help-search", |columns, rows| pressed(columns, rows, "? m a r k")),
        ("palette-search", |columns, rows| pressed(columns, rows, ": s u r v down down")),
        ("palette-address", |columns, rows| pressed(columns, rows, ": a u t h 0 / a u t h 0 @ 1 . 5 8 . 0")),
        ("palette-nothing", |columns, rows| pressed(columns, rows, ": x y z z y")),
        ("views-two", |columns, rows| {
            pressed(columns, rows, "/ n s : n e w r e l i c <enter> s b f m i n e <enter> <esc> F")
        }),
        ("name-taken", |columns, rows| pressed(columns, rows, "/ a w s <enter> f a l l <enter>")),
        ("triage-first", triage::first),
        ("triage", triage::whole),
        ("verify", |columns, rows| pressed(columns, rows, "/ n e w r e l i c <enter> V")),
    ],
};

fn progress() -> Progress {
    Progress {
        phase: Phase::Tags,
        done: 12_345,
        total: 27_463,
        failed: 3,
        requests: 14_002,
        rate: 58.2,
        left: Some((Duration::from_mins(4), Duration::from_secs(380))),
        waiting: None,
    }
}

pub(super) fn surveying(columns: u16, rows: u16) -> Model {
    let mut model = pressed(columns, rows, "j j R");
    tell(&mut model, JobId(2), JobEvent::Progress(progress()));
    model
}

/// The screen when no registry was found.
pub(super) fn missing(columns: u16, rows: u16) -> Model {
    let mut options = options(columns, rows);
    options.registry_hint = None;
    Model::new(options)
}

pub(super) fn loading(columns: u16, rows: u16) -> Model {
    let mut model = Model::new(options(columns, rows));
    model.begin();
    let progress = Progress { phase: Phase::Reading, failed: 0, rate: 0.0, left: None, ..progress() };
    tell(&mut model, JobId(1), JobEvent::Progress(progress));
    model
}

pub(super) fn failed(columns: u16, rows: u16) -> Model {
    let mut model = Model::new(options(columns, rows));
    model.begin();
    let failure = Failure::new(FailureKind::Data, "reading the registry")
        .cause("`~/registry` has no folder `providers`")
        .cause("it is not a checkout of the registry")
        .hint("Name a checkout with `--registry`, or try `bumpdesk demo`.");
    tell(&mut model, JobId(1), JobEvent::Ended(Outcome::Failed(failure)));
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
