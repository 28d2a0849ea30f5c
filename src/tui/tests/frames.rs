//! Frames of fixed models as text, at the four sizes of the design, and every size without a panic.

use std::sync::Arc;
use std::time::Duration;

use crate::jobs::{Failure, FailureKind, JobEvent, JobId, Outcome, Phase, Progress};
use crate::rules::{Status, Verdict};
use crate::tui::glyphs::Glyphs;
use crate::tui::layout::Size;
use crate::tui::model::Model;
use crate::tui::msg::Msg;
use crate::tui::tests::sheets::look;
use crate::tui::tests::{answer, options, press, screen, started, tell, world};
use crate::tui::update::update;

pub(super) const SIZES: [(u16, u16); 4] = [(120, 40), (80, 24), (60, 20), (40, 12)];

/// Draws one case at the four sizes into `snapshots/`.
pub(super) fn snapshots(name: &str, case: &str, make: impl Fn(u16, u16) -> Model) {
    snapshots_at(&SIZES, name, case, make);
}

/// Draws one case at some sizes.
pub(super) fn snapshots_at(sizes: &[(u16, u16)], name: &str, case: &str, make: impl Fn(u16, u16) -> Model) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for &(columns, rows) in sizes {
            let model = make(columns, rows);
            insta::assert_snapshot!(format!("{name}-{case}-{columns}x{rows}"), screen(&model));
        }
    });
    look(name, case, sizes, make);
}

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
    let mut model = started(world::normal(), columns, rows);
    press(&mut model, "j j R");
    tell(&mut model, JobId(2), JobEvent::Progress(progress()));
    model
}

pub(super) fn with_diff(columns: u16, rows: u16) -> Model {
    let mut model = started(world::normal(), columns, rows);
    let effects = press(&mut model, "d");
    let address = model.subject().unwrap().to_string();
    answer(&mut model, &effects, world::opened(&address));
    model
}

pub(super) fn with_entry(columns: u16, rows: u16) -> Model {
    let mut model = started(world::normal(), columns, rows);
    press(&mut model, "/ n e w r e l i c <enter>");
    let effects = press(&mut model, "<enter>");
    answer(&mut model, &effects, world::opened("newrelic/newrelic"));
    model
}

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
    let failure = Failure {
        kind: FailureKind::Data,
        doing: "reading the registry".into(),
        causes: vec![
            "`~/registry` has no folder `providers`".into(),
            "it is no checkout of the registry".into(),
        ],
        hint: Some("Name a checkout with `--registry`, or try `bumpdesk demo`.".into()),
    };
    tell(&mut model, JobId(1), JobEvent::Ended(Outcome::Failed(failure)));
    model
}

#[test]
fn inventory_frames() {
    snapshots("inventory", "missing", missing);
    snapshots("inventory", "loading", loading);
    snapshots("inventory", "error", failed);
    snapshots("inventory", "empty", |columns, rows| started(world::registry(Vec::new()), columns, rows));
    snapshots("inventory", "unchecked", |columns, rows| started(world::unchecked(), columns, rows));
    snapshots("inventory", "normal", |columns, rows| {
        let mut model = started(world::normal(), columns, rows);
        press(&mut model, "/ n e w r e l i c <enter> <space> <esc>");
        press(&mut model, "g g j j <space> / h a s h i c o r p <enter> j <space> <esc> <esc>");
        press(&mut model, "<space> j <space>");
        model
    });
    snapshots("inventory", "survey", surveying);
    snapshots("inventory", "filter", |columns, rows| {
        let mut model = started(world::normal(), columns, rows);
        press(&mut model, "A / s t a t u s : b e h , g h o s t <space> ! x : y");
        model
    });
    snapshots("inventory", "huge", |columns, rows| {
        let mut model = started(world::huge(27_463), columns, rows);
        press(&mut model, "G k k");
        model
    });
}

#[test]
fn entry_diff_and_overlay_frames() {
    snapshots("entry", "normal", with_entry);
    snapshots("entry", "opening", |columns, rows| {
        let mut model = started(world::normal(), columns, rows);
        press(&mut model, "<enter>");
        model
    });
    snapshots("diff", "normal", with_diff);
    snapshots("diff", "open", |columns, rows| {
        let mut model = with_diff(columns, rows);
        press(&mut model, "z R j j j j j j j j w");
        model
    });
    snapshots("diff", "building", |columns, rows| {
        let mut model = started(world::normal(), columns, rows);
        press(&mut model, "d");
        model
    });
    snapshots("help", "inventory", |columns, rows| {
        let mut model = started(world::normal(), columns, rows);
        press(&mut model, "?");
        model
    });
    snapshots("inventory", "grouped", |columns, rows| {
        let mut model = started(world::normal(), columns, rows);
        press(&mut model, "s S j j j j z a j j v j j");
        model
    });
    snapshots("inventory", "nothing", |columns, rows| {
        let mut model = started(world::normal(), columns, rows);
        press(&mut model, "<space> / n s : h a s h i <enter>");
        model
    });
    snapshots("views", "list", |columns, rows| {
        let mut model = started(world::normal(), columns, rows);
        press(&mut model, "/ n s : n e w r e l i c <enter> s b f m i n e <enter> <esc> F");
        model
    });
    snapshots("views", "name", |columns, rows| {
        let mut model = started(world::normal(), columns, rows);
        press(&mut model, "/ a w s <enter> f a l l <enter>");
        model
    });
    snapshots("views", "delete", |columns, rows| {
        let mut model = started(world::normal(), columns, rows);
        press(&mut model, "/ a w s <enter> f m i n e <enter> <esc> F x");
        model
    });
    snapshots("sort", "menu", |columns, rows| {
        let mut model = started(world::normal(), columns, rows);
        press(&mut model, "s j");
        model
    });
}

#[test]
fn every_size_is_drawn_without_a_panic() {
    let cases: [fn(u16, u16) -> Model; 8] = [
        missing,
        loading,
        failed,
        surveying,
        with_entry,
        with_diff,
        |columns, rows| {
            let mut model = with_diff(columns, rows);
            press(&mut model, "w z R G ?");
            model
        },
        |columns, rows| {
            let mut model = started(world::hostile(), columns, rows);
            press(&mut model, "s j");
            model
        },
    ];
    for make in cases {
        let mut model = make(120, 40);
        let small = (1..=45u16)
            .step_by(2)
            .flat_map(|columns| (1..=16u16).step_by(3).map(move |rows| (columns, rows)));
        let large = (46..=130u16)
            .step_by(12)
            .flat_map(|columns| (17..=45u16).step_by(7).map(move |rows| (columns, rows)));
        for (columns, rows) in small.chain(large) {
            update(&mut model, Msg::Resize(Size::new(columns, rows)));
            let text = screen(&model);
            if columns >= 40 && rows >= 12 && model.popup.is_none() {
                assert!(text.contains("help") || model.popup.is_some(), "{columns}x{rows}\n{text}");
            }
        }
    }
}

#[test]
fn every_status_is_told_apart_without_colour() {
    let with_keys = || {
        let mut loaded = world::normal();
        let last = loaded.verdicts.last_mut().unwrap();
        *last = Verdict { status: Status::KeyMismatch, ..last.clone() };
        loaded
    };
    let loaded = with_keys();
    for status in Status::words() {
        assert!(loaded.verdicts.iter().any(|verdict| verdict.status == status), "{status:?}");
    }
    for (columns, rows) in SIZES {
        let mut seen = String::new();
        let mut model = started(with_keys(), columns, rows);
        for _ in 0..30 {
            seen.push_str(&screen(&model));
            press(&mut model, "j");
        }
        for status in Status::words() {
            let sign = format!("{} {}", Glyphs::Ascii.status(status), status.word());
            assert!(seen.contains(&sign), "{columns}x{rows} {sign}");
        }
    }
}

#[test]
fn nothing_hostile_reaches_a_cell() {
    for (columns, rows) in SIZES {
        let mut model = started(world::hostile(), columns, rows);
        let mut frames = vec![screen(&model)];
        let mut effects = press(&mut model, "<enter>");
        let mut opened = world::opened("evil/evil");
        opened.address = model.subject().unwrap().clone();
        opened.verdict = world::hostile().verdicts[0].clone();
        let lines = Arc::make_mut(opened.lines.as_mut().unwrap());
        lines.new_text = lines.new_text.replace("newrelic", "\u{1b}]0;x\u{7}\u{202e}");
        lines.lines.clear();
        lines.blocks.truncate(1);
        lines.lines.push(crate::rules::diff::Line {
            mark: crate::rules::diff::LineMark::Added,
            number: 1,
            start: 0,
            end: lines.new_text.len() as u32,
            block: 0,
        });
        answer(&mut model, &effects, opened.clone());
        frames.push(screen(&model));
        effects = press(&mut model, "d");
        answer(&mut model, &effects, opened);
        frames.push(screen(&model));
        press(&mut model, "w");
        frames.push(screen(&model));
        for frame in frames {
            let bad = frame
                .chars()
                .find(|c| (c.is_control() && *c != '\n') || ('\u{200b}'..='\u{202e}').contains(c));
            assert_eq!(bad, None, "{columns}x{rows}\n{frame}");
        }
    }
}
