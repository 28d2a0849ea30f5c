//! Geometry as a function of the window's size. `update` uses it for paging and scrolling, and `view` for
//! drawing, so that neither has to tell the other.
//!
//! ```text
//! header   2 lines       list pane | side pane (wide)
//! title    1             preview under the list (medium), nothing (narrow)
//! ...                    message, hints
//! ```

use crate::rules::memory::Divider;

/// Columns and rows of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub columns: u16,
    pub rows: u16,
}

/// A rectangle of cells.
pub(crate) type Area = ratatui::layout::Rect;

/// The size class of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// From 110 columns and 30 rows: two panes.
    Wide,
    /// From 70 columns and 24 rows: one pane and a preview under it.
    Medium,
    /// From 40 columns and 12 rows: one pane.
    Narrow,
    /// One line.
    Tiny,
}

impl Size {
    pub fn new(columns: u16, rows: u16) -> Self {
        Self { columns, rows }
    }

    pub(crate) fn class(self) -> Class {
        match (self.columns, self.rows) {
            (110.., 30..) => Class::Wide,
            (70.., 24..) => Class::Medium,
            (40.., 12..) => Class::Narrow,
            _ => Class::Tiny,
        }
    }
}

/// The cells that a view is laid out in, and how its two panes share them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) size: Size,
    pub(crate) divider: Divider,
}

impl Window {
    /// The steps from one end to the other.
    const STEPS: i32 = 24;
    /// The most steps to either side; more would only be taken back.
    pub(crate) const MOST_STEPS: i8 = 16;

    pub(crate) fn class(self) -> Class {
        self.size.class()
    }

    /// The cells of the second of two panes, which has `cells` of `whole` by itself. Each pane keeps `least`, as long as there
    /// are cells for both.
    pub(crate) fn second(self, cells: u16, whole: u16, least: u16) -> u16 {
        let moved = i32::from(whole) * i32::from(self.divider.steps) / Self::STEPS;
        if moved == 0 {
            return cells.min(whole);
        }
        let (cells, whole, least) =
            (i32::from(cells), i32::from(whole), i32::from(least).min(i32::from(whole) / 2));
        (cells - moved).clamp(least, whole - least) as u16
    }
}

/// The frame that every screen stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Two lines.
    pub(crate) header: Area,
    pub(crate) body: Area,
    pub(crate) message: Area,
    pub(crate) hints: Area,
}

pub(crate) fn frame(size: Size) -> Frame {
    let mut rest = Area::new(0, 0, size.columns, size.rows);
    let header = cut_top(&mut rest, 2);
    let hints = cut_bottom(&mut rest, 1);
    let message = cut_bottom(&mut rest, 1);
    Frame { header, body: rest, message, hints }
}

/// The parts of the Inventory; an absent part has no rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InventoryParts {
    /// The rule that names the list. On medium and narrow the filter takes its place.
    pub(crate) title: Area,
    /// Filter and sort.
    pub(crate) filter: Area,
    /// The levels of the rows.
    pub(crate) counts: Area,
    /// The files that bumps changed lately, right of the levels.
    pub(crate) activity: Area,
    /// The faults of the filter: in the place of the counts, or in lines of their own.
    pub(crate) note: Area,
    pub(crate) heads: Area,
    pub(crate) list: Area,
    /// Between list and preview where they stand side by side.
    pub(crate) wall: Area,
    /// The rule that names the entry in the preview.
    pub(crate) side: Area,
    pub(crate) preview: Area,
    /// The rule above the message.
    pub(crate) floor: Area,
}

/// The parts that the Inventory shows besides the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InventoryExtras {
    pub(crate) preview: bool,
    /// Lines that explain the faults of the filter.
    pub(crate) note: u16,
}

/// Cells right of the levels for the activity of the last 30 days: with all of its words, and with few. A window that is
/// narrower than the second width has none.
const ACTIVITY: [(u16, u16); 2] = [(110, 54), (96, 40)];

pub(crate) fn inventory(window: Window, extras: InventoryExtras) -> InventoryParts {
    let size = window.size;
    let has_preview = extras.preview && !window.divider.is_zoomed;
    let mut body = frame(size).body;
    let class = size.class();
    let nothing = Area::new(body.x, body.y, 0, 0);
    let roomy = matches!(class, Class::Wide | Class::Medium);
    let floor = cut_bottom(&mut body, 1);
    // Beside the preview the title stands below what is about both panes.
    let filter = if class == Class::Wide { cut_top(&mut body, 1) } else { nothing };
    let mut title = if class == Class::Wide { nothing } else { cut_top(&mut body, 1) };
    let counts = if roomy { cut_top(&mut body, 1) } else { nothing };
    // It takes the place of the counts, and what it wants besides from the list.
    let mut note = counts;
    let mut counts = cut_bottom(&mut note, counts.height.saturating_sub(extras.note));
    if extras.note > note.height {
        let most = body.height / 2;
        let more = cut_top(&mut body, (extras.note - note.height).min(most));
        note = Area { height: note.height + more.height, y: more.y - note.height, ..more };
        counts.height = 0;
    }
    let room = ACTIVITY.into_iter().find(|(columns, _)| size.columns >= *columns);
    let activity = cut_right(&mut counts, room.map_or(0, |(_, cells)| cells));
    let (mut wall, mut beside) = (nothing, nothing);
    if class == Class::Wide {
        if has_preview {
            let wanted = (size.columns * 35 / 100).clamp(42, 48);
            beside = cut_right(&mut body, window.second(wanted, size.columns, 40));
            wall = cut_wall(&mut body);
        }
        title = up_to(cut_top(&mut body, 1), wall);
    }
    // A low window has no line to spare.
    let heads = if roomy || size.rows >= 16 { cut_top(&mut body, 1) } else { nothing };
    if has_preview && class == Class::Medium {
        let wanted = (5 + size.rows.saturating_sub(24) / 2).min(10) + 1;
        let rows = window.second(wanted, body.height, 4);
        beside = cut_bottom(&mut body, rows);
    }
    let rule = cut_top(&mut beside, 1);
    InventoryParts {
        title,
        filter,
        counts,
        activity,
        note,
        heads,
        list: body,
        wall,
        side: rule,
        preview: beside,
        floor,
    }
}

/// The parts of the screen of one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EntryParts {
    /// The rule above the story. It names the entry where the list stands beside it.
    pub(crate) title: Area,
    /// The reason, the next step and the findings.
    pub(crate) story: Area,
    /// Between list and story where they stand side by side.
    pub(crate) wall: Area,
    /// The rule that names the list of versions.
    pub(crate) side: Area,
    /// Column heads of the version list.
    pub(crate) heads: Area,
    pub(crate) list: Area,
    /// The rule that names the version under the cursor, below the list where the story stands beside it.
    pub(crate) rule: Area,
    /// The facts about that version.
    pub(crate) version: Area,
    pub(crate) floor: Area,
}

/// The least lines that the facts about one version get.
const VERSION_FACTS: usize = 13;

/// Divides the screen of one entry. `rows` is the number of lines in the list of versions, and `facts` that of the facts about
/// the version under the cursor. In a small window the story gets the lines that the list leaves free; elsewhere the version
/// under the cursor gets them.
pub(crate) fn entry(window: Window, rows: usize, facts: usize) -> EntryParts {
    let size = window.size;
    let mut body = frame(size).body;
    let nothing = Area::new(body.x, body.y, 0, 0);
    let floor = cut_bottom(&mut body, 1);
    let (mut story, mut wall) = (nothing, nothing);
    if window.divider.is_zoomed {
        // The list alone.
    } else if size.class() == Class::Wide {
        story =
            cut_right(&mut body, window.second((size.columns * 45 / 100).clamp(50, 90), size.columns, 30));
        wall = cut_wall(&mut body);
    } else {
        // The rule and the heads, and enough of the list not to jump when it comes.
        let list = u16::try_from(rows.max(3)).unwrap_or(u16::MAX).saturating_add(2);
        let height = (body.height / 2 + 1).min(11).max(body.height.saturating_sub(list));
        let height = window.second(height, body.height, 4);
        story = cut_bottom(&mut body, height);
    }
    let title = cut_top(&mut story, 1);
    let rule = up_to(cut_top(&mut body, 1), wall);
    let heads = cut_top(&mut body, 1);
    let mut version = nothing;
    if !wall.is_empty() {
        let rows = u16::try_from(rows.max(3)).unwrap_or(u16::MAX);
        // Most versions have fewer lines, so that the list does not move.
        let facts = u16::try_from(facts.max(VERSION_FACTS)).unwrap_or(u16::MAX).saturating_add(1);
        let most = body.height.saturating_sub(facts).max(3);
        let below = body.height.saturating_sub(rows.min(most));
        version = cut_bottom(&mut body, below);
    }
    let name = up_to(cut_top(&mut version, 1), wall);
    EntryParts { title, story, wall, side: rule, heads, list: body, rule: name, version, floor }
}

/// The parts of the diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DiffParts {
    pub(crate) banner: Area,
    /// The cursor's place in the document.
    pub(crate) path: Area,
    pub(crate) wall: Area,
    pub(crate) lines: Area,
    pub(crate) floor: Area,
    pub(crate) findings: Area,
}

/// Divides the diff. `findings` is the number of lines of the findings; they get a fifth of the screen at
/// most.
pub(crate) fn diff(size: Size, findings: usize) -> DiffParts {
    let mut body = frame(size).body;
    let class = size.class();
    let banner = cut_top(
        &mut body,
        match class {
            Class::Wide => 3,
            Class::Medium => 2,
            _ => 1,
        },
    );
    let path = cut_top(&mut body, 1);
    let wall = cut_top(&mut body, 1);
    let most = if class == Class::Narrow { 1 } else { usize::from(size.rows / 5) };
    let found = cut_bottom(&mut body, findings.min(most) as u16);
    let floor = cut_bottom(&mut body, 1);
    DiffParts { banner, path, wall, lines: body, floor, findings: found }
}

/// A centred overlay of at most this size. Header, message and hints stay in sight.
pub(crate) fn popup(size: Size, columns: u16, rows: u16) -> Area {
    let most = size.rows.saturating_sub(4).max(size.rows.min(8));
    let (columns, rows) = (columns.min(size.columns), rows.min(most));
    Area::new((size.columns - columns) / 2, (size.rows - rows) / 2, columns, rows)
}

/// The `?` page takes nearly everything.
pub(crate) fn help(size: Size) -> Area {
    popup(size, broad(size, 100), size.rows)
}

/// The columns of a wide overlay. It takes the whole window if only a strip beside it would stay visible.
pub(crate) fn broad(size: Size, most: u16) -> u16 {
    if size.columns < most + 20 { size.columns } else { most }
}

pub(crate) fn cut_top(area: &mut Area, rows: u16) -> Area {
    let rows = rows.min(area.height);
    let cut = Area { height: rows, ..*area };
    area.y += rows;
    area.height -= rows;
    cut
}

pub(crate) fn cut_bottom(area: &mut Area, rows: u16) -> Area {
    let rows = rows.min(area.height);
    area.height -= rows;
    Area { y: area.y + area.height, height: rows, ..*area }
}

pub(crate) fn cut_right(area: &mut Area, columns: u16) -> Area {
    let columns = columns.min(area.width);
    area.width -= columns;
    Area { x: area.x + area.width, width: columns, ..*area }
}

/// Cuts off the column of a wall at the right, and a blank one before it.
pub(crate) fn cut_wall(area: &mut Area) -> Area {
    let mut wall = cut_right(area, 2);
    cut_right(&mut wall, 1)
}

/// A line that goes on to the wall beside it; an area without cells is no wall.
pub(crate) fn up_to(line: Area, wall: Area) -> Area {
    if wall.is_empty() { line } else { Area { width: wall.x - line.x, ..line } }
}

/// The first visible row of a list of `len` rows. The window moves only as far as it must to show the row of
/// the cursor, and to leave no room below the last row.
pub(crate) fn first_visible(first: usize, cursor: usize, height: usize, len: usize) -> usize {
    let height = height.max(1);
    first.min(len.saturating_sub(height)).min(cursor).max((cursor + 1).saturating_sub(height))
}

/// The first visible line of a text that is scrolled `from` lines down, and the number of lines below the
/// window.
pub(crate) fn scrolled(from: usize, height: usize, len: usize) -> (usize, usize) {
    let most = len.saturating_sub(height);
    let from = from.min(most);
    (from, most - from)
}

/// The number of rows between the top of an area and a cell.
pub(crate) fn below(area: Area, cell: ratatui::layout::Position) -> Option<usize> {
    area.contains(cell).then(|| usize::from(cell.y - area.y))
}

/// Windows of every class, for tests of where the parts of a view stand.
#[cfg(test)]
pub(crate) fn sizes() -> impl Iterator<Item = Size> {
    let columns = [40, 60, 80, 109, 110, 120, 200].into_iter();
    columns.flat_map(|columns| (12..60).map(move |rows| Size::new(columns, rows)))
}

/// Windows of every class, each with its divider in several places, and zoomed.
#[cfg(test)]
pub(crate) fn windows() -> impl Iterator<Item = Window> {
    let dividers = [(0, false), (0, true), (-16, false), (-3, false), (2, false), (16, false), (16, true)];
    let window =
        move |size| dividers.map(|(steps, is_zoomed)| Window { size, divider: Divider { steps, is_zoomed } });
    sizes().flat_map(window)
}

/// Asserts that the parts that have cells lie inside of `whole`, and that no two of them overlap.
#[cfg(test)]
pub(crate) fn assert_apart(whole: Area, parts: &[Area]) {
    let parts: Vec<Area> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    for (place, part) in parts.iter().enumerate() {
        assert_eq!(part.intersection(whole), *part, "{whole:?}: {parts:?}");
        assert!(parts[place + 1..].iter().all(|other| !part.intersects(*other)), "{whole:?}: {parts:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes() {
        let cases = [
            ((120, 40), Class::Wide),
            ((120, 29), Class::Medium),
            ((109, 50), Class::Medium),
            ((80, 24), Class::Medium),
            ((80, 23), Class::Narrow),
            ((69, 50), Class::Narrow),
            ((40, 12), Class::Narrow),
            ((39, 12), Class::Tiny),
            ((200, 11), Class::Tiny),
        ];
        for ((columns, rows), class) in cases {
            assert_eq!(Size::new(columns, rows).class(), class, "{columns}x{rows}");
        }
    }

    fn whole(size: Size) -> Window {
        Window { size, divider: Divider::default() }
    }

    /// The sentences of a preview need no more columns; the column of reasons gets the rest.
    #[test]
    fn a_preview_grows_no_wider_than_its_sentences() {
        let extras = InventoryExtras { preview: true, note: 0 };
        assert_eq!(
            [120, 200, 300].map(|width| inventory(whole(Size::new(width, 50)), extras).preview.width),
            [42, 48, 48]
        );
    }

    /// A short list of versions leaves more lines to the story; a long one has its half.
    #[test]
    fn what_the_list_leaves_is_the_story_s() {
        let of = |rows: usize| {
            let parts = entry(whole(Size::new(60, 20)), rows, 9);
            (parts.story.height, parts.list.height)
        };
        assert_eq!([1, 3, 5, 900].map(of), [(9, 3), (9, 3), (7, 5), (7, 5)]);
    }

    /// In a large window the version under the cursor gets them, and all of its facts are in sight.
    #[test]
    fn what_the_list_leaves_is_the_version_s() {
        let of = |(rows, facts): (usize, usize)| {
            let parts = entry(whole(Size::new(120, 40)), rows, facts);
            (parts.list.height, parts.version.height)
        };
        let cases = [(1, 9), (3, 9), (900, 9), (900, 24), (900, 90)];
        assert_eq!(cases.map(of), [(3, 29), (3, 29), (19, 13), (8, 24), (3, 29)]);
    }

    #[test]
    fn a_window_shows_the_cursor_and_moves_no_further_than_it_must() {
        let check = |first: usize, height: usize, len: usize| {
            for cursor in 0..len.max(1) {
                let (at, rows) = (first_visible(first, cursor, height, len), height.max(1));
                let last = len.saturating_sub(rows);
                assert!((at..at + rows).contains(&cursor) && at <= last, "{first} {cursor} {height} {len}");
                let is_settled = (first..first + rows).contains(&cursor) && first <= last;
                assert!(at == first || !is_settled, "{first} {cursor} {height} {len}");
            }
        };
        for first in 0..8 {
            for height in 0..8 {
                (0..6).for_each(|len| check(first, height, len));
            }
        }
    }

    #[test]
    fn a_scrolled_text_ends_at_the_bottom_of_its_window() {
        let cases = [(0, 3, 9), (7, 3, 9), (1, 9, 4), (2, 0, 4), (2, 0, 0)];
        let found = cases.map(|(from, height, len)| scrolled(from, height, len));
        assert_eq!(found, [(0, 6), (6, 0), (0, 0), (2, 2), (0, 0)]);
    }

    #[test]
    fn parts_lie_inside_and_never_overlap() {
        for columns in 0..150 {
            for rows in 0..50 {
                let size = Size::new(columns, rows);
                let whole = Area::new(0, 0, columns, rows);
                let steps = (columns % 33) as i8 - 16;
                let window = Window { size, divider: Divider { steps, is_zoomed: rows % 5 == 0 } };
                let f = frame(size);
                let i = inventory(window, InventoryExtras { preview: true, note: columns % 4 });
                let e = entry(window, usize::from(columns % 7), usize::from(rows % 11));
                let d = diff(size, 9);
                for parts in [
                    vec![
                        i.title, i.filter, i.counts, i.activity, i.note, i.heads, i.list, i.wall, i.side,
                        i.preview, i.floor,
                    ],
                    vec![e.title, e.story, e.wall, e.side, e.heads, e.list, e.rule, e.version, e.floor],
                    vec![d.banner, d.path, d.wall, d.lines, d.floor, d.findings],
                ] {
                    assert_apart(whole, &[&*parts, &[f.header, f.message, f.hints]].concat());
                }
            }
        }
    }
}
