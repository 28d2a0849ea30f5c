//! One row in full: its result, the stored values, the values upstream, and the next steps.

use ratatui::text::Line;

use crate::desk::filling::Filling;
use crate::desk::telling::backfill::{note, sheet, shown};
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::widgets::story;
use crate::tui::widgets::strip::{Paint, Strip};

/// The cells of the longest label and a blank.
const LABEL: usize = 9;

/// All facts about a row.
pub(super) fn whole(paint: &Paint<'_>, filling: &Filling, place: usize, width: u16) -> Vec<Line<'static>> {
    let Some(row) = filling.rows.get(place) else { return Vec::new() };
    let state = filling.shown(place);
    let (role, word) = story::sign(&shown(state), paint.glyphs);
    let mut head = Strip::new(paint, width);
    head.gap(1).put(role, &word).gap(2).put(Role::Title, &row.item.name());
    let mut lines = vec![head.line()];
    for fact in sheet(row, state, filling.is_running()) {
        let text = fact.text_with(|step| paint.key_here(step)).unwrap_or_default();
        let part = (fact.label.short, Role::meant(fact.tone), &*text);
        lines.extend(story::labelled_at(paint, (2, LABEL), part, width));
    }
    lines
}

/// The name and the reason of a row, in this many lines.
pub(super) fn short(
    paint: &Paint<'_>,
    filling: &Filling,
    place: usize,
    (width, height): (u16, u16),
) -> Vec<Line<'static>> {
    let Some(row) = filling.rows.get(place) else { return Vec::new() };
    let state = filling.shown(place);
    let cells = usize::from(width).saturating_sub(2);
    let mut lines = Vec::new();
    if height > 2 {
        let name = text::clean(&row.item.name(), paint.glyphs).into_owned();
        lines.push(
            Strip::new(paint, width)
                .gap(1)
                .put(Role::Title, &text::elide_middle(&name, cells, paint.glyphs))
                .line(),
        );
    }
    let room = usize::from(height).saturating_sub(lines.len());
    let mut parts = text::wrap(&text::clean(&note(row, state), paint.glyphs), cells);
    if let Some(cut) = parts.get(room).filter(|_| room > 0) {
        // The mark at the end says that the text goes on.
        parts[room - 1] =
            text::elide_end(&format!("{} {cut}", parts[room - 1]), cells, paint.glyphs).into_owned();
    }
    lines.extend(
        parts.iter().take(room).map(|part| Strip::new(paint, width).gap(1).put(Role::Text, part).line()),
    );
    lines
}
