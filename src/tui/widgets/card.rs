//! A whole text in an overlay: a gate with all of its evidence, or a request with its texts.

use ratatui::buffer::Buffer;

use crate::tui::base::layout;
use crate::tui::base::theme::Role;
use crate::tui::keymap::{Command, Context};
use crate::tui::widgets::popup;
use crate::tui::widgets::strip::{Paint, Strip};

/// The text on the card.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TextCard {
    title: String,
    paragraphs: Vec<String>,
    /// Lines that are scrolled away.
    pub(crate) from: usize,
}

impl TextCard {
    pub(crate) fn new(title: impl Into<String>, paragraphs: Vec<String>) -> Self {
        Self { title: title.into(), paragraphs, from: 0 }
    }
}

/// Draws the card; the key that closes it stays in sight.
pub(crate) fn view(paint: &Paint<'_>, card: &TextCard, buffer: &mut Buffer) {
    let columns = layout::broad(paint.size, 100).saturating_sub(4);
    let width = columns.saturating_sub(4);
    let mut lines: Vec<_> = card
        .paragraphs
        .iter()
        .flat_map(|text| text.lines())
        .flat_map(|line| paint.wrapped(width, Role::Text, line))
        .collect();
    let rows = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(3);
    let area = layout::popup(paint.size, columns, rows);
    let room = usize::from(area.height).saturating_sub(3);
    let (from, hidden) = layout::scrolled(card.from, room, lines.len());
    lines.drain(..from);
    lines.truncate(room);
    let key = |command| paint.bindings.first(Context::Value, command);
    let mut keys = Strip::new(paint, width);
    keys.key(&key(Command::Close), "close");
    if hidden > 0 || from > 0 {
        keys.gap(3).key(&key(Command::NextLine), &format!("{hidden} more lines"));
    }
    lines.push(keys.line());
    popup::view(paint, area, &card.title, &lines, buffer);
}
