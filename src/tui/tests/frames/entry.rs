//! One opened entry, with its keys, or without a response.

use std::sync::Arc;

use super::{BOTH, Frames, LARGE, SMALL, State, after, pressed};
use crate::jobs::data::{Failure, FailureKind, JobEvent, Opened, Outcome};
use crate::registry::{Entry, ModuleEntry, ModuleVersion, ProviderEntry, ProviderVersion, Target};
use crate::rules::amount::grouped;
use crate::rules::{KeySheet, Status, Verdict, VersionMark, VersionState};
use crate::tui::keymap::ViewId;
use crate::tui::keymap::mouse::Mouse;
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;
use crate::tui::tests::{answer, press, screen, signatures, started, tell, world};

pub(super) const FRAMES: Frames = Frames {
    view: "entry",
    empty: State(BOTH, |columns, rows| answered(columns, rows, "<enter>", empty())),
    loading: State(SMALL, |columns, rows| pressed(columns, rows, "<enter>")),
    normal: State(BOTH, with_entry),
    error: State(BOTH, |columns, rows| refused(columns, rows, "<enter>")),
    huge: State(LARGE, |columns, rows| after(answered(columns, rows, "<enter>", long()), "G k k")),
    more: &[
        ("partial", State(&[(120, 40), (80, 24), (60, 20)], partial)),
        (
            "end",
            State(LARGE, |columns, rows| {
                after(answered(columns, rows, "<enter>", world::opened("newrelic/newrelic")), "G")
            }),
        ),
        (
            "keys",
            State(BOTH, |columns, rows| {
                after(with_keys(columns, rows, signatures::every_word()), "J J J J J J J J J")
            }),
        ),
    ],
    over: &[],
    boxes: &[],
};

/// A version that was indexed with one platform, above one with five.
fn partial(columns: u16, rows: u16) -> Model {
    let target = |platform: &&str| {
        let (os, arch) = platform.split_once('_').unwrap();
        Target { os: os.into(), arch: arch.into(), ..Target::default() }
    };
    let version = |name: &str, platforms: &[&str]| ProviderVersion {
        version: name.into(),
        targets: platforms.iter().map(target).collect(),
        ..ProviderVersion::default()
    };
    let all = ["darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm", "windows_386"];
    let versions = vec![version("1.2.0", &all[2..3]), version("1.1.0", &all)];
    let state = VersionState {
        version: "1.2.0".into(),
        tag: None,
        mark: VersionMark::Is(Status::Partial),
        reason: "indexed with 1 of 5 targets, 4 platforms lost since 1.1.0".into(),
        published: None,
        published_by: None,
        targets: Some(1),
        attempts: 0,
        next_try: None,
    };
    let verdict = world::verdict(Status::Partial, "1.2.0", "1.2.0", None);
    let opened = Opened {
        entry: Entry::Provider(ProviderEntry { versions, ..ProviderEntry::default() }),
        verdict: Verdict { versions: vec![state], ..verdict },
        proposal: None,
        lines: None,
        ..world::opened("newrelic/newrelic")
    };
    answered(columns, rows, "/ n e w r e l i c <enter> <enter>", opened)
}

/// Every size names the missing platforms without a key: in a grid, or in words in a low window.
#[test]
fn a_partial_version_shows_the_platforms_that_it_lost() {
    for (columns, rows) in [(200, 50), (120, 40), (80, 24)] {
        let text = screen(&partial(columns, rows));
        for row in ["386    amd64  arm    arm64", "darwin          -             -", "- lost platform"] {
            assert!(text.contains(row), "{columns}x{rows}: no `{row}` in\n{text}");
        }
        assert!(!text.contains("darwin amd64"), "{columns}x{rows}: said twice\n{text}");
    }
    let text = screen(&partial(60, 20));
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted = "dropped 4 platforms that 1.1.0 has: darwin amd64 arm64, linux arm, windows 386";
    assert!(words.contains(wanted), "{text}");
    let mut other = partial(80, 24);
    press(&mut other, "j");
    assert!(!screen(&other).contains("lost platform"), "nothing was lost there: {}", screen(&other));
}

/// A module has no targets, so no column is kept for them.
#[test]
fn a_module_has_no_columns_of_targets() {
    for (columns, rows) in [(200, 50), (120, 40), (80, 24), (60, 20)] {
        let entry = Entry::Module(ModuleEntry {
            versions: vec![ModuleVersion { version: "1.0.0".into(), ..ModuleVersion::default() }],
        });
        let opened =
            Opened { entry, proposal: None, lines: None, ..world::opened("cloudposse/components/aws") };
        let module = screen(&answered(columns, rows, "/ c l o u d p o s s e <enter> <enter>", opened));
        let provider = screen(&with_entry(columns, rows));
        for head in ["TARGETS", " H1"] {
            assert!(!module.contains(head) && provider.contains(head), "{columns}x{rows} {head}\n{module}");
        }
    }
}

pub(in crate::tui::tests) fn with_entry(columns: u16, rows: u16) -> Model {
    let mut model = pressed(columns, rows, "/ n e w r e l i c <enter>");
    let effects = press(&mut model, "<enter>");
    answer(&mut model, &effects, world::opened("newrelic/newrelic"));
    model
}

/// The screen of an entry with a sheet of its keys.
pub(in crate::tui::tests) fn with_keys(columns: u16, rows: u16, sheet: KeySheet) -> Model {
    let mut model = with_entry(columns, rows);
    let opened = Opened { keys: Some(Arc::new(sheet)), ..world::opened("newrelic/newrelic") };
    model.views.entry.as_mut().unwrap().fill(&Arc::new(opened));
    model.settle(ViewId::Entry);
    model
}

/// The screen that these keys open, with this response.
pub(super) fn answered(columns: u16, rows: u16, keys: &str, opened: Opened) -> Model {
    let mut model = started(world::normal(), columns, rows);
    let effects = press(&mut model, keys);
    let opened = Opened { address: model.subject().unwrap().clone(), ..opened };
    answer(&mut model, &effects, opened);
    model
}

/// The screen that these keys open, after its reading failed.
pub(super) fn refused(columns: u16, rows: u16, keys: &str) -> Model {
    let mut model = started(world::normal(), columns, rows);
    let effects = press(&mut model, keys);
    let Some(Effect::Start(id, _)) = effects.last() else { panic!("{effects:?}") };
    let failure = Failure::new(FailureKind::Network, "reading upstream")
        .cause("`github.com` gave no answer in 30 s")
        .cause("the connection was closed")
        .hint("Check the network, then press Enter again.");
    tell(&mut model, *id, JobEvent::Ended(Outcome::Failed(failure)));
    model
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

/// An entry with thousands of versions.
fn long() -> Opened {
    let mut opened = world::opened("newrelic/newrelic");
    if let Entry::Provider(entry) = &mut opened.entry {
        entry.versions = entry.versions.iter().cycle().take(3_000).cloned().collect();
    }
    opened
}

#[test]
fn frames() {
    FRAMES.keep();
}

#[test]
fn every_size() {
    FRAMES.draw_at_every_size();
}

/// A version is one line, whatever its reason. Every size says which of them are seen, and a click finds the row of its line.
#[test]
fn versions_are_one_line_each() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        let mut model = answered(columns, rows, "<enter>", long());
        let area = model.seen().expect("a view").list(&model.desk, &model.paint());
        let all = model.views.entry.as_ref().map_or(0, |entry| entry.rows.len());
        let height = usize::from(area.height);
        for (keys, first, down) in [("g g", 1, 2), ("G", all - height + 1, 1)] {
            press(&mut model, keys);
            let wanted = format!("{}-{} of {}", grouped(first), grouped(first + height - 1), grouped(all));
            let text = screen(&model);
            assert!(text.contains(&wanted), "{columns}x{rows}: no `{wanted}` in\n{text}");
            update(&mut model, Msg::Mouse(Mouse::Click(area.x + 2, area.y + down)));
            let entry = model.views.entry.as_ref().expect("it is open");
            assert_eq!((entry.top, entry.cursor), (first - 1, first - 1 + usize::from(down)));
        }
    }
}
