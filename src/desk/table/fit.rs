//! The layout of a table: the same for a screen and for a stream.

use std::cmp::Reverse;

use crate::desk::table::{ColumnWidth, TableColumn};

/// The cells of one column that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ColumnPlace {
    /// Its index among all columns of the table.
    pub(crate) column: usize,
    pub(crate) from: usize,
    pub(crate) cells: usize,
}

/// Divides `room` cells among the columns; `longest` is the width of each column's longest text, and `gap` the number of blank cells
/// between two columns. Returns the columns that are shown. They take more than `room` only if it is too narrow even after every
/// column gave way.
pub(crate) fn fit(columns: &[TableColumn], longest: &[usize], room: usize, gap: usize) -> Vec<ColumnPlace> {
    let wanted = columns.iter().zip(longest).map(|(column, longest)| match column.width {
        ColumnWidth::Content { .. } => *longest,
        ColumnWidth::Rest { wants, .. } => wants,
    });
    let mut cells: Vec<usize> = wanted.collect();
    let used = |cells: &[usize]| {
        let shown = cells.iter().filter(|cells| **cells > 0);
        shown.map(|cells| cells + gap).sum::<usize>().saturating_sub(gap)
    };
    let mut giving: Vec<usize> = (0..columns.len()).filter(|at| columns[*at].rank > 0).collect();
    giving.sort_by_key(|at| Reverse(columns[*at].rank));
    for at in giving {
        let excess = used(&cells).saturating_sub(room);
        let (ColumnWidth::Content { least } | ColumnWidth::Rest { least, .. }) = columns[at].width;
        cells[at] = match least {
            _ if excess == 0 => break,
            0 => 0,
            least => cells[at].saturating_sub(excess).max(least.min(cells[at])),
        };
    }
    let takes_rest = |at: &usize| matches!(columns[*at].width, ColumnWidth::Rest { .. }) && cells[*at] > 0;
    let rests: Vec<usize> = (0..columns.len()).filter(takes_rest).collect();
    let mut free = room.saturating_sub(used(&cells));
    // A column that was left out last may leave more cells than were missing.
    for (cells, longest) in cells.iter_mut().zip(longest) {
        if rests.is_empty() && *cells > 0 {
            let more = longest.saturating_sub(*cells).min(free);
            *cells += more;
            free -= more;
        }
    }
    for (place, at) in rests.iter().enumerate() {
        cells[*at] += free / rests.len() + usize::from(place < free % rests.len());
    }
    let mut from = 0;
    let shown = cells.into_iter().enumerate().filter(|(_, cells)| *cells > 0);
    shown
        .map(|(column, cells)| {
            let place = ColumnPlace { column, from, cells };
            from = from.saturating_add(cells).saturating_add(gap);
            place
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::table::{Cut, GAP};
    use crate::desk::telling::Label;

    const fn column(width: ColumnWidth, rank: u8) -> TableColumn {
        TableColumn::new(Label::of("X"), width, Cut::End, rank)
    }

    /// A result, a number, the reason, and two columns that wide windows have.
    const COLUMNS: [TableColumn; 5] = [
        column(ColumnWidth::Content { least: 6 }, 1),
        column(ColumnWidth::Content { least: 0 }, 0),
        column(ColumnWidth::Rest { wants: 12, least: 10 }, 2),
        column(ColumnWidth::Content { least: 0 }, 3),
        column(ColumnWidth::Rest { wants: 14, least: 0 }, 4),
    ];
    const LONGEST: [usize; 5] = [9, 4, 0, 7, 0];

    fn widths(room: usize) -> Vec<(usize, usize)> {
        fit(&COLUMNS, &LONGEST, room, GAP).iter().map(|place| (place.column, place.cells)).collect()
    }

    #[test]
    fn columns_give_way_by_rank_and_the_rest_is_shared() {
        for (room, wanted) in [
            (54, vec![(0, 9), (1, 4), (2, 12), (3, 7), (4, 14)]),
            (57, vec![(0, 9), (1, 4), (2, 14), (3, 7), (4, 15)]),
            // The last column is left out, and its cells go to the reason.
            (53, vec![(0, 9), (1, 4), (2, 27), (3, 7)]),
            (37, vec![(0, 9), (1, 4), (2, 20)]),
            (28, vec![(0, 9), (1, 4), (2, 11)]),
            (25, vec![(0, 7), (1, 4), (2, 10)]),
            // Nothing is left to give.
            (9, vec![(0, 6), (1, 4), (2, 10)]),
        ] {
            assert_eq!(widths(room), wanted, "{room}");
        }
    }

    #[test]
    fn a_narrowed_column_gets_back_what_nothing_else_needs() {
        let columns = [
            column(ColumnWidth::Content { least: 4 }, 2),
            column(ColumnWidth::Rest { wants: 12, least: 0 }, 1),
        ];
        let widths =
            |room| fit(&columns, &[20, 0], room, GAP).iter().map(|place| place.cells).collect::<Vec<_>>();
        assert_eq!([34, 33, 18, 17].map(widths), [vec![20, 12], vec![19, 12], vec![4, 12], vec![17]]);
    }

    #[test]
    fn columns_stand_beside_each_other_and_fill_the_room() {
        for room in 24..200 {
            let places = fit(&COLUMNS, &LONGEST, room, GAP);
            for pair in places.windows(2) {
                assert_eq!(pair[0].from + pair[0].cells + GAP, pair[1].from, "{room}: {places:?}");
            }
            let last = places.last().expect("columns");
            assert_eq!(last.from + last.cells, room, "{places:?}");
        }
    }

    #[test]
    fn a_stream_without_a_width_shows_everything() {
        assert_eq!(widths(usize::MAX).len(), COLUMNS.len());
    }
}
