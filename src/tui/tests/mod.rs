//! The whole console: key strings through `update`, frames of fixed models, sizes, and random keys.

mod activity;
mod backfill;
mod careful;
mod consent;
mod edges;
pub(in crate::tui) mod fake_plan;
mod finding;
mod flows;
mod forms;
mod frames;
mod keys;
pub(crate) mod labels;
mod listing;
mod looks;
mod machines;
mod notes;
mod others;
mod panes;
mod place;
mod pointing;
mod pulls;
mod random;
mod records;
mod review_diff;
mod reviews;
mod seen;
mod sends;
mod sentences;
mod signatures;
mod stranded;
mod triage;
mod verify;
mod walk;
mod ways;
mod words;
pub(in crate::tui) mod world;

use std::sync::Arc;
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::jobs::data::{Job, JobEvent, JobId, Loaded, Opened, Outcome, Summary};
use crate::tui::base::glyphs::Glyphs;
use crate::tui::base::layout::Size;
use crate::tui::keymap::chord::Chord;
use crate::tui::shell::draw::view;
use crate::tui::shell::model::{Model, Options};
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;

/// The code that the random walks test, and the files of the walks: a change in them runs the walks again.
const WALKED: &[&str] = &["src/desk", "src/desk/tests.rs", "src/rules", "src/tui", "src/tui/tests"];

fn options(columns: u16, rows: u16) -> Options {
    Options {
        glyphs: Glyphs::Ascii,
        registry_hint: Some("~/registry".into()),
        ..Options::new(world::now(), Size::new(columns, rows))
    }
}

/// A console that has read this registry.
pub(in crate::tui) fn started(loaded: Loaded, columns: u16, rows: u16) -> Model {
    let mut model = Model::new(options(columns, rows));
    assert!(matches!(model.begin()[..], [Effect::Start(JobId(1), _), Effect::Start(_, Job::Recall)]));
    load(&mut model, JobId(1), loaded);
    model
}

fn load(model: &mut Model, id: JobId, loaded: Loaded) {
    tell(model, id, JobEvent::Loaded(Arc::new(loaded)));
    done(model, id);
}

fn done(model: &mut Model, id: JobId) -> Vec<Effect> {
    tell(model, id, JobEvent::Ended(Outcome::Done(Summary::default())))
}

fn tell(model: &mut Model, id: JobId, event: JobEvent) -> Vec<Effect> {
    update(model, Msg::Job(id, event))
}

/// Moves both clocks forward.
pub(crate) fn later(model: &mut Model, milliseconds: u64) {
    let time = Duration::from_millis(milliseconds);
    let now = model.now.checked_add(time).expect("a time");
    update(model, Msg::Tick { now, uptime: model.uptime + time });
}

/// Presses keys separated by blanks: `j j <enter>`, with a pause before each. Returns all effects.
pub(in crate::tui) fn press(model: &mut Model, keys: &str) -> Vec<Effect> {
    let one = |key: &str| {
        model.keys.swallows = false;
        update(model, Msg::Key(Chord::parse(key).unwrap_or_else(|| panic!("{key}"))))
    };
    keys.split(' ').flat_map(one).collect()
}

/// Answers the last `Open` job that was started.
fn answer(model: &mut Model, effects: &[Effect], opened: Opened) {
    let id = effects
        .iter()
        .rev()
        .find_map(|effect| match effect {
            Effect::Start(id, _) => Some(*id),
            _ => None,
        })
        .expect("a job was started");
    tell(model, id, JobEvent::Opened(Arc::new(opened)));
    done(model, id);
}

/// The frame's cells.
fn drawn(model: &Model) -> Buffer {
    drawn_in(model, (model.size.columns, model.size.rows))
}

/// The frame in a terminal of this size, of which the model has not heard yet.
fn drawn_in(model: &Model, (columns, rows): (u16, u16)) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| view(model, frame)).unwrap();
    terminal.backend().buffer().clone()
}

/// The frame as text.
fn screen(model: &Model) -> String {
    let buffer = drawn(model);
    text(&buffer, buffer.area)
}

/// A part of a frame as text.
fn text(buffer: &Buffer, area: Rect) -> String {
    let mut text = String::new();
    for y in area.y..area.bottom() {
        let row: String = (area.x..area.right()).map(|x| buffer[(x, y)].symbol()).collect();
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}
