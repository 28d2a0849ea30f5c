//! Tables for every face: their columns, the cells that each column gets, and the order of the rows.
//!
//! A face brings the room and draws the cells. Nothing here knows a cursor, a key or a screen.

mod fit;

use crate::desk::telling::Label;

pub(crate) use fit::{ColumnPlace, fit};

/// One column of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableColumn {
    pub(crate) label: Label,
    pub(crate) width: ColumnWidth,
    pub(crate) cut: Cut,
    /// Where there is no room for all columns, the one with the highest rank gives way first. A column of rank 0 never does.
    pub(crate) rank: u8,
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
