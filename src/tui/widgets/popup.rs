//! A framed overlay: a title, lines, and the keys it takes.

use ratatui::buffer::Buffer;
use ratatui::style::Modifier;
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Widget};

use crate::tui::base::layout::Area;
use crate::tui::base::theme::Role;
use crate::tui::widgets::strip::{Paint, Strip, lay};

/// The ink of the frame: a text's, since the ink of a rule is too faint for the edge of a box in some themes.
pub(crate) const BORDER: Role = Role::Dim;

/// Dims what stands in an area, under a box that is drawn afterwards. Rules are fainter than that already.
pub(crate) fn dim(paint: &Paint<'_>, area: Area, buffer: &mut Buffer) {
    let (ink, rule) = (paint.style(Role::Dim).fg, paint.style(Role::Rule).fg);
    for place in area.intersection(buffer.area).positions() {
        let cell = &mut buffer[place];
        if Some(cell.fg) != rule {
            cell.fg = ink.unwrap_or(cell.fg);
        }
        cell.modifier.remove(Modifier::BOLD | Modifier::UNDERLINED);
    }
}

/// The area inside the frame.
pub(crate) fn inside(area: Area) -> Area {
    Area {
        x: area.x + 2.min(area.width),
        y: area.y + 1.min(area.height),
        width: area.width.saturating_sub(4),
        height: area.height.saturating_sub(2),
    }
}

/// Draws the frame and the lines into it.
pub(crate) fn view(paint: &Paint<'_>, area: Area, title: &str, lines: &[Line<'_>], buffer: &mut Buffer) {
    let area = area.intersection(buffer.area);
    if area.width < 4 || area.height < 3 {
        return;
    }
    Clear.render(area, buffer);
    let mut frame = Block::bordered()
        .style(paint.style(Role::Popup))
        .border_set(paint.glyphs.frame())
        .border_style(paint.style(BORDER));
    if !title.is_empty() {
        let mut strip = Strip::new(paint, area.width - 2);
        strip.put(BORDER, paint.glyphs.rule()).put(Role::Title, &format!(" {title} "));
        frame = frame.title(strip.line());
    }
    frame.render(area, buffer);
    lay(buffer, inside(area), lines);
}
