//! The places of the parts of Changes: the tree and the lines side by side where there is room, else the lines below the tree, or
//! one of them alone.

use crate::tui::base::layout;
use crate::tui::base::layout::{Area, Class, Window};
use crate::tui::views::changes::state::{Changes, Focus};

/// The parts of the view; an absent one has no cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    /// The rule that names the plan, above its tree.
    pub(crate) title: Area,
    /// The column heads of the tree.
    pub(crate) heads: Area,
    pub(crate) tree: Area,
    /// The rule that names the evidence.
    pub(crate) tree_floor: Area,
    pub(crate) evidence: Area,
    pub(crate) wall: Area,
    /// The rule that names the version, above its lines.
    pub(crate) side: Area,
    /// The cursor's place in the document.
    pub(crate) path: Area,
    pub(crate) lines: Area,
    /// Class, counts, bytes.
    pub(crate) banner: Area,
    pub(crate) banner_rule: Area,
    /// The rule above the message; a long message covers it.
    pub(crate) floor: Area,
}

/// Columns of the tree and of the lines, at least.
const TREE: u16 = 42;

/// Lines of a summary that are worth their place below the tree.
const FEWEST_LINES: u16 = 4;

/// The parts for the current focus; the tree has so many rows.
pub(super) fn parts(changes: &Changes, rows: usize, window: Window) -> Parts {
    let is_wide = window.class() == Class::Wide;
    match changes.focus {
        _ if is_wide && !window.divider.is_zoomed => wide(window),
        Focus::Lines => lines_alone(window),
        Focus::Files if is_wide => tree_alone(window),
        Focus::Files => {
            let parts = stacked(window, rows);
            if parts.lines.height < FEWEST_LINES { tree_alone(window) } else { parts }
        }
    }
}

fn wide(window: Window) -> Parts {
    let mut left = layout::frame(window.size).body;
    let floor = layout::cut_bottom(&mut left, 1);
    let columns = window.size.columns;
    let wanted = columns - (columns * 46 / 100).clamp(TREE, 66);
    let mut right = layout::cut_right(&mut left, window.second(wanted, columns, TREE));
    let wall = layout::cut_wall(&mut left);
    let title = layout::up_to(layout::cut_top(&mut left, 1), wall);
    let heads = layout::cut_top(&mut left, 1);
    let below = (left.height * 2 / 5).min(14);
    let evidence = layout::cut_bottom(&mut left, below);
    let tree_floor = layout::cut_bottom(&mut left, 1);
    let side = layout::cut_top(&mut right, 1);
    let path = layout::cut_top(&mut right, 1);
    let banner = layout::cut_bottom(&mut right, 2);
    let banner_rule = layout::cut_bottom(&mut right, 1);
    Parts {
        title,
        heads,
        tree: left,
        tree_floor,
        evidence,
        wall,
        side,
        path,
        lines: right,
        banner,
        banner_rule,
        floor,
    }
}

fn tree_alone(window: Window) -> Parts {
    let mut rest = layout::frame(window.size).body;
    let floor = layout::cut_bottom(&mut rest, 1);
    let title = layout::cut_top(&mut rest, 1);
    let heads = layout::cut_top(&mut rest, 1);
    let below = match window.class() {
        Class::Narrow => 2,
        Class::Wide => (rest.height * 2 / 5).min(14),
        _ => 4,
    };
    let evidence = layout::cut_bottom(&mut rest, below);
    let tree_floor = layout::cut_bottom(&mut rest, 1);
    Parts { title, heads, tree: rest, tree_floor, evidence, floor, ..Parts::default() }
}

/// The change under the cursor below the tree, which has the rows that it needs up to two fifths.
fn stacked(window: Window, rows: usize) -> Parts {
    let is_narrow = window.class() == Class::Narrow;
    let mut rest = layout::frame(window.size).body;
    let floor = layout::cut_bottom(&mut rest, 1);
    let title = layout::cut_top(&mut rest, 1);
    let heads = layout::cut_top(&mut rest, u16::from(!is_narrow));
    let checks = if is_narrow { 1 } else { 2 };
    let most = (rest.height.saturating_sub(1 + checks) * 2 / 5).max(2);
    let tree = layout::cut_top(&mut rest, u16::try_from(rows).unwrap_or(u16::MAX).clamp(2, most));
    let side = layout::cut_top(&mut rest, 1);
    let evidence = layout::cut_top(&mut rest, checks);
    Parts { title, heads, tree, side, evidence, lines: rest, floor, ..Parts::default() }
}

fn lines_alone(window: Window) -> Parts {
    let mut rest = layout::frame(window.size).body;
    let floor = layout::cut_bottom(&mut rest, 1);
    let side = layout::cut_top(&mut rest, 1);
    let banner = layout::cut_top(&mut rest, u16::from(window.class() != Class::Narrow));
    let path = layout::cut_top(&mut rest, 1);
    let evidence = layout::cut_top(&mut rest, 1);
    let banner_rule = layout::cut_top(&mut rest, 1);
    Parts { side, banner, path, evidence, banner_rule, lines: rest, floor, ..Parts::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::memory::Divider;

    #[test]
    fn parts_lie_inside_and_never_overlap() {
        for window in layout::windows() {
            let stacked = [0, 2, 600].map(|rows| stacked(window, rows));
            let alone = [tree_alone(window), lines_alone(window)].into_iter().chain(stacked);
            for p in alone.chain((window.class() == Class::Wide).then(|| wide(window))) {
                let left = [p.title, p.heads, p.tree, p.tree_floor, p.evidence, p.wall];
                let right = [p.side, p.path, p.lines, p.banner, p.banner_rule, p.floor];
                layout::assert_apart(layout::frame(window.size).body, &[left, right].concat());
                assert!(p.tree.height.max(p.lines.height) >= 2, "{window:?}");
            }
        }
    }

    /// The summary of a version has its place below the tree at both common sizes without two panes.
    #[test]
    fn the_change_under_the_cursor_stands_below_the_tree() {
        for (columns, rows, files, wanted) in [
            (80, 24, 2, (2, 12)),
            (80, 24, 40, (5, 9)),
            (60, 20, 2, (2, 10)),
            (60, 20, 40, (4, 8)),
            (40, 12, 2, (2, 0)),
        ] {
            let window = Window { size: layout::Size::new(columns, rows), divider: Divider::default() };
            let parts = parts(&Changes::default(), files, window);
            assert_eq!((parts.tree.height, parts.lines.height), wanted, "{columns}x{rows}");
        }
    }
}
