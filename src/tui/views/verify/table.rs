//! The columns and lines of the table, as the window has room for them.

use crate::desk::run::{Run, Shape};
use crate::desk::table::{ColumnPlace, TableColumn};
use crate::desk::telling::target::{COLUMNS, COLUMNS_OF_ONE, COLUMNS_SLIM, COLUMNS_WIDE, Fold, TargetLine};
use crate::tui::base::layout::Class;
use crate::tui::views::verify::lines::Line;
use crate::tui::views::verify::state::Verify;
use crate::tui::widgets::table;

/// Blank cells between two columns: ten short ones stand close, and leave more for addresses and notes.
const GAP: usize = 1;

/// The columns that are shown, by their indexes in [`COLUMNS`], and their cells.
pub(super) struct Columns {
    pub(super) indexes: &'static [usize],
    pub(super) shown: Vec<TableColumn>,
    pub(super) places: Vec<ColumnPlace>,
}

impl Columns {
    /// The columns of a table of `rows` rows of this shape.
    pub(super) fn of(shape: Shape, rows: usize, class: Class, width: u16) -> Self {
        let indexes = match class {
            Class::Narrow if shape.is_of_one => COLUMNS_OF_ONE,
            Class::Narrow => COLUMNS_SLIM,
            _ => COLUMNS_WIDE,
        };
        // `+ 14 targets`; the targets of an open group are indented.
        let target = if rows > 1 { (shape.target.min(16) + 1).max(12) } else { shape.target };
        // `X MISMATCH`, `112.1/271.0`, `differ` and `gone`.
        let longest = [10, shape.address, shape.version.min(12), target, 11, 6, 6, 6, 4, 0];
        let shown: Vec<TableColumn> = indexes.iter().map(|column| COLUMNS[*column]).collect();
        let longest: Vec<usize> = indexes.iter().map(|column| longest[*column]).collect();
        let places = table::places_apart(GAP, &shown, &longest, width);
        Self { indexes, shown, places }
    }
}

/// The lines in the window.
pub(super) fn lines<'a>(verify: &Verify, run: &'a Run, height: u16) -> Vec<TargetLine<'a>> {
    let lines = verify.shows.lines(verify.top, &run.groups).take(usize::from(height));
    lines.map(|entry| line(verify, run, entry)).collect()
}

fn line<'a>(verify: &Verify, run: &'a Run, entry: Line<'_>) -> TargetLine<'a> {
    let (rows, place, fold) = match entry {
        Line::Row(place) => (vec![run.rows[place].as_ref()], place, Fold::Alone),
        Line::Inside(place) => (vec![run.rows[place].as_ref()], place, Fold::Inside),
        Line::Head(group) => {
            let fold = if verify.shows.is_open(group) { Fold::Open } else { Fold::Closed };
            (run.rows_of(group), group.first(), fold)
        }
    };
    let mut line = TargetLine::of(rows, run.state(place));
    line.fold = fold;
    if let Line::Head(group) = entry {
        line.is_active = group.places.iter().any(|place| run.doing(*place).is_some());
    } else {
        line.doing = run.doing(place);
        line.is_active = line.doing.is_some();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::telling::column;

    /// The cells of the address, and the heads of the columns that are left out.
    fn columns(shape: Shape, class: Class, width: u16) -> (usize, Vec<&'static str>) {
        let Columns { shown: columns, places, .. } = Columns::of(shape, 20, class, width);
        let cells = places.iter().find(|place| columns[place.column].label == column::ADDRESS);
        let is_absent = |at: &usize| places.iter().all(|place| place.column != *at);
        let absent = (0..columns.len()).filter(is_absent).map(|at| columns[at].label.short);
        (cells.map_or(0, |place| place.cells), absent.collect())
    }

    #[test]
    fn an_address_comes_before_what_is_shown_below_it() {
        let shape = |address| Shape { address, version: 6, target: 13, is_of_one: false };
        for (class, width, address, wanted) in [
            (Class::Wide, 120, 19, (19, vec![])),
            (Class::Wide, 120, 28, (28, vec!["SIZE"])),
            (Class::Wide, 120, 31, (31, vec!["SIZE"])),
            (Class::Medium, 80, 12, (12, vec!["SIZE", "H1", "NOTE"])),
            (Class::Medium, 80, 18, (18, vec!["SIZE", "H1", "NOTE"])),
            (Class::Medium, 80, 25, (18, vec!["SIZE", "H1", "NOTE"])),
            (Class::Narrow, 60, 17, (17, vec!["NOTE"])),
            (Class::Narrow, 60, 25, (24, vec!["NOTE"])),
            (Class::Narrow, 50, 25, (14, vec!["NOTE"])),
        ] {
            assert_eq!(columns(shape(address), class, width), wanted, "{width}: {address}");
        }
        // One entry is named by the title.
        let of_one = Shape { is_of_one: true, ..shape(17) };
        assert_eq!(columns(of_one, Class::Narrow, 50), (0, vec![]));
    }
}
