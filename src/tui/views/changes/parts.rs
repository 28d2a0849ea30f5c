//! The places of the parts of Changes: the tree and the lines side by side where there is room, else one of
//! them.

use crate::tui::base::layout;
use crate::tui::base::layout::{Area, Class, Size};
use crate::tui::views::changes::state::{Changes, Focus};

/// The parts of the view; an absent one has no cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) title: Area,
    /// The column heads of the tree and a rule.
    pub(crate) heads: Area,
    pub(crate) tree: Area,
    pub(crate) tree_floor: Area,
    pub(crate) evidence: Area,
    pub(crate) wall: Area,
    /// The cursor's place in the document, and a rule.
    pub(crate) path: Area,
    pub(crate) path_rule: Area,
    pub(crate) lines: Area,
    /// Class, counts, bytes.
    pub(crate) banner: Area,
    pub(crate) banner_rule: Area,
    /// The rule above the message; a long message covers it.
    pub(crate) floor: Area,
}

const TREE: u16 = 42;

/// The parts for the current focus.
pub(super) fn parts(changes: &Changes, size: Size) -> Parts {
    let body = layout::frame(size).body;
    match (size.class(), changes.focus) {
        (Class::Wide, _) => wide(body, size.columns),
        (class, Focus::Files) => tree_alone(body, class),
        (class, Focus::Lines) => lines_alone(body, class),
    }
}

fn none(body: Area) -> Parts {
    let none = Area { width: 0, height: 0, ..body };
    Parts {
        title: none,
        heads: none,
        tree: none,
        tree_floor: none,
        evidence: none,
        wall: none,
        path: none,
        path_rule: none,
        lines: none,
        banner: none,
        banner_rule: none,
        floor: none,
    }
}

fn wide(body: Area, columns: u16) -> Parts {
    let mut left = body;
    let floor = layout::cut_bottom(&mut left, 1);
    let mut right = layout::cut_right(&mut left, columns - (columns * 30 / 100).clamp(TREE, 60));
    let wall = layout::cut_right(&mut left, 2);
    let title = layout::cut_top(&mut left, 1);
    let heads = layout::cut_top(&mut left, 2);
    let below = (left.height * 2 / 5).min(14);
    let evidence = layout::cut_bottom(&mut left, below);
    let tree_floor = layout::cut_bottom(&mut left, 1);
    let path = layout::cut_top(&mut right, 1);
    let path_rule = layout::cut_top(&mut right, 1);
    let banner = layout::cut_bottom(&mut right, 2);
    let banner_rule = layout::cut_bottom(&mut right, 1);
    Parts {
        title,
        heads,
        tree: left,
        tree_floor,
        evidence,
        wall,
        path,
        path_rule,
        lines: right,
        banner,
        banner_rule,
        floor,
    }
}

fn tree_alone(body: Area, class: Class) -> Parts {
    let mut rest = body;
    let floor = layout::cut_bottom(&mut rest, 1);
    let title = layout::cut_top(&mut rest, 1);
    let heads = layout::cut_top(&mut rest, if class == Class::Narrow { 1 } else { 2 });
    let evidence = layout::cut_bottom(&mut rest, if class == Class::Narrow { 2 } else { 4 });
    let tree_floor = layout::cut_bottom(&mut rest, 1);
    Parts { title, heads, tree: rest, tree_floor, evidence, floor, ..none(body) }
}

fn lines_alone(body: Area, class: Class) -> Parts {
    let mut rest = body;
    let floor = layout::cut_bottom(&mut rest, 1);
    let title = layout::cut_top(&mut rest, 1);
    let banner = layout::cut_top(&mut rest, u16::from(class == Class::Medium));
    let path = layout::cut_top(&mut rest, 1);
    let evidence = layout::cut_top(&mut rest, 1);
    let path_rule = layout::cut_top(&mut rest, 1);
    Parts { title, banner, path, evidence, path_rule, lines: rest, floor, ..none(body) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lie_inside_and_never_overlap() {
        for columns in 40..150 {
            for rows in 12..50 {
                let size = Size::new(columns, rows);
                let body = layout::frame(size).body;
                let all = match size.class() {
                    Class::Wide => vec![wide(body, columns)],
                    class => vec![tree_alone(body, class), lines_alone(body, class)],
                };
                for p in all {
                    let left = [p.title, p.heads, p.tree, p.tree_floor, p.evidence, p.wall];
                    let right = [p.path, p.path_rule, p.lines, p.banner, p.banner_rule, p.floor];
                    layout::assert_apart(body, &[left, right].concat());
                    assert!(p.tree.height.max(p.lines.height) >= 2, "{size:?}");
                }
            }
        }
    }
}
