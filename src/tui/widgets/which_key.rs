//! The box that lists the keys that may follow the first keys of a sequence. It stays while keys are pending;
//! any other key closes it.

use ratatui::buffer::Buffer;
use ratatui::text::Line;

use crate::tui::base::layout::Area;
use crate::tui::base::theme::Role;
use crate::tui::base::{layout, text};
use crate::tui::keymap::chord::Chord;
use crate::tui::keymap::{Check, Context, shown};
use crate::tui::widgets::popup;
use crate::tui::widgets::strip::{Cut, Paint, Strip};

/// Draws the box above the message line, at the right.
pub(crate) fn view(
    paint: &Paint<'_>,
    check: Check<'_>,
    context: Context,
    pending: &[Chord],
    buffer: &mut Buffer,
) {
    let followers = paint.bindings.followers(context, pending);
    if pending.is_empty() || followers.is_empty() {
        return;
    }
    let body = layout::frame(paint.size).body;
    let keys = followers.iter().map(|(next, _)| text::width(&next.to_string())).max().unwrap_or(1);
    let mut width = 0;
    let rows: Vec<(String, &'static str, Option<String>)> = followers
        .into_iter()
        .map(|(next, bound)| {
            let why = check(bound.place.command).err().map(|why| format!(": {why}"));
            let cells = text::width(bound.place.label) + why.as_deref().map_or(0, text::width);
            width = width.max(keys + 2 + cells);
            (next.to_string(), bound.place.label, why)
        })
        .collect();
    let title = format!("{} then", shown(pending));
    let columns = (width.max(text::width(&title) + 4) + 4).min(usize::from(body.width)) as u16;
    let height = (rows.len() as u16 + 2).min(body.height);
    let area = Area { x: body.right() - columns, y: body.bottom() - height, width: columns, height };
    let lines: Vec<Line<'_>> = rows
        .iter()
        .map(|(next, label, why)| {
            let mut strip = Strip::new(paint, popup::inside(area).width);
            let (key, words) = if why.is_some() { (Role::Dim, Role::Dim) } else { (Role::Key, Role::Text) };
            strip.cell(key, next, keys, Cut::End).gap(2).put(words, label);
            strip.put(Role::Warning, why.as_deref().unwrap_or_default()).line()
        })
        .collect();
    popup::view(paint, area, &title, &lines, buffer);
}
