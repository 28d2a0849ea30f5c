//! Draws the list of views, and the question before one is deleted.
//!
//! ```text
//! +- Views ------------------------------------------------+
//! | > all          27,463  everything                      |
//! |   attention       412  what somebody should look at    |
//! |   my stranded      12  ns:aws status:stranded          |
//! | Enter show  x delete  Esc close                        |
//! +--------------------------------------------------------+
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::intent::Question;
use crate::rules::amount::grouped;
use crate::rules::order::{Group, Sort};
use crate::rules::view::{View, purpose};
use crate::tui::base::layout;
use crate::tui::base::layout::Area;
use crate::tui::base::theme::Role;
use crate::tui::keymap::{Command, Context};
use crate::tui::views::inventory::views::ViewList;
use crate::tui::widgets::popup;
use crate::tui::widgets::strip::{Cut, Paint, Strip, ground};

/// Draws the list, and returns the cell of its cursor.
pub(crate) fn list(paint: &Paint<'_>, list: &ViewList, buffer: &mut Buffer) -> Position {
    let wanted = list.entries.len() as u16 + 2;
    let area = layout::popup(paint.size, 76, wanted);
    let inner = popup::inside(area);
    let rows = usize::from(inner.height).max(1);
    let from = layout::first_visible(0, list.at, rows, list.entries.len());
    let part = if list.entries.len() > rows {
        format!(", {} of {}", list.at + 1, list.entries.len())
    } else {
        String::new()
    };
    let names = list.entries.iter().map(|(view, _)| view.name.chars().count()).max().unwrap_or(0);
    let names = names.clamp(10, if inner.width < 50 { 14 } else { 24 });
    let lines: Vec<Line<'_>> = list
        .entries
        .iter()
        .enumerate()
        .skip(from)
        .take(rows)
        .map(|(place, (view, count))| entry(paint, view, *count, (place == list.at, names), inner.width))
        .collect();
    popup::view(paint, area, &format!("Views{part}"), &lines, buffer);
    let y = inner.y + (list.at - from) as u16;
    ground(buffer, Area { y, height: 1, ..inner }.intersection(inner), paint.style(Role::Cursor));
    Position::new(inner.x, y)
}

fn entry(
    paint: &Paint<'_>,
    view: &View,
    count: u64,
    (here, names): (bool, usize),
    width: u16,
) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    strip.cell(Role::Key, if here { paint.glyphs.cursor() } else { "" }, 2, Cut::End);
    strip.cell(Role::Text, &view.name, names, Cut::End).gap(1);
    strip.cell(if count > 0 { Role::Text } else { Role::Dim }, &grouped(count), 7, Cut::Right).gap(2);
    strip.put(Role::Dim, &about(view));
    strip.line()
}

/// The purpose of a built-in view, or the contents of the maintainer's own.
fn about(view: &View) -> String {
    if let Some(purpose) = purpose(&view.name) {
        return purpose.to_owned();
    }
    let mut parts = Vec::new();
    if !view.filter.is_empty() {
        parts.push(view.filter.clone());
    }
    if view.sort != Sort::default() {
        parts.push(format!("sort: {}", view.sort.label()));
    }
    if view.group != Group::None {
        parts.push(format!("group: {}", view.group.name()));
    }
    if parts.is_empty() { "everything".into() } else { parts.join("  ") }
}

/// Draws the question before a view is deleted.
pub(crate) fn drop_view(paint: &Paint<'_>, question: &Question, buffer: &mut Buffer) {
    let area = layout::popup(paint.size, 50, 6);
    let width = popup::inside(area).width;
    let says = question.says.iter();
    let mut lines: Vec<_> = says.flat_map(|says| paint.wrapped(width, Role::Text, says)).collect();
    let [drop, keep] =
        [Command::Accept, Command::Close].map(|command| paint.bindings.first(Context::DropView, command));
    lines.push(Strip::new(paint, width).key(&drop, question.yes).gap(3).key(&keep, "keep it").line());
    popup::view(paint, area, question.title, &lines, buffer);
}
