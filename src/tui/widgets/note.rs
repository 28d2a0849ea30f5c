//! The field of a note on a change, or on all changes of a file.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::registry::Address;
use crate::rules::plan::Which;
use crate::tui::base::layout;
use crate::tui::base::theme::Role;
use crate::tui::widgets::field::Field;
use crate::tui::widgets::popup;
use crate::tui::widgets::strip::{Paint, Strip};

/// A note that is being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NoteCard {
    pub(crate) address: Address,
    pub(crate) which: Which,
    /// What it is about: `3.70.0 of newrelic/newrelic`.
    pub(crate) about: String,
    pub(crate) field: Field,
    /// It is on its way to the plan.
    pub(crate) saving: bool,
    /// Why it was not kept.
    pub(crate) error: Option<String>,
}

/// Draws the field; gives the place of the text cursor.
pub(crate) fn view(paint: &Paint<'_>, note: &NoteCard, buffer: &mut Buffer) -> Position {
    let columns = paint.size.columns.saturating_sub(4).min(80);
    let width = popup::inside(layout::popup(paint.size, columns, 5)).width;
    let below = match &note.error {
        Some(error) => paint.wrapped(width, Role::Error, error),
        None if note.saving => vec![paint.line(width, Role::Dim, "keeping it")],
        None => vec![paint.line(width, Role::Dim, "for yourself and for the text of a pull request")],
    };
    let area = layout::popup(paint.size, columns, 4 + below.len() as u16);
    let inner = popup::inside(area);
    let mut strip = Strip::new(paint, inner.width);
    strip.put(Role::Key, "note>").gap(1);
    let seen = note.field.seen(paint.glyphs, strip.room());
    let column = (usize::from(inner.width) - strip.room() + seen.cursor) as u16;
    strip.put(Role::Prompt, &seen.text);
    let mut lines = vec![paint.line(inner.width, Role::Text, &note.about), strip.line()];
    lines.extend(below);
    popup::view(paint, area, "Note", &lines, buffer);
    Position::new(inner.x + column.min(inner.width.saturating_sub(1)), inner.y + 1)
}
