//! The list: which columns there is room for, its heads and its rows. Rows outside the window cost nothing.
//!
//! ```text
//! >*^ BEHIND   P newrelic/newrelic            3.69.0       3.70.1     2   6h
//! cursor, mark, status, kind, address, indexed, upstream, missing, age
//! >[-] newrelic  2 rows
//! ```

use ratatui::text::Line;

use crate::desk::telling::column::{ADDRESS, AGE, INDEXED, KIND, LACKS, STATUS, UPSTREAM};
use crate::desk::telling::list::lacks;
use crate::registry::{Kind, Row};
use crate::rules::amount::{Form, age, counted};
use crate::rules::{Depth, Verdict};
use crate::tui::base::layout::Class;
use crate::tui::base::text::elide_middle;
use crate::tui::base::theme::Role;
use crate::tui::views::inventory::lines::Head;
use crate::tui::widgets::strip::{Cut, Paint, Strip};

/// Widths of the columns; 0 is not shown. Status and address always are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    /// Glyph, blank and word.
    pub(crate) status: usize,
    pub(crate) kind: usize,
    pub(crate) address: usize,
    pub(crate) indexed: usize,
    pub(crate) upstream: usize,
    pub(crate) count: usize,
    pub(crate) age: usize,
}

const SHORT_STATUS: usize = 10;
const FULL_STATUS: usize = 15;
const SMALLEST_ADDRESS: usize = 24;

impl Columns {
    /// The columns of a list of so many cells. Too little room drops kind, age, indexed, upstream, count, in this order.
    pub(super) fn fit(width: u16, class: Class) -> Self {
        let wide = class == Class::Wide;
        let narrow = matches!(class, Class::Narrow | Class::Tiny);
        let mut columns = Self {
            status: SHORT_STATUS,
            kind: usize::from(!narrow),
            address: 0,
            indexed: if wide { 12 } else { 0 },
            upstream: if narrow { 0 } else { 11 },
            count: 5,
            age: 4,
        };
        let width = usize::from(width);
        let drops: [fn(&mut Self); 5] = [
            |columns| columns.kind = 0,
            |columns| columns.age = 0,
            |columns| columns.indexed = 0,
            |columns| columns.upstream = 0,
            |columns| columns.count = 0,
        ];
        for drop in drops {
            if columns.others() + SMALLEST_ADDRESS > width {
                drop(&mut columns);
            }
        }
        if columns.others() + FULL_STATUS - SHORT_STATUS + SMALLEST_ADDRESS + 6 <= width {
            columns.status = FULL_STATUS;
        }
        columns.address = width.saturating_sub(columns.others());
        columns
    }

    /// Cells of everything but the address, gaps included.
    fn others(&self) -> usize {
        let optional = [self.kind, self.indexed, self.upstream, self.count, self.age];
        2 + self.status
            + 1
            + optional.iter().filter(|cells| **cells > 0).map(|cells| cells + 1).sum::<usize>()
    }
}

/// The column heads.
pub(super) fn heads(paint: &Paint<'_>, columns: Columns, width: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    strip.gap(2).cell(Role::Title, &format!("S {}", STATUS.short), columns.status, Cut::End).gap(1);
    if columns.kind > 0 {
        strip.cell(Role::Title, KIND.short, 1, Cut::End).gap(1);
    }
    strip.cell(Role::Title, ADDRESS.short, columns.address, Cut::End);
    for (label, cells, cut) in [
        (INDEXED, columns.indexed, Cut::End),
        (UPSTREAM, columns.upstream, Cut::End),
        (LACKS, columns.count, Cut::Right),
        (AGE, columns.age, Cut::Right),
    ] {
        if cells > 0 {
            strip.gap(1).cell(Role::Title, label.short, cells, cut);
        }
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
    strip.status(verdict.status, word(verdict, columns), columns.status).gap(1);
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
        strip.gap(1).cell(Role::Text, &lacks(verdict), columns.count, Cut::Right);
    }
    if columns.age > 0 {
        strip.gap(1).cell(
            Role::Dim,
            &verdict.since.map_or_else(|| "-".into(), |since| age(since, paint.now, Form::Short)),
            columns.age,
            Cut::Right,
        );
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
    let room = strip.room().saturating_sub(crate::tui::base::text::width(&count) + 3);
    strip.put(Role::Title, &elide_middle(title, room)).gap(2).put(Role::Dim, &count);
    strip.line()
}

/// `OK` says how deep it was checked, in full where there is room.
fn word(verdict: &Verdict, columns: Columns) -> &'static str {
    match verdict.depth {
        Depth::Versions if verdict.status.is_fine() && columns.status >= FULL_STATUS => "OK (versions)",
        Depth::Versions if verdict.status.is_fine() => "OK (ver)",
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

    #[test]
    fn columns_fit_and_status_and_address_never_drop() {
        for width in 0..200u16 {
            for class in [Class::Wide, Class::Medium, Class::Narrow] {
                let columns = Columns::fit(width, class);
                assert!(columns.status >= SHORT_STATUS);
                if width >= 40 {
                    assert_eq!(columns.others() + columns.address, usize::from(width), "{width} {class:?}");
                    assert!(columns.address >= SMALLEST_ADDRESS, "{width} {class:?}");
                }
            }
        }
        let medium = Columns::fit(80, Class::Medium);
        assert_eq!((medium.indexed, medium.kind, medium.status), (0, 1, FULL_STATUS));
        assert_eq!(Columns::fit(76, Class::Wide).indexed, 12);
    }
}
