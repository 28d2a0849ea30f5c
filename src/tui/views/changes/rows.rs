//! Draws the tree of files and changes.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::desk::planning::Planning;
use crate::desk::table::{ColumnPlace, TableCell};
use crate::desk::telling::Tone;
use crate::desk::telling::planned::{LONGEST, PLAN_COLUMNS, class_tone, file_cell, piece_cell};
use crate::rules::plan::PlannedFile;
use crate::tui::base::theme::Role;
use crate::tui::views::changes::parts::Parts;
use crate::tui::views::changes::state::Changes;
use crate::tui::views::changes::tree::at_row;
use crate::tui::widgets::strip::{Paint, Strip, lay};
use crate::tui::widgets::table;

/// A file's class: glyph and word.
pub(super) fn class(strip: &mut Strip<'_>, file: &PlannedFile) {
    strip.put(Role::meant(class_tone(file.class)), &format!("{} {}", file.class.glyph(), file.class.word()));
}

/// The columns of a tree of so many cells.
pub(super) fn places(width: u16) -> Vec<ColumnPlace> {
    table::places(&PLAN_COLUMNS, &LONGEST, width)
}

/// Draws the heads, and the rows of the tree that are in its window; gives the cell of the cursor.
pub(super) fn view(
    changes: &Changes,
    planning: &Planning,
    paint: &Paint<'_>,
    parts: &Parts,
    buffer: &mut Buffer,
) -> Option<Position> {
    let places = places(parts.tree.width);
    lay(buffer, parts.heads, &[table::heads(paint, &PLAN_COLUMNS, &places, parts.heads.width)]);
    let cell = |row: usize, column: usize| {
        let at = at_row(planning, row);
        let found = at.and_then(|at| Some((at, planning.files().get(at.file)?)));
        match found.map(|(at, file)| (file, at.piece.map(|piece| file.pieces.get(piece)))) {
            Some((file, None)) => file_cell(file, column),
            Some((_, Some(Some(piece)))) => piece_cell(piece, column),
            _ => TableCell::of("", Tone::Plain),
        }
    };
    table::rows(paint, (&PLAN_COLUMNS, &places), changes.window(planning), cell, parts.tree, buffer)
}
