//! A question before something is done that writes or cannot be taken back: what exactly, then yes or no.

use ratatui::buffer::Buffer;

use crate::desk::intent::Question;
use crate::tui::base::layout;
use crate::tui::base::theme::Role;
use crate::tui::widgets::popup;
use crate::tui::widgets::strip::{Paint, Strip};

/// Draws the question.
pub(crate) fn view(paint: &Paint<'_>, ask: &Question, buffer: &mut Buffer) {
    draw(paint, ask.title, &ask.says, (ask.yes, "no"), buffer);
}

/// The question before leaving: what runs, by name.
pub(crate) fn leave(paint: &Paint<'_>, says: &[String], buffer: &mut Buffer) {
    let bindings = paint.bindings;
    let context = crate::tui::keymap::Context::Leave;
    let key = |command| bindings.first(context, command);
    let keys = (key(crate::tui::keymap::Command::Accept), key(crate::tui::keymap::Command::Close));
    boxed(paint, "Leave?", says, [(&keys.0, "stop and leave"), (&keys.1, "stay")], buffer);
}

fn draw(paint: &Paint<'_>, title: &str, says: &[String], (yes, no): (&str, &str), buffer: &mut Buffer) {
    let bindings = paint.bindings;
    let context = crate::tui::keymap::Context::Ask;
    let accept = bindings.first(context, crate::tui::keymap::Command::Accept);
    let close = bindings.first(context, crate::tui::keymap::Command::Close);
    boxed(paint, title, says, [(&accept, yes), (&close, no)], buffer);
}

fn boxed(paint: &Paint<'_>, title: &str, says: &[String], keys: [(&str, &str); 2], buffer: &mut Buffer) {
    let columns = paint.size.columns.saturating_sub(4).min(64);
    let width = columns.saturating_sub(4);
    let mut lines = Vec::new();
    for text in says {
        lines.extend(paint.wrapped(width, Role::Text, text));
    }
    let [(yes, does), (no, leaves)] = keys;
    lines.push(Strip::new(paint, width).key(yes, does).gap(3).key(no, leaves).line());
    // The keys stand in sight however much there is to say.
    let area = layout::popup(paint.size, columns, lines.len() as u16 + 2);
    let most = usize::from(area.height.saturating_sub(2));
    if lines.len() > most && most > 0 {
        let keys = lines.pop().unwrap_or_default();
        lines.truncate(most - 1);
        lines.push(keys);
    }
    popup::view(paint, area, title, &lines, buffer);
}
