//! Screens as they are: a few, so that a changed header or footer is little to read. One view at every class of size, the
//! others where there is one pane and a preview, and what stands over a view.

use super::{Make, after, changes, diff, entry, inventory, jobs, keep, verify};
use crate::tui::tests::screen;

const WHOLE: [(&str, (u16, u16), Make); 12] = [
    ("inventory", (120, 40), inventory::FRAMES.normal.1),
    ("inventory", (80, 24), inventory::FRAMES.normal.1),
    ("inventory", (40, 12), inventory::FRAMES.normal.1),
    ("entry", (80, 24), entry::FRAMES.normal.1),
    ("diff", (80, 24), diff::FRAMES.normal.1),
    ("changes", (80, 24), changes::FRAMES.normal.1),
    ("verify", (80, 24), verify::FRAMES.normal.1),
    ("jobs", (80, 24), jobs::FRAMES.normal.1),
    ("lines", (120, 40), |columns, rows| changes::reviewing(columns, rows, ") ) ) <enter> ]")),
    ("help", (60, 20), |columns, rows| after(inventory::FRAMES.normal.1(columns, rows), "?")),
    ("leave", (80, 24), |columns, rows| after(jobs::FRAMES.normal.1(columns, rows), "q")),
    ("copy-menu", (40, 12), |columns, rows| after(inventory::FRAMES.normal.1(columns, rows), "y")),
];

fn name(case: &str, (columns, rows): (u16, u16)) -> String {
    format!("screen-{case}-{columns}x{rows}")
}

pub(super) fn names() -> impl Iterator<Item = String> {
    WHOLE.iter().map(|(case, size, _)| name(case, *size))
}

#[test]
fn screens() {
    for (case, size, make) in WHOLE {
        keep(&name(case, size), &screen(&make(size.0, size.1)));
    }
}
