//! The places of the parts of the board: as many columns side by side as fit, and the story of one card
//! below.

use crate::tui::base::layout;
use crate::tui::base::layout::{Area, Class, Size, Window};

/// Cells between two columns.
pub(super) const BETWEEN: u16 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) title: Area,
    /// The cost of each survey.
    pub(super) cost: Area,
    /// The columns with their heads; a single list on a narrow window.
    pub(super) board: Area,
    pub(super) rule: Area,
    pub(super) story: Area,
}

/// `is_expanded` gives the story of the card under the cursor the whole view.
pub(super) fn parts(window: Window, is_expanded: bool) -> Parts {
    let size = window.size;
    let mut rest = layout::frame(size).body;
    let title = layout::cut_top(&mut rest, 1);
    if is_expanded {
        let rule = layout::cut_top(&mut rest, 1);
        return Parts { title, cost: Area::default(), board: Area::default(), rule, story: rest };
    }
    let cost = layout::cut_top(&mut rest, u16::from(size.class() != Class::Narrow));
    let share = match size.class() {
        Class::Wide => (rest.height * 2 / 5).max(10),
        Class::Medium => 6,
        Class::Narrow | Class::Tiny => 3,
    };
    let wanted = share.min(rest.height / 2) + 1;
    let below = if window.divider.is_zoomed { 0 } else { window.second(wanted, rest.height, 4) };
    let mut story = layout::cut_bottom(&mut rest, below);
    let rule = layout::cut_top(&mut story, 1);
    Parts { title, cost, board: rest, rule, story }
}

/// The number of columns side by side.
pub(super) fn columns_seen(size: Size) -> usize {
    match size.class() {
        Class::Wide => 4,
        Class::Medium => 2,
        Class::Narrow | Class::Tiny => 1,
    }
}

/// The area of a column by its place among the visible ones.
pub(super) fn column(board: Area, place: usize, seen: usize) -> Area {
    let seen = u16::try_from(seen.max(1)).unwrap_or(1);
    let place = u16::try_from(place).unwrap_or(0);
    let width = board.width.saturating_sub(BETWEEN * (seen - 1)) / seen;
    Area { x: board.x + place * (width + BETWEEN), width, ..board }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lie_inside_and_never_overlap() {
        for window in layout::windows() {
            for is_expanded in [false, true] {
                let p = parts(window, is_expanded);
                layout::assert_apart(
                    layout::frame(window.size).body,
                    &[p.title, p.cost, p.board, p.rule, p.story],
                );
                assert!(
                    (p.story.height >= 2 || window.divider.is_zoomed) && (is_expanded || p.board.height >= 3),
                    "{window:?}: {p:?}"
                );
                let seen = columns_seen(window.size);
                let last = column(p.board, seen - 1, seen);
                assert!(is_expanded || last.right() <= p.board.right(), "{window:?}: {last:?}");
            }
        }
    }
}
