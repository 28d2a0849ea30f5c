//! Frames of fixed models as text. Each view tells its own states in a file of its own: how each is made, at which sizes it
//! is kept, and what can stand over it. They are kept without header and footer, which [`bars`] keeps, and boxes without
//! what is under them; [`whole`] keeps a few screens as they are. Colours are [`colours`]'. Every state is drawn at every
//! size besides, and nothing of that is kept.

mod backfill;
mod bars;
pub(super) mod changes;
mod colours;
mod diff;
pub(super) mod entry;
pub(super) mod inventory;
mod jobs;
mod others;
mod pull;
mod review_diff;
mod stranded;
mod verify;
mod whole;

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use ratatui::buffer::Buffer;

use crate::tui::base::layout;
use crate::tui::base::layout::{Area, Size};
use crate::tui::base::theme::Role;
use crate::tui::keymap;
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Msg;
use crate::tui::shell::update::update;
use crate::tui::tests::{drawn, drawn_in, press, screen, started, text, world};

/// One of each class of size.
pub(super) const SIZES: [(u16, u16); 4] = [(120, 40), (80, 24), (60, 20), (40, 12)];
/// Two panes and one.
const BOTH: &[(u16, u16)] = &[(120, 40), (60, 20)];
/// Lines that are the same at every size, or nearly.
const LARGE: &[(u16, u16)] = &[(120, 40)];
/// A few sentences, which only a narrow screen breaks.
const SMALL: &[(u16, u16)] = &[(60, 20)];

type Make = fn(u16, u16) -> Model;

/// The sizes at which a state is kept, and the function that makes it.
pub(super) struct State(&'static [(u16, u16)], Make);

/// All states of a view. None of the five can be left out.
pub(super) struct Frames {
    view: &'static str,
    empty: State,
    loading: State,
    normal: State,
    error: State,
    huge: State,
    /// States that only this view has.
    more: &'static [(&'static str, State)],
    over: &'static [Over],
    /// Boxes over the view in one state only.
    boxes: &'static [(&'static str, Make)],
}

/// Something that opens over a view: its name, the keys, and for each of the five states either that it opens, or why it
/// cannot; then those keys must leave it closed.
type Over = (&'static str, &'static str, [&'static str; 5]);

const OPENS: &str = "";
const NO_REGISTRY: &str = "it is about the list, and no registry was read";
const NO_PLAN: &str = "it asks about a file of the plan, and there is none";
const NO_JOB: &str = "it asks about a job that runs, and none does";

const VIEWS: [&Frames; keymap::VIEWS.len()] = [
    &inventory::FRAMES,
    &entry::FRAMES,
    &diff::FRAMES,
    &changes::FRAMES,
    &pull::FRAMES,
    &others::FRAMES,
    &review_diff::FRAMES,
    &verify::FRAMES,
    &backfill::FRAMES,
    &stranded::FRAMES,
    &jobs::FRAMES,
];

/// One snapshot in `snapshots/`.
fn keep(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// The list of every status after these keys.
fn pressed(columns: u16, rows: u16, keys: &str) -> Model {
    after(started(world::normal(), columns, rows), keys)
}

fn after(mut model: Model, keys: &str) -> Model {
    press(&mut model, keys);
    model
}

/// Something stands above the view.
fn is_covered(model: &Model) -> bool {
    model.popup.is_some() || !model.keys.pending.is_empty()
}

/// Where the box stands that is above the view: no other cell has its ground.
fn covered(model: &Model, buffer: &Buffer) -> Area {
    let paper = model.theme.style(Role::Popup).bg.expect("the usual theme has a ground for boxes");
    let cells = buffer.area.positions().filter(|place| buffer[*place].bg == paper);
    let area = cells.map(|place| Area::new(place.x, place.y, 1, 1)).reduce(Area::union);
    area.expect("there is a box")
}

impl Frames {
    fn states(&self) -> [(&'static str, &State); 5] {
        [
            ("empty", &self.empty),
            ("loading", &self.loading),
            ("normal", &self.normal),
            ("error", &self.error),
            ("huge", &self.huge),
        ]
    }

    fn all_states(&self) -> impl Iterator<Item = (&'static str, &State)> {
        self.states().into_iter().chain(self.more.iter().map(|(case, state)| (*case, state)))
    }

    fn state_name(&self, case: &str, (columns, rows): (u16, u16)) -> String {
        format!("{}-{case}-{columns}x{rows}", self.view)
    }

    fn over_name(&self, name: &str) -> String {
        format!("{}-over-{name}", self.view)
    }

    fn box_name(&self, name: &str) -> String {
        format!("{}-box-{name}", self.view)
    }

    /// All that is kept of it.
    fn names(&self) -> impl Iterator<Item = String> {
        let of_state = |(case, state): (&str, &State)| -> Vec<String> {
            state.0.iter().map(|size| self.state_name(case, *size)).collect()
        };
        let over = self.over.iter().map(|(name, ..)| self.over_name(name));
        let boxes = self.boxes.iter().map(|(name, _)| self.box_name(name));
        self.all_states().flat_map(of_state).chain(over).chain(boxes)
    }

    /// Compares the view in its states, and the boxes over it, with what is kept.
    fn keep(&self) {
        let view = self.view;
        for (case, State(sizes, make)) in self.all_states() {
            for &(columns, rows) in *sizes {
                let model = make(columns, rows);
                let body = text(&drawn(&model), layout::frame(model.size).body);
                assert!(!is_covered(&model), "{view}-{case}: a box hides a part of it");
                keep(&self.state_name(case, (columns, rows)), &body);
            }
        }
        for (name, keys, states) in self.over {
            let mut sheet = Sheet::default();
            for ((state, State(_, make)), why) in self.states().into_iter().zip(states) {
                for &(columns, rows) in BOTH {
                    let model = after(make(columns, rows), keys);
                    assert_eq!(is_covered(&model), *why == OPENS, "{view}, {name}, {state}: {why}");
                    if *why == OPENS {
                        sheet.add(&format!("{state} {columns}x{rows}"), &model);
                    }
                }
            }
            keep(&self.over_name(name), &sheet.text);
        }
        for (name, make) in self.boxes {
            let mut sheet = Sheet::default();
            for &(columns, rows) in BOTH {
                sheet.add(&format!("{columns}x{rows}"), &make(columns, rows));
            }
            keep(&self.box_name(name), &sheet.text);
        }
    }

    /// Every model of the view: in each state, and under each box.
    fn models(&self) -> impl Iterator<Item = (String, Model)> {
        let view = self.view;
        let states = self.all_states().map(|(case, State(_, make))| (case, make(120, 40)));
        let over = self.over.iter().map(|(name, keys, _)| (*name, after(self.normal.1(120, 40), keys)));
        let boxes = self.boxes.iter().map(|(name, make)| (*name, make(120, 40)));
        states.chain(over).chain(boxes).map(move |(name, model)| (format!("{view}, {name}"), model))
    }

    /// Every size up to 40x12, and some up to 300x100: drawn without a panic; from 40x12 up the mode and the keys are told,
    /// and a box hides neither.
    fn draw_at_every_size(&self) {
        let small = || (1..=40u16).flat_map(|columns| (1..=12u16).map(move |rows| (columns, rows)));
        let large = [
            (41, 13),
            (52, 12),
            (40, 60),
            (55, 19),
            (69, 23),
            (69, 24),
            (70, 23),
            (70, 24),
            (99, 29),
            (109, 29),
            (109, 30),
            (110, 29),
            (110, 30),
            (160, 12),
            (132, 50),
            (300, 40),
            (300, 100),
        ];
        for (name, mut model) in self.models() {
            for (columns, rows) in small().chain(large) {
                update(&mut model, Msg::Resize(Size::new(columns, rows)));
                let text = screen(&model);
                let is_plain = text.is_ascii();
                assert!(is_plain, "{name} at {columns}x{rows} is not drawn with the plain glyphs\n{text}");
                if columns >= 40 && rows >= 12 {
                    let lines: Vec<&str> = text.lines().collect();
                    let mode = ["READ-ONLY", "ARMED until"].iter().any(|mode| lines[1].contains(mode));
                    assert!(mode, "{name} at {columns}x{rows}\n{text}");
                    let hints = lines[usize::from(rows) - 1].trim();
                    assert!(hints.contains(' '), "no keys for {name} at {columns}x{rows}\n{text}");
                } else {
                    let told = text.trim();
                    let is_whole = columns < 20
                        || rows < 6
                        || told.split_whitespace().collect::<Vec<_>>().join(" ").ends_with("needs no window")
                        || told.contains('[');
                    assert!(is_whole || model.is_moving(), "{name} at {columns}x{rows}\n{text}");
                    assert!(columns < 4 || !told.is_empty(), "{name} at {columns}x{rows}");
                }
            }
            // The terminal became smaller after the last size that the model has heard of.
            for size in [(1, 1), (60, 20), (300, 99), (299, 100)] {
                drawn_in(&model, size);
            }
        }
    }
}

/// Boxes in one file, each that is the same as an earlier one by that one's name.
#[derive(Default)]
struct Sheet {
    text: String,
    seen: HashMap<String, String>,
}

impl Sheet {
    fn add(&mut self, name: &str, model: &Model) {
        let buffer = drawn(model);
        let (area, body) = (covered(model, &buffer), layout::frame(model.size).body);
        assert_eq!(area.intersection(body), area, "{name}: it hides a part of header or footer");
        let text = text(&buffer, area);
        if let Some(same) = self.seen.get(&text) {
            writeln!(self.text, "==== {name}: as {same}").unwrap();
        } else {
            writeln!(self.text, "==== {name}\n{text}").unwrap();
            self.seen.insert(text, name.to_owned());
        }
    }
}

/// A state that is gone leaves no snapshot behind.
#[test]
#[expect(clippy::disallowed_methods, reason = "it lists what is kept")]
fn nothing_else_is_kept() {
    let views = VIEWS.iter().flat_map(|frames| frames.names());
    let made: BTreeSet<String> =
        views.chain(whole::names()).chain(bars::NAMES.map(str::to_owned)).chain(colours::names()).collect();
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots")).unwrap();
    let files = folder.map(|file| file.unwrap().file_name().into_string().unwrap());
    let kept: BTreeSet<String> = files.map(|name| name.trim_end_matches(".snap").to_owned()).collect();
    let differ: Vec<&String> = kept.symmetric_difference(&made).collect();
    assert!(differ.is_empty(), "kept and not made, or made and not kept: {differ:?}");
}
