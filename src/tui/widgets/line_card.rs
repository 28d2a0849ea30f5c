//! A field in an overlay for one line of text: what it is about, the line, and what may be written or what is wrong with it.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::desk::telling::LinePrompt;
use crate::tui::base::layout;
use crate::tui::base::theme::Role;
use crate::tui::widgets::field::Field;
use crate::tui::widgets::popup;
use crate::tui::widgets::strip::{Paint, Strip};

/// A line that is being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LineCard {
    pub(crate) title: &'static str,
    pub(crate) about: String,
    pub(crate) prompt: &'static str,
    pub(crate) help: &'static str,
    pub(crate) field: Field,
    /// It was taken, and its answer is waited for.
    pub(crate) waits: Option<&'static str>,
    /// Why it was not taken.
    pub(crate) error: Option<String>,
}

impl LineCard {
    /// A field for this prompt, with a text about its subject.
    pub(crate) fn new(line_prompt: &LinePrompt, about: String, field: Field) -> Self {
        let LinePrompt { title, prompt, help, .. } = *line_prompt;
        Self { title, about, prompt, help, field, waits: None, error: None }
    }
}

/// Draws the field; gives the place of the text cursor.
pub(crate) fn view(paint: &Paint<'_>, card: &LineCard, buffer: &mut Buffer) -> Position {
    let columns = paint.size.columns.saturating_sub(4).min(90);
    let width = popup::inside(layout::popup(paint.size, columns, 5)).width;
    let about = paint.wrapped(width, Role::Text, &card.about);
    let below = match (&card.error, card.waits) {
        (Some(error), _) => paint.wrapped(width, Role::Error, error),
        (None, Some(waits)) => vec![paint.line(width, Role::Dim, waits)],
        (None, None) => paint.wrapped(width, Role::Dim, card.help),
    };
    let mut strip = Strip::new(paint, width);
    strip.put(Role::Key, card.prompt).gap(1);
    let seen = card.field.seen(paint.glyphs, strip.room());
    let column = (usize::from(width) - strip.room() + seen.cursor) as u16;
    strip.put(Role::Prompt, &seen.text);
    let row = about.len() as u16;
    let mut lines = about;
    lines.push(strip.line());
    lines.extend(below);
    let area = layout::popup(paint.size, columns, lines.len() as u16 + 2);
    let inner = popup::inside(area);
    popup::view(paint, area, card.title, &lines, buffer);
    Position::new(inner.x + column.min(inner.width.saturating_sub(1)), inner.y + row)
}
