//! The places of the parts of Verify: title and gauges, the table, and the details of the row under the
//! cursor.

use crate::tui::base::layout;
use crate::tui::base::layout::{Area, Class, Window};

/// The parts of the view; an absent one has no rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) title: Area,
    pub(crate) gauges: Area,
    /// A rule, and the column heads if there is room for them.
    pub(crate) heads: Area,
    pub(crate) list: Area,
    pub(crate) rule: Area,
    pub(crate) detail: Area,
    /// The path of the report.
    pub(crate) report: Area,
    /// The rule above the message; a long message covers it.
    pub(crate) floor: Area,
}

/// `lines` is the number of lines of the table. The details get the lines that the table does not need.
pub(crate) fn parts(window: Window, lines: usize) -> Parts {
    let size = window.size;
    let mut rest = layout::frame(size).body;
    let class = size.class();
    let (gauges, heads, detail, report) = match class {
        Class::Wide => (2, 1, (size.rows * 3 / 10).max(9), 1),
        Class::Medium => (2, 1, 4, 0),
        _ if size.rows >= 18 => (2, 1, 2, 0),
        _ => (1, 0, 0, 0),
    };
    let title = layout::cut_top(&mut rest, 1);
    let gauges = layout::cut_top(&mut rest, gauges);
    let heads = layout::cut_top(&mut rest, heads);
    let floor = layout::cut_bottom(&mut rest, u16::from(detail > 0));
    let report = layout::cut_bottom(&mut rest, report);
    let spare = if detail > 0 { rest.height.saturating_sub(detail + 1) } else { 0 };
    let spare = spare.saturating_sub(u16::try_from(lines.max(1)).unwrap_or(u16::MAX));
    let wanted = detail + spare + u16::from(detail > 0);
    let below = if window.divider.is_zoomed { 0 } else { window.second(wanted, rest.height, wanted.min(3)) };
    let mut detail = layout::cut_bottom(&mut rest, below);
    let rule = layout::cut_top(&mut detail, 1);
    Parts { title, gauges, heads, list: rest, rule, detail, report, floor }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lie_inside_and_never_overlap() {
        for window in layout::windows() {
            for lines in [0, 1, 7, 600_000] {
                let p = parts(window, lines);
                let all = [p.title, p.gauges, p.heads, p.list, p.rule, p.detail, p.report, p.floor];
                layout::assert_apart(layout::frame(window.size).body, &all);
            }
        }
    }
}
