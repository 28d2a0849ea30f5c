//! The places of the parts of Reviews: the pull requests, and one of them in full beside or below.

use crate::tui::base::layout;
use crate::tui::base::layout::{Area, Class, Size};

/// The fewest rows of the list, so that the part below it seldom moves.
const FEWEST: u16 = 4;
/// From so many columns on, the list and the details stand side by side.
const SIDE_BY_SIDE: u16 = 110;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) title: Area,
    /// The column heads, and a rule with the visible rows. It is empty in a small window.
    pub(super) heads: Area,
    pub(super) list: Area,
    /// Between the two where they stand side by side.
    pub(super) wall: Area,
    pub(super) rule: Area,
    /// The details of the pull request under the cursor.
    pub(super) whole: Area,
}

/// `rows` is the number of rows of the list; above the details it takes what they need up to a half. `is_expanded` gives the
/// details the whole view.
pub(super) fn parts(size: Size, rows: usize, is_expanded: bool) -> Parts {
    let mut rest = layout::frame(size).body;
    let (nothing, title) = (Area::default(), layout::cut_top(&mut rest, 1));
    if is_expanded {
        let rule = layout::cut_top(&mut rest, 1);
        return Parts { title, heads: nothing, list: nothing, wall: nothing, rule, whole: rest };
    }
    let is_beside = size.columns >= SIDE_BY_SIDE;
    if is_beside {
        let rule = layout::cut_bottom(&mut rest, 1);
        // A window of 120 columns leaves 30 for the reason.
        let whole = layout::cut_right(&mut rest, size.columns * 44 / 100);
        let wall = layout::cut_right(&mut rest, 2);
        let heads = layout::cut_top(&mut rest, 2);
        return Parts { title, heads, list: rest, wall, rule, whole };
    }
    let heads = layout::cut_top(&mut rest, if size.class() == Class::Narrow { 0 } else { 2 });
    let most = (rest.height / 2).max(2);
    let rows = u16::try_from(rows).unwrap_or(most).clamp(FEWEST.min(most), most);
    let list = layout::cut_top(&mut rest, rows);
    let rule = layout::cut_top(&mut rest, 1);
    Parts { title, heads, list, wall: nothing, rule, whole: rest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lie_inside_and_never_overlap() {
        for size in layout::sizes() {
            for (listed, is_expanded) in [(0, false), (3, false), (200, false), (200, true)] {
                let p = parts(size, listed, is_expanded);
                let all = [p.title, p.heads, p.list, p.wall, p.rule, p.whole];
                layout::assert_apart(layout::frame(size).body, &all);
                assert!(p.whole.height >= 1, "{size:?}: {p:?}");
                let is_beside = p.whole.y <= p.list.y && !is_expanded;
                assert_eq!(is_beside, size.columns >= 110 && !is_expanded, "{size:?}: {p:?}");
            }
        }
    }
}
