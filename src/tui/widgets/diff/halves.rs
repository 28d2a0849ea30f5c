//! Before and after beside each other, only where each half has its room: never a silent half-width.

use ratatui::text::Line;

use crate::rules::diff::LineMark;
use crate::tui::theme::Role;
use crate::tui::widgets::diff::draw::Drawing;
use crate::tui::widgets::diff::folds::Seen;
use crate::tui::widgets::diff::pane::Room;
use crate::tui::widgets::strip::{Cut, Strip};

/// Columns of a half.
pub(super) const LEAST: u16 = 60;

/// Whether both halves fit beside each other.
pub(super) fn fit(room: Room) -> bool {
    room.width > LEAST * 2
}

/// One row: the line before, the wall, the line after.
pub(super) fn row(drawing: &Drawing<'_>, seen: Seen, under: bool) -> Line<'static> {
    let (left, right) = match seen {
        Seen::Pair(old, new) => (Some(old), Some(new)),
        Seen::Line(at) => match drawing.lines.lines[at as usize].mark {
            LineMark::Same => (Some(at), Some(at)),
            LineMark::Removed => (Some(at), None),
            LineMark::Added => (None, Some(at)),
        },
        Seen::Fold(_) | Seen::Head(_) => (None, None),
    };
    let paint = drawing.paint;
    let mut strip = Strip::new(paint, drawing.room.width);
    let half = (usize::from(drawing.room.width) - 1) / 2;
    cell(&mut strip, drawing, left, half, under, true);
    strip.put(Role::Rule, paint.glyphs.wall());
    cell(&mut strip, drawing, right, half, false, false);
    strip.line()
}

fn cell(
    strip: &mut Strip<'_>,
    drawing: &Drawing<'_>,
    line: Option<u32>,
    cells: usize,
    under: bool,
    is_left: bool,
) {
    let cursor = if under { drawing.paint.glyphs.cursor() } else { "" };
    let Some(at) = line else {
        strip.gap(1).cell(Role::Key, cursor, 1, Cut::End).gap(cells - 2);
        return;
    };
    let line = &drawing.lines.lines[at as usize];
    let (role, sign) = match line.mark {
        LineMark::Same => (Role::Dim, " "),
        LineMark::Added => (Role::Added, "+"),
        LineMark::Removed => (Role::Removed, "-"),
    };
    strip.cell(role, sign, 1, Cut::End).cell(Role::Key, cursor, 1, Cut::End);
    // An unchanged line may have another number before; the pull request's is shown once.
    let number = if line.mark == LineMark::Same && is_left { String::new() } else { line.number.to_string() };
    strip.cell(Role::Dim, &number, 5, Cut::Right).gap(1);
    let room = cells - 8;
    let content = drawing.content(at);
    let shown = drawing.cut(&content, room);
    strip.cell(role, &shown, room, Cut::End);
}
