//! The preview of the selected row: what is wrong, why, the next step, then the rest.

use ratatui::text::Line;

use crate::desk::telling::entry::{Place, recent, standing, whereabouts};
use crate::desk::telling::list::{BY_FILE, why};
use crate::registry::Row;
use crate::rules::amount::counted;
use crate::rules::{Gap, Verdict};
use crate::tui::base::theme::Role;
use crate::tui::widgets::story;
use crate::tui::widgets::strip::{Cut, Paint, Strip};

/// All lines of the preview.
pub(super) fn tall(paint: &Paint<'_>, (row, verdict): (&Row, &Verdict), width: u16) -> Vec<Line<'static>> {
    let mut lines = story::lines(paint, (row.kind(), verdict), Place::List, width);
    lines.push(paint.rule(width));
    for fact in whereabouts(&row.address, row.address.repository().to_string()) {
        lines.push(field(paint, fact.label.short, &fact.text, width));
    }
    lines.push(Strip::new(paint, width).gap(1).put(Role::Text, &summary(row)).line());
    if verdict.gap() == Some(Gap::Unasked) {
        lines.extend(story::labelled(paint, BY_FILE.short, &why(row, verdict), width));
    }
    if row.dirty {
        lines.push(Strip::new(paint, width).gap(1).put(Role::Warning, "changed in the work tree").line());
    }
    for fact in recent(&row.shape, paint.now).into_iter().chain(standing(verdict, paint.now)) {
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
    story::short(paint, &summary(row), (row.kind(), verdict), (width, height))
}

fn field(paint: &Paint<'_>, label: &str, text: &str, width: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    strip.gap(1).cell(Role::Dim, label, 8, Cut::End);
    let room = strip.room().saturating_sub(1);
    strip.cell(Role::Text, text, room, Cut::Middle).line()
}

/// `204 versions, 2,856 targets, 1 warning`, or why the file could not be read.
pub(super) fn summary(row: &Row) -> String {
    if let Some(broken) = &row.shape.broken {
        return format!("unreadable file: {broken}");
    }
    let mut parts = vec![counted(row.shape.version_count, "version")];
    for (count, noun) in [
        (row.shape.target_count, "target"),
        (row.shape.warning_count, "warning"),
        (row.shape.error_count, "recorded error"),
    ] {
        if count > 0 {
            parts.push(counted(count, noun));
        }
    }
    parts.join(", ")
}
