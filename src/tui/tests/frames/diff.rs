//! A proposed rebuild.

use std::sync::Arc;

use super::entry::{answered, refused};
use super::{BOTH, Frames, LARGE, SIZES, SMALL, State, after, pressed};
use crate::jobs::data::Opened;
use crate::rules::diff::Diff;
use crate::rules::finding::REPOSITORY_GONE;
use crate::rules::{Class, Finding};
use crate::tui::shell::model::Model;
use crate::tui::tests::reviews::last_message;
use crate::tui::tests::{answer, press, screen, started, world};

pub(super) const FRAMES: Frames = Frames {
    view: "diff",
    empty: State(BOTH, |columns, rows| answered(columns, rows, "d", same())),
    loading: State(SMALL, |columns, rows| pressed(columns, rows, "d")),
    normal: State(BOTH, with_diff),
    error: State(SMALL, |columns, rows| refused(columns, rows, "d")),
    huge: State(LARGE, |columns, rows| after(answered(columns, rows, "d", huge()), "z R G k k")),
    more: &[
        ("open", State(BOTH, |columns, rows| after(with_diff(columns, rows), "z R j j j j j j j j w"))),
        ("blocked", State(BOTH, |columns, rows| answered(columns, rows, "d", blocked()))),
    ],
    over: &[],
    boxes: &[("fold-menu", |columns, rows| after(with_diff(columns, rows), "z"))],
};

pub(super) fn with_diff(columns: u16, rows: u16) -> Model {
    let mut model = started(world::normal(), columns, rows);
    let effects = press(&mut model, "d");
    let address = model.subject().unwrap().to_string();
    answer(&mut model, &effects, world::opened(&address));
    model
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

/// Upstream could not be read, so that nothing can be proposed.
fn blocked() -> Opened {
    let mut opened = same();
    if let Some(proposal) = &mut opened.proposal {
        let text = "the tags are not known (no answer: the connection was lost): nothing is proposed";
        proposal.findings = vec![Finding::error("tags-unread", text)];
    }
    opened.findings.clear();
    opened
}

/// A rebuild with hundreds of new versions.
fn huge() -> Opened {
    Opened { lines: Some(Arc::new(world::diff_lines(900, 1200))), ..world::opened("newrelic/newrelic") }
}

/// An unknown state is never shown as a fine one.
#[test]
fn what_could_not_be_read_is_no_rebuild_without_changes() {
    for (columns, rows) in SIZES {
        let text = screen(&answered(columns, rows, "d", blocked()));
        assert!(text.contains("nothing can be proposed") && !text.contains("NOOP"), "{text}");
        let wanted = if columns >= 60 { "asks upstream again" } else { "its tags were not read" };
        assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(wanted), "{text}");
        assert!(!text.contains("tags-unread"), "{text}");
        let mut gone = blocked();
        let text = "the repository answers 404: nothing is proposed";
        gone.proposal.as_mut().expect("a proposal").findings = vec![Finding::error(REPOSITORY_GONE, text)];
        let mut model = answered(columns, rows, "d", gone);
        let text = screen(&model);
        assert!(text.contains("nothing can be proposed") && !text.contains("NOOP"), "{text}");
        assert!(!text.contains(" a add"), "{text}");
        press(&mut model, "a");
        assert!(last_message(&model).contains("nothing can be proposed: its repository is gone or private"));
        let known = screen(&answered(columns, rows, "d", same()));
        assert!(known.contains("there is nothing") && !known.contains("adds missing versions"), "{known}");
    }
}

/// A rebuild in a small window: its figures in words, and the note that nothing is written.
#[test]
fn a_small_rebuild_has_its_figures_in_words() {
    let model = with_diff(60, 20);
    let text = screen(&model);
    assert!(text.contains("+ ADDITIVE +2 versions, +28 targets"), "{text}");
    assert!(text.contains("\n what the registry's bump would write; nothing is written\n"), "{text}");
    assert!(screen(&with_diff(40, 12)).contains("+2v +28t"));
}

#[test]
fn frames() {
    FRAMES.keep();
}

#[test]
fn every_size() {
    FRAMES.draw_at_every_size();
}
