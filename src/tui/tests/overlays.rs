//! What stands above a view, in each state that the view below can be in: help, palette, menus, fields and questions.
//!
//! A row of the table says by which keys an overlay opens, and for each state either that it opens, and is drawn, or why it
//! cannot be there; then those keys must leave it closed.

use crate::tui::model::Model;
use crate::tui::tests::sheets::sheet;
use crate::tui::tests::shelf::Shelf;
use crate::tui::tests::{frames, press, records, reviews, started, world};

type Make = fn(u16, u16) -> Model;

/// The states of a view, in the order of the tables' columns.
const STATES: [&str; 5] = ["empty", "loading", "normal", "error", "huge"];

/// It opens in this state.
const OPENS: &str = "";
const NO_REGISTRY: &str = "it is about the list, and no registry was read";
const NO_PLAN: &str = "it asks about a file of the plan, and there is none";
const NO_JOB: &str = "it asks about a job that runs, and none does";

/// An overlay: its name, the keys that open it, and how that goes in each state.
type Overlay = (&'static str, &'static str, [&'static str; 5]);

const OVER_INVENTORY: [Overlay; 7] = [
    ("over-inventory-help", "?", [OPENS; 5]),
    ("over-inventory-palette", ":", [OPENS; 5]),
    ("over-inventory-copy-menu", "y", [OPENS; 5]),
    ("over-inventory-sort", "s", [OPENS, NO_REGISTRY, OPENS, NO_REGISTRY, OPENS]),
    ("over-inventory-views", "F", [OPENS, NO_REGISTRY, OPENS, NO_REGISTRY, OPENS]),
    ("over-inventory-name", "f", [OPENS, NO_REGISTRY, OPENS, NO_REGISTRY, OPENS]),
    ("over-inventory-delete", "f m i n e <enter> <esc> F x", [OPENS, NO_REGISTRY, OPENS, NO_REGISTRY, OPENS]),
];

const OVER_CHANGES: [Overlay; 6] = [
    ("over-changes-help", "?", [OPENS; 5]),
    ("over-changes-palette", ":", [OPENS; 5]),
    ("over-changes-drop", "-", [NO_PLAN, NO_PLAN, OPENS, NO_PLAN, OPENS]),
    ("over-changes-build-one", "r", [NO_PLAN, NO_PLAN, OPENS, NO_PLAN, OPENS]),
    ("over-changes-build-all", "R", [NO_PLAN, NO_PLAN, OPENS, NO_PLAN, OPENS]),
    ("over-changes-note", "j c", [NO_PLAN, NO_PLAN, OPENS, NO_PLAN, OPENS]),
];

const OVER_JOBS: [Overlay; 4] = [
    ("over-jobs-help", "?", [OPENS; 5]),
    ("over-jobs-palette", ":", [OPENS; 5]),
    ("over-jobs-cancel", "g g x", [NO_JOB, NO_JOB, OPENS, NO_JOB, NO_JOB]),
    ("over-jobs-leave", "q", [NO_JOB, NO_JOB, OPENS, NO_JOB, NO_JOB]),
];

fn inventory(state: &str) -> Make {
    match state {
        "empty" => |columns, rows| started(world::registry(Vec::new()), columns, rows),
        "loading" => frames::loading,
        "normal" => |columns, rows| started(world::normal(), columns, rows),
        "error" => frames::failed,
        _ => |columns, rows| started(world::huge(2_000), columns, rows),
    }
}

fn changes(state: &str) -> Make {
    match state {
        "empty" => |columns, rows| reviews::looking(&mut Shelf::default(), columns, rows),
        "loading" => reviews::loading,
        "normal" => |columns, rows| reviews::looking(&mut Shelf::normal(), columns, rows),
        "error" => reviews::unreadable,
        _ => |columns, rows| reviews::looking(&mut Shelf::huge(), columns, rows),
    }
}

fn jobs(state: &str) -> Make {
    match state {
        "empty" => records::none,
        "loading" => records::loading,
        "normal" => records::busy,
        "error" => records::looking,
        _ => records::many,
    }
}

/// Something stands above the view.
fn is_over(model: &Model) -> bool {
    model.popup.is_some() || !model.keys.pending.is_empty()
}

fn sheets_of(overlays: &[Overlay], make: fn(&str) -> Make) {
    for (name, keys, states) in overlays {
        for (state, why) in STATES.into_iter().zip(states) {
            let opened = |columns, rows| {
                let mut model = make(state)(columns, rows);
                press(&mut model, keys);
                assert_eq!(is_over(&model), *why == OPENS, "{name}, {state}: {why}");
                model
            };
            if *why == OPENS {
                sheet(name, state, opened);
            } else {
                opened(120, 40);
            }
        }
    }
}

#[test]
fn overlays_of_the_inventory() {
    sheets_of(&OVER_INVENTORY, inventory);
}

#[test]
fn overlays_of_changes() {
    sheets_of(&OVER_CHANGES, changes);
}

#[test]
fn overlays_of_jobs() {
    sheets_of(&OVER_JOBS, jobs);
}
