//! Two values one below the other, each beside the name of its side, with carets below the characters that differ.

use ratatui::text::Line;

use crate::rules::compare::{Aligned, align};
use crate::tui::base::theme::Role;
use crate::tui::widgets::strip::{Cut, Paint, Strip};

/// The lines of two values. Long equal parts give way, so that every differing character is visible.
pub(crate) fn lines(
    paint: &Paint<'_>,
    indent: usize,
    sides: [(&str, &str); 2],
    width: u16,
) -> Vec<Line<'static>> {
    let label = sides.iter().map(|(label, _)| label.len()).max().unwrap_or_default() + 1;
    let room = usize::from(width).saturating_sub(indent + label + 1);
    let cut = paint.glyphs.pick("…", "..");
    let mut lines = Vec::new();
    for part in align(sides.map(|(_, value)| value), room, cut) {
        lines.extend((0..2).map(|side| row(paint, (indent, label), (sides[side].0, &part, side), width)));
        if !part.carets.is_empty() {
            lines.push(Strip::new(paint, width).gap(indent + label).put(Role::Act, &part.carets).line());
        }
    }
    lines
}

fn row(
    paint: &Paint<'_>,
    (indent, cells): (usize, usize),
    (label, aligned, side): (&str, &Aligned, usize),
    width: u16,
) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    strip.gap(indent).cell(Role::Dim, label, cells, Cut::End);
    for (differs, text) in aligned.parts(side) {
        strip.put(if differs { Role::Act } else { Role::Text }, &text);
    }
    strip.line()
}
