//! The places of the parts of Changes: the tree and the lines side by side where there is room, else one of
//! them.

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

/// The parts for the current focus.
pub(super) fn parts(changes: &Changes, window: Window) -> Parts {
    let is_wide = window.class() == Class::Wide;
    match changes.focus {
        _ if is_wide && !window.divider.is_zoomed => wide(window),
        Focus::Files => tree_alone(window),
        Focus::Lines => lines_alone(window),
    }
}

fn wide(window: Window) -> Parts {
    let mut left = layout::frame(window.size).body;
    let floor = layout::cut_bottom(&mut left, 1);
    let columns = window.size.columns;
    let wanted = columns - (columns * 42 / 100).clamp(TREE, 66);
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

    #[test]
    fn parts_lie_inside_and_never_overlap() {
        for window in layout::windows() {
            let alone = [tree_alone(window), lines_alone(window)];
            for p in alone.into_iter().chain((window.class() == Class::Wide).then(|| wide(window))) {
                let left = [p.title, p.heads, p.tree, p.tree_floor, p.evidence, p.wall];
                let right = [p.side, p.path, p.lines, p.banner, p.banner_rule, p.floor];
                layout::assert_apart(layout::frame(window.size).body, &[left, right].concat());
                assert!(p.tree.height.max(p.lines.height) >= 2, "{window:?}");
            }
        }
    }
}
