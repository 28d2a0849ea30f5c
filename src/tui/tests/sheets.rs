//! Every screen at once: sheets of one state at the four sizes, its colours and attributes in three themes, and a sweep over
//! all sizes.

use std::fmt::Write as _;
use std::sync::Arc;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Cell;
use ratatui::style::Color;

use crate::jobs::{Failure, FailureKind, JobEvent, Opened, Outcome};
use crate::registry::{Entry, ProviderEntry};
use crate::rules::diff::Diff;
use crate::rules::{Class, Finding, Status};
use crate::tui::layout::Size;
use crate::tui::model::{Model, Popup};
use crate::tui::msg::{Effect, Msg};
use crate::tui::tests::frames::SIZES;
use crate::tui::tests::shelf::Shelf;
use crate::tui::tests::{answer, frames, press, records, reviews, screen, started, tell, world};
use crate::tui::update::update;
use crate::tui::view::view;

type Make = Box<dyn Fn(u16, u16) -> Model>;

/// One snapshot in `snapshots/`.
pub(super) fn keep(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// One state at the four sizes in one file.
pub(super) fn sheet(name: &str, case: &str, make: impl Fn(u16, u16) -> Model) {
    let mut text = String::new();
    for (columns, rows) in SIZES {
        writeln!(text, "==== {columns}x{rows}\n{}", screen(&make(columns, rows))).unwrap();
    }
    keep(&format!("{name}-{case}"), &text);
    look(name, case, &SIZES, make);
}

/// The normal list after these keys.
fn pressed(keys: &'static str) -> Make {
    Box::new(move |columns, rows| {
        let mut model = started(world::normal(), columns, rows);
        press(&mut model, keys);
        model
    })
}

fn answered(keys: &'static str, opened: impl Fn() -> Opened + 'static) -> Make {
    Box::new(move |columns, rows| {
        let mut model = started(world::normal(), columns, rows);
        let effects = press(&mut model, keys);
        let opened = Opened { address: model.subject().unwrap().clone(), ..opened() };
        answer(&mut model, &effects, opened);
        model
    })
}

fn refused(keys: &'static str) -> Make {
    Box::new(move |columns, rows| {
        let mut model = started(world::normal(), columns, rows);
        let effects = press(&mut model, keys);
        let Some(Effect::Start(id, _)) = effects.last() else { panic!("{effects:?}") };
        let failure = Failure {
            kind: FailureKind::Network,
            doing: "reading upstream".into(),
            causes: vec!["`github.com` gave no answer in 30 s".into(), "the connection was closed".into()],
            hint: Some("Check the network, then press Enter again.".into()),
        };
        tell(&mut model, *id, JobEvent::Ended(Outcome::Failed(failure)));
        model
    })
}

/// An entry whose file lists no version.
fn empty() -> Opened {
    Opened {
        entry: Entry::Provider(ProviderEntry::default()),
        verdict: world::verdict(Status::Current, "-", "-", None),
        proposal: None,
        lines: None,
        ..world::opened("newrelic/newrelic")
    }
}

/// A rebuild that changes nothing.
fn same() -> Opened {
    let mut opened = world::opened("newrelic/newrelic");
    if let Some(proposal) = &mut opened.proposal {
        proposal.diff = Diff { class: Class::Noop, versions: Vec::new(), ..proposal.diff.clone() };
        proposal.findings.clear();
    }
    opened.lines = None;
    opened
}

/// An entry with thousands of versions.
fn long() -> Opened {
    let mut opened = world::opened("newrelic/newrelic");
    if let Entry::Provider(entry) = &mut opened.entry {
        entry.versions = entry.versions.iter().cycle().take(3_000).cloned().collect();
    }
    opened
}

/// Upstream could not be read, so that nothing can be proposed.
fn blocked() -> Opened {
    let mut opened = same();
    if let Some(proposal) = &mut opened.proposal {
        let text = "the tags are not known (no answer: the connection broke off): nothing is proposed";
        proposal.findings = vec![Finding::error("tags-unread", text)];
    }
    opened.findings.clear();
    opened
}

/// What stays unknown is never shown as something that is fine.
#[test]
fn what_could_not_be_read_is_no_rebuild_without_changes() {
    for (columns, rows) in SIZES {
        let text = screen(&answered("d", blocked)(columns, rows));
        assert!(text.contains("Nothing can be proposed") && !text.contains("NOOP"), "{text}");
        let wanted = if columns >= 60 { "asks upstream again" } else { "its tags were not read" };
        assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(wanted), "{text}");
        assert!(!text.contains("tags-unread"), "{text}");
        assert!(screen(&answered("d", same)(columns, rows)).contains("there is nothing"), "it is known");
    }
}

/// A rebuild with hundreds of new versions.
fn huge() -> Opened {
    Opened { lines: Some(Arc::new(world::diff_lines(900, 1200))), ..world::opened("newrelic/newrelic") }
}

/// A checksum that changes, whole: before above after.
fn value(columns: u16, rows: u16) -> Model {
    let mut model = reviews::reviewing(") ) <enter>")(columns, rows);
    let at_sum = |model: &Model| {
        model.views.changes.review.as_ref().is_some_and(|review| review.pane.path().ends_with("shasum"))
    };
    for _ in 0..40 {
        if !at_sum(&model) {
            press(&mut model, "j");
        }
    }
    press(&mut model, "<enter>");
    assert!(matches!(model.popup, Some(Popup::Value(_))));
    model
}

#[test]
fn sheets() {
    sheet("entry", "empty", answered("<enter>", empty));
    sheet("entry", "error", refused("<enter>"));
    sheet("entry", "end", answered("<enter>", || world::opened("newrelic/newrelic")).after("G"));
    sheet("diff", "same", answered("d", same));
    sheet("diff", "blocked", answered("d", blocked));
    sheet("diff", "error", refused("d"));
    sheet("entry", "huge", answered("<enter>", long).after("G k k"));
    sheet("diff", "huge", answered("d", huge).after("z R G k k"));
    sheet("changes", "note", reviews::reviewing("j c o k"));
    sheet("changes", "value", value);
    sheet("changes", "again", reviews::reviewing("R"));
    sheet("changes", "answered", reviews::reviewing("<space> ) <space> ) j X ) j X"));
    sheet("help", "changes", reviews::reviewing("?"));
    sheet("palette", "changes", reviews::reviewing(": p l a n"));
    sheet("jobs", "cancel", |columns, rows| {
        let mut model = records::busy(columns, rows);
        press(&mut model, "g g x");
        model
    });
}

trait After {
    /// The same, and then these keys.
    fn after(self, keys: &'static str) -> Make;
}

impl<F: Fn(u16, u16) -> Model + 'static> After for F {
    fn after(self, keys: &'static str) -> Make {
        Box::new(move |columns, rows| {
            let mut model = self(columns, rows);
            press(&mut model, keys);
            model
        })
    }
}

/// Every screen and what may stand above it.
fn screens() -> Vec<(&'static str, Make)> {
    vec![
        ("missing", Box::new(frames::missing)),
        ("loading", Box::new(frames::loading)),
        ("failed", Box::new(frames::failed)),
        ("empty", Box::new(|columns, rows| started(world::registry(Vec::new()), columns, rows))),
        ("inventory", pressed("<space> j j <space> j")),
        ("survey", Box::new(frames::surveying)),
        ("filter", pressed("/ s t a t u s : b e h <space> ! x : y")),
        ("groups", pressed("s S j j z a j v j")),
        ("entry", Box::new(frames::with_entry)),
        ("entry-error", refused("<enter>")),
        ("diff", Box::new(frames::with_diff)),
        ("diff-open", frames::with_diff.after("z R j j j w")),
        ("diff-same", answered("d", same)),
        ("changes", Box::new(reviews::reviewing("<space> ) ) ) j"))),
        ("changes-lines", Box::new(reviews::reviewing(") ) <enter> ] ]"))),
        ("changes-empty", Box::new(|columns, rows| reviews::looking(&mut Shelf::default(), columns, rows))),
        ("changes-search", Box::new(reviews::reviewing(") ) ) / l i n u x"))),
        ("changes-note", Box::new(reviews::reviewing("j c o k"))),
        ("changes-value", Box::new(value)),
        ("question", Box::new(reviews::reviewing("-"))),
        ("jobs", Box::new(records::busy)),
        ("jobs-log", records::looking.after("<enter> /")),
        ("leave", records::busy.after("q")),
        ("help", pressed("?")),
        ("palette", pressed(": s o r t")),
        ("which-key", pressed("y")),
        ("sort", pressed("s j")),
        ("views", pressed("/ a w s <enter> f m i n e <enter> <esc> F")),
        ("name", pressed("/ a w s <enter> f m i")),
        ("delete", pressed("/ a w s <enter> f m i n e <enter> <esc> F x")),
    ]
}

/// Every size up to 40x12, and some up to 300x100: drawn without a panic; from 40x12 up the mode and the keys are told.
#[test]
fn every_screen_at_every_size() {
    let small = || (1..=40u16).flat_map(|columns| (1..=12u16).map(move |rows| (columns, rows)));
    let large = [
        (41, 13),
        (52, 12),
        (40, 60),
        (69, 24),
        (70, 23),
        (70, 24),
        (99, 29),
        (109, 30),
        (110, 29),
        (110, 30),
        (160, 12),
        (132, 50),
        (300, 40),
        (300, 100),
    ];
    for (name, make) in screens() {
        let mut model = make(120, 40);
        for (columns, rows) in small().chain(large) {
            update(&mut model, Msg::Resize(Size::new(columns, rows)));
            let text = screen(&model);
            if columns >= 40 && rows >= 12 {
                let lines: Vec<&str> = text.lines().collect();
                assert!(lines[1].contains("READ-ONLY"), "{name} at {columns}x{rows}\n{text}");
                let hints = lines[usize::from(rows) - 1].trim();
                assert!(hints.contains(' '), "no keys for {name} at {columns}x{rows}\n{text}");
            } else {
                let told = text.trim();
                assert!(told.lines().count() <= 1, "{name} at {columns}x{rows}\n{text}");
                assert!(columns < 4 || !told.is_empty(), "{name} at {columns}x{rows}");
            }
        }
    }
}

fn colour(colour: Color) -> String {
    match colour {
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        Color::Reset => "-".into(),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn style(cell: &Cell) -> String {
    let modifiers = if cell.modifier.is_empty() { String::new() } else { format!(" {:?}", cell.modifier) };
    format!("{} on {}{modifiers}", colour(cell.fg), colour(cell.bg))
}

/// Which style each cell has: a letter for each style in the order of the frame, a legend of the letters, and the cells of a
/// row as runs, `12a3b`.
pub(super) fn plane(model: &Model) -> (String, String) {
    let mut terminal = Terminal::new(TestBackend::new(model.size.columns, model.size.rows)).unwrap();
    terminal.draw(|frame| view(model, frame)).unwrap();
    let buffer = terminal.backend().buffer();
    let mut styles: Vec<String> = Vec::new();
    let mut cells = String::new();
    for y in 0..buffer.area.height {
        let row: Vec<char> = (0..buffer.area.width)
            .map(|x| {
                let style = style(&buffer[(x, y)]);
                let at = styles.iter().position(|known| *known == style).unwrap_or_else(|| {
                    styles.push(style);
                    styles.len() - 1
                });
                char::from(b'a' + at as u8)
            })
            .collect();
        for run in row.chunk_by(|one, next| one == next) {
            write!(cells, "{}{} ", run.len(), run[0]).unwrap();
        }
        cells.truncate(cells.trim_end().len());
        cells.push('\n');
    }
    let legend = styles.iter().enumerate();
    let legend: Vec<String> =
        legend.map(|(at, style)| format!("{} {style}", char::from(b'a' + at as u8))).collect();
    (legend.join("\n"), cells)
}

/// Colours and attributes of one state in three themes, at the sizes given. Cells are told once where a theme tells the same
/// apart.
pub(super) fn look(name: &str, case: &str, sizes: &[(u16, u16)], make: impl Fn(u16, u16) -> Model) {
    let mut text = String::new();
    for &(columns, rows) in sizes {
        let mut before = (String::new(), String::new());
        for theme in ["dark", "light", "mono"] {
            let mut model = make(columns, rows);
            model.theme = model.options.themes.find(theme).unwrap();
            let (legend, cells) = plane(&model);
            writeln!(text, "==== {columns}x{rows} {theme}\n{legend}").unwrap();
            if cells == before.1 {
                writeln!(text, "cells as in {}", before.0).unwrap();
            } else {
                write!(text, "{cells}").unwrap();
                before = (theme.into(), cells);
            }
        }
    }
    keep(&format!("looks-{name}-{case}"), &text);
}

/// What no sheet of a screen shows: the looks of what lies over one, at one size.
#[test]
fn looks() {
    for (case, make) in screens() {
        look("screen", case, &[(80, 24)], make);
    }
}
