//! The places of the parts of Reviews: the pull requests, and one of them in full beside or below.

use crate::tui::base::layout;
use crate::tui::base::layout::{Area, Class, Window};
use crate::tui::views::reviews::state::Focus;

/// The fewest rows of the list, so that the part below it seldom moves.
const FEWEST: u16 = 4;
/// The fewest columns of each of two panes side by side.
const LEAST: u16 = 30;
/// From so many columns on, the list and the details stand side by side.
const SIDE_BY_SIDE: u16 = 110;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Parts {
    /// The rule that names the list.
    pub(super) title: Area,
    /// The column heads. It is empty in a small window.
    pub(super) heads: Area,
    pub(super) list: Area,
    /// Between the two where they stand side by side.
    pub(super) wall: Area,
    /// The rule that names the pull request under the cursor.
    pub(super) rule: Area,
    /// The details of the pull request under the cursor.
    pub(super) whole: Area,
    pub(super) floor: Area,
}

/// `rows` is the number of rows of the list; above the details it takes what they need up to a half. Details that have the
/// keys take the whole view where they do not stand beside the list.
pub(super) fn parts(window: Window, rows: usize, focus: Focus) -> Parts {
    let mut rest = layout::frame(window.size).body;
    let is_beside = window.size.columns >= SIDE_BY_SIDE;
    let floor = layout::cut_bottom(&mut rest, u16::from(is_beside));
    if focus == Focus::Whole || (focus == Focus::Detail && (window.divider.is_zoomed || !is_beside)) {
        let rule = layout::cut_top(&mut rest, 1);
        return Parts { rule, whole: rest, floor, ..Parts::default() };
    }
    let heads_height = u16::from(window.class() != Class::Narrow);
    if window.divider.is_zoomed || is_beside {
        // A window of 120 columns leaves 30 for the reason.
        let share = if window.divider.is_zoomed {
            0
        } else {
            window.second(rest.width * 44 / 100, rest.width, LEAST)
        };
        let mut whole = layout::cut_right(&mut rest, share);
        let wall = if share > 0 { layout::cut_wall(&mut rest) } else { Area::default() };
        let rule = layout::cut_top(&mut whole, u16::from(share > 0));
        let title = layout::cut_top(&mut rest, 1);
        let heads = layout::cut_top(&mut rest, heads_height);
        return Parts { title: layout::up_to(title, wall), heads, list: rest, wall, rule, whole, floor };
    }
    let title = layout::cut_top(&mut rest, 1);
    let heads = layout::cut_top(&mut rest, heads_height);
    let most = (rest.height / 2).max(2);
    let rows = u16::try_from(rows).unwrap_or(most).clamp(FEWEST.min(most), most);
    let below = window.second(rest.height.saturating_sub(rows), rest.height, FEWEST);
    let mut whole = layout::cut_bottom(&mut rest, below);
    let rule = layout::cut_top(&mut whole, 1);
    Parts { title, heads, list: rest, wall: Area::default(), rule, whole, floor }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lie_inside_and_never_overlap() {
        for window in layout::windows() {
            for (listed, focus) in [
                (0, Focus::List),
                (3, Focus::List),
                (200, Focus::List),
                (200, Focus::Detail),
                (9, Focus::Whole),
            ] {
                let p = parts(window, listed, focus);
                let all = [p.title, p.heads, p.list, p.wall, p.rule, p.whole, p.floor];
                layout::assert_apart(layout::frame(window.size).body, &all);
                let is_beside = window.size.columns >= 110 && !window.divider.is_zoomed;
                let has_list = focus == Focus::List || (focus == Focus::Detail && is_beside);
                assert_eq!(!p.list.is_empty(), has_list, "{window:?}, {focus:?}: {p:?}");
                let has_detail = focus != Focus::List || !window.divider.is_zoomed;
                assert_eq!(!p.whole.is_empty(), has_detail, "{window:?}, {focus:?}: {p:?}");
            }
        }
    }
}
