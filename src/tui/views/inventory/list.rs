//! The list: which columns there is room for, its heads and its rows. Rows outside the window cost nothing.
//!
//! ```text
//! >*^ BEHIND   P newrelic/newrelic            3.69.0       3.70.1     2   6h v3.70.1 is the newest tag
//! cursor, mark, status, kind, address, indexed, upstream, missing, age, reason
//! >[-] newrelic  2 rows, 1 needs attention
//! ```

use std::ops::Range;

use ratatui::text::Line;

use crate::desk::telling::column::{ADDRESS, AGE, INDEXED, KIND, LACKS, STATUS, UPSTREAM, WHY};
use crate::desk::telling::list::{attention, held_back, lacks, why};
use crate::desk::telling::{Label, Sign};
use crate::registry::{Kind, Row};
use crate::rules::amount::{Form, age, counted};
use crate::rules::{Depth, Verdict};
use crate::tui::base::text::{elide_middle, width as width_of};
use crate::tui::base::theme::Role;
use crate::tui::views::inventory::lines::Head;
use crate::tui::widgets::strip::{Cut, Paint, Strip};

/// Widths of the columns; 0 is not shown. Status and address always are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Columns {
    /// Glyph, blank and word.
    pub(crate) status: usize,
    pub(crate) kind: usize,
    pub(crate) address: usize,
    pub(crate) indexed: usize,
    pub(crate) upstream: usize,
    pub(crate) count: usize,
    pub(crate) age: usize,
    /// The reason: all that is left.
    pub(crate) why: usize,
}

const SHORT_STATUS: usize = 10;
const FULL_STATUS: usize = 15;
const LACKING: usize = 5;
const SMALLEST_ADDRESS: usize = 24;
/// Less of a reason says nothing.
const SMALLEST_WHY: usize = 14;

impl Columns {
    /// The columns of a list of so many cells in a window of so many columns. The address comes first, so that a larger window
    /// never shows less of it, whether the preview stands beside the list or not: it gets the same share of the window, and no
    /// more than the `longest` of this registry needs. Then the figures, while they fit; the reason gets what is left. Before the
    /// first survey only the reason says something: it has the room of the figures.
    pub(super) fn fit(width: u16, window: u16, longest: usize, is_unchecked: bool) -> Self {
        let mut free = usize::from(width).saturating_sub(2 + SHORT_STATUS + 1);
        // 35 cells hold four of five addresses of the registry, 45 nineteen of twenty.
        let share = 35 + usize::from(window.saturating_sub(120)) / 8;
        let most = longest.min(share).min(free.saturating_sub(LACKING + 1));
        let mut columns = Self { status: SHORT_STATUS, ..Self::default() };
        columns.address = most.max(SMALLEST_ADDRESS).min(free);
        free -= columns.address;
        let mut take = |cells: usize| match free.checked_sub(cells + 1) {
            Some(left) => {
                free = left;
                cells
            }
            None => 0,
        };
        if is_unchecked {
            columns.age = take(4);
            columns.kind = take(1);
        } else {
            columns.count = take(LACKING);
            columns.upstream = take(11);
            columns.age = take(4);
            columns.kind = if columns.upstream > 0 { take(1) } else { 0 };
            columns.indexed = take(12);
            if take(FULL_STATUS - SHORT_STATUS - 1) > 0 {
                columns.status = FULL_STATUS;
            }
        }
        columns.why = if free > SMALLEST_WHY { free - 1 } else { 0 };
        columns
    }

    /// The cells of each column, with its head and the cut of its texts; columns that are not shown are left out.
    pub(super) fn places(&self) -> Vec<(Label, Range<usize>, Cut)> {
        let mut at = 2;
        let all = [
            (STATUS, self.status, Cut::End),
            (KIND, self.kind, Cut::End),
            (ADDRESS, self.address, Cut::Middle),
            (INDEXED, self.indexed, Cut::End),
            (UPSTREAM, self.upstream, Cut::End),
            (LACKS, self.count, Cut::Right),
            (AGE, self.age, Cut::Right),
            (WHY, self.why, Cut::End),
        ];
        all.into_iter()
            .filter(|(_, cells, _)| *cells > 0)
            .map(|(label, cells, cut)| {
                let place = at..at + cells;
                at += cells + 1;
                (label, place, cut)
            })
            .collect()
    }
}

/// The column heads.
pub(super) fn heads(paint: &Paint<'_>, columns: Columns, width: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    strip.gap(1);
    for (label, place, cut) in columns.places() {
        let text = if label == STATUS { format!("S {}", label.short) } else { label.short.to_owned() };
        strip.gap(1).cell(Role::Title, &text, place.len(), cut);
    }
    strip.line()
}

/// One row.
pub(super) fn row(
    paint: &Paint<'_>,
    columns: Columns,
    (row, verdict, marked): (&Row, &Verdict, bool),
    under_cursor: bool,
    width: u16,
) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    strip.cell(Role::Key, if under_cursor { paint.glyphs.cursor() } else { "" }, 1, Cut::End);
    strip.cell(Role::Mark, if marked { "*" } else { "" }, 1, Cut::End);
    let glyph = paint.glyphs.status(verdict.status);
    if verdict.is_unasked() {
        strip.cell(Role::Dim, glyph, columns.status, Cut::End).gap(1);
    } else {
        let text = format!("{glyph} {}", word(verdict, columns));
        strip.cell(Role::of(verdict.level()), &text, columns.status, Cut::End).gap(1);
    }
    if columns.kind > 0 {
        strip.cell(Role::Dim, kind(row.kind()), 1, Cut::End).gap(1);
    }
    strip.cell(Role::Text, &row.address.to_string(), columns.address, Cut::Middle);
    for (version, cells) in
        [(&verdict.highest_indexed, columns.indexed), (&verdict.highest_upstream, columns.upstream)]
    {
        if cells > 0 {
            strip.gap(1).cell(Role::Text, version.as_deref().unwrap_or("-"), cells, Cut::End);
        }
    }
    if columns.count > 0 {
        match held_back(verdict) {
            Some(Sign { glyph, ascii, tone, .. }) => {
                strip.gap(1).cell(
                    Role::meant(tone),
                    paint.glyphs.pick(glyph, ascii),
                    columns.count,
                    Cut::Right,
                );
            }
            None => {
                strip.gap(1).cell(Role::Text, &lacks(verdict), columns.count, Cut::Right);
            }
        }
    }
    if columns.age > 0 {
        // Of what lacks nothing it is no more than when the newest version came.
        let role = if verdict.missing > Some(0) { Role::Text } else { Role::Dim };
        let text = verdict.since.map_or_else(|| "-".into(), |since| age(since, paint.now, Form::Short));
        strip.gap(1).cell(role, &text, columns.age, Cut::Right);
    }
    if columns.why > 0 {
        let role = if verdict.status.is_fine() { Role::Dim } else { Role::Text };
        strip.gap(1).cell(role, &why(row, verdict), columns.why, Cut::End);
    }
    strip.line()
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

/// `OK` says how deep it was checked, in full where there is room.
fn word(verdict: &Verdict, columns: Columns) -> &'static str {
    match verdict.depth {
        Some(Depth::Versions) if verdict.status.is_fine() && columns.status >= FULL_STATUS => "OK (versions)",
        Some(Depth::Versions) if verdict.status.is_fine() => "OK (ver)",
        _ => verdict.status.word(),
    }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Provider => "P",
        Kind::Module => "M",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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

    #[test]
    fn no_window_shows_less_of_an_address_than_a_smaller_one() {
        let mut before = 0;
        for window in 40..300 {
            let widths = [20, 28, 50].into_iter().flat_map(|rows| lists(window, rows));
            let shown: Vec<usize> =
                widths.map(|width| Columns::fit(width, window, 64, false).address).collect();
            assert_eq!(shown.iter().min(), shown.iter().max(), "{window}: {shown:?}");
            assert!(shown[0] >= before.max(SMALLEST_ADDRESS), "{window}: {} after {before}", shown[0]);
            before = shown[0];
        }
        assert!(before > 45);
    }

    #[test]
    fn what_is_left_is_given_to_the_reason() {
        for width in 40..300 {
            let columns = Columns::fit(width, width, 64, false);
            let end = columns.places().last().map_or(0, |(_, place, _)| place.end);
            assert!(end <= usize::from(width) && columns.status >= SHORT_STATUS, "{width}: {columns:?}");
            let all = columns.indexed > 0 && columns.status == FULL_STATUS;
            assert!(!all || usize::from(width) - end <= SMALLEST_WHY, "{width}: {columns:?}");
        }
        let names = |width, window, longest| {
            let places = Columns::fit(width, window, longest, false).places();
            places.iter().map(|(label, ..)| label.short).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(59, 60, 64), "STATUS ADDRESS LACKS AGE");
        assert_eq!(names(79, 80, 64), "STATUS K ADDRESS UPSTREAM LACKS AGE");
        assert_eq!(names(75, 120, 64), "STATUS K ADDRESS UPSTREAM LACKS AGE");
        assert_eq!(names(126, 200, 64), "STATUS K ADDRESS INDEXED UPSTREAM LACKS AGE WHY");
        let places = Columns::fit(75, 120, 64, true).places();
        let labels: Vec<&str> = places.iter().map(|(label, ..)| label.short).collect();
        assert_eq!(labels, ["STATUS", "K", "ADDRESS", "AGE", "WHY"], "before the first survey");
        assert!(Columns::fit(126, 200, 64, false).why > 20);
        assert_eq!(
            Columns::fit(126, 200, 20, false).address,
            SMALLEST_ADDRESS,
            "short addresses leave more to the reason"
        );
    }
}
