//! Where what stands on the board: the columns side by side as far as there is room, the story of one card beneath.

use crate::tui::base::layout;
use crate::tui::base::layout::{Area, Class, Size};

/// Cells between two columns.
pub(super) const BETWEEN: u16 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) title: Area,
    /// What a survey costs.
    pub(super) cost: Area,
    /// The columns, their heads on top; one list of all where it is narrow.
    pub(super) board: Area,
    pub(super) rule: Area,
    pub(super) story: Area,
}

/// `is_whole`: the story of the card under the cursor has all of it.
pub(super) fn parts(size: Size, is_whole: bool) -> Parts {
    let mut rest = layout::frame(size).body;
    let title = layout::cut_top(&mut rest, 1);
    if is_whole {
        let rule = layout::cut_top(&mut rest, 1);
        return Parts { title, cost: Area::default(), board: Area::default(), rule, story: rest };
    }
    let cost = layout::cut_top(&mut rest, u16::from(size.class() != Class::Narrow));
    let share = match size.class() {
        Class::Wide => (rest.height * 2 / 5).max(10),
        Class::Medium => 6,
        Class::Narrow | Class::Tiny => 3,
    };
    let most = rest.height / 2;
    let story = layout::cut_bottom(&mut rest, share.min(most));
    let rule = layout::cut_bottom(&mut rest, 1);
    Parts { title, cost, board: rest, rule, story }
}

/// How many columns stand side by side.
pub(super) fn columns_seen(size: Size) -> usize {
    match size.class() {
        Class::Wide => 4,
        Class::Medium => 2,
        Class::Narrow | Class::Tiny => 1,
    }
}

/// Where the column is that has this place among those that are seen.
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
        for size in layout::sizes() {
            for is_whole in [false, true] {
                let p = parts(size, is_whole);
                layout::assert_apart(layout::frame(size).body, &[p.title, p.cost, p.board, p.rule, p.story]);
                assert!(p.story.height >= 2 && (is_whole || p.board.height >= 3), "{size:?}: {p:?}");
                let seen = columns_seen(size);
                let last = column(p.board, seen - 1, seen);
                assert!(is_whole || last.right() <= p.board.right(), "{size:?}: {last:?}");
            }
        }
    }
}
