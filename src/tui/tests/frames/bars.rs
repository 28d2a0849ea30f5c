//! The header and the footer at every size class, above and below each view, and with all that they can show.

use std::fmt::Write as _;

use super::{Make, SIZES, VIEWS, after, inventory, keep, pressed};
use crate::jobs::data::{LimitLeft, Loaded};
use crate::settings::{ColorDepth, ThemeText};
use crate::tui::base::layout;
use crate::tui::base::layout::{Area, Frame};
use crate::tui::base::theme::Themes;
use crate::tui::shell::footer;
use crate::tui::shell::model::Model;
use crate::tui::tests::fake_plan::FakePlan;
use crate::tui::tests::keys::with_keys;
use crate::tui::tests::reviews::{go, looking};
use crate::tui::tests::verify::made::running;
use crate::tui::tests::{drawn, records, started, text, world};

/// The cases besides the views: faults, running jobs, and texts being typed.
pub(super) const CASES: [(&str, Make); 12] = [
    ("no registry", inventory::missing),
    ("reading", inventory::loading),
    ("not read", inventory::failed),
    ("survey", inventory::surveying),
    ("verification", |columns, rows| after(running(columns, rows), "1")),
    ("two jobs", |columns, rows| after(records::busy(columns, rows), "1")),
    ("a key file that is wrong", |columns, rows| {
        with_keys("[inventory]\nsort = \"d\"\nfilters = \"f\"\n", columns, rows)
    }),
    ("a theme that is wrong", |columns, rows| {
        let text = Ok("[roles]\nkye = {}".into());
        let mine = ThemeText { name: "mine".into(), path: "/c/mine.toml".into(), text };
        let mut model = started(world::normal(), columns, rows);
        model.options.themes = Themes::new(&[mine], ColorDepth::True);
        model
    }),
    ("nothing kept, no token", |columns, rows| {
        started(Loaded { keeps: false, has_token: false, ..world::normal() }, columns, rows)
    }),
    ("account and limit", |columns, rows| {
        let mut model = inventory::surveying(columns, rows);
        model.desk.account = Some("wren-demo".into());
        let limit = LimitLeft { resource: "core".into(), limit: 5_000, remaining: 4_812, resets_at: None };
        model.desk.api_limit = Some(limit);
        model
    }),
    ("a filter", |columns, rows| pressed(columns, rows, "/ n s : a w")),
    ("a refusal, and a sequence", |columns, rows| after(pressed(columns, rows, "x"), "y")),
];

pub(super) const NAMES: [&str; 2] = ["bars-header", "bars-footer"];

/// This part of every frame, case by case.
fn lines(part: fn(&Frame) -> Area) -> String {
    let mut sheet = String::new();
    for (columns, rows) in SIZES {
        writeln!(sheet, "==== {columns}x{rows}").unwrap();
        let mut add = |name: &str, model: &Model| {
            let frame = layout::frame(model.size);
            let told = text(&drawn(model), part(&frame));
            write!(sheet, "-- {name}\n{told}").unwrap();
        };
        for frames in VIEWS {
            add(frames.view, &frames.normal.1(columns, rows));
        }
        for (name, make) in CASES {
            add(name, &make(columns, rows));
        }
    }
    sheet
}

#[test]
fn header() {
    keep(NAMES[0], &lines(|frame| frame.header));
}

#[test]
fn footer() {
    keep(NAMES[1], &lines(|frame| frame.message.union(frame.hints)));
}

/// The keys of the place come first, by use, then those that work everywhere, and last those that take something away.
#[test]
fn hints_stand_by_use_and_what_destroys_comes_last() {
    for (columns, rows) in SIZES {
        let views = VIEWS.iter().map(|frames| (frames.view, frames.normal.1));
        for (name, make) in views.chain(CASES) {
            let model = make(columns, rows);
            let hints = footer::hints_that_fit(&model);
            assert!(hints.len() <= 10, "{name} at {columns}x{rows} has {}", hints.len());
            assert!(hints.is_sorted_by_key(|hint| hint.group), "{name} at {columns}x{rows}");
            let end = hints.last().map_or(0, |hint| hint.cells.end);
            assert!(end <= usize::from(columns), "{name} at {columns}x{rows} ends at {end}");
        }
    }
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    go(&mut fake, &mut model, ") <enter> z R G");
    let keys: Vec<String> = footer::hints_that_fit(&model).iter().map(|hint| hint.bound.key()).collect();
    assert_eq!([&keys[0], &keys[keys.len() - 1]], ["Space", "X"], "{keys:?}");
}
