//! The preview of the selected row: what is wrong, why, the next step, then the rest.

use ratatui::text::Line;

use crate::desk::telling::entry::{Place, counts, standing, whereabouts};
use crate::desk::telling::list::{BY_FILE, why};
use crate::registry::Row;
use crate::rules::{Gap, Verdict};
use crate::tui::base::theme::Role;
use crate::tui::widgets::story;
use crate::tui::widgets::strip::{Cut, Paint, Strip};

/// All lines of the preview.
pub(super) fn tall(paint: &Paint<'_>, (row, verdict): (&Row, &Verdict), width: u16) -> Vec<Line<'static>> {
    let mut lines = story::lines(paint, (row.kind(), verdict), Place::List, Vec::new(), width);
    lines.push(paint.rule(width));
    for fact in whereabouts(&row.address, row.address.repository().to_string()) {
        lines.push(field(paint, fact.label.short, &fact.text, width));
    }
    let by_file = why(row, verdict);
    if verdict.gap() == Some(Gap::Unasked) && *by_file != verdict.because.text {
        lines.extend(story::labelled(paint, BY_FILE.short, &by_file, width));
    }
    if row.dirty {
        lines.push(Strip::new(paint, width).gap(1).put(Role::Warning, "changed in the work tree").line());
    }
    for fact in standing(&row.shape, verdict, paint.now) {
        lines.extend(story::labelled(paint, fact.label.short, &fact.text, width));
    }
    if !verdict.versions.is_empty() {
        lines.push(paint.rule(width));
        lines.extend(story::versions(paint, verdict, width));
    }
    if !verdict.findings.is_empty() {
        lines.push(paint.rule(width));
        lines.extend(story::findings(paint, &verdict.findings, width));
    }
    lines
}

/// The lines that fit under the list, and true if some did not fit.
pub(super) fn flat(
    paint: &Paint<'_>,
    (row, verdict): (&Row, &Verdict),
    (width, height): (u16, u16),
) -> (Vec<Line<'static>>, bool) {
    story::short(paint, &counts(&row.shape), (row.kind(), verdict), (width, height))
}

fn field(paint: &Paint<'_>, label: &str, text: &str, width: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    strip.gap(1).cell(Role::Dim, label, 8, Cut::End);
    let room = strip.room().saturating_sub(1);
    strip.cell(Role::Text, text, room, Cut::Middle).line()
}
