//! Tables for every face: their columns, the cells that each column gets, and the order of the rows.
//!
//! A face brings the room and draws the cells. Nothing here knows a cursor, a key or a screen.

mod fit;
mod order;
mod texts;

use std::borrow::Cow;

use crate::desk::telling::{Glyph, Label, Sign, Tone};
use crate::rules::amount::grouped;

pub(crate) use fit::{ColumnPlace, fit};
pub(crate) use order::{TableOrder, TableSort};
pub(crate) use texts::TableTexts;

/// Blank cells between two columns, but in a table of many short ones.
pub(crate) const GAP: usize = 2;

/// One column of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableColumn {
    pub(crate) label: Label,
    pub(crate) width: ColumnWidth,
    pub(crate) cut: Cut,
    /// The column with the highest rank gives way first if there is no room for all. A column of rank 0 never does.
    pub(crate) rank: u8,
}

impl TableColumn {
    pub(crate) const fn new(label: Label, width: ColumnWidth, cut: Cut, rank: u8) -> Self {
        Self { label, width, cut, rank }
    }
}

/// The cells that a column takes, and how it gives way: by narrowing to `least`, or by being left out where that is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnWidth {
    /// The cells of its longest text.
    Content { least: usize },
    /// `wants` cells, and an equal share of what the columns leave.
    Rest { wants: usize, least: usize },
}

/// The side at which a long text is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    Middle,
    End,
    /// Cut at the end, and aligned to the right.
    Right,
}

/// One cell: its text, what it means, and the glyph before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableCell<'a> {
    pub(crate) glyph: Option<Glyph>,
    pub(crate) text: Cow<'a, str>,
    pub(crate) tone: Tone,
}

impl<'a> TableCell<'a> {
    pub(crate) fn of(text: impl Into<Cow<'a, str>>, tone: Tone) -> Self {
        Self { glyph: None, text: text.into(), tone }
    }
}

impl From<Sign> for TableCell<'_> {
    fn from(sign: Sign) -> Self {
        Self { glyph: Some(Glyph(sign.glyph, sign.ascii)), ..Self::of(sign.word, sign.tone) }
    }
}

/// The visible rows: `1–29 of 61`; empty for a table without rows. `dash` is that of the face.
pub(crate) fn position(top: usize, height: usize, count: usize, dash: &str) -> String {
    if count == 0 {
        return String::new();
    }
    let last = (top + height).min(count);
    format!("{}{dash}{} of {}", grouped(top + 1), grouped(last), grouped(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_names_the_visible_rows() {
        for (top, height, count, wanted) in [
            (0, 29, 61, "1–29 of 61"),
            (0, 29, 3, "1–3 of 3"),
            (40, 8, 2000, "41–48 of 2,000"),
            (0, 8, 0, ""),
        ] {
            assert_eq!(position(top, height, count, "–"), wanted);
        }
    }
}
