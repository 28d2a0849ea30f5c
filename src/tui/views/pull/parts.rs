//! The places of the parts of a pull request. Gates and the field for the digits are there at every size, the field as long as digits
//! would confirm something. The rest goes to the facts about the pull request, and on a wide window to the requests.

use crate::tui::base::layout;
use crate::tui::base::layout::{Area, Class, Size};

/// The largest number of gates.
pub(super) const GATES: u16 = 9;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) title: Area,
    /// The column heads, on a wide window.
    pub(super) heads: Area,
    /// The gates, or the requests if both share the place.
    pub(super) list: Area,
    pub(super) list_floor: Area,
    pub(super) facts: Area,
    /// The requests beside the gates: the rule that names them, and each request.
    pub(super) requests: Area,
    /// The effect of the digits, and their field; framed where there is room.
    pub(super) confirm: Area,
    pub(super) floor: Area,
}

/// `rows` is the current number of list rows, with heads above them where there is room, `facts` the number of fact lines, and
/// `requests` the number of requests. `has_confirm`: digits would confirm something.
pub(super) fn parts(
    size: Size,
    (rows, has_heads): (usize, bool),
    facts: usize,
    requests: usize,
    has_confirm: bool,
) -> Parts {
    let mut rest = layout::frame(size).body;
    let class = size.class();
    let is_wide = class == Class::Wide;
    let title = layout::cut_top(&mut rest, 1);
    let floor = layout::cut_bottom(&mut rest, 1);
    let confirm = if is_wide { 4 } else { 2 };
    let confirm = layout::cut_bottom(&mut rest, if has_confirm { confirm } else { 0 });
    let heads = layout::cut_top(&mut rest, u16::from(is_wide && has_heads));
    let rows = u16::try_from(rows).unwrap_or(u16::MAX).clamp(1, GATES);
    let list = layout::cut_top(&mut rest, rows);
    let has_more = rest.height > 1;
    let list_floor = layout::cut_top(&mut rest, u16::from(has_more));
    let wanted = if is_wide { u16::try_from(requests).unwrap_or(u16::MAX).saturating_add(1) } else { 0 };
    let wanted = wanted.min(rest.height.saturating_sub(3));
    let most = rest.height - wanted;
    let facts =
        if is_wide { u16::try_from(facts).unwrap_or(u16::MAX).clamp(3.min(most), most) } else { most };
    let facts = layout::cut_top(&mut rest, facts);
    let requests = layout::cut_top(&mut rest, wanted);
    Parts { title, heads, list, list_floor, facts, requests, confirm, floor }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lie_inside_and_never_overlap() {
        for size in layout::sizes() {
            for (listed, facts, requests) in [(9, 3, 3), (5, 9, 5), (0, 0, 0), (9, 20, 40), (1, 20, 3)] {
                let p = parts(size, (listed, listed > 1), facts, requests, true);
                let all = [p.title, p.heads, p.list, p.list_floor, p.facts, p.requests, p.confirm, p.floor];
                layout::assert_apart(layout::frame(size).body, &all);
                assert!(p.confirm.height >= 2 && p.list.height >= 1, "{size:?}: {p:?}");
            }
        }
        let sent = parts(Size::new(120, 40), (1, false), 9, 3, false);
        assert!(sent.confirm.is_empty() && sent.heads.is_empty(), "{sent:?}");
        // All gates, from 60x20 up.
        for (columns, rows) in [(60, 20), (80, 24), (120, 40), (110, 30), (200, 18)] {
            assert_eq!(
                parts(Size::new(columns, rows), (9, true), 3, 3, true).list.height,
                GATES,
                "{columns}x{rows}"
            );
        }
    }
}
