//! A framed overlay: a title, lines, and the keys it takes.

use ratatui::buffer::Buffer;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Widget};

use crate::tui::base::layout::Area;
use crate::tui::base::theme::Role;
use crate::tui::widgets::strip::{Paint, Strip, ground, lay};

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
    ground(buffer, area, paint.style(Role::Popup));
    let [top_left, top_right, bottom_left, bottom_right] = paint.glyphs.corners();
    let inner = usize::from(area.width) - 2;
    let across = |left: &str, right: &str, title: &str| {
        let mut strip = Strip::new(paint, area.width);
        strip.put(Role::Rule, left);
        if !title.is_empty() {
            strip.put(Role::Rule, paint.glyphs.rule()).put(Role::Title, &format!(" {title} "));
        }
        let rest = (inner + 1).saturating_sub(usize::from(area.width) - strip.room());
        strip.put(Role::Rule, &paint.glyphs.rule().repeat(rest)).put(Role::Rule, right).line()
    };
    let row = |y: u16| Area { y, height: 1, ..area };
    lay(buffer, row(area.y), &[across(top_left, top_right, title)]);
    for y in area.y + 1..area.bottom() - 1 {
        let wall = Line::styled(paint.glyphs.wall(), paint.style(Role::Rule));
        lay(buffer, Area { width: 1, ..row(y) }, std::slice::from_ref(&wall));
        lay(buffer, Area { x: area.right() - 1, width: 1, ..row(y) }, &[wall]);
    }
    lay(buffer, row(area.bottom() - 1), &[across(bottom_left, bottom_right, "")]);
    lay(buffer, inside(area), lines);
}
