//! The places of the parts of Reviews: the pull requests at the top, one of them in full below.

use crate::tui::base::layout;
use crate::tui::base::layout::{Area, Class, Size};

/// The fewest rows of the list, so that the part below it seldom moves.
const FEWEST: u16 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) title: Area,
    pub(super) heads: Area,
    pub(super) list: Area,
    pub(super) rule: Area,
    /// The details of the pull request under the cursor.
    pub(super) whole: Area,
}

/// `rows` is the number of rows of the list, which takes what they need up to a half. `is_expanded` gives the
/// details the whole view.
pub(super) fn parts(size: Size, rows: usize, is_expanded: bool) -> Parts {
    let mut rest = layout::frame(size).body;
    let title = layout::cut_top(&mut rest, 1);
    if is_expanded {
        let rule = layout::cut_top(&mut rest, 1);
        return Parts { title, heads: Area::default(), list: Area::default(), rule, whole: rest };
    }
    let heads = layout::cut_top(&mut rest, if size.class() == Class::Narrow { 0 } else { 2 });
    let most = (rest.height / 2).max(2);
    let rows = u16::try_from(rows).unwrap_or(most).clamp(FEWEST.min(most), most);
    let list = layout::cut_top(&mut rest, rows);
    let rule = layout::cut_top(&mut rest, 1);
    Parts { title, heads, list, rule, whole: rest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lie_inside_and_never_overlap() {
        for size in layout::sizes() {
            for (listed, is_expanded) in [(0, false), (3, false), (200, false), (200, true)] {
                let p = parts(size, listed, is_expanded);
                layout::assert_apart(layout::frame(size).body, &[p.title, p.heads, p.list, p.rule, p.whole]);
                assert!(p.whole.height >= 1, "{size:?}: {p:?}");
            }
        }
    }
}
