//! The table: one line a target, with what became of it and why. Narrow windows keep the word and the names.

use ratatui::text::Line;

use crate::desk::filling::{Filling, Shown, Widths};
use crate::desk::telling::backfill::{note, shown};
use crate::desk::telling::column;
use crate::rules::amount::bytes;
use crate::rules::backfill::FillResult;
use crate::tui::base::layout::Class;
use crate::tui::base::theme::Role;
use crate::tui::widgets::story;
use crate::tui::widgets::strip::{Cut, Paint, Strip};

/// `X TOO LARGE`.
const STATE: usize = 11;
/// `104.2 MB`.
const SIZE: usize = 9;
/// A reason that says something; the address comes before what the pane below tells whole.
const SHORTEST_NOTE: usize = 20;
/// Columns below which the version gives way.
const SLIM: u16 = 56;

/// The columns of the table, which are the same for all its lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    width: u16,
    address: usize,
    version: usize,
    target: usize,
    size: usize,
    has_note: bool,
}

impl Columns {
    pub(super) fn of(widths: Widths, class: Class, width: u16) -> Self {
        let free = usize::from(width).saturating_sub(1 + STATE);
        let version = match class {
            _ if width < SLIM => 0,
            Class::Wide => widths.version.clamp(7, 12),
            _ => widths.version.clamp(7, 9),
        };
        let target = widths.target.clamp(6, if class == Class::Wide { 16 } else { 13 });
        let (size, note) = match class {
            Class::Wide => (SIZE, SHORTEST_NOTE),
            Class::Medium => (0, SHORTEST_NOTE),
            _ => (0, 0),
        };
        let others =
            [version, target, size, note].into_iter().filter(|cells| *cells > 0).map(|cells| cells + 1);
        let rest = free.saturating_sub(others.sum::<usize>() + 1);
        Self { width, address: rest.min(widths.address.max(7)), version, target, size, has_note: note > 0 }
    }
}

/// The heads of the columns.
pub(super) fn heads(paint: &Paint<'_>, columns: Columns) -> Line<'static> {
    let mut strip = Strip::new(paint, columns.width);
    strip.gap(1).cell(Role::Title, &format!("S {}", column::STATE.short), STATE, Cut::End);
    for (label, cells, cut) in [
        (column::ADDRESS, columns.address, Cut::End),
        (column::VERSION, columns.version, Cut::End),
        (column::TARGET, columns.target, Cut::End),
        (column::SIZE, columns.size, Cut::Right),
    ] {
        if cells > 0 {
            strip.gap(1).cell(Role::Title, label.short, cells, cut);
        }
    }
    if columns.has_note {
        strip.gap(1).put(Role::Title, column::NOTE.short);
    }
    strip.line()
}

/// One line.
pub(super) fn line(
    paint: &Paint<'_>,
    filling: &Filling,
    place: usize,
    columns: Columns,
    under_cursor: bool,
) -> Line<'static> {
    let Some(row) = filling.rows.get(place) else { return Line::default() };
    let state = filling.shown(place);
    let (role, word) = story::sign(&shown(state), paint.glyphs);
    let mut strip = Strip::new(paint, columns.width);
    strip.cell(Role::Key, if under_cursor { paint.glyphs.cursor() } else { "" }, 1, Cut::End);
    strip.cell(role, &word, STATE, Cut::End);
    strip.gap(1).cell(Role::Text, &row.item.address.to_string(), columns.address, Cut::Middle);
    if columns.version > 0 {
        strip.gap(1).cell(Role::Text, &row.item.version, columns.version, Cut::End);
    }
    strip.gap(1).cell(Role::Text, &row.item.target, columns.target, Cut::End);
    if columns.size > 0 {
        let size = match (&row.result, filling.read_bytes(place)) {
            (_, Some(read)) => bytes(read),
            (FillResult::Filled { size, .. }, None) => bytes(*size),
            (_, None) if row.item.size > 0 => bytes(row.item.size),
            (_, None) => "-".to_owned(),
        };
        strip.gap(1).cell(Role::Dim, &size, columns.size, Cut::Right);
    }
    if columns.has_note && !matches!(row.result, FillResult::Waiting if state != Shown::Active) {
        strip.gap(1).put(Role::Dim, &note(row, state));
    }
    strip.line()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_comes_before_a_reason_that_is_shown_below() {
        let widths = Widths { address: 25, version: 10, target: 13 };
        for (class, width, address) in
            [(Class::Wide, 120, 25), (Class::Medium, 80, 22), (Class::Narrow, 60, 23)]
        {
            assert_eq!(Columns::of(widths, class, width).address, address, "{width}");
        }
    }
}
