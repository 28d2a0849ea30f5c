//! The places of the parts of Backfill: title, gauges and picture, the table, and the details of the row
//! under the cursor.

use crate::tui::base::layout;
use crate::tui::base::layout::{Area, Class, Window};

/// The parts of the view; an absent one has no rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) title: Area,
    pub(crate) gauges: Area,
    /// One cell for each target, or for several of them.
    pub(crate) picture: Area,
    /// A rule, and the column heads if there is room for them.
    pub(crate) heads: Area,
    pub(crate) list: Area,
    pub(crate) rule: Area,
    pub(crate) detail: Area,
    /// The path of the journal that keeps the rows.
    pub(crate) journal: Area,
    /// The rule above the message; a long message covers it.
    pub(crate) floor: Area,
}

/// Cells before the picture: a label and blanks.
pub(crate) const LEAD: u16 = 11;

/// `rows` is the number of rows, which is constant during a run. The details get the lines that the table
/// does not need.
pub(crate) fn parts(window: Window, rows: usize) -> Parts {
    let size = window.size;
    let mut rest = layout::frame(size).body;
    let class = size.class();
    let (gauges, most, heads, detail, journal) = match class {
        Class::Wide => (2, 3, 1, (size.rows / 4).max(8), 1),
        Class::Medium => (2, 2, 1, 4, 0),
        _ if size.rows >= 18 => (2, 1, 1, 2, 0),
        _ => (1, 0, 0, 0, 0),
    };
    let title = layout::cut_top(&mut rest, 1);
    let gauges = layout::cut_top(&mut rest, gauges);
    let cells = usize::from(rest.width.saturating_sub(LEAD + 1)).max(1);
    let picture = layout::cut_top(
        &mut rest,
        u16::try_from(rows.div_ceil(cells)).unwrap_or(most).clamp(most.min(1), most),
    );
    let heads = layout::cut_top(&mut rest, heads);
    let floor = layout::cut_bottom(&mut rest, u16::from(detail > 0));
    let journal = layout::cut_bottom(&mut rest, journal);
    let spare = if detail > 0 { rest.height.saturating_sub(detail + 1) } else { 0 };
    let spare = spare.saturating_sub(u16::try_from(rows.max(1)).unwrap_or(u16::MAX));
    let wanted = detail + spare + u16::from(detail > 0);
    let below = if window.divider.is_zoomed { 0 } else { window.second(wanted, rest.height, wanted.min(3)) };
    let mut detail = layout::cut_bottom(&mut rest, below);
    let rule = layout::cut_top(&mut detail, 1);
    Parts { title, gauges, picture, heads, list: rest, rule, detail, journal, floor }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lie_inside_and_never_overlap() {
        for window in layout::windows() {
            for rows in [0, 1, 7, 200, 600_000] {
                let body = layout::frame(window.size).body;
                let p = parts(window, rows);
                let all =
                    [p.title, p.gauges, p.picture, p.heads, p.list, p.rule, p.detail, p.journal, p.floor];
                layout::assert_apart(body, &all);
                assert!(all.iter().all(|part| part.intersection(body) == *part), "{window:?}, {rows}: {p:?}");
                let sum: u16 = all.iter().map(|part| part.height).sum();
                assert_eq!(sum, body.height, "{window:?}, {rows}: {p:?}");
                assert!(p.list.height > 0, "{window:?}, {rows}: {p:?}");
            }
        }
    }
}
