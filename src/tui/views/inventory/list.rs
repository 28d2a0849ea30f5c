//! The lines of the list: the columns there is room for, and the heads of groups.
//!
//! ```text
//! >*^ BEHIND    p  newrelic/newrelic                    3.69.0 → 3.70.1       6h  v3.70.1 is the newest tag
//! cursor, mark, status, kind, address, versions, age, reason
//! >[-] newrelic  2 rows, 1 needs attention
//! ```

use ratatui::text::Line;

use crate::desk::list::List;
use crate::desk::table::{ColumnPlace, GAP, fit};
use crate::desk::telling::column::VERSIONS;
use crate::desk::telling::list::{COLUMNS, attention, longest};
use crate::rules::amount::counted;
use crate::tui::base::text::{elide_middle, width as width_of};
use crate::tui::base::theme::Role;
use crate::tui::views::inventory::lines::Head;
use crate::tui::widgets::strip::{Cut, Paint, Strip};
use crate::tui::widgets::table;

/// The cell of the mark, before the first column.
const MARK: u16 = 1;

/// The columns of a list of `width` cells in a window of so many columns. An address gets the same share of the window whether the
/// preview stands beside the list or not, so that a larger window never shows less of it, and no more than the longest of this
/// registry needs.
pub(super) fn places(list: &List, width: u16, window: u16) -> Vec<ColumnPlace> {
    // 35 cells hold four of five addresses of the registry, 45 nineteen of twenty.
    let share = 35 + usize::from(window.saturating_sub(120)) / 8;
    let room = table::room(width.saturating_sub(MARK));
    let address = list.longest_address.min(share);
    let mut places = fit(&COLUMNS, &longest(list, address, true), room, GAP);
    let has_versions = places.iter().any(|place| COLUMNS[place.column].label == VERSIONS);
    if !has_versions {
        places = fit(&COLUMNS, &longest(list, address, false), room, GAP);
    }
    for place in &mut places {
        place.from += usize::from(MARK);
    }
    places
}

/// The head of a group.
pub(super) fn head(
    paint: &Paint<'_>,
    head: &Head,
    title: &str,
    under_cursor: bool,
    width: u16,
) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    strip.cell(Role::Key, if under_cursor { paint.glyphs.cursor() } else { "" }, 1, Cut::End);
    strip.put(Role::Dim, if head.folded { "[+] " } else { "[-] " });
    let count = counted(head.count, "row");
    let wanting = match head.wanting {
        0 => String::new(),
        wanting => format!(", {}", attention(u64::from(wanting))),
    };
    let room = strip.room().saturating_sub(width_of(&count) + width_of(&wanting) + 3);
    strip.put(Role::Title, &elide_middle(title, room, paint.glyphs)).gap(2).put(Role::Dim, &count);
    strip.put(Role::Warning, &wanting).line()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::telling::Label;
    use crate::desk::telling::column::{ADDRESS, STATUS, WHY};
    use crate::rules::memory::Divider;
    use crate::tui::base::layout;
    use crate::tui::base::layout::{InventoryExtras, Size, Window};

    /// The cells of a list in a window, beside its preview and without.
    fn lists(columns: u16, rows: u16) -> [u16; 2] {
        [true, false].map(|preview| {
            let window = Window { size: Size::new(columns, rows), divider: Divider::default() };
            let parts = layout::inventory(window, InventoryExtras { preview, note: 0 });
            parts.list.width - u16::from(parts.preview.x <= parts.list.x)
        })
    }

    /// A list with addresses of 64 cells of both kinds, surveyed or not.
    fn list(is_surveyed: bool) -> List {
        let mut list = List::default();
        (list.longest_address, list.has_both_kinds) = (64, true);
        list.tally.unasked = u32::from(!is_surveyed);
        list
    }

    fn cells_of(places: &[ColumnPlace], label: Label) -> usize {
        places.iter().find(|place| COLUMNS[place.column].label == label).map_or(0, |place| place.cells)
    }

    #[test]
    fn no_window_shows_less_of_an_address_than_a_smaller_one() {
        let mut before = 0;
        for window in 40..300 {
            let widths = [20, 28, 50].into_iter().flat_map(|rows| lists(window, rows));
            let shown: Vec<usize> =
                widths.map(|width| cells_of(&places(&list(true), width, window), ADDRESS)).collect();
            assert_eq!(shown.iter().min(), shown.iter().max(), "{window}: {shown:?}");
            assert!(shown[0] >= before.max(18), "{window}: {} after {before}", shown[0]);
            before = shown[0];
        }
        assert!(before > 45);
    }

    #[test]
    fn the_room_that_is_left_is_given_to_the_reason() {
        for width in 40..300 {
            let places = places(&list(true), width, width);
            let last = places.last().expect("columns");
            let end = last.from + last.cells + usize::from(MARK);
            assert!(end <= usize::from(width), "{width}: {places:?}");
            assert!(cells_of(&places, STATUS) >= 10, "{width}: {places:?}");
            let is_full = cells_of(&places, WHY) > 0;
            assert!(!is_full || end + 1 == usize::from(width), "{width}: {places:?}");
        }
        let names = |is_surveyed, width, window| {
            let places = places(&list(is_surveyed), width, window);
            let names = places.iter().map(|place| COLUMNS[place.column].label.short);
            names.collect::<Vec<_>>().join(" ")
        };
        for (width, window, wanted) in [
            (39, 40, "STATUS ADDRESS LACKS"),
            (60, 60, "STATUS ADDRESS LACKS AGE"),
            (80, 80, "STATUS K ADDRESS VERSIONS AGE"),
            (77, 120, "STATUS K ADDRESS VERSIONS AGE"),
            (126, 200, "STATUS K ADDRESS VERSIONS AGE WHY"),
        ] {
            assert_eq!(names(true, width, window), wanted, "{width}");
        }
        assert_eq!(
            names(false, 75, 120),
            "STATUS K ADDRESS VERSIONS WHY",
            "before the first survey, without dates"
        );
        assert!(cells_of(&places(&list(true), 126, 200), WHY) > 20);
        let mut short = list(true);
        short.longest_address = 20;
        assert_eq!(
            cells_of(&places(&short, 126, 200), ADDRESS),
            20,
            "short addresses leave more to the reason"
        );
    }
}
